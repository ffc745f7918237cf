/* A mail as it is sent: headers (RFC 5322, RFC 2047) and a text in UTF-8 (RFC 2045).
 *
 * Everything on the wire is printable ASCII in lines far below SMTP's limit of 998 bytes, so any
 * mail server accepts it. No input of a person can begin a header: addresses are checked against a
 * narrow form, subjects with control characters are refused, and the body is encoded. All functions
 * are pure and thread-safe. */
#ifndef TILLROLL_API_MAIL_MESSAGE_H
#define TILLROLL_API_MAIL_MESSAGE_H

#include <stdbool.h>
#include <stdint.h>

#include "engine/base/text.h"

enum {
    MESSAGE_ADDRESS_MAX = 254, /* bytes: RFC 5321's path of 256, without its angle brackets */
    MESSAGE_SUBJECT_MAX = 200, /* bytes */
    MESSAGE_KEY_MAX = 64       /* bytes */
};

/* All texts are borrowed and NUL-terminated. */
struct message {
    /* 1 to MESSAGE_KEY_MAX ASCII letters, digits and hyphens. With the sender's domain it forms
     * the Message-ID, so a mail that is sent again has the same key. */
    const char *key;
    const char *from;     /* address of the sender */
    const char *to;       /* address of the recipient */
    const char *language; /* "en" or "de" */
    const char *subject;  /* UTF-8, 1 to MESSAGE_SUBJECT_MAX bytes, without control characters */
    const char *body;     /* UTF-8, lines that end with LF, no control characters but LF and TAB */
    const char *html;     /* the same as HTML, under the same rules; NULL = text only */
    /* https: URL, in printable ASCII without spaces and angle brackets, to which a POST request
     * unsubscribes from such mails (RFC 8058); NULL = they cannot be turned off. */
    const char *unsubscribe;
    int64_t written_s; /* seconds since 1970, from 0 to the end of 9999 */
};

/* True if this service sends mail to `address`: ASCII, a dot-atom of at most 64 bytes (RFC 5322
 * section 3.2.3), `@`, and a domain of at least two labels of letters, digits and inner hyphens.
 * Quoted local parts, comments, address literals and SMTPUTF8 addresses are not allowed. */
bool message_address(struct span address);

/* Appends the whole message to `text`, lines ending with CRLF, without SMTP's dots (RFC 5321
 * section 4.5.2), which the transport adds. False if a member breaks its rules or the text has no
 * room; then `text` must not be sent. */
bool message_write(struct text *text, const struct message *message);

#endif
