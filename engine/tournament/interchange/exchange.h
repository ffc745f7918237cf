/* An event in the forms that other programs read: tables for spreadsheets, a calendar, news, and
 * FIDE's report files. Pure functions of the event as its log makes it.
 *
 * Texts are written into a buffer of the caller; if it is too small `overflow` is set, and the
 * caller tries again with a larger one.
 */
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
    const char *id; /* of the event */
    const struct tournament *tournament;
    const char *const *names; /* [entry], UTF-8 */
};

/* ---- Tables: RFC 4180, with a head line; texts that a spreadsheet would take for a formula (they
 * begin with = + - @, tab or CR) have an apostrophe before them. Points stand twice: as a decimal
 * with up to six places, rounded down, and exactly, in 60ths ---- */

/* The standings of a stage (from 0) after round `last_round` of the event, as `ranking` has them:
 * place, points; in how many rounds the player played, had a bye, won or lost by forfeit or was
 * absent, one column a kind, and how many games the player went out of or a substitute ended; and
 * for each criterion of the chain a decimal and the exact numerator and denominator. False if
 * memory is short. */
bool exchange_standings_csv(const struct exchange *exchange, const struct ranking *ranking,
                            size_t stage, unsigned last_round, struct text *text);

/* The same of a duplicate event: boards are counted, and the points are the first criterion, not in
 * 60ths. */
bool exchange_duplicate_csv(const struct exchange *exchange,
                            const struct duplicate_standings *standings, unsigned last_round,
                            struct text *text);

/* Who sits where in a round that has started (0: games of ladder and open play), one line a seat,
 * then the players without one, with the kind of the bye. */
void exchange_pairings_csv(const struct exchange *exchange, unsigned round, struct text *text);

/* Every seat of every table that has a result, by rounds and tables, with marks for players who
 * went out of the game or were substituted; after them the players without a seat in the round,
 * with the kind of the bye. */
void exchange_results_csv(const struct exchange *exchange, struct text *text);

/* ---- Calendar: RFC 5545. One entry per started round, from its start to its deadline ---- */

void exchange_calendar(const struct exchange *exchange, struct text *text);

/* ---- News: JSON Feed 1.1 ---- */

/* The item that a line of the log is worth, as a new object; NULL if it is none. */
json_t *exchange_feed_item(const struct exchange *exchange, const struct tournament_line *line);

/* The feed with these items, newest first, which are taken over. */
json_t *exchange_feed(const struct exchange *exchange, json_t *items);

/* ---- FIDE's report files (trf.h) ---- */

#define EXCHANGE_REFUSAL_FORMAT "not-two-seats" /* no round robin or Swiss of two, or no rounds */
#define EXCHANGE_REFUSAL_MEMORY "out-of-memory"

/* The first stage of an event at tables of two that is ranked by points, with all rounds of which
 * every table has a result. Ranks are those of `ranking`. A rating beyond four digits is left out.
 * Refusals of trf_write() besides those above: points that are no whole tenths, for example. */
bool exchange_trf(const struct exchange *exchange, const struct ranking *ranking,
                  enum trf_version version, struct text *text, struct refusal *refusal);

/* ---- Shared by these files ---- */

struct exchange_time {
    unsigned year, month, day, hour, minute, second;
};

/* UTC of milliseconds since 1970 (0 .. the end of the year 9999). */
struct exchange_time exchange_time_of(int64_t ms);

#endif
