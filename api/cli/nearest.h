/* The word that somebody may have meant. */
#ifndef TILLROLL_API_CLI_NEAREST_H
#define TILLROLL_API_CLI_NEAREST_H

#include <stdbool.h>
#include <stddef.h>

/* In how many letters two words differ: left out, added, replaced, or exchanged with the next one
 * (the optimal string alignment distance). SIZE_MAX if one has more than 63 bytes. */
size_t nearest_distance(const char *one, const char *other);

/* True if `known` may have been meant by `word`: they differ in at most a third of its letters, or
 * in two. */
bool nearest_is_near(const char *word, const char *known);

#endif
