/* What tests of the server from the inside have in common: a configuration with room and time
 * enough, and refusals without a body. */
#ifndef TILLROLL_TESTS_API_HTTP_SERVING_H
#define TILLROLL_TESTS_API_HTTP_SERVING_H

#include "api/http/server.h"

static inline void serving_refuse(const struct gate_refusal *refusal, struct arena *arena,
                                  struct http_response *response)
{
    (void)arena;
    response->status = refusal->status;
}

/* The handler is the caller's to set. `address` is borrowed. */
static inline struct server_config serving_config(const char *address, unsigned connections)
{
    return (struct server_config){.address = address,
                                  .workers = 2,
                                  .queue_max = 4,
                                  .connections_max = connections,
                                  .connections_per_address_max = connections,
                                  .connections_per_network_max = connections,
                                  .header_deadline_ms = 30000,
                                  .body_deadline_ms = 30000,
                                  .send_deadline_ms = 30000,
                                  .idle_ms = 30000,
                                  .refuse = serving_refuse};
}

#endif
