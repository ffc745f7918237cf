#include "engine/tournament/pairing/pairing_parts.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* ---- Filling a draw ---- */

bool pairing_no_memory(const struct pairing_run *run)
{
    return refuse(run->refusal, TOURNAMENT_REFUSAL_MEMORY,
                  "There is not enough memory for the pairing.");
}

bool pairing_is_present(const struct pairing_run *run, uint16_t entry)
{
    return tournament_presence(run->tournament, entry, run->round) == ROUND_PLAYED;
}

void pairing_add_table(const struct pairing_run *run, unsigned seats, const uint16_t *entries,
                       uint16_t match)
{
    struct pairing *pairing = run->pairing;
    assert(pairing->table_count < run->entry_count && seats <= TOURNAMENT_SEATS_MAX);
    struct pairing_table *table = &pairing->tables[pairing->table_count++];
    *table = (struct pairing_table){.seats = (uint8_t)seats, .match = match};
    memcpy(table->entry, entries, seats * sizeof *entries);
}

void pairing_add_bye(const struct pairing_run *run, uint16_t entry, enum round_kind kind)
{
    struct pairing *pairing = run->pairing;
    assert(pairing->bye_count < run->entry_count);
    pairing->byes[pairing->bye_count++] = (struct pairing_bye){entry, (uint8_t)kind};
}

void pairing_add_without_seat(const struct pairing_run *run, uint16_t entry)
{
    enum round_kind kind = tournament_presence(run->tournament, entry, run->round);
    pairing_add_bye(run, entry, kind == ROUND_PLAYED ? ROUND_PAIRING_BYE : kind);
}

void pairing_add_absent(const struct pairing_run *run)
{
    for (size_t i = 0; i < run->entry_count; i++)
        if (!pairing_is_present(run, run->entries[i]))
            pairing_add_without_seat(run, run->entries[i]);
}

uint16_t *pairing_positions(const struct pairing_run *run)
{
    size_t count = run->tournament->entrant_count + 1;
    uint16_t *position = malloc(count * sizeof *position);
    if (position == NULL)
        return NULL;
    memset(position, 0xff, count * sizeof *position);
    for (size_t i = 0; i < run->entry_count; i++)
        position[run->entries[i]] = (uint16_t)i;
    return position;
}

struct table_result *pairing_stage_results(const struct pairing_run *run, size_t *count)
{
    struct table_result *results = tournament_results(run->tournament, run->stage, run->stage,
                                                      run->tournament->rounds_started, count);
    for (size_t i = 0; results != NULL && i < *count; i++)
        results[i].round = (uint16_t)(results[i].round - run->first_round + 1);
    return results;
}

/* Calls `found` for the pairs of one person, each of which includes a bot. */
static void each_of_one_person(const struct pairing_run *run,
                               void (*found)(void *context, uint16_t a, uint16_t b), void *context)
{
    const struct tournament *tournament = run->tournament;
    for (size_t i = 0; i < run->entry_count; i++) {
        uint16_t bot = run->entries[i];
        if (tournament->entrants[bot].owner[0] == '\0')
            continue;
        for (size_t j = 0; j < run->entry_count; j++) {
            uint16_t other = run->entries[j];
            bool twice = j < i && tournament->entrants[other].owner[0] != '\0';
            if (!twice && tournament_parts(tournament, bot, other))
                found(context, bot, other);
        }
    }
}

static void count_one(void *context, uint16_t a, uint16_t b)
{
    size_t *count = context;
    (void)a;
    (void)b;
    ++*count;
}

size_t pairing_pairs_most(const struct pairing_run *run)
{
    size_t count = run->tournament->pair_count;
    each_of_one_person(run, count_one, &count);
    return count;
}

struct pair_list {
    const uint16_t *index;
    struct tournament_pair *pairs;
    size_t count;
};

static void list_one(void *context, uint16_t a, uint16_t b)
{
    struct pair_list *list = context;
    if (list->index[a] != TOURNAMENT_NOBODY && list->index[b] != TOURNAMENT_NOBODY)
        list->pairs[list->count++] =
            (struct tournament_pair){list->index[a], list->index[b], POD_FORBIDDEN};
}

size_t pairing_pairs(const struct pairing_run *run, const uint16_t *index,
                     struct tournament_pair *pairs)
{
    const struct tournament *tournament = run->tournament;
    size_t count = 0;
    for (size_t i = 0; i < tournament->pair_count; i++) {
        const struct tournament_pair *pair = &tournament->pairs[i];
        if (index[pair->a] != TOURNAMENT_NOBODY && index[pair->b] != TOURNAMENT_NOBODY &&
            !tournament_parts(tournament, pair->a, pair->b))
            pairs[count++] = (struct tournament_pair){index[pair->a], index[pair->b], pair->weight};
    }
    struct pair_list list = {index, pairs, count};
    each_of_one_person(run, list_one, &list);
    return list.count;
}

/* ---- Checks of a change by hand ---- */

/* Records that an entry has a seat or a bye. False if it is not in the stage or is already
 * recorded. */
static bool note(bool *left, const struct pairing_run *run, uint16_t entry)
{
    if (entry >= run->tournament->entrant_count || !left[entry])
        return false;
    left[entry] = false;
    return true;
}

static bool note_seats(const struct pairing_run *run, const struct pairing *by_hand, bool *left)
{
    for (size_t t = 0; t < by_hand->table_count; t++) {
        const struct pairing_table *table = &by_hand->tables[t];
        if (table->seats > TOURNAMENT_SEATS_MAX ||
            (run->settings->table.allowed >> table->seats & 1) == 0)
            return refuse(run->refusal, PAIRING_REFUSAL_TABLES,
                          "A table has a size that this stage does not allow.");
        for (unsigned seat = 0; seat < table->seats; seat++)
            if (!note(left, run, table->entry[seat]) ||
                !pairing_is_present(run, table->entry[seat]))
                return refuse(run->refusal, PAIRING_REFUSAL_TABLES,
                              "A player has two seats, or does not take part in this round.");
    }
    return true;
}

static bool note_byes(const struct pairing_run *run, const struct pairing *by_hand, bool *left)
{
    for (size_t i = 0; i < by_hand->bye_count; i++) {
        const struct pairing_bye *bye = &by_hand->byes[i];
        if (!note(left, run, bye->entry))
            return refuse(run->refusal, PAIRING_REFUSAL_TABLES,
                          "A player with a bye also has a seat, or is not in this stage.");
        enum round_kind kind = tournament_presence(run->tournament, bye->entry, run->round);
        if (bye->kind != (kind == ROUND_PLAYED ? ROUND_PAIRING_BYE : kind))
            return refuse(run->refusal, PAIRING_REFUSAL_TABLES,
                          "A player who is present without a seat gets a pairing bye; grant other "
                          "byes before the round is paired.");
    }
    return true;
}

bool pairing_check_everybody(const struct pairing_run *run, const struct pairing *by_hand)
{
    bool *left = calloc(run->tournament->entrant_count + 1, sizeof *left);
    if (left == NULL)
        return pairing_no_memory(run);
    for (size_t i = 0; i < run->entry_count; i++)
        left[run->entries[i]] = true;
    bool good = note_seats(run, by_hand, left) && note_byes(run, by_hand, left);
    for (size_t i = 0; good && i < run->entry_count; i++)
        if (left[run->entries[i]] && pairing_is_present(run, run->entries[i]))
            good = refuse(run->refusal, PAIRING_REFUSAL_TABLES,
                          "A player who takes part has neither a seat nor a bye.");
    free(left);
    return good;
}

static bool sits_at(const struct pairing_table *table, uint16_t entry)
{
    for (unsigned seat = 0; seat < table->seats; seat++)
        if (table->entry[seat] == entry)
            return true;
    return false;
}

static bool same_people(const struct pairing_table *a, const struct pairing_table *b)
{
    for (unsigned seat = 0; seat < a->seats; seat++)
        if (!sits_at(b, a->entry[seat]))
            return false;
    return a->seats == b->seats;
}

/* Checks that the tables are those of `drawn`, with seats exchanged. */
static bool pairing_check_seats_only(const struct pairing_run *run, const struct pairing *drawn,
                                     const struct pairing *by_hand)
{
    bool same = drawn->table_count == by_hand->table_count;
    for (size_t t = 0; same && t < drawn->table_count; t++)
        same = by_hand->tables[t].seats == drawn->tables[t].seats &&
               same_people(&drawn->tables[t], &by_hand->tables[t]);
    return same || refuse(run->refusal, PAIRING_REFUSAL_TABLES,
                          "The pairings are fixed in this format: only seats within a table can "
                          "be exchanged.");
}

static int64_t count_moved(const struct pairing *drawn, const struct pairing *by_hand)
{
    int64_t moved = 0;
    for (size_t t = 0; t < drawn->table_count; t++)
        for (unsigned seat = 0; seat < drawn->tables[t].seats; seat++)
            moved += drawn->tables[t].entry[seat] != by_hand->tables[t].entry[seat];
    return moved;
}

bool pairing_judge_seats(const struct pairing_run *run, const struct pairing *drawn,
                         const struct pairing *by_hand)
{
    if (!pairing_check_seats_only(run, drawn, by_hand))
        return false;
    for (size_t t = 0; t < drawn->table_count; t++)
        pairing_add_table(run, drawn->tables[t].seats, by_hand->tables[t].entry,
                          drawn->tables[t].match);
    for (size_t i = 0; i < drawn->bye_count; i++)
        pairing_add_bye(run, drawn->byes[i].entry, drawn->byes[i].kind);
    run->pairing->quality = json_deep_copy(drawn->quality);
    if (run->pairing->quality == NULL)
        return pairing_no_memory(run);
    json_object_set_new(run->pairing->quality, "criteria",
                        pairing_seats_criteria(count_moved(drawn, by_hand)));
    return true;
}

/* ---- Explaining ---- */

void pairing_add_criterion(json_t *list, const char *code, const char *name, const char *meaning,
                           int64_t value)
{
    json_array_append_new(list, json_pack("{s:s, s:s, s:s, s:I}", "code", code, "name", name,
                                          "meaning", meaning, "value", (json_int_t)value));
}

json_t *pairing_seats_criteria(int64_t moved)
{
    json_t *list = json_array();
    pairing_add_criterion(
        list, "S1", "seats moved",
        "Players who sit in another seat than the schedule or bracket gives them.", moved);
    return list;
}

/* False for P9: it only decides among equal draws, so a change cannot be worse in it. */
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

void pairing_compare(json_t *changed, const json_t *drawn)
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

static bool is_forfeited(const struct pairing_run *run, const struct pairing_table *table)
{
    for (unsigned seat = 0; seat < table->seats; seat++)
        if (!pairing_is_present(run, table->entry[seat]))
            return true;
    return false;
}

json_t *pairing_forfeited(const struct pairing_run *run)
{
    json_t *list = json_array();
    for (size_t t = 0; t < run->pairing->table_count; t++)
        if (is_forfeited(run, &run->pairing->tables[t]))
            json_array_append_new(list, json_integer((json_int_t)t + 1));
    return list;
}

/* Log lines of a draw, and the order of numbers. */

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

json_t *pairing_stage_line(const struct tournament *tournament, const struct pairing *pairing)
{
    if (!pairing->begins_stage)
        return NULL;
    return json_pack("{s:i, s:o}", "stage", pairing->stage + 1, "entries",
                     numbers_of(tournament, pairing->entries, pairing->entry_count));
}

static json_t *tables_of(const struct tournament *tournament, const struct pairing *pairing)
{
    json_t *tables = json_array();
    for (size_t i = 0; i < pairing->table_count; i++)
        json_array_append_new(
            tables, numbers_of(tournament, pairing->tables[i].entry, pairing->tables[i].seats));
    return tables;
}

static json_t *matches_of(const struct pairing *pairing)
{
    json_t *matches = json_array();
    for (size_t i = 0; i < pairing->table_count; i++)
        json_array_append_new(matches, json_integer(pairing->tables[i].match));
    return matches;
}

/* The tables of a bracket all name their matches. */
static bool has_matches(const struct pairing *pairing)
{
    return pairing->table_count > 0 && pairing->tables[0].match != TOURNAMENT_NOBODY;
}

static json_t *seating(const struct tournament *tournament, const struct pairing *pairing)
{
    json_t *byes = json_array(), *absent = json_array();
    for (size_t i = 0; i < pairing->bye_count; i++) {
        json_t *number = number_of(tournament, pairing->byes[i].entry);
        enum round_kind kind = pairing->byes[i].kind;
        if (kind == ROUND_PAIRING_BYE)
            json_array_append_new(byes, number);
        else
            json_array_append_new(absent, json_pack("[o, s]", number, round_kind_name(kind)));
    }
    json_t *line = json_pack("{s:i, s:o, s:o, s:o, s:O}", "round", pairing->round, "tables",
                             tables_of(tournament, pairing), "byes", byes, "absent", absent,
                             "quality", pairing->quality);
    if (has_matches(pairing))
        json_object_set_new(line, "matches", matches_of(pairing));
    return line;
}

json_t *pairing_round_line(const struct tournament *tournament, const struct pairing *pairing)
{
    json_t *line = seating(tournament, pairing);
    json_object_set_new(line, "stage", json_integer(pairing->stage + 1));
    json_object_set_new(line, "attempt", json_integer(pairing->attempt));
    return line;
}

json_t *pairing_change_line(const struct tournament *tournament, const struct pairing *changed,
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

/* Like chance_shuffle(), for entries. */
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

size_t pairing_seeding(const struct tournament *tournament, const struct chance *chance,
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
