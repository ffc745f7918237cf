/* Places that organizers hold for people without an account, and claiming them. A held place is a
 * guest who has entered: it is drawn and ranked like any entry, and cannot sign in. Its link lets
 * the holder turn it into an account, with all games played there, or, while entries are open, take
 * it over for an existing account.
 *
 * The link ends in a code. Only the code's hash is stored, so the code is shown once, and a lost
 * code is replaced with a new one. */
#include <assert.h>
#include <sodium.h>
#include <string.h>

#include "api/event/event_take.h"
#include "api/events/entries.h"
#include "api/events/handlers.h"
#include "api/people/accounts.h"
#include "api/people/names.h"
#include "api/request/auth.h"
#include "api/request/documents.h"
#include "api/work/transaction.h"
#include "db/store/events/held_places.h"

enum { CODE_LENGTH = 26, PLACES_MAX = 512, NAMES_TRIED = 30 };

/* ---- Codes ---- */

/* 130 bits: too many to guess. */
static const char *new_code(struct call *call, uint8_t hash[static 32])
{
    const char *code = auth_new_code(call->arena, CODE_LENGTH);
    crypto_hash_sha256(hash, (const unsigned char *)code, CODE_LENGTH);
    return code;
}

/* Hashes the code in the path. */
static void read_code(const struct call *call, uint8_t hash[static 32])
{
    crypto_hash_sha256(hash, (const unsigned char *)call->word[0].at, call->word[0].length);
}

static json_t *place_document(const struct held_place *place)
{
    return json_pack("{s:o, s:o}", "player", player_reference(&place->player, place->name),
                     "held_at", time_json(place->held_at_ms));
}

/* Answers with the place and its code; no other response has the code. */
static void answer_code(struct call *call, int status, const struct held_place *place,
                        const char *code)
{
    json_t *document = place_document(place);
    json_object_set_new(document, "code", json_string(code));
    call_answer(call, status, document);
}

/* ---- Holding ---- */

static bool has_room(struct call *call, const struct id *event)
{
    struct held_place *places;
    size_t count;
    if (!call_found(call,
                    held_place_list(call->db, call->arena, event, PLACES_MAX, &places, &count)))
        return false;
    return count < PLACES_MAX || call_problem(call, "too-many-places",
                                              "An event can hold 512 places at a time; withdraw "
                                              "some, or wait until people have claimed theirs.");
}

/* `Anna [guest]`, `Anna 2 [guest]`: makes names unique, since people with the same name come to
 * events of different organizers. Owned by the call's arena. */
static const char *number_name(struct call *call, const char *name, int number)
{
    const char *mark = strrchr(name, ' ');
    size_t capacity = strlen(name) + 4;
    struct text text = {arena_take(call->arena, capacity), 0, capacity, false};
    assert(mark != NULL);
    if (number == 1)
        return name;
    text_add_span(&text, (struct span){name, (size_t)(mark - name)});
    text_add_char(&text, ' ');
    text_add_number(&text, number);
    text_add(&text, mark);
    return text.at;
}

static bool make_guest(struct call *call, const char *name, struct player *guest)
{
    enum db_status status = DB_CONFLICT;
    for (int number = 1; status == DB_CONFLICT && number <= NAMES_TRIED; number++) {
        *guest = (struct player){.id = id_new(call->now_ms),
                                 .name = number_name(call, name, number),
                                 .created_at_ms = call->now_ms,
                                 .guest = true};
        if (strlen(guest->name) > PLAYER_NAME_MAX)
            break;
        status = player_create(call->db, guest);
    }
    return call_db(call, status, "name-taken",
                   "Other guests have this name; add something that tells them apart.") &&
           name_take(call, &guest->id, guest->name);
}

void places_create(struct call *call)
{
    static const char *const keys[] = {"name", NULL};
    struct loaded_event loaded;
    struct player guest;
    const char *name;
    uint8_t hash[32];
    if (!call_check_keys(call, keys) || !name_read_guest(call, "name", &name) ||
        !event_load(call, &call->id[0], true, &loaded) || !has_room(call, &loaded.event.id) ||
        !make_guest(call, name, &guest) || !entry_make(call, &loaded, &guest.id))
        return;
    const struct held_place place = {guest.id, loaded.event.id, guest.name, call->now_ms};
    const char *code = new_code(call, hash);
    if (call_found(call, held_place_create(call->db, &place, hash)))
        answer_code(call, 201, &place, code);
}

void places_list(struct call *call)
{
    struct held_place *places;
    size_t count;
    if (!call_found(call, held_place_list(call->db, call->arena, &call->id[0], PLACES_MAX, &places,
                                          &count)))
        return;
    json_t *items = json_array();
    for (size_t i = 0; i < count; i++)
        json_array_append_new(items, place_document(&places[i]));
    call_answer(call, 200, list_with_next(items, NULL));
}

void places_renew_code(struct call *call)
{
    struct held_place place;
    uint8_t hash[32];
    if (!call_check_keys(call, NULL))
        return;
    const char *code = new_code(call, hash);
    if (call_found(call, held_place_set_code(call->db, &call->id[0], &call->id[1], hash)) &&
        call_found(call, held_place_by_code(call->db, call->arena, hash, &place)))
        answer_code(call, 200, &place, code);
}

/* ---- Claiming ---- */

static bool refuse_invalid_code(struct call *call)
{
    return call_problem(call, "not-found",
                        "This link is not valid: the place has been claimed or withdrawn, or there "
                        "is a newer link. Ask the organizers of the event for a new one.");
}

static bool find_claimed(struct call *call, struct held_place *place)
{
    uint8_t hash[32];
    read_code(call, hash);
    enum db_status status = held_place_by_code(call->db, call->arena, hash, place);
    return status == DB_NONE ? refuse_invalid_code(call) : call_found(call, status);
}

/* Finds the place of the code, and makes the code invalid. */
static bool take_claimed(struct call *call, struct held_place *place)
{
    uint8_t hash[32];
    read_code(call, hash);
    if (!find_claimed(call, place))
        return false;
    enum db_status status = held_place_claim(call->db, hash);
    return status == DB_NONE ? refuse_invalid_code(call) : call_found(call, status);
}

void claims_get(struct call *call)
{
    struct held_place place;
    struct event event;
    if (!find_claimed(call, &place) ||
        !call_found(call, event_find(call->db, call->arena, &place.event, false, &event)))
        return;
    call_answer(call, 200,
                json_pack("{s:{s:s, s:s}, s:o, s:b}", "event", "id", event.id.text, "name",
                          event.name, "player", player_reference(&place.player, place.name),
                          "attachable", event.state == EVENT_ENTRIES_OPEN));
}

/* Checks the code before the slow hashing of the password. */
static bool is_claimable(struct call *call)
{
    struct held_place place;
    bool good = transaction_open(call) && find_claimed(call, &place);
    transaction_close(call);
    return good;
}

void claims_make_account(struct call *call)
{
    struct held_place place;
    const char *name;
    const char *hash;
    if (!is_claimable(call) || !account_read(call, &name, &hash))
        return;
    if (transaction_open(call) && take_claimed(call, &place) &&
        call_found(call, player_by_id(call->db, call->arena, &place.player, &call->player)))
        (void)account_of_guest(call, name, hash, true);
    transaction_close(call);
}

static enum entrant_state state_of(const struct tournament *tournament, const struct id *player)
{
    uint16_t index = tournament_entry(tournament, span_of(player->text));
    return index == TOURNAMENT_NOBODY ? ENTRANT_WITHDRAWN : tournament->entrants[index].state;
}

/* Enters the account before the place is withdrawn, so that no entry on the waiting list takes the
 * place. In a full event with a waiting list the account would have to wait, so the exchange is
 * refused. */
static bool replace_entry(struct call *call, struct loaded_event *loaded, const struct id *place)
{
    enum entrant_state before = state_of(loaded->tournament, place);
    if (!entry_make(call, loaded, &call->player.id) ||
        !event_take(call, loaded, "withdrawn", json_pack("{s:s}", "player", place->text)))
        return false;
    return state_of(loaded->tournament, &call->player.id) == before ||
           call_problem(call, "event-full",
                        "The event is full, and others are waiting for a place: claim this one "
                        "with a new name and a password.");
}

void claims_attach(struct call *call)
{
    struct held_place place;
    struct loaded_event loaded;
    json_t *document;
    if (!call_check_keys(call, NULL) || !take_claimed(call, &place) ||
        !event_load(call, &place.event, true, &loaded))
        return;
    if (call->player.guest || call->player.owner.text[0] != '\0')
        call_problem(call, "not-allowed",
                     "Only an account with a password can take over a place; claim it with a new "
                     "name and a password instead.");
    else if (loaded.event.state != EVENT_ENTRIES_OPEN)
        call_problem(call, "wrong-state",
                     "Entries are closed, so no other account can take over the place: claim it "
                     "with a new name and a password.");
    else if (replace_entry(call, &loaded, &place.player) &&
             entry_load_document(call, &loaded, &call->player.id, &document))
        call_answer(call, 200, document);
}
