/* Opening a table, directly or for a rematch. */
#include <stdlib.h>
#include <string.h>

#include "api/base/json_text.h"
#include "api/casual/casual.h"
#include "api/casual/handlers.h"
#include "api/request/auth.h"
#include "api/request/visibility.h"
#include "api/tables/games.h"
#include "engine/tournament/event/settings.h"

enum { TABLES_OPEN_MAX = 1000 /* in total */ };

static const int64_t second_ms = 1000;
static const int64_t hour_ms = INT64_C(3600000);
static const int64_t day_ms = INT64_C(86400000);

static bool lobby_has_room(struct call *call)
{
    unsigned count;
    return call_found(
               call, casual_count(call->db, casual_open_since_ms(call), TABLES_OPEN_MAX, &count)) &&
           (count < TABLES_OPEN_MAX ||
            call_problem(call, "lobby-full",
                         "There are 1,000 open tables; take a seat at one of them."));
}

/* ---- Opening a table ---- */

/* Casual games have no officials to end them, so a clock is required. */
static bool check_clock(struct call *call, const struct clock_control *clock)
{
    int64_t time_ms = clock->kind == CLOCK_BANK ? clock->bank_ms : clock->move_ms;
    bool good = clock->kind != CLOCK_NONE && time_ms >= 10 * second_ms && time_ms <= 7 * day_ms &&
                clock->increment_ms <= hour_ms;
    return good ||
           call_bad_field(call, "clock",
                          "is needed: 10 seconds to 7 days for each move (`move_ms`), or for "
                          "all of a player's moves (`bank_ms`) with at most an hour more for "
                          "each (`increment_ms`).");
}

/* Ruleset, options and clock are read like those of an open-play event. */
static bool read_play(struct call *call, struct tournament_settings *settings)
{
    static const char *const shared[] = {"ruleset", "version", "options", "clock", "components"};
    struct settings_fault fault = {.field = ""};
    json_t *document = json_pack("{s:s, s:s, s:{s:I}}", "name", "Casual game", "format",
                                 "open_play", "clock", "move_ms", (json_int_t)day_ms);
    for (size_t i = 0; i < sizeof shared / sizeof shared[0]; i++) {
        json_t *field = json_object_get(call->body, shared[i]);
        if (field != NULL)
            json_object_set(document, shared[i], field);
    }
    bool good = settings_read(document, true, settings, &fault);
    json_decref(document);
    if (good)
        return check_clock(call, &settings->clock);
    if (fault.kind == SETTINGS_FAULT_MISSING)
        return call_problem(call, "missing-field", "The field ruleset is needed.");
    return call_bad_field(call, fault.field, fault.message);
}

/* Stores the description of the game in the table, in the arena. */
static void keep_play(struct call *call, const struct tournament_settings *settings,
                      struct casual_table *table)
{
    enum { CLOCK_TEXT = 120 };
    struct text clock = {arena_take(call->arena, CLOCK_TEXT), 0, CLOCK_TEXT, false};
    json_t *written = settings_write(settings);
    clock_print_control(&settings->clock, &clock);
    table->slug = settings->game->slug;
    table->version = settings->game->version;
    table->options = json_text_of(call->arena, json_object_get(written, "options"),
                                  JSON_COMPACT | JSON_SORT_KEYS);
    table->clock = clock.at;
    if (settings->other_set) {
        uint8_t *set = arena_take(call->arena, sizeof settings->set);
        memcpy(set, settings->set, sizeof settings->set);
        table->set = set;
    }
    json_decref(written);
}

/* 100 bits, so that the code cannot be guessed. */
static const char *new_code(struct call *call)
{
    return auth_new_code(call->arena, CASUAL_CODE_LENGTH);
}

static bool read_table(struct call *call, struct casual_table *table)
{
    static const char *const keys[] = {"ruleset", "version", "options", "clock", "components",
                                       "seats",   "listed",  "rated",   "house", NULL};
    struct tournament_settings settings;
    if (!call_check_keys(call, keys) || !read_play(call, &settings) ||
        !game_knows_components(call, &settings))
        return false;
    const struct game *game = settings.game;
    if (game->seats_max < 2)
        return call_bad_field(call, "ruleset", "must be a game for two or more players.");
    unsigned least = game->seats_min < 2 ? 2 : game->seats_min;
    if (!call_whole(call, "seats", least, game->seats_max, (int)least, &table->seats) ||
        !call_boolean(call, "listed", &table->listed) ||
        !call_boolean(call, "rated", &table->rated))
        return false;
    keep_play(call, &settings, table);
    return true;
}

static void seat_creator(const struct call *call, struct casual_table *table)
{
    table->creator = call->player.id;
    table->created_at_ms = call->now_ms;
    table->filled = 1;
    table->seat[0] = (struct casual_seat){.player = call->player.id,
                                          .name = call->player.name,
                                          .guest = call->player.guest,
                                          .taken = true};
}

static void answer_new(struct call *call, const struct casual_table *table)
{
    call_answer_new(call, 201, "/v1/lobby/", &table->id, casual_document(table, true));
}

/* Games against the house are not rated, and no other player can join. */
static bool read_house(struct call *call, struct casual_table *table, const char **level)
{
    if (!casual_read_house(call, level) || *level == NULL)
        return *level == NULL && json_object_get(call->body, "house") == NULL;
    if (table->rated)
        return call_bad_field(call, "rated", "must be false in games against the house.");
    table->listed = false;
    return true;
}

void lobby_create(struct call *call)
{
    struct casual_table table = {
        .id = id_new(call->now_ms), .code = new_code(call), .listed = true};
    const char *level;
    if (!read_table(call, &table) || !read_house(call, &table, &level) ||
        !casual_may_be_rated(call, &table) || !casual_has_room(call) || !lobby_has_room(call))
        return;
    seat_creator(call, &table);
    if (call_db(call, casual_create(call->db, &table), "internal-error",
                "The table could not be created.") &&
        (level == NULL || casual_seat_house(call, &table, level)))
        answer_new(call, &table);
}

/* ---- Rematches ---- */

/* Invites the other players, in seat order. */
static void invite_others(const struct call *call, const struct game_row *game,
                          struct casual_table *table)
{
    for (unsigned i = 0; i < game->seats; i++)
        if (!id_equal(&game->seat[i].player, &call->player.id))
            table->seat[table->filled++] = (struct casual_seat){.player = game->seat[i].player,
                                                                .name = game->seat[i].player_name};
}

static void open_rematch(struct call *call, const struct game_row *game)
{
    struct casual_table before;
    struct casual_table table;
    struct id id;
    if (!call_found(call, casual_of_game(call->db, &game->id, &id)) ||
        !call_found(call, casual_find(call->db, call->arena, &id, false, &before)))
        return;
    table = before;
    table.id = id_new(call->now_ms);
    table.code = new_code(call);
    table.listed = false;
    table.game = (struct id){.text = ""};
    table.rematch_of = game->id;
    table.seats = game->seats;
    seat_creator(call, &table);
    invite_others(call, game, &table);
    if (!casual_may_be_rated(call, &table) || !casual_has_room(call) || !lobby_has_room(call))
        return;
    enum db_status status = casual_create(call->db, &table);
    if (status == DB_CONFLICT)
        call->retry = true; /* another player was first */
    if (call_db(call, status, "unavailable", "Another player asks for a rematch; try again.") &&
        call_found(call, casual_find(call->db, call->arena, &table.id, false, &table)) &&
        casual_seat_invited_house(call, &table))
        answer_new(call, &table);
}

/* The first player who asks opens the table; the others join it by asking as well. */
void rematches_create(struct call *call)
{
    struct game_row game;
    struct casual_table table;
    struct id id;
    if (!call_check_keys(call, NULL) || !visibility_find_game(call, &call->id[0], &game))
        return;
    enum db_status status = casual_of_game(call->db, &game.id, &id);
    if (status == DB_NONE) {
        call_problem(call, "not-casual",
                     "Only casual games have rematches; this game belongs to an event.");
        return;
    }
    if (!call_found(call, status))
        return;
    if (!game.finished) {
        call_problem(call, "not-finished",
                     "The game is still running; ask for a rematch after its end.");
        return;
    }
    status = casual_rematch(call->db, &game.id, &id);
    if (status == DB_NONE)
        open_rematch(call, &game);
    else if (call_found(call, status) &&
             call_found(call, casual_find(call->db, call->arena, &id, true, &table)))
        casual_take_own_seat(call, &table);
}
