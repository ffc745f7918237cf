/* Set-up lines of worked cases. tests/cases/shinjuku/README.md explains the keys. Lines may stand
 * in any order; what they say is read in the order of the table `keys`, so that supplies are known
 * before they are overridden, and piles get what is left. */
#include <string.h>

#include "engine/case_reader.h"
#include "engine/games/shinjuku/piles.h"
#include "engine/games/shinjuku/rules.h"
#include "engine/games/shinjuku/turn.h"

struct case_loader {
    struct case_reader reader;
    struct shinjuku_state *state;
    struct chance_stacks *stacks;
    const struct chance *chance;
};

static bool read_ward(const struct case_loader *loader, struct span word, uint8_t *ward)
{
    return case_read_name(&loader->reader, word, shinjuku_ward_named, "no ward:", ward);
}

static bool read_station(const struct case_loader *loader, struct span *rest, uint8_t *station)
{
    return case_read_name(&loader->reader, span_word(rest), shinjuku_station_named,
                          "no station:", station);
}

/* `none`, or words that are counted in wards[]. */
static bool read_cards(const struct case_loader *loader, struct span rest,
                       uint8_t wards[static WARDS])
{
    return case_read_counts(&loader->reader, rest, "none", shinjuku_ward_named, "no ward:", wards);
}

/* Splits `name=n`; n is 1 if it is not there. */
static bool read_item(const struct case_loader *loader, struct span word, struct span *name,
                      uint8_t *number)
{
    const char *equals = word.length == 0 ? NULL : memchr(word.at, '=', word.length);
    *name = word;
    *number = 1;
    if (equals == NULL)
        return true;
    name->length = (size_t)(equals - word.at);
    struct span digits = {equals + 1, word.length - name->length - 1};
    return case_read_number(&loader->reader, digits, CUSTOMERS, number);
}

/* `none`, or words `K` and `K=n` that are counted in kinds[]. */
static bool read_customers(const struct case_loader *loader, struct span rest,
                           uint8_t kinds[static KINDS])
{
    if (span_is(rest, "none"))
        return true;
    while (rest.length > 0) {
        struct span name;
        uint8_t number;
        if (!read_item(loader, span_word(&rest), &name, &number))
            return false;
        uint8_t kind = shinjuku_kind_named(name);
        if (kind == NONE)
            return case_complain(&loader->reader, "no customer:", name);
        kinds[kind] = (uint8_t)(kinds[kind] + number);
    }
    return true;
}

static bool load_option(struct case_loader *loader, struct span rest)
{
    bool advanced;
    struct span name = span_word(&rest);
    if (!span_is(name, "advanced"))
        return case_complain(&loader->reader, "no option:", name);
    if (!case_read_either(&loader->reader, rest, "on", "off", &advanced))
        return false;
    loader->state->advanced = advanced;
    if (advanced)
        loader->state->matsuri = NONE;
    return true;
}

static bool load_store(struct case_loader *loader, struct span rest)
{
    struct shinjuku_state *state = loader->state;
    while (rest.length > 0) {
        uint8_t station;
        uint8_t seat;
        if (!read_station(loader, &rest, &station) ||
            !case_read_seat(&loader->reader, &rest, &seat))
            return false;
        struct span sort = span_word(&rest);
        uint8_t sells = span_is(sort, "department") ? DEPARTMENT : shinjuku_good_named(sort);
        if (sells == NONE)
            return case_complain(&loader->reader, "no Store:", sort);
        uint8_t *left =
            sells == DEPARTMENT ? &state->departments_left[seat] : &state->stores_left[seat][sells];
        if (*left == 0 || state->store_owner[station] != NONE)
            return case_complain(&loader->reader,
                                 "one Store too many:", shinjuku_stations[station].name);
        --*left;
        state->upgrades = (uint8_t)(state->upgrades + (sells == DEPARTMENT));
        state->store_owner[station] = seat;
        state->store_sells[station] = sells;
    }
    return true;
}

static bool load_track(struct case_loader *loader, struct span rest)
{
    struct shinjuku_state *state = loader->state;
    uint8_t seat;
    if (!case_read_seat(&loader->reader, &rest, &seat))
        return false;
    while (rest.length > 0) {
        uint8_t a;
        uint8_t b;
        if (!read_station(loader, &rest, &a) || !read_station(loader, &rest, &b))
            return false;
        uint8_t connection = shinjuku_connection_between(a, b);
        if (connection == NONE || a > b || shinjuku_has_rails(state, connection) ||
            state->track_left[seat] == 0)
            return case_complain(&loader->reader,
                                 "no track can lie there:", shinjuku_stations[b].name);
        state->track_owner[connection] = seat;
        state->track_left[seat]--;
    }
    return true;
}

static bool load_supply(struct case_loader *loader, struct span rest)
{
    uint8_t seat;
    if (!case_read_seat(&loader->reader, &rest, &seat))
        return false;
    while (rest.length > 0) {
        struct span name;
        uint8_t number;
        if (!read_item(loader, span_word(&rest), &name, &number))
            return false;
        uint8_t *item = shinjuku_supply_item(loader->state, seat, name);
        if (item == NULL || number > TRACK)
            return case_complain(&loader->reader, "no supply:", name);
        *item = number;
    }
    return true;
}

static bool load_upgrades(struct case_loader *loader, struct span rest)
{
    return case_read_number(&loader->reader, rest, SEATS_MAX * DEPARTMENT_STORES,
                            &loader->state->upgrades);
}

static bool load_used(struct case_loader *loader, struct span rest)
{
    while (rest.length > 0) {
        struct span word = span_word(&rest);
        unsigned action = 0;
        while (action < ACTIONS && !span_is(word, shinjuku_action_name(action)))
            action++;
        if (action == ACTIONS)
            return case_complain(&loader->reader, "no action:", word);
        loader->state->actions_taken |= (uint8_t)(1u << action);
    }
    return true;
}

static bool load_matsuri(struct case_loader *loader, struct span rest)
{
    if (loader->state->advanced)
        return case_complain(&loader->reader, "no Matsuri in the Advanced Variant:", rest);
    return read_ward(loader, rest, &loader->state->matsuri);
}

static bool load_final(struct case_loader *loader, struct span rest)
{
    bool final;
    if (!case_read_either(&loader->reader, rest, "yes", "no", &final))
        return false;
    loader->state->final_phase = final;
    return true;
}

static bool load_hand(struct case_loader *loader, struct span rest)
{
    uint8_t seat;
    if (!case_read_seat(&loader->reader, &rest, &seat) ||
        !read_cards(loader, rest, loader->state->hand[seat]))
        return false;
    return shinjuku_hand_size(loader->state, seat) <= HAND_MAX ||
           case_complain(&loader->reader, "too many cards in hand:", rest);
}

static bool load_earned(struct case_loader *loader, struct span rest)
{
    uint8_t seat;
    return case_read_seat(&loader->reader, &rest, &seat) &&
           read_customers(loader, rest, loader->state->earned[seat]);
}

static bool load_bonus(struct case_loader *loader, struct span rest)
{
    uint8_t seat;
    return case_read_seat(&loader->reader, &rest, &seat) &&
           case_read_number(&loader->reader, rest, 11, &loader->state->bonus[seat]);
}

static bool load_first(struct case_loader *loader, struct span rest)
{
    uint8_t seat;
    return case_read_seat(&loader->reader, &rest, &seat) &&
           case_read_number(&loader->reader, rest, SEATS_MAX * DEPARTMENT_STORES,
                            &loader->state->claim[seat]);
}

static bool load_ward(struct case_loader *loader, struct span rest)
{
    uint8_t ward;
    return read_ward(loader, span_word(&rest), &ward) &&
           read_customers(loader, rest, loader->state->customers[ward]);
}

static bool load_queue(struct case_loader *loader, struct span rest)
{
    uint8_t space;
    if (!case_read_number(&loader->reader, span_word(&rest), QUEUE_SPACES, &space))
        return false;
    if (space == 0)
        return case_complain(&loader->reader, "no space of the Queue before", rest);
    uint8_t *customers = loader->state->queue[space - 1];
    memset(customers, 0, KINDS);
    return read_ward(loader, span_word(&rest), &loader->state->queue_ward[space - 1]) &&
           read_customers(loader, rest, customers);
}

static bool load_discard(struct case_loader *loader, struct span rest)
{
    return read_cards(loader, rest, loader->state->discard);
}

/* True if the list begins with `only`, which is cut off. */
static bool is_exhaustive(struct span *rest)
{
    struct span after = *rest;
    if (!span_is(span_word(&after), "only"))
        return false;
    *rest = after;
    return true;
}

/* What is left of the deck when hands, Queue and discard pile are taken out. */
static bool cards_left(const struct case_loader *loader, uint8_t left[static WARDS])
{
    const struct shinjuku_state *state = loader->state;
    for (unsigned ward = 0; ward < WARDS; ward++) {
        unsigned used = state->discard[ward];
        for (unsigned seat = 0; seat < state->seats; seat++)
            used += state->hand[seat][ward];
        for (unsigned space = 0; space < QUEUE_SPACES; space++)
            used += state->queue_ward[space] == ward;
        if (used > shinjuku_wards[ward].cards)
            return case_complain(&loader->reader,
                                 "more cards than there are:", shinjuku_wards[ward].name);
        left[ward] = (uint8_t)(shinjuku_wards[ward].cards - used);
    }
    return true;
}

static bool load_deck(struct case_loader *loader, struct span rest)
{
    struct shinjuku_state *state = loader->state;
    uint8_t left[WARDS];
    bool only = is_exhaustive(&rest);
    if (!cards_left(loader, left))
        return false;
    while (rest.length > 0 && !span_is(rest, "none")) {
        uint8_t ward;
        if (!read_ward(loader, span_word(&rest), &ward))
            return false;
        if (left[ward]-- == 0)
            return case_complain(&loader->reader,
                                 "more cards than there are:", shinjuku_wards[ward].name);
        state->deck[state->deck_end++] = ward;
    }
    for (uint8_t ward = 0; ward < WARDS; ward++) {
        for (; !only && left[ward] > 0; left[ward]--)
            state->deck[state->deck_end++] = ward;
        state->discard[ward] = (uint8_t)(state->discard[ward] + left[ward]);
    }
    return true;
}

static bool customers_left(const struct case_loader *loader, uint8_t left[static KINDS])
{
    const struct shinjuku_state *state = loader->state;
    for (unsigned kind = 0; kind < KINDS; kind++) {
        unsigned used = 0;
        for (unsigned ward = 0; ward < WARDS; ward++)
            used += state->customers[ward][kind];
        for (unsigned space = 0; space < QUEUE_SPACES; space++)
            used += state->queue[space][kind];
        for (unsigned seat = 0; seat < state->seats; seat++)
            used += state->earned[seat][kind];
        if (used > shinjuku_kinds[kind].count)
            return case_complain(&loader->reader,
                                 "more customers than there are:", shinjuku_kinds[kind].name);
        left[kind] = (uint8_t)(shinjuku_kinds[kind].count - used);
    }
    return true;
}

static bool load_bag(struct case_loader *loader, struct span rest)
{
    struct shinjuku_state *state = loader->state;
    uint8_t left[KINDS];
    bool only = is_exhaustive(&rest);
    if (!customers_left(loader, left))
        return false;
    while (rest.length > 0 && !span_is(rest, "none")) {
        struct span word = span_word(&rest);
        uint8_t kind = shinjuku_kind_named(word);
        if (kind == NONE)
            return case_complain(&loader->reader, "no customer:", word);
        if (left[kind]-- == 0)
            return case_complain(&loader->reader, "more customers than there are:", word);
        state->bag[state->bag_end++] = kind;
    }
    for (uint8_t kind = 0; kind < KINDS; kind++) {
        for (; !only && left[kind] > 0; left[kind]--)
            state->bag[state->bag_end++] = kind;
        state->removed[kind] = left[kind];
    }
    return true;
}

/* `setup` is dealt with elsewhere. */
static bool load_at(struct case_loader *loader, struct span rest)
{
    struct shinjuku_state *state = loader->state;
    uint8_t seat;
    if (!case_read_seat(&loader->reader, &rest, &seat))
        return false;
    uint8_t taken = state->actions_taken;
    shinjuku_start_turn(state, seat);
    state->actions_taken = taken;
    struct span point = span_word(&rest);
    if (span_is(point, "begin"))
        shinjuku_advance(state, loader->chance);
    else if (span_is(point, "matsuri") && !state->advanced)
        state->point = AT_MATSURI;
    else if (span_is(point, "action") && (span_is(rest, "1") || span_is(rest, "2"))) {
        state->point = AT_ACTION;
        state->action_number = span_is(rest, "1") ? 1 : 2;
    } else
        return case_complain(&loader->reader, "no decision point:", point);
    return true;
}

/* Every key, in the order of reading, with what holds when it is not given. */
static const struct case_key keys[] = {
    {"seats", case_load_nothing, NULL, CASE_IN_SETUP | CASE_IN_POSITION},
    {"option", load_option, NULL, CASE_IN_SETUP | CASE_IN_POSITION},
    {"store", load_store, NULL, CASE_IN_POSITION},
    {"track", load_track, NULL, CASE_IN_POSITION},
    {"supply", load_supply, NULL, CASE_IN_POSITION},
    {"upgrades", load_upgrades, NULL, CASE_IN_POSITION},
    {"used", load_used, NULL, CASE_IN_POSITION},
    {"matsuri", load_matsuri, NULL, CASE_IN_POSITION},
    {"final", load_final, NULL, CASE_IN_POSITION},
    {"hand", load_hand, NULL, CASE_IN_POSITION},
    {"customers", load_earned, NULL, CASE_IN_POSITION},
    {"bonus", load_bonus, NULL, CASE_IN_POSITION},
    {"first", load_first, NULL, CASE_IN_POSITION},
    {"ward", load_ward, NULL, CASE_IN_POSITION},
    {"queue", load_queue, NULL, CASE_IN_POSITION},
    {"discard", load_discard, NULL, CASE_IN_POSITION},
    {"deck", load_deck, "none", CASE_IN_SETUP | CASE_IN_POSITION},
    {"bag", load_bag, "none", CASE_IN_SETUP | CASE_IN_POSITION},
    {"at", load_at, "0 action 1", CASE_IN_SETUP | CASE_IN_POSITION},
};

enum { KEYS = sizeof keys / sizeof keys[0] };

/* Seats and options decide how the empty table looks. */
static bool clear_table(struct case_loader *loader)
{
    if (!case_read_seats(&loader->reader, SEATS_MIN, SEATS_MAX, SEATS_MIN))
        return false;
    shinjuku_clear(loader->state, loader->reader.seats, false);
    loader->state->matsuri = shinjuku_ward_named(span_of("edogawa"));
    return true;
}

static bool lay_initial_queue(struct case_loader *loader)
{
    return load_queue(loader, span_of("1 edogawa food")) &&
           load_queue(loader, span_of("2 edogawa clothing")) &&
           load_queue(loader, span_of("3 edogawa")) && load_queue(loader, span_of("4 edogawa"));
}

/* `at 0 setup`: the piles are fixed, the game's own setup does the rest. */
static bool run_setup(struct case_loader *loader)
{
    static const char *const piles[] = {"deck", "bag"};
    struct game_options options = {{loader->state->advanced}};
    for (unsigned i = 0; i < 2; i++) {
        const struct case_line *line = case_find(&loader->reader, piles[i]);
        struct span items = line == NULL || span_is(line->rest, "none") ? span_of("") : line->rest;
        if (!chance_stack_add(loader->stacks, span_of(piles[i]), items))
            return case_complain(&loader->reader, "too many piles:", items);
    }
    shinjuku_setup(loader->state, loader->state->seats, &options, loader->chance);
    return true;
}

bool shinjuku_load(void *opaque, const struct case_line *lines, size_t count,
                   struct chance_stacks *stacks, const struct chance *chance, struct text *error)
{
    struct case_loader loader = {{lines, count, error, 0}, opaque, stacks, chance};
    const struct case_line *at = case_find(&loader.reader, "at");
    bool setup = at != NULL && span_is(at->rest, "0 setup");
    unsigned where = setup ? CASE_IN_SETUP : CASE_IN_POSITION;
    if (!clear_table(&loader) || !case_check_keys(&loader.reader, keys, KEYS, where))
        return false;
    if (setup)
        return case_load_key(&loader.reader, &keys[1], &loader) && run_setup(&loader);
    if (!lay_initial_queue(&loader))
        return false;
    loader.state->deck_shuffles = 1;
    if (!case_load_keys(&loader.reader, keys, KEYS, where, &loader))
        return false;
    loader.state->notes = 0;
    memset(loader.state->note, 0, sizeof loader.state->note);
    return true;
}
