#include "api/story.h"

#include <sodium.h>
#include <string.h>

#include "db/games.h"

struct live_result story_begin(const struct keys *keys, struct db *db, struct arena *arena,
                               const struct id *game, const struct record_row *header,
                               struct replay *replay)
{
    const uint8_t *sealed;
    size_t size;
    uint8_t secret[KEYS_SECRET_BYTES];
    struct span rest = header->line;
    struct live_result result = {.status = LIVE_DATABASE};
    result.database = game_secret(db, arena, game, &sealed, &size);
    if (result.database != DB_OK)
        return result;
    bool opened = keys_open(keys, sealed, size, secret, KEYS_SECRET_BYTES);
    if (!opened)
        record_fault(&result.fault, "sealed", "The game's secret was sealed with another key.",
                     (struct span){NULL, 0});
    bool begun = opened && replay_begin(replay, &rest, secret, &result.fault);
    sodium_memzero(secret, sizeof secret);
    result.status = begun ? LIVE_OK : LIVE_DAMAGED;
    return result;
}

bool story_go_on(struct story *story, const struct record_row *row, bool *told,
                 struct record_fault *fault)
{
    enum { MARK_LENGTH = 10 };
    struct replay *replay = story->replay;
    struct span line = row->line;
    memcpy(story->before, replay->state, replay->header.game->state_size);
    if (!replay_line(replay, line, fault))
        return false;
    line.length -= MARK_LENGTH;
    *told = replay->phase != REPLAY_FINISHED && record_read_entry(line, &story->entry, fault);
    return true;
}

json_t *story_entry(const struct story *story, struct viewer viewer)
{
    const struct game *game = story->replay->header.game;
    const struct record_entry *entry = &story->entry;
    json_t *item = json_pack("{s:i, s:I, s:s}", "seq", (int)entry->seq, "elapsed_ms",
                             (json_int_t)entry->elapsed_ms, "kind", record_kind_name(entry->kind));
    if (entry->kind == RECORD_PLY) {
        const struct ply ply = {entry->seat, entry->move};
        json_object_set_new(item, "seat", json_integer(entry->seat));
        json_object_set_new(item, "move", json_stringn(entry->move.at, entry->move.length));
        json_object_set_new(item, "events",
                            game->events(story->before, story->replay->state, &ply, viewer));
    } else if (entry->kind != RECORD_REVEAL) {
        json_object_set_new(item, "seat", json_integer(entry->subject));
    }
    return item;
}
