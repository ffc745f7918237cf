/* Recomputes ratings from all games in order, to apply a correction and to see what it changed.
 *
 *      games in order  ->  rating_history_make()        ->  steps, one per player and game
 *      periods in order -> rating_history_glicko()      ->  steps, one per player and period
 *      steps before and after a correction -> rating_history_compare() -> what differs
 *
 * Ratings are never changed by hand: a game that is corrected, voided or added takes its place in
 * the order, and everything after it is rated again. The same list gives the same steps everywhere
 * (rating.h, glicko.h).
 */
#ifndef TILLROLL_ENGINE_TOURNAMENT_STANDINGS_RATING_HISTORY_H
#define TILLROLL_ENGINE_TOURNAMENT_STANDINGS_RATING_HISTORY_H

#include "engine/tournament/result/glicko.h"
#include "engine/tournament/result/rating.h"

/* One game of the list. `key` is its place in the order of all games, chosen by the caller (for
 * example closing time, then id): it increases from game to game, and a game keeps it when others
 * are corrected. */
struct rated_game {
    uint64_t key;
    uint32_t player[RATING_PLAYERS_MAX]; /* indices, each at most once */
    int32_t rank[RATING_PLAYERS_MAX];    /* as for rating_update() */
    uint32_t count;                      /* 2 .. RATING_PLAYERS_MAX */
    uint32_t padding;
};

/* One game of two in a rating period. */
struct period_game {
    uint32_t period; /* does not decrease from game to game; 1 .. */
    uint32_t player[2];
    uint32_t halves; /* of the first player: 2 won, 1 drawn, 0 lost */
};

enum { RATING_NUMBERS = 3 };

/* The effect of one game, or one period, on one player. The numbers are the stored ones: mu, sigma
 * and 0, or rating, deviation and volatility. */
struct rating_step {
    uint64_t key; /* key of the game, or number of the period */
    uint32_t player;
    uint32_t padding;
    int64_t before[RATING_NUMBERS], after[RATING_NUMBERS];
};

enum rating_history_status {
    RATING_HISTORY_OK,
    RATING_HISTORY_ORDER,  /* a key does not increase, a period decreases or is 0 */
    RATING_HISTORY_PLAYER, /* a player does not exist, or is twice in a game */
    RATING_HISTORY_GAME,   /* a count or result is out of its range */
    RATING_HISTORY_RATING, /* an initial rating is out of range */
    RATING_HISTORY_MEMORY
};

/* Rates `count` games in order. `ratings` (one per player) holds the initial ratings and receives
 * the final ones. `steps` has room for the sum of the games' counts, and receives the steps game by
 * game, in order of the game's players. Not OK: `failed` is the index of the bad game; steps and
 * ratings up to it are done. Pure; any thread. */
enum rating_history_status rating_history_make(const struct rated_game *games, size_t count,
                                               struct rating *ratings, size_t player_count,
                                               struct rating_step *steps, size_t *step_count,
                                               size_t *failed);

/* Rates `count` games period by period, up to the end of `last_period`, with the given tau.
 * `ratings` holds the initial ratings and receives those after `last_period`. A player who has
 * played once becomes less certain in periods without a game; this is applied in one step, at the
 * next game or at the end, and is included in the `before` of the next step. `steps` has room for 2
 * * count, and receives one step for each player and period played, by period, then by player. */
enum rating_history_status rating_history_glicko(const struct period_game *games, size_t count,
                                                 uint32_t last_period, int32_t tau,
                                                 struct glicko *ratings, size_t player_count,
                                                 struct rating_step *steps, size_t *step_count,
                                                 size_t *failed);

/* A step that is not the same in both histories. */
struct rating_difference {
    const struct rating_step *was; /* NULL: only in the new history */
    const struct rating_step *is;  /* NULL: only in the old one */
};

/* Compares two histories, both made as above, with the steps of a game in any order. `differences`
 * has room for as many as both together; it borrows the steps. Returns how many, by key, then by
 * player. Equal steps are left out. False when out of memory. */
bool rating_history_compare(const struct rating_step *was, size_t was_count,
                            const struct rating_step *is, size_t is_count,
                            struct rating_difference *differences, size_t *count);

#endif
