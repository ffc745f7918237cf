#include "fill_ratings.h"

#include <stdlib.h>
#include <string.h>

#include "engine/game/catalog.h"

static const char overall[] = "overall";

/* The scope's number: that of the ruleset in the catalogue, and `overall` after the last. */
static size_t scope_of(const char *name)
{
    size_t scope = 0;
    while (catalog_at(scope) != NULL && strcmp(catalog_at(scope)->slug, name) != 0)
        scope++;
    return scope;
}

static const char *scope_name(size_t scope)
{
    return catalog_at(scope) == NULL ? overall : catalog_at(scope)->slug;
}

/* A player's id, and the place in the file, which is not in the order of ids. */
struct known {
    struct id id;
    size_t place;
};

static int compare_ids(const void *a, const void *b)
{
    return strcmp(((const struct known *)a)->id.text, ((const struct known *)b)->id.text);
}

static struct known *sort_players(const struct fill_players *players)
{
    struct known *known = calloc(players->count, sizeof *known);
    if (known == NULL)
        abort();
    for (size_t i = 0; i < players->count; i++)
        known[i] = (struct known){players->player[i].id, i};
    qsort(known, players->count, sizeof *known, compare_ids);
    return known;
}

/* Columns: player, scope, mu, sigma, games. */
static void read_row(struct fill_ratings *ratings, const struct known *known,
                     const PGresult *result, int row)
{
    struct known key = {.place = 0};
    memcpy(key.id.text, PQgetvalue(result, row, 0), sizeof key.id.text);
    const struct known *found =
        bsearch(&key, known, ratings->players->count, sizeof key, compare_ids);
    if (found == NULL)
        return;
    size_t scope = scope_of(PQgetvalue(result, row, 1));
    ratings->rating[found->place * ratings->scopes + scope] =
        (struct fill_rating){.value = {(int32_t)atoi(PQgetvalue(result, row, 2)),
                                       (int32_t)atoi(PQgetvalue(result, row, 3))},
                             .games = (uint32_t)atoi(PQgetvalue(result, row, 4))};
}

static void read_stored(struct fill_ratings *ratings, PGconn *connection)
{
    PGresult *result =
        PQexec(connection, "SELECT player_id, scope, mu, sigma, games FROM tillroll.rating");
    if (PQresultStatus(result) != PGRES_TUPLES_OK)
        abort();
    struct known *known = sort_players(ratings->players);
    for (int row = 0; row < PQntuples(result); row++)
        read_row(ratings, known, result, row);
    free(known);
    PQclear(result);
}

static int64_t read_numbers(PGconn *connection)
{
    PGresult *result = PQexec(connection, "SELECT CASE WHEN is_called THEN last_value ELSE 0 END"
                                          " FROM tillroll.rated_game_number");
    if (PQresultStatus(result) != PGRES_TUPLES_OK)
        abort();
    int64_t numbers = atoll(PQgetvalue(result, 0, 0));
    PQclear(result);
    return numbers;
}

void fill_ratings_open(struct fill_ratings *ratings, const struct fill_players *players,
                       PGconn *connection)
{
    ratings->players = players;
    ratings->scopes = scope_of(overall) + 1;
    ratings->rating = calloc(players->count * ratings->scopes, sizeof *ratings->rating);
    if (ratings->rating == NULL)
        abort();
    for (size_t i = 0; i < players->count * ratings->scopes; i++)
        ratings->rating[i].value = rating_initial();
    ratings->changes =
        copy_into("tillroll.rating_change (game_id, scope, player_id, number, at, mu_before,"
                  " sigma_before, mu_after, sigma_after)");
    ratings->games = copy_into("tillroll.rated_game (game_id, at)");
    ratings->numbers = read_numbers(connection);
    read_stored(ratings, connection);
}

static void add_change(struct fill_ratings *ratings, const char *game, size_t scope, size_t player,
                       int64_t at_ms, const struct rating *before, const struct rating *after)
{
    struct copy *copy = &ratings->changes;
    copy_row(copy, 9);
    copy_id(copy, game);
    copy_text(copy, span_of(scope_name(scope)));
    copy_id(copy, ratings->players->player[player].id.text);
    copy_bigint(copy, ratings->numbers);
    copy_time(copy, at_ms);
    copy_bigint(copy, before->mu);
    copy_bigint(copy, before->sigma);
    copy_bigint(copy, after->mu);
    copy_bigint(copy, after->sigma);
}

static void rate(struct fill_ratings *ratings, const struct record_header *header,
                 const size_t *player, const int32_t *ranks, size_t scope, int64_t at_ms)
{
    struct rating before[GAME_SEATS_MAX] = {{0, 0}};
    struct rating after[GAME_SEATS_MAX];
    for (unsigned seat = 0; seat < header->seats; seat++)
        before[seat] = ratings->rating[player[seat] * ratings->scopes + scope].value;
    memcpy(after, before, sizeof after);
    if (!rating_update(after, ranks, header->seats))
        abort();
    for (unsigned seat = 0; seat < header->seats; seat++) {
        struct fill_rating *rating = &ratings->rating[player[seat] * ratings->scopes + scope];
        rating->value = after[seat];
        rating->games++;
        rating->changed = true;
        add_change(ratings, header->game_id, scope, player[seat], at_ms, &before[seat],
                   &after[seat]);
    }
}

void fill_ratings_add(struct fill_ratings *ratings, const struct record_header *header,
                      const size_t *player, const struct outcome *outcome, int64_t at_ms)
{
    int32_t ranks[GAME_SEATS_MAX];
    for (unsigned seat = 0; seat < header->seats; seat++)
        ranks[seat] = outcome->rank[seat];
    ratings->numbers++;
    copy_row(&ratings->games, 2);
    copy_id(&ratings->games, header->game_id);
    copy_time(&ratings->games, at_ms);
    rate(ratings, header, player, ranks, scope_of(header->game->slug), at_ms);
    rate(ratings, header, player, ranks, scope_of(overall), at_ms);
}

void fill_ratings_flush(struct fill_ratings *ratings, PGconn *connection)
{
    copy_send(&ratings->games, connection);
    copy_send(&ratings->changes, connection);
}

void fill_ratings_store(struct fill_ratings *ratings, PGconn *connection)
{
    struct copy copy = copy_into("given (player_id, scope, mu, sigma, games)");
    for (size_t i = 0; i < ratings->players->count * ratings->scopes; i++) {
        const struct fill_rating *rating = &ratings->rating[i];
        if (!rating->changed)
            continue;
        copy_row(&copy, 5);
        copy_id(&copy, ratings->players->player[i / ratings->scopes].id.text);
        copy_text(&copy, span_of(scope_name(i % ratings->scopes)));
        copy_bigint(&copy, rating->value.mu);
        copy_bigint(&copy, rating->value.sigma);
        copy_integer(&copy, (int32_t)rating->games);
    }
    copy_command(connection, "BEGIN");
    copy_command(connection, "CREATE TEMPORARY TABLE given (player_id uuid, scope text, mu bigint,"
                             " sigma bigint, games integer) ON COMMIT DROP");
    copy_send(&copy, connection);
    copy_command(connection,
                 "INSERT INTO tillroll.rating (player_id, scope, mu, sigma, games)"
                 " SELECT * FROM given"
                 " ON CONFLICT (player_id, scope) DO UPDATE"
                 " SET mu = excluded.mu, sigma = excluded.sigma, games = excluded.games");
    copy_command(connection, "COMMIT");
    copy_free(&copy);
    copy_free(&ratings->games);
    copy_free(&ratings->changes);
    free(ratings->rating);
}
