/* Notices by mail: to the confirmed address of an account, as text and HTML, with the headers by
 * which mail programs offer to turn them off (RFC 2369, RFC 8058). */
#ifndef TILLROLL_API_NOTICES_MAIL_CHANNEL_H
#define TILLROLL_API_NOTICES_MAIL_CHANNEL_H

#include "api/mail/mailer.h"
#include "api/notices/channel.h"
#include "api/state/keys.h"

struct mail_channel;

/* `config` must have passed mailer_check(); what it points to is borrowed, as are the keys. Never
 * NULL. */
struct mail_channel *mail_channel_new(const struct mailer_config *config, const struct keys *keys);

/* For notices_new(). */
struct notice_channel mail_channel(struct mail_channel *mail);

/* After notices_free(). NULL is fine. */
void mail_channel_free(struct mail_channel *mail);

#endif
