/* The automatic steps. Each step ends by setting the next point (see the drawing in state.h);
 * motherload_advance() runs them until a seat has to decide. A step is skipped as forced only if
 * public facts force it: the questions asked must not reveal what is hidden. */
#include "engine/games/super-motherload/turn.h"

#include <string.h>

#include "engine/games/super-motherload/piles.h"
#include "engine/games/super-motherload/rules.h"

static unsigned count_bits(uint32_t bits)
{
    unsigned count = 0;
    for (; bits != 0; bits &= bits - 1)
        count++;
    return count;
}

static unsigned lowest_bit(uint32_t bits)
{
    unsigned bit = 0;
    while ((bits >> bit & 1) == 0)
        bit++;
    return bit;
}

void motherload_open_table(const struct motherload_components *set, struct motherload_state *state,
                           unsigned side, const struct chance *chance)
{
    state->boards = 1;
    state->board[0] = (uint8_t)side;
    motherload_note(state, NOTE_BOARD, state->board[0], 0);
    motherload_shuffle_artifacts(set, state, chance);
    motherload_deal_achievements(set, state, chance);
    motherload_note(state, NOTE_ACHIEVEMENTS, 0, 0);
    state->supply = (uint8_t)(BOMB_TOKENS - OPENING_BOMBS * state->seats);
    memset(state->bombs, OPENING_BOMBS, state->seats);
    state->active = 0;
    state->point = AT_DECK;
    for (unsigned seat = 0; state->decks_by_seat && seat < state->seats; seat++)
        motherload_take_deck(state, seat);
}

void motherload_take_deck(struct motherload_state *state, unsigned deck)
{
    state->deck[state->active] = (uint8_t)deck;
    motherload_note(state, NOTE_DECK, state->active, deck);
    state->active++;
    if (state->active == state->seats)
        state->point = AT_DEAL;
}

static void start_turn(struct motherload_state *state, unsigned seat)
{
    state->active = (uint8_t)seat;
    state->point = AT_TURN_BEGIN;
}

static void deal(const struct motherload_components *set, struct motherload_state *state,
                 const struct chance *chance)
{
    for (unsigned seat = 0; seat < state->seats; seat++) {
        motherload_shuffle_starters(set, state, seat, chance);
        motherload_draw(set, state, seat, OPENING_HAND, chance);
    }
    start_turn(state, 0);
}

static void begin_turn(const struct motherload_components *set, struct motherload_state *state)
{
    motherload_note(state, NOTE_TURN, state->active, 0);
    state->left = ACTIONS_OF_A_TURN;
    state->taken = 0;
    state->buys = 0;
    state->exact = 0;
    state->claimed_minor = 0;
    state->claimed_major = 0;
    state->placed = 0;
    state->act = (struct motherload_act){.pattern = NONE};
    state->open = 0;
    motherload_mark(set, state);
    state->point = AT_SETTLE;
}

void motherload_begin_action(struct motherload_state *state)
{
    assert(state->left > 0);
    state->left--;
    state->taken++;
    state->open = 0;
    state->exact = 0;
    state->act = (struct motherload_act){.pattern = NONE};
}

/* Rulebook, Drill Bonuses; the order is ruling R9's. */
void motherload_grant_drill_bonuses(const struct motherload_components *set,
                                    struct motherload_state *state, const struct chance *chance)
{
    uint8_t bonuses = state->act.bonuses;
    if ((bonuses >> BOMB_TOKEN & 1) != 0)
        motherload_take_token(state);
    motherload_draw(set, state, state->active,
                    (bonuses >> DRAW_1 & 1u) + 2 * (bonuses >> DRAW_2 & 1u), chance);
    bool swap = (bonuses >> SWAP & 1) != 0 && state->minor_deck_count > 0;
    state->point = swap ? AT_SWAP : AT_PLACE;
}

/* Covers a space and returns what it yields. */
static motherload_yield cover(const struct motherload_components *set,
                              struct motherload_state *state, unsigned row, unsigned column)
{
    const struct motherload_board *board = motherload_board_of(set, state, row);
    assert((state->covered[row] >> column & 1) == 0);
    state->covered[row] |= (uint16_t)(1u << column);
    state->last[state->last_count++] = (uint16_t)SPACE((unsigned)board->depth, row % ROWS, column);
    return set->yields[(unsigned char)board->terrain[row % ROWS][column]] +
           set->yields[(unsigned char)board->content[row % ROWS][column]];
}

static motherload_yield cover_all(const struct motherload_components *set,
                                  struct motherload_state *state,
                                  const struct motherload_tunnel *tunnel)
{
    memset(state->last, 0, sizeof state->last);
    state->last_count = 0;
    unsigned boards = 0;
    motherload_yield yield = 0;
    for (unsigned i = 0; i < tunnel->count; i++) {
        assert(motherload_on_table(state, tunnel->row[i], tunnel->column[i]));
        unsigned row = (unsigned)tunnel->row[i];
        boards |= 1u << row / ROWS;
        yield += cover(set, state, row, (unsigned)tunnel->column[i]);
    }
    state->act.boards = (uint8_t)count_bits(boards);
    return yield;
}

/* Collects minerals; the rest is only counted. */
static void count_yield(struct motherload_state *state, motherload_yield yield)
{
    struct motherload_act *act = &state->act;
    act->rock = (uint8_t)motherload_yield_of(yield, YIELD_ROCK);
    act->steel = (uint8_t)motherload_yield_of(yield, YIELD_STEEL);
    act->finds = (uint8_t)motherload_yield_of(yield, YIELD_FINDS);
    act->tiles = (uint8_t)motherload_yield_of(yield, YIELD_TILES);
    act->value = (uint8_t)motherload_dollars_of(yield);
    act->kinds = 0;
    for (unsigned mineral = 0; mineral < MINERALS; mineral++) {
        state->waiting[mineral] = (uint8_t)motherload_yield_of(yield, YIELD_MINERAL + 4 * mineral);
        act->kinds = (uint8_t)(act->kinds + (state->waiting[mineral] > 0));
    }
}

static void note_minerals(struct motherload_state *state, const uint8_t minerals[static MINERALS])
{
    for (unsigned mineral = MINERALS; mineral-- > 0;)
        if (minerals[mineral] > 0)
            motherload_note(state, NOTE_MINERAL, mineral, minerals[mineral]);
}

static void lose_minerals(struct motherload_state *state)
{
    motherload_note(state, NOTE_LOST, 0, 0);
    note_minerals(state, state->waiting);
    memset(state->waiting, 0, sizeof state->waiting);
    state->point = AT_PUT_END;
}

void motherload_lay_tunnel(const struct motherload_components *set, struct motherload_state *state,
                           const struct motherload_tunnel *tunnel, const struct chance *chance)
{
    motherload_note(state, NOTE_TUNNEL, 0, 0);
    const motherload_yield yield = cover_all(set, state, tunnel);
    count_yield(state, yield);
    state->placed = 1;
    state->idle = 0;
    for (unsigned i = 0; i < motherload_yield_of(yield, YIELD_TOKENS); i++)
        motherload_take_token(state);
    for (unsigned i = 0; i < state->act.finds; i++)
        motherload_take_artifact(state);
    motherload_draw(set, state, state->active, motherload_cards_of(yield), chance);
    state->put_mineral = NONE;
    state->put_stack = NONE;
    state->point = state->act.tiles > 0 ? AT_PUT : AT_PUT_END;
    if (state->act.tiles > 0 && motherload_put_stacks(state) == 0)
        lose_minerals(state);
}

void motherload_put(struct motherload_state *state, unsigned color)
{
    uint8_t *stack = state->minerals[state->active][color];
    uint8_t put[MINERALS] = {0};
    uint8_t dearest = motherload_dearest(state);
    if (motherload_puts_singly(state))
        put[dearest] = 1;
    else
        memcpy(put, state->waiting, sizeof put);
    for (unsigned mineral = 0; mineral < MINERALS; mineral++) {
        stack[mineral] = (uint8_t)(stack[mineral] + put[mineral]);
        state->waiting[mineral] = (uint8_t)(state->waiting[mineral] - put[mineral]);
    }
    motherload_note(state, NOTE_PUT, color, 0);
    note_minerals(state, put);
    state->put_mineral = dearest;
    state->put_stack = (uint8_t)color;
    if (motherload_tiles(state->waiting) > 0)
        return;
    state->put_mineral = NONE;
    state->put_stack = NONE;
    state->point = AT_PUT_END;
}

static void remove_upper_board(struct motherload_state *state)
{
    motherload_note(state, NOTE_BOARD_GONE, state->board[0], 0);
    memmove(state->covered, state->covered + ROWS, ROWS * sizeof state->covered[0]);
    memset(state->covered + ROWS, 0, ROWS * sizeof state->covered[0]);
    state->board[0] = state->board[1];
    state->board[1] = NONE;
    state->boards = 1;
}

void motherload_add_board(const struct motherload_components *set, struct motherload_state *state,
                          unsigned side)
{
    unsigned depth = motherload_next_depth(set, state);
    assert(depth > 0);
    if (state->boards == TABLE_BOARDS)
        remove_upper_board(state);
    state->board[state->boards++] = (uint8_t)(2 * (depth - 1) + side);
    motherload_note(state, NOTE_BOARD, state->board[state->boards - 1], 0);
    state->point = AT_SETTLE;
}

static bool all_found(const struct motherload_components *set, const struct motherload_state *state)
{
    unsigned lowest = state->boards - 1u;
    const struct motherload_board *board = &set->boards[state->board[lowest]];
    for (unsigned row = 0; row < ROWS; row++)
        if ((board->artifact[row] & ~state->covered[lowest * ROWS + row]) != 0)
            return false;
    return true;
}

static void end_put(const struct motherload_components *set, struct motherload_state *state,
                    const struct chance *chance)
{
    motherload_mark(set, state);
    state->point = AT_SETTLE;
    if (state->ending || !all_found(set, state))
        return;
    unsigned depth = motherload_next_depth(set, state);
    if (depth == 0) {
        state->ending = 1;
        motherload_note(state, NOTE_ENDING, 0, 0);
    } else if (state->sides_drawn) {
        motherload_add_board(set, state, motherload_turn_board(state, depth, chance));
    } else {
        state->point = AT_SIDE;
    }
}

static void buy_bonus(const struct motherload_components *set, struct motherload_state *state,
                      uint8_t bonus, const struct chance *chance)
{
    if (bonus == BUY_EXTRA_ACTION) {
        state->left++;
        motherload_note(state, NOTE_EXTRA_ACTION, 0, 0);
    } else if (bonus == BUY_BOMB) {
        motherload_take_token(state);
    } else if (bonus == BUY_DRAW_1 || bonus == BUY_DRAW_2) {
        motherload_draw(set, state, state->active, bonus == BUY_DRAW_1 ? 1 : 2, chance);
    }
}

static bool any_mineral(const struct motherload_state *state)
{
    for (unsigned color = 0; color < COLORS; color++)
        if (motherload_tiles(state->minerals[state->active][color]) > 0)
            return true;
    return false;
}

void motherload_buy(const struct motherload_components *set, struct motherload_state *state,
                    unsigned color, bool recruit, const struct chance *chance)
{
    unsigned seat = state->active;
    uint8_t card = motherload_top_card(state, seat, color);
    uint8_t bonus = motherload_feature_of(set, state, seat, card)->buy;
    if (motherload_stack_value(set, state, seat, color) == set->cards[card].cost)
        state->exact = 1;
    memset(state->minerals[seat][color], 0, MINERALS);
    state->bought[seat][color]++;
    state->buys++;
    if (recruit)
        state->artifacts[seat][RECRUIT]--;
    bool to_hand = recruit || bonus == BUY_TO_HAND;
    (to_hand ? state->hand : state->discard)[seat][card]++;
    if (to_hand)
        motherload_recall_taken(state, seat, card);
    motherload_note(state, NOTE_BOUGHT, card, recruit ? 2 : to_hand);
    buy_bonus(set, state, bonus, chance);
    motherload_mark(set, state);
    state->point = AT_SETTLE;
    if (bonus != BUY_COPY || !any_mineral(state))
        return;
    state->bought_from = (uint8_t)color;
    if (motherload_copy_stacks(state) != 0)
        state->point = AT_COPY;
    else
        state->bought_from = NONE;
}

void motherload_copy(const struct motherload_components *set, struct motherload_state *state,
                     unsigned mineral, unsigned color)
{
    state->minerals[state->active][color][mineral]++;
    state->bought_from = NONE;
    motherload_note(state, NOTE_COPIED, mineral, color);
    motherload_mark(set, state);
    state->point = AT_SETTLE;
}

/* Whether a seat holds artifacts is public; which ones is not. */
static void settle(const struct motherload_components *set, struct motherload_state *state,
                   const struct chance *chance)
{
    bool artifacts = motherload_artifacts_held(state, state->active) > 0;
    const uint32_t due = motherload_due(set, state);
    if (due != 0 && (artifacts || count_bits(due) > 1))
        state->point = AT_BUY;
    else if (due != 0)
        motherload_buy(set, state, lowest_bit(due), false, chance);
    else if (state->left == 0 && !artifacts && motherload_claimable(state) == 0)
        state->point = AT_TURN_END;
    else
        state->point = AT_MAIN;
}

static void end_turn(struct motherload_state *state)
{
    bool trim = !state->ending && motherload_hand_size(state, state->active) > HAND_LIMIT;
    state->point = trim ? AT_TRIM : AT_NEXT_TURN;
}

static void next_turn(struct motherload_state *state)
{
    motherload_note(state, NOTE_TURN_END, state->active, 0);
    if (!state->placed)
        state->idle++;
    if (state->ending || state->idle >= IDLE_TURNS * state->seats) {
        state->point = AT_OVER;
        motherload_note(state, NOTE_OVER, 0, 0);
        return;
    }
    start_turn(state, (state->active + 1u) % state->seats);
}

/* Lays the tunnel if it has only one possible place. */
static bool place_if_forced(const struct motherload_components *set, struct motherload_state *state,
                            const struct chance *chance)
{
    struct motherload_tunnel tunnel;
    if (!motherload_only_place(set, state, &state->act, &tunnel))
        return false;
    motherload_lay_tunnel(set, state, &tunnel, chance);
    return true;
}

static bool put_if_forced(struct motherload_state *state)
{
    uint32_t stacks = motherload_put_stacks(state);
    if (count_bits(stacks) != 1)
        return false;
    motherload_put(state, lowest_bit(stacks));
    return true;
}

static bool copy_if_forced(const struct motherload_components *set, struct motherload_state *state)
{
    uint32_t stacks = motherload_copy_stacks(state);
    uint32_t kinds = 0;
    for (unsigned mineral = 0; mineral < MINERALS; mineral++)
        kinds |= (uint32_t)motherload_has_mineral(state, mineral) << mineral;
    if (count_bits(stacks) != 1 || count_bits(kinds) != 1)
        return false;
    motherload_copy(set, state, lowest_bit(kinds), lowest_bit(stacks));
    return true;
}

static bool take_deck_if_forced(struct motherload_state *state)
{
    uint32_t decks = motherload_free_decks(state);
    if (count_bits(decks) != 1)
        return false;
    motherload_take_deck(state, lowest_bit(decks));
    return true;
}

/* One step; false when a decision is reached. */
static bool step(const struct motherload_components *set, struct motherload_state *state,
                 const struct chance *chance)
{
    switch ((enum point)state->point) {
    case AT_DECK:
        return take_deck_if_forced(state);
    case AT_PLACE:
        return place_if_forced(set, state, chance);
    case AT_PUT:
        return put_if_forced(state);
    case AT_COPY:
        return copy_if_forced(set, state);
    case AT_DEAL:
        deal(set, state, chance);
        return true;
    case AT_TURN_BEGIN:
        begin_turn(set, state);
        return true;
    case AT_PUT_END:
        end_put(set, state, chance);
        return true;
    case AT_SETTLE:
        settle(set, state, chance);
        return true;
    case AT_TURN_END:
        end_turn(state);
        return true;
    case AT_NEXT_TURN:
        next_turn(state);
        return true;
    case AT_SIDE_1:
    case AT_MAIN:
    case AT_SWAP:
    case AT_SIDE:
    case AT_BUY:
    case AT_TRIM:
    case AT_OVER:
        return false;
    }
    return false;
}

void motherload_advance(const struct motherload_components *set, struct motherload_state *state,
                        const struct chance *chance)
{
    bool more = true;
    while (more)
        more = step(set, state, chance);
}

/* The start of a game. */
void motherload_setup(const struct game *game, void *opaque, unsigned seats,
                      const struct game_options *options, const struct chance *chance)
{
    struct motherload_state *state = opaque;
    const struct motherload_components *set = game->set;
    motherload_clear(state, seats);
    state->decks_by_seat = options->value[OPTION_DECKS];
    state->sides_drawn = options->value[OPTION_SIDES];
    state->point = AT_SIDE_1;
    state->active = (uint8_t)(seats - 1);
    if (state->sides_drawn) {
        motherload_draw_sides(state, chance);
        motherload_open_table(set, state, motherload_turn_board(state, 1, chance), chance);
    }
    motherload_advance(set, state, chance);
}
