/* A request to move, POST /v1/games/{id}/moves: reading, playing and answering it, for the fast
 * path (api/play/quick_moves.h) and for a transaction of its own (api/play/moves.c). */
#ifndef TILLROLL_API_PLAY_MOVE_REQUEST_H
#define TILLROLL_API_PLAY_MOVE_REQUEST_H

#include "api/request/call.h"
#include "api/tables/game_writer.h"
#include "db/link/db.h"
#include "db/store/games/records.h"
#include "engine/record/record.h"
#include "engine/record/replay.h"
#include "engine/record/signature.h"

enum { PLIES_MOST = 32 };

struct move_signed {
    bool given;
    uint8_t bytes[SIGNATURE_BYTES];
};

struct move_request {
    unsigned seat;
    bool has_seq;
    unsigned seq; /* the last entry when the move was decided */
    size_t count;
    struct span move[PLIES_MOST]; /* borrowed from the body */
    struct move_signed signature;
};

/* Reads the body, parsed or not, and If-Match, of a request by the player in `seat`. False with a
 * problem. */
bool move_request_read(struct call *call, unsigned seat, struct move_request *request);

/* Reads the entry of a stored row, without its mark. False for the header and the head. */
bool move_request_read_row(const struct record_row *row, struct record_entry *entry);

/* The outcome of playing a request. */
enum move_outcome {
    MOVE_PLAYED,
    MOVE_REFUSED, /* ply `count` was refused, with `refusal` */
    MOVE_TOGETHER /* ply `count` belongs to a simultaneous decision */
};
struct move_played {
    size_t count;
    size_t last; /* index of the writer's row of the last ply */
    struct refusal refusal;
};

/* Plays the request on the writer's copy of the game. */
enum move_outcome move_request_play(struct game_writer *writer, const struct move_request *request,
                                    struct move_played *played);

/* Answers that the ply of `row` is in the record of the game of the path. */
void move_request_answer(struct call *call, const struct replay *replay,
                         const struct record_row *row);

/* Answers a request that was decided at an earlier entry; `rows` are the later ones. Requests are
 * safe to repeat: if the request's plies are the first of its seat on these rows, the answer is
 * their receipt. Otherwise another request came first, and the answer is a problem. */
void move_request_answer_late(struct call *call, const struct replay *replay,
                              const struct move_request *request, const struct record_row *rows,
                              size_t count);

/* ---- Signatures ---- */

/* Players' signatures of their moves (engine/record/signature.h). A signature is checked before the
 * move is written, and stored beside the record in the same transaction. */

/* Reads the member `signature` of the body, which may be missing. False with a problem. */
bool signed_moves_read(struct call *call, struct move_signed *given);

/* True if a decision of the caller's seat may be written with this signature, or without one.
 * `move` is the text behind the time in its line, and `head` the chain's value at which the caller
 * decided. False with a problem. */
bool signed_moves_check(struct call *call, const struct replay *replay, unsigned seat,
                        struct span move, const uint8_t head[static 32],
                        const struct move_signed *given);

/* The same for several moves of one request. None of them can be signed, because only the service
 * knows the chain's values between them. */
bool signed_moves_check_several(struct call *call, const struct replay *replay, unsigned seat,
                                const struct move_signed *given);

/* Prints the signatures of a game's first `entries` entries as a text (engine/record/signature.h),
 * in the arena, and sets `count` to their number. */
enum db_status signed_moves_print(struct db *db, struct arena *arena, const struct id *game,
                                  unsigned entries, struct span *text, size_t *count);

#endif
