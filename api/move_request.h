/* What a request to move asks for: POST /v1/games/{id}/moves. */
#ifndef TILLROLL_API_MOVE_REQUEST_H
#define TILLROLL_API_MOVE_REQUEST_H

#include "api/call.h"

enum { PLIES_MOST = 32 };

struct move_request {
    unsigned seat;
    bool has_seq;
    unsigned seq; /* of the entry after which it was decided */
    size_t count;
    struct span move[PLIES_MOST]; /* borrowed from the body */
};

/* Reads the body and If-Match of the player in `seat`. False with a problem. */
bool move_request_read(struct call *call, unsigned seat, struct move_request *request);

#endif
