/* Analysis of a finished game: what each ply was worth, and what was luck. Integers only: the same
 * record, version and budget give the same numbers on every machine.
 *
 * A value is what a seat can expect: how many rivals it will have behind it, a tie counting half
 * (so its place is seats - value); alone, its score. It is measured in units of 1 / ANALYSIS_ONE.
 * The value of a position is the mean over samples. A sample deals anew everything that nobody has
 * seen yet (imagine() for an auditor), and plays the game to its end, every seat choosing quickly
 * (search_choose_quickly(): as level `regular`, but for Supermarché). All samples of a game use the
 * same luck, so that differences are smaller than values.
 *
 *      value before a ply ──skill──> value of its move ──luck──> value after it
 *
 *      skill   what the move is worth beside the one that a playout makes there. It is 0 for the
 *              same move, and may be positive. Only the seats' decisions are compared, never draws.
 *      luck    what was drawn, or otherwise revealed, less the mean over what could have been. 0
 *              for a ply that reveals nothing. Its expected value is 0 however the seats play: what
 *              nobody has seen is as likely to be in one order as in another.
 *
 * These are differences of successive values, so that for each seat exactly
 *
 *      result = start + sum of skill + sum of luck
 *
 * where `start` is the value before anything is dealt, and the deal is luck. Skill is counted for
 * every seat at every ply: a seat also gains from the mistakes of others.
 *
 * For its own player a ply has a `loss` too: by how much the best move found was better than the
 * move played. It is judged by what the seat could know, and reported only if it is more than
 * chance explains (search_review() in engine/search/search.h).
 *
 * Skill, in contrast, is measured with all hands open: a lucky guess at a rival's hand is skill.
 */
#ifndef TILLROLL_ENGINE_ANALYSIS_H
#define TILLROLL_ENGINE_ANALYSIS_H

#include "engine/record/replay.h"
#include "engine/search/search.h"

/* Changes whenever any number may change (tests/engine/analysis/test_analysis.c). */
#define ANALYSIS_VERSION "3"

enum { ANALYSIS_ONE = 1 << 16, ANALYSIS_BUDGET_MIN = 8, ANALYSIS_BUDGET_MAX = 4096 };

/* One ply that counts: it was not taken back. */
struct analysis_ply {
    uint32_t seq; /* of its entry */
    unsigned seat;
    char move[GAME_MOVE_MAX + 1];
    char better[GAME_MOVE_MAX + 1]; /* the best move found; "" if none is better than the one played
                                     */
    int64_t loss;                   /* of its seat; 0 if none is better */
    int64_t skill[GAME_SEATS_MAX], luck[GAME_SEATS_MAX];
    int64_t value[GAME_SEATS_MAX]; /* after the ply */
};

/* The totals of one seat: result = start + own + others + luck. */
struct analysis_total {
    int64_t start;
    int64_t deal;   /* luck of the deal, which is part of `luck` */
    int64_t luck;   /* all of it */
    int64_t own;    /* skill in the seat's own plies */
    int64_t others; /* what the plies of others gave it, or took */
    int64_t result; /* of the game as played, without rulings */
};

/* The plies of a record that count, in order, with `seq`, `seat` and `move`: those that were not
 * taken back. Returns how many; `plies`, which the caller frees, is NULL when out of memory. None
 * of a record whose header cannot be read. */
size_t analysis_list_plies(struct span record, struct analysis_ply **plies);

/* How a move is reviewed with a budget: search_review() with these settings and so many samples. */
struct search_settings analysis_review_settings(const struct game *game, uint32_t budget);
uint32_t analysis_review_samples(uint32_t budget);

struct analysis;

/* The budget for a game's usual number of seats with which an analysis takes at most about 10 s of
 * one core. */
uint32_t analysis_usual_budget(const struct game *game);

/* Verifies a record and prepares its analysis. The budget is the number of playouts a ply, at most;
 * ANALYSIS_BUDGET_MIN .. ANALYSIS_BUDGET_MAX. `sets` are component sets that do not come with the
 * program, NULL for none (replay_begin()). They and `record` must stay until the analysis is freed.
 * NULL with a verdict and a fault if the record is not valid, not finished, or, with the code
 * `void`, was ended before the game was over; or with the code `out-of-memory`.
 * A budget of 0 is the game's usual one. analysis_free() frees; NULL is fine. One thread at a
 * time. */
struct analysis *analysis_new(struct span record, const struct component_sets *sets,
                              uint32_t budget, enum replay_verdict *verdict,
                              struct record_fault *fault);
void analysis_free(struct analysis *analysis);

/* Analyses the next ply. False if there are no more, or if this one cannot be analysed
 * (analysis_failed()). */
bool analysis_step(struct analysis *analysis);

/* Whether the next ply cannot be analysed: its move is one that the game accepts, but does not list
 * among its legal moves, or not with what was hidden dealt anew. No record that the service has
 * written is so. */
bool analysis_failed(const struct analysis *analysis);

/* The number of playouts a ply, at most. */
uint32_t analysis_budget(const struct analysis *analysis);

/* The number of plies, and of those analysed so far. */
size_t analysis_count(const struct analysis *analysis);
size_t analysis_done(const struct analysis *analysis);

/* Ply i of those analysed so far, in the order of the game. Borrowed. */
const struct analysis_ply *analysis_ply(const struct analysis *analysis, size_t i);

/* The sums of a seat over the plies analysed so far; `result` is the value after them. */
struct analysis_total analysis_total(const struct analysis *analysis, unsigned seat);

/* The value of a seat after the deal. */
int64_t analysis_dealt(const struct analysis *analysis, unsigned seat);

/* The header of the record, with the players at the end of the game. Borrowed. */
const struct record_header *analysis_header(const struct analysis *analysis);

/* What `move` would have done in place of the ply analysed last, as events() tells an auditor. A
 * new JSON array; NULL if the move is not legal there. */
json_t *analysis_events(const struct analysis *analysis, struct span move);

#endif
