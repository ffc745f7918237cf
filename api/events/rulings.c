/* Rulings of officials on tables. A ruling overrides the result of its game, before or after the
 * game has ended and even when the event is closed, until it is revoked. Its effects can be
 * previewed: places, points, qualification, and rounds that were drawn from other standings. */
#include <string.h>

#include "api/events/handlers.h"
#include "api/events/reports.h"
#include "api/events/ruling_changes.h"
#include "api/tables/tables.h"
#include "engine/base/json.h"

enum { REASON_MOST = 500 };

/* ---- Reading a ruling ---- */

static bool bad_seats(struct call *call, const char *message)
{
    return call_bad_field(call, "seats", message);
}

/* The kind of a seat's result; adjudicated by default. */
static bool read_kind(struct call *call, json_t *object, uint8_t *kind)
{
    json_t *field = json_object_get(object, "kind");
    int found = field == NULL           ? ROUND_ADJUDICATED
                : json_is_string(field) ? round_kind_find(span_of(json_string_value(field)))
                                        : -1;
    *kind = (uint8_t)found;
    return (found >= ROUND_ADJUDICATED && found <= ROUND_FORFEIT_LOSS) ||
           bad_seats(call, "has a kind that is not one of: adjudicated forfeit_win forfeit_loss");
}

/* The score; by default that of the game, if it has ended. */
static bool read_score(struct call *call, json_t *object, const struct tournament_table *table,
                       int seat, int32_t *score)
{
    json_t *field = json_object_get(object, "score");
    int64_t number = table->played ? table->game_result.seat[seat].score : 0;
    bool good =
        field == NULL || json_read_whole(field, -RESULT_SCORE_MAX, RESULT_SCORE_MAX, &number);
    *score = (int32_t)number;
    return good || bad_seats(call, "has a score that is not a whole number, or is too large.");
}

static bool read_seat(struct call *call, const struct tournament *tournament,
                      const struct tournament_table *table, json_t *object,
                      struct table_result *result)
{
    static const char *const known[] = {"player", "rank", "score", "kind", NULL};
    json_t *rank = json_object_get(object, "rank");
    if (!json_is_object(object))
        return bad_seats(call, "must be a list of objects.");
    if (json_unknown_key(object, known) != NULL)
        return bad_seats(call, "must be objects with player, rank, score and kind.");
    int seat = table_seat_of(tournament, table, json_object_get(object, "player"));
    if (seat < 0)
        return bad_seats(call, "names a player who has no seat at this table.");
    struct seat_result *to = &result->seat[seat];
    if (to->rank != 0)
        return bad_seats(call, "names a player twice.");
    int64_t place;
    if (!json_read_whole(rank, 1, table->seats, &place))
        return bad_seats(call, "need a rank, from 1 to the number of seats.");
    to->rank = (uint8_t)place;
    return read_kind(call, object, &to->kind) && read_score(call, object, table, seat, &to->score);
}

static bool read_seats(struct call *call, const struct tournament *tournament,
                       const struct tournament_table *table, struct table_result *result)
{
    json_t *list = json_object_get(call->body, "seats"), *each;
    size_t i;
    if (json_array_size(list) != table->seats)
        return bad_seats(call, "must list every player at the table.");
    json_array_foreach(list, i, each)
    {
        if (!read_seat(call, tournament, table, each, result))
            return false;
    }
    return table_result_ranks_fit(result) ||
           bad_seats(
               call,
               "have ranks that contradict each other: each is 1 + the number of better seats.");
}

/* A player who did not come loses, and the only one who came wins. If several players came, a game
 * or a ruling with seats has to decide. */
static bool read_no_show(struct call *call, const struct tournament *tournament,
                         const struct tournament_table *table, struct table_result *result)
{
    json_t *list = json_object_get(call->body, "no_show"), *each;
    size_t i, missing = 0;
    json_array_foreach(list, i, each)
    {
        int seat = table_seat_of(tournament, table, each);
        if (seat < 0 || result->seat[seat].rank != 0)
            return call_bad_field(call, "no_show",
                                  "must be a list of players at this table, each once.");
        result->seat[seat].rank = 2;
        result->seat[seat].kind = ROUND_FORFEIT_LOSS;
        missing++;
    }
    if (missing == 0 || missing + 1 < table->seats)
        return call_bad_field(call, "no_show",
                              "must leave at most one player at the table; if several came, "
                              "write `seats`.");
    for (unsigned seat = 0; seat < table->seats; seat++) {
        if (missing == table->seats)
            result->seat[seat].rank = 1;
        else if (result->seat[seat].rank == 0)
            result->seat[seat] = (struct seat_result){
                .entry = table->entry[seat], .kind = ROUND_FORFEIT_WIN, .rank = 1};
    }
    return true;
}

static bool read_ruling(struct call *call, const struct tournament *tournament,
                        const struct tournament_table *table, struct table_result *result)
{
    json_t *seats = json_object_get(call->body, "seats");
    json_t *no_show = json_object_get(call->body, "no_show");
    *result =
        (struct table_result){.round = table->round, .table = table->table, .seats = table->seats};
    for (unsigned seat = 0; seat < table->seats; seat++)
        result->seat[seat].entry = table->entry[seat];
    if ((seats == NULL) == (no_show == NULL))
        return call_bad_field(call, "seats", "or no_show is needed, one of the two.");
    return seats != NULL ? read_seats(call, tournament, table, result)
                         : read_no_show(call, tournament, table, result);
}

/* ---- Taking the step ---- */

/* The results of a board are compared all at once when its last table has ended; an earlier ruling
 * would leave the board hidden for good. */
static bool is_comparable(struct call *call, const struct tournament_table *table)
{
    return table->board == 0 || table->played ||
           call_problem(
               call, "board-shared",
               "Others have yet to play this board; rule when its results are open. "
               "For a player who has not come, act on the game: POST /v1/games/<id>/forfeit "
               "{\"seat\": n} takes the seat out, .../fallback plays fallback moves "
               "for it, .../substitute seats another player.");
}

static bool find_table(struct call *call, const struct loaded_event *loaded,
                       struct tournament_table *found)
{
    const struct tournament_table *table = report_find_table(call, loaded);
    if (table == NULL)
        return false;
    *found = *table;
    return table_check_party(call, loaded, table);
}

/* Tries the step and answers with its effects; takes it unless only a preview is requested.
 * `detail` is taken over. */
static void take_step(struct call *call, struct loaded_event *loaded,
                      const struct tournament_table *table, const char *kind, json_t *detail,
                      const char *reason, bool preview)
{
    json_t *document;
    if (!ruling_changes(call, loaded, table, kind, detail, preview, &document)) {
        json_decref(detail);
        return;
    }
    call_answer(call, 200, document);
    if (preview)
        json_decref(detail);
    else
        ruling_take(call, loaded, table, kind, detail, reason);
}

void rulings_put(struct call *call)
{
    static const char *const keys[] = {"seats", "no_show", "reason", NULL};
    struct loaded_event loaded;
    struct tournament_table table = {.seats = 0};
    struct table_result result;
    const char *reason;
    bool preview;
    if (!preview_read(call, &preview) || !call_check_keys(call, keys) ||
        !call_text(call, "reason", 1, REASON_MOST, preview ? "preview" : NULL, &reason) ||
        !event_load(call, &call->id[0], true, &loaded) || !find_table(call, &loaded, &table) ||
        !is_comparable(call, &table) || !read_ruling(call, loaded.tournament, &table, &result))
        return;
    take_step(call, &loaded, &table, "ruled", table_ruling_line(loaded.tournament, &result, reason),
              reason, preview);
}

void rulings_revoke(struct call *call)
{
    static const char *const keys[] = {"reason", NULL};
    struct loaded_event loaded;
    struct tournament_table table = {.seats = 0};
    const char *reason;
    bool preview;
    if (!preview_read(call, &preview) || !call_check_keys(call, keys) ||
        !call_text(call, "reason", 1, REASON_MOST, "", &reason) ||
        !event_load(call, &call->id[0], true, &loaded) || !find_table(call, &loaded, &table))
        return;
    take_step(call, &loaded, &table, "ruling_revoked", table_line(table.round, table.table, reason),
              reason, preview);
}
