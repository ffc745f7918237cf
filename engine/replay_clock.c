/* Clocks in a replay. A seat's clock runs while it has to decide, unless a quiet move plays for it
 * or it has decided in secret. Games without a control have no clocks at all. */
#include "engine/replay_parts.h"

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
    return record_fault(denial->fault, "missed-timeout",
                        "The seat's clock had run out, and no time-out stands before.",
                        (struct span){NULL, 0});
}

bool replay_apply_timeout(struct replay *replay, const struct record_entry *entry,
                          const struct replay_denial *denial)
{
    if ((replay->timed_out >> entry->subject & 1) != 0)
        return replay_deny(denial, "bad-timeout", "The seat's time-out stands in the record.");
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
        return replay_deny(denial, "bad-sealed", "Without clocks nobody needs to know.");
    if ((waiting >> entry->subject & 1) == 0)
        return replay_deny(denial, "bad-sealed", "The seat has nothing to decide in secret.");
    if (!replay_has_time(replay, entry->subject, denial))
        return false;
    replay->sealed |= UINT32_C(1) << entry->subject;
    return true;
}
