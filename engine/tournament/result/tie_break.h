/* The dictionary of tie-breaks: the rules that a chain can have, and their descriptions on pages.
 *
 * Codes and modifiers are FIDE's where they exist (Handbook C.07). For tables of more than two,
 * sums over opponents become averages per opponent, because tables and byes differ in size and
 * number; these have codes of their own. A rule is a code with modifiers, written `BH/C1`. Higher
 * is better for every value.
 */
#ifndef TILLROLL_ENGINE_TOURNAMENT_RESULT_TIE_BREAK_H
#define TILLROLL_ENGINE_TOURNAMENT_RESULT_TIE_BREAK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/base/text.h"

/* The written rule is stored and sent, never the number. */
enum tie_break {
    TIE_BREAK_PTS,
    TIE_BREAK_DE,
    TIE_BREAK_WIN,
    TIE_BREAK_WON,
    TIE_BREAK_BPG,
    TIE_BREAK_BWG,
    TIE_BREAK_REP,
    TIE_BREAK_STD,
    TIE_BREAK_PS,
    TIE_BREAK_BH,
    TIE_BREAK_FB,
    TIE_BREAK_AOB,
    TIE_BREAK_SB,
    TIE_BREAK_KS,
    TIE_BREAK_ARO,
    TIE_BREAK_TPR,
    TIE_BREAK_PTP,
    TIE_BREAK_APRO,
    TIE_BREAK_APPO,
    TIE_BREAK_RTNG,
    TIE_BREAK_TPN,
    TIE_BREAK_OPA,
    TIE_BREAK_AOA,
    TIE_BREAK_SBA,
    TIE_BREAK_SHR,
    TIE_BREAK_MWP,
    TIE_BREAK_OWP,
    TIE_BREAK_VPD,
    TIE_BREAK_VPR,
    TIE_BREAK_SH,
    TIE_BREAK_LAST,
    TIE_BREAK_RND,
    TIE_BREAKS
};

/* Modifiers; see tie_break_modifiers() for the codes that take them. */
enum {
    TIE_BREAK_CUT = 1,      /* C<n>: without the n lowest */
    TIE_BREAK_MEDIAN = 2,   /* M<n>: without the n lowest and the n highest */
    TIE_BREAK_FORE = 4,     /* F: as if the last round were drawn */
    TIE_BREAK_FORFEITS = 8, /* P: forfeits count as games against the scheduled opponent */
    TIE_BREAK_LIMIT =
        16 /* L<percent>, L+<n>, L-<n>: another limit, or n half points above or below it */
};

enum {
    TIE_BREAK_CHAIN_MAX = 12,
    TIE_BREAK_CUTS_MAX = 9,
    TIE_BREAK_LIMIT_DEFAULT = 50, /* percent */
    TIE_BREAK_LIMIT_HALVES_MAX = 99,
    TIE_BREAK_CODE_MAX = 32,       /* maximum bytes of a written rule, with the NUL */
    TIE_BREAK_DEFINITION_MAX = 640 /* maximum bytes of a definition, with the NUL */
};

/* A code and its modifiers. All zero except the code: the plain rule. */
struct tie_break_rule {
    uint8_t code;     /* enum tie_break */
    uint8_t cut_low;  /* 0 .. TIE_BREAK_CUTS_MAX */
    uint8_t cut_high; /* 0, or cut_low */
    uint8_t flags;    /* TIE_BREAK_FORE, TIE_BREAK_FORFEITS */
    uint8_t limit;    /* percent, 1 .. 100; 0 = TIE_BREAK_LIMIT_DEFAULT */
    uint8_t padding;
    int16_t limit_halves; /* half points added, -99 .. 99 */
};

/* Static strings. */
struct tie_break_text {
    const char *code;       /* `OPA` */
    const char *name;       /* `average points of opponents` */
    const char *definition; /* one sentence */
};

/* The text of a code without modifiers. */
const struct tie_break_text *tie_break_describe(enum tie_break tie_break);

/* Reads a written rule: `PTS`, `BH/C1`, `BH/M2`, `DE/P`, `KS/L60`, `KS/L+1`. Also FIDE's older
 * spellings `BH-C1`, `MB` (BH/M1), `MED2` (BH/M2) and `GE` (REP), and `EDE`: extended direct
 * encounter (C.07 13.3) continues with a team's second score, which players do not have, so it
 * equals DE. False, with nothing written, if there is no such rule: an unknown code, a modifier
 * that the code does not take, or a repeated one. */
bool tie_break_parse(struct span written, struct tie_break_rule *rule);

/* True for FIDE's codes for team events only (C.07 12, 13: board counts, extended direct encounter
 * with its knock-out parts, extended Sonneborn-Berger), so that an error can say so. */
bool tie_break_is_for_teams(struct span written);

/* True if tie_break_parse() could produce the rule. */
bool tie_break_valid(const struct tie_break_rule *rule);

/* Append the written rule, its name, or its definition (one or more sentences) to `text`. */
void tie_break_write(const struct tie_break_rule *rule, struct text *text);
void tie_break_name(const struct tie_break_rule *rule, struct text *text);
void tie_break_define(const struct tie_break_rule *rule, struct text *text);

/* How rounds without a game count: for the entry itself when its opponents are summed up, and for
 * those who met it. Versioned: standings can be reproduced only with the version that made them, so
 * an event keeps its version. The names are stored. */
enum unplayed_rules {
    /* `pods-1`. A round without a game has no opponent. Opponents are measured by adjusted points:
     * what a round gave, except that rounds without a result, and each bye on request and absence
     * after the last other round, count as the scheme's `neutral`. */
    UNPLAYED_PODS_1,
    /* `fide-2023` (C.07 of 1 September 2023, article 16). A round without a game is a game against
     * a dummy with the entry's own points. Adjusted points: a bye on request counts as a draw if
     * only voluntary absences (byes on request, forfeits) follow; everything else counts what it
     * gave. Direct encounter goes from the top down and stops at the first place that unplayed
     * games could still change. */
    UNPLAYED_FIDE_2023,
    /* `fide-2026` (from 1 March 2026, 16.4). The same, but the dummy has no more than the adjusted
     * points of the scheduled opponent (forfeit), or than a draw in every round (no opponent). */
    UNPLAYED_FIDE_2026,
    /* `round-robin` (C.07, predetermined pairings): forfeits are games against the scheduled
     * opponent, free rounds count nothing, and points are not adjusted. */
    UNPLAYED_ROUND_ROBIN,
    UNPLAYED_RULES
};

const char *unplayed_rules_name(enum unplayed_rules rules);

/* The default chain of a format. Duplicate has its own (duplicate.h). */
struct tie_break_chain {
    const char *format; /* `pods`, `swiss`, `round-robin`, `elimination` */
    enum unplayed_rules rules;
    const struct tie_break_rule *chain;
    size_t count; /* 1 .. TIE_BREAK_CHAIN_MAX */
};

extern const struct tie_break_chain tie_break_chains[];
extern const size_t tie_break_chain_count;

/* The chain of a format, or NULL. */
const struct tie_break_chain *tie_break_chain_find(struct span format);

/* The chain of pods: PTS DE WIN OPA/C1 SBA SHR LAST RND. */
extern const struct tie_break_rule tie_break_pods[];
extern const size_t tie_break_pods_count;

#endif
