#include "api/event/recording_view.h"

#include <string.h>

static bool is_scorer(const struct call *call, const struct recording *recording)
{
    return call->signed_in && strcmp(call->player.id.text, recording->scorer.text) == 0;
}

bool recording_view_is_of_table(const struct call *call, const struct loaded_event *loaded,
                                const struct recording *recording)
{
    const struct tournament_table *table =
        tournament_table(loaded->tournament, recording->round, recording->table);
    return is_scorer(call, recording) ||
           (call->signed_in && table != NULL &&
            tournament_seat(loaded->tournament, table, call->player.id.text) != REPORT_OFFICIAL);
}

unsigned recording_view_rows(const struct call *call, const struct loaded_event *loaded,
                             const struct recording *recording)
{
    if (recording->finished_at_ms != 0 || is_scorer(call, recording))
        return recording->lines;
    return recording_view_is_of_table(call, loaded, recording) ? recording->whole : recording->open;
}
