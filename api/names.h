/* Names of players and events, as people write them and as they are stored: in Unicode's NFC, so
 * that equal names are equal bytes, and without anything that cannot be seen. */
#ifndef TILLROLL_API_NAMES_H
#define TILLROLL_API_NAMES_H

#include "api/call.h"

/* Reads the field `key` of the body as a name of at most `max` bytes: visible characters, no blanks
 * at the ends or in a row. In NFC and in the call's arena. False with a problem. */
bool name_read(struct call *call, const char *key, size_t max, const char **name);

enum { PLAYER_NAME_MAX = 60 /* bytes */ };

/* The same of a text: in NFC and in the arena, or NULL. */
const char *name_tidy(struct arena *arena, const char *written, size_t max);

/* Names of bots end in ` [bot]`, names of deleted accounts begin with `Deleted player`, whatever
 * the case of the letters; people's names must not. What is wrong with it, or NULL. */
const char *name_mark(const char *name);

/* The same as a problem with the field `key`. */
bool name_is_free(struct call *call, const char *key, const char *name);

/* Reads a bot's name, and adds what it has to end in. */
bool name_read_bot(struct call *call, const char *key, const char **name);

/* Reads the field `key` of the body as a text of at most `max` bytes: in NFC and in the call's
 * arena, without what cannot be seen or turns the direction of writing, and without blanks at its
 * ends. False with a problem. */
bool name_read_text(struct call *call, const char *key, size_t max, const char **text);

#endif
