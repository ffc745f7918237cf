/* Hands a mail to a mail server by SMTP (RFC 5321), with libcurl. */
#ifndef TILLROLL_API_MAIL_SMTP_H
#define TILLROLL_API_MAIL_SMTP_H

#include <stdbool.h>

#include "engine/base/text.h"

enum smtp_result {
    SMTP_SENT,
    SMTP_LATER, /* no connection, or a fault of the server or of its settings: worth another attempt
                 */
    SMTP_REFUSED /* the server refuses this mail (550 to 559) */
};

/* All texts are borrowed. */
struct smtp_server {
    /* smtp://host:port or smtps://host:port. With smtp:// the connection is encrypted with STARTTLS
     * before any part of the mail or the password is sent, and given up if the server cannot do
     * that; only localhost, 127.0.0.1 and [::1] may be used without encryption. Certificates are
     * checked. */
    const char *url;
    const char *user, *password; /* NULL = the server requires none */
    unsigned timeout_ms;         /* for the whole exchange */
    bool (*stop)(void *context); /* true = give up; called about once a second; NULL = never */
    void *context;
};

/* True if `url` has the form above. Pure. */
bool smtp_url_good(const char *url);

/* Sends `message` (api/mail/message.h) from one address to another; both must have passed
 * message_address(). Blocks for up to the timeout.
 *
 * Unless the mail is sent, appends a sentence to `reason`, without addresses, URL, password or
 * words of the server. Any thread. */
enum smtp_result smtp_send(const struct smtp_server *server, const char *from, const char *to,
                           struct span message, struct text *reason);

#endif
