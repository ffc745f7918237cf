/* Reading a view back, for an adviser: it knows what its seat's view says and nothing else.
 *
 * The view is the service's own, so what is missing or of another kind is read as empty and not
 * complained about. All functions are pure.
 */
#ifndef TILLROLL_ENGINE_VIEW_READING_H
#define TILLROLL_ENGINE_VIEW_READING_H

#include <jansson.h>
#include <stdint.h>

#include "engine/text.h"

/* What no number and no index reads as: the games' states write 255 where there is nothing. */
enum { VIEW_READ_NONE = UINT8_MAX };

/* Finds what a game calls `name`: its index, or VIEW_READ_NONE. */
typedef uint8_t view_read_find(struct span name);

/* The text of a JSON string, borrowed from it; empty for anything else, NULL included. */
struct span view_read_text(const json_t *value);

/* A number 0 .. 254; 0 for anything else, NULL included. */
uint8_t view_read_number(const json_t *value);

/* {"gold": 2} into counts[index of gold] = 2. Names that `find` does not know are left out, and
 * counts that are not named stay as they are. `counts` has room for every index of `find`. */
void view_read_counts(json_t *object, view_read_find *find, uint8_t *counts);

/* A list of names as a set, bit i for index i, which is below 32. Names that `find` does not know
 * are left out. */
uint32_t view_read_set(const json_t *list, view_read_find *find);

#endif
