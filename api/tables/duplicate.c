#include "api/tables/duplicate.h"

#include <sodium.h>
#include <string.h>

#include "api/event/event_load.h"
#include "api/event/event_take.h"
#include "api/event/tlog_leaves.h"
#include "api/state/game_cache.h"
#include "api/tables/dealing.h"
#include "api/tables/games.h"
#include "api/tables/tables.h"
#include "api/tables/tlog_documents.h"
#include "db/store/events/rounds.h"
#include "db/store/games/records.h"
#include "db/store/people/ratings.h"
#include "db/store/service/secrets.h"
#include "engine/record/record.h"
#include "engine/tournament/pairing/duplicate_board.h"

/* ---- Starting ---- */

/* A round's records are completed in one transaction, which must be short. */
enum { TABLES_MOST = 1000 };

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

/* Takes the line that begins the round. */
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
                       uint8_t secret[static KEYS_SECRET_BYTES], uint8_t commitment[static 32])
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
    memcpy(commitment, round.commitment, sizeof round.commitment);
    keys_seal(&call->service->keys, secret, KEYS_SECRET_BYTES, sealed);
    if (number > 1 && !tlog_add_round_standings(call, &loaded->event.id, number - 1))
        return false;
    return call_db(call, round_create(call->db, &loaded->event.id, &round, sealed, sizeof sealed),
                   "wrong-state", "Another request has just started this round.") &&
           take_round(call, loaded, &round) &&
           tlog_add_commitment(call, text_span(&scope), round.commitment);
}

/* ---- Boards ---- */

/* A round that is being started. */
struct starting {
    struct loaded_event *loaded;
    struct event_people people;
    const uint8_t *secret;
};

static bool start_table(struct call *call, const struct starting *starting,
                        const struct tournament_table *table)
{
    const struct game_row game = game_of_table(call, starting->loaded, &starting->people, table);
    return game_start_on_board(call, &game, starting->secret,
                               starting->loaded->tournament->settings.dealers > 0);
}

/* Takes the line of a drawn board, and starts its games. */
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
    if (!duplicate_board_pairing(starting->loaded->tournament, &starting->loaded->chance, &board,
                                 &refusal))
        return event_refuse(call, &refusal);
    bool taken = take_board(call, starting, &board);
    duplicate_board_free(&board);
    return taken;
}

/* ---- Starting ---- */

/* Starts the next `count` boards of the last started round. */
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
                            "A table of the current round is still playing; wait for it.");
    return tournament->rounds_started < tournament->settings.stage[0].rounds ||
           call_problem(call, "no-more-rounds",
                        "All planned rounds have been played; close the event.");
}

static bool start_first_boards(struct call *call, struct loaded_event *loaded,
                               const uint8_t *secret)
{
    const struct stage_settings *stage = &loaded->tournament->settings.stage[0];
    return start_boards(call, loaded, stage->barometer ? 1 : stage->boards, secret);
}

/* The event's co-dealers are asked before the first boards start. */
bool duplicate_start_round(struct call *call, struct loaded_event *loaded)
{
    uint8_t secret[KEYS_SECRET_BYTES];
    uint8_t commitment[32];
    unsigned number = loaded->tournament->rounds_started + 1U;
    bool started = may_start(call, loaded->tournament) &&
                   make_round(call, loaded, number, secret, commitment) &&
                   (loaded->tournament->settings.dealers > 0
                        ? dealing_begin_round(call, loaded, number, commitment)
                        : start_first_boards(call, loaded, secret));
    sodium_memzero(secret, sizeof secret);
    return started;
}

bool duplicate_start_dealt_round(struct call *call, const struct dealing *dealing)
{
    struct loaded_event loaded;
    uint8_t secret[KEYS_SECRET_BYTES];
    bool can_end;
    if (!event_load(call, &dealing->event, true, &loaded) ||
        !dealing_lock_due(call, dealing->scope, &can_end))
        return false;
    if (!can_end)
        return true;
    call->event_changed = dealing->event;
    bool started = loaded.tournament->phase == PHASE_CLOSED ||
                   (duplicate_read_secret(call, &dealing->event, dealing->round, secret) &&
                    start_first_boards(call, &loaded, secret));
    sodium_memzero(secret, sizeof secret);
    return started && call_found(call, dealing_end(call->db, dealing->scope));
}

/* Starts the next board of the running barometer round. The event is locked. */
static bool duplicate_start_board(struct call *call, struct loaded_event *loaded)
{
    uint8_t secret[KEYS_SECRET_BYTES];
    bool started = duplicate_read_secret(call, &loaded->event.id,
                                         loaded->tournament->rounds_started, secret) &&
                   start_boards(call, loaded, 1, secret);
    sodium_memzero(secret, sizeof secret);
    return started;
}

/* ---- Ending ---- */

/* The caller must hold the event's lock while it checks for the last table, so exactly one
 * transaction finds that its table was the last. */

/* The games of a round, all read after locking. */
struct ending {
    struct loaded_event loaded;
    struct game_row *games;
    size_t count;
    unsigned board; /* the board whose results become comparable; 0 = all */
};

static bool is_compared(const struct ending *ending, const struct game_row *game)
{
    return ending->board == 0 || game->board == ending->board;
}

static bool all_finished(const struct ending *ending)
{
    for (size_t i = 0; i < ending->count; i++)
        if (is_compared(ending, &ending->games[i]) && !ending->games[i].finished)
            return false;
    return true;
}

static bool replay_game(struct call *call, const struct game_row *game, struct replay **replay)
{
    struct record_result result = game_cache_replay(call->service->game_cache, &call->service->keys,
                                                    call->db, call->arena, &game->id, replay);
    return result.status == STORED_RECORD_OK || game_live_problem(call, &result);
}

/* ---- Results ---- */

static bool store_results(struct call *call, struct ending *ending)
{
    for (size_t i = 0; i < ending->count; i++) {
        struct game_row *game = &ending->games[i];
        struct replay *replay;
        if (!is_compared(ending, game))
            continue;
        if (!replay_game(call, game, &replay))
            return false;
        game_take_outcome(game, replay);
        if (!call_found(call, game_score(call->db, game)) ||
            !table_take_result(call, &ending->loaded, game))
            return false;
    }
    return true;
}

/* ---- The reveal ---- */

enum { LAST_LINES = GAME_SEATS_MAX + 2 }; /* reveal, results, head */

static bool append_last_lines(struct call *call, const struct game_row *game, struct replay *replay)
{
    char bytes[RECORD_LINE_MAX + 1];
    struct text line = TEXT_OVER(bytes);
    struct record_row rows[LAST_LINES];
    size_t count = 0;
    while (replay_add_due(replay, call->now_ms - game->started_at_ms, true, &line)) {
        struct record_row *row = &rows[count++];
        row->seq = replay->seq + (replay->phase == REPLAY_FINISHED);
        row->line = span_of(arena_copy(call->arena, text_span(&line)));
        memcpy(row->hash, replay->head, sizeof row->hash);
        text_clear(&line);
    }
    return call_found(call, record_append(call->db, &game->id, rows, count));
}

/* Completes and proves the record, and rates the game. */
static bool complete_record(struct call *call, const struct ending *ending, struct game_row *game)
{
    struct replay *replay;
    struct span record;
    return replay_game(call, game, &replay) && append_last_lines(call, game, replay) &&
           game_read_record(call, &game->id, &record) && game_prove(call, record, game) &&
           table_rate_game(call, &ending->loaded, game);
}

/* Takes the lock of all ratings instead of locking player by player, since the games are rated in
 * one order. */
static bool reveal(struct call *call, const struct ending *ending)
{
    if (!call_found(call, rating_lock(call->db)))
        return false;
    for (size_t i = 0; i < ending->count; i++)
        if (!complete_record(call, ending, &ending->games[i]))
            return false;
    return true;
}

/* ---- After the end of a table ---- */

bool duplicate_table_ended(struct call *call, const struct game_row *game)
{
    struct ending ending = {.count = 0};
    if (!event_load(call, &game->event, true, &ending.loaded) ||
        !call_found(call, round_games(call->db, call->arena, &game->event, game->round,
                                      &ending.games, &ending.count)))
        return false;
    const struct stage_settings *stage = &ending.loaded.tournament->settings.stage[0];
    ending.board = stage->barometer ? game->board : 0;
    if (!all_finished(&ending))
        return true;
    if (!store_results(call, &ending))
        return false;
    if (stage->barometer && game->board < stage->boards)
        return duplicate_start_board(call, &ending.loaded);
    return reveal(call, &ending);
}
