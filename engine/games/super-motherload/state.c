/* Queries of a position that several files use. */
#include "engine/games/super-motherload/state.h"

#include <string.h>

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

static unsigned motherload_discard_size(const struct motherload_state *state, unsigned seat)
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

const struct motherload_feature *motherload_feature_of(const struct motherload_components *set,
                                                       const struct motherload_state *state,
                                                       unsigned seat, unsigned card)
{
    return &set->decks[state->deck[seat]].feature[card];
}

uint32_t motherload_due(const struct motherload_components *set,
                        const struct motherload_state *state)
{
    uint32_t due = 0;
    for (unsigned color = 0; color < COLORS; color++)
        due |= (uint32_t)motherload_is_due(set, state, color) << color;
    return due;
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

/* Rulebook, Adding a Game Board: two players skip depth 3. */
unsigned motherload_next_depth(const struct motherload_components *set,
                               const struct motherload_state *state)
{
    unsigned depth = set->boards[state->board[state->boards - 1]].depth;
    if (depth == DEPTHS)
        return 0;
    return depth == 2 && state->seats == 2 ? DEPTHS : depth + 1;
}

void motherload_note(struct motherload_state *state, enum note_kind kind, unsigned a, unsigned b)
{
    if (state->notes < NOTES_MAX)
        state->note[state->notes++] = (struct note){(uint8_t)kind, (uint8_t)a, (uint8_t)b};
}

/* ---- Words for decision points, as views and worked cases write them ---- */

const char *motherload_point_name(unsigned point)
{
    static const char *const names[] = {
        [AT_SIDE_1] = "side-1", [AT_DECK] = "deck", [AT_MAIN] = "main", [AT_SWAP] = "swap",
        [AT_PLACE] = "place",   [AT_PUT] = "put",   [AT_SIDE] = "side", [AT_BUY] = "buy",
        [AT_COPY] = "copy",     [AT_TRIM] = "trim", [AT_OVER] = "over"};
    assert(point <= AT_OVER);
    return names[point];
}

/* ---- The start of a game (rulebook, Setup) ----
 *
 * Seat 0 is the starting player; the seat to its right is the last one. What follows the choice of
 * the first board's side is in turn.c. */

void motherload_clear(struct motherload_state *state, unsigned seats)
{
    memset(state, 0, sizeof *state);
    state->seats = (uint8_t)seats;
    state->act.pattern = NONE;
    state->put_mineral = NONE;
    state->put_stack = NONE;
    state->bought_from = NONE;
    state->supply = BOMB_TOKENS;
    state->artifact_next = ARTIFACT_TILES;
    memset(state->board, NONE, sizeof state->board);
    memset(state->side, NONE, sizeof state->side);
    memset(state->majors, NONE, sizeof state->majors);
    memset(state->minors, NONE, sizeof state->minors);
    memset(state->deck, NONE, sizeof state->deck);
}

/* Ending the Game: victory points, and the breaking of ties. */

int32_t motherload_public_score(const struct motherload_components *set,
                                const struct motherload_state *state, unsigned seat)
{
    int32_t score = 0;
    for (unsigned color = 0; color < COLORS; color++)
        for (unsigned tier = 1; tier <= state->bought[seat][color]; tier++)
            score += set->cards[CARD(color, tier)].points;
    for (uint32_t claimed = state->claimed[seat]; claimed != 0; claimed &= claimed - 1)
        score += set->achievements[__builtin_ctz(claimed)].points;
    return score;
}

int32_t motherload_score(const struct motherload_components *set,
                         const struct motherload_state *state, unsigned seat)
{
    int32_t score = motherload_public_score(set, state, seat);
    for (unsigned artifact = 0; artifact < ARTIFACTS; artifact++)
        score += state->artifacts[seat][artifact] * set->artifacts[artifact].points;
    return score;
}

/* Among equal scores the later seat wins: the start player loses ties (ruling R38). */
void motherload_outcome(const struct game *game, const void *opaque, struct outcome *outcome)
{
    const struct motherload_state *state = opaque;
    const struct motherload_components *set = game->set;
    *outcome = (struct outcome){.seats = state->seats, .tie_breaks = 1};
    for (unsigned seat = 0; seat < state->seats; seat++) {
        outcome->score[seat] = motherload_score(set, state, seat);
        outcome->tie_break[seat][0] = (int32_t)seat;
    }
    outcome_rank(outcome);
}

/* ---- Achievements ----
 *
 * All twenty minors and ten majors ask for least numbers, so all of them are tested in one way. */

static uint8_t at_most_a_byte(unsigned number)
{
    return (uint8_t)(number < UINT8_MAX ? number : UINT8_MAX);
}

static void measure_stacks(const struct motherload_state *state, uint8_t have[static MEASURES])
{
    const uint8_t(*stack)[MINERALS] = state->minerals[state->active];
    for (unsigned mineral = 0; mineral < MINERALS; mineral++)
        have[MEASURE_STOCK + mineral] =
            at_most_a_byte(0u + stack[RED][mineral] + stack[BLUE][mineral] +
                           stack[YELLOW][mineral] + stack[WILD][mineral]);
    for (unsigned color = 0; color < COLORS; color++)
        have[MEASURE_STACKS] =
            (uint8_t)(have[MEASURE_STACKS] + (motherload_tiles(stack[color]) > 0));
}

/* What the active seat has of all that goals ask for. */
static void measure(const struct motherload_state *state, uint8_t have[static MEASURES])
{
    const struct motherload_act *act = &state->act;
    memset(have, 0, MEASURES);
    have[MEASURE_DRILL] = act->kind == ACT_DRILL;
    have[MEASURE_BOMB] = act->kind == ACT_BOMB;
    have[MEASURE_EITHER] = act->kind != ACT_NONE;
    have[MEASURE_WILD_CARDS_ONLY] = act->wild_cards_only;
    have[MEASURE_LENGTH] = act->length;
    have[MEASURE_ROCK] = act->rock;
    have[MEASURE_STEEL] = act->steel;
    have[MEASURE_BOARDS] = act->boards;
    have[MEASURE_KINDS] = act->kinds;
    have[MEASURE_VALUE] = act->value;
    have[MEASURE_TILES] = act->tiles;
    have[MEASURE_FINDS] = act->finds;
    measure_stacks(state, have);
    have[MEASURE_BOMBS] = state->bombs[state->active];
    have[MEASURE_BUYS] = state->buys;
    have[MEASURE_ACTIONS] = state->taken;
    have[MEASURE_EXACT] = state->exact;
    memcpy(have + MEASURE_BOUGHT, state->bought[state->active], COLORS);
}

/* Bit `achievement` if there is one and its goal is met. */
static uint32_t mark_if_met(const struct motherload_components *set, uint8_t achievement,
                            const uint8_t have[static MEASURES])
{
    if (achievement == NONE)
        return 0;
    const uint8_t *least = set->achievements[achievement].least;
    uint8_t missing = 0; /* a byte, as those compared are */
    for (unsigned i = 0; i < MEASURES; i++)
        missing = (uint8_t)(missing | (have[i] < least[i]));
    return (uint32_t)(missing == 0) << achievement;
}

void motherload_mark(const struct motherload_components *set, struct motherload_state *state)
{
    uint8_t have[MEASURES];
    measure(state, have);
    for (unsigned slot = 0; slot < SLOTS; slot++)
        state->open |= mark_if_met(set, state->minors[slot], have) |
                       mark_if_met(set, state->majors[slot], have);
}
