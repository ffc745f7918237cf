/* Standings: computed from the results each time they are asked for, so every page and every caller
 * sees the same. */
#include <string.h>

#include "api/documents.h"
#include "api/duplicate.h"
#include "api/event_steps.h"
#include "api/handlers.h"
#include "api/tournament.h"

static json_t *code_document(const struct tie_break_rule *rule)
{
    char code[TIE_BREAK_CODE_MAX];
    struct text text = TEXT_OVER(code);
    tie_break_write(rule, &text);
    return json_string(code);
}

static json_t *rule_document(const struct tie_break_rule *rule)
{
    char name[TIE_BREAK_DEFINITION_MAX], definition[TIE_BREAK_DEFINITION_MAX];
    struct text name_text = TEXT_OVER(name), definition_text = TEXT_OVER(definition);
    tie_break_name(rule, &name_text);
    tie_break_define(rule, &definition_text);
    return json_pack("{s:o, s:s, s:s}", "code", code_document(rule), "name", name, "definition",
                     definition);
}

static json_t *chain_document(void)
{
    json_t *chain = json_array();
    for (size_t i = 0; i < tie_break_pods_count; i++)
        json_array_append_new(chain, rule_document(&tie_break_pods[i]));
    return chain;
}

/* What an entry did in one round, if `result` is about it. */
static json_t *round_strip_document(const struct tournament *tournament,
                                    const struct table_result *result, unsigned seat)
{
    static const char *const kinds[ROUND_KINDS] = {"played",       "adjudicated", "forfeit_win",
                                                   "forfeit_loss", "pairing_bye", "full_bye",
                                                   "half_bye",     "zero_bye",    "absent"};
    const char *game = NULL;
    for (size_t i = 0; result->table > 0 && i < tournament->game_count; i++)
        if (tournament->games[i].round == result->round &&
            tournament->games[i].table == result->table)
            game = tournament->games[i].id.text;
    json_t *document = json_pack(
        "{s:i, s:s, s:s?, s:o}", "round", (int)result->round, "kind",
        kinds[result->seat[seat].kind], "game", game, "points",
        rational_document(scoring_points(&scoring_default, result, seat), POINTS_PER_POINT));
    if (result->table > 0) {
        json_object_set_new(document, "table", json_integer(result->table));
        json_object_set_new(document, "seat", json_integer(seat));
        json_object_set_new(document, "seats", json_integer(result->seats));
        json_object_set_new(document, "rank", json_integer(result->seat[seat].rank));
        json_object_set_new(document, "score", json_integer(result->seat[seat].score));
    }
    return document;
}

static json_t *rounds_strip(const struct tournament *tournament, uint16_t entry, unsigned rounds)
{
    json_t *strip = json_array();
    for (unsigned round = 1; round <= rounds; round++)
        for (size_t i = 0; i < tournament->result_count; i++)
            for (unsigned s = 0;
                 tournament->results[i].round == round && s < tournament->results[i].seats; s++)
                if (tournament->results[i].seat[s].entry == entry)
                    json_array_append_new(
                        strip, round_strip_document(tournament, &tournament->results[i], s));
    return strip;
}

static json_t *operand_document(const struct tournament *tournament,
                                const struct tie_break_operand *operand)
{
    const struct event_entry *entry = &tournament->entries[operand->entry];
    return json_pack("{s:i, s:i, s:o, s:b, s:o}", "round", (int)operand->round, "table",
                     (int)operand->table, "player",
                     player_reference(&entry->player, entry->player_name), "cut", (int)operand->cut,
                     "value", rational_document(operand->numerator, operand->denominator));
}

static json_t *operands_document(const struct tournament *tournament,
                                 const struct standings *standings, size_t position, uint16_t entry)
{
    struct tie_break_operand operands[STANDINGS_OPERANDS_MAX];
    size_t count = standings_operands(standings, position, entry, operands);
    json_t *list = json_array();
    for (size_t i = 0; i < count; i++)
        json_array_append_new(list, operand_document(tournament, &operands[i]));
    return list;
}

static json_t *row_document(const struct tournament *tournament, const struct standings *standings,
                            const struct standing *row, unsigned rounds)
{
    const struct event_entry *entry = &tournament->entries[row->entry];
    json_t *values = json_array();
    for (size_t i = 0; i < tie_break_pods_count; i++) {
        json_t *value = rational_document(row->value[i].numerator, row->value[i].denominator);
        json_object_set_new(value, "code", code_document(&tie_break_pods[i]));
        json_object_set_new(value, "used", json_boolean(row->value[i].used));
        json_object_set_new(value, "operands",
                            operands_document(tournament, standings, i, row->entry));
        json_array_append_new(values, value);
    }
    return json_pack("{s:i, s:o, s:i, s:b, s:o, s:i, s:i, s:o, s:o}", "rank", (int)row->rank,
                     "player", player_reference(&entry->player, entry->player_name), "number",
                     (int)entry->number, "dropped", (int)entry->dropped, "points",
                     rational_document(row->points, POINTS_PER_POINT), "played", (int)row->played,
                     "unplayed", (int)row->unplayed, "rounds",
                     rounds_strip(tournament, row->entry, rounds), "tie_breaks", values);
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
        !tournament_standings(call, &tournament, rounds, &standings))
        return;
    size_t finished = 0;
    json_t *rows = json_array();
    for (size_t i = 0; i < standings.count; i++)
        json_array_append_new(rows,
                              row_document(&tournament, &standings, &standings.rows[i], rounds));
    for (size_t i = 0; i < tournament.game_count; i++)
        finished += tournament.games[i].finished;
    standings_free(&standings);
    char etag[80];
    struct text text = TEXT_OVER(etag);
    text_add_number(&text, rounds);
    text_add_char(&text, '-');
    text_add_number(&text, (int64_t)finished);
    text_add_char(&text, '-');
    text_add(&text, event_state_name(event.state));
    text_add_char(&text, '-');
    text_add_number(&text, event.entries);
    call_answer_cached(call,
                       json_pack("{s:s, s:i, s:s, s:o, s:o}", "event", event.id.text, "after_round",
                                 (int)rounds, "state",
                                 event.state == EVENT_CLOSED ? "final" : "provisional", "chain",
                                 chain_document(), "rows", rows),
                       etag);
}
