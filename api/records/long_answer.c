#include "api/records/long_answer.h"

#include <string.h>

#include "db/link/now.h"

static bool next_piece(struct http_pieces *pieces, struct span *piece, bool *last)
{
    struct long_answer *answer = (struct long_answer *)pieces;
    struct arena arena = {NULL};
    struct http_response response = {.status = 0};
    struct call call = {.service = answer->service,
                        .request = &answer->request,
                        .response = &response,
                        .arena = &arena,
                        .signed_in = answer->signed_in,
                        .player.id = answer->player,
                        .metered = answer->metered};
    int64_t begin_us = now_us(CLOCK_THREAD_CPUTIME_ID);
    bool made = answer->next(answer, &call, piece, last);
    call_charge(&call, (unsigned)((now_us(CLOCK_THREAD_CPUTIME_ID) - begin_us + 999) / 1000));
    arena_free(&arena);
    return made;
}

void long_answer_give(struct call *call, struct long_answer *answer,
                      bool (*next)(struct long_answer *answer, struct call *call, struct span *part,
                                   bool *last),
                      void (*drop)(struct http_pieces *pieces))
{
    answer->pieces = (struct http_pieces){next_piece, drop};
    answer->service = call->service;
    answer->player = call->player.id;
    answer->signed_in = call->signed_in;
    answer->metered = call->metered;
    answer->next = next;
    answer->request.received_ms = call->request->received_ms;
    memcpy(answer->request.peer, call->request->peer, sizeof answer->request.peer);
    call->response->pieces = &answer->pieces;
}
