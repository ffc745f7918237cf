/* A player's commands at a table: view, legal moves, move; and the game's record. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "api/cli/cli.h"
#include "api/cli/client_commands.h"
#include "api/cli/session.h"
#include "api/cli/table.h"
#include "engine/game/game.h"

enum { REST_BYTES = 64 };

/* Reads /v1/games/<first argument> + rest. NULL with a message. */
static json_t *ask(struct client *client, const struct cli_given *given, const char *rest)
{
    char id[37];
    return session_id(given->word[0], id) == NULL
               ? NULL
               : client_need(client, "GET", client_path(client, "/v1/games/", id, rest), NULL);
}

int cli_view(const struct cli_given *given)
{
    char bytes[REST_BYTES];
    struct text rest = TEXT_OVER(bytes);
    unsigned long seq;
    text_add(&rest, "/view");
    if (!cli_value_number(given, "seq", 0, 1000000, 0, &seq))
        return EXIT_UNKNOWN;
    if (cli_value(given, "seq") != NULL) {
        text_add(&rest, "?seq=");
        text_add_number(&rest, (int64_t)seq);
    }
    struct client *client = session_client(given, false);
    json_t *view = client == NULL ? NULL : ask(client, given, bytes);
    if (view != NULL)
        table_print_json(view);
    int status = client == NULL ? EXIT_UNKNOWN : view == NULL ? EXIT_NO : EXIT_YES;
    json_decref(view);
    client_free(client);
    return status;
}

int cli_moves(const struct cli_given *given)
{
    struct client *client = session_client(given, true);
    json_t *legal = client == NULL ? NULL : ask(client, given, "/legal-moves");
    size_t i;
    json_t *move;
    if (legal != NULL && cli_value(given, "json") != NULL)
        table_print_json(legal);
    else if (legal != NULL && json_array_size(json_object_get(legal, "moves")) == 0)
        fprintf(stderr, "tillroll: you do not have to decide now\n");
    else
        json_array_foreach(json_object_get(legal, "moves"), i, move)
        {
            table_print_text(stdout, json_string_value(move));
            printf("\n");
        }
    int status = client == NULL ? EXIT_UNKNOWN : legal == NULL ? EXIT_NO : EXIT_YES;
    json_decref(legal);
    client_free(client);
    return status;
}

int cli_sample(const struct cli_given *given)
{
    char bytes[REST_BYTES];
    struct text rest = TEXT_OVER(bytes);
    unsigned long n;
    unsigned long first;
    if (!cli_value_number(given, "count", 1, 64, 1, &n) ||
        !cli_value_number(given, "first", 0, INT32_MAX - 64, 0, &first))
        return EXIT_UNKNOWN;
    text_add(&rest, "/sample?n=");
    text_add_number(&rest, (int64_t)n);
    text_add(&rest, "&first=");
    text_add_number(&rest, (int64_t)first);
    struct client *client = session_client(given, true);
    json_t *sample = client == NULL ? NULL : ask(client, given, bytes);
    size_t i;
    json_t *state;
    if (sample != NULL && cli_value(given, "json") != NULL)
        table_print_json(sample);
    else
        json_array_foreach(json_object_get(sample, "states"), i, state)
        {
            table_print_text(stdout, json_string_value(state));
            printf("\n");
        }
    int status = client == NULL ? EXIT_UNKNOWN : sample == NULL ? EXIT_NO : EXIT_YES;
    json_decref(sample);
    client_free(client);
    return status;
}

/* ---- Moving ---- */

/* The words joined by blanks. False with a message. */
static bool join(const struct cli_given *given, struct text *move)
{
    for (int i = 1; i < given->words; i++) {
        text_add(move, i == 1 ? "" : " ");
        text_add(move, given->word[i]);
    }
    if (!move->overflow)
        return true;
    fprintf(stderr, "tillroll: a move can have at most %d bytes\n", GAME_MOVE_MAX);
    return false;
}

/* The given line, or the newest; NULL with a message. */
static json_t *find_seq(struct client *client, const struct cli_given *given)
{
    unsigned long seq;
    if (!cli_value_number(given, "seq", 0, 1000000, 0, &seq))
        return NULL;
    if (cli_value(given, "seq") != NULL)
        return json_integer((json_int_t)seq);
    json_t *legal = ask(client, given, "/legal-moves");
    json_t *found = json_incref(json_object_get(legal, "seq"));
    json_decref(legal);
    return found;
}

static void print_refusal(const struct client *client, long status, const json_t *answer)
{
    size_t i;
    json_t *move;
    const char *detail = json_string_value(json_object_get(answer, "detail"));
    const char *code = json_string_value(json_object_get(answer, "code"));
    if (status == 0) {
        client_print_away(client);
        return;
    }
    table_say(stderr, "tillroll: %ld %s: ", status, code == NULL ? "" : code);
    table_print_text(stderr, detail == NULL ? CLIENT_STRANGE : detail);
    fputc('\n', stderr);
    json_array_foreach(json_object_get(answer, "legal_hint"), i, move)
    {
        fprintf(stderr, "  %s", i == 0 ? "legal: " : "       ");
        table_print_text(stderr, json_string_value(move));
        fputc('\n', stderr);
    }
}

static int submit(struct client *client, const struct cli_given *given, const char *move)
{
    static const struct column members[] = {{"line", "seq", false},
                                            {"finished", "finished", false}};
    char id[37];
    long status = 0;
    if (session_id(given->word[0], id) == NULL)
        return EXIT_UNKNOWN;
    json_t *seq = find_seq(client, given);
    if (seq == NULL)
        return EXIT_NO;
    json_t *body = json_pack("{s:[s], s:o}", "moves", move, "seq", seq);
    json_t *answer =
        client_call(client, "POST", client_path(client, "/v1/games/", id, "/moves"), body, &status);
    bool good = status >= 200 && status < 300;
    if (!good)
        print_refusal(client, status, answer);
    else if (cli_value(given, "json") != NULL)
        table_print_json(answer);
    else
        table_print_members(answer, members, 2);
    json_decref(answer);
    return good ? EXIT_YES : EXIT_NO;
}

int cli_move(const struct cli_given *given)
{
    char bytes[GAME_MOVE_MAX + 1];
    struct text move = TEXT_OVER(bytes);
    struct client *client = join(given, &move) ? session_client(given, true) : NULL;
    int status = client == NULL ? EXIT_UNKNOWN : submit(client, given, bytes);
    client_free(client);
    return status;
}

/* ---- The record ---- */

static bool write_text(const char *path, const char *text)
{
    FILE *file = path == NULL ? NULL : fopen(path, "we");
    bool good = path == NULL || (file != NULL && fputs(text, file) >= 0);
    if (path == NULL)
        table_print_bytes(text, strlen(text));
    good = path == NULL ? fflush(stdout) == 0 : file != NULL && fclose(file) == 0 && good;
    if (!good)
        fprintf(stderr, "tillroll: cannot write %s: %s\n", path == NULL ? "it" : path,
                strerror(errno));
    return good;
}

int cli_record(const struct cli_given *given)
{
    char id[37];
    struct client *client =
        session_id(given->word[0], id) == NULL ? NULL : session_client(given, false);
    if (client == NULL)
        return EXIT_UNKNOWN;
    char *text = client_text(client, client_path(client, "/v1/games/", id, "/record"));
    bool good = text != NULL && strncmp(text, "tillroll ", 9) == 0;
    if (text != NULL && !good)
        fprintf(stderr, "tillroll: " CLIENT_STRANGE "\n");
    good = good && write_text(cli_value(given, "output"), text);
    free(text);
    client_free(client);
    return good ? EXIT_YES : EXIT_NO;
}
