/* Casual games: a player opens a table in the lobby, others take seats there or with an
 * invitation code, and the game starts when all seats are taken, or earlier if its creator
 * starts it. These games belong to no event. They are rated only if the table says so, and never
 * with guests. Tables that have not started after a day are deleted. */
#include "api/casual/casual.h"

#include <sodium.h>

#include "api/casual/handlers.h"
#include "api/request/documents.h"
#include "api/request/visibility.h"
#include "api/tables/games.h"
#include "db/store/games/casual.h"
#include "db/store/games/parties.h"
#include "engine/game/catalog.h"
#include "engine/tournament/event/settings.h"

enum {
    TABLES_OF_PLAYER = 20, /* including the games started from them */
    TABLES_OF_GUEST = 5,
    TABLES_OF_PERSON = 60 /* of a player with all their bots */
};

int64_t casual_open_since_ms(const struct call *call)
{
    return call->now_ms - CASUAL_OPEN_MS;
}

/* ---- Documents ---- */

static bool is_open(const struct call *call, const struct casual_table *table)
{
    return table->game.text[0] == '\0' && table->created_at_ms > casual_open_since_ms(call);
}

/* The player's seat at the table, or NULL. */
static const struct casual_seat *seat_of(const struct casual_table *table, const struct id *player)
{
    for (unsigned i = 0; i < table->filled; i++)
        if (id_equal(&table->seat[i].player, player))
            return &table->seat[i];
    return NULL;
}

static unsigned count_taken(const struct casual_table *table)
{
    unsigned taken = 0;
    for (unsigned i = 0; i < table->filled; i++)
        taken += table->seat[i].taken;
    return taken;
}

static json_t *players_document(const struct casual_table *table)
{
    json_t *players = json_array();
    for (unsigned i = 0; i < table->filled; i++) {
        const struct casual_seat *seat = &table->seat[i];
        json_array_append_new(players,
                              json_pack("{s:o, s:b, s:b}", "player",
                                        player_reference(&seat->player, seat->name), "guest",
                                        (int)seat->guest, "seated", (int)seat->taken));
    }
    return players;
}

json_t *casual_document(const struct casual_table *table, bool invited)
{
    const struct game_row game = {.clock = table->clock};
    const struct game *ruleset = catalog_find(span_of(table->slug), span_of(table->version));
    unsigned least = ruleset == NULL || ruleset->seats_min < 2 ? 2 : ruleset->seats_min;
    json_t *document =
        json_pack("{s:s, s:o, s:o, s:i, s:i, s:o, s:b, s:b, s:s, s:o, s:o, s:o}", "id",
                  table->id.text, "ruleset", ruleset_reference(table->slug, table->version),
                  "options", stored_document(table->options), "seats", (int)table->seats,
                  "seats_min", (int)least, "clock", clock_control_document(&game), "listed",
                  (int)table->listed, "rated", (int)table->rated, "creator", table->creator.text,
                  "players", players_document(table), "created_at", time_json(table->created_at_ms),
                  "closes_at", time_json(table->created_at_ms + CASUAL_OPEN_MS));
    json_object_set_new(document, "game", text_or_null(table->game.text));
    json_object_set_new(document, "rematch_of", text_or_null(table->rematch_of.text));
    if (table->set != NULL)
        json_object_set_new(document, "components", hex_json(table->set, 32));
    json_object_set_new(document, "code", invited ? json_string(table->code) : json_null());
    return document;
}

static bool has_seat(const struct call *call, const struct casual_table *table)
{
    return call->signed_in && seat_of(table, &call->player.id) != NULL;
}

static json_t *list_document(const struct call *call, const struct casual_table *tables,
                             size_t count)
{
    json_t *items = json_array();
    for (size_t i = 0; i < count; i++)
        json_array_append_new(items, casual_document(&tables[i], has_seat(call, &tables[i])));
    return items;
}

/* ---- Reading ---- */

/* Reads ?game=; NULL without it. */
static bool read_game(struct call *call, const char **slug)
{
    struct span wanted = http_parameter(call->request, "game");
    const struct game *game = wanted.at == NULL ? NULL : catalog_newest(wanted);
    *slug = game == NULL ? NULL : game->slug;
    return wanted.at == NULL || game != NULL ||
           call_problem(call, "bad-parameter", "game is the slug of a ruleset.");
}

void lobby_list(struct call *call)
{
    static const char *const further[] = {"game", NULL};
    struct list_range range;
    struct casual_table *tables;
    const char *slug;
    size_t count;
    if (!call_list_range(call, further, &range) || !read_game(call, &slug) ||
        !call_found(call, casual_list(call->db, call->arena, slug, casual_open_since_ms(call),
                                      &range.after, range.limit, &tables, &count)))
        return;
    call_answer_tagged(call,
                       list_with_next(list_document(call, tables, count),
                                      count == range.limit ? tables[count - 1].id.text : NULL));
}

void me_tables(struct call *call)
{
    enum { LIST_MOST = 50 };
    struct casual_table *tables;
    size_t count;
    if (call_found(call,
                   casual_list_of_player(call->db, call->arena, &call->player.id,
                                         casual_open_since_ms(call), LIST_MOST, &tables, &count)))
        call_answer_tagged(call, list_with_next(list_document(call, tables, count), NULL));
}

/* Finds the table. To callers without a seat, an unlisted table looks as if it did not exist; its
 * code leads to it by find_invited(). */
static bool find_listed(struct call *call, bool lock, struct casual_table *table)
{
    return call_found(call, casual_find(call->db, call->arena, &call->id[0], lock, table)) &&
           (table->listed || has_seat(call, table) || call_found(call, DB_NONE));
}

void lobby_get(struct call *call)
{
    struct casual_table table;
    if (find_listed(call, false, &table))
        call_answer_tagged(call, casual_document(&table, has_seat(call, &table)));
}

static bool find_invited(struct call *call, bool lock, struct casual_table *table)
{
    struct id id;
    const char *code = arena_copy(call->arena, call->word[0]);
    enum db_status status = casual_by_code(call->db, code, &id);
    if (status == DB_NONE)
        return call_problem(call, "not-found",
                            "There is no such invitation. Ask for a new link: tables that are "
                            "closed, or do not start within a day, are deleted.");
    return call_found(call, status) &&
           call_found(call, casual_find(call->db, call->arena, &id, lock, table));
}

void invitations_get(struct call *call)
{
    struct casual_table table;
    if (find_invited(call, false, &table))
        call_answer_tagged(call, casual_document(&table, true));
}

/* ---- Permission to take a seat ---- */

/* Without a limit per person, the bots of one person could take all places of the lobby and the
 * house. */
bool casual_has_room(struct call *call)
{
    const int64_t since_ms = casual_open_since_ms(call);
    unsigned most = call->player.guest ? TABLES_OF_GUEST : TABLES_OF_PLAYER;
    unsigned own, all;
    if (!call_found(call, player_lock_person(call->db, &call->player)) ||
        !call_found(call,
                    casual_count_of_player(call->db, &call->player.id, false, since_ms, &own)) ||
        !call_found(call, casual_count_of_player(call->db, &call->player.id, true, since_ms, &all)))
        return false;
    if (own >= most)
        return call_problem(call, "lobby-full",
                            call->player.guest
                                ? "A guest can be at 5 tables and casual games at once; leave or "
                                  "finish one first."
                                : "A player can be at 20 tables and casual games at once; leave or "
                                  "finish one first.");
    return all < TABLES_OF_PERSON ||
           call_problem(call, "lobby-full",
                        "A player and their bots can be at 60 tables and casual games at once; "
                        "leave or finish one first.");
}

bool casual_may_be_rated(struct call *call, const struct casual_table *table)
{
    if (!table->rated)
        return true;
    if (call->player.guest)
        return call_problem(call, "guest-not-allowed",
                            "Guests play unrated games; choose a password to have an account.");
    if (call->player.house != NULL)
        return call_problem(call, "house-not-allowed", "House players play unrated games.");
    for (unsigned i = 0; i < table->filled; i++) {
        enum db_status status =
            id_equal(&table->seat[i].player, &call->player.id)
                ? DB_NONE
                : party_same(call->db, &table->seat[i].player, &call->player.id);
        if (status == DB_OK)
            return call_problem(call, "same-owner",
                                "Players and their own bots do not meet in rated games.");
        if (status != DB_NONE)
            return call_found(call, status);
    }
    return true;
}

static bool refuse_closed(struct call *call, const struct casual_table *table)
{
    if (table->game.text[0] != '\0')
        return call_problem(call, "table-started", "The game of this table has started.");
    return call_problem(call, "not-found", "This table has waited for a day and is closed.");
}

/* ---- Starting ---- */

/* The starting player is drawn by lot, because seats must not be chosen. */
static void seat_players(const struct casual_table *table, struct game_row *game)
{
    for (unsigned i = 0; i < table->filled; i++)
        if (table->seat[i].taken)
            game->seat[game->seats++] = (struct game_row_seat){.player = table->seat[i].player,
                                                               .player_name = table->seat[i].name};
    for (unsigned i = game->seats; i > 1; i--) {
        unsigned other = randombytes_uniform(i);
        struct game_row_seat last = game->seat[i - 1];
        game->seat[i - 1] = game->seat[other];
        game->seat[other] = last;
    }
}

static bool start_game(struct call *call, struct casual_table *table)
{
    struct game_row game = {.id = id_new(call->now_ms),
                            .slug = table->slug,
                            .version = table->version,
                            .options = table->options,
                            .set = table->set,
                            .clock = table->clock,
                            .on_timeout = timeout_policy_name(TIMEOUT_FALLBACK),
                            .started_at_ms = call->now_ms};
    seat_players(table, &game);
    table->game = game.id;
    return game_start(call, &game) &&
           call_db(call, casual_start(call->db, &table->id, &game.id), "table-started",
                   "The game of this table has started.");
}

void lobby_start(struct call *call)
{
    struct casual_table table;
    if (!call_check_keys(call, NULL) || !find_listed(call, true, &table))
        return;
    const struct game *ruleset = catalog_find(span_of(table.slug), span_of(table.version));
    if (!id_equal(&table.creator, &call->player.id))
        call_problem(call, "not-allowed",
                     "Only the player who opened the table may start its game.");
    else if (!is_open(call, &table))
        refuse_closed(call, &table);
    else if (ruleset == NULL || count_taken(&table) < 2 || count_taken(&table) < ruleset->seats_min)
        call_problem(
            call, "too-few-players",
            "Not enough seats are taken for this game; `seats_min` says how many it needs.");
    else if (start_game(call, &table))
        call_answer(call, 200, casual_document(&table, true));
}

/* ---- Taking a seat, and leaving it ---- */

bool casual_start_if_full(struct call *call, struct casual_table *table)
{
    return call_found(call, casual_find(call->db, call->arena, &table->id, false, table)) &&
           (count_taken(table) < table->seats || start_game(call, table));
}

void casual_take_own_seat(struct call *call, struct casual_table *table)
{
    const struct casual_seat *own = seat_of(table, &call->player.id);
    bool again = own != NULL && own->taken; /* the request was sent twice */
    if (!again && !is_open(call, table))
        refuse_closed(call, table);
    else if (own == NULL && table->filled >= table->seats)
        call_problem(call, "table-full", "All seats of this table are taken; choose another one.");
    else if (again || (casual_may_be_rated(call, table) && casual_has_room(call) &&
                       call_found(call, casual_take_seat(call->db, &table->id, &call->player.id)) &&
                       casual_start_if_full(call, table)))
        call_answer(call, 200, casual_document(table, true));
}

void lobby_take_seat(struct call *call)
{
    struct casual_table table;
    if (call_check_keys(call, NULL) && find_listed(call, true, &table))
        casual_take_own_seat(call, &table);
}

void invitations_accept(struct call *call)
{
    struct casual_table table;
    if (call_check_keys(call, NULL) && find_invited(call, true, &table))
        casual_take_own_seat(call, &table);
}

/* If the creator leaves, the table is closed, because only the creator could start it. */
void lobby_leave_seat(struct call *call)
{
    struct casual_table table;
    if (!find_listed(call, true, &table))
        return;
    if (table.game.text[0] != '\0')
        refuse_closed(call, &table);
    else if (call_found(call, id_equal(&table.creator, &call->player.id)
                                  ? casual_delete(call->db, &table.id)
                                  : casual_leave_seat(call->db, &table.id, &call->player.id)))
        call->response->status = 204;
}
