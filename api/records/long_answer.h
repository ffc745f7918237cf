/* Answers with a long body that is made part by part while it is sent (struct http_pieces): what
 * all of them need. What a part takes of a processor is charged to who asked, as the beginning was.
 */
#ifndef TILLROLL_API_RECORDS_LONG_ANSWER_H
#define TILLROLL_API_RECORDS_LONG_ANSWER_H

#include "api/request/call.h"

/* Embedded, as the first member, in a struct of the code that makes the body. */
struct long_answer {
    struct http_pieces pieces;
    struct service *service;
    struct http_request request; /* as far as it says to whom work is charged */
    struct id player;
    bool signed_in, metered;
    /* Makes the next part, as http_pieces.next does. The call has an arena and a response that last
     * until the function returns, and no connection. A worker's thread. */
    bool (*next)(struct long_answer *answer, struct call *call, struct span *part, bool *last);
};

/* Makes `answer`, zeroed by its maker, the body of the call's response, which owns it from now on
 * and frees it with `drop`. */
void long_answer_give(struct call *call, struct long_answer *answer,
                      bool (*next)(struct long_answer *answer, struct call *call, struct span *part,
                                   bool *last),
                      void (*drop)(struct http_pieces *pieces));

#endif
