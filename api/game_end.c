#include "api/game_end.h"

#include <string.h>

#include "api/game_writer.h"
#include "api/tlog_leaves.h"
#include "db/ratings.h"
#include "engine/tournament/rating.h"

/* The whole record as stored, which is what is proved: not what is in memory. */
static bool read_record(struct call *call, const struct id *game, struct span *record)
{
    struct record_row *rows;
    size_t count;
    if (!call_found(call, record_read(call->db, call->arena, game, -1, &rows, &count)))
        return false;
    *record = record_join(call->arena, rows, count);
    return true;
}

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

bool game_prove(struct call *call, struct game_row *game)
{
    struct span record;
    struct record_fault fault;
    struct replay *proof = arena_take(call->arena, sizeof *proof);
    if (!read_record(call, &game->id, &record))
        return false;
    if (replay_verify(record, proof, &fault) != REPLAY_VALID) {
        struct live_result damaged = {.status = LIVE_DAMAGED, .fault = fault};
        return game_live_problem(call, &damaged);
    }
    game_take_outcome(game, proof);
    return tlog_add_record(call, record);
}

/* Ratings of all seats in one scope: `row` holds them before, and then after the game. */
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

/* Everybody has a rating before his first game. */
static void give_initial(struct rating_row *row, size_t count)
{
    struct rating initial = rating_initial();
    for (size_t i = 0; i < count; i++) {
        if (row[i].games > 0)
            continue;
        row[i].mu = initial.mu;
        row[i].sigma = initial.sigma;
    }
}

bool game_rate(struct call *call, const struct game_row *game)
{
    enum { SCOPES = 2 };
    const char *const scope[SCOPES] = {game->slug, "overall"};
    struct rating_row before[SCOPES * GAME_ROW_SEATS] = {{.mu = 0}};
    struct rating_row after[SCOPES * GAME_ROW_SEATS];
    size_t count = SCOPES * (size_t)game->seats;
    if (game->seats < 2)
        return true;
    for (size_t i = 0; i < count; i++) {
        before[i].player = game->seat[i % game->seats].player;
        before[i].scope = scope[i / game->seats];
    }
    if (!call_found(call, rating_lock_several(call->db, before, count)))
        return false;
    give_initial(before, count);
    memcpy(after, before, sizeof after);
    for (size_t i = 0; i < SCOPES; i++)
        if (!rate_scope(game, &after[i * game->seats]))
            return call_problem(call, "internal-error", "A stored rating is out of its range.");
    return call_found(call, rating_store(call->db, &game->id, call->now_ms, before, after, count));
}
