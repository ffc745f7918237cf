#include "api/mail/smtp.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include <curl/curl.h>

/* CURLOPT_READFUNCTION: removes the next bytes from the span. */
static size_t read_message(char *buffer, size_t size, size_t count, void *context)
{
    struct span *rest = context;
    size_t length = size * count < rest->length ? size * count : rest->length;
    memcpy(buffer, rest->at, length);
    rest->at += length;
    rest->length -= length;
    return length;
}

/* CURLOPT_XFERINFOFUNCTION: any result but 0 means to give up. */
static int must_stop(void *context, curl_off_t total, curl_off_t now, curl_off_t to_send,
                     curl_off_t sent)
{
    const struct smtp_server *server = context;
    (void)total, (void)now, (void)to_send, (void)sent;
    return server->stop != NULL && server->stop(server->context);
}

/* Returns a part of a URL, to be freed with curl_free(); NULL if the URL has no such part, or is
 * not valid. */
static char *part_of(const char *url, CURLUPart part)
{
    char *found = NULL;
    CURLU *parts = curl_url();
    if (parts == NULL || curl_url_set(parts, CURLUPART_URL, url, 0) != CURLUE_OK ||
        curl_url_get(parts, part, &found, 0) != CURLUE_OK)
        found = NULL;
    curl_url_cleanup(parts);
    return found;
}

static bool is_this_machine(const char *url)
{
    char *host = part_of(url, CURLUPART_HOST);
    bool own = host != NULL && (strcmp(host, "localhost") == 0 || strcmp(host, "127.0.0.1") == 0 ||
                                strcmp(host, "[::1]") == 0);
    curl_free(host);
    return own;
}

bool smtp_url_good(const char *url)
{
    char *scheme = part_of(url, CURLUPART_SCHEME);
    char *host = part_of(url, CURLUPART_HOST);
    char *user = part_of(url, CURLUPART_USER);
    bool good = scheme != NULL && host != NULL && host[0] != '\0' && user == NULL &&
                (strcmp(scheme, "smtp") == 0 || strcmp(scheme, "smtps") == 0);
    curl_free(scheme);
    curl_free(host);
    curl_free(user);
    return good;
}

static bool sign_in(CURL *curl, const struct smtp_server *server)
{
    return server->user == NULL ||
           (curl_easy_setopt(curl, CURLOPT_USERNAME, server->user) == CURLE_OK &&
            curl_easy_setopt(curl, CURLOPT_PASSWORD, server->password) == CURLE_OK);
}

static bool prepare(CURL *curl, const struct smtp_server *server, const char *from,
                    struct curl_slist *to, struct span *rest)
{
    char path[300];
    struct text sender = TEXT_OVER(path);
    text_add_all(&sender, "<", from, ">");
    long security = is_this_machine(server->url) ? (long)CURLUSESSL_NONE : (long)CURLUSESSL_ALL;
    return !sender.overflow && curl_easy_setopt(curl, CURLOPT_URL, server->url) == CURLE_OK &&
           curl_easy_setopt(curl, CURLOPT_PROTOCOLS_STR, "smtp,smtps") == CURLE_OK &&
           curl_easy_setopt(curl, CURLOPT_PROXY, "") == CURLE_OK &&
           curl_easy_setopt(curl, CURLOPT_USE_SSL, security) == CURLE_OK &&
           curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L) == CURLE_OK &&
           curl_easy_setopt(curl, CURLOPT_TIMEOUT_MS, (long)server->timeout_ms) == CURLE_OK &&
           curl_easy_setopt(curl, CURLOPT_XFERINFOFUNCTION, must_stop) == CURLE_OK &&
           curl_easy_setopt(curl, CURLOPT_XFERINFODATA, server) == CURLE_OK &&
           curl_easy_setopt(curl, CURLOPT_NOPROGRESS, 0L) == CURLE_OK && sign_in(curl, server) &&
           curl_easy_setopt(curl, CURLOPT_MAIL_FROM, path) == CURLE_OK &&
           curl_easy_setopt(curl, CURLOPT_MAIL_RCPT, to) == CURLE_OK &&
           curl_easy_setopt(curl, CURLOPT_READFUNCTION, read_message) == CURLE_OK &&
           curl_easy_setopt(curl, CURLOPT_READDATA, rest) == CURLE_OK &&
           curl_easy_setopt(curl, CURLOPT_UPLOAD, 1L) == CURLE_OK;
}

enum smtp_result smtp_send(const struct smtp_server *server, const char *from, const char *to,
                           struct span message, struct text *reason)
{
    enum smtp_result result = SMTP_LATER;
    struct span rest = message;
    CURL *curl = curl_easy_init();
    struct curl_slist *recipients = curl_slist_append(NULL, to);
    if (curl == NULL || recipients == NULL || !prepare(curl, server, from, recipients, &rest)) {
        text_add(reason, "The mail could not be prepared: memory or the server's URL is at fault.");
        goto done;
    }
    CURLcode code = curl_easy_perform(curl);
    if (code == CURLE_OK) {
        result = SMTP_SENT;
        goto done;
    }
    long answer = 0;
    curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &answer);
    if (answer >= 550 && answer <= 559)
        result = SMTP_REFUSED;
    text_add(reason, curl_easy_strerror(code));
    text_add(reason, " (last answer of the mail server: ");
    text_add_number(reason, answer);
    text_add(reason, ").");
done:
    curl_slist_free_all(recipients);
    curl_easy_cleanup(curl);
    return result;
}
