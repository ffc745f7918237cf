/* A small game with every feature of the contract, into which one bug can be planted: its option
 * `bug` names it. It shows that the generic suite can fail, and serves where a test wants a game
 * whose every position is known by heart.
 *
 *      First every seat bids 1 to 3 in secret. Then the seats take turns, twelve in all: `take N`
 *      takes 1 to 3 from an open heap of 20, `draw` takes the top token of a shuffled pile of 12
 *      (it is worth its number and lies open), `pass` does nothing.
 */
#ifndef TILLROLL_TESTS_TOY_H
#define TILLROLL_TESTS_TOY_H

#include "engine/game/game.h"

/* name of the bug, and the check of the generic suite that must find it */
#define TOY_BUGS(BUG)                                                                              \
    BUG(NONE, "none", "")                                                                          \
    BUG(LEGAL_UNSORTED, "legal-unsorted", "legal-order")                                           \
    BUG(LEGAL_TWICE, "legal-twice", "legal-order")                                                 \
    BUG(LEGAL_MANY, "legal-many", "legal-bounds")                                                  \
    BUG(LEGAL_LONG, "legal-long", "legal-bounds")                                                  \
    BUG(LEGAL_BLANK, "legal-blank", "legal-notation")                                              \
    BUG(LEGAL_UNDO, "legal-undo", "legal-notation")                                                \
    BUG(LEGAL_NONE, "legal-none", "legal-deciders")                                                \
    BUG(LEGAL_STRANGER, "legal-stranger", "legal-deciders")                                        \
    BUG(LEGAL_WRITES, "legal-writes", "state-untouched")                                           \
    BUG(LEGAL_LEAKS, "legal-leaks", "twin-moves")                                                  \
    BUG(LEGAL_TELLS_BID, "legal-tells-bid", "secret-moves")                                        \
    BUG(DECIDERS_STRANGER, "deciders-stranger", "deciders")                                        \
    BUG(PLAY_REFUSES, "play-refuses", "listed-accepted")                                           \
    BUG(PLAY_UPPER_CASE, "play-upper-case", "unlisted-refused")                                    \
    BUG(PLAY_PREFIX, "play-prefix", "unlisted-refused")                                            \
    BUG(PLAY_PAST, "play-past", "unlisted-refused")                                                \
    BUG(PLAY_ANY_SEAT, "play-any-seat", "wrong-seat")                                              \
    BUG(PLAY_AFTER_END, "play-after-end", "wrong-seat")                                            \
    BUG(PLAY_IMPURE, "play-impure", "copies-same")                                                 \
    BUG(PLAY_ADDRESS, "play-address", "copies-same")                                               \
    BUG(PLAY_LAST_BIDDER, "play-last-bidder", "arrivals-same")                                     \
    BUG(PLAY_TOO_LONG, "play-too-long", "plies-max quiet-ends")                                    \
    BUG(REFUSAL_WRITES, "refusal-writes", "refusal-untouched")                                     \
    BUG(REFUSAL_SILENT, "refusal-silent", "refusal-code")                                          \
    BUG(REFUSAL_SHOUTS, "refusal-shouts", "refusal-code")                                          \
    BUG(REFUSAL_OVER, "refusal-over", "refusal-code")                                              \
    BUG(SETUP_OVERRUN, "setup-overrun", "state-size")                                              \
    BUG(SETUP_PARTIAL, "setup-partial", "replay-same")                                             \
    BUG(QUIET_ILLEGAL, "quiet-illegal", "quiet-legal")                                             \
    BUG(QUIET_IMPURE, "quiet-impure", "quiet-same")                                                \
    BUG(QUIET_ENDLESS, "quiet-endless", "quiet-ends")                                              \
    BUG(OUTCOME_RANK, "outcome-rank", "outcome")                                                   \
    BUG(OUTCOME_SEATS, "outcome-seats", "outcome")                                                 \
    BUG(OUTCOME_LEAKS, "outcome-leaks", "twin-outcome")                                            \
    BUG(VIEW_NOTHING, "view-nothing", "view-form")                                                 \
    BUG(VIEW_FRACTION, "view-fraction", "view-form")                                               \
    BUG(VIEW_KEY, "view-key", "view-form")                                                         \
    BUG(VIEW_IMPURE, "view-impure", "view-form")                                                   \
    BUG(VIEW_WRITES, "view-writes", "state-untouched")                                             \
    BUG(VIEW_LEAKS, "view-leaks", "twin-view")                                                     \
    BUG(VIEW_TELLS_BID, "view-tells-bid", "secret-view")                                           \
    BUG(EVENTS_NOTHING, "events-nothing", "events-form")                                           \
    BUG(EVENTS_KIND, "events-kind", "events-form")                                                 \
    BUG(EVENTS_BRACE, "events-brace", "events-form")                                               \
    BUG(EVENTS_LEAK, "events-leak", "twin-events")                                                 \
    BUG(EVENTS_TELL_BID, "events-tell-bid", "secret-events")                                       \
    BUG(ADVICE_OUTSIDE, "advice-outside", "advice")                                                \
    BUG(BEST_OTHER, "best-other", "play-best")                                                     \
    BUG(REKEY_TOO_MUCH, "rekey-too-much", "twin-view")                                             \
    BUG(DRAWN_SILENT, "drawn-silent", "drawn")

#define TOY_BUG_ENUM(symbol, name, check) TOY_##symbol,
enum toy_bug { TOY_BUGS(TOY_BUG_ENUM) TOY_BUG_COUNT };
#undef TOY_BUG_ENUM

extern const struct game game_toy;

/* The check that must find the bug. */
const char *toy_expected(enum toy_bug bug);

#endif
