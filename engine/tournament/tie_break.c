#include "engine/tournament/tie_break.h"

#include <assert.h>

static const struct tie_break_text texts[TIE_BREAKS] = {
    [TIE_BREAK_PTS] = {"PTS", "points", "The points of all rounds, byes included."},
    [TIE_BREAK_DE] = {"DE", "direct encounter",
                      "Among those still tied, the better of two is who finished ahead at more of "
                      "the tables they shared, and who is better than more of them comes first; "
                      "used only as far as games that were not played could not change it."},
    [TIE_BREAK_WIN] = {"WIN", "first places",
                       "Tables won, with or without opposition; a first place shared by t players "
                       "counts 1/t for each."},
    [TIE_BREAK_OPA] = {"OPA", "average points of opponents",
                       "The mean, over all opponents met, of their adjusted points per round."},
    [TIE_BREAK_OPA_C1] = {"OPA/C1", "average points of opponents, lowest cut",
                          "As OPA, without the opponent whose adjusted points are lowest, if there "
                          "are two or more."},
    [TIE_BREAK_SB] = {"SB", "Sonneborn-Berger, average per opponent",
                      "The adjusted points of opponents who finished behind, plus half those of "
                      "opponents who finished level, divided by the number of opponents met."},
    [TIE_BREAK_SHR] = {"SHR", "share of the table",
                       "The mean, over all tables played, of the player's share of the game scores "
                       "of all who played there; scores below zero count as zero."},
    [TIE_BREAK_LAST] = {"LAST", "last round",
                        "The number of the table in the last round, lower first, then the place "
                        "there."},
    [TIE_BREAK_RND] = {"RND", "draw", "A draw from the event's committed seed."},
};

const uint8_t tie_break_pods[] = {TIE_BREAK_PTS, TIE_BREAK_DE,  TIE_BREAK_WIN,  TIE_BREAK_OPA_C1,
                                  TIE_BREAK_SB,  TIE_BREAK_SHR, TIE_BREAK_LAST, TIE_BREAK_RND};
const size_t tie_break_pods_count = sizeof tie_break_pods / sizeof tie_break_pods[0];

const struct tie_break_text *tie_break_describe(enum tie_break tie_break)
{
    assert(tie_break < TIE_BREAKS);
    return &texts[tie_break];
}

int tie_break_find(struct span code)
{
    for (int i = 0; i < TIE_BREAKS; i++)
        if (span_is(code, texts[i].code))
            return i;
    return -1;
}
