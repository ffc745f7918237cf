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

/* Part by part: a copy of the whole would have to wait until its parts were stored. */
static inline void put(struct shinjuku_move *to, struct shinjuku_move move)
{
    to->verb = move.verb;
    to->count = move.count;
    for (unsigned i = 0; i < sizeof move.word; i++)
        to->word[i] = move.word[i];
}

/* Copies whole blocks, which takes less time than to see how long the texts are. No move is longer
 * than a block: component sets with such names are refused (components.c). */
static inline void write_parts(struct move_list *list, struct span head, struct span tail)
{
    const size_t length = head.length + tail.length;
    if (list->count >= list->count_max || list->capacity - list->used < 2 * SHINJUKU_BLOCK) {
        move_list_add_parts(list, head, tail);
        return;
    }
    char *move = list->bytes + list->used;
    memcpy(move, head.at, SHINJUKU_BLOCK);
    if (tail.length > 0)
        memcpy(move + head.length, tail.at, SHINJUKU_BLOCK);
    move[length] = '\0';
    list->start[list->count] = (uint32_t)list->used;
    list->length[list->count] = (uint32_t)length;
    list->used += length + 1;
    list->count++;
}

/* Adds a move, of which `text` may be the beginning only: `end` follows. */
static inline void add_parts(struct offer *offer, struct shinjuku_move move, struct span text,
                             struct span end)
{
    if (offer->list == NULL)
        put(offer->move++, move);
    else
        write_parts(offer->list, text, end);
}

static inline void add(struct offer *offer, struct shinjuku_move move, struct span text)
{
    add_parts(offer, move, text, (struct span){NULL, 0});
}

static struct shinjuku_move one_word(enum verb verb, unsigned word)
{
    return (struct shinjuku_move){verb, 1, {(uint8_t)word}};
}

static struct shinjuku_move two_words(enum verb verb, unsigned one, unsigned other)
{
    return (struct shinjuku_move){verb, 2, {(uint8_t)one, (uint8_t)other}};
}

static void add_verb(struct offer *offer, enum verb verb, struct span text)
{
    add(offer, (struct shinjuku_move){.verb = verb}, text);
}

static bool is_free(const struct offer *offer, unsigned action)
{
    return (offer->state->actions_taken >> action & 1) == 0;
}

static void add_opens(const struct shinjuku_components *set, struct offer *offer)
{
    const struct shinjuku_state *state = offer->state;
    const uint64_t own = shinjuku_stores_of(state, offer->seat) & ~shinjuku_departments(state);
    uint64_t open = shinjuku_stations_in(set, offer->payable) & ~shinjuku_stores(state);
    uint8_t left[GOODS]; /* places in byte order of the goods that can be opened */
    unsigned goods = 0;
    for (uint8_t i = 0; i < GOODS; i++) {
        left[goods] = i;
        goods += state->stores_left[offer->seat][set->goods_in_byte_order[i]] > 0;
    }
    for (; open != 0; open &= open - 1) {
        const unsigned station = shinjuku_first(open);
        const struct shinjuku_texts *texts = &set->texts[station];
        for (unsigned i = 0; i < goods; i++)
            add(offer, two_words(VERB_OPEN, station, set->goods_in_byte_order[left[i]]),
                texts->open[left[i]]);
        for (uint64_t from = own; from != 0; from &= from - 1)
            add_parts(offer, two_words(VERB_RELOCATE, station, shinjuku_first(from)),
                      texts->relocate, set->stations[shinjuku_first(from)].name);
    }
}

/* The ways to EXPAND that the seat can pay for. */
static struct shinjuku_ways find_ways(const struct shinjuku_components *set,
                                      const struct shinjuku_state *state, unsigned seat)
{
    struct shinjuku_ways ways = {{0}};
    if (state->track_left[seat] == 0)
        return ways;
    ways = set->single;
    if (state->track_left[seat] > 1)
        for (uint32_t wards = shinjuku_payable(set, state, seat); wards != 0; wards &= wards - 1)
            for (unsigned i = 0; i < EXPANSION_WORDS; i++)
                ways.word[i] |= set->paid[shinjuku_first(wards)].word[i];
    for (unsigned connection = 0; connection < CONNECTIONS; connection++)
        if (state->track_owner[connection] != NONE)
            for (unsigned i = 0; i < EXPANSION_WORDS; i++)
                ways.word[i] &= ~set->over[connection].word[i];
    return ways;
}

void shinjuku_find_track(const struct shinjuku_components *set, const struct shinjuku_state *state,
                         unsigned seat, struct shinjuku_track *track)
{
    const struct shinjuku_ways ways = find_ways(set, state, seat);
    track->count = 0;
    for (unsigned i = 0; i < EXPANSION_WORDS; i++)
        for (uint64_t word = ways.word[i]; word != 0; word &= word - 1)
            track->expansion[track->count++] = (uint8_t)(64 * i + shinjuku_first(word));
}

static void add_expands(const struct shinjuku_components *set, struct offer *offer)
{
    struct shinjuku_track track;
    shinjuku_find_track(set, offer->state, offer->seat, &track);
    for (unsigned i = 0; i < track.count; i++)
        add(offer, one_word(VERB_EXPAND, track.expansion[i]),
            set->expansions[track.expansion[i]].move);
}

static void add_moves(const struct shinjuku_components *set, struct offer *offer)
{
    uint64_t from = shinjuku_stations_in(set, shinjuku_crowded(offer->state) & offer->payable);
    for (; from != 0; from &= from - 1)
        add(offer, one_word(VERB_MOVE, shinjuku_first(from)),
            set->texts[shinjuku_first(from)].move);
}

static void add_upgrades(const struct shinjuku_components *set, struct offer *offer)
{
    const struct shinjuku_state *state = offer->state;
    if (state->departments_left[offer->seat] == 0)
        return;
    uint64_t stores = shinjuku_stores_of(state, offer->seat) & ~shinjuku_departments(state) &
                      set->sakura & shinjuku_stations_in(set, offer->payable);
    for (; stores != 0; stores &= stores - 1) {
        const unsigned station = shinjuku_first(stores);
        const unsigned good = state->store_sells[station];
        for (unsigned kind = 2 * good; kind < 2 * good + 2; kind++)
            if (state->earned[offer->seat][kind] > 0)
                add_parts(offer, two_words(VERB_UPGRADE, station, kind),
                          set->texts[station].upgrade, set->kinds[kind].name);
    }
}

static void add_actions(const struct shinjuku_components *set, struct offer *offer)
{
    add_verb(offer, VERB_END, set->end);
    if (is_free(offer, EXPAND))
        add_expands(set, offer);
    if (is_free(offer, INCOME) && shinjuku_hand_size(offer->state, offer->seat) < HAND_MAX)
        add_verb(offer, VERB_INCOME, set->income);
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
        add(offer, one_word(VERB_MATSURI, ward->neighbour[i]),
            set->wards[ward->neighbour[i]].matsuri);
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
    struct fan fan;
    fan.count = 0;
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

/* A payment as it is written: `pay shibuya minato `. */
struct payment {
    char bytes[2 * SHINJUKU_BLOCK];
    size_t length;
};

/* Appends `ward `, and leaves the rest of a block behind it. */
static void spell(const struct shinjuku_components *set, struct payment *payment, uint8_t ward)
{
    const struct span name = set->wards[ward].name;
    memcpy(payment->bytes + payment->length, name.at, SHINJUKU_BLOCK);
    payment->length += name.length;
    payment->bytes[payment->length++] = ' ';
}

static struct span written(const struct payment *payment)
{
    return (struct span){payment->bytes, payment->length};
}

/* All threes that begin with the card at `first`, which has been spelt. */
static void add_threes(const struct shinjuku_components *set, struct offer *offer,
                       const struct fan *fan, unsigned first, const struct payment *one)
{
    for (unsigned second = first; second < fan->count; second++) {
        if (second == first && fan->cards[first] < 2)
            continue;
        struct payment two = *one;
        spell(set, &two, fan->ward[second]);
        for (unsigned third = second; third < fan->count; third++) {
            unsigned used = 1u + (third == second) + (third == first);
            if (fan->cards[third] < used)
                continue;
            add_parts(offer,
                      (struct shinjuku_move){
                          VERB_PAY, 3, {fan->ward[first], fan->ward[second], fan->ward[third]}},
                      written(&two), set->wards[fan->ward[third]].name);
        }
    }
}

static void add_payments(const struct shinjuku_components *set, struct offer *offer)
{
    const struct shinjuku_state *state = offer->state;
    uint32_t single =
        shinjuku_payments(set, state, offer->seat, shinjuku_pending_wards(set, state));
    struct fan fan = spread_hand(set, state, offer->seat);
    const struct payment none = {"pay ", 4};
    for (unsigned i = 0; i < fan.count; i++) {
        if ((single >> fan.ward[i] & 1) != 0)
            add_parts(offer, one_word(VERB_PAY, fan.ward[i]), written(&none),
                      set->wards[fan.ward[i]].name);
        struct payment one = none;
        spell(set, &one, fan.ward[i]);
        add_threes(set, offer, &fan, i, &one);
    }
}

static void add_gifts(const struct shinjuku_components *set, struct offer *offer)
{
    static const char give[SHINJUKU_BLOCK] = "give ";
    for (unsigned i = 0; i < KINDS; i++) {
        uint8_t kind = set->kinds_in_byte_order[i];
        if (offer->state->group[kind] > 0 &&
            shinjuku_sells(offer->state, offer->state->current, kind))
            add_parts(offer, one_word(VERB_GIVE, kind), (struct span){give, 5},
                      set->kinds[kind].name);
    }
}

static void add_steps(const struct shinjuku_components *set, struct offer *offer)
{
    const struct shinjuku_station *station = &set->stations[offer->state->current];
    for (unsigned i = 0; i < station->link_count; i++)
        if (!offer->state->visited[station->link[i].station] &&
            shinjuku_has_rails(set, offer->state, station->link[i].connection))
            add(offer, one_word(VERB_STEP, station->link[i].station),
                set->texts[station->link[i].station].step);
    add_verb(offer, VERB_STOP, set->stop);
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

static void add_word(const struct shinjuku_components *set, struct text *move, uint8_t ward)
{
    text_add_char(move, ' ');
    text_add_span(move, set->wards[ward].name);
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
