/* libcurl, loaded at the first call: it needs twelve libraries that nothing else needs, and a
 * service that sends nothing never calls it. These functions replace libcurl's own under the same
 * names, so callers need not know; they are hidden in the program, so that libcurl's calls of
 * itself do not reach them. */
#include <assert.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "api/base/late.h"

#define CURL_DISABLE_TYPECHECK
#pragma GCC visibility push(hidden)
#include <curl/curl.h>
#pragma GCC visibility pop

#define FUNCTIONS(X)                                                                               \
    X(curl_easy_cleanup)                                                                           \
    X(curl_easy_getinfo)                                                                           \
    X(curl_easy_init)                                                                              \
    X(curl_easy_perform)                                                                           \
    X(curl_easy_setopt)                                                                            \
    X(curl_easy_strerror)                                                                          \
    X(curl_free)                                                                                   \
    X(curl_global_init)                                                                            \
    X(curl_multi_add_handle)                                                                       \
    X(curl_multi_cleanup)                                                                          \
    X(curl_multi_info_read)                                                                        \
    X(curl_multi_init)                                                                             \
    X(curl_multi_perform)                                                                          \
    X(curl_multi_poll)                                                                             \
    X(curl_multi_remove_handle)                                                                    \
    X(curl_multi_wakeup)                                                                           \
    X(curl_slist_append)                                                                           \
    X(curl_slist_free_all)                                                                         \
    X(curl_url)                                                                                    \
    X(curl_url_cleanup)                                                                            \
    X(curl_url_get)                                                                                \
    X(curl_url_set)

#define DECLARE(name) __typeof__(name) *name;
static struct {
    FUNCTIONS(DECLARE)
} curl;

#define PLACE(name) {#name, &curl.name},
static const struct late_function functions[] = {FUNCTIONS(PLACE)};

static void load(void)
{
    late_load(TILLROLL_LIBCURL, functions, sizeof functions / sizeof functions[0]);
    CURLcode code = curl.curl_global_init(CURL_GLOBAL_DEFAULT);
    if (code == CURLE_OK)
        return;
    fprintf(stderr, "tillroll: %s does not start: error %d\n", TILLROLL_LIBCURL, (int)code);
    abort();
}

static void load_once(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, load);
}

/* ---- Functions that create something: load libcurl ---- */

CURL *curl_easy_init(void)
{
    load_once();
    return curl.curl_easy_init();
}

CURLM *curl_multi_init(void)
{
    load_once();
    return curl.curl_multi_init();
}

struct curl_slist *curl_slist_append(struct curl_slist *list, const char *text)
{
    load_once();
    return curl.curl_slist_append(list, text);
}

CURLU *curl_url(void)
{
    load_once();
    return curl.curl_url();
}

const char *curl_easy_strerror(CURLcode code)
{
    load_once();
    return curl.curl_easy_strerror(code);
}

/* ---- Functions that free something, and may be given NULL before libcurl is loaded ---- */

void curl_slist_free_all(struct curl_slist *list)
{
    if (list != NULL)
        curl.curl_slist_free_all(list);
}

void curl_free(void *bytes)
{
    if (bytes != NULL)
        curl.curl_free(bytes);
}

void curl_url_cleanup(CURLU *url)
{
    if (url != NULL)
        curl.curl_url_cleanup(url);
}

void curl_easy_cleanup(CURL *easy)
{
    if (easy != NULL)
        curl.curl_easy_cleanup(easy);
}

CURLMcode curl_multi_cleanup(CURLM *multi)
{
    return multi == NULL ? CURLM_BAD_HANDLE : curl.curl_multi_cleanup(multi);
}

/* ---- Functions that use something created before ---- */

/* Reads the argument with the type that libcurl uses for the option. */
CURLcode(curl_easy_setopt)(CURL *easy, CURLoption option, ...)
{
    CURLcode code;
    va_list arguments;
    va_start(arguments, option);
    static_assert(sizeof(long) == sizeof(curl_off_t), "a number is read in the same way");
    if (option < CURLOPTTYPE_OBJECTPOINT ||
        (option >= CURLOPTTYPE_OFF_T && option < CURLOPTTYPE_BLOB)) {
        long number = va_arg(arguments, long);
        code = curl.curl_easy_setopt(easy, option, number);
    } else {
        void *pointer = va_arg(arguments, void *);
        code = curl.curl_easy_setopt(easy, option, pointer);
    }
    va_end(arguments);
    return code;
}

CURLcode(curl_easy_getinfo)(CURL *easy, CURLINFO what, ...)
{
    va_list arguments;
    va_start(arguments, what);
    CURLcode code = curl.curl_easy_getinfo(easy, what, va_arg(arguments, void *));
    va_end(arguments);
    return code;
}

CURLcode curl_easy_perform(CURL *easy)
{
    return curl.curl_easy_perform(easy);
}

CURLMcode curl_multi_add_handle(CURLM *multi, CURL *easy)
{
    return curl.curl_multi_add_handle(multi, easy);
}

CURLMcode curl_multi_remove_handle(CURLM *multi, CURL *easy)
{
    return curl.curl_multi_remove_handle(multi, easy);
}

CURLMcode curl_multi_perform(CURLM *multi, int *running)
{
    return curl.curl_multi_perform(multi, running);
}

CURLMsg *curl_multi_info_read(CURLM *multi, int *left)
{
    return curl.curl_multi_info_read(multi, left);
}

CURLMcode curl_multi_poll(CURLM *multi, struct curl_waitfd further[], unsigned count,
                          int timeout_ms, int *ready)
{
    return curl.curl_multi_poll(multi, further, count, timeout_ms, ready);
}

CURLMcode curl_multi_wakeup(CURLM *multi)
{
    return curl.curl_multi_wakeup(multi);
}

CURLUcode curl_url_get(CURLU *url, CURLUPart part, char **text, unsigned flags)
{
    return curl.curl_url_get(url, part, text, flags);
}

CURLUcode curl_url_set(CURLU *url, CURLUPart part, const char *text, unsigned flags)
{
    return curl.curl_url_set(url, part, text, flags);
}
