/* The generic suite: plays one game at random and checks, on the way, everything that
 * engine/game/game.h promises for every game. A check that does not hold is reported as a value and
 * not by ending the program, so that test_catalog_mutants.c can show that each of them catches a
 * planted bug.
 *
 *      inspect.c          the playout and what is asked of every position
 *      inspect_moves.c    legal lists, accepted and refused moves
 *      inspect_sight.c    views, events, advice; twins that differ in what nobody has seen
 *      inspect_replay.c   copies, replays, fallback moves: the same log gives the same bytes
 *
 * Checks that compare every move with everything else are made at some plies only, chosen by the
 * seed; one game in `INSPECT_EVERY` has them at every ply.
 */
#ifndef TILLROLL_TESTS_INSPECT_H
#define TILLROLL_TESTS_INSPECT_H

#include "tests/engine/support/dice.h"
#include "tests/engine/support/table.h"

enum { INSPECT_EVERY = 64, INSPECT_DETAIL_MAX = 600 };

/* The first check that did not hold. `check` is static: `legal-order`. */
struct inspect_failure {
    const char *check;
    char detail[INSPECT_DETAIL_MAX];
};

struct inspector {
    const struct game *game;
    uint32_t number; /* of the game: its seed */
    bool thorough;   /* every check at every ply of every game */
    struct table table;
    struct dice dice;
    struct move_list legal[GAME_SEATS_MAX]; /* of the present position */
    struct move_list other;                 /* of a position that is compared with it */
    struct played *log;                     /* plies_max + 1 entries */
    uint64_t *trail;                        /* digest of the state before ply i */
    size_t plies;
    unsigned char *left, *right; /* copies of exactly state_size bytes */
    struct inspect_failure failure;
};

void inspector_init(struct inspector *inspector, const struct game *game);
void inspector_free(struct inspector *inspector);

/* What holds before any game is played: identity, bounds, options, components. */
bool inspect_ruleset(struct inspector *inspector);

/* Plays game `number` to its end with every check. False with `failure` set. */
bool inspect_game(struct inspector *inspector, unsigned seats, const struct game_options *options,
                  uint32_t number);

/* A game of fallback moves alone. False with `failure` set. */
bool inspect_quiet_game(struct inspector *inspector, unsigned seats,
                        const struct game_options *options, uint32_t number);

/* ---- Between the files of the suite ---- */

/* Sets the failure and returns false. */
__attribute__((format(printf, 3, 4))) bool inspect_fail(struct inspector *inspector,
                                                        const char *check, const char *format, ...);

/* A digest of state_size bytes. */
uint64_t inspect_digest(const struct game *game, const void *state);

/* True if the inspector's state still has this digest; else the failure names `function`. */
bool inspect_untouched(struct inspector *inspector, uint64_t digest, const char *function);

/* Refills the legal lists of all seats of `table`. */
void inspect_refresh(struct inspector *inspector);

/* legal lists: order, bounds, and nonempty exactly for those who decide. */
bool inspect_lists(struct inspector *inspector);

/* Every listed move is accepted by a copy. */
bool inspect_accepted(struct inspector *inspector);

/* Some `count` moves that are not listed are refused, and change nothing. */
bool inspect_refused(struct inspector *inspector, unsigned count);

/* No move is accepted from seats that do not decide. */
bool inspect_wrong_seats(struct inspector *inspector);

bool inspect_outcome(struct inspector *inspector);

/* Views for every viewer. */
bool inspect_views(struct inspector *inspector);

/* What the ply from `left` (before) to the present state did, for every viewer. */
bool inspect_events(struct inspector *inspector, const struct ply *ply);

bool inspect_advice(struct inspector *inspector);

/* Plays the move of the greatest weight by play_best() and by play(), and compares the states. */
bool inspect_best(struct inspector *inspector, unsigned seat);

/* A twin that differs in what nobody has seen looks and plays alike, for `seat` playing `move`. */
bool inspect_twin(struct inspector *inspector, unsigned seat, struct span move);

/* What `seat` decides in secret is not seen by those who still decide. */
bool inspect_secret(struct inspector *inspector, unsigned seat);

/* What is decided at the same time may arrive in any order: `seat` playing `move`, then another
 * that decides, gives the same bytes as the other way round. */
bool inspect_arrivals(struct inspector *inspector, unsigned seat, struct span move);

/* The fallback moves of all who decide are legal, and depend on the state alone. */
bool inspect_quiet_moves(struct inspector *inspector);

/* From here on everybody is absent, on a copy: the game ends within its bound. */
bool inspect_quiet_end(struct inspector *inspector);

/* `move` gives the same bytes on copies, whatever lies on the stack and the heap. */
bool inspect_copies(struct inspector *inspector, unsigned seat, struct span move);

/* The log played again from setup gives the same bytes at every ply. */
bool inspect_replay(struct inspector *inspector);

#endif
