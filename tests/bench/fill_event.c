#include "fill_event.h"

#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "db/store/events/events.h"
#include "db/store/events/rounds.h"
#include "engine/tournament/event/settings.h"

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

/* A line of the log; takes `detail` over. */
static void log_line(struct db *db, const struct event *event, int64_t at_ms, const char *kind,
                     json_t *detail)
{
    char *text = json_dumps(detail, JSON_COMPACT | JSON_SORT_KEYS);
    if (text == NULL)
        abort();
    require(event_log_add(db, &event->id, &event->organizer, at_ms, kind, text));
    free(text);
    json_decref(detail);
}

static json_t *settings_of(const struct fill_event *plan)
{
    struct tournament_settings settings;
    struct settings_fault fault = {.field = ""};
    json_t *document = json_pack("{s:s, s:s, s:i, s:i, s:i}", "name", "Bench event", "ruleset",
                                 plan->ruleset->slug, "seats_min", (int)plan->seats, "seats_max",
                                 (int)plan->seats, "rounds", (int)plan->rounds + 1);
    if (!settings_read(document, true, &settings, &fault)) {
        (void)fprintf(stderr, "bench_fill: %s %s\n", fault.field, fault.message);
        exit(EXIT_FAILURE);
    }
    json_t *written = settings_write(&settings);
    json_decref(document);
    return written;
}

static void store_event(const struct fill_event *plan, struct db *db, const struct keys *keys,
                        const struct fill_players *players, struct event *event)
{
    uint8_t secret[KEYS_SECRET_BYTES];
    uint8_t sealed[KEYS_SEALED_BYTES];
    json_t *settings = settings_of(plan);
    char *text = json_dumps(settings, JSON_COMPACT | JSON_SORT_KEYS);
    if (text == NULL)
        abort();
    *event = (struct event){.id = id_new(event->created_at_ms),
                            .name = "Bench event",
                            .slug = plan->ruleset->slug,
                            .version = plan->ruleset->version,
                            .settings = text,
                            .state = EVENT_RUNNING,
                            .format = "pod_swiss",
                            .organizer = players->player[0].id,
                            .created_at_ms = event->created_at_ms};
    randombytes_buf(secret, sizeof secret);
    keys_seal(keys, secret, sizeof secret, sealed);
    record_commitment(span_of(event->id.text), secret, event->commitment);
    require(event_create(db, event, sealed, sizeof sealed));
    log_line(db, event, event->created_at_ms, "created", settings);
    event->settings = NULL;
    free(text);
}

static void store_entries(const struct fill_event *plan, struct db *db,
                          const struct fill_players *players, const struct event *event)
{
    struct event_entry *entries = calloc(plan->entries, sizeof *entries);
    json_t *numbers = json_array();
    json_t *seeds = json_array();
    if (entries == NULL)
        abort();
    log_line(db, event, event->created_at_ms, "entries_opened", json_object());
    for (unsigned i = 0; i < plan->entries; i++) {
        const struct id *player = &players->player[i].id;
        entries[i] = (struct event_entry){
            .player = *player, .number = i + 1, .entered_at_ms = event->created_at_ms + i};
        log_line(db, event, entries[i].entered_at_ms, "entered",
                 json_pack("{s:s}", "player", player->text));
        json_array_append_new(numbers, json_string(player->text));
        json_array_append_new(seeds, json_integer(i + 1));
    }
    require(entry_put(db, &event->id, entries, plan->entries));
    int64_t closed_at_ms = event->created_at_ms + plan->entries;
    log_line(db, event, closed_at_ms, "entries_closed", json_pack("{s:o}", "numbers", numbers));
    log_line(db, event, closed_at_ms, "stage_started",
             json_pack("{s:i, s:o}", "stage", 1, "entries", seeds));
    free(entries);
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
        .number = number, .attempt = 1, .quality = "{}", .started_at_ms = started_at_ms};
    require(round_create(db, &event->id, &round, NULL, 0));
}

/* The draw and the start of a round: the first players at the first tables, the last have byes. */
static void log_round(const struct fill_event *plan, struct db *db, const struct event *event,
                      const size_t *player, unsigned number, int64_t started_at_ms)
{
    json_t *tables = json_array();
    json_t *byes = json_array();
    unsigned seated = plan->entries / plan->seats * plan->seats;
    for (unsigned i = 0; i < plan->entries; i++) {
        if (i < seated && i % plan->seats == 0)
            json_array_append_new(tables, json_array());
        json_t *list = i < seated ? json_array_get(tables, i / plan->seats) : byes;
        json_array_append_new(list, json_integer((json_int_t)player[i] + 1));
    }
    log_line(db, event, started_at_ms, "round_drawn",
             json_pack("{s:i, s:i, s:i, s:o, s:o, s:{}}", "round", (int)number, "stage", 1,
                       "attempt", 1, "tables", tables, "byes", byes, "quality"));
    log_line(db, event, started_at_ms, "round_started",
             json_pack("{s:i, s:n}", "round", (int)number, "deadline"));
}

static json_t *result_of(const struct fill_game *game, const struct fill_seating *seating,
                         const struct fill_place *place)
{
    struct outcome outcome;
    json_t *seats = json_array();
    game->replay.header.game->outcome(game->replay.header.game, game->replay.state, &outcome);
    for (unsigned seat = 0; seat < game->replay.header.seats; seat++)
        json_array_append_new(seats, json_pack("[i, i, i]", (int)seating->player[seat] + 1,
                                               (int)outcome.rank[seat], (int)outcome.score[seat]));
    return json_pack("{s:i, s:i, s:s, s:o}", "round", (int)place->round, "table", (int)place->table,
                     "game", game->replay.header.game_id, "seats", seats);
}

/* Returns the details of the results' lines: they are stored after the games, which go another way
 * and wait for the event's lock. */
static json_t *store_tables(const struct fill_event *plan, const struct event *event,
                            struct fill_store *store, struct fill_maker *maker,
                            const size_t *player, unsigned round, int64_t started_at_ms)
{
    json_t *results = json_array();
    for (unsigned table = 1; table <= plan->entries / plan->seats; table++) {
        struct fill_seating seating = {.started_at_ms = started_at_ms};
        const struct fill_place place = {event->id, round, table};
        for (unsigned seat = 0; seat < plan->seats; seat++)
            seating.player[seat] = player[(table - 1) * plan->seats + seat];
        fill_maker_make(maker, plan->ruleset, plan->seats, &seating, &place);
        fill_store_game(store, &maker->game, maker->game.count, &seating, maker->secret);
        json_array_append_new(results, result_of(&maker->game, &seating, &place));
    }
    return results;
}

static void log_results(struct db *db, const struct event *event, json_t *results, int64_t at_ms)
{
    size_t i;
    json_t *result;
    require(db_begin(db, false));
    json_array_foreach(results, i, result)
    {
        log_line(db, event, at_ms, "result", json_incref(result));
    }
    require(db_commit(db));
    json_decref(results);
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
        log_round(plan, db, &event, player, round, started_at_ms);
        require(db_commit(db));
        json_t *results = store_tables(plan, &event, store, maker, player, round, started_at_ms);
        log_results(db, &event, results, started_at_ms);
    }
    printf("%s\n", event.id.text);
    db_close(db);
    free(player);
}
