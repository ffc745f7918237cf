#include "api/cli/witness/party_http.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/cli/cli.h"
#include "api/request/limits.h"
#include "api/watch/metrics_listener.h"
#include "db/link/now.h"

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

static void handle(void *context, const struct http_request *request, struct arena *arena,
                   struct http_response *response)
{
    const struct party *party = context;
    unsigned wait_s = limits_take(party->limits, LIMIT_WRITE, request->peer, sizeof request->peer,
                                  now_ms(CLOCK_MONOTONIC));
    if (wait_s == 0) {
        party->answer(party->context, request, arena, response);
        return;
    }
    party_problem(response, arena, 429, party->title, "too-many-requests",
                  "You have sent too many requests; wait as long as Retry-After says.");
    response->retry_after_s = (int)wait_s;
}

static int serve(struct party *party, const struct cli_given *given, struct server *server,
                 const char *address)
{
    enum { GRACE_MS = 5000 };
    const struct metrics_source source = {party->figures, party->context};
    struct metrics_listener *figures;
    if (!metrics_listener_open(&source, cli_value(given, "metrics-listen"), &figures))
        return EXIT_UNKNOWN;
    if (party->begin != NULL)
        party->begin(party->context);
    fprintf(stderr, "tillroll: %s on %s, port %u\n", party->name, address, server_port(server));
    server_run(server, 0, GRACE_MS);
    metrics_listener_free(figures);
    return EXIT_YES;
}

int party_serve(struct party *party, const struct cli_given *given, unsigned long rate)
{
    const char *address = cli_value(given, "listen");
    const struct server_config config = {.address = address == NULL ? party->address : address,
                                         .workers = 2,
                                         .queue_max = 64,
                                         .connections_max = 256,
                                         .connections_per_address_max = 32,
                                         .connections_per_network_max = 64,
                                         .header_deadline_ms = 5000,
                                         .body_deadline_ms = 10000,
                                         .send_deadline_ms = 10000,
                                         .idle_ms = 60000,
                                         .handler = handle,
                                         .context = party,
                                         .refuse = party->refuse};
    const struct limit limits[LIMIT_CLASSES] = {
        [LIMIT_WRITE] = {(uint32_t)rate, (uint32_t)rate / 10 + 1}};
    char bytes[256];
    struct text error = TEXT_OVER(bytes);
    int status = EXIT_UNKNOWN;
    party->limits = limits_new(limits);
    struct server *server = server_new(&config, &error);
    if (server == NULL) {
        cli_refuse(bytes);
    } else {
        status = serve(party, given, server, config.address);
        server_free(server);
    }
    limits_free(party->limits);
    return status;
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
