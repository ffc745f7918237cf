/* Queries of a position that several files use. */
#include "engine/games/shinjuku/state.h"

unsigned shinjuku_hand_size(const struct shinjuku_state *state, unsigned seat)
{
    const uint8_t *hand = state->hand[seat];
    static_assert(WARDS == 23, "the last eight begin with one that has been counted");
    return shinjuku_sum(bytes_eight(hand) + bytes_eight(hand + 8) + (bytes_eight(hand + 15) >> 8));
}

uint32_t shinjuku_hand_wards(const struct shinjuku_state *state, unsigned seat)
{
    return (uint32_t)shinjuku_others(state->hand[seat], WARDS, 0);
}

uint64_t shinjuku_stations_in(const struct shinjuku_components *set, uint32_t wards)
{
    uint64_t stations = 0;
    for (; wards != 0; wards &= wards - 1)
        stations |= set->wards[shinjuku_first(wards)].stations;
    return stations;
}

uint32_t shinjuku_wild_wards(const struct shinjuku_components *set,
                             const struct shinjuku_state *state, unsigned seat)
{
    uint32_t wards = state->matsuri == NONE ? 0 : UINT32_C(1) << state->matsuri;
    for (uint64_t own = shinjuku_stores_of(state, seat); own != 0; own &= own - 1)
        wards |= UINT32_C(1) << set->stations[shinjuku_first(own)].ward;
    return wards;
}

uint32_t shinjuku_payments(const struct shinjuku_components *set,
                           const struct shinjuku_state *state, unsigned seat, uint32_t wards)
{
    return shinjuku_hand_wards(state, seat) & (wards | shinjuku_wild_wards(set, state, seat));
}

uint32_t shinjuku_payable(const struct shinjuku_components *set, const struct shinjuku_state *state,
                          unsigned seat)
{
    if (shinjuku_hand_size(state, seat) >= CARDS_AS_A_WILDCARD)
        return SHINJUKU_WARDS;
    uint32_t held = shinjuku_hand_wards(state, seat);
    return (held & shinjuku_wild_wards(set, state, seat)) != 0 ? SHINJUKU_WARDS : held;
}

uint32_t shinjuku_pending_wards(const struct shinjuku_components *set,
                                const struct shinjuku_state *state)
{
    unsigned named = state->action == EXPAND ? state->stations : 1;
    uint32_t wards = 0;
    for (unsigned i = 0; i < named; i++)
        wards |= UINT32_C(1) << set->stations[state->station[i]].ward;
    return wards;
}

bool shinjuku_can_step(const struct shinjuku_components *set, const struct shinjuku_state *state)
{
    const struct shinjuku_station *station = &set->stations[state->current];
    for (unsigned i = 0; i < station->link_count; i++)
        if (state->visited[station->link[i].station] == 0 &&
            shinjuku_has_rails(set, state, station->link[i].connection))
            return true;
    return false;
}

static bool is_taken(const struct shinjuku_state *state, enum action action)
{
    return (state->actions_taken >> action & 1) != 0;
}

static bool can_open(const struct shinjuku_components *set, const struct shinjuku_state *state,
                     uint32_t payable)
{
    bool token = false;
    for (unsigned good = 0; good < GOODS; good++)
        token = token || state->stores_left[state->active][good] > 0;
    if (!token && (shinjuku_stores_of(state, state->active) & ~shinjuku_departments(state)) == 0)
        return false;
    return (shinjuku_stations_in(set, payable) & ~shinjuku_stores(state)) != 0;
}

static bool can_expand(const struct shinjuku_components *set, const struct shinjuku_state *state)
{
    for (unsigned i = 0; state->track_left[state->active] > 0 && i < set->connection_count; i++)
        if (!shinjuku_has_rails(set, state, i))
            return true;
    return false;
}

static bool can_upgrade_station(const struct shinjuku_components *set,
                                const struct shinjuku_state *state, unsigned station)
{
    uint8_t good = state->store_sells[station];
    if (state->store_owner[station] != state->active || good == DEPARTMENT ||
        !set->stations[station].sakura)
        return false;
    const uint8_t *earned = state->earned[state->active];
    return earned[2 * good] + earned[2 * good + 1] > 0;
}

static bool can_upgrade(const struct shinjuku_components *set, const struct shinjuku_state *state,
                        uint32_t payable)
{
    for (unsigned i = 0; state->departments_left[state->active] > 0 && i < STATIONS; i++)
        if ((payable >> set->stations[i].ward & 1) != 0 && can_upgrade_station(set, state, i))
            return true;
    return false;
}

bool shinjuku_only_end(const struct shinjuku_components *set, const struct shinjuku_state *state)
{
    /* Almost always the first line decides. */
    if (!is_taken(state, INCOME) && shinjuku_hand_size(state, state->active) < HAND_MAX)
        return false;
    uint32_t payable = shinjuku_payable(set, state, state->active);
    return (is_taken(state, OPEN) || !can_open(set, state, payable)) &&
           (is_taken(state, EXPAND) || !can_expand(set, state)) &&
           (is_taken(state, MOVE) || (shinjuku_crowded(state) & payable) == 0) &&
           (is_taken(state, UPGRADE) || !can_upgrade(set, state, payable));
}

void shinjuku_note(struct shinjuku_state *state, enum note_kind kind, unsigned a, unsigned b,
                   unsigned c)
{
    if (state->notes < NOTES_MAX)
        state->note[state->notes++] =
            (struct note){(uint8_t)kind, (uint8_t)a, (uint8_t)b, (uint8_t)c};
}

void shinjuku_note_customers(struct shinjuku_state *state, const uint8_t kinds[static KINDS])
{
    for (unsigned kind = 0; kind < KINDS; kind++)
        if (kinds[kind] > 0)
            shinjuku_note(state, NOTE_CUSTOMERS, kind, kinds[kind], 0);
}

/* ---- Words for decision points and actions, as views, worked cases and moves write them ---- */

const char *shinjuku_point_name(unsigned point)
{
    static const char *const names[] = {
        [AT_MATSURI] = "matsuri", [AT_ACTION] = "action", [AT_PAY] = "pay",
        [AT_GIVE] = "give",       [AT_ROUTE] = "route",   [AT_OVER] = "over"};
    assert(point <= AT_OVER);
    return names[point];
}

const char *shinjuku_action_name(unsigned action)
{
    static const char *const names[] = {[OPEN] = "open",
                                        [EXPAND] = "expand",
                                        [INCOME] = "income",
                                        [MOVE] = "move",
                                        [UPGRADE] = "upgrade"};
    assert(action < ACTIONS);
    return names[action];
}

static unsigned smallest(const unsigned value[static GOODS])
{
    unsigned at = 0;
    for (unsigned good = 1; good < GOODS; good++)
        if (value[good] < value[at])
            at = good;
    return at;
}

/* Rulebook, Endgame Scoring. A wild token is worth most where there are fewest customers. Then sets
 * are made by repeatedly subtracting the smallest number: first sets of four goods, then of the
 * three goods that have some left, and so on. */
int32_t shinjuku_score(const struct shinjuku_components *set, const uint8_t earned[static KINDS],
                       unsigned bonus)
{
    unsigned value[GOODS] = {0};
    for (unsigned kind = 0; kind < KINDS; kind++)
        value[GOOD_OF(kind)] += (unsigned)earned[kind] * set->kinds[kind].value;
    for (; bonus > 0; bonus--)
        value[smallest(value)]++;
    int32_t score = 0;
    unsigned scored = 0;
    for (unsigned goods = GOODS; goods > 0; goods--) {
        unsigned at = smallest(value);
        score += (int32_t)((value[at] - scored) * set->set_points[goods]);
        scored = value[at];
        value[at] = UINT32_MAX;
    }
    return score;
}
