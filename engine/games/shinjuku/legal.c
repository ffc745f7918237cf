/* Every legal move, generated in byte order without sorting: verbs, stations, wards, goods and
 * kinds are each walked in the byte order of their names, and no name is a prefix of another
 * followed by a byte below the space. Moves that depend on one station alone are texts of the
 * component set. */
#include <string.h>

#include "engine/games/shinjuku/rules.h"

struct offer {
    const struct shinjuku_state *state;
    struct move_list *list;     /* NULL: moves are listed as structs */
    struct shinjuku_move *move; /* the next one goes here */
    unsigned seat;
    uint32_t payable; /* bit w: an action in ward w can be paid */
};

static const struct span nothing;

/* Part by part: a copy of the whole would have to wait until its parts were stored. */
static inline void put(struct shinjuku_move *to, struct shinjuku_move move)
{
    to->verb = move.verb;
    to->count = move.count;
    for (unsigned i = 0; i < sizeof move.word; i++)
        to->word[i] = move.word[i];
}

/* Adds a move, of which `text` may be the beginning only: `end` follows. */
static inline void add(struct offer *offer, struct shinjuku_move move, struct span text,
                       struct span end)
{
    if (offer->list == NULL)
        put(offer->move++, move);
    else
        move_list_add_parts(offer->list, text, end);
}

static struct shinjuku_move one_word(enum verb verb, unsigned word)
{
    return (struct shinjuku_move){verb, 1, {(uint8_t)word}};
}

static struct shinjuku_move two_words(enum verb verb, unsigned one, unsigned other)
{
    return (struct shinjuku_move){verb, 2, {(uint8_t)one, (uint8_t)other}};
}

static void add_verb(struct offer *offer, enum verb verb, const char *text)
{
    add(offer, (struct shinjuku_move){.verb = verb}, span_of(text), nothing);
}

static bool is_payable(const struct shinjuku_components *set, const struct offer *offer,
                       unsigned station)
{
    return (offer->payable >> set->stations[station].ward & 1) != 0;
}

static bool is_free(const struct offer *offer, unsigned action)
{
    return (offer->state->actions_taken >> action & 1) == 0;
}

static void add_relocations(const struct shinjuku_components *set, struct offer *offer, unsigned to)
{
    const struct shinjuku_state *state = offer->state;
    for (unsigned from = 0; from < STATIONS; from++)
        if (state->store_owner[from] == offer->seat && state->store_sells[from] != DEPARTMENT)
            add(offer, two_words(VERB_RELOCATE, to, from), set->texts[to].relocate,
                set->stations[from].name);
}

static void add_opens(const struct shinjuku_components *set, struct offer *offer)
{
    const uint8_t *left = offer->state->stores_left[offer->seat];
    for (unsigned station = 0; station < STATIONS; station++) {
        if (offer->state->store_owner[station] != NONE || !is_payable(set, offer, station))
            continue;
        for (unsigned i = 0; i < GOODS; i++)
            if (left[set->goods_in_byte_order[i]] > 0)
                add(offer, two_words(VERB_OPEN, station, set->goods_in_byte_order[i]),
                    set->texts[station].open[i], nothing);
        add_relocations(set, offer, station);
    }
}

/* Without branches: which connections have track is hard to foresee. */
void shinjuku_find_track(const struct shinjuku_components *set, const struct shinjuku_state *state,
                         unsigned seat, struct shinjuku_track *track)
{
    const uint32_t payable = shinjuku_payable(set, state, seat);
    const unsigned left = state->track_left[seat];
    uint8_t room[NONE + 1] = {0};
    for (unsigned i = 0; i < set->connection_count; i++)
        room[i] = state->track_owner[i] == NONE;
    room[NONE] = 1; /* of a single segment */
    track->count = 0;
    for (unsigned i = 0; left > 0 && i < set->expansion_count; i++) {
        const struct shinjuku_expansion *expansion = &set->expansions[i];
        bool single = expansion->connection[1] == NONE;
        bool affordable = (left > 1) & ((expansion->wards & payable) != 0);
        track->expansion[track->count] = (uint8_t)i;
        track->count +=
            room[expansion->connection[0]] & room[expansion->connection[1]] & (single | affordable);
    }
}

static void add_expands(const struct shinjuku_components *set, struct offer *offer)
{
    struct shinjuku_track track;
    shinjuku_find_track(set, offer->state, offer->seat, &track);
    for (unsigned i = 0; i < track.count; i++)
        add(offer, one_word(VERB_EXPAND, track.expansion[i]),
            set->expansions[track.expansion[i]].move, nothing);
}

static void add_moves(const struct shinjuku_components *set, struct offer *offer)
{
    bool crowded[WARDS];
    for (unsigned ward = 0; ward < WARDS; ward++)
        crowded[ward] = shinjuku_customers(offer->state->customers[ward]) > 0;
    for (unsigned station = 0; station < STATIONS; station++)
        if (crowded[set->stations[station].ward] && is_payable(set, offer, station))
            add(offer, one_word(VERB_MOVE, station), set->texts[station].move, nothing);
}

static void add_upgrades(const struct shinjuku_components *set, struct offer *offer)
{
    const struct shinjuku_state *state = offer->state;
    if (state->departments_left[offer->seat] == 0)
        return;
    for (unsigned station = 0; station < STATIONS; station++) {
        uint8_t good = state->store_sells[station];
        if (state->store_owner[station] != offer->seat || good == DEPARTMENT ||
            !set->stations[station].sakura || !is_payable(set, offer, station))
            continue;
        for (unsigned kind = 2u * good; kind < 2u * good + 2; kind++)
            if (state->earned[offer->seat][kind] > 0)
                add(offer, two_words(VERB_UPGRADE, station, kind), set->texts[station].upgrade,
                    set->kinds[kind].name);
    }
}

static void add_actions(const struct shinjuku_components *set, struct offer *offer)
{
    add_verb(offer, VERB_END, "end");
    if (is_free(offer, EXPAND))
        add_expands(set, offer);
    if (is_free(offer, INCOME) && shinjuku_hand_size(offer->state, offer->seat) < HAND_MAX)
        add_verb(offer, VERB_INCOME, "income");
    if (is_free(offer, MOVE))
        add_moves(set, offer);
    if (is_free(offer, OPEN))
        add_opens(set, offer);
    if (is_free(offer, UPGRADE))
        add_upgrades(set, offer);
}

static void add_matsuri(const struct shinjuku_components *set, struct offer *offer)
{
    const struct shinjuku_ward *ward = &set->wards[offer->state->matsuri];
    for (unsigned i = 0; i < ward->neighbour_count; i++)
        add(offer, one_word(VERB_MATSURI, ward->neighbour[i]), span_of("matsuri "),
            set->wards[ward->neighbour[i]].name);
}

/* The wards of the cards in a hand, in byte order, with the number of cards. */
struct fan {
    unsigned count;
    uint8_t ward[HAND_MAX];
    uint8_t cards[HAND_MAX];
};

static struct fan spread_hand(const struct shinjuku_components *set,
                              const struct shinjuku_state *state, unsigned seat)
{
    struct fan fan = {.count = 0};
    for (unsigned i = 0; i < WARDS; i++) {
        uint8_t ward = set->wards_in_byte_order[i];
        if (state->hand[seat][ward] == 0)
            continue;
        assert(fan.count < HAND_MAX);
        fan.ward[fan.count] = ward;
        fan.cards[fan.count++] = state->hand[seat][ward];
    }
    return fan;
}

static void add_word(const struct shinjuku_components *set, struct text *move, uint8_t ward)
{
    text_add_char(move, ' ');
    text_add_span(move, set->wards[ward].name);
}

static void spell(const struct shinjuku_components *set, const struct offer *offer,
                  struct text *move, uint8_t ward)
{
    if (offer->list != NULL)
        add_word(set, move, ward);
}

/* All threes that begin with the card at `first`. */
static void add_threes(const struct shinjuku_components *set, struct offer *offer,
                       const struct fan *fan, unsigned first, struct text *move)
{
    for (unsigned second = first; second < fan->count; second++) {
        if (second == first && fan->cards[first] < 2)
            continue;
        size_t one = move->length;
        spell(set, offer, move, fan->ward[second]);
        for (unsigned third = second; third < fan->count; third++) {
            unsigned used = 1u + (third == second) + (third == first);
            if (fan->cards[third] < used)
                continue;
            size_t two = move->length;
            spell(set, offer, move, fan->ward[third]);
            add(offer,
                (struct shinjuku_move){
                    VERB_PAY, 3, {fan->ward[first], fan->ward[second], fan->ward[third]}},
                text_span(move), nothing);
            move->length = two;
        }
        move->length = one;
    }
}

static void add_payments(const struct shinjuku_components *set, struct offer *offer)
{
    const struct shinjuku_state *state = offer->state;
    uint32_t single =
        shinjuku_payments(set, state, offer->seat, shinjuku_pending_wards(set, state));
    struct fan fan = spread_hand(set, state, offer->seat);
    for (unsigned i = 0; i < fan.count; i++) {
        char bytes[GAME_MOVE_MAX + 1];
        struct text move = TEXT_OVER(bytes);
        text_add(&move, "pay");
        spell(set, offer, &move, fan.ward[i]);
        if ((single >> fan.ward[i] & 1) != 0)
            add(offer, one_word(VERB_PAY, fan.ward[i]), text_span(&move), nothing);
        add_threes(set, offer, &fan, i, &move);
    }
}

static void add_gifts(const struct shinjuku_components *set, struct offer *offer)
{
    for (unsigned i = 0; i < KINDS; i++) {
        uint8_t kind = set->kinds_in_byte_order[i];
        if (offer->state->group[kind] > 0 &&
            shinjuku_sells(offer->state, offer->state->current, kind))
            add(offer, one_word(VERB_GIVE, kind), span_of("give "), set->kinds[kind].name);
    }
}

static void add_steps(const struct shinjuku_components *set, struct offer *offer)
{
    const struct shinjuku_station *station = &set->stations[offer->state->current];
    for (unsigned i = 0; i < station->link_count; i++)
        if (!offer->state->visited[station->link[i].station] &&
            shinjuku_has_rails(set, offer->state, station->link[i].connection))
            add(offer, one_word(VERB_STEP, station->link[i].station),
                set->texts[station->link[i].station].step, nothing);
    add_verb(offer, VERB_STOP, "stop");
}

static void add_all(const struct shinjuku_components *set, struct offer *offer)
{
    const struct shinjuku_state *state = offer->state;
    if (state->point == AT_OVER || offer->seat != state->active)
        return;
    offer->payable = shinjuku_payable(set, state, offer->seat);
    if (state->point == AT_MATSURI)
        add_matsuri(set, offer);
    else if (state->point == AT_ACTION)
        add_actions(set, offer);
    else if (state->point == AT_PAY)
        add_payments(set, offer);
    else if (state->point == AT_GIVE)
        add_gifts(set, offer);
    else
        add_steps(set, offer);
}

void shinjuku_legal(const struct game *game, const void *state, unsigned seat,
                    struct move_list *list)
{
    const struct shinjuku_components *set = game->set;
    struct offer offer = {.state = state, .list = list, .seat = seat};
    add_all(set, &offer);
}

size_t shinjuku_list_moves(const struct shinjuku_components *set,
                           const struct shinjuku_state *state, unsigned seat,
                           struct shinjuku_move *moves)
{
    struct offer offer = {.state = state, .move = moves, .seat = seat};
    add_all(set, &offer);
    return (size_t)(offer.move - moves);
}

static void write_payment(const struct shinjuku_components *set, const struct shinjuku_state *state,
                          struct text *move)
{
    uint32_t single =
        shinjuku_payments(set, state, state->active, shinjuku_pending_wards(set, state));
    struct fan fan = spread_hand(set, state, state->active);
    text_add(move, "pay");
    for (unsigned i = 0; i < fan.count; i++) {
        if ((single >> fan.ward[i] & 1) == 0)
            continue;
        add_word(set, move, fan.ward[i]);
        return;
    }
    unsigned written = 0;
    for (unsigned i = 0; i < fan.count; i++)
        for (unsigned j = 0; j < fan.cards[i] && written < CARDS_AS_A_WILDCARD; j++, written++)
            add_word(set, move, fan.ward[i]);
}

static void write_gift(const struct shinjuku_components *set, const struct shinjuku_state *state,
                       struct text *move)
{
    unsigned i = 0;
    while (state->group[set->kinds_in_byte_order[i]] == 0 ||
           !shinjuku_sells(state, state->current, set->kinds_in_byte_order[i]))
        i++;
    text_add(move, "give ");
    text_add_span(move, set->kinds[set->kinds_in_byte_order[i]].name);
}

void shinjuku_fallback(const struct game *game, const void *opaque, unsigned seat,
                       struct text *move)
{
    const struct shinjuku_state *state = opaque;
    const struct shinjuku_components *set = game->set;
    assert(seat == state->active && state->point < AT_OVER);
    (void)seat;
    if (state->point == AT_MATSURI) {
        text_add(move, "matsuri ");
        text_add_span(move, set->wards[set->wards[state->matsuri].neighbour[0]].name);
    } else if (state->point == AT_ACTION) {
        text_add(move, "end");
    } else if (state->point == AT_PAY) {
        write_payment(set, state, move);
    } else if (state->point == AT_GIVE) {
        write_gift(set, state, move);
    } else {
        text_add(move, "stop");
    }
}
