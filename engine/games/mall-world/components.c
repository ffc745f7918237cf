/* Reads a component set: cards, orders, bribes and the floor plan. The names of the four uses and
 * the four target groups are the same in every set. */
#include "engine/games/mall-world/components.h"

#include <assert.h>
#include <string.h>

enum {
    CARD_BYTES = 17, /* of a card's name: an offer of three cards keeps within 60 bytes */
    PRICE_MAX = 20000,
    BRIBE_MAX = 9999,
    REMOVED_MAX = 6,
    CARDS_IN_ALL_MIN = 30
};

const struct span mall_world_uses[USES] = {SPAN_LITERAL("clothing"), SPAN_LITERAL("food"),
                                           SPAN_LITERAL("hobby"), SPAN_LITERAL("sports")};

const struct span mall_world_groups[GROUPS] = {SPAN_LITERAL("men"), SPAN_LITERAL("women"),
                                               SPAN_LITERAL("teenagers"), SPAN_LITERAL("kids")};

const uint8_t mall_world_groups_in_byte_order[GROUPS] = {KIDS, MEN, TEENAGERS, WOMEN};

static const struct names uses = {mall_world_uses, sizeof(struct span), USES};
static const struct names groups = {mall_world_groups, sizeof(struct span), GROUPS};

static void check_words(struct component_reader *reader, const char *table, struct names words,
                        const char *supply, int32_t number)
{
    component rows = component_rows(reader, table, "items", words.count, words.count);
    for (unsigned i = 0; i < words.count && component_good(reader); i++) {
        component row = component_element(reader, rows, i);
        component_index(reader, row, i);
        if (!component_is(reader, row, "id", names_at(words, i).at))
            component_refuse(reader, row, "The name of this row is `", names_at(words, i).at,
                             "` in every set.", PARTS_END);
        component_fixed(reader, row, supply, number);
    }
}

static void read_chains(struct component_reader *reader, struct mall_world_components *set)
{
    component rows = component_rows(reader, "chains", "items", CHAINS, CHAINS);
    uint8_t groups_of[USES] = {0};
    for (unsigned i = 0; i < CHAINS && component_good(reader); i++) {
        component row = component_element(reader, rows, i);
        struct mall_world_chain *chain = &set->chains[i];
        component_index(reader, row, i);
        chain->name = component_new_name(reader, row, "id", NAMES(set->chains, i));
        chain->title = component_title(reader, row, "name").at;
        chain->use = component_reference(reader, row, "use", uses, "use");
        chain->group = component_reference(reader, row, "group", groups, "target group");
        if ((groups_of[chain->use] >> chain->group & 1) != 0)
            component_refuse(reader, row, "There is already a chain for this use and group.",
                             PARTS_END);
        groups_of[chain->use] |= (uint8_t)(1u << chain->group);
    }
}

/* A list of two names. */
static void read_pair(struct component_reader *reader, component row, const char *key,
                      struct names names, const char *what, uint8_t pair[static 2])
{
    component list = component_list(reader, row, key, 2, 2);
    for (unsigned i = 0; i < 2; i++)
        pair[i] =
            component_reference(reader, component_element(reader, list, i), NULL, names, what);
}

static void read_rents(struct component_reader *reader, component row,
                       const struct mall_world_components *set, struct mall_world_card *card)
{
    component rents = component_list(reader, row, "rents", 1, CARD_CHAINS_MAX);
    card->chain_count = (uint8_t)component_count(rents);
    for (unsigned i = 0; i < card->chain_count && component_good(reader); i++) {
        component at = component_element(reader, rents, i);
        card->chain[i] =
            component_reference(reader, at, NULL, NAMES(set->chains, CHAINS), "chain store");
        const struct mall_world_chain *chain = &set->chains[card->chain[i]];
        if (chain->use != card->use[0] && chain->use != card->use[1])
            component_refuse(reader, at, "This chain has neither use of the card.", PARTS_END);
        if (i > 0 && set->chains[card->chain[0]].group == chain->group)
            component_refuse(reader, at, "Two chains of a card have different groups.", PARTS_END);
    }
}

/* Cards must be in the byte order of their names. */
static void read_cards(struct component_reader *reader, struct mall_world_components *set)
{
    component rows = component_rows(reader, "approval_cards", "items", CARDS, CARDS);
    unsigned total = 0;
    for (unsigned i = 0; i < CARDS && component_good(reader); i++) {
        component row = component_element(reader, rows, i);
        struct mall_world_card *card = &set->cards[i];
        component_index(reader, row, i);
        card->name = component_name(reader, row, "id");
        if (card->name.length > CARD_BYTES)
            component_refuse(reader, component_member(reader, row, "id"),
                             "This name is too long: it has at most 17 characters.", PARTS_END);
        if (i > 0 && span_compare(card[-1].name, card->name) >= 0)
            component_refuse(reader, row, "Cards must be in the byte order of their names.",
                             PARTS_END);
        read_pair(reader, row, "uses", uses, "use", card->use);
        if (card->use[0] > card->use[1])
            component_refuse(reader, row, "The two uses must be in byte order.", PARTS_END);
        card->count = (uint8_t)component_number(reader, row, "count", 1, DECK);
        total += card->count;
        read_rents(reader, row, set, card);
    }
    if (total < CARDS_IN_ALL_MIN || total > DECK)
        component_refuse(reader, rows, "There must be 30 to 40 cards in all.", PARTS_END);
}

static void read_orders(struct component_reader *reader, struct mall_world_components *set)
{
    static const struct {
        const char *table, *value;
        unsigned count;
    } kinds[ORDER_KINDS] = {{"use_orders", "use", USE_ORDERS},
                            {"rent_orders", "rent", RENT_ORDERS},
                            {"special_orders", "special", SPECIAL_ORDERS}};
    component values = component_member(reader, component_root(reader), "order_values");
    unsigned at = 0;
    for (unsigned kind = 0; kind < ORDER_KINDS; kind++) {
        component rows = component_rows(reader, kinds[kind].table, "items", kinds[kind].count,
                                        kinds[kind].count);
        set->order_value[kind] = component_number(reader, values, kinds[kind].value, 0, PRICE_MAX);
        for (unsigned i = 0; i < kinds[kind].count && component_good(reader); i++, at++) {
            component row = component_element(reader, rows, i);
            struct mall_world_order *order = &set->orders[at];
            uint8_t pair[2];
            component_index(reader, row, i);
            order->name = component_new_name(reader, row, "id", NAMES(set->orders, at));
            order->kind = (uint8_t)kind;
            if (kind == USE_ORDER)
                read_pair(reader, row, "uses", uses, "use", pair);
            else
                read_pair(reader, row, "chains", NAMES(set->chains, CHAINS), "chain store", pair);
            if (kind != USE_ORDER && pair[0] == pair[1])
                component_refuse(reader, row, "An order names two different chains.", PARTS_END);
            order->first = pair[0];
            order->second = pair[1];
        }
    }
}

/* Chips of the same value lie side by side, the best first. */
static void read_bribes(struct component_reader *reader, struct mall_world_components *set)
{
    component table = component_member(reader, component_root(reader), "bribe_chips");
    component list = component_list(reader, table, "values", BRIBE_CHIPS, BRIBE_CHIPS);
    unsigned count = 0;
    for (unsigned i = 0; i < BRIBE_CHIPS && component_good(reader); i++) {
        component at = component_element(reader, list, i);
        int32_t value = component_number(reader, at, NULL, -BRIBE_MAX, BRIBE_MAX);
        if (count > 0 && set->bribe_value[count - 1] < value)
            component_refuse(reader, at, "The chips must be in order, from the best to the worst.",
                             PARTS_END);
        if (count > 0 && set->bribe_value[count - 1] == value) {
            set->bribe_count[count - 1]++;
            continue;
        }
        if (count == BRIBES) {
            component_refuse(reader, list, "The chips must have exactly 7 different values.",
                             PARTS_END);
            continue;
        }
        char bytes[16];
        struct text name = TEXT_OVER(bytes);
        text_add_number(&name, value);
        set->bribe_name[count] = component_keep(reader, text_span(&name));
        set->bribe_value[count] = value;
        set->bribe_count[count++] = 1;
    }
    if (count != BRIBES)
        component_refuse(reader, list, "The chips must have exactly 7 different values.",
                         PARTS_END);
}

/* Rows by the number of seats, from 3. */
static component row_of_seats(struct component_reader *reader, component list, unsigned i)
{
    component row = component_element(reader, list, i);
    component_fixed(reader, row, "seats", (int32_t)(SEATS_MIN + i));
    return row;
}

enum { SIZES = SEATS_MAX - SEATS_MIN + 1 };

static void read_numbers(struct component_reader *reader, struct mall_world_components *set)
{
    static const struct {
        const char *key;
        int32_t value;
    } fixed[] = {{"account", ACCOUNT_START},
                 {"coins_per_seat", COINS_OF_A_SEAT},
                 {"coins_in_box", COINS_IN_BOX},
                 {"approval_cards_per_seat", DEAL},
                 {"special_orders_per_seat", 1},
                 {"display", DISPLAY},
                 {"hand_limit", HAND_MAX},
                 {"max_offer", OFFER_MAX},
                 {"max_take", TAKE_MAX},
                 {"refresh_cost", REFRESH_COST},
                 {"single_card_fee", SINGLE_CARD_FEE},
                 {"coin_value", COIN_VALUE}};
    component root = component_root(reader);
    component game = component_member(reader, root, "game");
    component setup = component_member(reader, root, "setup");
    component_fixed(reader, game, "seats_min", SEATS_MIN);
    component_fixed(reader, game, "seats_max", SEATS_MAX);
    for (size_t i = 0; i < sizeof fixed / sizeof fixed[0]; i++)
        component_fixed(reader, setup, fixed[i].key, fixed[i].value);
    component removed =
        component_list(reader, setup, "order_cards_removed_of_each_kind", SIZES, SIZES);
    component rounds = component_rows(reader, "bribes_per_round", "rounds", SIZES, SIZES);
    component covers = component_rows(reader, "covers", "by_seats", SIZES, SIZES);
    for (unsigned i = 0; i < SIZES; i++) {
        set->orders_removed[i] = (uint8_t)component_number(reader, row_of_seats(reader, removed, i),
                                                           "count", 0, REMOVED_MAX);
        component chips =
            component_list(reader, row_of_seats(reader, rounds, i), "chips", ROUNDS, ROUNDS);
        for (unsigned round = 0; round < ROUNDS; round++)
            set->bribes_laid[i][round] = (uint8_t)component_number(
                reader, component_element(reader, chips, round), NULL, 1, BRIBE_CHIPS);
        component used = component_list(reader, row_of_seats(reader, covers, i), "covers", 0, 2);
        set->covers[i] = (uint8_t)component_count(used);
        for (unsigned k = 0; k < set->covers[i] && component_good(reader); k++)
            if (!component_is(reader, component_element(reader, used, k), NULL,
                              k == 0 ? "storage-room" : "bathroom"))
                component_refuse(reader, used, "The storage room is used first, then the bathroom.",
                                 PARTS_END);
    }
    component sites = component_rows(reader, "lobby", "sites", SITES, SITES);
    for (unsigned i = 0; i < SITES; i++) {
        component row = component_element(reader, sites, i);
        component_fixed(reader, row, "site", (int32_t)i + 1);
        set->site_price[i] = component_number(reader, row, "price", 0, PRICE_MAX);
        if (i > 0 && set->site_price[i] < set->site_price[i - 1])
            component_refuse(reader, row, "A later site must not be cheaper.", PARTS_END);
    }
}

/* ---- The plan ---- */

static unsigned square_at(unsigned column, unsigned row)
{
    return row * STRIDE + column;
}

/* Seven lines of `.` and `#`, a room each `#`. */
static void read_plan(struct component_reader *reader, component board,
                      struct mall_world_components *set)
{
    component lines = component_list(reader, board, "plan", ROWS, ROWS);
    for (unsigned row = 0; row < ROWS && component_good(reader); row++) {
        component at = component_element(reader, lines, row);
        struct span line = component_drawing(reader, at, NULL, ".#", COLUMNS);
        for (unsigned column = 0; column < line.length; column++)
            if (line.at[column] == '#')
                set->plan |= mall_world_room(square_at(column, row));
    }
    if (component_good(reader) && mall_world_room_count(set->plan) != ROOMS)
        component_refuse(reader, lines, "The plan must have 36 rooms, each marked by a #.",
                         PARTS_END);
}

static void name_rooms(struct component_reader *reader, struct mall_world_components *set)
{
    rooms left = set->plan;
    for (unsigned i = 0; i < ROOMS && component_good(reader); i++) {
        struct mall_world_room *room = &set->rooms[i];
        room->square = mall_world_next_room(&left);
        const char name[] = {(char)('a' + room->square % STRIDE),
                             (char)('1' + room->square / STRIDE), '\0'};
        room->name = component_keep(reader, span_of(name));
    }
}

/* The rows of rooms say the same as the plan. */
static void check_rooms(struct component_reader *reader, component board,
                        const struct mall_world_components *set)
{
    component rows = component_list(reader, board, "rooms", ROOMS, ROOMS);
    unsigned sides = 0;
    component_fixed(reader, board, "rows", ROWS);
    for (unsigned i = 0; i < ROOMS && component_good(reader); i++) {
        component row = component_element(reader, rows, i);
        const struct mall_world_room *room = &set->rooms[i];
        const char column[] = {room->name.at[0], '\0'};
        component_index(reader, row, i);
        if (!component_is(reader, row, "id", room->name.at) ||
            !component_is(reader, row, "column", column))
            component_refuse(reader, row, "By the plan, this row is the room `", room->name.at,
                             "`.", PARTS_END);
        component_fixed(reader, row, "row", room->name.at[1] - '0');
        const rooms around = mall_world_neighbours(set, mall_world_room(room->square));
        const unsigned count = mall_world_room_count(around);
        rooms told = 0;
        component list = component_list(reader, row, "neighbours", count, count);
        for (unsigned k = 0; k < count; k++)
            told |= mall_world_room(
                set->rooms[component_reference(reader, component_element(reader, list, k), NULL,
                                               NAMES(set->rooms, ROOMS), "room")]
                    .square);
        if (told != around)
            component_refuse(reader, list, "By the plan, this room has different neighbors.",
                             PARTS_END);
        sides += count;
    }
    component_fixed(reader, board, "edges", (int32_t)sides / 2);
}

static rooms trio_of(const struct mall_world_components *set, const uint8_t *trio)
{
    rooms area = 0;
    for (unsigned i = 0; i < TRIO; i++)
        area |= mall_world_room(set->rooms[trio[i]].square);
    return area;
}

/* All sets of three rooms joined side to side, ordered by the numbers of the rooms. */
static void derive_trios(struct component_reader *reader, struct mall_world_components *set)
{
    component table = component_member(reader, component_root(reader), "trios");
    for (uint8_t a = 0; a < ROOMS; a++)
        for (uint8_t b = (uint8_t)(a + 1); b < ROOMS; b++)
            for (uint8_t c = (uint8_t)(b + 1); c < ROOMS && component_good(reader); c++) {
                const uint8_t trio[TRIO] = {a, b, c};
                if (!mall_world_is_connected(set, trio_of(set, trio)))
                    continue;
                if (set->trio_count == TRIOS)
                    component_refuse(reader, table,
                                     "The plan has more than 160 places for three rooms.",
                                     PARTS_END);
                else
                    memcpy(set->trios[set->trio_count++], trio, TRIO);
            }
}

static void check_trios(struct component_reader *reader, const struct mall_world_components *set)
{
    component table = component_member(reader, component_root(reader), "trios");
    component rows = component_list(reader, table, "items", set->trio_count, set->trio_count);
    component row = component_element(reader, rows, 0);
    component_fixed(reader, table, "count", (int32_t)set->trio_count);
    for (unsigned i = 0; i < set->trio_count && component_good(reader); i++) {
        component list = component_list(reader, row, NULL, TRIO, TRIO);
        for (unsigned k = 0; k < TRIO; k++) {
            component at = component_element(reader, list, k);
            if (component_reference(reader, at, NULL, NAMES(set->rooms, ROOMS), "room") !=
                set->trios[i][k])
                component_refuse(reader, at, "By the plan, this must be `",
                                 set->rooms[set->trios[i][k]].name.at, "`.", PARTS_END);
        }
        row = component_next(reader, row);
    }
}

static bool fits(const struct mall_world_components *set, rooms covered, rooms trio)
{
    return (covered & trio) == 0 && mall_world_is_connected(set, set->plan & ~covered & ~trio);
}

/* Wherever the first cover lies, there is a place for the second one. */
static void check_covers(struct component_reader *reader, component board,
                         const struct mall_world_components *set)
{
    bool any = false;
    for (unsigned i = 0; i < set->trio_count && component_good(reader); i++) {
        const rooms first = trio_of(set, set->trios[i]);
        if (!fits(set, 0, first))
            continue;
        any = true;
        unsigned k = 0;
        while (k < set->trio_count && !fits(set, first, trio_of(set, set->trios[k])))
            k++;
        if (k == set->trio_count)
            component_refuse(reader, board,
                             "With the first cover on some rooms, none is left for the second: "
                             "the rest of the mall must stay in one piece.",
                             PARTS_END);
    }
    if (!any)
        component_refuse(reader, board,
                         "The plan must stay in one piece when three rooms are covered.",
                         PARTS_END);
}

static void read_fixed_opening(struct component_reader *reader, struct mall_world_components *set)
{
    static const char *const covers[] = {"storage-room", "bathroom"};
    const struct names names = NAMES(set->rooms, ROOMS);
    component opening = component_member(reader, component_root(reader), "fixed_opening");
    component tiles = component_list(reader, opening, "tiles", USES, USES);
    rooms covered = 0;
    rooms taken = 0;
    for (unsigned i = 0; i < 2 && component_good(reader); i++) {
        component list = component_list(reader, opening, covers[i], TRIO, TRIO);
        rooms cover = 0;
        for (unsigned k = 0; k < TRIO; k++) {
            uint8_t room = component_reference(reader, component_element(reader, list, k), NULL,
                                               names, "room");
            set->fixed_cover[i][k] = set->rooms[room].square;
            cover |= mall_world_room(set->rooms[room].square);
        }
        if (mall_world_room_count(cover) != TRIO || !mall_world_is_connected(set, cover) ||
            !fits(set, covered, cover))
            component_refuse(reader, list,
                             "A cover lies on three rooms side by side, and leaves the mall in "
                             "one piece.",
                             PARTS_END);
        covered |= cover;
    }
    for (unsigned i = 0; i < USES && component_good(reader); i++) {
        component row = component_element(reader, tiles, i);
        if (component_reference(reader, row, "use", uses, "use") != i)
            component_refuse(reader, row, "The first tiles must be in the order of the uses.",
                             PARTS_END);
        uint8_t square = set->rooms[component_reference(reader, row, "room", names, "room")].square;
        const rooms room = mall_world_room(square);
        set->fixed_tile[i] = square;
        if ((room & (covered | taken | mall_world_neighbours(set, taken))) != 0)
            component_refuse(reader, row, "First tiles must lie apart, and on no cover.",
                             PARTS_END);
        taken |= room;
    }
}

static void read_board(struct component_reader *reader, struct mall_world_components *set)
{
    component board = component_member(reader, component_root(reader), "board");
    read_plan(reader, board, set);
    if (!component_good(reader))
        return;
    if (!mall_world_is_connected(set, set->plan))
        component_refuse(reader, board, "The plan must be in one piece.", PARTS_END);
    name_rooms(reader, set);
    check_rooms(reader, board, set);
    derive_trios(reader, set);
    check_trios(reader, set);
    check_covers(reader, board, set);
    read_fixed_opening(reader, set);
}

void mall_world_read_components(struct component_reader *reader, void *opaque)
{
    static const char *const display[] = {"game",   "colour",  "use_of_same_colour", "nothing",
                                          "builds", "columns", "first_tile_order",   "streams",
                                          NULL};
    struct mall_world_components *set = opaque;
    uint8_t order[ROOMS];
    component_pool(reader, set->pool, sizeof set->pool);
    check_words(reader, "uses", uses, "tiles", TILES_OF_A_USE);
    check_words(reader, "groups", groups, "chips", CHIPS_OF_A_GROUP);
    read_chains(reader, set);
    read_cards(reader, set);
    read_orders(reader, set);
    read_bribes(reader, set);
    read_numbers(reader, set);
    read_board(reader, set);
    component_finish(reader, display);
    if (!component_good(reader))
        return;
    component_sort(NAMES(set->orders, ORDERS), set->orders_in_byte_order);
    component_sort(NAMES_ALONE(set->bribe_name, BRIBES), set->bribes_in_byte_order);
    component_sort(NAMES(set->rooms, ROOMS), order);
    for (unsigned i = 0; i < ROOMS; i++)
        set->squares_in_byte_order[i] = set->rooms[order[i]].square;
}

/* ---- Names: few and short, so tables in byte order are searched by bisection ---- */

uint8_t mall_world_use_named(struct span name)
{
    return names_find(uses, name);
}

uint8_t mall_world_group_named(struct span name)
{
    return names_find(groups, name);
}

uint8_t mall_world_card_named(const struct mall_world_components *set, struct span name)
{
    return names_bisect(NAMES(set->cards, CARDS), NULL, name);
}

uint8_t mall_world_order_named(const struct mall_world_components *set, struct span name)
{
    return names_bisect(NAMES(set->orders, ORDERS), set->orders_in_byte_order, name);
}

uint8_t mall_world_room_named(const struct mall_world_components *set, struct span name)
{
    if (name.length != 2 || name.at[0] < 'a' || name.at[0] >= 'a' + COLUMNS || name.at[1] < '1' ||
        name.at[1] >= '1' + ROWS)
        return NONE;
    unsigned square = (unsigned)((name.at[1] - '1') * STRIDE + name.at[0] - 'a');
    return (set->plan >> square & 1) != 0 ? (uint8_t)square : NONE;
}

uint8_t mall_world_bribe_of(const struct mall_world_components *set, int64_t value)
{
    for (uint8_t bribe = 0; bribe < BRIBES; bribe++)
        if (set->bribe_value[bribe] == value)
            return bribe;
    return NONE;
}

struct span mall_world_room_name(const struct mall_world_components *set, unsigned square)
{
    rooms before = set->plan & (mall_world_room(square) - 1);
    return set->rooms[mall_world_room_count(before)].name;
}

bool mall_world_is_connected(const struct mall_world_components *set, rooms area)
{
    rooms reached = area & (~area + 1);
    rooms grown = reached;
    do {
        reached = grown;
        grown |= mall_world_neighbours(set, reached) & area;
    } while (grown != reached);
    return reached == area;
}
