/* The automatic steps between two decisions: with the auctions. */
#ifndef TILLROLL_MALL_WORLD_TURN_H
#define TILLROLL_MALL_WORLD_TURN_H

#include "engine/game/chance.h"
#include "engine/games/mall-world/state.h"

/* Takes automatic steps until a seat has a decision, or the game is over. */
void mall_world_advance(const struct mall_world_components *set, struct mall_world_state *state,
                        const struct chance *chance);

void mall_world_forget_notes(struct mall_world_state *state);

/* ---- Auctions ---- */

/* Puts the cards on offer; their number determines the cost and the bidders. */
void mall_world_offer(struct mall_world_state *state, const uint8_t cards[static CARDS]);

/* When all bids are in: opens and ranks them. */
void mall_world_open_bids(struct mall_world_state *state);

/* A realisation: builds a shop of `what` = enum use, or lets one to `what` = enum group. */
struct realization {
    uint8_t card;
    bool lets;
    uint8_t what;
    uint8_t square;
};

/* The holder of the right realises a card on offer. */
void mall_world_realize(struct mall_world_state *state, struct realization realization);

#endif
