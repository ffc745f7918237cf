#include "api/mail/letter.h"

#include <string.h>

/* A letter's texts: the accounts' names follow `first`, and the site follows `then`. */
struct words {
    const char *subject, *first, *then, *before_links, *after_links;
};

enum { LANGUAGES = 2 };

static const struct form {
    const char *kind;
    const char *path; /* of the letter's links; NULL = it has none */
    struct words words[LANGUAGES];
} forms[] = {
    {"confirm_email",
     "/confirm-email#",
     {{"Confirm your email address",
       "Somebody, probably you, has entered this email address for the account ", " at ",
       "Open this link within 24 hours to confirm the address:",
       "If this was not you, do nothing: the address stays unconfirmed and is not used.\n"},
      {"E-Mail-Adresse bestätigen",
       "Jemand, vermutlich Sie, hat diese E-Mail-Adresse für das Konto ", " eingetragen, auf ",
       "Öffnen Sie innerhalb von 24 Stunden diesen Link, um die Adresse zu bestätigen:",
       "Wenn Sie das nicht waren, tun Sie nichts: Die Adresse bleibt unbestätigt und wird nicht "
       "verwendet.\n"}}},
    {"reset_password",
     "/reset-password#",
     {{"Choose a new password",
       "Somebody, probably you, has asked for a new password for the account ", " at ",
       "Open this link within one hour to choose one:",
       "If this was not you, do nothing: the password stays as it is.\n"},
      {"Neues Passwort wählen",
       "Jemand, vermutlich Sie, hat um ein neues Passwort gebeten, für das Konto ", " auf ",
       "Öffnen Sie innerhalb einer Stunde diesen Link, um eines zu wählen:",
       "Wenn Sie das nicht waren, tun Sie nichts: Das Passwort bleibt, wie es ist.\n"}}},
    {"email_changed",
     NULL,
     {{"Your email address was changed",
       "The email address was changed or removed for the account ", " at ",
       "This address gets no more mail.",
       "If this was not you, somebody else knows the password: sign in and change it. If you can "
       "no longer sign in, contact the people who run this service.\n"},
      {"Ihre E-Mail-Adresse wurde geändert",
       "Die E-Mail-Adresse wurde geändert oder entfernt, für das Konto ", " auf ",
       "Diese Adresse bekommt keine E-Mails mehr.",
       "Wenn Sie das nicht waren, kennt jemand anders das Passwort: Loggen Sie sich ein und ändern "
       "Sie es. Wenn Sie sich nicht mehr einloggen können, schreiben Sie denen, die die Seite "
       "betreiben.\n"}}},
    {"password_changed",
     NULL,
     {{"Your password was changed", "The password was changed for the account ", " at ",
       "All other browsers were signed out.",
       "If this was not you, ask for a new password on the page “Sign in”. Then sign in and revoke "
       "the tokens that you did not create.\n"},
      {"Ihr Passwort wurde geändert", "Das Passwort wurde geändert, für das Konto ", " auf ",
       "Alle anderen Browser wurden ausgeloggt.",
       "Wenn Sie das nicht waren, bitten Sie auf der Seite „Einloggen“ um ein neues Passwort. "
       "Loggen Sie sich dann ein und widerrufen Sie die Tokens, die nicht von Ihnen sind.\n"}}},
};

static const struct form *form_of(const struct letter *letter)
{
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++)
        if (strcmp(forms[i].kind, letter->kind) == 0)
            return &forms[i];
    return NULL;
}

static bool is_german(const struct letter *letter)
{
    return strcmp(letter->language, "de") == 0;
}

static const struct words *words_of(const struct letter *letter)
{
    return &form_of(letter)->words[is_german(letter) ? 1 : 0];
}

const char *letter_subject(const struct letter *letter)
{
    return form_of(letter) == NULL ? NULL : words_of(letter)->subject;
}

static void add_name(struct text *text, const struct letter *letter, size_t i)
{
    text_add_all(text, is_german(letter) ? "„" : "“", letter->account[i].name,
                 is_german(letter) ? "“" : "”");
}

static void add_links(struct text *text, const struct letter *letter, const char *path)
{
    for (size_t i = 0; i < letter->accounts; i++) {
        text_add(text, "\n");
        if (letter->accounts > 1) {
            add_name(text, letter, i);
            text_add(text, "\n");
        }
        text_add_all(text, letter->site, path, letter->account[i].token, "\n");
    }
}

void letter_write(struct text *text, const struct letter *letter)
{
    const struct form *form = form_of(letter);
    const struct words *words = words_of(letter);
    text_add(text, words->first);
    for (size_t i = 0; i < letter->accounts; i++) {
        text_add(text, i == 0 ? "" : ", ");
        add_name(text, letter, i);
    }
    text_add_all(text, words->then, letter->site, ".\n\n", words->before_links, "\n");
    if (form->path != NULL)
        add_links(text, letter, form->path);
    text_add(text, "\n");
    text_add(text, words->after_links);
}
