/* Responses with a long body that is made part by part while it is sent (struct http_pieces). The
 * processor time of each part is charged to the client, like that of the request. */
#ifndef TILLROLL_API_RECORDS_LONG_ANSWER_H
#define TILLROLL_API_RECORDS_LONG_ANSWER_H

#include "api/request/call.h"

/* Embedded as the first member in a struct of the code that makes the body. */
struct long_answer {
    struct http_pieces pieces;
    struct service *service;
    struct http_request request; /* only the fields needed for charging */
    struct id player;
    bool signed_in, metered;
    /* Makes the next part, like http_pieces.next. The call has an arena and a response that last
     * until the function returns, and no connection. Runs on a worker's thread. */
    bool (*next)(struct long_answer *answer, struct call *call, struct span *part, bool *last);
};

/* Makes `answer`, which the caller has zeroed, the body of the call's response. The response owns
 * it from now on, and frees it with `drop`. */
void long_answer_give(struct call *call, struct long_answer *answer,
                      bool (*next)(struct long_answer *answer, struct call *call, struct span *part,
                                   bool *last),
                      void (*drop)(struct http_pieces *pieces));

#endif
