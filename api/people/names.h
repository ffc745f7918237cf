/* Names of players and events, as people write them and as they are stored: in Unicode's NFC, so
 * that equal names are equal bytes, and without anything that cannot be seen. */
#ifndef TILLROLL_API_PEOPLE_NAMES_H
#define TILLROLL_API_PEOPLE_NAMES_H

#include "api/request/call.h"
#include "db/store/people/players.h"
#include "engine/base/arena.h"
#include "engine/base/text.h"

/* Reads the field `key` of the body as a name of at most `max` bytes: visible characters, no blanks
 * at the ends or in a row. In NFC and in the call's arena. False with a problem. */
bool name_read(struct call *call, const char *key, size_t max, const char **name);

enum { PLAYER_NAME_MAX = 60 /* bytes */ };

/* The same of a text: in NFC and in the arena, or NULL. */
const char *name_tidy(struct arena *arena, const char *written, size_t max);

/* Reads the name that an account is to have: api/people/names.h. In the call's arena. False
 * with a problem that names the character. */
bool name_read_account(struct call *call, const char *key, const char **name);

/* Reads a bot's name, and adds ` [bot]`, which all of them end in, and no other name. */
bool name_read_bot(struct call *call, const char *key, const char **name);

/* Reads a guest's name, and adds ` [guest]` in the same way. */
bool name_read_guest(struct call *call, const char *key, const char **name);

/* Takes the name for the account, which has it already in this transaction. False with the problem
 * `name-taken` if that of another looks like it (db/store/people/players.h). */
bool name_take(struct call *call, const struct id *player, const char *name);

/* Reads a name to look an account up by, however it was typed: in NFC, as names that were given
 * before the rules for accounts may be, and in NFKC. False with a problem. */
bool name_read_known(struct call *call, const char *key, const char *names[static 2]);

/* Reads the field `key` of the body as a text of at most `max` bytes: in NFC and in the call's
 * arena, without what cannot be seen or turns the direction of writing, and without blanks at its
 * ends. False with a problem. */
bool name_read_text(struct call *call, const char *key, size_t max, const char **text);

/* The same of a text of several lines: each without blanks at its ends, no two empty ones in a row
 * and none at the ends. */
bool name_read_lines(struct call *call, const char *key, size_t max, const char **text);

/* ---- Names of accounts ---- */

/* What the name of an account may be, and what looks like it (UAX #15, UTS #39), by ICU. Its data
 * is opened when a name is given or looked up for the first time. For any number of threads.
 *
 * Names of accounts are in NFKC: full-width letters, ligatures and the many blanks become what they
 * stand for. Letters of one name belong to one script, or to such as are written together (UTS #39,
 * "highly restrictive": Latin with Chinese, Japanese or Korean). Two accounts do not get names that
 * look alike. Names that were given before stay, and so do those of imported players.
 */

/* The name as it is stored, in the arena: in NFKC and 1 to `max` bytes; or NULL, and in `wrong`
 * what is wrong, to be put behind the word `name`: `must not have U+200B: it cannot be seen.`. */
const char *account_name(struct arena *arena, const char *written, size_t max, struct text *wrong);

/* The name in NFKC, in the arena, whatever it is otherwise; NULL for what is no UTF-8. */
const char *account_name_form(struct arena *arena, const char *written);

/* What names that look alike have in common, at least one of it: the skeletons of the name as it
 * stands, in lower case and in upper case, those that differ. In the arena. */
struct name_skeletons account_name_skeletons(struct arena *arena, const char *name);

/* The version of ICU's data: 7201 for 72.1. */
unsigned account_name_version(void);

#endif
