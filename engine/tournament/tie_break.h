/* The dictionary of tie-breaks: what may stand in a chain, and what pages say about it.
 *
 * FIDE's codes where they exist (Handbook C.07); for tables of more than two, sums over opponents
 * become averages per opponent, because tables and byes differ in size and number. Higher is better
 * for every value.
 */
#ifndef TILLROLL_ENGINE_TOURNAMENT_TIE_BREAK_H
#define TILLROLL_ENGINE_TOURNAMENT_TIE_BREAK_H

#include <stddef.h>
#include <stdint.h>

#include "engine/text.h"

/* The values are stored: only ever add at the end. */
enum tie_break {
    TIE_BREAK_PTS = 0,
    TIE_BREAK_DE = 1,
    TIE_BREAK_WIN = 2,
    TIE_BREAK_OPA = 3,
    TIE_BREAK_OPA_C1 = 4,
    TIE_BREAK_SB = 5,
    TIE_BREAK_SHR = 6,
    TIE_BREAK_LAST = 7,
    TIE_BREAK_RND = 8,
    TIE_BREAKS = 9
};

enum { TIE_BREAK_CHAIN_MAX = 12 };

/* Static strings. */
struct tie_break_text {
    const char *code;       /* `OPA/C1` */
    const char *name;       /* `average points of opponents, lowest cut` */
    const char *definition; /* one sentence */
};

const struct tie_break_text *tie_break_describe(enum tie_break tie_break);

/* The tie-break with this code, or -1. */
int tie_break_find(struct span code);

/* The default chain for tables of three to five: PTS DE WIN OPA/C1 SB SHR LAST RND. */
extern const uint8_t tie_break_pods[];
extern const size_t tie_break_pods_count;

#endif
