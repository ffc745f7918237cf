/* Numbers that describe how a seat stands, for a learned value (`features` in engine/game/game.h).
 * The state has been imagined for the one who asks, so all hands and collections may be read. */
#include "engine/games/shinjuku/judge.h"
#include "engine/games/shinjuku/rules.h"

enum feature {
    FEATURE_ONE,
    FEATURE_SCORE,
    FEATURE_LEAD,  /* before the best rival */
    FEATURE_WORTH, /* of the collection */
    FEATURE_LEAST, /* customers of the good of which it has fewest */
    FEATURE_BONUS, /* tokens */
    FEATURE_HAND,
    FEATURE_CARDS, /* in hand, whose wards differ */
    FEATURE_WILD,  /* cards in hand that are wildcards */
    FEATURE_STORES,
    FEATURE_GOODS, /* that its Stores sell */
    FEATURE_DEPARTMENTS,
    FEATURE_TRACK,
    FEATURE_REACH,     /* of its Stores: customers who wait on the map or in the Queue */
    FEATURE_NEAR,      /* the same of those who wait in a ward of which it holds a card */
    FEATURE_ACTIONS,   /* left, if it is the seat's turn */
    FEATURE_LAST_LEAD, /* the lead in the final phase */
    FEATURES
};

static_assert((int)FEATURES <= (int)GAME_FEATURES_MAX, "as many as the contract allows");
static_assert((int)FEATURES == (int)SHINJUKU_FEATURES, "as rules.h says");

static int32_t lead_of(const struct shinjuku_components *set, const struct shinjuku_state *state,
                       unsigned seat)
{
    int32_t best = 0;
    for (unsigned rival = 0; rival < state->seats; rival++) {
        int32_t score = shinjuku_score(set, state->earned[rival], state->bonus[rival]);
        if (rival != seat && score > best)
            best = score;
    }
    return shinjuku_score(set, state->earned[seat], state->bonus[seat]) - best;
}

static void describe_collection(const struct shinjuku_components *set,
                                const struct shinjuku_state *state, unsigned seat, int32_t *feature)
{
    const uint8_t *earned = state->earned[seat];
    int32_t least = INT32_MAX;
    for (unsigned good = 0; good < GOODS; good++) {
        int32_t of = 0;
        for (unsigned kind = 2 * good; kind < 2 * good + 2; kind++)
            of += earned[kind] * set->kinds[kind].value;
        least = of < least ? of : least;
    }
    feature[FEATURE_SCORE] = shinjuku_score(set, earned, state->bonus[seat]) * 32;
    feature[FEATURE_WORTH] = shinjuku_worth(set, earned, state->bonus[seat]) * 8;
    feature[FEATURE_LEAST] = least * 256;
    feature[FEATURE_BONUS] = state->bonus[seat] * 256;
}

static void describe_hand(const struct shinjuku_components *set, const struct shinjuku_state *state,
                          unsigned seat, int32_t *feature)
{
    const uint32_t wild = shinjuku_wild_wards(set, state, seat);
    for (unsigned ward = 0; ward < WARDS; ward++) {
        const int32_t cards = state->hand[seat][ward];
        feature[FEATURE_HAND] += cards * 128;
        feature[FEATURE_CARDS] += (cards > 0) * 256;
        feature[FEATURE_WILD] += (wild >> ward & 1) != 0 ? cards * 128 : 0;
    }
}

static void describe_stores(const struct shinjuku_components *set,
                            const struct shinjuku_state *state, unsigned seat, int32_t *feature)
{
    struct shinjuku_map map;
    struct shinjuku_waiting waiting;
    struct shinjuku_near near;
    unsigned goods = 0;
    int32_t reach = 0, payable = 0;
    const uint32_t held = shinjuku_payable(set, state, seat);
    shinjuku_draw_map(set, state, &map);
    shinjuku_count_waiting(set, state, seat, &waiting);
    shinjuku_look_near(set, &map, &waiting, &near);
    for (unsigned station = 0; station < STATIONS; station++) {
        if (state->store_owner[station] != seat)
            continue;
        feature[FEATURE_STORES] += 128;
        feature[FEATURE_DEPARTMENTS] += state->store_sells[station] == DEPARTMENT ? 512 : 0;
        for (unsigned good = 0; good < GOODS; good++) {
            if (!shinjuku_sells(state, station, 2 * good))
                continue;
            goods |= 1u << good;
            for (unsigned i = 0; i < near.crowds; i++) {
                const int32_t steps = (int32_t)shinjuku_lane(near.steps[station], i);
                const int32_t worth = waiting.of[near.ward[i]][good] * (SHINJUKU_FAR - steps);
                reach += worth;
                payable += (held >> near.ward[i] & 1) != 0 ? worth : 0;
            }
        }
    }
    for (; goods != 0; goods &= goods - 1)
        feature[FEATURE_GOODS] += 512;
    feature[FEATURE_REACH] = reach;
    feature[FEATURE_NEAR] = payable;
}

/* By the customers who have left the bag. */
static unsigned phase_of(const struct shinjuku_state *state)
{
    if (state->point == AT_OVER || state->bag_end == 0)
        return GAME_PHASE_END;
    return (unsigned)state->bag_next * GAME_PHASE_END / state->bag_end;
}

unsigned shinjuku_features(const struct game *game, const void *opaque, unsigned seat,
                           int32_t *feature)
{
    const struct shinjuku_state *state = opaque;
    const struct shinjuku_components *set = game->set;
    for (unsigned i = 0; i < FEATURES; i++)
        feature[i] = 0;
    const int32_t lead = lead_of(set, state, seat) * 32;
    feature[FEATURE_ONE] = 1;
    feature[FEATURE_LEAD] = lead;
    feature[FEATURE_LAST_LEAD] = state->final_phase ? lead : 0;
    feature[FEATURE_TRACK] = (TRACK - state->track_left[seat]) * 128;
    if (seat == state->active)
        feature[FEATURE_ACTIONS] = (ACTIONS_OF_A_TURN + 1 - state->action_number) * 512;
    describe_collection(set, state, seat, feature);
    describe_hand(set, state, seat, feature);
    describe_stores(set, state, seat, feature);
    for (unsigned i = 1; i < FEATURES; i++)
        feature[i] = game_feature_clamp(feature[i]);
    return phase_of(state);
}
