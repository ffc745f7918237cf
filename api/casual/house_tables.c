/* Tables against the house: house accounts (`tillroll admin house`) take the other seats, and the
 * game starts at once. It is not rated. */
#include <string.h>

#include "api/casual/casual.h"
#include "api/casual/handlers.h"
#include "api/request/documents.h"
#include "db/store/people/players.h"
#include "engine/search/level.h"

enum {
    ACCOUNTS_MOST = 64,     /* accounts of one level considered */
    TABLES_OF_ACCOUNT = 20, /* casual games of an account at once */
    SEATS_MOST = 5
};

/* Lists the levels that accounts play, the weakest first. */
void house_list(struct call *call)
{
    json_t *items = json_array();
    const struct level *level;
    for (size_t i = 0; (level = level_at(i)) != NULL; i++) {
        struct player *players;
        size_t count;
        if (!call_found(call, player_list_house(call->db, call->arena, level->name, SEATS_MOST,
                                                &players, &count))) {
            json_decref(items);
            return;
        }
        if (count > 0)
            json_array_append_new(items,
                                  json_pack("{s:s, s:s, s:i}", "level", level->name, "meaning",
                                            level->meaning, "accounts", (int)count));
    }
    call_answer(call, 200, json_pack("{s:o}", "items", items));
}

bool casual_read_house(struct call *call, const char **level)
{
    const json_t *field = json_object_get(call->body, "house");
    const struct span word = {json_string_value(field), json_string_length(field)};
    const struct level *found = json_is_string(field) ? level_named(word) : NULL;
    *level = found == NULL ? NULL : found->name;
    return field == NULL || found != NULL ||
           call_bad_field(call, "house", "must be a level of GET /v1/house.");
}

/* Chooses the first `wanted` accounts that may play one more game. */
static bool choose_accounts(struct call *call, const char *level, unsigned wanted,
                            struct id chosen[static SEATS_MOST])
{
    struct player *players;
    size_t count;
    unsigned found = 0;
    if (!call_found(
            call, player_list_house(call->db, call->arena, level, ACCOUNTS_MOST, &players, &count)))
        return false;
    for (size_t i = 0; i < count && found < wanted; i++) {
        unsigned tables;
        if (!call_found(call, casual_count_of_player(call->db, &players[i].id, false,
                                                     casual_open_since_ms(call), &tables)))
            return false;
        if (tables < TABLES_OF_ACCOUNT)
            chosen[found++] = players[i].id;
    }
    if (found == wanted)
        return true;
    return count < wanted
               ? call_problem(call, "house-unavailable",
                              "The house does not have enough players of this level for these "
                              "seats; choose fewer seats or another level.")
               : call_problem(call, "house-unavailable",
                              "The house is playing at as many tables as it can; try again later.");
}

bool casual_seat_house(struct call *call, struct casual_table *table, const char *level)
{
    struct id chosen[SEATS_MOST];
    unsigned wanted = table->seats - table->filled;
    if (!choose_accounts(call, level, wanted, chosen))
        return false;
    for (unsigned i = 0; i < wanted; i++)
        if (!call_found(call, casual_take_seat(call->db, &table->id, &chosen[i])))
            return false;
    return casual_start_if_full(call, table);
}

bool casual_seat_invited_house(struct call *call, struct casual_table *table)
{
    bool any = false;
    for (unsigned i = 0; i < table->filled; i++) {
        if (table->seat[i].taken || !record_is_house_name(table->seat[i].name))
            continue;
        any = true;
        if (!call_found(call, casual_take_seat(call->db, &table->id, &table->seat[i].player)))
            return false;
    }
    return !any || casual_start_if_full(call, table);
}
