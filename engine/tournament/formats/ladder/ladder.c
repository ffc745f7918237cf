#include "engine/tournament/formats/ladder/ladder.h"

#include <string.h>

size_t ladder_find(const struct ladder *ladder, uint16_t entry)
{
    size_t rung = 0;
    while (rung < ladder->count && ladder->rung[rung].entry != entry)
        rung++;
    return rung;
}

static bool refuse_absent(struct refusal *refusal)
{
    return refuse(refusal, LADDER_REFUSAL_ABSENT, "This entry is not on the ladder.");
}

bool ladder_may_challenge(const struct ladder *ladder, const struct ladder_rule *rule,
                          uint16_t challenger, uint16_t challenged, struct refusal *refusal)
{
    size_t below = ladder_find(ladder, challenger), above = ladder_find(ladder, challenged);
    if (below == ladder->count || above == ladder->count)
        return refuse_absent(refusal);
    if (above >= below)
        return refuse(refusal, LADDER_REFUSAL_BELOW, "Only entries above can be challenged.");
    if (below - above > rule->reach)
        return refuse(refusal, LADDER_REFUSAL_REACH, "This entry is too far above.");
    if (ladder->rung[below].open != LADDER_NOBODY || ladder->rung[above].open != LADDER_NOBODY)
        return refuse(refusal, LADDER_REFUSAL_BUSY, "One of the two has an open challenge.");
    if (ladder->rung[below].last == challenged && ladder->rung[above].last == challenger)
        return refuse(
            refusal, LADDER_REFUSAL_REMATCH,
            "These two met in their last games; one of them must play someone else first.");
    return true;
}

/* Moves an entry from `from` to `to`; those in between move by one. */
static void move_rung(struct ladder *ladder, size_t from, size_t to)
{
    struct ladder_rung moved = ladder->rung[from];
    if (from > to)
        memmove(&ladder->rung[to + 1], &ladder->rung[to], (from - to) * sizeof moved);
    else
        memmove(&ladder->rung[from], &ladder->rung[from + 1], (to - from) * sizeof moved);
    ladder->rung[to] = moved;
}

bool ladder_join(struct ladder *ladder, uint16_t entry, struct refusal *refusal)
{
    if (entry == LADDER_NOBODY)
        return refuse_absent(refusal);
    if (ladder_find(ladder, entry) < ladder->count)
        return refuse(refusal, LADDER_REFUSAL_TWICE, "This entry is already on the ladder.");
    if (ladder->count == LADDER_ENTRIES_MAX)
        return refuse(refusal, LADDER_REFUSAL_FULL, "The ladder is full.");
    ladder->rung[ladder->count++] =
        (struct ladder_rung){.entry = entry, .open = LADDER_NOBODY, .last = LADDER_NOBODY};
    return true;
}

bool ladder_challenge(struct ladder *ladder, const struct ladder_rule *rule, uint16_t challenger,
                      uint16_t challenged, struct refusal *refusal)
{
    if (!ladder_may_challenge(ladder, rule, challenger, challenged, refusal))
        return false;
    struct ladder_rung *below = &ladder->rung[ladder_find(ladder, challenger)];
    below->open = challenged;
    below->challenger = true;
    ladder->rung[ladder_find(ladder, challenged)].open = challenger;
    return true;
}

bool ladder_end(struct ladder *ladder, const struct ladder_rule *rule, uint16_t challenger,
                uint16_t challenged, bool won, struct refusal *refusal)
{
    size_t below = ladder_find(ladder, challenger), above = ladder_find(ladder, challenged);
    if (below == ladder->count || above == ladder->count ||
        ladder->rung[below].open != challenged || !ladder->rung[below].challenger)
        return refuse(refusal, LADDER_REFUSAL_NO_GAME, "There is no such challenge.");
    ladder->rung[below].open = ladder->rung[above].open = LADDER_NOBODY;
    ladder->rung[below].challenger = false;
    ladder->rung[below].last = challenged;
    ladder->rung[above].last = challenger;
    if (!won)
        return true;
    move_rung(ladder, below, above);
    if (rule->effect == LADDER_EXCHANGE)
        move_rung(ladder, above + 1, below);
    return true;
}
