#include "api/game_writer.h"

#include <stdlib.h>
#include <string.h>

#include "api/problem.h"
#include "db/ratings.h"
#include "engine/tournament/rating.h"

enum { FIRST_CAPACITY = 16 };

bool game_live_problem(struct call *call, const struct live_result *result)
{
    if (result->status == LIVE_DATABASE || result->status == LIVE_NONE)
        return call_found(call, result->database) ||
               call_problem(call, "not-found", "There is no game with this id.");
    char detail[320];
    struct text text = TEXT_OVER(detail);
    text_add(&text, "The stored record of this game is damaged at line ");
    text_add_number(&text, result->fault.line);
    text_add(&text, ": ");
    text_add(&text, result->fault.message);
    return call_problem(call, "record-damaged", detail);
}

json_t *deciders_document(const struct replay *replay)
{
    uint32_t deciders =
        replay->phase == REPLAY_PLAYING ? replay->header.game->deciders(replay->state) : 0;
    json_t *list = json_array();
    for (int seat = 0; seat < GAME_SEATS_MAX; seat++)
        if ((deciders >> seat & 1) != 0)
            json_array_append_new(list, json_integer(seat));
    return list;
}

bool game_writer_open(struct game_writer *writer, struct call *call, const struct game_row *game)
{
    *writer = (struct game_writer){.call = call, .game = game};
    struct live_result result = live_load(call->service->live, &call->service->keys, call->db,
                                          call->arena, &game->id, &writer->replay);
    if (result.status != LIVE_OK)
        return game_live_problem(call, &result);
    writer->elapsed_ms = call->now_ms - game->started_at_ms;
    return true;
}

/* Room for one more row. */
static struct record_row *next_row(struct game_writer *writer)
{
    if (writer->count == writer->capacity) {
        size_t capacity = writer->capacity == 0 ? FIRST_CAPACITY : 2 * writer->capacity;
        struct record_row *rows = arena_array(writer->call->arena, capacity, sizeof *rows);
        if (writer->count > 0)
            memcpy(rows, writer->rows, writer->count * sizeof *rows);
        writer->rows = rows;
        writer->capacity = capacity;
    }
    return &writer->rows[writer->count];
}

static int last_row(const struct replay *replay)
{
    return (int)replay->seq + (replay->phase == REPLAY_FINISHED ? 1 : 0);
}

/* Takes over the line that has just been added to the replay. */
static void take_line(struct game_writer *writer, const struct text *line)
{
    struct record_row *row = next_row(writer);
    row->seq = (unsigned)last_row(writer->replay);
    row->line = span_of(arena_copy(writer->call->arena, text_span(line)));
    memcpy(row->hash, writer->replay->head, sizeof row->hash);
    writer->count++;
}

static void take_due_lines(struct game_writer *writer)
{
    char bytes[RECORD_LINE_MAX + 1];
    struct text line = TEXT_OVER(bytes);
    while (replay_add_due(writer->replay, writer->elapsed_ms, true, &line)) {
        take_line(writer, &line);
        text_clear(&line);
    }
}

bool game_writer_ply(struct game_writer *writer, unsigned seat, struct span move,
                     struct refusal *refusal)
{
    char bytes[RECORD_LINE_MAX + 1];
    struct text line = TEXT_OVER(bytes);
    if (!replay_add_ply(writer->replay, seat, move, writer->elapsed_ms, &line, refusal))
        return false;
    take_line(writer, &line);
    take_due_lines(writer);
    return true;
}

void game_writer_quiet(struct game_writer *writer, unsigned seat)
{
    char bytes[RECORD_LINE_MAX + 1];
    struct text line = TEXT_OVER(bytes);
    /* It may have followed by itself from the ply before. */
    if (!game_decides(writer->replay->header.game, writer->replay->state, seat))
        return;
    replay_add_quiet(writer->replay, seat, writer->elapsed_ms, &line);
    take_line(writer, &line);
    take_due_lines(writer);
}

bool game_writer_fallback(struct game_writer *writer, unsigned seat, struct refusal *refusal)
{
    char bytes[RECORD_LINE_MAX + 1];
    struct text line = TEXT_OVER(bytes);
    if (!replay_add_fallback(writer->replay, seat, writer->elapsed_ms, &line, refusal))
        return false;
    take_line(writer, &line);
    take_due_lines(writer);
    return true;
}

bool game_writer_stale(struct call *call, unsigned seq)
{
    problem_answer(call->response, call->arena, "stale-sequence",
                   "Another move came first. Read the game again and decide anew.",
                   json_pack("{s:i}", "seq", (int)seq));
    return false;
}

/* ---- The end of a game ---- */

/* The whole record as stored, which is what is proved: not what is in memory. */
static bool read_record(struct call *call, const struct id *game, struct span *record)
{
    struct record_row *rows;
    size_t count;
    size_t length = 0;
    if (!call_found(call, record_read(call->db, call->arena, game, -1, &rows, &count)))
        return false;
    for (size_t i = 0; i < count; i++)
        length += rows[i].line.length + 1;
    char *bytes = arena_take(call->arena, length + 1);
    struct text text = {bytes, 0, length + 1, false};
    for (size_t i = 0; i < count; i++) {
        text_add_span(&text, rows[i].line);
        text_add_char(&text, '\n');
    }
    *record = text_span(&text);
    return true;
}

static bool prove(struct call *call, const struct game_row *game, struct outcome *outcome)
{
    struct span record;
    struct record_fault fault;
    struct replay *proof = arena_take(call->arena, sizeof *proof);
    if (!read_record(call, &game->id, &record))
        return false;
    if (replay_verify(record, proof, &fault) != REPLAY_VALID) {
        struct live_result damaged = {.status = LIVE_DAMAGED, .fault = fault};
        return game_live_problem(call, &damaged);
    }
    proof->header.game->outcome(proof->state, outcome);
    return true;
}

static bool rate_scope(struct call *call, const struct game_row *game, const char *scope)
{
    struct rating_row before[GAME_ROW_SEATS];
    struct rating ratings[GAME_ROW_SEATS];
    int32_t ranks[GAME_ROW_SEATS];
    for (unsigned i = 0; i < game->seats; i++) {
        enum db_status status = rating_find(call->db, &game->seat[i].player, scope, &before[i]);
        if (status == DB_NONE) {
            struct rating initial = rating_initial();
            before[i] = (struct rating_row){.player = game->seat[i].player,
                                            .scope = scope,
                                            .mu = initial.mu,
                                            .sigma = initial.sigma};
        } else if (!call_found(call, status)) {
            return false;
        }
        ratings[i] = (struct rating){(int32_t)before[i].mu, (int32_t)before[i].sigma};
        ranks[i] = (int32_t)game->seat[i].rank;
    }
    if (!rating_update(ratings, ranks, game->seats))
        return call_problem(call, "internal-error", "A stored rating is out of its range.");
    for (unsigned i = 0; i < game->seats; i++) {
        struct rating_row after = before[i];
        after.mu = ratings[i].mu;
        after.sigma = ratings[i].sigma;
        after.games++;
        if (!call_found(call, rating_store(call->db, &game->id, call->now_ms, &before[i], &after)))
            return false;
    }
    return true;
}

/* One-seat games are not rated: there is nobody to compare with. */
static bool rate(struct call *call, const struct game_row *game)
{
    if (game->seats < 2)
        return true;
    return call_found(call, rating_lock(call->db)) && rate_scope(call, game, game->slug) &&
           rate_scope(call, game, "overall");
}

static bool finish(struct game_writer *writer)
{
    struct call *call = writer->call;
    struct game_row finished = *writer->game;
    struct outcome outcome = {.seats = 0};
    if (!prove(call, writer->game, &outcome))
        return false;
    finished.finished = true;
    finished.finished_at_ms = writer->game->started_at_ms + writer->replay->elapsed_ms;
    for (unsigned i = 0; i < finished.seats; i++) {
        finished.seat[i].score = outcome.score[i];
        finished.seat[i].rank = outcome.rank[i];
    }
    return call_db(call, game_finish(call->db, &finished), "stale-sequence",
                   "The game was finished by another request.") &&
           rate(call, &finished);
}

bool game_writer_store(struct game_writer *writer)
{
    struct call *call = writer->call;
    enum db_status status = record_append(call->db, &writer->game->id, writer->rows, writer->count);
    if (status == DB_CONFLICT) {
        /* Another request came first; it may have been this one, sent twice. */
        call->retry = true;
        return game_writer_stale(call, writer->rows[0].seq);
    }
    if (!call_found(call, status))
        return false;
    return writer->replay->phase != REPLAY_FINISHED || finish(writer);
}
