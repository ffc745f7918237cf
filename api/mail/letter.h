/* The texts of mails, in English and German. */
#ifndef TILLROLL_API_MAIL_LETTER_H
#define TILLROLL_API_MAIL_LETTER_H

#include <stdbool.h>
#include <stddef.h>

#include "engine/base/text.h"

enum { LETTER_ACCOUNTS_MAX = 5 };

/* All texts are borrowed. */
struct letter {
    const char *kind;     /* of the outbox (db/store/service/outbox.h) */
    const char *language; /* "en" or "de"; anything else is English */
    const char *site;     /* https://club.example, as configured: start of links */
    struct letter_account {
        const char *name;
        const char *token; /* for the link; NULL in notices */
    } account[LETTER_ACCOUNTS_MAX];
    size_t accounts; /* at least 1 */
};

/* The subject, static; NULL if there is no such kind of letter. Pure. */
const char *letter_subject(const struct letter *letter);

/* Appends the text, in lines that end with LF. Pure. */
void letter_write(struct text *text, const struct letter *letter);

#endif
