/* Decisions that several seats take at the same time. A move is checked, sealed and stored when it
 * arrives, and answered with a receipt. Until the last is in, nothing that anybody else can read
 * has changed; then all of them enter the record together, in the order of seats, at one time.
 */
#ifndef TILLROLL_API_PLAY_SEALED_H
#define TILLROLL_API_PLAY_SEALED_H

#include "api/tables/game_writer.h"

/* A player's signature of a decision: it holds for the chain's value `head` at entry `seq`. */
struct sealed_signature {
    uint32_t seq;
    uint8_t head[32];
    uint8_t bytes[SIGNATURE_BYTES];
};

/* The number under which decisions at hand are sealed: plies and take-backs so far, so that what
 * was sealed before a take-back is decided again. */
unsigned sealed_number(const struct replay *replay);

/* Takes the move of `seat` for the simultaneous decision at hand, with its signature, if it has one
 * (or NULL), and answers. False if the rules refuse the move: nothing has been answered then,
 * `refusal` says why. */
bool sealed_take(struct game_writer *writer, unsigned seat, struct span move,
                 const struct sealed_signature *signature, struct refusal *refusal);

/* Decides a move of `seat`, which is legal, for the simultaneous decision at hand: it is stored,
 * and opened with the others if it is the last. Where there are clocks and others are waited for, a
 * line `sealed` says that this one stands. False with a problem. */
bool sealed_decide(struct game_writer *writer, unsigned seat, struct span move,
                   const struct sealed_signature *signature);

/* If the seat has decided this move already, answers with the same receipt again and returns true.
 */
bool sealed_answer_again(struct call *call, const struct game_row *game,
                         const struct replay *replay, unsigned ply, unsigned seat,
                         struct span move);

/* Plays the sealed moves if the last that is needed is in. A signature goes with its move unless it
 * cannot be checked any more: somebody else has taken the seat, or more lines have come between
 * than signatures may lie back. False with a problem. */
bool sealed_open_all(struct game_writer *writer);

/* Whether `seat` has decided already in the decision at hand: for that seat's own eyes only. */
bool sealed_has_decided(struct call *call, const struct id *game, const struct replay *replay,
                        unsigned seat, bool *decided);

#endif
