/* The move notation: words of printable ASCII parted by single blanks, at most GAME_MOVE_MAX bytes.
 * There is one way to write a move, so two equal moves are equal strings.
 */
#ifndef TILLROLL_ENGINE_NOTATION_H
#define TILLROLL_ENGINE_NOTATION_H

#include <stdbool.h>
#include <stddef.h>

#include "engine/text.h"

enum { NOTATION_WORDS_MAX = 60 };

struct words {
    struct span word[NOTATION_WORDS_MAX];
    size_t count;
};

/* Splits a move into its words, which borrow from it. False if it is empty or too long, or holds a
 * byte outside 0x21-0x7e other than single blanks between words. */
bool notation_split(struct span move, struct words *words);

/* The index of `word` in `names`, or -1. */
int notation_find(struct span word, const struct span *names, size_t count);

/* Appends the words, parted by single blanks. */
void notation_join(struct text *text, const struct span *words, size_t count);

#endif
