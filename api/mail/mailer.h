/* Sends the mails about accounts from the outbox (db/store/service/outbox.h), in a thread of its
 * own, so that a mail server that is slow or hangs delays nothing else.
 *
 * One service takes each message for a limited time and tries to send it. If that service dies
 * before it has stored the outcome, another one tries again: a mail may arrive twice, with the same
 * Message-ID, but is never lost. Tokens for links are made for each attempt, stored as hashes
 * before it, and kept nowhere in clear. A failed attempt is repeated, each time after twice the
 * delay and at least every hour, until the message expires. A message that the server refuses for
 * good is given up at once. */
#ifndef TILLROLL_API_MAIL_MAILER_H
#define TILLROLL_API_MAIL_MAILER_H

#include <stdbool.h>
#include <stdint.h>

#include "engine/base/text.h"

struct mailer;

enum { MAILER_PASSWORD_MAX = 256 /* bytes, with its NUL */ };

/* Texts are borrowed for the lifetime of the mailer. */
struct mailer_config {
    const char *database;
    const char *site;          /* https://club.example: start of links */
    const char *url;           /* of the mail server (api/mail/smtp.h) */
    const char *user;          /* NULL = the server requires none */
    const char *password_file; /* the password is its first line; NULL without a user */
    const char *from;          /* address of the sender */
    unsigned timeout_ms;       /* for sending one mail */
    unsigned retry_ms;         /* before the second attempt */
};

/* True if the configuration can be used; reads the password's file. Otherwise appends a sentence to
 * `error` that says what to set. */
bool mailer_check(const struct mailer_config *config, struct text *error);

/* Reads the password of a configuration that has passed mailer_check(); "" if it has none. False if
 * it cannot be read. */
bool mailer_password(const struct mailer_config *config, char password[static MAILER_PASSWORD_MAX]);

/* Starts the thread. The configuration must have passed mailer_check(). NULL if the system has no
 * threads left. Call it once, before other threads run. */
struct mailer *mailer_new(const struct mailer_config *config);

/* Waits for the thread, which gives up a mail that it is sending. NULL is fine. */
void mailer_free(struct mailer *mailer);

/* Counts since the start, and the recent number of waiting messages. Any thread. */
struct mailer_figures {
    uint64_t waiting, sent, deferred, failed;
};
struct mailer_figures mailer_figures(const struct mailer *mailer);

#endif
