/* Parts of a view that every game shows in the same form.
 *
 * Each game has its own view, but whose turn it is, what the seats scored and who may see a hand
 * have the same form in all of them, so a program written for one game can read another. The caller
 * owns every new value. Two threads may use different objects at the same time.
 */
#ifndef TILLROLL_ENGINE_GAME_VIEW_PARTS_H
#define TILLROLL_ENGINE_GAME_VIEW_PARTS_H

#include <jansson.h>
#include <stdint.h>

#include "engine/base/text.h"
#include "engine/game/game.h"

/* True if `viewer` may know what is private to `seat` during the game: the auditor or that seat. */
bool view_is_open_to(struct viewer viewer, unsigned seat);

/* Adds a member to `object`, which takes ownership of `value`. */
void view_set(json_t *object, const char *key, json_t *value);

/* A new JSON string. */
json_t *view_name(struct span name);

/* A new list of the seats in `seats` (bit s for seat s), lowest first: [0, 2]. */
json_t *view_seat_list(uint32_t seats);

/* Adds whose turn it is: `over`, the deciding seats, the name of the decision and the active seat.
 * `decision` is NULL once the game is over; decision and seat are then null. */
void view_set_turn(json_t *view, uint32_t deciders, const char *decision, unsigned active);

/* The result: null until the game is over, then a new list with an object for each seat: `seat`,
 * `score`, `tie_break` (the first one, if the parameter `tie_break` is true) and `rank`. */
json_t *view_outcome(const struct game *game, const void *state, bool over, bool tie_break);

/* Describes what a ply did. Every game builds its list of events with these functions.
 *
 * An event is data for a program and a sentence for a person. Both are built between
 * telling_begin() and telling_finish(), in the order of a game's calls of set and say:
 *
 *      telling_begin_with_seat(telling, "paid", 1);     {"kind": "paid", "seat": 1,
 *      telling_set_number(telling, "coins", 3);          "coins": 3,
 *      telling_say(telling, " pays ");
 *      telling_say_count(telling, 3, "coin", "coins");
 *      telling_finish(telling);                          "text": "{seat 1} pays 3 coins."}
 *
 * Nothing here depends on a game or checks what a viewer may know: that is the game's duty. Every
 * function works on its arguments alone; one telling belongs to one thread.
 */

enum { TELLING_SENTENCE_MAX = 1023 }; /* bytes of one sentence, without the NUL */

struct telling {
    const void *state;    /* after the ply; borrowed */
    struct viewer viewer; /* the viewer of the events */
    unsigned seat;        /* the acting seat; initially the seat that made the ply */
    unsigned next;        /* index of the next note to describe, for games that keep notes */
    json_t *list;         /* the finished events; the caller of telling_init() owns it */
    json_t *event;        /* under construction; valid between begin and finish */
    struct text text;     /* its sentence so far */
    char bytes[TELLING_SENTENCE_MAX + 1];
};

/* Starts an empty list about `ply`, which led to `after`, for `viewer`. `after` is borrowed for as
 * long as the telling is used. */
void telling_init(struct telling *telling, const void *after, const struct ply *ply,
                  struct viewer viewer);

/* Begins an event of `kind`, a word for machines, with an empty sentence. */
void telling_begin(struct telling *telling, const char *kind);

/* Begins an event whose sentence begins with a player: see telling_seat(). */
void telling_begin_with_seat(struct telling *telling, const char *kind, unsigned seat);

/* Ends the sentence with a full stop, adds it as `text`, and the event to the list. A sentence
 * longer than TELLING_SENTENCE_MAX is a programming error and aborts the program. */
void telling_finish(struct telling *telling);

/* Adds a whole event with a kind, a sentence (given without its full stop) and no other data. */
void telling_plain(struct telling *telling, const char *kind, const char *sentence);

/* Adds a member to the event, which takes ownership of `value`. */
void telling_set(struct telling *telling, const char *key, json_t *value);
void telling_set_name(struct telling *telling, const char *key, struct span name);
void telling_set_number(struct telling *telling, const char *key, int64_t number);

/* Appends to the sentence. The strings are copied. */
void telling_say(struct telling *telling, const char *words);
void telling_say_span(struct telling *telling, struct span words);
void telling_say_number(struct telling *telling, int64_t number);

/* Appends `{seat 2}`, which stands for the name of the player at seat 2. */
void telling_say_seat(struct telling *telling, unsigned seat);

/* Appends `1 card`, `2 cards`. */
void telling_say_count(struct telling *telling, unsigned count, const char *one, const char *many);

/* Adds a seat both as the member `seat` and as a player in the sentence. */
void telling_seat(struct telling *telling, unsigned seat);

#endif
