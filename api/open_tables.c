#include "api/open_tables.h"

#include "api/documents.h"
#include "api/round_start.h"

bool open_table_start(struct call *call, struct loaded_event *loaded,
                      const struct event_people *people, const uint16_t *entries, unsigned seats)
{
    unsigned number = (unsigned)loaded->tournament->open_tables + 1;
    json_t *numbers = json_array();
    for (unsigned seat = 0; seat < seats; seat++)
        json_array_append_new(numbers,
                              json_integer(loaded->tournament->entrants[entries[seat]].number));
    return event_take(call, loaded, "table_started",
                      json_pack("{s:i, s:i, s:o}", "round", 0, "table", (int)number, "numbers",
                                numbers)) &&
           round_start_table(call, loaded, people, tournament_table(loaded->tournament, 0, number));
}

json_t *open_tables_document(const struct event_people *people)
{
    const struct tournament *tournament = people->tournament;
    json_t *tables = json_array();
    for (unsigned number = 1; number <= tournament->open_tables; number++) {
        const struct tournament_table *table = tournament_table(tournament, 0, number);
        if (table->has_result)
            continue;
        json_t *players = json_array();
        for (unsigned seat = 0; seat < table->seats; seat++)
            json_array_append_new(players, event_numbered_person(people, table->entry[seat]));
        json_array_append_new(tables,
                              json_pack("{s:i, s:o, s:o}", "table", (int)number, "started_at",
                                        time_json(table->since_ms), "players", players));
    }
    return tables;
}
