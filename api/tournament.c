#include "api/tournament.h"

#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "api/event_steps.h"
#include "engine/record.h"

static int compare_players(const void *a, const void *b, void *context)
{
    const struct event_entry *entries = context;
    return strcmp(entries[*(const uint16_t *)a].player.text,
                  entries[*(const uint16_t *)b].player.text);
}

static void sort_by_player(struct arena *arena, struct tournament *tournament)
{
    tournament->by_player =
        arena_array(arena, tournament->entry_count, sizeof *tournament->by_player);
    for (size_t i = 0; i < tournament->entry_count; i++)
        tournament->by_player[i] = (uint16_t)i;
    qsort_r(tournament->by_player, tournament->entry_count, sizeof *tournament->by_player,
            compare_players, tournament->entries);
}

uint16_t event_entry_index(const struct tournament *tournament, const struct id *player)
{
    size_t low = 0;
    size_t high = tournament->entry_count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        uint16_t entry = tournament->by_player[middle];
        int order = strcmp(player->text, tournament->entries[entry].player.text);
        if (order == 0)
            return entry;
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    abort();
}

static struct table_result game_result(const struct tournament *tournament,
                                       const struct game_row *game)
{
    struct table_result result = {.round = (uint16_t)game->round,
                                  .table = (uint16_t)game->table,
                                  .seats = (uint8_t)game->seats};
    for (unsigned i = 0; i < game->seats; i++)
        result.seat[i] =
            (struct seat_result){.entry = event_entry_index(tournament, &game->seat[i].player),
                                 .kind = ROUND_PLAYED,
                                 .rank = (uint8_t)game->seat[i].rank,
                                 .score = game->seat[i].score};
    return result;
}

static struct table_result bye_result(const struct tournament *tournament, const struct bye *bye)
{
    struct table_result result = {.round = (uint16_t)bye->round, .table = 0, .seats = 1};
    result.seat[0] = (struct seat_result){
        .entry = event_entry_index(tournament, &bye->player), .kind = ROUND_PAIRING_BYE, .rank = 1};
    return result;
}

/* The event's chance: BLAKE2b-256(key = secret, "tillroll/event/1" || event id). */
static bool load_chance(struct call *call, const struct event *event, struct chance *chance)
{
    uint8_t secret[KEYS_SECRET_BYTES];
    if (!event_read_secret(call, &event->id, secret))
        return false;
    record_event_seed(span_of(event->id.text), secret, chance->seed);
    sodium_memzero(secret, sizeof secret);
    chance->stacks = NULL;
    return true;
}

static void add_result(struct tournament *tournament, struct table_result result,
                       const struct game_row *game)
{
    tournament->results[tournament->result_count] = result;
    tournament->result_games[tournament->result_count] = game;
    tournament->result_count++;
}

static void load_results(struct arena *arena, struct tournament *tournament)
{
    size_t most = tournament->game_count + tournament->bye_count;
    tournament->results = arena_array(arena, most, sizeof *tournament->results);
    tournament->result_games = arena_array(arena, most, sizeof(struct game_row *));
    for (size_t i = 0; i < tournament->game_count; i++) {
        const struct game_row *game = &tournament->games[i];
        if (game->scored && game->board == 0)
            add_result(tournament, game_result(tournament, game), game);
    }
    for (size_t i = 0; i < tournament->bye_count; i++)
        add_result(tournament, bye_result(tournament, &tournament->byes[i]), NULL);
}

bool tournament_load(struct call *call, const struct event *event, struct tournament *tournament)
{
    struct db *db = call->db;
    struct arena *arena = call->arena;
    *tournament = (struct tournament){.event = *event};
    if (!call_found(call, entry_list(db, arena, &event->id, &tournament->entries,
                                     &tournament->entry_count)) ||
        !call_found(call, round_games(db, arena, &event->id, 0, &tournament->games,
                                      &tournament->game_count)) ||
        !call_found(
            call, bye_list(db, arena, &event->id, 0, &tournament->byes, &tournament->bye_count)) ||
        !load_chance(call, event, &tournament->chance))
        return false;
    tournament->numbers = arena_array(arena, tournament->entry_count, sizeof *tournament->numbers);
    for (size_t i = 0; i < tournament->entry_count; i++)
        tournament->numbers[i].tpn = (uint16_t)tournament->entries[i].number;
    sort_by_player(arena, tournament);
    load_results(arena, tournament);
    return true;
}

bool event_standings(struct call *call, const struct tournament *tournament, unsigned rounds,
                          struct standings *standings)
{
    struct refusal refusal;
    const struct standings_input input = {.entries = tournament->numbers,
                                          .entry_count = tournament->entry_count,
                                          .results = tournament->results,
                                          .result_count = tournament->result_count,
                                          .scoring = &scoring_default,
                                          .chain = tie_break_pods,
                                          .chain_count = tie_break_pods_count,
                                          .rounds = (uint16_t)rounds,
                                          .chance = &tournament->chance};
    struct standings_input *kept = arena_take(call->arena, sizeof *kept);
    *kept = input;
    if (standings_make(kept, standings, &refusal))
        return true;
    return call_problem(call, "internal-error", refusal.message);
}
