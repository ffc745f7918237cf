/* Following a game, an event, a recording or all events: streams of server-sent events. This file
 * checks permissions and finds the starting point; api/push/topic.h makes the messages. */
#include <string.h>

#include "api/event/recording_view.h"
#include "api/push/handlers.h"
#include "api/push/streams.h"
#include "api/request/visibility.h"
#include "api/state/game_cache.h"
#include "api/tables/game_writer.h"
#include "db/link/db.h"
#include "db/store/events/event_log.h"
#include "db/store/log/tlog.h"

enum { RETRY_AFTER_S = 30 };

/* Last-Event-ID: the number of the client's last message, 0 if none. `last`: the newest message. */
static bool read_last_event_id(struct call *call, unsigned last, unsigned *after)
{
    const char *field = call->request->last_event_id;
    uint64_t number = 0;
    if (field != NULL && !span_number(span_of(field), last, &number))
        return call_problem(call, "bad-field",
                            "Last-Event-ID must be the id of the last message that you have; leave "
                            "it out to get all messages.");
    *after = (unsigned)number;
    return true;
}

/* No stream is opened for a client that has everything: 204 tells a browser's EventSource not to
 * reconnect. */
static void answer_over(struct call *call)
{
    call->response->status = 204;
}

static void answer_stream(struct call *call, enum streams_refusal refusal,
                          struct broadcast_reader *reader)
{
    if (refusal == STREAMS_OK) {
        call->response->status = 200;
        call->response->content_type = "text/event-stream";
        call->response->reader = reader;
        return;
    }
    if (refusal == STREAMS_ADDRESS_FULL)
        call_problem(call, "too-many-streams",
                     "Your address has reached its limit of open streams; close one.");
    else if (refusal == STREAMS_PLAYER_FULL)
        call_problem(call, "too-many-streams",
                     "You have reached your limit of open streams; close one.");
    else if (call->signed_in)
        call_problem(call, "unavailable",
                     "The limit of open streams is reached; the rest is reserved for players at "
                     "their own games.");
    else
        call_problem(call, "unavailable",
                     "The limit of open streams for clients without an account is reached; sign "
                     "in, or try again later.");
    call->response->retry_after_s = RETRY_AFTER_S;
}

static struct stream_client client_of(const struct call *call)
{
    struct stream_client client = {.token_hash = call->signed_in ? call->token_hash : NULL,
                                   .player = call->signed_in ? &call->player.id : NULL};
    memcpy(client.peer, call->request->peer, sizeof client.peer);
    return client;
}

void games_stream(struct call *call)
{
    struct game_row game;
    struct replay *replay;
    struct broadcast_reader *reader = NULL;
    unsigned after = 0;
    if (!visibility_find_game(call, &call->id[0], &game) || !game_load(call, &game.id, &replay))
        return;
    unsigned last = visibility_last_row(call, &game, (unsigned)game_cache_last_row(replay));
    if (!read_last_event_id(call, last, &after))
        return;
    if (replay->phase == REPLAY_FINISHED && after == last) {
        answer_over(call);
        return;
    }
    struct stream_client client = client_of(call);
    struct viewer viewer = visibility_viewer(call, &game);
    client.seated_at = last;
    client.plays = viewer.kind == VIEWER_SEAT && replay->phase != REPLAY_FINISHED;
    enum streams_refusal refusal =
        streams_game(call->service->streams, &game.id, viewer, after, &client, &reader);
    answer_stream(call, refusal, reader);
}

/* The number only, not the spectators' names. */
void games_watching(struct call *call)
{
    struct game_row game;
    if (visibility_find_game(call, &call->id[0], &game))
        call_answer(call, 200,
                    json_pack("{s:i}", "watching",
                              (int)streams_watching(call->service->streams, &game.id)));
}

void events_stream(struct call *call)
{
    struct event event;
    struct broadcast_reader *reader = NULL;
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

/* A message says only how far the record may be read; the client then requests the rows. */
void recordings_stream(struct call *call)
{
    struct loaded_event loaded;
    struct recording recording;
    struct broadcast_reader *reader = NULL;
    unsigned after = 0;
    if (!call_found(call, recording_find(call->db, call->arena, &call->id[0], &recording)) ||
        !event_load(call, &recording.event, false, &loaded))
        return;
    const bool at_table = recording_view_is_of_table(call, &loaded, &recording);
    const bool over = recording.finished_at_ms != 0;
    const unsigned last = over ? recording.lines : at_table ? recording.whole : recording.open;
    if (!read_last_event_id(call, recording_view_rows(call, &loaded, &recording), &after))
        return;
    after = after < last ? after : last; /* the scorer sees more than the stream tells */
    if (over && after == last) {
        answer_over(call);
        return;
    }
    struct stream_client client = client_of(call);
    enum streams_refusal refusal =
        streams_recording(call->service->streams, &recording.id, at_table, after, &client, &reader);
    answer_stream(call, refusal, reader);
}

/* The log has no end, so the response is never 204. */
void log_stream(struct call *call)
{
    struct tlog_checkpoint last = {.size = 0};
    struct broadcast_reader *reader = NULL;
    unsigned after = 0;
    enum db_status status = tlog_checkpoint_last(call->db, call->arena, &last);
    if ((status != DB_NONE && !call_found(call, status)) ||
        !read_last_event_id(call, (unsigned)last.size, &after))
        return;
    struct stream_client client = client_of(call);
    enum streams_refusal refusal = streams_log(call->service->streams, after, &client, &reader);
    answer_stream(call, refusal, reader);
}
