#include "api/request/impartial.h"

#include "api/request/visibility.h"
#include "db/store/games/parties.h"
#include "db/store/log/disputes.h"

#define PARTY_CODE "party-to-the-game"
#define WHO_ELSE                                                                                   \
    " Another organizer or arbiter of the event has to do this; an organizer appoints one with "   \
    "POST /v1/events/<id>/roles {\"player\": \"<id>\", \"role\": \"arbiter\"}."

/* Sets `impartial` from `party`, which is DB_OK for a party and DB_NONE otherwise. False with a
 * problem if the database failed. */
static bool read_impartial(struct call *call, enum db_status party, bool *impartial)
{
    *impartial = party == DB_NONE;
    return party == DB_OK || party == DB_NONE || call_found(call, party);
}

bool impartial_to_game(struct call *call, const struct id *game, bool *impartial)
{
    return read_impartial(call, party_to_game(call->db, game, &call->player.id), impartial);
}

bool impartial_to_player(struct call *call, const struct id *player, const char *sentence)
{
    bool impartial;
    return read_impartial(call, party_same(call->db, &call->player.id, player), &impartial) &&
           (impartial || call_problem(call, PARTY_CODE, sentence));
}

/* Locks the game if the route writes. A step is checked twice, and only the second time, by its
 * job, in a transaction that writes. */
static bool lock_if_writing(struct call *call, const struct route *route, const struct id *game)
{
    bool writes = route->work == WORK_WRITE && (route->step == NULL || call->job != NULL);
    return !writes || call_found(call, game_lock(call->db, game));
}

static bool check_game(struct call *call, const struct route *route)
{
    bool impartial;
    if (!lock_if_writing(call, route, &call->id[0]) ||
        !impartial_to_game(call, &call->id[0], &impartial))
        return false;
    if (impartial)
        return true;
    if (route->office == OFFICE_LOOK)
        return call_problem(call, "party-to-dispute",
                            "You cannot look into this game: you, your bot or another bot of your "
                            "owner plays in it, or may still have to play its board.");
    return call_problem(call, PARTY_CODE,
                        "You cannot act on this game as an official: you, your bot or another bot "
                        "of your owner plays in it, or may still have to play its board." WHO_ELSE);
}

/* An unknown table has no parties. */
static bool check_table(struct call *call)
{
    bool impartial;
    enum db_status party = party_to_table(call->db, &call->id[0], (unsigned)call->number[0],
                                          (unsigned)call->number[1], &call->player.id);
    return read_impartial(call, party, &impartial) &&
           (impartial ||
            call_problem(call, PARTY_CODE,
                         "You cannot rule on this table: you, your bot or another bot of your "
                         "owner plays at it, or may still have to play its board." WHO_ELSE));
}

/* Parties who may still have to play the board must not learn of a dispute over it. */
static bool check_dispute(struct call *call, const struct route *route)
{
    struct dispute_row dispute;
    struct game_row game;
    bool impartial;
    if (!call_found(call, dispute_find(call->db, call->arena, &call->id[0], &dispute)) ||
        !lock_if_writing(call, route, &dispute.game) ||
        !impartial_to_game(call, &dispute.game, &impartial))
        return false;
    if (impartial)
        return true;
    if (!visibility_find_any_game(call, &dispute.game, &game))
        return false;
    if (visibility_is_hidden(call, &game))
        return call_found(call, DB_NONE);
    return call_problem(call, "party-to-dispute",
                        "You cannot decide a dispute about this game: you, your bot or another bot "
                        "of your owner plays in it, or may still have to play its board." WHO_ELSE);
}

bool impartial_check(struct call *call, const struct route *route)
{
    switch (route->office) {
    case OFFICE_NONE:
        return true;
    case OFFICE_GAME:
    case OFFICE_LOOK:
        return check_game(call, route);
    case OFFICE_TABLE:
        return check_table(call);
    case OFFICE_DISPUTE:
        return check_dispute(call, route);
    }
    return false;
}
