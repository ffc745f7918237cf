#include "api/request/clock_documents.h"

#include "api/request/call.h"
#include "engine/tournament/event/settings.h"

json_t *clock_control_document(const struct game_row *game)
{
    struct clock_control control = {.kind = CLOCK_NONE};
    if (game->clock != NULL)
        clock_read_control(span_of(game->clock), &control);
    return settings_write_clock(&control);
}

static json_t *seat_document(const struct replay *replay, unsigned seat)
{
    const struct clock *clock = &replay->clock;
    bool running = clock->stopped == 0 && (clock->running >> seat & 1) != 0;
    int64_t left_ms = clock_left_ms(clock, seat, clock->at_ms);
    int64_t runs_out_ms = time_read(replay->header.start) + clock->at_ms + left_ms;
    return json_pack("{s:i, s:I, s:b, s:o}", "seat", (int)seat, "left_ms", (json_int_t)left_ms,
                     "running", (int)running, "runs_out_at",
                     running ? time_json(runs_out_ms) : json_null());
}

json_t *clocks_document(const struct replay *replay)
{
    if (replay->header.clock.kind == CLOCK_NONE)
        return json_null();
    json_t *seats = json_array();
    for (unsigned seat = 0; seat < replay->header.seats; seat++)
        json_array_append_new(seats, seat_document(replay, seat));
    return json_pack("{s:I, s:o}", "elapsed_ms", (json_int_t)replay->clock.at_ms, "seats", seats);
}
