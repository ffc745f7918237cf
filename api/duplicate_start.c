/* Starting duplicate rounds and boards. The secret comes first: it is made, committed to and logged
 * before any table is drawn. */
#include <sodium.h>
#include <string.h>

#include "api/duplicate.h"
#include "api/event_steps.h"
#include "api/game_start.h"
#include "api/tlog_leaves.h"
#include "engine/record.h"
#include "engine/tournament/duplicate_movement.h"

/* A round's records are completed in one transaction, which has to stay short. */
enum { TABLES_MOST = 1000 };

bool duplicate_is(const struct event *event)
{
    return strcmp(event->format, "duplicate") == 0;
}

/* ---- The round's secret ---- */

bool duplicate_read_secret(struct call *call, const struct id *event, unsigned round,
                           uint8_t secret[static KEYS_SECRET_BYTES])
{
    const uint8_t *sealed;
    size_t size;
    if (!call_found(call, round_secret(call->db, call->arena, event, round, &sealed, &size)))
        return false;
    return keys_open(&call->service->keys, sealed, size, secret, KEYS_SECRET_BYTES) ||
           call_problem(call, "internal-error", "The round's secret was sealed with another key.");
}

static bool log_round(struct call *call, const struct event *event, const struct round *round)
{
    char hex[65];
    struct text text = TEXT_OVER(hex);
    text_add_hex(&text, round->commitment, sizeof round->commitment);
    return event_step(call, &event->id, "round_started",
                      json_pack("{s:i, s:i, s:i, s:s}", "round", (int)round->number, "attempt", 1,
                                "boards", (int)event->boards, "commitment", hex));
}

static bool make_round(struct call *call, const struct event *event, unsigned number,
                       uint8_t secret[static KEYS_SECRET_BYTES])
{
    char bytes[RECORD_SCOPE_MAX];
    struct text scope = TEXT_OVER(bytes);
    uint8_t sealed[KEYS_SEALED_BYTES];
    struct round round = {.number = number,
                          .attempt = 1,
                          .quality = "{}",
                          .started_at_ms = call->now_ms,
                          .has_commitment = true};
    randombytes_buf(secret, KEYS_SECRET_BYTES);
    record_round_scope(event->id.text, number, &scope);
    record_commitment(text_span(&scope), secret, round.commitment);
    keys_seal(&call->service->keys, secret, KEYS_SECRET_BYTES, sealed);
    return call_db(call, round_create(call->db, &event->id, &round, sealed, sizeof sealed),
                   "wrong-state", "Somebody else has just started this round.") &&
           log_round(call, event, &round) &&
           tlog_add_commitment(call, text_span(&scope), round.commitment);
}

/* ---- Drawing ---- */

/* A round on its way: the event, its players, and all tables that have been drawn so far. */
struct drawing {
    struct tournament tournament;
    unsigned round;
    uint16_t *present; /* indices of entries; who drops during the round plays it to its end */
    size_t present_count;
    struct duplicate_table *tables;
    size_t table_count;
    unsigned tables_of_round; /* how many of them are this round's */
    const uint8_t *secret;
};

static uint16_t sitting_of(const struct event *event, unsigned round, unsigned board)
{
    return (uint16_t)((round - 1) * event->boards + board);
}

static void take_game(struct drawing *drawing, const struct game_row *game)
{
    struct duplicate_table *table = &drawing->tables[drawing->table_count++];
    *table = (struct duplicate_table){
        .sitting = sitting_of(&drawing->tournament.event, game->round, game->board),
        .seats = (uint16_t)game->seats};
    for (unsigned seat = 0; seat < game->seats; seat++)
        table->entry[seat] = event_entry_index(&drawing->tournament, &game->seat[seat].player);
    drawing->tables_of_round += game->round == drawing->round;
}

static void list_present(struct drawing *drawing)
{
    const struct tournament *tournament = &drawing->tournament;
    for (size_t i = 0; i < tournament->entry_count; i++)
        if (!tournament->entries[i].dropped ||
            tournament->entries[i].dropped_after >= drawing->round)
            drawing->present[drawing->present_count++] = (uint16_t)i;
}

static bool open_drawing(struct call *call, const struct event *event, unsigned round,
                         const uint8_t *secret, struct drawing *drawing)
{
    *drawing = (struct drawing){.round = round, .secret = secret};
    struct tournament *tournament = &drawing->tournament;
    if (!tournament_load(call, event, tournament))
        return false;
    size_t most = tournament->game_count + tournament->entry_count * event->boards;
    drawing->present = arena_array(call->arena, tournament->entry_count, sizeof *drawing->present);
    drawing->tables = arena_array(call->arena, most, sizeof *drawing->tables);
    list_present(drawing);
    for (size_t i = 0; i < tournament->game_count; i++)
        take_game(drawing, &tournament->games[i]);
    return true;
}

static bool start_table(struct call *call, const struct drawing *drawing, unsigned board,
                        unsigned number, const struct duplicate_table *table)
{
    const struct tournament *tournament = &drawing->tournament;
    struct game_row game = {.id = id_new(call->now_ms),
                            .event = tournament->event.id,
                            .round = drawing->round,
                            .table = number,
                            .board = board,
                            .slug = tournament->event.slug,
                            .version = tournament->event.version,
                            .options = tournament->event.options,
                            .started_at_ms = call->now_ms,
                            .seats = table->seats};
    for (unsigned seat = 0; seat < table->seats; seat++) {
        const struct event_entry *entry = &tournament->entries[table->entry[seat]];
        game.seat[seat].player = entry->player;
        game.seat[seat].player_name = entry->player_name;
    }
    return game_start_on_board(call, &game, drawing->secret);
}

static bool refuse_draw(struct call *call, const struct refusal *refusal)
{
    bool too_few = strcmp(refusal->code, POD_REFUSAL_TOO_FEW) == 0;
    return call_problem(call, too_few ? "too-few-players" : "internal-error", refusal->message);
}

/* Draws a board with all tables before it as its past, and starts its games. Tables are numbered
 * through the round. */
static bool start_board(struct call *call, struct drawing *drawing, unsigned board)
{
    const struct event *event = &drawing->tournament.event;
    struct duplicate_table *tables = drawing->tables + drawing->table_count;
    struct refusal refusal;
    size_t count;
    const struct duplicate_movement movement = {.entries = drawing->tournament.numbers,
                                                .entry_count = drawing->tournament.entry_count,
                                                .past = drawing->tables,
                                                .past_count = drawing->table_count,
                                                .present = drawing->present,
                                                .present_count = drawing->present_count,
                                                .sitting = sitting_of(event, drawing->round, board),
                                                .seats = (uint16_t)event->seats_preferred,
                                                .chance = &drawing->tournament.chance};
    if (!duplicate_draw(&movement, tables, &count, &refusal))
        return refuse_draw(call, &refusal);
    if (count * event->boards > TABLES_MOST)
        return call_problem(call, "too-many-tables",
                            "A duplicate round has at most 1000 tables; play fewer boards.");
    for (size_t i = 0; i < count; i++)
        if (!start_table(call, drawing, board, ++drawing->tables_of_round, &tables[i]))
            return false;
    drawing->table_count += count;
    return true;
}

/* ---- Starting ---- */

static bool start_boards(struct call *call, const struct event *event, unsigned round,
                         unsigned first, unsigned last, const uint8_t *secret)
{
    struct drawing drawing;
    if (!open_drawing(call, event, round, secret, &drawing))
        return false;
    for (unsigned board = first; board <= last; board++)
        if (!start_board(call, &drawing, board))
            return false;
    return true;
}

bool duplicate_start_round(struct call *call, const struct event *event, unsigned round)
{
    uint8_t secret[KEYS_SECRET_BYTES];
    bool barometer = strcmp(event->play, "barometer") == 0;
    bool started = make_round(call, event, round, secret) &&
                   start_boards(call, event, round, 1, barometer ? 1 : event->boards, secret);
    sodium_memzero(secret, sizeof secret);
    return started;
}

bool duplicate_start_board(struct call *call, const struct event *event, unsigned round,
                           unsigned board)
{
    uint8_t secret[KEYS_SECRET_BYTES];
    bool started = duplicate_read_secret(call, &event->id, round, secret) &&
                   start_boards(call, event, round, board, board, secret);
    sodium_memzero(secret, sizeof secret);
    return started;
}
