/* Queries of a position that several files use. */
#include "engine/games/superstore-3000/state.h"

uint8_t superstore_all_customers(const struct superstore_components *set, uint8_t piece)
{
    return (uint8_t)((1u << set->pieces[piece].wish_count) - 1);
}

void superstore_set_customers(struct superstore_mall *mall, unsigned i, uint8_t customers)
{
    const uint32_t own = UINT32_C(1) << i;
    struct superstore_sets *sets = &mall->sets;
    mall->customers[i] = customers;
    if (superstore_is_store(mall->piece[i]))
        sets->satisfied = customers != 0 ? sets->satisfied | own : sets->satisfied & ~own;
    else
        sets->waiting = customers != 0 ? sets->waiting | own : sets->waiting & ~own;
}

uint8_t superstore_tile_at(const struct superstore_mall *mall, uint8_t column, uint8_t floor)
{
    const uint32_t there = bytes_equal(mall->column, column) & bytes_equal(mall->floor, floor);
    return there == 0 || floor == 0 ? NONE : (uint8_t)superstore_lowest(there);
}

unsigned superstore_satisfied(const struct superstore_mall *mall)
{
    return bytes_count(mall->sets.satisfied);
}

bool superstore_has_night_club(const struct superstore_mall *mall)
{
    return superstore_tiles_of(mall, FIRST_ATTRACTION) != 0;
}

bool superstore_has_dock(const struct superstore_components *set,
                         const struct superstore_mall *mall, unsigned colour)
{
    for (uint32_t rest = superstore_docks(mall); rest != 0; rest &= rest - 1)
        if (set->docks[mall->piece[superstore_lowest(rest)] - FIRST_DOCK].colour == colour)
            return true;
    return false;
}

unsigned superstore_full_sets(const struct superstore_mall *mall)
{
    unsigned least = TILES_MAX;
    for (unsigned category = 0; category < CATEGORIES; category++) {
        const unsigned count = bytes_count(mall->sets.elements[category]);
        least = count < least ? count : least;
    }
    return least;
}

bool superstore_may_dock(const struct superstore_components *set,
                         const struct superstore_mall *mall, unsigned colour)
{
    return superstore_full_sets(mall) >= set->dock_requirement[colour];
}

uint8_t superstore_find_common(const struct superstore_state *state, unsigned attraction)
{
    for (uint8_t i = 0; i < state->common_count; i++)
        if (state->common[i].attraction == attraction)
            return i;
    return NONE;
}

unsigned superstore_commons_left(const struct superstore_state *state)
{
    unsigned left = 0;
    for (unsigned i = 0; i < state->common_count; i++)
        left += !state->common[i].built;
    return left;
}

const struct superstore_condition *superstore_condition_of(const struct superstore_components *set,
                                                           const struct superstore_state *state,
                                                           const struct superstore_mall *mall,
                                                           unsigned attraction)
{
    if (attraction == 0)
        return &set->cards[mall->card].condition;
    const struct superstore_common *common =
        &state->common[superstore_find_common(state, attraction)];
    return &set->attractions[attraction].side[common->side];
}

void superstore_note(struct superstore_state *state, enum step_kind kind, unsigned a, unsigned b,
                     unsigned c)
{
    assert(state->steps < STEPS_MAX);
    state->step[state->steps++] =
        (struct superstore_step){(uint8_t)kind, (uint8_t)a, (uint8_t)b, (uint8_t)c};
}
