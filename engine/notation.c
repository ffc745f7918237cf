#include "engine/notation.h"

#include <string.h>

#include "engine/game.h"

bool notation_split(struct span move, struct words *words)
{
    words->count = 0;
    if (move.length == 0 || move.length > GAME_MOVE_MAX)
        return false;
    size_t start = 0;
    for (size_t i = 0; i <= move.length; i++) {
        if (i < move.length && move.at[i] != ' ') {
            if (move.at[i] < 0x21 || move.at[i] > 0x7e)
                return false;
            continue;
        }
        if (i == start || words->count == NOTATION_WORDS_MAX)
            return false;
        words->word[words->count++] = (struct span){move.at + start, i - start};
        start = i + 1;
    }
    return true;
}

int notation_find(struct span word, const struct span *names, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (names[i].length == word.length && memcmp(names[i].at, word.at, word.length) == 0)
            return (int)i;
    return -1;
}

void notation_join(struct text *text, const struct span *words, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (i > 0)
            text_add_char(text, ' ');
        text_add_span(text, words[i]);
    }
}
