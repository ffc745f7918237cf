/* Set-up lines of worked cases. tests/cases/shinjuku/README.md explains the keys. Lines may stand
 * in any order; what they say is read in the order of the table `keys`, so that supplies are known
 * before they are overridden, and piles get what is left. */
#include <string.h>

#include "engine/games/shinjuku/piles.h"
#include "engine/games/shinjuku/rules.h"
#include "engine/games/shinjuku/turn.h"

struct loader {
    struct shinjuku_state *state;
    struct text *error;
    struct chance_stacks *stacks;
    const struct chance *chance;
    const struct case_line *lines;
    size_t count;
};

static bool complain(const struct loader *loader, const char *what, struct span word)
{
    text_add(loader->error, what);
    text_add(loader->error, " `");
    text_add_span(loader->error, word);
    text_add_char(loader->error, '`');
    return false;
}

static bool read_number(const struct loader *loader, struct span word, unsigned max,
                        uint8_t *number)
{
    uint64_t value;
    if (!span_number(word, max, &value))
        return complain(loader, "no number in range:", word);
    *number = (uint8_t)value;
    return true;
}

static bool read_seat(const struct loader *loader, struct span *rest, uint8_t *seat)
{
    return read_number(loader, span_word(rest), loader->state->seats - 1u, seat);
}

static bool read_ward(const struct loader *loader, struct span word, uint8_t *ward)
{
    *ward = shinjuku_ward_named(word);
    return *ward != NONE || complain(loader, "no ward:", word);
}

static bool read_station(const struct loader *loader, struct span *rest, uint8_t *station)
{
    struct span word = span_word(rest);
    *station = shinjuku_station_named(word);
    return *station != NONE || complain(loader, "no station:", word);
}

static bool read_yes(const struct loader *loader, struct span word, const char *yes, const char *no,
                     bool *answer)
{
    *answer = span_is(word, yes);
    return *answer || span_is(word, no) || complain(loader, "neither yes nor no:", word);
}

/* `none`, or words that are counted in wards[]. */
static bool read_cards(const struct loader *loader, struct span rest, uint8_t wards[static WARDS])
{
    if (span_is(rest, "none"))
        return true;
    while (rest.length > 0) {
        uint8_t ward;
        if (!read_ward(loader, span_word(&rest), &ward))
            return false;
        wards[ward]++;
    }
    return true;
}

/* Splits `name=n`; n is 1 if it is not there. */
static bool read_item(const struct loader *loader, struct span word, struct span *name,
                      uint8_t *number)
{
    const char *equals = word.length == 0 ? NULL : memchr(word.at, '=', word.length);
    *name = word;
    *number = 1;
    if (equals == NULL)
        return true;
    name->length = (size_t)(equals - word.at);
    struct span digits = {equals + 1, word.length - name->length - 1};
    return read_number(loader, digits, CUSTOMERS, number);
}

/* `none`, or words `K` and `K=n` that are counted in kinds[]. */
static bool read_customers(const struct loader *loader, struct span rest,
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
            return complain(loader, "no customer:", name);
        kinds[kind] = (uint8_t)(kinds[kind] + number);
    }
    return true;
}

/* Read already when the table was cleared. */
static bool load_seats(struct loader *loader, struct span rest)
{
    (void)loader;
    (void)rest;
    return true;
}

static bool load_option(struct loader *loader, struct span rest)
{
    bool advanced;
    struct span name = span_word(&rest);
    if (!span_is(name, "advanced"))
        return complain(loader, "no option:", name);
    if (!read_yes(loader, rest, "on", "off", &advanced))
        return false;
    loader->state->advanced = advanced;
    if (advanced)
        loader->state->matsuri = NONE;
    return true;
}

static bool load_store(struct loader *loader, struct span rest)
{
    struct shinjuku_state *state = loader->state;
    while (rest.length > 0) {
        uint8_t station;
        uint8_t seat;
        if (!read_station(loader, &rest, &station) || !read_seat(loader, &rest, &seat))
            return false;
        struct span sort = span_word(&rest);
        uint8_t sells = span_is(sort, "department") ? DEPARTMENT : shinjuku_good_named(sort);
        if (sells == NONE)
            return complain(loader, "no Store:", sort);
        uint8_t *left =
            sells == DEPARTMENT ? &state->departments_left[seat] : &state->stores_left[seat][sells];
        if (*left == 0 || state->store_owner[station] != NONE)
            return complain(loader, "one Store too many:", shinjuku_stations[station].name);
        --*left;
        state->upgrades = (uint8_t)(state->upgrades + (sells == DEPARTMENT));
        state->store_owner[station] = seat;
        state->store_sells[station] = sells;
    }
    return true;
}

static bool load_track(struct loader *loader, struct span rest)
{
    struct shinjuku_state *state = loader->state;
    uint8_t seat;
    if (!read_seat(loader, &rest, &seat))
        return false;
    while (rest.length > 0) {
        uint8_t a;
        uint8_t b;
        if (!read_station(loader, &rest, &a) || !read_station(loader, &rest, &b))
            return false;
        uint8_t connection = shinjuku_connection_between(a, b);
        if (connection == NONE || a > b || shinjuku_has_rails(state, connection) ||
            state->track_left[seat] == 0)
            return complain(loader, "no track can lie there:", shinjuku_stations[b].name);
        state->track_owner[connection] = seat;
        state->track_left[seat]--;
    }
    return true;
}

static bool load_supply(struct loader *loader, struct span rest)
{
    uint8_t seat;
    if (!read_seat(loader, &rest, &seat))
        return false;
    while (rest.length > 0) {
        struct span name;
        uint8_t number;
        if (!read_item(loader, span_word(&rest), &name, &number))
            return false;
        uint8_t *item = shinjuku_supply_item(loader->state, seat, name);
        if (item == NULL || number > TRACK)
            return complain(loader, "no supply:", name);
        *item = number;
    }
    return true;
}

static bool load_upgrades(struct loader *loader, struct span rest)
{
    return read_number(loader, rest, SEATS_MAX * DEPARTMENT_STORES, &loader->state->upgrades);
}

static bool load_used(struct loader *loader, struct span rest)
{
    while (rest.length > 0) {
        struct span word = span_word(&rest);
        unsigned action = 0;
        while (action < ACTIONS && !span_is(word, shinjuku_action_name(action)))
            action++;
        if (action == ACTIONS)
            return complain(loader, "no action:", word);
        loader->state->actions_taken |= (uint8_t)(1u << action);
    }
    return true;
}

static bool load_matsuri(struct loader *loader, struct span rest)
{
    if (loader->state->advanced)
        return complain(loader, "no Matsuri in the Advanced Variant:", rest);
    return read_ward(loader, rest, &loader->state->matsuri);
}

static bool load_final(struct loader *loader, struct span rest)
{
    bool final;
    if (!read_yes(loader, rest, "yes", "no", &final))
        return false;
    loader->state->final_phase = final;
    return true;
}

static bool load_hand(struct loader *loader, struct span rest)
{
    uint8_t seat;
    if (!read_seat(loader, &rest, &seat) || !read_cards(loader, rest, loader->state->hand[seat]))
        return false;
    return shinjuku_hand_size(loader->state, seat) <= HAND_MAX ||
           complain(loader, "too many cards in hand:", rest);
}

static bool load_earned(struct loader *loader, struct span rest)
{
    uint8_t seat;
    return read_seat(loader, &rest, &seat) &&
           read_customers(loader, rest, loader->state->earned[seat]);
}

static bool load_bonus(struct loader *loader, struct span rest)
{
    uint8_t seat;
    return read_seat(loader, &rest, &seat) &&
           read_number(loader, rest, 11, &loader->state->bonus[seat]);
}

static bool load_first(struct loader *loader, struct span rest)
{
    uint8_t seat;
    return read_seat(loader, &rest, &seat) &&
           read_number(loader, rest, SEATS_MAX * DEPARTMENT_STORES, &loader->state->claim[seat]);
}

static bool load_ward(struct loader *loader, struct span rest)
{
    uint8_t ward;
    return read_ward(loader, span_word(&rest), &ward) &&
           read_customers(loader, rest, loader->state->customers[ward]);
}

static bool load_queue(struct loader *loader, struct span rest)
{
    uint8_t space;
    if (!read_number(loader, span_word(&rest), QUEUE_SPACES, &space))
        return false;
    if (space == 0)
        return complain(loader, "no space of the Queue before", rest);
    uint8_t *customers = loader->state->queue[space - 1];
    memset(customers, 0, KINDS);
    return read_ward(loader, span_word(&rest), &loader->state->queue_ward[space - 1]) &&
           read_customers(loader, rest, customers);
}

static bool load_discard(struct loader *loader, struct span rest)
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
static bool cards_left(const struct loader *loader, uint8_t left[static WARDS])
{
    const struct shinjuku_state *state = loader->state;
    for (unsigned ward = 0; ward < WARDS; ward++) {
        unsigned used = state->discard[ward];
        for (unsigned seat = 0; seat < state->seats; seat++)
            used += state->hand[seat][ward];
        for (unsigned space = 0; space < QUEUE_SPACES; space++)
            used += state->queue_ward[space] == ward;
        if (used > shinjuku_wards[ward].cards)
            return complain(loader, "more cards than there are:", shinjuku_wards[ward].name);
        left[ward] = (uint8_t)(shinjuku_wards[ward].cards - used);
    }
    return true;
}

static bool load_deck(struct loader *loader, struct span rest)
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
            return complain(loader, "more cards than there are:", shinjuku_wards[ward].name);
        state->deck[state->deck_end++] = ward;
    }
    for (uint8_t ward = 0; ward < WARDS; ward++) {
        for (; !only && left[ward] > 0; left[ward]--)
            state->deck[state->deck_end++] = ward;
        state->discard[ward] = (uint8_t)(state->discard[ward] + left[ward]);
    }
    return true;
}

static bool customers_left(const struct loader *loader, uint8_t left[static KINDS])
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
            return complain(loader, "more customers than there are:", shinjuku_kinds[kind].name);
        left[kind] = (uint8_t)(shinjuku_kinds[kind].count - used);
    }
    return true;
}

static bool load_bag(struct loader *loader, struct span rest)
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
            return complain(loader, "no customer:", word);
        if (left[kind]-- == 0)
            return complain(loader, "more customers than there are:", word);
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
static bool load_at(struct loader *loader, struct span rest)
{
    struct shinjuku_state *state = loader->state;
    uint8_t seat;
    if (!read_seat(loader, &rest, &seat))
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
        return complain(loader, "no decision point:", point);
    return true;
}

/* Every key, in the order of reading, with what holds when it is not given. */
static const struct key {
    const char *name;
    bool (*load)(struct loader *loader, struct span rest);
    const char *initial;
    bool with_setup; /* has a meaning beside `at 0 setup` */
} keys[] = {
    {"seats", load_seats, NULL, true},       {"option", load_option, NULL, true},
    {"store", load_store, NULL, false},      {"track", load_track, NULL, false},
    {"supply", load_supply, NULL, false},    {"upgrades", load_upgrades, NULL, false},
    {"used", load_used, NULL, false},        {"matsuri", load_matsuri, NULL, false},
    {"final", load_final, NULL, false},      {"hand", load_hand, NULL, false},
    {"customers", load_earned, NULL, false}, {"bonus", load_bonus, NULL, false},
    {"first", load_first, NULL, false},      {"ward", load_ward, NULL, false},
    {"queue", load_queue, NULL, false},      {"discard", load_discard, NULL, false},
    {"deck", load_deck, "none", true},       {"bag", load_bag, "none", true},
    {"at", load_at, "0 action 1", true},
};

static const struct case_line *find_line(const struct loader *loader, const char *key)
{
    for (size_t i = 0; i < loader->count; i++)
        if (span_is(loader->lines[i].key, key))
            return &loader->lines[i];
    return NULL;
}

static bool check_keys(const struct loader *loader, bool setup)
{
    for (size_t i = 0; i < loader->count; i++) {
        size_t key = 0;
        size_t count = sizeof keys / sizeof keys[0];
        while (key < count && !span_is(loader->lines[i].key, keys[key].name))
            key++;
        if (key == count || (setup && !keys[key].with_setup))
            return complain(loader, "no set-up line here:", loader->lines[i].key);
    }
    return true;
}

static bool load_lines_of(struct loader *loader, const struct key *key)
{
    bool found = false;
    for (size_t i = 0; i < loader->count; i++) {
        if (!span_is(loader->lines[i].key, key->name))
            continue;
        found = true;
        if (!key->load(loader, loader->lines[i].rest))
            return false;
    }
    return found || key->initial == NULL || key->load(loader, span_of(key->initial));
}

/* Seats and options decide how the empty table looks. */
static bool clear_table(struct loader *loader)
{
    const struct case_line *seats = find_line(loader, "seats");
    uint8_t count = SEATS_MIN;
    if (seats != NULL &&
        (!read_number(loader, seats->rest, SEATS_MAX, &count) || count < SEATS_MIN))
        return complain(loader, "seats are 2 to 4, not", seats->rest);
    shinjuku_clear(loader->state, count, false);
    loader->state->matsuri = shinjuku_ward_named(span_of("edogawa"));
    return true;
}

static bool lay_initial_queue(struct loader *loader)
{
    return load_queue(loader, span_of("1 edogawa food")) &&
           load_queue(loader, span_of("2 edogawa clothing")) &&
           load_queue(loader, span_of("3 edogawa")) && load_queue(loader, span_of("4 edogawa"));
}

/* `at 0 setup`: the piles are fixed, the game's own setup does the rest. */
static bool run_setup(struct loader *loader)
{
    static const char *const piles[] = {"deck", "bag"};
    struct game_options options = {{loader->state->advanced}};
    for (unsigned i = 0; i < 2; i++) {
        const struct case_line *line = find_line(loader, piles[i]);
        struct span items = line == NULL || span_is(line->rest, "none") ? span_of("") : line->rest;
        if (!chance_stack_add(loader->stacks, span_of(piles[i]), items))
            return complain(loader, "too many piles:", items);
    }
    shinjuku_setup(loader->state, loader->state->seats, &options, loader->chance);
    return true;
}

bool shinjuku_load(void *opaque, const struct case_line *lines, size_t count,
                   struct chance_stacks *stacks, const struct chance *chance, struct text *error)
{
    struct loader loader = {opaque, error, stacks, chance, lines, count};
    const struct case_line *at = find_line(&loader, "at");
    bool setup = at != NULL && span_is(at->rest, "0 setup");
    if (!clear_table(&loader) || !check_keys(&loader, setup))
        return false;
    if (setup)
        return load_lines_of(&loader, &keys[1]) && run_setup(&loader);
    if (!lay_initial_queue(&loader))
        return false;
    loader.state->deck_shuffles = 1;
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
        if (!load_lines_of(&loader, &keys[i]))
            return false;
    loader.state->notes = 0;
    memset(loader.state->note, 0, sizeof loader.state->note);
    return true;
}
