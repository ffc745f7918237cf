#include "api/cli/nearest.h"

#include <stdint.h>
#include <string.h>

enum { LETTERS_MAX = 64 };

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

size_t nearest_distance(const char *one, const char *other)
{
    /* between the first i letters of one and the first j of the other */
    size_t distance[LETTERS_MAX][LETTERS_MAX];
    size_t rows = strlen(one);
    size_t columns = strlen(other);
    if (rows >= LETTERS_MAX || columns >= LETTERS_MAX)
        return SIZE_MAX;
    for (size_t i = 0; i <= rows; i++)
        for (size_t j = 0; j <= columns; j++) {
            if (i == 0 || j == 0) {
                distance[i][j] = i + j;
                continue;
            }
            size_t replaced = distance[i - 1][j - 1] + (one[i - 1] != other[j - 1]);
            distance[i][j] = least(replaced, 1 + least(distance[i - 1][j], distance[i][j - 1]));
            if (i > 1 && j > 1 && one[i - 1] == other[j - 2] && one[i - 2] == other[j - 1])
                distance[i][j] = least(distance[i][j], 1 + distance[i - 2][j - 2]);
        }
    return distance[rows][columns];
}

bool nearest_is_near(const char *word, const char *known)
{
    size_t letters = strlen(known);
    size_t allowed = letters / 3 > 2 ? letters / 3 : 2;
    return nearest_distance(word, known) <= least(allowed, letters - 1);
}
