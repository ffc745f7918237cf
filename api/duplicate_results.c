/* What is open of a duplicate event, as arrays: results, marks, standings. */
#include "api/documents.h"
#include "api/duplicate.h"

#include <string.h>

static void take_results(struct duplicate_event *duplicate, size_t index)
{
    const struct game_row *game = &duplicate->tournament.games[index];
    for (unsigned seat = 0; seat < game->seats; seat++) {
        size_t at = duplicate->count++;
        duplicate->games[at] = (uint32_t)index;
        duplicate->results[at] = (struct duplicate_result){
            .entry = event_entry_index(&duplicate->tournament, &game->seat[seat].player),
            .round = (uint16_t)game->round,
            .board = (uint16_t)game->board,
            .seat = (uint16_t)seat,
            .score = game->seat[seat].score};
    }
}

/* Boards open all at once, so one table of each tells. */
static unsigned count_boards(const struct duplicate_event *duplicate)
{
    bool open[DUPLICATE_SITTINGS_MAX + 1] = {false};
    unsigned count = 0;
    for (size_t i = 0; i < duplicate->count; i++) {
        const struct duplicate_result *result = &duplicate->results[i];
        size_t sitting = (result->round - 1U) * duplicate->tournament.event.boards + result->board;
        count += !open[sitting];
        open[sitting] = true;
    }
    return count;
}

static bool make_standings(struct call *call, struct duplicate_event *duplicate)
{
    const struct tournament *tournament = &duplicate->tournament;
    struct refusal refusal;
    bool total = strcmp(tournament->event.scoring, "total") == 0;
    const struct duplicate_input input = {.entries = tournament->numbers,
                                          .entry_count = tournament->entry_count,
                                          .results = duplicate->results,
                                          .result_count = duplicate->count,
                                          .boards = (uint16_t)duplicate->boards,
                                          .scoring =
                                              total ? DUPLICATE_TOTAL : DUPLICATE_MATCHPOINTS,
                                          .chance = &tournament->chance};
    if (duplicate_standings_make(&input, &duplicate->standings, &refusal))
        return true;
    return call_problem(call, "internal-error", refusal.message);
}

bool duplicate_load(struct call *call, const struct event *event, unsigned rounds,
                    struct duplicate_event *duplicate)
{
    *duplicate = (struct duplicate_event){.rounds = rounds};
    struct tournament *tournament = &duplicate->tournament;
    if (!tournament_load(call, event, tournament))
        return false;
    size_t most = tournament->game_count * GAME_ROW_SEATS;
    duplicate->results = arena_array(call->arena, most, sizeof *duplicate->results);
    duplicate->games = arena_array(call->arena, most, sizeof *duplicate->games);
    for (size_t i = 0; i < tournament->game_count; i++)
        if (tournament->games[i].scored && tournament->games[i].round <= rounds)
            take_results(duplicate, i);
    duplicate->boards = count_boards(duplicate);
    return make_standings(call, duplicate);
}

void duplicate_free(struct duplicate_event *duplicate)
{
    duplicate_standings_free(&duplicate->standings);
}

const struct game_row *duplicate_game(const struct duplicate_event *duplicate, size_t i)
{
    return &duplicate->tournament.games[duplicate->games[i]];
}

json_t *duplicate_percent(struct share share)
{
    return rational_document(100 * (int64_t)share.own, share.total);
}
