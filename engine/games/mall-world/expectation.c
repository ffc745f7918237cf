/* Expectations of worked cases: each key writes what would have to stand there to be true.
 * tests/cases/mall-world/README.md explains them. */

#include "engine/case_reader.h"
#include "engine/games/mall-world/rules.h"

static struct span card_name(unsigned card)
{
    return mall_world_cards[card].name;
}

static struct span order_name(unsigned order)
{
    return mall_world_orders[order].name;
}

static void add_cards(struct text *out, const uint8_t cards[static CARDS])
{
    case_add_counts(out, cards, NULL, CARDS, card_name);
}

/* `none` if nothing was added behind `start`. */
static bool finish_list(struct text *out, size_t start)
{
    case_close_list(out, start, "none");
    return true;
}

static bool read_decision(const struct mall_world_state *state, struct span rest, struct text *out)
{
    uint8_t seat;
    if (!case_echo_seat(out, &rest, state->seats, &seat))
        return false;
    bool decides = (mall_world_deciders(state) >> seat & 1) != 0;
    case_add_word(out, span_of(decides ? mall_world_point_name(state->point) : "none"));
    return true;
}

static struct span group_in(const struct mall_world_state *state, rooms room)
{
    for (unsigned group = 0; group < GROUPS; group++)
        if ((state->chip[group] & room) != 0)
            return mall_world_groups[group];
    return span_of("");
}

static bool read_room(const struct mall_world_state *state, struct span rest, struct text *out)
{
    struct span name = span_word(&rest);
    uint8_t square = mall_world_room_named(name);
    if (square == NONE)
        return false;
    rooms room = mall_world_room(square);
    text_add_span(out, name);
    if ((state->covered & room) != 0)
        case_add_word(out, span_of("blocked"));
    else if ((mall_world_empty(state) & room) != 0)
        case_add_word(out, span_of("empty"));
    for (unsigned use = 0; use < USES; use++)
        if ((state->tile[use] & room) != 0)
            case_add_word(out, mall_world_uses[use]);
    struct span group = group_in(state, room);
    if (group.length > 0) {
        text_add_char(out, '/');
        text_add_span(out, group);
    }
    return true;
}

static void add_pair(struct text *out, struct span name, unsigned number)
{
    case_add_word(out, name);
    text_add_char(out, ':');
    text_add_number(out, number);
}

static bool read_supply(const struct mall_world_state *state, struct span rest, struct text *out)
{
    (void)rest;
    for (unsigned use = 0; use < USES; use++)
        add_pair(out, mall_world_uses[use], mall_world_tiles_left(state, use));
    return true;
}

static bool read_chips(const struct mall_world_state *state, struct span rest, struct text *out)
{
    (void)rest;
    for (unsigned group = 0; group < GROUPS; group++)
        add_pair(out, mall_world_groups[group], mall_world_chips_left(state, group));
    return true;
}

static bool read_offered(const struct mall_world_state *state, struct span rest, struct text *out)
{
    (void)rest;
    add_cards(out, state->offer);
    return finish_list(out, 0);
}

static bool read_gone(const struct mall_world_state *state, struct span rest, struct text *out)
{
    (void)rest;
    add_cards(out, state->gone);
    return finish_list(out, 0);
}

static bool read_display(const struct mall_world_state *state, struct span rest, struct text *out)
{
    (void)rest;
    add_cards(out, state->display);
    return finish_list(out, 0);
}

static bool read_discard(const struct mall_world_state *state, struct span rest, struct text *out)
{
    (void)rest;
    add_cards(out, state->discard);
    return finish_list(out, 0);
}

static bool read_stack(const struct mall_world_state *state, struct span rest, struct text *out)
{
    (void)rest;
    for (unsigned i = state->stack_next; i < state->stack_end; i++)
        case_add_word(out, mall_world_cards[state->stack[i]].name);
    return finish_list(out, 0);
}

static bool read_lobby(const struct mall_world_state *state, struct span rest, struct text *out)
{
    (void)rest;
    case_add_list(out, state->lobby, state->lobby_orders, order_name);
    return finish_list(out, 0);
}

static bool read_orders(const struct mall_world_state *state, struct span rest, struct text *out)
{
    (void)rest;
    case_add_list(out, state->orders + state->orders_next,
                  (size_t)(state->orders_end - state->orders_next), order_name);
    return finish_list(out, 0);
}

/* Cards and orders in one list in byte order: two sorted lists are merged. */
static bool read_hand(const struct mall_world_state *state, struct span rest, struct text *out)
{
    uint8_t seat;
    unsigned next_order = 0;
    if (!case_echo_seat(out, &rest, state->seats, &seat))
        return false;
    size_t start = out->length;
    for (unsigned card = 0; card <= CARDS; card++) {
        for (; next_order < ORDERS; next_order++) {
            uint8_t order = mall_world_orders_in_byte_order[next_order];
            struct span name = mall_world_orders[order].name;
            if (card < CARDS && span_compare(name, mall_world_cards[card].name) > 0)
                break;
            if ((state->held[seat] >> order & 1) != 0)
                case_add_word(out, name);
        }
        for (unsigned i = 0; card < CARDS && i < state->hand[seat][card]; i++)
            case_add_word(out, mall_world_cards[card].name);
    }
    return finish_list(out, start);
}

static bool read_confirmed(const struct mall_world_state *state, struct span rest, struct text *out)
{
    uint8_t seat;
    if (!case_echo_seat(out, &rest, state->seats, &seat))
        return false;
    size_t start = out->length;
    case_add_set(out, state->confirmed[seat], mall_world_orders_in_byte_order, ORDERS, order_name);
    return finish_list(out, start);
}

static bool read_count(const struct mall_world_state *state, struct span rest, struct text *out)
{
    struct span name = span_word(&rest);
    uint8_t order = mall_world_order_named(name);
    if (order == NONE)
        return false;
    text_add_span(out, name);
    case_add_number(out, mall_world_count(state, order));
    return true;
}

static bool read_of_card(struct span rest, struct text *out, const struct mall_world_state *state,
                         bool (*is)(const struct mall_world_state *state, unsigned card))
{
    struct span name = span_word(&rest);
    uint8_t card = mall_world_card_named(name);
    if (card == NONE)
        return false;
    text_add_span(out, name);
    case_add_word(out, span_of(is(state, card) ? "yes" : "no"));
    return true;
}

static bool read_usable(const struct mall_world_state *state, struct span rest, struct text *out)
{
    return read_of_card(rest, out, state, mall_world_is_usable);
}

static bool read_realizable(const struct mall_world_state *state, struct span rest,
                            struct text *out)
{
    return read_of_card(rest, out, state, mall_world_is_realizable);
}

static bool read_round(const struct mall_world_state *state, struct span rest, struct text *out)
{
    (void)rest;
    text_add_number(out, state->round);
    return true;
}

static bool read_active(const struct mall_world_state *state, struct span rest, struct text *out)
{
    (void)rest;
    text_add_number(out, state->active);
    return true;
}

static bool read_slush(const struct mall_world_state *state, struct span rest, struct text *out)
{
    (void)rest;
    text_add_number(out, state->slush);
    return true;
}

static bool read_rents(const struct mall_world_state *state, struct span rest, struct text *out)
{
    (void)rest;
    text_add(out, state->rents_open ? "open" : "closed");
    return true;
}

static bool read_account(const struct mall_world_state *state, struct span rest, struct text *out)
{
    uint8_t seat;
    if (!case_echo_seat(out, &rest, state->seats, &seat))
        return false;
    case_add_number(out, state->account[seat]);
    return true;
}

static bool read_coins(const struct mall_world_state *state, struct span rest, struct text *out)
{
    uint8_t seat;
    if (!case_echo_seat(out, &rest, state->seats, &seat))
        return false;
    case_add_number(out, state->coins[seat]);
    return true;
}

static bool read_markers(const struct mall_world_state *state, struct span rest, struct text *out)
{
    (void)rest;
    for (unsigned seat = 0; seat < state->seats; seat++)
        if ((state->markers >> seat & 1) != 0)
            case_add_number(out, seat);
    return finish_list(out, 0);
}

/* Lowest value first. */
static bool read_bureau(const struct mall_world_state *state, struct span rest, struct text *out)
{
    (void)rest;
    for (unsigned bribe = BRIBES; bribe-- > 0;)
        for (unsigned i = 0; i < state->bribes[bribe]; i++)
            case_add_number(out, mall_world_bribe_value[bribe]);
    return finish_list(out, 0);
}

static bool read_final(const struct mall_world_state *state, struct span rest, struct text *out)
{
    (void)rest;
    text_add_number(out, state->last_turns_run ? state->last_turns : -1);
    return true;
}

static bool read_stall(const struct mall_world_state *state, struct span rest, struct text *out)
{
    (void)rest;
    text_add_number(out, state->standstill);
    return true;
}

bool mall_world_read(const void *opaque, struct span key, struct span rest, struct text *actual)
{
    static const struct {
        const char *key;
        bool (*read)(const struct mall_world_state *state, struct span rest, struct text *out);
    } readers[] = {
        {"decision", read_decision}, {"room", read_room},       {"supply", read_supply},
        {"chips", read_chips},       {"offered", read_offered}, {"gone", read_gone},
        {"count", read_count},       {"usable", read_usable},   {"realizable", read_realizable},
        {"round", read_round},       {"active", read_active},   {"slush", read_slush},
        {"rents", read_rents},       {"hand", read_hand},       {"confirmed", read_confirmed},
        {"account", read_account},   {"coins", read_coins},     {"lobby", read_lobby},
        {"orders", read_orders},     {"display", read_display}, {"stack", read_stack},
        {"discard", read_discard},   {"markers", read_markers}, {"bureau", read_bureau},
        {"final", read_final},       {"stall", read_stall},
    };
    for (size_t i = 0; i < sizeof readers / sizeof readers[0]; i++)
        if (span_is(key, readers[i].key))
            return readers[i].read(opaque, rest, actual);
    return false;
}
