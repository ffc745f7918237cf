/* Standings: computed from the results each time they are asked for, so every page and every caller
 * sees the same. */
#include <string.h>

#include "api/documents.h"
#include "api/duplicate.h"
#include "api/event_steps.h"
#include "api/handlers.h"
#include "api/json_text.h"
#include "api/tournament.h"

/* ---- Rows, straight into text: of a thousand entries there are megabytes ---- */

struct writing {
    const struct tournament *tournament;
    const struct standings *standings;
    unsigned rounds;
    uint32_t *strip;     /* by entry and round: 1 + index of the result, 0 for none */
    struct span *player; /* by entry: the object that names him */
    struct json_text json;
};

/* The object of a rational, to which the caller may add and which he closes. */
static void open_rational(struct json_text *json, const char *key, int64_t numerator,
                          int64_t denominator)
{
    struct rational rational = rational_show(numerator, denominator);
    json_text_open(json, key, '{');
    json_text_number(json, "numerator", rational.numerator);
    json_text_number(json, "denominator", rational.denominator);
    json_text_string(json, "text", rational.text);
}

/* Every player is named many times. */
static void find_players(struct arena *arena, struct writing *writing)
{
    enum { PLAYER_BYTES = 256 };
    const struct tournament *tournament = writing->tournament;
    writing->player = arena_array(arena, tournament->entry_count, sizeof *writing->player);
    for (size_t i = 0; i < tournament->entry_count; i++) {
        struct json_text json;
        json_text_begin(&json, arena, PLAYER_BYTES);
        json_text_open(&json, NULL, '{');
        json_text_string(&json, "id", tournament->entries[i].player.text);
        json_text_string(&json, "name", tournament->entries[i].player_name);
        json_text_close(&json, '}');
        writing->player[i] = json_text_span(&json);
    }
}

static unsigned seat_of(const struct table_result *result, uint16_t entry)
{
    unsigned seat = 0;
    while (result->seat[seat].entry != entry)
        seat++;
    return seat;
}

/* What an entry did in one round. */
static void write_round(struct writing *writing, size_t index, uint16_t entry)
{
    static const char *const kinds[ROUND_KINDS] = {"played",       "adjudicated", "forfeit_win",
                                                   "forfeit_loss", "pairing_bye", "full_bye",
                                                   "half_bye",     "zero_bye",    "absent"};
    struct json_text *json = &writing->json;
    const struct table_result *result = &writing->tournament->results[index];
    const struct game_row *game = writing->tournament->result_games[index];
    unsigned seat = seat_of(result, entry);
    json_text_open(json, NULL, '{');
    json_text_number(json, "round", result->round);
    json_text_string(json, "kind", kinds[result->seat[seat].kind]);
    if (game == NULL)
        json_text_null(json, "game");
    else
        json_text_string(json, "game", game->id.text);
    open_rational(json, "points", scoring_points(&scoring_default, result, seat), POINTS_PER_POINT);
    json_text_close(json, '}');
    if (result->table > 0) {
        json_text_number(json, "table", result->table);
        json_text_number(json, "seat", seat);
        json_text_number(json, "seats", result->seats);
        json_text_number(json, "rank", result->seat[seat].rank);
        json_text_number(json, "score", result->seat[seat].score);
    }
    json_text_close(json, '}');
}

static void write_rounds(struct writing *writing, uint16_t entry)
{
    const uint32_t *strip = &writing->strip[(size_t)entry * writing->rounds];
    json_text_open(&writing->json, "rounds", '[');
    for (unsigned i = 0; i < writing->rounds; i++)
        if (strip[i] > 0)
            write_round(writing, strip[i] - 1, entry);
    json_text_close(&writing->json, ']');
}

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

static void write_operands(struct writing *writing, size_t position, uint16_t entry)
{
    struct tie_break_operand operands[STANDINGS_OPERANDS_MAX];
    size_t count = standings_operands(writing->standings, position, entry, operands);
    json_text_open(&writing->json, "operands", '[');
    for (size_t i = 0; i < count; i++)
        write_operand(writing, &operands[i]);
    json_text_close(&writing->json, ']');
}

static void write_tie_breaks(struct writing *writing, const struct standing *row)
{
    struct json_text *json = &writing->json;
    json_text_open(json, "tie_breaks", '[');
    for (size_t i = 0; i < tie_break_pods_count; i++) {
        open_rational(json, NULL, row->value[i].numerator, row->value[i].denominator);
        write_code(json, &tie_break_pods[i]);
        json_text_boolean(json, "used", row->value[i].used);
        write_operands(writing, i, row->entry);
        json_text_close(json, '}');
    }
    json_text_close(json, ']');
}

static void write_row(struct writing *writing, const struct standing *row)
{
    struct json_text *json = &writing->json;
    const struct event_entry *entry = &writing->tournament->entries[row->entry];
    json_text_open(json, NULL, '{');
    json_text_number(json, "rank", row->rank);
    json_text_value(json, "player", writing->player[row->entry]);
    json_text_number(json, "number", entry->number);
    json_text_boolean(json, "dropped", entry->dropped);
    open_rational(json, "points", row->points, POINTS_PER_POINT);
    json_text_close(json, '}');
    json_text_number(json, "played", row->played);
    json_text_number(json, "unplayed", row->unplayed);
    write_rounds(writing, row->entry);
    write_tie_breaks(writing, row);
    json_text_close(json, '}');
}

static void write_chain(struct json_text *json)
{
    json_text_open(json, "chain", '[');
    for (size_t i = 0; i < tie_break_pods_count; i++) {
        char name[TIE_BREAK_DEFINITION_MAX];
        char definition[TIE_BREAK_DEFINITION_MAX];
        struct text name_text = TEXT_OVER(name);
        struct text definition_text = TEXT_OVER(definition);
        tie_break_name(&tie_break_pods[i], &name_text);
        tie_break_define(&tie_break_pods[i], &definition_text);
        json_text_open(json, NULL, '{');
        write_code(json, &tie_break_pods[i]);
        json_text_string(json, "name", name);
        json_text_string(json, "definition", definition);
        json_text_close(json, '}');
    }
    json_text_close(json, ']');
}

/* Notes where each entry's result of each round stands. */
static void find_strips(struct arena *arena, struct writing *writing)
{
    const struct tournament *tournament = writing->tournament;
    unsigned rounds = writing->rounds;
    writing->strip = arena_array(arena, tournament->entry_count * rounds, sizeof *writing->strip);
    for (size_t i = 0; i < tournament->result_count; i++) {
        const struct table_result *result = &tournament->results[i];
        for (unsigned s = 0; result->round <= rounds && s < result->seats; s++)
            writing->strip[(size_t)result->seat[s].entry * rounds + result->round - 1] =
                (uint32_t)i + 1;
    }
}

static void answer_standings(struct call *call, const struct tournament *tournament,
                             const struct standings *standings, unsigned rounds)
{
    enum { ROW_BYTES = 2048 };
    struct writing writing = {.tournament = tournament, .standings = standings, .rounds = rounds};
    struct json_text *json = &writing.json;
    const struct event *event = &tournament->event;
    json_text_begin(json, call->arena, (1 + standings->count) * ROW_BYTES);
    find_strips(call->arena, &writing);
    find_players(call->arena, &writing);
    json_text_open(json, NULL, '{');
    json_text_string(json, "event", event->id.text);
    json_text_number(json, "after_round", rounds);
    json_text_string(json, "state", event->state == EVENT_CLOSED ? "final" : "provisional");
    write_chain(json);
    json_text_open(json, "rows", '[');
    for (size_t i = 0; i < standings->count; i++)
        write_row(&writing, &standings->rows[i]);
    json_text_close(json, ']');
    json_text_close(json, '}');
    call->response->content_type = "application/json";
    call->response->body = json_text_span(json);
    call_tag(call, NULL);
}

/* ?after_round=<n>: as the standings were then. */
static bool read_round(struct call *call, const struct event *event, unsigned *rounds)
{
    *rounds = event->rounds_started;
    for (size_t i = 0; i < call->request->parameters; i++) {
        struct http_parameter parameter = call->request->parameter[i];
        uint64_t number;
        if (!span_is(parameter.name, "after_round") ||
            !span_number(parameter.value, event->rounds_started, &number))
            return call_problem(call, "bad-parameter",
                                "Standings take after_round=<number of a started round>.");
        *rounds = (unsigned)number;
    }
    return true;
}

void standings_get(struct call *call)
{
    struct event event;
    struct tournament tournament;
    struct standings standings;
    unsigned rounds;
    if (!event_open(call, &call->id[0], false, &event) || !read_round(call, &event, &rounds))
        return;
    if (event.state == EVENT_DRAFT || event.state == EVENT_ENTRIES_OPEN) {
        call_problem(call, "wrong-state", "There are standings once entries are closed.");
        return;
    }
    if (duplicate_is(&event)) {
        duplicate_answer_standings(call, &event, rounds);
        return;
    }
    if (!tournament_load(call, &event, &tournament) ||
        !event_standings(call, &tournament, rounds, &standings))
        return;
    answer_standings(call, &tournament, &standings, rounds);
    standings_free(&standings);
}
