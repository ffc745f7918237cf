/* Going back. An earlier position is rebuilt by replaying, from the beginning, the entries that
 * still count:
 *
 *      1  2  3  4  5  6 = undo 5  7  8  9 = takeback 3  10  11 = takeback 8
 *
 * Read from the end: 11 goes back to before 8; 7 counts; 6 leads to 4. Entry 9 is skipped, because
 * it was itself taken back. So before 8 the entries 1 2 3 4 7 counted.
 *
 * A take-back by ruling also counts as an entry, because it may have redrawn what was hidden; an
 * undo has no other effect. The players at the seats and points given by rulings are not part of
 * the position.
 */
#include <string.h>

#include "engine/record/record_parts.h"
#include "engine/record/replay_parts.h"

/* Clocks in a replay. A seat's clock runs while it has to decide, unless the seat is on fallback or
 * has decided in secret. Games without a time control have no clocks. */

static const struct clock_control *control_of(const struct replay *replay)
{
    return &replay->header.clock;
}

static bool has_clocks(const struct replay *replay)
{
    return control_of(replay)->kind != CLOCK_NONE;
}

void replay_clock_advance(struct replay *replay, int64_t now_ms)
{
    if (has_clocks(replay))
        clock_advance(&replay->clock, now_ms);
}

void replay_clock_settle(struct replay *replay)
{
    if (!has_clocks(replay))
        return;
    uint32_t present = replay_deciders(replay) & ~replay->fallback;
    replay->sealed &= present;
    replay->timed_out &= present;
    clock_run(&replay->clock, control_of(replay), present & ~replay->sealed);
    replay->clock.stopped = replay->stop != REPLAY_RUNS;
}

void replay_clock_press(struct replay *replay, unsigned seat)
{
    if (!has_clocks(replay))
        return;
    clock_press(&replay->clock, control_of(replay), seat);
    replay->sealed &= ~(UINT32_C(1) << seat);
    replay->timed_out &= ~(UINT32_C(1) << seat);
}

uint32_t replay_timed_out(const struct replay *replay, int64_t now_ms)
{
    if (!has_clocks(replay))
        return 0;
    return clock_expired(&replay->clock, now_ms) & ~replay->timed_out;
}

bool replay_next_timeout(const struct replay *replay, unsigned *seat, int64_t *at_ms)
{
    return has_clocks(replay) && clock_next(&replay->clock, ~replay->timed_out, seat, at_ms);
}

bool replay_has_time(const struct replay *replay, unsigned seat, const struct replay_denial *denial)
{
    if ((replay_timed_out(replay, replay->clock.at_ms) >> seat & 1) == 0)
        return true;
    refuse(denial->refusal, "time-is-up", "The time for this decision is up.");
    return record_fault(
        denial->fault, "missed-timeout",
        "The seat's clock had run out, but its time-out is not recorded before this line.",
        (struct span){NULL, 0});
}

bool replay_apply_timeout(struct replay *replay, const struct record_entry *entry,
                          const struct replay_denial *denial)
{
    if ((replay->timed_out >> entry->subject & 1) != 0)
        return replay_deny(denial, "bad-timeout", "The seat's time-out is already in the record.");
    if ((replay_timed_out(replay, entry->elapsed_ms) >> entry->subject & 1) == 0)
        return replay_deny(denial, "bad-timeout", "The seat's clock has not run out.");
    replay->timed_out |= UINT32_C(1) << entry->subject;
    return true;
}

bool replay_apply_sealed(struct replay *replay, const struct record_entry *entry,
                         const struct replay_denial *denial)
{
    uint32_t waiting = replay_simultaneous(replay) & ~replay->fallback & ~replay->sealed;
    if (!has_clocks(replay))
        return replay_deny(denial, "bad-sealed",
                           "A game without clocks records no sealed decisions.");
    if ((waiting >> entry->subject & 1) == 0)
        return replay_deny(denial, "bad-sealed", "The seat has nothing to decide in secret.");
    if (!replay_has_time(replay, entry->subject, denial))
        return false;
    replay->sealed |= UINT32_C(1) << entry->subject;
    return true;
}

static const char bad_undo[] = "bad-undo";
static const char bad_takeback[] = "bad-takeback";

/* Looks only at the words: most lines are plies, and reading them twice would be slow. */
bool replay_takes_back(struct span line)
{
    enum { WORDS_BEFORE = 3 }; /* number, seat, time */
    for (unsigned i = 0; i < WORDS_BEFORE; i++)
        span_word(&line);
    struct span word = span_word(&line);
    if (!span_is(word, "ruling"))
        return span_is(word, "undo") || span_is(word, "back");
    span_word(&line);
    return span_is(span_word(&line), "takeback");
}

/* ---- Which entries count ---- */

/* Bit `seq`: the entry counts. */
struct trail {
    uint8_t bits[RECORD_LINES_MAX / 8 + 1];
};

static bool counts(const struct trail *trail, uint32_t seq)
{
    return (trail->bits[seq / 8] >> seq % 8 & 1) != 0;
}

/* Reads a line with its mark as entry `seq`. */
static bool read_entry(struct span line, uint32_t seq, struct record_entry *entry)
{
    struct record_fault fault;
    if (line.length <= MARK_LENGTH)
        return false;
    line.length -= MARK_LENGTH;
    return record_read_entry(line, entry, &fault) && entry->seq == seq;
}

/* Marks the entries that count after entry `last`, the last one of `past`, and removes all entries
 * from `past`. If entry `target` is a take-back, it does not count, since the position is the one
 * before it. False if this is not the record that was replayed. */
static bool mark(struct span *past, uint32_t last, uint32_t target, struct trail *trail)
{
    struct span line;
    struct record_entry entry;
    uint32_t next = last;
    memset(trail, 0, sizeof *trail);
    for (uint32_t seq = last; seq > 0; seq--) {
        if (!span_last_line(past, &line))
            return false;
        if (seq > next)
            continue;
        if (!read_entry(line, seq, &entry))
            return false;
        bool undone = entry.kind == RECORD_UNDO || entry.kind == RECORD_BACK;
        bool back = undone || record_takes_back(&entry);
        if (back && (entry.target == 0 || entry.target >= seq))
            return false;
        next = back ? entry.target - 1 : seq - 1;
        if (!undone && !(back && seq == target))
            trail->bits[seq / 8] |= (uint8_t)(1u << seq % 8);
    }
    return true;
}

/* ---- Replaying ---- */

/* The state after a take-back by ruling: frozen, at the ruling's time, with everything hidden
 * redrawn if the ruling says so. Secret decisions have to be made again. */
static void land(struct replay *replay, const struct record_entry *entry, uint32_t epoch)
{
    memcpy(replay->dispute, entry->dispute, sizeof replay->dispute);
    replay->stop = REPLAY_FROZEN;
    replay->sealed = 0;
    replay->undo_from = 0;
    replay->clock.at_ms = entry->elapsed_ms;
    replay->seq = entry->seq;
    replay->elapsed_ms = entry->elapsed_ms;
    if (entry->rekey) {
        replay->drawn_seq = entry->seq;
        replay->header.game->rekey(replay->header.game, replay->state, epoch, &replay->chance);
    }
    replay_clock_settle(replay);
}

/* True if the entry is part of the position. */
static bool is_of_position(const struct record_entry *entry)
{
    return entry->kind != RECORD_SUBSTITUTE && entry->kind != RECORD_HOUSE &&
           (entry->kind != RECORD_RULING || entry->ruling == RECORD_RULING_FORFEIT);
}

/* Replays from the beginning what counts before entry `target`; `entries` starts with entry 1. */
static bool play_again(struct replay *replay, struct span entries, const struct trail *trail,
                       uint32_t target)
{
    struct span line;
    struct record_entry entry;
    struct record_fault fault;
    struct refusal refusal;
    const struct replay_denial denial = {&fault, &refusal};
    uint32_t epoch = 0;
    replay->seq = 0;
    replay->elapsed_ms = 0;
    replay_reset(replay);
    for (uint32_t seq = 1; seq < target; seq++) {
        if (!span_line(&entries, &line) || !read_entry(line, seq, &entry))
            return false;
        epoch += record_takes_back(&entry) && entry.rekey;
        if (!counts(trail, seq))
            continue;
        if (record_takes_back(&entry))
            land(replay, &entry, epoch);
        else if (is_of_position(&entry) &&
                 !replay_apply(replay, (struct span){NULL, 0}, &entry, &denial))
            return false;
    }
    return true;
}

/* Makes `earlier` the position before entry `target`. */
static bool find(const struct replay *replay, struct span past, uint32_t target,
                 struct replay *earlier, const char *code, const struct replay_denial *denial)
{
    static const char needs_past[] = "needs-past";
    struct trail trail;
    struct span header = past;
    *earlier = *replay;
    if (target == 0 || target > replay->seq || replay->takebacks == REPLAY_TAKEBACKS_MAX)
        return replay_deny(denial, code,
                           "There is no such entry, or the limit of take-backs is reached.");
    if (!mark(&header, replay->seq, target, &trail))
        return replay_deny(denial, needs_past, "Taking back needs the record so far.");
    if (!counts(&trail, target))
        return replay_deny(denial, code,
                           "This entry is already taken back, or is itself a take-back.");
    struct span entries = {past.at + header.length, past.length - header.length};
    if (!play_again(earlier, entries, &trail, target))
        return replay_deny(denial, needs_past, "Taking back needs the record so far.");
    earlier->plies = replay->plies;
    if (earlier->together)
        return replay_deny(denial, code, "Simultaneous decisions must be taken back together.");
    return true;
}

/* ---- By the seat itself ---- */

void replay_note_ply(struct replay *replay, const struct record_entry *entry, uint32_t drawn,
                     bool alone)
{
    uint32_t seat = UINT32_C(1) << entry->seat;
    bool drew = replay->header.game->drawn(replay->header.game, replay->state) != drawn;
    if (drew)
        replay->drawn_seq = entry->seq;
    if (drew || !alone || ((replay->fallback | replay->timed_out) & seat) != 0) {
        replay->undo_from = 0;
    } else if (replay->undo_from == 0 || replay->undo_seat != entry->seat) {
        replay->undo_from = entry->seq;
        replay->undo_seat = entry->seat;
    }
}

bool replay_apply_undo(struct replay *replay, struct span past, const struct record_entry *entry,
                       const struct replay_denial *denial)
{
    struct replay earlier;
    if (replay_deciders(replay) != UINT32_C(1) << entry->seat)
        return replay_deny(denial, bad_undo,
                           "It is not this seat's turn, or other seats must decide too.");
    if (replay->undo_from == 0 || replay->undo_seat != entry->seat ||
        entry->target < replay->undo_from)
        return replay_deny(denial, bad_undo,
                           "Something has been drawn since then, or the ply was not this seat's.");
    if (!find(replay, past, entry->target, &earlier, bad_undo, denial))
        return false;
    replay_clock_advance(&earlier, entry->elapsed_ms);
    if (!replay_has_time(&earlier, entry->seat, denial))
        return false;
    earlier.takebacks = replay->takebacks + 1;
    memcpy(replay, &earlier, replay_size(&earlier));
    return true;
}

/* ---- By the scorer of a recorded game ---- */

bool replay_apply_back(struct replay *replay, struct span past, const struct record_entry *entry,
                       const struct replay_denial *denial)
{
    static const char code[] = "bad-back";
    struct replay earlier;
    if (replay->voided || (replay->phase != REPLAY_PLAYING && replay->phase != REPLAY_OVER))
        return replay_deny(denial, code, "The game is void, or what was hidden has been shown.");
    if (!find(replay, past, entry->target, &earlier, code, denial))
        return false;
    earlier.takebacks = replay->takebacks + 1;
    memcpy(replay, &earlier, replay_size(&earlier));
    return true;
}

/* ---- By ruling ---- */

bool replay_apply_takeback(struct replay *replay, struct span past,
                           const struct record_entry *entry, const struct replay_denial *denial)
{
    struct replay earlier;
    bool drew = replay->drawn_seq >= entry->target;
    if (!find(replay, past, entry->target, &earlier, bad_takeback, denial))
        return false;
    if (entry->rekey != drew)
        return replay_deny(denial, bad_takeback,
                           drew ? "Something was drawn since then: `rekey` is required."
                                : "Nothing was drawn since then: leave out `rekey`.");
    earlier.epochs = replay->epochs + entry->rekey;
    earlier.takebacks = replay->takebacks + 1;
    land(&earlier, entry, earlier.epochs);
    earlier.stopped_ms = replay->stopped_ms;
    memcpy(replay, &earlier, replay_size(&earlier));
    return true;
}
