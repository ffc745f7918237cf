/* What is written down: lines of a draw, and the order of numbers. */
#include <stdlib.h>

#include "engine/tournament/draw_parts.h"

/* ---- Lines ---- */

static json_t *number_of(const struct tournament *tournament, uint16_t entry)
{
    return json_integer(tournament->entrants[entry].number);
}

static json_t *numbers_of(const struct tournament *tournament, const uint16_t *entries,
                          size_t count)
{
    json_t *numbers = json_array();
    for (size_t i = 0; i < count; i++)
        json_array_append_new(numbers, number_of(tournament, entries[i]));
    return numbers;
}

json_t *draw_stage_line(const struct tournament *tournament, const struct draw *draw)
{
    if (!draw->begins_stage)
        return NULL;
    return json_pack("{s:i, s:o}", "stage", draw->stage + 1, "entries",
                     numbers_of(tournament, draw->entries, draw->entry_count));
}

static json_t *tables_of(const struct tournament *tournament, const struct draw *draw)
{
    json_t *tables = json_array();
    for (size_t i = 0; i < draw->table_count; i++)
        json_array_append_new(tables,
                              numbers_of(tournament, draw->tables[i].entry, draw->tables[i].seats));
    return tables;
}

static json_t *matches_of(const struct draw *draw)
{
    json_t *matches = json_array();
    for (size_t i = 0; i < draw->table_count; i++)
        json_array_append_new(matches, json_integer(draw->tables[i].match));
    return matches;
}

/* Tables of a bracket name their matches, all of them. */
static bool has_matches(const struct draw *draw)
{
    return draw->table_count > 0 && draw->tables[0].match != TOURNAMENT_NOBODY;
}

static json_t *seating(const struct tournament *tournament, const struct draw *draw)
{
    json_t *byes = json_array(), *absent = json_array();
    for (size_t i = 0; i < draw->bye_count; i++) {
        json_t *number = number_of(tournament, draw->byes[i].entry);
        enum round_kind kind = draw->byes[i].kind;
        if (kind == ROUND_PAIRING_BYE)
            json_array_append_new(byes, number);
        else
            json_array_append_new(absent, json_pack("[o, s]", number, round_kind_name(kind)));
    }
    json_t *line = json_pack("{s:i, s:o, s:o, s:o, s:O}", "round", draw->round, "tables",
                             tables_of(tournament, draw), "byes", byes, "absent", absent, "quality",
                             draw->quality);
    if (has_matches(draw))
        json_object_set_new(line, "matches", matches_of(draw));
    return line;
}

json_t *draw_round_line(const struct tournament *tournament, const struct draw *draw)
{
    json_t *line = seating(tournament, draw);
    json_object_set_new(line, "stage", json_integer(draw->stage + 1));
    json_object_set_new(line, "attempt", json_integer(draw->attempt));
    return line;
}

json_t *draw_change_line(const struct tournament *tournament, const struct draw *changed,
                         const char *reason)
{
    json_t *line = seating(tournament, changed);
    json_object_set_new(line, "reason", json_string(reason));
    return line;
}

/* ---- Numbers ---- */

static const struct entrant *entrant_at(const void *place, const struct tournament *tournament)
{
    return &tournament->entrants[*(const uint16_t *)place];
}

static int compare_entered(const void *a, const void *b, void *context)
{
    const struct entrant *left = entrant_at(a, context), *right = entrant_at(b, context);
    return (left->entered > right->entered) - (left->entered < right->entered);
}

static int compare_ratings(const void *a, const void *b, void *context)
{
    const struct entrant *left = entrant_at(a, context), *right = entrant_at(b, context);
    if (left->rating != right->rating)
        return left->rating > right->rating ? -1 : 1;
    return compare_entered(a, b, context);
}

/* As chance_shuffle(), for entries. */
static void shuffle(const struct chance *chance, uint16_t *order, size_t count)
{
    struct chance_stream stream;
    chance_open(&stream, chance, "seeding", 0);
    for (size_t i = count; i-- > 1;) {
        size_t j = chance_uniform(&stream, (uint32_t)i + 1);
        uint16_t kept = order[i];
        order[i] = order[j];
        order[j] = kept;
    }
}

size_t draw_seeding(const struct tournament *tournament, const struct chance *chance,
                    uint16_t *order)
{
    enum seeding_order seeding = tournament->settings.seeding;
    size_t count = 0;
    for (size_t i = 0; i < tournament->entrant_count; i++) {
        const struct entrant *entrant = &tournament->entrants[i];
        if (entrant->state == ENTRANT_TAKEN &&
            (entrant->checked_in || !tournament->settings.check_in))
            order[count++] = (uint16_t)i;
    }
    qsort_r(order, count, sizeof *order,
            seeding == SEEDING_RATING ? compare_ratings : compare_entered, (void *)tournament);
    if (seeding == SEEDING_DRAW)
        shuffle(chance, order, count);
    return count;
}
