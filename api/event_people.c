#include "api/event_people.h"

#include <string.h>

#include "api/documents.h"

struct id event_person_id(const struct tournament *tournament, uint16_t entry)
{
    struct id id;
    memcpy(id.text, tournament->entrants[entry].player, sizeof id.text);
    return id;
}

bool event_people_load(struct call *call, const struct loaded_event *loaded,
                       struct event_people *people)
{
    const struct tournament *tournament = loaded->tournament;
    struct event_entry *entries;
    size_t count;
    if (!call_found(call, entry_list(call->db, call->arena, &loaded->event.id, &entries, &count)))
        return false;
    *people = (struct event_people){
        tournament, arena_array(call->arena, tournament->entrant_count, sizeof *people->name)};
    for (size_t i = 0; i < tournament->entrant_count; i++)
        people->name[i] = "";
    for (size_t i = 0; i < count; i++) {
        uint16_t entry = tournament_entry(tournament, span_of(entries[i].player.text));
        if (entry != TOURNAMENT_NOBODY)
            people->name[entry] = entries[i].player_name;
    }
    return true;
}

json_t *event_person(const struct event_people *people, uint16_t entry)
{
    struct id id = event_person_id(people->tournament, entry);
    return player_reference(&id, people->name[entry]);
}

json_t *event_numbered_person(const struct event_people *people, uint16_t entry)
{
    json_t *person = event_person(people, entry);
    json_object_set_new(person, "number", json_integer(people->tournament->entrants[entry].number));
    return person;
}
