/* Sends the mails about accounts that lie in the outbox (db/store/service/outbox.h), by a thread of
 * its own, so that a mail server that is slow or hangs holds up nobody else.
 *
 * Each message is taken for a while by one service, then tried. If that service dies before it has
 * written down how the try ended, another one tries again: a mail may come twice, with the same
 * Message-ID, but is never lost. Tokens for links are made for each try, stored as hashes before
 * it, and lie nowhere in clear. A try that fails is repeated, each time after twice the delay and
 * at least every hour, until the message's patience is over. What the server refuses for good is
 * given up at once. */
#ifndef TILLROLL_API_MAIL_MAILER_H
#define TILLROLL_API_MAIL_MAILER_H

#include <stdbool.h>
#include <stdint.h>

#include "engine/base/text.h"

struct mailer;

enum { MAILER_PASSWORD_MAX = 256 /* bytes, with its NUL */ };

/* Texts are borrowed for as long as the mailer lives. */
struct mailer_config {
    const char *database;
    const char *site;          /* https://club.example: links begin with it */
    const char *url;           /* of the mail server (api/mail/smtp.h) */
    const char *user;          /* NULL = it asks for none */
    const char *password_file; /* the password is its first line; NULL without a user */
    const char *from;          /* address of the sender */
    unsigned timeout_ms;       /* for sending one mail */
    unsigned retry_ms;         /* the first delay */
};

/* True if the configuration can be used; reads the password's file. Otherwise a sentence in `error`
 * that says what to set. */
bool mailer_check(const struct mailer_config *config, struct text *error);

/* The password of a configuration that has passed mailer_check(); "" where it has none. False if it
 * cannot be read. */
bool mailer_password(const struct mailer_config *config, char password[static MAILER_PASSWORD_MAX]);

/* Starts the thread. The configuration must have passed mailer_check(). NULL if the system has no
 * threads left. Called once, before other threads run. */
struct mailer *mailer_new(const struct mailer_config *config);

/* Waits for the thread, which gives up a mail that it is sending. NULL is fine. */
void mailer_free(struct mailer *mailer);

/* Counts since the start, and how many messages waited a moment ago. Any thread. */
struct mailer_figures {
    uint64_t waiting, sent, deferred, failed;
};
struct mailer_figures mailer_figures(const struct mailer *mailer);

#endif
