#include "engine/tournament/standings/rating_history.h"

#include <stdlib.h>
#include <string.h>

#include "engine/base/arena.h"

/* ---- Plackett-Luce, game by game ---- */

static enum rating_history_status check_game(const struct rated_game *game, size_t player_count)
{
    if (game->count < 2 || game->count > RATING_PLAYERS_MAX)
        return RATING_HISTORY_GAME;
    for (uint32_t i = 0; i < game->count; i++) {
        if (game->player[i] >= player_count)
            return RATING_HISTORY_PLAYER;
        for (uint32_t other = 0; other < i; other++)
            if (game->player[i] == game->player[other])
                return RATING_HISTORY_PLAYER;
    }
    return RATING_HISTORY_OK;
}

static struct rating_step game_step(uint64_t key, uint32_t player, struct rating before,
                                    struct rating after)
{
    return (struct rating_step){.key = key,
                                .player = player,
                                .before = {before.mu, before.sigma, 0},
                                .after = {after.mu, after.sigma, 0}};
}

static enum rating_history_status rate_game(const struct rated_game *game, struct rating *ratings,
                                            size_t player_count, struct rating_step *steps)
{
    struct rating table[RATING_PLAYERS_MAX];
    enum rating_history_status status = check_game(game, player_count);
    if (status != RATING_HISTORY_OK)
        return status;
    for (uint32_t i = 0; i < game->count; i++)
        table[i] = ratings[game->player[i]];
    if (!rating_update(table, game->rank, game->count))
        return RATING_HISTORY_RATING;
    for (uint32_t i = 0; i < game->count; i++) {
        uint32_t player = game->player[i];
        steps[i] = game_step(game->key, player, ratings[player], table[i]);
        ratings[player] = table[i];
    }
    return RATING_HISTORY_OK;
}

enum rating_history_status rating_history_make(const struct rated_game *games, size_t count,
                                               struct rating *ratings, size_t player_count,
                                               struct rating_step *steps, size_t *step_count,
                                               size_t *failed)
{
    *step_count = 0;
    for (size_t i = 0; i < count; i++) {
        *failed = i;
        if (i > 0 && games[i].key <= games[i - 1].key)
            return RATING_HISTORY_ORDER;
        enum rating_history_status status =
            rate_game(&games[i], ratings, player_count, steps + *step_count);
        if (status != RATING_HISTORY_OK)
            return status;
        *step_count += games[i].count;
    }
    return RATING_HISTORY_OK;
}

/* ---- Glicko-2, period by period ---- */

/* State between periods. */
struct periods {
    struct glicko *ratings;
    size_t player_count;
    int32_t tau;
    uint32_t *played;      /* [player] the last period with a game, 0 = none yet */
    struct glicko *before; /* [player] rating at the start of the period */
    uint32_t *first;       /* [player] 1 + the first of its games in `game`; 0 = none */
    uint32_t *next;        /* [2 * game + side] 1 + the player's next one */
    struct rating_step *steps;
    size_t step_count;
};

static enum rating_history_status check_period_games(const struct period_game *games, size_t count,
                                                     uint32_t last_period, size_t player_count,
                                                     size_t *failed)
{
    uint32_t period = 1;
    for (size_t i = 0; i < count; i++) {
        *failed = i;
        if (games[i].period < period || games[i].period > last_period)
            return RATING_HISTORY_ORDER;
        if (games[i].player[0] >= player_count || games[i].player[1] >= player_count ||
            games[i].player[0] == games[i].player[1])
            return RATING_HISTORY_PLAYER;
        if (games[i].halves > 2)
            return RATING_HISTORY_GAME;
        period = games[i].period;
    }
    return RATING_HISTORY_OK;
}

/* The player as the period begins, after the periods without a game. */
static struct glicko begin_period(const struct periods *periods, uint32_t player, uint32_t period)
{
    uint32_t played = periods->played[player];
    struct glicko rating = periods->ratings[player];
    return played == 0 || period - 1 <= played ? rating : glicko_rest(rating, period - 1 - played);
}

/* Chains each player's games of the period, last game first. */
static void chain_games(struct periods *periods, const struct period_game *games, size_t from,
                        size_t to)
{
    for (size_t i = from; i < to; i++)
        for (uint32_t side = 0; side < 2; side++) {
            uint32_t player = games[i].player[side];
            if (periods->first[player] == 0)
                periods->before[player] = begin_period(periods, player, games[i].period);
            periods->next[2 * i + side] = periods->first[player];
            periods->first[player] = (uint32_t)(2 * i + side + 1);
        }
}

static size_t gather_games(const struct periods *periods, const struct period_game *games,
                           uint32_t player, struct glicko_game gathered[static GLICKO_GAMES_MAX])
{
    size_t count = 0;
    for (uint32_t at = periods->first[player]; at != 0; at = periods->next[at - 1]) {
        const struct period_game *game = &games[(at - 1) / 2];
        uint32_t side = (at - 1) % 2;
        if (count == GLICKO_GAMES_MAX)
            return 0;
        gathered[count++] =
            (struct glicko_game){.opponent = periods->before[game->player[1 - side]],
                                 .halves = side == 0 ? game->halves : 2 - game->halves};
    }
    return count;
}

static bool rate_player(struct periods *periods, const struct period_game *games, uint32_t player,
                        uint32_t period)
{
    struct glicko_game gathered[GLICKO_GAMES_MAX];
    struct glicko before = periods->before[player], after = before;
    size_t count = gather_games(periods, games, player, gathered);
    if (!glicko_update(&after, gathered, count, periods->tau))
        return false;
    periods->steps[periods->step_count++] =
        (struct rating_step){.key = period,
                             .player = player,
                             .before = {before.rating, before.deviation, before.volatility},
                             .after = {after.rating, after.deviation, after.volatility}};
    periods->ratings[player] = after;
    return true;
}

static int compare_players(const void *a, const void *b)
{
    const struct rating_step *left = a, *right = b;
    return (left->player > right->player) - (left->player < right->player);
}

/* Rates the games from .. to of one period; first[] is clear before and after. */
static enum rating_history_status
rate_period(struct periods *periods, const struct period_game *games, size_t from, size_t to)
{
    uint32_t period = games[from].period;
    size_t begin = periods->step_count;
    chain_games(periods, games, from, to);
    for (size_t i = from; i < to; i++)
        for (uint32_t side = 0; side < 2; side++) {
            uint32_t player = games[i].player[side];
            if (periods->played[player] == period)
                continue;
            if (!rate_player(periods, games, player, period))
                return RATING_HISTORY_RATING;
            periods->played[player] = period;
        }
    for (size_t i = begin; i < periods->step_count; i++)
        periods->first[periods->steps[i].player] = 0;
    qsort(periods->steps + begin, periods->step_count - begin, sizeof *periods->steps,
          compare_players);
    return RATING_HISTORY_OK;
}

static enum rating_history_status rate_periods(struct periods *periods,
                                               const struct period_game *games, size_t count,
                                               uint32_t last_period, size_t *failed)
{
    for (size_t from = 0; from < count;) {
        size_t to = from + 1;
        while (to < count && games[to].period == games[from].period)
            to++;
        *failed = from;
        enum rating_history_status status = rate_period(periods, games, from, to);
        if (status != RATING_HISTORY_OK)
            return status;
        from = to;
    }
    for (uint32_t player = 0; player < periods->player_count; player++)
        if (periods->played[player] != 0)
            periods->ratings[player] = begin_period(periods, player, last_period + 1);
    return RATING_HISTORY_OK;
}

enum rating_history_status rating_history_glicko(const struct period_game *games, size_t count,
                                                 uint32_t last_period, int32_t tau,
                                                 struct glicko *ratings, size_t player_count,
                                                 struct rating_step *steps, size_t *step_count,
                                                 size_t *failed)
{
    *step_count = 0;
    *failed = 0;
    if (last_period > GLICKO_PERIODS_MAX || count > UINT32_MAX / 4)
        return RATING_HISTORY_ORDER;
    enum rating_history_status status =
        check_period_games(games, count, last_period, player_count, failed);
    if (status != RATING_HISTORY_OK)
        return status;
    struct periods periods = {
        .ratings = ratings, .player_count = player_count, .tau = tau, .steps = steps};
    struct arena_batch batch = {.count = 0};
    periods.played = arena_batch_take(&batch, player_count + 1, sizeof *periods.played);
    periods.before = arena_batch_take(&batch, player_count + 1, sizeof *periods.before);
    periods.first = arena_batch_take(&batch, player_count + 1, sizeof *periods.first);
    periods.next = arena_batch_take(&batch, 2 * count + 1, sizeof *periods.next);
    status = batch.failed ? RATING_HISTORY_MEMORY
                          : rate_periods(&periods, games, count, last_period, failed);
    *step_count = periods.step_count;
    arena_batch_free(&batch);
    return status;
}

/* ---- Corrections ---- */

static int compare_steps(const struct rating_step *a, const struct rating_step *b)
{
    if (a->key != b->key)
        return a->key < b->key ? -1 : 1;
    return (a->player > b->player) - (a->player < b->player);
}

static int compare_orders(const void *a, const void *b)
{
    const struct rating_step *const *left = a, *const *right = b;
    return compare_steps(*left, *right);
}

/* The steps in order, owned by the caller; they themselves are not moved. NULL when out of memory.
 */
static const struct rating_step **sort_steps(const struct rating_step *steps, size_t count)
{
    const struct rating_step **sorted = calloc(count + 1, sizeof(struct rating_step *));
    if (sorted == NULL)
        return NULL;
    for (size_t i = 0; i < count; i++)
        sorted[i] = &steps[i];
    qsort(sorted, count, sizeof(struct rating_step *), compare_orders);
    return sorted;
}

static bool numbers_equal(const struct rating_step *a, const struct rating_step *b)
{
    return memcmp(a->before, b->before, sizeof a->before) == 0 &&
           memcmp(a->after, b->after, sizeof a->after) == 0;
}

static size_t merge_steps(const struct rating_step *const *was, size_t was_count,
                          const struct rating_step *const *is, size_t is_count,
                          struct rating_difference *differences)
{
    size_t count = 0, old = 0, new = 0;
    while (old < was_count || new < is_count) {
        int order = old == was_count ? 1 : -1;
        if (old < was_count && new < is_count)
            order = compare_steps(was[old], is[new]);
        struct rating_difference difference = {order <= 0 ? was[old] : NULL,
                                               order >= 0 ? is[new] : NULL};
        old += order <= 0;
        new += order >= 0;
        if (order != 0 || !numbers_equal(difference.was, difference.is))
            differences[count++] = difference;
    }
    return count;
}

bool rating_history_compare(const struct rating_step *was, size_t was_count,
                            const struct rating_step *is, size_t is_count,
                            struct rating_difference *differences, size_t *count)
{
    const struct rating_step **old = sort_steps(was, was_count);
    const struct rating_step **new = sort_steps(is, is_count);
    bool sorted = old != NULL && new != NULL;
    *count = sorted ? merge_steps(old, was_count, new, is_count, differences) : 0;
    free(old);
    free(new);
    return sorted;
}
