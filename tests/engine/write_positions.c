/* Positions of games as everybody sees them, for those who hold what the service says against what
 * api/openapi/ promises (tests/api/request/game_schemas.test.mjs).
 *
 *      write_positions SLUG[@VERSION] COUNT
 *
 * plays games of this ruleset, of all numbers of seats and values of options in turn, and prints
 * COUNT positions of them, one a line: the views of the auditor and, in turn, of each seat and of a
 * spectator, what the last ply did as these two are told, that ply itself, and the legal moves of
 * the seats that decide. In every game some moves are drawn among all that are legal and the rest
 * are sensible, in a mixture of its own.
 */
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/game/catalog.h"
#include "engine/game/view_parts.h"
#include "engine/search/policy.h"
#include "tests/engine/support/dice.h"
#include "tests/engine/support/table.h"

/* One position in so many is printed, and the last one of every game. */
enum { EVERY = 2 };

struct writer {
    struct table table;
    struct move_list legal;
    struct dice dice;
    unsigned char before[GAME_STATE_MAX];
    char move[GAME_MOVE_MAX + 1];
    struct ply last;  /* that led to the position; no seat's at the beginning of a game */
    uint32_t at_luck; /* one move in so many is drawn, 0 = none but those */
    uint64_t left;    /* positions to be printed */
};

static const unsigned NO_SEAT = GAME_SEATS_MAX;

static json_t *views(const struct writer *writer, bool of_events)
{
    const struct table *table = &writer->table;
    unsigned turn = (unsigned)(writer->left % (table->seats + 1));
    const struct viewer viewers[] = {
        {VIEWER_AUDITOR, 0},
        {turn < table->seats ? VIEWER_SEAT : VIEWER_SPECTATOR, turn},
    };
    json_t *list = json_array();
    for (size_t i = 0; i < sizeof viewers / sizeof viewers[0]; i++)
        json_array_append_new(
            list, of_events ? table->game->events(table->game, writer->before, table->state,
                                                  &writer->last, viewers[i])
                            : table->game->view(table->game, table->state, viewers[i]));
    return list;
}

static json_t *legal_moves(struct writer *writer)
{
    json_t *moves = json_array();
    for (unsigned seat = 0; seat < writer->table.seats; seat++) {
        table_legal(writer->table.game, writer->table.state, seat, &writer->legal);
        for (size_t i = 0; i < writer->legal.count; i++)
            json_array_append_new(moves, view_name(move_list_get(&writer->legal, i)));
    }
    return moves;
}

static void print_position(struct writer *writer)
{
    json_t *line = json_object();
    view_set(line, "views", views(writer, false));
    view_set(line, "events", writer->last.seat == NO_SEAT ? json_array() : views(writer, true));
    view_set(line, "move",
             writer->last.seat == NO_SEAT ? json_null() : view_name(writer->last.move));
    view_set(line, "legal", legal_moves(writer));
    if (json_dumpf(line, stdout, JSON_COMPACT) != 0 || putchar('\n') == EOF)
        exit(1);
    json_decref(line);
    writer->left--;
}

/* Plays a ply of one of those who decide. False if the game is over. */
static bool play_on(struct writer *writer)
{
    struct table *table = &writer->table;
    const struct game *game = table->game;
    uint32_t deciders = game->deciders(table->state);
    if (deciders == 0)
        return false;
    unsigned seat = dice_below(&writer->dice, table->seats);
    while ((deciders >> seat & 1) == 0)
        seat = (seat + 1) % table->seats;
    table_legal(game, table->state, seat, &writer->legal);
    size_t choice = dice_below(&writer->dice, writer->legal.count);
    if (writer->at_luck > 0 && !dice_one_in(&writer->dice, writer->at_luck)) {
        choice = policy_advise(game, table->state, seat, &writer->legal);
    }
    struct span move = move_list_get(&writer->legal, choice);
    memcpy(writer->move, move.at, move.length);
    writer->last = (struct ply){seat, {writer->move, move.length}};
    memcpy(writer->before, table->state, game->state_size);
    struct refusal refusal;
    if (!game->play(game, table->state, seat, writer->last.move, &table->chance, &refusal))
        abort();
    return true;
}

static void print_game(struct writer *writer, const struct game *game, unsigned seats,
                       const struct game_options *options, uint32_t number)
{
    static const uint32_t at_luck[] = {0, 12, 3};
    dice_open(&writer->dice, "positions", number);
    table_set(&writer->table, game, seats, options, number);
    writer->last.seat = NO_SEAT;
    writer->at_luck = at_luck[number % (sizeof at_luck / sizeof at_luck[0])];
    do {
        bool over = game->deciders(writer->table.state) == 0;
        if (writer->left > 0 && (over || dice_one_in(&writer->dice, EVERY)))
            print_position(writer);
    } while (writer->left > 0 && play_on(writer));
}

int main(int argc, char **argv)
{
    static struct writer writer;
    const struct game *game =
        argc == 3 && sodium_init() >= 0 ? catalog_named(span_of(argv[1])) : NULL;
    if (game == NULL || !span_number(span_of(argv[2]), UINT32_MAX, &writer.left)) {
        fprintf(stderr, "usage: write_positions SLUG[@VERSION] COUNT\n");
        return 2;
    }
    table_list_init(&writer.legal, game);
    struct game_options options = {{0}};
    for (uint32_t number = 0; writer.left > 0; number++) {
        unsigned counts = game->seats_max - game->seats_min + 1;
        print_game(&writer, game, game->seats_min + number % counts, &options, number);
        if (number % counts == counts - 1)
            (void)table_next_options(game, &options);
    }
    move_list_free(&writer.legal);
    return 0;
}
