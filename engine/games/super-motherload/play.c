/* Checks and applies a ply. A move is read, then its conditions are tested in the order of the
 * rules, and the first broken one is the answer; only then is anything changed. */
#include "engine/games/super-motherload/piles.h"
#include "engine/games/super-motherload/rules.h"
#include "engine/games/super-motherload/turn.h"

#include <string.h>

static const struct refusal game_over = {REFUSAL_GAME_OVER, "The game is over."};
static const struct refusal not_your_turn = {REFUSAL_NOT_YOUR_TURN,
                                             "Another seat has to decide now."};
static const struct refusal wrong_moment = {"wrong-moment",
                                            "This kind of move is not possible now."};
static const struct refusal deck_taken = {"deck-taken", "That deck is taken."};
static const struct refusal no_action_left = {"no-action-left", "You have no action left."};
static const struct refusal nothing_to_draw = {"nothing-to-draw", "You have no cards to draw."};
static const struct refusal card_not_in_hand = {"card-not-in-hand", "You do not hold these cards."};
static const struct refusal color_mismatch = {"color-mismatch",
                                              "All cards must be of the declared color or wild."};
static const struct refusal no_place = {"no-place", "There is no room for this on the board."};
static const struct refusal no_bomb_token = {"no-bomb-token", "You have no bomb token."};
static const struct refusal no_pattern = {"no-pattern", "This card has no bomb pattern."};
static const struct refusal no_artifact = {"no-artifact", "You do not hold this artifact."};
static const struct refusal nothing_to_gain = {"nothing-to-gain", "This would change nothing."};
static const struct refusal stack_empty = {"stack-empty", "That stack has no card left."};
static const struct refusal no_such_mineral = {"no-such-mineral",
                                               "None of your stacks holds this mineral."};
static const struct refusal not_face_up = {"not-face-up", "This achievement is not face up."};
static const struct refusal claim_limit = {"claim-limit", "One minor and one major a turn."};
static const struct refusal goal_not_met = {"goal-not-met", "Its goal is not met."};
static const struct refusal bad_orientation = {"bad-orientation", "Wrong or missing orientation."};
static const struct refusal not_in_play = {"not-in-play", "That board is not on the table."};
static const struct refusal off_board = {"off-board", "The tunnel would leave the boards."};
static const struct refusal already_covered = {"covered", "A tunnel already lies there."};
static const struct refusal is_rock = {"rock", "Rock cannot be drilled."};
static const struct refusal is_steel = {"steel",
                                        "Steel needs drills of its color and cannot be bombed."};
static const struct refusal not_connected = {"not-connected",
                                             "It must touch a tunnel or the surface."};
static const struct refusal put_order = {"put-order",
                                         "Equal minerals go in the order red, blue, yellow, wild."};
static const struct refusal not_due = {"not-due", "This stack does not hold the cost."};
static const struct refusal goes_to_hand = {"goes-to-hand", "This card goes to your hand anyway."};
static const struct refusal same_stack = {"same-stack", "Not on the stack you bought from."};

/* The result of a check: the refusal, or NULL if the move is legal. */
typedef const struct refusal *check_result;

static check_result check_nothing(const struct motherload_components *set,
                                  const struct motherload_state *state,
                                  const struct motherload_move *move)
{
    (void)set;
    (void)state;
    (void)move;
    return NULL;
}

static check_result check_deck(const struct motherload_components *set,
                               const struct motherload_state *state,
                               const struct motherload_move *move)
{
    (void)set;
    return (motherload_free_decks(state) >> move->deck & 1) != 0 ? NULL : &deck_taken;
}

static check_result check_draw(const struct motherload_components *set,
                               const struct motherload_state *state,
                               const struct motherload_move *move)
{
    (void)set;
    (void)move;
    if (state->left == 0)
        return &no_action_left;
    return motherload_can_draw(state, state->active) ? NULL : &nothing_to_draw;
}

static bool holds_cards(const struct motherload_state *state, const uint8_t cards[static CARDS])
{
    const uint8_t *hand = state->hand[state->active];
    uint8_t missing = 0; /* a byte, as those compared are */
    for (unsigned card = 0; card < CARDS; card++)
        missing = (uint8_t)(missing | (hand[card] < cards[card]));
    return missing == 0;
}

static bool colors_match(const struct motherload_move *move)
{
    uint8_t others[CARDS];
    memcpy(others, move->cards, sizeof others);
    memset(others + CARD(move->color, 0), 0, TIERS);
    memset(others + CARD(WILD, 0), 0, TIERS);
    uint8_t any = 0;
    for (unsigned card = 0; card < CARDS; card++)
        any |= others[card];
    return any == 0;
}

/* Cards that a drill of this color can play, `i` from 0, in canonical order. */
enum { DRILL_CARDS = 2 * TIERS };

static unsigned drill_card(unsigned color, unsigned i)
{
    return i < TIERS ? CARD(color, i) : CARD(WILD, i - TIERS);
}

/* The act of a drill with these cards, which are in hand. */
static struct motherload_act drill_act(const struct motherload_components *set,
                                       const struct motherload_state *state,
                                       const struct motherload_move *move)
{
    struct motherload_act act = {
        .kind = ACT_DRILL, .color = move->color, .pattern = NONE, .wild_cards_only = true};
    for (unsigned i = 0; i < DRILL_CARDS; i++) {
        const unsigned card = drill_card(move->color, i);
        if (move->cards[card] == 0)
            continue;
        uint8_t bonus = motherload_feature_of(set, state, state->active, card)->drill;
        act.length = (uint8_t)(act.length + move->cards[card] * set->cards[card].icons);
        act.bonuses |= (uint8_t)(bonus == NONE ? 0 : 1u << bonus);
        act.wild_cards_only = act.wild_cards_only && COLOR_OF(card) == WILD;
    }
    return act;
}

static check_result check_drill(const struct motherload_components *set,
                                const struct motherload_state *state,
                                const struct motherload_move *move)
{
    if (state->left == 0)
        return &no_action_left;
    if (!holds_cards(state, move->cards))
        return &card_not_in_hand;
    if (!colors_match(move))
        return &color_mismatch;
    struct motherload_act act = drill_act(set, state, move);
    struct motherload_ground ground;
    motherload_survey(set, state, &act, &ground);
    return act.length <= motherload_longest_line(&ground, act.length) ? NULL : &no_place;
}

static struct motherload_act bomb_act(const struct motherload_components *set,
                                      const struct motherload_state *state, unsigned card)
{
    return (struct motherload_act){
        .kind = ACT_BOMB,
        .pattern = motherload_feature_of(set, state, state->active, card)->pattern};
}

static check_result check_bomb(const struct motherload_components *set,
                               const struct motherload_state *state,
                               const struct motherload_move *move)
{
    if (state->left == 0)
        return &no_action_left;
    if (state->bombs[state->active] == 0)
        return &no_bomb_token;
    if (state->hand[state->active][move->card] == 0)
        return &card_not_in_hand;
    struct motherload_act act = bomb_act(set, state, move->card);
    if (act.pattern == NONE)
        return &no_pattern;
    return motherload_count_places(set, state, &act, 1) > 0 ? NULL : &no_place;
}

static check_result check_artifact(const struct motherload_components *set,
                                   const struct motherload_state *state,
                                   const struct motherload_move *move)
{
    (void)set;
    unsigned seat = state->active;
    bool can_draw = motherload_can_draw(state, seat);
    if (state->artifacts[seat][move->artifact] == 0)
        return &no_artifact;
    switch (move->artifact) {
    case DRAW_TWO:
        return can_draw ? NULL : &nothing_to_gain;
    case BOMB_DRAW:
        return state->supply > 0 || can_draw ? NULL : &nothing_to_gain;
    case COPY:
        if (!motherload_has_mineral(state, move->mineral))
            return &no_such_mineral;
        return motherload_stack_left(state, seat, move->color) ? NULL : &stack_empty;
    case PLATINUM_TILE:
    case GOLD_DRAW:
        return motherload_stack_left(state, seat, move->color) ? NULL : &stack_empty;
    default:
        return NULL;
    }
}

static check_result check_face_up(const struct motherload_components *set,
                                  const struct motherload_state *state,
                                  const struct motherload_move *move)
{
    (void)set;
    return (motherload_face_up(state) >> move->achievement & 1) != 0 ? NULL : &not_face_up;
}

static check_result check_claim(const struct motherload_components *set,
                                const struct motherload_state *state,
                                const struct motherload_move *move)
{
    (void)set;
    if (check_face_up(set, state, move) != NULL)
        return &not_face_up;
    if (move->achievement < MINORS ? state->claimed_minor : state->claimed_major)
        return &claim_limit;
    return (state->open >> move->achievement & 1) != 0 ? NULL : &goal_not_met;
}

static bool has_orientation(const struct motherload_components *set,
                            const struct motherload_act *act, uint8_t orientation)
{
    if (act->kind == ACT_BOMB)
        return orientation < set->patterns[act->pattern].orientations;
    if (act->length == 1)
        return orientation == NO_ORIENTATION;
    return orientation == ACROSS || orientation == DOWN;
}

/* The index of a written orientation in map.h. */
static unsigned orientation_index(uint8_t orientation)
{
    if (orientation == DOWN)
        return 1;
    return orientation < ORIENTATIONS_MAX ? orientation : 0;
}

/* The row of the table where a board of this depth begins, -1 if there is none. */
static int first_row(const struct motherload_components *set, const struct motherload_state *state,
                     uint8_t depth)
{
    for (int i = 0; i < state->boards; i++)
        if (set->boards[state->board[i]].depth == depth)
            return i * ROWS;
    return -1;
}

static struct motherload_tunnel named_tunnel(const struct motherload_components *set,
                                             const struct motherload_state *state,
                                             const struct motherload_move *move)
{
    unsigned row = (unsigned)first_row(set, state, move->depth) + move->row;
    return motherload_tunnel_at(set, &state->act, orientation_index(move->orientation), row,
                                move->column);
}

static bool covers(const struct motherload_tunnel *tunnel, unsigned i, uint16_t row)
{
    return (row >> tunnel->column[i] & 1) != 0;
}

/* Why the tunnel cannot cover all of its spaces. */
static check_result what_is_closed(const struct motherload_components *set,
                                   const struct motherload_state *state,
                                   const struct motherload_tunnel *tunnel)
{
    for (unsigned i = 0; i < tunnel->count; i++)
        if (covers(tunnel, i, state->covered[tunnel->row[i]]))
            return &already_covered;
    const struct motherload_act *act = &state->act;
    if (act->kind == ACT_BOMB || (act->bonuses >> ROCK & 1) != 0)
        return &is_steel;
    for (unsigned i = 0; i < tunnel->count; i++) {
        const unsigned row = (unsigned)tunnel->row[i];
        if (covers(tunnel, i, motherload_board_of(set, state, row)->rock[row % ROWS]))
            return &is_rock;
    }
    return &is_steel;
}

static check_result check_ground(const struct motherload_components *set,
                                 const struct motherload_state *state,
                                 const struct motherload_tunnel *tunnel)
{
    bool joined = false;
    uint16_t closed_row = 0, joined_row = 0;
    for (unsigned i = 0; i < tunnel->count; i++) {
        const unsigned row = (unsigned)tunnel->row[i];
        if (i == 0 || tunnel->row[i] != tunnel->row[i - 1]) {
            closed_row = motherload_closed_row(set, state, &state->act, row);
            joined_row = motherload_joined_row(set, state, &state->act, row);
        }
        if (covers(tunnel, i, closed_row))
            return what_is_closed(set, state, tunnel);
        joined |= covers(tunnel, i, joined_row);
    }
    return joined ? NULL : &not_connected;
}

static check_result check_place(const struct motherload_components *set,
                                const struct motherload_state *state,
                                const struct motherload_move *move)
{
    if (!has_orientation(set, &state->act, move->orientation))
        return &bad_orientation;
    if (first_row(set, state, move->depth) < 0)
        return &not_in_play;
    struct motherload_tunnel tunnel = named_tunnel(set, state, move);
    for (unsigned i = 0; i < tunnel.count; i++)
        if (!motherload_on_table(state, tunnel.row[i], tunnel.column[i]))
            return &off_board;
    return check_ground(set, state, &tunnel);
}

static check_result check_put(const struct motherload_components *set,
                              const struct motherload_state *state,
                              const struct motherload_move *move)
{
    (void)set;
    if (!motherload_stack_left(state, state->active, move->color))
        return &stack_empty;
    return (motherload_put_stacks(state) >> move->color & 1) != 0 ? NULL : &put_order;
}

static check_result check_buy(const struct motherload_components *set,
                              const struct motherload_state *state,
                              const struct motherload_move *move)
{
    unsigned seat = state->active;
    if (!motherload_is_due(set, state, move->color))
        return &not_due;
    if (!move->recruit)
        return NULL;
    if (state->artifacts[seat][RECRUIT] == 0)
        return &no_artifact;
    uint8_t card = motherload_top_card(state, seat, move->color);
    return motherload_feature_of(set, state, seat, card)->buy == BUY_TO_HAND ? &goes_to_hand : NULL;
}

static check_result check_copy(const struct motherload_components *set,
                               const struct motherload_state *state,
                               const struct motherload_move *move)
{
    (void)set;
    if (!motherload_has_mineral(state, move->mineral))
        return &no_such_mineral;
    if (move->color == state->bought_from)
        return &same_stack;
    return motherload_stack_left(state, state->active, move->color) ? NULL : &stack_empty;
}

static check_result check_discard(const struct motherload_components *set,
                                  const struct motherload_state *state,
                                  const struct motherload_move *move)
{
    (void)set;
    return state->hand[state->active][move->card] > 0 ? NULL : &card_not_in_hand;
}

static void apply_side(const struct motherload_components *set, struct motherload_state *state,
                       const struct motherload_move *move, const struct chance *chance)
{
    if (state->point == AT_SIDE_1)
        motherload_open_table(set, state, move->side, chance);
    else
        motherload_add_board(set, state, move->side);
}

static void apply_deck(const struct motherload_components *set, struct motherload_state *state,
                       const struct motherload_move *move, const struct chance *chance)
{
    (void)set;
    (void)chance;
    motherload_take_deck(state, move->deck);
}

static void apply_draw(const struct motherload_components *set, struct motherload_state *state,
                       const struct motherload_move *move, const struct chance *chance)
{
    (void)move;
    motherload_begin_action(state);
    motherload_note(state, NOTE_ACTION_DRAW, 0, 0);
    motherload_draw(set, state, state->active, CARDS_OF_A_DRAW, chance);
    motherload_mark(set, state);
    state->point = AT_SETTLE;
}

static void discard(struct motherload_state *state, unsigned card, unsigned count)
{
    uint8_t *hand = state->hand[state->active];
    uint8_t *pile = state->discard[state->active];
    assert(hand[card] >= count);
    motherload_recall_left(state, card, count);
    hand[card] = (uint8_t)(hand[card] - count);
    pile[card] = (uint8_t)(pile[card] + count);
}

static void play_cards(struct motherload_state *state, unsigned card, unsigned count)
{
    discard(state, card, count);
    motherload_note(state, NOTE_PLAYED, card, count);
}

static void apply_drill(const struct motherload_components *set, struct motherload_state *state,
                        const struct motherload_move *move, const struct chance *chance)
{
    motherload_begin_action(state);
    state->act = drill_act(set, state, move);
    motherload_note(state, NOTE_ACTION_DRILL, move->color, state->act.length);
    for (unsigned i = 0; i < DRILL_CARDS; i++) {
        const unsigned card = drill_card(move->color, i);
        if (move->cards[card] > 0)
            play_cards(state, card, move->cards[card]);
    }
    motherload_grant_drill_bonuses(set, state, chance);
}

static void apply_bomb(const struct motherload_components *set, struct motherload_state *state,
                       const struct motherload_move *move, const struct chance *chance)
{
    (void)chance;
    motherload_begin_action(state);
    state->act = bomb_act(set, state, move->card);
    state->bombs[state->active]--;
    state->supply++;
    motherload_note(state, NOTE_ACTION_BOMB, state->act.pattern, 0);
    play_cards(state, move->card, 1);
    state->point = AT_PLACE;
}

static void use_artifact(const struct motherload_components *set, struct motherload_state *state,
                         const struct motherload_move *move, const struct chance *chance)
{
    unsigned seat = state->active;
    switch (move->artifact) {
    case EXTRA_ACTION:
        state->left++;
        motherload_note(state, NOTE_EXTRA_ACTION, 0, 0);
        break;
    case DRAW_TWO:
        motherload_draw(set, state, seat, 2, chance);
        break;
    case BOMB_DRAW:
        motherload_take_token(state);
        motherload_draw(set, state, seat, 1, chance);
        break;
    case PLATINUM_TILE:
        state->minerals[seat][move->color][PLATINUM]++;
        motherload_note(state, NOTE_PUT, move->color, 0);
        motherload_note(state, NOTE_MINERAL, PLATINUM, 1);
        break;
    case GOLD_DRAW:
        state->minerals[seat][move->color][GOLD]++;
        motherload_note(state, NOTE_PUT, move->color, 0);
        motherload_note(state, NOTE_MINERAL, GOLD, 1);
        motherload_draw(set, state, seat, 1, chance);
        break;
    default:
        state->minerals[seat][move->color][move->mineral]++;
        motherload_note(state, NOTE_COPIED, move->mineral, move->color);
        break;
    }
}

static void apply_artifact(const struct motherload_components *set, struct motherload_state *state,
                           const struct motherload_move *move, const struct chance *chance)
{
    state->artifacts[state->active][move->artifact]--;
    motherload_note(state, NOTE_USED, move->artifact, 0);
    use_artifact(set, state, move, chance);
    motherload_mark(set, state);
    state->point = AT_SETTLE;
}

static unsigned slot_of(const uint8_t slots[static SLOTS], uint8_t achievement)
{
    unsigned slot = 0;
    while (slots[slot] != achievement) {
        slot++;
        assert(slot < SLOTS);
    }
    return slot;
}

static void fill_slot(const struct motherload_components *set, struct motherload_state *state,
                      unsigned slot, const struct chance *chance)
{
    state->minors[slot] = motherload_take_minor(set, state, chance);
    if (state->minors[slot] != NONE)
        motherload_note(state, NOTE_REVEALED, state->minors[slot], 0);
}

static void apply_claim(const struct motherload_components *set, struct motherload_state *state,
                        const struct motherload_move *move, const struct chance *chance)
{
    (void)set;
    state->claimed[state->active] |= UINT32_C(1) << move->achievement;
    motherload_note(state, NOTE_CLAIMED, move->achievement, 0);
    if (move->achievement < MINORS) {
        state->claimed_minor = 1;
        fill_slot(set, state, slot_of(state->minors, move->achievement), chance);
    } else {
        state->claimed_major = 1;
        state->majors[slot_of(state->majors, move->achievement)] = NONE;
    }
    state->point = AT_SETTLE;
}

static void apply_end(const struct motherload_components *set, struct motherload_state *state,
                      const struct motherload_move *move, const struct chance *chance)
{
    (void)set;
    (void)move;
    (void)chance;
    state->point = AT_TURN_END;
}

static void apply_swap(const struct motherload_components *set, struct motherload_state *state,
                       const struct motherload_move *move, const struct chance *chance)
{
    (void)set;
    unsigned slot = slot_of(state->minors, move->achievement);
    motherload_note(state, NOTE_SWAPPED, move->achievement, 0);
    motherload_bury_minor(state, move->achievement);
    fill_slot(set, state, slot, chance);
    state->point = AT_PLACE;
}

static void apply_place(const struct motherload_components *set, struct motherload_state *state,
                        const struct motherload_move *move, const struct chance *chance)
{
    struct motherload_tunnel tunnel = named_tunnel(set, state, move);
    motherload_lay_tunnel(set, state, &tunnel, chance);
}

static void apply_put(const struct motherload_components *set, struct motherload_state *state,
                      const struct motherload_move *move, const struct chance *chance)
{
    (void)set;
    (void)chance;
    motherload_put(state, move->color);
}

static void apply_buy(const struct motherload_components *set, struct motherload_state *state,
                      const struct motherload_move *move, const struct chance *chance)
{
    motherload_buy(set, state, move->color, move->recruit, chance);
}

static void apply_copy(const struct motherload_components *set, struct motherload_state *state,
                       const struct motherload_move *move, const struct chance *chance)
{
    (void)chance;
    motherload_copy(set, state, move->mineral, move->color);
}

static void apply_discard(const struct motherload_components *set, struct motherload_state *state,
                          const struct motherload_move *move, const struct chance *chance)
{
    (void)set;
    (void)chance;
    discard(state, move->card, 1);
    motherload_note(state, NOTE_DISCARDED, move->card, 0);
    if (motherload_hand_size(state, state->active) <= HAND_LIMIT)
        state->point = AT_NEXT_TURN;
}

/* The decision points of a verb (bit p for enum point p), its conditions, and its effect. */
static const struct duty {
    uint32_t points;
    check_result (*check)(const struct motherload_components *set,
                          const struct motherload_state *state, const struct motherload_move *move);
    void (*apply)(const struct motherload_components *set, struct motherload_state *state,
                  const struct motherload_move *move, const struct chance *chance);
} duties[] = {
    [VERB_SIDE] = {1u << AT_SIDE_1 | 1u << AT_SIDE, check_nothing, apply_side},
    [VERB_DECK] = {1u << AT_DECK, check_deck, apply_deck},
    [VERB_DRAW] = {1u << AT_MAIN, check_draw, apply_draw},
    [VERB_DRILL] = {1u << AT_MAIN, check_drill, apply_drill},
    [VERB_BOMB] = {1u << AT_MAIN, check_bomb, apply_bomb},
    [VERB_ARTIFACT] = {1u << AT_MAIN | 1u << AT_BUY, check_artifact, apply_artifact},
    [VERB_CLAIM] = {1u << AT_MAIN, check_claim, apply_claim},
    [VERB_END] = {1u << AT_MAIN, check_nothing, apply_end},
    [VERB_SWAP] = {1u << AT_SWAP, check_face_up, apply_swap},
    [VERB_PLACE] = {1u << AT_PLACE, check_place, apply_place},
    [VERB_PUT] = {1u << AT_PUT, check_put, apply_put},
    [VERB_BUY] = {1u << AT_BUY, check_buy, apply_buy},
    [VERB_COPY] = {1u << AT_COPY, check_copy, apply_copy},
    [VERB_DISCARD] = {1u << AT_TRIM, check_discard, apply_discard},
};

static check_result check(const struct motherload_components *set,
                          const struct motherload_state *state, unsigned seat,
                          const struct motherload_move *move)
{
    const struct duty *duty = &duties[move->verb];
    if (state->point == AT_OVER)
        return &game_over;
    if (seat != state->active)
        return &not_your_turn;
    if ((duty->points >> state->point & 1) == 0)
        return &wrong_moment;
    return duty->check(set, state, move);
}

uint32_t motherload_deciders(const void *opaque)
{
    const struct motherload_state *state = opaque;
    return state->point == AT_OVER ? 0 : UINT32_C(1) << state->active;
}

void motherload_make_move(const struct motherload_components *set, struct motherload_state *state,
                          const struct motherload_move *move, const struct chance *chance)
{
    motherload_forget_notes(state);
    duties[move->verb].apply(set, state, move, chance);
    motherload_advance(set, state, chance);
}

bool motherload_play(const struct game *game, void *opaque, unsigned seat, struct span text,
                     const struct chance *chance, struct refusal *refusal)
{
    struct motherload_state *state = opaque;
    const struct motherload_components *set = game->set;
    struct motherload_move move = {0};
    if (!motherload_read_move(set, text, &move, refusal))
        return false;
    check_result reason = check(set, state, seat, &move);
    if (reason != NULL) {
        *refusal = *reason;
        return false;
    }
    motherload_make_move(set, state, &move, chance);
    return true;
}
