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
    WEBHOOK_SECRET_TEXT = 6 + 44 + 1,    /* `whsec_` and base 64, with a NUL */
    WEBHOOK_SIGNATURE_TEXT = 3 + 44 + 1, /* `v1,` and base 64, with a NUL */
    WEBHOOK_BODY_MAX = 65536             /* bytes */
};

/* The names of the forms, NULL-terminated; the first is the default:
 *
 *      standard   {"type", "timestamp", "data"}, Standard Webhooks' own
 *      discord    an incoming webhook of Discord, in which nobody is mentioned
 *      slack      an incoming webhook of Slack, or of Mattermost
 *      matrix     an inbound webhook of matrix-hookshot
 */
extern const char *const webhook_forms[];

/* All texts are borrowed. What a form has no place for is left out of it. */
struct webhook_message {
    const char *kind;  /* of the notice, such as "turn" */
    const char *at;    /* when it happened: RFC 3339, the same for each try */
    const char *title; /* one line */
    const char *text;
    const char *url; /* absolute, or NULL */
    json_t *data;    /* further members of `data`, an object, or NULL */
};

/* Writes the body, JSON, in one of the forms. False if `body` has no room for it. */
bool webhook_body(struct text *body, const char *form, const struct webhook_message *message);

/* The secret as its owner sees it. */
void webhook_secret_text(const uint8_t key[static WEBHOOK_KEY],
                         char text[static WEBHOOK_SECRET_TEXT]);

/* A signature of the header webhook-signature: of the message's id, the time of this try in seconds
 * since 1970, and the body. */
void webhook_signature(const uint8_t key[static WEBHOOK_KEY], const char *id, int64_t sent_s,
                       struct span body, char text[static WEBHOOK_SIGNATURE_TEXT]);

#endif
