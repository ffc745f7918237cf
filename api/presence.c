/* Who is there: absences, returns, forfeits, substitutes. Officials of the event say so, or its
 * rules do when a clock has run out (api/timekeeper.h); who was only absent returns by himself. */
#include <string.h>

#include "api/event_load.h"
#include "api/handlers.h"
#include "api/sight.h"
#include "api/signing_keys.h"
#include "api/system_lines.h"
#include "db/players.h"

static bool read_seat(struct call *call, const struct game_row *game, unsigned *seat)
{
    return call_whole(call, "seat", 0, game->seats - 1, -1, seat);
}

static void write_line(struct call *call, const struct game_row *game,
                       const struct record_entry *entry)
{
    struct game_writer writer;
    if (system_lines_begin(call, game, &writer) && system_lines_add(&writer, entry) &&
        system_lines_store(&writer))
        system_lines_answer(&writer, 0);
}

/* What an official does to the seat that the body names. */
static void write_line_of_seat(struct call *call, enum record_kind kind)
{
    static const char *const keys[] = {"seat", NULL};
    struct game_row game;
    unsigned seat;
    if (!sight_find_any_game(call, &call->id[0], &game) || !call_check_keys(call, keys) ||
        !read_seat(call, &game, &seat))
        return;
    const struct record_entry entry = system_line(kind, seat);
    write_line(call, &game, &entry);
}

void fallback_create(struct call *call)
{
    write_line_of_seat(call, RECORD_FALLBACK);
}

void recall_create(struct call *call)
{
    write_line_of_seat(call, RECORD_RETURN);
}

void forfeit_create(struct call *call)
{
    write_line_of_seat(call, RECORD_FORFEIT);
}

void return_create(struct call *call)
{
    static const char *const keys[] = {NULL};
    struct game_row game;
    if (!sight_find_game(call, &call->id[0], &game) || !call_check_keys(call, keys))
        return;
    const struct record_entry entry = system_line(RECORD_RETURN, sight_viewer(call, &game).seat);
    write_line(call, &game, &entry);
}

/* ---- Substitutes ---- */

static bool read_player(struct call *call, struct player *player)
{
    json_t *field = json_object_get(call->body, "player");
    struct span text = {json_string_value(field), json_string_length(field)};
    struct id id;
    if (!json_is_string(field) || !id_parse(text, &id))
        return call_bad_field(call, "player", "must be the id of a player.");
    enum db_status status = player_by_id(call->db, call->arena, &id, player);
    if (status == DB_OK && !player->deleted)
        return true;
    return (status != DB_OK && status != DB_NONE)
               ? call_found(call, status)
               : call_bad_field(call, "player", "must be the id of a player.");
}

/* Who has seen a hand of this game, or may see other tables of its board, cannot take a seat. */
static bool check_knows_nothing(struct call *call, const struct game_row *game,
                                const struct player *player)
{
    struct loaded_event loaded;
    bool sat = false;
    if (!call_found(call, game_has_seated(call->db, &game->id, &player->id, &sat)))
        return false;
    if (sat)
        return call_problem(call, "has-sat-here", "The player has or had a seat in this game.");
    if (game->board == 0)
        return true;
    return event_load(call, &game->event, false, &loaded) &&
           (tournament_entry(loaded.tournament, span_of(player->id.text)) == TOURNAMENT_NOBODY ||
            call_problem(call, "has-sat-here",
                         "Who takes part in a duplicate event plays its boards at his own table."));
}

static struct record_entry substitution(unsigned seat, const struct player *player)
{
    struct record_entry entry = system_line(RECORD_SUBSTITUTE, seat);
    struct text name = TEXT_OVER(entry.player.name);
    memcpy(entry.player.player, player->id.text, sizeof entry.player.player);
    text_add(&name, player->name);
    return entry;
}

void substitute_create(struct call *call)
{
    static const char *const keys[] = {"seat", "player", NULL};
    struct game_row game;
    struct player player = {.deleted = true};
    unsigned seat;
    if (!sight_find_any_game(call, &call->id[0], &game) || !call_check_keys(call, keys) ||
        !read_seat(call, &game, &seat) || !read_player(call, &player) ||
        !check_knows_nothing(call, &game, &player))
        return;
    struct record_entry entry = substitution(seat, &player);
    if (signing_keys_give(call, &entry.player, 1))
        write_line(call, &game, &entry);
}
