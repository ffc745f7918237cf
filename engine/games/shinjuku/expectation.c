/* Expectations of worked cases: each key writes what would have to stand there to be true.
 * tests/cases/shinjuku/README.md explains them. */
#include <string.h>

#include "engine/case_reader.h"
#include "engine/games/shinjuku/rules.h"

uint8_t *shinjuku_supply_item(struct shinjuku_state *state, unsigned seat, struct span name)
{
    if (span_is(name, "track"))
        return &state->track_left[seat];
    if (span_is(name, "department"))
        return &state->departments_left[seat];
    uint8_t good = shinjuku_good_named(name);
    return good == NONE ? NULL : &state->stores_left[seat][good];
}

static struct span ward_name(unsigned ward)
{
    return shinjuku_wards[ward].name;
}

static struct span kind_name(unsigned kind)
{
    return shinjuku_kinds[kind].name;
}

static void add_cards(struct text *out, const uint8_t wards[static WARDS])
{
    size_t start = out->length;
    case_add_counts(out, wards, shinjuku_wards_in_byte_order, WARDS, ward_name);
    case_close_list(out, start, "none");
}

/* Without a word for nothing. */
static void add_queue_kinds(struct text *out, const uint8_t kinds[static KINDS])
{
    case_add_counts(out, kinds, shinjuku_kinds_in_byte_order, KINDS, kind_name);
}

static void add_kinds(struct text *out, const uint8_t kinds[static KINDS])
{
    size_t start = out->length;
    add_queue_kinds(out, kinds);
    case_close_list(out, start, "none");
}

static unsigned total(const uint8_t *counts, size_t length)
{
    unsigned sum = 0;
    for (size_t i = 0; i < length; i++)
        sum += counts[i];
    return sum;
}

static bool read_decision(const struct shinjuku_state *state, struct span rest, struct text *out)
{
    (void)rest;
    if (state->point == AT_OVER)
        text_add_char(out, '-');
    else
        text_add_number(out, state->active);
    case_add_word(out, span_of(shinjuku_point_name(state->point)));
    if (state->point == AT_ACTION)
        case_add_number(out, state->action_number);
    return true;
}

static bool echo_station(struct span *rest, struct text *out, uint8_t *station)
{
    struct span word = span_word(rest);
    *station = shinjuku_station_named(word);
    if (*station != NONE)
        case_add_word(out, word);
    return *station != NONE;
}

static bool read_hand(const struct shinjuku_state *state, struct span rest, struct text *out)
{
    uint8_t seat;
    if (!case_echo_seat(out, &rest, state->seats, &seat))
        return false;
    add_cards(out, state->hand[seat]);
    return true;
}

static bool read_earned(const struct shinjuku_state *state, struct span rest, struct text *out)
{
    uint8_t seat;
    if (!case_echo_seat(out, &rest, state->seats, &seat))
        return false;
    add_kinds(out, state->earned[seat]);
    return true;
}

static bool read_bonus(const struct shinjuku_state *state, struct span rest, struct text *out)
{
    uint8_t seat;
    if (!case_echo_seat(out, &rest, state->seats, &seat))
        return false;
    case_add_number(out, state->bonus[seat]);
    return true;
}

static bool read_first(const struct shinjuku_state *state, struct span rest, struct text *out)
{
    uint8_t seat;
    if (!case_echo_seat(out, &rest, state->seats, &seat))
        return false;
    case_add_number(out, state->claim[seat]);
    return true;
}

static bool read_ward_customers(const struct shinjuku_state *state, struct span rest,
                                struct text *out)
{
    struct span word = span_word(&rest);
    uint8_t ward = shinjuku_ward_named(word);
    if (ward == NONE)
        return false;
    text_add_span(out, word);
    add_kinds(out, state->customers[ward]);
    return true;
}

static bool read_queue(const struct shinjuku_state *state, struct span rest, struct text *out)
{
    uint64_t space;
    if (!span_number(span_word(&rest), QUEUE_SPACES, &space) || space == 0)
        return false;
    text_add_number(out, (int64_t)space);
    case_add_word(out, shinjuku_wards[state->queue_ward[space - 1]].name);
    add_queue_kinds(out, state->queue[space - 1]);
    return true;
}

static bool read_store(const struct shinjuku_state *state, struct span rest, struct text *out)
{
    uint8_t station;
    if (!echo_station(&rest, out, &station))
        return false;
    if (state->store_owner[station] == NONE) {
        text_add(out, " none");
        return true;
    }
    case_add_number(out, state->store_owner[station]);
    uint8_t sells = state->store_sells[station];
    case_add_word(out, sells == DEPARTMENT ? span_of("department") : shinjuku_goods[sells]);
    return true;
}

static bool read_track(const struct shinjuku_state *state, struct span rest, struct text *out)
{
    uint8_t a;
    uint8_t b;
    if (!echo_station(&rest, out, &a) || !echo_station(&rest, out, &b))
        return false;
    uint8_t connection = shinjuku_connection_between(a, b);
    if (connection == NONE)
        return false;
    if (shinjuku_connections[connection].permanent)
        text_add(out, " permanent");
    else if (state->track_owner[connection] == NONE)
        text_add(out, " none");
    else
        case_add_number(out, state->track_owner[connection]);
    return true;
}

static bool read_supply(const struct shinjuku_state *state, struct span rest, struct text *out)
{
    struct shinjuku_state copy = *state;
    uint8_t seat;
    if (!case_echo_seat(out, &rest, state->seats, &seat))
        return false;
    while (rest.length > 0) {
        struct span name = span_word(&rest);
        const char *equals = memchr(name.at, '=', name.length);
        name.length = equals == NULL ? name.length : (size_t)(equals - name.at);
        const uint8_t *item = shinjuku_supply_item(&copy, seat, name);
        if (item == NULL)
            return false;
        case_add_word(out, name);
        text_add_char(out, '=');
        text_add_number(out, *item);
    }
    return true;
}

static bool read_matsuri(const struct shinjuku_state *state, struct span rest, struct text *out)
{
    (void)rest;
    text_add_span(out,
                  state->matsuri == NONE ? span_of("none") : shinjuku_wards[state->matsuri].name);
    return true;
}

static bool read_discard(const struct shinjuku_state *state, struct span rest, struct text *out)
{
    (void)rest;
    add_cards(out, state->discard);
    return true;
}

static bool read_discard_size(const struct shinjuku_state *state, struct span rest,
                              struct text *out)
{
    (void)rest;
    text_add_number(out, total(state->discard, WARDS));
    return true;
}

static bool read_deck(const struct shinjuku_state *state, struct span rest, struct text *out)
{
    (void)rest;
    text_add_number(out, state->deck_end - state->deck_next);
    return true;
}

static bool read_bag(const struct shinjuku_state *state, struct span rest, struct text *out)
{
    (void)rest;
    text_add_number(out, state->bag_end - state->bag_next);
    return true;
}

static bool read_removed(const struct shinjuku_state *state, struct span rest, struct text *out)
{
    (void)rest;
    text_add_number(out, total(state->removed, KINDS));
    return true;
}

static bool read_upgrades(const struct shinjuku_state *state, struct span rest, struct text *out)
{
    (void)rest;
    text_add_number(out, state->upgrades);
    return true;
}

static bool read_final(const struct shinjuku_state *state, struct span rest, struct text *out)
{
    (void)rest;
    case_add_yes(out, state->final_phase);
    return true;
}

bool shinjuku_read(const void *opaque, struct span key, struct span rest, struct text *actual)
{
    static const struct {
        const char *key;
        bool (*read)(const struct shinjuku_state *state, struct span rest, struct text *out);
    } readers[] = {
        {"decision", read_decision},
        {"hand", read_hand},
        {"customers", read_earned},
        {"bonus", read_bonus},
        {"first", read_first},
        {"ward", read_ward_customers},
        {"queue", read_queue},
        {"store", read_store},
        {"track", read_track},
        {"supply", read_supply},
        {"matsuri", read_matsuri},
        {"discard", read_discard},
        {"discard-size", read_discard_size},
        {"deck", read_deck},
        {"bag", read_bag},
        {"removed", read_removed},
        {"upgrades", read_upgrades},
        {"final", read_final},
    };
    for (size_t i = 0; i < sizeof readers / sizeof readers[0]; i++)
        if (span_is(key, readers[i].key))
            return readers[i].read(opaque, rest, actual);
    return false;
}
