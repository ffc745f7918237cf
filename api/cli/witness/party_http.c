#include "api/cli/witness/party_http.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/cli/cli.h"

void party_problem(struct http_response *response, struct arena *arena, int status,
                   const char *title, const char *code, const char *detail)
{
    json_t *document = json_pack("{s:s, s:s, s:i, s:s, s:s}", "type", "about:blank", "title", title,
                                 "status", status, "code", code, "detail", detail);
    char *text = json_dumps(document, JSON_COMPACT);
    party_text(response, arena, status, "application/problem+json",
               text == NULL ? (struct span){NULL, 0} : span_of(text));
    response->retry_after_s = status == 503 ? 2 : 0;
    free(text);
    json_decref(document);
}

void party_text(struct http_response *response, struct arena *arena, int status, const char *type,
                struct span text)
{
    response->status = status;
    response->content_type = type;
    response->body = (struct span){arena_copy(arena, text), text.length};
}

struct server_config party_server(const char *address)
{
    return (struct server_config){.address = address,
                                  .workers = 2,
                                  .queue_max = 64,
                                  .connections_max = 256,
                                  .connections_per_address_max = 32,
                                  .connections_per_network_max = 64,
                                  .header_deadline_ms = 5000,
                                  .body_deadline_ms = 10000,
                                  .send_deadline_ms = 10000,
                                  .idle_ms = 60000};
}

char *party_policy_read(const char *path, const char *command, struct trust_policy *policy)
{
    struct record_fault fault = {.line = 0};
    size_t length;
    if (path == NULL) {
        fprintf(stderr, "tillroll: %s needs --policy FILE, which names the logs\n", command);
        return NULL;
    }
    char *text = cli_read_file(path, &length);
    if (text == NULL)
        return NULL;
    if (!trust_policy_read((struct span){text, length}, policy, &fault))
        fprintf(stderr, "tillroll: %s: line %u: %s\n", path, fault.line, fault.message);
    else if (policy->logs == 0)
        fprintf(stderr, "tillroll: %s: the policy names no log\n", path);
    else
        return text;
    free(text);
    return NULL;
}
