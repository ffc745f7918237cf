/* The routes of a witness's drop box.
 *
 *      POST /add-deposit                    {"deposit": ".."}: 200 {"receipt": ".."}
 *      GET  /deposits/<game>                public part: a line `<seconds> <hash>` for each
 *      GET  /deposits/<game>/<secret>       {"deposits": [".."]}: files of deposit and receipt,
 *                                           for callers with the secret behind the game's luck
 */
#ifndef TILLROLL_API_CLI_WITNESS_DEPOSIT_HTTP_H
#define TILLROLL_API_CLI_WITNESS_DEPOSIT_HTTP_H

#include "api/cli/witness/deposit_box.h"
#include "api/cli/witness/party_http.h"
#include "api/cli/witness/witness_cosign.h"

/* Answers, and returns true, if the path is one of these. `title`: see party_problem(). Any
 * thread. */
bool deposit_http_answer(struct deposit_box *box, const struct witness *witness, const char *title,
                         const struct http_request *request, struct arena *arena,
                         struct http_response *response);

#endif
