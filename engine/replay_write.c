/* Writing: a line is written by applying it. */
#include <string.h>

#include "engine/replay_parts.h"

static struct record_entry entry_of(enum record_kind kind, int64_t elapsed_ms)
{
    return (struct record_entry){.elapsed_ms = elapsed_ms, .kind = kind};
}

bool replay_add(struct replay *replay, struct span past, const struct record_entry *wanted,
                struct text *line, struct refusal *refusal)
{
    struct record_fault fault;
    const struct replay_denial denial = {&fault, refusal};
    struct record_entry entry = *wanted;
    entry.seq = replay->seq + 1;
    if (entry.elapsed_ms < replay->elapsed_ms)
        entry.elapsed_ms = replay->elapsed_ms;
    if (!replay_apply(replay, past, &entry, &denial))
        return false;
    record_print_entry(&entry, line);
    record_chain_mark(replay->head, line);
    replay->lines++;
    return true;
}

static bool add(struct replay *replay, const struct record_entry *entry, struct text *line,
                struct refusal *refusal)
{
    return replay_add(replay, (struct span){NULL, 0}, entry, line, refusal);
}

bool replay_add_ply(struct replay *replay, unsigned seat, struct span move, int64_t elapsed_ms,
                    struct text *line, struct refusal *refusal)
{
    struct record_entry entry = entry_of(RECORD_PLY, elapsed_ms);
    entry.seat = seat;
    entry.move = move;
    if (seat < GAME_SEATS_MAX && (replay->fallback >> seat & 1) != 0 &&
        replay->phase == REPLAY_PLAYING)
        return refuse(refusal, "seat-on-fallback", "The quiet move plays for this seat.");
    return add(replay, &entry, line, refusal);
}

bool replay_add_fallback(struct replay *replay, unsigned seat, int64_t elapsed_ms,
                         struct text *line, struct refusal *refusal)
{
    struct record_entry entry = entry_of(RECORD_FALLBACK, elapsed_ms);
    entry.subject = seat;
    return add(replay, &entry, line, refusal);
}

static void add_head(struct replay *replay, struct text *line)
{
    text_add(line, "head ");
    text_add_hex(line, replay->head, sizeof replay->head);
    record_chain_mark(replay->head, line);
    replay->lines++;
    replay->phase = REPLAY_FINISHED;
}

static bool add_quiet_move(struct replay *replay, unsigned seat, int64_t elapsed_ms,
                           struct text *line)
{
    char bytes[GAME_MOVE_MAX + 1];
    struct text quiet = TEXT_OVER(bytes);
    struct refusal refusal;
    struct record_entry entry = entry_of(RECORD_PLY, elapsed_ms);
    replay->header.game->fallback(replay->state, seat, &quiet);
    entry.seat = seat;
    entry.move = text_span(&quiet);
    return add(replay, &entry, line, &refusal);
}

void replay_add_quiet(struct replay *replay, unsigned seat, int64_t elapsed_ms, struct text *line)
{
    add_quiet_move(replay, seat, elapsed_ms, line);
}

bool replay_add_due(struct replay *replay, int64_t elapsed_ms, bool reveal, struct text *line)
{
    struct refusal refusal;
    struct record_entry entry;
    struct outcome outcome;
    int quiet = replay_quiet_seat(replay);
    if (quiet >= 0)
        return add_quiet_move(replay, (unsigned)quiet, elapsed_ms, line);
    if (replay->stop != REPLAY_RUNS)
        return false;
    switch (replay->phase) {
    case REPLAY_OVER:
        if (!reveal)
            return false;
        entry = entry_of(RECORD_REVEAL, elapsed_ms);
        memcpy(entry.secret, replay->secret, sizeof entry.secret);
        return add(replay, &entry, line, &refusal);
    case REPLAY_REVEALED:
        replay_outcome(replay, &outcome);
        entry = entry_of(RECORD_RESULT, elapsed_ms);
        entry.subject = replay->results;
        entry.score = outcome.score[replay->results];
        entry.rank = outcome.rank[replay->results];
        return add(replay, &entry, line, &refusal);
    case REPLAY_CLOSING:
        add_head(replay, line);
        return true;
    case REPLAY_PLAYING:
    case REPLAY_FINISHED:
        break;
    }
    return false;
}
