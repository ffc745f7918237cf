/* Simultaneous decisions of several seats. A move is checked, sealed and stored when it arrives,
 * and answered with a receipt. Until the last has arrived, nothing that others can read changes;
 * then all of them enter the record together, in the order of seats, at the same time.
 *
 * In games with clocks, the record has a line `sealed` for every seat whose clock stood while
 * others decided. That line is held back: the time of the decision is stored with the move, and the
 * lines enter the record, in the order of their times, with the moves, or before any other line
 * that must be written in the meantime. Until then the record, and everything computed from it,
 * shows these clocks as running:
 *
 *      writers   sealed_add_lines(): the game with the lines that are held back
 *      readers   the game as its record has it; a seat itself sees that its clock stands
 */
#ifndef TILLROLL_API_PLAY_SEALED_H
#define TILLROLL_API_PLAY_SEALED_H

#include "api/request/visibility.h"
#include "api/tables/game_writer.h"

/* A player's signature of a decision, for the chain's value `head` at entry `seq`. */
struct sealed_signature {
    uint32_t seq;
    uint8_t head[32];
    uint8_t bytes[SIGNATURE_BYTES];
};

/* Takes the move of `seat` for the current simultaneous decision, with its signature (or NULL), and
 * answers. False if the rules refuse the move: then nothing has been answered, and `refusal` gives
 * the reason. */
bool sealed_take(struct game_writer *writer, unsigned seat, struct span move,
                 const struct sealed_signature *signature, struct refusal *refusal);

/* Decides a legal move of `seat` for the current simultaneous decision: the move is stored, and
 * opened with the others if it is the last. In a game with clocks, while other seats still have to
 * decide, the seat's line `sealed` is held back unless other lines are written now. False with a
 * problem. */
bool sealed_decide(struct game_writer *writer, unsigned seat, struct span move,
                   const struct sealed_signature *signature);

/* True if lines may have been held back: several seats decide at the same time, with clocks. Does
 * not say that there are any. */
bool sealed_may_hold_back(const struct replay *replay);

/* Adds the lines `sealed` that are held back, before another line is written to the game, which
 * must be locked. They become the writer's first lines, and are not stored unless others follow
 * (writer->held_back). Does nothing in a game without clocks or simultaneous decisions. A line that
 * is no longer valid, because its seat has become absent, is left out. False with a problem. */
bool sealed_add_lines(struct game_writer *writer);

/* True if the seat has already decided this move: then answers with the same receipt. Also true
 * with a problem. */
bool sealed_answer_again(struct call *call, const struct game_row *game,
                         const struct replay *replay, unsigned ply, unsigned seat,
                         struct span move);

/* Plays the sealed moves if the last one needed has arrived, after the lines that are held back. A
 * move keeps its signature unless that can no longer be checked: because another player has taken
 * the seat, or because the record has grown by more lines than a signature may lie back. False with
 * a problem. */
bool sealed_open_all(struct game_writer *writer);

/* Sets `decided` if `seat` has taken its current decision. Only that seat may be told. False with a
 * problem. */
bool sealed_has_decided(struct call *call, const struct id *game, const struct replay *replay,
                        unsigned seat, bool *decided);

/* Sets `clocks` to the game's clocks (clocks_document()) as `viewer` may see them: only a seat that
 * has decided in secret sees that its own clock stands. False with a problem. */
bool sealed_clocks(struct call *call, const struct id *game, const struct replay *replay,
                   struct viewer viewer, json_t **clocks);

#endif
