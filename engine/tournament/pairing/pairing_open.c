#include "engine/tournament/pairing/pairing_open.h"

#include <stdlib.h>

void pairing_ladder_seats(const struct tournament *tournament, const struct chance *chance,
                          const struct tournament_challenge *challenge, uint16_t entries[static 2])
{
    char name[CHANCE_NAME_MAX + 1];
    struct text text = TEXT_OVER(name);
    struct chance_stream stream;
    text_add(&text, "ladder/");
    text_add_number(&text, (int64_t)tournament->open_tables + 1);
    chance_open(&stream, chance, name, 0);
    unsigned first = chance_uniform(&stream, 2);
    entries[first] = challenge->challenger;
    entries[1 - first] = challenge->challenged;
}

/* Lists a player's opponents at the last tables, newest first. */
static void find_recent(const struct tournament *tournament, struct open_play_waiting *waiting)
{
    for (size_t i = tournament->table_count; i-- > 0;) {
        const struct tournament_table *table = &tournament->tables[i];
        if (tournament_seat_of(table, waiting->entry) < 0)
            continue;
        for (unsigned seat = 0; seat < table->seats; seat++) {
            if (waiting->recent_count == OPEN_PLAY_RECENT_MAX)
                return;
            if (table->entry[seat] != waiting->entry)
                waiting->recent[waiting->recent_count++] = table->entry[seat];
        }
    }
}

/* Returns the same number for entries that are kept apart as one person, and 0 for all others. */
static uint16_t person_of(const struct tournament *tournament, size_t place)
{
    uint16_t own = tournament->queue[place].entry;
    for (size_t i = 0; i < tournament->queue_count; i++)
        if (tournament_parts(tournament, own, tournament->queue[i].entry))
            return (uint16_t)(1 + (i < place ? i : place));
    return 0;
}

/* Times count from the first player's arrival, so none is negative. */
static void list_waiting(const struct tournament *tournament, int64_t from_ms,
                         struct open_play_waiting *waiting)
{
    for (size_t i = 0; i < tournament->queue_count; i++) {
        waiting[i] = (struct open_play_waiting){
            .entry = tournament->queue[i].entry,
            .person = person_of(tournament, i),
            .since = (uint64_t)(tournament->queue[i].since_ms - from_ms)};
        find_recent(tournament, &waiting[i]);
    }
}

static int64_t first_since(const struct tournament *tournament)
{
    int64_t first = tournament->last_ms;
    for (size_t i = 0; i < tournament->queue_count; i++)
        if (tournament->queue[i].since_ms < first)
            first = tournament->queue[i].since_ms;
    return first;
}

/* The number of the first table to be started is that of the call, so a call without tables can be
 * repeated. */
bool pairing_open_tables(const struct tournament *tournament, const struct chance *chance,
                         int64_t now_ms, struct open_play_table *tables, size_t *count,
                         struct refusal *refusal)
{
    enum { MINUTE_MS = 60 * 1000 };
    const struct stage_settings *stage = &tournament->settings.stage[0];
    int64_t from_ms = first_since(tournament);
    struct open_play_waiting *waiting = calloc(tournament->queue_count + 1, sizeof *waiting);
    if (waiting == NULL) {
        *refusal = (struct refusal){.code = OPEN_PLAY_REFUSAL_MEMORY};
        return false;
    }
    list_waiting(tournament, from_ms, waiting);
    const struct open_play_call call = {.waiting = waiting,
                                        .count = tournament->queue_count,
                                        .rule = stage->table,
                                        .now = (uint64_t)(now_ms - from_ms),
                                        .patience = (uint64_t)stage->patience_minutes * MINUTE_MS,
                                        .number = (uint32_t)tournament->open_tables + 1,
                                        .chance = chance};
    bool good = open_play_tables(&call, tables, count, refusal);
    free(waiting);
    return good;
}
