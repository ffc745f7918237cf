#include "api/push/log_story.h"

#include <stdlib.h>
#include <string.h>

#include "api/request/documents.h"
#include "db/link/db.h"
#include "engine/log/tlog.h"

/* ---- Reading ---- */

static size_t find_ids(const struct log_story *story, enum tlog_subject topic,
                       enum tlog_subject other, struct id *ids)
{
    size_t count = 0;
    for (size_t i = 0; i < story->count; i++) {
        struct tlog_leaf leaf;
        if (tlog_leaf_read(story->entries[i].entry, &leaf) &&
            (leaf.subject == topic || leaf.subject == other) && id_parse(leaf.name, &ids[count]))
            count++;
    }
    return count;
}

enum db_status log_story_read(struct db *db, struct arena *arena, uint64_t first, size_t limit,
                              struct log_story *story)
{
    *story = (struct log_story){.count = 0};
    enum db_status status = tlog_entries(db, arena, first, limit, &story->entries, &story->count);
    if (status != DB_OK || story->count == 0)
        return status;
    struct id *ids = arena_array(arena, story->count, sizeof *ids);
    size_t count = find_ids(story, TLOG_GAME, TLOG_COMMITMENT, ids);
    if (count > 0)
        status = tlog_games(db, arena, ids, count, &story->games, &story->game_count);
    count = find_ids(story, TLOG_DISPUTE, TLOG_DISPUTE, ids);
    if (status == DB_OK && count > 0)
        status = tlog_disputes(db, arena, ids, count, &story->disputes, &story->dispute_count);
    return status;
}

/* ---- Messages ---- */

/* Compares ids; both structs begin with one. */
static int compare_ids(const void *id, const void *thing)
{
    return strcmp(((const struct id *)id)->text, ((const struct id *)thing)->text);
}

static const struct tlog_game *find_game(const struct log_story *story, const struct id *id)
{
    return story->game_count == 0
               ? NULL
               : bsearch(id, story->games, story->game_count, sizeof *story->games, compare_ids);
}

static const struct tlog_dispute *find_dispute(const struct log_story *story, const struct id *id)
{
    return story->dispute_count == 0 ? NULL
                                     : bsearch(id, story->disputes, story->dispute_count,
                                               sizeof *story->disputes, compare_ids);
}

/* Reads `<id>`, `<id>/round/<n>`, `<id>/line/<n>` or `<id>/key/<n>`; the number is 0 if there is
 * none. */
static bool read_scope(struct span name, struct id *id, uint64_t *number)
{
    enum { ID_LENGTH = sizeof id->text - 1 };
    static const char *const between[] = {"/round/", "/line/", "/key/"};
    *number = 0;
    if (name.length < ID_LENGTH || !id_parse((struct span){name.at, ID_LENGTH}, id))
        return false;
    struct span rest = {name.at + ID_LENGTH, name.length - ID_LENGTH};
    for (size_t i = 0; i < sizeof between / sizeof between[0]; i++) {
        size_t length = strlen(between[i]);
        if (rest.length > length && memcmp(rest.at, between[i], length) == 0)
            return span_number((struct span){rest.at + length, rest.length - length}, UINT32_MAX,
                               number);
    }
    return rest.length == 0;
}

static json_t *of_game(const struct tlog_game *game, const char *change)
{
    return json_pack("{s:s, s:s, s:o, s:o, s:o, s:{s:s, s:s}}", "change", change, "game",
                     game->id.text, "event", text_or_null(game->event.text), "round",
                     number_or_null(game->round), "table", number_or_null(game->table), "ruleset",
                     "slug", game->slug, "version", game->version);
}

static json_t *of_event(const struct id *event, const char *change)
{
    return json_pack("{s:s, s:s}", "change", change, "event", event->text);
}

/* The commitment to a secret: of a game, of a duplicate round, or of an event. */
static json_t *of_commitment(const struct log_story *story, const struct id *id, uint64_t round,
                             const char **name)
{
    const struct tlog_game *game = find_game(story, id);
    *name = round > 0 ? "round" : game != NULL ? "game" : "event";
    if (round > 0)
        return json_pack("{s:s, s:s, s:I}", "change", "committed", "event", id->text, "round",
                         (json_int_t)round);
    return game != NULL ? of_game(game, "started") : of_event(id, "made");
}

/* The document of the leaf's subject; NULL if not found. */
static json_t *of_leaf(const struct log_story *story, const struct tlog_leaf *leaf,
                       const char **name)
{
    struct id id;
    uint64_t number;
    if (leaf->subject == TLOG_SERVER_KEY) {
        *name = "server_key";
        return json_pack("{s:s#}", "replaced", leaf->name.at, (int)leaf->name.length);
    }
    if (!read_scope(leaf->name, &id, &number))
        return NULL;
    const struct tlog_game *game = find_game(story, &id);
    const struct tlog_dispute *dispute = find_dispute(story, &id);
    switch (leaf->subject) {
    case TLOG_GAME:
        *name = "game";
        return game == NULL ? NULL : of_game(game, "finished");
    case TLOG_COMMITMENT:
        return of_commitment(story, &id, number, name);
    case TLOG_EVENT_LOG:
        *name = "event";
        return of_event(&id, "closed");
    case TLOG_STANDINGS:
        *name = "standings";
        return json_pack("{s:s, s:o}", "event", id.text, "round", number_or_null((int64_t)number));
    case TLOG_RULING:
    case TLOG_EVENT_STEP:
        *name = leaf->subject == TLOG_RULING ? "ruling" : "line";
        return json_pack("{s:s, s:I}", "event", id.text, "line", (json_int_t)number);
    case TLOG_KEY:
        *name = "key";
        return json_pack("{s:s, s:I}", "player", id.text, "line", (json_int_t)number);
    case TLOG_DISPUTE:
        *name = "dispute";
        return dispute == NULL
                   ? NULL
                   : json_pack("{s:s, s:s}", "dispute", id.text, "game", dispute->game.text);
    case TLOG_SERVER_KEY:
        break;
    }
    return NULL;
}

bool log_story_add(const struct log_story *story, size_t at, struct growing *piece)
{
    const struct tlog_entry *entry = &story->entries[at];
    const char *name = NULL;
    struct tlog_leaf leaf;
    json_t *data = tlog_leaf_read(entry->entry, &leaf) ? of_leaf(story, &leaf, &name) : NULL;
    if (data == NULL)
        return false;
    json_object_set_new(data, "leaf", json_integer((json_int_t)entry->index));
    json_object_set_new(data, "hash", hex_json(leaf.hash, sizeof leaf.hash));
    stream_message_add(piece, (unsigned)entry->index + 1, name, data);
    return true;
}
