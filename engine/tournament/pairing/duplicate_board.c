#include "engine/tournament/pairing/duplicate_board.h"

#include <stdlib.h>

/* ---- The event as input to a movement ---- */

/* An event's entries as the functions of duplicate*.h take them: the one with number n has index n
 * - 1. A new array of `numbered` in the batch. */
static struct entry *duplicate_board_entries(const struct tournament *tournament,
                                             struct arena_batch *batch)
{
    struct entry *entries = arena_batch_take(batch, tournament->numbered + 1, sizeof *entries);
    for (size_t i = 0; entries != NULL && i < tournament->numbered; i++)
        entries[i].tpn = (uint16_t)(i + 1);
    return entries;
}

/* The input of a draw. */
struct pairing_run {
    struct arena_batch batch;
    struct entry *entries;
    struct duplicate_table *past;
    uint16_t *present;
    size_t present_count;
};

static uint16_t sitting_of(const struct tournament *tournament, unsigned round, unsigned board)
{
    return (uint16_t)((round - 1) * tournament->settings.stage[0].boards + board);
}

static struct duplicate_table past_table(const struct tournament *tournament,
                                         const struct tournament_table *past)
{
    struct duplicate_table table = {.sitting = sitting_of(tournament, past->round, past->board),
                                    .seats = past->seats};
    for (unsigned seat = 0; seat < past->seats; seat++)
        table.entry[seat] = (uint16_t)(tournament->entrants[past->entry[seat]].number - 1);
    return table;
}

static void list_present(const struct tournament *tournament, struct pairing_run *run)
{
    for (uint16_t number = 1; number <= tournament->numbered; number++) {
        uint16_t entry = tournament_entry_numbered(tournament, number);
        if (tournament_presence(tournament, entry, tournament->rounds_started) == ROUND_PLAYED)
            run->present[run->present_count++] = (uint16_t)(number - 1);
    }
}

static bool open_run(const struct tournament *tournament, struct pairing_run *run)
{
    struct arena_batch *batch = &run->batch;
    *run = (struct pairing_run){.present_count = 0};
    run->entries = duplicate_board_entries(tournament, batch);
    run->past = arena_batch_take(batch, tournament->table_count + 1, sizeof *run->past);
    run->present = arena_batch_take(batch, tournament->numbered + 1, sizeof *run->present);
    if (batch->failed)
        return false;
    list_present(tournament, run);
    for (size_t i = 0; i < tournament->table_count; i++)
        run->past[i] = past_table(tournament, &tournament->tables[i]);
    return true;
}

/* ---- Drawing ---- */

static bool has_seat(const struct duplicate_board *board, uint16_t entry)
{
    for (size_t i = 0; i < board->count; i++)
        for (unsigned seat = 0; seat < board->tables[i].seats; seat++)
            if (board->tables[i].entry[seat] == entry)
                return true;
    return false;
}

static void list_byes(const struct pairing_run *run, struct duplicate_board *board)
{
    for (size_t i = 0; i < run->present_count; i++)
        if (!has_seat(board, run->present[i]))
            board->byes[board->bye_count++] = run->present[i];
}

/* Tables are numbered throughout the round. */
static struct duplicate_board next_board(const struct tournament *tournament, size_t players)
{
    const struct tournament_round *round = &tournament->rounds[tournament->rounds_started - 1];
    return (struct duplicate_board){.round = round->number,
                                    .board = (uint16_t)(round->boards_started + 1),
                                    .first_table = round->table_count + 1,
                                    .tables = calloc(players + 1, sizeof(struct duplicate_table)),
                                    .byes = calloc(players + 1, sizeof(uint16_t))};
}

static bool pairing(const struct tournament *tournament, const struct chance *chance,
                    const struct pairing_run *run, struct duplicate_board *board,
                    struct refusal *refusal)
{
    const struct duplicate_movement movement = {
        .entries = run->entries,
        .entry_count = tournament->numbered,
        .past = run->past,
        .past_count = tournament->table_count,
        .present = run->present,
        .present_count = run->present_count,
        .sitting = sitting_of(tournament, board->round, board->board),
        .seats = tournament->settings.stage[0].table.preferred,
        .chance = chance};
    if (board->tables == NULL || board->byes == NULL)
        return refuse(refusal, POD_REFUSAL_MEMORY, "There is not enough memory for the pairing.");
    if (!duplicate_pairing(&movement, board->tables, &board->count, refusal))
        return false;
    list_byes(run, board);
    return true;
}

/* A log from elsewhere may begin rounds with more boards than its settings have. */
static bool has_next_board(const struct tournament *tournament)
{
    if (tournament->settings.stage[0].format != FORMAT_DUPLICATE || tournament->rounds_started == 0)
        return false;
    const struct tournament_round *round = &tournament->rounds[tournament->rounds_started - 1];
    return round->boards_started < round->boards &&
           sitting_of(tournament, round->number, round->boards_started + 1U) <=
               DUPLICATE_SITTINGS_MAX;
}

bool duplicate_board_pairing(const struct tournament *tournament, const struct chance *chance,
                             struct duplicate_board *board, struct refusal *refusal)
{
    struct pairing_run run;
    bool drawn = false;
    *board = (struct duplicate_board){.count = 0};
    if (!has_next_board(tournament))
        return refuse(refusal, DUPLICATE_REFUSAL_INPUT, "No board is due to be seated now.");
    if (!open_run(tournament, &run)) {
        refuse(refusal, POD_REFUSAL_MEMORY, "There is not enough memory for the pairing.");
    } else {
        *board = next_board(tournament, run.present_count);
        drawn = pairing(tournament, chance, &run, board, refusal);
    }
    arena_batch_free(&run.batch);
    if (!drawn)
        duplicate_board_free(board);
    return drawn;
}

void duplicate_board_free(struct duplicate_board *board)
{
    free(board->tables);
    free(board->byes);
    *board = (struct duplicate_board){.count = 0};
}

/* ---- The line ---- */

static json_t *tables_json(const struct duplicate_board *board)
{
    json_t *list = json_array();
    for (size_t i = 0; i < board->count; i++) {
        json_t *numbers = json_array();
        for (unsigned seat = 0; seat < board->tables[i].seats; seat++)
            json_array_append_new(numbers, json_integer(board->tables[i].entry[seat] + 1));
        json_array_append_new(list, numbers);
    }
    return list;
}

json_t *duplicate_board_line(const struct duplicate_board *board)
{
    json_t *byes = json_array();
    for (size_t i = 0; i < board->bye_count; i++)
        json_array_append_new(byes, json_integer(board->byes[i] + 1));
    return json_pack("{s:i, s:i, s:i, s:o, s:o}", "round", (int)board->round, "board",
                     (int)board->board, "first_table", (int)board->first_table, "tables",
                     tables_json(board), "byes", byes);
}

enum duplicate_scoring duplicate_ranking_scoring(const struct tournament *tournament)
{
    return tournament->settings.stage[0].matchpoints ? DUPLICATE_MATCHPOINTS : DUPLICATE_TOTAL;
}

/* Results are in the log as soon as they can be compared. A ruling on a table whose board is still
 * in play stays hidden until then. */
static bool is_open(const struct duplicate_ranking *ranking, const struct tournament_table *table)
{
    return table->board > 0 && table->played && table->round <= ranking->rounds;
}

static void take_results(const struct tournament *tournament, const struct tournament_table *table,
                         struct duplicate_ranking *ranking)
{
    for (unsigned seat = 0; seat < table->seats; seat++) {
        size_t at = ranking->count++;
        uint16_t number = tournament->entrants[table->entry[seat]].number;
        ranking->tables[at] = table;
        ranking->results[at] = (struct duplicate_result){.entry = (uint16_t)(number - 1),
                                                         .round = table->round,
                                                         .board = table->board,
                                                         .seat = (uint16_t)seat,
                                                         .score = table->result.seat[seat].score};
    }
}

/* A board opens all at once, so checking one table of each is enough. */
static unsigned count_boards(const struct tournament *tournament,
                             const struct duplicate_ranking *ranking)
{
    bool open[DUPLICATE_SITTINGS_MAX + 1] = {false};
    unsigned boards = tournament->settings.stage[0].boards;
    unsigned count = 0;
    for (size_t i = 0; i < ranking->count; i++) {
        const struct duplicate_result *result = &ranking->results[i];
        size_t sitting = (result->round - 1U) * boards + result->board;
        if (sitting > DUPLICATE_SITTINGS_MAX)
            continue;
        count += !open[sitting];
        open[sitting] = true;
    }
    return count;
}

static bool take_memory(const struct tournament *tournament, struct duplicate_ranking *ranking)
{
    size_t most = tournament->table_count * TOURNAMENT_SEATS_MAX + 1;
    ranking->entries = duplicate_board_entries(tournament, &ranking->batch);
    ranking->results = arena_batch_take(&ranking->batch, most, sizeof *ranking->results);
    ranking->tables = arena_batch_take(&ranking->batch, most, sizeof(struct tournament_table *));
    return !ranking->batch.failed;
}

static bool make(const struct tournament *tournament, const struct chance *chance,
                 struct duplicate_ranking *ranking, struct refusal *refusal)
{
    if (!take_memory(tournament, ranking))
        return refuse(refusal, DUPLICATE_REFUSAL_MEMORY,
                      "There is not enough memory for the standings.");
    for (size_t i = 0; i < tournament->table_count; i++)
        if (is_open(ranking, &tournament->tables[i]))
            take_results(tournament, &tournament->tables[i], ranking);
    ranking->boards = count_boards(tournament, ranking);
    const struct duplicate_input input = {.entries = ranking->entries,
                                          .entry_count = tournament->numbered,
                                          .results = ranking->results,
                                          .result_count = ranking->count,
                                          .boards = (uint16_t)ranking->boards,
                                          .scoring = duplicate_ranking_scoring(tournament),
                                          .chance = chance};
    return duplicate_standings_make(&input, &ranking->standings, refusal);
}

bool duplicate_ranking_make(const struct tournament *tournament, const struct chance *chance,
                            unsigned rounds, struct duplicate_ranking *ranking,
                            struct refusal *refusal)
{
    *ranking = (struct duplicate_ranking){.rounds = rounds};
    if (make(tournament, chance, ranking, refusal))
        return true;
    duplicate_ranking_free(ranking);
    return false;
}

void duplicate_ranking_free(struct duplicate_ranking *ranking)
{
    arena_batch_free(&ranking->batch);
    duplicate_standings_free(&ranking->standings);
    *ranking = (struct duplicate_ranking){.rounds = 0};
}
