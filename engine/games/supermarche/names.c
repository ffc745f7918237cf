/* Words for decision points, cards and results, as views and worked cases write them. */
#include "engine/games/supermarche/rules.h"

const char *supermarche_point_name(unsigned point)
{
    static const char *const names[] = {
        [AT_DELIVERY] = "delivery", [AT_STOCKING] = "stocking", [AT_SALE] = "sale",
        [AT_CHOOSE] = "choose",     [AT_INITIAL] = "initial",   [AT_ROLL] = "roll",
        [AT_PAY] = "pay",           [AT_BETWEEN] = "between",   [AT_RESTOCK] = "restock"};
    return point < sizeof names / sizeof names[0] ? names[point] : NULL;
}

const char *supermarche_card_name(unsigned card)
{
    static const char *const names[] = {[CARD_DOWN] = "down",
                                        [CARD_UP] = "up",
                                        [CARD_SHOPPING] = "shopping",
                                        [CARD_DONE] = "done",
                                        [CARD_DISCARDED] = "discarded"};
    assert(card < sizeof names / sizeof names[0]);
    return names[card];
}

const char *supermarche_result_name(unsigned result)
{
    static const char *const names[] = {
        [RESULT_NONE] = NULL, [RESULT_COMPLETE] = "complete", [RESULT_BANKRUPT] = "bankrupt"};
    assert(result < sizeof names / sizeof names[0]);
    return names[result];
}
