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
#include "engine/tournament/duplicate_board.h"

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

/* ---- Boards ---- */

/* A round on its way. */
struct starting {
    struct loaded_event *loaded;
    struct event_people people;
    const uint8_t *secret;
};

static bool start_table(struct call *call, const struct starting *starting,
                        const struct tournament_table *table)
{
    const struct tournament *tournament = starting->loaded->tournament;
    struct game_row game = game_of_table(call, starting->loaded, table);
    for (unsigned seat = 0; seat < table->seats; seat++)
        game.seat[seat] =
            (struct game_row_seat){.player = event_person_id(tournament, table->entry[seat]),
                                   .player_name = starting->people.name[table->entry[seat]]};
    return game_start_on_board(call, &game, starting->secret);
}

/* The line of a board that was drawn, and its games. */
static bool take_board(struct call *call, const struct starting *starting,
                       const struct duplicate_board *board)
{
    const struct tournament *tournament = starting->loaded->tournament;
    size_t started = tournament->table_count;
    if (board->count * tournament->settings.stage[0].boards > TABLES_MOST)
        return call_problem(call, "too-many-tables",
                            "A duplicate round has at most 1000 tables; play fewer boards.");
    if (!event_take(call, starting->loaded, "board_started", duplicate_board_line(board)))
        return false;
    for (size_t i = 0; i < board->count; i++)
        if (!start_table(call, starting, &tournament->tables[started + i]))
            return false;
    return true;
}

static bool start_board(struct call *call, const struct starting *starting)
{
    struct duplicate_board board;
    struct refusal refusal;
    if (!duplicate_board_draw(starting->loaded->tournament, &starting->loaded->chance, &board,
                              &refusal))
        return event_refuse(call, &refusal);
    bool taken = take_board(call, starting, &board);
    duplicate_board_free(&board);
    return taken;
}

/* ---- Starting ---- */

/* The next ones of the round that has begun last. */
static bool start_boards(struct call *call, struct loaded_event *loaded, unsigned count,
                         const uint8_t *secret)
{
    struct starting starting = {.loaded = loaded, .secret = secret};
    if (!event_people_load(call, loaded, &starting.people))
        return false;
    for (unsigned i = 0; i < count; i++)
        if (!start_board(call, &starting))
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
                   start_boards(call, loaded, stage->barometer ? 1 : stage->boards, secret);
    sodium_memzero(secret, sizeof secret);
    return started;
}

bool duplicate_start_board(struct call *call, struct loaded_event *loaded)
{
    uint8_t secret[KEYS_SECRET_BYTES];
    bool started = duplicate_read_secret(call, &loaded->event.id,
                                         loaded->tournament->rounds_started, secret) &&
                   start_boards(call, loaded, 1, secret);
    sodium_memzero(secret, sizeof secret);
    return started;
}
