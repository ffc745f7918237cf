/* Following a game, an event or all of them: streams of server-sent events. Here it is looked
 * whether the caller may, and where to begin; what is sent comes from api/subject.h. */
#include <string.h>

#include "api/game_writer.h"
#include "api/handlers.h"
#include "api/sight.h"
#include "db/event_changes.h"
#include "db/tlog.h"

enum { RETRY_AFTER_S = 30 };

/* Last-Event-ID: the number of the last message that the client has, 0 without. `last`: that of the
 * last there is. */
static bool read_last_event_id(struct call *call, unsigned last, unsigned *after)
{
    const char *field = call->request->last_event_id;
    uint64_t number = 0;
    if (field != NULL && !span_number(span_of(field), last, &number))
        return call_problem(call, "bad-field",
                            "Last-Event-ID takes the id of the last message that you have; leave "
                            "it out to have all of them.");
    *after = (unsigned)number;
    return true;
}

/* A stream of which the client has everything is not begun: this tells a browser's EventSource not
 * to come again. */
static void answer_over(struct call *call)
{
    call->response->status = 204;
}

static void answer_stream(struct call *call, enum streams_refusal refusal,
                          struct feed_reader *reader)
{
    if (refusal == STREAMS_OK) {
        call->response->status = 200;
        call->response->content_type = "text/event-stream";
        call->response->reader = reader;
        return;
    }
    if (refusal == STREAMS_ADDRESS_FULL)
        call_problem(call, "too-many-streams",
                     "Your address has as many streams open as it may; close one.");
    else
        call_problem(call, "unavailable", "There are as many streams open as there may be.");
    call->response->retry_after_s = RETRY_AFTER_S;
}

static struct stream_client client_of(const struct call *call)
{
    struct stream_client client = {.token_hash = call->signed_in ? call->token_hash : NULL};
    memcpy(client.peer, call->request->peer, sizeof client.peer);
    return client;
}

void games_stream(struct call *call)
{
    struct game_row game;
    struct replay *replay;
    struct feed_reader *reader = NULL;
    unsigned after = 0;
    if (!sight_find_game(call, &call->id[0], &game))
        return;
    struct live_result result = live_load(call->service->live, &call->service->keys, call->db,
                                          call->arena, &game.id, &replay);
    if (result.status != LIVE_OK) {
        game_live_problem(call, &result);
        return;
    }
    unsigned last = sight_last_row(call, &game, (unsigned)live_last_row(replay));
    if (!read_last_event_id(call, last, &after))
        return;
    if (replay->phase == REPLAY_FINISHED && after == last) {
        answer_over(call);
        return;
    }
    struct stream_client client = client_of(call);
    client.seated_at = last;
    enum streams_refusal refusal = streams_game(call->service->streams, &game.id,
                                                sight_viewer(call, &game), after, &client, &reader);
    answer_stream(call, refusal, reader);
}

void events_stream(struct call *call)
{
    struct event event;
    struct feed_reader *reader = NULL;
    unsigned last = 0;
    unsigned after = 0;
    if (!call_found(call, event_find(call->db, call->arena, &call->id[0], false, &event)) ||
        !call_found(call, event_change_last(call->db, &event.id, &last)) ||
        !read_last_event_id(call, last, &after))
        return;
    if (event.state == EVENT_CLOSED && after == last) {
        answer_over(call);
        return;
    }
    struct stream_client client = client_of(call);
    enum streams_refusal refusal =
        streams_event(call->service->streams, &event.id, after, &client, &reader);
    answer_stream(call, refusal, reader);
}

/* The log never ends. */
void log_stream(struct call *call)
{
    struct tlog_checkpoint last = {.size = 0};
    struct feed_reader *reader = NULL;
    unsigned after = 0;
    enum db_status status = tlog_checkpoint_last(call->db, call->arena, &last);
    if ((status != DB_NONE && !call_found(call, status)) ||
        !read_last_event_id(call, (unsigned)last.size, &after))
        return;
    struct stream_client client = client_of(call);
    enum streams_refusal refusal = streams_log(call->service->streams, after, &client, &reader);
    answer_stream(call, refusal, reader);
}
