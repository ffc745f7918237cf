/* Words for decision points, as views and worked cases write them. */
#include "engine/games/super-motherload/rules.h"

const char *motherload_point_name(unsigned point)
{
    static const char *const names[] = {
        [AT_SIDE_1] = "side-1", [AT_DECK] = "deck", [AT_MAIN] = "main", [AT_SWAP] = "swap",
        [AT_PLACE] = "place",   [AT_PUT] = "put",   [AT_SIDE] = "side", [AT_BUY] = "buy",
        [AT_COPY] = "copy",     [AT_TRIM] = "trim", [AT_OVER] = "over"};
    assert(point <= AT_OVER);
    return names[point];
}
