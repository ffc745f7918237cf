/* What happens in an eventful game besides its plies. What the engine refuses, because it has no
 * place at that moment, is left out. */
#include <string.h>

#include "tests/engine/support/roll.h"

enum { TAKEBACKS_MAX = 12, SUBSTITUTES_MAX = 10 };

static const char dispute_id[] = "0190163d-8694-739b-aea5-966c26f8adb0";
static const char arbiter_id[] = "0190163d-8694-739b-aea5-966c26f8adc0";

static bool add_about(struct roll_writer *writer, enum record_kind kind, unsigned seat)
{
    return roll_add(writer, &(struct record_entry){.kind = kind, .subject = seat});
}

static unsigned any_seat(struct roll_writer *writer)
{
    return dice_below(&writer->dice, writer->roll->replay.header.seats);
}

static unsigned lowest(uint32_t seats)
{
    unsigned seat = 0;
    while ((seats >> seat & 1) == 0)
        seat++;
    return seat;
}

/* ---- Clocks ---- */

/* What an event's policy does: one fallback move, which the seat's next ply may be anyway; the
 * fallback move for good; the game is lost; nothing, the arbiter was called. */
static void follow_policy(struct roll_writer *writer, unsigned seat)
{
    char bytes[GAME_MOVE_MAX + 1];
    struct text quiet = TEXT_OVER(bytes);
    const struct replay *replay = &writer->roll->replay;
    switch (dice_below(&writer->dice, 8)) {
    case 0:
        add_about(writer, RECORD_FALLBACK, seat);
        break;
    case 1:
        add_about(writer, RECORD_FORFEIT, seat);
        break;
    case 2:
        break;
    default:
        if (replay_simultaneous(replay) != 0)
            return;
        replay->header.game->fallback(replay->header.game, replay->state, seat, &quiet);
        roll_add(writer, &(struct record_entry){
                             .kind = RECORD_PLY, .seat = seat, .move = text_span(&quiet)});
        break;
    }
}

static bool call_time(struct roll_writer *writer)
{
    uint32_t seats = replay_timed_out(&writer->roll->replay, writer->elapsed_ms);
    if (seats == 0 || !add_about(writer, RECORD_TIMEOUT, lowest(seats)))
        return false;
    follow_policy(writer, lowest(seats));
    return true;
}

/* Simultaneous decisions come in one by one, in any order. */
static bool seal(struct roll_writer *writer)
{
    const struct replay *replay = &writer->roll->replay;
    uint32_t seats = replay_simultaneous(replay) & ~replay->fallback & ~replay->sealed;
    unsigned seat = any_seat(writer);
    return (seats >> seat & 1) != 0 && add_about(writer, RECORD_SEALED, seat);
}

/* ---- Take-backs ---- */

static bool undo(struct roll_writer *writer)
{
    const struct replay *replay = &writer->roll->replay;
    if (replay->undo_from == 0 || writer->takebacks == TAKEBACKS_MAX)
        return false;
    uint32_t target =
        replay->undo_from + dice_below(&writer->dice, replay->seq - replay->undo_from + 1);
    bool done = roll_add(
        writer,
        &(struct record_entry){.kind = RECORD_UNDO, .seat = replay->undo_seat, .target = target});
    writer->takebacks += done;
    return done;
}

static void rule(struct roll_writer *writer, struct record_entry *entry, enum record_ruling ruling)
{
    entry->kind = RECORD_RULING;
    entry->ruling = ruling;
    memcpy(entry->dispute, dispute_id, sizeof entry->dispute);
    memcpy(entry->by, arbiter_id, sizeof entry->by);
    strcpy(entry->code, "misapplied-rule");
    roll_add(writer, entry);
}

static void take_back(struct roll_writer *writer)
{
    const struct replay *replay = &writer->roll->replay;
    struct record_entry entry = {.target = 1 + dice_below(&writer->dice, replay->seq)};
    if (writer->takebacks == TAKEBACKS_MAX)
        return;
    if (!dice_one_in(&writer->dice, 4) && replay->seq > 12)
        entry.target = replay->seq - dice_below(&writer->dice, 12);
    entry.rekey = replay->drawn_seq >= entry.target;
    uint32_t before = replay->takebacks;
    rule(writer, &entry, RECORD_RULING_TAKEBACK);
    writer->takebacks += replay->takebacks != before;
}

/* ---- Disputes ---- */

static void decide(struct roll_writer *writer)
{
    struct record_entry entry = {.subject = any_seat(writer)};
    switch (dice_below(&writer->dice, 40)) {
    case 0:
        rule(writer, &entry, RECORD_RULING_VOID);
        break;
    case 1:
    case 2:
        rule(writer, &entry, RECORD_RULING_FORFEIT);
        break;
    case 3:
    case 4:
    case 5:
    case 6:
    case 7:
    case 8:
        rule(writer, &entry, RECORD_RULING_STANDS);
        break;
    case 9:
    case 10:
    case 11:
    case 12:
    case 13:
    case 14:
        entry.score = dice_one_in(&writer->dice, 2) ? 3 : -2;
        rule(writer, &entry, RECORD_RULING_ADJUST);
        break;
    default:
        take_back(writer);
        break;
    }
}

static bool dispute(struct roll_writer *writer)
{
    struct record_entry freeze = {.kind = RECORD_FREEZE};
    memcpy(freeze.dispute, dispute_id, sizeof freeze.dispute);
    if (!roll_add(writer, &freeze))
        return false;
    do {
        writer->elapsed_ms += 20000;
        decide(writer);
    } while (dice_one_in(&writer->dice, 3));
    writer->elapsed_ms += 20000;
    roll_add(writer, &(struct record_entry){.kind = RECORD_RESUME});
    return true;
}

static bool pause(struct roll_writer *writer)
{
    struct record_entry stop = {.kind = RECORD_STOP,
                                .reason = dice_below(&writer->dice, RECORD_REASONS)};
    if (!roll_add(writer, &stop))
        return false;
    writer->elapsed_ms += 100000;
    if (!dice_one_in(&writer->dice, 4) || !dispute(writer))
        roll_add(writer, &(struct record_entry){.kind = RECORD_RESUME});
    return true;
}

/* ---- Presence ---- */

static bool substitute(struct roll_writer *writer)
{
    struct record_entry entry = {.kind = RECORD_SUBSTITUTE, .subject = any_seat(writer)};
    if (writer->substitutes == SUBSTITUTES_MAX)
        return false;
    memcpy(entry.player.player, "0190163d-8694-739b-aea5-966c26f8ade0", RECORD_ID_LENGTH);
    entry.player.player[RECORD_ID_LENGTH - 1] = (char)('0' + writer->substitutes);
    strcpy(entry.player.name, "Substitute");
    entry.player.has_key = writer->substitutes % 3 != 0;
    uint8_t secret_key[64];
    if (entry.player.has_key)
        roll_key(10 + writer->substitutes, entry.player.key, secret_key);
    bool done = roll_add(writer, &entry);
    writer->substitutes += done;
    return done;
}

bool roll_event(struct roll_writer *writer)
{
    if (writer->roll->replay.together)
        return false;
    if (call_time(writer))
        return true;
    switch (dice_below(&writer->dice, 90)) {
    case 0:
        return add_about(writer, RECORD_FALLBACK, any_seat(writer));
    case 1:
    case 2:
    case 3:
        return add_about(writer, RECORD_RETURN, any_seat(writer));
    case 4:
        return dice_one_in(&writer->dice, 8) && add_about(writer, RECORD_FORFEIT, any_seat(writer));
    case 5:
        return substitute(writer);
    case 6:
        return pause(writer);
    case 7:
    case 8:
        return dispute(writer);
    default:
        return (dice_one_in(&writer->dice, 3) && seal(writer)) ||
               (dice_one_in(&writer->dice, 10) && undo(writer));
    }
}
