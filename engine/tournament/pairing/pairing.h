/* The next round of an event: the tables and seats, for every format that plays in rounds, and the
 * cost of a change by hand.
 *
 *      pod_swiss, dutch        standings so far, meetings, byes, pairs that are kept apart
 *      round robins, league    the schedule of the stage, fixed by its entries in seed order.
 *                              Tables of two of which one is out are drawn as forfeited; larger
 *                              tables are drawn without absent entries, and an entry whose table
 *                              would be too small for the ruleset has a bye
 *      eliminations            every match that is ready, or table of the bracket's round. A level
 *                              match is played again with seats exchanged; after the third time
 *                              the better seed advances
 *
 * In Swiss stages and at larger tables, entries that dropped out or asked for a bye have no seat.
 * In a bracket, an entry that dropped out loses by walkover as soon as there is an opponent, and
 * one that asked for a bye plays the match in a later round. A stage uses nothing from earlier
 * stages but its seeds.
 *
 * A stage begins automatically with the round after the last one of the stage before: its entries
 * are the best of that stage's standings (ranking.h).
 *
 * Chance comes from the event's streams `pair/<round>/<attempt>`, `schedule/<attempt>` (the attempt
 * of the stage's first round), `colour/<first round of the stage>` (pairing_dutch.c) and `seeding`.
 * The same event, attempt and chance give the same draw, byte for byte.
 */
#ifndef TILLROLL_ENGINE_TOURNAMENT_PAIRING_PAIRING_H
#define TILLROLL_ENGINE_TOURNAMENT_PAIRING_PAIRING_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/base/progress.h"
#include "engine/game/chance.h"
#include "engine/tournament/event/tournament.h"

struct pairing_table {
    uint8_t seats;
    uint16_t match;                       /* match of a bracket, or TOURNAMENT_NOBODY */
    uint16_t entry[TOURNAMENT_SEATS_MAX]; /* in order of seats */
};

struct pairing_bye {
    uint16_t entry;
    uint8_t kind; /* enum round_kind: PAIRING_BYE .. ABSENT */
};

struct pairing {
    uint16_t round;
    uint8_t stage;
    uint16_t attempt;
    bool begins_stage; /* if so, `entries` are the stage's, best seed first */
    uint16_t *entries;
    size_t entry_count;
    struct pairing_table *tables;
    size_t table_count;
    struct pairing_bye *byes; /* all without a seat: the entries of the stage, except those out of
                                 the bracket or in a division that has played all its rounds */
    size_t bye_count;
    json_t *quality; /* the explanation; see below */
};

/* The explanation of a draw, as the log holds it and the API shows it. Always:
 *
 *      method      `pod_swiss`, `dutch`, `schedule`, `bracket`, `pod_bracket`
 *      criteria    [{"code", "name", "meaning", "value"}, ..], smaller is better: P1 .. P9 and B
 *                  (byes); C1 .. C21, sums over pairs, and S1 (colours turned); S1 (seats moved)
 *                  where tables are fixed
 *
 * A change by hand besides: `drawn` and `changed`, the values by code, and `worse`, the codes in
 * which the change is. By method:
 *
 *      pod_swiss   version; repeats_bound, proved_best; tables: [{"costs": {code: value, without
 *                  zeros}}, ..]
 *      dutch       rules; initial_colour; tables: [{"bracket": 60ths, "costs"}, ..]; bye:
 *                  {"costs"} or null
 *      schedule    forfeited: numbers of tables at which somebody is out; divisions: [{"method":
 *                  `berger`, `constructed` .. `annealed`, "entries", "schedule_round",
 *                  "schedule_rounds", "first_table", "tables"; but for `berger` of the whole
 *                  schedule "repeats", "repeats_bound", "proved_best", "seat_spread",
 *                  "odd_tables": [least, most of an entry], "byes": [least, most]}, ..]; in the
 *                  first round of the stage also, where it was searched for and no division before
 *                  has the same, "schedule": all rounds, as lists of tables, as lists of positions
 *                  in the division in order of seats; one alone has a bye. Later rounds are
 *                  drawn from it
 *      bracket     tables: [{"match", "name": `semi-final`, "bracket": `upper`, `lower` or
 *                  `finals`, "round", "number", "game": 1 .. 3 of the match}, ..]
 *      pod_bracket name: `final`; round; entries, on: how many are in the round, and go on
 */

/* Refusals besides those of the pairing functions, stable. */
#define PAIRING_REFUSAL_NO_ROUNDS                                                                  \
    "no-more-rounds" /* all planned rounds have been played, or the stage is decided     \ */
#define PAIRING_REFUSAL_FORMAT   "no-rounds" /* the format has no rounds */
#define PAIRING_REFUSAL_TOO_FEW  "too-few-players"
#define PAIRING_REFUSAL_TOO_MANY "too-many-players" /* for a bracket or a schedule */
#define PAIRING_REFUSAL_TABLES                                                                     \
    "bad-tables" /* a change that does not seat everybody once,                                    \
                    has a size that is not allowed, or is not                                      \
                    possible in this format */

/* Draws the next round, using the entrants' own ratings. True: free with pairing_free(). Pure; any
 * thread; searches take up to two seconds for 1,000 entries. */
bool pairing_next(const struct tournament *tournament, const struct chance *chance,
                  unsigned attempt, struct pairing *pairing, struct refusal *refusal);

/* The same, with progress: in players of the round, after each bracket of a Dutch draw; in
 * divisions of a schedule; none in other formats. `progress` is borrowed and may be NULL. */
bool pairing_next_telling(const struct tournament *tournament, const struct chance *chance,
                          unsigned attempt, const struct progress *progress,
                          struct pairing *pairing, struct refusal *refusal);

/* The same round seated by hand: the tables and byes of `by_hand` replace what was drawn. Fills
 * `changed`; its quality has the values of this seating and of the draw, and the criteria in which
 * this seating is worse. Formats with a fixed schedule or a bracket only allow an exchange of seats
 * within a table. `progress` as above. */
bool pairing_change(const struct tournament *tournament, const struct chance *chance,
                    unsigned attempt, const struct pairing *by_hand,
                    const struct progress *progress, struct pairing *changed,
                    struct refusal *refusal);

/* The seats and byes of the event's draft, which it must have, without the explanation. False when
 * out of memory, with nothing to free. Pure. */
bool pairing_of_draft(const struct tournament *tournament, struct pairing *pairing);

void pairing_free(struct pairing *pairing);

/* The details of a draw's lines `stage_started` (NULL if it begins no stage) and `round_drawn`: new
 * objects that the caller owns. */
json_t *pairing_stage_line(const struct tournament *tournament, const struct pairing *pairing);
json_t *pairing_round_line(const struct tournament *tournament, const struct pairing *pairing);

/* The detail of the line `round_changed`. */
json_t *pairing_change_line(const struct tournament *tournament, const struct pairing *changed,
                            const char *reason);

/* The order in which numbers are given when entries are closed, by the settings' seeding. `order`
 * has room for entrant_count and receives the accepted entries (checked in, if the event requires
 * it). SEEDING_RATING: best first, unrated last; ties in order of entering. SEEDING_DRAW: the
 * stream `seeding`. Returns how many. */
size_t pairing_seeding(const struct tournament *tournament, const struct chance *chance,
                       uint16_t *order);

/* The bracket of an elimination stage (from 0) after `rounds` rounds of the event, for pages and
 * for ranking. False: refused. */
struct elimination;
struct pod_elimination;
bool pairing_bracket(const struct tournament *tournament, size_t stage, unsigned rounds,
                     struct elimination *bracket, struct refusal *refusal);

/* The same as JSON (elimination_view.h), with the scores of its matches. `names`: one for each
 * entrant. The caller owns `view`. */
bool pairing_bracket_view(const struct tournament *tournament, size_t stage, unsigned rounds,
                          const char *const *names, json_t **view, struct refusal *refusal);
bool pairing_pod_bracket(const struct tournament *tournament, size_t stage, unsigned rounds,
                         struct pod_elimination *bracket, struct refusal *refusal);

/* The division (from 1) of each entry of a league stage, by position in the stage's entries: fills
 * `division` and returns how many divisions there are. */
unsigned pairing_divisions(const struct tournament *tournament, size_t stage, uint16_t *division);

#endif
