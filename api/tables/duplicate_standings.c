#include "api/tables/duplicate_standings.h"

#include <string.h>

#include "api/request/documents.h"

bool duplicate_is(const struct event *event)
{
    return strcmp(event->format, "duplicate") == 0;
}

/* ---- Results ---- */

uint16_t duplicate_entry(const struct duplicate_event *duplicate, uint16_t index)
{
    return tournament_entry_numbered(duplicate->loaded->tournament, (uint16_t)(index + 1));
}

bool duplicate_load(struct call *call, const struct loaded_event *loaded, unsigned rounds,
                    struct duplicate_event *duplicate)
{
    struct refusal refusal;
    *duplicate = (struct duplicate_event){.loaded = loaded};
    if (!event_people_load(call, loaded, &duplicate->people))
        return false;
    return duplicate_ranking_make(loaded->tournament, &loaded->chance, rounds, &duplicate->ranking,
                                  &refusal) ||
           event_refuse(call, &refusal);
}

void duplicate_free(struct duplicate_event *duplicate)
{
    duplicate_ranking_free(&duplicate->ranking);
}

json_t *duplicate_percent(struct share share)
{
    return rational_document(100 * (int64_t)share.own, share.total);
}

/* ---- Standings ---- */

/* Standings contain only opened results. */

static enum duplicate_criterion criterion_at(const struct tournament *tournament, size_t position)
{
    return duplicate_chain(duplicate_ranking_scoring(tournament), position);
}

static json_t *chain_document(const struct tournament *tournament)
{
    json_t *chain = json_array();
    for (size_t i = 0; i < DUPLICATE_CHAIN; i++) {
        const struct duplicate_text *text = duplicate_describe(criterion_at(tournament, i));
        json_array_append_new(chain, json_pack("{s:s, s:s, s:s}", "code", text->code, "name",
                                               text->name, "definition", text->definition));
    }
    return chain;
}

static json_t *values_document(const struct tournament *tournament,
                               const struct duplicate_standing *row)
{
    json_t *values = json_array();
    for (size_t i = 0; i < DUPLICATE_CHAIN; i++) {
        json_t *value = rational_document(row->value[i].numerator, row->value[i].denominator);
        json_object_set_new(value, "code",
                            json_string(duplicate_describe(criterion_at(tournament, i))->code));
        json_object_set_new(value, "used", json_boolean(row->value[i].used));
        json_object_set_new(value, "operands", json_array());
        json_array_append_new(values, value);
    }
    return values;
}

/* A board that the entry has played. */
static json_t *strip_document(const struct duplicate_event *duplicate, size_t i)
{
    const struct duplicate_result *result = &duplicate->ranking.results[i];
    const struct tournament_table *table = duplicate->ranking.tables[i];
    return json_pack("{s:i, s:i, s:s, s:s, s:o, s:i, s:i, s:i, s:i, s:i, s:b, s:b}", "round",
                     (int)result->round, "board", (int)result->board, "kind",
                     round_kind_name(table->result.seat[result->seat].kind), "game", table->game,
                     "points", duplicate_percent(duplicate->ranking.standings.marks[i].share),
                     "table", (int)table->table, "seat", (int)result->seat, "seats",
                     (int)table->seats, "rank", (int)table->result.seat[result->seat].rank, "score",
                     (int)result->score, "forfeited", table->forfeited >> result->seat & 1,
                     "substituted", table->substituted >> result->seat & 1);
}

/* An array with one array per entry: its boards by table number, which is the order of rounds and
 * boards. */
static json_t *strips_by_entry(const struct duplicate_event *duplicate)
{
    json_t *strips = json_array();
    for (size_t i = 0; i < duplicate->loaded->tournament->numbered; i++)
        json_array_append_new(strips, json_array());
    for (size_t i = 0; i < duplicate->ranking.count; i++)
        json_array_append_new(json_array_get(strips, duplicate->ranking.results[i].entry),
                              strip_document(duplicate, i));
    return strips;
}

static json_t *row_document(const struct duplicate_event *duplicate,
                            const struct duplicate_standing *row, unsigned shared, json_t *strip)
{
    const struct tournament *tournament = duplicate->loaded->tournament;
    uint16_t entry = duplicate_entry(duplicate, row->entry);
    const struct entrant *entrant = &tournament->entrants[entry];
    return json_pack(
        "{s:i, s:i, s:n, s:o, s:i, s:b, s:b, s:b, s:o, s:i, s:i, s:O, s:o}", "rank", (int)row->rank,
        "shared", (int)shared, "division", "player", event_person(&duplicate->people, entry),
        "number", (int)entrant->number, "dropped", (int)tournament_has_dropped(entrant), "went_on",
        0, "annulled", 0, "points",
        rational_document(row->value[0].numerator, row->value[0].denominator), "played",
        (int)row->played, "unplayed", (int)duplicate->ranking.boards - (int)row->played, "rounds",
        strip, "tie_breaks", values_document(tournament, row));
}

static unsigned count_shared(const struct duplicate_standings *standings, unsigned rank)
{
    unsigned shared = 0;
    for (size_t i = 0; i < standings->count; i++)
        shared += standings->rows[i].rank == rank;
    return shared;
}

/* `only`: the player whose row is requested; "" = all. */
static bool is_wanted(const struct duplicate_event *duplicate, const struct duplicate_standing *row,
                      const struct id *only)
{
    uint16_t entry = duplicate_entry(duplicate, row->entry);
    return only->text[0] == '\0' ||
           strcmp(duplicate->loaded->tournament->entrants[entry].player, only->text) == 0;
}

static json_t *rows_document(const struct duplicate_event *duplicate, const struct id *only)
{
    json_t *rows = json_array();
    json_t *strips = strips_by_entry(duplicate);
    for (size_t i = 0; i < duplicate->ranking.standings.count; i++) {
        const struct duplicate_standing *row = &duplicate->ranking.standings.rows[i];
        if (!is_wanted(duplicate, row, only))
            continue;
        json_array_append_new(rows,
                              row_document(duplicate, row,
                                           count_shared(&duplicate->ranking.standings, row->rank),
                                           json_array_get(strips, row->entry)));
    }
    json_decref(strips);
    return rows;
}

static json_t *places_document(const struct duplicate_event *duplicate, const struct id *only)
{
    json_t *places = json_array();
    for (size_t i = 0; i < duplicate->ranking.standings.count; i++) {
        const struct duplicate_standing *row = &duplicate->ranking.standings.rows[i];
        uint16_t entry = duplicate_entry(duplicate, row->entry);
        if (!is_wanted(duplicate, row, only))
            continue;
        json_array_append_new(
            places, json_pack("{s:i, s:i, s:o, s:i, s:i, s:n}", "place", (int)row->rank, "shared",
                              (int)count_shared(&duplicate->ranking.standings, row->rank), "player",
                              event_person(&duplicate->people, entry), "number",
                              (int)row->entry + 1, "stage", 1, "division"));
    }
    return places;
}

void duplicate_answer_standings(struct call *call, const struct loaded_event *loaded,
                                unsigned rounds, const struct id *only)
{
    const struct tournament *tournament = loaded->tournament;
    struct duplicate_event duplicate;
    if (!duplicate_load(call, loaded, rounds, &duplicate))
        return;
    call_answer_tagged(
        call,
        json_pack("{s:s, s:i, s:i, s:i, s:s, s:s, s:i, s:s, s:i, s:i, s:o, s:o, s:o}", "event",
                  loaded->event.id.text, "line", (int)tournament->lines, "stage", 1, "stages", 1,
                  "format", "duplicate", "kind", "points", "after_round", (int)rounds, "state",
                  tournament->phase == PHASE_CLOSED ? "final" : "provisional", "reported", 0,
                  "recorded", 0, "chain", chain_document(tournament), "rows",
                  rows_document(&duplicate, only), "places", places_document(&duplicate, only)));
    duplicate_free(&duplicate);
}
