/* Checks and applies a ply. A move is read, then its conditions are tested in the order of the
 * rules, and the first broken one is the answer; only then is anything changed. */
#include "engine/games/shinjuku/moves.h"
#include "engine/games/shinjuku/rules.h"
#include "engine/games/shinjuku/turn.h"

#include <string.h>

static const struct refusal game_over = {REFUSAL_GAME_OVER, "The game is over."};
static const struct refusal not_your_turn = {REFUSAL_NOT_YOUR_TURN,
                                             "It is not this seat's decision."};
static const struct refusal wrong_decision = {
    "wrong-decision", "This move is for another decision than the current one."};
static const struct refusal matsuri_not_neighbour = {
    "matsuri-not-neighbour", "The Matsuri must move to a ward that shares an edge with its own."};
static const struct refusal action_already_taken = {
    "action-already-taken", "The same action may not be taken twice in a turn."};
static const struct refusal station_occupied = {"station-occupied",
                                                "A Store already stands in this station."};
static const struct refusal no_store_token = {
    "no-store-token", "No Specialty Store of this good is left in your supply."};
static const struct refusal cannot_pay = {
    "cannot-pay", "You hold no matching card, no wildcard, and fewer than three cards."};
static const struct refusal not_your_store = {"not-your-store",
                                              "You own no Store in that station."};
static const struct refusal department_store_fixed = {"department-store-fixed",
                                                      "A Department Store cannot be moved."};
static const struct refusal not_canonical = {"not-canonical",
                                             "Write the stations in the canonical order."};
static const struct refusal cards_not_canonical = {"not-canonical",
                                                   "Write the cards in the canonical order."};
static const struct refusal no_connection = {"no-connection",
                                             "No connection joins these stations."};
static const struct refusal permanent_connection = {"permanent-connection",
                                                    "This connection is permanent."};
static const struct refusal connection_taken = {"connection-taken",
                                                "Track already lies on this connection."};
static const struct refusal not_enough_track = {"not-enough-track",
                                                "You do not have enough track."};
static const struct refusal hand_full = {"hand-full", "You hold 15 cards."};
static const struct refusal no_customers = {"no-customers", "There is no customer in this ward."};
static const struct refusal already_department_store = {"already-department-store",
                                                        "This is already a Department Store."};
static const struct refusal no_sakura = {
    "no-sakura", "Only a station with the Sakura icon may hold a Department Store."};
static const struct refusal no_department_token = {"no-department-token",
                                                   "You have no Department Store left."};
static const struct refusal wrong_good = {"wrong-good",
                                          "The customer must want what this Store sells."};
static const struct refusal customer_not_owned = {"customer-not-owned",
                                                  "You have won no such customer."};
static const struct refusal card_not_in_hand = {"card-not-in-hand", "You do not hold that card."};
static const struct refusal card_does_not_match = {"card-does-not-match",
                                                   "This card neither matches nor is a wildcard."};
static const struct refusal customer_not_in_group = {"customer-not-in-group",
                                                     "No such customer is in the group."};
static const struct refusal store_does_not_sell = {"store-does-not-sell",
                                                   "The Store in this station does not sell that."};
static const struct refusal no_track = {"no-track", "No track lies on this connection."};
static const struct refusal station_visited = {"station-visited",
                                               "No station may be visited twice in one MOVE."};

/* The result of a check: the refusal, or NULL if the move is legal. */
typedef const struct refusal *check_result;

static bool has_neighbour(const struct shinjuku_ward *ward, uint8_t other)
{
    return memchr(ward->neighbour, other, ward->neighbour_count) != NULL;
}

static check_result check_matsuri(const struct shinjuku_components *set,
                                  const struct shinjuku_state *state,
                                  const struct shinjuku_move *move)
{
    if (!has_neighbour(&set->wards[state->matsuri], move->word[0]))
        return &matsuri_not_neighbour;
    return NULL;
}

static bool can_pay_in(const struct shinjuku_components *set, const struct shinjuku_state *state,
                       uint8_t station)
{
    return (shinjuku_payable(set, state, state->active) >> set->stations[station].ward & 1) != 0;
}

static check_result check_open(const struct shinjuku_components *set,
                               const struct shinjuku_state *state, const struct shinjuku_move *move)
{
    if (state->store_owner[move->word[0]] != NONE)
        return &station_occupied;
    if (state->stores_left[state->active][move->word[1]] == 0)
        return &no_store_token;
    return can_pay_in(set, state, move->word[0]) ? NULL : &cannot_pay;
}

static check_result check_relocate(const struct shinjuku_components *set,
                                   const struct shinjuku_state *state,
                                   const struct shinjuku_move *move)
{
    if (state->store_owner[move->word[0]] != NONE)
        return &station_occupied;
    if (state->store_owner[move->word[1]] != state->active)
        return &not_your_store;
    if (state->store_sells[move->word[1]] == DEPARTMENT)
        return &department_store_fixed;
    return can_pay_in(set, state, move->word[0]) ? NULL : &cannot_pay;
}

static bool is_canonical_expand(const struct shinjuku_components *set,
                                const struct shinjuku_move *move)
{
    if (move->count == 4)
        return move->word[1] == set->link_from && move->word[2] == set->link_to;
    return move->word[0] < move->word[move->count - 1];
}

/* The one or two connections that an EXPAND names; NONE for a missing one. Returns how many. */
static unsigned named_connections(const struct shinjuku_components *set,
                                  const struct shinjuku_move *move, uint8_t connection[static 2])
{
    const uint8_t *word = move->word;
    connection[0] = shinjuku_connection_between(set, word[0], word[1]);
    if (move->count == 2)
        return 1;
    connection[1] = shinjuku_connection_between(set, word[move->count - 2], word[move->count - 1]);
    return 2;
}

static bool can_pay_along(const struct shinjuku_components *set, const struct shinjuku_state *state,
                          const struct shinjuku_move *move)
{
    uint32_t wards = 0;
    for (unsigned i = 0; i < move->count; i++)
        wards |= UINT32_C(1) << set->stations[move->word[i]].ward;
    return (shinjuku_payable(set, state, state->active) & wards) != 0;
}

static check_result check_expand(const struct shinjuku_components *set,
                                 const struct shinjuku_state *state,
                                 const struct shinjuku_move *move)
{
    uint8_t connection[2];
    if (!is_canonical_expand(set, move))
        return &not_canonical;
    unsigned count = named_connections(set, move, connection);
    for (unsigned i = 0; i < count; i++)
        if (connection[i] == NONE)
            return &no_connection;
    for (unsigned i = 0; i < count; i++)
        if (set->connections[connection[i]].permanent)
            return &permanent_connection;
    for (unsigned i = 0; i < count; i++)
        if (state->track_owner[connection[i]] != NONE)
            return &connection_taken;
    if (state->track_left[state->active] < count)
        return &not_enough_track;
    return count == 1 || can_pay_along(set, state, move) ? NULL : &cannot_pay;
}

static check_result check_income(const struct shinjuku_components *set,
                                 const struct shinjuku_state *state,
                                 const struct shinjuku_move *move)
{
    (void)set;
    (void)move;
    return shinjuku_hand_size(state, state->active) < HAND_MAX ? NULL : &hand_full;
}

static check_result check_move(const struct shinjuku_components *set,
                               const struct shinjuku_state *state, const struct shinjuku_move *move)
{
    if (shinjuku_customers(state->customers[set->stations[move->word[0]].ward]) == 0)
        return &no_customers;
    return can_pay_in(set, state, move->word[0]) ? NULL : &cannot_pay;
}

static check_result check_upgrade(const struct shinjuku_components *set,
                                  const struct shinjuku_state *state,
                                  const struct shinjuku_move *move)
{
    uint8_t station = move->word[0];
    uint8_t kind = move->word[1];
    if (state->store_owner[station] != state->active)
        return &not_your_store;
    if (state->store_sells[station] == DEPARTMENT)
        return &already_department_store;
    if (!set->stations[station].sakura)
        return &no_sakura;
    if (state->departments_left[state->active] == 0)
        return &no_department_token;
    if (GOOD_OF(kind) != state->store_sells[station])
        return &wrong_good;
    if (state->earned[state->active][kind] == 0)
        return &customer_not_owned;
    return can_pay_in(set, state, station) ? NULL : &cannot_pay;
}

static check_result check_end(const struct shinjuku_components *set,
                              const struct shinjuku_state *state, const struct shinjuku_move *move)
{
    (void)set;
    (void)state;
    (void)move;
    return NULL;
}

/* Places in byte order: smaller or equal. */
static bool in_order(const struct shinjuku_components *set, uint8_t ward, uint8_t next)
{
    return span_compare(set->wards[ward].name, set->wards[next].name) <= 0;
}

static check_result check_pay_three(const struct shinjuku_components *set,
                                    const struct shinjuku_state *state,
                                    const uint8_t word[static 3])
{
    if (!in_order(set, word[0], word[1]) || !in_order(set, word[1], word[2]))
        return &cards_not_canonical;
    for (unsigned i = 0; i < CARDS_AS_A_WILDCARD; i++) {
        unsigned wanted = 0;
        for (unsigned j = 0; j < CARDS_AS_A_WILDCARD; j++)
            wanted += word[j] == word[i];
        if (state->hand[state->active][word[i]] < wanted)
            return &card_not_in_hand;
    }
    return NULL;
}

static check_result check_pay(const struct shinjuku_components *set,
                              const struct shinjuku_state *state, const struct shinjuku_move *move)
{
    if (move->count == CARDS_AS_A_WILDCARD)
        return check_pay_three(set, state, move->word);
    if (state->hand[state->active][move->word[0]] == 0)
        return &card_not_in_hand;
    uint32_t good =
        shinjuku_payments(set, state, state->active, shinjuku_pending_wards(set, state));
    return (good >> move->word[0] & 1) != 0 ? NULL : &card_does_not_match;
}

static check_result check_give(const struct shinjuku_components *set,
                               const struct shinjuku_state *state, const struct shinjuku_move *move)
{
    (void)set;
    if (state->group[move->word[0]] == 0)
        return &customer_not_in_group;
    return shinjuku_sells(state, state->current, move->word[0]) ? NULL : &store_does_not_sell;
}

static check_result check_step(const struct shinjuku_components *set,
                               const struct shinjuku_state *state, const struct shinjuku_move *move)
{
    uint8_t connection = shinjuku_connection_between(set, state->current, move->word[0]);
    if (connection == NONE)
        return &no_connection;
    if (!shinjuku_has_rails(set, state, connection))
        return &no_track;
    return state->visited[move->word[0]] ? &station_visited : NULL;
}

/* Notes what was named; the payment follows. */
static void name_action(struct shinjuku_state *state, enum action action,
                        const struct shinjuku_move *move, uint8_t stations, uint8_t detail)
{
    state->action = (uint8_t)action;
    state->stations = stations;
    memcpy(state->station, move->word, stations);
    state->detail = detail;
    state->point = AT_PAY;
}

static void apply_matsuri(struct shinjuku_state *state, const struct shinjuku_move *move)
{
    shinjuku_note(state, NOTE_MATSURI, state->matsuri, move->word[0], 0);
    state->matsuri = move->word[0];
    state->point = AT_ACTION;
}

static void apply_expand(const struct shinjuku_components *set, struct shinjuku_state *state,
                         const struct shinjuku_move *move)
{
    if (move->count > 2) {
        name_action(state, EXPAND, move, (uint8_t)move->count, NONE);
        return;
    }
    shinjuku_lay_track(state, shinjuku_connection_between(set, move->word[0], move->word[1]));
    state->point = AT_ACTION_END;
}

static void apply_end(struct shinjuku_state *state)
{
    shinjuku_note(state, NOTE_TURN_END, state->active, 0, 0);
    state->point = AT_TURN_END;
}

static void apply_pay(const struct shinjuku_components *set, struct shinjuku_state *state,
                      const struct shinjuku_move *move)
{
    for (unsigned i = 0; i < move->count; i++)
        shinjuku_discard(state, move->word[i]);
    shinjuku_carry_out(set, state);
}

static void apply_step(const struct shinjuku_components *set, struct shinjuku_state *state,
                       const struct shinjuku_move *move)
{
    uint8_t connection = shinjuku_connection_between(set, state->current, move->word[0]);
    uint8_t owner = state->track_owner[connection];
    if (owner != NONE && owner != state->active)
        state->crossed |= (uint8_t)(1u << owner);
    state->current = move->word[0];
    state->point = AT_ARRIVAL;
    shinjuku_note(state, NOTE_STEP, state->current, connection, 0);
}

static void apply(const struct shinjuku_components *set, struct shinjuku_state *state,
                  const struct shinjuku_move *move, const struct chance *chance)
{
    switch (move->verb) {
    case VERB_MATSURI:
        apply_matsuri(state, move);
        break;
    case VERB_OPEN:
        name_action(state, OPEN, move, 1, move->word[1]);
        break;
    case VERB_RELOCATE:
        name_action(state, OPEN, move, 2, NONE);
        break;
    case VERB_EXPAND:
        apply_expand(set, state, move);
        break;
    case VERB_INCOME:
        shinjuku_income(set, state, state->active, chance);
        state->point = AT_TURN_END;
        break;
    case VERB_MOVE:
        name_action(state, MOVE, move, 1, NONE);
        break;
    case VERB_UPGRADE:
        name_action(state, UPGRADE, move, 1, move->word[1]);
        break;
    case VERB_END:
        apply_end(state);
        break;
    case VERB_PAY:
        apply_pay(set, state, move);
        break;
    case VERB_GIVE:
        shinjuku_give(state, move->word[0]);
        break;
    case VERB_STEP:
        apply_step(set, state, move);
        break;
    case VERB_STOP:
        state->point = AT_MOVE_END;
        break;
    }
}

/* The decision that a verb answers, its action (NONE if it is not an action), and its
 * conditions. */
static const struct duty {
    uint8_t point;
    uint8_t action;
    check_result (*check)(const struct shinjuku_components *set, const struct shinjuku_state *state,
                          const struct shinjuku_move *move);
} duties[] = {
    [VERB_MATSURI] = {AT_MATSURI, NONE, check_matsuri},
    [VERB_OPEN] = {AT_ACTION, OPEN, check_open},
    [VERB_RELOCATE] = {AT_ACTION, OPEN, check_relocate},
    [VERB_EXPAND] = {AT_ACTION, EXPAND, check_expand},
    [VERB_INCOME] = {AT_ACTION, INCOME, check_income},
    [VERB_MOVE] = {AT_ACTION, MOVE, check_move},
    [VERB_UPGRADE] = {AT_ACTION, UPGRADE, check_upgrade},
    [VERB_END] = {AT_ACTION, NONE, check_end},
    [VERB_PAY] = {AT_PAY, NONE, check_pay},
    [VERB_GIVE] = {AT_GIVE, NONE, check_give},
    [VERB_STEP] = {AT_ROUTE, NONE, check_step},
    [VERB_STOP] = {AT_ROUTE, NONE, check_end},
};

static check_result check(const struct shinjuku_components *set, const struct shinjuku_state *state,
                          const struct shinjuku_move *move)
{
    const struct duty *duty = &duties[move->verb];
    if (duty->point != state->point)
        return &wrong_decision;
    if (duty->action != NONE && (state->actions_taken >> duty->action & 1) != 0)
        return &action_already_taken;
    return duty->check(set, state, move);
}

static bool refuse_with(struct refusal *refusal, check_result reason)
{
    *refusal = *reason;
    return false;
}

uint32_t shinjuku_deciders(const void *opaque)
{
    const struct shinjuku_state *state = opaque;
    return state->point == AT_OVER ? 0 : UINT32_C(1) << state->active;
}

void shinjuku_make_move(const struct shinjuku_components *set, struct shinjuku_state *state,
                        const struct shinjuku_move *move, const struct chance *chance)
{
    shinjuku_forget_notes(state);
    if (duties[move->verb].action != NONE)
        state->actions_taken |= (uint8_t)(1u << duties[move->verb].action);
    apply(set, state, move, chance);
    shinjuku_advance(set, state, chance);
}

bool shinjuku_play(const struct game *game, void *opaque, unsigned seat, struct span text,
                   const struct chance *chance, struct refusal *refusal)
{
    struct shinjuku_state *state = opaque;
    const struct shinjuku_components *set = game->set;
    struct shinjuku_move move;
    if (state->point == AT_OVER)
        return refuse_with(refusal, &game_over);
    if (seat != state->active)
        return refuse_with(refusal, &not_your_turn);
    if (!shinjuku_read_move(set, text, &move, refusal))
        return false;
    check_result reason = check(set, state, &move);
    if (reason != NULL)
        return refuse_with(refusal, reason);
    shinjuku_make_move(set, state, &move, chance);
    return true;
}
