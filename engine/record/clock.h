/* The clocks of a game: a pure function of its record's times and its time control.
 *
 *      clock bank=1200000 increment=20000 cap=1800000   a bank for the whole game; every ply adds
 *                                                       the increment, up to the cap
 *      clock move=259200000                             a deadline for every decision
 *      clock -                                          no clocks
 *
 * The clocks of all deciding seats run at the same time, except while the game is stopped. All
 * times are whole milliseconds since the start of the game, as in its record. A clock has run out
 * when no time is left on it; it never shows less than 0.
 *
 * Nothing here depends on a game or reads the time: the code that replays a record
 * (engine/record/replay.h) passes in the deciding seats and the times. Not thread-safe: one user at
 * a time.
 */
#ifndef TILLROLL_ENGINE_RECORD_CLOCK_H
#define TILLROLL_ENGINE_RECORD_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

#include "engine/game/game.h"

#define CLOCK_MS_MAX INT64_C(31622400000) /* 366 days: the longest time in a control */

/* A time control. Zeroed, it is the control of a game without clocks. */
struct clock_control {
    enum clock_kind { CLOCK_NONE, CLOCK_BANK, CLOCK_MOVE } kind;
    int64_t bank_ms;      /* CLOCK_BANK: 1 .. CLOCK_MS_MAX, at the start */
    int64_t increment_ms; /* CLOCK_BANK: 0 .. CLOCK_MS_MAX, added by every ply */
    int64_t cap_ms;       /* CLOCK_BANK: bank_ms .. CLOCK_MS_MAX, never more than this */
    int64_t move_ms;      /* CLOCK_MOVE: 1 .. CLOCK_MS_MAX, for every decision */
};

struct clock {
    int64_t left_ms[GAME_SEATS_MAX]; /* time left at `at_ms` */
    int64_t at_ms;                   /* the time up to which time has been deducted */
    uint32_t running;                /* bit s: seat s has to decide */
    uint32_t stopped;                /* 1 = no clock runs */
};

/* Reads what follows `clock ` in a header, `-` included. Each control has exactly one form. */
bool clock_read_control(struct span words, struct clock_control *control);

/* Appends the control in the same form. */
void clock_print_control(const struct clock_control *control, struct text *text);

/* True for two controls with the same form. */
bool clock_same_control(const struct clock_control *a, const struct clock_control *b);

/* Sets every clock to its full time at the start of the game; none runs. */
void clock_begin(struct clock *clock, const struct clock_control *control);

/* Deducts the time from `at_ms` to `now_ms` from the running clocks. `now_ms` is not before
 * `at_ms`. */
void clock_advance(struct clock *clock, int64_t now_ms);

/* From now on the clocks of exactly these seats run. With a deadline for every decision, a seat
 * whose clock did not run before gets its whole time. */
void clock_run(struct clock *clock, const struct clock_control *control, uint32_t seats);

/* After a ply of the seat: adds the increment, or gives it its whole time for the next decision. */
void clock_press(struct clock *clock, const struct clock_control *control, unsigned seat);

/* The time on a seat's clock at `now_ms`, which is not before `at_ms`: 0 or more. */
int64_t clock_left_ms(const struct clock *clock, unsigned seat, int64_t now_ms);

/* The seats whose clocks run and have no time left at `now_ms`, bit s for seat s. */
uint32_t clock_expired(const struct clock *clock, int64_t now_ms);

/* The next clock to run out among those of `seats` that run, and when; if several run out at the
 * same time, the lowest seat. False if none runs. */
bool clock_next(const struct clock *clock, uint32_t seats, unsigned *seat, int64_t *at_ms);

#endif
