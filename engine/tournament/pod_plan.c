#include "engine/tournament/pod_plan.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static void lay_slots(struct pod_plan *plan, const struct table_sizes *sizes)
{
    uint16_t slot = 0, table = 0;
    for (unsigned size = TOURNAMENT_SEATS_MAX; size >= TABLE_SIZE_MIN; size--)
        for (unsigned n = 0; n < sizes->tables[size]; n++, table++) {
            plan->first[table] = slot;
            for (unsigned seat = 0; seat < size; seat++)
                plan->table[slot++] = table;
        }
    plan->tables = table;
    plan->first[table] = slot;
    while (slot < plan->players)
        plan->table[slot++] = table;
    plan->first[table + 1] = slot;
    assert(plan->first[table] + sizes->byes == plan->players);
}

bool pod_plan_init(struct pod_plan *plan, unsigned players, unsigned rounds, unsigned preferred,
                   const struct table_sizes *sizes)
{
    assert(players >= 2 && players <= POD_PLAN_PLAYERS_MAX);
    *plan = (struct pod_plan){.players = players, .rounds = rounds, .preferred = preferred};
    lay_slots(plan, sizes);
    plan->player = calloc((size_t)players * rounds, sizeof *plan->player);
    if (plan->player == NULL)
        return false;
    for (size_t i = 0; i < (size_t)players * rounds; i++)
        plan->player[i] = (uint16_t)(i % players);
    return true;
}

void pod_plan_free(struct pod_plan *plan)
{
    free(plan->player);
    *plan = (struct pod_plan){0};
}

uint16_t *pod_plan_round(const struct pod_plan *plan, unsigned round)
{
    return plan->player + (size_t)round * plan->players;
}

void pod_plan_count(const struct pod_plan *plan, uint8_t *met)
{
    memset(met, 0, (size_t)plan->players * plan->players);
    for (unsigned round = 0; round < plan->rounds; round++) {
        const uint16_t *row = pod_plan_round(plan, round);
        for (unsigned i = 0; i < plan->first[plan->tables]; i++)
            for (unsigned j = plan->first[plan->table[i]]; j < i; j++) {
                met[(size_t)row[i] * plan->players + row[j]]++;
                met[(size_t)row[j] * plan->players + row[i]]++;
            }
    }
}

int64_t pod_plan_repeats(const struct pod_plan *plan, uint8_t *met)
{
    int64_t twice = 0;
    pod_plan_count(plan, met);
    for (size_t i = 0; i < (size_t)plan->players * plan->players; i++)
        twice += met[i] * (met[i] - 1) / 2;
    return twice / 2;
}

int64_t pod_plan_unfairness(const struct pod_plan *plan)
{
    unsigned byes[POD_PLAN_PLAYERS_MAX] = {0}, others[POD_PLAN_PLAYERS_MAX] = {0};
    int64_t cost = 0;
    for (unsigned round = 0; round < plan->rounds; round++)
        for (unsigned slot = 0; slot < plan->players; slot++) {
            unsigned table = plan->table[slot], player = pod_plan_round(plan, round)[slot];
            unsigned size = (unsigned)(plan->first[table + 1] - plan->first[table]);
            byes[player] += table == plan->tables;
            others[player] += table < plan->tables && size != plan->preferred;
        }
    for (unsigned player = 0; player < plan->players; player++)
        cost += (int64_t)POD_PLAN_BYE * byes[player] * byes[player] +
                (int64_t)others[player] * others[player];
    return cost;
}
