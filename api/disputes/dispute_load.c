#include "api/disputes/dispute_load.h"

#include <stdlib.h>
#include <string.h>

#include "api/event/tlog_leaves.h"
#include "api/request/documents.h"
#include "api/request/impartial.h"
#include "api/request/visibility.h"
#include "db/link/db.h"
#include "engine/tournament/event/settings.h"

/* ---- Folding ---- */

static bool refuse_damaged(struct call *call)
{
    return call_problem(call, "log-damaged", "The stored log of this dispute is damaged.");
}

static bool apply_line(struct dispute *dispute, const struct dispute_line *line)
{
    struct refusal refusal;
    return dispute_apply_line(dispute, line->line, &refusal) &&
           memcmp(dispute->head, line->hash, sizeof dispute->head) == 0;
}

bool dispute_fold(struct call *call, struct loaded_dispute *loaded)
{
    dispute_init(&loaded->dispute, loaded->row.id.text);
    for (size_t i = 0; i < loaded->count; i++)
        if (!apply_line(&loaded->dispute, &loaded->lines[i]))
            return refuse_damaged(call);
    return loaded->count > 0 || refuse_damaged(call);
}

/* ---- Visibility ---- */

static bool is_seated(const struct call *call, const struct game_row *game)
{
    for (unsigned seat = 0; seat < game->seats; seat++)
        if (id_equal(&game->seat[seat].player, &call->player.id))
            return true;
    return false;
}

static bool holds_office(struct call *call, const struct game_row *game, bool *office)
{
    *office = (call->player.roles & DISPUTE_ROLES) != 0;
    if (*office || game->event.text[0] == '\0')
        return true;
    enum db_status status = event_official(call->db, &game->event, &call->player.id);
    *office = status == DB_OK;
    return status == DB_OK || status == DB_NONE || call_found(call, status);
}

/* Sets the caller's rights. Callers who neither play nor decide get `not-found` for hidden
 * games. */
static bool set_rights(struct call *call, struct loaded_dispute *loaded)
{
    bool office = false;
    bool impartial = false;
    if (call->signed_in && (!holds_office(call, &loaded->game, &office) ||
                            !impartial_to_game(call, &loaded->game.id, &impartial)))
        return false;
    loaded->player = call->signed_in && (is_seated(call, &loaded->game) ||
                                         dispute_is_player(&loaded->dispute, call->player.id.text));
    loaded->official = office && impartial && !loaded->player;
    return !visibility_is_hidden_from_others(&loaded->game) || loaded->player || loaded->official ||
           call_found(call, DB_NONE);
}

/* ---- Loading ---- */

bool dispute_load(struct call *call, const struct id *id, bool change,
                  struct loaded_dispute *loaded)
{
    *loaded = (struct loaded_dispute){.count = 0};
    if (!call_found(call, dispute_find(call->db, call->arena, id, &loaded->row)))
        return false;
    if (change && (!call_found(call, game_lock(call->db, &loaded->row.game)) ||
                   !call_found(call, dispute_find(call->db, call->arena, id, &loaded->row))))
        return false;
    return visibility_find_any_game(call, &loaded->row.game, &loaded->game) &&
           call_found(call, dispute_line_list(call->db, call->arena, id, 1, &loaded->lines,
                                              &loaded->count)) &&
           dispute_fold(call, loaded) && set_rights(call, loaded);
}

void dispute_begin(struct call *call, const struct game_row *game, struct loaded_dispute *loaded)
{
    *loaded = (struct loaded_dispute){.row = {.id = id_new(call->now_ms),
                                              .game = game->id,
                                              .event = game->event,
                                              .opened_by = call->player.id,
                                              .round = game->round,
                                              .table = game->table,
                                              .finished = game->finished,
                                              .late = game->delay_entries > 0 && !game->finished},
                                      .game = *game};
    dispute_init(&loaded->dispute, loaded->row.id.text);
}

bool dispute_protest_ms(struct call *call, const struct game_row *game, int64_t *protest_ms)
{
    enum { MINUTE_MS = 60 * 1000 };
    struct event event;
    json_int_t minutes = SETTINGS_PROTEST_MINUTES;
    if (game->event.text[0] != '\0') {
        if (!call_found(call, event_find(call->db, call->arena, &game->event, false, &event)))
            return false;
        json_t *settings = json_loads(event.settings, 0, NULL);
        const json_t *field = json_object_get(settings, "protest_minutes");
        if (field != NULL)
            minutes = json_integer_value(field);
        json_decref(settings);
    }
    *protest_ms = minutes * MINUTE_MS;
    return true;
}

/* ---- Steps ---- */

static struct dispute_step next_step(const struct call *call, const struct loaded_dispute *loaded,
                                     const char *kind, const json_t *detail)
{
    const struct dispute *dispute = &loaded->dispute;
    return (struct dispute_step){.number = dispute->steps + 1,
                                 .at_ms = call->now_ms > dispute->last_ms ? call->now_ms
                                                                          : dispute->last_ms,
                                 .actor = call->player.id.text,
                                 .kind = kind,
                                 .detail = detail};
}

static bool apply(struct call *call, const struct dispute_step *step, struct dispute *dispute)
{
    struct refusal refusal = {"", ""};
    return dispute_apply(dispute, step, &refusal) ||
           call_problem(call, refusal.code, refusal.message);
}

bool dispute_try(struct call *call, const struct loaded_dispute *loaded, const char *kind,
                 const json_t *detail, struct dispute *after)
{
    const struct dispute_step step = next_step(call, loaded, kind, detail);
    *after = loaded->dispute;
    return apply(call, &step, after);
}

static void keep_line(struct call *call, struct loaded_dispute *loaded,
                      const struct dispute_line *line)
{
    struct dispute_line *lines = arena_array(call->arena, loaded->count + 1, sizeof *lines);
    if (loaded->count > 0)
        memcpy(lines, loaded->lines, loaded->count * sizeof *lines);
    lines[loaded->count++] = *line;
    loaded->lines = lines;
}

static bool store(struct call *call, struct loaded_dispute *loaded, const struct dispute_step *step,
                  const struct dispute *before)
{
    const struct dispute *after = &loaded->dispute;
    struct text text = {arena_take(call->arena, DISPUTE_LINE_MAX), 0, DISPUTE_LINE_MAX, false};
    struct dispute_line line = {
        .dispute = loaded->row.id, .number = step->number, .actor_name = call->player.name};
    text_clear(&text);
    if (!dispute_print(step, &text))
        return call_problem(call, "internal-error", "The step could not be stored.");
    line.line = text_span(&text);
    memcpy(line.hash, after->head, sizeof line.hash);
    loaded->row.state = dispute_state_name(after->state);
    call->event_changed = loaded->row.event;
    if ((step->number == 1 && !call_found(call, dispute_create(call->db, &loaded->row))) ||
        !call_found(call, dispute_line_add(call->db, &line)) ||
        !call_found(call, dispute_set_state(call->db, &loaded->row.id, loaded->row.state)))
        return false;
    keep_line(call, loaded, &line);
    return !dispute_is_logged(before->state, after->state) ||
           visibility_is_hidden_from_others(&loaded->game) ||
           tlog_add_dispute(call, &loaded->row.id, after->head);
}

bool dispute_take(struct call *call, struct loaded_dispute *loaded, const char *kind,
                  json_t *detail)
{
    const struct dispute before = loaded->dispute;
    const struct dispute_step step = next_step(call, loaded, kind, detail);
    bool good = apply(call, &step, &loaded->dispute) && store(call, loaded, &step, &before);
    json_decref(detail);
    return good;
}

/* ---- Documents ---- */

/* The player who opened the dispute, of whom the fold has only the id. */
static json_t *opener_document(const struct loaded_dispute *loaded)
{
    return player_reference(&loaded->row.opened_by, loaded->lines[0].actor_name);
}

/* Reads the time of a log line from its text. */
static int64_t time_of(const struct dispute_line *line)
{
    struct span rest = line->line;
    uint64_t ms = 0;
    span_word(&rest);
    span_number(span_word(&rest), INT64_C(1) << 52, &ms);
    return (int64_t)ms;
}

static json_t *game_place(const struct loaded_dispute *loaded)
{
    const struct dispute_row *row = &loaded->row;
    if (row->event.text[0] == '\0')
        return json_null();
    return json_pack("{s:s, s:i, s:i}", "id", row->event.text, "round", (int)row->round, "table",
                     (int)row->table);
}

json_t *dispute_summary(const struct loaded_dispute *loaded)
{
    const struct dispute *dispute = &loaded->dispute;
    return json_pack(
        "{s:s, s:s, s:o, s:b, s:s, s:o, s:s, s:b, s:o, s:o, s:o, s:i}", "id", loaded->row.id.text,
        "game", loaded->row.game.text, "event", game_place(loaded), "game_finished",
        (int)loaded->row.finished, "claim", dispute->claim, "entry",
        loaded->row.late ? json_null() : json_integer(dispute->entry), "state",
        dispute_state_name(dispute->state), "frozen", (int)dispute->frozen, "opened_by",
        opener_document(loaded), "opened_at", time_json(time_of(&loaded->lines[0])), "appeal_until",
        time_json(dispute->state == DISPUTE_RULED ? dispute->appeal_until_ms : 0), "steps",
        (int)dispute->steps);
}

static bool is_over(const struct loaded_dispute *loaded)
{
    return visibility_is_open(&loaded->game);
}

bool dispute_shows_texts(const struct loaded_dispute *loaded)
{
    return is_over(loaded) || loaded->official;
}

/* A text written in a dispute, if the caller may read it. */
static json_t *text_json(const struct call *call, const struct loaded_dispute *loaded,
                         const struct dispute_step *step, const char *key, bool for_players)
{
    const json_t *text = json_object_get(step->detail, key);
    bool shown = dispute_shows_texts(loaded) || (for_players && loaded->player) ||
                 (call->signed_in && strcmp(step->actor, call->player.id.text) == 0);
    return shown && text != NULL ? json_string(json_string_value(text)) : json_null();
}

/* False while the game is running and shown late to the caller: then the entries that its disputes
 * name are hidden. */
static bool shows_entries(const struct loaded_dispute *loaded)
{
    return !loaded->row.late || loaded->player || loaded->official;
}

static json_t *orders_document(const struct loaded_dispute *loaded, const struct dispute_step *step)
{
    json_t *orders = json_deep_copy(json_object_get(step->detail, "orders"));
    json_t *order;
    size_t i;
    json_array_foreach(orders, i, order) if (!shows_entries(loaded))
        json_object_del(order, "entry");
    return orders;
}

static json_t *step_document(const struct call *call, const struct loaded_dispute *loaded,
                             const struct dispute_step *step, const struct dispute_line *line,
                             bool appeal)
{
    struct id actor;
    bool ruled = strcmp(step->kind, "ruled") == 0;
    if (!id_parse(span_of(step->actor), &actor))
        abort();
    json_t *item = json_pack("{s:i, s:o, s:o, s:s, s:o}", "number", (int)step->number, "at",
                             time_json(step->at_ms), "by",
                             player_reference(&actor, line->actor_name), "kind", step->kind, "text",
                             text_json(call, loaded, step, ruled ? "reason" : "text", ruled));
    if (!ruled)
        return item;
    json_object_set_new(item, "orders", orders_document(loaded, step));
    json_object_set_new(item, "code", json_deep_copy(json_object_get(step->detail, "code")));
    json_object_set_new(item, "resumed", json_deep_copy(json_object_get(step->detail, "resumed")));
    json_object_set_new(item, "appeal", json_boolean(appeal));
    const json_t *other = json_object_get(step->detail, "replayed_as");
    json_object_set_new(item, "replayed_as", other == NULL ? json_null() : json_deep_copy(other));
    return item;
}

static json_t *log_document(const struct call *call, const struct loaded_dispute *loaded)
{
    json_t *list = json_array();
    bool appeal = false;
    for (size_t i = 0; i < loaded->count; i++) {
        char actor[RECORD_ID_LENGTH + 1];
        char kind[DISPUTE_CLAIM_MAX];
        struct dispute_step step;
        json_t *detail;
        if (!dispute_read(loaded->lines[i].line, &step, &detail, actor, kind))
            continue;
        json_array_append_new(list, step_document(call, loaded, &step, &loaded->lines[i], appeal));
        appeal = appeal || strcmp(kind, "appealed") == 0;
        json_decref(detail);
    }
    return list;
}

/* The head depends on the texts, so callers who may not read them do not see it. */
json_t *dispute_document(struct call *call, const struct loaded_dispute *loaded)
{
    json_t *document = dispute_summary(loaded);
    if (shows_entries(loaded))
        json_object_set_new(document, "entry", json_integer(loaded->dispute.entry));
    json_object_set_new(document, "log", log_document(call, loaded));
    json_object_set_new(document, "head",
                        dispute_shows_texts(loaded)
                            ? hex_json(loaded->dispute.head, sizeof loaded->dispute.head)
                            : json_null());
    json_object_set_new(
        document, "you",
        json_pack("{s:b, s:b}", "player", (int)loaded->player, "official", (int)loaded->official));
    return document;
}
