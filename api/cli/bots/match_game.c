#include "api/cli/bots/match_game.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/arena.h"

struct match_worker {
    const struct match *match;
    struct move_list list;
    struct level_player *decides[GAME_SEATS_MAX]; /* by player */
    struct bot_program *program[GAME_SEATS_MAX];  /* by player, in the current game */
    /* The current game: */
    unsigned long plies;
    unsigned seating;
    unsigned seat; /* of the decision */
    char name[48]; /* the game's name for programs */
    struct chance chance;
    _Alignas(8) unsigned char state[GAME_STATE_MAX];
};

unsigned match_seatings(const struct match *match)
{
    return match->seats == 1 || match->alike ? 1 : (unsigned)match->seats;
}

unsigned match_player_at(const struct match *match, unsigned seat, unsigned seating)
{
    return match->seats == 1 ? seat : (seat + seating) % match->players;
}

const char *match_player_name(const struct match_player *player)
{
    return player->settings.command != NULL ? player->settings.command
                                            : policy_name(player->policy);
}

struct match_worker *match_worker_new(const struct match *match)
{
    struct match_worker *worker = must(calloc(1, sizeof *worker));
    if (!move_list_init(&worker->list, match->game))
        abort();
    worker->match = match;
    for (unsigned i = 0; i < match->players; i++)
        worker->decides[i] = policy_player_new(match->game, match->player[i].policy);
    return worker;
}

void match_worker_free(struct match_worker *worker)
{
    for (unsigned i = 0; i < worker->match->players; i++)
        level_player_free(worker->decides[i]);
    move_list_free(&worker->list);
    free(worker);
}

/* Returns the luck of a deal: its seed is 32 bytes of the stream `match/seed`, so that deals do not
 * depend on each other. */
static struct chance deal_chance(const struct match *match, unsigned long deal)
{
    struct chance_stream stream;
    chance_open(&stream, &match->chance, "match/seed", (uint32_t)(deal * CHANCE_SEED_BYTES));
    return policy_luck(&stream);
}

/* Returns the luck of a player's decision. */
static struct chance decision_chance(const struct match_worker *worker, unsigned player)
{
    struct chance_stream stream;
    char name[CHANCE_NAME_MAX];
    struct text text = TEXT_OVER(name);
    text_add(&text, "match/decides/");
    text_add_number(&text, player);
    chance_open(&stream, &worker->chance, name, (uint32_t)(worker->plies * CHANCE_SEED_BYTES));
    return policy_luck(&stream);
}

static unsigned player_at(const struct match_worker *worker, unsigned seat)
{
    if (worker->match->seats == 1)
        return worker->seating;
    return match_player_at(worker->match, seat, worker->seating);
}

/* ---- Messages to programs ---- */

/* Returns the seats as in GET /v1/games/<id>, as far as they are known here. `outcome` NULL: the
 * game is running. */
static json_t *seats_document(const struct match_worker *worker, const struct outcome *outcome)
{
    json_t *seats = json_array();
    for (unsigned seat = 0; seat < worker->match->seats; seat++)
        json_array_append_new(
            seats,
            json_pack("{s:i, s:{s:n, s:s}, s:o, s:o}", "seat", (int)seat, "player", "id", "name",
                      match_player_name(&worker->match->player[player_at(worker, seat)]), "score",
                      outcome == NULL ? json_null() : json_integer(outcome->score[seat]), "rank",
                      outcome == NULL ? json_null() : json_integer(outcome->rank[seat])));
    return seats;
}

static json_t *options_document(const struct match *match)
{
    json_t *options = json_object();
    for (size_t i = 0; i < match->game->option_count; i++) {
        const struct game_option *option = &match->game->options[i];
        json_object_set_new(options, option->name,
                            json_string(option->values[match->options.value[i]]));
    }
    return options;
}

static json_t *hello(void *context)
{
    const struct match_worker *worker = context;
    const struct game *game = worker->match->game;
    json_t *seats = seats_document(worker, NULL);
    json_t *ruleset = json_pack("{s:s, s:s, s:s}", "slug", game->slug, "version", game->version,
                                "title", game->title);
    json_t *message =
        bot_program_hello(worker->name, ruleset, worker->match->components,
                          options_document(worker->match), seats, (json_int_t)worker->seat);
    json_decref(ruleset);
    json_decref(seats);
    return message;
}

static json_t *moves_document(const struct move_list *list)
{
    json_t *moves = json_array();
    for (size_t i = 0; i < list->count; i++) {
        struct span move = move_list_get(list, i);
        json_array_append_new(moves, json_stringn(move.at, move.length));
    }
    return moves;
}

static void end_programs(struct match_worker *worker, const struct outcome *outcome)
{
    json_t *seats = seats_document(worker, outcome);
    for (unsigned i = 0; i < worker->match->players; i++) {
        if (worker->program[i] != NULL)
            bot_program_over(worker->program[i], seats);
        bot_program_free(worker->program[i]);
        worker->program[i] = NULL;
    }
    json_decref(seats);
}

/* ---- Playing ---- */

/* Asks a program to decide. False with a message if it has failed too often. */
static bool ask_program(struct match_worker *worker, unsigned player,
                        char move[static PROGRAM_LINE_MAX + 1])
{
    const struct game *game = worker->match->game;
    json_t *view = game->view(game, worker->state, (struct viewer){VIEWER_SEAT, worker->seat});
    json_t *moves = moves_document(&worker->list);
    json_t *seq = json_integer((json_int_t)worker->plies);
    const struct bot_question question = {.game = worker->name,
                                          .seq = seq,
                                          .view = view,
                                          .moves = moves,
                                          .hello = hello,
                                          .context = worker};
    if (worker->program[player] == NULL)
        worker->program[player] = bot_program_new(&worker->match->player[player].settings);
    bool decided = bot_program_decide(worker->program[player], &question, move);
    json_decref(view);
    json_decref(moves);
    json_decref(seq);
    return decided;
}

/* Plays one ply. False with a message if a program has failed. */
static bool play_ply(struct match_worker *worker)
{
    const struct game *game = worker->match->game;
    char bytes[PROGRAM_LINE_MAX + 1];
    struct span move;
    struct refusal refusal = {"", ""};
    uint32_t deciders = game->deciders(worker->state);
    worker->seat = 0;
    while ((deciders >> worker->seat & 1) == 0)
        worker->seat++;
    unsigned player = player_at(worker, worker->seat);
    move_list_clear(&worker->list);
    game->legal(game, worker->state, worker->seat, &worker->list);
    if (worker->match->player[player].settings.command == NULL) {
        struct chance luck = decision_chance(worker, player);
        move = move_list_get(&worker->list, policy_choose(worker->decides[player], worker->state,
                                                          worker->seat, &luck, &worker->list));
    } else {
        if (!ask_program(worker, player, bytes))
            return false;
        move = span_of(bytes);
    }
    if (!game->play(game, worker->state, worker->seat, move, &worker->chance, &refusal)) {
        fprintf(stderr, "tillroll: a legal move was refused: %s\n", refusal.code);
        abort();
    }
    worker->plies++;
    return true;
}

/* Plays a game. False with a message if a program has failed. */
static bool play_to_the_end(struct match_worker *worker, unsigned long deal, unsigned seating,
                            struct outcome *outcome)
{
    const struct match *match = worker->match;
    bool good = true;
    worker->plies = 0;
    worker->seating = seating;
    worker->chance = deal_chance(match, deal);
    snprintf(worker->name, sizeof worker->name, "match-%lu",
             deal * match_seatings(match) + (match->seats == 1 ? 0 : seating) + 1);
    memset(worker->state, 0, sizeof worker->state);
    match->game->setup(match->game, worker->state, (unsigned)match->seats, &match->options,
                       &worker->chance);
    while (good && match->game->deciders(worker->state) != 0)
        good = play_ply(worker);
    if (good)
        match->game->outcome(match->game, worker->state, outcome);
    end_programs(worker, good ? outcome : NULL);
    return good;
}

/* Plays a deal with every player alone; the results are ranked as if they had met. */
static bool play_alone(struct match_worker *worker, unsigned long deal, struct outcome *all)
{
    all->seats = worker->match->players;
    for (unsigned i = 0; i < worker->match->players; i++) {
        struct outcome one;
        if (!play_to_the_end(worker, deal, i, &one))
            return false;
        all->tie_breaks = one.tie_breaks;
        all->score[i] = one.score[0];
        memcpy(all->tie_break[i], one.tie_break[0], sizeof all->tie_break[i]);
    }
    outcome_rank(all);
    return true;
}

bool match_play(struct match_worker *worker, unsigned long deal, unsigned seating,
                struct match_result *result)
{
    struct outcome outcome = {.seats = 0};
    bool alone = worker->match->seats == 1;
    if (!(alone ? play_alone(worker, deal, &outcome)
                : play_to_the_end(worker, deal, seating, &outcome)))
        return false;
    *result = (struct match_result){.score = {0}};
    for (unsigned seat = 0; seat < outcome.seats; seat++) {
        unsigned player = alone ? seat : player_at(worker, seat);
        result->score[player] = outcome.score[seat];
        result->rank[player] = outcome.rank[seat];
    }
    return true;
}
