/* Presence: absences, returns, forfeits, substitutes. They are decided by officials of the event,
 * or by its rules when a clock runs out (api/play/game_clocks.h). Absent players can return without
 * an official, and players leave casual games themselves. */
#include <string.h>

#include "api/deadlines/handlers.h"
#include "api/event/event_load.h"
#include "api/event/official_signatures.h"
#include "api/event/signing_keys.h"
#include "api/play/sealed.h"
#include "api/play/system_lines.h"
#include "api/request/impartial.h"
#include "api/request/visibility.h"
#include "db/store/games/parties.h"
#include "db/store/people/players.h"

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
        system_lines_answer(&writer);
}

/* Writes a line and stores the official's act, because the record does not name the official and
 * audits may need to know. A signature is for the game as it is when the act is written, including
 * the lines that were held back before it. */
static void write_act(struct call *call, const struct game_row *game,
                      const struct record_entry *entry)
{
    struct game_writer writer;
    struct signature act;
    uint8_t head[32];
    if (!system_lines_begin(call, game, &writer))
        return;
    memcpy(head, writer.replay->head, sizeof head);
    if (system_lines_add(&writer, entry) &&
        official_signature_of_line(call, &game->event, &game->id, head,
                                   writer.rows[writer.held_back].seq,
                                   writer.rows[writer.held_back].line, &act) &&
        system_lines_store(&writer) && call_found(call, party_add_act(call->db, &game->id, &act)))
        system_lines_answer(&writer);
}

/* Writes an official's line about the seat named in the body. */
static void write_line_of_seat(struct call *call, enum record_kind kind)
{
    static const char *const keys[] = {"seat", NULL};
    struct game_row game;
    unsigned seat;
    if (!visibility_find_any_game(call, &call->id[0], &game) || !call_check_keys(call, keys) ||
        !read_seat(call, &game, &seat))
        return;
    const struct record_entry entry = system_line(kind, seat);
    write_act(call, &game, &entry);
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
    struct game_row game;
    if (!visibility_find_game(call, &call->id[0], &game) || !call_check_keys(call, NULL))
        return;
    const struct record_entry entry =
        system_line(RECORD_RETURN, visibility_viewer(call, &game).seat);
    write_line(call, &game, &entry);
}

/* ---- Leaving a casual game ---- */

/* The seats that have not left, bit s for seat s. */
static uint32_t staying_seats(const struct replay *replay)
{
    uint32_t seats = (UINT32_C(1) << replay->header.seats) - 1;
    for (unsigned i = 0; i < replay->forfeits; i++)
        seats &= ~(UINT32_C(1) << replay->forfeited[i]);
    return seats;
}

/* True if the remaining seats have no opponent: at most one player, or house players only. */
static bool is_deserted(const struct replay *replay, uint32_t staying)
{
    unsigned seats = 0, people = 0;
    for (unsigned seat = 0; seat < replay->header.seats; seat++) {
        if ((staying >> seat & 1) == 0)
            continue;
        seats++;
        people += !record_is_house_name(replay->header.seat[seat].name);
    }
    return seats < 2 || people == 0;
}

/* Ends a deserted game at once with fallback moves, because the ranks are decided. */
static bool end_deserted(struct game_writer *writer)
{
    const uint32_t staying = staying_seats(writer->replay);
    if (!is_deserted(writer->replay, staying))
        return true;
    for (unsigned seat = 0; seat < writer->replay->header.seats; seat++) {
        const struct record_entry entry = system_line(RECORD_FALLBACK, seat);
        if (writer->replay->phase == REPLAY_PLAYING &&
            (staying & ~writer->replay->fallback) >> seat & 1 && !system_lines_add(writer, &entry))
            return false;
    }
    return true;
}

/* Adds the forfeit. Decisions that other seats have sealed are opened before the game is ended. */
static bool add_leaving(struct game_writer *writer, unsigned seat)
{
    const struct record_entry entry = system_line(RECORD_FORFEIT, seat);
    return system_lines_add(writer, &entry) && sealed_open_all(writer) && end_deserted(writer);
}

void leave_create(struct call *call)
{
    struct game_row game;
    struct game_writer writer;
    if (!visibility_find_game(call, &call->id[0], &game) || !call_check_keys(call, NULL))
        return;
    if (game.event.text[0] != '\0')
        call_problem(call, "not-casual",
                     "Only casual games can be left; this game belongs to an event, whose "
                     "officials decide who is out.");
    else if (system_lines_begin(call, &game, &writer) &&
             add_leaving(&writer, visibility_viewer(call, &game).seat) &&
             system_lines_store(&writer))
        system_lines_answer(&writer);
}

/* ---- House players ---- */

/* True if the house account may declare the program that decides for its seat from now on. A sealed
 * decision remains that of the program that made it. */
static bool may_declare(struct game_writer *writer, unsigned seat, unsigned version)
{
    struct call *call = writer->call;
    bool decided;
    if (!sealed_has_decided(call, &writer->game->id, writer->replay, seat, &decided))
        return false;
    if (decided)
        return call_problem(call, "already-decided",
                            "The seat has sealed a decision; wait until all have decided.");
    return version >= writer->replay->house[seat].version ||
           call_problem(call, "house-outdated",
                        "A newer version of the program has decided in this game; go on with it.");
}

void house_create(struct call *call)
{
    static const char *const keys[] = {"version", NULL};
    struct game_row game;
    struct game_writer writer;
    unsigned version;
    if (!visibility_find_game(call, &call->id[0], &game) || !call_check_keys(call, keys) ||
        !call_whole(call, "version", 1, INT32_MAX, -1, &version))
        return;
    if (call->player.house == NULL) {
        call_problem(call, "not-a-house-account",
                     "Only house accounts declare how they play; `tillroll admin house` makes "
                     "them.");
        return;
    }
    unsigned seat = visibility_viewer(call, &game).seat;
    struct record_entry entry = system_line(RECORD_HOUSE, seat);
    struct text level = TEXT_OVER(entry.house.level);
    text_add(&level, call->player.house);
    entry.house.version = version;
    if (!system_lines_begin_untimed(call, &game, &writer) || !may_declare(&writer, seat, version))
        return;
    const struct record_house *now = &writer.replay->house[seat];
    if (now->version == version && strcmp(now->level, entry.house.level) == 0)
        call->response->status = 204;
    else if (system_lines_add(&writer, &entry) && system_lines_store(&writer))
        system_lines_answer(&writer);
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

static bool check_owner(struct call *call, const struct game_row *game, unsigned seat,
                        const struct player *player)
{
    const struct tournament_settings *settings;
    if (!event_find_settings(call, &game->event, &settings))
        return false;
    if (settings == NULL || settings->same_owner != SAME_OWNER_APART)
        return true;
    enum db_status status = party_elsewhere(call->db, &game->id, seat, &player->id);
    if (status == DB_NONE)
        return true;
    return (status != DB_OK)
               ? call_found(call, status)
               : call_problem(
                     call, TOURNAMENT_REFUSAL_OWNER,
                     "This player, their owner or another bot of theirs has or had another seat in "
                     "this game, and the event keeps them apart; choose another substitute.");
}

/* Checks that the substitute may be a program: only where programs may enter the event. */
static bool check_program(struct call *call, const struct game_row *game,
                          const struct player *player)
{
    const struct tournament_settings *settings;
    bool bot = player->owner.text[0] != '\0';
    int level = player->house == NULL ? HOUSE_NONE : house_choice_find(span_of(player->house));
    if (player->house == NULL && !bot)
        return true;
    if (!event_find_settings(call, &game->event, &settings))
        return false;
    if (settings == NULL)
        return bot || call_problem(call, TOURNAMENT_REFUSAL_HOUSE,
                                   "House players do not take over seats of casual games.");
    if (bot)
        return !settings->no_bots ||
               call_problem(call, TOURNAMENT_REFUSAL_BOT,
                            "Bots may not play in this event; an organizer can set `bots` to "
                            "true.");
    return (level > HOUSE_NONE && level <= (int)settings->house) ||
           call_problem(call, TOURNAMENT_REFUSAL_HOUSE,
                        "House players of this level may not play in this event; an organizer can "
                        "set `house` to the highest level that may.");
}

/* Players who have seen a hand of this game, or may see other tables with its board, cannot take
 * a seat. */
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
            call_problem(
                call, "has-sat-here",
                "Players who have entered a duplicate event play its boards at their own tables."));
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
    struct player player = {.name = "", .deleted = true};
    unsigned seat;
    if (!visibility_find_any_game(call, &call->id[0], &game) || !call_check_keys(call, keys) ||
        !read_seat(call, &game, &seat) || !read_player(call, &player) ||
        !impartial_to_player(call, &player.id,
                             "Officials cannot seat themselves, their own bots or bots of their "
                             "owner; another organizer or arbiter can do this.") ||
        !check_program(call, &game, &player) || !check_knows_nothing(call, &game, &player) ||
        !check_owner(call, &game, seat, &player))
        return;
    struct record_entry entry = substitution(seat, &player);
    struct record_seat *const seats[] = {&entry.player};
    if (signing_keys_give(call, seats, 1))
        write_act(call, &game, &entry);
}
