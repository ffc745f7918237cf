/* What a bundle claims, made again: draws from the secret, results from the records, ratings. */
#include <stdlib.h>
#include <string.h>

#include "engine/tournament/bundle.h"
#include "engine/tournament/bundle_parts.h"
#include "engine/tournament/draw.h"

enum { MARK_BYTES = 10 }; /* ` #` and eight digits at the end of a record's line */

/* ---- Draws ---- */

static bool refuse_draw(struct bundle_fault *fault, size_t number, const char *what)
{
    return bundle_refuse(fault, number, BUNDLE_FAULT_DRAW,
                         "From the secret and the lines before it comes something else:", what);
}

static bool check_numbers(struct bundle *bundle, const json_t *numbers, size_t line,
                          struct bundle_fault *fault)
{
    const struct tournament *tournament = &bundle->tournament;
    uint16_t *order = calloc(tournament->entrant_count + 1, sizeof *order);
    if (order == NULL)
        return bundle_refuse(fault, 0, BUNDLE_FAULT_MEMORY, "There is no memory to number.", "");
    size_t count = draw_seeding(tournament, &bundle->chance, order);
    bool same = json_array_size(numbers) == count;
    for (size_t i = 0; same && i < count; i++) {
        const char *id = json_string_value(json_array_get(numbers, i));
        same = id != NULL && strcmp(id, tournament->entrants[order[i]].player) == 0;
    }
    free(order);
    return same || refuse_draw(fault, line, "other numbers.");
}

/* A list that may be left out when it is empty. */
static bool same_lists(const json_t *a, const json_t *b)
{
    if (json_array_size(a) == 0 && json_array_size(b) == 0)
        return true;
    return json_equal(a, b) != 0;
}

/* Later rounds follow the schedules that the first one tells: they have to come from the secret. A
 * program that was older told none. */
static bool same_schedules(const json_t *drawn, const json_t *told)
{
    const json_t *ours = json_object_get(json_object_get(drawn, "quality"), "divisions");
    const json_t *theirs = json_object_get(json_object_get(told, "quality"), "divisions");
    for (size_t i = 0; i < json_array_size(theirs); i++) {
        const json_t *schedule = json_object_get(json_array_get(theirs, i), "schedule");
        if (schedule != NULL &&
            !json_equal(schedule, json_object_get(json_array_get(ours, i), "schedule")))
            return false;
    }
    return true;
}

static bool same_draw(const json_t *drawn, const json_t *told)
{
    static const char *const lists[] = {"tables", "matches", "byes", "absent", "entries"};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        if (!same_lists(json_object_get(drawn, lists[i]), json_object_get(told, lists[i])))
            return false;
    return same_schedules(drawn, told);
}

static bool check_round(struct bundle *bundle, const struct tournament_line *line, size_t number,
                        struct bundle_fault *fault)
{
    bool begins = strcmp(line->kind, "stage_started") == 0;
    json_int_t attempt = begins ? 1 : json_integer_value(json_object_get(line->detail, "attempt"));
    struct draw draw;
    struct refusal refusal;
    if (!draw_next(&bundle->tournament, &bundle->chance, (unsigned)attempt, &draw, &refusal))
        return refuse_draw(fault, number, refusal.message);
    json_t *again = begins ? draw_stage_line(&bundle->tournament, &draw)
                           : draw_round_line(&bundle->tournament, &draw);
    draw_free(&draw);
    bool same = json_is_object(again) && same_draw(again, line->detail);
    json_decref(again);
    bundle->draws += same && !begins;
    return same || refuse_draw(fault, number, begins ? "other entries." : "other tables.");
}

bool bundle_check_draw(struct bundle *bundle, const struct tournament_line *line, size_t number,
                       struct bundle_fault *fault)
{
    const struct tournament *tournament = &bundle->tournament;
    bool fold_knows_it =
        tournament->lines > 0 && tournament->settings.stage[0].format != FORMAT_DUPLICATE;
    if (fold_knows_it && strcmp(line->kind, "entries_closed") == 0)
        return check_numbers(bundle, json_object_get(line->detail, "numbers"), number, fault);
    if (fold_knows_it &&
        (strcmp(line->kind, "stage_started") == 0 || strcmp(line->kind, "round_drawn") == 0))
        return check_round(bundle, line, number, fault);
    return true;
}

/* ---- Records ---- */

static bool refuse_result(const struct bundle_record *record, struct bundle_fault *fault,
                          const char *message)
{
    return bundle_refuse(fault, record->line, BUNDLE_FAULT_RESULT, message, record->game);
}

static bool same_players(const struct bundle *bundle, const struct record_header *header,
                         const struct tournament_table *table)
{
    if (header->seats != table->seats)
        return false;
    for (unsigned seat = 0; seat < table->seats; seat++)
        if (strcmp(header->seat[seat].player,
                   bundle->tournament.entrants[table->entry[seat]].player) != 0)
            return false;
    return true;
}

/* Whether the result lines of a verified record are these. */
static bool same_results(struct span text, const struct table_result *result)
{
    struct span line;
    unsigned found = 0;
    while (span_line(&text, &line)) {
        struct record_fault fault;
        struct record_entry entry;
        if (line.length < MARK_BYTES)
            continue;
        line.length -= MARK_BYTES;
        if (!record_read_entry(line, &entry, &fault) || entry.kind != RECORD_RESULT)
            continue;
        if (entry.subject >= result->seats || entry.score != result->seat[entry.subject].score ||
            entry.rank != result->seat[entry.subject].rank)
            return false;
        found++;
    }
    return found == result->seats;
}

/* Whether the log marks those who went out of the game, and those who were replaced; `header` says
 * who sat there at the start, the replay who did at the end. */
static bool same_marks(const struct record_header *header, const struct replay *replay,
                       const struct tournament_table *table)
{
    unsigned forfeited = 0, substituted = 0;
    for (unsigned i = 0; i < replay->forfeits; i++)
        forfeited |= 1U << replay->forfeited[i];
    for (unsigned seat = 0; seat < header->seats; seat++)
        if (strcmp(header->seat[seat].player, replay->header.seat[seat].player) != 0)
            substituted |= 1U << seat;
    return forfeited == table->forfeited && substituted == table->substituted;
}

static bool verify_record(const struct bundle_record *record, struct replay *replay,
                          struct bundle_fault *fault)
{
    struct record_fault wrong = {.line = 0};
    char message[sizeof wrong.message + 64];
    struct text text = TEXT_OVER(message);
    if (replay_verify(record->text, replay, &wrong) == REPLAY_VALID)
        return true;
    text_add(&text, "line ");
    text_add_number(&text, wrong.line);
    text_add(&text, ": ");
    text_add(&text, wrong.message);
    return bundle_refuse(fault, record->line, BUNDLE_FAULT_RECORD, record->game, message);
}

/* A record against the table that it is of; `seen` [table] marks those that have one. */
static bool check_record(const struct bundle *bundle, const struct bundle_record *record,
                         struct replay *replay, bool *seen, struct bundle_fault *fault)
{
    const struct tournament *tournament = &bundle->tournament;
    struct record_header header;
    struct record_fault wrong;
    struct span rest = record->text;
    uint8_t head[32];
    uint32_t lines = 0;
    if (!verify_record(record, replay, fault))
        return false;
    if (!record_read_header(&rest, &header, head, &lines, &wrong) ||
        strcmp(header.game_id, record->game) != 0 || !header.in_event ||
        strcmp(header.event_id, bundle->event) != 0)
        return refuse_result(record, fault, "This is the record of another game:");
    const struct tournament_table *table = tournament_table(tournament, header.round, header.table);
    if (table == NULL || !table->played || strcmp(table->game, record->game) != 0)
        return refuse_result(record, fault, "The log has no result of the game");
    if (seen[table - tournament->tables])
        return refuse_result(record, fault, "There are two records of the game");
    seen[table - tournament->tables] = true;
    return (same_players(bundle, &header, table) && same_results(rest, &table->game_result) &&
            same_marks(&header, replay, table)) ||
           refuse_result(record, fault, "The log has other players or another result of the game");
}

bool bundle_check_records(const struct bundle *bundle, struct replay *replay,
                          struct bundle_fault *fault)
{
    const struct tournament *tournament = &bundle->tournament;
    bool *seen = calloc(tournament->table_count + 1, sizeof *seen);
    bool good = true;
    if (seen == NULL)
        return bundle_refuse(fault, 0, BUNDLE_FAULT_MEMORY, "There is no memory to check.", "");
    for (size_t i = 0; good && i < bundle->record_count; i++)
        good = check_record(bundle, &bundle->records[i], replay, seen, fault);
    for (size_t i = 0; good && i < tournament->table_count; i++)
        if (tournament->tables[i].played && !seen[i])
            good = bundle_refuse(fault, 0, BUNDLE_FAULT_RESULT, "There is no record of the game",
                                 tournament->tables[i].game);
    free(seen);
    return good;
}

/* ---- Ratings ---- */

/* A game of which a seat was won or lost by forfeit says of nobody how well he plays. */
static bool was_played(const struct table_result *result)
{
    for (unsigned seat = 0; seat < result->seats; seat++)
        if (!round_kind_is_played(result->seat[seat].kind))
            return false;
    return true;
}

static bool is_substituted(const struct tournament_table *table, unsigned seat)
{
    return (table->substituted >> seat & 1) != 0;
}

/* False if it is none to be rated. */
static bool rate_table(const struct tournament_table *table, struct rating *ratings)
{
    const struct table_result *result = &table->result;
    struct rating at_table[TOURNAMENT_SEATS_MAX];
    int32_t ranks[TOURNAMENT_SEATS_MAX];
    if (result->seats < 2 || !was_played(result))
        return false;
    for (unsigned seat = 0; seat < result->seats; seat++) {
        at_table[seat] =
            is_substituted(table, seat) ? rating_initial() : ratings[result->seat[seat].entry];
        ranks[seat] = result->seat[seat].rank;
    }
    if (!rating_update(at_table, ranks, result->seats))
        return false;
    for (unsigned seat = 0; seat < result->seats; seat++)
        if (!is_substituted(table, seat))
            ratings[result->seat[seat].entry] = at_table[seat];
    return true;
}

size_t bundle_rate(const struct bundle *bundle, struct rating *ratings)
{
    size_t games = 0;
    for (size_t i = 0; i < bundle->tournament.entrant_count; i++)
        ratings[i] = rating_initial();
    for (size_t i = 0; i < bundle->finished_count; i++)
        games += rate_table(&bundle->tournament.tables[bundle->finished[i]], ratings);
    return games;
}
