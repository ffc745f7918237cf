#include "api/tournament.h"

#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "api/event_steps.h"
#include "engine/record.h"

uint16_t tournament_entry(const struct tournament *tournament, const struct id *player)
{
    for (size_t i = 0; i < tournament->entry_count; i++)
        if (id_equal(&tournament->entries[i].player, player))
            return (uint16_t)i;
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
            (struct seat_result){.entry = tournament_entry(tournament, &game->seat[i].player),
                                 .kind = ROUND_PLAYED,
                                 .rank = (uint8_t)game->seat[i].rank,
                                 .score = game->seat[i].score};
    return result;
}

static struct table_result bye_result(const struct tournament *tournament, const struct bye *bye)
{
    struct table_result result = {.round = (uint16_t)bye->round, .table = 0, .seats = 1};
    result.seat[0] = (struct seat_result){
        .entry = tournament_entry(tournament, &bye->player), .kind = ROUND_PAIRING_BYE, .rank = 1};
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
    tournament->results = arena_array(arena, tournament->game_count + tournament->bye_count,
                                      sizeof *tournament->results);
    for (size_t i = 0; i < tournament->game_count; i++)
        if (tournament->games[i].scored && tournament->games[i].board == 0)
            tournament->results[tournament->result_count++] =
                game_result(tournament, &tournament->games[i]);
    for (size_t i = 0; i < tournament->bye_count; i++)
        tournament->results[tournament->result_count++] =
            bye_result(tournament, &tournament->byes[i]);
    return true;
}

bool tournament_standings(struct call *call, const struct tournament *tournament, unsigned rounds,
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
