/* Judges legal moves (`weigh` in engine/game/game.h). A weight is what the seat gains by the move
 * and by the best that may follow in the same turn, in hundredths of a point.
 *
 *      all moves of MAIN:  survey the map once ──> the best line of every length and color
 *                          ──> each drill = its best line - its cards + what may follow
 */
#include <string.h>

#include "engine/games/super-motherload/judge.h"
#include "engine/games/super-motherload/notation.h"
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
                            const char *move)
{
    const char *word = move + sizeof "drill";
    unsigned color = motherload_color_at(word);
    unsigned icons[COLORS];
    unsigned hand = mind->hand;
    unsigned bonuses = 0;
    unsigned length = 0;
    int32_t cards = 0;
    memcpy(icons, mind->icons, sizeof icons);
    word = motherload_word_after(word);
    while (*word != '\0') {
        unsigned card = motherload_card_at(&word);
        uint8_t bonus = motherload_feature_of(set, mind->state, mind->seat, card)->drill;
        bonuses |= bonus == NONE ? 0 : 1u << bonus;
        length += set->cards[card].icons;
        icons[COLOR_OF(card)] -= set->cards[card].icons;
        cards += mind->outlook.card[card];
        hand--;
        word += *word == ' ';
    }
    int32_t worth =
        lines_of(set, mind, color, bonuses)[length] + bonuses_worth(mind, bonuses) - cards;
    worth += reach_worth(mind, icons) - reach_worth(mind, mind->icons);
    if (length == mind->icons[WILD] - icons[WILD])
        worth += joker_worth(set, mind, length);
    mind->single = most(mind->single, worth);
    return worth + next_worth(mind, icons, hand, mind->state->left - 1u);
}

static int32_t bomb_weight(const struct motherload_components *set, struct mind *mind,
                           const char *move)
{
    const char *word = move + sizeof "bomb";
    unsigned card = motherload_card_at(&word);
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
                             const char *move)
{
    const struct motherload_outlook *outlook = &mind->outlook;
    const char *word = move + sizeof "artifact";
    const char *last = motherload_word_after(word);
    unsigned actions = mind->state->left;
    int32_t hold = 0;
    int32_t gain = 0;
    switch (word[0]) {
    case 'e': /* extra-action */
        gain = actions == 0 ? next_worth(mind, mind->icons, mind->hand, 1) : 0;
        hold = HOLD_ACTION;
        break;
    case 'd': /* draw-two */
        gain = motherload_draw_worth(outlook, mind->hand, 2, actions);
        hold = HOLD_DRAW;
        break;
    case 'b': /* bomb-draw */
        gain = mind->token + motherload_draw_worth(outlook, mind->hand, 1, actions);
        hold = HOLD_BOMB;
        break;
    case 'p': /* platinum */
        gain = motherload_put_worth(set, outlook, motherload_color_at(last),
                                    set->minerals[PLATINUM].value);
        hold = HOLD_MINERAL;
        break;
    case 'g': /* gold-draw */
        gain = motherload_put_worth(set, outlook, motherload_color_at(last),
                                    set->minerals[GOLD].value);
        gain += motherload_draw_worth(outlook, mind->hand, 1, actions);
        hold = HOLD_MINERAL;
        break;
    default: /* copy */
        gain = motherload_put_worth(set, outlook, motherload_color_at(motherload_word_after(last)),
                                    set->minerals[motherload_mineral_at(last)].value);
        hold = HOLD_COPY;
        break;
    }
    return gain - motherload_later(outlook, hold) - 1;
}

static int32_t claim_gain(const struct motherload_components *set, const struct mind *mind,
                          const struct move_list *legal, size_t i)
{
    (void)mind;
    struct span name = move_list_get(legal, i);
    name.at += sizeof "claim";
    name.length -= sizeof "claim";
    uint8_t achievement = motherload_achievement_named(set, name);
    return (achievement < ACHIEVEMENTS ? set->achievements[achievement].points : 1) * WORTH_POINT;
}

/* Actions first; what costs no action comes on top of the best of them. */
static void weigh_main(const struct motherload_components *set, struct mind *mind,
                       const struct move_list *legal, int32_t *weight)
{
    size_t draw = legal->count;
    int32_t best = 0;
    for (size_t i = 0; i < legal->count; i++) {
        const char *move = legal->bytes + legal->start[i];
        weight[i] = 0;
        if (move[0] == 'd' && move[2] == 'i')
            weight[i] = drill_weight(set, mind, move);
        else if (move[0] == 'b')
            weight[i] = bomb_weight(set, mind, move);
        else if (move[0] == 'd')
            draw = i;
        best = most(best, weight[i]);
    }
    if (draw < legal->count)
        weight[draw] = draw_weight(mind);
    best = most(best, draw < legal->count ? weight[draw] : 0);
    for (size_t i = 0; i < legal->count; i++) {
        const char *move = legal->bytes + legal->start[i];
        if (move[0] == 'a')
            weight[i] = best + artifact_gain(set, mind, move);
        else if (move[0] == 'c')
            weight[i] = best + claim_gain(set, mind, legal, i);
    }
}

/* ---- Moves at other points ---- */

static void weigh_places(const struct motherload_components *set, struct mind *mind,
                         const struct move_list *legal, int32_t *weight)
{
    const struct motherload_state *state = mind->state;
    const struct motherload_act *act = &state->act;
    struct motherload_wishes wishes;
    motherload_wish_for(set, &mind->outlook, act, &wishes);
    for (size_t i = 0; i < legal->count; i++) {
        const char *space = legal->bytes + legal->start[i] + sizeof "place";
        unsigned depth = (unsigned)(space[0] - '0');
        unsigned row = (unsigned)(space[2] - '1');
        unsigned column = (unsigned)(space[1] - 'a');
        row += set->boards[state->board[0]].depth != depth ? ROWS : 0;
        bool down = act->length > 1 && space[4] == 'v';
        bool crosses = down && crosses_seam(row, act->length);
        motherload_yield yield;
        if (act->kind == ACT_BOMB)
            yield = bomb_yield(mind, &set->patterns[act->pattern], (unsigned)(space[5] - '0'), row,
                               column, &crosses);
        else if (down)
            yield = down_yield(mind, row, column, act->length);
        else
            yield = across_yield(mind, row, column, act->length);
        weight[i] = tunnel_worth(set, mind, &wishes, yield, crosses);
    }
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

static int32_t copy_weight(const struct motherload_components *set, const struct mind *mind,
                           const char *word)
{
    unsigned color = motherload_color_at(motherload_word_after(word));
    return motherload_put_worth(set, &mind->outlook, color,
                                set->minerals[motherload_mineral_at(word)].value) +
           fronts_worth(set, mind, color);
}

/* All stacks that can buy will; the order matters little, and copies come before their originals
 * are spent. */
static int32_t buy_weight(const struct motherload_components *set, const struct mind *mind,
                          const char *word)
{
    const struct motherload_outlook *outlook = &mind->outlook;
    unsigned color = motherload_color_at(word);
    uint8_t card = motherload_top_card(mind->state, mind->seat, color);
    uint8_t bonus = motherload_feature_of(set, mind->state, mind->seat, card)->buy;
    int32_t weight = bonus == BUY_COPY ? 2 : bonus == NONE;
    if (*motherload_word_after(word) == '\0')
        return weight;
    return weight + outlook->card[card] - motherload_later(outlook, HOLD_RECRUIT);
}

static int32_t discard_weight(const struct motherload_components *set, const struct mind *mind,
                              const char *word)
{
    unsigned icons[COLORS];
    unsigned card = motherload_card_at(&word);
    memcpy(icons, mind->icons, sizeof icons);
    icons[COLOR_OF(card)] -= set->cards[card].icons;
    return reach_worth(mind, icons) - mind->outlook.card[card];
}

/* Away with what is far from its goal and of little value. */
static int32_t swap_weight(const struct motherload_components *set, struct span name)
{
    uint8_t minor = motherload_achievement_named(set, name);
    if (minor >= MINORS)
        return 0;
    const struct motherload_goal *goal = &set->achievements[minor].goal;
    int32_t points = set->achievements[minor].points * 10;
    return goal->drill || goal->bomb ? -points : WORTH_POINT - points;
}

static int32_t weigh_other(const struct motherload_components *set, const struct mind *mind,
                           const struct move_list *legal, size_t i)
{
    struct span move = move_list_get(legal, i);
    const char *word = motherload_word_after(move.at);
    switch ((enum point)mind->state->point) {
    case AT_PUT:
        return waiting_weight(set, mind, motherload_color_at(word));
    case AT_COPY:
        return copy_weight(set, mind, word);
    case AT_BUY:
        return move.at[0] == 'a' ? artifact_gain(set, mind, move.at) : buy_weight(set, mind, word);
    case AT_TRIM:
        return discard_weight(set, mind, word);
    case AT_SWAP:
        return swap_weight(set, (struct span){word, move.length - (size_t)(word - move.at)});
    default:
        return 0;
    }
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

void motherload_weigh(const struct game *game, const void *opaque, unsigned seat,
                      const struct move_list *legal, int32_t *weight)
{
    const struct motherload_state *state = opaque;
    const struct motherload_components *set = game->set;
    struct mind mind;
    memset(weight, 0, legal->count * sizeof *weight);
    if (legal->count <= 1 || state->point == AT_SIDE_1 || state->point == AT_DECK)
        return;
    prepare(set, &mind, state, seat);
    if (state->point == AT_PLACE || (state->point == AT_MAIN && may_drill(&mind)))
        motherload_sum_yields(set, state, &mind.yields);
    memset(mind.net, 0, sizeof mind.net);
    if (state->point == AT_MAIN && may_drill(&mind))
        search_map(set, &mind);
    if (state->point == AT_MAIN)
        weigh_main(set, &mind, legal, weight);
    else if (state->point == AT_PLACE)
        weigh_places(set, &mind, legal, weight);
    else
        for (size_t i = 0; i < legal->count; i++)
            weight[i] = weigh_other(set, &mind, legal, i);
}
