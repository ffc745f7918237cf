#include "api/notify/post.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <curl/curl.h>

#include "api/notify/target.h"

/* BODY_MOST, HEAD_MOST: of an answer; a longer one is cut off. */
enum { BODY_MOST = 64 * 1024, HEAD_MOST = 64 * 1024, CONNECT_MS = 5000, CONNECTIONS_KEPT = 64 };

/* One request. */
struct post {
    struct poster *poster;
    struct post *previous, *next;
    CURL *curl;
    struct curl_slist *headers;
    void *subject;
    size_t body, head; /* bytes that came */
    bool closed;       /* an address was refused */
};

struct poster {
    CURLM *multi;
    unsigned timeout_ms;
    bool private_too;
    post_done *done;
    void *owner;
    struct post *first; /* of those that have begun */
};

/* ---- Limits ---- */

static curl_socket_t open_socket(void *context, curlsocktype purpose, struct curl_sockaddr *address)
{
    struct post *post = context;
    (void)purpose;
    if (!post->poster->private_too && !target_address_public(&address->addr)) {
        post->closed = true;
        return CURL_SOCKET_BAD;
    }
    return socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
}

static size_t take_body(char *bytes, size_t size, size_t count, void *context)
{
    struct post *post = context;
    (void)bytes;
    post->body += size * count;
    return post->body > BODY_MOST ? 0 : size * count;
}

static size_t take_head(char *bytes, size_t size, size_t count, void *context)
{
    struct post *post = context;
    (void)bytes;
    post->head += size * count;
    return post->head > HEAD_MOST ? 0 : size * count;
}

/* ---- The end of a request ---- */

static void forget(struct post *post)
{
    struct poster *poster = post->poster;
    if (post->previous != NULL)
        post->previous->next = post->next;
    else if (poster->first == post)
        poster->first = post->next;
    if (post->next != NULL)
        post->next->previous = post->previous;
    curl_multi_remove_handle(poster->multi, post->curl);
    curl_easy_cleanup(post->curl);
    curl_slist_free_all(post->headers);
    free(post);
}

/* Sentences for outcomes, which do not tell a closed port from a closed network. */
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
    default:
        return "There was no connection, or it ended before an answer.";
    }
}

static void describe(struct post_result *result, CURLcode code)
{
    if (result->outcome == POST_REFUSED)
        snprintf(result->reason, sizeof result->reason,
                 "The host's address is not on the public internet, so nothing was sent.");
    else if (result->outcome == POST_LATER)
        snprintf(result->reason, sizeof result->reason, "%s", fault_of(code));
    else if (result->status >= 300 && result->status < 400)
        snprintf(result->reason, sizeof result->reason,
                 "It answered %u, a redirect, which is not followed: enter the new address.",
                 result->status);
    else if (result->status < 200 || result->status >= 300)
        snprintf(result->reason, sizeof result->reason, "It answered %u.", result->status);
}

/* An answer counts from its status on, however its body goes on. */
static void finish(struct post *post, CURLcode code)
{
    struct post_result result = {.outcome = POST_LATER};
    struct poster *poster = post->poster;
    void *subject = post->subject;
    long status = 0;
    curl_off_t number = 0;
    curl_easy_getinfo(post->curl, CURLINFO_RESPONSE_CODE, &status);
    if (status >= 200) {
        result.outcome = POST_ANSWERED;
        result.status = (unsigned)status;
    } else if (post->closed && code == CURLE_COULDNT_CONNECT) {
        result.outcome = POST_REFUSED;
    }
    if (curl_easy_getinfo(post->curl, CURLINFO_RETRY_AFTER, &number) == CURLE_OK && number > 0)
        result.retry_after_s = number < 86400 ? (unsigned)number : 86400;
    if (curl_easy_getinfo(post->curl, CURLINFO_TOTAL_TIME_T, &number) == CURLE_OK)
        result.took_ms = (unsigned)(number / 1000);
    describe(&result, code);
    forget(post);
    poster->done(poster->owner, subject, &result);
}

/* ---- Requests ---- */

/* QUICK_EXIT: a name server that hangs is not waited for beyond the request's time. */
static bool prepare(struct post *post, const char *url, struct span body)
{
    CURL *curl = post->curl;
    const struct poster *poster = post->poster;
    return curl_easy_setopt(curl, CURLOPT_URL, url) == CURLE_OK &&
           curl_easy_setopt(curl, CURLOPT_PROTOCOLS_STR,
                            poster->private_too ? "https,http" : "https") == CURLE_OK &&
           curl_easy_setopt(curl, CURLOPT_PROXY, "") == CURLE_OK &&
           curl_easy_setopt(curl, CURLOPT_FOLLOWLOCATION, 0L) == CURLE_OK &&
           curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L) == CURLE_OK &&
           curl_easy_setopt(curl, CURLOPT_QUICK_EXIT, 1L) == CURLE_OK &&
           curl_easy_setopt(curl, CURLOPT_TIMEOUT_MS, (long)poster->timeout_ms) == CURLE_OK &&
           curl_easy_setopt(curl, CURLOPT_CONNECTTIMEOUT_MS, (long)CONNECT_MS) == CURLE_OK &&
           curl_easy_setopt(curl, CURLOPT_OPENSOCKETFUNCTION, open_socket) == CURLE_OK &&
           curl_easy_setopt(curl, CURLOPT_OPENSOCKETDATA, post) == CURLE_OK &&
           curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, take_body) == CURLE_OK &&
           curl_easy_setopt(curl, CURLOPT_WRITEDATA, post) == CURLE_OK &&
           curl_easy_setopt(curl, CURLOPT_HEADERFUNCTION, take_head) == CURLE_OK &&
           curl_easy_setopt(curl, CURLOPT_HEADERDATA, post) == CURLE_OK &&
           curl_easy_setopt(curl, CURLOPT_HTTPHEADER, post->headers) == CURLE_OK &&
           curl_easy_setopt(curl, CURLOPT_USERAGENT, "tillroll") == CURLE_OK &&
           curl_easy_setopt(curl, CURLOPT_POSTFIELDSIZE, (long)body.length) == CURLE_OK &&
           curl_easy_setopt(curl, CURLOPT_COPYPOSTFIELDS, body.at) == CURLE_OK &&
           curl_easy_setopt(curl, CURLOPT_PRIVATE, post) == CURLE_OK;
}

static bool add_headers(struct post *post, const char *const *headers)
{
    for (; *headers != NULL; headers++) {
        struct curl_slist *longer = curl_slist_append(post->headers, *headers);
        if (longer == NULL)
            return false;
        post->headers = longer;
    }
    struct curl_slist *longer = curl_slist_append(post->headers, "Expect:");
    if (longer != NULL)
        post->headers = longer;
    return longer != NULL;
}

bool poster_send(struct poster *poster, const char *url, const char *const *headers,
                 struct span body, void *subject)
{
    struct post *post = calloc(1, sizeof *post);
    if (post == NULL)
        return false;
    *post = (struct post){.poster = poster, .subject = subject, .curl = curl_easy_init()};
    if (post->curl == NULL || !add_headers(post, headers) || !prepare(post, url, body) ||
        curl_multi_add_handle(poster->multi, post->curl) != CURLM_OK) {
        curl_easy_cleanup(post->curl);
        curl_slist_free_all(post->headers);
        free(post);
        return false;
    }
    post->next = poster->first;
    if (post->next != NULL)
        post->next->previous = post;
    poster->first = post;
    return true;
}

/* ---- All requests ---- */

struct poster *poster_new(unsigned timeout_ms, bool private_too, post_done *done, void *owner)
{
    struct poster *poster = calloc(1, sizeof *poster);
    if (poster == NULL)
        return NULL;
    *poster = (struct poster){.multi = curl_multi_init(),
                              .timeout_ms = timeout_ms,
                              .private_too = private_too,
                              .done = done,
                              .owner = owner};
    if (poster->multi != NULL &&
        curl_multi_setopt(poster->multi, CURLMOPT_MAXCONNECTS, (long)CONNECTIONS_KEPT) == CURLM_OK)
        return poster;
    poster_free(poster);
    return NULL;
}

void poster_turn(struct poster *poster, unsigned wait_ms)
{
    int running;
    int left;
    CURLMsg *message;
    curl_multi_perform(poster->multi, &running);
    bool ended = false;
    while ((message = curl_multi_info_read(poster->multi, &left)) != NULL) {
        struct post *post = NULL;
        CURLcode code = message->data.result;
        if (message->msg != CURLMSG_DONE ||
            curl_easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, (char **)&post) != CURLE_OK)
            continue;
        finish(post, code);
        ended = true;
    }
    if (!ended)
        curl_multi_poll(poster->multi, NULL, 0, (int)wait_ms, NULL);
}

void poster_wake(struct poster *poster)
{
    curl_multi_wakeup(poster->multi);
}

void poster_free(struct poster *poster)
{
    if (poster == NULL)
        return;
    while (poster->first != NULL)
        forget(poster->first);
    curl_multi_cleanup(poster->multi);
    free(poster);
}
