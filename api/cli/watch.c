/* `tillroll watch`: follows a game, an event or everything, and resumes after a break. */
#include <stdlib.h>
#include <string.h>

#include "api/cli/cli.h"
#include "api/cli/session.h"
#include "api/cli/table.h"
#include "db/link/now.h"
#include "engine/game/game.h"

struct watch {
    struct client *client;
    bool json;
    bool over;                     /* the message `end` has arrived */
    char path[128];                /* of the stream */
    char last[32];                 /* the last message's id, "" before the first */
    char name[GAME_SEATS_MAX][81]; /* of a game's players, by seat; "" = unknown */
};

/* ---- Output ---- */

/* Prints a sentence with `{seat N}` replaced by players' names. */
static void print_sentence(const struct watch *watch, const char *text)
{
    while (*text != '\0') {
        size_t plain = strcspn(text, "{");
        char part[512];
        struct text copy = TEXT_OVER(part);
        text_add_span(&copy, (struct span){text, plain});
        table_print_text(stdout, part);
        text += plain;
        if (strncmp(text, "{seat ", 6) == 0 && text[6] >= '0' && text[6] < '0' + GAME_SEATS_MAX &&
            text[7] == '}') {
            const char *name = watch->name[text[6] - '0'];
            table_print_text(stdout, name[0] == '\0' ? "a player" : name);
            text += 8;
        } else if (*text == '{') {
            putchar(*text++);
        }
    }
}

static void print_entry(const struct watch *watch, const json_t *data)
{
    size_t i;
    json_t *event;
    const char *move = json_string_value(json_object_get(data, "move"));
    const char *kind = json_string_value(json_object_get(data, "kind"));
    long long seat = json_integer_value(json_object_get(data, "seat"));
    printf("%lld ", (long long)json_integer_value(json_object_get(data, "seq")));
    if (move != NULL && seat >= 0 && seat < GAME_SEATS_MAX)
        table_say(stdout, "%s> ", watch->name[seat]);
    table_say(stdout, "%s\n", move != NULL ? move : kind != NULL ? kind : "");
    json_array_foreach(json_object_get(data, "events"), i, event)
    {
        const char *text = json_string_value(json_object_get(event, "text"));
        printf("    ");
        print_sentence(watch, text == NULL ? "" : text);
        printf("\n");
    }
}

/* Prints the message's name, and its members that are not objects. */
static void print_other(const char *event, const json_t *data)
{
    const char *key;
    json_t *value;
    table_print_text(stdout, event);
    json_object_foreach((json_t *)data, key, value)
    {
        if (json_is_object(value) || json_is_array(value) || json_is_null(value))
            continue;
        char *text = json_is_string(value) ? strdup(json_string_value(value))
                                           : json_dumps(value, JSON_ENCODE_ANY);
        table_say(stdout, "  %s %s", key, text == NULL ? "" : text);
        free(text);
    }
    printf("\n");
}

static json_t *number_of(const struct client_message *message)
{
    uint64_t number;
    return span_number(span_of(message->id), UINT32_MAX, &number) ? json_integer((json_int_t)number)
                                                                  : json_null();
}

static void print_json(const struct client_message *message, json_t *data)
{
    json_t *line = json_pack("{s:o, s:s, s:O}", "id", number_of(message), "event", message->event,
                             "data", data);
    (void)json_dumpf(line, stdout, JSON_COMPACT);
    printf("\n");
    json_decref(line);
}

static bool on_message(void *context, const struct client_message *message)
{
    struct watch *watch = context;
    json_t *data = json_loads(message->data, 0, NULL);
    if (data == NULL)
        return true;
    if (message->id[0] != '\0')
        snprintf(watch->last, sizeof watch->last, "%s", message->id);
    if (watch->json)
        print_json(message, data);
    else if (strcmp(message->event, "entry") == 0)
        print_entry(watch, data);
    else
        print_other(message->event, data);
    (void)fflush(stdout);
    json_decref(data);
    watch->over = strcmp(message->event, "end") == 0;
    return !watch->over;
}

/* ---- The stream ---- */

static void learn_names(struct watch *watch, const json_t *game)
{
    size_t i;
    json_t *seat;
    json_array_foreach(json_object_get(game, "seats"), i, seat)
    {
        const char *name = json_string_value(table_find(seat, "player.name"));
        if (i >= GAME_SEATS_MAX || name == NULL)
            continue;
        struct text text = TEXT_OVER(watch->name[i]);
        text_add(&text, name);
    }
}

/* Finds a game, or else an event, with this id. False with a message if the server cannot be
 * reached. */
static bool find_stream(struct watch *watch, const char *id)
{
    long status = 0;
    struct text path = TEXT_OVER(watch->path);
    json_t *game = client_call(watch->client, "GET",
                               client_path(watch->client, "/v1/games/", id, ""), NULL, &status);
    text_add_all(&path, status == 200 ? "/v1/games/" : "/v1/events/", id, "/stream");
    if (status == 200)
        learn_names(watch, game);
    if (status == 0)
        client_print_away(watch->client);
    json_decref(game);
    return status != 0;
}

/* Reconnects sooner if a message was received in the meantime. */
static int follow(struct watch *watch)
{
    enum { FIRST_MS = 200, MOST_MS = 5000 };
    long pause_ms = FIRST_MS;
    for (;;) {
        char before[sizeof watch->last];
        memcpy(before, watch->last, sizeof before);
        switch (client_follow(watch->client, watch->path, before, on_message, watch)) {
        case CLIENT_STREAM_OVER:
        case CLIENT_STREAM_ENOUGH:
            return EXIT_YES;
        case CLIENT_STREAM_REFUSED:
            return EXIT_NO;
        case CLIENT_STREAM_BROKEN:
            break;
        }
        bool heard = strcmp(before, watch->last) != 0;
        pause_ms = heard ? FIRST_MS : pause_ms < MOST_MS ? 2 * pause_ms : pause_ms;
        rest_ms(pause_ms);
    }
}

int cli_watch(const struct cli_given *given)
{
    struct watch watch = {.json = cli_value(given, "json") != NULL};
    char id[37];
    unsigned long after;
    struct text path = TEXT_OVER(watch.path);
    struct text last = TEXT_OVER(watch.last);
    if (!cli_value_number(given, "after", 0, UINT32_MAX, 0, &after) ||
        (given->words > 0 && session_id(given->word[0], id) == NULL))
        return EXIT_UNKNOWN;
    watch.client = session_client(given, false);
    if (watch.client == NULL)
        return EXIT_UNKNOWN;
    if (after > 0)
        text_add_number(&last, (int64_t)after);
    if (given->words == 0)
        text_add(&path, "/v1/stream");
    int status = given->words == 0 || find_stream(&watch, id) ? follow(&watch) : EXIT_NO;
    client_free(watch.client);
    return status;
}
