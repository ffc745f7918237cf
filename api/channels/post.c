#include "api/channels/post.h"

#include <pthread.h>
#include <stdlib.h>
#include <sys/socket.h>

#include <curl/curl.h>

#include "api/channels/target.h"

/* ANSWER_MOST: bytes of its head, and of its body; a longer one is cut off. KEPT: lines that wait
 * for the next request, each with a few connections. */
enum { ANSWER_MOST = 64 * 1024, CONNECT_MS = 5000, KEPT = 32, WAIT_MOST_S = 86400 };

/* A request under way. */
struct request {
    const struct poster *poster;
    const struct post *post;
    size_t head, body; /* bytes that came */
    bool closed;       /* an address was refused */
};

/* What requests go out by, one after another. */
struct line {
    CURL *curl; /* it knows all that is the same for each of them, and where the request lies */
    struct request request;
};

struct poster {
    pthread_mutex_t lock;
    struct line *kept[KEPT];
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

static int look(void *context, curl_off_t total, curl_off_t now, curl_off_t to_send,
                curl_off_t sent)
{
    const struct request *request = context;
    const struct post *post = request->post;
    (void)total, (void)now, (void)to_send, (void)sent;
    return post->stop != NULL && post->stop(post->context);
}

/* ---- One request ---- */

static bool limit(CURL *curl, struct request *request, bool private_too)
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
           curl_easy_setopt(curl, CURLOPT_XFERINFOFUNCTION, look) == CURLE_OK &&
           curl_easy_setopt(curl, CURLOPT_XFERINFODATA, request) == CURLE_OK &&
           curl_easy_setopt(curl, CURLOPT_NOPROGRESS, 0L) == CURLE_OK &&
           curl_easy_setopt(curl, CURLOPT_USERAGENT, "tillroll") == CURLE_OK;
}

static bool fill(CURL *curl, const struct post *post, struct curl_slist **headers)
{
    struct curl_slist *longer = curl_slist_append(NULL, "Expect:");
    for (const char *const *each = post->headers; longer != NULL && *each != NULL; each++) {
        *headers = longer;
        longer = curl_slist_append(*headers, *each);
    }
    if (longer == NULL)
        return false;
    *headers = longer;
    return curl_easy_setopt(curl, CURLOPT_URL, post->url) == CURLE_OK &&
           curl_easy_setopt(curl, CURLOPT_HTTPHEADER, *headers) == CURLE_OK &&
           curl_easy_setopt(curl, CURLOPT_POSTFIELDSIZE, (long)post->body.length) == CURLE_OK &&
           curl_easy_setopt(curl, CURLOPT_POSTFIELDS, post->body.at) == CURLE_OK;
}

/* An answer counts from its status on, however its body goes on. */
static struct post_result result_of(CURL *curl, const struct request *request, CURLcode code)
{
    struct post_result result = {.outcome = request->closed                     ? POST_REFUSED
                                            : code == CURLE_ABORTED_BY_CALLBACK ? POST_STOPPED
                                                                                : POST_LATER};
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

/* What does not tell a closed port from a closed network. */
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

static struct line *make_line(const struct poster *poster)
{
    struct line *line = calloc(1, sizeof *line);
    if (line == NULL || (line->curl = curl_easy_init()) == NULL ||
        !limit(line->curl, &line->request, poster->private_too))
        abort();
    return line;
}

static void free_line(struct line *line)
{
    curl_easy_cleanup(line->curl);
    free(line);
}

static struct line *take_line(struct poster *poster)
{
    struct line *line = NULL;
    pthread_mutex_lock(&poster->lock);
    if (poster->count > 0)
        line = poster->kept[--poster->count];
    pthread_mutex_unlock(&poster->lock);
    return line == NULL ? make_line(poster) : line;
}

static void give_line(struct poster *poster, struct line *line)
{
    pthread_mutex_lock(&poster->lock);
    bool keep = poster->count < KEPT;
    if (keep)
        poster->kept[poster->count++] = line;
    pthread_mutex_unlock(&poster->lock);
    if (!keep)
        free_line(line);
}

/* What a line was told for one request is borrowed, and set again by the next before it goes out.
 */
struct post_result poster_send(struct poster *poster, const struct post *post, struct text *reason)
{
    struct curl_slist *headers = NULL;
    struct line *line = take_line(poster);
    line->request = (struct request){.poster = poster, .post = post};
    if (!fill(line->curl, post, &headers))
        abort();
    CURLcode code = curl_easy_perform(line->curl);
    struct post_result result = result_of(line->curl, &line->request, code);
    explain(&result, code, reason);
    (void)curl_easy_setopt(line->curl, CURLOPT_HTTPHEADER, NULL);
    (void)curl_easy_setopt(line->curl, CURLOPT_POSTFIELDS, NULL);
    give_line(poster, line);
    curl_slist_free_all(headers);
    return result;
}

/* ---- The poster ---- */

struct poster *poster_new(bool private_too)
{
    struct poster *poster = calloc(1, sizeof *poster);
    if (poster == NULL || pthread_mutex_init(&poster->lock, NULL) != 0)
        abort();
    poster->private_too = private_too;
    return poster;
}

bool poster_private_too(const struct poster *poster)
{
    return poster->private_too;
}

void poster_free(struct poster *poster)
{
    if (poster == NULL)
        return;
    while (poster->count > 0)
        free_line(poster->kept[--poster->count]);
    pthread_mutex_destroy(&poster->lock);
    free(poster);
}
