/* Questions about a position that several rooms ask. */
#include "engine/games/super-motherload/state.h"

void motherload_add_space(struct text *text, unsigned space)
{
    text_add_char(text, (char)('1' + space / BOARD_SPACES));
    text_add_char(text, (char)('a' + space % COLUMNS));
    text_add_char(text, (char)('1' + space % BOARD_SPACES / COLUMNS));
}

static unsigned total(const uint8_t *counts, unsigned length)
{
    unsigned sum = 0;
    for (unsigned i = 0; i < length; i++)
        sum += counts[i];
    return sum;
}

unsigned motherload_hand_size(const struct motherload_state *state, unsigned seat)
{
    return total(state->hand[seat], CARDS);
}

unsigned motherload_discard_size(const struct motherload_state *state, unsigned seat)
{
    return total(state->discard[seat], CARDS);
}

unsigned motherload_pile_size(const struct motherload_state *state, unsigned seat)
{
    return (unsigned)(state->pile_end[seat] - state->pile_next[seat]);
}

unsigned motherload_artifacts_held(const struct motherload_state *state, unsigned seat)
{
    return total(state->artifacts[seat], ARTIFACTS);
}

bool motherload_can_draw(const struct motherload_state *state, unsigned seat)
{
    return motherload_pile_size(state, seat) > 0 || motherload_discard_size(state, seat) > 0;
}

const struct motherload_feature *motherload_feature_of(const struct motherload_state *state,
                                                       unsigned seat, unsigned card)
{
    return &motherload_decks[state->deck[seat]].feature[card];
}

uint8_t motherload_top_card(const struct motherload_state *state, unsigned seat, unsigned color)
{
    assert(motherload_stack_left(state, seat, color));
    return CARD(color, state->bought[seat][color] + 1u);
}

bool motherload_stack_left(const struct motherload_state *state, unsigned seat, unsigned color)
{
    return state->bought[seat][color] < STACK_CARDS;
}

unsigned motherload_stack_value(const struct motherload_state *state, unsigned seat, unsigned color)
{
    unsigned value = 0;
    for (unsigned mineral = 0; mineral < MINERALS; mineral++)
        value +=
            (unsigned)state->minerals[seat][color][mineral] * motherload_minerals[mineral].value;
    return value;
}

bool motherload_is_due(const struct motherload_state *state, unsigned color)
{
    unsigned seat = state->active;
    return motherload_stack_left(state, seat, color) &&
           motherload_stack_value(state, seat, color) >=
               motherload_cards[motherload_top_card(state, seat, color)].cost;
}

bool motherload_has_mineral(const struct motherload_state *state, unsigned mineral)
{
    for (unsigned color = 0; color < COLORS; color++)
        if (state->minerals[state->active][color][mineral] > 0)
            return true;
    return false;
}

unsigned motherload_tiles(const uint8_t minerals[static MINERALS])
{
    return total(minerals, MINERALS);
}

uint8_t motherload_dearest(const struct motherload_state *state)
{
    uint8_t mineral = MINERALS - 1;
    while (state->waiting[mineral] == 0) {
        assert(mineral > 0);
        mineral--;
    }
    return mineral;
}

bool motherload_puts_singly(const struct motherload_state *state)
{
    return (state->act.bonuses >> SPLIT & 1) != 0 && state->act.tiles > 1;
}

static uint32_t stacks_left(const struct motherload_state *state)
{
    uint32_t stacks = 0;
    for (unsigned color = 0; color < COLORS; color++)
        stacks |= (uint32_t)motherload_stack_left(state, state->active, color) << color;
    return stacks;
}

uint32_t motherload_put_stacks(const struct motherload_state *state)
{
    uint32_t stacks = stacks_left(state);
    if (state->put_mineral != NONE && state->put_mineral == motherload_dearest(state))
        stacks &= UINT32_MAX << state->put_stack;
    return stacks;
}

uint32_t motherload_copy_stacks(const struct motherload_state *state)
{
    return stacks_left(state) & ~(UINT32_C(1) << state->bought_from);
}

uint32_t motherload_face_up(const struct motherload_state *state)
{
    uint32_t face_up = 0;
    for (unsigned slot = 0; slot < SLOTS; slot++) {
        if (state->minors[slot] != NONE)
            face_up |= UINT32_C(1) << state->minors[slot];
        if (state->majors[slot] != NONE)
            face_up |= UINT32_C(1) << state->majors[slot];
    }
    return face_up;
}

uint32_t motherload_claimable(const struct motherload_state *state)
{
    static const uint32_t minors = (UINT32_C(1) << MINORS) - 1;
    uint32_t claimable = state->open & motherload_face_up(state);
    if (state->claimed_minor)
        claimable &= ~minors;
    if (state->claimed_major)
        claimable &= minors;
    return claimable;
}

uint32_t motherload_free_decks(const struct motherload_state *state)
{
    uint32_t decks = (1u << DECKS) - 1;
    for (unsigned seat = 0; seat < state->seats; seat++)
        if (state->deck[seat] != NONE)
            decks &= ~(UINT32_C(1) << state->deck[seat]);
    return decks;
}

/* Rulebook, Adding a Game Board: two players leave depth 3 out. */
unsigned motherload_next_depth(const struct motherload_state *state)
{
    unsigned depth = motherload_boards[state->board[state->boards - 1]].depth;
    if (depth == DEPTHS)
        return 0;
    return depth == 2 && state->seats == 2 ? DEPTHS : depth + 1;
}

void motherload_note(struct motherload_state *state, enum note_kind kind, unsigned a, unsigned b)
{
    if (state->notes < NOTES_MAX)
        state->note[state->notes++] = (struct note){(uint8_t)kind, (uint8_t)a, (uint8_t)b};
}
