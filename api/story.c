#include "api/story.h"

#include <string.h>

struct live_result story_begin(struct story *story, const struct record_row *header)
{
    return stored_record_begin(&story->record, header->line, story->replay);
}

struct live_result story_go_on(struct story *story, const struct record_row *row, bool *told)
{
    enum { MARK_LENGTH = 10 };
    struct replay *replay = story->replay;
    struct span line = row->line;
    memcpy(story->before, replay->state, replay->header.game->state_size);
    struct live_result result = stored_record_go_on(&story->record, row, replay);
    line.length -= MARK_LENGTH;
    *told = result.status == LIVE_OK && replay->phase != REPLAY_FINISHED;
    if (*told && !record_read_entry(line, &story->entry, &result.fault))
        result.status = LIVE_DAMAGED;
    return result;
}

/* ---- What entries of each kind say ---- */

static void set_number(json_t *item, const char *key, int64_t number)
{
    json_object_set_new(item, key, json_integer(number));
}

static void set_text(json_t *item, const char *key, const char *text)
{
    json_object_set_new(item, key, json_string(text));
}

static void tell_ply(const struct story *story, struct viewer viewer, json_t *item)
{
    const struct game *game = story->replay->header.game;
    const struct record_entry *entry = &story->entry;
    const struct ply ply = {entry->seat, entry->move};
    set_number(item, "seat", entry->seat);
    json_object_set_new(item, "move", json_stringn(entry->move.at, entry->move.length));
    json_object_set_new(item, "events",
                        game->events(story->before, story->replay->state, &ply, viewer));
}

static void tell_ruling(const struct record_entry *entry, json_t *item)
{
    set_text(item, "dispute", entry->dispute);
    set_text(item, "order", record_ruling_name(entry->ruling));
    set_text(item, "by", entry->by);
    set_text(item, "why", entry->code);
    if (entry->ruling == RECORD_RULING_ADJUST || entry->ruling == RECORD_RULING_FORFEIT)
        set_number(item, "seat", entry->subject);
    if (entry->ruling == RECORD_RULING_ADJUST)
        set_number(item, "points", entry->score);
    if (entry->ruling == RECORD_RULING_TAKEBACK) {
        set_number(item, "target", entry->target);
        json_object_set_new(item, "rekey", json_boolean(entry->rekey));
    }
}

static void tell_system_line(const struct record_entry *entry, json_t *item)
{
    switch (entry->kind) {
    case RECORD_UNDO:
        set_number(item, "seat", entry->seat);
        set_number(item, "target", entry->target);
        break;
    case RECORD_SUBSTITUTE:
        json_object_set_new(
            item, "player",
            json_pack("{s:s, s:s}", "id", entry->player.player, "name", entry->player.name));
        set_number(item, "seat", entry->subject);
        break;
    case RECORD_STOP:
        set_text(item, "reason", record_reason_name(entry->reason));
        break;
    case RECORD_FREEZE:
        set_text(item, "dispute", entry->dispute);
        break;
    case RECORD_RULING:
        tell_ruling(entry, item);
        break;
    case RECORD_REVEAL:
    case RECORD_RESUME:
        break;
    default:
        set_number(item, "seat", entry->subject);
    }
}

json_t *story_entry(const struct story *story, struct viewer viewer)
{
    const struct record_entry *entry = &story->entry;
    json_t *item = json_pack("{s:i, s:I, s:s}", "seq", (int)entry->seq, "elapsed_ms",
                             (json_int_t)entry->elapsed_ms, "kind", record_kind_name(entry->kind));
    if (entry->kind == RECORD_PLY)
        tell_ply(story, viewer, item);
    else
        tell_system_line(entry, item);
    return item;
}
