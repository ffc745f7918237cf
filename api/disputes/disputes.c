/* Disputes: opening, further steps, lists and logs. Rulings are in
 * api/disputes/dispute_rulings.c, disputed positions in api/disputes/audit_views.c. */
#include <string.h>

#include "api/disputes/dispute_load.h"
#include "api/disputes/handlers.h"
#include "api/people/names.h"
#include "api/play/sealed.h"
#include "api/request/visibility.h"
#include "api/state/game_cache.h"
#include "api/tables/game_writer.h"
#include "db/link/db.h"

/* Limits per player and game: undecided disputes, and all. Disputes of other players are not
 * counted, so nobody can use up another player's right to protest. */
enum { WAITING_MOST = 2, ALL_MOST = 10 };

static void answer_dispute(struct call *call, const struct loaded_dispute *loaded)
{
    call_answer(call, 200, dispute_document(call, loaded));
}

/* ---- Opening ---- */

static bool is_in_time(struct call *call, const struct game_row *game)
{
    int64_t protest_ms;
    if (!game->finished)
        return true;
    return dispute_protest_ms(call, game, &protest_ms) &&
           (call->now_ms <= game->finished_at_ms + protest_ms ||
            call_problem(call, DISPUTE_REFUSAL_LATE, "The time for protests is over."));
}

static bool has_room(struct call *call, const struct game_row *game)
{
    struct dispute_counts counts;
    if (!call_found(call, dispute_count(call->db, &game->id, &call->player.id, &counts)))
        return false;
    if (counts.all >= ALL_MOST)
        return call_problem(call, "too-many-disputes",
                            "You have opened ten disputes about this game, the maximum.");
    return counts.waiting < WAITING_MOST ||
           call_problem(call, "too-many-disputes",
                        "Two of your disputes about this game are undecided, the maximum; wait for "
                        "a decision, or withdraw one.");
}

static bool read_claim(struct call *call, const char **claim)
{
    const json_t *field = json_object_get(call->body, "claim");
    const char *word = json_string_value(field);
    char what[160];
    struct text sentence = TEXT_OVER(what);
    text_add(&sentence, "must be one of:");
    for (size_t i = 0; dispute_claim(i) != NULL; i++) {
        *claim = dispute_claim(i);
        if (word != NULL && strcmp(word, *claim) == 0)
            return true;
        text_add_char(&sentence, ' ');
        text_add(&sentence, *claim);
    }
    return call_bad_field(call, "claim", what);
}

/* True if the caller may name the entry. Must not reveal the progress of a game beyond what the
 * caller may see. */
static bool is_entry(struct call *call, const struct game_row *game, unsigned entry)
{
    struct replay *replay;
    if (entry == 0 || visibility_is_hidden(call, game))
        return true;
    if (!game_load(call, &game->id, &replay))
        return false;
    return entry <= visibility_last_row(call, game, replay->seq) ||
           call_bad_field(call, "entry", "is not an entry that you can see yet.");
}

static json_t *opening_detail(const struct game_row *game, const char *claim, unsigned entry,
                              const char *text)
{
    json_t *players = json_array();
    for (unsigned seat = 0; seat < game->seats; seat++)
        json_array_append_new(players, json_string(game->seat[seat].player.text));
    return json_pack("{s:s, s:i, s:s?, s:s, s:o, s:s}", "claim", claim, "entry", (int)entry,
                     "event", game->event.text[0] == '\0' ? NULL : game->event.text, "game",
                     game->id.text, "players", players, "text", text);
}

void disputes_create(struct call *call)
{
    static const char *const keys[] = {"claim", "entry", "text", NULL};
    struct game_row game;
    struct loaded_dispute loaded;
    const char *claim = NULL, *text;
    unsigned entry;
    if (!call_check_keys(call, keys) || !read_claim(call, &claim) ||
        !call_whole(call, "entry", 0, RECORD_LINES_MAX, 0, &entry) ||
        !name_read_text(call, "text", DISPUTE_TEXT_MAX, &text) ||
        !call_found(call, game_lock(call->db, &call->id[0])) ||
        !visibility_find_any_game(call, &call->id[0], &game) || !is_in_time(call, &game) ||
        !has_room(call, &game) || !is_entry(call, &game, entry))
        return;
    dispute_begin(call, &game, &loaded);
    struct id id = loaded.row.id;
    if (!dispute_take(call, &loaded, "opened", opening_detail(&game, claim, entry, text)) ||
        !dispute_load(call, &id, false, &loaded))
        return;
    call_answer(call, 201, dispute_document(call, &loaded));
}

/* ---- Steps without parameters ---- */

static struct record_entry entry_of(const struct loaded_dispute *loaded, enum record_kind kind)
{
    struct record_entry entry = {.kind = kind};
    memcpy(entry.dispute, loaded->row.id.text, sizeof entry.dispute);
    return entry;
}

/* Writes a freeze or a resumption into the game's record. */
static bool write_line(struct call *call, const struct loaded_dispute *loaded,
                       enum record_kind kind)
{
    struct game_writer writer;
    struct refusal refusal;
    const struct record_entry entry = entry_of(loaded, kind);
    if (!game_writer_open(&writer, call, &loaded->game) || !sealed_add_lines(&writer))
        return false;
    if (game_writer_add(&writer, &entry, &refusal))
        return game_writer_store(&writer);
    return call_problem(call, "game-stopped",
                        writer.replay->stop == REPLAY_RUNS
                            ? "The game is over: it cannot be frozen or resumed."
                            : stop_detail(call->arena, writer.replay));
}

void disputes_freeze(struct call *call)
{
    struct loaded_dispute loaded;
    if (!call_check_keys(call, NULL) || !dispute_load(call, &call->id[0], true, &loaded))
        return;
    if (loaded.game.finished)
        call_problem(call, "game-finished", "The game is over: it cannot be frozen or resumed.");
    else if (dispute_take(call, &loaded, "frozen", json_object()) &&
             write_line(call, &loaded, RECORD_FREEZE))
        answer_dispute(call, &loaded);
}

void disputes_resume(struct call *call)
{
    struct loaded_dispute loaded;
    if (call_check_keys(call, NULL) && dispute_load(call, &call->id[0], true, &loaded) &&
        dispute_take(call, &loaded, "resumed", json_object()) &&
        write_line(call, &loaded, RECORD_RESUME))
        answer_dispute(call, &loaded);
}

void disputes_withdraw(struct call *call)
{
    struct loaded_dispute loaded;
    if (!call_check_keys(call, NULL) || !dispute_load(call, &call->id[0], true, &loaded))
        return;
    bool frozen = loaded.dispute.frozen;
    if (dispute_take(call, &loaded, "withdrawn", json_object()) &&
        (!frozen || write_line(call, &loaded, RECORD_RESUME)))
        answer_dispute(call, &loaded);
}

void disputes_appeal(struct call *call)
{
    static const char *const keys[] = {"text", NULL};
    struct loaded_dispute loaded;
    const char *text;
    if (call_check_keys(call, keys) && name_read_text(call, "text", DISPUTE_TEXT_MAX, &text) &&
        dispute_load(call, &call->id[0], true, &loaded) &&
        dispute_take(call, &loaded, "appealed", json_pack("{s:s}", "text", text)))
        answer_dispute(call, &loaded);
}

void disputes_close(struct call *call)
{
    struct loaded_dispute loaded;
    if (call_check_keys(call, NULL) && dispute_load(call, &call->id[0], true, &loaded) &&
        dispute_take(call, &loaded, "closed", json_object()))
        answer_dispute(call, &loaded);
}

/* ---- Reading ---- */

void disputes_get(struct call *call)
{
    struct loaded_dispute loaded;
    if (dispute_load(call, &call->id[0], false, &loaded))
        answer_dispute(call, &loaded);
}

static void print_lines(const struct loaded_dispute *loaded, struct text *text)
{
    struct dispute before;
    const uint8_t *hash = before.head;
    dispute_init(&before, loaded->row.id.text);
    dispute_print_first(loaded->row.id.text, text);
    for (size_t i = 0; i <= loaded->count; i++) {
        enum { MARK_BYTES = 4 };
        text_add(text, " #");
        text_add_hex(text, hash, MARK_BYTES);
        text_add_char(text, '\n');
        if (i == loaded->count)
            break;
        text_add_span(text, loaded->lines[i].line);
        hash = loaded->lines[i].hash;
    }
}

/* The hash-chained log, for callers who may read all of it. */
void disputes_log(struct call *call)
{
    enum { ROUND_IT = 128 };
    struct loaded_dispute loaded;
    size_t size = ROUND_IT;
    if (!dispute_load(call, &call->id[0], false, &loaded))
        return;
    if (!dispute_shows_texts(&loaded)) {
        call_problem(call, "not-finished", "The log can be read when the game is over.");
        return;
    }
    for (size_t i = 0; i < loaded.count; i++)
        size += loaded.lines[i].line.length + ROUND_IT;
    struct text text = {arena_take(call->arena, size), 0, size, false};
    text_clear(&text);
    print_lines(&loaded, &text);
    call->response->status = 200;
    call->response->content_type = "text/plain; charset=utf-8";
    call->response->body = text_span(&text);
}

/* ---- Lists ---- */

/* Folds each dispute of the page from its lines, which are sorted by id. */
static bool add_summaries(struct call *call, const struct dispute_row *rows, size_t count,
                          json_t *items)
{
    struct id *ids = arena_array(call->arena, count, sizeof *ids);
    struct dispute_line *lines;
    size_t line_count;
    for (size_t i = 0; i < count; i++)
        ids[i] = rows[i].id;
    if (!call_found(call,
                    dispute_line_list(call->db, call->arena, ids, count, &lines, &line_count)))
        return false;
    for (size_t i = 0; i < count; i++) {
        struct loaded_dispute loaded = {.row = rows[i], .lines = lines};
        while (loaded.lines < lines + line_count && !id_equal(&loaded.lines->dispute, &rows[i].id))
            loaded.lines++;
        while (loaded.lines + loaded.count < lines + line_count &&
               id_equal(&loaded.lines[loaded.count].dispute, &rows[i].id))
            loaded.count++;
        if (!dispute_fold(call, &loaded))
            return false;
        json_array_append_new(items, dispute_summary(&loaded));
    }
    return true;
}

static void answer_list(struct call *call, struct dispute_query *query,
                        const struct list_range *range)
{
    struct dispute_row *rows;
    size_t count;
    json_t *items = json_array();
    if (call->signed_in)
        query->viewer = call->player.id;
    if (!call_found(call, dispute_list(call->db, call->arena, query, &range->after, range->limit,
                                       &rows, &count)) ||
        !add_summaries(call, rows, count, items)) {
        json_decref(items);
        return;
    }
    call_answer(call, 200,
                list_with_next(items, count == range->limit ? rows[count - 1].id.text : NULL));
}

static bool has_office(const struct call *call)
{
    return call->signed_in && (call->player.roles & DISPUTE_ROLES) != 0;
}

void disputes_queue(struct call *call)
{
    static const char *const further[] = {"state", NULL};
    struct dispute_query query = {.official = true};
    struct list_range range;
    struct span state = http_parameter(call->request, "state");
    if (!call_list_range(call, further, &range))
        return;
    query.waiting = state.at == NULL || span_is(state, "waiting");
    if (query.waiting || span_is(state, "all"))
        answer_list(call, &query, &range);
    else
        call_problem(call, "bad-parameter", "state is `waiting` or `all`.");
}

void me_disputes(struct call *call)
{
    struct dispute_query query = {.own = true, .official = true, .everywhere = has_office(call)};
    struct list_range range;
    if (call_list_range(call, NULL, &range))
        answer_list(call, &query, &range);
}

void games_disputes(struct call *call)
{
    struct dispute_query query = {.game = call->id[0], .official = has_office(call)};
    struct game_row game;
    struct list_range range;
    if (!call_list_range(call, NULL, &range) ||
        !visibility_find_any_game(call, &call->id[0], &game))
        return;
    if (!query.official && call->signed_in && game.event.text[0] != '\0')
        query.official = event_official(call->db, &game.event, &call->player.id) == DB_OK;
    if (query.official || !visibility_is_hidden(call, &game) || call_found(call, DB_NONE))
        answer_list(call, &query, &range);
}

void events_disputes(struct call *call)
{
    struct dispute_query query = {.event = call->id[0], .official = has_office(call)};
    struct event event;
    struct list_range range;
    if (!call_list_range(call, NULL, &range) ||
        !call_found(call, event_find(call->db, call->arena, &call->id[0], false, &event)))
        return;
    if (!query.official && call->signed_in)
        query.official = event_official(call->db, &event.id, &call->player.id) == DB_OK;
    answer_list(call, &query, &range);
}
