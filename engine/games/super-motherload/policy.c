/* Judges legal moves (`weigh` in engine/game/game.h). A weight is what the seat gains by the move
 * and by the best that may follow in the same turn, in hundredths of a point.
 *
 *      all moves of MAIN:  survey the map once ──> the best line of every length and color
 *                          ──> each drill = its best line - its cards + what may follow
 */
#include <string.h>

#include "engine/games/super-motherload/judge.h"
#include "engine/games/super-motherload/rules.h"

enum { PUT_MAX = 64, VARIANTS = 4, NOWHERE = -100000 };

struct mind {
    const struct motherload_state *state;
    unsigned seat;
    struct motherload_outlook outlook;
    struct motherload_yields yields;
    int32_t put[PUT_MAX]; /* the best stack for so many dollars; -1: not known yet */
    int32_t token;
    int32_t closing; /* for the lowest board's last artifact, before the gains of that turn */
    bool ends;       /* that artifact ends the game */
    /* The best line of a color and length; bit 0 of a variant: with corners, bit 1: through rock */
    bool searched[DRILL_COLORS][VARIANTS];
    int32_t line[DRILL_COLORS][VARIANTS][TUNNEL_MAX + 1];
    int32_t base_line[TUNNEL_MAX + 1]; /* without steel */
    struct motherload_ground base;
    int32_t net[DRILL_COLORS][TUNNEL_MAX + 1]; /* the best drill with up to so many icons */
    unsigned icons[COLORS];                    /* in hand */
    unsigned hand;
    int32_t single; /* the best drill or bomb by itself */
};

static unsigned least(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

static int32_t most(int32_t a, int32_t b)
{
    return a > b ? a : b;
}

/* ---- Tunnels ---- */

static int32_t put_worth(const struct motherload_components *set, struct mind *mind,
                         unsigned dollars)
{
    dollars = least(dollars, PUT_MAX - 1);
    if (mind->put[dollars] < 0)
        mind->put[dollars] = motherload_best_put_worth(set, &mind->outlook, dollars);
    return mind->put[dollars];
}

/* For the last artifact of the lowest board, with these gains. */
static int32_t closing_worth(const struct mind *mind, int32_t gains)
{
    if (!mind->ends)
        return mind->closing;
    int32_t worth = (mind->outlook.lead + gains) * WORTH_LEAD;
    return worth > WORTH_WIN ? WORTH_WIN : most(worth, -WORTH_WIN);
}

static int32_t tunnel_worth(const struct motherload_components *set, struct mind *mind,
                            const struct motherload_wishes *wishes, motherload_yield yield,
                            bool crosses)
{
    int32_t gains = put_worth(set, mind, motherload_dollars_of(yield));
    gains += wishes->count > 0 ? motherload_wishes_worth(wishes, yield, crosses) : 0;
    int32_t worth = gains;
    worth += (int32_t)motherload_yield_of(yield, YIELD_TOKENS) * mind->token;
    worth += (int32_t)motherload_yield_of(yield, YIELD_CARDS) * mind->outlook.drawn;
    worth += (int32_t)motherload_yield_of(yield, YIELD_FINDS) * WORTH_ARTIFACT;
    unsigned last = motherload_yield_of(yield, YIELD_LAST_FINDS);
    if (last > 0 && last == mind->outlook.last_finds)
        worth += closing_worth(mind, gains);
    return worth;
}

static motherload_yield across_yield(const struct mind *mind, unsigned row, unsigned column,
                                     unsigned length)
{
    return mind->yields.across[row][column + length] - mind->yields.across[row][column];
}

static motherload_yield down_yield(const struct mind *mind, unsigned row, unsigned column,
                                   unsigned length)
{
    return mind->yields.down[row + length][column] - mind->yields.down[row][column];
}

static bool crosses_seam(unsigned row, unsigned rows)
{
    return row < ROWS && row + rows > ROWS;
}

static motherload_yield bomb_yield(const struct mind *mind,
                                   const struct motherload_pattern *pattern, unsigned orientation,
                                   unsigned row, unsigned column, bool *crosses)
{
    const struct motherload_orientation *offset = &pattern->orientation[orientation];
    motherload_yield yield = 0;
    for (unsigned i = 0; i < pattern->spaces; i++)
        yield += across_yield(mind, (unsigned)((int)row + offset->row[i]),
                              (unsigned)((int)column + offset->column[i]), 1);
    *crosses = crosses_seam(row, (unsigned)offset->row[pattern->spaces - 1] + 1u);
    return yield;
}

/* ---- The best line of every length ---- */

struct search {
    struct mind *mind;
    struct motherload_ground lines, seen; /* seen: anchors judged before */
    bool down;
    unsigned length;
    struct motherload_wishes wishes;
};

static int32_t best_line(const struct motherload_components *set, struct search *search)
{
    int32_t best = NOWHERE;
    for (unsigned row = 0; row < TABLE_ROWS; row++) {
        unsigned anchors = (unsigned)search->lines.open.row[row] & search->lines.joined.row[row] &
                           ~((unsigned)search->seen.open.row[row] & search->seen.joined.row[row]);
        for (; anchors != 0; anchors &= anchors - 1) {
            unsigned column = (unsigned)__builtin_ctz(anchors);
            motherload_yield yield = search->down
                                         ? down_yield(search->mind, row, column, search->length)
                                         : across_yield(search->mind, row, column, search->length);
            bool crosses = search->down && crosses_seam(row, search->length);
            best = most(best, tunnel_worth(set, search->mind, &search->wishes, yield, crosses));
        }
    }
    return best;
}

/* Raises best[n] by lines of n spaces on `ground`, up to `longest`, other than those of `seen`. */
static void search_lines(const struct motherload_components *set, struct mind *mind,
                         const struct motherload_ground *ground,
                         const struct motherload_ground *seen, unsigned longest, int32_t *best)
{
    struct motherload_act act = {.kind = ACT_DRILL, .pattern = NONE};
    struct search across = {.mind = mind, .lines = *ground};
    if (seen != NULL)
        across.seen = *seen;
    struct search down = across;
    down.down = true;
    for (unsigned length = 1; length <= longest; length++) {
        act.length = (uint8_t)length;
        across.length = down.length = length;
        motherload_wish_for(set, &mind->outlook, &act, &across.wishes);
        down.wishes = across.wishes;
        best[length] = most(best[length], best_line(set, &across));
        if (length > 1)
            best[length] = most(best[length], best_line(set, &down));
        motherload_stretch_across(&across.lines);
        motherload_stretch_down(&down.lines);
        if (seen == NULL)
            continue;
        motherload_stretch_across(&across.seen);
        motherload_stretch_down(&down.seen);
    }
}

static unsigned reach_of(const struct mind *mind, unsigned color)
{
    return least(mind->icons[color] + mind->icons[WILD], TUNNEL_MAX);
}

static const int32_t *lines_of(const struct motherload_components *set, struct mind *mind,
                               unsigned color, unsigned bonuses)
{
    unsigned variant = (bonuses >> CORNER & 1) | (bonuses >> ROCK & 1) << 1;
    int32_t *best = mind->line[color][variant];
    if (mind->searched[color][variant])
        return best;
    struct motherload_act act = {
        .kind = ACT_DRILL, .color = (uint8_t)color, .pattern = NONE, .bonuses = (uint8_t)bonuses};
    struct motherload_ground ground;
    motherload_survey(set, mind->state, &act, &ground);
    memcpy(best, mind->base_line, sizeof mind->base_line);
    if (memcmp(&ground, &mind->base, sizeof ground) != 0)
        search_lines(set, mind, &ground, &mind->base, reach_of(mind, color), best);
    mind->searched[color][variant] = true;
    return best;
}

static void search_map(const struct motherload_components *set, struct mind *mind)
{
    struct motherload_act act = {.kind = ACT_DRILL, .color = NONE, .pattern = NONE};
    unsigned longest = 0;
    for (unsigned color = 0; color < DRILL_COLORS; color++)
        longest = reach_of(mind, color) > longest ? reach_of(mind, color) : longest;
    for (unsigned length = 0; length <= TUNNEL_MAX; length++)
        mind->base_line[length] = NOWHERE;
    motherload_survey(set, mind->state, &act, &mind->base);
    search_lines(set, mind, &mind->base, NULL, longest, mind->base_line);
    int32_t icon = motherload_later(&mind->outlook, WORTH_ICON + WORTH_CARD);
    for (unsigned color = 0; color < DRILL_COLORS; color++) {
        const int32_t *line = lines_of(set, mind, color, 0);
        mind->net[color][0] = 0;
        for (unsigned length = 1; length <= TUNNEL_MAX; length++)
            mind->net[color][length] =
                length > reach_of(mind, color)
                    ? mind->net[color][length - 1]
                    : most(mind->net[color][length - 1], line[length] - (int32_t)length * icon);
    }
}

static int32_t best_bomb(const struct motherload_components *set, struct mind *mind,
                         const struct motherload_act *act)
{
    const struct motherload_pattern *pattern = &set->patterns[act->pattern];
    struct motherload_ground ground;
    struct motherload_rows anchors;
    struct motherload_wishes wishes;
    int32_t best = NOWHERE;
    motherload_survey(set, mind->state, act, &ground);
    motherload_wish_for(set, &mind->outlook, act, &wishes);
    for (unsigned i = 0; i < pattern->orientations; i++) {
        motherload_anchors(set, &ground, act, i, &anchors);
        for (unsigned row = 0; row < TABLE_ROWS; row++) {
            for (unsigned left = anchors.row[row]; left != 0; left &= left - 1) {
                bool crosses;
                motherload_yield yield =
                    bomb_yield(mind, pattern, i, row, (unsigned)__builtin_ctz(left), &crosses);
                best = most(best, tunnel_worth(set, mind, &wishes, yield, crosses));
            }
        }
    }
    return best;
}

/* ---- Moves at MAIN ---- */

static int32_t bonuses_worth(const struct mind *mind, unsigned bonuses)
{
    int32_t worth = 0;
    worth += (bonuses >> DRAW_1 & 1) != 0 ? mind->outlook.drawn : 0;
    worth += (bonuses >> DRAW_2 & 1) != 0 ? 2 * mind->outlook.drawn : 0;
    worth += (bonuses >> BOMB_TOKEN & 1) != 0 ? mind->token : 0;
    worth += (bonuses >> SWAP & 1) != 0 ? WORTH_SWAP : 0;
    return worth + ((bonuses >> SPLIT & 1) != 0 ? WORTH_SPLIT : 0);
}

static int32_t reach_worth(const struct mind *mind, const unsigned icons[static COLORS])
{
    unsigned longest = icons[RED] > icons[BLUE] ? icons[RED] : icons[BLUE];
    longest = icons[YELLOW] > longest ? icons[YELLOW] : longest;
    return motherload_later(&mind->outlook, (int32_t)(longest + icons[WILD]) * WORTH_REACH);
}

/* The best next action with these icons and so many cards in hand, if `actions` are left. */
static int32_t next_worth(const struct mind *mind, const unsigned icons[static COLORS],
                          unsigned hand, unsigned actions)
{
    if (actions == 0)
        return 0;
    int32_t best = motherload_draw_worth(&mind->outlook, hand, CARDS_OF_A_DRAW, actions - 1);
    for (unsigned color = 0; color < DRILL_COLORS; color++)
        best = most(best, mind->net[color][least(icons[color] + icons[WILD], TUNNEL_MAX)]);
    return best * WORTH_NEXT / 100;
}

static int32_t joker_worth(const struct motherload_components *set, const struct mind *mind,
                           unsigned length)
{
    enum { JOKER_DRILL = 7, JOKER_LENGTH = 3 };
    if (length < JOKER_LENGTH || (mind->outlook.face_up >> JOKER_DRILL & 1) == 0 ||
        mind->state->claimed_minor)
        return 0;
    return set->achievements[JOKER_DRILL].points * WORTH_POINT;
}

static int32_t drill_weight(const struct motherload_components *set, struct mind *mind,
                            const struct motherload_move *move)
{
    unsigned icons[COLORS];
    unsigned hand = mind->hand;
    unsigned bonuses = 0;
    unsigned length = 0;
    int32_t cards = 0;
    memcpy(icons, mind->icons, sizeof icons);
    for (unsigned i = 0; i < 2 * TIERS; i++) {
        const unsigned card = i < TIERS ? CARD(move->color, i) : CARD(WILD, i - TIERS);
        const unsigned count = move->cards[card];
        if (count == 0)
            continue;
        uint8_t bonus = motherload_feature_of(set, mind->state, mind->seat, card)->drill;
        bonuses |= bonus == NONE ? 0 : 1u << bonus;
        length += count * set->cards[card].icons;
        icons[COLOR_OF(card)] -= count * set->cards[card].icons;
        cards += (int32_t)count * mind->outlook.card[card];
        hand -= count;
    }
    int32_t worth =
        lines_of(set, mind, move->color, bonuses)[length] + bonuses_worth(mind, bonuses) - cards;
    worth += reach_worth(mind, icons) - reach_worth(mind, mind->icons);
    if (length == mind->icons[WILD] - icons[WILD])
        worth += joker_worth(set, mind, length);
    mind->single = most(mind->single, worth);
    return worth + next_worth(mind, icons, hand, mind->state->left - 1u);
}

static int32_t bomb_weight(const struct motherload_components *set, struct mind *mind, uint8_t card)
{
    unsigned icons[COLORS];
    memcpy(icons, mind->icons, sizeof icons);
    icons[RED] -= set->cards[card].icons;
    struct motherload_act act = {
        .kind = ACT_BOMB,
        .pattern = motherload_feature_of(set, mind->state, mind->seat, card)->pattern};
    int32_t worth = best_bomb(set, mind, &act) - mind->outlook.card[card] - mind->token;
    worth += reach_worth(mind, icons) - reach_worth(mind, mind->icons);
    mind->single = most(mind->single, worth);
    return worth + next_worth(mind, icons, mind->hand - 1, mind->state->left - 1u);
}

static int32_t draw_weight(const struct mind *mind)
{
    unsigned actions = mind->state->left - 1u;
    int32_t worth = motherload_draw_worth(&mind->outlook, mind->hand, CARDS_OF_A_DRAW, actions);
    if (actions == 0)
        return worth;
    int32_t again = motherload_draw_worth(&mind->outlook, mind->hand + CARDS_OF_A_DRAW,
                                          CARDS_OF_A_DRAW, actions - 1);
    return worth + most(again, mind->single + WORTH_CHOICE) * WORTH_NEXT / 100;
}

/* What the use of an artifact gains now, less what it may be good for later. */
static int32_t artifact_gain(const struct motherload_components *set, const struct mind *mind,
                             const struct motherload_move *move)
{
    const struct motherload_outlook *outlook = &mind->outlook;
    unsigned actions = mind->state->left;
    int32_t hold = 0;
    int32_t gain = 0;
    switch (move->artifact) {
    case EXTRA_ACTION:
        gain = actions == 0 ? next_worth(mind, mind->icons, mind->hand, 1) : 0;
        hold = HOLD_ACTION;
        break;
    case DRAW_TWO:
        gain = motherload_draw_worth(outlook, mind->hand, 2, actions);
        hold = HOLD_DRAW;
        break;
    case BOMB_DRAW:
        gain = mind->token + motherload_draw_worth(outlook, mind->hand, 1, actions);
        hold = HOLD_BOMB;
        break;
    case PLATINUM_TILE:
        gain = motherload_put_worth(set, outlook, move->color, set->minerals[PLATINUM].value);
        hold = HOLD_MINERAL;
        break;
    case GOLD_DRAW:
        gain = motherload_put_worth(set, outlook, move->color, set->minerals[GOLD].value);
        gain += motherload_draw_worth(outlook, mind->hand, 1, actions);
        hold = HOLD_MINERAL;
        break;
    default: /* copy */
        gain = motherload_put_worth(set, outlook, move->color, set->minerals[move->mineral].value);
        hold = HOLD_COPY;
        break;
    }
    return gain - motherload_later(outlook, hold) - 1;
}

/* ---- The judge: hears each legal move ---- */

/* Claims, the uses of artifacts, and the draw. */
enum { WAITING_MAX = 48 };

struct judge {
    const struct motherload_components *set;
    struct mind *mind;
    struct motherload_wishes wishes; /* for the tunnel that is placed */
    size_t heard;                    /* moves */
    int32_t *weight;                 /* of each move; NULL: the best one is wanted */
    size_t best;                     /* the first one of the greatest weight */
    int32_t best_weight;
    struct motherload_move best_move;
    /* of MAIN: */
    int32_t action; /* the greatest weight of an action */
    unsigned waiting;
    struct {
        size_t at;
        struct motherload_move move;
    } wait[WAITING_MAX]; /* for the weights of actions */
};

static void rate(struct judge *judge, size_t i, const struct motherload_move *move, int32_t weight)
{
    if (judge->weight != NULL) {
        judge->weight[i] = weight;
        return;
    }
    if (judge->best != SIZE_MAX &&
        (weight < judge->best_weight || (weight == judge->best_weight && i > judge->best)))
        return;
    judge->best = i;
    judge->best_weight = weight;
    judge->best_move = *move;
}

/* Weighs a move of the main decision. Moves that cost no action wait until the best action is
 * known, and are weighed on top of it. */
static void hear_main(void *context, const struct motherload_move *move)
{
    struct judge *judge = context;
    const size_t i = judge->heard++;
    int32_t weight = 0;
    switch (move->verb) {
    case VERB_DRILL:
        weight = drill_weight(judge->set, judge->mind, move);
        break;
    case VERB_BOMB:
        weight = bomb_weight(judge->set, judge->mind, move->card);
        break;
    case VERB_END:
        break;
    default:
        assert(judge->waiting < WAITING_MAX);
        judge->wait[judge->waiting].at = i;
        judge->wait[judge->waiting++].move = *move;
        return;
    }
    judge->action = most(judge->action, weight);
    rate(judge, i, move, weight);
}

static void rate_waiting(struct judge *judge)
{
    for (unsigned i = 0; i < judge->waiting; i++)
        if (judge->wait[i].move.verb == VERB_DRAW)
            judge->action = most(judge->action, draw_weight(judge->mind));
    for (unsigned i = 0; i < judge->waiting; i++) {
        const struct motherload_move *move = &judge->wait[i].move;
        int32_t weight = judge->action;
        if (move->verb == VERB_DRAW)
            weight = draw_weight(judge->mind);
        else if (move->verb == VERB_CLAIM)
            weight += judge->set->achievements[move->achievement].points * WORTH_POINT;
        else
            weight += artifact_gain(judge->set, judge->mind, move);
        rate(judge, judge->wait[i].at, move, weight);
    }
}

/* ---- Moves at other points ---- */

static void hear_place(void *context, const struct motherload_move *move)
{
    struct judge *judge = context;
    const struct motherload_components *set = judge->set;
    struct mind *mind = judge->mind;
    const struct motherload_act *act = &mind->state->act;
    const unsigned row =
        move->row + (set->boards[mind->state->board[0]].depth != move->depth ? ROWS : 0u);
    const bool down = move->orientation == DOWN;
    bool crosses = down && crosses_seam(row, act->length);
    motherload_yield yield;
    if (act->kind == ACT_BOMB)
        yield = bomb_yield(mind, &set->patterns[act->pattern], move->orientation, row, move->column,
                           &crosses);
    else if (down)
        yield = down_yield(mind, row, move->column, act->length);
    else
        yield = across_yield(mind, row, move->column, act->length);
    rate(judge, judge->heard++, move, tunnel_worth(set, mind, &judge->wishes, yield, crosses));
}

static int32_t fronts_worth(const struct motherload_components *set, const struct mind *mind,
                            unsigned color)
{
    enum { FOUR_FRONTS = 15 };
    if (mind->outlook.dollars[color] > 0 || (mind->outlook.face_up >> FOUR_FRONTS & 1) == 0 ||
        mind->state->claimed_minor || motherload_filled_stacks(&mind->outlook) + 1 < COLORS)
        return 0;
    return set->achievements[FOUR_FRONTS].points * WORTH_POINT;
}

static int32_t waiting_weight(const struct motherload_components *set, const struct mind *mind,
                              unsigned color)
{
    const struct motherload_state *state = mind->state;
    unsigned dollars = 0;
    if (motherload_puts_singly(state))
        dollars = set->minerals[motherload_dearest(state)].value;
    else
        for (unsigned mineral = 0; mineral < MINERALS; mineral++)
            dollars += (unsigned)state->waiting[mineral] * set->minerals[mineral].value;
    return motherload_put_worth(set, &mind->outlook, color, dollars) +
           fronts_worth(set, mind, color);
}

/* All stacks that can buy will; the order matters little, and copies come before their originals
 * are spent. */
static int32_t buy_weight(const struct motherload_components *set, const struct mind *mind,
                          const struct motherload_move *move)
{
    const struct motherload_outlook *outlook = &mind->outlook;
    uint8_t card = motherload_top_card(mind->state, mind->seat, move->color);
    uint8_t bonus = motherload_feature_of(set, mind->state, mind->seat, card)->buy;
    int32_t weight = bonus == BUY_COPY ? 2 : bonus == NONE;
    if (!move->recruit)
        return weight;
    return weight + outlook->card[card] - motherload_later(outlook, HOLD_RECRUIT);
}

static int32_t discard_weight(const struct motherload_components *set, const struct mind *mind,
                              uint8_t card)
{
    unsigned icons[COLORS];
    memcpy(icons, mind->icons, sizeof icons);
    icons[COLOR_OF(card)] -= set->cards[card].icons;
    return reach_worth(mind, icons) - mind->outlook.card[card];
}

/* Away with what is far from its goal and of little value. */
static int32_t swap_weight(const struct motherload_components *set, uint8_t minor)
{
    const struct motherload_goal *goal = &set->achievements[minor].goal;
    int32_t points = set->achievements[minor].points * 10;
    return goal->drill || goal->bomb ? -points : WORTH_POINT - points;
}

static void hear_other(void *context, const struct motherload_move *move)
{
    struct judge *judge = context;
    const struct motherload_components *set = judge->set;
    const struct mind *mind = judge->mind;
    int32_t weight = 0;
    switch (move->verb) {
    case VERB_PUT:
        weight = waiting_weight(set, mind, move->color);
        break;
    case VERB_COPY:
        weight = motherload_put_worth(set, &mind->outlook, move->color,
                                      set->minerals[move->mineral].value) +
                 fronts_worth(set, mind, move->color);
        break;
    case VERB_ARTIFACT:
        weight = artifact_gain(set, mind, move);
        break;
    case VERB_BUY:
        weight = buy_weight(set, mind, move);
        break;
    case VERB_DISCARD:
        weight = discard_weight(set, mind, move->card);
        break;
    case VERB_SWAP:
        weight = swap_weight(set, move->achievement);
        break;
    default:
        break;
    }
    rate(judge, judge->heard++, move, weight);
}

/* ---- The whole ---- */

static void count_hand(const struct motherload_components *set, struct mind *mind)
{
    const uint8_t *hand = mind->state->hand[mind->seat];
    for (unsigned card = 0; card < CARDS; card++) {
        mind->hand += hand[card];
        mind->icons[COLOR_OF(card)] += (unsigned)hand[card] * set->cards[card].icons;
    }
}

static void prepare(const struct motherload_components *set, struct mind *mind,
                    const struct motherload_state *state, unsigned seat)
{
    mind->state = state;
    mind->seat = seat;
    mind->hand = 0;
    mind->single = 0;
    memset(mind->icons, 0, sizeof mind->icons);
    memset(mind->put, -1, sizeof mind->put);
    memset(mind->searched, 0, sizeof mind->searched);
    motherload_look(set, state, seat, &mind->outlook);
    mind->token = motherload_later(&mind->outlook, WORTH_TOKEN);
    mind->ends = motherload_next_depth(set, state) == 0;
    mind->closing = state->left > 0 ? WORTH_OPENING : WORTH_UNCOVERING;
    count_hand(set, mind);
}

/* True if drills have to be thought of: with an action, or an artifact that is one. */
static bool may_drill(const struct mind *mind)
{
    return mind->state->left > 0 || mind->state->artifacts[mind->seat][EXTRA_ACTION] > 0;
}

static void judge_moves(const struct motherload_components *set,
                        const struct motherload_state *state, unsigned seat, struct mind *mind,
                        struct judge *judge)
{
    judge->set = set;
    judge->mind = mind;
    judge->heard = judge->waiting = 0;
    judge->best = SIZE_MAX;
    judge->action = 0;
    if (state->point != AT_SIDE_1 && state->point != AT_DECK)
        prepare(set, mind, state, seat);
    if (state->point == AT_PLACE || (state->point == AT_MAIN && may_drill(mind)))
        motherload_sum_yields(set, state, &mind->yields);
    memset(mind->net, 0, sizeof mind->net);
    if (state->point == AT_MAIN && may_drill(mind))
        search_map(set, mind);
    if (state->point == AT_PLACE)
        motherload_wish_for(set, &mind->outlook, &state->act, &judge->wishes);
    motherload_visit_moves(set, state,
                           state->point == AT_MAIN    ? hear_main
                           : state->point == AT_PLACE ? hear_place
                                                      : hear_other,
                           judge);
    rate_waiting(judge);
}

void motherload_weigh(const struct game *game, const void *state, unsigned seat,
                      const struct move_list *legal, int32_t *weight)
{
    struct mind mind;
    struct judge judge = {.weight = weight};
    memset(weight, 0, legal->count * sizeof *weight);
    if (legal->count <= 1)
        return;
    judge_moves(game->set, state, seat, &mind, &judge);
    assert(judge.heard == legal->count);
}

void motherload_play_best(const struct game *game, void *state, unsigned seat,
                          const struct chance *chance)
{
    struct mind mind;
    struct judge judge;
    judge.weight = NULL;
    judge_moves(game->set, state, seat, &mind, &judge);
    motherload_make_move(game->set, state, &judge.best_move, chance);
}
