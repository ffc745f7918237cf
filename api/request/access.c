#include "api/request/access.h"

#include "api/request/auth.h"
#include "api/request/impartial.h"
#include "api/request/visibility.h"
#include "db/store/events/seasons.h"
#include "db/store/games/waiting_games.h"
#include "db/store/log/disputes.h"
#include "db/store/service/jobs.h"

/* ---- Words ---- */

const char *access_name(enum route_access access)
{
    static const char *const name[] = {
        [ACCESS_NOBODY] = "nobody",
        [ACCESS_PUBLIC] = "public",
        [ACCESS_OWN_PAGE] = "own-page",
        [ACCESS_MACHINE] = "machine",
        [ACCESS_PLAYER] = "player",
        [ACCESS_OWNER] = "owner",
        [ACCESS_ACCOUNT] = "account",
        [ACCESS_ENTRY] = "entry",
        [ACCESS_ORGANIZER] = "organizer",
        [ACCESS_ARBITER] = "arbiter",
        [ACCESS_SEAT] = "seat",
        [ACCESS_WAITING_SEAT] = "waiting-seat",
        [ACCESS_GAME_OFFICIAL] = "game-official",
        [ACCESS_GAME_PARTY] = "game-party",
        [ACCESS_DISPUTE_PARTY] = "dispute-party",
        [ACCESS_DISPUTE_OFFICIAL] = "dispute-official",
        [ACCESS_SEASON_ORGANIZER] = "season-organizer",
        [ACCESS_JOB] = "job",
        [ACCESS_ROLE] = "role",
    };
    return name[access];
}

const char *office_name(enum route_office office)
{
    static const char *const name[] = {
        [OFFICE_NONE] = "",       [OFFICE_GAME] = "game",       [OFFICE_LOOK] = "look",
        [OFFICE_TABLE] = "table", [OFFICE_DISPUTE] = "dispute",
    };
    return name[office];
}

/* ---- Relations. Each function returns true, or false with a problem ---- */

static bool has_scope(struct call *call, enum scope scope)
{
    if (scope == NO_SCOPE || (call->token.scopes & (unsigned)scope) != 0)
        return true;
    if (call->player.guest)
        return call_problem(call, "missing-scope",
                            "Guests can only play; choose a password to have "
                            "an account, which keeps your games.");
    return call_problem(call, "missing-scope",
                        "The token lacks the scope for this; GET /v1/me shows its scopes, and "
                        "openapi.json shows the one that each request needs.");
}

static bool has_role(const struct call *call, const struct route *route)
{
    return (call->player.roles & (unsigned)route->roles) != 0;
}

/* `status` is DB_OK if the caller has the office at the event whose id comes first; for DB_NONE,
 * refuses with `sentence`, or with `not-found` if there is no such event. */
static bool holds_office(struct call *call, enum db_status status, const char *sentence)
{
    struct event found;
    if (status != DB_NONE)
        return call_found(call, status);
    return call_found(call, event_find(call->db, call->arena, &call->id[0], false, &found)) &&
           call_problem(call, "not-allowed", sentence);
}

static bool is_organizer(struct call *call)
{
    return holds_office(call, event_organizer(call->db, &call->id[0], &call->player.id),
                        "Only an organizer of this event may do this.");
}

static bool is_official(struct call *call)
{
    return holds_office(call, event_official(call->db, &call->id[0], &call->player.id),
                        "Only an organizer or arbiter of this event may do this.");
}

static bool is_own_entry(const struct call *call)
{
    return id_equal(&call->id[1], &call->player.id);
}

static bool is_player(struct call *call)
{
    struct game_row *game = arena_take(call->arena, sizeof *game);
    if (!visibility_find_game(call, &call->id[0], game))
        return false;
    call->own_game = game;
    return visibility_viewer(call, game).kind == VIEWER_SEAT ||
           call_problem(call, "not-a-seat", "Only the players of this game may do this.");
}

static bool is_waiting_player(struct call *call)
{
    enum db_status status = waiting_has_seat(call->db, &call->id[0], &call->player.id);
    if (status != DB_NONE)
        return call_found(call, status);
    struct waiting_game waiting;
    status = waiting_find(call->db, call->arena, &call->id[0], &waiting);
    if (status == DB_NONE)
        return is_player(call);
    return call_found(call, status) &&
           call_problem(call, "not-a-seat", "Only the players of this game may do this.");
}

/* True for an official of the game's event. Other callers are told that a hidden game does not
 * exist. */
static bool is_event_official(struct call *call, const struct game_row *game, const char *sentence)
{
    enum db_status status = game->event.text[0] == '\0'
                                ? DB_NONE
                                : event_official(call->db, &game->event, &call->player.id);
    if (status == DB_NONE && !visibility_is_hidden(call, game))
        return call_problem(call, "not-allowed", sentence);
    return call_found(call, status);
}

static bool is_game_official(struct call *call)
{
    struct game_row game;
    if (!visibility_find_any_game(call, &call->id[0], &game))
        return false;
    if (game.event.text[0] == '\0')
        return call_problem(call, "not-allowed", "This game belongs to no event.");
    return is_event_official(call, &game, "Only an organizer or arbiter of the event may do this.");
}

static const char involved_only[] =
    "Only players of the game, officials of its event, or people with a role on this site may do "
    "this; openapi.json says who.";

static bool is_game_party(struct call *call)
{
    struct game_row game;
    return visibility_find_any_game(call, &call->id[0], &game) &&
           (visibility_viewer(call, &game).kind == VIEWER_SEAT ||
            is_event_official(call, &game, involved_only));
}

static bool is_of_dispute(struct call *call, bool party)
{
    struct dispute_row dispute;
    struct game_row game;
    if (!call_found(call, dispute_find(call->db, call->arena, &call->id[0], &dispute)) ||
        !visibility_find_any_game(call, &dispute.game, &game))
        return false;
    bool involved = id_equal(&dispute.opened_by, &call->player.id) ||
                    visibility_viewer(call, &game).kind == VIEWER_SEAT;
    return (party && involved) || is_event_official(call, &game, involved_only);
}

static bool is_season_organizer(struct call *call)
{
    struct stored_season season;
    if (!call_found(call, season_find(call->db, call->arena, &call->id[0], false, &season)))
        return false;
    return id_equal(&season.organizer, &call->player.id) ||
           call_problem(call, "not-allowed", "Only the season's organizer may do this.");
}

/* Other players' bots get `not-found`, so that they are not revealed to be bots. */
static bool is_owner(struct call *call)
{
    struct player bot;
    enum db_status status = player_by_id(call->db, call->arena, &call->id[0], &bot);
    if (status == DB_OK && (bot.deleted || !id_equal(&bot.owner, &call->player.id)))
        status = DB_NONE;
    return call_found(call, status);
}

static bool is_account(struct call *call)
{
    struct player player;
    if (!call_found(call, player_by_id(call->db, call->arena, &call->id[0], &player)))
        return false;
    bool own = id_equal(&player.id, &call->player.id) || id_equal(&player.owner, &call->player.id);
    return own || call_problem(call, "not-allowed", "This is another player's account.");
}

static bool is_related(struct call *call, const struct route *route)
{
    switch (route->access) {
    case ACCESS_PUBLIC:
    case ACCESS_OWN_PAGE:
    case ACCESS_MACHINE:
    case ACCESS_PLAYER:
        return true;
    case ACCESS_OWNER:
        return is_owner(call);
    case ACCESS_ACCOUNT:
        return is_account(call);
    case ACCESS_ENTRY:
        return is_own_entry(call) || is_official(call);
    case ACCESS_ARBITER:
        return is_official(call);
    case ACCESS_ORGANIZER:
        return is_organizer(call);
    case ACCESS_SEAT:
        return is_player(call);
    case ACCESS_WAITING_SEAT:
        return is_waiting_player(call);
    case ACCESS_GAME_OFFICIAL:
        return is_game_official(call);
    case ACCESS_GAME_PARTY:
        return is_game_party(call);
    case ACCESS_DISPUTE_PARTY:
        return is_of_dispute(call, true);
    case ACCESS_DISPUTE_OFFICIAL:
        return is_of_dispute(call, false);
    case ACCESS_SEASON_ORGANIZER:
        return is_season_organizer(call);
    case ACCESS_JOB:
    case ACCESS_ROLE:
    case ACCESS_NOBODY:
        break;
    }
    return call_problem(call, "not-allowed",
                        "This needs a role on this site; openapi.json says which.");
}

/* Checks a job like a request for the route of its step, including the scope. A step that only an
 * earlier release had is `not-found`. */
static bool may_see_job(struct call *call)
{
    struct job_row job;
    struct id own = call->id[0];
    if (!call_found(call, job_find(call->db, call->arena, &own, &job)))
        return false;
    const struct route *step = route_of_step(job.kind);
    if (step == NULL)
        return call_found(call, DB_NONE);
    if (!has_scope(call, step->scope))
        return false;
    (void)id_parse(span_of(job.subject), &call->id[0]);
    bool may = has_role(call, step) || is_related(call, step);
    call->id[0] = own;
    return may;
}

/* The caller's own entry needs the route's scope; the entry of another player, which only officials
 * change, needs SCOPE_ORGANIZE. */
static enum scope needed_scope(const struct call *call, const struct route *route)
{
    bool of_other = route->access == ACCESS_ENTRY && !is_own_entry(call);
    return of_other ? SCOPE_ORGANIZE : route->scope;
}

static bool is_on_machine(struct call *call)
{
    return (http_is_loopback(call->request->peer) && !call->request->proxied) ||
           call_problem(call, "not-allowed",
                        "This is only for requests from the machine that the service runs on; "
                        "--metrics-listen gives it an address of its own.");
}

bool access_allowed(struct call *call, const struct route *route)
{
    if (route->access == ACCESS_MACHINE)
        return is_on_machine(call);
    if (route->access == ACCESS_OWN_PAGE)
        return auth_is_own_origin(call->request) || auth_refuse_origin(call);
    if (!call->signed_in)
        return route->access == ACCESS_PUBLIC ||
               call_problem(call, "not-signed-in",
                            "Sign in with POST /v1/tokens and send `Authorization: Bearer "
                            "<token>`.");
    if (route->access == ACCESS_JOB)
        return may_see_job(call);
    if (!has_scope(call, needed_scope(call, route)))
        return false;
    return (has_role(call, route) || is_related(call, route)) && impartial_check(call, route);
}
