/* The automatic steps: settling wishes, refilling the dispenser, passing the turn. */
#include <string.h>

#include "engine/game/told.h"
#include "engine/games/superstore-3000/rules.h"
#include "engine/games/superstore-3000/wishes.h"

uint8_t superstore_reveal(const struct superstore_components *set, struct superstore_state *state,
                          const struct chance *chance)
{
    told_draw_here(chance, "supply", state->supply + state->supply_next,
                   (size_t)(state->supply_end - state->supply_next), NAMES(set->pieces, PIECES));
    return state->supply[state->supply_next++];
}

/* Rulebook, Common Zone: the two columns are filled alternately, from the bottom up. */
uint8_t superstore_take(struct superstore_state *state, unsigned column, unsigned row)
{
    uint8_t *tiles = state->dispenser[column];
    assert(row < state->height[column]);
    uint8_t piece = tiles[row];
    unsigned top = --state->height[column];
    memmove(tiles + row, tiles + row + 1, top - row);
    tiles[top] = 0;
    state->refill = (uint8_t)column;
    return piece;
}

void superstore_trigger_end(struct superstore_state *state, bool supply)
{
    if (state->last_round)
        return;
    state->last_round = 1;
    superstore_note(state, STEP_LAST_ROUND, supply, 0, 0);
}

static void fill_up(const struct superstore_components *set, struct superstore_state *state,
                    const struct chance *chance)
{
    unsigned column = state->refill;
    state->refill = NONE;
    if (column == NONE || state->supply_next == state->supply_end)
        return;
    uint8_t piece = superstore_reveal(set, state, chance);
    state->dispenser[column][state->height[column]++] = piece;
    superstore_note(state, STEP_REFILLED, column, piece, 0);
    if (state->supply_next == state->supply_end)
        superstore_trigger_end(state, true);
}

/* Rulebook, Game End: the round is completed. */
static void pass_turn(struct superstore_state *state)
{
    state->active = (uint8_t)((state->active + 1) % state->seats);
    bool over = state->last_round && state->active == state->first;
    state->point = over ? AT_OVER : AT_ACT;
    superstore_note(state, over ? STEP_OVER : STEP_TURN, state->active, 0, 0);
}

/* True if the customer has a single possible store that no other customer wants. */
static bool is_forced(const struct superstore_wishes *open, unsigned i)
{
    uint32_t stores = open->wish[i].stores;
    if ((stores & (stores - 1)) != 0)
        return false;
    for (unsigned j = 0; j < open->count; j++)
        if (j != i && (open->wish[j].stores & stores) != 0)
            return false;
    return true;
}

/* Serves all customers without a choice; groups are independent, so one pass finds them. Returns
 * how many wishes remain. */
static unsigned serve_forced(struct superstore_state *state, struct superstore_mall *mall,
                             const struct superstore_wishes *open)
{
    unsigned left = open->count;
    for (unsigned i = 0; i < open->count; i++) {
        const struct superstore_wish *wish = &open->wish[i];
        if (!is_forced(open, i))
            continue;
        unsigned store = superstore_lowest(wish->stores);
        superstore_lie_down(mall, wish, store);
        superstore_note(state, STEP_SERVED, wish->tile, wish->slot, store);
        left--;
    }
    return left;
}

void superstore_end_turn(const struct superstore_components *set, struct superstore_state *state,
                         const struct chance *chance)
{
    fill_up(set, state, chance);
    pass_turn(state);
}

void superstore_settle(const struct superstore_components *set, struct superstore_state *state,
                       bool added, const struct chance *chance)
{
    struct superstore_mall *mall = &state->mall[state->active];
    struct superstore_wishes open;
    if (added)
        superstore_find_new_wishes(set, mall, &open);
    else
        superstore_find_wishes(set, mall, &open);
    if (serve_forced(state, mall, &open) > 0) {
        state->point = AT_SERVE;
        superstore_note(state, STEP_CHOICE, 0, 0, 0);
        return;
    }
    superstore_end_turn(set, state, chance);
}
