/* The automatic steps. Each step ends by setting the next point (see the drawing in state.h);
 * shinjuku_advance() runs them until a seat has to decide. If exactly one move is legal and
 * everyone can see that, it is made here and is not a ply. */
#include "engine/games/shinjuku/turn.h"

#include <string.h>

#include "engine/games/shinjuku/piles.h"
#include "engine/games/shinjuku/recall.h"

void shinjuku_discard(struct shinjuku_state *state, uint8_t ward)
{
    assert(state->hand[state->active][ward] > 0);
    shinjuku_recall_paid(state, ward);
    state->hand[state->active][ward]--;
    state->discard[ward]++;
    shinjuku_note(state, NOTE_PAID, ward, 0, 0);
}

void shinjuku_start_turn(struct shinjuku_state *state, unsigned seat)
{
    state->active = (uint8_t)seat;
    state->action_number = 1;
    state->actions_taken = 0;
    state->point = AT_TURN_BEGIN;
}

static void add_customers(uint8_t to[static KINDS], const uint8_t from[static KINDS])
{
    for (unsigned kind = 0; kind < KINDS; kind++)
        to[kind] = (uint8_t)(to[kind] + from[kind]);
}

/* Rulebook, Place New Customers. Returns how many there were. */
static unsigned place_customers(struct shinjuku_state *state)
{
    unsigned placed = shinjuku_customers(state->queue[0]);
    if (placed == 0)
        return 0;
    add_customers(state->customers[state->queue_ward[0]], state->queue[0]);
    shinjuku_note(state, NOTE_PLACED, state->queue_ward[0], 0, 0);
    shinjuku_note_customers(state, state->queue[0]);
    memset(state->queue[0], 0, sizeof state->queue[0]);
    return placed;
}

static void check_final_phase(struct shinjuku_state *state)
{
    unsigned waiting = (unsigned)(state->bag_end - state->bag_next);
    for (unsigned space = 0; space < QUEUE_SPACES; space++)
        waiting += shinjuku_customers(state->queue[space]);
    if (waiting > 0 || state->final_phase)
        return;
    state->final_phase = 1;
    shinjuku_note(state, NOTE_FINAL, 0, 0, 0);
}

static void take_queue_card(struct shinjuku_state *state)
{
    uint8_t ward = state->queue_ward[0];
    bool room = shinjuku_hand_size(state, state->active) < HAND_MAX;
    if (room) {
        state->hand[state->active][ward]++;
        shinjuku_recall_taken(state, state->active, ward);
    } else {
        state->discard[ward]++;
    }
    shinjuku_note(state, NOTE_QUEUE_CARD, ward, room, 0);
}

/* Rulebook, Refresh the Customer Queue. Space 1 is empty. */
static void refresh_queue(const struct shinjuku_components *set, struct shinjuku_state *state,
                          unsigned placed, const struct chance *chance)
{
    memmove(state->queue_ward, state->queue_ward + 1, QUEUE_SPACES - 1);
    memmove(state->queue[0], state->queue[1], sizeof state->queue - sizeof state->queue[0]);
    memset(state->queue[QUEUE_SPACES - 1], 0, sizeof state->queue[0]);
    state->queue_ward[QUEUE_SPACES - 1] = shinjuku_turn_card_up(set, state, chance);
    shinjuku_note(state, NOTE_REVEALED, state->queue_ward[QUEUE_SPACES - 1], 0, 0);
    for (; placed > 0 && state->bag_next < state->bag_end; placed--)
        shinjuku_queue_add(state, shinjuku_draw_customer(set, state, chance));
}

static void begin_turn(const struct shinjuku_components *set, struct shinjuku_state *state,
                       const struct chance *chance)
{
    shinjuku_note(state, NOTE_TURN, state->active, 0, 0);
    unsigned placed = place_customers(state);
    check_final_phase(state);
    take_queue_card(state);
    refresh_queue(set, state, placed, chance);
    state->point = state->advanced ? AT_ACTION : AT_MATSURI;
}

static void end_turn(struct shinjuku_state *state)
{
    unsigned next = (state->active + 1u) % state->seats;
    if (state->final_phase && next == 0) {
        state->point = AT_OVER;
        shinjuku_note(state, NOTE_OVER, 0, 0, 0);
        return;
    }
    shinjuku_start_turn(state, next);
}

static void end_action(struct shinjuku_state *state)
{
    state->action = NONE;
    state->detail = NONE;
    state->stations = 0;
    memset(state->station, NONE, sizeof state->station);
    if (state->action_number == ACTIONS_OF_A_TURN) {
        state->point = AT_TURN_END;
        return;
    }
    state->action_number++;
    state->point = AT_ACTION;
}

void shinjuku_income(const struct shinjuku_components *set, struct shinjuku_state *state,
                     unsigned seat, const struct chance *chance)
{
    unsigned held = shinjuku_hand_size(state, seat);
    if (held >= HAND_MAX)
        return;
    unsigned count = held < INCOME_HAND ? INCOME_HAND - held : INCOME_EXTRA;
    uint8_t drawn[INCOME_HAND];
    for (unsigned i = 0; i < count; i++) {
        drawn[i] = shinjuku_draw_card(set, state, chance);
        state->hand[seat][drawn[i]]++;
    }
    shinjuku_note(state, NOTE_INCOME, seat, count, 0);
    for (unsigned i = 0; i < count; i++)
        shinjuku_note(state, NOTE_CARD, drawn[i], 0, 0);
}

void shinjuku_lay_track(struct shinjuku_state *state, uint8_t connection)
{
    assert(state->track_left[state->active] > 0);
    state->track_owner[connection] = state->active;
    state->track_left[state->active]--;
    shinjuku_note(state, NOTE_TRACK, connection, 0, 0);
}

static void open_store(struct shinjuku_state *state)
{
    uint8_t station = state->station[0];
    uint8_t good = state->detail;
    state->store_owner[station] = state->active;
    state->store_sells[station] = good;
    state->stores_left[state->active][good]--;
    shinjuku_note(state, NOTE_OPENED, station, good, 0);
}

static void relocate_store(struct shinjuku_state *state)
{
    uint8_t to = state->station[0];
    uint8_t from = state->station[1];
    state->store_owner[to] = state->active;
    state->store_sells[to] = state->store_sells[from];
    state->store_owner[from] = NONE;
    state->store_sells[from] = 0;
    shinjuku_note(state, NOTE_RELOCATED, from, to, 0);
}

static void lay_double_track(const struct shinjuku_components *set, struct shinjuku_state *state)
{
    const uint8_t *station = state->station;
    shinjuku_lay_track(state, shinjuku_connection_between(set, station[0], station[1]));
    if (state->stations == 4)
        shinjuku_lay_track(state, shinjuku_connection_between(set, station[2], station[3]));
    else
        shinjuku_lay_track(state, shinjuku_connection_between(set, station[1], station[2]));
}

/* Rulebook, Upgrade: the bonus depends on the number of earlier upgrades. In the Advanced Variant
 * there are no tokens; the first upgrade still breaks ties. */
static void claim_bonus(const struct shinjuku_components *set, struct shinjuku_state *state)
{
    uint8_t seat = state->active;
    state->upgrades++;
    bool stack_left = state->upgrades <= BONUS_STACKS;
    if (state->claim[seat] == 0 && (stack_left || state->advanced))
        state->claim[seat] = state->upgrades;
    if (!stack_left || state->advanced)
        return;
    uint8_t tokens = set->bonus_stacks[state->upgrades - 1];
    state->bonus[seat] = (uint8_t)(state->bonus[seat] + tokens);
    shinjuku_note(state, NOTE_BONUS, tokens, 0, 0);
}

static void upgrade_store(const struct shinjuku_components *set, struct shinjuku_state *state)
{
    uint8_t seat = state->active;
    uint8_t station = state->station[0];
    uint8_t kind = state->detail;
    shinjuku_note(state, NOTE_UPGRADED, station, kind, 0);
    state->earned[seat][kind]--;
    if (state->final_phase) {
        state->removed[kind]++;
        shinjuku_note(state, NOTE_REMOVED, kind, 0, 0);
    } else {
        shinjuku_queue_add(state, kind);
    }
    state->stores_left[seat][state->store_sells[station]]++;
    state->departments_left[seat]--;
    state->store_sells[station] = DEPARTMENT;
    claim_bonus(set, state);
}

/* Rulebook, Move: all customers of the ward leave together. */
static void start_move(const struct shinjuku_components *set, struct shinjuku_state *state)
{
    uint8_t station = state->station[0];
    uint8_t *ward = state->customers[set->stations[station].ward];
    memcpy(state->group, ward, sizeof state->group);
    memset(ward, 0, sizeof state->group);
    state->current = station;
    shinjuku_note(state, NOTE_GROUP, station, 0, 0);
    shinjuku_note_customers(state, state->group);
}

void shinjuku_carry_out(const struct shinjuku_components *set, struct shinjuku_state *state)
{
    state->point = AT_ACTION_END;
    if (state->action == OPEN && state->detail != NONE)
        open_store(state);
    else if (state->action == OPEN)
        relocate_store(state);
    else if (state->action == EXPAND)
        lay_double_track(set, state);
    else if (state->action == UPGRADE)
        upgrade_store(set, state);
    else if (state->action == MOVE) {
        start_move(set, state);
        state->point = AT_ARRIVAL;
    }
}

void shinjuku_give(struct shinjuku_state *state, uint8_t kind)
{
    uint8_t owner = state->store_owner[state->current];
    state->group[kind]--;
    state->earned[owner][kind]++;
    shinjuku_note(state, NOTE_GIVEN, kind, owner, state->current);
    state->point = shinjuku_customers(state->group) == 0 ? AT_MOVE_END : AT_ROUTE;
}

/* Rulebook, Move: a Store that a customer in the group wants takes exactly one customer. */
static void arrive(struct shinjuku_state *state)
{
    state->visited[state->current] = 1;
    state->point = AT_ROUTE;
    unsigned wanted = 0;
    uint8_t only = NONE;
    for (uint8_t kind = 0; kind < KINDS; kind++) {
        if (state->group[kind] == 0 || !shinjuku_sells(state, state->current, kind))
            continue;
        wanted++;
        only = kind;
    }
    if (wanted > 1)
        state->point = AT_GIVE;
    else if (wanted == 1)
        shinjuku_give(state, only);
}

static void end_move(const struct shinjuku_components *set, struct shinjuku_state *state,
                     const struct chance *chance)
{
    add_customers(state->customers[set->stations[state->current].ward], state->group);
    shinjuku_note(state, NOTE_MOVE_END, state->current, 0, 0);
    shinjuku_note_customers(state, state->group);
    for (unsigned i = 1; i < state->seats; i++) {
        unsigned rival = (state->active + i) % state->seats;
        if ((state->crossed >> rival & 1) != 0)
            shinjuku_income(set, state, rival, chance);
    }
    memset(state->group, 0, sizeof state->group);
    memset(state->visited, 0, sizeof state->visited);
    state->crossed = 0;
    state->current = NONE;
    state->point = AT_ACTION_END;
}

static uint8_t only_card(const struct shinjuku_state *state)
{
    uint8_t ward = 0;
    while (state->hand[state->active][ward] == 0)
        ward++;
    return ward;
}

/* One step; false when a decision is reached. */
static bool step(const struct shinjuku_components *set, struct shinjuku_state *state,
                 const struct chance *chance)
{
    switch ((enum point)state->point) {
    case AT_TURN_BEGIN:
        begin_turn(set, state, chance);
        return true;
    case AT_ACTION:
        if (!shinjuku_only_end(set, state))
            return false;
        state->point = AT_TURN_END;
        return true;
    case AT_PAY:
        if (shinjuku_hand_size(state, state->active) != 1)
            return false;
        shinjuku_discard(state, only_card(state));
        shinjuku_carry_out(set, state);
        return true;
    case AT_ARRIVAL:
        arrive(state);
        return true;
    case AT_ROUTE:
        if (shinjuku_can_step(set, state))
            return false;
        state->point = AT_MOVE_END;
        return true;
    case AT_MOVE_END:
        end_move(set, state, chance);
        return true;
    case AT_ACTION_END:
        end_action(state);
        return true;
    case AT_TURN_END:
        end_turn(state);
        return true;
    case AT_MATSURI:
    case AT_GIVE:
    case AT_OVER:
        return false;
    }
    return false;
}

void shinjuku_advance(const struct shinjuku_components *set, struct shinjuku_state *state,
                      const struct chance *chance)
{
    bool running = true;
    while (running)
        running = step(set, state, chance);
}
