/* Words for decision points and actions, as views, worked cases and moves write them. */
#include "engine/games/shinjuku/rules.h"

const char *shinjuku_point_name(unsigned point)
{
    static const char *const names[] = {
        [AT_MATSURI] = "matsuri", [AT_ACTION] = "action", [AT_PAY] = "pay",
        [AT_GIVE] = "give",       [AT_ROUTE] = "route",   [AT_OVER] = "over"};
    assert(point <= AT_OVER);
    return names[point];
}

const char *shinjuku_action_name(unsigned action)
{
    static const char *const names[] = {[OPEN] = "open",
                                        [EXPAND] = "expand",
                                        [INCOME] = "income",
                                        [MOVE] = "move",
                                        [UPGRADE] = "upgrade"};
    assert(action < ACTIONS);
    return names[action];
}
