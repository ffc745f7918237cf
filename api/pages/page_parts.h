/* What pages have in common: reading documents, and writing names, times and tables. */
#ifndef TILLROLL_API_PAGES_PAGE_PARTS_H
#define TILLROLL_API_PAGES_PAGE_PARTS_H

#include <jansson.h>

#include "api/pages/html.h"
#include "api/request/call.h"

/* ---- Documents ---- */

/* A member: a text ("" for none), a number (0 for none), true or not, null (or missing) or not.
 * Borrowed. */
const char *part_text(const json_t *document, const char *key);
long long part_number(const json_t *document, const char *key);
bool part_is(const json_t *document, const char *key);
bool part_is_null(const json_t *document, const char *key);

/* The value of a query parameter of the page, NUL-terminated and in the arena; "" for none. */
const char *part_parameter(struct call *call, const char *name);

/* ---- Words ---- */

/* `pod_swiss` as "pod swiss". */
void part_words(struct growing *html, const char *name);

/* 3, or 3–4 where `shared` hold the third place; nothing for no place (0). */
void part_place(struct growing *html, long long rank, long long shared);

/* Of everybody who has the rank in `list`, an array of objects with a member `rank`. */
long long part_sharing(const json_t *list, long long rank);

/* Millionths, to two places. */
void part_millionths(struct growing *html, long long millionths);

/* A moment, RFC 3339 in UTC, as 22 Nov 2026, 10:27 UTC. */
void part_time(struct growing *html, const char *time);

/* When and where an event is, as its settings say: `1 Dec 2026, 18:00 UTC · Town hall`, either
 * alone, or nothing. */
void part_when(struct growing *html, const json_t *settings);

/* ---- Links ---- */

/* A player, {"id", "name"}. */
void part_player(struct growing *html, const json_t *player);

/* A game as lists name it, linked to its page if that can be seen. */
void part_game(struct growing *html, const json_t *game);

/* The text alone: Shinjuku, round 1, table 2. */
void part_game_name(struct growing *html, const json_t *game);

/* To the next page of a list, if there is one: `parameter`=<its `next`> behind `query`, which is ""
 * or ends with `&`. */
void part_next(struct growing *html, const json_t *list, const char *query, const char *parameter,
               const char *text);

/* The attribute of the link to what is shown already. */
void part_current(struct growing *html, bool current);

/* ---- Tables ---- */

struct part_column {
    const char *name;
    bool number; /* stands at the right */
};

/* Opens a table with its caption and head, up to the rows. */
void part_table(struct growing *html, const char *caption, const struct part_column *columns,
                size_t count);

/* The head alone, behind <table><caption>..</caption>. */
void part_columns(struct growing *html, const struct part_column *columns, size_t count);

void part_table_end(struct growing *html);

#endif
