#include "fill_store.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Bytes of records after which everything is sent. */
enum { FLUSH_BYTES = 8 << 20 };

void fill_store_open(struct fill_store *store, const char *url, const char *secrets, bool unchecked)
{
    char message[512];
    struct text error = TEXT_OVER(message);
    *store = (struct fill_store){.connection = PQconnectdb(url)};
    if (PQstatus(store->connection) != CONNECTION_OK) {
        (void)fprintf(stderr, "bench_fill: %s", PQerrorMessage(store->connection));
        exit(EXIT_FAILURE);
    }
    if (!keys_load(&store->keys, secrets, &error)) {
        (void)fprintf(stderr, "bench_fill: %s\n", message);
        exit(EXIT_FAILURE);
    }
    copy_command(store->connection, "SET ROLE tillroll_owner");
    copy_command(store->connection, "SET synchronous_commit = off");
    copy_command(store->connection, "SET client_min_messages = error");
    store->games = copy_into("tillroll.game (id, event_id, round, table_number, slug, version,"
                             " options, started_at, finished_at)");
    store->seats = copy_into("tillroll.game_seat (game_id, seat, player_id)");
    store->secrets = copy_into("tillroll_vault.game_secret (game_id, sealed)");
    store->lines = copy_into("tillroll.record_line (game_id, seq, line, hash)");
    store->results = copy_into("tillroll.game_result (game_id, seat, score, rank)");
    if (unchecked)
        copy_command(store->connection,
                     "ALTER TABLE tillroll.record_line DISABLE TRIGGER record_lines_added");
}

/* In the order of the references between the tables. */
static void flush(struct fill_store *store)
{
    copy_command(store->connection, "BEGIN");
    copy_send(&store->games, store->connection);
    copy_send(&store->seats, store->connection);
    copy_send(&store->secrets, store->connection);
    copy_send(&store->lines, store->connection);
    copy_send(&store->results, store->connection);
    fill_ratings_flush(&store->ratings, store->connection);
    copy_command(store->connection, "COMMIT");
}

/* As autovacuum would have, had the rows come in the course of time: without statistics the
 * service's statements keep plans that were made for empty tables. A table that is empty is left
 * alone, as it would leave it: statements would count on its staying so. */
static const char analyze[] =
    "DO $$ DECLARE filled regclass; BEGIN"
    " FOR filled IN SELECT oid FROM pg_class WHERE relkind = 'r' AND pg_relation_size(oid) > 0"
    "   AND relnamespace IN ('tillroll'::regnamespace, 'tillroll_vault'::regnamespace)"
    " LOOP EXECUTE format('ANALYZE %s', filled); END LOOP; END $$";

void fill_store_close(struct fill_store *store)
{
    flush(store);
    fill_ratings_store(&store->ratings, store->connection);
    copy_command(store->connection,
                 "ALTER TABLE tillroll.record_line ENABLE ALWAYS TRIGGER record_lines_added");
    copy_command(store->connection, analyze);
    copy_free(&store->games);
    copy_free(&store->seats);
    copy_free(&store->secrets);
    copy_free(&store->lines);
    copy_free(&store->results);
    keys_forget(&store->keys);
    PQfinish(store->connection);
}

void fill_options_print(const struct record_header *header, struct text *text)
{
    const struct game *ruleset = header->game;
    text_add_char(text, '{');
    for (size_t i = 0; i < ruleset->option_count; i++) {
        text_add(text, i == 0 ? "\"" : ", \"");
        text_add(text, ruleset->options[i].name);
        text_add(text, "\": \"");
        text_add(text, ruleset->options[i].values[header->options.value[i]]);
        text_add_char(text, '"');
    }
    text_add_char(text, '}');
}

static void add_game(struct fill_store *store, const struct record_header *header,
                     int64_t started_at_ms, int64_t finished_at_ms)
{
    char bytes[1024];
    struct text options = TEXT_OVER(bytes);
    struct copy *copy = &store->games;
    fill_options_print(header, &options);
    copy_row(copy, 9);
    copy_id(copy, header->game_id);
    copy_id(copy, header->event_id);
    copy_positive(copy, header->round);
    copy_positive(copy, header->table);
    copy_text(copy, span_of(header->game->slug));
    copy_text(copy, span_of(header->game->version));
    copy_text(copy, text_span(&options));
    copy_time(copy, started_at_ms);
    if (finished_at_ms == 0)
        copy_null(copy);
    else
        copy_time(copy, finished_at_ms);
}

static void add_secret(struct fill_store *store, const char *game, const uint8_t secret[static 32])
{
    uint8_t sealed[KEYS_SEALED_BYTES];
    keys_seal(&store->keys, secret, KEYS_SECRET_BYTES, sealed);
    copy_row(&store->secrets, 2);
    copy_id(&store->secrets, game);
    copy_bytes(&store->secrets, sealed, sizeof sealed);
}

static void add_seats(struct fill_store *store, const struct record_header *header)
{
    for (unsigned seat = 0; seat < header->seats; seat++) {
        copy_row(&store->seats, 3);
        copy_id(&store->seats, header->game_id);
        copy_integer(&store->seats, (int32_t)seat);
        copy_id(&store->seats, header->seat[seat].player);
    }
}

static void add_lines(struct fill_store *store, const struct fill_game *game, size_t rows)
{
    struct copy *copy = &store->lines;
    for (size_t row = 0; row < rows; row++) {
        copy_row(copy, 4);
        copy_id(copy, game->replay.header.game_id);
        copy_integer(copy, (int32_t)row);
        copy_text(copy, fill_game_line(game, row));
        copy_bytes(copy, game->row[row].hash, 32);
    }
    store->lines_stored += rows;
}

static void add_results(struct fill_store *store, const struct record_header *header,
                        const struct outcome *outcome)
{
    for (unsigned seat = 0; seat < header->seats; seat++) {
        copy_row(&store->results, 4);
        copy_id(&store->results, header->game_id);
        copy_integer(&store->results, (int32_t)seat);
        copy_integer(&store->results, outcome->score[seat]);
        copy_integer(&store->results, outcome->rank[seat]);
    }
}

static void finish(struct fill_store *store, const struct fill_game *game,
                   const struct fill_seating *seating, int64_t finished_at_ms)
{
    const struct record_header *header = &game->replay.header;
    struct outcome outcome;
    header->game->outcome(header->game, game->replay.state, &outcome);
    add_results(store, header, &outcome);
    if (header->seats >= 2)
        fill_ratings_add(&store->ratings, header, seating->player, &outcome, finished_at_ms);
}

void fill_store_game(struct fill_store *store, const struct fill_game *game, size_t rows,
                     const struct fill_seating *seating, const uint8_t secret[static 32])
{
    const struct record_header *header = &game->replay.header;
    bool finished = rows == game->count;
    int64_t finished_at_ms = finished ? seating->started_at_ms + game->replay.elapsed_ms : 0;
    add_game(store, header, seating->started_at_ms, finished_at_ms);
    add_seats(store, header);
    add_secret(store, header->game_id, secret);
    add_lines(store, game, rows);
    if (finished)
        finish(store, game, seating, finished_at_ms);
    if (store->lines.size > FLUSH_BYTES)
        flush(store);
}
