/* Names of players and events, as entered and as stored: in Unicode's NFC, so that equal names
 * are equal bytes, and without invisible characters. */
#ifndef TILLROLL_API_PEOPLE_NAMES_H
#define TILLROLL_API_PEOPLE_NAMES_H

#include "api/request/call.h"
#include "db/store/people/players.h"
#include "engine/base/arena.h"
#include "engine/base/text.h"

/* Reads the field `key` as a name of at most `max` bytes, with at least one visible character,
 * without spaces at the ends or in a row. In NFC, in the call's arena. False with a problem. */
bool name_read(struct call *call, const char *key, size_t max, const char **name);

enum { PLAYER_NAME_MAX = 60 /* bytes */ };

/* Checks a given text in the same way: in NFC, in the arena, or NULL. */
const char *name_tidy(struct arena *arena, const char *written, size_t max);

/* Reads the name for an account (rules below), in the call's arena. False with a problem that
 * names the character. */
bool name_read_account(struct call *call, const char *key, const char **name);

/* Reads a bot's name and adds ` [bot]`, the ending reserved for bots. */
bool name_read_bot(struct call *call, const char *key, const char **name);

/* Reads a guest's name and adds ` [guest]`, reserved for guests. */
bool name_read_guest(struct call *call, const char *key, const char **name);

/* Claims the name for the account, which already has it in this transaction. False with the
 * problem `name-taken` if another account's name looks like it (db/store/people/players.h). */
bool name_take(struct call *call, const struct id *player, const char *name);

/* Reads a name for looking up an account, in any normalization form: in NFC, for names older than
 * the rules below, and in NFKC. False with a problem. */
bool name_read_known(struct call *call, const char *key, const char *names[static 2]);

/* Reads the field `key` as a text of at most `max` bytes: in NFC, in the call's arena, without
 * invisible characters, direction controls or blanks at the ends. False with a problem. */
bool name_read_text(struct call *call, const char *key, size_t max, const char **text);

/* The same for a text of several lines: no blanks at the ends of lines, no consecutive empty
 * lines, and none at the ends. */
bool name_read_lines(struct call *call, const char *key, size_t max, const char **text);

/* ---- Names of accounts ---- */

/* Rules for account names and their confusables (UAX #15, UTS #39), with ICU, whose data is
 * opened when first needed. Thread-safe.
 *
 * Account names are in NFKC: full-width letters, ligatures and the various spaces are normalized.
 * The letters of a name belong to one script or to scripts that are used together (UTS #39, "highly
 * restrictive": Latin with Chinese, Japanese or Korean). Two accounts cannot get names that look
 * alike. Older names and those of imported players are kept. */

/* The name as stored, in the arena: in NFKC, 1 to `max` bytes. Otherwise NULL, with the reason in
 * `wrong`, as a continuation of the word `name`: `must not have U+200B: it cannot be seen.`. */
const char *account_name(struct arena *arena, const char *written, size_t max, struct text *wrong);

/* The name in NFKC, in the arena, even if it is not allowed; NULL if it is not UTF-8. */
const char *account_name_form(struct arena *arena, const char *written);

/* Skeletons: names that look alike have at least one in common. The skeletons of the name as given,
 * in lower case and in upper case, without duplicates, in the arena. */
struct name_skeletons account_name_skeletons(struct arena *arena, const char *name);

/* The version of ICU's data: 7201 for 72.1. */
unsigned account_name_version(void);

#endif
