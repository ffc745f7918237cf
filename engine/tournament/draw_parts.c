#include "engine/tournament/draw_parts.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* ---- Filling a draw ---- */

bool draw_no_memory(const struct drawing *drawing)
{
    return refuse(drawing->refusal, TOURNAMENT_REFUSAL_MEMORY, "There is no memory for the draw.");
}

bool draw_is_present(const struct drawing *drawing, uint16_t entry)
{
    return tournament_presence(drawing->tournament, entry, drawing->round) == ROUND_PLAYED;
}

void draw_add_table(const struct drawing *drawing, unsigned seats, const uint16_t *entries,
                    uint16_t match)
{
    struct draw *draw = drawing->draw;
    assert(draw->table_count < drawing->entry_count && seats <= TOURNAMENT_SEATS_MAX);
    struct draw_table *table = &draw->tables[draw->table_count++];
    *table = (struct draw_table){.seats = (uint8_t)seats, .match = match};
    memcpy(table->entry, entries, seats * sizeof *entries);
}

void draw_add_bye(const struct drawing *drawing, uint16_t entry, enum round_kind kind)
{
    struct draw *draw = drawing->draw;
    assert(draw->bye_count < drawing->entry_count);
    draw->byes[draw->bye_count++] = (struct draw_bye){entry, (uint8_t)kind};
}

void draw_add_without_seat(const struct drawing *drawing, uint16_t entry)
{
    enum round_kind kind = tournament_presence(drawing->tournament, entry, drawing->round);
    draw_add_bye(drawing, entry, kind == ROUND_PLAYED ? ROUND_PAIRING_BYE : kind);
}

void draw_add_absent(const struct drawing *drawing)
{
    for (size_t i = 0; i < drawing->entry_count; i++)
        if (!draw_is_present(drawing, drawing->entries[i]))
            draw_add_without_seat(drawing, drawing->entries[i]);
}

uint16_t *draw_positions(const struct drawing *drawing)
{
    size_t count = drawing->tournament->entrant_count + 1;
    uint16_t *position = malloc(count * sizeof *position);
    if (position == NULL)
        return NULL;
    memset(position, 0xff, count * sizeof *position);
    for (size_t i = 0; i < drawing->entry_count; i++)
        position[drawing->entries[i]] = (uint16_t)i;
    return position;
}

struct table_result *draw_stage_results(const struct drawing *drawing, size_t *count)
{
    struct table_result *results =
        tournament_results(drawing->tournament, drawing->stage, drawing->stage,
                           drawing->tournament->rounds_started, count);
    for (size_t i = 0; results != NULL && i < *count; i++)
        results[i].round = (uint16_t)(results[i].round - drawing->first_round + 1);
    return results;
}

size_t draw_pairs(const struct drawing *drawing, const uint16_t *index,
                  struct tournament_pair *pairs)
{
    const struct tournament *tournament = drawing->tournament;
    size_t count = 0;
    for (size_t i = 0; i < tournament->pair_count; i++) {
        const struct tournament_pair *pair = &tournament->pairs[i];
        if (index[pair->a] != TOURNAMENT_NOBODY && index[pair->b] != TOURNAMENT_NOBODY)
            pairs[count++] = (struct tournament_pair){index[pair->a], index[pair->b], pair->weight};
    }
    return count;
}

/* ---- What a change by hand has to be ---- */

/* Notes that an entry has a seat or a bye. False if it is not of the stage or has been noted. */
static bool note(bool *left, const struct drawing *drawing, uint16_t entry)
{
    if (entry >= drawing->tournament->entrant_count || !left[entry])
        return false;
    left[entry] = false;
    return true;
}

static bool note_seats(const struct drawing *drawing, const struct draw *by_hand, bool *left)
{
    for (size_t t = 0; t < by_hand->table_count; t++) {
        const struct draw_table *table = &by_hand->tables[t];
        if (table->seats > TOURNAMENT_SEATS_MAX ||
            (drawing->settings->table.allowed >> table->seats & 1) == 0)
            return refuse(drawing->refusal, DRAW_REFUSAL_TABLES,
                          "A table has a size that this stage does not play.");
        for (unsigned seat = 0; seat < table->seats; seat++)
            if (!note(left, drawing, table->entry[seat]) ||
                !draw_is_present(drawing, table->entry[seat]))
                return refuse(drawing->refusal, DRAW_REFUSAL_TABLES,
                              "Somebody has two seats, or takes no part in this round.");
    }
    return true;
}

static bool note_byes(const struct drawing *drawing, const struct draw *by_hand, bool *left)
{
    for (size_t i = 0; i < by_hand->bye_count; i++) {
        const struct draw_bye *bye = &by_hand->byes[i];
        if (!note(left, drawing, bye->entry))
            return refuse(drawing->refusal, DRAW_REFUSAL_TABLES,
                          "Somebody with a bye has a seat too, or is not of this stage.");
        enum round_kind kind = tournament_presence(drawing->tournament, bye->entry, drawing->round);
        if (bye->kind != (kind == ROUND_PLAYED ? ROUND_PAIRING_BYE : kind))
            return refuse(drawing->refusal, DRAW_REFUSAL_TABLES,
                          "Who is there and has no seat gets a pairing bye; other byes are granted "
                          "before the draw.");
    }
    return true;
}

bool draw_check_everybody(const struct drawing *drawing, const struct draw *by_hand)
{
    bool *left = calloc(drawing->tournament->entrant_count + 1, sizeof *left);
    if (left == NULL)
        return draw_no_memory(drawing);
    for (size_t i = 0; i < drawing->entry_count; i++)
        left[drawing->entries[i]] = true;
    bool good = note_seats(drawing, by_hand, left) && note_byes(drawing, by_hand, left);
    for (size_t i = 0; good && i < drawing->entry_count; i++)
        if (left[drawing->entries[i]] && draw_is_present(drawing, drawing->entries[i]))
            good = refuse(drawing->refusal, DRAW_REFUSAL_TABLES,
                          "Somebody who takes part has neither a seat nor a bye.");
    free(left);
    return good;
}

static bool sits_at(const struct draw_table *table, uint16_t entry)
{
    for (unsigned seat = 0; seat < table->seats; seat++)
        if (table->entry[seat] == entry)
            return true;
    return false;
}

static bool same_people(const struct draw_table *a, const struct draw_table *b)
{
    for (unsigned seat = 0; seat < a->seats; seat++)
        if (!sits_at(b, a->entry[seat]))
            return false;
    return a->seats == b->seats;
}

bool draw_check_seats_only(const struct drawing *drawing, const struct draw *drawn,
                           const struct draw *by_hand)
{
    bool same = drawn->table_count == by_hand->table_count;
    for (size_t t = 0; same && t < drawn->table_count; t++)
        same = by_hand->tables[t].seats == drawn->tables[t].seats &&
               same_people(&drawn->tables[t], &by_hand->tables[t]);
    return same || refuse(drawing->refusal, DRAW_REFUSAL_TABLES,
                          "Who plays whom is fixed in this format: only seats within a table can "
                          "be exchanged.");
}

static int64_t count_moved(const struct draw *drawn, const struct draw *by_hand)
{
    int64_t moved = 0;
    for (size_t t = 0; t < drawn->table_count; t++)
        for (unsigned seat = 0; seat < drawn->tables[t].seats; seat++)
            moved += drawn->tables[t].entry[seat] != by_hand->tables[t].entry[seat];
    return moved;
}

bool draw_judge_seats(const struct drawing *drawing, const struct draw *drawn,
                      const struct draw *by_hand)
{
    if (!draw_check_seats_only(drawing, drawn, by_hand))
        return false;
    for (size_t t = 0; t < drawn->table_count; t++)
        draw_add_table(drawing, drawn->tables[t].seats, by_hand->tables[t].entry,
                       drawn->tables[t].match);
    for (size_t i = 0; i < drawn->bye_count; i++)
        draw_add_bye(drawing, drawn->byes[i].entry, drawn->byes[i].kind);
    drawing->draw->quality = json_deep_copy(drawn->quality);
    if (drawing->draw->quality == NULL)
        return draw_no_memory(drawing);
    json_object_set_new(drawing->draw->quality, "criteria",
                        draw_seats_criteria(count_moved(drawn, by_hand)));
    return true;
}

/* ---- Explaining ---- */

void draw_add_criterion(json_t *list, const char *code, const char *name, const char *meaning,
                        int64_t value)
{
    json_array_append_new(list, json_pack("{s:s, s:s, s:s, s:I}", "code", code, "name", name,
                                          "meaning", meaning, "value", (json_int_t)value));
}

json_t *draw_seats_criteria(int64_t moved)
{
    json_t *list = json_array();
    draw_add_criterion(list, "S1", "seats moved",
                       "Players who sit in another seat than the schedule or bracket gives them.",
                       moved);
    return list;
}

/* Draws decide among equals: one is not worse than another. */
static bool is_judged(const char *code)
{
    return strcmp(code, "P9") != 0;
}

static json_int_t value_of(const json_t *criteria, size_t i, const char **code)
{
    const json_t *criterion = json_array_get(criteria, i);
    *code = json_string_value(json_object_get(criterion, "code"));
    return json_integer_value(json_object_get(criterion, "value"));
}

void draw_compare(json_t *changed, const json_t *drawn)
{
    const json_t *was = json_object_get(drawn, "criteria");
    const json_t *is = json_object_get(changed, "criteria");
    json_t *values_was = json_object(), *values_is = json_object(), *worse = json_array();
    for (size_t i = 0; i < json_array_size(is); i++) {
        const char *code;
        json_int_t value_was = value_of(was, i, &code), value_is = value_of(is, i, &code);
        json_object_set_new(values_was, code, json_integer(value_was));
        json_object_set_new(values_is, code, json_integer(value_is));
        if (value_is > value_was && is_judged(code))
            json_array_append_new(worse, json_string(code));
    }
    json_object_set_new(changed, "drawn", values_was);
    json_object_set_new(changed, "changed", values_is);
    json_object_set_new(changed, "worse", worse);
}

static bool is_forfeited(const struct drawing *drawing, const struct draw_table *table)
{
    for (unsigned seat = 0; seat < table->seats; seat++)
        if (!draw_is_present(drawing, table->entry[seat]))
            return true;
    return false;
}

json_t *draw_forfeited(const struct drawing *drawing)
{
    json_t *list = json_array();
    for (size_t t = 0; t < drawing->draw->table_count; t++)
        if (is_forfeited(drawing, &drawing->draw->tables[t]))
            json_array_append_new(list, json_integer((json_int_t)t + 1));
    return list;
}
