#include "api/cli/bot_exec.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/cli/program.h"
#include "api/cli/table.h"
#include "db/now.h"

enum { PROTOCOL = 1, END_MS = 1000 };

/* A game that a program plays. */
struct seat {
    struct seat *next;
    char game[37];
    bool met;                /* since bot_exec_end_others() */
    struct program *program; /* NULL = is to be started */
};

struct bot_exec {
    const struct bot_exec_settings *settings;
    struct seat *seats;
};

struct bot_exec *bot_exec_new(const struct bot_exec_settings *settings)
{
    struct bot_exec *bots = calloc(1, sizeof *bots);
    if (bots == NULL)
        abort();
    bots->settings = settings;
    return bots;
}

static void drop(struct bot_exec *bots, struct seat *seat)
{
    struct seat **place = &bots->seats;
    while (*place != seat)
        place = &(*place)->next;
    *place = seat->next;
    program_end(seat->program, END_MS, NULL);
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

static struct seat *find_seat(struct bot_exec *bots, const char *game)
{
    struct seat *seat = bots->seats;
    while (seat != NULL && strcmp(seat->game, game) != 0)
        seat = seat->next;
    if (seat != NULL)
        return seat;
    seat = calloc(1, sizeof *seat);
    if (seat == NULL)
        abort();
    snprintf(seat->game, sizeof seat->game, "%s", game);
    seat->next = bots->seats;
    bots->seats = seat;
    return seat;
}

/* ---- One decision ---- */

struct decision {
    const struct bot_exec_settings *settings;
    struct client *client;
    struct seat *seat;
    const json_t *legal; /* what GET .../legal-moves has answered */
    const json_t *view;  /* and GET .../view */
    const struct signer *signer;
};

/* Says what has gone wrong, and ends the program, which is started anew for the next try. One that
 * has closed its end may be a moment from its own. */
static void give_up(struct decision *decision, const char *what, bool late)
{
    enum { MOMENT_MS = 200 };
    char bytes[128];
    struct text how = TEXT_OVER(bytes);
    long long seq = json_integer_value(json_object_get(decision->legal, "seq"));
    program_end(decision->seat->program, late ? 0 : MOMENT_MS, &how);
    decision->seat->program = NULL;
    fprintf(stderr, "tillroll: %s %s (%s), at line %lld of game %s\n", decision->settings->program,
            what, bytes, seq, decision->seat->game);
}

static bool say(struct decision *decision, json_t *message, int64_t end_ms)
{
    char *line = json_dumps(message, JSON_COMPACT);
    json_decref(message);
    if (line == NULL)
        abort();
    enum program_status status = program_say(decision->seat->program, line, end_ms);
    free(line);
    if (status == PROGRAM_LATE)
        give_up(decision, "does not read what it is told", true);
    else if (status == PROGRAM_ENDED)
        give_up(decision, "has ended", false);
    return status == PROGRAM_GOOD;
}

/* What a program is told first. NULL with a message. */
static json_t *game_message(const struct decision *decision)
{
    json_t *game =
        client_need(decision->client, "GET",
                    client_path(decision->client, "/v1/games/", decision->seat->game, ""), NULL);
    json_t *seat = table_find(decision->view, "viewer.seat");
    json_t *message =
        game == NULL
            ? NULL
            : json_pack("{s:s, s:i, s:s, s:O, s:O, s:O, s:O}", "type", "game", "protocol", PROTOCOL,
                        "game", decision->seat->game, "ruleset", json_object_get(game, "ruleset"),
                        "options", json_object_get(game, "options"), "seats",
                        json_object_get(game, "seats"), "seat", seat);
    json_decref(game);
    return message;
}

static bool start(struct decision *decision)
{
    if (decision->seat->program != NULL)
        return true;
    json_t *message = game_message(decision);
    decision->seat->program = message == NULL ? NULL : program_start(decision->settings->program);
    if (decision->seat->program != NULL)
        return say(decision, message,
                   now_ms(CLOCK_MONOTONIC) + (int64_t)decision->settings->move_ms);
    json_decref(message);
    return false;
}

static json_t *decide_message(const struct decision *decision)
{
    return json_pack("{s:s, s:O, s:O, s:O, s:I}", "type", "decide", "seq",
                     json_object_get(decision->legal, "seq"), "view",
                     json_object_get(decision->view, "view"), "moves",
                     json_object_get(decision->legal, "moves"), "ms",
                     (json_int_t)decision->settings->move_ms);
}

static bool is_legal(const struct decision *decision, const char *move)
{
    size_t i;
    json_t *each;
    json_array_foreach(json_object_get(decision->legal, "moves"), i,
                       each) if (strcmp(json_string_value(each), move) == 0) return true;
    return false;
}

/* Tells the program that its move was not taken, and us. */
static void tell_refused(struct decision *decision, const char *move, const char *code,
                         const char *detail, int64_t end_ms)
{
    fprintf(stderr, "tillroll: %s: ", decision->settings->program);
    table_print_text(stderr, move);
    fprintf(stderr, ": %s: ", code);
    table_print_text(stderr, detail);
    fprintf(stderr, " (game %s)\n", decision->seat->game);
    json_t *shown = json_string(move);
    json_t *message =
        json_pack("{s:s, s:o, s:s, s:s}", "type", "refused", "move",
                  shown == NULL ? json_null() : shown, "code", code, "detail", detail);
    (void)say(decision, message, end_ms);
}

/* Asks for a move. False if there was none that is legal. */
static bool ask(struct decision *decision, char move[static PROGRAM_LINE_MAX + 1])
{
    if (!start(decision))
        return false;
    int64_t end_ms = now_ms(CLOCK_MONOTONIC) + (int64_t)decision->settings->move_ms;
    if (!say(decision, decide_message(decision), end_ms))
        return false;
    switch (program_hear(decision->seat->program, move, end_ms)) {
    case PROGRAM_LATE:
        give_up(decision, "takes too long", true);
        return false;
    case PROGRAM_ENDED:
        give_up(decision, "has ended", false);
        return false;
    case PROGRAM_GOOD:
        break;
    }
    if (is_legal(decision, move))
        return true;
    tell_refused(decision, move, "not-legal", "This is none of the moves that you were given.",
                 now_ms(CLOCK_MONOTONIC) + (int64_t)decision->settings->move_ms);
    return false;
}

static enum turn decide(struct decision *decision, bool *program_failed)
{
    char move[PROGRAM_LINE_MAX + 1];
    for (unsigned long try = 0; try < decision->settings->tries; try++)
        if (ask(decision, move))
            return player_submit(decision->client, decision->seat->game, decision->legal,
                                 decision->signer, span_of(move));
    fprintf(stderr, "tillroll: %s has failed %lu times at one decision of game %s\n",
            decision->settings->program, decision->settings->tries, decision->seat->game);
    *program_failed = true;
    return TURN_FAILED;
}

/* ---- A turn ---- */

/* Nobody to decide for: is it over? Then the program is told so. */
static enum turn look(struct bot_exec *bots, struct decision *decision)
{
    json_t *game =
        client_need(decision->client, "GET",
                    client_path(decision->client, "/v1/games/", decision->seat->game, ""), NULL);
    const char *state = json_string_value(json_object_get(game, "state"));
    enum turn turn = state == NULL ? TURN_FAILED : TURN_WAITING;
    if (state != NULL && strcmp(state, "finished") == 0) {
        turn = TURN_OVER;
        if (decision->seat->program != NULL)
            (void)say(
                decision,
                json_pack("{s:s, s:O}", "type", "over", "seats", json_object_get(game, "seats")),
                now_ms(CLOCK_MONOTONIC) + END_MS);
        drop(bots, decision->seat);
    }
    json_decref(game);
    return turn;
}

enum turn bot_exec_turn(struct bot_exec *bots, struct client *client, const char *game,
                        const struct signer *signer, bool *program_failed)
{
    struct decision decision = {.settings = bots->settings,
                                .client = client,
                                .seat = find_seat(bots, game),
                                .signer = signer};
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
        turn = look(bots, &decision);
    } else {
        view = client_need(client, "GET", client_path(client, "/v1/games/", game, "/view"), NULL);
        decision.view = view;
        /* Both must be of the same position. */
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
    struct seat *next;
    for (struct seat *seat = bots->seats; seat != NULL; seat = next) {
        struct decision decision = {.settings = bots->settings, .client = client, .seat = seat};
        next = seat->next;
        if (!seat->met)
            (void)look(bots, &decision);
        else
            seat->met = false;
    }
}
