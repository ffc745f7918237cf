#include "engine/wasm/scorer/scorer.h"

#include <assert.h>
#include <string.h>

#include "engine/game/component_list.h"
#include "engine/game/component_set.h"
#include "engine/record/replay.h"
#include "engine/wasm/json.h"

enum {
    ANSWER_BYTES = 2 * 1024 * 1024,
    RECORD_BYTES = 1024 * 1024,
    MOVES_MAX = 16384, /* of a list; a move has at most GAME_MOVE_MAX bytes */
    HANDS_MAX = 1000,  /* arrangements of what is hidden that are tried for a list of moves */
    HANDS_IDLE = 60    /* of which so many in a row have given no other move */
};

static char room[SCORER_ROOM];
static char answer_bytes[ANSWER_BYTES];
static char record_bytes[RECORD_BYTES];
static struct component_list components; /* of the game, if it has a set of its own */
static struct replay now, trial, base;   /* `now.header.game` NULL: none has begun */
static struct text record;
static struct move_list legal;
static _Alignas(16) uint8_t before[GAME_STATE_MAX];
static const struct viewer spectator = {.kind = VIEWER_SPECTATOR};

char *scorer_room(void)
{
    return room;
}

static const char *answer(const json_t *value)
{
    return json_answer(value, TEXT_OVER(answer_bytes));
}

static const char *answer_refused(const char *code, const char *message)
{
    json_t *document = json_object(), *refused = json_object();
    json_object_set_new(refused, "code", json_string(code));
    json_object_set_new(refused, "message", json_string(message));
    json_object_set_new(document, "refused", refused);
    return answer(document);
}

/* ---- Beginning ---- */

const char *scorer_begin(size_t size, size_t set_size)
{
    struct record_fault fault;
    struct component_fault wrong;
    const uint8_t none[32] = {0};
    struct span rest = {room, size};
    assert(size <= sizeof room && set_size < sizeof room - size);
    if (now.header.game != NULL)
        move_list_free(&legal);
    now.header.game = NULL;
    component_list_free(&components);
    if (set_size > 0 &&
        !component_list_add(&components, (struct span){room + size, set_size}, &wrong))
        return answer_refused("bad-components", wrong.message);
    if (!replay_begin(&trial, component_list_sets(&components), &rest, none, &fault))
        return answer_refused(fault.code, fault.message);
    if (!trial.header.recorded || rest.length > 0 || !move_list_init(&legal, trial.header.game))
        return answer_refused("bad-header", "This is not the header of a recorded game.");
    memcpy(&now, &trial, replay_size(&trial));
    record = (struct text){record_bytes, 0, sizeof record_bytes, false};
    text_add_span(&record, (struct span){room, size});
    if (size > 0 && room[size - 1] != '\n')
        text_add_char(&record, '\n');
    json_t *about = json_object();
    json_object_set_new(about, "slug", json_string(now.header.game->slug));
    json_object_set_new(about, "version", json_string(now.header.game->version));
    json_object_set_new(about, "seats", json_integer(now.header.seats));
    return answer(about);
}

/* ---- Steps ---- */

/* How far a step has come. */
struct attempt {
    struct refusal refusal;
    char place[TOLD_WORD_MAX + 1];
    bool asks, refused;
    json_t *rows; /* what each entry did; NULL if nobody asks */
};

static void note(struct attempt *attempt, const struct record_entry *entry)
{
    json_t *row = json_object();
    json_t *events = json_null();
    const struct ply ply = {entry->seat, entry->move};
    if (entry->kind == RECORD_PLY)
        events = trial.header.game->events(trial.header.game, before, trial.state, &ply, spectator);
    json_object_set_new(row, "events", events);
    json_array_append_new(attempt->rows, row);
}

/* Adds an entry to the trial, and its line to the record. */
static bool add(struct attempt *attempt, struct span line)
{
    struct record_entry entry;
    struct record_fault fault;
    char bytes[RECORD_LINE_MAX + 1];
    struct text text = TEXT_OVER(bytes);
    attempt->refusal = (struct refusal){"bad-entry", "This entry is not allowed here."};
    attempt->refused = true;
    if (line.length > RECORD_LINE_MAX || !record_read_entry(line, &entry, &fault) ||
        entry.seq != trial.seq + 1)
        return false;
    attempt->asks = replay_asks(&trial, &entry, attempt->place);
    if (attempt->asks)
        return false;
    memcpy(before, trial.state, trial.header.game->state_size);
    if (!replay_add(&trial, text_span(&record), &entry, &text, &attempt->refusal))
        return false;
    text_add_span_line(&record, text_span(&text));
    attempt->refused = record.overflow;
    if (attempt->rows != NULL)
        note(attempt, &entry);
    return !record.overflow;
}

static bool add_all(struct attempt *attempt, struct span lines)
{
    struct span line;
    while (span_line(&lines, &line))
        if (!add(attempt, line))
            return false;
    return true;
}

static void begin_trial(void)
{
    memcpy(&trial, &now, replay_size(&now));
}

const char *scorer_step(size_t size, int commit)
{
    struct attempt attempt = {.rows = json_array()};
    json_t *document;
    size_t length = record.length;
    assert(now.header.game != NULL && size <= sizeof room);
    begin_trial();
    bool good = add_all(&attempt, (struct span){room, size});
    if (good && commit != 0)
        memcpy(&now, &trial, replay_size(&trial));
    else {
        record.length = length;
        record.overflow = false;
    }
    if (!good && !attempt.asks)
        return answer_refused(attempt.refusal.code, attempt.refusal.message);
    document = json_object();
    if (good)
        json_object_set_new(document, "rows", attempt.rows);
    else
        json_object_set_new(document, "asks", json_string(attempt.place));
    return answer(document);
}

/* ---- What can come ---- */

/* Whether this component can come, now that `told` holds; the step goes on with what asks. */
static bool fits(const struct replay *told, struct span asking, struct span place, struct span word)
{
    char missing[TOLD_WORD_MAX + 1];
    char bytes[RECORD_LINE_MAX + 1];
    struct text text = TEXT_OVER(bytes);
    struct refusal refusal;
    struct span line;
    const struct record_entry bind = {
        .kind = RECORD_BIND, .elapsed_ms = told->elapsed_ms, .place = place, .component = word};
    memcpy(&trial, told, replay_size(told));
    bool good = replay_add(&trial, text_span(&record), &bind, &text, &refusal);
    /* The numbers of these entries are one too low by now, which does not matter here. */
    while (good && span_line(&asking, &line)) {
        struct record_entry entry;
        struct record_fault fault;
        text_clear(&text);
        good = record_read_entry(line, &entry, &fault);
        if (good && replay_asks(&trial, &entry, missing))
            break;
        good = good && replay_add(&trial, text_span(&record), &entry, &text, &refusal);
    }
    return good;
}

/* Splits the step before its first line that is no `bind`. */
static struct span told_of(struct span *step)
{
    struct span told = {step->at, 0}, rest = *step, line;
    while (span_line(&rest, &line)) {
        struct record_entry entry;
        struct record_fault fault;
        if (!record_read_entry(line, &entry, &fault) || entry.kind != RECORD_BIND)
            break;
        told.length = (size_t)(rest.at - told.at);
        *step = rest;
    }
    return told;
}

const char *scorer_fitting(size_t size)
{
    struct span step = {room, size}, words;
    assert(now.header.game != NULL && size <= sizeof room);
    json_t *list = json_array();
    if (!span_line(&step, &words))
        return answer(list);
    struct span place = span_word(&words);
    struct attempt attempt = {.rows = NULL};
    size_t length = record.length;
    begin_trial();
    bool good = add_all(&attempt, told_of(&step));
    memcpy(&base, &trial, replay_size(&trial));
    record.length = length;
    while (good && words.length > 0) {
        struct span word = span_word(&words);
        if (word.length > 0 && fits(&base, step, place, word))
            json_array_append_new(list, json_stringn(word.at, word.length));
    }
    return answer(list);
}

/* ---- The end ---- */

uint32_t scorer_finish(void)
{
    uint32_t lines = 0;
    assert(now.header.game != NULL);
    if (now.phase != REPLAY_REVEALED && now.phase != REPLAY_CLOSING)
        return 0;
    for (;; lines++) {
        char bytes[RECORD_LINE_MAX + 1];
        struct text line = TEXT_OVER(bytes);
        if (!replay_add_due(&now, now.elapsed_ms, true, &line))
            return lines;
        text_add_span_line(&record, text_span(&line));
    }
}

/* ---- Looking ---- */

static const char *phase_name(void)
{
    if (!now.dealt)
        return "deal";
    return now.phase == REPLAY_PLAYING ? "play" : now.phase == REPLAY_OVER ? "show" : "finished";
}

const char *scorer_state(void)
{
    struct outcome outcome;
    assert(now.header.game != NULL);
    json_t *document = json_object(), *deciders = json_array(), *seats = json_array();
    const uint32_t deciding =
        now.dealt && now.phase == REPLAY_PLAYING ? now.header.game->deciders(now.state) : 0;
    for (unsigned seat = 0; seat < now.header.seats; seat++)
        if ((deciding >> seat & 1) != 0)
            json_array_append_new(deciders, json_integer(seat));
    if (now.dealt)
        replay_outcome(&now, &outcome);
    for (unsigned seat = 0; now.dealt && seat < outcome.seats; seat++) {
        json_t *result = json_object();
        json_object_set_new(result, "score", json_integer(outcome.score[seat]));
        json_object_set_new(result, "rank", json_integer(outcome.rank[seat]));
        json_array_append_new(seats, result);
    }
    json_object_set_new(document, "seq", json_integer(now.seq));
    json_object_set_new(document, "elapsed_ms", json_integer(now.elapsed_ms));
    json_object_set_new(document, "phase", json_string(phase_name()));
    json_object_set_new(document, "deciders", deciders);
    json_object_set_new(document, "outcome", seats);
    json_object_set_new(document, "together", json_integer(now.together));
    return answer(document);
}

/* Moves that have been written: by their hashes, in a table with open addressing. Of two moves with
 * one hash the second would be missing from the list, and could be written in words. */
static uint64_t seen[MOVES_MAX * 2];

static bool is_new(struct span move)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < move.length; i++)
        hash = (hash ^ (uint8_t)move.at[i]) * UINT64_C(0x100000001b3);
    hash |= 1; /* 0 = free */
    for (size_t at = hash % (MOVES_MAX * 2);; at = (at + 1) % (MOVES_MAX * 2)) {
        if (seen[at] == hash)
            return false;
        if (seen[at] == 0) {
            seen[at] = hash;
            return true;
        }
    }
}

/* Adds the seat's moves in a state that are not in the list yet, as far as there is room. Returns
 * how many. */
static size_t add_moves(const void *state, unsigned seat, size_t count, struct text *text)
{
    size_t added = 0;
    move_list_clear(&legal);
    now.header.game->legal(now.header.game, state, seat, &legal);
    for (size_t i = 0; i < legal.count && count + added < MOVES_MAX; i++) {
        const struct span move = move_list_get(&legal, i);
        if (!is_new(move))
            continue;
        text_add(text, count + added > 0 ? "," : "");
        json_write_string(move, text);
        added++;
    }
    return added;
}

const char *scorer_legal(unsigned seat)
{
    assert(now.header.game != NULL && seat < now.header.seats);
    const struct game *game = now.header.game;
    struct text text = TEXT_OVER(answer_bytes);
    struct chance luck = {.told = NULL};
    memset(seen, 0, sizeof seen);
    text_add_char(&text, '[');
    size_t count = add_moves(now.state, seat, 0, &text);
    /* What nobody has seen, dealt in other ways. */
    for (unsigned i = 0, idle = 0; game->fit != NULL && i < HANDS_MAX && idle < HANDS_IDLE; i++) {
        luck.seed[0] = (uint8_t)(i + 1);
        luck.seed[1] = (uint8_t)((i + 1) >> 8);
        memcpy(before, now.state, game->state_size);
        game->imagine(game, before, spectator, &luck);
        size_t added = add_moves(before, seat, count, &text);
        idle = added == 0 ? idle + 1 : 0;
        count += added;
    }
    text_add_char(&text, ']');
    assert(!text.overflow);
    return answer_bytes;
}

const char *scorer_view(unsigned seat)
{
    assert(now.header.game != NULL);
    const struct viewer viewer = {VIEWER_SEAT, seat};
    return answer(now.header.game->view(now.header.game, now.state,
                                        seat < now.header.seats ? viewer : spectator));
}

const char *scorer_record(void)
{
    assert(now.header.game != NULL);
    return answer(json_stringn(record.at, record.length));
}
