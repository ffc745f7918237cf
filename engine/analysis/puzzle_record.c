#include "engine/analysis/puzzle_record.h"

#include <stdlib.h>
#include <string.h>

#include "engine/analysis/puzzle.h"
#include "engine/base/arena.h"

struct reading {
    const struct puzzle_reader *reader;
    const struct game *game;
    struct replay replay;
    struct puzzle_finder *finder;
    struct move_list legal;
};

/* Moves with their values, the best first. */
static json_t *moves_document(const struct reading *reading, const struct puzzle *puzzle)
{
    bool listed[PUZZLE_MOVES_MAX] = {false};
    json_t *list = json_array();
    for (size_t n = 0; n < reading->legal.count; n++) {
        size_t next = reading->legal.count;
        for (size_t i = 0; i < reading->legal.count; i++)
            if (!listed[i] &&
                (next == reading->legal.count || puzzle->value[i] > puzzle->value[next]))
                next = i;
        next = n == 0 ? puzzle->best : next;
        listed[next] = true;
        struct span move = move_list_get(&reading->legal, next);
        json_array_append_new(list, json_pack("{s:s%, s:I}", "move", move.at, move.length, "value",
                                              (json_int_t)puzzle->value[next]));
    }
    return list;
}

static json_t *puzzle_document(const struct reading *reading, unsigned seat,
                               const struct puzzle *puzzle)
{
    const struct replay *replay = &reading->replay;
    const struct game *game = reading->game;
    return json_pack("{s:s, s:i, s:s, s:s, s:i, s:i, s:i, s:i, s:o, s:o}", "game",
                     replay->header.game_id, "seq", (int)replay->seq, "ruleset", game->slug,
                     "version", game->version, "seats", (int)replay->header.seats, "seat",
                     (int)seat, "samples", (int)puzzle->samples, "apart_hundredths",
                     (int)puzzle->apart, "moves", moves_document(reading, puzzle), "view",
                     game->view(game, replay->state, (struct viewer){VIEWER_SEAT, seat}));
}

/* Tries the position before a ply. False if the reader wants no more. */
static bool look(struct reading *reading, unsigned seat)
{
    const struct puzzle_reader *reader = reading->reader;
    const struct replay *replay = &reading->replay;
    struct chance luck = {.stacks = NULL};
    struct puzzle puzzle;
    if (reader->goes_on != NULL && !reader->goes_on(reader->context))
        return false;
    if (!game_decides(reading->game, replay->state, seat))
        return true;
    memcpy(luck.seed, replay->head, sizeof luck.seed);
    move_list_clear(&reading->legal);
    reading->game->legal(reading->game, replay->state, seat, &reading->legal);
    return !puzzle_find(reading->finder, replay->state, seat, &luck, &reading->legal, &puzzle) ||
           reader->found(reader->context, puzzle_document(reading, seat, &puzzle));
}

/* The record has been verified, so nothing in it can be refused. */
static void read_lines(struct reading *reading, struct span record, const uint8_t secret[static 32])
{
    struct record_fault fault;
    struct record_entry entry;
    struct span rest = record, line;
    if (!replay_begin(&reading->replay, NULL, &rest, secret, &fault))
        abort();
    while (reading->replay.phase == REPLAY_PLAYING && span_line(&rest, &line)) {
        struct span bare = {line.at, line.length - sizeof " #01234567" + 1};
        struct span past = {record.at, (size_t)(line.at - record.at)};
        if (record_read_entry(bare, &entry, &fault) && entry.kind == RECORD_PLY &&
            !look(reading, entry.seat))
            return;
        if (!replay_line_after(&reading->replay, past, line, &fault))
            abort();
    }
}

enum replay_verdict puzzle_record_read(struct span record, const struct puzzle_reader *reader,
                                       struct record_fault *fault)
{
    struct reading *reading = must(calloc(1, sizeof *reading)); /* large */
    uint8_t secret[32];
    enum replay_verdict verdict = replay_verify(record, NULL, &reading->replay, fault);
    if (verdict == REPLAY_VALID) {
        reading->reader = reader;
        reading->game = reading->replay.header.game;
        reading->finder = must(puzzle_finder_new(reading->game));
        if (!move_list_init(&reading->legal, reading->game))
            abort();
        memcpy(secret, reading->replay.secret, sizeof secret);
        read_lines(reading, record, secret);
        move_list_free(&reading->legal);
        puzzle_finder_free(reading->finder);
    }
    free(reading);
    return verdict;
}
