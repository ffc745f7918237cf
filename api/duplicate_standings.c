/* Standings of a duplicate event: what is open, and not a byte of what is hidden. */
#include "api/documents.h"
#include "api/duplicate.h"

static enum duplicate_criterion criterion_at(const struct event *event, size_t position)
{
    bool total = event->scoring[0] == 't';
    return duplicate_chain(total ? DUPLICATE_TOTAL : DUPLICATE_MATCHPOINTS, position);
}

static json_t *chain_document(const struct event *event)
{
    json_t *chain = json_array();
    for (size_t i = 0; i < DUPLICATE_CHAIN; i++) {
        const struct duplicate_text *text = duplicate_describe(criterion_at(event, i));
        json_array_append_new(chain, json_pack("{s:s, s:s, s:s}", "code", text->code, "name",
                                               text->name, "definition", text->definition));
    }
    return chain;
}

static json_t *values_document(const struct event *event, const struct duplicate_standing *row)
{
    json_t *values = json_array();
    for (size_t i = 0; i < DUPLICATE_CHAIN; i++) {
        json_t *value = rational_document(row->value[i].numerator, row->value[i].denominator);
        json_object_set_new(value, "code",
                            json_string(duplicate_describe(criterion_at(event, i))->code));
        json_object_set_new(value, "used", json_boolean(row->value[i].used));
        json_object_set_new(value, "operands", json_array());
        json_array_append_new(values, value);
    }
    return values;
}

/* One board that the entry has played. */
static json_t *strip_document(const struct duplicate_event *duplicate, size_t i)
{
    const struct duplicate_result *result = &duplicate->results[i];
    const struct game_row *game = duplicate_game(duplicate, i);
    return json_pack("{s:i, s:i, s:s, s:s, s:o, s:i, s:i, s:i, s:i, s:i}", "round",
                     (int)result->round, "board", (int)result->board, "kind", "played", "game",
                     game->id.text, "points",
                     duplicate_percent(duplicate->standings.marks[i].share), "table",
                     (int)game->table, "seat", (int)result->seat, "seats", (int)game->seats, "rank",
                     (int)game->seat[result->seat].rank, "score", (int)result->score);
}

/* An array with one array an entry: its boards in order of table numbers, which is that of rounds
 * and boards. */
static json_t *strips_by_entry(const struct duplicate_event *duplicate)
{
    json_t *strips = json_array();
    for (size_t i = 0; i < duplicate->tournament.entry_count; i++)
        json_array_append_new(strips, json_array());
    for (size_t i = 0; i < duplicate->count; i++)
        json_array_append_new(json_array_get(strips, duplicate->results[i].entry),
                              strip_document(duplicate, i));
    return strips;
}

static json_t *row_document(const struct duplicate_event *duplicate,
                            const struct duplicate_standing *row, json_t *strip)
{
    const struct event_entry *entry = &duplicate->tournament.entries[row->entry];
    return json_pack("{s:i, s:o, s:i, s:b, s:o, s:i, s:i, s:O, s:o}", "rank", (int)row->rank,
                     "player", player_reference(&entry->player, entry->player_name), "number",
                     (int)entry->number, "dropped", (int)entry->dropped, "points",
                     rational_document(row->value[0].numerator, row->value[0].denominator),
                     "played", (int)row->played, "unplayed",
                     (int)duplicate->boards - (int)row->played, "rounds", strip, "tie_breaks",
                     values_document(&duplicate->tournament.event, row));
}

static json_t *rows_document(const struct duplicate_event *duplicate)
{
    json_t *rows = json_array();
    json_t *strips = strips_by_entry(duplicate);
    for (size_t i = 0; i < duplicate->standings.count; i++) {
        const struct duplicate_standing *row = &duplicate->standings.rows[i];
        json_array_append_new(rows,
                              row_document(duplicate, row, json_array_get(strips, row->entry)));
    }
    json_decref(strips);
    return rows;
}

void duplicate_answer_standings(struct call *call, const struct event *event, unsigned rounds)
{
    struct duplicate_event duplicate;
    if (!duplicate_load(call, event, rounds, &duplicate))
        return;
    call_answer_tagged(call,
                       json_pack("{s:s, s:i, s:s, s:o, s:o}", "event", event->id.text,
                                 "after_round", (int)rounds, "state",
                                 event->state == EVENT_CLOSED ? "final" : "provisional", "chain",
                                 chain_document(event), "rows", rows_document(&duplicate)));
    duplicate_free(&duplicate);
}
