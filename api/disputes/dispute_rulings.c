/* Rulings on disputes. For a running game, which must be frozen first, they are lines of its
 * record. For a finished game, whose record is closed, they are lines of the event's log, like all
 * rulings on tables. A void game does not count; a replayed game gets a new record. In each case
 * standings and ratings are updated.
 *
 *      stands, upheld     a line `stands` if the game is frozen; nothing else
 *      takeback           running games only
 *      adjust, forfeit    running: lines of the record; finished: the table gets the result that
 *                         the record would have had with these orders. Always computed from the
 *                         record: a ruling on an appeal replaces the first one, and `stands`
 *                         removes it
 *      void               the record ends without results, and all seats lose by forfeit, which
 *                         earns no points and is not rated
 *      replay             void, and a new game at the same table
 */
#include <stdlib.h>
#include <string.h>

#include "api/disputes/dispute_load.h"
#include "api/disputes/handlers.h"
#include "api/event/event_take.h"
#include "api/event/official_signatures.h"
#include "api/events/ruling_changes.h"
#include "api/people/names.h"
#include "api/state/game_cache.h"
#include "api/tables/game_writer.h"
#include "api/tables/tables.h"
#include "db/store/events/rounds.h"
#include "db/store/games/parties.h"

struct ruling {
    struct call *call;
    struct loaded_dispute *loaded;
    struct dispute_order orders[DISPUTE_ORDERS_MAX];
    size_t count;
    const char *code, *reason;
    bool resume, preview, appeal;
    uint8_t head[32]; /* of the record, before the ruling's lines */
    struct signature acts[DISPUTE_ORDERS_MAX];
    /* The effect: */
    json_t *lines;   /* of the record, owned */
    json_t *seats;   /* scores and ranks before and after, owned; in a preview */
    json_t *changes; /* of the event, owned, or NULL */
    struct id replayed_as;
};

/* ---- Reading ---- */

static bool read_code(struct ruling *ruling)
{
    struct call *call = ruling->call;
    return call_text(call, "code", 1, RECORD_CODE_MAX, NULL, &ruling->code) &&
           (record_is_code(span_of(ruling->code)) ||
            call_bad_field(call, "code",
                           "must be a machine-readable reason: lower-case letters, digits and `-`, "
                           "beginning with a letter."));
}

static bool read_orders(struct ruling *ruling)
{
    const char *message;
    return dispute_read_orders(json_object_get(ruling->call->body, "orders"),
                               ruling->loaded->game.seats, ruling->appeal, ruling->orders,
                               &ruling->count, &message) ||
           call_bad_field(ruling->call, "orders", message);
}

static bool read_ruling(struct ruling *ruling)
{
    static const char *const keys[] = {"orders", "code", "reason", "resume", NULL};
    enum { REASON_MOST = 500 };
    struct call *call = ruling->call;
    return call_check_keys(call, keys) && read_orders(ruling) && read_code(ruling) &&
           name_read_text(call, "reason", REASON_MOST, &ruling->reason) &&
           call_boolean(call, "resume", &ruling->resume);
}

static bool has_order(const struct ruling *ruling, enum dispute_order_kind kind)
{
    return ruling->orders[0].kind == kind;
}

/* True for `stands` and `upheld`. */
static bool changes_nothing(const struct ruling *ruling)
{
    return has_order(ruling, DISPUTE_STANDS) || has_order(ruling, DISPUTE_UPHELD);
}

static bool ends_game(const struct ruling *ruling)
{
    return has_order(ruling, DISPUTE_VOID) || has_order(ruling, DISPUTE_REPLAY);
}

static bool bad_order(struct ruling *ruling, const char *message)
{
    return call_problem(ruling->call, "bad-order", message);
}

static bool board_is_shared(struct ruling *ruling)
{
    return call_problem(
        ruling->call, "board-shared",
        "Other tables play this board with the same luck, so it can be neither drawn "
        "again nor replayed nor voided. Adjust scores or make a seat forfeit.");
}

/* ---- Lines of the record ---- */

static struct record_entry entry_of(const struct ruling *ruling, enum record_kind kind)
{
    struct record_entry entry = {.kind = kind};
    memcpy(entry.dispute, ruling->loaded->row.id.text, sizeof entry.dispute);
    memcpy(entry.by, ruling->call->player.id.text, sizeof entry.by);
    if (ruling->code != NULL)
        memcpy(entry.code, ruling->code, strlen(ruling->code) + 1);
    return entry;
}

static struct record_entry order_entry(const struct ruling *ruling,
                                       const struct dispute_order *order,
                                       const struct replay *replay)
{
    static const enum record_ruling rulings[] = {
        [DISPUTE_ADJUST] = RECORD_RULING_ADJUST,     [DISPUTE_FORFEIT] = RECORD_RULING_FORFEIT,
        [DISPUTE_REPLAY] = RECORD_RULING_VOID,       [DISPUTE_STANDS] = RECORD_RULING_STANDS,
        [DISPUTE_TAKEBACK] = RECORD_RULING_TAKEBACK, [DISPUTE_UPHELD] = RECORD_RULING_STANDS,
        [DISPUTE_VOID] = RECORD_RULING_VOID,
    };
    struct record_entry entry = entry_of(ruling, RECORD_RULING);
    entry.ruling = rulings[order->kind];
    entry.subject = order->seat;
    entry.score = order->points;
    entry.target = order->entry;
    entry.rekey = order->kind == DISPUTE_TAKEBACK && replay->drawn_seq >= order->entry;
    return entry;
}

static bool add_line(struct ruling *ruling, struct game_writer *writer,
                     const struct record_entry *entry)
{
    struct refusal refusal;
    if (game_writer_add(writer, entry, &refusal))
        return true;
    return refusal.code != NULL && bad_order(ruling, refusal.message);
}

/* Adds an order's line, which must be signed if the event requires it. */
static bool add_order(struct ruling *ruling, struct game_writer *writer, size_t number,
                      const struct record_entry *entry)
{
    const struct game_row *game = &ruling->loaded->game;
    size_t row = writer->count;
    return add_line(ruling, writer, entry) &&
           (ruling->preview ||
            official_signature_of_line(ruling->call, &game->event, &game->id, ruling->head,
                                       writer->rows[row].seq, writer->rows[row].line,
                                       &ruling->acts[number]));
}

/* Stores the acts, because the record does not name the official. */
static bool store_acts(struct ruling *ruling)
{
    struct call *call = ruling->call;
    for (size_t i = 0; i < ruling->count; i++)
        if (!call_found(call, party_add_act(call->db, &ruling->loaded->game.id, &ruling->acts[i])))
            return false;
    return true;
}

static bool add_lines(struct ruling *ruling, struct game_writer *writer)
{
    for (size_t i = 0; i < ruling->count; i++) {
        const struct record_entry entry = order_entry(ruling, &ruling->orders[i], writer->replay);
        if (entry.rekey && ruling->loaded->game.board > 0)
            return board_is_shared(ruling);
        if (!add_order(ruling, writer, i, &entry))
            return false;
    }
    const struct record_entry resume = entry_of(ruling, RECORD_RESUME);
    return ends_game(ruling) || !ruling->resume || add_line(ruling, writer, &resume);
}

static void describe_lines(struct ruling *ruling, const struct game_writer *writer)
{
    for (size_t i = 0; i < writer->count; i++) {
        struct span line = writer->rows[i].line;
        struct span words = line;
        for (unsigned word = 0; word < 3; word++)
            span_word(&words);
        /* The secret must not be shown before it is in the record. */
        if (!span_is(span_word(&words), "reveal"))
            json_array_append_new(ruling->lines, json_stringn(line.at, line.length));
    }
}

static void describe_seats(struct ruling *ruling, const struct replay *before,
                           const struct replay *after)
{
    struct outcome was;
    struct outcome is;
    replay_outcome(before, &was);
    replay_outcome(after, &is);
    for (unsigned seat = 0; seat < was.seats; seat++)
        json_array_append_new(
            ruling->seats,
            json_pack("{s:i, s:i, s:i, s:o, s:o}", "seat", (int)seat, "score_was",
                      (int)was.score[seat], "rank_was", (int)was.rank[seat], "score_is",
                      after->voided ? json_null() : json_integer(is.score[seat]), "rank_is",
                      after->voided ? json_null() : json_integer(is.rank[seat])));
}

/* Writes the ruling's lines. The game must be frozen, even for a preview, because that shows hidden
 * parts. */
static bool write_record(struct ruling *ruling)
{
    struct call *call = ruling->call;
    struct game_writer writer;
    struct replay *before = arena_take(call->arena, sizeof *before);
    if (!ruling->loaded->dispute.frozen)
        return changes_nothing(ruling) ||
               call_problem(
                   call, "not-frozen",
                   "Freeze the game first: the ruling would also affect moves made meanwhile.");
    if (ends_game(ruling) && ruling->loaded->game.board > 0)
        return board_is_shared(ruling);
    if (!game_writer_open(&writer, call, &ruling->loaded->game))
        return false;
    *before = *writer.replay;
    memcpy(ruling->head, writer.replay->head, sizeof ruling->head);
    if (!add_lines(ruling, &writer))
        return false;
    if (!ruling->preview)
        return game_writer_store(&writer) && store_acts(ruling);
    describe_lines(ruling, &writer);
    describe_seats(ruling, before, writer.replay);
    return true;
}

/* ---- The event ---- */

/* Decides the table without points for any seat. */
static void void_result(const struct tournament_table *table, struct table_result *result)
{
    for (unsigned seat = 0; seat < table->seats; seat++)
        result->seat[seat] =
            (struct seat_result){.entry = table->entry[seat], .kind = ROUND_VOID, .rank = 1};
}

static bool order_replay(struct ruling *ruling, struct replay *replay)
{
    for (size_t i = 0; i < ruling->count; i++) {
        const struct dispute_order *order = &ruling->orders[i];
        if (order->kind == DISPUTE_ADJUST)
            replay->adjusted[order->seat] += order->points;
        for (unsigned out = 0; order->kind == DISPUTE_FORFEIT && out < replay->forfeits; out++)
            if (replay->forfeited[out] == order->seat)
                return bad_order(ruling, "This seat has forfeited the game already.");
        if (order->kind == DISPUTE_FORFEIT)
            replay->forfeited[replay->forfeits++] = (uint8_t)order->seat;
    }
    return true;
}

/* Computes the result that the record would have had with these orders. */
static bool ordered_result(struct ruling *ruling, const struct tournament_table *table,
                           struct table_result *result)
{
    struct replay *replay;
    struct outcome outcome;
    if (!game_load(ruling->call, &ruling->loaded->game.id, &replay) ||
        !order_replay(ruling, replay))
        return false;
    replay_outcome(replay, &outcome);
    for (unsigned seat = 0; seat < table->seats; seat++)
        result->seat[seat] = (struct seat_result){.entry = table->entry[seat],
                                                  .kind = ROUND_ADJUDICATED,
                                                  .rank = outcome.rank[seat],
                                                  .score = outcome.score[seat]};
    return true;
}

/* Makes the ruling's line for the event's log, with its detail; NULL if none is needed. */
static bool find_line(struct ruling *ruling, const struct loaded_event *event,
                      const struct tournament_table *table, const char **kind, json_t **detail)
{
    struct table_result result = {
        .round = table->round, .table = table->table, .seats = table->seats};
    *kind = "ruled";
    if (has_order(ruling, DISPUTE_REPLAY) || changes_nothing(ruling)) {
        *kind = has_order(ruling, DISPUTE_REPLAY) ? "table_replayed" : "ruling_revoked";
        *detail = json_pack("{s:i, s:i, s:s}", "round", (int)table->round, "table",
                            (int)table->table, "reason", ruling->reason);
        return true;
    }
    if (has_order(ruling, DISPUTE_VOID))
        void_result(table, &result);
    else if (!ordered_result(ruling, table, &result))
        return false;
    *detail = table_ruling_line(event->tournament, &result, ruling->reason);
    return true;
}

static bool start_again(struct ruling *ruling, const struct loaded_event *event)
{
    struct call *call = ruling->call;
    const struct game_row *game = &ruling->loaded->game;
    struct event_people people;
    return event_people_load(call, event, &people) &&
           round_start_attempt(call, event, &people,
                               tournament_table(event->tournament, game->round, game->table),
                               game->attempt + 1, &ruling->replayed_as);
}

static bool take_line(struct ruling *ruling, struct loaded_event *event,
                      const struct tournament_table *table)
{
    struct call *call = ruling->call;
    const char *kind;
    json_t *detail;
    if (!find_line(ruling, event, table, &kind, &detail))
        return false;
    if (ruling->preview) {
        bool told = ruling_changes(call, event, table, kind, detail, true, &ruling->changes);
        json_decref(detail);
        return told;
    }
    if (!has_order(ruling, DISPUTE_REPLAY))
        return ruling_take(call, event, table, kind, detail, ruling->reason);
    /* Results of the old game no longer count after a replay. */
    return event_take(call, event, kind, detail) && start_again(ruling, event) &&
           ruling_follow(call, event, table, ruling->reason);
}

/* True if the event's log needs a line: not for a table that stands, unless an appeal undoes an
 * earlier ruling. */
static bool concerns_event(const struct ruling *ruling, const struct tournament_table *table)
{
    if (has_order(ruling, DISPUTE_UPHELD))
        return false;
    if (has_order(ruling, DISPUTE_STANDS))
        return ruling->appeal && table->ruled && ruling->loaded->game.finished;
    return true;
}

static bool rule_table(struct ruling *ruling)
{
    struct call *call = ruling->call;
    const struct game_row *game = &ruling->loaded->game;
    struct loaded_event event;
    if (!event_load(call, &game->event, true, &event))
        return false;
    const struct tournament_table *found =
        tournament_table(event.tournament, game->round, game->table);
    if (found == NULL)
        return call_problem(call, "no-such-table", "The event has no such table.");
    const struct tournament_table table = *found;
    return !concerns_event(ruling, &table) || take_line(ruling, &event, &table);
}

/* ---- Finished games ---- */

static bool is_last_game(struct ruling *ruling, bool *last)
{
    struct game_row *games;
    size_t count;
    const struct game_row *game = &ruling->loaded->game;
    *last = false;
    if (!call_found(ruling->call, round_games(ruling->call->db, ruling->call->arena, &game->event,
                                              game->round, &games, &count)))
        return false;
    for (size_t i = 0; i < count; i++)
        *last = *last || id_equal(&games[i].id, &game->id);
    return true;
}

static bool rule_finished(struct ruling *ruling)
{
    const struct game_row *game = &ruling->loaded->game;
    bool last;
    if (has_order(ruling, DISPUTE_TAKEBACK))
        return bad_order(ruling, "The record of a finished game is closed: nothing in it can be "
                                 "taken back. The game can be replayed.");
    if (game->event.text[0] == '\0')
        return changes_nothing(ruling) ||
               bad_order(ruling, "This game is finished and belongs to no event: its record is "
                                 "closed, and there is no table of an event to rule on. "
                                 "The only possible order is `stands`.");
    if (game->board > 0 && !game->scored)
        return changes_nothing(ruling) ||
               call_problem(ruling->call, "board-shared",
                            "Other tables have yet to play this board; rule when its results are "
                            "open.");
    if (game->board > 0 && ends_game(ruling))
        return board_is_shared(ruling);
    if (game->voided && !ends_game(ruling) && !has_order(ruling, DISPUTE_UPHELD))
        return bad_order(ruling, "The game is void: it has no result that could stand or be "
                                 "adjusted.");
    if (!is_last_game(ruling, &last))
        return false;
    return last ? rule_table(ruling)
                : changes_nothing(ruling) ||
                      bad_order(ruling,
                                "This game has been replayed; open a dispute about the replay.");
}

/* ---- Running games ---- */

static bool rule_running(struct ruling *ruling)
{
    bool event = ruling->loaded->game.event.text[0] != '\0';
    if (has_order(ruling, DISPUTE_REPLAY) && !event)
        return bad_order(ruling, "Only games of events can be replayed.");
    return write_record(ruling) && (!ends_game(ruling) || !event || rule_table(ruling));
}

/* ---- The step ---- */

static bool make_detail(struct ruling *ruling, json_t **detail)
{
    int64_t protest_ms;
    bool goes_on = ruling->resume || ends_game(ruling) || ruling->loaded->game.finished;
    if (!dispute_protest_ms(ruling->call, &ruling->loaded->game, &protest_ms))
        return false;
    *detail = json_pack(
        "{s:I, s:s, s:o, s:s, s:b}", "appeal_until",
        ruling->appeal ? (json_int_t)0 : (json_int_t)(ruling->call->now_ms + protest_ms), "code",
        ruling->code, "orders", dispute_write_orders(ruling->orders, ruling->count), "reason",
        ruling->reason, "resumed", (int)goes_on);
    if (ruling->replayed_as.text[0] != '\0')
        json_object_set_new(*detail, "replayed_as", json_string(ruling->replayed_as.text));
    return true;
}

/* Checks that the caller may rule now, before anything is changed or shown. */
static bool may_rule(struct ruling *ruling)
{
    struct dispute after;
    json_t *detail;
    if (!make_detail(ruling, &detail))
        return false;
    bool good = dispute_try(ruling->call, ruling->loaded, "ruled", detail, &after);
    json_decref(detail);
    return good;
}

static void answer_preview(struct ruling *ruling)
{
    call_answer(ruling->call, 200,
                json_pack("{s:b, s:s, s:O, s:O, s:O}", "preview", 1, "dispute",
                          ruling->loaded->row.id.text, "lines", ruling->lines, "seats",
                          ruling->seats, "changes",
                          ruling->changes == NULL ? json_null() : ruling->changes));
}

static void rule(struct ruling *ruling)
{
    struct call *call = ruling->call;
    struct loaded_dispute *loaded = ruling->loaded;
    const struct id id = loaded->row.id;
    json_t *detail;
    if (!may_rule(ruling) || !(loaded->game.finished ? rule_finished : rule_running)(ruling))
        return;
    if (ruling->preview)
        answer_preview(ruling);
    else if (make_detail(ruling, &detail) && dispute_take(call, loaded, "ruled", detail) &&
             dispute_load(call, &id, false, loaded))
        call_answer(call, 200, dispute_document(call, loaded));
}

void disputes_rule(struct call *call)
{
    struct loaded_dispute loaded;
    struct ruling ruling = {.call = call, .loaded = &loaded, .resume = true};
    if (!preview_read(call, &ruling.preview) || !dispute_load(call, &call->id[0], true, &loaded))
        return;
    ruling.appeal = loaded.dispute.state == DISPUTE_APPEALED;
    if (!read_ruling(&ruling))
        return;
    ruling.lines = json_array();
    ruling.seats = json_array();
    rule(&ruling);
    json_decref(ruling.lines);
    json_decref(ruling.seats);
    json_decref(ruling.changes);
}
