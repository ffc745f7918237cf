/* The fields of positions of worked cases, in the order in which they are set: supplies are known
 * before they are overridden, and piles get the rest. tests/cases/shinjuku/README.md explains the
 * keys. */
#include <string.h>

#include "engine/game/case_fields.h"
#include "engine/games/shinjuku/piles.h"
#include "engine/games/shinjuku/rules.h"
#include "engine/games/shinjuku/turn.h"

#define CASE_STATE      struct shinjuku_state
#define CASE_COMPONENTS struct shinjuku_components

typedef const struct shinjuku_state *position;

/* Splits `name=n`; n is 1 if it is not there. */
static bool split_item(const struct case_reader *reader, struct span *word, uint8_t *number)
{
    struct span digits = case_split(word, '=');
    *number = 1;
    return digits.at == NULL || case_read_number(reader, digits, CUSTOMERS, number);
}

static const struct case_names wards = {CASE_NAMES(wards), .to = WARDS,
                                        CASE_ORDER(wards_in_byte_order), .unknown = "no ward:"};
static const struct case_names stations = {CASE_NAMES(stations), .to = STATIONS,
                                           .unknown = "no station:"};
static const struct case_names kinds = {CASE_NAMES(kinds), .to = KINDS,
                                        CASE_ORDER(kinds_in_byte_order),
                                        .unknown = "no customer:", .split = split_item};

static bool load_option(struct case_reader *reader, struct span rest)
{
    struct shinjuku_state *state = reader->state;
    bool advanced;
    struct span name = span_word(&rest);
    if (!span_is(name, "advanced"))
        return case_complain(reader, "no option:", name);
    if (!case_read_either(reader, rest, "on", "off", &advanced))
        return false;
    state->advanced = advanced;
    if (advanced)
        state->matsuri = NONE;
    return true;
}

static bool load_store(struct case_reader *reader, struct span rest)
{
    struct shinjuku_state *state = reader->state;
    const struct shinjuku_components *set = reader->game->set;
    while (rest.length > 0) {
        uint8_t station;
        uint8_t seat;
        if (!case_read_name(reader, &rest, &stations, &station) ||
            !case_read_seat(reader, &rest, &seat))
            return false;
        struct span sort = span_word(&rest);
        uint8_t sells = span_is(sort, "department") ? DEPARTMENT : shinjuku_good_named(set, sort);
        if (sells == NONE)
            return case_complain(reader, "no Store:", sort);
        uint8_t *left =
            sells == DEPARTMENT ? &state->departments_left[seat] : &state->stores_left[seat][sells];
        if (*left == 0 || state->store_owner[station] != NONE)
            return case_complain(reader, "one Store too many:", set->stations[station].name);
        --*left;
        state->upgrades = (uint8_t)(state->upgrades + (sells == DEPARTMENT));
        state->store_owner[station] = seat;
        state->store_sells[station] = sells;
    }
    return true;
}

static bool tell_store(const struct case_reader *reader, struct text *out)
{
    const struct shinjuku_components *set = reader->game->set;
    position state = reader->state;
    struct span rest = reader->asked;
    uint8_t station;
    if (!case_echo_name(reader, &rest, out, &stations, &station))
        return false;
    if (state->store_owner[station] == NONE) {
        text_add(out, " none");
        return true;
    }
    case_add_number(out, state->store_owner[station]);
    uint8_t sells = state->store_sells[station];
    case_add_word(out, sells == DEPARTMENT ? span_of("department") : set->goods[sells]);
    return true;
}

static bool load_track(struct case_reader *reader, struct span rest)
{
    struct shinjuku_state *state = reader->state;
    const struct shinjuku_components *set = reader->game->set;
    uint8_t seat;
    if (!case_read_seat(reader, &rest, &seat))
        return false;
    while (rest.length > 0) {
        uint8_t a;
        uint8_t b;
        if (!case_read_name(reader, &rest, &stations, &a) ||
            !case_read_name(reader, &rest, &stations, &b))
            return false;
        uint8_t connection = shinjuku_connection_between(set, a, b);
        if (connection == NONE || a > b || shinjuku_has_rails(set, state, connection) ||
            state->track_left[seat] == 0)
            return case_complain(reader, "no track can lie there:", set->stations[b].name);
        state->track_owner[connection] = seat;
        state->track_left[seat]--;
    }
    return true;
}

static bool tell_track(const struct case_reader *reader, struct text *out)
{
    const struct shinjuku_components *set = reader->game->set;
    position state = reader->state;
    struct span rest = reader->asked;
    uint8_t a;
    uint8_t b;
    if (!case_echo_name(reader, &rest, out, &stations, &a) ||
        !case_echo_name(reader, &rest, out, &stations, &b))
        return false;
    uint8_t connection = shinjuku_connection_between(set, a, b);
    if (connection == NONE)
        return false;
    if (set->connections[connection].permanent)
        text_add(out, " permanent");
    else if (state->track_owner[connection] == NONE)
        text_add(out, " none");
    else
        case_add_number(out, state->track_owner[connection]);
    return true;
}

/* The place of `track`, `department` or a good in a seat's supply, NULL for other names. */
static uint8_t *supply_item(const struct shinjuku_components *set, struct shinjuku_state *state,
                            unsigned seat, struct span name)
{
    if (span_is(name, "track"))
        return &state->track_left[seat];
    if (span_is(name, "department"))
        return &state->departments_left[seat];
    uint8_t good = shinjuku_good_named(set, name);
    return good == NONE ? NULL : &state->stores_left[seat][good];
}

static bool load_supply(struct case_reader *reader, struct span rest)
{
    const struct shinjuku_components *set = reader->game->set;
    while (rest.length > 0) {
        struct span name = span_word(&rest);
        uint8_t number;
        if (!split_item(reader, &name, &number))
            return false;
        uint8_t *item = supply_item(set, reader->state, reader->seat, name);
        if (item == NULL || number > TRACK)
            return case_complain(reader, "no supply:", name);
        *item = number;
    }
    return true;
}

static bool tell_supply(const struct case_reader *reader, struct text *out)
{
    const struct shinjuku_components *set = reader->game->set;
    struct span rest = reader->asked;
    while (rest.length > 0) {
        struct span name = span_word(&rest);
        (void)case_split(&name, '=');
        const uint8_t *item = supply_item(set, reader->state, reader->seat, name);
        if (item == NULL)
            return false;
        case_add_pair(out, name, '=', *item);
    }
    return true;
}

static bool load_used(struct case_reader *reader, struct span rest)
{
    struct shinjuku_state *state = reader->state;
    while (rest.length > 0) {
        struct span word = span_word(&rest);
        unsigned action = 0;
        while (action < ACTIONS && !span_is(word, shinjuku_action_name(action)))
            action++;
        if (action == ACTIONS)
            return case_complain(reader, "no action:", word);
        state->actions_taken |= (uint8_t)(1u << action);
    }
    return true;
}

static bool load_matsuri(struct case_reader *reader, struct span rest)
{
    struct shinjuku_state *state = reader->state;
    if (state->advanced)
        return case_complain(reader, "no Matsuri in the Advanced Variant:", rest);
    return case_read_only_name(reader, rest, &wards, &state->matsuri);
}

static bool load_hand(struct case_reader *reader, struct span rest)
{
    struct shinjuku_state *state = reader->state;
    return case_read_counts(reader, rest, &wards, state->hand[reader->seat], 0) &&
           (shinjuku_hand_size(state, reader->seat) <= HAND_MAX ||
            case_complain(reader, "too many cards in hand:", rest));
}

static bool load_queue(struct case_reader *reader, struct span rest)
{
    struct shinjuku_state *state = reader->state;
    uint8_t space;
    if (!case_read_number(reader, span_word(&rest), QUEUE_SPACES, &space))
        return false;
    if (space == 0)
        return case_complain(reader, "no space of the Queue before", rest);
    uint8_t *customers = state->queue[space - 1];
    memset(customers, 0, KINDS);
    return case_read_name(reader, &rest, &wards, &state->queue_ward[space - 1]) &&
           case_read_counts(reader, rest, &kinds, customers, 0);
}

static bool tell_queue(const struct case_reader *reader, struct text *out)
{
    position state = reader->state;
    struct span rest = reader->asked;
    uint64_t space;
    if (!span_number(span_word(&rest), QUEUE_SPACES, &space) || space == 0)
        return false;
    case_add_number(out, (int64_t)space);
    case_add_word(out, case_name(reader, &wards, state->queue_ward[space - 1]));
    case_add_counts(reader, out, state->queue[space - 1], &kinds);
    return true;
}

/* Sets a pile from the names of a list and then, unless the list begins with `only`, the rest of
 * left[]. Items not in the pile stay in left[]. */
static bool load_pile(const struct case_reader *reader, struct span rest,
                      const struct case_names *names, const char *too_many, uint8_t *left,
                      uint8_t *pile, uint8_t *end)
{
    struct span after = rest;
    bool only = span_is(span_word(&after), "only");
    rest = only ? after : rest;
    while (rest.length > 0 && !span_is(rest, "none")) {
        uint8_t item;
        if (!case_read_name(reader, &rest, names, &item))
            return false;
        if (left[item]-- == 0)
            return case_complain(reader, too_many, case_name(reader, names, item));
        pile[(*end)++] = item;
    }
    for (uint8_t item = 0; item < names->to; item++)
        for (; !only && left[item] > 0; left[item]--)
            pile[(*end)++] = item;
    return true;
}

/* Fills the deck with the cards that are not in hands, Queue or discard pile. */
static bool load_deck(struct case_reader *reader, struct span rest)
{
    const struct shinjuku_components *set = reader->game->set;
    static const char too_many[] = "more cards than there are:";
    struct shinjuku_state *state = reader->state;
    uint8_t left[WARDS];
    for (unsigned ward = 0; ward < WARDS; ward++) {
        unsigned used = state->discard[ward];
        for (unsigned seat = 0; seat < state->seats; seat++)
            used += state->hand[seat][ward];
        for (unsigned space = 0; space < QUEUE_SPACES; space++)
            used += state->queue_ward[space] == ward;
        if (used > set->wards[ward].cards)
            return case_complain(reader, too_many, set->wards[ward].name);
        left[ward] = (uint8_t)(set->wards[ward].cards - used);
    }
    if (!load_pile(reader, rest, &wards, too_many, left, state->deck, &state->deck_end))
        return false;
    for (unsigned ward = 0; ward < WARDS; ward++)
        state->discard[ward] = (uint8_t)(state->discard[ward] + left[ward]);
    return true;
}

static bool load_bag(struct case_reader *reader, struct span rest)
{
    const struct shinjuku_components *set = reader->game->set;
    static const char too_many[] = "more customers than there are:";
    struct shinjuku_state *state = reader->state;
    for (unsigned kind = 0; kind < KINDS; kind++) {
        unsigned used = 0;
        for (unsigned ward = 0; ward < WARDS; ward++)
            used += state->customers[ward][kind];
        for (unsigned space = 0; space < QUEUE_SPACES; space++)
            used += state->queue[space][kind];
        for (unsigned seat = 0; seat < state->seats; seat++)
            used += state->earned[seat][kind];
        if (used > set->kinds[kind].count)
            return case_complain(reader, too_many, set->kinds[kind].name);
        state->removed[kind] = (uint8_t)(set->kinds[kind].count - used);
    }
    return load_pile(reader, rest, &kinds, too_many, state->removed, state->bag, &state->bag_end);
}

/* load() handles `0 setup`. */
static bool load_at(struct case_reader *reader, struct span rest)
{
    struct shinjuku_state *state = reader->state;
    const struct shinjuku_components *set = reader->game->set;
    uint8_t taken = state->actions_taken;
    shinjuku_start_turn(state, reader->seat);
    state->actions_taken = taken;
    struct span point = span_word(&rest);
    if (span_is(point, "begin"))
        shinjuku_advance(set, state, reader->chance);
    else if (span_is(point, "matsuri") && !state->advanced)
        state->point = AT_MATSURI;
    else if (span_is(point, "action") && (span_is(rest, "1") || span_is(rest, "2"))) {
        state->point = AT_ACTION;
        state->action_number = span_is(rest, "1") ? 1 : 2;
    } else
        return case_complain(reader, "no decision point:", point);
    return true;
}

static bool tell_decision(const struct case_reader *reader, struct text *out)
{
    position state = reader->state;
    if (state->point == AT_OVER)
        text_add_char(out, '-');
    else
        text_add_number(out, state->active);
    case_add_word(out, span_of(shinjuku_point_name(state->point)));
    if (state->point == AT_ACTION)
        case_add_number(out, state->action_number);
    return true;
}

static void add_total(struct text *out, const uint8_t *counts, size_t length)
{
    unsigned sum = 0;
    for (size_t i = 0; i < length; i++)
        sum += counts[i];
    case_add_number(out, sum);
}

static bool tell_discard_size(const struct case_reader *reader, struct text *out)
{
    position state = reader->state;
    add_total(out, state->discard, WARDS);
    return true;
}

static bool tell_deck(const struct case_reader *reader, struct text *out)
{
    position state = reader->state;
    case_add_number(out, state->deck_end - state->deck_next);
    return true;
}

static bool tell_bag(const struct case_reader *reader, struct text *out)
{
    position state = reader->state;
    case_add_number(out, state->bag_end - state->bag_next);
    return true;
}

static bool tell_removed(const struct case_reader *reader, struct text *out)
{
    position state = reader->state;
    add_total(out, state->removed, KINDS);
    return true;
}

enum { UPGRADES_MAX = SEATS_MAX * DEPARTMENT_STORES };

static const struct case_field fields[] = {
    {"seats", .where = CASE_EVERYWHERE},
    {"option", .load = load_option, .where = CASE_EVERYWHERE},
    {"store", .load = load_store, .tell = tell_store},
    {"track", .load = load_track, .tell = tell_track},
    {"supply", .load = load_supply, .tell = tell_supply, .by_seat = true},
    {"upgrades", .kind = CASE_NUMBER, CASE_AT(upgrades), .most = UPGRADES_MAX},
    {"used", .load = load_used},
    {"matsuri", .load = load_matsuri, .kind = CASE_NAME, CASE_AT(matsuri), .names = &wards},
    {"final", .kind = CASE_FLAG, CASE_AT(final_phase)},
    {"hand", .load = load_hand, .kind = CASE_COUNTS, CASE_BY_SEAT(hand), .names = &wards},
    {"customers", .kind = CASE_COUNTS, CASE_BY_SEAT(earned), .names = &kinds},
    {"bonus", .kind = CASE_NUMBER, CASE_BY_SEAT(bonus), .most = 11},
    {"first", .kind = CASE_NUMBER, CASE_BY_SEAT(claim), .most = UPGRADES_MAX},
    {"ward", .kind = CASE_COUNTS, CASE_AT(customers), .by = &wards, .item_step = KINDS,
     .names = &kinds},
    {"queue", .load = load_queue, .tell = tell_queue},
    {"discard", .kind = CASE_COUNTS, CASE_AT(discard), .names = &wards},
    {"deck", "none", .load = load_deck, .tell = tell_deck, .where = CASE_EVERYWHERE},
    {"bag", "none", .load = load_bag, .tell = tell_bag, .where = CASE_EVERYWHERE},
    {"at", "0 action 1", .load = load_at, .by_seat = true, .where = CASE_EVERYWHERE},
    {"decision", .tell = tell_decision, .where = CASE_ANSWERED},
    {"discard-size", .tell = tell_discard_size, .where = CASE_ANSWERED},
    {"removed", .tell = tell_removed, .where = CASE_ANSWERED},
};

/* `at 0 setup`: the piles are fixed, the game's own setup does the rest. */
static bool run_setup(struct case_reader *reader)
{
    static const char *const piles[] = {"deck", "bag"};
    struct shinjuku_state *state = reader->state;
    struct game_options options = {{state->advanced}};
    for (unsigned i = 0; i < 2; i++) {
        const struct case_line *line = case_find(reader, piles[i]);
        struct span items = line == NULL || span_is(line->rest, "none") ? span_of("") : line->rest;
        if (!chance_stack_add(reader->stacks, span_of(piles[i]), items))
            return case_complain(reader, "too many piles:", items);
    }
    shinjuku_setup(reader->game, state, reader->seats, &options, reader->chance);
    return true;
}

/* Seats and options determine the empty table. */
static bool load(struct case_reader *reader)
{
    const struct shinjuku_components *set = reader->game->set;
    static const char *const queue[] = {"1 edogawa food", "2 edogawa clothing", "3 edogawa",
                                        "4 edogawa"};
    struct shinjuku_state *state = reader->state;
    const struct case_line *at = case_find(reader, "at");
    const struct case_line *option = case_find(reader, "option");
    if (!case_read_seats(reader, SEATS_MIN, SEATS_MAX, SEATS_MIN))
        return false;
    shinjuku_clear(state, reader->seats, false);
    state->matsuri = shinjuku_ward_named(set, span_of("edogawa"));
    if (at != NULL && span_is(at->rest, "0 setup"))
        return case_check_keys(reader, CASE_IN_SETUP) &&
               (option == NULL || load_option(reader, option->rest)) && run_setup(reader);
    for (unsigned i = 0; i < QUEUE_SPACES; i++)
        if (!load_queue(reader, span_of(queue[i])))
            return false;
    state->deck_shuffles = 1;
    if (!case_load(reader, CASE_IN_POSITION))
        return false;
    state->notes = 0;
    memset(state->note, 0, sizeof state->note);
    return true;
}

const struct game_cases shinjuku_worked_cases = {fields, sizeof fields / sizeof fields[0], "none",
                                                 load};
