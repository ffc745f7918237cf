/* Messages of webhooks: their bodies, in the form that the target understands, and their signatures
 * (Standard Webhooks 1.0: HMAC-SHA256, symmetric). Pure and thread-safe. */
#ifndef TILLROLL_API_CHANNELS_WEBHOOK_MESSAGE_H
#define TILLROLL_API_CHANNELS_WEBHOOK_MESSAGE_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "engine/base/text.h"

enum {
    WEBHOOK_KEY = 32,                    /* bytes of a secret */
    WEBHOOK_SECRET_TEXT = 6 + 44 + 1,    /* `whsec_` and base64, with a NUL */
    WEBHOOK_SIGNATURE_TEXT = 3 + 44 + 1, /* `v1,` and base64, with a NUL */
    WEBHOOK_BODY_MAX = 65536             /* bytes */
};

/* The names of the forms, NULL-terminated; the first is the default:
 *
 *      standard   {"type", "timestamp", "data"}, Standard Webhooks' own
 *      discord    an incoming webhook of Discord, without mentions
 *      slack      an incoming webhook of Slack, or of Mattermost
 *      matrix     an inbound webhook of matrix-hookshot
 */
extern const char *const webhook_forms[];

/* All texts are borrowed. A form leaves out members that it has no place for. */
struct webhook_message {
    const char *kind;  /* of the notice, such as "turn" */
    const char *at;    /* time of the notice: RFC 3339, the same for each attempt */
    const char *title; /* one line */
    const char *text;
    const char *url; /* absolute, or NULL */
    json_t *data;    /* further members of `data`, an object, or NULL */
};

/* Writes the body, JSON, in one of the forms. False if `body` has no room for it. */
bool webhook_body(struct text *body, const char *form, const struct webhook_message *message);

/* The secret in the form shown to its owner. */
void webhook_secret_text(const uint8_t key[static WEBHOOK_KEY],
                         char text[static WEBHOOK_SECRET_TEXT]);

/* The value of the header webhook-signature: it signs the message's id, the time of this attempt in
 * seconds since 1970, and the body. */
void webhook_signature(const uint8_t key[static WEBHOOK_KEY], const char *id, int64_t sent_s,
                       struct span body, char text[static WEBHOOK_SIGNATURE_TEXT]);

#endif
