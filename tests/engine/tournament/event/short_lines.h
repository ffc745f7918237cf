/* One event, and lines written in short. Players are letters. */
#ifndef TILLROLL_TESTS_ENGINE_TOURNAMENT_EVENT_SHORT_LINES_H
#define TILLROLL_TESTS_ENGINE_TOURNAMENT_EVENT_SHORT_LINES_H

#include <stdio.h>

#include "engine/tournament/event/tournament.h"
#include "tests/test.h"

static struct tournament event;

static inline const char *id_of(char player)
{
    static char ids[256][TOURNAMENT_ID_BYTES];
    char *id = ids[(unsigned char)player];
    (void)snprintf(id, TOURNAMENT_ID_BYTES, "00000000-0000-7000-8000-0000000000%02x",
                   (unsigned)player & 0xff);
    return id;
}

/* A line's detail: ' for ", and <a> for the id of player a. */
static inline json_t *detail_of(const char *shorthand)
{
    char text[4096];
    size_t length = 0;
    for (const char *at = shorthand; *at != '\0'; at++) {
        if (at[0] == '<' && at[2] == '>') {
            length += (size_t)snprintf(&text[length], sizeof text - length, "\"%s\"", id_of(at[1]));
            at += 2;
        } else {
            text[length++] = *at == '\'' ? '"' : *at;
        }
    }
    json_t *detail = json_loadb(text, length, 0, NULL);
    assert_non_null(detail);
    return detail;
}

/* The next line of the event; `actor` is "" for the service itself. The detail is taken over. */
static inline bool apply_as(const char *actor, int64_t at_ms, const char *kind, json_t *detail,
                            struct refusal *refusal)
{
    const struct tournament_line line = {
        .number = event.lines + 1, .at_ms = at_ms, .actor = actor, .kind = kind, .detail = detail};
    bool taken = tournament_apply(&event, &line, refusal);
    json_decref(detail);
    return taken;
}

/* Settings as an organizer writes them, as a log has them. */
static inline json_t *settings_of(const char *settings)
{
    struct tournament_settings read;
    struct settings_fault fault;
    json_t *written = detail_of(settings);
    if (!settings_read(written, true, &read, &fault))
        fail_msg("%s %s", fault.field, fault.message);
    json_t *stored = settings_write(&read);
    json_decref(written);
    return stored;
}

static inline int clear(void **state)
{
    (void)state;
    tournament_free(&event);
    return 0;
}

#endif
