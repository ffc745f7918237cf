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

static bool join(struct ladder *ladder, uint16_t entry, struct refusal *refusal)
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

static void close_challenge(struct ladder *ladder, size_t rung)
{
    ladder->rung[rung].open = LADDER_NOBODY;
    ladder->rung[rung].challenger = false;
}

static bool leave(struct ladder *ladder, uint16_t entry, struct refusal *refusal)
{
    size_t rung = ladder_find(ladder, entry);
    if (rung == ladder->count)
        return refuse_absent(refusal);
    if (ladder->rung[rung].open != LADDER_NOBODY)
        close_challenge(ladder, ladder_find(ladder, ladder->rung[rung].open));
    move_rung(ladder, rung, ladder->count - 1);
    ladder->rung[--ladder->count] = (struct ladder_rung){0};
    return true;
}

static bool challenge(struct ladder *ladder, const struct ladder_rule *rule, const uint16_t *entry,
                      struct refusal *refusal)
{
    if (!ladder_may_challenge(ladder, rule, entry[0], entry[1], refusal))
        return false;
    struct ladder_rung *below = &ladder->rung[ladder_find(ladder, entry[0])];
    below->open = entry[1];
    below->challenger = true;
    ladder->rung[ladder_find(ladder, entry[1])].open = entry[0];
    return true;
}

/* Both rungs of an open challenge. */
static bool find_challenge(const struct ladder *ladder, const uint16_t *entry, size_t *below,
                           size_t *above, struct refusal *refusal)
{
    *below = ladder_find(ladder, entry[0]);
    *above = ladder_find(ladder, entry[1]);
    if (*below == ladder->count || *above == ladder->count ||
        ladder->rung[*below].open != entry[1] || !ladder->rung[*below].challenger)
        return refuse(refusal, LADDER_REFUSAL_NO_GAME, "There is no such challenge.");
    return true;
}

static bool cancel(struct ladder *ladder, const uint16_t *entry, struct refusal *refusal)
{
    size_t below, above;
    if (!find_challenge(ladder, entry, &below, &above, refusal))
        return false;
    close_challenge(ladder, below);
    close_challenge(ladder, above);
    return true;
}

static bool end_challenge(struct ladder *ladder, const struct ladder_rule *rule,
                          const struct ladder_event *event, struct refusal *refusal)
{
    size_t below, above;
    if (!find_challenge(ladder, event->entry, &below, &above, refusal))
        return false;
    close_challenge(ladder, below);
    close_challenge(ladder, above);
    ladder->rung[below].last = event->entry[1];
    ladder->rung[above].last = event->entry[0];
    if (event->rank[0] >= event->rank[1])
        return true;
    move_rung(ladder, below, above);
    if (rule->effect == LADDER_EXCHANGE)
        move_rung(ladder, above + 1, below);
    return true;
}

static bool check_pod(const struct ladder *ladder, const struct ladder_event *event,
                      struct refusal *refusal)
{
    for (unsigned i = 0; i < event->seats; i++) {
        size_t rung = ladder_find(ladder, event->entry[i]);
        if (rung == ladder->count)
            return refuse_absent(refusal);
        if (ladder->rung[rung].open != LADDER_NOBODY)
            return refuse(refusal, LADDER_REFUSAL_BUSY,
                          "An entry of the pod has an open challenge.");
        for (unsigned j = 0; j < i; j++)
            if (event->entry[j] == event->entry[i])
                return refuse(refusal, LADDER_REFUSAL_TWICE, "An entry sits at this pod twice.");
    }
    return true;
}

static bool play_pod(struct ladder *ladder, const struct ladder_event *event,
                     struct refusal *refusal)
{
    struct ladder_rung member[TOURNAMENT_SEATS_MAX];
    size_t rung[TOURNAMENT_SEATS_MAX], count = 0;
    uint8_t rank[TOURNAMENT_SEATS_MAX];
    if (!check_pod(ladder, event, refusal))
        return false;
    for (size_t i = 0; i < ladder->count; i++)
        for (unsigned seat = 0; seat < event->seats; seat++)
            if (ladder->rung[i].entry == event->entry[seat]) {
                member[count] = ladder->rung[i];
                rank[count] = event->rank[seat];
                rung[count++] = i;
            }
    size_t next = 0;
    for (uint8_t place = 1; place <= event->seats; place++)
        for (size_t i = 0; i < count; i++)
            if (rank[i] == place)
                ladder->rung[rung[next++]] = member[i];
    return true;
}

static bool event_valid(const struct ladder_event *event)
{
    unsigned ranks = event->kind == LADDER_POD ? event->seats : 0;
    if (event->kind == LADDER_RESULT)
        ranks = 2;
    if (event->kind > LADDER_POD ||
        (event->kind == LADDER_POD &&
         (event->seats < TABLE_SIZE_MIN || event->seats > TOURNAMENT_SEATS_MAX)))
        return false;
    for (unsigned i = 0; i < ranks; i++)
        if (event->rank[i] < 1 || event->rank[i] > ranks)
            return false;
    return true;
}

bool ladder_apply(struct ladder *ladder, const struct ladder_rule *rule,
                  const struct ladder_event *event, struct refusal *refusal)
{
    if (!event_valid(event))
        return refuse(refusal, LADDER_REFUSAL_EVENT, "An event of the ladder is malformed.");
    switch ((enum ladder_event_kind)event->kind) {
    case LADDER_JOIN:
        return join(ladder, event->entry[0], refusal);
    case LADDER_LEAVE:
        return leave(ladder, event->entry[0], refusal);
    case LADDER_CHALLENGE:
        return challenge(ladder, rule, event->entry, refusal);
    case LADDER_RESULT:
        return end_challenge(ladder, rule, event, refusal);
    case LADDER_CANCEL:
        return cancel(ladder, event->entry, refusal);
    case LADDER_POD:
        return play_pod(ladder, event, refusal);
    }
    return false;
}
