#include "api/channels/post.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include <curl/curl.h>

#include "api/channels/target.h"
#include "engine/base/arena.h"

/* ANSWER_MOST: limit of bytes of a response's head, and of its body; longer ones are cut off. KEPT:
 * clients kept for the next requests. STOP_MS: interval of the calls of `stop`. */
enum { ANSWER_MOST = 64 * 1024, CONNECT_MS = 5000, KEPT = 32, WAIT_MOST_S = 86400, STOP_MS = 1000 };

/* A request under way. */
struct request {
    CURL *curl; /* has the options that are the same for each request, and the address of this
                   struct */
    const struct poster *poster;
    struct post_part *part; /* NULL = unused */
    struct curl_slist *headers;
    size_t head, body; /* bytes received */
    bool closed;       /* an address was refused */
};

/* The handles for up to POST_TOGETHER simultaneous requests, and later for others. */
struct post_client {
    CURLM *multi; /* holds the connections */
    struct request requests[POST_TOGETHER];
};

struct poster {
    pthread_mutex_t lock;
    struct post_client *kept[KEPT];
    size_t count;
    bool private_too;
};

/* ---- Limits ---- */

static curl_socket_t open_socket(void *context, curlsocktype purpose, struct curl_sockaddr *address)
{
    struct request *request = context;
    (void)purpose;
    if (!request->poster->private_too && !target_address_public(&address->addr)) {
        request->closed = true;
        return CURL_SOCKET_BAD;
    }
    return socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
}

static size_t take_body(char *bytes, size_t size, size_t count, void *context)
{
    struct request *request = context;
    (void)bytes;
    request->body += size * count;
    return request->body > ANSWER_MOST ? 0 : size * count;
}

static size_t take_head(char *bytes, size_t size, size_t count, void *context)
{
    struct request *request = context;
    (void)bytes;
    request->head += size * count;
    return request->head > ANSWER_MOST ? 0 : size * count;
}

/* ---- One request ---- */

static bool set_limits(CURL *curl, struct request *request, bool private_too)
{
    return curl_easy_setopt(curl, CURLOPT_PROTOCOLS_STR, private_too ? "https,http" : "https") ==
               CURLE_OK &&
           curl_easy_setopt(curl, CURLOPT_PROXY, "") == CURLE_OK &&
           curl_easy_setopt(curl, CURLOPT_FOLLOWLOCATION, 0L) == CURLE_OK &&
           curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L) == CURLE_OK &&
           curl_easy_setopt(curl, CURLOPT_DNS_CACHE_TIMEOUT, 0L) == CURLE_OK &&
           curl_easy_setopt(curl, CURLOPT_QUICK_EXIT, 1L) == CURLE_OK &&
           curl_easy_setopt(curl, CURLOPT_TIMEOUT_MS, (long)POST_TIMEOUT_MS) == CURLE_OK &&
           curl_easy_setopt(curl, CURLOPT_CONNECTTIMEOUT_MS, (long)CONNECT_MS) == CURLE_OK &&
           curl_easy_setopt(curl, CURLOPT_OPENSOCKETFUNCTION, open_socket) == CURLE_OK &&
           curl_easy_setopt(curl, CURLOPT_OPENSOCKETDATA, request) == CURLE_OK &&
           curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, take_body) == CURLE_OK &&
           curl_easy_setopt(curl, CURLOPT_WRITEDATA, request) == CURLE_OK &&
           curl_easy_setopt(curl, CURLOPT_HEADERFUNCTION, take_head) == CURLE_OK &&
           curl_easy_setopt(curl, CURLOPT_HEADERDATA, request) == CURLE_OK &&
           curl_easy_setopt(curl, CURLOPT_PRIVATE, request) == CURLE_OK &&
           curl_easy_setopt(curl, CURLOPT_USERAGENT, "tillroll") == CURLE_OK;
}

static bool set_request(CURL *curl, const struct post *post, struct curl_slist **headers)
{
    struct curl_slist *longer = curl_slist_append(NULL, "Expect:");
    for (const char *const *each = post->headers; longer != NULL && *each != NULL; each++) {
        *headers = longer;
        longer = curl_slist_append(*headers, *each);
    }
    if (longer == NULL)
        return false;
    *headers = longer;
    /* Requests to one host wait for its first connection, and share it if it speaks HTTP/2. With
     * TLS this is known after the handshake; without TLS only after a response, and a host that
     * hangs never sends one. */
    long shares = strncmp(post->url, "https:", strlen("https:")) == 0;
    return curl_easy_setopt(curl, CURLOPT_URL, post->url) == CURLE_OK &&
           curl_easy_setopt(curl, CURLOPT_PIPEWAIT, shares) == CURLE_OK &&
           curl_easy_setopt(curl, CURLOPT_HTTPHEADER, *headers) == CURLE_OK &&
           curl_easy_setopt(curl, CURLOPT_POSTFIELDSIZE, (long)post->body.length) == CURLE_OK &&
           curl_easy_setopt(curl, CURLOPT_POSTFIELDS, post->body.at) == CURLE_OK;
}

/* A response counts as soon as its status has arrived, whether or not its body is complete. */
static struct post_result result_of(const struct request *request, CURLcode code)
{
    struct post_result result = {.outcome = request->closed                     ? POST_REFUSED
                                            : code == CURLE_ABORTED_BY_CALLBACK ? POST_STOPPED
                                                                                : POST_LATER};
    CURL *curl = request->curl;
    long status = 0;
    curl_off_t number = 0;
    curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &status);
    if (status >= 200) {
        result.outcome = POST_ANSWERED;
        result.status = (unsigned)status;
    }
    if (curl_easy_getinfo(curl, CURLINFO_RETRY_AFTER, &number) == CURLE_OK && number > 0)
        result.retry_after_s = number < WAIT_MOST_S ? (unsigned)number : WAIT_MOST_S;
    if (curl_easy_getinfo(curl, CURLINFO_TOTAL_TIME_T, &number) == CURLE_OK)
        result.took_ms = (unsigned)(number / 1000);
    return result;
}

/* The sentence for a failure; it does not distinguish a closed port from a closed network. */
static const char *fault_of(CURLcode code)
{
    switch (code) {
    case CURLE_COULDNT_RESOLVE_HOST:
        return "The host's name was not found.";
    case CURLE_PEER_FAILED_VERIFICATION:
    case CURLE_SSL_CONNECT_ERROR:
        return "No encrypted connection could be made: look at the certificate.";
    case CURLE_OPERATION_TIMEDOUT:
        return "There was no answer in time.";
    case CURLE_ABORTED_BY_CALLBACK:
        return "The service was stopped.";
    default:
        return "There was no connection, or it ended before an answer.";
    }
}

static void explain(const struct post_result *result, CURLcode code, struct text *reason)
{
    if (result->outcome == POST_REFUSED) {
        text_add(reason, "The host's address is not on the public internet; nothing was sent.");
    } else if (result->outcome != POST_ANSWERED) {
        text_add(reason, fault_of(code));
    } else if (result->status >= 300) {
        text_add(reason, "It answered ");
        text_add_number(reason, result->status);
        text_add(reason, result->status < 400 ? ", a redirect, which is not followed." : ".");
    }
}

/* ---- Lines ---- */

static struct post_client *make_client(void)
{
    struct post_client *client = must(calloc(1, sizeof *client));
    client->multi = must(curl_multi_init());
    return client;
}

static void free_client(struct post_client *client)
{
    for (size_t i = 0; i < POST_TOGETHER; i++)
        curl_easy_cleanup(client->requests[i].curl);
    curl_multi_cleanup(client->multi);
    free(client);
}

static struct post_client *take_client(struct poster *poster)
{
    struct post_client *client = NULL;
    pthread_mutex_lock(&poster->lock);
    if (poster->count > 0)
        client = poster->kept[--poster->count];
    pthread_mutex_unlock(&poster->lock);
    return client == NULL ? make_client() : client;
}

static void give_client(struct poster *poster, struct post_client *client)
{
    pthread_mutex_lock(&poster->lock);
    bool keep = poster->count < KEPT;
    if (keep)
        poster->kept[poster->count++] = client;
    pthread_mutex_unlock(&poster->lock);
    if (!keep)
        free_client(client);
}

/* ---- Requests at the same time ---- */

static void begin(const struct poster *poster, struct post_client *client, struct request *request,
                  struct post_part *part)
{
    CURL *curl = request->curl;
    bool made = curl != NULL;
    if (!made)
        curl = curl_easy_init();
    *request = (struct request){.curl = curl, .poster = poster, .part = part};
    if (curl == NULL || (!made && !set_limits(curl, request, poster->private_too)) ||
        !set_request(curl, &part->post, &request->headers) ||
        curl_multi_add_handle(client->multi, curl) != CURLM_OK)
        abort();
}

/* The options of one request are borrowed, and the next request sets them again before it is
 * sent. */
static void end(struct post_client *client, struct request *request, CURLcode code)
{
    struct post_part *part = request->part;
    part->result = result_of(request, code);
    explain(&part->result, code, part->reason);
    (void)curl_multi_remove_handle(client->multi, request->curl);
    (void)curl_easy_setopt(request->curl, CURLOPT_HTTPHEADER, NULL);
    (void)curl_easy_setopt(request->curl, CURLOPT_POSTFIELDS, NULL);
    curl_slist_free_all(request->headers);
    request->part = NULL;
}

/* Ends the requests that are done, and returns their number. */
static size_t end_done(struct post_client *client,
                       void (*ended)(void *context, struct post_part *part), void *context)
{
    size_t count = 0;
    int left;
    for (CURLMsg *message; (message = curl_multi_info_read(client->multi, &left)) != NULL;) {
        struct request *request = NULL;
        if (message->msg != CURLMSG_DONE ||
            curl_easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, &request) != CURLE_OK)
            continue;
        struct post_part *part = request->part;
        end(client, request, message->data.result);
        count++;
        if (ended != NULL)
            ended(context, part);
    }
    return count;
}

static void stop_all(struct post_client *client,
                     void (*ended)(void *context, struct post_part *part), void *context)
{
    for (size_t i = 0; i < POST_TOGETHER; i++) {
        struct post_part *part = client->requests[i].part;
        if (part == NULL)
            continue;
        end(client, &client->requests[i], CURLE_ABORTED_BY_CALLBACK);
        if (ended != NULL)
            ended(context, part);
    }
}

void poster_send_all(struct poster *poster, struct post_part *parts, size_t count,
                     bool (*stop)(void *context),
                     void (*ended)(void *context, struct post_part *part), void *context)
{
    if (count == 0)
        return;
    struct post_client *client = take_client(poster);
    size_t left = count;
    int running;
    for (size_t i = 0; i < count; i++)
        begin(poster, client, &client->requests[i], &parts[i]);
    for (;;) {
        if (curl_multi_perform(client->multi, &running) != CURLM_OK)
            abort();
        left -= end_done(client, ended, context);
        if (left == 0)
            break;
        if (stop != NULL && stop(context)) {
            stop_all(client, ended, context);
            break;
        }
        if (curl_multi_poll(client->multi, NULL, 0, STOP_MS, NULL) != CURLM_OK)
            abort();
    }
    give_client(poster, client);
}

struct post_result poster_send(struct poster *poster, const struct post *post, struct text *reason)
{
    struct post_part part = {.post = *post, .reason = reason};
    poster_send_all(poster, &part, 1, post->stop, NULL, post->context);
    return part.result;
}

/* ---- The poster ---- */

struct poster *poster_new(bool private_too)
{
    struct poster *poster = must(calloc(1, sizeof *poster));
    pthread_mutex_init(&poster->lock, NULL);
    poster->private_too = private_too;
    return poster;
}

void poster_free(struct poster *poster)
{
    if (poster == NULL)
        return;
    while (poster->count > 0)
        free_client(poster->kept[--poster->count]);
    pthread_mutex_destroy(&poster->lock);
    free(poster);
}
