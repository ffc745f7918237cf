/* Numbers that describe how a seat stands, for a learned value (`features` in engine/game/game.h).
 * The state has been imagined for the one who asks, so hands of rivals may be read. */
#include "engine/games/super-motherload/judge.h"
#include "engine/games/super-motherload/rules.h"

enum feature {
    FEATURE_ONE,
    FEATURE_SCORE,
    FEATURE_LEAD,       /* before the best rival; half a point for the tie-break */
    FEATURE_BEHIND_ALL, /* behind the best rival, or 0 */
    FEATURE_STACKS,     /* worth of unfinished stacks */
    FEATURE_DOLLARS,
    FEATURE_NEAR, /* stacks that $7 will fill */
    FEATURE_PRIZE,
    FEATURE_BOUGHT,
    FEATURE_ICONS, /* of the deck */
    FEATURE_THIN,  /* icons of the average card of the deck */
    FEATURE_HAND,  /* worth of cards in hand */
    FEATURE_HAND_SIZE,
    FEATURE_REACH, /* the longest drill in hand */
    FEATURE_DRAWN, /* the average card of the draw pile */
    FEATURE_TOKENS,
    FEATURE_BOMBS,           /* that can be thrown: a token and a red card */
    FEATURE_ARTIFACT_CARDS,  /* held artifacts that draw or act */
    FEATURE_ARTIFACT_STACKS, /* held artifacts that put minerals, or recruit */
    FEATURE_MAJORS,          /* points of majors, less for every missing card */
    FEATURE_RIVAL_MAJORS,    /* the same for the best rival */
    FEATURE_MINORS,          /* points of minors about stacks and tokens that are nearly met */
    FEATURE_ACTIONS,         /* left, if it is the seat's turn */
    FEATURE_WAIT,            /* turns of others before the seat's next one */
    FEATURE_FINDS,           /* artifacts to be found until the end */
    FEATURE_CLOSE_LEAD,      /* the lead if the game can end any moment */
    FEATURE_LAST_TURN,       /* the lead if the end is certain */
    FEATURE_RIVAL_STACKS,    /* points that the best rival's stacks promise */
    FEATURE_RIVAL_ICONS,     /* in the fullest hand of a rival */
    FEATURES
};

static_assert((int)FEATURES <= (int)GAME_FEATURES_MAX, "as many as the contract allows");
static_assert((int)FEATURES == (int)MOTHERLOAD_FEATURES, "as rules.h says");

static int32_t clamp_lead(const struct motherload_outlook *outlook)
{
    return game_feature_clamp(outlook->lead * 16 / WORTH_POINT);
}

/* ---- The seat's own things ---- */

static void describe_stacks(const struct motherload_components *set,
                            const struct motherload_outlook *outlook, int32_t *feature)
{
    int32_t worth = 0;
    int32_t dollars = 0;
    int32_t near = 0;
    int32_t prize = 0;
    for (unsigned color = 0; color < COLORS; color++) {
        int32_t missing = (int32_t)outlook->cost[color] - outlook->dollars[color];
        worth += motherload_stack_worth(set, outlook, color, outlook->dollars[color]);
        dollars += outlook->dollars[color];
        near += missing > 0 && missing <= set->minerals[PLATINUM].value;
        prize = outlook->prize[color] > prize ? outlook->prize[color] : prize;
    }
    feature[FEATURE_STACKS] = worth;
    feature[FEATURE_DOLLARS] = dollars * 16;
    feature[FEATURE_NEAR] = near * 256;
    feature[FEATURE_PRIZE] = prize;
}

static void describe_deck(const struct motherload_outlook *outlook, int32_t *feature)
{
    enum { STARTERS = 7 };
    int32_t bought = 0;
    int32_t icons = 0;
    for (unsigned color = 0; color < COLORS; color++) {
        bought += outlook->state->bought[outlook->seat][color];
        icons += (int32_t)outlook->icons[color];
    }
    feature[FEATURE_BOUGHT] = bought * 128;
    feature[FEATURE_ICONS] = icons * 32;
    feature[FEATURE_THIN] = icons * 512 / (bought + STARTERS);
    feature[FEATURE_DRAWN] = outlook->drawn;
}

static void describe_hand(const struct motherload_components *set,
                          const struct motherload_outlook *outlook, int32_t *feature)
{
    const struct motherload_state *state = outlook->state;
    const uint8_t *hand = state->hand[outlook->seat];
    int32_t icons[COLORS] = {0};
    int32_t cards = 0;
    int32_t worth = 0;
    int32_t red = 0;
    for (unsigned card = 0; card < CARDS; card++) {
        if (hand[card] == 0)
            continue;
        cards += hand[card];
        worth += hand[card] * outlook->card[card];
        red += COLOR_OF(card) == RED ? hand[card] : 0;
        icons[COLOR_OF(card)] += hand[card] * set->cards[card].icons;
    }
    int32_t reach = icons[RED] > icons[BLUE] ? icons[RED] : icons[BLUE];
    reach = icons[YELLOW] > reach ? icons[YELLOW] : reach;
    int32_t tokens = state->bombs[outlook->seat];
    feature[FEATURE_HAND] = worth;
    feature[FEATURE_HAND_SIZE] = cards * 128;
    feature[FEATURE_REACH] = (reach + icons[WILD]) * 128;
    feature[FEATURE_TOKENS] = tokens * 256;
    feature[FEATURE_BOMBS] = (red < tokens ? red : tokens) * 512;
}

static void describe_artifacts(const struct motherload_outlook *outlook, int32_t *feature)
{
    const uint8_t *held = outlook->state->artifacts[outlook->seat];
    feature[FEATURE_ARTIFACT_CARDS] = (held[EXTRA_ACTION] + held[DRAW_TWO] + held[BOMB_DRAW]) * 512;
    feature[FEATURE_ARTIFACT_STACKS] =
        (held[PLATINUM_TILE] + held[GOLD_DRAW] + held[COPY] + held[RECRUIT]) * 512;
}

/* ---- Achievements ---- */

static int32_t majors_promise(const struct motherload_components *set,
                              const struct motherload_state *state, unsigned seat)
{
    static const int32_t share[] = {256, 160, 64, 24};
    int32_t promise = 0;
    for (unsigned slot = 0; slot < SLOTS; slot++) {
        if (state->majors[slot] == NONE)
            continue;
        const struct motherload_achievement *major = &set->achievements[state->majors[slot]];
        unsigned missing = 0;
        for (unsigned color = 0; color < COLORS; color++)
            if (major->goal.bought[color] > state->bought[seat][color])
                missing += (unsigned)(major->goal.bought[color] - state->bought[seat][color]);
        if (missing < sizeof share / sizeof share[0])
            promise += major->points * share[missing] / 4;
    }
    return promise;
}

/* One tile, stack or token is missing at most. */
static bool is_near(const struct motherload_outlook *outlook, const struct motherload_goal *goal)
{
    const struct motherload_state *state = outlook->state;
    unsigned tiles = 1;
    unsigned stacks = 1;
    for (unsigned color = 0; color < COLORS; color++) {
        tiles += state->minerals[outlook->seat][color][goal->mineral];
        stacks += outlook->dollars[color] > 0;
    }
    if (goal->stock > 0)
        return tiles >= goal->stock;
    if (goal->stacks > 0)
        return stacks >= goal->stacks;
    return goal->bombs > 0 && state->bombs[outlook->seat] + 1 >= goal->bombs;
}

static int32_t minors_promise(const struct motherload_components *set,
                              const struct motherload_outlook *outlook)
{
    int32_t points = 0;
    for (unsigned slot = 0; slot < SLOTS; slot++) {
        uint8_t minor = outlook->state->minors[slot];
        if (minor != NONE && is_near(outlook, &set->achievements[minor].goal))
            points += set->achievements[minor].points;
    }
    return points * 64;
}

/* ---- Rivals and time ---- */

/* The share of its top card's points that each stack has paid. */
static int32_t stacks_promise(const struct motherload_components *set,
                              const struct motherload_state *state, unsigned seat)
{
    int32_t promise = 0;
    for (unsigned color = 0; color < COLORS; color++) {
        if (!motherload_stack_left(state, seat, color))
            continue;
        const struct motherload_card *card = &set->cards[motherload_top_card(state, seat, color)];
        int32_t dollars = (int32_t)motherload_stack_value(set, state, seat, color);
        promise += card->points * 64 * (dollars < card->cost ? dollars : card->cost) / card->cost;
    }
    return promise;
}

static int32_t icons_in_hand(const struct motherload_components *set,
                             const struct motherload_state *state, unsigned seat)
{
    int32_t icons = 0;
    for (unsigned card = 0; card < CARDS; card++)
        icons += state->hand[seat][card] * set->cards[card].icons;
    return icons;
}

static int32_t most(int32_t a, int32_t b)
{
    return a > b ? a : b;
}

static void describe_rivals(const struct motherload_components *set,
                            const struct motherload_outlook *outlook, int32_t *feature)
{
    const struct motherload_state *state = outlook->state;
    for (unsigned seat = 0; seat < state->seats; seat++) {
        if (seat == outlook->seat)
            continue;
        feature[FEATURE_RIVAL_MAJORS] =
            most(feature[FEATURE_RIVAL_MAJORS], majors_promise(set, state, seat));
        feature[FEATURE_RIVAL_STACKS] =
            most(feature[FEATURE_RIVAL_STACKS], stacks_promise(set, state, seat));
        feature[FEATURE_RIVAL_ICONS] =
            most(feature[FEATURE_RIVAL_ICONS], icons_in_hand(set, state, seat) * 64);
    }
}

static void describe_time(const struct motherload_outlook *outlook, int32_t *feature)
{
    const struct motherload_state *state = outlook->state;
    unsigned wait = (outlook->seat + state->seats - state->active) % state->seats;
    bool certain = state->ending != 0;
    feature[FEATURE_ACTIONS] = wait == 0 ? state->left * 512 : 0;
    feature[FEATURE_WAIT] = (int32_t)wait * 512;
    feature[FEATURE_FINDS] = (int32_t)outlook->finds_left * 128;
    feature[FEATURE_CLOSE_LEAD] = outlook->finds_left == 1 ? clamp_lead(outlook) : 0;
    feature[FEATURE_LAST_TURN] = certain ? clamp_lead(outlook) : 0;
}

/* All artifacts up to the end of depth 4; two seats skip a board. */
static unsigned phase_of(const struct motherload_outlook *outlook)
{
    unsigned finds = ARTIFACT_TILES - (outlook->state->seats == 2 ? ARTIFACT_TILES / DEPTHS : 0);
    unsigned found = finds > outlook->finds_left ? finds - outlook->finds_left : 0;
    return found * GAME_PHASE_END / finds;
}

unsigned motherload_features(const struct game *game, const void *opaque, unsigned seat,
                             int32_t *feature)
{
    const struct motherload_state *state = opaque;
    const struct motherload_components *set = game->set;
    struct motherload_outlook outlook;
    for (unsigned i = 0; i < FEATURES; i++)
        feature[i] = 0;
    feature[FEATURE_ONE] = 1;
    if (state->boards == 0 || state->deck[seat] == NONE)
        return 0;
    motherload_look(set, state, seat, &outlook);
    feature[FEATURE_SCORE] = motherload_score(set, state, seat) * 16;
    feature[FEATURE_LEAD] = clamp_lead(&outlook);
    feature[FEATURE_BEHIND_ALL] = outlook.lead < 0 ? clamp_lead(&outlook) : 0;
    describe_stacks(set, &outlook, feature);
    describe_deck(&outlook, feature);
    describe_hand(set, &outlook, feature);
    describe_artifacts(&outlook, feature);
    feature[FEATURE_MAJORS] = majors_promise(set, state, seat);
    feature[FEATURE_MINORS] = minors_promise(set, &outlook);
    describe_rivals(set, &outlook, feature);
    describe_time(&outlook, feature);
    for (unsigned i = 1; i < FEATURES; i++)
        feature[i] = game_feature_clamp(feature[i]);
    return state->point == AT_OVER ? GAME_PHASE_END : phase_of(&outlook);
}
