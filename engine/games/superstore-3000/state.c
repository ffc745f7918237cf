/* Queries of a position that several files use. */
#include "engine/games/superstore-3000/state.h"

uint8_t superstore_all_customers(const struct superstore_components *set, uint8_t piece)
{
    return (uint8_t)((1u << set->pieces[piece].wish_count) - 1);
}

uint8_t superstore_tile_at(const struct superstore_mall *mall, uint8_t column, uint8_t floor)
{
    for (uint8_t i = 0; i < mall->tiles; i++)
        if (mall->tile[i].column == column && mall->tile[i].floor == floor)
            return i;
    return NONE;
}

unsigned superstore_satisfied(const struct superstore_mall *mall)
{
    unsigned count = 0;
    for (unsigned i = 0; i < mall->tiles; i++)
        count += superstore_is_satisfied(&mall->tile[i]);
    return count;
}

bool superstore_has_night_club(const struct superstore_mall *mall)
{
    for (unsigned i = 0; i < mall->tiles; i++)
        if (mall->tile[i].piece == FIRST_ATTRACTION)
            return true;
    return false;
}

bool superstore_has_dock(const struct superstore_components *set,
                         const struct superstore_mall *mall, unsigned colour)
{
    for (unsigned i = 0; i < mall->tiles; i++) {
        uint8_t piece = mall->tile[i].piece;
        if (superstore_is_dock(piece) && set->docks[piece - FIRST_DOCK].colour == colour)
            return true;
    }
    return false;
}

unsigned superstore_full_sets(const struct superstore_components *set,
                              const struct superstore_mall *mall)
{
    static const struct superstore_condition each = {
        .kind = COUNT_ELEMENTS, .category = EACH_CATEGORY, .min_floor = 1};
    return superstore_reached(set, mall, &each);
}

bool superstore_may_dock(const struct superstore_components *set,
                         const struct superstore_mall *mall, unsigned colour)
{
    return superstore_full_sets(set, mall) >= set->dock_requirement[colour];
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
