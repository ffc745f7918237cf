#include "api/http/traffic.h"

#include <assert.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "api/http/answer.h"
#include "api/http/peers.h"
#include "db/link/now.h"

enum piece_state {
    PIECE_NONE,  /* none has been requested yet */
    PIECE_ASKED, /* a worker is to make it; a worker that was stopped may not have made it */
    PIECE_THERE,
    PIECE_LAST, /* there, and the last */
    PIECE_FAILED
};

/* Connections are suspended, not held, when HELD_MOST are held, or after HOLD_MS at least. */
enum { HELD_MOST = 512, HOLD_MS = 100 };

/* Reads that a turn of the loop answers while writes are at work. */
enum { READS_PER_TURN = 8 };

/* One request and its response. Created when the request line has been read; freed when
 * libmicrohttpd has finished with the request (it always reports that), or when its work is done,
 * whichever is later. */
struct exchange {
    struct work work; /* first, so that a pointer to the work is one to its exchange */
    struct traffic *traffic;
    struct MHD_Connection *mhd;    /* NULL: the client has gone while the connection was held */
    struct connection *connection; /* likewise */
    struct arena arena;
    struct span target; /* as received */
    struct http_request request;
    char *body; /* request.body.length bytes */
    size_t body_read;
    struct http_response response; /* status 0 until it is complete */
    struct sse_writer *sse_writer; /* if the response is a stream */
    int64_t head_complete_us;
    bool worked;                 /* a worker has run the handler */
    bool counted_report;         /* counted in traffic.reports */
    struct peer *long_body_peer; /* counted in traffic.long_body_peers, or NULL */
    enum piece_state piece_state;
    struct span piece; /* the part not yet sent */
    char target_bytes[];
};

/* -- beginning and end of an exchange -- */

static struct connection *connection_of(struct MHD_Connection *mhd)
{
    return MHD_get_connection_info(mhd, MHD_CONNECTION_INFO_SOCKET_CONTEXT)->socket_context;
}

/* Creates the exchange with the raw target, which is available only here: later libmicrohttpd has
 * split and decoded it. A NULL target stands for a request line of blanks. */
static void *notify_request_line(void *context, const char *target, struct MHD_Connection *mhd)
{
    struct connection *connection = connection_of(mhd);
    struct span raw = span_of(target == NULL ? "" : target);
    if (connection == NULL)
        return NULL;
    struct exchange *exchange = malloc(sizeof *exchange + raw.length);
    if (exchange == NULL)
        return NULL;
    *exchange = (struct exchange){.traffic = context, .mhd = mhd, .connection = connection};
    memcpy(exchange->target_bytes, raw.at, raw.length);
    exchange->target = (struct span){exchange->target_bytes, raw.length};
    arena_begin(&exchange->arena, &exchange->traffic->spare);
    return exchange;
}

static void log_exchange(const struct exchange *exchange)
{
    const struct server_config *config = exchange->traffic->config;
    if (config->log == NULL || exchange->response.status == 0)
        return;
    const struct http_outcome outcome = {.status = exchange->response.status,
                                         .duration_us =
                                             now_us(CLOCK_MONOTONIC) - exchange->head_complete_us,
                                         .worked = exchange->worked,
                                         .stream = exchange->sse_writer != NULL};
    config->log(config->context, &exchange->request, &outcome);
}

/* Releases the resources that the response holds. */
static void drop_response(const struct exchange *exchange)
{
    shared_answer_drop(exchange->response.shared);
    if (exchange->response.reader != NULL)
        broadcast_close(exchange->response.reader);
    if (exchange->response.pieces != NULL)
        exchange->response.pieces->drop(exchange->response.pieces);
}

static void leave_long_bodies(struct exchange *exchange)
{
    if (exchange->long_body_peer == NULL)
        return;
    peers_leave(exchange->traffic->long_body_peers, exchange->long_body_peer);
    exchange->traffic->long_bodies--;
    exchange->long_body_peer = NULL;
}

static void exchange_end(struct exchange *exchange)
{
    if (exchange->counted_report)
        exchange->traffic->reports--;
    leave_long_bodies(exchange);
    log_exchange(exchange);
    if (exchange->sse_writer != NULL)
        sse_writer_free(exchange->sse_writer);
    drop_response(exchange);
    arena_end(&exchange->arena, &exchange->traffic->spare);
    free(exchange);
}

static void notify_completed(void *context, struct MHD_Connection *mhd, void **place,
                             enum MHD_RequestTerminationCode code)
{
    (void)mhd;
    (void)code;
    struct traffic *traffic = context;
    struct exchange *exchange = *place;
    *place = NULL;
    traffic->needs_run = true;
    if (exchange == NULL)
        return;
    if (exchange->sse_writer != NULL && sse_writer_has_left(exchange->sse_writer)) {
        exchange->connection->stream = exchange->sse_writer;
        return;
    }
    bool at_work = exchange->connection->phase == PHASE_HOLD;
    exchange->connection->answered = true;
    connection_enter_phase(exchange->connection, PHASE_HEAD,
                           traffic->config->idle_ms + traffic->config->header_deadline_ms);
    if (!at_work) {
        exchange_end(exchange);
        return;
    }
    traffic->held--;
    exchange->mhd = NULL;
    exchange->connection = NULL;
}

void traffic_stream_over(void *owner)
{
    struct exchange *exchange = owner;
    struct connection *connection = exchange->connection;
    struct traffic *traffic = exchange->traffic;
    exchange_end(exchange);
    connection_close(&traffic->connections, connection);
}

/* Prevents libmicrohttpd from decoding `%` and `+` in arguments, which are not read. */
static size_t keep_escaped(void *context, struct MHD_Connection *mhd, char *text)
{
    (void)context;
    (void)mhd;
    return strlen(text);
}

void traffic_options(struct traffic *traffic, struct MHD_OptionItem options[TRAFFIC_OPTIONS])
{
    options[0] = (struct MHD_OptionItem){MHD_OPTION_NOTIFY_CONNECTION, (intptr_t)connections_notify,
                                         &traffic->connections};
    options[1] = (struct MHD_OptionItem){MHD_OPTION_URI_LOG_CALLBACK, (intptr_t)notify_request_line,
                                         traffic};
    options[2] =
        (struct MHD_OptionItem){MHD_OPTION_NOTIFY_COMPLETED, (intptr_t)notify_completed, traffic};
    options[3] =
        (struct MHD_OptionItem){MHD_OPTION_UNESCAPE_CALLBACK, (intptr_t)keep_escaped, traffic};
    options[4] = (struct MHD_OptionItem){MHD_OPTION_END, 0, NULL};
}

/* -- the head -- */

struct field_list {
    struct gate_field field[HTTP_FIELDS_MAX];
    size_t count; /* may exceed the array: then the gate refuses the fields without reading them */
};

static enum MHD_Result collect_field(void *context, enum MHD_ValueKind kind, const char *name,
                                     size_t name_size, const char *value, size_t value_size)
{
    (void)kind;
    struct field_list *list = context;
    if (list->count < HTTP_FIELDS_MAX)
        list->field[list->count] = (struct gate_field){{name, name_size}, {value, value_size}};
    list->count++;
    return MHD_YES;
}

/* Random bytes are fetched for many ids at once, since each fetch is a system call. */
static void fill_id(struct traffic *traffic, char id[static 17])
{
    enum { REQUEST_ID_BYTES = 8 };
    if (traffic->random_left < REQUEST_ID_BYTES) {
        randombytes_buf(traffic->random, sizeof traffic->random);
        traffic->random_left = sizeof traffic->random;
    }
    traffic->random_left -= REQUEST_ID_BYTES;
    sodium_bin2hex(id, 17, traffic->random + traffic->random_left, REQUEST_ID_BYTES);
}

static void stamp(struct exchange *exchange)
{
    exchange->head_complete_us = now_us(CLOCK_MONOTONIC);
    exchange->request.received_ms = now_us(CLOCK_REALTIME) / 1000;
    http_peer(connection_address(exchange->mhd), exchange->request.peer);
    fill_id(exchange->traffic, exchange->request.id);
}

/* Takes the client's address and the request id from the trusted proxy's fields. Without a
 * forwarded address the proxy itself is the client; without a valid id the generated one stays. */
static void apply_proxy_fields(struct exchange *exchange)
{
    struct http_request *request = &exchange->request;
    if (exchange->connection->peer != NULL)
        return;
    request->forwarded = request->forwarded_for != NULL;
    (void)http_forwarded_peer(request->forwarded_for, request->peer);
    if (http_is_request_id(request->request_id))
        memcpy(request->id, request->request_id, strlen(request->request_id) + 1);
}

static void clear_response(struct exchange *exchange)
{
    drop_response(exchange);
    exchange->response = (struct http_response){0};
}

static void refuse(struct exchange *exchange, const struct gate_refusal *refusal)
{
    clear_response(exchange);
    exchange->traffic->config->refuse(refusal, &exchange->arena, &exchange->response);
}

static struct MHD_Response *make_answer(const struct exchange *exchange)
{
    return http_answer_new(&exchange->response, exchange->request.id, exchange->traffic->stopping);
}

/* Completes the head of a response whose body may take hours to send and uses nothing that the
 * handler has made, so the arena is freed. False, and the answer is destroyed, if the head cannot
 * be sent. */
static bool finish_head(struct exchange *exchange, struct MHD_Response *answer)
{
    struct traffic *traffic = exchange->traffic;
    /* Without this, libmicrohttpd would send the end of a chunked body after a head without a
     * body. */
    if (exchange->request.method == HTTP_HEAD || exchange->response.status == 304)
        MHD_set_response_options(answer, MHD_RF_HTTP_1_0_COMPATIBLE_STRICT, MHD_RO_END);
    if (!http_answer_add_fields(answer, &exchange->response, exchange->request.id,
                                traffic->stopping)) {
        MHD_destroy_response(answer);
        return false;
    }
    arena_end(&exchange->arena, &traffic->spare);
    return true;
}

/* NULL, and the stream is closed, if it cannot be started. */
static struct MHD_Response *start_stream(struct exchange *exchange)
{
    struct MHD_Response *answer;
    struct traffic *traffic = exchange->traffic;
    struct broadcast_reader *reader = exchange->response.reader;
    exchange->response.reader = NULL;
    exchange->sse_writer =
        sse_writer_start(&traffic->sse_writers, exchange->mhd, exchange->connection->socket, reader,
                         exchange, &answer);
    if (exchange->sse_writer == NULL) {
        broadcast_close(reader);
        return NULL;
    }
    if (finish_head(exchange, answer))
        return answer;
    sse_writer_free(exchange->sse_writer);
    exchange->sse_writer = NULL;
    return NULL;
}

static enum MHD_Result queue_answer(struct exchange *exchange, struct MHD_Response *answer)
{
    connection_enter_phase(exchange->connection,
                           exchange->sse_writer != NULL ? PHASE_STREAM : PHASE_SEND,
                           exchange->traffic->config->send_deadline_ms);
    return MHD_queue_response(exchange->mhd, (unsigned)exchange->response.status, answer);
}

/* -- long bodies -- */

static bool enter_long_bodies(struct exchange *exchange)
{
    struct traffic *traffic = exchange->traffic;
    if (traffic->long_bodies == TRAFFIC_LONG_BODIES)
        return false;
    exchange->long_body_peer = peers_enter(traffic->long_body_peers, exchange->request.peer);
    traffic->long_bodies += exchange->long_body_peer != NULL;
    return exchange->long_body_peer != NULL;
}

/* The queue has a place for each long body, until the server stops. */
static ssize_t ask_for_piece(struct exchange *exchange)
{
    struct workers *workers = exchange->traffic->pool[POOL_PIECE];
    if (workers_full(workers, 0))
        return MHD_CONTENT_READER_END_WITH_ERROR;
    exchange->piece_state = PIECE_ASKED;
    connection_enter_phase(exchange->connection, PHASE_WORK, 0);
    MHD_suspend_connection(exchange->mhd);
    workers_add(workers, &exchange->work);
    return 0;
}

static ssize_t take_piece(struct exchange *exchange, char *bytes, size_t most)
{
    struct span *piece = &exchange->piece;
    size_t count = piece->length < most ? piece->length : most;
    memcpy(bytes, piece->at, count);
    piece->at += count;
    piece->length -= count;
    return (ssize_t)count;
}

/* libmicrohttpd's content reader, which is called again after a suspension. */
static ssize_t read_pieces(void *context, uint64_t position, char *bytes, size_t most)
{
    struct exchange *exchange = context;
    (void)position;
    switch (exchange->piece_state) {
    case PIECE_THERE:
    case PIECE_LAST:
        if (exchange->piece.length > 0)
            return take_piece(exchange, bytes, most);
        return exchange->piece_state == PIECE_LAST ? MHD_CONTENT_READER_END_OF_STREAM
                                                   : ask_for_piece(exchange);
    case PIECE_NONE:
        return ask_for_piece(exchange);
    case PIECE_ASKED:
    case PIECE_FAILED:
        break;
    }
    return MHD_CONTENT_READER_END_WITH_ERROR;
}

void traffic_piece(struct work *work)
{
    struct exchange *exchange = (struct exchange *)work;
    struct http_pieces *pieces = exchange->response.pieces;
    bool last = false;
    exchange->piece = (struct span){NULL, 0};
    bool made = pieces->next(pieces, &exchange->piece, &last);
    exchange->piece_state = !made ? PIECE_FAILED : last ? PIECE_LAST : PIECE_THERE;
}

/* NULL if memory is short. */
static struct MHD_Response *start_pieces(struct exchange *exchange)
{
    enum { BLOCK = 32 * 1024 };
    struct MHD_Response *answer =
        MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, BLOCK, read_pieces, exchange, NULL);
    return answer != NULL && finish_head(exchange, answer) ? answer : NULL;
}

/* -- the response -- */

static void refuse_long(struct exchange *exchange)
{
    static const struct gate_refusal busy = {
        .status = 503,
        .code = "server-busy",
        .message = "Too many long answers are being sent; try again later."};
    refuse(exchange, &busy);
    exchange->response.retry_after_s = 5;
}

static struct MHD_Response *make_any_answer(struct exchange *exchange)
{
    if (exchange->response.reader != NULL)
        return start_stream(exchange);
    return exchange->response.pieces != NULL ? start_pieces(exchange) : make_answer(exchange);
}

static enum MHD_Result send_answer(struct exchange *exchange)
{
    static const struct gate_refusal unsendable = {
        .status = 500, .code = "internal-error", .message = "The answer could not be sent."};
    if (exchange->response.shared != NULL)
        return queue_answer(exchange,
                            shared_answer_ready(&exchange->response, exchange->traffic->stopping));
    if (exchange->response.pieces != NULL && !enter_long_bodies(exchange))
        refuse_long(exchange);
    struct MHD_Response *answer = make_any_answer(exchange);
    if (answer == NULL) {
        refuse(exchange, &unsendable);
        answer = make_answer(exchange);
    }
    if (answer == NULL)
        return MHD_NO;
    enum MHD_Result queued = queue_answer(exchange, answer);
    MHD_destroy_response(answer);
    return queued;
}

/* Limits the large bodies at a time: they take memory from their first byte on. */
static bool begin_report(struct exchange *exchange, struct gate_refusal *refusal)
{
    if (exchange->request.body.length <= HTTP_BODY_MAX)
        return true;
    if (exchange->traffic->reports == TRAFFIC_REPORTS) {
        *refusal = (struct gate_refusal){
            .status = 503,
            .code = "server-busy",
            .message = "Too many large report files are being sent; try again "
                       "later."};
        return false;
    }
    exchange->counted_report = true;
    exchange->traffic->reports++;
    return true;
}

/* libmicrohttpd delivers requests in the order in which the intake passed them on, followed by the
 * substitute for a refused one. Any other request has bypassed the intake. */
static bool check_intake(struct connection *connection, struct gate_refusal *refusal)
{
    if (connection->heads != connection->intake.heads) {
        connection->heads++;
        return true;
    }
    *refusal = connection->intake.refused
                   ? connection->intake.refusal
                   : (struct gate_refusal){.status = 500,
                                           .code = "internal-error",
                                           .message = "The request was not checked."};
    return false;
}

/* A refusal at the gate ends the connection: the start of the next request is then in doubt. The
 * body, if any, is not read. */
static enum MHD_Result begin_exchange(struct exchange *exchange, const char *method,
                                      const char *version)
{
    stamp(exchange);
    struct field_list list; /* only the counted fields are read */
    list.count = 0;
    (void)MHD_get_connection_values_n(exchange->mhd, MHD_HEADER_KIND, collect_field, &list);
    struct gate_refusal refusal;
    if (check_intake(exchange->connection, &refusal) &&
        gate_check(method, exchange->target, version, list.field, list.count, &exchange->request,
                   &refusal) &&
        begin_report(exchange, &refusal)) {
        apply_proxy_fields(exchange);
        connection_enter_phase(exchange->connection, PHASE_BODY,
                               exchange->traffic->config->body_deadline_ms);
        return MHD_YES;
    }
    refuse(exchange, &refusal);
    exchange->response.close = true;
    exchange->response.retry_after_s = refusal.status == 503 ? 1 : 0;
    return send_answer(exchange);
}

/* -- the body -- */

/* The gate has refused announced lengths that are too large, and libmicrohttpd passes on no more
 * than the announced length; should it ever do so, the connection is closed (no response is
 * possible in mid-body). */
static enum MHD_Result take_body(struct exchange *exchange, const char *upload, size_t *upload_size)
{
    struct http_request *request = &exchange->request;
    if (*upload_size > request->body.length - exchange->body_read)
        return MHD_NO;
    if (exchange->body == NULL)
        exchange->body = arena_take(&exchange->arena, request->body.length);
    memcpy(exchange->body + exchange->body_read, upload, *upload_size);
    exchange->body_read += *upload_size;
    *upload_size = 0;
    return MHD_YES;
}

/* -- work -- */

static void refuse_busy(struct exchange *exchange)
{
    static const struct gate_refusal busy = {
        .status = 503,
        .code = "server-busy",
        .message = "The server has too many requests to answer; try again later."};
    refuse(exchange, &busy);
    exchange->response.retry_after_s = 1;
}

static enum MHD_Result suspend(struct exchange *exchange)
{
    connection_enter_phase(exchange->connection, PHASE_WORK, 0);
    MHD_suspend_connection(exchange->mhd);
    return MHD_YES;
}

/* libmicrohttpd calls again in each of its runs, and does not read from the socket meanwhile. */
static enum MHD_Result hold(struct exchange *exchange)
{
    if (exchange->traffic->held >= HELD_MOST)
        return suspend(exchange);
    connection_enter_phase(exchange->connection, PHASE_HOLD, HOLD_MS);
    exchange->traffic->held++;
    return MHD_YES;
}

/* libmicrohttpd has called again, and there is no response yet. */
static enum MHD_Result hold_longer(struct exchange *exchange)
{
    struct traffic *traffic = exchange->traffic;
    if (exchange->connection->deadline_us >= traffic->connections.swept_us)
        return MHD_YES;
    traffic->held--;
    return suspend(exchange);
}

static bool is_read(const struct exchange *exchange)
{
    return exchange->request.method == HTTP_GET || exchange->request.method == HTTP_HEAD;
}

/* Continues a request whose response is complete. */
static void wake(struct exchange *exchange)
{
    exchange->traffic->writes -= !is_read(exchange);
    if (exchange->connection == NULL) {
        exchange_end(exchange);
    } else if (exchange->connection->phase == PHASE_HOLD) {
        exchange->connection->phase = PHASE_WORK;
        exchange->traffic->held--;
        exchange->traffic->needs_run = true;
    } else {
        MHD_resume_connection(exchange->mhd);
    }
}

static enum http_quick try_quick(struct exchange *exchange)
{
    const struct server_config *config = exchange->traffic->config;
    return config->quick == NULL
               ? QUICK_NO
               : config->quick(config->context, (struct http_pending *)exchange, &exchange->request,
                               &exchange->arena, &exchange->response);
}

static void report_worked(const struct exchange *exchange)
{
    const struct server_config *config = exchange->traffic->config;
    if (config->worked != NULL)
        config->worked(config->context, &exchange->request, &exchange->response);
}

static struct workers *pool_of(const struct traffic *traffic, enum traffic_pool pool)
{
    return traffic->pool[pool] != NULL ? traffic->pool[pool] : traffic->pool[POOL_ANSWER];
}

/* Half of the places for reports are kept for requests with a token, valid or not. */
static bool is_full(const struct exchange *exchange, struct workers *workers)
{
    const struct http_request *request = &exchange->request;
    bool anonymous = request->authorization == NULL && request->cookie == NULL;
    unsigned spare = exchange->traffic->config->report_queue_max / 2;
    return workers_full(workers, request->costly && anonymous ? spare : 0);
}

/* Leaves the request to a worker. False, and it is refused, if too many wait already. */
static bool queue_work(struct exchange *exchange, enum traffic_pool pool)
{
    struct workers *workers =
        pool_of(exchange->traffic, exchange->request.costly ? POOL_REPORT : pool);
    if (is_full(exchange, workers)) {
        refuse_busy(exchange);
        return false;
    }
    workers_add(workers, &exchange->work);
    return true;
}

/* True if the response is complete; otherwise it comes later. Work that was added now begins at the
 * end of this turn. */
static bool begin_work(struct exchange *exchange)
{
    enum traffic_pool pool = POOL_ANSWER;
    switch (try_quick(exchange)) {
    case QUICK_DONE:
        return true;
    case QUICK_LATER:
        return false;
    case QUICK_COLD:
        pool = POOL_FETCH;
        break;
    case QUICK_SLOW:
        pool = POOL_PASSWORD;
        break;
    case QUICK_STEP:
        pool = POOL_STEP;
        break;
    case QUICK_NO:
        break;
    }
    if (queue_work(exchange, pool))
        return false;
    report_worked(exchange);
    return true;
}

/* -- deferred reads -- */

static bool reads_must_wait(const struct traffic *traffic)
{
    return traffic->writes > 0 && traffic->reads >= READS_PER_TURN;
}

static void defer_read(struct traffic *traffic, struct exchange *exchange)
{
    exchange->work.next = NULL;
    if (traffic->deferred_last != NULL)
        traffic->deferred_last->next = &exchange->work;
    else
        traffic->deferred = &exchange->work;
    traffic->deferred_last = &exchange->work;
}

static struct exchange *take_deferred(struct traffic *traffic)
{
    struct work *first = traffic->deferred;
    traffic->deferred = first->next;
    if (first->next == NULL)
        traffic->deferred_last = NULL;
    return (struct exchange *)first;
}

void traffic_turn(struct traffic *traffic)
{
    traffic->reads = 0;
    while (traffic->deferred != NULL && !reads_must_wait(traffic)) {
        struct exchange *exchange = take_deferred(traffic);
        traffic->reads++;
        if (begin_work(exchange))
            wake(exchange);
    }
}

void traffic_wake_reads(struct traffic *traffic)
{
    while (traffic->deferred != NULL)
        wake(take_deferred(traffic));
}

/* -- complete requests -- */

static enum MHD_Result submit(struct exchange *exchange)
{
    struct traffic *traffic = exchange->traffic;
    exchange->request.body = (struct span){exchange->body, exchange->body_read};
    if (is_read(exchange) && reads_must_wait(traffic)) {
        defer_read(traffic, exchange);
        return hold(exchange);
    }
    traffic->reads += is_read(exchange);
    if (begin_work(exchange))
        return send_answer(exchange);
    traffic->writes += !is_read(exchange);
    return hold(exchange);
}

void traffic_answer(struct http_pending *pending)
{
    wake((struct exchange *)pending);
}

bool traffic_pass_on(struct http_pending *pending)
{
    struct exchange *exchange = (struct exchange *)pending;
    clear_response(exchange);
    if (queue_work(exchange, POOL_ANSWER))
        return true;
    wake(exchange);
    return false;
}

void traffic_work(struct work *work)
{
    struct exchange *exchange = (struct exchange *)work;
    const struct server_config *config = exchange->traffic->config;
    exchange->worked = true;
    config->handler(config->context, &exchange->request, &exchange->arena, &exchange->response);
    assert(exchange->response.status >= 200 && exchange->response.status <= 599);
}

void traffic_fetch(struct work *first)
{
    struct http_cold cold[TRAFFIC_FETCHES];
    const struct server_config *config = ((struct exchange *)first)->traffic->config;
    size_t count = 0;
    for (struct work *each = first; each != NULL; each = each->next) {
        struct exchange *exchange = (struct exchange *)each;
        exchange->worked = true;
        cold[count++] =
            (struct http_cold){&exchange->request, &exchange->arena, &exchange->response};
    }
    config->fetch(config->context, cold, count);
}

/* Work that was never begun, because the server stops, has no response yet. */
static enum MHD_Result finish_work(struct exchange *exchange)
{
    static const struct gate_refusal stopping = {
        .status = 503, .code = "server-stopping", .message = "The server is stopping."};
    if (exchange->response.status == 0)
        refuse(exchange, &stopping);
    return send_answer(exchange);
}

/* Calls the quick handler again after a worker has fetched the data that it lacked. */
static void retry_quick(struct exchange *exchange)
{
    exchange->request.limited = true;
    exchange->response = (struct http_response){0};
    switch (try_quick(exchange)) {
    case QUICK_DONE:
        wake(exchange);
        break;
    case QUICK_LATER:
        break;
    case QUICK_COLD:
    case QUICK_SLOW:
    case QUICK_STEP:
    case QUICK_NO:
        traffic_pass_on((struct http_pending *)exchange);
        break;
    }
}

/* Resumes a long body whose next piece is complete, or cannot be made. */
static void resume_sending(struct exchange *exchange)
{
    exchange->traffic->needs_run = true;
    connection_enter_phase(exchange->connection, PHASE_SEND,
                           exchange->traffic->config->send_deadline_ms);
    MHD_resume_connection(exchange->mhd);
}

void traffic_resume(struct workers *workers)
{
    struct work *work = workers_take_done(workers);
    while (work != NULL) {
        struct exchange *exchange = (struct exchange *)work;
        work = work->next;
        if (exchange->piece_state != PIECE_NONE) {
            resume_sending(exchange);
        } else if (exchange->response.again) {
            retry_quick(exchange);
        } else {
            report_worked(exchange);
            wake(exchange);
        }
    }
}

/* libmicrohttpd calls this when the head is complete, for each piece of the body, when the body is
 * complete, in each run while the connection is held, and after a suspension. */
enum MHD_Result traffic_handle(void *context, struct MHD_Connection *mhd, const char *url,
                               const char *method, const char *version, const char *upload,
                               size_t *upload_size, void **place)
{
    (void)mhd;
    (void)url;
    struct traffic *traffic = context;
    struct exchange *exchange = *place;
    if (exchange == NULL)
        return MHD_NO;
    if (exchange->connection->phase == PHASE_HOLD)
        return hold_longer(exchange);
    traffic->needs_run = true;
    switch (exchange->connection->phase) {
    case PHASE_HEAD:
        return begin_exchange(exchange, method, version);
    case PHASE_BODY:
        return *upload_size > 0 ? take_body(exchange, upload, upload_size) : submit(exchange);
    case PHASE_WORK:
        return finish_work(exchange);
    case PHASE_HOLD:
    case PHASE_SEND:
    case PHASE_STREAM:
        break;
    }
    return MHD_NO;
}

/* -- the end -- */

void traffic_free(struct traffic *traffic)
{
    sse_writers_close(&traffic->sse_writers);
    connections_free(&traffic->connections);
    peers_free(traffic->long_body_peers);
    arena_spare_free(&traffic->spare);
}
