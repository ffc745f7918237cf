/* Starting duplicate rounds and boards. The secret comes first: it is made, committed to and logged
 * before any table is drawn. */
#include <sodium.h>
#include <string.h>

#include "api/duplicate.h"
#include "api/event_refuse.h"
#include "api/game_start.h"
#include "api/tlog_leaves.h"
#include "db/rounds.h"
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

/* The line that begins the round. */
static bool take_round(struct call *call, struct loaded_event *loaded, const struct round *round)
{
    char hex[65];
    struct text text = TEXT_OVER(hex);
    text_add_hex(&text, round->commitment, sizeof round->commitment);
    return event_take(call, loaded, "round_started",
                      json_pack("{s:i, s:i, s:i, s:s}", "round", (int)round->number, "attempt", 1,
                                "boards", (int)loaded->tournament->settings.stage[0].boards,
                                "commitment", hex));
}

static bool make_round(struct call *call, struct loaded_event *loaded, unsigned number,
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
    record_round_scope(loaded->event.id.text, number, &scope);
    record_commitment(text_span(&scope), secret, round.commitment);
    keys_seal(&call->service->keys, secret, KEYS_SECRET_BYTES, sealed);
    if (number > 1 && !tlog_add_round_standings(call, &loaded->event.id, number - 1))
        return false;
    return call_db(call, round_create(call->db, &loaded->event.id, &round, sealed, sizeof sealed),
                   "wrong-state", "Somebody else has just started this round.") &&
           take_round(call, loaded, &round) &&
           tlog_add_commitment(call, text_span(&scope), round.commitment);
}

/* ---- Drawing ---- */

/* A round on its way: the event, its players, and all tables that have been drawn so far. Entries
 * have the indices of duplicate_entries(). */
struct drawing {
    struct loaded_event *loaded;
    struct event_people people;
    struct entry *entries;
    unsigned round;
    uint16_t *present; /* who drops during the round plays it to its end */
    size_t present_count;
    struct duplicate_table *tables;
    size_t table_count;
    const uint8_t *secret;
};

struct entry *duplicate_entries(struct call *call, const struct tournament *tournament)
{
    struct entry *entries = arena_array(call->arena, tournament->numbered, sizeof *entries);
    for (size_t i = 0; i < tournament->numbered; i++)
        entries[i].tpn = (uint16_t)(i + 1);
    return entries;
}

static uint16_t sitting_of(const struct tournament *tournament, unsigned round, unsigned board)
{
    return (uint16_t)((round - 1) * tournament->settings.stage[0].boards + board);
}

static void take_past(struct drawing *drawing, const struct tournament_table *past)
{
    const struct tournament *tournament = drawing->loaded->tournament;
    struct duplicate_table *table = &drawing->tables[drawing->table_count++];
    *table = (struct duplicate_table){.sitting = sitting_of(tournament, past->round, past->board),
                                      .seats = past->seats};
    for (unsigned seat = 0; seat < past->seats; seat++)
        table->entry[seat] = (uint16_t)(tournament->entrants[past->entry[seat]].number - 1);
}

static void list_present(struct drawing *drawing)
{
    const struct tournament *tournament = drawing->loaded->tournament;
    for (uint16_t number = 1; number <= tournament->numbered; number++) {
        uint16_t entry = tournament_entry_numbered(tournament, number);
        if (tournament_presence(tournament, entry, drawing->round) == ROUND_PLAYED)
            drawing->present[drawing->present_count++] = (uint16_t)(number - 1);
    }
}

static bool open_drawing(struct call *call, struct loaded_event *loaded, const uint8_t *secret,
                         struct drawing *drawing)
{
    const struct tournament *tournament = loaded->tournament;
    *drawing = (struct drawing){.loaded = loaded,
                                .entries = duplicate_entries(call, tournament),
                                .round = tournament->rounds_started,
                                .secret = secret};
    size_t boards = tournament->settings.stage[0].boards;
    size_t most = tournament->table_count + tournament->numbered * boards;
    drawing->present = arena_array(call->arena, tournament->numbered, sizeof *drawing->present);
    drawing->tables = arena_array(call->arena, most, sizeof *drawing->tables);
    list_present(drawing);
    for (size_t i = 0; i < tournament->table_count; i++)
        take_past(drawing, &tournament->tables[i]);
    return event_people_load(call, loaded, &drawing->people);
}

static bool start_table(struct call *call, const struct drawing *drawing,
                        const struct tournament_table *table)
{
    const struct tournament *tournament = drawing->loaded->tournament;
    struct game_row game = game_of_table(call, drawing->loaded, table);
    for (unsigned seat = 0; seat < table->seats; seat++)
        game.seat[seat] =
            (struct game_row_seat){.player = event_person_id(tournament, table->entry[seat]),
                                   .player_name = drawing->people.name[table->entry[seat]]};
    return game_start_on_board(call, &game, drawing->secret);
}

/* ---- The line of a board ---- */

static json_t *tables_json(const struct duplicate_table *tables, size_t count)
{
    json_t *list = json_array();
    for (size_t i = 0; i < count; i++) {
        json_t *numbers = json_array();
        for (unsigned seat = 0; seat < tables[i].seats; seat++)
            json_array_append_new(numbers, json_integer(tables[i].entry[seat] + 1));
        json_array_append_new(list, numbers);
    }
    return list;
}

static bool has_seat(const struct duplicate_table *tables, size_t count, uint16_t entry)
{
    for (size_t i = 0; i < count; i++)
        for (unsigned seat = 0; seat < tables[i].seats; seat++)
            if (tables[i].entry[seat] == entry)
                return true;
    return false;
}

static json_t *byes_json(const struct drawing *drawing, const struct duplicate_table *tables,
                         size_t count)
{
    json_t *list = json_array();
    for (size_t i = 0; i < drawing->present_count; i++)
        if (!has_seat(tables, count, drawing->present[i]))
            json_array_append_new(list, json_integer(drawing->present[i] + 1));
    return list;
}

/* Tables are numbered through the round. */
static bool take_board(struct call *call, const struct drawing *drawing, unsigned board,
                       const struct duplicate_table *tables, size_t count)
{
    const struct tournament *tournament = drawing->loaded->tournament;
    size_t first = tournament->rounds[drawing->round - 1].table_count + 1;
    return event_take(call, drawing->loaded, "board_started",
                      json_pack("{s:i, s:i, s:i, s:o, s:o}", "round", (int)drawing->round, "board",
                                (int)board, "first_table", (int)first, "tables",
                                tables_json(tables, count), "byes",
                                byes_json(drawing, tables, count)));
}

/* Draws a board with all tables before it as its past, and starts its games. */
static bool start_board(struct call *call, struct drawing *drawing, unsigned board)
{
    const struct tournament *tournament = drawing->loaded->tournament;
    const struct stage_settings *stage = &tournament->settings.stage[0];
    struct duplicate_table *tables = drawing->tables + drawing->table_count;
    size_t started = tournament->table_count;
    struct refusal refusal;
    size_t count;
    const struct duplicate_movement movement = {.entries = drawing->entries,
                                                .entry_count = tournament->numbered,
                                                .past = drawing->tables,
                                                .past_count = drawing->table_count,
                                                .present = drawing->present,
                                                .present_count = drawing->present_count,
                                                .sitting =
                                                    sitting_of(tournament, drawing->round, board),
                                                .seats = stage->table.preferred,
                                                .chance = &drawing->loaded->chance};
    if (!duplicate_draw(&movement, tables, &count, &refusal))
        return event_refuse(call, &refusal);
    if (count * stage->boards > TABLES_MOST)
        return call_problem(call, "too-many-tables",
                            "A duplicate round has at most 1000 tables; play fewer boards.");
    if (!take_board(call, drawing, board, tables, count))
        return false;
    for (size_t i = 0; i < count; i++)
        if (!start_table(call, drawing, &tournament->tables[started + i]))
            return false;
    drawing->table_count += count;
    return true;
}

/* ---- Starting ---- */

/* Of the round that has begun last. */
static bool start_boards(struct call *call, struct loaded_event *loaded, unsigned first,
                         unsigned last, const uint8_t *secret)
{
    struct drawing drawing;
    if (!open_drawing(call, loaded, secret, &drawing))
        return false;
    for (unsigned board = first; board <= last; board++)
        if (!start_board(call, &drawing, board))
            return false;
    return true;
}

static bool may_start(struct call *call, const struct tournament *tournament)
{
    if (tournament_is_running(tournament))
        return call_problem(call, "round-running",
                            "A table of the present round is still playing; wait for it.");
    return tournament->rounds_started < tournament->settings.stage[0].rounds ||
           call_problem(call, "no-more-rounds",
                        "All planned rounds have been played; close the event.");
}

bool duplicate_start_round(struct call *call, struct loaded_event *loaded)
{
    uint8_t secret[KEYS_SECRET_BYTES];
    const struct stage_settings *stage = &loaded->tournament->settings.stage[0];
    bool started = may_start(call, loaded->tournament) &&
                   make_round(call, loaded, loaded->tournament->rounds_started + 1U, secret) &&
                   start_boards(call, loaded, 1, stage->barometer ? 1 : stage->boards, secret);
    sodium_memzero(secret, sizeof secret);
    return started;
}

bool duplicate_start_board(struct call *call, struct loaded_event *loaded, unsigned board)
{
    uint8_t secret[KEYS_SECRET_BYTES];
    bool started = duplicate_read_secret(call, &loaded->event.id,
                                         loaded->tournament->rounds_started, secret) &&
                   start_boards(call, loaded, board, board, secret);
    sodium_memzero(secret, sizeof secret);
    return started;
}
