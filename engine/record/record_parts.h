/* Private to record*.c: the pieces that they share. */
#ifndef TILLROLL_ENGINE_RECORD_RECORD_PARTS_H
#define TILLROLL_ENGINE_RECORD_RECORD_PARTS_H

#include "engine/record/record.h"

/* ` #` and hex digits. */
enum { MARK_HEX = 8, MARK_LENGTH = 2 + MARK_HEX };

/* Sets the fault `bad-line`; returns false. */
bool record_bad_line(struct record_fault *fault, const char *message, struct span line);

/* True for the first line of a record, of either version. */
bool record_is_first_line(struct span line);

/* True for a line without mark that begins with `head `. */
bool record_is_head(struct span line);

/* True for a ruling that takes back. */
static inline bool record_takes_back(const struct record_entry *entry)
{
    return entry->kind == RECORD_RULING && entry->ruling == RECORD_RULING_TAKEBACK;
}

/* A name, percent-encoded. */
void record_print_name(struct text *text, const char *name);

/* Decodes a name. False if it is not the one encoding of a valid name. */
bool record_read_name(struct span word, char name[static RECORD_NAME_MAX + 1]);

/* Copies an id. False if the text is not an id. */
bool record_copy_id(struct span word, char id[static RECORD_ID_LENGTH + 1]);

/* `<number> <player> <name> <key or ->`, as in the lines `seat` and `substitute`. */
void record_print_seat(const struct record_seat *seat, unsigned number, struct text *line);

/* Reads the same; `seats` is one more than the highest number. Does not change the entropy. */
bool record_read_seat(struct span words, unsigned seats, unsigned *number,
                      struct record_seat *seat);

/* The board of a duplicate game, or `-`. */
void record_print_board(const struct record_header *header, struct text *text);

/* An entropy line, without mark. */
void record_print_entropy(const struct record_seat *seat, unsigned number, struct text *line);

/* `dealer <name> <key> `, with which a dealer's line begins. */
void record_print_dealer_key(const struct record_dealer *dealer, struct text *line);

#endif
