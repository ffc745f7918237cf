/* Telling what a ply did: how every game puts its list of events together.
 *
 * An event is data for a program and a sentence for a person. Both grow side by side between
 * telling_begin() and telling_finish(), in the order in which a game calls set and say:
 *
 *      telling_begin_with_seat(telling, "paid", 1);     {"kind": "paid", "seat": 1,
 *      telling_set_number(telling, "coins", 3);          "coins": 3,
 *      telling_say(telling, " pays ");
 *      telling_say_count(telling, 3, "coin", "coins");
 *      telling_finish(telling);                          "text": "{seat 1} pays 3 coins."}
 *
 * Nothing here knows a game or checks what a viewer may know: that is the game's duty. Every
 * function works on its arguments alone; one telling belongs to one thread.
 */
#ifndef TILLROLL_ENGINE_TELLING_H
#define TILLROLL_ENGINE_TELLING_H

#include "engine/game.h"

enum { TELLING_SENTENCE_MAX = 1023 }; /* bytes of one sentence, without the NUL */

struct telling {
    const void *state;    /* after the ply; borrowed */
    struct viewer viewer; /* who is told */
    unsigned seat;        /* whose doing it is; at first who made the ply */
    unsigned next;        /* index of the note to be told next, for games that keep notes */
    json_t *list;         /* the finished events; the caller of telling_init() owns it */
    json_t *event;        /* being put together; valid between begin and finish */
    struct text text;     /* its sentence so far */
    char bytes[TELLING_SENTENCE_MAX + 1];
};

/* Starts an empty list about `ply`, which led to `after`, for `viewer`. `after` is borrowed for as
 * long as the telling is used. */
void telling_init(struct telling *telling, const void *after, const struct ply *ply,
                  struct viewer viewer);

/* Begins an event of `kind`, a word for machines, with an empty sentence. */
void telling_begin(struct telling *telling, const char *kind);

/* The same for an event whose sentence begins with a player: see telling_seat(). */
void telling_begin_with_seat(struct telling *telling, const char *kind, unsigned seat);

/* Ends the sentence with a full stop, adds it as `text`, and the event to the list. A sentence
 * longer than TELLING_SENTENCE_MAX is a programming error and ends the program. */
void telling_finish(struct telling *telling);

/* A whole event that has a kind and a sentence, given without its full stop, and no other data. */
void telling_plain(struct telling *telling, const char *kind, const char *sentence);

/* Adds a member to the event. `value` is owned by it from now on. */
void telling_set(struct telling *telling, const char *key, json_t *value);
void telling_set_name(struct telling *telling, const char *key, struct span name);
void telling_set_number(struct telling *telling, const char *key, int64_t number);

/* Goes on with the sentence. The strings are copied. */
void telling_say(struct telling *telling, const char *words);
void telling_say_span(struct telling *telling, struct span words);
void telling_say_number(struct telling *telling, int64_t number);

/* `{seat 2}`, which stands for the name of the player at seat 2. */
void telling_say_seat(struct telling *telling, unsigned seat);

/* `1 card`, `2 cards`. */
void telling_say_count(struct telling *telling, unsigned count, const char *one, const char *many);

/* Names a seat in both: as the member `seat` and as a player in the sentence. */
void telling_seat(struct telling *telling, unsigned seat);

#endif
