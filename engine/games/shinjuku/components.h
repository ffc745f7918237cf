/* The component set as tables, read from components.json or another file of its form.
 *
 * Two orders matter: the canonical order (wards by number, customer kinds by index), in which piles
 * are built, and the byte order of names, in which moves and lists are written. Stations and
 * connections have no canonical order, so their index is their place in byte order.
 */
#ifndef TILLROLL_SHINJUKU_COMPONENTS_H
#define TILLROLL_SHINJUKU_COMPONENTS_H

#include <stdbool.h>
#include <stdint.h>

#include "engine/game/component_reader.h"

enum {
    WARDS = 23,
    STATIONS = 44,
    CONNECTIONS = 68, /* at most */
    GOODS = 4,
    KINDS = 8,        /* of customers: each good single and double */
    CARDS = 72,       /* ward cards, at most */
    CUSTOMERS = 72,   /* at most */
    EXPANSIONS = 256, /* ways to write an `expand` that the map allows, at most */
    EXPANSION_STATIONS = 4,
    EXPANSION_WORDS = EXPANSIONS / 64,
    LINKS_MAX = 6, /* connections of one station */
    NEIGHBOURS_MAX = 7,
    NONE = 255 /* no ward, station, connection, seat or kind */
};

/* Set-up, supplies and limits. */
enum {
    SEATS_MIN = 2,
    SEATS_MAX = 4,
    DEAL = 4,
    SEED_WARDS = 4,
    SEED_CUSTOMERS = 2,
    QUEUE_SPACES = 4,
    QUEUE_CUSTOMERS = 2,
    DEPARTMENT_STORES = 3,
    STORES_OF_A_GOOD = 2,
    TRACK = 16,
    BONUS_STACKS = 6,
    INCOME_HAND = 4,  /* INCOME fills a smaller hand up to this size */
    INCOME_EXTRA = 1, /* and gives a larger hand this many */
    ACTIONS_OF_A_TURN = 2,
    CARDS_AS_A_WILDCARD = 3,
    HAND_MAX = 15
};

enum good { FOOD, CLOTHING, BOOKS, ELECTRONICS };

/* What a Store sells: a good, or everything. */
enum { DEPARTMENT = GOODS };

/* Kinds 2g and 2g + 1 are the single and the double customers of good g. */
#define GOOD_OF(kind) ((uint8_t)((kind) / 2))

struct shinjuku_ward {
    struct span name;
    const char *title; /* for people */
    uint8_t cards;     /* copies in the deck */
    uint8_t neighbour_count;
    uint8_t neighbour[NEIGHBOURS_MAX]; /* in byte order */
    uint64_t stations;                 /* bit s: station s lies here */
    struct span matsuri;               /* the move that brings it here */
};

struct shinjuku_link {
    uint8_t station, connection;
};

struct shinjuku_station {
    struct span name;
    const char *title;
    uint8_t ward;
    bool sakura; /* may hold a Department Store */
    uint8_t link_count;
    struct shinjuku_link link[LINKS_MAX]; /* in byte order of the stations */
};

/* Ends in byte order. */
struct shinjuku_connection {
    uint8_t a, b;
    bool permanent;
};

struct shinjuku_kind {
    struct span name;
    const char *title;
    uint8_t value; /* customers it counts for in scoring */
    uint8_t count; /* tokens */
};

/* An `expand` as written, in byte order of the whole move. */
struct shinjuku_expansion {
    struct span move;
    uint8_t way[EXPANSION_STATIONS]; /* its stations in this order; the last one is repeated */
    uint8_t connection[2];           /* the second is NONE for a single segment */
    uint32_t wards; /* bit w: a card of ward w pays for it; 0 for a single segment */
};

/* Ways to `expand` as a set: bit i % 64 of word i / 64 for expansion i. */
struct shinjuku_ways {
    uint64_t word[EXPANSION_WORDS];
};

/* The moves that depend on one station alone, or how they begin. */
struct shinjuku_texts {
    struct span open[GOODS]; /* goods in byte order */
    struct span relocate;    /* up to the current station of the Store */
    struct span move;
    struct span step;
    struct span upgrade; /* up to the customer */
};

enum {
    SHINJUKU_POOL = 40000,
    SHINJUKU_BLOCK = 64 /* that many bytes from the start of any text are in the pool */
};

struct shinjuku_components {
    struct shinjuku_ward wards[WARDS];
    struct shinjuku_station stations[STATIONS];
    struct shinjuku_texts texts[STATIONS];
    struct shinjuku_connection connections[CONNECTIONS];
    struct shinjuku_expansion expansions[EXPANSIONS];
    struct shinjuku_ways single;            /* those of one segment */
    struct shinjuku_ways over[CONNECTIONS]; /* those that need this connection */
    struct shinjuku_ways paid[WARDS];       /* those of two that a card of this ward pays for */
    struct shinjuku_kind kinds[KINDS];
    struct span goods[GOODS];
    struct span end, income, stop; /* moves of one word */
    unsigned connection_count, expansion_count, card_count;
    uint8_t wards_in_byte_order[WARDS];
    uint8_t goods_in_byte_order[GOODS];
    uint8_t kinds_in_byte_order[KINDS];
    uint8_t bonus_stacks[BONUS_STACKS];
    uint8_t set_points[GOODS + 1]; /* by the number of different customers */
    uint8_t link_from, link_to;    /* the stations of the permanent connection */
    uint64_t sakura;               /* bit s: station s has the icon */
    char pool[SHINJUKU_POOL];      /* names, titles and moves */
};

/* Reads a set (engine/game/component_set.h). */
void shinjuku_read_components(struct component_reader *reader, void *set);

/* The index of the thing with this name, or NONE. */
uint8_t shinjuku_ward_named(const struct shinjuku_components *set, struct span name);
uint8_t shinjuku_station_named(const struct shinjuku_components *set, struct span name);
uint8_t shinjuku_good_named(const struct shinjuku_components *set, struct span name);
uint8_t shinjuku_kind_named(const struct shinjuku_components *set, struct span name);

/* The connection that joins two stations, or NONE. */
uint8_t shinjuku_connection_between(const struct shinjuku_components *set, uint8_t a, uint8_t b);

#endif
