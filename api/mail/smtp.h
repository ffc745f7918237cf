/* Hands a mail to a mail server by SMTP (RFC 5321), with libcurl. */
#ifndef TILLROLL_API_MAIL_SMTP_H
#define TILLROLL_API_MAIL_SMTP_H

#include <stdbool.h>

#include "engine/base/text.h"

enum smtp_result {
    SMTP_SENT,
    SMTP_LATER,  /* no connection, a fault of the server or of its settings: worth another try */
    SMTP_REFUSED /* the server does not take this mail (550 to 559) */
};

/* All texts are borrowed. */
struct smtp_server {
    /* smtp://host:port or smtps://host:port. By smtp:// the connection is encrypted with STARTTLS
     * before anything of the mail or the password is sent, and given up where the server cannot do
     * that; only localhost, 127.0.0.1 and [::1] are spoken to without. Certificates are checked. */
    const char *url;
    const char *user, *password; /* NULL = the server asks for none */
    unsigned timeout_ms;         /* for the whole exchange */
    bool (*stop)(void *context); /* true = give up; asked about once a second; NULL = never */
    void *context;
};

/* True if `url` has the form above. Pure. */
bool smtp_url_good(const char *url);

/* Sends `message` (api/mail/message.h) from one address to another; both must have passed
 * message_address(). Blocks for up to the timeout.
 *
 * Unless sent, the reason is appended to `reason`: a sentence without addresses, URL, password or
 * words of the server. Any thread. */
enum smtp_result smtp_send(const struct smtp_server *server, const char *from, const char *to,
                           struct span message, struct text *reason);

#endif
