/* Search among the moves of one seat: flat Monte Carlo with sequential halving.
 *
 * The moves that the game weighs best are candidates. A sample imagines what the seat cannot know
 * (imagine() in game.h), makes each candidate's move in a copy of that position, and plays each
 * copy to the end of the game, all seats making their best move by weight or, in games that have
 * one, the move of the sketch, which is a candidate, too. All candidates of a sample get the same
 * position and the same luck, so that they differ by little else than their moves. In a game with
 * learned weights a playout may end early: the position is valued by them (engine/search/value.h);
 * and in others by its scores, where these tell enough.
 * When its part of the playouts is used up the worse half of the candidates is dropped, and so on
 * until two are left: the move with which a playout would go on, which is never dropped, and its
 * strongest rival. The rival is chosen if it is ahead by more than chance explains. Candidates that
 * are clearly behind may be dropped even earlier (`drop`).
 *
 * The work is a number of playouts, never a time, and all of it is done in integers: the same
 * position, seat, luck and settings give the same move on every machine. Since positions are
 * imagined first, the choice depends on nothing that the seat cannot know.
 *
 * After B. Abramson, "Expected-Outcome: A General Model of Static Evaluation", 1990; Z. Karnin, T.
 * Koren, O. Somekh, "Almost Optimal Exploration in Multi-Armed Bandits", 2013.
 */
#ifndef TILLROLL_ENGINE_SEARCH_SEARCH_H
#define TILLROLL_ENGINE_SEARCH_SEARCH_H

#include "engine/game/game.h"

enum { SEARCH_CANDIDATES_MAX = 64, SEARCH_PLAYOUTS_MAX = 1 << 16, SEARCH_DOUBT_MAX = 32 };

struct search_settings {
    uint32_t candidates; /* at most, 2 .. SEARCH_CANDIDATES_MAX */
    uint32_t playouts;   /* of all candidates together, 1 .. SEARCH_PLAYOUTS_MAX; every candidate
                          * gets at least one in each round */
    uint32_t reach;  /* a move worse than the best by more of the game's units is no candidate */
    uint32_t doubt;  /* quarters of a standard error that the rival has to be ahead, at most
                      * SEARCH_DOUBT_MAX */
    uint32_t margin; /* being so many points ahead counts as much as being first, and less in
                      * proportion; at least 1. Alone: so many points are VALUE_ONE */
    uint32_t plies;  /* of a playout; then learned weights tell its value, or in a game without any
                      * the scores as they stand. 0: to the end of the game */
    uint32_t drop;   /* a candidate that is so many quarters of a standard error behind the first
                      * one, or equal to it in all samples, is dropped early, and the search ends
                      * when no other is left; at most SEARCH_DOUBT_MAX; 0 = none is */
};

struct search;

/* Memory for searches in games with this ruleset. NULL when out of memory. search_free() frees;
 * NULL is fine. It may be used by one thread at a time. */
struct search *search_new(const struct game *game, const struct search_settings *settings);
void search_free(struct search *search);

/* The index of the move that `seat`, one of the deciders, should make. `legal` is what legal()
 * lists for it. `luck` is the source of all luck of the search. */
size_t search_choose(struct search *search, const void *state, unsigned seat,
                     const struct chance *luck, const struct move_list *legal);

/* A move that turned out better than the one played. */
struct search_finding {
    size_t move;    /* its index */
    int64_t halves; /* by how much, in value_halves(): the sum over all samples */
    uint32_t samples;
};

/* Reviews the move `played` of a search without `plies`: finds its strongest rival among the
 * candidates with `playouts` playouts, then compares the two in new samples, 1 ..
 * SEARCH_PLAYOUTS_MAX / 2, so that the difference is not one that was picked for its size. The
 * comparison ends early if the rival will hardly turn out better. True if it is better by more than
 * `doubt` and in value_halves() too. All else is as in search_choose(). */
bool search_review(struct search *search, const void *state, unsigned seat,
                   const struct chance *luck, const struct move_list *legal, size_t played,
                   uint32_t samples, struct search_finding *finding);

/* The index of the move with which `seat` continues in a playout: the best by weight, or, in games
 * that have one, that of the sketch. */
size_t search_choose_quickly(struct search *search, const void *state, unsigned seat,
                             const struct move_list *legal);

/* Plays the game in `state`, which the caller has imagined, to its end: every seat chooses
 * quickly. For a search without `plies`. */
void search_play_out(struct search *search, void *state, const struct chance *chance);

/* How many playouts the search has made so far. */
uint64_t search_playouts(const struct search *search);

/* What a result is worth to a seat: with rivals its value (value_of_outcome()) and its lead over
 * the best rival by `margin`, at most VALUE_ONE either way; alone the score by `margin`, limited
 * likewise. */
int32_t search_value(const struct outcome *outcome, unsigned seat, uint32_t margin);

/* Whether the mean of `samples` leads, 1 .. SEARCH_PLAYOUTS_MAX, is more than `doubt` quarters of
 * its standard error, which may be less than nothing: -SEARCH_DOUBT_MAX .. SEARCH_DOUBT_MAX. `lead`
 * is their sum and `squares` that of their squares; each is at most 4096 either way. */
bool search_is_ahead(int64_t lead, int64_t squares, uint32_t samples, int32_t doubt);

#endif
