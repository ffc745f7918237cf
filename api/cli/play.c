/* A player's commands at a table: view, legal moves, move; and the game's record. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "api/cli/cli.h"
#include "api/cli/session.h"
#include "api/cli/table.h"
#include "engine/game/game.h"

enum { REST_BYTES = 64 };

/* Reads /v1/games/<first argument> + rest. NULL with a message, or without a client. */
static json_t *ask(struct client *client, const struct cli_given *given, const char *rest)
{
    char id[37];
    return client == NULL || session_id(given->word[0], id) == NULL
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
    return session_end(given, client, ask(client, given, bytes), table_print_json);
}

static void print_strings(const json_t *strings)
{
    size_t i;
    json_t *string;
    json_array_foreach(strings, i, string)
    {
        table_say(stdout, "%s\n", json_string_value(string));
    }
}

static void print_moves(const json_t *legal)
{
    if (json_array_size(json_object_get(legal, "moves")) == 0)
        fprintf(stderr, "tillroll: you do not have to decide now\n");
    print_strings(json_object_get(legal, "moves"));
}

int cli_moves(const struct cli_given *given)
{
    struct client *client = session_client(given, true);
    return session_end(given, client, ask(client, given, "/legal-moves"), print_moves);
}

static void print_states(const json_t *sample)
{
    print_strings(json_object_get(sample, "states"));
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
    return session_end(given, client, ask(client, given, bytes), print_states);
}

/* ---- Moving ---- */

/* Joins the words with spaces. False with a message. */
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

/* The entry number given, or the newest; NULL with a message. */
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
    table_say(stderr, "tillroll: %ld %s: %s\n", status, code == NULL ? "" : code,
              detail == NULL ? CLIENT_STRANGE : detail);
    json_array_foreach(json_object_get(answer, "legal_hint"), i, move)
    {
        table_say(stderr, "  %s%s\n", i == 0 ? "legal: " : "       ", json_string_value(move));
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
