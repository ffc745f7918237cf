/* Standings, computed from the event's log for each request, so all pages and clients see the same,
 * for the current or any earlier state. */
#include <stdlib.h>
#include <string.h>

#include "api/base/json_text.h"
#include "api/event/event_load.h"
#include "api/request/documents.h"
#include "api/tables/duplicate_standings.h"
#include "api/tables/handlers.h"
#include "engine/tournament/pairing/ranking.h"

/* ---- The request ---- */

struct asked {
    struct stage_query of;
    struct id player; /* the only player whose row is requested; "" = all */
    bool operands;
};

static bool read_asked(struct call *call, struct asked *asked)
{
    static const char *const further[] = {"operands", "player", NULL};
    struct span operands = http_parameter(call->request, "operands");
    struct span player = http_parameter(call->request, "player");
    *asked = (struct asked){.operands = operands.at == NULL};
    if (operands.at != NULL && !span_is(operands, "none"))
        return call_problem(
            call, "bad-parameter",
            "operands takes only `none`, which leaves out the operands of tie-breaks.");
    if (player.at != NULL && !id_parse(player, &asked->player))
        return call_problem(call, "bad-parameter", "player is the id of one player.");
    return stage_read_query(call, further, &asked->of);
}

/* ---- Rows, written directly as text: a thousand entries take megabytes ---- */

/* A player's result at a table, or in a round without one. */
struct strip {
    uint32_t result; /* index */
    uint8_t seat;
};

struct writing {
    const struct tournament *tournament;
    const struct ranking_group *group;
    const struct table_result *results; /* of the group */
    size_t result_count;
    struct strip *strips; /* strips[first[e] .. first[e + 1]) belong to entry e */
    uint32_t *first;
    struct span *player;   /* by entry: the JSON object with id and name */
    const struct id *only; /* the only player whose row is written; "" = all */
    bool has_house;        /* rows mark house players, and give places among people */
    bool operands;
    struct json_text json;
};

/* Opens the object of a rational; the caller may add members, and closes it. */
static void open_rational(struct json_text *json, const char *key, int64_t numerator,
                          int64_t denominator)
{
    struct rational rational = rational_show(numerator, denominator);
    json_text_open(json, key, '{');
    json_text_number(json, "numerator", rational.numerator);
    json_text_number(json, "denominator", rational.denominator);
    json_text_string(json, "text", rational.text);
}

static void write_points(struct json_text *json, int64_t points)
{
    open_rational(json, "points", points, POINTS_PER_POINT);
    json_text_close(json, '}');
}

/* Writes null for 0. */
static void write_counted(struct json_text *json, const char *key, unsigned number)
{
    if (number == 0)
        json_text_null(json, key);
    else
        json_text_number(json, key, number);
}

/* Prepares the players' JSON objects, each of which is written many times. */
static void name_players(struct arena *arena, const struct event_people *people,
                         struct writing *writing)
{
    enum { PLAYER_BYTES = 256 };
    const struct tournament *tournament = writing->tournament;
    writing->player = arena_array(arena, tournament->entrant_count, sizeof *writing->player);
    for (size_t i = 0; i < tournament->entrant_count; i++) {
        struct json_text json;
        json_text_begin(&json, arena, PLAYER_BYTES);
        json_text_open(&json, NULL, '{');
        json_text_string(&json, "id", tournament->entrants[i].player);
        json_text_string(&json, "name", people->name[i]);
        json_text_close(&json, '}');
        writing->player[i] = json_text_span(&json);
    }
}

/* ---- Strips ---- */

static int compare_results(const void *left, const void *right, void *context)
{
    const struct writing *writing = context;
    const struct table_result *a = &writing->results[*(const uint32_t *)left];
    const struct table_result *b = &writing->results[*(const uint32_t *)right];
    if (a->round != b->round)
        return a->round < b->round ? -1 : 1;
    return (a->table > b->table) - (a->table < b->table);
}

static uint32_t *sort_results(struct arena *arena, struct writing *writing)
{
    uint32_t *order = arena_array(arena, writing->result_count, sizeof *order);
    for (size_t i = 0; i < writing->result_count; i++)
        order[i] = (uint32_t)i;
    qsort_r(order, writing->result_count, sizeof *order, compare_results, writing);
    return order;
}

/* Sorts all results by entry, and within an entry by rounds and tables. */
static void find_strips(struct arena *arena, struct writing *writing)
{
    size_t entrants = writing->tournament->entrant_count, total = 0;
    uint32_t *order = sort_results(arena, writing);
    writing->first = arena_array(arena, entrants + 2, sizeof *writing->first);
    for (size_t i = 0; i < writing->result_count; i++)
        for (unsigned seat = 0; seat < writing->results[i].seats; seat++, total++)
            writing->first[writing->results[i].seat[seat].entry + 2]++;
    for (size_t entry = 2; entry < entrants + 2; entry++)
        writing->first[entry] += writing->first[entry - 1];
    writing->strips = arena_array(arena, total, sizeof *writing->strips);
    for (size_t i = 0; i < writing->result_count; i++) {
        const struct table_result *result = &writing->results[order[i]];
        for (unsigned seat = 0; seat < result->seats; seat++)
            writing->strips[writing->first[result->seat[seat].entry + 1]++] =
                (struct strip){order[i], (uint8_t)seat};
    }
}

static void write_game(struct writing *writing, const struct tournament_table *table)
{
    if (table == NULL || table->game[0] == '\0')
        json_text_null(&writing->json, "game");
    else
        json_text_string(&writing->json, "game", table->game);
}

static unsigned count_shared(const struct table_result *result, unsigned seat)
{
    unsigned sharing = 0;
    for (unsigned other = 0; other < result->seats; other++)
        sharing += result->seat[other].rank == result->seat[seat].rank;
    return sharing;
}

static void write_strip(struct writing *writing, struct strip strip)
{
    struct json_text *json = &writing->json;
    const struct table_result *result = &writing->results[strip.result];
    const struct seat_result *seat = &result->seat[strip.seat];
    const struct tournament_table *table =
        tournament_table(writing->tournament, result->round, result->table);
    json_text_open(json, NULL, '{');
    json_text_number(json, "round", result->round);
    json_text_string(json, "kind", round_kind_name(seat->kind));
    write_game(writing, table);
    if (writing->group->scoring != NULL)
        write_points(json, scoring_points(writing->group->scoring, result, strip.seat));
    if (result->table > 0) {
        json_text_number(json, "table", result->table);
        json_text_number(json, "seat", strip.seat);
        json_text_number(json, "seats", result->seats);
    }
    if (table != NULL && tournament_has_place(table, strip.seat)) {
        json_text_number(json, "rank", seat->rank);
        json_text_number(json, "shared", count_shared(result, strip.seat));
    }
    if (table != NULL && tournament_has_score(writing->tournament, table, strip.seat))
        json_text_number(json, "score", seat->score);
    if (table != NULL) {
        json_text_boolean(json, "forfeited", (table->forfeited >> strip.seat & 1) != 0);
        json_text_boolean(json, "substituted", (table->substituted >> strip.seat & 1) != 0);
    }
    json_text_close(json, '}');
}

static void write_strips(struct writing *writing, uint16_t entry)
{
    json_text_open(&writing->json, "rounds", '[');
    for (uint32_t i = writing->first[entry]; i < writing->first[entry + 1]; i++)
        write_strip(writing, writing->strips[i]);
    json_text_close(&writing->json, ']');
}

static unsigned count_played(const struct writing *writing, uint16_t entry)
{
    unsigned played = 0;
    for (uint32_t i = writing->first[entry]; i < writing->first[entry + 1]; i++) {
        struct strip strip = writing->strips[i];
        played += round_kind_is_played(writing->results[strip.result].seat[strip.seat].kind);
    }
    return played;
}

/* ---- Tie-breaks ---- */

static void write_code(struct json_text *json, const struct tie_break_rule *rule)
{
    char code[TIE_BREAK_CODE_MAX];
    struct text text = TEXT_OVER(code);
    tie_break_write(rule, &text);
    json_text_string(json, "code", code);
}

static void write_operand(struct writing *writing, const struct tie_break_operand *operand)
{
    struct json_text *json = &writing->json;
    json_text_open(json, NULL, '{');
    json_text_number(json, "round", operand->round);
    json_text_number(json, "table", operand->table);
    json_text_value(json, "player", writing->player[operand->entry]);
    json_text_boolean(json, "cut", operand->cut);
    open_rational(json, "value", operand->numerator, operand->denominator);
    json_text_close(json, '}');
    json_text_close(json, '}');
}

static void write_operands(struct writing *writing, const struct ranking_row *row, size_t position)
{
    struct tie_break_operand operands[STANDINGS_OPERANDS_MAX];
    size_t count =
        writing->operands ? ranking_operands(writing->group, row, position, operands) : 0;
    json_text_open(&writing->json, "operands", '[');
    for (size_t i = 0; i < count; i++)
        write_operand(writing, &operands[i]);
    json_text_close(&writing->json, ']');
}

static void write_tie_breaks(struct writing *writing, const struct ranking_row *row)
{
    struct json_text *json = &writing->json;
    const struct ranking_group *group = writing->group;
    const struct standing *standing =
        group->kind == RANKING_POINTS ? &group->standings.rows[row->standing] : NULL;
    json_text_open(json, "tie_breaks", '[');
    for (size_t i = 0; standing != NULL && i < group->chain_count; i++) {
        open_rational(json, NULL, standing->value[i].numerator, standing->value[i].denominator);
        write_code(json, &group->chain[i]);
        json_text_boolean(json, "used", standing->value[i].used);
        write_operands(writing, row, i);
        json_text_close(json, '}');
    }
    json_text_close(json, ']');
}

static void write_chain(struct json_text *json, const struct ranking_group *group)
{
    json_text_open(json, "chain", '[');
    for (size_t i = 0; group->kind == RANKING_POINTS && i < group->chain_count; i++) {
        char name[TIE_BREAK_DEFINITION_MAX];
        char definition[TIE_BREAK_DEFINITION_MAX];
        struct text name_text = TEXT_OVER(name);
        struct text definition_text = TEXT_OVER(definition);
        tie_break_name(&group->chain[i], &name_text);
        tie_break_define(&group->chain[i], &definition_text);
        json_text_open(json, NULL, '{');
        write_code(json, &group->chain[i]);
        json_text_string(json, "name", name);
        json_text_string(json, "definition", definition);
        json_text_close(json, '}');
    }
    json_text_close(json, ']');
}

/* ---- Rows ---- */

static bool is_wanted(const struct writing *writing, uint16_t entry)
{
    const char *only = writing->only->text;
    return only[0] == '\0' || strcmp(writing->tournament->entrants[entry].player, only) == 0;
}

/* Places among people, which do not count house players. */
struct people_places {
    unsigned place; /* the current place */
    unsigned before, people;
};

/* The place among people for the next row. 0 for house players, and for rows without a place. */
static unsigned next_people_place(struct people_places *places, unsigned place, bool house)
{
    if (place != places->place)
        places->before = places->people;
    places->place = place;
    places->people += !house;
    return house || place == 0 ? 0 : places->before + 1;
}

static void write_house(struct writing *writing, const struct entrant *entrant, const char *key,
                        unsigned people_place)
{
    struct json_text *json = &writing->json;
    if (!writing->has_house)
        return;
    write_counted(json, key, people_place);
    if (entrant->house == HOUSE_NONE) {
        json_text_null(json, "house");
        return;
    }
    json_text_open(json, "house", '{');
    json_text_string(json, "level", house_choice_name((enum house_choice)entrant->house));
    json_text_close(json, '}');
}

static void write_row(struct writing *writing, const struct ranking_row *row, unsigned people_rank)
{
    struct json_text *json = &writing->json;
    const struct ranking_group *group = writing->group;
    const struct entrant *entrant = &writing->tournament->entrants[row->entry];
    unsigned played = count_played(writing, row->entry);
    unsigned rounds = writing->first[row->entry + 1] - writing->first[row->entry];
    json_text_open(json, NULL, '{');
    write_counted(json, "rank", row->place);
    json_text_number(json, "shared", row->shared);
    write_counted(json, "division", group->division);
    json_text_value(json, "player", writing->player[row->entry]);
    write_house(writing, entrant, "people_rank", people_rank);
    json_text_number(json, "number", entrant->number);
    json_text_boolean(json, "dropped", tournament_has_dropped(entrant));
    json_text_boolean(json, "went_on", row->on);
    json_text_boolean(json, "annulled", row->annulled);
    if (group->scoring != NULL)
        write_points(json, row->points);
    else
        json_text_null(json, "points");
    json_text_number(json, "played", played);
    json_text_number(json, "unplayed", rounds - played);
    write_strips(writing, row->entry);
    write_tie_breaks(writing, row);
    json_text_close(json, '}');
}

/* Sets the results of the group: those that its standings are computed from, or all of its stage.
 * False with a problem. */
static bool take_results(struct call *call, struct writing *writing, unsigned rounds,
                         struct table_result **own)
{
    const struct ranking_group *group = writing->group;
    *own = NULL;
    writing->results = group->results;
    writing->result_count = group->result_count;
    if (group->kind == RANKING_POINTS)
        return true;
    *own = tournament_results(writing->tournament, group->stage, group->stage, rounds,
                              &writing->result_count);
    writing->results = *own;
    return *own != NULL || call_problem(call, "unavailable",
                                        "There is not enough memory for this; try again soon.");
}

static bool write_group(struct call *call, struct writing *writing, unsigned rounds)
{
    struct table_result *own;
    if (!take_results(call, writing, rounds, &own))
        return false;
    find_strips(call->arena, writing);
    struct people_places places = {.place = 0};
    for (size_t i = 0; i < writing->group->count; i++) {
        const struct ranking_row *row = &writing->group->rows[i];
        bool house = writing->tournament->entrants[row->entry].house != HOUSE_NONE;
        unsigned people_rank = next_people_place(&places, row->place, house);
        if (is_wanted(writing, row->entry))
            write_row(writing, row, people_rank);
    }
    free(own);
    return true;
}

/* ---- The document ---- */

/* Writes each player's place in the whole event. */
static void write_places(struct writing *writing, const struct ranking *ranking)
{
    struct json_text *json = &writing->json;
    struct people_places places = {.place = 0};
    json_text_open(json, "places", '[');
    for (size_t i = 0; i < ranking->place_count; i++) {
        const struct ranking_place *place = &ranking->places[i];
        const struct ranking_group *group = &ranking->groups[place->group];
        const struct entrant *entrant = &writing->tournament->entrants[place->entry];
        unsigned people_place =
            next_people_place(&places, place->place, entrant->house != HOUSE_NONE);
        if (!is_wanted(writing, place->entry))
            continue;
        json_text_open(json, NULL, '{');
        write_counted(json, "place", place->place);
        json_text_number(json, "shared", place->shared);
        json_text_value(json, "player", writing->player[place->entry]);
        write_house(writing, entrant, "people_place", people_place);
        json_text_number(json, "number", entrant->number);
        json_text_number(json, "stage", group->stage + 1);
        write_counted(json, "division", group->division);
        json_text_close(json, '}');
    }
    json_text_close(json, ']');
}

static const char *kind_name(enum ranking_kind kind)
{
    static const char *const names[] = {[RANKING_POINTS] = "points",
                                        [RANKING_BRACKET] = "bracket",
                                        [RANKING_LADDER] = "ladder",
                                        [RANKING_OPEN_PLAY] = "open_play"};
    return names[kind];
}

/* Counts the stage's tables whose reported result counts, with or without a scorer's record. */
static unsigned count_reported(const struct tournament *tournament, size_t stage, unsigned rounds,
                               bool recorded)
{
    unsigned count = 0;
    for (size_t i = 0; i < tournament->table_count; i++) {
        const struct tournament_table *table = &tournament->tables[i];
        count += table->stage == stage && table->round <= rounds && table->reported &&
                 !table->ruled && tournament_is_recorded(tournament, table) == recorded;
    }
    return count;
}

static void write_head(struct writing *writing, const struct loaded_event *loaded,
                       const struct ranking *ranking, unsigned rounds)
{
    struct json_text *json = &writing->json;
    const struct tournament *tournament = loaded->tournament;
    const struct ranking_group *group = writing->group;
    unsigned stages = ranking->groups[ranking->group_count - 1].stage + 1U;
    json_text_string(json, "event", loaded->event.id.text);
    json_text_number(json, "line", tournament->lines);
    json_text_number(json, "stage", group->stage + 1);
    json_text_number(json, "stages", stages);
    json_text_string(json, "format",
                     tournament_format_name(tournament->settings.stage[group->stage].format));
    json_text_string(json, "kind", kind_name(group->kind));
    json_text_number(json, "after_round", rounds);
    json_text_string(json, "state", tournament->phase == PHASE_CLOSED ? "final" : "provisional");
    json_text_number(json, "reported", count_reported(tournament, group->stage, rounds, false));
    json_text_number(json, "recorded", count_reported(tournament, group->stage, rounds, true));
    write_chain(json, group);
}

/* The first group of the stage, or of the last stage that had begun by then. */
static const struct ranking_group *find_group(const struct ranking *ranking, size_t stage)
{
    size_t last = ranking->groups[ranking->group_count - 1].stage, i = 0;
    size_t wanted = stage < last ? stage : last;
    while (ranking->groups[i].stage != wanted)
        i++;
    return &ranking->groups[i];
}

static bool write_document(struct call *call, const struct loaded_event *loaded,
                           const struct ranking *ranking, const struct asked *asked,
                           struct writing *writing)
{
    struct json_text *json = &writing->json;
    writing->group = find_group(ranking, asked->of.stage);
    size_t stage = writing->group->stage;
    json_text_open(json, NULL, '{');
    write_head(writing, loaded, ranking, asked->of.rounds);
    json_text_open(json, "rows", '[');
    for (size_t i = 0; i < ranking->group_count; i++) {
        writing->group = &ranking->groups[i];
        if (writing->group->stage == stage && !write_group(call, writing, asked->of.rounds))
            return false;
    }
    json_text_close(json, ']');
    write_places(writing, ranking);
    json_text_close(json, '}');
    return true;
}

static bool has_house(const struct tournament *tournament)
{
    for (size_t i = 0; i < tournament->entrant_count; i++)
        if (tournament->entrants[i].house != HOUSE_NONE)
            return true;
    return false;
}

static void answer_standings(struct call *call, const struct loaded_event *loaded,
                             const struct asked *asked)
{
    enum { ROW_BYTES = 2048 };
    const struct tournament *tournament = loaded->tournament;
    struct writing writing = {.tournament = tournament,
                              .only = &asked->player,
                              .has_house = has_house(tournament),
                              .operands = asked->operands};
    struct event_people people;
    struct ranking ranking;
    struct refusal refusal;
    if (!event_people_load(call, loaded, &people))
        return;
    if (!ranking_make(tournament, &loaded->chance, asked->of.rounds, &ranking, &refusal)) {
        event_refuse(call, &refusal);
        return;
    }
    json_text_begin(&writing.json, call->arena, (1 + tournament->numbered) * ROW_BYTES);
    name_players(call->arena, &people, &writing);
    if (write_document(call, loaded, &ranking, asked, &writing))
        call_answer_body(call, "application/json", json_text_span(&writing.json));
    ranking_free(&ranking);
}

void standings_get(struct call *call)
{
    struct loaded_event loaded;
    struct asked asked;
    if (!read_asked(call, &asked) || !event_load_as_of(call, &loaded))
        return;
    if (loaded.tournament->phase < PHASE_ENTRIES_CLOSED)
        call_problem(call, "wrong-state", "There are no standings before entries are closed.");
    else if (!stage_settle(call, &loaded, &asked.of))
        return;
    else if (duplicate_is(&loaded.event))
        duplicate_answer_standings(call, &loaded, asked.of.rounds, &asked.player);
    else
        answer_standings(call, &loaded, &asked);
}
