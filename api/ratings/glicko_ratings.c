#include "api/ratings/glicko_ratings.h"

#include <assert.h>

#include "api/ratings/id_list.h"
#include "db/store/people/rating_revisions.h"
#include "engine/tournament/standings/rating_history.h"

const char *glicko_scope(struct arena *arena, const char *slug)
{
    char bytes[64];
    struct text text = TEXT_OVER(bytes);
    text_add_all(&text, "glicko.", slug);
    return arena_copy(arena, text_span(&text));
}

static struct glicko glicko_of(const struct rating_row *rating)
{
    return (struct glicko){rating->mu, (int32_t)rating->sigma, (int32_t)rating->volatility};
}

/* Applies the periods without games before period `number`. */
static struct glicko rating_at(const struct rating_row *rating, unsigned number)
{
    unsigned rest = number > rating->period ? number - 1 - rating->period : 0;
    if (rating->games == 0)
        return glicko_initial();
    return glicko_rest(glicko_of(rating), rest < GLICKO_PERIODS_MAX ? rest : GLICKO_PERIODS_MAX);
}

int64_t glicko_deviation(const struct rating_row *rating, unsigned periods)
{
    return rating_at(rating, periods + 1).deviation;
}

/* ---- One period ---- */

struct work {
    const struct rating_period *period;
    const char *scope;
    struct game_of_two *games;
    size_t game_count;
    struct id_list players;
    struct rating_row *before; /* by player */
    unsigned *played;          /* games, by player */
};

static bool load_games(struct call *call, struct work *work)
{
    if (!call_found(call, game_of_two_list(call->db, call->arena, &work->period->event,
                                           &work->games, &work->game_count)))
        return false;
    id_list_begin(&work->players, call->arena, 2 * work->game_count);
    for (size_t i = 0; i < work->game_count; i++) {
        id_list_add(&work->players, &work->games[i].player[0]);
        id_list_add(&work->players, &work->games[i].player[1]);
    }
    id_list_sort(&work->players);
    return true;
}

/* False if a player has more games than the model allows. */
static bool count_games(struct call *call, struct work *work)
{
    work->played = arena_array(call->arena, work->players.count, sizeof *work->played);
    for (size_t i = 0; i < 2 * work->game_count; i++)
        if (++work->played[id_list_find(&work->players, &work->games[i / 2].player[i % 2])] >
            GLICKO_GAMES_MAX)
            return false;
    return true;
}

static bool load_values(struct call *call, struct work *work)
{
    size_t count = work->players.count;
    work->before = arena_array(call->arena, count, sizeof *work->before);
    for (size_t i = 0; i < count; i++) {
        work->before[i].player = work->players.ids[i];
        work->before[i].scope = work->scope;
    }
    return call_found(call,
                      rating_values_before(call->db, work->period->number, work->before, count));
}

static struct period_game period_game(const struct work *work, const struct game_of_two *game)
{
    struct period_game result = {.period = 1,
                                 .halves = 1U + (game->rank[0] < game->rank[1]) -
                                           (game->rank[0] > game->rank[1])};
    for (size_t side = 0; side < 2; side++)
        result.player[side] = (uint32_t)id_list_find(&work->players, &game->player[side]);
    return result;
}

static struct rating_change change_of(const struct work *work, const struct rating_step *step)
{
    return (struct rating_change){.event = work->period->event,
                                  .number = work->period->number,
                                  .player = work->players.ids[step->player],
                                  .scope = work->scope,
                                  .at_ms = work->period->at_ms,
                                  .games = work->played[step->player],
                                  .mu_before = step->before[0],
                                  .sigma_before = step->before[1],
                                  .volatility_before = step->before[2],
                                  .mu_after = step->after[0],
                                  .sigma_after = step->after[1],
                                  .volatility_after = step->after[2]};
}

/* The period is computed alone, as number 1: earlier idle periods are already in the ratings it
 * starts from. */
static bool rate(struct call *call, const struct work *work, struct rating_change **changes,
                 size_t *count)
{
    size_t players = work->players.count;
    size_t failed;
    struct period_game *games = arena_array(call->arena, work->game_count, sizeof *games);
    struct glicko *ratings = arena_array(call->arena, players, sizeof *ratings);
    struct rating_step *steps = arena_array(call->arena, 2 * work->game_count, sizeof *steps);
    for (size_t i = 0; i < work->game_count; i++)
        games[i] = period_game(work, &work->games[i]);
    for (size_t i = 0; i < players; i++)
        ratings[i] = rating_at(&work->before[i], work->period->number);
    if (rating_history_glicko(games, work->game_count, 1, GLICKO_TAU_DEFAULT, ratings, players,
                              steps, count, &failed) != RATING_HISTORY_OK)
        return call_problem(call, "internal-error", "A stored rating is out of range.");
    *changes = arena_array(call->arena, *count, sizeof **changes);
    for (size_t i = 0; i < *count; i++)
        (*changes)[i] = change_of(work, &steps[i]);
    return true;
}

bool glicko_make_period(struct call *call, const struct rating_period *period,
                        struct rating_change **changes, size_t *count)
{
    struct work work = {.period = period, .scope = glicko_scope(call->arena, period->slug)};
    *count = 0;
    if (!load_games(call, &work))
        return false;
    if (work.game_count == 0 || !count_games(call, &work))
        return true;
    return load_values(call, &work) && rate(call, &work, changes, count);
}

/* ---- A closed event ---- */

/* Sets `rated` if the event counts as a rating period. */
static bool check_event(struct call *call, const struct rating_period *period, bool *rated)
{
    struct work work = {.period = period};
    if (!load_games(call, &work))
        return false;
    *rated = work.game_count > 0 && count_games(call, &work);
    return true;
}

static bool update_current(struct call *call, const struct rating_change *changes, size_t count)
{
    assert(changes != NULL && count > 0);
    struct id *players = arena_array(call->arena, count, sizeof *players);
    for (size_t i = 0; i < count; i++)
        players[i] = changes[i].player;
    return call_found(call, rating_settle(call->db, changes[0].scope, players, count));
}

bool glicko_rate_event(struct call *call, const struct event *event)
{
    struct rating_period period = {.slug = event->slug, .event = event->id, .at_ms = call->now_ms};
    struct rating_change *changes = NULL;
    size_t count = 0;
    bool rated;
    if (!call_found(call, rating_lock(call->db)) || !check_event(call, &period, &rated))
        return false;
    if (!rated)
        return true;
    return call_found(call, rating_period_create(call->db, &period)) &&
           glicko_make_period(call, &period, &changes, &count) &&
           call_found(call, rating_changes_add(call->db, changes, count, 1)) &&
           update_current(call, changes, count);
}
