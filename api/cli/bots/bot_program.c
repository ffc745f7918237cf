#include "api/cli/bots/bot_program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/cli/table.h"
#include "db/link/now.h"
#include "engine/base/arena.h"

enum { PROTOCOL = 1, END_MS = 1000 };

struct bot_program {
    const struct bot_program_settings *settings;
    struct program *running; /* NULL = not started */
};

struct bot_program *bot_program_new(const struct bot_program_settings *settings)
{
    struct bot_program *program = must(calloc(1, sizeof *program));
    program->settings = settings;
    return program;
}

void bot_program_free(struct bot_program *program)
{
    if (program == NULL)
        return;
    program_end(program->running, END_MS, NULL);
    free(program);
}

json_t *bot_program_hello(const char *game, const json_t *ruleset, const char *components,
                          json_t *options, const json_t *seats, json_int_t seat)
{
    return json_pack("{s:s, s:i, s:s, s:O, s:s*, s:o, s:O, s:I}", "type", "game", "protocol",
                     PROTOCOL, "game", game, "ruleset", ruleset, "components", components,
                     "options", options, "seats", seats, "seat", seat);
}

/* ---- One decision ---- */

struct decision {
    struct bot_program *program;
    const struct bot_question *question;
    int64_t end_ms; /* of CLOCK_MONOTONIC */
};

static int64_t until_ms(const struct bot_program *program)
{
    return now_ms(CLOCK_MONOTONIC) + (int64_t)program->settings->move_ms;
}

/* Reports an error and ends the program, which is restarted for the next attempt. A program may
 * take a moment to exit after closing its pipe. */
static void give_up(struct decision *decision, const char *what, bool late)
{
    enum { MOMENT_MS = 200 };
    char bytes[128];
    struct text how = TEXT_OVER(bytes);
    struct bot_program *program = decision->program;
    program_end(program->running, late ? 0 : MOMENT_MS, &how);
    program->running = NULL;
    fprintf(stderr, "tillroll: %s %s (%s), at line %lld of game %s\n", program->settings->command,
            what, bytes, (long long)json_integer_value(decision->question->seq),
            decision->question->game);
}

static enum program_status send_message(struct program *running, json_t *message, int64_t end_ms)
{
    char *line = must(json_dumps(message, JSON_COMPACT));
    json_decref(message);
    enum program_status status = program_say(running, line, end_ms);
    free(line);
    return status;
}

static bool say(struct decision *decision, json_t *message)
{
    enum program_status status =
        send_message(decision->program->running, message, decision->end_ms);
    if (status == PROGRAM_LATE)
        give_up(decision, "does not read its input", true);
    else if (status == PROGRAM_ENDED)
        give_up(decision, "has ended", false);
    return status == PROGRAM_GOOD;
}

static bool start(struct decision *decision)
{
    struct bot_program *program = decision->program;
    if (program->running != NULL)
        return true;
    json_t *message = decision->question->hello(decision->question->context);
    program->running = message == NULL ? NULL : program_start(program->settings->command);
    if (program->running != NULL)
        return say(decision, message);
    json_decref(message);
    return false;
}

static json_t *decide_message(const struct decision *decision)
{
    const struct bot_question *question = decision->question;
    return json_pack("{s:s, s:O, s:O, s:O, s:I}", "type", "decide", "seq", question->seq, "view",
                     question->view, "moves", question->moves, "ms",
                     (json_int_t)decision->program->settings->move_ms);
}

static bool is_legal(const struct decision *decision, const char *move)
{
    size_t i;
    json_t *each;
    json_array_foreach(decision->question->moves, i, each)
    {
        if (strcmp(json_string_value(each), move) == 0)
            return true;
    }
    return false;
}

/* Reports the refusal of a move, to the program and on standard error. */
static void send_refused(struct decision *decision, const char *move)
{
    static const char code[] = "not-legal", detail[] = "This is not one of the moves offered.";
    fprintf(stderr, "tillroll: %s: ", decision->program->settings->command);
    table_print_text(stderr, move);
    fprintf(stderr, ": %s: %s (game %s)\n", code, detail, decision->question->game);
    json_t *shown = json_string(move);
    json_t *message =
        json_pack("{s:s, s:o, s:s, s:s}", "type", "refused", "move",
                  shown == NULL ? json_null() : shown, "code", code, "detail", detail);
    decision->end_ms = until_ms(decision->program);
    (void)say(decision, message);
}

/* Asks for a move. False if the program gave no legal one. */
static bool ask(struct decision *decision, char move[static PROGRAM_LINE_MAX + 1])
{
    decision->end_ms = until_ms(decision->program);
    if (!start(decision))
        return false;
    decision->end_ms = until_ms(decision->program);
    if (!say(decision, decide_message(decision)))
        return false;
    switch (program_hear(decision->program->running, move, decision->end_ms)) {
    case PROGRAM_LATE:
        give_up(decision, "took too long", true);
        return false;
    case PROGRAM_ENDED:
        give_up(decision, "has ended", false);
        return false;
    case PROGRAM_GOOD:
        break;
    }
    if (is_legal(decision, move))
        return true;
    send_refused(decision, move);
    return false;
}

bool bot_program_decide(struct bot_program *program, const struct bot_question *question,
                        char move[static PROGRAM_LINE_MAX + 1])
{
    struct decision decision = {.program = program, .question = question};
    for (unsigned long try = 0; try < program->settings->tries; try++)
        if (ask(&decision, move))
            return true;
    fprintf(stderr, "tillroll: %s has failed %lu times at one decision of game %s\n",
            program->settings->command, program->settings->tries, question->game);
    return false;
}

void bot_program_over(struct bot_program *program, const json_t *seats)
{
    if (program->running != NULL)
        (void)send_message(program->running,
                           json_pack("{s:s, s:O}", "type", "over", "seats", seats),
                           now_ms(CLOCK_MONOTONIC) + END_MS);
}

/* ---- One program per game ---- */

/* A game that a program plays. */
struct exec_seat {
    struct exec_seat *next;
    char game[37];
    bool met; /* since the last bot_exec_end_others() */
    struct bot_program *program;
};

struct bot_exec {
    const struct bot_program_settings *settings;
    struct exec_seat *seats;
};

struct bot_exec *bot_exec_new(const struct bot_program_settings *settings)
{
    struct bot_exec *bots = must(calloc(1, sizeof *bots));
    bots->settings = settings;
    return bots;
}

static void drop(struct bot_exec *bots, struct exec_seat *seat)
{
    struct exec_seat **place = &bots->seats;
    while (*place != seat)
        place = &(*place)->next;
    *place = seat->next;
    bot_program_free(seat->program);
    free(seat);
}

void bot_exec_free(struct bot_exec *bots)
{
    if (bots == NULL)
        return;
    while (bots->seats != NULL)
        drop(bots, bots->seats);
    free(bots);
}

static struct exec_seat *find_seat(struct bot_exec *bots, const char *game)
{
    struct exec_seat *seat = bots->seats;
    while (seat != NULL && strcmp(seat->game, game) != 0)
        seat = seat->next;
    if (seat != NULL)
        return seat;
    seat = must(calloc(1, sizeof *seat));
    snprintf(seat->game, sizeof seat->game, "%s", game);
    seat->program = bot_program_new(bots->settings);
    seat->next = bots->seats;
    bots->seats = seat;
    return seat;
}

/* ---- One decision ---- */

struct exec_decision {
    struct client *client;
    struct exec_seat *seat;
    const json_t *legal; /* the response to GET .../legal-moves */
    const json_t *view;  /* the response to GET .../view */
    const struct signer *signer;
};

static json_t *hello(void *context)
{
    const struct exec_decision *decision = context;
    json_t *game =
        client_need(decision->client, "GET",
                    client_path(decision->client, "/v1/games/", decision->seat->game, ""), NULL);
    json_t *message =
        game == NULL
            ? NULL
            : bot_program_hello(decision->seat->game, json_object_get(game, "ruleset"),
                                json_string_value(json_object_get(decision->view, "components")),
                                json_incref(json_object_get(game, "options")),
                                json_object_get(game, "seats"),
                                json_integer_value(table_find(decision->view, "viewer.seat")));
    json_decref(game);
    return message;
}

static enum turn decide(struct exec_decision *decision, bool *program_failed)
{
    char move[PROGRAM_LINE_MAX + 1];
    const struct bot_question question = {.game = decision->seat->game,
                                          .seq = json_object_get(decision->legal, "seq"),
                                          .view = json_object_get(decision->view, "view"),
                                          .moves = json_object_get(decision->legal, "moves"),
                                          .hello = hello,
                                          .context = decision};
    if (bot_program_decide(decision->seat->program, &question, move))
        return player_submit(decision->client, decision->seat->game, decision->legal,
                             decision->signer, span_of(move));
    *program_failed = true;
    return TURN_FAILED;
}

/* ---- A turn ---- */

/* Handles a game without a decision: if it is over, the program is told the outcome. */
static enum turn check_over(struct bot_exec *bots, struct exec_decision *decision)
{
    json_t *game =
        client_need(decision->client, "GET",
                    client_path(decision->client, "/v1/games/", decision->seat->game, ""), NULL);
    enum turn turn = player_look(game);
    if (turn == TURN_OVER) {
        bot_program_over(decision->seat->program, json_object_get(game, "seats"));
        drop(bots, decision->seat);
    }
    json_decref(game);
    return turn;
}

enum turn bot_exec_turn(struct bot_exec *bots, struct client *client, const char *game,
                        const struct signer *signer, bool *program_failed)
{
    struct exec_decision decision = {
        .client = client, .seat = find_seat(bots, game), .signer = signer};
    decision.seat->met = true;
    *program_failed = false;
    json_t *legal =
        client_need(client, "GET", client_path(client, "/v1/games/", game, "/legal-moves"), NULL);
    if (legal == NULL)
        return TURN_FAILED;
    decision.legal = legal;
    json_t *view = NULL;
    enum turn turn;
    if (json_array_size(json_object_get(legal, "moves")) == 0) {
        turn = check_over(bots, &decision);
    } else {
        view = client_need(client, "GET", client_path(client, "/v1/games/", game, "/view"), NULL);
        decision.view = view;
        /* Both must show the same position. */
        turn = view == NULL ? TURN_FAILED
               : !json_equal(json_object_get(view, "seq"), json_object_get(legal, "seq"))
                   ? TURN_WAITING
                   : decide(&decision, program_failed);
    }
    json_decref(view);
    json_decref(legal);
    return turn;
}

void bot_exec_end_others(struct bot_exec *bots, struct client *client)
{
    struct exec_seat *next;
    for (struct exec_seat *seat = bots->seats; seat != NULL; seat = next) {
        struct exec_decision decision = {.client = client, .seat = seat};
        next = seat->next;
        if (!seat->met)
            (void)check_over(bots, &decision);
        else
            seat->met = false;
    }
}
