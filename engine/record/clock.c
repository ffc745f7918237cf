#include "engine/record/clock.h"

#include <string.h>

/* ---- The control as text ---- */

/* Reads `<key>=<number>`. */
static bool read_setting(struct span word, const char *key, int64_t *value)
{
    size_t length = strlen(key);
    uint64_t number;
    if (word.length <= length + 1 || memcmp(word.at, key, length) != 0 || word.at[length] != '=')
        return false;
    struct span digits = {word.at + length + 1, word.length - length - 1};
    if (!span_number(digits, (uint64_t)CLOCK_MS_MAX, &number))
        return false;
    *value = (int64_t)number;
    return true;
}

bool clock_read_control(struct span words, struct clock_control *control)
{
    *control = (struct clock_control){.kind = CLOCK_NONE};
    if (span_is(words, "-"))
        return true;
    if (read_setting(words, "move", &control->move_ms)) {
        control->kind = CLOCK_MOVE;
        return control->move_ms > 0;
    }
    control->kind = CLOCK_BANK;
    return read_setting(span_word(&words), "bank", &control->bank_ms) &&
           read_setting(span_word(&words), "increment", &control->increment_ms) &&
           read_setting(words, "cap", &control->cap_ms) && control->bank_ms > 0 &&
           control->cap_ms >= control->bank_ms;
}

static void print_setting(struct text *text, const char *key, int64_t value)
{
    text_add(text, key);
    text_add_char(text, '=');
    text_add_number(text, value);
}

void clock_print_control(const struct clock_control *control, struct text *text)
{
    switch (control->kind) {
    case CLOCK_NONE:
        text_add_char(text, '-');
        break;
    case CLOCK_BANK:
        print_setting(text, "bank", control->bank_ms);
        print_setting(text, " increment", control->increment_ms);
        print_setting(text, " cap", control->cap_ms);
        break;
    case CLOCK_MOVE:
        print_setting(text, "move", control->move_ms);
        break;
    }
}

bool clock_same_control(const struct clock_control *a, const struct clock_control *b)
{
    return a->kind == b->kind && a->bank_ms == b->bank_ms && a->increment_ms == b->increment_ms &&
           a->cap_ms == b->cap_ms && a->move_ms == b->move_ms;
}

/* ---- Running ---- */

static bool runs(const struct clock *clock, unsigned seat)
{
    return (clock->running >> seat & 1) != 0;
}

void clock_begin(struct clock *clock, const struct clock_control *control)
{
    *clock = (struct clock){.at_ms = 0};
    for (unsigned seat = 0; seat < GAME_SEATS_MAX; seat++)
        clock->left_ms[seat] = control->kind == CLOCK_MOVE ? control->move_ms : control->bank_ms;
}

int64_t clock_left_ms(const struct clock *clock, unsigned seat, int64_t now_ms)
{
    int64_t spent = clock->stopped == 0 && runs(clock, seat) ? now_ms - clock->at_ms : 0;
    return clock->left_ms[seat] > spent ? clock->left_ms[seat] - spent : 0;
}

void clock_advance(struct clock *clock, int64_t now_ms)
{
    for (unsigned seat = 0; seat < GAME_SEATS_MAX; seat++)
        clock->left_ms[seat] = clock_left_ms(clock, seat, now_ms);
    clock->at_ms = now_ms;
}

void clock_run(struct clock *clock, const struct clock_control *control, uint32_t seats)
{
    for (unsigned seat = 0; seat < GAME_SEATS_MAX; seat++)
        if (control->kind == CLOCK_MOVE && (seats >> seat & 1) != 0 && !runs(clock, seat))
            clock->left_ms[seat] = control->move_ms;
    clock->running = seats;
}

void clock_press(struct clock *clock, const struct clock_control *control, unsigned seat)
{
    int64_t left = clock->left_ms[seat] + control->increment_ms;
    if (control->kind == CLOCK_MOVE)
        left = control->move_ms;
    else if (left > control->cap_ms)
        left = control->cap_ms;
    clock->left_ms[seat] = left;
}

uint32_t clock_expired(const struct clock *clock, int64_t now_ms)
{
    uint32_t expired = 0;
    for (unsigned seat = 0; seat < GAME_SEATS_MAX; seat++)
        if (runs(clock, seat) && clock_left_ms(clock, seat, now_ms) == 0)
            expired |= UINT32_C(1) << seat;
    return expired;
}

bool clock_next(const struct clock *clock, uint32_t seats, unsigned *seat, int64_t *at_ms)
{
    bool found = false;
    if (clock->stopped != 0)
        return false;
    for (unsigned i = 0; i < GAME_SEATS_MAX; i++) {
        if (!runs(clock, i) || (seats >> i & 1) == 0)
            continue;
        if (!found || clock->at_ms + clock->left_ms[i] < *at_ms) {
            *seat = i;
            *at_ms = clock->at_ms + clock->left_ms[i];
        }
        found = true;
    }
    return found;
}
