/* Notices by mail: to the confirmed address of an account, as text and HTML, with the headers by
 * which mail programs offer to unsubscribe (RFC 2369, RFC 8058). */
#ifndef TILLROLL_API_NOTICES_MAIL_CHANNEL_H
#define TILLROLL_API_NOTICES_MAIL_CHANNEL_H

#include "api/mail/mailer.h"
#include "api/notices/channel.h"
#include "api/state/keys.h"

struct mail_channel;

/* `config` must have passed mailer_check(); the texts it points to and the keys are borrowed. Never
 * NULL. */
struct mail_channel *mail_channel_new(const struct mailer_config *config, const struct keys *keys);

/* The channel for notices_new(). */
struct notice_channel mail_channel(struct mail_channel *mail);

/* Call it after notices_free(). NULL is fine. */
void mail_channel_free(struct mail_channel *mail);

#endif
