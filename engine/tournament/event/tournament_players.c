/* Lines about players, most of whom have numbers: the rounds they take part in, whom they are kept
 * apart from, and what they ask for outside of rounds. */
#include <string.h>

#include "engine/tournament/event/tournament_parts.h"

enum { QUEUE_MOST = 512, PAIRS_MOST = 65536 };

/* ---- Coming and going ---- */

static bool read_numbered(struct taking *taking, uint16_t *entry)
{
    if (!read_entry(taking, "player", entry))
        return false;
    if (taking->event->phase == PHASE_CLOSED)
        return not_now(taking, "The event is closed.");
    if (taking->event->entrants[*entry].number != 0)
        return true;
    bool open = taking->event->phase == PHASE_ENTRIES_OPEN;
    return refuse(taking->refusal, TOURNAMENT_REFUSAL_PLAYER,
                  open ? "Players get their numbers when entries are closed; try again then."
                       : "This player has no number in the event.");
}

size_t find_waiting(const struct tournament *event, uint16_t entry)
{
    size_t i = 0;
    while (i < event->queue_count && event->queue[i].entry != entry)
        i++;
    return i;
}

void leave_queue(struct tournament *event, uint16_t entry)
{
    size_t i = find_waiting(event, entry);
    if (i == event->queue_count)
        return;
    event->queue_count--;
    memmove(&event->queue[i], &event->queue[i + 1],
            (event->queue_count - i) * sizeof *event->queue);
}

/* Removes the entry from the queue, and cancels its open challenges. */
static void leave_open_play(struct tournament *event, uint16_t entry)
{
    leave_queue(event, entry);
    for (size_t i = 0; i < event->challenge_count; i++) {
        struct tournament_challenge *each = &event->challenges[i];
        if (each->table == 0 && (each->challenger == entry || each->challenged == entry))
            each->over = true;
    }
}

bool take_dropped(struct taking *taking)
{
    struct tournament *event = taking->event;
    uint16_t entry;
    json_int_t after;
    if (!read_numbered(taking, &entry) ||
        !read_whole(taking, "after", event->rounds_started, TOURNAMENT_ROUNDS_MAX, &after))
        return false;
    struct entrant *entrant = &event->entrants[entry];
    round_set out = rounds_from((unsigned)after + 1);
    if ((entrant->out & out) == out && out != 0)
        return refuse(taking->refusal, TOURNAMENT_REFUSAL_TWICE,
                      "This player has already dropped out.");
    entrant->out |= out;
    leave_open_play(event, entry);
    return true;
}

static bool is_bracket(const struct stage_settings *stage)
{
    return stage != NULL &&
           (stage->format == FORMAT_SINGLE_ELIMINATION ||
            stage->format == FORMAT_DOUBLE_ELIMINATION || stage->format == FORMAT_POD_ELIMINATION);
}

bool tournament_may_return(const struct tournament *event, struct refusal *refusal)
{
    if (event->phase == PHASE_CLOSED)
        return refuse(refusal, TOURNAMENT_REFUSAL_PHASE, "The event is closed.");
    return !is_bracket(tournament_stage(event)) ||
           refuse(refusal, TOURNAMENT_REFUSAL_LATE,
                  "A player who has left a bracket cannot return to it.");
}

bool take_returned(struct taking *taking)
{
    struct tournament *event = taking->event;
    uint16_t entry;
    json_int_t from;
    if (!read_numbered(taking, &entry) ||
        !read_whole(taking, "from", (json_int_t)event->round_count + 1, TOURNAMENT_ROUNDS_MAX,
                    &from))
        return false;
    struct entrant *entrant = &event->entrants[entry];
    if ((entrant->out & round_bit((unsigned)from)) == 0)
        return refuse(taking->refusal, TOURNAMENT_REFUSAL_PLAYER,
                      "This player already takes part in that round.");
    if (!tournament_may_return(event, taking->refusal) ||
        !check_parted(taking, entrant->player, entrant->owner))
        return false;
    entrant->out &= ~rounds_from((unsigned)from);
    return true;
}

/* A player can have byes before numbers are given, since absences are known when entering. */
static bool read_entered(struct taking *taking, uint16_t *entry)
{
    const struct tournament *event = taking->event;
    if (event->phase != PHASE_ENTRIES_OPEN)
        return read_numbered(taking, entry);
    if (!read_entry(taking, "player", entry))
        return false;
    enum entrant_state state = event->entrants[*entry].state;
    return state == ENTRANT_TAKEN || state == ENTRANT_WAITING ||
           refuse(taking->refusal, TOURNAMENT_REFUSAL_PLAYER,
                  "This player has not entered the event.");
}

static bool read_bye_round(struct taking *taking, uint16_t *entry, round_set *bit)
{
    json_int_t round;
    struct tournament *event = taking->event;
    if (!read_entered(taking, entry) ||
        !read_whole(taking, "round", 1, TOURNAMENT_ROUNDS_MAX, &round))
        return false;
    *bit = round_bit((unsigned)round);
    return (size_t)round > event->round_count ||
           refuse(taking->refusal, TOURNAMENT_REFUSAL_LATE, "That round has been paired already.");
}

bool take_bye_granted(struct taking *taking)
{
    const char *kind = json_string_value(json_object_get(taking->line->detail, "kind"));
    uint16_t entry;
    round_set bit;
    if (!read_bye_round(taking, &entry, &bit))
        return false;
    struct entrant *entrant = &taking->event->entrants[entry];
    if (((entrant->full_bye | entrant->half_bye | entrant->zero_bye) & bit) != 0)
        return refuse(taking->refusal, TOURNAMENT_REFUSAL_TWICE,
                      "This player has a bye in that round already.");
    if (kind != NULL && strcmp(kind, "full") == 0)
        entrant->full_bye |= bit;
    else if (kind != NULL && strcmp(kind, "half") == 0)
        entrant->half_bye |= bit;
    else if (kind != NULL && strcmp(kind, "zero") == 0)
        entrant->zero_bye |= bit;
    else
        return bad_line(taking, "A bye must be full, half or zero.");
    return true;
}

bool take_bye_revoked(struct taking *taking)
{
    uint16_t entry;
    round_set bit;
    if (!read_bye_round(taking, &entry, &bit))
        return false;
    struct entrant *entrant = &taking->event->entrants[entry];
    if (((entrant->full_bye | entrant->half_bye | entrant->zero_bye) & bit) == 0)
        return refuse(taking->refusal, TOURNAMENT_REFUSAL_PLAYER,
                      "This player has no bye in that round.");
    entrant->full_bye &= ~bit;
    entrant->half_bye &= ~bit;
    entrant->zero_bye &= ~bit;
    return true;
}

/* ---- Pairs that are kept apart ---- */

static struct tournament_pair *find_pair(const struct tournament *event,
                                         const uint16_t entry[static 2])
{
    for (size_t i = 0; i < event->pair_count; i++) {
        struct tournament_pair *each = &event->pairs[i];
        if ((each->a == entry[0] && each->b == entry[1]) ||
            (each->a == entry[1] && each->b == entry[0]))
            return each;
    }
    return NULL;
}

static bool read_weight(struct taking *taking, json_int_t *weight)
{
    const char *text = json_string_value(json_object_get(taking->line->detail, "weight"));
    *weight = POD_FORBIDDEN;
    if (text != NULL && strcmp(text, "forbidden") == 0)
        return true;
    return read_whole(taking, "weight", 1, POD_WEIGHT_MAX, weight);
}

bool take_kept_apart(struct taking *taking)
{
    struct tournament *event = taking->event;
    uint16_t entry[2];
    json_int_t weight;
    if (!read_two(taking, entry) || !read_weight(taking, &weight))
        return false;
    if (event->phase == PHASE_CLOSED)
        return not_now(taking, "The event is closed.");
    struct tournament_pair *pair = find_pair(event, entry);
    if (pair != NULL && pair->weight == weight)
        return refuse(taking->refusal, TOURNAMENT_REFUSAL_TWICE,
                      "These two are kept apart already.");
    if (pair == NULL) {
        if (event->pair_count == PAIRS_MOST)
            return refuse(taking->refusal, TOURNAMENT_REFUSAL_FULL,
                          "An event can keep at most 65536 pairs apart.");
        if (!grow(taking, (void **)&event->pairs, &event->index->pairs_most, event->pair_count + 1,
                  sizeof *event->pairs))
            return false;
        pair = &event->pairs[event->pair_count++];
    }
    *pair = (struct tournament_pair){entry[0], entry[1], (uint16_t)weight};
    return true;
}

bool take_not_kept_apart(struct taking *taking)
{
    struct tournament *event = taking->event;
    uint16_t entry[2];
    if (!read_two(taking, entry))
        return false;
    struct tournament_pair *pair = find_pair(event, entry);
    if (pair == NULL || event->phase == PHASE_CLOSED)
        return refuse(taking->refusal, TOURNAMENT_REFUSAL_PLAYER, "These two are not kept apart.");
    *pair = event->pairs[--event->pair_count];
    return true;
}

/* ---- Ladder and open play ---- */

/* Free to play outside of rounds: the event has such a format, and the entry is not playing. */
static bool is_free(const struct tournament *event, uint16_t entry)
{
    for (size_t i = 0; i < event->table_count; i++) {
        const struct tournament_table *table = &event->tables[i];
        if (!table->has_result && tournament_seat_of(table, entry) >= 0)
            return false;
    }
    return true;
}

static bool plays_openly(const struct tournament *event, enum tournament_format format,
                         uint16_t entry, struct refusal *refusal)
{
    if ((event->phase != PHASE_ENTRIES_CLOSED && event->phase != PHASE_RUNNING) ||
        event->settings.stage[event->stages == 0 ? 0 : event->stages - 1].format != format)
        return refuse(refusal, TOURNAMENT_REFUSAL_PHASE,
                      "The event's current format does not support this.");
    const struct entrant *entrant = &event->entrants[entry];
    return (entrant->number != 0 && !tournament_has_dropped(entrant)) ||
           refuse(refusal, TOURNAMENT_REFUSAL_PLAYER, "This player is not taking part now.");
}

bool take_queued(struct taking *taking)
{
    struct tournament *event = taking->event;
    uint16_t entry;
    if (!read_entry(taking, "player", &entry) ||
        !plays_openly(event, FORMAT_OPEN_PLAY, entry, taking->refusal))
        return false;
    if (find_waiting(event, entry) < event->queue_count || !is_free(event, entry))
        return refuse(taking->refusal, TOURNAMENT_REFUSAL_TWICE,
                      "This player is already waiting or playing.");
    if (event->queue_count == QUEUE_MOST)
        return refuse(taking->refusal, TOURNAMENT_REFUSAL_FULL, "At most 512 players can wait.");
    if (!begin_open_stage(taking) ||
        !grow(taking, (void **)&event->queue, &event->index->queue_most, event->queue_count + 1,
              sizeof *event->queue))
        return false;
    event->queue[event->queue_count++] = (struct tournament_wait){entry, taking->line->at_ms};
    return true;
}

bool take_unqueued(struct taking *taking)
{
    struct tournament *event = taking->event;
    uint16_t entry;
    if (!read_entry(taking, "player", &entry))
        return false;
    if (find_waiting(event, entry) == event->queue_count)
        return refuse(taking->refusal, TOURNAMENT_REFUSAL_PLAYER, "This player is not waiting.");
    leave_queue(event, entry);
    return true;
}

static bool has_challenge(const struct tournament *event, uint16_t entry)
{
    for (size_t i = 0; i < event->challenge_count; i++) {
        const struct tournament_challenge *each = &event->challenges[i];
        if (!each->over && (each->challenger == entry || each->challenged == entry))
            return true;
    }
    return false;
}

bool tournament_may_challenge(const struct tournament *event, uint16_t challenger,
                              uint16_t challenged, struct refusal *refusal)
{
    if (!plays_openly(event, FORMAT_LADDER, challenger, refusal) ||
        !plays_openly(event, FORMAT_LADDER, challenged, refusal))
        return false;
    if (tournament_parts(event, challenger, challenged))
        return refuse(refusal, TOURNAMENT_REFUSAL_OWNER,
                      "A player and a bot of theirs, or two bots of one owner, are kept apart in "
                      "this event (`same_owner`).");
    if (has_challenge(event, challenger) || has_challenge(event, challenged))
        return refuse(refusal, TOURNAMENT_REFUSAL_TWICE, "One of the two has an open challenge.");
    return event->challenge_count < TOURNAMENT_TABLES_MAX ||
           refuse(refusal, TOURNAMENT_REFUSAL_FULL, "An event can have at most 65535 challenges.");
}

/* Before writing the line, the caller asks ladder.h whether the rungs allow the challenge. */
bool take_challenged(struct taking *taking)
{
    struct tournament *event = taking->event;
    uint16_t entry[2];
    if (!read_two(taking, entry) ||
        !tournament_may_challenge(event, entry[0], entry[1], taking->refusal))
        return false;
    if (!begin_open_stage(taking) ||
        !grow(taking, (void **)&event->challenges, &event->index->challenges_most,
              event->challenge_count + 1, sizeof *event->challenges))
        return false;
    event->challenges[event->challenge_count++] = (struct tournament_challenge){
        .challenger = entry[0], .challenged = entry[1], .at_ms = taking->line->at_ms};
    return true;
}

bool take_challenge_cancelled(struct taking *taking)
{
    struct tournament *event = taking->event;
    uint16_t entry[2];
    if (!read_two(taking, entry))
        return false;
    for (size_t i = 0; i < event->challenge_count; i++) {
        struct tournament_challenge *each = &event->challenges[i];
        if (each->over || each->challenger != entry[0] || each->challenged != entry[1])
            continue;
        if (each->table != 0)
            return not_now(taking, "The game of this challenge is being played.");
        each->over = true;
        return true;
    }
    return refuse(taking->refusal, TOURNAMENT_REFUSAL_PLAYER, "There is no such challenge.");
}
