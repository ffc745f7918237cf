/* What a request to move asks for: POST /v1/games/{id}/moves. */
#ifndef TILLROLL_API_MOVE_REQUEST_H
#define TILLROLL_API_MOVE_REQUEST_H

#include "api/signed_moves.h"
#include "db/records.h"
#include "engine/record.h"

enum { PLIES_MOST = 32 };

struct move_request {
    unsigned seat;
    bool has_seq;
    unsigned seq; /* of the entry after which it was decided */
    size_t count;
    struct span move[PLIES_MOST]; /* borrowed from the body */
    struct move_signed signature;
};

/* Reads the body and If-Match of the player in `seat`. False with a problem. */
bool move_request_read(struct call *call, unsigned seat, struct move_request *request);

/* The same, without a parser and without problems, for a body as programs write it: one move, then
 * its `seq`, nothing escaped. False for every other, which may be good all the same. */
bool move_request_read_plain(const struct call *call, unsigned seat, struct move_request *request);

/* The entry on a stored row, without its mark. False for the header and the head. */
bool move_request_read_row(const struct record_row *row, struct record_entry *entry);

/* Was it sent before? The row of the request's last ply, if its plies are the first of this seat on
 * `rows`, those after its sequence number; otherwise NULL. Quiet moves of other seats may stand
 * between. */
const struct record_row *move_request_find(const struct move_request *request,
                                           const struct record_row *rows, size_t count);

#endif
