/* Common parts of pages: reading documents, and writing names, times and tables. */
#ifndef TILLROLL_API_PAGES_PAGE_PARTS_H
#define TILLROLL_API_PAGES_PAGE_PARTS_H

#include <jansson.h>

#include "api/pages/html.h"
#include "api/request/call.h"

/* ---- Documents ---- */

/* Members of a document. part_text(): "" if missing; part_number(): 0 if missing; part_is(): the
 * member is true; part_is_null(): the member is null or missing. Borrowed. */
const char *part_text(const json_t *document, const char *key);
long long part_number(const json_t *document, const char *key);
bool part_is(const json_t *document, const char *key);
bool part_is_null(const json_t *document, const char *key);

/* The state of a game; `void` for a void game. Borrowed. */
const char *part_state(const json_t *game);

/* A query parameter of the page, NUL-terminated, owned by the call's arena; "" if missing. */
const char *part_parameter(struct call *call, const char *name);

/* ---- Words ---- */

/* The end of a start tag, followed by English words that scripts translate into the reader's
 * language (translate() in web-static/lib/words.js). `key` is the key of the same words in
 * web-static/words/en.js; tests compare them. Both are literals. Values in the words (numbers, or
 * keys of words) are also attributes of the element: data-count for {count}.
 *
 *      html_write(html, "<p data-count=\"%lld\"" PART_SAID("list.more", "%lld more") "</p>", n, n);
 */
#define PART_SAID(key, english) " data-word=\"" key "\">" english

/* The attributes of an element's label, translated in the same way. */
#define PART_LABELED(key, english) " data-word-label=\"" key "\" aria-label=\"" english "\""

/* Writes `pod_swiss` as "pod swiss". */
void part_words(struct growing *html, const char *name);

/* Writes 3, or 3–4 if `shared` players share third place; nothing for place 0. */
void part_place(struct growing *html, long long rank, long long shared);

/* Writes the place of `seat` among `seats`, of a game or a table; nothing if there is only one
 * seat. */
void part_seat_place(struct growing *html, const json_t *seats, const json_t *seat);

/* Writes the score of `seat`, if it has one yet. In games for one, a score below zero means a
 * defeat. */
void part_seat_score(struct growing *html, const json_t *seats, const json_t *seat);

/* Counts the entries of `list`, an array of objects with a member `rank`, that share the rank. */
long long part_sharing(const json_t *list, long long rank);

/* Writes an RFC 3339 UTC time as 22 Nov 2026, or 22.11.2026 in German, without markup; nothing for
 * "". */
void part_day(struct growing *text, const char *time, bool german);

/* Writes a time as 22 Nov 2026, 10:27 UTC, in a <time> element. */
void part_time(struct growing *html, const char *time);

/* Writes an event's time and place from its settings: `1 Dec 2026, 18:00 UTC · Town hall`, either
 * part alone, or nothing. */
void part_when(struct growing *html, const json_t *settings);

/* ---- Links ---- */

/* Writes a player, {"id", "name"}, as a link. */
void part_player(struct growing *html, const json_t *player);

/* The seat of a player in a list of a game's seats, or NULL. */
const json_t *part_seat(const json_t *seats, const char *player);

/* Writes a game from a list, linked to its page if that is visible. */
void part_game(struct growing *html, const json_t *game);

/* Writes a game's name without a link: Shinjuku, round 1, table 2. */
void part_game_name(struct growing *html, const json_t *game);

/* Writes a link to the list's next page, if there is one: `parameter`=<the list's `next`>, after
 * `query`, which is "" or ends with `&`. */
void part_next(struct growing *html, const json_t *list, const char *query, const char *parameter,
               const char *text);

/* Writes the sign of a ruleset. */
void part_sign(struct growing *html, const json_t *ruleset);

/* True if one of the first `before` rulesets has this slug: the first listed version of a game
 * represents all its versions. */
bool part_is_shown_before(const json_t *rulesets, size_t before, const char *slug);

/* Writes the number of an event's started rounds: 3 of 4, or the number alone if the total is not
 * known. */
void part_rounds(struct growing *html, const json_t *event);

/* Writes the attribute that marks the link to the current page. */
void part_current(struct growing *html, bool current);

/* ---- Tables ---- */

struct part_column {
    const char *name;
    bool number; /* aligned right */
};

/* Opens a table: writes caption and head, up to the rows. */
void part_table(struct growing *html, const char *caption, const struct part_column *columns,
                size_t count);

/* Writes the head alone, after <table><caption>..</caption>. */
void part_columns(struct growing *html, const struct part_column *columns, size_t count);

void part_table_end(struct growing *html);

/* Writes the first rows of a leaderboard, in its order, without places, which the script adds.
 * `solo`: a leaderboard of a game for one, with percentiles instead of ratings. */
void part_best(struct growing *html, const json_t *items, bool solo);

#endif
