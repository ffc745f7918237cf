#include "api/cli/client.h"

#include <curl/curl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "api/cli/table.h"
#include "db/link/now.h"
#include "engine/base/sha256.h"
#include "engine/game/component_list.h"
#include "engine/game/component_reader.h"

enum {
    ANSWER_MAX = 16 * 1024 * 1024,
    PATH_MAX_BYTES = 256,
    TRIES = 7,
    JOB_LOOK_MS = 500,
    SIGNATURES_MOST = 8
};

struct client {
    CURL *curl;
    struct curl_slist *headers;
    char *server;
    char path[PATH_MAX_BYTES];
    char url[PATH_MAX_BYTES + 256];
    char *answer;
    size_t length, capacity;
    client_signer *signer; /* NULL = texts are not signed */
    void *signer_context;
    bool met;                         /* the service has answered before */
    CURLcode outcome;                 /* of the last attempt */
    long reason;                      /* errno of the last attempt; 0 = none */
    struct component_list components; /* of the games played with this client */
};

static size_t take(char *bytes, size_t size, size_t count, void *context)
{
    struct client *client = context;
    size_t more = size * count;
    client->met = true;
    if (client->length + more + 1 > ANSWER_MAX)
        return 0;
    if (client->length + more + 1 > client->capacity) {
        size_t capacity = 2 * (client->length + more + 1);
        char *answer = realloc(client->answer, capacity);
        if (answer == NULL)
            return 0;
        client->answer = answer;
        client->capacity = capacity;
    }
    memcpy(client->answer + client->length, bytes, more);
    client->length += more;
    client->answer[client->length] = '\0';
    return more;
}

static void set_headers(struct client *client, const char *token)
{
    char bytes[128];
    struct text field = TEXT_OVER(bytes);
    client->headers = curl_slist_append(client->headers, "Content-Type: application/json");
    if (token == NULL)
        return;
    text_add(&field, "Authorization: Bearer ");
    text_add(&field, token);
    client->headers = curl_slist_append(client->headers, bytes);
}

/* Options of requests other than streams. */
static void set_usual(struct client *client)
{
    curl_easy_setopt(client->curl, CURLOPT_HTTPHEADER, client->headers);
    curl_easy_setopt(client->curl, CURLOPT_WRITEFUNCTION, take);
    curl_easy_setopt(client->curl, CURLOPT_WRITEDATA, client);
    curl_easy_setopt(client->curl, CURLOPT_TIMEOUT_MS, 30000L);
    curl_easy_setopt(client->curl, CURLOPT_LOW_SPEED_LIMIT, 0L);
}

struct client *client_new(const char *server, const char *token)
{
    struct client *client = calloc(1, sizeof *client);
    if (client == NULL)
        return NULL;
    client->curl = curl_easy_init();
    client->server = strdup(server);
    if (client->curl == NULL || client->server == NULL || strlen(server) > 200) {
        fprintf(stderr, "tillroll: cannot start a client for this server\n");
        client_free(client);
        return NULL;
    }
    set_headers(client, token);
    set_usual(client);
    curl_easy_setopt(client->curl, CURLOPT_CONNECTTIMEOUT_MS, 5000L);
    curl_easy_setopt(client->curl, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(client->curl, CURLOPT_PROTOCOLS_STR, "http,https");
    return client;
}

void client_free(struct client *client)
{
    if (client == NULL)
        return;
    curl_slist_free_all(client->headers);
    if (client->curl != NULL)
        curl_easy_cleanup(client->curl);
    free(client->server);
    free(client->answer);
    component_list_free(&client->components);
    free(client);
}

/* Makes one attempt. Returns the HTTP status, or 0 without a response. */
static long send_once(struct client *client, const char *method, const char *path, const char *body)
{
    long status = 0;
    struct text url = TEXT_OVER(client->url);
    text_add(&url, client->server);
    text_add(&url, path);
    client->length = 0;
    curl_easy_setopt(client->curl, CURLOPT_URL, client->url);
    curl_easy_setopt(client->curl, CURLOPT_CUSTOMREQUEST, method);
    if (body != NULL) {
        curl_easy_setopt(client->curl, CURLOPT_POSTFIELDS, body);
        curl_easy_setopt(client->curl, CURLOPT_POSTFIELDSIZE, (long)strlen(body));
    } else {
        curl_easy_setopt(client->curl, CURLOPT_HTTPGET, 1L);
        curl_easy_setopt(client->curl, CURLOPT_CUSTOMREQUEST, method);
    }
    client->outcome = url.overflow ? CURLE_URL_MALFORMAT : curl_easy_perform(client->curl);
    client->reason = 0;
    if (client->outcome == CURLE_OK)
        curl_easy_getinfo(client->curl, CURLINFO_RESPONSE_CODE, &status);
    else
        curl_easy_getinfo(client->curl, CURLINFO_OS_ERRNO, &client->reason);
    client->met = client->met || status != 0;
    return status;
}

void client_print_away(const struct client *client)
{
    const char *why = client->outcome == CURLE_COULDNT_CONNECT && client->reason != 0
                          ? strerrordesc_np((int)client->reason)
                          : curl_easy_strerror(client->outcome);
    fprintf(
        stderr,
        "tillroll: cannot reach %s: %s. Is the service running? Use --server or TILLROLL_SERVER "
        "for another one.\n",
        client->server, why);
}

/* ---- Long steps (202) ---- */

static void print_progress(const json_t *job)
{
    const char *phase = json_string_value(json_object_get(job, "phase"));
    const json_t *progress = json_object_get(job, "progress");
    if (isatty(STDERR_FILENO) == 0)
        return;
    fprintf(stderr, "\r%s", phase == NULL ? "waiting" : phase);
    if (json_is_object(progress))
        fprintf(stderr, " %lld of %lld", json_integer_value(json_object_get(progress, "done")),
                json_integer_value(json_object_get(progress, "total")));
    fprintf(stderr, " ... \x1b[K");
}

static bool is_running(const json_t *job)
{
    const char *state = json_string_value(json_object_get(job, "state"));
    return state != NULL && strcmp(state, "running") == 0;
}

/* Replaces the last response with the step's result. If it is not included, it is read from its
 * address. */
static long take_result(struct client *client, const json_t *job)
{
    static const char died[] =
        "{\"detail\":\"The server stopped before this was done. Nothing was changed; try again.\"}";
    const json_t *result = json_object_get(job, "result");
    const json_t *answer = json_object_get(result, "answer");
    const char *location = json_string_value(json_object_get(result, "location"));
    char *text = json_is_object(answer) ? json_dumps(answer, JSON_COMPACT) : NULL;
    long status =
        json_is_object(result) ? (long)json_integer_value(json_object_get(result, "status")) : 503;
    client->length = 0;
    if (text == NULL && status < 300 && location != NULL)
        (void)send_once(client, "GET", location, NULL);
    else if (text != NULL)
        take(text, 1, strlen(text), client);
    else if (!json_is_object(result))
        take((char *)died, 1, strlen(died), client);
    free(text);
    return status;
}

/* Polls until the step has ended. The step continues even if the server cannot be reached. */
static long follow_job(struct client *client)
{
    char path[PATH_MAX_BYTES];
    struct text at = TEXT_OVER(path);
    json_t *job = json_loadb(client->answer, client->length, 0, NULL);
    long status = 202;
    text_add(&at, "/v1/jobs/");
    if (json_is_string(json_object_get(job, "id")))
        text_add(&at, json_string_value(json_object_get(job, "id")));
    while (is_running(job)) {
        print_progress(job);
        rest_ms(JOB_LOOK_MS);
        status = send_once(client, "GET", path, NULL);
        if (status != 200 && status != 0 && status != 429 && status != 503)
            break;
        if (status != 200)
            continue;
        json_decref(job);
        job = json_loadb(client->answer, client->length, 0, NULL);
    }
    if (isatty(STDERR_FILENO) != 0)
        fputs("\r\x1b[K", stderr);
    if (!is_running(job))
        status = take_result(client, job);
    json_decref(job);
    return status;
}

/* ---- Calls ---- */

static long send_patiently(struct client *client, const char *method, const char *path,
                           const char *text, bool safe)
{
    long status = 0;
    long pause_ms = 100;
    for (int try = 0; try < TRIES; try++) {
        status = send_once(client, method, path, text);
        if ((status != 0 && status != 503 && status != 429) ||
            (status == 0 && (!safe || !client->met)))
            break;
        rest_ms(pause_ms);
        pause_ms *= 2;
    }
    return status == 202 ? follow_job(client) : status;
}

/* Uses this header instead of the client's of the same name, if it has one, until set_usual(); the
 * list is then freed. */
static struct curl_slist *use_header(struct client *client, const char *header)
{
    struct curl_slist *headers = NULL;
    size_t name = strcspn(header, ":") + 1;
    for (const struct curl_slist *each = client->headers; each != NULL; each = each->next)
        if (strncmp(each->data, header, name) != 0)
            headers = curl_slist_append(headers, each->data);
    headers = curl_slist_append(headers, header);
    curl_easy_setopt(client->curl, CURLOPT_HTTPHEADER, headers);
    return headers;
}

static long send_with(struct client *client, const char *header, const char *method,
                      const char *path, const char *text, bool safe)
{
    struct curl_slist *headers = use_header(client, header);
    long status = send_patiently(client, method, path, text, safe);
    set_usual(client);
    curl_slist_free_all(headers);
    return status;
}

/* ---- Signatures of officials ---- */

void client_sign_with(struct client *client, client_signer *signer, void *context)
{
    client->signer = signer;
    client->signer_context = context;
}

#define SIGNATURE "Tillroll-Signature: "

/* Adds the signature that the last response asks for. False if it asks for none. */
static bool add_signature(struct client *client, struct text *signatures, bool first)
{
    char hex[CLIENT_SIGNATURE];
    json_t *problem = json_loadb(client->answer, client->length, 0, NULL);
    const char *code = json_string_value(json_object_get(problem, "code"));
    const char *text = json_string_value(json_object_get(json_object_get(problem, "sign"), "text"));
    bool asked = code != NULL && strcmp(code, "official-signature-required") == 0 && text != NULL &&
                 client->signer(client->signer_context, text, hex);
    json_decref(problem);
    if (asked && !first)
        text_add_char(signatures, ',');
    if (asked)
        text_add(signatures, hex);
    return asked;
}

/* Repeats the request with signatures. It may add several lines that must be signed: the service
 * asks for one at a time. */
static long send_signed(struct client *client, const char *method, const char *path,
                        const char *text, bool safe)
{
    char header[64 + SIGNATURES_MOST * (CLIENT_SIGNATURE + 1)] = "";
    struct text signatures = TEXT_OVER(header);
    text_add(&signatures, SIGNATURE);
    long status = send_with(client, SIGNATURE "ask", method, path, text, safe);
    for (int i = 0; i < SIGNATURES_MOST && status == 403; i++) {
        if (!add_signature(client, &signatures, i == 0))
            break;
        status = send_with(client, header, method, path, text, safe);
    }
    return status;
}

json_t *client_call(struct client *client, const char *method, const char *path, json_t *body,
                    long *status)
{
    bool reads = strcmp(method, "GET") == 0;
    bool safe = reads || json_object_get(body, "seq") != NULL;
    char *text = body == NULL ? NULL : json_dumps(body, JSON_COMPACT);
    json_decref(body);
    *status = client->signer == NULL || reads ? send_patiently(client, method, path, text, safe)
                                              : send_signed(client, method, path, text, safe);
    free(text);
    return *status == 0 || client->length == 0
               ? NULL
               : json_loadb(client->answer, client->length, 0, NULL);
}

/* The error in the response to a failed request. */
static void print_problem(const struct client *client, const char *method, const char *path,
                          long status)
{
    if (status == 0) {
        client_print_away(client);
        return;
    }
    json_t *problem =
        client->length == 0 ? NULL : json_loadb(client->answer, client->length, 0, NULL);
    const char *detail = json_string_value(json_object_get(problem, "detail"));
    table_say(stderr, "tillroll: %s %s: %ld %s\n", method, path, status,
              detail != NULL ? detail : CLIENT_STRANGE);
    json_decref(problem);
}

json_t *client_need(struct client *client, const char *method, const char *path, json_t *body)
{
    long status;
    json_t *answer = client_call(client, method, path, body, &status);
    if (status >= 200 && status < 300 && answer != NULL)
        return answer;
    print_problem(client, method, path, status);
    json_decref(answer);
    return NULL;
}

bool client_put_text(struct client *client, const char *path, const char *text)
{
    long status = send_with(client, "Content-Type: text/plain", "PUT", path, text, true);
    bool good = status >= 200 && status < 300;
    if (!good)
        print_problem(client, "PUT", path, status);
    return good;
}

char *client_text(struct client *client, const char *path)
{
    long status = send_once(client, "GET", path, NULL);
    if (status == 200 && client->answer != NULL)
        return strdup(client->answer);
    print_problem(client, "GET", path, status);
    return NULL;
}

const char *client_bytes(struct client *client, const char *path, size_t *length, long *status)
{
    *status = send_once(client, "GET", path, NULL);
    *length = client->length;
    return *status == 200 && client->answer != NULL ? client->answer : NULL;
}

const char *client_answer(const struct client *client, size_t *length)
{
    *length = client->length;
    return client->length == 0 ? NULL : client->answer;
}

/* ---- Streams ---- */

/* The received part of the current message. */
struct following {
    struct client *client;
    client_listener *listener;
    void *context;
    bool enough;
    char id[32], event[32];
};

static void take_field(struct following *following, char *line)
{
    static const char *const names[] = {"id: ", "event: "};
    char *const places[] = {following->id, following->event};
    for (size_t i = 0; i < 2; i++) {
        struct text text = {places[i], 0, sizeof following->id, false};
        if (strncmp(line, names[i], strlen(names[i])) != 0)
            continue;
        text_clear(&text);
        text_add(&text, line + strlen(names[i]));
    }
    if (strncmp(line, "data: ", 6) != 0)
        return;
    const struct client_message message = {following->id, following->event, line + 6};
    following->enough = !following->listener(following->context, &message);
    following->id[0] = '\0';
    following->event[0] = '\0';
}

/* Removes complete lines from the buffer. Each data line is a field of one line. */
static void take_lines(struct following *following)
{
    struct client *client = following->client;
    char *line = client->answer;
    char *end;
    while (!following->enough && (end = strchr(line, '\n')) != NULL) {
        *end = '\0';
        take_field(following, line);
        line = end + 1;
    }
    client->length -= (size_t)(line - client->answer);
    memmove(client->answer, line, client->length + 1);
}

static size_t take_stream(char *bytes, size_t size, size_t count, void *context)
{
    struct following *following = context;
    long status = 0;
    size_t taken = take(bytes, size, count, following->client);
    curl_easy_getinfo(following->client->curl, CURLINFO_RESPONSE_CODE, &status);
    if (taken > 0 && status == 200)
        take_lines(following);
    return following->enough ? 0 : taken;
}

static bool is_stream(const struct client *client)
{
    static const char wanted[] = "text/event-stream";
    const char *type = NULL;
    curl_easy_getinfo(client->curl, CURLINFO_CONTENT_TYPE, &type);
    return type != NULL && strncmp(type, wanted, sizeof wanted - 1) == 0;
}

/* The outcome of a connection. `strange`: the first response was not a stream. */
static enum client_followed followed(struct following *following, const char *path, long status,
                                     bool strange)
{
    if (following->enough)
        return CLIENT_STREAM_ENOUGH;
    if (status == 204)
        return CLIENT_STREAM_OVER;
    if ((status == 200 && !strange) || status == 503 || status == 429 ||
        (status == 0 && following->client->met))
        return CLIENT_STREAM_BROKEN;
    print_problem(following->client, "GET", path, status);
    return CLIENT_STREAM_REFUSED;
}

/* A comment comes every 15 seconds; after a minute of silence the connection is dead. */
enum client_followed client_follow(struct client *client, const char *path, const char *after,
                                   client_listener *listener, void *context)
{
    char bytes[64];
    struct text field = TEXT_OVER(bytes);
    struct following following = {.client = client, .listener = listener, .context = context};
    text_add(&field, "Last-Event-ID: ");
    text_add(&field, after);
    struct curl_slist *headers = after[0] != '\0' ? use_header(client, bytes) : NULL;
    curl_easy_setopt(client->curl, CURLOPT_WRITEFUNCTION, take_stream);
    curl_easy_setopt(client->curl, CURLOPT_WRITEDATA, &following);
    curl_easy_setopt(client->curl, CURLOPT_TIMEOUT_MS, 0L);
    curl_easy_setopt(client->curl, CURLOPT_LOW_SPEED_LIMIT, 1L);
    curl_easy_setopt(client->curl, CURLOPT_LOW_SPEED_TIME, 60L);
    long status = send_once(client, "GET", path, NULL);
    bool strange = status == 200 && after[0] == '\0' && !is_stream(client);
    if (following.enough)
        status = 200;
    set_usual(client);
    curl_slist_free_all(headers);
    return followed(&following, path, status, strange);
}

const char *client_path(struct client *client, const char *path, const char *id, const char *rest)
{
    struct text text = TEXT_OVER(client->path);
    text_add_all(&text, path, id, rest);
    return client->path;
}

/* ---- Component sets ---- */

bool client_add_components(struct client *client, const uint8_t hash[static 32],
                           struct component_list *list)
{
    enum { NOT_FOUND = 404 };
    char bytes[sizeof "/v1/components/" + 2 * SHA256_BYTES];
    struct text path = TEXT_OVER(bytes);
    struct component_fault fault;
    uint8_t found[SHA256_BYTES];
    size_t length;
    long status;
    text_add(&path, "/v1/components/");
    text_add_hex(&path, hash, SHA256_BYTES);
    const char *answer = client_bytes(client, bytes, &length, &status);
    if (answer == NULL)
        return status == NOT_FOUND;
    const struct span set = {answer, length};
    sha256(found, set, (struct span){NULL, 0});
    if (memcmp(found, hash, sizeof found) == 0)
        (void)component_list_add(list, set, &fault);
    return true;
}

const struct game *client_game(struct client *client, const struct game *rules, const char *hex)
{
    struct component_list *list = &client->components;
    uint8_t hash[SHA256_BYTES];
    if (strcmp(hex, rules->components_sha256) == 0)
        return rules;
    const struct game *game = NULL;
    if (span_hex(span_of(hex), hash, sizeof hash)) {
        game = component_list_find(list, rules, hash);
        if (game == NULL && list->count > COMPONENT_LIST_MAX / 2) /* room for all versions of one */
            component_list_free(list);
        if (game == NULL && client_add_components(client, hash, list))
            game = component_list_find(list, rules, hash);
    }
    if (game == NULL)
        fprintf(stderr, "tillroll: the service does not show the component set %s of %s\n", hex,
                rules->slug);
    return game;
}
