/* Recorded games for tests: a game is played with computed luck while somebody listens, and what
 * was heard is told, line by line, to a second one, whose own luck is another. Included by the
 * programs that write or test such records. */
#ifndef TILLROLL_TESTS_TOLD_ROLL_H
#define TILLROLL_TESTS_TOLD_ROLL_H

#include <stdio.h>
#include <stdlib.h>

#include "tests/engine/support/roll.h"
#include "tests/engine/support/table.h"

struct told_roll {
    struct roll *roll;
    struct roll_writer writer;
    struct table computed;
    struct told heard;
    struct dice dice;
    unsigned watch; /* compares what a spectator knows after one ply in this many; 0 = never */
    bool sensible;  /* plays the move that is judged best */
};

static inline void told_require(bool good, const struct told_roll *told, const char *what)
{
    if (good)
        return;
    fprintf(stderr, "%s: %s after line %u: %s %s\n", told->computed.game->slug, what,
            (unsigned)told->roll->replay.lines, told->heard.place, told->heard.component);
    abort();
}

static inline void told_say(struct told_roll *told, struct record_entry entry)
{
    if (roll_add(&told->writer, &entry))
        return;
    struct replay trial = told->roll->replay;
    struct refusal refusal = {"", ""};
    char line[RECORD_LINE_MAX + 1];
    struct text text = TEXT_OVER(line);
    entry.elapsed_ms = trial.elapsed_ms;
    (void)replay_add(&trial, roll_span(told->roll), &entry, &text, &refusal);
    fprintf(stderr, "%s %.*s: %s\n", record_kind_name(entry.kind), (int)entry.move.length,
            entry.move.length > 0 ? entry.move.at : "", refusal.code);
    told_require(false, told, "refused");
}

/* Everything that was heard since the last step. */
static inline void told_say_heard(struct told_roll *told)
{
    char place[TOLD_WORD_MAX + 1];
    char component[TOLD_WORD_MAX + 1];
    told_require(told->heard.fault == TOLD_GOOD, told, "cannot listen");
    while (told_pop(&told->heard, place, component))
        told_say(told, (struct record_entry){.kind = RECORD_BIND,
                                             .place = span_of(place),
                                             .component = span_of(component)});
}

/* The two games differ only in what a spectator cannot know: then imagine() makes them the same,
 * with all that is remembered of hands. So one box of components explains both. */
static inline void told_compare_hidden(struct told_roll *told)
{
    const struct viewer spectator = {.kind = VIEWER_SPECTATOR};
    const struct game *game = told->computed.game;
    const struct chance chance = {.seed = {1}};
    static _Alignas(8) unsigned char computed[GAME_STATE_MAX], replayed[GAME_STATE_MAX];
    memcpy(computed, told->computed.state, game->state_size);
    memcpy(replayed, told->roll->replay.state, game->state_size);
    game->imagine(game, computed, spectator, &chance);
    game->imagine(game, replayed, spectator, &chance);
    told_require(memcmp(computed, replayed, game->state_size) == 0, told, "another box");
}

static inline void told_compare(struct told_roll *told)
{
    const struct viewer spectator = {.kind = VIEWER_SPECTATOR};
    const struct game *game = told->computed.game;
    told_require(game->deciders(told->computed.state) == game->deciders(told->roll->replay.state),
                 told, "other deciders");
    if (told->watch == 0 || !dice_one_in(&told->dice, told->watch) ||
        game->deciders(told->computed.state) == 0)
        return;
    json_t *computed = game->view(game, told->computed.state, spectator);
    json_t *replayed = game->view(game, told->roll->replay.state, spectator);
    told_require(json_equal(computed, replayed) == 1, told, "another view");
    json_decref(computed);
    json_decref(replayed);
    told_compare_hidden(told);
}

static inline struct span told_choose(struct told_roll *told, unsigned seat)
{
    const struct move_list *legal = &told->writer.legal;
    size_t best = dice_below(&told->dice, legal->count);
    if (!told->sensible)
        return move_list_get(legal, best);
    int32_t *weight = malloc(legal->count * sizeof *weight);
    told_require(weight != NULL, told, "no memory");
    told->computed.game->weigh(told->computed.game, told->computed.state, seat, legal, weight);
    for (size_t i = 0; i < legal->count; i++)
        if (weight[i] > weight[best])
            best = i;
    free(weight);
    return move_list_get(legal, best);
}

/* One decision, or all that are taken together. */
static inline void told_play(struct told_roll *told)
{
    struct table *table = &told->computed;
    const struct game *game = table->game;
    char move[GAME_SEATS_MAX][GAME_MOVE_MAX + 1];
    unsigned seat_of[GAME_SEATS_MAX];
    unsigned count = 0;
    uint32_t seats = game->deciders(table->state);
    for (unsigned seat = 0; seat < table->seats; seat++) {
        struct refusal refusal;
        if ((seats >> seat & 1) == 0)
            continue;
        table_legal(game, table->state, seat, &told->writer.legal);
        struct span chosen = told_choose(told, seat);
        memcpy(move[count], chosen.at, chosen.length);
        move[count][chosen.length] = '\0';
        seat_of[count] = seat;
        if (game->fit != NULL)
            game->fit(game, table->state, seat, span_of(move[count]), &table->chance);
        told_require(
            game->play(game, table->state, seat, span_of(move[count]), &table->chance, &refusal),
            told, "the computed game refuses");
        count++;
    }
    told_say_heard(told);
    for (unsigned i = 0; i < count; i++)
        told_say(told, (struct record_entry){
                           .kind = RECORD_PLY, .seat = seat_of[i], .move = span_of(move[i])});
    told_compare(told);
}

/* The header of a recorded game. */
static inline void told_header(struct record_header *header, const struct game *game,
                               unsigned seats, const struct game_options *options, uint32_t number)
{
    uint8_t secret[32];
    roll_header(header, game, seats, options, number, secret);
    header->recorded = true;
    header->board = 0;
    header->clock = (struct clock_control){.kind = CLOCK_NONE};
    memset(header->commitment, 0, sizeof header->commitment);
    for (unsigned seat = 0; seat < GAME_SEATS_MAX; seat++)
        header->seat[seat].entropy_size = 0;
}

/* Writes game `number`. roll_free() frees. Ends the program when the told game differs from the
 * computed one, or the engine refuses what happened. */
static inline void told_roll_write(struct roll *roll, const struct game *game, unsigned seats,
                                   const struct game_options *options, uint32_t number,
                                   unsigned watch)
{
    enum { ONE_IN = 4 };
    struct told_roll told = {.roll = roll, .watch = watch, .sensible = number % ONE_IN == 3};
    struct record_header header;
    const uint8_t secret[32] = {0};
    told_header(&header, game, seats, options, number);
    roll_begin(&told.writer, roll, &header, secret, number);
    dice_open(&told.dice, "told", number);

    told.computed = (struct table){.game = game, .seats = seats, .options = *options};
    dice_seed(number, told.computed.chance.seed);
    told.heard.listens = true;
    told.computed.chance.told = &told.heard;
    game->setup(game, told.computed.state, seats, options, &told.computed.chance);
    told_say_heard(&told);
    told_say(&told, (struct record_entry){.kind = RECORD_DEAL});
    told_compare(&told);
    while (game->deciders(told.computed.state) != 0)
        told_play(&told);
    if (game->show != NULL)
        game->show(game, told.computed.state, &told.computed.chance);
    told_say_heard(&told);
    while (roll_due(&told.writer))
        continue;
    told_require(roll->replay.phase == REPLAY_FINISHED, &told, "unfinished");

    struct outcome computed;
    struct outcome replayed;
    game->outcome(game, told.computed.state, &computed);
    game->outcome(game, roll->replay.state, &replayed);
    for (unsigned seat = 0; seat < seats; seat++)
        told_require(computed.score[seat] == replayed.score[seat] &&
                         computed.rank[seat] == replayed.rank[seat],
                     &told, "another result");
    roll_end(&told.writer);
}

#endif
