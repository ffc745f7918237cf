#include "api/tables/games.h"

#include <sodium.h>
#include <string.h>

#include "api/event/signing_keys.h"
#include "api/event/tlog_leaves.h"
#include "api/state/component_cache.h"
#include "api/tables/dealing.h"
#include "db/store/games/records.h"
#include "db/store/people/ratings.h"
#include "db/store/service/component_sets.h"
#include "db/store/service/secrets.h"
#include "engine/game/catalog.h"
#include "engine/game/component_set.h"
#include "engine/record/replay.h"
#include "engine/record/signature.h"
#include "engine/tournament/result/rating.h"

/* ---- Starting ---- */

static void copy_id(char to[static RECORD_ID_LENGTH + 1], const struct id *id)
{
    memcpy(to, id->text, RECORD_ID_LENGTH + 1);
}

struct game_options game_stored_options(const struct game *game, const char *stored)
{
    struct game_options options = game_options_initial(game);
    json_t *document = json_loads(stored, 0, NULL);
    for (size_t i = 0; i < game->option_count; i++) {
        const char *value = json_string_value(json_object_get(document, game->options[i].name));
        int index = value == NULL ? -1 : game_option_value(game, i, span_of(value));
        if (index >= 0)
            options.value[i] = (uint8_t)index;
    }
    json_decref(document);
    return options;
}

static struct record_header make_header(const struct game_row *game, const struct game *ruleset,
                                        const uint8_t secret[static KEYS_SECRET_BYTES])
{
    struct record_header header = {.game = ruleset,
                                   .options = game_stored_options(ruleset, game->options),
                                   .in_event = game->event.text[0] != '\0',
                                   .round = game->round,
                                   .table = game->table,
                                   .board = game->board,
                                   .seats = game->seats};
    if (game->set != NULL) {
        header.other_set = true;
        memcpy(header.set, game->set, sizeof header.set);
    }
    if (game->clock != NULL)
        clock_read_control(span_of(game->clock), &header.clock);
    copy_id(header.game_id, &game->id);
    copy_id(header.event_id, &game->event);
    for (unsigned i = 0; i < game->seats; i++) {
        copy_id(header.seat[i].player, &game->seat[i].player);
        struct text name = TEXT_OVER(header.seat[i].name);
        text_add(&name, game->seat[i].player_name);
    }
    char bytes[RECORD_SCOPE_MAX];
    struct text scope = TEXT_OVER(bytes);
    record_scope(&header, &scope);
    record_commitment(text_span(&scope), secret, header.commitment);
    time_print(game->started_at_ms, header.start);
    return header;
}

/* Prints the header as row 0 of the record. */
static bool print_header(struct call *call, const struct record_header *header,
                         struct record_row *row)
{
    char *bytes = arena_take(call->arena, RECORD_HEADER_MAX);
    struct text text = {bytes, 0, RECORD_HEADER_MAX, false};
    *row = (struct record_row){.seq = 0};
    record_print_header(header, &text, row->hash);
    row->line = text_span(&text);
    return !text.overflow ||
           call_problem(call, "internal-error", "The record's header is too long.");
}

static bool append_header(struct call *call, const struct game_row *game,
                          const struct record_header *header)
{
    struct record_row row;
    return print_header(call, header, &row) &&
           call_found(call, record_append(call->db, &game->id, &row, 1));
}

/* Makes the header without the keys and the entropy of its players. */
static bool begin_header(struct call *call, const struct game_row *game,
                         const uint8_t secret[static KEYS_SECRET_BYTES],
                         struct record_header *header)
{
    const struct game *ruleset = catalog_find(span_of(game->slug), span_of(game->version));
    if (ruleset == NULL) {
        call_problem(call, "internal-error", "This server does not know the ruleset.");
        return false;
    }
    *header = make_header(game, ruleset, secret);
    return true;
}

static bool give_keys(struct call *call, struct record_header *headers, size_t count)
{
    struct record_seat **seats =
        arena_array(call->arena, count * GAME_SEATS_MAX, sizeof(struct record_seat *));
    size_t seat_count = 0;
    for (size_t i = 0; i < count; i++)
        for (unsigned seat = 0; seat < headers[i].seats; seat++)
            seats[seat_count++] = &headers[i].seat[seat];
    return signing_keys_give(call, seats, seat_count);
}

static bool open_header(struct call *call, const struct game_row *game,
                        const uint8_t secret[static KEYS_SECRET_BYTES],
                        struct record_header *header)
{
    return begin_header(call, game, secret, header) && give_keys(call, header, 1);
}

static bool create(struct call *call, const struct game_row *game, const uint8_t *sealed,
                   const struct record_header *header)
{
    return call_found(call, game_create(call->db, game, sealed, KEYS_SEALED_BYTES)) &&
           append_header(call, game, header);
}

static bool start(struct call *call, const struct game_row *game,
                  const uint8_t secret[static KEYS_SECRET_BYTES], const uint8_t *sealed, bool dealt)
{
    struct record_header header;
    return open_header(call, game, secret, &header) &&
           (!dealt || dealing_add_proofs(call, &header)) && create(call, game, sealed, &header) &&
           (game->board > 0 ||
            tlog_add_commitment(call, span_of(game->id.text), header.commitment));
}

static bool is_playable(const struct game *rules, struct span set)
{
    struct component_fault fault;
    struct game *game = component_set_game(rules, set, &fault);
    component_set_free(game);
    return game != NULL;
}

bool game_knows_components(struct call *call, const struct tournament_settings *settings)
{
    struct stored_set set;
    struct span body;
    if (!settings->other_set)
        return true;
    enum db_status status = component_set_find(call->db, call->arena, settings->set, &set, &body);
    if (status != DB_NONE && !call_found(call, status))
        return false;
    return (status == DB_OK && is_playable(settings->game, body)) ||
           call_bad_field(call, "components",
                          "must be the hash of a component set of this ruleset; GET "
                          "/v1/rulesets/<slug>/component-sets lists them.");
}

struct game_row game_of_table(struct call *call, const struct loaded_event *loaded,
                              const struct event_people *people,
                              const struct tournament_table *table)
{
    enum { CLOCK_TEXT = 80 };
    const struct tournament_settings *settings = &loaded->tournament->settings;
    struct text clock = {arena_take(call->arena, CLOCK_TEXT), 0, CLOCK_TEXT, false};
    clock_print_control(&settings->clock, &clock);
    struct game_row game = {.id = id_new(call->now_ms),
                            .event = loaded->event.id,
                            .round = table->round,
                            .table = table->table,
                            .board = table->board,
                            .slug = loaded->event.slug,
                            .version = loaded->event.version,
                            .options = loaded->event.options,
                            .set = settings->other_set ? settings->set : NULL,
                            .clock = settings->clock.kind == CLOCK_NONE ? NULL : clock.at,
                            .on_timeout = timeout_policy_name(settings->on_timeout),
                            .take_back = settings->take_back,
                            .delay_entries = settings->delay_entries,
                            .started_at_ms = call->now_ms,
                            .seats = table->seats};
    for (unsigned seat = 0; people != NULL && seat < table->seats; seat++)
        game.seat[seat] = (struct game_row_seat){
            .player = event_person_id(loaded->tournament, table->entry[seat]),
            .player_name = people->name[table->entry[seat]]};
    return game;
}

bool game_start(struct call *call, const struct game_row *game)
{
    uint8_t secret[KEYS_SECRET_BYTES];
    uint8_t sealed[KEYS_SEALED_BYTES];
    randombytes_buf(secret, sizeof secret);
    keys_seal(&call->service->keys, secret, sizeof secret, sealed);
    bool started = start(call, game, secret, sealed, false);
    sodium_memzero(secret, sizeof secret);
    return started;
}

/* The rows to be stored for games that start together. */
struct starts {
    struct record_header *headers;
    struct record_row *rows;
    struct record_piece *pieces;
    struct span *sealed, *names;
    const uint8_t **commitments;
};

static struct starts make_starts(struct arena *arena, size_t count)
{
    struct starts starts;
    starts.headers = arena_array(arena, count, sizeof *starts.headers);
    starts.rows = arena_array(arena, count, sizeof *starts.rows);
    starts.pieces = arena_array(arena, count, sizeof *starts.pieces);
    starts.sealed = arena_array(arena, count, sizeof *starts.sealed);
    starts.names = arena_array(arena, count, sizeof *starts.names);
    starts.commitments = arena_array(arena, count, sizeof *starts.commitments);
    return starts;
}

static bool seal_secret(struct call *call, const struct game_row *game, struct starts *starts,
                        size_t i)
{
    uint8_t secret[KEYS_SECRET_BYTES];
    uint8_t *sealed = arena_take(call->arena, KEYS_SEALED_BYTES);
    randombytes_buf(secret, sizeof secret);
    keys_seal(&call->service->keys, secret, sizeof secret, sealed);
    bool begun = begin_header(call, game, secret, &starts->headers[i]);
    sodium_memzero(secret, sizeof secret);
    starts->sealed[i] = (struct span){(const char *)sealed, KEYS_SEALED_BYTES};
    starts->names[i] = span_of(game->id.text);
    starts->commitments[i] = starts->headers[i].commitment;
    return begun;
}

bool game_start_all(struct call *call, const struct game_row *games, size_t count)
{
    struct starts starts = make_starts(call->arena, count);
    for (size_t i = 0; i < count; i++)
        if (!seal_secret(call, &games[i], &starts, i))
            return false;
    if (!give_keys(call, starts.headers, count))
        return false;
    for (size_t i = 0; i < count; i++) {
        if (!print_header(call, &starts.headers[i], &starts.rows[i]))
            return false;
        starts.pieces[i] = (struct record_piece){&games[i].id, &starts.rows[i], 1};
    }
    return call_found(call, game_create_all(call->db, games, starts.sealed, count)) &&
           call_found(call, record_append_all(call->db, starts.pieces, count)) &&
           tlog_add_commitments(call, starts.names, starts.commitments, count);
}

bool game_start_on_board(struct call *call, const struct game_row *game,
                         const uint8_t secret[static KEYS_SECRET_BYTES], bool dealt)
{
    return start(call, game, secret, NULL, dealt);
}

/* ---- After the players' entropy ---- */

bool game_wait(struct call *call, const struct game_row *game, unsigned seconds)
{
    enum { SECOND_MS = 1000 };
    struct waiting_game waiting = {.id = game->id,
                                   .event = game->event,
                                   .round = game->round,
                                   .table = game->table,
                                   .attempt = game->attempt,
                                   .since_ms = call->now_ms,
                                   .due_ms = call->now_ms + (int64_t)seconds * SECOND_MS,
                                   .seats = game->seats};
    uint8_t secret[KEYS_SECRET_BYTES];
    uint8_t sealed[KEYS_SEALED_BYTES];
    for (unsigned seat = 0; seat < game->seats; seat++)
        waiting.seat[seat].player = game->seat[seat].player;
    randombytes_buf(secret, sizeof secret);
    keys_seal(&call->service->keys, secret, sizeof secret, sealed);
    record_commitment(span_of(game->id.text), secret, waiting.commitment);
    sodium_memzero(secret, sizeof secret);
    return call_found(call, waiting_add(call->db, &waiting, sealed, sizeof sealed)) &&
           tlog_add_commitment(call, span_of(game->id.text), waiting.commitment);
}

static void add_entropy(const struct waiting_game *waiting, struct record_header *header)
{
    for (unsigned seat = 0; seat < header->seats; seat++) {
        const struct entropy *given = &waiting->seat[seat].given;
        header->seat[seat].entropy_size = (uint8_t)given->size;
        memcpy(header->seat[seat].entropy, given->bytes, given->size);
    }
}

/* Stores the signatures of entropy that are by the key in the header; a player who has changed keys
 * since has none. */
static bool keep_signatures(struct call *call, const struct waiting_game *waiting,
                            const struct record_header *header)
{
    for (unsigned seat = 0; seat < header->seats; seat++) {
        const struct entropy *given = &waiting->seat[seat].given;
        if (given->is_signed && header->seat[seat].has_key &&
            signature_of_entropy_holds(header, seat, given->signature) &&
            !call_found(call,
                        entropy_signature_add(call->db, &waiting->id, seat, given->signature)))
            return false;
    }
    return true;
}

static bool start_with_entropy(struct call *call, const struct game_row *game,
                               const struct waiting_game *waiting, const uint8_t *sealed,
                               const uint8_t secret[static KEYS_SECRET_BYTES])
{
    struct record_header header;
    if (!open_header(call, game, secret, &header))
        return false;
    if (memcmp(header.commitment, waiting->commitment, sizeof header.commitment) != 0)
        return call_problem(call, "internal-error", "The game's secret is not the one promised.");
    add_entropy(waiting, &header);
    return (!waiting->asked || dealing_add_proofs(call, &header)) &&
           create(call, game, sealed, &header) && keep_signatures(call, waiting, &header);
}

bool game_start_after_wait(struct call *call, const struct game_row *game,
                           const struct waiting_game *waiting)
{
    uint8_t secret[KEYS_SECRET_BYTES];
    const uint8_t *sealed;
    size_t size;
    if (!call_found(call, waiting_secret(call->db, call->arena, &waiting->id, &sealed, &size)))
        return false;
    if (!keys_open(&call->service->keys, sealed, size, secret, sizeof secret))
        return call_problem(call, "internal-error",
                            "The game's secret was sealed with another key.");
    bool started = start_with_entropy(call, game, waiting, sealed, secret);
    sodium_memzero(secret, sizeof secret);
    return started;
}

/* ---- Stored records ---- */

bool game_live_problem(struct call *call, const struct record_result *result)
{
    if (result->status == STORED_RECORD_DATABASE)
        return call_found(call, result->database);
    if (result->status == STORED_RECORD_NONE)
        return call_problem(call, "not-found", "There is no game with this id.");
    return call_problem_of(
        call, "record-damaged", "The stored record of this game is damaged at line ",
        call_digits(call, (int64_t)result->fault.line), ": ", result->fault.message);
}

bool game_read_record(struct call *call, const struct id *game, struct span *record)
{
    struct record_row *rows;
    size_t count;
    if (!call_found(call, record_read(call->db, call->arena, game, -1, &rows, &count)))
        return false;
    *record = record_join(call->arena, rows, count);
    return true;
}

/* ---- Ending ---- */

void game_take_outcome(struct game_row *game, const struct replay *replay)
{
    struct outcome outcome;
    replay_outcome(replay, &outcome);
    for (unsigned i = 0; i < game->seats; i++)
        game->seat[i].forfeited = false;
    for (unsigned i = 0; i < replay->forfeits; i++)
        game->seat[replay->forfeited[i]].forfeited = true;
    for (unsigned i = 0; i < game->seats; i++) {
        game->seat[i].score = outcome.score[i];
        game->seat[i].rank = outcome.rank[i];
    }
}

bool game_prove(struct call *call, struct span record, struct game_row *game)
{
    struct record_fault fault;
    struct component_lookup lookup;
    struct replay *proof = arena_take(call->arena, sizeof *proof);
    const struct component_sets *sets =
        component_cache_sets(call->service->component_cache, call->db, &lookup);
    if (replay_verify(record, sets, proof, &fault) != REPLAY_VALID || proof->header.recorded) {
        if (lookup.status != DB_NONE)
            return call_found(call, lookup.status);
        struct record_result damaged = {.status = STORED_RECORD_DAMAGED, .fault = fault};
        return game_live_problem(call, &damaged);
    }
    game_take_outcome(game, proof);
    return tlog_add_record(call, record);
}

/* Rates all seats in one scope. `row` holds the ratings before the game, and then those after it.
 */
static bool rate_scope(const struct game_row *game, struct rating_row *row)
{
    struct rating ratings[GAME_ROW_SEATS];
    int32_t ranks[GAME_ROW_SEATS];
    for (unsigned i = 0; i < game->seats; i++) {
        ratings[i] = (struct rating){(int32_t)row[i].mu, (int32_t)row[i].sigma};
        ranks[i] = (int32_t)game->seat[i].rank;
    }
    if (!rating_update(ratings, ranks, game->seats))
        return false;
    for (unsigned i = 0; i < game->seats; i++) {
        row[i].mu = ratings[i].mu;
        row[i].sigma = ratings[i].sigma;
        row[i].games++;
    }
    return true;
}

/* Sets the initial rating of players without a rated game. */
static void set_initial(struct rating_row *row, size_t count)
{
    struct rating initial = rating_initial();
    for (size_t i = 0; i < count; i++) {
        if (row[i].games > 0)
            continue;
        row[i].mu = initial.mu;
        row[i].sigma = initial.sigma;
    }
}

bool game_rate(struct call *call, const struct game_row *game, bool apart)
{
    enum { SCOPES = 2 };
    const char *const scope[SCOPES] = {
        apart ? rating_house_scope(call->arena, game->slug) : game->slug, "overall"};
    size_t scopes = apart ? 1 : SCOPES;
    struct rating_row before[SCOPES * GAME_ROW_SEATS] = {{.mu = 0}};
    struct rating_row after[SCOPES * GAME_ROW_SEATS];
    size_t count = scopes * game->seats;
    if (game->seats < 2)
        return true;
    for (size_t i = 0; i < count; i++) {
        before[i].player = game->seat[i % game->seats].player;
        before[i].scope = scope[i / game->seats];
    }
    if (!call_found(call, rating_lock_several(call->db, before, count)))
        return false;
    set_initial(before, count);
    memcpy(after, before, sizeof after);
    for (size_t i = 0; i < scopes; i++)
        if (!rate_scope(game, &after[i * game->seats]))
            return call_problem(call, "internal-error", "A stored rating is out of its range.");
    return call_found(call,
                      rating_store(call->db, &game->id, call->now_ms, apart, before, after, count));
}
