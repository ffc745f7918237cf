/* Crosstables: who met whom, at which tables, and how they came out. */
#include "api/documents.h"
#include "api/duplicate.h"
#include "api/event_people.h"
#include "api/event_refuse.h"
#include "api/handlers.h"
#include "api/stage_asked.h"
#include "engine/tournament/placing.h"

struct crosstable {
    const struct tournament *tournament;
    json_t *meetings;
};

static unsigned seat_of(const struct tournament_table *table, uint16_t entry)
{
    unsigned seat = 0;
    while (table->entry[seat] != entry)
        seat++;
    return seat;
}

static json_t *side_document(const struct crosstable *crosstable,
                             const struct tournament_table *table, uint16_t entry)
{
    unsigned seat = seat_of(table, entry);
    const struct seat_result *result = &table->result.seat[seat];
    json_t *side =
        json_pack("{s:i, s:i}", "number", (int)crosstable->tournament->entrants[entry].number,
                  "seat", (int)seat);
    bool has = table->has_result;
    json_object_set_new(side, "kind",
                        has ? json_string(round_kind_name(result->kind)) : json_null());
    json_object_set_new(side, "rank", has ? json_integer(result->rank) : json_null());
    json_object_set_new(side, "score", has ? json_integer(result->score) : json_null());
    json_object_set_new(side, "forfeited", json_boolean(table->forfeited >> seat & 1));
    json_object_set_new(side, "substituted", json_boolean(table->substituted >> seat & 1));
    return side;
}

static void add_meeting(void *context, uint16_t a, uint16_t b, const struct tournament_table *table)
{
    struct crosstable *crosstable = context;
    json_array_append_new(crosstable->meetings,
                          json_pack("{s:i, s:i, s:o, s:o, s:o}", "round", (int)table->round,
                                    "table", (int)table->table, "game",
                                    table->game[0] == '\0' ? json_null() : json_string(table->game),
                                    "a", side_document(crosstable, table, a), "b",
                                    side_document(crosstable, table, b)));
}

/* Who had no seat in which round, and why. */
static json_t *byes_document(const struct tournament *tournament, const struct stage_asked *asked)
{
    json_t *list = json_array();
    for (size_t i = 0; i < tournament->bye_count; i++) {
        const struct tournament_bye *bye = &tournament->byes[i];
        if (bye->stage != asked->stage || bye->round > asked->rounds)
            continue;
        json_array_append_new(list, json_pack("{s:i, s:i, s:s}", "round", (int)bye->round, "number",
                                              (int)tournament->entrants[bye->entry].number, "kind",
                                              round_kind_name((enum round_kind)bye->kind)));
    }
    return list;
}

/* In the order of the standings of the stage. */
static json_t *players_document(const struct event_people *people, const struct placing *placing,
                                size_t stage)
{
    json_t *list = json_array();
    for (size_t i = 0; i < placing->group_count; i++)
        for (size_t j = 0; placing->groups[i].stage == stage && j < placing->groups[i].count; j++) {
            const struct placing_row *row = &placing->groups[i].rows[j];
            json_t *player = event_numbered_person(people, row->entry);
            json_object_set_new(player, "place",
                                row->place == 0 ? json_null() : json_integer(row->place));
            json_array_append_new(list, player);
        }
    return list;
}

void crosstables_get(struct call *call)
{
    struct loaded_event loaded;
    struct stage_asked asked;
    struct event_people people;
    struct placing placing;
    struct refusal refusal;
    if (!stage_read_asked(call, NULL, &asked) || !event_load_as_of(call, &loaded) ||
        !stage_settle(call, &loaded, &asked) || !event_people_load(call, &loaded, &people))
        return;
    if (!placing_make(loaded.tournament, &loaded.chance, asked.rounds, &placing, &refusal)) {
        event_refuse(call, &refusal);
        return;
    }
    struct crosstable crosstable = {loaded.tournament, json_array()};
    placing_crosstable(loaded.tournament, asked.stage, asked.rounds, add_meeting, &crosstable);
    json_t *players = players_document(&people, &placing, asked.stage);
    placing_free(&placing);
    call_answer_tagged(
        call, json_pack("{s:s, s:i, s:i, s:i, s:o, s:o, s:o}", "event", loaded.event.id.text,
                        "line", (int)loaded.tournament->lines, "stage", (int)asked.stage + 1,
                        "after_round", (int)asked.rounds, "players", players, "meetings",
                        crosstable.meetings, "byes", byes_document(loaded.tournament, &asked)));
}
