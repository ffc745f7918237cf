/* `tillroll demo`: plays a whole event over REST, as an organizer and eight players, and shows the
 * progress. */
#include <sodium.h>
#include <stdio.h>
#include <string.h>

#include "api/cli/cli.h"
#include "api/cli/demo/club.h"
#include "api/cli/demo/demo_event.h"
#include "engine/game/catalog.h"

enum { PLAYERS = 8 };

static const char *const first_names[PLAYERS] = {"Ada",    "Bruno", "Chiyo", "Dmitri",
                                                 "Esther", "Farid", "Greta", "Hiro"};

/* ---- Setup ---- */

static struct client *sign_up(struct demo *demo, const char *first_name, char *id)
{
    char password[DEMO_PASSWORD_BYTES];
    char name[64];
    demo_password(password);
    snprintf(name, sizeof name, "%s %s", first_name, demo->suffix);
    return demo_sign_up(demo->server, name, password, id);
}

/* Returns the settings of the event. One-player games are played as a duplicate event: the same
 * boards for all. */
static bool gather_players(struct demo *demo)
{
    char name[80];
    snprintf(name, sizeof name, "Demonstration of %s, %s", demo->game->title, demo->suffix);
    demo->organizer = sign_up(demo, "Olga", NULL);
    if (demo->organizer == NULL || !demo_make_event(demo, name) ||
        !demo_post(demo->organizer, demo->event, "/open-entries"))
        return false;
    demo->players = PLAYERS;
    for (size_t i = 0; i < PLAYERS; i++) {
        struct demo_player *player = &demo->player[i];
        player->client = sign_up(demo, first_names[i], player->id);
        if (player->client == NULL || !demo_post(player->client, demo->event, "/entries"))
            return false;
    }
    printf("An organizer and %d players are registered and entered.\n", PLAYERS);
    return demo_post(demo->organizer, demo->event, "/close-entries");
}

/* ---- The end ---- */

static bool show_standings(struct demo *demo)
{
    json_t *standings =
        client_need(demo->organizer, "GET",
                    client_path(demo->organizer, "/v1/events/", demo->event, "/standings"), NULL);
    if (standings == NULL)
        return false;
    size_t i;
    json_t *row;
    printf("Final standings:\n");
    json_array_foreach(json_object_get(standings, "rows"), i, row)
    {
        const char *points =
            json_string_value(json_object_get(json_object_get(row, "points"), "text"));
        const char *unit = strcmp(points, "1") == 0 ? "point" : "points";
        printf("  %2lld  %-24s %6s %s\n",
               (long long)json_integer_value(json_object_get(row, "rank")),
               json_string_value(json_object_get(json_object_get(row, "player"), "name")), points,
               demo->game->seats_max == 1 ? "%" : unit);
    }
    json_decref(standings);
    return true;
}

static bool run(struct demo *demo)
{
    if (!gather_players(demo))
        return false;
    for (unsigned long round = 1; round <= demo->rounds; round++)
        if (!demo_play_round(demo, round, 0))
            return false;
    return demo_post(demo->organizer, demo->event, "/close") && show_standings(demo);
}

static void release(struct demo *demo)
{
    client_free(demo->organizer);
    for (size_t i = 0; i < demo->players; i++)
        client_free(demo->player[i].client);
}

static bool read_demo(const struct cli_given *given, struct demo *demo)
{
    const char *slug = cli_value(given, "ruleset");
    const char *policy = cli_value(given, "policy");
    memset(demo, 0, sizeof *demo);
    demo->game = slug == NULL ? catalog_newest(span_of("shinjuku")) : cli_ruleset(slug);
    return demo->game != NULL && session_find_server(given, demo->server) &&
           policy_read(policy, &demo->policy) &&
           cli_value_number(given, "rounds", 1, 20, 3, &demo->rounds);
}

int cli_demo(const struct cli_given *given)
{
    struct demo demo;
    struct chance chance = {.stacks = NULL};
    if (cli_value(given, "club") != NULL)
        return cli_club(given);
    if (!read_demo(given, &demo))
        return cli_wrong_usage(given, NULL);
    struct text suffix = TEXT_OVER(demo.suffix);
    randombytes_buf(chance.seed, sizeof chance.seed);
    text_add_hex(&suffix, chance.seed, 2);
    chance_open(&demo.stream, &chance, "demo", 0);
    bool played = run(&demo);
    release(&demo);
    if (!played)
        return EXIT_NO;
    printf("%lu plies. Every game was proved by replay when it ended.\n", demo.plies);
    return EXIT_YES;
}
