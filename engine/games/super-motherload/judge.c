#include "engine/games/super-motherload/judge.h"

#include "engine/games/super-motherload/rules.h"

static unsigned count_bits(unsigned bits)
{
    unsigned count = 0;
    for (; bits != 0; bits &= bits - 1)
        count++;
    return count;
}

/* ---- How long the game will last ---- */

static unsigned artifacts_on_lowest(const struct motherload_components *set,
                                    const struct motherload_state *state)
{
    unsigned lowest = state->boards - 1u;
    const struct motherload_board *board = &set->boards[state->board[lowest]];
    unsigned left = 0;
    for (unsigned row = 0; row < ROWS; row++)
        left += count_bits(board->artifact[row] & ~(unsigned)state->covered[lowest * ROWS + row]);
    return left;
}

/* Every board holds as many artifacts. */
static unsigned artifacts_below(const struct motherload_components *set,
                                const struct motherload_state *state)
{
    unsigned depth = set->boards[state->board[state->boards - 1]].depth;
    unsigned boards = DEPTHS - depth - (depth < 3 && state->seats == 2);
    return boards * (ARTIFACT_TILES / DEPTHS);
}

static void look_ahead(const struct motherload_components *set, struct motherload_outlook *outlook)
{
    const struct motherload_state *state = outlook->state;
    outlook->last_finds = artifacts_on_lowest(set, state);
    outlook->finds_left = outlook->last_finds + artifacts_below(set, state);
    outlook->turns = (int32_t)outlook->finds_left * TURNS_A_FIND / state->seats;
    if (state->ending)
        outlook->turns = 0;
    outlook->lasting = outlook->turns * WHOLE / (outlook->turns + FADE_TURNS);
    outlook->income = outlook->turns * INCOME / 16 + (state->active == outlook->seat) * 2;
}

/* The seat's relics count, those of rivals are hidden. Of equal scores the later seat wins. */
static int32_t lead_of(const struct motherload_components *set,
                       const struct motherload_state *state, unsigned seat)
{
    int32_t best = INT32_MIN;
    for (unsigned rival = 0; rival < state->seats; rival++) {
        if (rival == seat)
            continue;
        int32_t score = motherload_public_score(set, state, rival) * WORTH_POINT;
        score += rival > seat ? WORTH_POINT / 2 : -WORTH_POINT / 2;
        best = score > best ? score : best;
    }
    return motherload_score(set, state, seat) * WORTH_POINT - best;
}

/* ---- Cards and stacks ---- */

static int32_t drill_bonus_worth(uint8_t bonus)
{
    switch (bonus) {
    case NONE:
        return 0;
    case DRAW_1:
        return WORTH_BONUS;
    case DRAW_2:
    case BOMB_TOKEN:
        return 2 * WORTH_BONUS;
    default:
        return WORTH_BONUS / 2;
    }
}

static void count_icons(const struct motherload_components *set, struct motherload_outlook *outlook)
{
    for (unsigned color = 0; color < COLORS; color++) {
        outlook->icons[color] = 0;
        for (unsigned tier = 0; tier <= outlook->state->bought[outlook->seat][color]; tier++) {
            const struct motherload_card *card = &set->cards[CARD(color, tier)];
            outlook->icons[color] += (unsigned)card->count * card->icons;
        }
    }
}

static void value_cards(const struct motherload_components *set, struct motherload_outlook *outlook)
{
    for (unsigned card = 0; card < CARDS; card++) {
        int32_t worth = WORTH_CARD + set->cards[card].icons * WORTH_ICON;
        worth += COLOR_OF(card) == WILD ? WORTH_WILD : 0;
        outlook->card[card] = motherload_later(outlook, worth);
    }
}

/* The seat knows which cards are in its pile, but not their order. */
static void value_draw(const struct motherload_components *set, struct motherload_outlook *outlook)
{
    const struct motherload_state *state = outlook->state;
    const uint8_t *hand = state->hand[outlook->seat];
    const uint8_t *discard = state->discard[outlook->seat];
    unsigned pile = motherload_pile_size(state, outlook->seat);
    int32_t worth = 0;
    int32_t cards = 0;
    for (unsigned card = 0; card < CARDS; card++) {
        bool owned = TIER_OF(card) <= state->bought[outlook->seat][COLOR_OF(card)];
        int32_t copies = owned ? set->cards[card].count : 0;
        copies = pile > 0 ? copies - hand[card] - discard[card] : discard[card];
        worth += copies * outlook->card[card];
        cards += copies;
    }
    outlook->drawn = cards > 0 ? worth / cards : 0;
}

static int32_t buy_bonus_worth(const struct motherload_outlook *outlook, uint8_t bonus)
{
    switch (bonus) {
    case BUY_EXTRA_ACTION:
        return WORTH_ACTION;
    case BUY_TO_HAND:
    case BUY_DRAW_1:
        return outlook->drawn;
    case BUY_DRAW_2:
        return 2 * outlook->drawn;
    case BUY_BOMB:
        return motherload_later(outlook, WORTH_TOKEN);
    case BUY_COPY:
        return WORTH_COPY;
    default:
        return 0;
    }
}

/* What one more card of a color brings nearer. */
static int32_t majors_worth(const struct motherload_components *set,
                            const struct motherload_outlook *outlook, unsigned color)
{
    static const int32_t percent[] = {0, WORTH_MAJOR_1, WORTH_MAJOR_2, WORTH_MAJOR_3};
    const uint8_t *bought = outlook->state->bought[outlook->seat];
    int32_t worth = 0;
    for (unsigned slot = 0; slot < SLOTS; slot++) {
        uint8_t major = outlook->state->majors[slot];
        if (major == NONE)
            continue;
        const uint8_t *wanted = set->achievements[major].goal.bought;
        unsigned missing = 0;
        for (unsigned i = 0; i < COLORS; i++)
            missing += wanted[i] > bought[i] ? (unsigned)(wanted[i] - bought[i]) : 0;
        if (wanted[color] > bought[color] && missing < sizeof percent / sizeof percent[0])
            worth += set->achievements[major].points * percent[missing];
    }
    return worth;
}

/* A deck of few colors drills long tunnels. Wild icons match the color with the most. */
static int32_t deck_worth(const struct motherload_components *set,
                          const struct motherload_outlook *outlook, unsigned color, uint8_t card)
{
    static const int32_t tier[TIERS] = {0, WORTH_TIER_1, WORTH_TIER_2, WORTH_TIER_3, WORTH_TIER_4};
    unsigned matching = outlook->icons[color];
    for (unsigned i = 0; color == WILD && i < DRILL_COLORS; i++)
        matching = outlook->icons[i] > matching ? outlook->icons[i] : matching;
    return tier[TIER_OF(card)] + set->cards[card].icons * WORTH_DECK_ICON +
           (int32_t)matching * WORTH_MATCH;
}

static int32_t prize_of(const struct motherload_components *set,
                        const struct motherload_outlook *outlook, unsigned color, uint8_t card)
{
    const struct motherload_feature *feature =
        motherload_feature_of(set, outlook->state, outlook->seat, card);
    return set->cards[card].points * WORTH_POINT +
           motherload_later(outlook, deck_worth(set, outlook, color, card) +
                                         drill_bonus_worth(feature->drill)) +
           buy_bonus_worth(outlook, feature->buy) + majors_worth(set, outlook, color);
}

static void value_stacks(const struct motherload_components *set,
                         struct motherload_outlook *outlook)
{
    const struct motherload_state *state = outlook->state;
    unsigned seat = outlook->seat;
    for (unsigned color = 0; color < COLORS; color++) {
        outlook->cost[color] = 0;
        outlook->prize[color] = 0;
        outlook->dollars[color] = (uint8_t)motherload_stack_value(set, state, seat, color);
        if (!motherload_stack_left(state, seat, color))
            continue;
        uint8_t card = motherload_top_card(state, seat, color);
        outlook->cost[color] = set->cards[card].cost;
        outlook->prize[color] = prize_of(set, outlook, color, card);
    }
}

void motherload_look(const struct motherload_components *set, const struct motherload_state *state,
                     unsigned seat, struct motherload_outlook *outlook)
{
    outlook->state = state;
    outlook->seat = seat;
    outlook->face_up = motherload_face_up(state);
    outlook->lead = lead_of(set, state, seat);
    look_ahead(set, outlook);
    count_icons(set, outlook);
    value_cards(set, outlook);
    value_draw(set, outlook);
    value_stacks(set, outlook);
}

/* ---- What a change is worth ---- */

/* Minors for purchases, if the active seat may claim one. */
static int32_t purchase_worth(const struct motherload_components *set,
                              const struct motherload_outlook *outlook, bool exact)
{
    static const unsigned exact_change = 18;
    static const unsigned double_hire = 17;
    const struct motherload_state *state = outlook->state;
    if (state->claimed_minor || state->active != outlook->seat)
        return 0;
    if (state->buys == 1 && (outlook->face_up >> double_hire & 1) != 0)
        return set->achievements[double_hire].points * WORTH_POINT;
    if (exact && (outlook->face_up >> exact_change & 1) != 0)
        return set->achievements[exact_change].points * WORTH_POINT;
    return 0;
}

int32_t motherload_stack_worth(const struct motherload_components *set,
                               const struct motherload_outlook *outlook, unsigned color,
                               unsigned dollars)
{
    int32_t cost = outlook->cost[color];
    int32_t held = (int32_t)dollars;
    if (held == 0 || cost == 0)
        return 0;
    if (held >= cost)
        return outlook->prize[color] + purchase_worth(set, outlook, held == cost);
    int32_t line = held * (STACK_LINE * cost + (100 - STACK_LINE) * held);
    int32_t worth = outlook->prize[color] * line / (100 * cost * cost);
    int32_t doubt = 1 + (cost - held) * STACK_DOUBT / 100;
    return worth * outlook->income / (outlook->income + doubt);
}

int32_t motherload_put_worth(const struct motherload_components *set,
                             const struct motherload_outlook *outlook, unsigned color,
                             unsigned dollars)
{
    unsigned held = outlook->dollars[color];
    return motherload_stack_worth(set, outlook, color, held + dollars) -
           motherload_stack_worth(set, outlook, color, held);
}

int32_t motherload_best_put_worth(const struct motherload_components *set,
                                  const struct motherload_outlook *outlook, unsigned dollars)
{
    int32_t best = 0;
    for (unsigned color = 0; color < COLORS; color++) {
        int32_t worth = motherload_put_worth(set, outlook, color, dollars);
        best = worth > best ? worth : best;
    }
    return best;
}

int32_t motherload_draw_worth(const struct motherload_outlook *outlook, unsigned hand,
                              unsigned count, unsigned actions)
{
    int32_t worth = 0;
    for (unsigned i = 1; i <= count; i++)
        worth += hand + i <= HAND_LIMIT + 2 * actions ? outlook->drawn
                                                      : outlook->drawn * WORTH_LATE_CARD / 100;
    return worth;
}

/* ---- Minors that a tunnel may open ---- */

static unsigned stock_of(const struct motherload_outlook *outlook, unsigned mineral)
{
    unsigned tiles = 0;
    for (unsigned color = 0; color < COLORS; color++)
        tiles += outlook->state->minerals[outlook->seat][color][mineral];
    return tiles;
}

unsigned motherload_filled_stacks(const struct motherload_outlook *outlook)
{
    unsigned filled = 0;
    for (unsigned color = 0; color < COLORS; color++)
        filled += outlook->dollars[color] > 0;
    return filled;
}

static bool wish_of_act(const struct motherload_act *act, const struct motherload_goal *goal,
                        struct motherload_wish *wish)
{
    if (act->kind == ACT_BOMB ? !goal->bomb : !goal->drill)
        return false;
    if (act->length < goal->length || goal->wild_cards_only)
        return false;
    wish->dollars = goal->value > 0;
    wish->kinds = goal->kinds > 0;
    wish->crossing = goal->boards > 1;
    if (goal->rock > 0)
        *wish = (struct motherload_wish){.field = YIELD_ROCK, .least = goal->rock};
    if (goal->steel > 0)
        *wish = (struct motherload_wish){.field = YIELD_STEEL, .least = goal->steel};
    if (goal->tiles > 0)
        *wish = (struct motherload_wish){.field = YIELD_TILES, .least = goal->tiles};
    if (goal->finds > 0) {
        wish->other_field = YIELD_FINDS;
        wish->other_least = goal->finds;
    }
    if (goal->value > 0)
        wish->least = goal->value;
    return true;
}

/* False if no tunnel can meet the goal, or if it is met already. */
static bool wish_of_state(const struct motherload_outlook *outlook,
                          const struct motherload_goal *goal, struct motherload_wish *wish)
{
    if (goal->stock > 0) {
        unsigned stock = stock_of(outlook, goal->mineral);
        wish->field = (uint8_t)(YIELD_MINERAL + 4 * goal->mineral);
        wish->least = (uint8_t)(goal->stock - stock);
        return stock < goal->stock;
    }
    if (goal->stacks > 0) {
        wish->field = YIELD_TILES;
        wish->least = 1;
        return motherload_filled_stacks(outlook) + 1 == goal->stacks;
    }
    if (goal->bombs > 0) {
        unsigned bombs = outlook->state->bombs[outlook->seat];
        wish->field = YIELD_TOKENS;
        wish->least = (uint8_t)(goal->bombs - bombs);
        return bombs < goal->bombs;
    }
    return false;
}

void motherload_wish_for(const struct motherload_components *set,
                         const struct motherload_outlook *outlook, const struct motherload_act *act,
                         struct motherload_wishes *wishes)
{
    const struct motherload_state *state = outlook->state;
    wishes->count = 0;
    if (state->claimed_minor)
        return;
    for (unsigned slot = 0; slot < SLOTS; slot++) {
        uint8_t minor = state->minors[slot];
        if (minor == NONE)
            continue;
        const struct motherload_goal *goal = &set->achievements[minor].goal;
        struct motherload_wish wish = {0};
        if (!(goal->drill || goal->bomb ? wish_of_act(act, goal, &wish)
                                        : wish_of_state(outlook, goal, &wish)))
            continue;
        wish.worth = set->achievements[minor].points * WORTH_POINT;
        unsigned at = wishes->count++;
        for (; at > 0 && wishes->wish[at - 1].worth < wish.worth; at--)
            wishes->wish[at] = wishes->wish[at - 1];
        wishes->wish[at] = wish;
    }
}
