#include "api/notices/turns.h"

#include <sodium.h>
#include <stdlib.h>

#include "api/request/call.h"

enum { PARTS = 4, MARK_BYTES = 10 };

static const int64_t low_most_ms = INT64_C(12) * 60 * 60 * 1000;
static const int64_t low_least_ms = INT64_C(10) * 60 * 1000;

uint32_t turns_new(const struct replay *replay, uint32_t told, const struct record_row *rows,
                   size_t count)
{
    uint32_t now = replay_awaits(replay);
    uint32_t played = 0; /* seats with plies among the rows */
    for (size_t i = 0; i < count; i++) {
        struct record_entry entry;
        struct record_fault fault;
        struct span line = rows[i].line;
        if (rows[i].seq == 0 || line.length < MARK_BYTES)
            continue;
        line.length -= MARK_BYTES;
        if (record_read_entry(line, &entry, &fault) && entry.kind == RECORD_PLY)
            played |= UINT32_C(1) << entry.seat;
    }
    uint32_t fresh = now & ~told;
    for (unsigned seat = 0; seat < GAME_SEATS_MAX; seat++) {
        uint32_t bit = UINT32_C(1) << seat;
        if ((now & told & played & bit) != 0 && (played & ~bit) != 0)
            fresh |= bit;
    }
    return fresh;
}

int64_t turns_left_ms(const struct replay *replay, unsigned seat, int64_t now_ms)
{
    if (replay->header.clock.kind == CLOCK_NONE || (replay_awaits(replay) >> seat & 1) == 0)
        return -1;
    int64_t elapsed_ms = now_ms - time_read(replay->header.start);
    return clock_left_ms(&replay->clock, seat,
                         elapsed_ms > replay->clock.at_ms ? elapsed_ms : replay->clock.at_ms);
}

int64_t turns_low_ms(const struct replay *replay)
{
    const struct clock_control *control = &replay->header.clock;
    int64_t quarter = (control->kind == CLOCK_BANK   ? control->bank_ms
                       : control->kind == CLOCK_MOVE ? control->move_ms
                                                     : 0) /
                      PARTS;
    return quarter < low_least_ms ? 0 : quarter < low_most_ms ? quarter : low_most_ms;
}

struct replay *turns_replay_new(void)
{
    struct replay *replay = must(calloc(1, sizeof *replay));
    return replay;
}

void turns_replay_free(struct replay *replay)
{
    if (replay == NULL)
        return;
    sodium_memzero(replay, sizeof *replay);
    free(replay);
}

const struct replay *turns_replay(struct game_cache *game_cache, const struct keys *keys,
                                  struct db *db, struct arena *arena, const struct id *game,
                                  struct replay *room, struct record_result *result)
{
    struct replay *replay = room;
    *result = (struct record_result){.status = STORED_RECORD_OK};
    if (!game_cache_look(game_cache, game, room))
        *result = game_cache_load(game_cache, keys, db, arena, game, &replay);
    return result->status == STORED_RECORD_OK ? replay : NULL;
}
