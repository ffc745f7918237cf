/* Common parts of pages: reading documents, and writing names, times and tables. */
#ifndef TILLROLL_API_PAGES_PAGE_PARTS_H
#define TILLROLL_API_PAGES_PAGE_PARTS_H

#include <jansson.h>

#include "api/pages/html.h"
#include "api/request/call.h"

/* ---- Documents ---- */

/* Members: a text ("" for none), a number (0 for none), whether it is true, whether it is null
 * or missing. Borrowed. */
const char *part_text(const json_t *document, const char *key);
long long part_number(const json_t *document, const char *key);
bool part_is(const json_t *document, const char *key);
bool part_is_null(const json_t *document, const char *key);

/* The state of a game, `void` if it is void. Borrowed. */
const char *part_state(const json_t *game);

/* A query parameter of the page, NUL-terminated, in the arena; "" for none. */
const char *part_parameter(struct call *call, const char *name);

/* ---- Words ---- */

/* The end of a start tag, and English words after it that pages put into the reader's language
 * (translate() in web-static/lib/words.js). `key`: that of the words in web-static/words/en.js,
 * which are the same; tests compare them. Both are literals. Values in the words (numbers, or the
 * keys of words) are attributes of the element, too: data-count for {count}.
 *
 *      html_write(html, "<p data-count=\"%lld\"" PART_SAID("list.more", "%lld more") "</p>", n, n);
 */
#define PART_SAID(key, english) " data-word=\"" key "\">" english

/* The same for the label of an element: its attributes. */
#define PART_LABELED(key, english) " data-word-label=\"" key "\" aria-label=\"" english "\""

/* `pod_swiss` as "pod swiss". */
void part_words(struct growing *html, const char *name);

/* 3, or 3–4 if `shared` players share third place; nothing for no place (0). */
void part_place(struct growing *html, long long rank, long long shared);

/* The place of `seat` among `seats`, of a game or a table; nothing for those who play alone. */
void part_seat_place(struct growing *html, const json_t *seats, const json_t *seat);

/* The score of `seat`, if it has one yet. In games for one, a score below zero stands for a
 * defeat. */
void part_seat_score(struct growing *html, const json_t *seats, const json_t *seat);

/* How many entries of `list` share the rank; `list` is an array of objects with a member `rank`. */
long long part_sharing(const json_t *list, long long rank);

/* An RFC 3339 UTC time as 22 Nov 2026, or 22.11.2026 in German, without markup; nothing for "". */
void part_day(struct growing *text, const char *time, bool german);

/* The same as 22 Nov 2026, 10:27 UTC, marked as a time. */
void part_time(struct growing *html, const char *time);

/* An event's time and place from its settings: `1 Dec 2026, 18:00 UTC · Town hall`, either part
 * alone, or nothing. */
void part_when(struct growing *html, const json_t *settings);

/* ---- Links ---- */

/* A player, {"id", "name"}. */
void part_player(struct growing *html, const json_t *player);

/* The seat of a player in a list of a game's seats, or NULL. */
const json_t *part_seat(const json_t *seats, const char *player);

/* A game from a list, linked to its page if that is visible. */
void part_game(struct growing *html, const json_t *game);

/* The same without a link: Shinjuku, round 1, table 2. */
void part_game_name(struct growing *html, const json_t *game);

/* A link to the list's next page, if there is one: `parameter`=<its `next`>, after `query`,
 * which is "" or ends with `&`. */
void part_next(struct growing *html, const json_t *list, const char *query, const char *parameter,
               const char *text);

/* The sign of a ruleset. */
void part_sign(struct growing *html, const json_t *ruleset);

/* Whether one of the first `before` of the rulesets has this slug: the first listed version of each
 * represents all its versions. */
bool part_is_shown_before(const json_t *rulesets, size_t before, const char *slug);

/* How many rounds of an event have begun: 3 of 4, or the number alone if the total is not known. */
void part_rounds(struct growing *html, const json_t *event);

/* Marks the link to the current page. */
void part_current(struct growing *html, bool current);

/* ---- Tables ---- */

struct part_column {
    const char *name;
    bool number; /* aligned right */
};

/* Opens a table: caption and head, up to the rows. */
void part_table(struct growing *html, const char *caption, const struct part_column *columns,
                size_t count);

/* The head alone, after <table><caption>..</caption>. */
void part_columns(struct growing *html, const struct part_column *columns, size_t count);

void part_table_end(struct growing *html);

/* The first rows of a leaderboard, in its order, without places, which the script adds. `solo`:
 * that of a game for one, with percentiles in the place of ratings. */
void part_best(struct growing *html, const json_t *items, bool solo);

#endif
