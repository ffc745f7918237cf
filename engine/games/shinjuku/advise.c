/* A sensible player: it takes the MOVE that brings most, else spends customers on a Department
 * Store where the tokens pay for them, else opens Stores and lays track where customers come near.
 * It looks at nothing but its own view and its legal moves, and plans anew at every decision. */
#include "engine/games/shinjuku/advise.h"

#include <string.h>

#include "engine/games/shinjuku/moves.h"
#include "engine/games/shinjuku/rules.h"

enum {
    CARD_COST = 3,         /* worth of a card, in the units of shinjuku_worth() */
    REACH_UNIT = 24,       /* reach that is worth one unit */
    DEPARTMENT_WORTH = 20, /* of selling everything */
    NEVER = -100000
};

static int32_t cards_to_pay(const struct sight *sight, uint32_t wards)
{
    return shinjuku_payments(&sight->state, sight->seat, wards) != 0 ? 1 : CARDS_AS_A_WILDCARD;
}

static uint32_t ward_of(uint8_t station)
{
    return UINT32_C(1) << shinjuku_stations[station].ward;
}

static int32_t judge_move(const struct sight *sight, const struct shinjuku_move *move)
{
    int32_t value = shinjuku_plan_start(sight, move->word[0]).value;
    return value - CARD_COST * cards_to_pay(sight, ward_of(move->word[0]));
}

static int32_t judge_upgrade(const struct sight *sight, const struct shinjuku_move *move)
{
    const struct shinjuku_state *state = &sight->state;
    uint8_t earned[KINDS];
    memcpy(earned, state->earned[sight->seat], sizeof earned);
    earned[move->word[1]]--;
    bool tokens = !state->advanced && state->upgrades < BONUS_STACKS;
    unsigned bonus = state->bonus[sight->seat];
    int32_t before = shinjuku_worth(state->earned[sight->seat], bonus);
    int32_t after =
        shinjuku_worth(earned, bonus + (tokens ? shinjuku_bonus_stacks[state->upgrades] : 0));
    int32_t store = state->final_phase ? 0 : DEPARTMENT_WORTH;
    return after - before + store - CARD_COST * cards_to_pay(sight, ward_of(move->word[0]));
}

static int32_t judge_open(const struct sight *sight, const struct shinjuku_move *move,
                          int32_t reach_now)
{
    struct shinjuku_state state = sight->state;
    uint8_t station = move->word[0];
    state.store_owner[station] = (uint8_t)sight->seat;
    if (move->verb == VERB_RELOCATE) {
        state.store_sells[station] = state.store_sells[move->word[1]];
        state.store_owner[move->word[1]] = NONE;
    } else {
        state.store_sells[station] = move->word[1];
    }
    int32_t more = shinjuku_reach(&state, sight->seat) - reach_now;
    if (shinjuku_stations[station].sakura)
        more += more / 3;
    return more / REACH_UNIT - CARD_COST * cards_to_pay(sight, ward_of(station));
}

static int32_t judge_expand(const struct sight *sight, const struct shinjuku_move *move,
                            int32_t reach_now)
{
    struct shinjuku_state state = sight->state;
    uint32_t wards = 0;
    for (unsigned i = 0; i < move->count; i++)
        wards |= ward_of(move->word[i]);
    for (unsigned i = 0; i + 1 < move->count; i++) {
        uint8_t connection = shinjuku_connection_between(move->word[i], move->word[i + 1]);
        if (connection != NONE && !shinjuku_has_rails(&state, connection))
            state.track_owner[connection] = (uint8_t)sight->seat;
    }
    int32_t more = shinjuku_reach(&state, sight->seat) - reach_now;
    int32_t cost = move->count == 2 ? 0 : CARD_COST * (1 + cards_to_pay(sight, wards));
    return more / REACH_UNIT - cost;
}

/* INCOME ends the turn, so it waits for the second action. */
static int32_t judge_income(const struct sight *sight)
{
    int32_t held = (int32_t)shinjuku_hand_size(&sight->state, sight->seat);
    int32_t drawn = held < INCOME_HAND ? INCOME_HAND - held : INCOME_EXTRA;
    return sight->second_action ? CARD_COST * drawn : 1;
}

static int32_t judge_payment(const struct sight *sight, const struct shinjuku_move *move)
{
    const struct shinjuku_state *state = &sight->state;
    uint32_t wild = 0;
    for (uint8_t station = 0; station < STATIONS; station++)
        if (state->store_owner[station] == sight->seat)
            wild |= ward_of(station);
    int32_t cost = 0;
    for (unsigned i = 0; i < move->count; i++) {
        uint8_t ward = move->word[i];
        cost += 4;
        cost += (wild >> ward & 1) != 0 ? 3 : 0;
        cost += shinjuku_customers(state->customers[ward]) > 0 ? 1 : 0;
    }
    return -cost;
}

static int32_t judge_matsuri(const struct sight *sight, const struct shinjuku_move *move)
{
    struct shinjuku_state state = sight->state;
    state.matsuri = NONE;
    bool wild_already = (shinjuku_wild_wards(&state, sight->seat) >> move->word[0] & 1) != 0;
    return wild_already ? 0 : state.hand[sight->seat][move->word[0]];
}

/* What is the same for all moves of one decision. */
struct context {
    int32_t reach_now;
    uint8_t way_on; /* station, NONE to stop */
};

static int32_t judge(const struct sight *sight, const struct shinjuku_move *move,
                     const struct context *context)
{
    switch (move->verb) {
    case VERB_MATSURI:
        return judge_matsuri(sight, move);
    case VERB_OPEN:
    case VERB_RELOCATE:
        return judge_open(sight, move, context->reach_now);
    case VERB_EXPAND:
        return judge_expand(sight, move, context->reach_now);
    case VERB_INCOME:
        return judge_income(sight);
    case VERB_MOVE:
        return judge_move(sight, move);
    case VERB_UPGRADE:
        return judge_upgrade(sight, move);
    case VERB_PAY:
        return judge_payment(sight, move);
    case VERB_GIVE:
        return move->word[0] == shinjuku_choose_customer(&sight->state, sight->seat);
    case VERB_STEP:
        return move->word[0] == context->way_on;
    case VERB_STOP:
        return context->way_on == NONE;
    case VERB_END:
        return 0;
    }
    return NEVER;
}

size_t shinjuku_advise(const json_t *view, const struct move_list *legal)
{
    struct sight sight;
    struct refusal refusal;
    shinjuku_read_view(&sight, view);
    struct context context = {
        .reach_now = shinjuku_reach(&sight.state, sight.seat),
        .way_on = sight.state.current == NONE ? NONE : shinjuku_plan_rest(&sight).first};
    size_t chosen = 0;
    int32_t best = NEVER;
    for (size_t i = 0; i < legal->count; i++) {
        struct shinjuku_move move;
        if (!shinjuku_read_move(move_list_get(legal, i), &move, &refusal))
            continue;
        int32_t value = judge(&sight, &move, &context);
        if (value > best) {
            best = value;
            chosen = i;
        }
    }
    return chosen;
}
