/* The component data of the rules as constant tables.
 *
 * components.json beside this file is the data's published form; a test compares the two field by
 * field. Everything has its index in canonical order, the order of components.json. The byte order
 * of names, in which moves and lists are written, has tables of its own.
 */
#ifndef TILLROLL_SUPER_MOTHERLOAD_COMPONENTS_H
#define TILLROLL_SUPER_MOTHERLOAD_COMPONENTS_H

#include <stdbool.h>
#include <stdint.h>

#include "engine/game/component_reader.h"

enum { NONE = 255 }; /* no card, color, pattern, bonus, artifact, achievement, board or deck */

enum color { RED, BLUE, YELLOW, WILD, COLORS };

enum { DRILL_COLORS = WILD }; /* colors that a drill can declare, and that steel can have */

enum mineral { IRON, GOLD, PLATINUM, EMERALD, RUBY, DIAMOND, MINERALS };

enum drill_bonus { CORNER, DRAW_1, DRAW_2, BOMB_TOKEN, ROCK, SPLIT, SWAP, DRILL_BONUSES };

enum buy_bonus {
    BUY_TO_HAND,
    BUY_EXTRA_ACTION,
    BUY_DRAW_1,
    BUY_DRAW_2,
    BUY_BOMB,
    BUY_COPY,
    BUY_BONUSES
};

enum artifact {
    EXTRA_ACTION,
    DRAW_TWO,
    BOMB_DRAW,
    PLATINUM_TILE,
    GOLD_DRAW,
    RECRUIT,
    RELIC,
    COPY,
    ARTIFACTS
};

enum {
    TIERS = 5,              /* starters, then the four cards of a stack */
    CARDS = COLORS * TIERS, /* different cards of a deck */
    CARDS_OF_A_SEAT = 23,
    STACK_CARDS = TIERS - 1,
    DECKS = 4,
    ARTIFACT_TILES = 16,
    MINORS = 20,
    MAJORS = 10,
    ACHIEVEMENTS = MINORS + MAJORS, /* majors follow the minors */
    PATTERNS = 11,
    ORIENTATIONS_MAX = 8,
    PATTERN_SPACES_MAX = 7,
    COLUMNS = 14,
    ROWS = 7,
    DEPTHS = 4,
    BOARDS = 2 * DEPTHS, /* 1a 1b 2a ... */
    BOARD_ROW = (1 << COLUMNS) - 1
};

/* Set-up, supplies and limits. */
enum {
    SEATS_MIN = 2,
    SEATS_MAX = 4,
    ACTIONS_OF_A_TURN = 2,
    CARDS_OF_A_DRAW = 2,
    OPENING_HAND = 4,
    HAND_LIMIT = 5, /* at the end of a turn */
    OPENING_BOMBS = 1,
    BOMB_TOKENS = 16,
    SLOTS = 3, /* minors, and majors, face up */
    TABLE_BOARDS = 2,
    IDLE_TURNS = 3 /* per seat, in a row: then the game ends */
};

/* Cards of a color are consecutive: starter, then by cost. */
#define CARD(color, tier) ((uint8_t)((color)*TIERS + (tier)))
#define COLOR_OF(card)    ((uint8_t)((card) / TIERS))
#define TIER_OF(card)     ((uint8_t)((card) % TIERS))

struct motherload_card {
    struct span name;
    uint8_t count; /* in a deck */
    uint8_t cost;  /* $, 0 for starters */
    uint8_t points;
    uint8_t icons;
};

/* The differences between decks. */
struct motherload_feature {
    uint8_t drill;   /* enum drill_bonus or NONE */
    uint8_t buy;     /* enum buy_bonus or NONE */
    uint8_t pattern; /* NONE unless the card is red */
};

struct motherload_deck {
    struct span name;
    struct motherload_feature feature[CARDS];
};

struct motherload_mineral {
    struct span name;
    char letter; /* on the map */
    uint8_t value;
};

struct motherload_artifact {
    struct span name;
    uint8_t count;
    uint8_t points;
    const char *effect;
};

/* The goal of an achievement. Every number is a minimum, 0 if it does not matter. */
struct motherload_goal {
    bool drill, bomb; /* looks at the last action, which must be one of these; false: it does not */
    bool wild_cards_only;
    bool exact;      /* a card bought for exactly its cost */
    uint8_t length;  /* of the last action */
    uint8_t rock;    /* spaces covered */
    uint8_t steel;   /* spaces covered */
    uint8_t boards;  /* covered */
    uint8_t kinds;   /* of mineral collected */
    uint8_t value;   /* of minerals collected, $ */
    uint8_t tiles;   /* of minerals collected */
    uint8_t finds;   /* artifact spaces covered */
    uint8_t mineral; /* enum mineral; of which ... */
    uint8_t stock;   /* ... minimum on the seat's stacks */
    uint8_t stacks;  /* with a mineral */
    uint8_t bombs;   /* tokens held */
    uint8_t buys;    /* this turn */
    uint8_t actions; /* begun this turn */
    uint8_t bought[COLORS];
};

/* What goals ask for, side by side, so that all of it is compared at once. */
enum measure {
    MEASURE_DRILL, /* 1 if that was the last action */
    MEASURE_BOMB,
    MEASURE_EITHER, /* of the two */
    MEASURE_WILD_CARDS_ONLY,
    MEASURE_LENGTH,
    MEASURE_ROCK,
    MEASURE_STEEL,
    MEASURE_BOARDS,
    MEASURE_KINDS,
    MEASURE_VALUE,
    MEASURE_TILES,
    MEASURE_FINDS,
    MEASURE_STOCK, /* + enum mineral */
    MEASURE_STACKS = MEASURE_STOCK + MINERALS,
    MEASURE_BOMBS,
    MEASURE_BUYS,
    MEASURE_ACTIONS,
    MEASURE_EXACT,
    MEASURE_BOUGHT, /* + enum color */
    MEASURES = 32
};

struct motherload_achievement {
    struct span name;
    uint8_t points;
    const char *text;
    struct motherload_goal goal;
    uint8_t least[MEASURES]; /* the same goal */
};

struct motherload_orientation {
    int8_t row[PATTERN_SPACES_MAX]; /* offsets from the anchor, the first space in reading order */
    int8_t column[PATTERN_SPACES_MAX];
};

struct motherload_pattern {
    struct span name;
    uint8_t spaces;
    uint8_t orientations;
    struct motherload_orientation orientation[ORIENTATIONS_MAX];
};

/* Tunnels that the same spaces stop: drills of a color, and bombs and drills of no color; all of
 * them with rock in their way or not. */
#define BAR_OF(color, rock) (2 * (color) + (rock))
enum { BARS = BAR_OF(DRILL_COLORS, 1) + 1 };

/* Terrain and content as on the map, one string per row; bit c of a mask is column c. */
struct motherload_board {
    struct span name; /* `2b` */
    uint8_t depth;    /* 1 to 4 */
    const char *terrain[ROWS];
    const char *content[ROWS];
    uint16_t rock[ROWS];
    uint16_t steel[DRILL_COLORS][ROWS];
    uint16_t artifact[ROWS];
    uint16_t barred[BARS][ROWS]; /* BAR_OF(color, rock), DRILL_COLORS = no color */
};

enum { MOTHERLOAD_POOL = 12000, MOTHERLOAD_SIGNS = 128 };

/* What lies under some spaces, added up in one number: numbers of things side by side, each wide
 * enough for any tunnel. */
typedef uint64_t motherload_yield;

enum yield_field {
    YIELD_DOLLARS = 0,  /* eight bits, the others have four */
    YIELD_TILES = 8,    /* of minerals */
    YIELD_MINERAL = 12, /* + 4 * enum mineral */
    YIELD_ROCK = 36,
    YIELD_STEEL = 40,
    YIELD_FINDS = 44,
    YIELD_LAST_FINDS = 48, /* on the lowest board */
    YIELD_TOKENS = 52,
    YIELD_CARDS = 56, /* eight bits */
    YIELD_DOLLARS_MAX = 255
};

struct motherload_components {
    struct motherload_card cards[CARDS];
    struct motherload_deck decks[DECKS];
    struct motherload_mineral minerals[MINERALS];
    struct motherload_artifact artifacts[ARTIFACTS];
    struct motherload_achievement achievements[ACHIEVEMENTS];
    struct motherload_pattern patterns[PATTERNS];
    struct motherload_board boards[BOARDS];
    struct span colors[COLORS];
    struct span drill_bonuses[DRILL_BONUSES];
    struct span buy_bonuses[BUY_BONUSES];
    motherload_yield yields[MOTHERLOAD_SIGNS]; /* of the signs of the map */

    /* Indices in the byte order of the names. */
    uint8_t colors_in_byte_order[COLORS];
    uint8_t decks_in_byte_order[DECKS];
    uint8_t minerals_in_byte_order[MINERALS];
    uint8_t artifacts_in_byte_order[ARTIFACTS];
    uint8_t achievements_in_byte_order[ACHIEVEMENTS];

    char pool[MOTHERLOAD_POOL]; /* names, texts and lines of the map */
};

/* Reads a set (engine/game/component_set.h). */
void motherload_read_components(struct component_reader *reader, void *set);

/* The index of the thing with this name, or NONE. */
uint8_t motherload_color_named(const struct motherload_components *set, struct span name);
uint8_t motherload_card_named(const struct motherload_components *set, struct span name);
uint8_t motherload_deck_named(const struct motherload_components *set, struct span name);
uint8_t motherload_mineral_named(const struct motherload_components *set, struct span name);
uint8_t motherload_artifact_named(const struct motherload_components *set, struct span name);
uint8_t motherload_achievement_named(const struct motherload_components *set, struct span name);

#endif
