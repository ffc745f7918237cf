/* A request to move, POST /v1/games/{id}/moves: read, played and answered here, for the fast path
 * (api/play/quick_moves.h) and for a transaction of its own (api/play/moves.c). */
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
    unsigned seq; /* of the entry after which it was decided */
    size_t count;
    struct span move[PLIES_MOST]; /* borrowed from the body */
    struct move_signed signature;
};

/* Reads the body, whether or not it has been parsed, and If-Match, of the player in `seat`. False
 * with a problem. */
bool move_request_read(struct call *call, unsigned seat, struct move_request *request);

/* The entry on a stored row, without its mark. False for the header and the head. */
bool move_request_read_row(const struct record_row *row, struct record_entry *entry);

/* What became of a request that was played. */
enum move_outcome {
    MOVE_PLAYED,
    MOVE_REFUSED, /* ply `count` was, with `refusal` */
    MOVE_TOGETHER /* ply `count` is decided at the same time as others */
};
struct move_played {
    size_t count;
    size_t last; /* index of the writer's row of the last ply */
    struct refusal refusal;
};

/* Plays it on the writer's copy of the game. */
enum move_outcome move_request_play(struct game_writer *writer, const struct move_request *request,
                                    struct move_played *played);

/* Answers that the ply on `row` is in the record of the game of the path. */
void move_request_answer(struct call *call, const struct replay *replay,
                         const struct record_row *row);

/* Answers a request that was decided at an earlier entry; `rows` are those after it. It is safe to
 * send again: with its receipt, if its plies are the first of its seat on them. Otherwise others
 * were faster. */
void move_request_answer_late(struct call *call, const struct replay *replay,
                              const struct move_request *request, const struct record_row *rows,
                              size_t count);

/* ---- Signatures ---- */

/* Players' signatures of their moves (engine/record/signature.h): checked before anything is
 * written, and stored beside the record with it. */

/* Reads the member `signature` of the body, which may be missing. False with a problem. */
bool signed_moves_read(struct call *call, struct move_signed *given);

/* Whether a decision of the caller's seat may be written with this signature, or without one:
 * `move` is what will stand behind the time in its line, and `head` the chain's value for which the
 * caller has decided. False with a problem. */
bool signed_moves_check(struct call *call, const struct replay *replay, unsigned seat,
                        struct span move, const uint8_t head[static 32],
                        const struct move_signed *given);

/* The same for several moves of one request, of which none can be signed: nobody but the service
 * knows the chain's values between them. */
bool signed_moves_check_several(struct call *call, const struct replay *replay, unsigned seat,
                                const struct move_signed *given);

/* The signatures of a game's first `entries` entries as a text (engine/record/signature.h), in the
 * arena. `count` says how many. */
enum db_status signed_moves_print(struct db *db, struct arena *arena, const struct id *game,
                                  unsigned entries, struct span *text, size_t *count);

#endif
