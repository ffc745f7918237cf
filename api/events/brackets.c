/* Brackets of eliminations. At tables of two, they use the data model of brackets-viewer, so that
 * any program that draws or reads that model can use them; at larger tables, a similar model. */
#include "api/event/event_load.h"
#include "api/events/handlers.h"
#include "api/request/documents.h"
#include "engine/tournament/formats/knockout/pod_elimination.h"
#include "engine/tournament/pairing/pairing.h"
#include "engine/tournament/pairing/ranking.h"

/* The requested stage, and the players' names. */
struct bracket {
    const struct loaded_event *loaded;
    const struct event_people *people;
    struct stage_query asked;
};

/* ---- Larger tables ---- */

/* The event's table for a table of the bracket, or NULL. */
static const struct tournament_table *find_table(const struct bracket *bracket,
                                                 const struct pod_elimination_table *of)
{
    const struct tournament *tournament = bracket->loaded->tournament;
    unsigned round = tournament->stage[bracket->asked.stage].first_round + of->round - 1U;
    for (size_t i = 0; i < tournament->table_count; i++) {
        const struct tournament_table *table = &tournament->tables[i];
        bool same = table->round >= round && table->stage == bracket->asked.stage &&
                    table->seats == of->seats && table->round <= bracket->asked.rounds;
        for (unsigned seat = 0; same && seat < of->seats; seat++)
            same = tournament_seat_of(table, of->entry[seat]) >= 0;
        if (same)
            return table;
    }
    return NULL;
}

static json_t *seats_document(const struct bracket *bracket, const struct pod_elimination_table *of)
{
    const struct tournament_table *table = find_table(bracket, of);
    json_t *seats = json_array();
    for (unsigned i = 0; i < of->seats; i++) {
        json_t *seat =
            json_pack("{s:i, s:i, s:b}", "id", (int)of->entry[i], "seed", (int)of->seed[i], "on",
                      (int)(of->table == 0 || (of->on >> i & 1) != 0));
        event_add_result(bracket->loaded->tournament, table,
                         table == NULL ? 0 : (unsigned)tournament_seat_of(table, of->entry[i]),
                         seat);
        json_array_append_new(seats, seat);
    }
    return seats;
}

static json_t *pods_document(const struct bracket *bracket, const struct pod_elimination *pods)
{
    json_t *rounds = json_array(), *tables = json_array();
    for (unsigned round = 1; round <= pods->rounds; round++)
        json_array_append_new(rounds, json_pack("{s:i, s:i, s:b}", "id", (int)round - 1, "number",
                                                (int)round, "final",
                                                (int)(pods->final && round == pods->rounds)));
    for (size_t i = 0; i < pods->table_count; i++) {
        const struct pod_elimination_table *table = &pods->tables[i];
        json_array_append_new(tables, json_pack("{s:i, s:i, s:i, s:b, s:o}", "id", (int)i,
                                                "round_id", (int)table->round - 1, "number",
                                                (int)table->table, "decided", (int)table->decided,
                                                "seats", seats_document(bracket, table)));
    }
    return json_pack("{s:o, s:o}", "round", rounds, "table", tables);
}

/* ---- Responses ---- */

static json_t *participants_document(const struct bracket *bracket)
{
    const struct tournament_stage *stage =
        &bracket->loaded->tournament->stage[bracket->asked.stage];
    json_t *list = json_array();
    for (size_t i = 0; i < stage->entry_count; i++)
        json_array_append_new(
            list, json_pack("{s:i, s:i, s:o}", "id", (int)stage->entries[i], "seed", (int)i + 1,
                            "player", event_numbered_person(bracket->people, stage->entries[i])));
    return list;
}

static void answer(struct call *call, const struct bracket *bracket, json_t *document)
{
    const struct tournament *tournament = bracket->loaded->tournament;
    enum tournament_format format = tournament->settings.stage[bracket->asked.stage].format;
    call_answer_tagged(
        call, json_pack("{s:s, s:i, s:i, s:i, s:s, s:o, s:o}", "event",
                        bracket->loaded->event.id.text, "line", (int)tournament->lines, "stage",
                        (int)bracket->asked.stage + 1, "after_round", (int)bracket->asked.rounds,
                        "format", tournament_format_name(format), "participants",
                        participants_document(bracket), "bracket", document));
}

static bool answer_pods(struct call *call, const struct bracket *bracket)
{
    struct pod_elimination pods;
    struct refusal refusal;
    if (!pairing_pod_bracket(bracket->loaded->tournament, bracket->asked.stage,
                             bracket->asked.rounds, &pods, &refusal))
        return event_refuse(call, &refusal);
    answer(call, bracket, pods_document(bracket, &pods));
    pod_elimination_free(&pods);
    return true;
}

static bool answer_matches(struct call *call, const struct bracket *bracket)
{
    struct refusal refusal;
    json_t *view;
    if (!pairing_bracket_view(bracket->loaded->tournament, bracket->asked.stage,
                              bracket->asked.rounds, bracket->people->name, &view, &refusal))
        return event_refuse(call, &refusal);
    answer(call, bracket, view);
    return true;
}

void brackets_get(struct call *call)
{
    struct loaded_event loaded;
    struct event_people people;
    struct bracket bracket = {&loaded, &people, {.stage = 0}};
    if (!stage_read_query(call, NULL, &bracket.asked) || !event_load_as_of(call, &loaded) ||
        !stage_settle(call, &loaded, &bracket.asked))
        return;
    if (loaded.tournament->stages == 0) {
        call_problem(call, "wrong-state", "There is no bracket before its stage has begun.");
        return;
    }
    if (!event_people_load(call, &loaded, &people))
        return;
    if (loaded.tournament->settings.stage[bracket.asked.stage].format == FORMAT_POD_ELIMINATION)
        answer_pods(call, &bracket);
    else
        answer_matches(call, &bracket);
}

/* ---- Crosstables ---- */

/* All meetings of two players, with their tables and results. */
struct crosstable {
    const struct tournament *tournament;
    json_t *meetings;
};

static json_t *side_document(const struct crosstable *crosstable,
                             const struct tournament_table *table, uint16_t entry)
{
    unsigned seat = (unsigned)tournament_seat_of(table, entry);
    json_t *side =
        json_pack("{s:i, s:i}", "number", (int)crosstable->tournament->entrants[entry].number,
                  "seat", (int)seat);
    event_add_result(crosstable->tournament, table, seat, side);
    json_object_set_new(side, "forfeited", json_boolean(table->forfeited >> seat & 1));
    json_object_set_new(side, "substituted", json_boolean(table->substituted >> seat & 1));
    return side;
}

static void add_meeting(void *context, uint16_t a, uint16_t b, const struct tournament_table *table)
{
    struct crosstable *crosstable = context;
    json_array_append_new(crosstable->meetings,
                          json_pack("{s:i, s:i, s:o, s:o, s:o}", "round", (int)table->round,
                                    "table", (int)table->table, "game", text_or_null(table->game),
                                    "a", side_document(crosstable, table, a), "b",
                                    side_document(crosstable, table, b)));
}

/* The entries without a seat, by round, with the reason. */
static json_t *byes_document(const struct tournament *tournament, const struct stage_query *asked)
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

/* The players in the order of the stage's standings. */
static json_t *players_document(const struct event_people *people, const struct ranking *ranking,
                                size_t stage)
{
    json_t *list = json_array();
    for (size_t i = 0; i < ranking->group_count; i++)
        for (size_t j = 0; ranking->groups[i].stage == stage && j < ranking->groups[i].count; j++) {
            const struct ranking_row *row = &ranking->groups[i].rows[j];
            json_t *player = event_numbered_person(people, row->entry);
            json_object_set_new(player, "place", number_or_null(row->place));
            json_array_append_new(list, player);
        }
    return list;
}

void crosstables_get(struct call *call)
{
    struct loaded_event loaded;
    struct stage_query asked;
    struct event_people people;
    struct ranking ranking;
    struct refusal refusal;
    if (!stage_read_query(call, NULL, &asked) || !event_load_as_of(call, &loaded) ||
        !stage_settle(call, &loaded, &asked) || !event_people_load(call, &loaded, &people))
        return;
    if (!ranking_make(loaded.tournament, &loaded.chance, asked.rounds, &ranking, &refusal)) {
        event_refuse(call, &refusal);
        return;
    }
    struct crosstable crosstable = {loaded.tournament, json_array()};
    ranking_crosstable(loaded.tournament, asked.stage, asked.rounds, add_meeting, &crosstable);
    json_t *players = players_document(&people, &ranking, asked.stage);
    ranking_free(&ranking);
    call_answer_tagged(
        call, json_pack("{s:s, s:i, s:i, s:i, s:o, s:o, s:o}", "event", loaded.event.id.text,
                        "line", (int)loaded.tournament->lines, "stage", (int)asked.stage + 1,
                        "after_round", (int)asked.rounds, "players", players, "meetings",
                        crosstable.meetings, "byes", byes_document(loaded.tournament, &asked)));
}
