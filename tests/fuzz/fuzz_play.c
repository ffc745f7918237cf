/* One game, FUZZ_GAME: bytes choose seats, options and luck, or one of a number of positions in the
 * middle of games, and then from ply to ply a legal move, a legal move with a changed text, a move
 * for another seat, the fallback move, or new luck. An input is a stretch of a game and not a whole
 * one: what is rare late in a game would else be tried as seldom as there are whole games. */
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "engine/game/catalog.h"
#include "engine/game/game.h"
#include "engine/search/policy.h"
#include "support.h"
#include "tests/engine/support/dice.h"
#include "tests/engine/support/table.h"

enum {
    STEPS_MOST = 40,
    TEXT_ROOM = GAME_MOVE_MAX + 16,
    LOOKS_MOST = 1,
    ADVICE_MOST = 1, /* takes as long as many plies */
    GAMES = 16,      /* of which positions are taken */
    POSITIONS = 12,
    PLIES_BETWEEN = 25
};

/* Position p of game g, after p * PLIES_BETWEEN plies or the last that somebody decides in. */
struct position {
    bool made;
    size_t plies;
    struct table table;
};

/* Made once and the same for every input. */
struct room {
    struct position positions[GAMES][POSITIONS];
    struct move_list legal;
};

struct play {
    const struct game *game;
    struct fuzz_input input;
    struct table table;
    unsigned char before[GAME_STATE_MAX];
    struct move_list *legal;
    size_t plies;
    unsigned epoch, looks, advice;
};

static bool is_untouched(const struct play *play)
{
    return memcmp(play->before, play->table.state, play->game->state_size) == 0;
}

static void keep(struct play *play)
{
    memcpy(play->before, play->table.state, play->game->state_size);
}

static void check_notation(struct span move)
{
    struct words words;
    FUZZ_MUST(notation_split(move, &words));
    fuzz_check_words(&words, move);
}

static void check_outcome(const struct play *play)
{
    struct outcome outcome = {0};
    struct outcome again;
    play->game->outcome(play->game, play->table.state, &outcome);
    FUZZ_MUST(outcome.seats == play->table.seats);
    again = outcome;
    outcome_rank(&again);
    for (unsigned seat = 0; seat < outcome.seats; seat++)
        FUZZ_MUST(outcome.rank[seat] == again.rank[seat] && outcome.rank[seat] >= 1 &&
                  outcome.rank[seat] <= outcome.seats);
}

static void look(const struct play *play, const struct ply *ply)
{
    for (unsigned seat = 0; seat <= play->table.seats; seat++) {
        struct viewer viewer = {seat == play->table.seats ? VIEWER_SPECTATOR : VIEWER_SEAT, seat};
        json_t *view = play->game->view(play->game, play->table.state, viewer);
        json_t *events =
            play->game->events(play->game, play->before, play->table.state, ply, viewer);
        FUZZ_MUST(json_is_object(view) && json_is_array(events));
        json_decref(view);
        json_decref(events);
    }
}

/* Applies a move that must be taken if it is on the list, and refused otherwise. */
static bool apply(struct play *play, unsigned seat, struct span move)
{
    bool listed = move_list_find(play->legal, move) >= 0;
    struct refusal refusal = {NULL, NULL};
    keep(play);
    bool taken =
        play->game->play(play->game, play->table.state, seat, move, &play->table.chance, &refusal);
    FUZZ_MUST(taken == listed);
    FUZZ_MUST(table_fence_stands(&play->table));
    if (!taken) {
        FUZZ_MUST(refusal.code != NULL && refusal.message != NULL && is_untouched(play));
        return false;
    }
    FUZZ_MUST(++play->plies <= play->game->plies_max);
    if (play->looks < LOOKS_MOST && fuzz_byte(&play->input) % 16 == 15) {
        struct ply ply = {seat, move};
        play->looks++;
        look(play, &ply);
    }
    return true;
}

/* A text near `move`: a byte changed, put in or taken out, cut short, or made longer. */
static struct span change(struct play *play, struct span move, char bytes[static TEXT_ROOM])
{
    size_t length = move.length;
    unsigned how = fuzz_below(&play->input, 6);
    unsigned at = fuzz_below(&play->input, (unsigned)length + (how == 1));
    char other = (char)fuzz_byte(&play->input);
    memcpy(bytes, move.at, length);
    switch (how) {
    case 0:
        bytes[at] = other;
        break;
    case 1:
        memmove(bytes + at + 1, bytes + at, length - at);
        bytes[at] = other;
        length++;
        break;
    case 2:
        memmove(bytes + at, bytes + at + 1, length - at - 1);
        length--;
        break;
    case 3:
        length = at;
        break;
    case 4: /* a word of another move instead of its end */
        length = at;
        for (size_t i = 0; i < 8 && length < TEXT_ROOM; i++)
            bytes[length++] = (char)fuzz_byte(&play->input);
        break;
    default:
        bytes[at] = (char)(bytes[at] + (other & 1 ? 1 : -1));
        break;
    }
    return (struct span){bytes, length > TEXT_ROOM ? TEXT_ROOM : length};
}

/* The end of one legal move behind the beginning of another. */
static struct span cross(struct play *play, struct span move, char bytes[static TEXT_ROOM])
{
    size_t other = fuzz_below(&play->input, 65536) % play->legal->count;
    struct span tail = move_list_get(play->legal, other);
    size_t from = fuzz_below(&play->input, (unsigned)tail.length);
    size_t length = fuzz_below(&play->input, (unsigned)move.length);
    memcpy(bytes, move.at, length);
    for (size_t i = from; i < tail.length && length < TEXT_ROOM; i++)
        bytes[length++] = tail.at[i];
    return (struct span){bytes, length};
}

/* A seat that has nothing to decide is refused whatever it says. */
static void play_wrong_seat(struct play *play, struct span move)
{
    unsigned seat = fuzz_below(&play->input, play->table.seats + 1);
    struct refusal refusal = {NULL, NULL};
    if (game_decides(play->game, play->table.state, seat))
        return;
    keep(play);
    FUZZ_MUST(!play->game->play(play->game, play->table.state, seat, move, &play->table.chance,
                                &refusal));
    FUZZ_MUST(refusal.code != NULL && is_untouched(play));
}

static void play_quiet(struct play *play, unsigned seat)
{
    char bytes[TEXT_ROOM];
    struct text move = TEXT_OVER(bytes);
    play->game->fallback(play->game, play->table.state, seat, &move);
    FUZZ_MUST(apply(play, seat, text_span(&move)));
}

static void play_advice(struct play *play, unsigned seat)
{
    size_t index = policy_advise(play->game, play->table.state, seat, play->legal);
    FUZZ_MUST(index < play->legal->count);
    FUZZ_MUST(apply(play, seat, move_list_get(play->legal, index)));
}

/* New luck changes nobody's turn and nobody's legal moves. */
static void draw_anew(struct play *play, unsigned seat)
{
    uint32_t deciders = play->game->deciders(play->table.state);
    size_t moves = play->legal->count;
    play->game->rekey(play->game, play->table.state, ++play->epoch, &play->table.chance);
    FUZZ_MUST(play->game->deciders(play->table.state) == deciders);
    table_legal(play->game, play->table.state, seat, play->legal);
    FUZZ_MUST(play->legal->count == moves && table_fence_stands(&play->table));
}

static void step(struct play *play, unsigned seat)
{
    unsigned what = fuzz_byte(&play->input);
    unsigned choice = fuzz_below(&play->input, 65536);
    char bytes[TEXT_ROOM];
    struct span move = move_list_get(play->legal, choice % play->legal->count);
    check_notation(move);
    switch (what % 16) {
    case 0:
    case 1:
    case 2:
        apply(play, seat, change(play, move, bytes));
        break;
    case 3:
        apply(play, seat, cross(play, move, bytes));
        break;
    case 4:
        play_wrong_seat(play, move);
        break;
    case 5:
        play_quiet(play, seat);
        break;
    case 6:
        draw_anew(play, seat);
        break;
    case 7:
        if (play->advice++ < ADVICE_MOST)
            play_advice(play, seat);
        else
            play_quiet(play, seat);
        break;
    default:
        FUZZ_MUST(apply(play, seat, move));
        break;
    }
}

/* Any of the seats that decide. */
static unsigned choose_seat(struct play *play, uint32_t deciders)
{
    unsigned seat = fuzz_below(&play->input, play->table.seats);
    while ((deciders >> seat & 1) == 0)
        seat = (seat + 1) % play->table.seats;
    return seat;
}

static void set_table(struct play *play)
{
    const struct game *game = play->game;
    struct game_options options = game_options_initial(game);
    unsigned seats =
        game->seats_min + fuzz_below(&play->input, game->seats_max - game->seats_min + 1);
    for (size_t i = 0; i < game->option_count; i++) {
        unsigned values = 0;
        while (game->options[i].values[values] != NULL)
            values++;
        options.value[i] = (uint8_t)fuzz_below(&play->input, values);
    }
    table_set(&play->table, game, seats, &options, fuzz_below(&play->input, 65536));
}

/* ---- Positions in the middle ---- */

/* One of the deciders makes a legal move. False, and nothing happens, if it would end the game. */
static bool play_on(struct position *position, struct move_list *legal, struct dice *dice)
{
    struct table *table = &position->table;
    struct table after = *table;
    struct refusal refusal;
    unsigned seat = dice_below(dice, table->seats);
    uint32_t deciders = table->game->deciders(table->state);
    while ((deciders >> seat & 1) == 0)
        seat = (seat + 1) % table->seats;
    table_legal(table->game, table->state, seat, legal);
    FUZZ_MUST(legal->count > 0);
    FUZZ_MUST(table->game->play(table->game, after.state, seat,
                                move_list_get(legal, dice_below(dice, legal->count)), &after.chance,
                                &refusal));
    if (table->game->deciders(after.state) == 0)
        return false;
    *table = after;
    position->plies++;
    return true;
}

static void make_position(struct position *position, const struct game *game, uint32_t number,
                          size_t plies, struct move_list *legal)
{
    struct game_options options = game_options_initial(game);
    struct dice dice;
    for (uint32_t i = 0; i < number; i++)
        if (!table_next_options(game, &options))
            options = game_options_initial(game);
    dice_open(&dice, "position", number);
    table_set(&position->table, game,
              game->seats_min + number % (game->seats_max - game->seats_min + 1), &options, number);
    while (position->plies < plies && play_on(position, legal, &dice))
        ;
    position->made = true;
}

static void take_position(struct play *play, struct room *room)
{
    unsigned game = fuzz_below(&play->input, GAMES);
    unsigned number = fuzz_below(&play->input, POSITIONS);
    struct position *position = &room->positions[game][number];
    if (!position->made)
        make_position(position, play->game, game, (size_t)number * PLIES_BETWEEN, &room->legal);
    play->table = position->table;
    play->plies = position->plies;
}

/* ---- The target ---- */

static struct room *make_room(const struct game *game)
{
    struct room *room = calloc(1, sizeof *room);
    if (room == NULL)
        abort();
    table_list_init(&room->legal, game);
    return room;
}

static void go_on(struct play *play)
{
    for (unsigned i = 0; i < STEPS_MOST && play->input.left > 0; i++) {
        uint32_t deciders = play->game->deciders(play->table.state);
        if (deciders == 0)
            break;
        unsigned seat = choose_seat(play, deciders);
        table_legal(play->game, play->table.state, seat, play->legal);
        FUZZ_MUST(play->legal->count > 0 && play->legal->count <= play->game->legal_max);
        step(play, seat);
    }
    check_outcome(play);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static struct room *room;
    struct play *play = calloc(1, sizeof *play);
    if (play == NULL)
        return 0;
    play->game = catalog_newest(span_of(FUZZ_GAME));
    play->input = fuzz_begin(bytes, size);
    if (room == NULL)
        room = make_room(play->game);
    play->legal = &room->legal;
    if (fuzz_byte(&play->input) % 4 == 0)
        set_table(play);
    else
        take_position(play, room);
    go_on(play);
    free(play);
    return 0;
}
