/* Finding players and events by their names. */
#include "api/documents.h"
#include "api/handlers.h"
#include "api/names.h"

enum { WORDS_BYTES = 80, FOUND_MOST = 10 };

static json_t *players_document(const struct player *players, size_t count)
{
    json_t *list = json_array();
    for (size_t i = 0; i < count; i++)
        json_array_append_new(list, player_reference(&players[i].id, players[i].name));
    return list;
}

static json_t *events_document(const struct event *events, size_t count)
{
    json_t *list = json_array();
    for (size_t i = 0; i < count; i++)
        json_array_append_new(list, json_pack("{s:s, s:s, s:o, s:s}", "id", events[i].id.text,
                                              "name", events[i].name, "ruleset",
                                              ruleset_reference(events[i].slug, events[i].version),
                                              "state", event_state_name(events[i].state)));
    return list;
}

/* Not a GET: names have characters that no target may hold (api/gate.h). */
void search_names(struct call *call)
{
    static const char *const keys[] = {"words", NULL};
    const char *words;
    struct player *players;
    struct event *events;
    size_t player_count, event_count;
    if (!call_check_keys(call, keys) || !name_read(call, "words", WORDS_BYTES, &words) ||
        !call_found(call, player_search(call->db, call->arena, words, FOUND_MOST, &players,
                                        &player_count)) ||
        !call_found(call,
                    event_search(call->db, call->arena, words, FOUND_MOST, &events, &event_count)))
        return;
    call_answer(call, 200,
                json_pack("{s:o, s:o}", "players", players_document(players, player_count),
                          "events", events_document(events, event_count)));
}
