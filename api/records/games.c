/* Reading games. api/request/visibility.h alone decides what a viewer may see. */
#include <stdlib.h>

#include "api/disputes/audit_views.h"
#include "api/play/moves.h"
#include "api/play/views.h"
#include "api/records/handlers.h"
#include "api/request/documents.h"
#include "api/request/visibility.h"
#include "api/state/component_cache.h"
#include "api/tables/dealing.h"
#include "api/tables/game_writer.h"
#include "api/tables/games.h"

static bool find_game(struct call *call, struct game_row *game)
{
    return visibility_find_game(call, &call->id[0], game);
}

/* ---- Lists ---- */

static void answer_list(struct call *call, const struct id *player)
{
    static const char *const further[] = {"state", NULL};
    struct list_range range;
    struct game_row *games;
    size_t count;
    struct span state = http_parameter(call->request, "state");
    if (!call_list_range(call, further, &range))
        return;
    if (state.at != NULL && !span_is(state, "running")) {
        call_problem(call, "bad-parameter", "A list of games takes state=running, or no state.");
        return;
    }
    if (!call_found(call, game_list(call->db, call->arena, player, state.at != NULL, &range.after,
                                    range.limit, &games, &count)))
        return;
    call_answer_tagged(call,
                       list_with_next(visibility_game_documents(call, games, count),
                                      count == range.limit ? games[count - 1].id.text : NULL));
}

void games_list(struct call *call)
{
    const struct id anybody = {""};
    answer_list(call, &anybody);
}

void me_games(struct call *call)
{
    answer_list(call, &call->player.id);
}

void players_games(struct call *call)
{
    struct player player;
    if (call_found(call, player_by_id(call->db, call->arena, &call->id[0], &player)))
        answer_list(call, &player.id);
}

/* ---- One game ---- */

/* The line from which the caller's seat may take back; null for all other viewers. */
static json_t *takeback_document(struct call *call, const struct game_row *game,
                                 const struct replay *replay)
{
    struct viewer viewer = visibility_viewer(call, game);
    unsigned from = viewer.kind == VIEWER_SEAT ? takeback_from(game, replay, viewer.seat) : 0;
    return number_or_null(from);
}

/* The list of readers of hidden data is shown once nothing is hidden. */
static bool add_looks(struct call *call, const struct game_row *game, json_t *document)
{
    json_t *looks = json_null();
    if (game->finished && !visibility_is_hidden(call, game) &&
        !audit_views_document(call, game, &looks))
        return false;
    json_object_set_new(document, "looks", looks);
    return true;
}

/* Adds the version of the levels that a house player has declared for its seat. */
static void add_house_versions(const struct replay *replay, json_t *document)
{
    const json_t *seats = json_object_get(document, "seats");
    for (unsigned seat = 0; seat < replay->header.seats; seat++) {
        json_t *house = json_object_get(json_array_get(seats, seat), "house");
        const uint32_t version = replay->house[seat].version;
        if (json_is_object(house))
            json_object_set_new(house, "version", number_or_null(version));
    }
}

void games_get(struct call *call)
{
    struct game_row game;
    struct replay *replay;
    if (!views_load_game(call, &game, &replay))
        return;
    json_t *document = visibility_game_document(call, &game);
    add_house_versions(replay, document);
    json_object_set_new(document, "seq", json_integer(replay->seq));
    json_object_set_new(document, "plies", json_integer(replay->plies));
    json_object_set_new(document, "head", hex_json(replay->head, sizeof replay->head));
    json_object_set_new(document, "dealers",
                        dealing_document(replay->header.dealer, replay->header.dealers));
    json_object_set_new(document, "deciders", deciders_document(replay));
    json_object_set_new(document, "stopped", stop_document(replay));
    json_object_set_new(document, "clocks", clocks_document(replay));
    json_object_set_new(document, "may_take_back", takeback_document(call, &game, replay));
    if (add_looks(call, &game, document))
        call_answer_tagged(call, document);
    else
        json_decref(document);
}

/* ---- The record ---- */

static bool read_rows(struct call *call, struct record_row **rows, size_t *count)
{
    struct game_row game;
    if (!find_game(call, &game) ||
        !call_found(call, record_read(call->db, call->arena, &call->id[0], -1, rows, count)))
        return false;
    if (*count == 0)
        return call_problem(call, "not-found", "There is no game with this id.");
    *count = 1 + (size_t)visibility_last_row(call, &game, (unsigned)*count - 1);
    return true;
}

void games_record(struct call *call)
{
    struct record_row *rows;
    size_t count;
    if (!read_rows(call, &rows, &count))
        return;
    const char *const etag[] = {"\"", call_digits(call, rows[count - 1].seq), "\"", NULL};
    call->response->content_type = "text/plain; charset=utf-8";
    call->response->body = record_join(call->arena, rows, count);
    call_name_file(call, "inline", call->id[0].text, ".roll");
    call_tag(call, call_strings(call, etag));
}

void games_verification(struct call *call)
{
    static const char *const verdicts[] = {"valid", "invalid", "unfinished"};
    struct record_row *rows;
    size_t count;
    struct record_fault fault;
    if (!read_rows(call, &rows, &count))
        return;
    struct component_lookup lookup;
    const struct component_sets *sets =
        component_cache_sets(call->service->component_cache, call->db, &lookup);
    struct replay *replay = arena_take(call->arena, sizeof *replay);
    enum replay_verdict verdict =
        replay_verify(record_join(call->arena, rows, count), sets, replay, &fault);
    if (verdict == REPLAY_INVALID && lookup.status != DB_NONE) {
        (void)call_found(call, lookup.status);
        return;
    }
    json_t *document =
        json_pack("{s:s, s:s}", "game", call->id[0].text, "verdict", verdicts[verdict]);
    if (verdict == REPLAY_VALID)
        json_object_set_new(document, "head", hex_json(replay->head, sizeof replay->head));
    if (verdict == REPLAY_INVALID)
        json_object_set_new(document, "fault",
                            json_pack("{s:i, s:s, s:s}", "line", (int)fault.line, "code",
                                      fault.code, "message", fault.message));
    call_answer_tagged(call, document);
}

/* ---- Events in words ---- */

/* Appends the entries of rows after `after` to `items`, at most ENTRIES_MOST. */
static struct record_result add_rows(struct story *story, const struct record_row *rows,
                                     size_t count, unsigned after, struct viewer viewer,
                                     json_t *items)
{
    enum { ENTRIES_MOST = 100 };
    struct record_result result = story_begin(story, &rows[0]);
    for (size_t i = 1; i < count && json_array_size(items) < ENTRIES_MOST; i++) {
        bool is_entry;
        if (result.status == STORED_RECORD_OK)
            result = story_go_on(story, &rows[i], &is_entry);
        if (result.status != STORED_RECORD_OK)
            break;
        if (is_entry && rows[i].seq > after)
            json_array_append_new(items, story_entry(story, viewer));
    }
    return result;
}

void games_events(struct call *call)
{
    struct game_row game;
    struct record_row *rows;
    size_t count;
    unsigned after;
    if (!find_game(call, &game) || !call_after(call, &after) || !read_rows(call, &rows, &count))
        return;
    struct story *story = arena_take(call->arena, sizeof *story);
    story->record = game_stored_record(call, &game.id);
    story->replay = arena_take(call->arena, sizeof *story->replay);
    json_t *items = json_array();
    struct record_result result =
        add_rows(story, rows, count, after, visibility_viewer(call, &game), items);
    if (result.status != STORED_RECORD_OK) {
        json_decref(items);
        game_live_problem(call, &result);
        return;
    }
    size_t shown = json_array_size(items);
    json_t *last = json_array_get(items, shown - 1);
    json_t *next = shown == 0 ? json_integer(after) : json_incref(json_object_get(last, "seq"));
    call_answer_tagged(call, json_pack("{s:o, s:o}", "items", items, "next", next));
}
