#include "engine/tournament/formats/duplicate/duplicate_movement.h"

#include "engine/base/arena.h"
#include "engine/tournament/formats/pods/pod_history.h"

/* What a draw needs besides the movement itself. */
struct pairing {
    struct table_result *results; /* the past tables, and byes for players who sat a board out */
    size_t result_count;
    struct pod_player *players;
    uint8_t *met, *before;
    uint16_t *groups;
    int32_t *scores;
    struct arena_batch batch;
};

static bool take_memory(const struct duplicate_movement *movement, struct pairing *draw)
{
    size_t players = movement->present_count + 1;
    size_t sittings = movement->sitting;
    struct arena_batch *batch = &draw->batch;
    draw->results =
        arena_batch_take(batch, movement->past_count + players * sittings, sizeof *draw->results);
    draw->players = arena_batch_take(batch, players, sizeof *draw->players);
    draw->met = arena_batch_take(batch, players, players);
    draw->before = arena_batch_take(batch, players, players);
    draw->groups = arena_batch_take(batch, sittings, sizeof *draw->groups);
    draw->scores = arena_batch_take(batch, movement->entry_count + 1, sizeof *draw->scores);
    return !batch->failed;
}

static void add_table(struct pairing *draw, const struct duplicate_table *table, uint16_t number)
{
    struct table_result *result = &draw->results[draw->result_count++];
    *result = (struct table_result){
        .round = table->sitting, .table = number, .seats = (uint8_t)table->seats};
    for (unsigned seat = 0; seat < table->seats; seat++)
        result->seat[seat] =
            (struct seat_result){.entry = table->entry[seat], .kind = ROUND_PLAYED, .rank = 1};
}

static void add_bye(struct pairing *draw, uint16_t sitting, uint16_t entry)
{
    struct table_result *result = &draw->results[draw->result_count++];
    *result = (struct table_result){.round = sitting, .table = 0, .seats = 1};
    result->seat[0] = (struct seat_result){.entry = entry, .kind = ROUND_PAIRING_BYE, .rank = 1};
}

/* One past sitting: its tables, and byes for current players who were at none of them. */
static void add_sitting(const struct duplicate_movement *movement, struct pairing *draw,
                        uint16_t sitting)
{
    bool was_there[TOURNAMENT_ENTRIES_MAX] = {false};
    uint16_t number = 0;
    for (size_t i = 0; i < movement->past_count; i++) {
        const struct duplicate_table *table = &movement->past[i];
        if (table->sitting != sitting)
            continue;
        add_table(draw, table, ++number);
        for (unsigned seat = 0; seat < table->seats; seat++)
            was_there[table->entry[seat]] = true;
    }
    for (size_t i = 0; i < movement->present_count; i++)
        if (!was_there[movement->present[i]])
            add_bye(draw, sitting, movement->present[i]);
}

/* The counts of meetings, seats and byes. Points and floats of pod Swiss do not matter: all scores
 * are 0. */
static void count_past(const struct duplicate_movement *movement, struct pairing *draw)
{
    for (uint16_t sitting = 1; sitting < movement->sitting; sitting++)
        add_sitting(movement, draw, sitting);
    const struct pod_history history = {.entries = movement->entries,
                                        .entry_count = movement->entry_count,
                                        .results = draw->results,
                                        .result_count = draw->result_count,
                                        .scoring = &scoring_default,
                                        .present = movement->present,
                                        .present_count = movement->present_count,
                                        .rounds = (uint16_t)(movement->sitting - 1),
                                        .preferred = (uint8_t)movement->seats};
    pod_history_count(&history, draw->players, draw->met, draw->before, draw->groups, draw->scores);
    for (size_t i = 0; i < movement->present_count; i++) {
        draw->players[i].score = 0;
        draw->players[i].full_without_play = 0;
        draw->players[i].floats[0] = 0;
        draw->players[i].floats[1] = 0;
    }
}

static bool pair(const struct duplicate_movement *movement, const struct pairing *draw,
                 struct pod_pairing *pairing, struct refusal *refusal)
{
    const struct pod_request request = {.players = draw->players,
                                        .player_count = movement->present_count,
                                        .met = draw->met,
                                        .before = draw->before,
                                        .earlier_groups = draw->groups,
                                        .earlier_rounds = movement->sitting - 1U,
                                        .rule = {.allowed = (uint8_t)(1U << movement->seats),
                                                 .preferred = (uint8_t)movement->seats},
                                        .profile = POD_STRICT,
                                        .round = movement->sitting,
                                        .attempt = 1,
                                        .chance = movement->chance};
    return pod_swiss_pair(&request, pairing, refusal);
}

static void take_tables(const struct duplicate_movement *movement,
                        const struct pod_pairing *pairing, struct duplicate_table *tables)
{
    for (size_t i = 0; i < pairing->table_count; i++) {
        const struct pod_table *table = &pairing->tables[i];
        tables[i] = (struct duplicate_table){.sitting = movement->sitting, .seats = table->seats};
        for (unsigned seat = 0; seat < table->seats; seat++)
            tables[i].entry[seat] = movement->present[table->player[seat]];
    }
}

/* Tables of one, in the order in which the entries are given. */
static bool seat_alone(const struct duplicate_movement *movement, struct duplicate_table *tables,
                       size_t *count, struct refusal *refusal)
{
    if (movement->present_count == 0)
        return refuse(refusal, POD_REFUSAL_TOO_FEW, "There are too few players for a table.");
    for (size_t i = 0; i < movement->present_count; i++)
        tables[i] = (struct duplicate_table){
            .sitting = movement->sitting, .seats = 1, .entry = {movement->present[i]}};
    *count = movement->present_count;
    return true;
}

static bool pairing_tables(const struct duplicate_movement *movement, struct pairing *draw,
                           struct duplicate_table *tables, size_t *count, struct refusal *refusal)
{
    struct pod_pairing pairing;
    if (!take_memory(movement, draw))
        return refuse(refusal, POD_REFUSAL_MEMORY, "There is not enough memory for the pairing.");
    count_past(movement, draw);
    if (!pair(movement, draw, &pairing, refusal))
        return false;
    take_tables(movement, &pairing, tables);
    *count = pairing.table_count;
    pod_pairing_free(&pairing);
    return true;
}

bool duplicate_pairing(const struct duplicate_movement *movement, struct duplicate_table *tables,
                       size_t *count, struct refusal *refusal)
{
    struct pairing draw = {.result_count = 0};
    assert(movement->sitting >= 1 && movement->sitting <= DUPLICATE_SITTINGS_MAX);
    if (movement->seats == 1)
        return seat_alone(movement, tables, count, refusal);
    bool drawn = pairing_tables(movement, &draw, tables, count, refusal);
    arena_batch_free(&draw.batch);
    return drawn;
}
