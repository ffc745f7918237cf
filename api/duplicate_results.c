/* What is open of a duplicate event, as arrays: results, marks, standings. */
#include "api/duplicate.h"

#include "api/documents.h"
#include "api/event_refuse.h"

uint16_t duplicate_entry(const struct duplicate_event *duplicate, uint16_t index)
{
    return tournament_entry_numbered(duplicate->loaded->tournament, (uint16_t)(index + 1));
}

/* Results stand in the log as soon as they can be compared. A ruling on a table that others still
 * play says nothing until then. */
static bool is_open(const struct duplicate_event *duplicate, const struct tournament_table *table)
{
    return table->board > 0 && table->played && table->round <= duplicate->rounds;
}

static void take_results(struct duplicate_event *duplicate, const struct tournament_table *table)
{
    const struct tournament *tournament = duplicate->loaded->tournament;
    for (unsigned seat = 0; seat < table->seats; seat++) {
        size_t at = duplicate->count++;
        uint16_t number = tournament->entrants[table->entry[seat]].number;
        duplicate->tables[at] = table;
        duplicate->results[at] = (struct duplicate_result){.entry = (uint16_t)(number - 1),
                                                           .round = table->round,
                                                           .board = table->board,
                                                           .seat = (uint16_t)seat,
                                                           .score = table->result.seat[seat].score};
    }
}

/* Boards open all at once, so one table of each tells. */
static unsigned count_boards(const struct duplicate_event *duplicate)
{
    bool open[DUPLICATE_SITTINGS_MAX + 1] = {false};
    unsigned boards = duplicate->loaded->tournament->settings.stage[0].boards;
    unsigned count = 0;
    for (size_t i = 0; i < duplicate->count; i++) {
        const struct duplicate_result *result = &duplicate->results[i];
        size_t sitting = (result->round - 1U) * boards + result->board;
        count += !open[sitting];
        open[sitting] = true;
    }
    return count;
}

static bool make_standings(struct call *call, struct duplicate_event *duplicate)
{
    const struct tournament *tournament = duplicate->loaded->tournament;
    struct refusal refusal;
    const struct duplicate_input input = {.entries = duplicate_entries(call, tournament),
                                          .entry_count = tournament->numbered,
                                          .results = duplicate->results,
                                          .result_count = duplicate->count,
                                          .boards = (uint16_t)duplicate->boards,
                                          .scoring = tournament->settings.stage[0].matchpoints
                                                         ? DUPLICATE_MATCHPOINTS
                                                         : DUPLICATE_TOTAL,
                                          .chance = &duplicate->loaded->chance};
    return duplicate_standings_make(&input, &duplicate->standings, &refusal) ||
           event_refuse(call, &refusal);
}

bool duplicate_load(struct call *call, const struct loaded_event *loaded, unsigned rounds,
                    struct duplicate_event *duplicate)
{
    const struct tournament *tournament = loaded->tournament;
    *duplicate = (struct duplicate_event){.loaded = loaded, .rounds = rounds};
    if (!event_people_load(call, loaded, &duplicate->people))
        return false;
    size_t most = tournament->table_count * TOURNAMENT_SEATS_MAX;
    duplicate->results = arena_array(call->arena, most, sizeof *duplicate->results);
    duplicate->tables = arena_array(call->arena, most, sizeof(struct tournament_table *));
    for (size_t i = 0; i < tournament->table_count; i++)
        if (is_open(duplicate, &tournament->tables[i]))
            take_results(duplicate, &tournament->tables[i]);
    duplicate->boards = count_boards(duplicate);
    return make_standings(call, duplicate);
}

void duplicate_free(struct duplicate_event *duplicate)
{
    duplicate_standings_free(&duplicate->standings);
}

json_t *duplicate_percent(struct share share)
{
    return rational_document(100 * (int64_t)share.own, share.total);
}
