/* The fields of positions of worked cases, in the order in which they are set.
 * tests/cases/mall-world/README.md explains the keys. */
#include <string.h>

#include "engine/game/case_fields.h"
#include "engine/games/mall-world/piles.h"
#include "engine/games/mall-world/rules.h"
#include "engine/games/mall-world/turn.h"

#define CASE_STATE      struct mall_world_state
#define CASE_COMPONENTS struct mall_world_components

typedef const struct mall_world_state *position;

enum { ACCOUNT_LIMIT = 2000000, STANDSTILL_LIMIT = 200 };

/* Splits `2xfood-food` into how many and what. */
static bool split_count(const struct case_reader *reader, struct span *word, uint8_t *count)
{
    (void)reader;
    *count = 1;
    if (word->length < 3 || word->at[0] < '1' || word->at[0] > '9' || word->at[1] != 'x')
        return true;
    *count = (uint8_t)(word->at[0] - '0');
    word->at += 2;
    word->length -= 2;
    return true;
}

static const struct case_names cards = {CASE_NAMES(cards), .to = CARDS,
                                        .unknown = "no approval card:", .split = split_count};
static const struct case_names orders = {CASE_NAMES(orders), .to = ORDERS,
                                         CASE_ORDER(orders_in_byte_order), .unknown = "no order:"};
static const struct case_names lobby_orders = {CASE_NAMES(orders), .to = SPECIAL_ORDER_FIRST,
                                               .unknown = "no order of the lobby:"};

static bool read_room(const struct case_reader *reader, struct span word, rooms *room)
{
    const struct mall_world_components *set = reader->game->set;
    uint8_t square = mall_world_room_named(set, word);
    *room = square == NONE ? 0 : mall_world_room(square);
    return square != NONE || case_complain(reader, "no room:", word);
}

static bool read_rooms(const struct case_reader *reader, struct span rest, rooms *area)
{
    *area = 0;
    while (rest.length > 0) {
        rooms room;
        if (!read_room(reader, span_word(&rest), &room))
            return false;
        *area |= room;
    }
    return true;
}

static bool load_round(struct case_reader *reader, struct span rest)
{
    struct mall_world_state *state = reader->state;
    if (!case_read_number(reader, rest, ROUNDS, &state->round))
        return false;
    state->rents_open = state->round > 1;
    return state->round > 0 || case_complain(reader, "no round:", rest);
}

static bool load_block(struct case_reader *reader, struct span rest)
{
    struct mall_world_state *state = reader->state;
    return read_rooms(reader, rest, &state->covered);
}

static bool load_only(struct case_reader *reader, struct span rest)
{
    struct mall_world_state *state = reader->state;
    const struct mall_world_components *set = reader->game->set;
    rooms open;
    if (!read_rooms(reader, rest, &open))
        return false;
    state->covered = set->plan & ~open;
    return true;
}

/* `c2=clothing` or `c2=clothing/men`. */
static bool load_tile(const struct case_reader *reader, struct span word)
{
    struct mall_world_state *state = reader->state;
    const struct mall_world_components *set = reader->game->set;
    struct span name = word;
    struct span use_name = case_split(&name, '=');
    struct span group_name = case_split(&use_name, '/');
    uint8_t group = group_name.at == NULL ? NONE : mall_world_group_named(group_name);
    uint8_t use = mall_world_use_named(use_name);
    rooms room;
    if (use_name.at == NULL)
        return case_complain(reader, "no tile:", word);
    if (!read_room(reader, name, &room))
        return false;
    if (use == NONE || (group_name.at != NULL && group == NONE) ||
        (mall_world_empty(set, state) & room) == 0 || mall_world_tiles_left(state, use) == 0)
        return case_complain(reader, "no such shop can stand there:", word);
    state->tile[use] |= room;
    if (group == NONE)
        return true;
    if (mall_world_chips_left(state, group) == 0)
        return case_complain(reader, "no such chip is left:", word);
    state->chip[group] |= room;
    return true;
}

static bool load_tiles(struct case_reader *reader, struct span rest)
{
    while (rest.length > 0)
        if (!load_tile(reader, span_word(&rest)))
            return false;
    return true;
}

static bool tell_room(const struct case_reader *reader, struct text *out)
{
    const struct mall_world_components *set = reader->game->set;
    position state = reader->state;
    struct span rest = reader->asked;
    struct span name = span_word(&rest);
    uint8_t square = mall_world_room_named(set, name);
    if (square == NONE)
        return false;
    rooms room = mall_world_room(square);
    case_add_word(out, name);
    if ((state->covered & room) != 0)
        case_add_word(out, span_of("blocked"));
    else if ((mall_world_empty(set, state) & room) != 0)
        case_add_word(out, span_of("empty"));
    for (unsigned use = 0; use < USES; use++)
        if ((state->tile[use] & room) != 0)
            case_add_word(out, mall_world_uses[use]);
    for (unsigned group = 0; group < GROUPS; group++) {
        if ((state->chip[group] & room) != 0) {
            text_add_char(out, '/');
            text_add_span(out, mall_world_groups[group]);
        }
    }
    return true;
}

/* Approval cards and orders. */
static bool load_hand(struct case_reader *reader, struct span rest)
{
    struct mall_world_state *state = reader->state;
    const struct mall_world_components *set = reader->game->set;
    struct span all = rest;
    while (rest.length > 0 && !span_is(all, "none")) {
        struct span word = span_word(&rest);
        uint8_t order = mall_world_order_named(set, word);
        if (order != NONE)
            state->held[reader->seat] |= UINT32_C(1) << order;
        else if (!case_read_counts(reader, word, &cards, state->hand[reader->seat], DECK))
            return false;
    }
    return mall_world_hand_size(state, reader->seat) <= HAND_MAX ||
           case_complain(reader, "more than eight cards in hand:", all);
}

/* Cards and orders as one list in byte order: merges two sorted lists. */
static bool tell_hand(const struct case_reader *reader, struct text *out)
{
    const struct mall_world_components *set = reader->game->set;
    position state = reader->state;
    unsigned next_order = 0;
    for (unsigned card = 0; card <= CARDS; card++) {
        for (; next_order < ORDERS; next_order++) {
            uint8_t order = set->orders_in_byte_order[next_order];
            struct span name = set->orders[order].name;
            if (card < CARDS && span_compare(name, set->cards[card].name) > 0)
                break;
            if ((state->held[reader->seat] >> order & 1) != 0)
                case_add_word(out, name);
        }
        for (unsigned i = 0; card < CARDS && i < state->hand[reader->seat][card]; i++)
            case_add_word(out, set->cards[card].name);
    }
    return true;
}

static bool load_markers(struct case_reader *reader, struct span rest)
{
    struct mall_world_state *state = reader->state;
    while (rest.length > 0 && !span_is(rest, "none")) {
        uint8_t seat;
        if (!case_read_seat(reader, &rest, &seat))
            return false;
        state->markers |= (uint8_t)(1u << seat);
    }
    return true;
}

static bool tell_markers(const struct case_reader *reader, struct text *out)
{
    position state = reader->state;
    for (unsigned seat = 0; seat < state->seats; seat++)
        if ((state->markers >> seat & 1) != 0)
            case_add_number(out, seat);
    return true;
}

static bool load_bureau(struct case_reader *reader, struct span rest)
{
    struct mall_world_state *state = reader->state;
    const struct mall_world_components *set = reader->game->set;
    while (rest.length > 0 && !span_is(rest, "none")) {
        struct span word = span_word(&rest);
        uint8_t count;
        int64_t value;
        (void)split_count(reader, &word, &count);
        uint8_t bribe = span_integer(word, ACCOUNT_LIMIT, &value) ? mall_world_bribe_of(set, value)
                                                                  : (uint8_t)NONE;
        if (bribe == NONE)
            return case_complain(reader, "no bribe chip:", word);
        state->bribes[bribe] = (uint8_t)(state->bribes[bribe] + count);
        if (state->bribes[bribe] > set->bribe_count[bribe])
            return case_complain(reader, "no such bribe chip is left:", word);
    }
    return true;
}

/* Lowest value first. */
static bool tell_bureau(const struct case_reader *reader, struct text *out)
{
    const struct mall_world_components *set = reader->game->set;
    position state = reader->state;
    for (unsigned bribe = BRIBES; bribe-- > 0;)
        for (unsigned i = 0; i < state->bribes[bribe]; i++)
            case_add_number(out, set->bribe_value[bribe]);
    return true;
}

static bool load_next_bribes(struct case_reader *reader, struct span rest)
{
    position state = reader->state;
    struct span items = span_is(rest, "none") ? span_of("") : rest;
    if (state->round == ROUNDS)
        return case_complain(reader, "there is no next round:", rest);
    return chance_stack_add(reader->stacks, span_of(state->round == 1 ? "bribe-2" : "bribe-3"),
                            items) ||
           case_complain(reader, "too many piles:", rest);
}

static bool load_final(struct case_reader *reader, struct span rest)
{
    struct mall_world_state *state = reader->state;
    if (span_is(rest, "-1"))
        return true;
    state->last_turns_run = 1;
    return case_read_number(reader, rest, SEATS_MAX, &state->last_turns) &&
           (state->last_turns > 0 || case_complain(reader, "no number of last turns:", rest));
}

static bool tell_final(const struct case_reader *reader, struct text *out)
{
    position state = reader->state;
    case_add_number(out, state->last_turns_run ? state->last_turns : -1);
    return true;
}

static bool load_at(struct case_reader *reader, struct span rest)
{
    const struct mall_world_components *set = reader->game->set;
    static const struct {
        const char *name;
        uint8_t point;
    } points[] = {{"START", AT_START}, {"PROGRESS", AT_PROGRESS}, {"SUPPLY", AT_FILL}};
    struct mall_world_state *state = reader->state;
    for (size_t i = 0; i < sizeof points / sizeof points[0]; i++) {
        if (!span_is(rest, points[i].name))
            continue;
        state->point = points[i].point;
        mall_world_advance(set, state, reader->chance);
        return true;
    }
    return case_complain(reader, "no point of a turn:", rest);
}

static bool tell_decision(const struct case_reader *reader, struct text *out)
{
    position state = reader->state;
    bool decides = (mall_world_deciders(state) >> reader->seat & 1) != 0;
    case_add_word(out, span_of(decides ? mall_world_point_name(state->point) : "none"));
    return true;
}

static bool tell_supply(const struct case_reader *reader, struct text *out)
{
    for (unsigned use = 0; use < USES; use++)
        case_add_pair(out, mall_world_uses[use], ':', mall_world_tiles_left(reader->state, use));
    return true;
}

static bool tell_chips(const struct case_reader *reader, struct text *out)
{
    for (unsigned group = 0; group < GROUPS; group++)
        case_add_pair(out, mall_world_groups[group], ':',
                      mall_world_chips_left(reader->state, group));
    return true;
}

static bool tell_count(const struct case_reader *reader, struct text *out)
{
    const struct mall_world_components *set = reader->game->set;
    case_add_number(out, mall_world_count(set, reader->state, reader->item));
    return true;
}

static bool tell_usable(const struct case_reader *reader, struct text *out)
{
    const struct mall_world_components *set = reader->game->set;
    case_add_yes(out, mall_world_is_usable(set, reader->state, reader->item));
    return true;
}

static bool tell_realizable(const struct case_reader *reader, struct text *out)
{
    const struct mall_world_components *set = reader->game->set;
    case_add_yes(out, mall_world_is_realizable(set, reader->state, reader->item));
    return true;
}

static const struct case_field fields[] = {
    {.key = "seats"},
    {"round", "1", .load = load_round, .kind = CASE_NUMBER, CASE_AT(round)},
    {"active", .kind = CASE_SEAT, CASE_AT(active)},
    {"slush", .kind = CASE_NUMBER, CASE_AT(slush), .most = COINS_IN_BOX},
    {"block", .load = load_block},
    {"only", .load = load_only},
    {"tiles", .load = load_tiles},
    {"rents", .kind = CASE_FLAG, CASE_AT(rents_open), .yes = {"open", "closed"}},
    {"hand", .load = load_hand, .tell = tell_hand, .by_seat = true},
    {"confirmed", .kind = CASE_SET, CASE_BY_SEAT(confirmed), .names = &orders},
    {"account", .kind = CASE_NUMBER, CASE_BY_SEAT(account), .least = -ACCOUNT_LIMIT,
     .most = ACCOUNT_LIMIT},
    {"coins", .kind = CASE_NUMBER, CASE_BY_SEAT(coins), .most = COINS_IN_BOX},
    {"lobby", .kind = CASE_LIST, CASE_AT(lobby), .names = &lobby_orders,
     .end = offsetof(CASE_STATE, lobby_orders)},
    {"orders", .kind = CASE_LIST, CASE_AT(orders), .names = &lobby_orders,
     .next = offsetof(CASE_STATE, orders_next), .end = offsetof(CASE_STATE, orders_end)},
    {"display", .kind = CASE_COUNTS, CASE_AT(display), .names = &cards, .most = DECK},
    {"stack", .kind = CASE_LIST, CASE_AT(stack), .names = &cards,
     .next = offsetof(CASE_STATE, stack_next), .end = offsetof(CASE_STATE, stack_end)},
    {"discard", .kind = CASE_COUNTS, CASE_AT(discard), .names = &cards, .most = DECK},
    {"markers", .load = load_markers, .tell = tell_markers},
    {"bureau", .load = load_bureau, .tell = tell_bureau},
    {"next-bribes", .load = load_next_bribes},
    {"final", .load = load_final, .tell = tell_final},
    {"stall", .kind = CASE_NUMBER, CASE_AT(standstill), .most = STANDSTILL_LIMIT},
    {"at", "START", .load = load_at},
    {"decision", .tell = tell_decision, .by_seat = true, .where = CASE_ANSWERED},
    {"room", .tell = tell_room, .where = CASE_ANSWERED},
    {"supply", .tell = tell_supply, .where = CASE_ANSWERED},
    {"chips", .tell = tell_chips, .where = CASE_ANSWERED},
    {"offered", .kind = CASE_COUNTS, CASE_AT(offer), .names = &cards, .where = CASE_ANSWERED},
    {"gone", .kind = CASE_COUNTS, CASE_AT(gone), .names = &cards, .where = CASE_ANSWERED},
    {"count", .tell = tell_count, .by = &orders, .where = CASE_ANSWERED},
    {"usable", .tell = tell_usable, .by = &cards, .where = CASE_ANSWERED},
    {"realizable", .tell = tell_realizable, .by = &cards, .where = CASE_ANSWERED},
};

/* Set-up lines that fix the shuffles of a whole setup, and their streams. */
static const struct {
    const char *name;
    const char *stream;
} decks[] = {
    {"approval-deck", "approval"}, {"use-deck", "use"},       {"rent-deck", "rent"},
    {"special-deck", "special"},   {"bribe-deck", "bribe-1"},
};

enum { DECKS = sizeof decks / sizeof decks[0], DECK_TEXT = 2000 };

/* Writes `4xfood-food` as four words. */
static struct span spell_out(const struct case_reader *reader, struct span rest, struct text *text)
{
    size_t start = text->length;
    while (rest.length > 0) {
        struct span word = span_word(&rest);
        uint8_t count;
        for ((void)split_count(reader, &word, &count); count > 0; count--) {
            if (text->length > start)
                text_add_char(text, ' ');
            text_add_span(text, word);
        }
    }
    return (struct span){text->at + start, text->length - start};
}

static bool is_setup_key(struct span key)
{
    bool known = span_is(key, "seats") || span_is(key, "opening");
    for (size_t i = 0; i < DECKS; i++)
        known = known || span_is(key, decks[i].name);
    return known;
}

/* `opening fixed`: the decks are fixed, the game's own setup does the rest. The spelt-out decks are
 * used only here, so they need not outlive the call. */
static bool run_setup(const struct case_reader *reader, struct span opening)
{
    char bytes[DECK_TEXT];
    struct text text = TEXT_OVER(bytes);
    struct chance_stacks stacks = {.count = 0};
    struct chance chance = *reader->chance;
    chance.stacks = &stacks;
    struct game_options options = {{span_is(opening, "fixed")}};
    if (!span_is(opening, "fixed") && !span_is(opening, "drawn"))
        return case_complain(reader, "no opening:", opening);
    for (size_t i = 0; i < reader->count; i++)
        if (!is_setup_key(reader->lines[i].key))
            return case_complain(reader, "no set-up line here:", reader->lines[i].key);
    for (size_t i = 0; i < DECKS; i++) {
        const struct case_line *line = case_find(reader, decks[i].name);
        if (line != NULL)
            (void)chance_stack_add(&stacks, span_of(decks[i].stream),
                                   spell_out(reader, line->rest, &text));
    }
    if (text.overflow)
        return case_complain(reader, "decks too long:", opening);
    mall_world_setup(reader->game, reader->state, reader->seats, &options, &chance);
    return true;
}

static bool load(struct case_reader *reader)
{
    const struct case_line *opening = case_find(reader, "opening");
    if (!case_read_seats(reader, SEATS_MIN, SEATS_MAX, 4))
        return false;
    mall_world_clear(reader->state, reader->seats);
    if (opening != NULL)
        return run_setup(reader, opening->rest);
    if (!case_load(reader, CASE_IN_POSITION))
        return false;
    mall_world_forget_notes(reader->state);
    return true;
}

const struct game_cases mall_world_worked_cases = {fields, sizeof fields / sizeof fields[0], "none",
                                                   load};
