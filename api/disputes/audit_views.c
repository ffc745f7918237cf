/* Full views. Auditors may see a running game, with a reason that is stored before the answer is
 * sent and published when the game is over. Officials who decide a dispute may see the disputed
 * position when the game is finished or stopped. */
#include "api/disputes/audit_views.h"

#include "api/disputes/dispute_load.h"
#include "api/disputes/handlers.h"
#include "api/people/names.h"
#include "api/play/moves.h"
#include "api/request/documents.h"
#include "api/request/visibility.h"
#include "api/tables/game_writer.h"
#include "api/tables/games.h"
#include "db/store/games/parties.h"
#include "db/store/games/records.h"

enum { REASON_MOST = 500 };

/* ---- A running game ---- */

static bool is_running(struct call *call, const struct game_row *game)
{
    return !game->finished ||
           call_problem(call, "game-finished",
                        "The game is over: everything hidden is now in its record.");
}

bool audit_views_store(struct call *call, const struct id *game, const struct replay *replay,
                       const char *reason)
{
    const struct look look = {
        .player = call->player.id, .at_ms = call->now_ms, .seq = replay->seq, .reason = reason};
    return call_db(call, look_add(call->db, game, &look), "too-many-looks",
                   "The limit of full views of this game is reached.");
}

static json_t *seats_document(const struct replay *replay)
{
    const struct record_header *header = &replay->header;
    json_t *seats = json_array();
    for (unsigned seat = 0; seat < header->seats; seat++) {
        const struct viewer viewer = {VIEWER_SEAT, seat};
        json_array_append_new(
            seats, json_pack("{s:i, s:{s:s, s:s}, s:o, s:o}", "seat", (int)seat, "player", "id",
                             header->seat[seat].player, "name", header->seat[seat].name, "view",
                             header->game->view(header->game, replay->state, viewer), "legal_moves",
                             legal_moves_document(replay, seat)));
    }
    return seats;
}

/* Makes a new document: `seq`, `deciders`, `full` (the auditor's view), each seat's own view and
 * legal moves, and the moves refused in this game. False with a problem. */
static bool full_view(struct call *call, const struct game_row *game, const struct replay *replay,
                      json_t **document)
{
    const struct viewer auditor = {VIEWER_AUDITOR, 0};
    json_t *refused;
    if (!refused_moves_document(call, &game->id, -1, &refused))
        return false;
    *document = json_pack("{s:s, s:i, s:o, s:o, s:o, s:o}", "game", game->id.text, "seq",
                          (int)replay->seq, "deciders", deciders_document(replay), "full",
                          replay->header.game->view(replay->header.game, replay->state, auditor),
                          "seats", seats_document(replay), "refused_moves", refused);
    return true;
}

/* The game is locked so that it cannot end before the view is logged. */
void audit_views_create(struct call *call)
{
    static const char *const keys[] = {"reason", NULL};
    struct game_row game;
    struct replay *replay;
    const char *reason;
    json_t *document;
    if (!call_check_keys(call, keys) || !name_read_text(call, "reason", REASON_MOST, &reason) ||
        !call_found(call, game_lock(call->db, &call->id[0])) ||
        !visibility_find_any_game(call, &call->id[0], &game) || !is_running(call, &game) ||
        !game_load(call, &game.id, &replay) || !audit_views_store(call, &game.id, replay, reason) ||
        !full_view(call, &game, replay, &document))
        return;
    call_answer(call, 200, document);
}

bool audit_views_document(struct call *call, const struct game_row *game, json_t **list)
{
    struct look *looks;
    size_t count;
    if (!call_found(call, look_list(call->db, call->arena, &game->id, &looks, &count)))
        return false;
    *list = json_array();
    for (size_t i = 0; i < count; i++)
        json_array_append_new(*list,
                              json_pack("{s:o, s:o, s:i, s:s}", "by",
                                        player_reference(&looks[i].player, looks[i].player_name),
                                        "at", time_json(looks[i].at_ms), "seq", (int)looks[i].seq,
                                        "reason", looks[i].reason));
    return true;
}

/* ---- The position of a dispute ---- */

/* Reads ?entry=<n>: the position before entry n; 0 = now. */
static bool read_entry(struct call *call, const struct loaded_dispute *loaded, unsigned *entry)
{
    *entry = loaded->dispute.entry;
    for (size_t i = 0; i < call->request->parameters; i++) {
        struct http_parameter parameter = call->request->parameter[i];
        uint64_t number;
        if (!span_is(parameter.name, "entry") ||
            !span_number(parameter.value, RECORD_LINES_MAX, &number))
            return call_problem(call, "bad-parameter",
                                "entry is the number of an entry, or 0 for the current position.");
        *entry = (unsigned)number;
    }
    return true;
}

/* Replays the game up to the entry before `entry`, or with all entries. */
static bool replay_to(struct call *call, const struct id *game, unsigned entry,
                      struct replay *replay, struct span *line)
{
    struct stored_record record = game_stored_record(call, game);
    struct record_row *rows;
    size_t count;
    *line = (struct span){NULL, 0};
    if (!call_found(call, record_read(call->db, call->arena, game, -1, &rows, &count)))
        return false;
    struct record_result result = count == 0 ? stored_record_status(DB_NONE)
                                             : stored_record_begin(&record, rows[0].line, replay);
    for (size_t i = 1; i < count && result.status == STORED_RECORD_OK; i++) {
        if (rows[i].seq == entry) {
            *line = rows[i].line;
            break;
        }
        result = stored_record_continue(&record, &rows[i], replay);
    }
    return result.status == STORED_RECORD_OK || game_live_problem(call, &result);
}

/* True if the game is stopped. Then a view need not be logged, because the freeze is in the
 * record. */
static bool stands_still(struct call *call, const struct loaded_dispute *loaded)
{
    return loaded->game.finished || loaded->dispute.frozen ||
           call_problem(call, "not-frozen",
                        "The game is running: freeze it first, or ask an auditor to view it.");
}

void disputes_position(struct call *call)
{
    struct loaded_dispute loaded;
    struct replay *replay = arena_take(call->arena, sizeof *replay);
    struct span line;
    unsigned entry;
    json_t *document;
    if (!dispute_load(call, &call->id[0], false, &loaded) || !read_entry(call, &loaded, &entry) ||
        !stands_still(call, &loaded) || !replay_to(call, &loaded.game.id, entry, replay, &line) ||
        !full_view(call, &loaded.game, replay, &document))
        return;
    json_object_set_new(document, "entry", number_or_null(entry));
    json_object_set_new(document, "line",
                        line.at == NULL ? json_null() : json_stringn(line.at, line.length));
    call_answer(call, 200, document);
}
