#include "fill_event.h"

#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "db/events.h"
#include "db/rounds.h"

static const int64_t day_ms = INT64_C(1000) * 60 * 60 * 24;

static void require(enum db_status status)
{
    if (status == DB_OK)
        return;
    (void)fprintf(stderr, "bench_fill: the event cannot be stored\n");
    exit(EXIT_FAILURE);
}

static struct db *open_database(const char *url)
{
    char message[512];
    struct text error = TEXT_OVER(message);
    struct db *db = db_open(url, false, &error);
    if (db == NULL) {
        (void)fprintf(stderr, "bench_fill: %s\n", message);
        exit(EXIT_FAILURE);
    }
    return db;
}

static void store_event(const struct fill_event *plan, struct db *db, const struct keys *keys,
                        const struct fill_players *players, struct event *event)
{
    static char options[1024];
    struct text text = TEXT_OVER(options);
    uint8_t secret[KEYS_SECRET_BYTES];
    uint8_t sealed[KEYS_SEALED_BYTES];
    const struct record_header header = {.game = plan->ruleset,
                                         .options = game_options_initial(plan->ruleset)};
    fill_options_print(&header, &text);
    *event = (struct event){.id = id_new(event->created_at_ms),
                            .name = "Bench event",
                            .slug = plan->ruleset->slug,
                            .version = plan->ruleset->version,
                            .options = options,
                            .state = EVENT_RUNNING,
                            .seats_min = plan->seats,
                            .seats_max = plan->seats,
                            .seats_preferred = plan->seats,
                            .rounds = plan->rounds + 1,
                            .profile = "strict",
                            .format = "pod_swiss",
                            .organizer = players->player[0].id,
                            .created_at_ms = event->created_at_ms};
    randombytes_buf(secret, sizeof secret);
    keys_seal(keys, secret, sizeof secret, sealed);
    record_commitment(span_of(event->id.text), secret, event->commitment);
    require(event_create(db, event, sealed, sizeof sealed));
}

static void store_entries(const struct fill_event *plan, struct db *db,
                          const struct fill_players *players, const struct event *event)
{
    for (unsigned i = 0; i < plan->entries; i++)
        require(entry_create(db, &event->id, &players->player[i].id, event->created_at_ms + i));
    require(entry_number_all(db, &event->id));
}

static void shuffle(struct dice *dice, size_t *player, size_t count)
{
    for (size_t i = count - 1; i > 0; i--) {
        size_t j = dice_below(dice, i + 1);
        size_t kept = player[i];
        player[i] = player[j];
        player[j] = kept;
    }
}

static void store_round(struct db *db, const struct event *event, unsigned number,
                        int64_t started_at_ms)
{
    const struct round round = {
        .number = number,
        .attempt = 1,
        .quality = "{\"criteria\": [], \"repeats_bound\": 0, \"proved_best\": false}",
        .started_at_ms = started_at_ms};
    require(round_create(db, &event->id, &round, NULL, 0));
}

static void store_byes(const struct fill_event *plan, struct db *db, const struct event *event,
                       const struct fill_maker *maker, const size_t *player, unsigned round)
{
    unsigned seated = plan->entries / plan->seats * plan->seats;
    for (unsigned i = seated; i < plan->entries; i++) {
        const struct bye bye = {
            .round = round, .player = maker->players->player[player[i]].id, .kind = "pairing"};
        require(bye_create(db, &event->id, &bye));
    }
}

static void store_tables(const struct fill_event *plan, const struct event *event,
                         struct fill_store *store, struct fill_maker *maker, const size_t *player,
                         unsigned round, int64_t started_at_ms)
{
    for (unsigned table = 1; table <= plan->entries / plan->seats; table++) {
        struct fill_seating seating = {.started_at_ms = started_at_ms};
        const struct fill_place place = {event->id, round, table};
        for (unsigned seat = 0; seat < plan->seats; seat++)
            seating.player[seat] = player[(table - 1) * plan->seats + seat];
        fill_maker_make(maker, plan->ruleset, plan->seats, &seating, &place);
        fill_store_game(store, &maker->game, maker->game.count, &seating, maker->secret);
    }
}

/* The rounds are committed before their games, which refer to them and go another way. */
void fill_event_make(const struct fill_event *plan, const char *url, struct fill_store *store,
                     struct fill_maker *maker)
{
    struct event event = {.created_at_ms =
                              (int64_t)time(NULL) * 1000 - day_ms * (int64_t)(plan->rounds + 1)};
    size_t *player = calloc(plan->entries, sizeof *player);
    struct db *db = open_database(url);
    if (player == NULL)
        abort();
    for (unsigned i = 0; i < plan->entries; i++)
        player[i] = i;
    require(db_begin(db, false));
    store_event(plan, db, &store->keys, maker->players, &event);
    store_entries(plan, db, maker->players, &event);
    require(db_commit(db));
    for (unsigned round = 1; round <= plan->rounds; round++) {
        int64_t started_at_ms = event.created_at_ms + day_ms * round;
        shuffle(&maker->dice, player, plan->entries);
        require(db_begin(db, false));
        store_round(db, &event, round, started_at_ms);
        store_byes(plan, db, &event, maker, player, round);
        require(db_commit(db));
        store_tables(plan, &event, store, maker, player, round, started_at_ms);
    }
    printf("%s\n", event.id.text);
    db_close(db);
    free(player);
}
