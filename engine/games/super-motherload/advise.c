/* A sensible player. It values each legal move by itself, in hundredths of a victory point, and
 * takes the best: a drill or bomb by its best possible place, a place by what it covers, minerals
 * by how far they advance a stack towards its next card. It plans no further than one action. */
#include <jansson.h>
#include <string.h>

#include "engine/game/view_parts.h"
#include "engine/games/super-motherload/map.h"
#include "engine/games/super-motherload/notation.h"
#include "engine/games/super-motherload/rules.h"
#include "engine/games/super-motherload/state.h"
#include "engine/games/super-motherload/turn.h"

/* Reads a view back into a position. */

static void read_tunnels(const json_t *rows, uint16_t *covered)
{
    for (unsigned row = 0; row < ROWS; row++) {
        struct span drawing = view_read_text(json_array_get(rows, row));
        for (unsigned column = 0; column < COLUMNS && column < drawing.length; column++)
            if (drawing.at[column] == 'T')
                covered[row] |= (uint16_t)(1u << column);
    }
}

static void read_boards(const json_t *boards, struct motherload_state *state)
{
    for (size_t i = 0; i < TABLE_BOARDS && i < json_array_size(boards); i++) {
        const json_t *board = json_array_get(boards, i);
        state->board[i] = motherload_board_named(view_read_text(json_object_get(board, "id")));
        read_tunnels(json_object_get(board, "tunnels"), state->covered + i * ROWS);
        state->boards++;
    }
}

static void read_stacks(const json_t *stacks, struct motherload_state *state, unsigned seat)
{
    for (unsigned color = 0; color < COLORS; color++) {
        const json_t *stack = json_object_get(stacks, motherload_colors[color].at);
        state->bought[seat][color] = view_read_number(json_object_get(stack, "bought"));
        view_read_counts(json_object_get(stack, "minerals"), motherload_mineral_named,
                         state->minerals[seat][color]);
    }
}

static void read_player(const json_t *player, struct motherload_state *state, unsigned seat)
{
    state->deck[seat] = motherload_deck_named(view_read_text(json_object_get(player, "deck")));
    state->bombs[seat] = view_read_number(json_object_get(player, "bombs"));
    read_stacks(json_object_get(player, "stacks"), state, seat);
    view_read_counts(json_object_get(player, "hand"), motherload_card_named, state->hand[seat]);
    view_read_counts(json_object_get(player, "artifacts"), motherload_artifact_named,
                     state->artifacts[seat]);
}

static void read_slots(const json_t *slots, uint8_t achievements[static SLOTS])
{
    for (unsigned slot = 0; slot < SLOTS; slot++)
        achievements[slot] = motherload_achievement_named(
            view_read_text(json_object_get(json_array_get(slots, slot), "id")));
}

static void read_act(const json_t *act, struct motherload_act *to)
{
    if (!json_is_object(act))
        return;
    uint8_t pattern = 0;
    struct span name = view_read_text(json_object_get(act, "pattern"));
    while (pattern < PATTERNS && !span_equal(motherload_patterns[pattern].name, name))
        pattern++;
    to->kind = pattern < PATTERNS ? ACT_BOMB : ACT_DRILL;
    to->pattern = pattern < PATTERNS ? pattern : NONE;
    to->color = motherload_color_named(view_read_text(json_object_get(act, "color")));
    to->length = view_read_number(json_object_get(act, "length"));
    const json_t *bonuses = json_object_get(act, "bonuses");
    for (size_t i = 0; i < json_array_size(bonuses); i++)
        for (unsigned bonus = 0; bonus < DRILL_BONUSES; bonus++)
            if (span_equal(view_read_text(json_array_get(bonuses, i)),
                           motherload_drill_bonuses[bonus]))
                to->bonuses |= (uint8_t)(1u << bonus);
}

static void read_turn(const json_t *turn, struct motherload_state *state)
{
    state->left = view_read_number(json_object_get(turn, "left"));
    state->taken = view_read_number(json_object_get(turn, "taken"));
    state->buys = view_read_number(json_object_get(turn, "bought"));
    state->claimed_minor = json_is_true(json_object_get(turn, "minor_claimed"));
    state->claimed_major = json_is_true(json_object_get(turn, "major_claimed"));
    state->bought_from =
        motherload_color_named(view_read_text(json_object_get(turn, "bought_from")));
    view_read_counts(json_object_get(turn, "waiting"), motherload_mineral_named, state->waiting);
    read_act(json_object_get(turn, "act"), &state->act);
}

static uint8_t point_named(struct span name)
{
    uint8_t point = 0;
    while (point < AT_OVER && !span_is(name, motherload_point_name(point)))
        point++;
    return point;
}

/* Reads the active seat's own view back into a position, so that the rules' geometry can be used to
 * look ahead. What the view does not contain is as on an empty table; missing or meaningless fields
 * are ignored. */
static void motherload_read_view(const json_t *view, struct motherload_state *state)
{
    uint8_t seats = view_read_number(json_object_get(view, "seats"));
    motherload_clear(state, seats <= SEATS_MAX ? seats : SEATS_MAX);
    uint8_t active = view_read_number(json_object_get(view, "active"));
    state->active = active < SEATS_MAX ? active : 0;
    state->point = point_named(view_read_text(json_object_get(view, "decision")));
    state->supply = view_read_number(json_object_get(view, "bomb_supply"));
    read_boards(json_object_get(view, "boards"), state);
    read_turn(json_object_get(view, "turn"), state);
    read_slots(json_object_get(view, "majors"), state->majors);
    read_slots(json_object_get(view, "minors"), state->minors);
    const json_t *players = json_object_get(view, "players");
    for (unsigned seat = 0; seat < state->seats; seat++)
        read_player(json_array_get(players, seat), state, seat);
}

/* Worth in hundredths of a point. */
enum {
    WORTH_POINT = 100,
    WORTH_CARD = 45,      /* in hand */
    WORTH_LATE_CARD = 10, /* beyond the hand limit */
    WORTH_TOKEN = 90,
    WORTH_ARTIFACT = 130,
    WORTH_ACTION = 120,
    WORTH_DOLLAR = 22,      /* on a stack, towards a card */
    WORTH_PURCHASE = 90,    /* a better deck, besides the points */
    WORTH_WASTED_DOLLAR = 6 /* paid beyond the cost */
};

struct mind {
    struct motherload_state now; /* what the seat can see */
    unsigned seat;
    /* The best place found for a kind of tunnel, so that drills of one length are tried once. */
    bool drill_known[DRILL_COLORS][TUNNEL_MAX + 1][1 << DRILL_BONUSES];
    int drill_worth[DRILL_COLORS][TUNNEL_MAX + 1][1 << DRILL_BONUSES];
};

static int card_bonus_worth(uint8_t buy_bonus)
{
    switch (buy_bonus) {
    case BUY_EXTRA_ACTION:
        return WORTH_ACTION;
    case BUY_TO_HAND:
    case BUY_DRAW_1:
        return WORTH_CARD;
    case BUY_DRAW_2:
        return 2 * WORTH_CARD;
    case BUY_BOMB:
        return WORTH_TOKEN;
    case BUY_COPY:
        return 8 * WORTH_DOLLAR;
    default:
        return 0;
    }
}

/* The value of putting minerals of this value on a stack. */
static int put_worth(const struct mind *mind, unsigned color, unsigned value)
{
    const struct motherload_state *now = &mind->now;
    if (value == 0 || !motherload_stack_left(now, mind->seat, color))
        return 0;
    uint8_t card = motherload_top_card(now, mind->seat, color);
    unsigned cost = motherload_cards[card].cost;
    unsigned before = motherload_stack_value(now, mind->seat, color);
    if (before + value < cost)
        return (int)value * WORTH_DOLLAR;
    int spent = before < cost ? (int)(cost - before) : 0;
    int wasted = (int)value - spent;
    return spent * WORTH_DOLLAR + WORTH_PURCHASE +
           card_bonus_worth(motherload_feature_of(now, mind->seat, card)->buy) -
           wasted * WORTH_WASTED_DOLLAR;
}

static unsigned value_of(const uint8_t minerals[static MINERALS])
{
    unsigned value = 0;
    for (unsigned mineral = 0; mineral < MINERALS; mineral++)
        value += (unsigned)minerals[mineral] * motherload_minerals[mineral].value;
    return value;
}

static int best_put_worth(const struct mind *mind, unsigned value)
{
    int best = 0;
    for (unsigned color = 0; color < COLORS; color++) {
        int worth = put_worth(mind, color, value);
        best = worth > best ? worth : best;
    }
    return best;
}

/* What a tunnel would cover. */
struct haul {
    uint8_t minerals[MINERALS];
    unsigned tokens, cards, artifacts, rock, steel, boards;
};

static void add_content(struct haul *haul, char content)
{
    haul->tokens += content == '*';
    haul->artifacts += content == 'A';
    haul->cards += content == '1' ? 1u : content == '2' ? 2u : 0u;
    for (unsigned mineral = 0; mineral < MINERALS; mineral++)
        if (motherload_minerals[mineral].letter == content)
            haul->minerals[mineral]++;
}

static struct haul haul_of(const struct motherload_state *now,
                           const struct motherload_tunnel *tunnel)
{
    struct haul haul = {0};
    unsigned places = 0;
    for (unsigned i = 0; i < tunnel->count; i++) {
        unsigned row = (unsigned)tunnel->row[i];
        const struct motherload_board *board = motherload_board_of(now, row);
        char terrain = board->terrain[row % ROWS][tunnel->column[i]];
        haul.rock += terrain == '#';
        haul.steel += terrain != '#' && terrain != '.';
        places |= 1u << row / ROWS;
        add_content(&haul, board->content[row % ROWS][tunnel->column[i]]);
    }
    haul.boards = places == 3 ? 2 : 1;
    return haul;
}

/* Points of the best minor that this act would open. Only the goals of a single action count. */
static int goal_worth(const struct mind *mind, const struct motherload_act *act,
                      const struct haul *haul)
{
    struct motherload_state then = mind->now;
    then.open = 0;
    then.act = *act;
    then.act.rock = (uint8_t)haul->rock;
    then.act.steel = (uint8_t)haul->steel;
    then.act.finds = (uint8_t)haul->artifacts;
    then.act.boards = (uint8_t)haul->boards;
    then.act.value = (uint8_t)value_of(haul->minerals);
    then.act.tiles = (uint8_t)motherload_tiles(haul->minerals);
    for (unsigned mineral = 0; mineral < MINERALS; mineral++)
        then.act.kinds = (uint8_t)(then.act.kinds + (haul->minerals[mineral] > 0));
    motherload_mark(&then);
    uint32_t claimable = motherload_claimable(&then);
    int best = 0;
    for (unsigned i = 0; i < MINORS; i++)
        if ((claimable >> i & 1) != 0 && motherload_achievements[i].points > best)
            best = motherload_achievements[i].points;
    return best * WORTH_POINT;
}

static int tunnel_worth(const struct mind *mind, const struct motherload_act *act,
                        const struct motherload_tunnel *tunnel)
{
    struct haul haul = haul_of(&mind->now, tunnel);
    int worth = best_put_worth(mind, value_of(haul.minerals));
    worth += (int)haul.tokens * WORTH_TOKEN + (int)haul.cards * WORTH_CARD;
    worth += (int)haul.artifacts * WORTH_ARTIFACT;
    return worth + goal_worth(mind, act, &haul);
}

static int best_place_worth(const struct mind *mind, const struct motherload_act *act)
{
    struct motherload_ground ground;
    struct motherload_rows anchors;
    int best = 0;
    motherload_survey(&mind->now, act, &ground);
    for (unsigned i = 0; i < motherload_orientations(act); i++) {
        motherload_anchors(&ground, act, i, &anchors);
        for (unsigned row = 0; row < TABLE_ROWS; row++) {
            for (unsigned column = 0; column < COLUMNS; column++) {
                if ((anchors.row[row] >> column & 1) == 0)
                    continue;
                struct motherload_tunnel tunnel = motherload_tunnel_at(act, i, row, column);
                int worth = tunnel_worth(mind, act, &tunnel);
                best = worth > best ? worth : best;
            }
        }
    }
    return best;
}

/* The value of the cards if they stay in hand. */
static int cards_worth(const uint8_t cards[static CARDS])
{
    int worth = 0;
    for (unsigned card = 0; card < CARDS; card++) {
        int icons = motherload_cards[card].icons;
        int wild = COLOR_OF(card) == WILD ? 15 : 0;
        worth += cards[card] * (icons * 25 + wild + 5);
    }
    return worth;
}

static int bonus_worth(uint8_t bonuses)
{
    return (bonuses >> DRAW_1 & 1) * WORTH_CARD + (bonuses >> DRAW_2 & 1) * 2 * WORTH_CARD +
           (bonuses >> BOMB_TOKEN & 1) * WORTH_TOKEN;
}

static int drill_worth(struct mind *mind, const struct motherload_move *move)
{
    struct motherload_act act = {
        .kind = ACT_DRILL, .color = move->color, .pattern = NONE, .wild_cards_only = true};
    for (unsigned card = 0; card < CARDS; card++) {
        if (move->cards[card] == 0)
            continue;
        uint8_t bonus = motherload_feature_of(&mind->now, mind->seat, card)->drill;
        act.length = (uint8_t)(act.length + move->cards[card] * motherload_cards[card].icons);
        act.bonuses |= (uint8_t)(bonus == NONE ? 0 : 1u << bonus);
        act.wild_cards_only = act.wild_cards_only && COLOR_OF(card) == WILD;
    }
    bool *known = &mind->drill_known[act.color][act.length][act.bonuses];
    int *worth = &mind->drill_worth[act.color][act.length][act.bonuses];
    if (!*known)
        *worth = best_place_worth(mind, &act);
    *known = true;
    return *worth + bonus_worth(act.bonuses) - cards_worth(move->cards);
}

static int bomb_worth(const struct mind *mind, const struct motherload_move *move)
{
    uint8_t cards[CARDS] = {0};
    cards[move->card] = 1;
    struct motherload_act act = {
        .kind = ACT_BOMB,
        .pattern = motherload_feature_of(&mind->now, mind->seat, move->card)->pattern};
    return best_place_worth(mind, &act) - cards_worth(cards) - WORTH_TOKEN / 2;
}

/* New cards are worth less if the hand is full and no action is left to play them. */
static int draw_worth(const struct mind *mind, unsigned count, unsigned actions_after)
{
    unsigned hand = motherload_hand_size(&mind->now, mind->seat);
    int worth = 0;
    for (unsigned i = 1; i <= count; i++)
        worth += hand + i <= HAND_LIMIT + 2 * actions_after ? WORTH_CARD : WORTH_LATE_CARD;
    return worth;
}

static int artifact_worth(const struct mind *mind, const struct motherload_move *move)
{
    unsigned left = mind->now.left;
    switch (move->artifact) {
    case EXTRA_ACTION:
        return left == 0 ? 2 * WORTH_ACTION : -1;
    case DRAW_TWO:
        return left > 0 ? draw_worth(mind, 2, left) + WORTH_POINT : WORTH_LATE_CARD;
    case BOMB_DRAW:
        return left > 0 ? WORTH_TOKEN + WORTH_POINT : WORTH_LATE_CARD;
    case PLATINUM_TILE:
        return put_worth(mind, move->color, motherload_minerals[PLATINUM].value) + WORTH_POINT;
    case GOLD_DRAW:
        return put_worth(mind, move->color, motherload_minerals[GOLD].value) + WORTH_POINT;
    default:
        return put_worth(mind, move->color, motherload_minerals[move->mineral].value);
    }
}

static int place_worth(const struct mind *mind, const struct motherload_move *move)
{
    const struct motherload_state *now = &mind->now;
    unsigned row = move->row;
    if (motherload_boards[now->board[0]].depth != move->depth)
        row += ROWS;
    unsigned orientation = move->orientation == DOWN ? 1 : 0;
    if (now->act.kind == ACT_BOMB)
        orientation = move->orientation;
    struct motherload_tunnel tunnel =
        motherload_tunnel_at(&now->act, orientation, row, move->column);
    return tunnel_worth(mind, &now->act, &tunnel);
}

static int waiting_worth(const struct mind *mind, unsigned color)
{
    const struct motherload_state *now = &mind->now;
    bool singly = (now->act.bonuses >> SPLIT & 1) != 0;
    unsigned value =
        singly ? motherload_minerals[motherload_dearest(now)].value : value_of(now->waiting);
    return put_worth(mind, color, value);
}

static int buy_worth(const struct mind *mind, const struct motherload_move *move)
{
    uint8_t card = motherload_top_card(&mind->now, mind->seat, move->color);
    int worth = WORTH_POINT * 100 + motherload_cards[card].cost;
    return worth + (move->recruit ? motherload_cards[card].icons - 2 : 0);
}

/* Swaps away an achievement far from its goal and of little value. */
static int swap_worth(const struct motherload_move *move)
{
    const struct motherload_achievement *minor = &motherload_achievements[move->achievement];
    return minor->goal.drill || minor->goal.bomb ? -minor->points : WORTH_POINT - minor->points;
}

static int discard_worth(const struct motherload_move *move)
{
    uint8_t cards[CARDS] = {0};
    cards[move->card] = 1;
    return -cards_worth(cards);
}

static int move_worth(struct mind *mind, const struct motherload_move *move)
{
    switch (move->verb) {
    case VERB_CLAIM:
        return WORTH_POINT * 1000 + motherload_achievements[move->achievement].points;
    case VERB_DRAW:
        return draw_worth(mind, CARDS_OF_A_DRAW, mind->now.left - 1u);
    case VERB_DRILL:
        return drill_worth(mind, move);
    case VERB_BOMB:
        return bomb_worth(mind, move);
    case VERB_ARTIFACT:
        return mind->now.point == AT_MAIN ? artifact_worth(mind, move) : 0;
    case VERB_PLACE:
        return place_worth(mind, move);
    case VERB_PUT:
        return waiting_worth(mind, move->color);
    case VERB_BUY:
        return buy_worth(mind, move);
    case VERB_COPY:
        return put_worth(mind, move->color, motherload_minerals[move->mineral].value);
    case VERB_SWAP:
        return swap_worth(move);
    case VERB_DISCARD:
        return discard_worth(move);
    case VERB_END:
    case VERB_SIDE:
    case VERB_DECK:
        break;
    }
    return 0;
}

size_t motherload_advise(const json_t *view, const struct move_list *legal)
{
    struct mind mind;
    memset(&mind, 0, sizeof mind);
    motherload_read_view(view, &mind.now);
    mind.seat = mind.now.active;
    size_t best = 0;
    int best_worth = INT32_MIN;
    for (size_t i = 0; i < legal->count; i++) {
        struct motherload_move move = {0};
        struct refusal refusal;
        if (!motherload_read_move(move_list_get(legal, i), &move, &refusal))
            continue;
        int worth = move_worth(&mind, &move);
        if (worth > best_worth) {
            best = i;
            best_worth = worth;
        }
    }
    return best;
}
