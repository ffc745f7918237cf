/* The tables of components.h with cards, minerals, artifacts and achievements; the map is in
 * boards.c. */
#include "engine/games/super-motherload/components.h"

#include <stddef.h>

const struct span motherload_colors[COLORS] = {
    SPAN_LITERAL("red"),
    SPAN_LITERAL("blue"),
    SPAN_LITERAL("yellow"),
    SPAN_LITERAL("wild"),
};

/* Name, copies, cost, points, icons. */
const struct motherload_card motherload_cards[CARDS] = {
    {SPAN_LITERAL("r0"), 2, 0, 0, 1},   {SPAN_LITERAL("r10"), 1, 10, 2, 2},
    {SPAN_LITERAL("r15"), 1, 15, 3, 2}, {SPAN_LITERAL("r20"), 1, 20, 5, 3},
    {SPAN_LITERAL("r25"), 1, 25, 7, 3}, {SPAN_LITERAL("b0"), 2, 0, 0, 1},
    {SPAN_LITERAL("b10"), 1, 10, 2, 2}, {SPAN_LITERAL("b15"), 1, 15, 3, 3},
    {SPAN_LITERAL("b20"), 1, 20, 5, 3}, {SPAN_LITERAL("b25"), 1, 25, 7, 4},
    {SPAN_LITERAL("y0"), 2, 0, 0, 1},   {SPAN_LITERAL("y10"), 1, 10, 2, 2},
    {SPAN_LITERAL("y15"), 1, 15, 3, 3}, {SPAN_LITERAL("y20"), 1, 20, 5, 3},
    {SPAN_LITERAL("y25"), 1, 25, 7, 4}, {SPAN_LITERAL("w0"), 1, 0, 0, 1},
    {SPAN_LITERAL("w10"), 1, 10, 2, 1}, {SPAN_LITERAL("w15"), 1, 15, 3, 2},
    {SPAN_LITERAL("w20"), 1, 20, 5, 2}, {SPAN_LITERAL("w25"), 1, 25, 7, 3},
};

enum pattern { ELBOW, SQUARE, TEE, ELL, ESS, CUP, FLAG, VEE, STAIR, SLAB, AITCH };

/* Drill bonus, buy bonus, pattern. */
const struct motherload_deck motherload_decks[DECKS] = {
    {SPAN_LITERAL("gray"),
     {
         /* r0 */ {NONE, NONE, ELBOW},
         /* r10 */ {NONE, BUY_BOMB, SQUARE},
         /* r15 */ {NONE, BUY_COPY, CUP},
         /* r20 */ {ROCK, NONE, SLAB},
         /* r25 */ {NONE, BUY_COPY, AITCH},
         /* b0 */ {NONE, NONE, NONE},
         /* b10 */ {NONE, BUY_DRAW_1, NONE},
         /* b15 */ {DRAW_1, NONE, NONE},
         /* b20 */ {NONE, BUY_BOMB, NONE},
         /* b25 */ {NONE, BUY_EXTRA_ACTION, NONE},
         /* y0 */ {NONE, NONE, NONE},
         /* y10 */ {NONE, BUY_EXTRA_ACTION, NONE},
         /* y15 */ {CORNER, NONE, NONE},
         /* y20 */ {NONE, BUY_DRAW_2, NONE},
         /* y25 */ {DRAW_2, NONE, NONE},
         /* w0 */ {NONE, NONE, NONE},
         /* w10 */ {SWAP, NONE, NONE},
         /* w15 */ {NONE, BUY_TO_HAND, NONE},
         /* w20 */ {BOMB_TOKEN, NONE, NONE},
         /* w25 */ {SPLIT, NONE, NONE},
     }},
    {SPAN_LITERAL("green"),
     {
         /* r0 */ {NONE, NONE, ELBOW},
         /* r10 */ {SWAP, NONE, TEE},
         /* r15 */ {DRAW_1, NONE, FLAG},
         /* r20 */ {BOMB_TOKEN, NONE, SLAB},
         /* r25 */ {NONE, BUY_EXTRA_ACTION, AITCH},
         /* b0 */ {NONE, NONE, NONE},
         /* b10 */ {NONE, BUY_BOMB, NONE},
         /* b15 */ {CORNER, NONE, NONE},
         /* b20 */ {ROCK, NONE, NONE},
         /* b25 */ {DRAW_2, NONE, NONE},
         /* y0 */ {NONE, NONE, NONE},
         /* y10 */ {NONE, BUY_DRAW_1, NONE},
         /* y15 */ {NONE, BUY_TO_HAND, NONE},
         /* y20 */ {NONE, BUY_BOMB, NONE},
         /* y25 */ {SPLIT, NONE, NONE},
         /* w0 */ {NONE, NONE, NONE},
         /* w10 */ {NONE, BUY_EXTRA_ACTION, NONE},
         /* w15 */ {NONE, BUY_COPY, NONE},
         /* w20 */ {NONE, BUY_DRAW_2, NONE},
         /* w25 */ {NONE, BUY_COPY, NONE},
     }},
    {SPAN_LITERAL("purple"),
     {
         /* r0 */ {NONE, NONE, ELBOW},
         /* r10 */ {NONE, BUY_EXTRA_ACTION, ELL},
         /* r15 */ {CORNER, NONE, VEE},
         /* r20 */ {NONE, BUY_DRAW_2, SLAB},
         /* r25 */ {DRAW_2, NONE, AITCH},
         /* b0 */ {NONE, NONE, NONE},
         /* b10 */ {SWAP, NONE, NONE},
         /* b15 */ {NONE, BUY_TO_HAND, NONE},
         /* b20 */ {BOMB_TOKEN, NONE, NONE},
         /* b25 */ {SPLIT, NONE, NONE},
         /* y0 */ {NONE, NONE, NONE},
         /* y10 */ {NONE, BUY_BOMB, NONE},
         /* y15 */ {NONE, BUY_COPY, NONE},
         /* y20 */ {ROCK, NONE, NONE},
         /* y25 */ {NONE, BUY_COPY, NONE},
         /* w0 */ {NONE, NONE, NONE},
         /* w10 */ {NONE, BUY_DRAW_1, NONE},
         /* w15 */ {DRAW_1, NONE, NONE},
         /* w20 */ {NONE, BUY_BOMB, NONE},
         /* w25 */ {NONE, BUY_EXTRA_ACTION, NONE},
     }},
    {SPAN_LITERAL("orange"),
     {
         /* r0 */ {NONE, NONE, ELBOW},
         /* r10 */ {NONE, BUY_DRAW_1, ESS},
         /* r15 */ {NONE, BUY_TO_HAND, STAIR},
         /* r20 */ {NONE, BUY_BOMB, SLAB},
         /* r25 */ {SPLIT, NONE, AITCH},
         /* b0 */ {NONE, NONE, NONE},
         /* b10 */ {NONE, BUY_EXTRA_ACTION, NONE},
         /* b15 */ {NONE, BUY_COPY, NONE},
         /* b20 */ {NONE, BUY_DRAW_2, NONE},
         /* b25 */ {NONE, BUY_COPY, NONE},
         /* y0 */ {NONE, NONE, NONE},
         /* y10 */ {SWAP, NONE, NONE},
         /* y15 */ {DRAW_1, NONE, NONE},
         /* y20 */ {BOMB_TOKEN, NONE, NONE},
         /* y25 */ {NONE, BUY_EXTRA_ACTION, NONE},
         /* w0 */ {NONE, NONE, NONE},
         /* w10 */ {NONE, BUY_BOMB, NONE},
         /* w15 */ {CORNER, NONE, NONE},
         /* w20 */ {ROCK, NONE, NONE},
         /* w25 */ {DRAW_2, NONE, NONE},
     }},
};

const struct motherload_mineral motherload_minerals[MINERALS] = {
    {SPAN_LITERAL("iron"), 'i', 2},     {SPAN_LITERAL("gold"), 'g', 5},
    {SPAN_LITERAL("platinum"), 'p', 7}, {SPAN_LITERAL("emerald"), 'e', 9},
    {SPAN_LITERAL("ruby"), 'r', 12},    {SPAN_LITERAL("diamond"), 'd', 15},
};

const struct span motherload_drill_bonuses[DRILL_BONUSES] = {
    SPAN_LITERAL("corner"), SPAN_LITERAL("draw-1"), SPAN_LITERAL("draw-2"), SPAN_LITERAL("bomb"),
    SPAN_LITERAL("rock"),   SPAN_LITERAL("split"),  SPAN_LITERAL("swap"),
};

const struct span motherload_buy_bonuses[BUY_BONUSES] = {
    SPAN_LITERAL("to-hand"), SPAN_LITERAL("extra-action"), SPAN_LITERAL("draw-1"),
    SPAN_LITERAL("draw-2"),  SPAN_LITERAL("bomb"),         SPAN_LITERAL("copy"),
};

const struct motherload_artifact motherload_artifacts[ARTIFACTS] = {
    {SPAN_LITERAL("extra-action"), 2, 0, "Perform an additional action this turn"},
    {SPAN_LITERAL("draw-two"), 2, 0, "Draw 2 cards"},
    {SPAN_LITERAL("bomb-draw"), 2, 0, "Take a Bomb Token, then draw 1 card"},
    {SPAN_LITERAL("platinum"), 2, 0, "Put a Platinum from the supply on one of your stacks"},
    {SPAN_LITERAL("gold-draw"), 2, 0,
     "Put a Gold from the supply on one of your stacks, then draw 1 card"},
    {SPAN_LITERAL("recruit"), 2, 0,
     "When you buy a card, put it into your hand instead of the discard pile"},
    {SPAN_LITERAL("relic"), 2, 3, "No function; worth 3 VP at the end"},
    {SPAN_LITERAL("copy"), 2, 0,
     "Put on one of your stacks a mineral of a kind that lies on any of your stacks"},
};

const struct motherload_achievement motherload_achievements[ACHIEVEMENTS] = {
    {SPAN_LITERAL("demolition"),
     2,
     "Bomb at least 2 Rock spaces in one action",
     {.bomb = true, .rock = 2}},
    {SPAN_LITERAL("long-haul"),
     2,
     "Drill a tunnel at least 5 spaces long",
     {.drill = true, .length = 5}},
    {SPAN_LITERAL("crossing"),
     2,
     "Cover spaces of two Game Boards in one Drill or Bomb action",
     {.drill = true, .bomb = true, .boards = 2}},
    {SPAN_LITERAL("assay"),
     3,
     "Collect at least 3 different kinds of mineral in one action",
     {.drill = true, .bomb = true, .kinds = 3}},
    {SPAN_LITERAL("rich-vein"),
     3,
     "Collect minerals worth at least $16 in one action",
     {.drill = true, .bomb = true, .value = 16}},
    {SPAN_LITERAL("wheelbarrow"),
     3,
     "Collect at least 4 Mineral Tiles in one action",
     {.drill = true, .bomb = true, .tiles = 4}},
    {SPAN_LITERAL("plate-cutter"),
     2,
     "Drill a tunnel at least 3 spaces long that covers a Steel Plate",
     {.drill = true, .length = 3, .steel = 1}},
    {SPAN_LITERAL("joker-drill"),
     3,
     "Drill a tunnel at least 3 spaces long with wild cards only",
     {.drill = true, .length = 3, .wild_cards_only = true}},
    {SPAN_LITERAL("treasure-cart"),
     2,
     "Cover an Artifact space and collect at least 2 Mineral Tiles in one action",
     {.drill = true, .bomb = true, .finds = 1, .tiles = 2}},
    {SPAN_LITERAL("iron-stock"),
     3,
     "Have at least 4 Iron across all your Pilot Stacks",
     {.mineral = IRON, .stock = 4}},
    {SPAN_LITERAL("gold-stock"),
     2,
     "Have at least 3 Gold across all your Pilot Stacks",
     {.mineral = GOLD, .stock = 3}},
    {SPAN_LITERAL("platinum-stock"),
     3,
     "Have at least 2 Platinum across all your Pilot Stacks",
     {.mineral = PLATINUM, .stock = 2}},
    {SPAN_LITERAL("emerald-stock"),
     3,
     "Have at least 2 Emeralds across all your Pilot Stacks",
     {.mineral = EMERALD, .stock = 2}},
    {SPAN_LITERAL("ruby-stock"),
     4,
     "Have at least 2 Rubies across all your Pilot Stacks",
     {.mineral = RUBY, .stock = 2}},
    {SPAN_LITERAL("diamond-stock"),
     3,
     "Have at least 1 Diamond across all your Pilot Stacks",
     {.mineral = DIAMOND, .stock = 1}},
    {SPAN_LITERAL("four-fronts"),
     4,
     "Have at least 1 Mineral Tile on each of your four Pilot Stacks",
     {.stacks = 4}},
    {SPAN_LITERAL("powder-room"), 2, "Have at least 3 Bomb Tokens", {.bombs = 3}},
    {SPAN_LITERAL("double-hire"), 4, "Buy at least 2 Pilot Cards in one turn", {.buys = 2}},
    {SPAN_LITERAL("exact-change"),
     3,
     "Buy a Pilot Card with minerals worth exactly its cost",
     {.exact = true}},
    {SPAN_LITERAL("overtime"), 2, "Take at least 3 actions in one turn", {.actions = 3}},
    {SPAN_LITERAL("red-and-blue"),
     6,
     "Have bought at least 3 red, 3 blue",
     {.bought = {3, 3, 0, 0}}},
    {SPAN_LITERAL("red-and-yellow"),
     6,
     "Have bought at least 3 red, 3 yellow",
     {.bought = {3, 0, 3, 0}}},
    {SPAN_LITERAL("red-and-wild"),
     6,
     "Have bought at least 3 red, 3 wild",
     {.bought = {3, 0, 0, 3}}},
    {SPAN_LITERAL("blue-and-yellow"),
     6,
     "Have bought at least 3 blue, 3 yellow",
     {.bought = {0, 3, 3, 0}}},
    {SPAN_LITERAL("blue-and-wild"),
     6,
     "Have bought at least 3 blue, 3 wild",
     {.bought = {0, 3, 0, 3}}},
    {SPAN_LITERAL("yellow-and-wild"),
     6,
     "Have bought at least 3 yellow, 3 wild",
     {.bought = {0, 0, 3, 3}}},
    {SPAN_LITERAL("all-but-wild"),
     4,
     "Have bought at least 2 red, 2 blue, 2 yellow",
     {.bought = {2, 2, 2, 0}}},
    {SPAN_LITERAL("all-but-yellow"),
     4,
     "Have bought at least 2 red, 2 blue, 2 wild",
     {.bought = {2, 2, 0, 2}}},
    {SPAN_LITERAL("all-but-blue"),
     4,
     "Have bought at least 2 red, 2 yellow, 2 wild",
     {.bought = {2, 0, 2, 2}}},
    {SPAN_LITERAL("all-but-red"),
     4,
     "Have bought at least 2 blue, 2 yellow, 2 wild",
     {.bought = {0, 2, 2, 2}}},
};

const uint8_t motherload_colors_in_byte_order[COLORS] = {1, 0, 3, 2};

const uint8_t motherload_decks_in_byte_order[DECKS] = {0, 1, 3, 2};

const uint8_t motherload_minerals_in_byte_order[MINERALS] = {5, 3, 1, 0, 2, 4};

const uint8_t motherload_artifacts_in_byte_order[ARTIFACTS] = {2, 7, 1, 0, 4, 3, 5, 6};

const uint8_t motherload_achievements_in_byte_order[ACHIEVEMENTS] = {
    28, 29, 26, 27, 3, 24, 23, 2,  0,  14, 17, 12, 18, 15, 10,
    9,  7,  1,  19, 6, 11, 16, 20, 22, 21, 4,  13, 8,  5,  25};

uint8_t motherload_color_named(struct span name)
{
    for (uint8_t color = 0; color < COLORS; color++)
        if (span_equal(motherload_colors[color], name))
            return color;
    return NONE;
}

uint8_t motherload_card_named(struct span name)
{
    for (uint8_t card = 0; card < CARDS; card++)
        if (span_equal(motherload_cards[card].name, name))
            return card;
    return NONE;
}

uint8_t motherload_deck_named(struct span name)
{
    for (uint8_t deck = 0; deck < DECKS; deck++)
        if (span_equal(motherload_decks[deck].name, name))
            return deck;
    return NONE;
}

uint8_t motherload_mineral_named(struct span name)
{
    for (uint8_t mineral = 0; mineral < MINERALS; mineral++)
        if (span_equal(motherload_minerals[mineral].name, name))
            return mineral;
    return NONE;
}

uint8_t motherload_artifact_named(struct span name)
{
    for (uint8_t artifact = 0; artifact < ARTIFACTS; artifact++)
        if (span_equal(motherload_artifacts[artifact].name, name))
            return artifact;
    return NONE;
}

uint8_t motherload_achievement_named(struct span name)
{
    for (uint8_t achievement = 0; achievement < ACHIEVEMENTS; achievement++)
        if (span_equal(motherload_achievements[achievement].name, name))
            return achievement;
    return NONE;
}

uint8_t motherload_minor_named(struct span name)
{
    uint8_t achievement = motherload_achievement_named(name);
    return achievement < MINORS ? achievement : NONE;
}

uint8_t motherload_board_named(struct span name)
{
    for (uint8_t board = 0; board < BOARDS; board++)
        if (span_equal(motherload_boards[board].name, name))
            return board;
    return NONE;
}
