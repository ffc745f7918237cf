/* Reads a component set, derives what rules and lists of moves need of the map, and looks up names.
 */
#include "engine/games/shinjuku/components.h"

#include <string.h>

/* Lengths that keep every move within the ruleset's bound of 49 bytes. */
enum { EXPAND_BYTES = 49, STATION_BYTES = 17, WARD_BYTES = 14, KIND_BYTES = 20 };

enum {
    CARDS_MIN = 66, /* hands of four seats at the limit, Queue and Matsuri, and one to draw */
    CUSTOMERS_MIN = 24,
    CARDS_OF_A_WARD = 9,
    POINTS_MAX = 50, /* of a set of customers */
    TOKENS_MAX = 9   /* of a stack of Upgrade Bonus tokens */
};

static struct span short_name(struct component_reader *reader, component row, struct names before,
                              size_t bytes)
{
    struct span name = component_new_name(reader, row, "id", before);
    if (name.length > bytes)
        component_refuse(reader, component_member(reader, row, "id"),
                         "This name is too long: a move with it would exceed 49 bytes.", PARTS_END);
    return name;
}

static void read_goods(struct component_reader *reader, struct shinjuku_components *set)
{
    component rows = component_rows(reader, "goods", "rows", GOODS, GOODS);
    for (unsigned i = 0; i < GOODS; i++) {
        component row = component_element(reader, rows, i);
        component_index(reader, row, i);
        set->goods[i] = short_name(reader, row, NAMES_ALONE(set->goods, i), KIND_BYTES);
        (void)component_title(reader, row, "name"); /* shown in pictures only */
        if (span_compare(set->goods[i], span_of("from")) >= 0)
            component_refuse(reader, component_member(reader, row, "id"),
                             "The name of a good comes before `from` in byte order, as moves do.",
                             PARTS_END);
    }
}

/* Kind 2g is the single customer of good g, kind 2g + 1 the double one. */
static void read_kinds(struct component_reader *reader, struct shinjuku_components *set)
{
    component rows = component_rows(reader, "customer_kinds", "rows", KINDS, KINDS);
    unsigned total = 0;
    for (unsigned i = 0; i < KINDS; i++) {
        component row = component_element(reader, rows, i);
        component_index(reader, row, i);
        struct shinjuku_kind *kind = &set->kinds[i];
        kind->name = short_name(reader, row, NAMES(set->kinds, i), KIND_BYTES);
        if (component_reference(reader, row, "good", NAMES_ALONE(set->goods, GOODS), "good") !=
            GOOD_OF(i))
            component_refuse(reader, component_member(reader, row, "good"),
                             "Rows 2g and 2g + 1 are the single and the double customers of good "
                             "g, from 0.",
                             PARTS_END);
        if (i % 2 == 1 && span_compare(kind[-1].name, kind->name) >= 0)
            component_refuse(reader, component_member(reader, row, "id"),
                             "The name of single customers comes before that of double ones in "
                             "byte order.",
                             PARTS_END);
        component_fixed(reader, row, "value", 1 + (int32_t)(i % 2));
        kind->value = (uint8_t)(1 + i % 2);
        kind->count = (uint8_t)component_number(reader, row, "count", 0, CUSTOMERS);
        total += kind->count;
    }
    if (total < CUSTOMERS_MIN || total > CUSTOMERS)
        component_refuse(reader, rows, "There must be 24 to 72 customers in all.", PARTS_END);
}

/* Titles of kinds are those of their goods: `food`, `double food`. */
static void name_kinds(struct component_reader *reader, struct shinjuku_components *set)
{
    for (unsigned i = 0; i < KINDS; i++) {
        char bytes[64];
        struct text title = TEXT_OVER(bytes);
        text_add(&title, i % 2 == 0 ? "" : "double ");
        text_add_span(&title, set->goods[GOOD_OF(i)]);
        set->kinds[i].title = component_keep(reader, text_span(&title)).at;
    }
}

static void read_wards(struct component_reader *reader, struct shinjuku_components *set)
{
    component rows = component_rows(reader, "wards", "rows", WARDS, WARDS);
    for (unsigned i = 0; i < WARDS; i++) {
        component row = component_element(reader, rows, i);
        component_index(reader, row, i);
        component_fixed(reader, row, "number", (int32_t)i + 1);
        set->wards[i].name = short_name(reader, row, NAMES(set->wards, i), WARD_BYTES);
        set->wards[i].title = component_title(reader, row, "name").at;
        set->wards[i].cards = (uint8_t)component_number(reader, row, "cards", 1, CARDS_OF_A_WARD);
        set->card_count += set->wards[i].cards;
    }
    if (set->card_count < CARDS_MIN || set->card_count > CARDS)
        component_refuse(reader, rows,
                         "There must be 66 to 72 ward cards in all: fewer can all be in hands, "
                         "and more find no place in a game.",
                         PARTS_END);
}

/* Neighbours are listed in byte order, as moves are. */
static void read_neighbours(struct component_reader *reader, struct shinjuku_components *set)
{
    component rows = component_rows(reader, "wards", "rows", WARDS, WARDS);
    for (unsigned i = 0; i < WARDS && component_good(reader); i++) {
        component row = component_element(reader, rows, i);
        component list = component_list(reader, row, "neighbours", 1, NEIGHBOURS_MAX);
        struct shinjuku_ward *ward = &set->wards[i];
        ward->neighbour_count = (uint8_t)component_count(list);
        for (unsigned k = 0; k < ward->neighbour_count && component_good(reader); k++) {
            component at = component_element(reader, list, k);
            ward->neighbour[k] =
                component_reference(reader, at, NULL, NAMES(set->wards, WARDS), "ward");
            if (ward->neighbour[k] == i)
                component_refuse(reader, at, "A ward is not a neighbor of itself.", PARTS_END);
            if (k > 0 && span_compare(set->wards[ward->neighbour[k - 1]].name,
                                      set->wards[ward->neighbour[k]].name) >= 0)
                component_refuse(reader, at,
                                 "Neighbors must be in the byte order of their names, each once.",
                                 PARTS_END);
        }
    }
}

static bool are_neighbours(const struct shinjuku_components *set, unsigned a, unsigned b)
{
    return memchr(set->wards[a].neighbour, (int)b, set->wards[a].neighbour_count) != NULL;
}

/* The pairs of neighbours, each once, say the same as the wards' lists. */
static void check_adjacency(struct component_reader *reader, const struct shinjuku_components *set)
{
    component rows =
        component_rows(reader, "ward_adjacency", "rows", 1, WARDS * NEIGHBOURS_MAX / 2);
    unsigned sides = 0;
    for (unsigned i = 0; i < WARDS; i++)
        sides += set->wards[i].neighbour_count;
    for (unsigned i = 0; i < component_count(rows) && component_good(reader); i++) {
        component pair = component_list(reader, component_element(reader, rows, i), NULL, 2, 2);
        const struct names wards = NAMES(set->wards, WARDS);
        uint8_t a =
            component_reference(reader, component_element(reader, pair, 0), NULL, wards, "ward");
        uint8_t b =
            component_reference(reader, component_element(reader, pair, 1), NULL, wards, "ward");
        if (!are_neighbours(set, a, b) || !are_neighbours(set, b, a))
            component_refuse(reader, pair, "These two wards do not list each other as neighbors.",
                             PARTS_END);
    }
    if (2 * component_count(rows) != sides)
        component_refuse(
            reader, rows,
            "The wards list other pairs of neighbors than these, or these appear twice.",
            PARTS_END);
}

/* Rows are in the order of the board; the tables are in byte order. */
static void read_stations(struct component_reader *reader, struct shinjuku_components *set)
{
    struct shinjuku_station station[STATIONS];
    uint8_t order[STATIONS];
    memset(station, 0, sizeof station);
    component rows = component_rows(reader, "stations", "rows", STATIONS, STATIONS);
    for (unsigned i = 0; i < STATIONS; i++) {
        component row = component_element(reader, rows, i);
        component_index(reader, row, i);
        station[i].name = short_name(reader, row, NAMES(station, i), STATION_BYTES);
        station[i].title = component_title(reader, row, "name").at;
        station[i].ward =
            component_reference(reader, row, "ward", NAMES(set->wards, WARDS), "ward");
        station[i].sakura = component_flag(reader, row, "sakura");
    }
    component_sort(NAMES(station, STATIONS), order);
    for (unsigned i = 0; i < STATIONS; i++)
        set->stations[i] = station[order[i]];
}

/* The wards' lists of stations say the same as the stations' wards. */
static void check_stations_of_wards(struct component_reader *reader,
                                    const struct shinjuku_components *set)
{
    component rows = component_rows(reader, "wards", "rows", WARDS, WARDS);
    for (unsigned i = 0; i < WARDS && component_good(reader); i++) {
        uint64_t seen = 0;
        unsigned count = 0;
        for (unsigned k = 0; k < STATIONS; k++)
            count += set->stations[k].ward == i;
        component list =
            component_list(reader, component_element(reader, rows, i), "stations", 1, STATIONS);
        for (unsigned k = 0; k < component_count(list) && component_good(reader); k++) {
            component at = component_element(reader, list, k);
            uint8_t station =
                component_reference(reader, at, NULL, NAMES(set->stations, STATIONS), "station");
            if (set->stations[station].ward != i || (seen >> station & 1) != 0)
                component_refuse(reader, at, "This station lies in another ward, or appears twice.",
                                 PARTS_END);
            seen |= UINT64_C(1) << station;
        }
        if (component_count(list) != count)
            component_refuse(reader, list, "A station of this ward is missing in the list.",
                             PARTS_END);
    }
}

static void add_link(struct component_reader *reader, component row,
                     struct shinjuku_station *station, unsigned other, unsigned connection)
{
    if (station->link_count == LINKS_MAX) {
        component_refuse(reader, row, "More than 6 connections end in ", station->title, ".",
                         PARTS_END);
        return;
    }
    unsigned at = station->link_count++;
    for (; at > 0 && station->link[at - 1].station > other; at--)
        station->link[at] = station->link[at - 1];
    station->link[at] = (struct shinjuku_link){(uint8_t)other, (uint8_t)connection};
}

static void read_connection(struct component_reader *reader, component row, unsigned i,
                            struct shinjuku_components *set)
{
    const struct names stations = NAMES(set->stations, STATIONS);
    struct shinjuku_connection *connection = &set->connections[i];
    component_index(reader, row, i);
    connection->a = component_reference(reader, row, "a", stations, "station");
    connection->b = component_reference(reader, row, "b", stations, "station");
    connection->permanent = component_flag(reader, row, "permanent");
    if (connection->a >= connection->b)
        component_refuse(reader, row, "`a` comes before `b` in the byte order of names.",
                         PARTS_END);
    if (i > 0 && (connection[-1].a > connection->a ||
                  (connection[-1].a == connection->a && connection[-1].b >= connection->b)))
        component_refuse(reader, row,
                         "Connections must be in the byte order of their ends, each once.",
                         PARTS_END);
    if (!component_good(reader))
        return;
    add_link(reader, row, &set->stations[connection->a], connection->b, i);
    add_link(reader, row, &set->stations[connection->b], connection->a, i);
}

static bool is_connected(const struct shinjuku_components *set)
{
    uint64_t reached = 1;
    uint64_t before = 0;
    while (reached != before) {
        before = reached;
        for (unsigned i = 0; i < set->connection_count; i++) {
            uint64_t ends = UINT64_C(1) << set->connections[i].a;
            ends |= UINT64_C(1) << set->connections[i].b;
            if ((reached & ends) != 0)
                reached |= ends;
        }
    }
    return reached == (UINT64_C(1) << STATIONS) - 1;
}

/* A station next to both ends of the permanent connection would give one piece of track two
 * names. */
static void check_link(struct component_reader *reader, component rows,
                       const struct shinjuku_components *set)
{
    for (uint8_t i = 0; i < STATIONS; i++)
        if (shinjuku_connection_between(set, i, set->link_from) != NONE &&
            shinjuku_connection_between(set, i, set->link_to) != NONE)
            component_refuse(reader, rows,
                             "No station may be connected to both ends of the permanent "
                             "connection, as ",
                             set->stations[i].title, " is.", PARTS_END);
}

static void read_connections(struct component_reader *reader, struct shinjuku_components *set)
{
    component rows = component_rows(reader, "connections", "rows", 1, CONNECTIONS);
    unsigned permanent = 0;
    set->connection_count = component_count(rows);
    for (unsigned i = 0; i < set->connection_count && component_good(reader); i++) {
        read_connection(reader, component_element(reader, rows, i), i, set);
        if (!set->connections[i].permanent)
            continue;
        permanent++;
        set->link_from = set->connections[i].a;
        set->link_to = set->connections[i].b;
    }
    if (component_good(reader) && permanent != 1)
        component_refuse(reader, rows, "Exactly one connection must be permanent.", PARTS_END);
    if (component_good(reader) && !is_connected(set))
        component_refuse(reader, rows, "The map falls apart: every station must be reachable.",
                         PARTS_END);
    if (component_good(reader))
        check_link(reader, rows, set);
}

static void read_numbers(struct component_reader *reader, struct shinjuku_components *set)
{
    component root = component_root(reader);
    component supply = component_member(reader, root, "seat_supply");
    component_fixed(reader, supply, "department_stores", DEPARTMENT_STORES);
    component_fixed(reader, supply, "specialty_stores_per_good", STORES_OF_A_GOOD);
    component_fixed(reader, supply, "track", TRACK);
    component setup = component_member(reader, root, "setup");
    component_fixed(reader, setup, "hand", DEAL);
    component_fixed(reader, setup, "seed_wards", SEED_WARDS);
    component_fixed(reader, setup, "seed_customers_per_ward", SEED_CUSTOMERS);
    component_fixed(reader, setup, "queue_slots", QUEUE_SPACES);
    component_fixed(reader, setup, "queue_customers", QUEUE_CUSTOMERS);
    component limits = component_member(reader, root, "limits");
    component_fixed(reader, limits, "income_target", INCOME_HAND);
    component_fixed(reader, limits, "income_extra", INCOME_EXTRA);
    component_fixed(reader, limits, "actions_per_turn", ACTIONS_OF_A_TURN);
    component_fixed(reader, limits, "wild_cards", CARDS_AS_A_WILDCARD);
    component_fixed(reader, limits, "hand_max", HAND_MAX);
    component seats = component_member(reader, root, "seats");
    component_fixed(reader, seats, "min", SEATS_MIN);
    component_fixed(reader, seats, "max", SEATS_MAX);
    component rows = component_rows(reader, "upgrade_bonus", "rows", BONUS_STACKS, BONUS_STACKS);
    for (unsigned i = 0; i < BONUS_STACKS; i++) {
        component row = component_element(reader, rows, i);
        component_fixed(reader, row, "order", (int32_t)i + 1);
        component_fixed(reader, row, "queue_size", (int32_t)(QUEUE_CUSTOMERS + i + 1));
        set->bonus_stacks[i] = (uint8_t)component_number(reader, row, "tokens", 0, TOKENS_MAX);
    }
    component scoring = component_member(reader, root, "scoring");
    component points = component_member(reader, scoring, "set_points");
    for (unsigned goods = 1; goods <= GOODS; goods++) {
        const char size[] = {(char)('0' + goods), '\0'};
        set->set_points[goods] = (uint8_t)component_number(reader, points, size, 0, POINTS_MAX);
    }
}

/* ---- What follows from the map ---- */

struct writing {
    struct component_reader *reader;
    struct shinjuku_components *set;
};

/* Adds an EXPAND along `count` stations, in its place in byte order. */
static void add_expansion(const struct writing *writing, const uint8_t *station, unsigned count,
                          uint8_t first, uint8_t second)
{
    struct shinjuku_components *set = writing->set;
    char bytes[200];
    struct text move = TEXT_OVER(bytes);
    struct shinjuku_expansion expansion = {.connection = {first, second}};
    text_add(&move, "expand");
    for (unsigned i = 0; i < EXPANSION_STATIONS; i++) {
        expansion.way[i] = station[i < count ? i : count - 1];
        if (i >= count)
            continue;
        text_add_char(&move, ' ');
        text_add_span(&move, set->stations[station[i]].name);
        if (second != NONE)
            expansion.wards |= UINT32_C(1) << set->stations[station[i]].ward;
    }
    if (set->expansion_count == EXPANSIONS || move.length > EXPAND_BYTES) {
        component_refuse(
            writing->reader,
            component_member(writing->reader, component_root(writing->reader), "connections"),
            move.length > EXPAND_BYTES
                ? "The names of connected stations are too long: a move would exceed "
                  "49 bytes: "
                : "Track could be laid in more than 256 ways; one too many is: ",
            bytes, PARTS_END);
        return;
    }
    unsigned at = set->expansion_count++;
    for (; at > 0 && span_compare(set->expansions[at - 1].move, text_span(&move)) > 0; at--)
        set->expansions[at] = set->expansions[at - 1];
    set->expansions[at] = expansion;
    set->expansions[at].move = component_keep(writing->reader, text_span(&move));
}

/* Pairs of connections that meet in a station. */
static void add_pairs_through(const struct writing *writing, uint8_t middle)
{
    const struct shinjuku_components *set = writing->set;
    const struct shinjuku_station *station = &set->stations[middle];
    for (unsigned i = 0; i < station->link_count; i++) {
        for (unsigned j = i + 1; j < station->link_count; j++) {
            struct shinjuku_link a = station->link[i];
            struct shinjuku_link b = station->link[j];
            if (set->connections[a.connection].permanent ||
                set->connections[b.connection].permanent)
                continue;
            const uint8_t way[] = {a.station, middle, b.station};
            add_expansion(writing, way, 3, a.connection, b.connection);
        }
    }
}

/* Pairs that meet through the permanent connection. */
static void add_pairs_through_link(const struct writing *writing)
{
    const struct shinjuku_components *set = writing->set;
    const struct shinjuku_station *from = &set->stations[set->link_from];
    const struct shinjuku_station *to = &set->stations[set->link_to];
    for (unsigned i = 0; i < from->link_count; i++) {
        for (unsigned j = 0; j < to->link_count; j++) {
            struct shinjuku_link a = from->link[i];
            struct shinjuku_link b = to->link[j];
            if (a.station == set->link_to || b.station == set->link_from)
                continue;
            const uint8_t way[] = {a.station, set->link_from, set->link_to, b.station};
            add_expansion(writing, way, 4, a.connection, b.connection);
        }
    }
}

/* Every way to write an `expand`, in byte order, because track is the largest part of a list of
 * legal moves. */
static void derive_expansions(const struct writing *writing)
{
    const struct shinjuku_components *set = writing->set;
    for (uint8_t i = 0; i < set->connection_count && component_good(writing->reader); i++) {
        const uint8_t ends[] = {set->connections[i].a, set->connections[i].b};
        if (!set->connections[i].permanent)
            add_expansion(writing, ends, 2, i, NONE);
    }
    for (uint8_t i = 0; i < STATIONS && component_good(writing->reader); i++)
        add_pairs_through(writing, i);
    if (component_good(writing->reader))
        add_pairs_through_link(writing);
}

static struct span write_text(const struct writing *writing, const char *verb, struct span name,
                              const char *then, struct span end)
{
    char bytes[120];
    struct text text = TEXT_OVER(bytes);
    text_add(&text, verb);
    text_add_span(&text, name);
    text_add(&text, then);
    text_add_span(&text, end);
    return component_keep(writing->reader, text_span(&text));
}

static void include(struct shinjuku_ways *ways, unsigned expansion)
{
    ways->word[expansion / 64] |= UINT64_C(1) << expansion % 64;
}

static void derive_sets(struct shinjuku_components *set)
{
    for (unsigned i = 0; i < STATIONS; i++) {
        set->wards[set->stations[i].ward].stations |= UINT64_C(1) << i;
        set->sakura |= (uint64_t)set->stations[i].sakura << i;
    }
    for (unsigned i = 0; i < set->expansion_count; i++) {
        const struct shinjuku_expansion *expansion = &set->expansions[i];
        include(&set->over[expansion->connection[0]], i);
        if (expansion->connection[1] == NONE)
            include(&set->single, i);
        else
            include(&set->over[expansion->connection[1]], i);
        for (unsigned ward = 0; ward < WARDS; ward++)
            if ((expansion->wards >> ward & 1) != 0)
                include(&set->paid[ward], i);
    }
}

static void derive_texts(const struct writing *writing)
{
    struct shinjuku_components *set = writing->set;
    const struct span none = {"", 0};
    set->end = write_text(writing, "end", none, "", none);
    set->income = write_text(writing, "income", none, "", none);
    set->stop = write_text(writing, "stop", none, "", none);
    for (unsigned i = 0; i < WARDS; i++)
        set->wards[i].matsuri = write_text(writing, "matsuri ", set->wards[i].name, "", none);
    for (unsigned i = 0; i < STATIONS; i++) {
        struct span name = set->stations[i].name;
        struct shinjuku_texts *texts = &set->texts[i];
        for (unsigned k = 0; k < GOODS; k++)
            texts->open[k] =
                write_text(writing, "open ", name, " ", set->goods[set->goods_in_byte_order[k]]);
        texts->relocate = write_text(writing, "open ", name, " from ", none);
        texts->move = write_text(writing, "move ", name, "", none);
        texts->step = write_text(writing, "step ", name, "", none);
        texts->upgrade = write_text(writing, "upgrade ", name, " ", none);
    }
}

/* ---- All of it ---- */

void shinjuku_read_components(struct component_reader *reader, void *opaque)
{
    static const char *const display[] = {"title",   "ruleset",     "source",  "provenance_key",
                                          "colours", "options",     "streams", "name_ja",
                                          "board",   "card_colour", "x",       "y",
                                          "actions", "homonyms",    NULL};
    struct shinjuku_components *set = opaque;
    const struct writing writing = {reader, set};
    component_pool(reader, set->pool, sizeof set->pool - SHINJUKU_BLOCK);
    read_goods(reader, set);
    read_kinds(reader, set);
    name_kinds(reader, set);
    read_wards(reader, set);
    read_neighbours(reader, set);
    if (component_good(reader))
        check_adjacency(reader, set);
    read_stations(reader, set);
    check_stations_of_wards(reader, set);
    read_connections(reader, set);
    read_numbers(reader, set);
    component_finish(reader, display);
    if (!component_good(reader))
        return;
    component_sort(NAMES(set->wards, WARDS), set->wards_in_byte_order);
    component_sort(NAMES_ALONE(set->goods, GOODS), set->goods_in_byte_order);
    component_sort(NAMES(set->kinds, KINDS), set->kinds_in_byte_order);
    derive_expansions(&writing);
    derive_texts(&writing);
    derive_sets(set);
}

/* ---- Names: few and short, so bisection of the sorted list is fast enough ---- */

uint8_t shinjuku_ward_named(const struct shinjuku_components *set, struct span name)
{
    return names_bisect(NAMES(set->wards, WARDS), set->wards_in_byte_order, name);
}

uint8_t shinjuku_station_named(const struct shinjuku_components *set, struct span name)
{
    return names_bisect(NAMES(set->stations, STATIONS), NULL, name);
}

uint8_t shinjuku_good_named(const struct shinjuku_components *set, struct span name)
{
    return names_find(NAMES_ALONE(set->goods, GOODS), name);
}

uint8_t shinjuku_kind_named(const struct shinjuku_components *set, struct span name)
{
    return names_find(NAMES(set->kinds, KINDS), name);
}

uint8_t shinjuku_connection_between(const struct shinjuku_components *set, uint8_t a, uint8_t b)
{
    const struct shinjuku_station *station = &set->stations[a];
    for (unsigned i = 0; i < station->link_count; i++)
        if (station->link[i].station == b)
            return station->link[i].connection;
    return NONE;
}
