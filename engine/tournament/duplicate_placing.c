#include "engine/tournament/duplicate_placing.h"

#include <stdlib.h>

#include "engine/tournament/duplicate_board.h"

enum duplicate_scoring duplicate_placing_scoring(const struct tournament *tournament)
{
    return tournament->settings.stage[0].matchpoints ? DUPLICATE_MATCHPOINTS : DUPLICATE_TOTAL;
}

/* Results stand in the log as soon as they can be compared. A ruling on a table that others still
 * play says nothing until then. */
static bool is_open(const struct duplicate_placing *placing, const struct tournament_table *table)
{
    return table->board > 0 && table->played && table->round <= placing->rounds;
}

static void take_results(const struct tournament *tournament, const struct tournament_table *table,
                         struct duplicate_placing *placing)
{
    for (unsigned seat = 0; seat < table->seats; seat++) {
        size_t at = placing->count++;
        uint16_t number = tournament->entrants[table->entry[seat]].number;
        placing->tables[at] = table;
        placing->results[at] = (struct duplicate_result){.entry = (uint16_t)(number - 1),
                                                         .round = table->round,
                                                         .board = table->board,
                                                         .seat = (uint16_t)seat,
                                                         .score = table->result.seat[seat].score};
    }
}

/* Boards open all at once, so one table of each tells. */
static unsigned count_boards(const struct tournament *tournament,
                             const struct duplicate_placing *placing)
{
    bool open[DUPLICATE_SITTINGS_MAX + 1] = {false};
    unsigned boards = tournament->settings.stage[0].boards;
    unsigned count = 0;
    for (size_t i = 0; i < placing->count; i++) {
        const struct duplicate_result *result = &placing->results[i];
        size_t sitting = (result->round - 1U) * boards + result->board;
        if (sitting > DUPLICATE_SITTINGS_MAX)
            continue;
        count += !open[sitting];
        open[sitting] = true;
    }
    return count;
}

static bool take_memory(const struct tournament *tournament, struct duplicate_placing *placing)
{
    size_t most = tournament->table_count * TOURNAMENT_SEATS_MAX + 1;
    placing->entries = duplicate_board_entries(tournament);
    placing->results = calloc(most, sizeof *placing->results);
    placing->tables = calloc(most, sizeof(struct tournament_table *));
    return placing->entries != NULL && placing->results != NULL && placing->tables != NULL;
}

static bool make(const struct tournament *tournament, const struct chance *chance,
                 struct duplicate_placing *placing, struct refusal *refusal)
{
    if (!take_memory(tournament, placing))
        return refuse(refusal, DUPLICATE_REFUSAL_MEMORY, "There is no memory for the standings.");
    for (size_t i = 0; i < tournament->table_count; i++)
        if (is_open(placing, &tournament->tables[i]))
            take_results(tournament, &tournament->tables[i], placing);
    placing->boards = count_boards(tournament, placing);
    const struct duplicate_input input = {.entries = placing->entries,
                                          .entry_count = tournament->numbered,
                                          .results = placing->results,
                                          .result_count = placing->count,
                                          .boards = (uint16_t)placing->boards,
                                          .scoring = duplicate_placing_scoring(tournament),
                                          .chance = chance};
    return duplicate_standings_make(&input, &placing->standings, refusal);
}

bool duplicate_placing_make(const struct tournament *tournament, const struct chance *chance,
                            unsigned rounds, struct duplicate_placing *placing,
                            struct refusal *refusal)
{
    *placing = (struct duplicate_placing){.rounds = rounds};
    if (make(tournament, chance, placing, refusal))
        return true;
    duplicate_placing_free(placing);
    return false;
}

void duplicate_placing_free(struct duplicate_placing *placing)
{
    free(placing->entries);
    free(placing->results);
    free(placing->tables);
    duplicate_standings_free(&placing->standings);
    *placing = (struct duplicate_placing){.rounds = 0};
}
