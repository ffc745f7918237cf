/* Ending duplicate tables. Whoever ends a table holds the event's lock while looking whether it was
 * the last, so exactly one transaction finds that it was. */
#include <string.h>

#include "api/duplicate.h"
#include "api/game_end.h"
#include "api/game_writer.h"
#include "api/table_results.h"
#include "db/ratings.h"
#include "db/records.h"
#include "db/rounds.h"

/* The games of a round, all read after the lock was taken. */
struct ending {
    struct loaded_event loaded;
    struct game_row *games;
    size_t count;
    unsigned board; /* of which results become comparable together; 0 = all */
};

static bool belongs(const struct ending *ending, const struct game_row *game)
{
    return ending->board == 0 || game->board == ending->board;
}

static bool all_finished(const struct ending *ending)
{
    for (size_t i = 0; i < ending->count; i++)
        if (belongs(ending, &ending->games[i]) && !ending->games[i].finished)
            return false;
    return true;
}

static bool replay_game(struct call *call, const struct game_row *game, struct replay **replay)
{
    struct live_result result =
        live_replay(&call->service->keys, call->db, call->arena, &game->id, replay);
    return result.status == LIVE_OK || game_live_problem(call, &result);
}

/* ---- Results ---- */

static bool store_results(struct call *call, struct ending *ending)
{
    for (size_t i = 0; i < ending->count; i++) {
        struct game_row *game = &ending->games[i];
        struct replay *replay;
        if (!belongs(ending, game))
            continue;
        if (!replay_game(call, game, &replay))
            return false;
        game_take_outcome(game, replay);
        if (!call_found(call, game_score(call->db, game)) ||
            !table_take_result(call, &ending->loaded, game))
            return false;
    }
    return true;
}

/* ---- The reveal ---- */

enum { LAST_LINES = GAME_SEATS_MAX + 2 }; /* reveal, results, head */

static bool append_last_lines(struct call *call, const struct game_row *game, struct replay *replay)
{
    char bytes[RECORD_LINE_MAX + 1];
    struct text line = TEXT_OVER(bytes);
    struct record_row rows[LAST_LINES];
    size_t count = 0;
    while (replay_add_due(replay, call->now_ms - game->started_at_ms, true, &line)) {
        struct record_row *row = &rows[count++];
        row->seq = replay->seq + (replay->phase == REPLAY_FINISHED);
        row->line = span_of(arena_copy(call->arena, text_span(&line)));
        memcpy(row->hash, replay->head, sizeof row->hash);
        text_clear(&line);
    }
    return call_found(call, record_append(call->db, &game->id, rows, count));
}

/* Completes and proves the record, and rates the game. */
static bool complete(struct call *call, const struct ending *ending, struct game_row *game)
{
    struct replay *replay;
    return replay_game(call, game, &replay) && append_last_lines(call, game, replay) &&
           game_prove(call, game) && table_rate_game(call, &ending->loaded, game);
}

/* All games are rated in one order, so they are not locked player by player. */
static bool reveal(struct call *call, const struct ending *ending)
{
    if (!call_found(call, rating_lock(call->db)))
        return false;
    for (size_t i = 0; i < ending->count; i++)
        if (!complete(call, ending, &ending->games[i]))
            return false;
    return true;
}

/* ---- What follows the end of a table ---- */

bool duplicate_table_ended(struct call *call, const struct game_row *game)
{
    struct ending ending = {.count = 0};
    if (!event_load(call, &game->event, true, &ending.loaded) ||
        !call_found(call, round_games(call->db, call->arena, &game->event, game->round,
                                      &ending.games, &ending.count)))
        return false;
    const struct stage_settings *stage = &ending.loaded.tournament->settings.stage[0];
    ending.board = stage->barometer ? game->board : 0;
    if (!all_finished(&ending))
        return true;
    if (!store_results(call, &ending))
        return false;
    if (stage->barometer && game->board < stage->boards)
        return duplicate_start_board(call, &ending.loaded);
    return reveal(call, &ending);
}
