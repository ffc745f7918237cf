/* Actions in events: creating and running them, entering; and requests of any kind. */
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/cli/cli.h"
#include "api/cli/session.h"
#include "api/cli/table.h"

enum { PATH_BYTES = 256, API_PATH_BYTES = 256, METHOD_BYTES = 8 };

static void print_event(const json_t *event)
{
    static const struct column members[] = {
        {"name", "name", false}, {"id", "id", false}, {"state", "state", false}};
    table_print_members(event, members, 3);
}

static void print_place(const json_t *place)
{
    static const struct column members[] = {{"code", "code", false}};
    table_print_members(place, members, 1);
}

static void print_round(const json_t *round)
{
    static const struct column members[] = {{"round", "number", false},
                                            {"tables", "tables", false}};
    table_print_members(round, members, 2);
}

static void print_entry(const json_t *entry)
{
    static const struct column members[] = {
        {"player", "player.name", false}, {"number", "number", false}, {"state", "state", false}};
    table_print_members(entry, members, 3);
}

/* Sends a request and prints the response. Consumes the body. */
static int request(const struct cli_given *given, const char *method, const char *path,
                   json_t *body, void (*print)(const json_t *answer))
{
    struct client *client = session_client(given, true);
    json_t *answer = client == NULL ? NULL : client_need(client, method, path, json_incref(body));
    json_decref(body);
    return session_end(given, client, answer, print);
}

static bool print_event_path(const struct cli_given *given, const char *rest, struct text *path)
{
    char id[37];
    if (session_id(given->word[0], id) == NULL)
        return false;
    text_add_all(path, "/v1/events/", id, rest);
    return true;
}

/* Takes a step of an event. Consumes the body. */
static int step(const struct cli_given *given, const char *rest, json_t *body,
                void (*print)(const json_t *answer))
{
    char bytes[PATH_BYTES];
    struct text path = TEXT_OVER(bytes);
    if (print_event_path(given, rest, &path))
        return request(given, "POST", bytes, body, print);
    json_decref(body);
    return EXIT_UNKNOWN;
}

int cli_event_open(const struct cli_given *given)
{
    return step(given, "/open-entries", json_object(), print_event);
}

int cli_event_close_entries(const struct cli_given *given)
{
    return step(given, "/close-entries", json_object(), print_event);
}

int cli_event_close(const struct cli_given *given)
{
    return step(given, "/close", json_object(), print_event);
}

int cli_event_cancel(const struct cli_given *given)
{
    return step(given, "/cancel", json_pack("{s:s}", "reason", given->word[1]), print_event);
}

int cli_event_hold(const struct cli_given *given)
{
    return step(given, "/places", json_pack("{s:s}", "name", given->word[1]), print_place);
}

int cli_event_pairing(const struct cli_given *given)
{
    return step(given, "/rounds", json_object(), print_round);
}

int cli_enter(const struct cli_given *given)
{
    return step(given, "/entries", json_object(), print_entry);
}

/* ---- Importing ---- */

enum { PART_BYTES = 64 * 1024 }; /* the limit of a request */

static void print_import_path(struct text *path, const char *bytes, size_t length)
{
    uint8_t hash[32];
    crypto_hash_sha256(hash, (const uint8_t *)bytes, length);
    text_add(path, "/v1/imports/");
    text_add_hex(path, hash, sizeof hash);
}

/* Sends the bytes in parts. Returns the number of parts, or 0 with a message. */
static int send_parts(struct client *client, const char *at, const char *bytes, size_t length)
{
    static char piece[PART_BYTES + 1]; /* too large for the stack */
    int number = 0;
    for (size_t sent = 0; sent < length; sent += strlen(piece)) {
        char address[PATH_BYTES];
        struct text path = TEXT_OVER(address);
        size_t size = length - sent < PART_BYTES ? length - sent : PART_BYTES;
        memcpy(piece, bytes + sent, size);
        piece[size] = '\0';
        text_add(&path, at);
        text_add(&path, "/parts/");
        text_add_number(&path, ++number);
        if (!client_put_text(client, address, piece))
            return 0;
    }
    return number;
}

static json_t *import(const struct cli_given *given, struct client *client, const char *bytes,
                      size_t length)
{
    char name[PATH_BYTES];
    struct text path = TEXT_OVER(name);
    print_import_path(&path, bytes, length);
    int parts = send_parts(client, name, bytes, length);
    return parts == 0 ? NULL
                      : client_need(client, "POST", name,
                                    json_pack("{s:s, s:i}", "key", cli_value(given, "key"), "parts",
                                              parts));
}

int cli_event_import(const struct cli_given *given)
{
    size_t length;
    if (cli_value(given, "key") == NULL)
        return cli_wrong_usage(given, "needs --key, the key that you trust to have signed it");
    char *bytes = cli_read_file(given->word[0], &length);
    bool whole = bytes != NULL && length > 0 && memchr(bytes, '\0', length) == NULL;
    if (bytes != NULL && !whole)
        fprintf(stderr, "tillroll: %s is not a bundle\n", given->word[0]);
    struct client *client = whole ? session_client(given, true) : NULL;
    json_t *answer = client == NULL ? NULL : import(given, client, bytes, length);
    free(bytes);
    return session_end(given, client, answer, print_event);
}

/* ---- Settings ---- */

/* Reads a value: as JSON if it parses, else as text. */
static json_t *read_value(const char *text)
{
    json_t *value = json_loads(text, JSON_DECODE_ANY, NULL);
    return value == NULL ? json_string(text) : value;
}

/* Adds the NAME=VALUE of each --set. */
static bool add_settings(const struct cli_given *given, json_t *body)
{
    const char *setting;
    for (size_t i = 0; (setting = cli_value_at(given, "set", i)) != NULL; i++) {
        char name[64];
        size_t length = strcspn(setting, "=");
        if (setting[length] == '\0' || length >= sizeof name) {
            fprintf(stderr, "tillroll: --set takes NAME=VALUE\n");
            return false;
        }
        memcpy(name, setting, length);
        name[length] = '\0';
        json_object_set_new(body, name, read_value(setting + length + 1));
    }
    return true;
}

static void add_option(const struct cli_given *given, const char *option, const char *field,
                       json_t *body)
{
    const char *value = cli_value(given, option);
    if (value != NULL)
        json_object_set_new(body, field, read_value(value));
}

int cli_event_create(const struct cli_given *given)
{
    json_t *body = json_pack("{s:s}", "name", given->word[0]);
    add_option(given, "ruleset", "ruleset", body);
    add_option(given, "rounds", "rounds", body);
    add_option(given, "seats-min", "seats_min", body);
    add_option(given, "seats-max", "seats_max", body);
    add_option(given, "format", "format", body);
    if (add_settings(given, body))
        return request(given, "POST", "/v1/events", body, print_event);
    json_decref(body);
    return EXIT_UNKNOWN;
}

int cli_event_change(const struct cli_given *given)
{
    char bytes[PATH_BYTES];
    struct text path = TEXT_OVER(bytes);
    json_t *body = json_object();
    if (print_event_path(given, "", &path) && add_settings(given, body))
        return request(given, "PATCH", bytes, body, print_event);
    json_decref(body);
    return EXIT_UNKNOWN;
}

/* ---- Leaving, and any request ---- */

static bool is_done(const struct client *client, long status, const json_t *answer)
{
    if (status >= 200 && status < 300)
        return true;
    if (status == 0) {
        client_print_away(client);
        return false;
    }
    const char *detail = json_string_value(json_object_get(answer, "detail"));
    table_say(stderr, "tillroll: %ld %s\n", status, detail == NULL ? CLIENT_STRANGE : detail);
    return false;
}

static bool leave(struct client *client, const char *event)
{
    char bytes[PATH_BYTES];
    struct text path = TEXT_OVER(bytes);
    long status = 0;
    json_t *me = client_need(client, "GET", "/v1/me", NULL);
    if (me == NULL)
        return false;
    text_add_all(&path, "/v1/events/", event, "/entries/",
                 json_string_value(json_object_get(me, "id")));
    json_t *answer = client_call(client, "DELETE", bytes, NULL, &status);
    bool good = is_done(client, status, answer);
    json_decref(answer);
    json_decref(me);
    return good;
}

int cli_leave(const struct cli_given *given)
{
    char id[37];
    struct client *client =
        session_id(given->word[0], id) == NULL ? NULL : session_client(given, true);
    if (client == NULL)
        return EXIT_UNKNOWN;
    bool good = leave(client, id);
    client_free(client);
    return good ? EXIT_YES : EXIT_NO;
}

/* Reads JSON from the argument or standard input; {} without one. NULL with a message. */
static json_t *read_body(const struct cli_given *given)
{
    if (given->words < 3)
        return json_object();
    size_t size;
    char *bytes = strcmp(given->word[2], "-") == 0 ? cli_read_file("-", &size) : NULL;
    json_t *body = json_loads(bytes == NULL ? given->word[2] : bytes, 0, NULL);
    free(bytes);
    if (body == NULL)
        fprintf(stderr, "tillroll: the body is not JSON\n");
    return body;
}

/* Converts the method to capitals, as HTTP requires. False with a message if it is not a method. */
static bool read_method(const char *word, char method[static METHOD_BYTES])
{
    size_t length = strlen(word);
    for (size_t i = 0; i <= length && length < METHOD_BYTES; i++)
        method[i] = (char)(word[i] >= 'a' && word[i] <= 'z' ? word[i] - 'a' + 'A' : word[i]);
    if (length < METHOD_BYTES && strspn(method, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") == length)
        return true;
    fprintf(stderr, "tillroll: the method must be GET, POST, PUT, PATCH or DELETE, not %s\n", word);
    return false;
}

int cli_api(const struct cli_given *given)
{
    char method[METHOD_BYTES];
    char path[API_PATH_BYTES];
    struct text whole = TEXT_OVER(path);
    text_add(&whole, given->word[1][0] == '/' ? "" : "/");
    text_add(&whole, given->word[1]);
    if (!read_method(given->word[0], method) || whole.overflow)
        return cli_wrong_usage(given, whole.overflow ? "the path is too long" : NULL);
    bool reads = strcmp(method, "GET") == 0;
    json_t *body = reads ? NULL : read_body(given);
    if (!reads && body == NULL)
        return EXIT_UNKNOWN;
    struct client *client = session_client(given, false);
    if (client == NULL) {
        json_decref(body);
        return EXIT_UNKNOWN;
    }
    long status = 0;
    json_t *answer = client_call(client, method, path, body, &status);
    size_t length;
    const char *bytes = client_answer(client, &length);
    if (answer != NULL)
        table_print_json(answer);
    else if (status != 0 && bytes != NULL)
        table_print_bytes(bytes, length);
    if (status == 0)
        client_print_away(client);
    json_decref(answer);
    client_free(client);
    return status >= 200 && status < 300 ? EXIT_YES : EXIT_NO;
}
