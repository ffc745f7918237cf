/* An event in the formats of other programs: tables for spreadsheets, a calendar, news, and FIDE's
 * report files. Pure functions of the event's log. */
#ifndef TILLROLL_ENGINE_TOURNAMENT_INTERCHANGE_EXCHANGE_H
#define TILLROLL_ENGINE_TOURNAMENT_INTERCHANGE_EXCHANGE_H

#include <jansson.h>

#include "engine/base/text.h"
#include "engine/tournament/event/tournament.h"
#include "engine/tournament/formats/duplicate/duplicate.h"
#include "engine/tournament/interchange/trf.h"
#include "engine/tournament/pairing/ranking.h"

/* All borrowed. */
struct exchange {
    const char *id; /* the event's id */
    const struct tournament *tournament;
    const char *const *names; /* [entry], UTF-8 */
    const char *site;         /* https://club.example, where its pages are; NULL = not known */
};

/* ---- Tables: RFC 4180, with a header line. Texts that a spreadsheet would take for a formula
 * (beginning with = + - @, tab or CR) get a leading apostrophe. Points are given twice: as a
 * decimal with up to six places, rounded down, and exactly, in 60ths ---- */

/* The standings of a stage (from 0) after round `last_round` of the event, from `ranking`: place
 * and points; the number of rounds of each kind (played, bye, won or lost by forfeit, absent), one
 * column per kind, and of games that the player went out of or a substitute ended; and for each
 * criterion of the chain a decimal and the exact numerator and denominator. False when out of
 * memory. */
bool exchange_standings_csv(const struct exchange *exchange, const struct ranking *ranking,
                            size_t stage, unsigned last_round, struct text *text);

/* The same for a duplicate event: boards are counted, and the points are the first criterion, not
 * in 60ths. */
bool exchange_duplicate_csv(const struct exchange *exchange,
                            const struct duplicate_standings *standings, unsigned last_round,
                            struct text *text);

/* The seats of a round that has started (0: games of ladder and open play), one line per seat, then
 * the players without a seat, with the kind of their bye. */
void exchange_pairings_csv(const struct exchange *exchange, unsigned round, struct text *text);

/* Every seat of every table that has a result, by rounds and tables, with marks for players who
 * went out of the game or were substituted; after them the players without a seat in the round,
 * with the kind of the bye. */
void exchange_results_csv(const struct exchange *exchange, struct text *text);

/* ---- Calendar: RFC 5545. One entry per started round, from its start to its deadline; before the
 * first, one for the event at its announced start (`starts_at`), which says if it was cancelled.
 * Entries have the place of the event and the address of the page, if these are known ---- */

void exchange_calendar(const struct exchange *exchange, struct text *text);

/* ---- News: JSON Feed 1.1 ---- */

/* The feed item for a line of the log, as a new object; NULL if the line has none. A result names
 * the players by their places. */
json_t *exchange_feed_item(const struct exchange *exchange, const struct tournament_line *line);

/* The feed with these items, newest first; takes ownership of them. */
json_t *exchange_feed(const struct exchange *exchange, json_t *items);

/* ---- FIDE's report files (trf.h) ---- */

#define EXCHANGE_REFUSAL_FORMAT                                                                    \
    "not-two-seats" /* not a round robin or Swiss at tables of two, or no rounds */
#define EXCHANGE_REFUSAL_MEMORY "out-of-memory"

/* The first stage of an event at tables of two that is ranked by points, with all rounds that are
 * complete. Ranks are those of `ranking`. A rating of more than four digits is left out. Besides
 * the refusal above, it has those of trf_write(), for example for points that are not whole
 * tenths. */
bool exchange_trf(const struct exchange *exchange, const struct ranking *ranking,
                  enum trf_version version, struct text *text, struct refusal *refusal);

#endif
