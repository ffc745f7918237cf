/* `tillroll demo --club`: a club's service after some weeks, to experiment with: members with
 * names, and an event of each game, some over, some running, one open for entries. */
#include <sodium.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "api/cli/cli.h"
#include "api/cli/demo/club.h"
#include "api/cli/demo/demo_event.h"
#include "engine/game/catalog.h"

enum { MEMBERS = DEMO_PLAYERS_MAX };

static const char organizer_name[] = "Ingrid Solberg";

static const char *const member_names[MEMBERS] = {
    "Marta Kowalczyk", "Daniel Osei",    "Yuki Tanabe", "Leila Haddad",
    "Tomás Herrera",   "Nora Lindqvist", "Priya Raman", "Jonas Weber",
    "Chloé Martin",    "Samuel Adeyemi", "Mateo Rossi", "Anna Nováková"};

enum stage {
    STAGE_OPEN,    /* still open for entries */
    STAGE_RUNNING, /* its last started round is in progress */
    STAGE_CLOSED
};

static const struct club_event {
    const char *name;
    const char *slug;
    unsigned rounds, begun;
    size_t first, entered; /* range of members */
    enum stage stage;
} club_events[] = {
    {"Shinjuku Spring League", "shinjuku", 3, 3, 0, 8, STAGE_CLOSED},
    {"Mall World Evening", "mall-world", 1, 1, 2, 9, STAGE_CLOSED},
    {"Solo Supermarché", "supermarche", 1, 1, 4, 6, STAGE_CLOSED},
    {"Superstore Sunday", "superstore-3000", 3, 2, 3, 9, STAGE_RUNNING},
    {"Super Motherload Club Night", "super-motherload", 2, 1, 0, 6, STAGE_RUNNING},
    {"Shinjuku Summer Open", "shinjuku", 4, 0, 1, 5, STAGE_OPEN},
};

struct club {
    struct client *organizer;
    struct demo_player member[MEMBERS];
    char password[DEMO_PASSWORD_BYTES];
};

/* Returns 1 if an account has the organizer's name, 0 if not, -1 with a message if that cannot be
 * determined. */
static int is_there(const char *server)
{
    struct client *visitor = client_new(server, NULL);
    json_t *found = visitor == NULL ? NULL
                                    : client_need(visitor, "POST", "/v1/search",
                                                  json_pack("{s:s}", "words", organizer_name));
    client_free(visitor);
    if (found == NULL)
        return -1;
    int there = 0;
    size_t i;
    json_t *each;
    json_array_foreach(json_object_get(found, "players"), i, each)
    {
        const char *name = json_string_value(json_object_get(each, "name"));
        there = there != 0 || (name != NULL && strcmp(name, organizer_name) == 0);
    }
    json_decref(found);
    return there;
}

static bool sign_up_members(struct club *club, const char *server)
{
    demo_password(club->password);
    club->organizer = demo_sign_up(server, organizer_name, club->password, NULL);
    bool good = club->organizer != NULL;
    for (size_t i = 0; good && i < MEMBERS; i++) {
        struct demo_player *member = &club->member[i];
        member->client = demo_sign_up(server, member_names[i], club->password, member->id);
        good = member->client != NULL;
    }
    return good;
}

static bool enter(const struct demo *demo)
{
    for (size_t i = 0; i < demo->players; i++)
        if (!demo_post(demo->player[i].client, demo->event, "/entries"))
            return false;
    return true;
}

/* Plays the rounds of an event. In running events, half of the tables are left in mid-game. */
static bool play(struct demo *demo, const struct club_event *event)
{
    enum { PLIES_IN_THE_MIDDLE = 24 };
    for (unsigned round = 1; round <= event->begun; round++) {
        bool last = event->stage == STAGE_RUNNING && round == event->begun;
        if (!demo_play_round(demo, round, last ? PLIES_IN_THE_MIDDLE : 0))
            return false;
    }
    return event->stage != STAGE_CLOSED || demo_post(demo->organizer, demo->event, "/close");
}

/* Announces an event: its time and place, and a description for players. */
static bool announce(const struct demo *demo)
{
    enum { DAYS_AHEAD = 5, SECONDS_OF_A_DAY = 86400 };
    char starts[32];
    struct tm day;
    const time_t then = time(NULL) + DAYS_AHEAD * SECONDS_OF_A_DAY;
    strftime(starts, sizeof starts, "%Y-%m-%dT18:30:00Z", gmtime_r(&then, &day));
    json_t *event = client_need(
        demo->organizer, "PATCH", client_path(demo->organizer, "/v1/events/", demo->event, ""),
        json_pack(
            "{s:s, s:s, s:s, s:s, s:s, s:s, s:s}", "starts_at", starts, "place",
            "Harbor House, first floor", "description",
            "Four rounds at tables of three or four.\n\nNew players are welcome; the rules are "
            "explained an hour before.",
            "fee", "5 euros, free for beginners", "prizes",
            "A voucher of the game shop for the first three", "contact",
            "Ingrid Solberg, at the bar on Tuesdays", "banner", "red"));
    json_decref(event);
    return event != NULL;
}

static bool run_event(struct demo *demo, const struct club *club, const struct club_event *event)
{
    demo->game = catalog_newest(span_of(event->slug));
    demo->rounds = event->rounds;
    demo->organizer = club->organizer;
    demo->players = event->entered;
    memcpy(demo->player, club->member + event->first, event->entered * sizeof *demo->player);
    if (demo->game == NULL || !demo_make_event(demo, event->name) ||
        !demo_post(demo->organizer, demo->event, "/open-entries") || !enter(demo))
        return false;
    if (event->stage == STAGE_OPEN)
        return announce(demo);
    return demo_post(demo->organizer, demo->event, "/close-entries") && play(demo, event);
}

static bool make_club(struct demo *demo, struct club *club)
{
    if (!sign_up_members(club, demo->server))
        return false;
    for (size_t i = 0; i < sizeof club_events / sizeof club_events[0]; i++)
        if (!run_event(demo, club, &club_events[i]))
            return false;
    return true;
}

int cli_club(const struct cli_given *given)
{
    struct demo demo = {.policy = {level_named(span_of("regular"))}};
    struct club club = {.organizer = NULL};
    struct chance chance = {.stacks = NULL};
    if (cli_value(given, "ruleset") != NULL || cli_value(given, "rounds") != NULL ||
        cli_value(given, "policy") != NULL)
        return cli_wrong_usage(given, "--club takes nothing but --server");
    if (!session_find_server(given, demo.server))
        return cli_wrong_usage(given, NULL);
    int there = is_there(demo.server);
    if (there != 0) {
        if (there > 0)
            printf("The example club already exists on this service.\n");
        return there > 0 ? EXIT_YES : EXIT_NO;
    }
    randombytes_buf(chance.seed, sizeof chance.seed);
    chance_open(&demo.stream, &chance, "club", 0);
    bool made = make_club(&demo, &club);
    client_free(club.organizer);
    for (size_t i = 0; i < MEMBERS; i++)
        client_free(club.member[i].client);
    if (!made)
        return EXIT_NO;
    printf("%d members, who all have the password %s; %s organizes.\n", MEMBERS + 1, club.password,
           organizer_name);
    return EXIT_YES;
}
