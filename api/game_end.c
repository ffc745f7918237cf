#include "api/game_end.h"

#include <string.h>

#include "api/game_writer.h"
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
    replay->header.game->outcome(replay->state, &outcome);
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
    return true;
}

static bool rate_scope(struct call *call, const struct game_row *game, const char *scope)
{
    struct rating_row before[GAME_ROW_SEATS];
    struct rating ratings[GAME_ROW_SEATS];
    int32_t ranks[GAME_ROW_SEATS];
    for (unsigned i = 0; i < game->seats; i++) {
        enum db_status status = rating_find(call->db, &game->seat[i].player, scope, &before[i]);
        if (status == DB_NONE) {
            struct rating initial = rating_initial();
            before[i] = (struct rating_row){.player = game->seat[i].player,
                                            .scope = scope,
                                            .mu = initial.mu,
                                            .sigma = initial.sigma};
        } else if (!call_found(call, status)) {
            return false;
        }
        ratings[i] = (struct rating){(int32_t)before[i].mu, (int32_t)before[i].sigma};
        ranks[i] = (int32_t)game->seat[i].rank;
    }
    if (!rating_update(ratings, ranks, game->seats))
        return call_problem(call, "internal-error", "A stored rating is out of its range.");
    for (unsigned i = 0; i < game->seats; i++) {
        struct rating_row after = before[i];
        after.mu = ratings[i].mu;
        after.sigma = ratings[i].sigma;
        after.games++;
        if (!call_found(call, rating_store(call->db, &game->id, call->now_ms, &before[i], &after)))
            return false;
    }
    return true;
}

bool game_rate(struct call *call, const struct game_row *game)
{
    if (game->seats < 2)
        return true;
    return call_found(call, rating_lock(call->db)) && rate_scope(call, game, game->slug) &&
           rate_scope(call, game, "overall");
}
