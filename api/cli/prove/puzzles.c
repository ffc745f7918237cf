/* `tillroll puzzles`: positions of finished games in which one move is much better than all others,
 * one JSON object per line. */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/cli/cli.h"
#include "engine/analysis/puzzle.h"
#include "engine/base/arena.h"
#include "engine/log/bundle.h"

struct teller {
    struct replay replay;
    struct puzzle_finder *finder;
    struct move_list legal;
    const struct game *game; /* for which `finder` and `legal` were made */
    unsigned long most;
    unsigned found; /* in this game */
};

/* The moves with their values, best first. */
static json_t *moves_document(const struct teller *teller, const struct puzzle *puzzle)
{
    bool listed[PUZZLE_MOVES_MAX] = {false};
    json_t *list = json_array();
    for (size_t n = 0; n < teller->legal.count; n++) {
        size_t next = teller->legal.count;
        for (size_t i = 0; i < teller->legal.count; i++)
            if (!listed[i] &&
                (next == teller->legal.count || puzzle->value[i] > puzzle->value[next]))
                next = i;
        next = n == 0 ? puzzle->best : next;
        listed[next] = true;
        struct span move = move_list_get(&teller->legal, next);
        json_array_append_new(list, json_pack("{s:s%, s:I}", "move", move.at, move.length, "value",
                                              (json_int_t)puzzle->value[next]));
    }
    return list;
}

static void print_puzzle(const struct teller *teller, unsigned seat, const struct puzzle *puzzle)
{
    const struct replay *replay = &teller->replay;
    json_t *document = json_pack(
        "{s:s, s:i, s:s, s:s, s:i, s:i, s:i, s:i, s:o, s:o}", "game", replay->header.game_id, "seq",
        (int)replay->seq, "ruleset", teller->game->slug, "version", teller->game->version, "seats",
        (int)replay->header.seats, "seat", (int)seat, "samples", (int)puzzle->samples,
        "apart_hundredths", (int)puzzle->apart, "moves", moves_document(teller, puzzle), "view",
        teller->game->view(teller->game, replay->state, (struct viewer){VIEWER_SEAT, seat}));
    cli_print_json(document, JSON_SORT_KEYS);
    (void)fflush(stdout);
}

/* Checks whether the position before a ply is a puzzle. */
static void look(struct teller *teller, unsigned seat)
{
    const struct replay *replay = &teller->replay;
    struct chance luck = {.stacks = NULL};
    struct puzzle puzzle;
    if (teller->found >= teller->most || !game_decides(teller->game, replay->state, seat))
        return;
    memcpy(luck.seed, replay->head, sizeof luck.seed);
    move_list_clear(&teller->legal);
    teller->game->legal(teller->game, replay->state, seat, &teller->legal);
    if (!puzzle_find(teller->finder, replay->state, seat, &luck, &teller->legal, &puzzle))
        return;
    teller->found++;
    print_puzzle(teller, seat, &puzzle);
}

/* The record has been verified, so nothing in it can be refused. */
static void tell(struct teller *teller, struct span record, const uint8_t secret[static 32])
{
    struct record_fault fault;
    struct record_entry entry;
    struct span rest = record, line;
    if (!replay_begin(&teller->replay, NULL, &rest, secret, &fault))
        abort();
    while (teller->replay.phase == REPLAY_PLAYING && span_line(&rest, &line)) {
        struct span bare = {line.at, line.length - sizeof " #01234567" + 1};
        struct span past = {record.at, (size_t)(line.at - record.at)};
        if (record_read_entry(bare, &entry, &fault) && entry.kind == RECORD_PLY)
            look(teller, entry.seat);
        if (!replay_line_after(&teller->replay, past, line, &fault))
            abort();
    }
}

static void prepare(struct teller *teller, const struct game *game)
{
    puzzle_finder_free(teller->finder);
    if (teller->game != NULL)
        move_list_free(&teller->legal);
    teller->game = game;
    teller->finder = must(puzzle_finder_new(game));
    if (!move_list_init(&teller->legal, game))
        abort();
}

static int read_file(struct teller *teller, const char *path)
{
    struct record_fault fault;
    struct bundle bundle;
    uint8_t secret[32];
    size_t length;
    char *bytes = cli_read_file(path, &length);
    if (bytes == NULL)
        return EXIT_UNKNOWN;
    bundle_split((struct span){bytes, length}, &bundle);
    enum replay_verdict verdict = replay_verify(bundle.record, NULL, &teller->replay, &fault);
    if (verdict == REPLAY_VALID) {
        memcpy(secret, teller->replay.secret, sizeof secret);
        prepare(teller, teller->replay.header.game);
        teller->found = 0;
        tell(teller, bundle.record, secret);
    } else {
        cli_print_fault(stderr, path, verdict, &fault);
        cli_tell_kind(path, bytes, false);
    }
    free(bytes);
    return verdict == REPLAY_VALID ? EXIT_YES : verdict == REPLAY_INVALID ? EXIT_NO : EXIT_UNKNOWN;
}

int cli_puzzles(const struct cli_given *given)
{
    static struct teller teller; /* too large for the stack */
    int status = EXIT_YES;
    if (!cli_value_number(given, "most", 1, 1000, 1000, &teller.most))
        return cli_wrong_usage(given, NULL);
    for (int i = 0; i < given->words; i++) {
        int read = read_file(&teller, given->word[i]);
        status = read > status ? read : status;
    }
    puzzle_finder_free(teller.finder);
    if (teller.game != NULL)
        move_list_free(&teller.legal);
    return status;
}
