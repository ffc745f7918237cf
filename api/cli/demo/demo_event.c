#include "api/cli/demo/demo_event.h"

#include <sodium.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "api/cli/cli.h"

enum { BOARDS = 3, TABLES = DEMO_PLAYERS_MAX * BOARDS };

/* ---- Setup ---- */

void demo_password(char password[static DEMO_PASSWORD_BYTES])
{
    uint8_t bytes[(DEMO_PASSWORD_BYTES - 1) / 2];
    struct text text = {password, 0, DEMO_PASSWORD_BYTES, false};
    randombytes_buf(bytes, sizeof bytes);
    text_add_hex(&text, bytes, sizeof bytes);
}

struct client *demo_sign_up(const char *server, const char *name, const char *password, char *id)
{
    struct client *visitor = client_new(server, NULL);
    json_t *answer = visitor == NULL
                         ? NULL
                         : client_need(visitor, "POST", "/v1/players",
                                       json_pack("{s:s, s:s}", "name", name, "password", password));
    client_free(visitor);
    if (answer == NULL)
        return NULL;
    const json_t *player = json_object_get(answer, "player");
    if (id != NULL)
        snprintf(id, 64, "%s", json_string_value(json_object_get(player, "id")));
    struct client *client = client_new(server, json_string_value(json_object_get(answer, "token")));
    json_decref(answer);
    return client;
}

/* Signs up a player of this run, with a password that is not kept: the token is enough. */
static json_t *new_event(const struct demo *demo, const char *name)
{
    const struct game *game = demo->game;
    if (game->seats_max == 1)
        return json_pack("{s:s, s:s, s:s, s:i, s:i}", "name", name, "ruleset", game->slug, "format",
                         "duplicate", "boards", BOARDS, "rounds", (int)demo->rounds);
    unsigned least = game->seats_min < 3 && game->seats_max > 3
                         ? 3
                         : (game->seats_min < 2 ? 2 : game->seats_min);
    return json_pack("{s:s, s:s, s:i, s:i}", "name", name, "ruleset", game->slug, "rounds",
                     (int)demo->rounds, "seats_min", (int)least);
}

bool demo_make_event(struct demo *demo, const char *name)
{
    json_t *event = client_need(demo->organizer, "POST", "/v1/events", new_event(demo, name));
    if (event == NULL)
        return false;
    snprintf(demo->event, sizeof demo->event, "%s",
             json_string_value(json_object_get(event, "id")));
    json_decref(event);
    printf("%s: %s/events/%s\n", name, demo->server, demo->event);
    return true;
}

bool demo_post(struct client *client, const char *event, const char *step)
{
    json_t *answer =
        client_need(client, "POST", client_path(client, "/v1/events/", event, step), NULL);
    bool good = answer != NULL;
    json_decref(answer);
    return good;
}

/* ---- Playing ---- */

struct table {
    char id[64];
    size_t player[GAME_SEATS_MAX]; /* by seat: index into demo->player */
    size_t seats;
    unsigned long plies,
        plies_most; /* played; and the number after which the table is abandoned, 0 = never */
    bool over;      /* finished or abandoned */
};

static size_t find_player(const struct demo *demo, const json_t *seat)
{
    const char *id = json_string_value(json_object_get(json_object_get(seat, "player"), "id"));
    for (size_t i = 0; id != NULL && i < demo->players; i++)
        if (strcmp(demo->player[i].id, id) == 0)
            return i;
    return 0;
}

static void read_table(const struct demo *demo, const json_t *game, struct table *table)
{
    const json_t *seats = json_object_get(game, "seats");
    *table = (struct table){.seats = json_array_size(seats)};
    snprintf(table->id, sizeof table->id, "%s", json_string_value(json_object_get(game, "id")));
    for (size_t i = 0; i < table->seats && i < GAME_SEATS_MAX; i++)
        table->player[i] = find_player(demo, json_array_get(seats, i));
}

static void show(const struct demo *demo, unsigned long round, size_t over, size_t tables)
{
    if (isatty(STDOUT_FILENO) == 0)
        return;
    printf("\r  round %lu of %lu: %lu plies, %zu of %zu tables finished ", round, demo->rounds,
           demo->plies, over, tables);
    fflush(stdout);
}

/* Returns a player's policy. With the same luck, all players who choose the best move would play
 * alike; so in games for one, only the first player does, and the others vary among the good moves.
 */
static struct policy policy_of(const struct demo *demo, size_t player)
{
    struct policy policy = demo->policy;
    if (demo->game->seats_max == 1 && policy.level != NULL && player > 0)
        policy.level = level_named(span_of("casual"));
    return policy;
}

static bool is_left(const struct table *table)
{
    return table->plies_most > 0 && table->plies >= table->plies_most;
}

/* Plays for all seats that have to decide, until the table is over or abandoned. */
static bool play_table(struct demo *demo, struct table *table)
{
    for (size_t i = 0; i < table->seats && !table->over; i++) {
        size_t player = table->player[i];
        struct client *client = demo->player[player].client;
        enum turn turn = TURN_PLAYED;
        while (turn == TURN_PLAYED && !is_left(table)) {
            turn = player_turn(client, table->id, policy_of(demo, player), NULL, &demo->stream);
            demo->plies += turn == TURN_PLAYED;
            table->plies += turn == TURN_PLAYED;
        }
        if (turn == TURN_FAILED)
            return false;
        table->over = turn == TURN_OVER || is_left(table);
    }
    return true;
}

static bool play_tables(struct demo *demo, unsigned long round, struct table *tables, size_t count)
{
    size_t over = 0;
    while (over < count) {
        over = 0;
        for (size_t i = 0; i < count; i++) {
            if (!tables[i].over && !play_table(demo, &tables[i]))
                return false;
            over += tables[i].over;
        }
        show(demo, round, over, count);
    }
    bool is_terminal = isatty(STDOUT_FILENO) != 0;
    printf("%s  round %lu of %lu: %zu tables, %lu plies so far%s\n", is_terminal ? "\r" : "", round,
           demo->rounds, count, demo->plies, is_terminal ? "                " : "");
    fflush(stdout);
    return true;
}

bool demo_play_round(struct demo *demo, unsigned long round, unsigned long plies_most)
{
    json_t *started =
        client_need(demo->organizer, "POST",
                    client_path(demo->organizer, "/v1/events/", demo->event, "/rounds"), NULL);
    const json_t *games = json_object_get(started, "games");
    struct table tables[TABLES];
    size_t count = json_array_size(games);
    if (started == NULL || count > TABLES)
        return false;
    for (size_t i = 0; i < count; i++) {
        read_table(demo, json_array_get(games, i), &tables[i]);
        tables[i].plies_most = i % 2 == 0 ? plies_most : 0;
    }
    json_decref(started);
    return play_tables(demo, round, tables, count);
}
