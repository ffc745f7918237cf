/* Suggestions for misspelled words. */
#ifndef TILLROLL_API_CLI_NEAREST_H
#define TILLROLL_API_CLI_NEAREST_H

#include <stdbool.h>
#include <stddef.h>

/* The number of edits between two words: letters omitted, added, replaced or swapped with the next
 * one (optimal string alignment distance). SIZE_MAX if one has more than 63 bytes. */
size_t nearest_distance(const char *one, const char *other);

/* True if `word` may be a misspelling of `known`: they differ in at most a third of its letters, or
 * in two. */
bool nearest_is_near(const char *word, const char *known);

#endif
