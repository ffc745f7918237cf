#include "api/watch/metrics.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "api/base/version.h"
#include "api/deadlines/deadlines.h"
#include "api/http/server.h"
#include "api/mail/mailer.h"
#include "api/notices/notices.h"
#include "api/play/game_clocks.h"
#include "api/push/dealers.h"
#include "api/push/sequencer.h"
#include "api/push/witnesses.h"
#include "api/request/limits.h"
#include "api/request/route.h"
#include "api/state/event_cache.h"
#include "api/state/game_cache.h"
#include "api/state/sessions.h"
#include "api/watch/exposition.h"
#include "api/watch/handlers.h"
#include "api/work/odds_cache.h"
#include "api/work/replicas.h"
#include "api/work/shared_responses.h"
#include "db/link/db.h"
#include "db/link/now.h"
#include "db/link/schema.h"
#include "db/writer/writer.h"

/* ---- Requests ---- */

/* All statuses that a response can have; the last stands for any other. */
static const int statuses[] = {200, 201, 202, 204, 304, 400, 401, 403, 404, 405, 409, 413,
                               414, 415, 417, 422, 429, 431, 500, 501, 503, 505, 0};
enum { STATUSES = sizeof statuses / sizeof statuses[0], LABELS = 160 };

static const struct histogram_bounds duration_bounds = {16,
                                                        {100, 250, 500, 1000, 2500, 5000, 10000,
                                                         25000, 50000, 100000, 250000, 500000,
                                                         1000000, 2500000, 5000000, 10000000}};

struct route_counts {
    struct counter status[STATUSES];
    struct histogram duration_us; /* without streams */
};

struct metrics {
    int64_t started_ms;
    size_t routes;
    struct route_counts route[]; /* by number; [0] is for requests without a route */
};

struct metrics *metrics_new(void)
{
    size_t routes = 1;
    while (route_at(routes - 1) != NULL)
        routes++;
    struct metrics *metrics = must(calloc(1, sizeof *metrics + routes * sizeof metrics->route[0]));
    metrics->routes = routes;
    metrics->started_ms = now_ms(CLOCK_REALTIME);
    return metrics;
}

void metrics_free(struct metrics *metrics)
{
    free(metrics);
}

static size_t place_of(int status)
{
    size_t place = 0;
    while (statuses[place] != status && statuses[place] != 0)
        place++;
    return place;
}

void metrics_count(struct metrics *metrics, const struct http_request *request,
                   const struct http_outcome *outcome)
{
    struct route_counts *counts = &metrics->route[request->route];
    counter_add(&counts->status[place_of(outcome->status)], 1);
    if (!outcome->stream)
        histogram_add(&counts->duration_us, &duration_bounds, (uint64_t)outcome->duration_us);
}

/* Writes `method="GET",route="/v1/events/{id}"`: patterns need no escapes. */
static struct text route_labels(char bytes[static LABELS], size_t number)
{
    const struct route *route = number == 0 ? NULL : route_at(number - 1);
    struct text labels = {bytes, 0, LABELS, false};
    text_add_all(&labels, "method=\"", route == NULL ? "none" : http_method_name(route->method),
                 "\",route=\"", route == NULL ? "none" : route->path, "\"");
    return labels;
}

static void show_statuses(struct exposition *exposition, const struct metrics *metrics,
                          size_t number)
{
    for (size_t i = 0; i < STATUSES; i++) {
        uint64_t count = counter_read(&metrics->route[number].status[i]);
        if (count == 0)
            continue;
        char bytes[LABELS];
        struct text labels = route_labels(bytes, number);
        text_add(&labels, ",status=\"");
        if (statuses[i] == 0)
            text_add(&labels, "other");
        else
            text_add_number(&labels, statuses[i]);
        text_add(&labels, "\"");
        exposition_number(exposition, bytes, count);
    }
}

static void show_durations(struct exposition *exposition, const struct metrics *metrics,
                           size_t number)
{
    const struct histogram *histogram = &metrics->route[number].duration_us;
    uint64_t count = 0;
    for (size_t i = 0; i <= duration_bounds.count; i++)
        count += counter_read(&histogram->bucket[i]);
    if (count == 0)
        return;
    char bytes[LABELS];
    (void)route_labels(bytes, number);
    exposition_histogram(exposition, bytes, histogram, &duration_bounds, EXPOSITION_SECONDS);
}

static void show_requests(struct exposition *exposition, const struct service *service)
{
    const struct metrics *metrics = service->metrics;
    exposition_family(exposition, "tillroll_http_requests_total", "counter",
                      "Requests that were answered, by the route that they took.");
    for (size_t i = 0; i < metrics->routes; i++)
        show_statuses(exposition, metrics, i);
    exposition_family(
        exposition, "tillroll_http_request_duration_seconds", "histogram",
        "From the end of a request's head to the end of its answer; without streams.");
    for (size_t i = 0; i < metrics->routes; i++)
        show_durations(exposition, metrics, i);
    exposition_family(exposition, "tillroll_limit_refused_total", "counter",
                      "Requests that were refused because of a limit.");
    for (enum limit_class each = 0; each < LIMIT_CLASSES; each++)
        exposition_labelled(exposition, "limit", limit_class_name(each),
                            limits_refused(service->limits, each));
}

/* ---- Connections and streams ---- */

static void show_pools(struct exposition *exposition, const struct server_figures *figures)
{
    exposition_family(exposition, "tillroll_workers_requests", "gauge",
                      "Requests that threads work at or that wait for them.");
    for (size_t i = 0; i < SERVER_POOLS; i++)
        if (figures->pool[i].name != NULL)
            exposition_labelled(exposition, "pool", figures->pool[i].name, figures->pool[i].open);
    exposition_family(exposition, "tillroll_workers_requests_most", "gauge",
                      "How many may; what comes then is refused.");
    for (size_t i = 0; i < SERVER_POOLS; i++)
        if (figures->pool[i].name != NULL)
            exposition_labelled(exposition, "pool", figures->pool[i].name,
                                figures->pool[i].open_most);
}

static void show_streams(struct exposition *exposition, const struct server_figures *figures)
{
    exposition_gauge(exposition, "tillroll_streams", "Streams that are open.", figures->streams);
    exposition_counter(exposition, "tillroll_streams_total", "Streams that were begun.",
                       figures->streams_begun);
    exposition_family(exposition, "tillroll_streams_cut_total", "counter",
                      "Streams that were cut off: their reader took nothing (stalled), or was too "
                      "far behind.");
    exposition_number(exposition, "reason=\"stalled\"", figures->streams_stalled);
    exposition_number(exposition, "reason=\"behind\"", figures->streams_behind);
}

static void show_server(struct exposition *exposition, const struct service *service)
{
    struct server_figures figures;
    server_figures(service->server, &figures);
    exposition_gauge(exposition, "tillroll_http_connections", "Connections that are open.",
                     figures.connections);
    exposition_gauge(exposition, "tillroll_http_connections_most", "How many may be.",
                     figures.connections_most);
    exposition_counter(exposition, "tillroll_http_connections_total",
                       "Connections that were taken.", figures.connections_taken);
    exposition_counter(
        exposition, "tillroll_http_connections_refused_total",
        "Connections for which there was no room, of their address or network or at all.",
        figures.connections_refused);
    exposition_counter(exposition, "tillroll_http_connections_late_total",
                       "Connections that were ended because they were over a deadline.",
                       figures.connections_late);
    exposition_counter(
        exposition, "tillroll_http_connections_displaced_total",
        "Connections that had waited for their clients, and were ended to make room.",
        figures.connections_displaced);
    exposition_gauge(exposition, "tillroll_stopping", "1 while the service is stopping.",
                     server_is_stopping(service->server));
    show_pools(exposition, &figures);
    show_streams(exposition, &figures);
    exposition_family(exposition, "tillroll_loop_cpu_seconds_total", "counter",
                      "Time that the thread of all connections has used of a processor.");
    exposition_seconds(exposition, figures.loop_cpu_us);
}

/* ---- The database ---- */

/* Returns the labels of a line database; none for the central database, place 0. */
static const char *place_labels(size_t place, char text[static 32])
{
    snprintf(text, 32, "line_database=\"%zu\"", place);
    return place == 0 ? "" : text;
}

static void show_commits(struct exposition *exposition, const struct service *service)
{
    char labels[32];
    exposition_family(exposition, "tillroll_commit_duration_seconds", "histogram",
                      "How long a commit of moves took, from sending to hearing of it.");
    for (size_t i = 0; i < service->writer_count; i++)
        exposition_histogram(exposition, place_labels(i, labels),
                             &writer_figures(service->writer[i].writer)->commit_us,
                             &writer_commit_bounds, EXPOSITION_SECONDS);
    exposition_family(exposition, "tillroll_commit_writes", "histogram",
                      "Requests with moves in one commit.");
    for (size_t i = 0; i < service->writer_count; i++)
        exposition_histogram(exposition, place_labels(i, labels),
                             &writer_figures(service->writer[i].writer)->writes,
                             &writer_batch_bounds, EXPOSITION_PLAIN);
    exposition_family(exposition, "tillroll_commit_waiting", "gauge",
                      "Requests with moves that wait for a commit or its end.");
    for (size_t i = 0; i < service->writer_count; i++)
        exposition_number(exposition, place_labels(i, labels),
                          counter_read(&writer_figures(service->writer[i].writer)->waiting));
    exposition_family(exposition, "tillroll_commit_doubtful_total", "counter",
                      "Commits of which it had to be found out what had happened.");
    for (size_t i = 0; i < service->writer_count; i++)
        exposition_number(exposition, place_labels(i, labels),
                          counter_read(&writer_figures(service->writer[i].writer)->doubtful));
}

static void show_pool(struct exposition *exposition, const struct service *service)
{
    struct db_pool_figures pool = db_pool_figures(service->pool);
    exposition_gauge(exposition, "tillroll_db_connections_most",
                     "Connections to the database that may be open for requests.", pool.size);
    exposition_gauge(exposition, "tillroll_db_connections_open", "Those that are open.", pool.open);
    exposition_gauge(exposition, "tillroll_db_connections_in_use", "Those that are in use.",
                     pool.in_use);
    exposition_gauge(exposition, "tillroll_db_waiting", "Requests that wait for one of them.",
                     pool.waiting);
    exposition_counter(exposition, "tillroll_db_wait_timeouts_total",
                       "Requests that have waited for one in vain.", pool.in_vain);
    exposition_counter(exposition, "tillroll_db_connect_failures_total",
                       "Connections that could not be opened.", pool.failed);
    exposition_gauge(exposition, "tillroll_db_changes_heard",
                     "1 while what other services commit is heard of; else caches are not used.",
                     change_bus_complete(service->change_bus));
}

static void show_replicas(struct exposition *exposition, const struct service *service)
{
    struct replicas_figures figures = replicas_figures(service->replicas);
    exposition_counter(exposition, "tillroll_replica_answers_total",
                       "Requests that were answered from the standby.", figures.answered);
    exposition_counter(exposition, "tillroll_replica_behind_total",
                       "Requests for which it was too far behind.", figures.behind);
    exposition_counter(exposition, "tillroll_replica_away_total",
                       "Requests at which it was away, or failed.", figures.away);
}

/* ---- Memory ---- */

struct cache {
    const char *labels;
    struct cache_uses uses;
};

static void show_uses(struct exposition *exposition, const struct service *service)
{
    const struct game_cache_figures game_cache = game_cache_figures(service->game_cache);
    const struct cache cache[] = {
        {"cache=\"games\"", {game_cache.found, game_cache.missed}},
        {"cache=\"folds\"", event_cache_figures(service->event_cache).uses},
        {"cache=\"tokens\"", sessions_uses(service->sessions)},
        {"cache=\"odds\"", odds_cache_uses(service->odds_cache)},
        {"cache=\"answers-of-games\"", shared_responses_uses(service->reads, SHARE_GAME)},
        {"cache=\"answers-of-events\"", shared_responses_uses(service->reads, SHARE_EVENT)},
        {"cache=\"answers-of-lists\"", shared_responses_uses(service->reads, SHARE_EVENTS)},
        {"cache=\"answers-for-ever\"", shared_responses_uses(service->reads, SHARE_ALWAYS)},
    };
    exposition_family(exposition, "tillroll_cache_hits_total", "counter",
                      "What was wanted of a cache and was there.");
    for (size_t i = 0; i < sizeof cache / sizeof cache[0]; i++)
        exposition_number(exposition, cache[i].labels, cache[i].uses.found);
    exposition_family(exposition, "tillroll_cache_misses_total", "counter",
                      "What was wanted of a cache and was not there.");
    for (size_t i = 0; i < sizeof cache / sizeof cache[0]; i++)
        exposition_number(exposition, cache[i].labels, cache[i].uses.missed);
}

static void show_sizes(struct exposition *exposition, const struct service *service)
{
    const struct game_cache_figures game_cache = game_cache_figures(service->game_cache);
    const struct event_cache_figures event_cache = event_cache_figures(service->event_cache);
    const struct response_cache_counts answers = shared_responses_counts(service->reads);
    exposition_family(exposition, "tillroll_cache_entries", "gauge", "What a cache holds.");
    exposition_number(exposition, "cache=\"games\"", game_cache.games);
    exposition_number(exposition, "cache=\"folds\"", event_cache.event_cache);
    exposition_number(exposition, "cache=\"answers\"", answers.answers);
    exposition_family(exposition, "tillroll_cache_bytes", "gauge", "Memory that a cache takes.");
    exposition_number(exposition, "cache=\"games\"", game_cache.bytes);
    exposition_number(exposition, "cache=\"folds\"", event_cache.bytes);
    exposition_number(exposition, "cache=\"answers\"", answers.bytes);
}

/* ---- Background work ---- */

static void show_chores(struct exposition *exposition, const struct service *service)
{
    const struct deadlines_figures deadlines = deadlines_figures(service->deadlines);
    const struct sequencer_figures log = sequencer_figures(service->sequencer);
    exposition_counter(exposition, "tillroll_clocks_expired_total",
                       "Clocks of games that have run out, as this service has written it.",
                       game_clocks_expired(service->game_clocks));
    exposition_gauge(exposition, "tillroll_clocks_kept",
                     "1 while this service may take moves in games with clocks.",
                     game_clocks_serves(service->game_clocks, now_ms(CLOCK_REALTIME)));
    exposition_counter(exposition, "tillroll_timers_done_total",
                       "Events in which something was due and was done.", deadlines.done);
    exposition_counter(exposition, "tillroll_timers_failed_total",
                       "Looks for what is due in events that have failed.", deadlines.failed);
    exposition_counter(exposition, "tillroll_log_checkpoints_total",
                       "Checkpoints of the transparency log that this service has signed.",
                       log.signed_here);
    exposition_gauge(exposition, "tillroll_log_stuck",
                     "1 while something keeps the transparency log from being written.", log.stuck);
}

/* Shows nothing if the service sends no mail. */
static void show_mail(struct exposition *exposition, const struct service *service)
{
    if (service->mailer == NULL)
        return;
    const struct mailer_figures figures = mailer_figures(service->mailer);
    exposition_gauge(exposition, "tillroll_mail_waiting",
                     "Mails that wait to be sent, as this service has last seen them.",
                     figures.waiting);
    exposition_counter(exposition, "tillroll_mail_sent_total", "Mails that this service has sent.",
                       figures.sent);
    exposition_counter(exposition, "tillroll_mail_deferred_total",
                       "Tries to send a mail that have failed and are repeated.", figures.deferred);
    exposition_counter(exposition, "tillroll_mail_failed_total",
                       "Mails that were refused or given up.", figures.failed);
}

enum { NOTICE_FAMILIES = 5 };

static const struct {
    const char *name, *type, *help;
} notice_families[NOTICE_FAMILIES] = {
    {"tillroll_notices_waiting", "gauge",
     "Notices that wait to be handed over, also until a digest or the end of quiet hours; 10,000 "
     "stands for more."},
    {"tillroll_notices_delivered_total", "counter", "Notices that this service has handed over."},
    {"tillroll_notices_deferred_total", "counter",
     "Tries to hand over a notice that have failed and are repeated."},
    {"tillroll_notices_failed_total", "counter", "Notices that were refused or given up."},
    {"tillroll_notices_dropped_total", "counter",
     "Notices that were no longer true, or no longer wanted."}};

static uint64_t notice_figure(const struct notices_figures *figures, size_t family)
{
    const uint64_t numbers[NOTICE_FAMILIES] = {
        figures->waiting, figures->delivered, figures->deferred, figures->failed, figures->dropped};
    return numbers[family];
}

/* Shows nothing if the service sends no notices. */
static void show_notices(struct exposition *exposition, const struct service *service)
{
    for (size_t family = 0; service->notices != NULL && family < NOTICE_FAMILIES; family++) {
        exposition_family(exposition, notice_families[family].name, notice_families[family].type,
                          notice_families[family].help);
        for (size_t i = 0; i < notices_channels(service->notices); i++) {
            const struct notices_figures figures = notices_figures(service->notices, i);
            exposition_labelled(exposition, "channel", figures.channel,
                                notice_figure(&figures, family));
        }
    }
}

static const struct {
    const char *name, *type, *help;
} witness_families[] = {
    {"tillroll_log_witness_up", "gauge", "1 unless the last request to the witness has failed."},
    {"tillroll_log_witness_size", "gauge", "Leaves of the largest checkpoint it has cosigned."},
    {"tillroll_log_witness_cosignatures_total", "counter", "Cosignatures it has given."},
    {"tillroll_log_witness_failures_total", "counter", "Requests without a cosignature."}};

static void show_witnesses(struct exposition *exposition, const struct service *service)
{
    size_t count = witnesses_count(service->witnesses);
    if (count == 0)
        return;
    exposition_gauge(exposition, "tillroll_log_quorum",
                     "1 while enough witnesses have cosigned the newest checkpoint.",
                     witnesses_have_quorum(service->witnesses));
    for (size_t family = 0; family < sizeof witness_families / sizeof witness_families[0];
         family++) {
        exposition_family(exposition, witness_families[family].name, witness_families[family].type,
                          witness_families[family].help);
        for (size_t i = 0; i < count; i++) {
            char bytes[LABELS + NOTE_NAME_MAX];
            struct text labels = TEXT_OVER(bytes);
            const struct witness_figures figures = witnesses_figures(service->witnesses, i);
            const uint64_t number[] = {figures.up, figures.size, figures.cosigned,
                                       figures.failures};
            text_add(&labels, "witness=\"");
            for (const char *c = figures.name; *c != '\0'; c++)
                if (*c != '"' && *c != '\\')
                    text_add_char(&labels, *c);
            text_add_char(&labels, '"');
            exposition_number(exposition, bytes, number[family]);
        }
    }
}

static const struct {
    const char *name, *type, *help;
} dealer_families[] = {
    {"tillroll_dealer_up", "gauge", "1 unless the last request to the dealer has failed."},
    {"tillroll_dealer_requests_total", "counter", "Requests to the dealer."},
    {"tillroll_dealer_answers_total", "counter", "Valid answers."},
    {"tillroll_dealer_late_total", "counter", "Valid answers for games that had begun without."},
    {"tillroll_dealer_failures_total", "counter", "Requests without a valid answer."}};

static void show_dealers(struct exposition *exposition, const struct service *service)
{
    size_t count = dealers_count(service->dealers);
    for (size_t family = 0;
         count > 0 && family < sizeof dealer_families / sizeof dealer_families[0]; family++) {
        exposition_family(exposition, dealer_families[family].name, dealer_families[family].type,
                          dealer_families[family].help);
        for (size_t i = 0; i < count; i++) {
            const struct dealer_figures figures = dealers_figures(service->dealers, i);
            const uint64_t number[] = {figures.up, figures.asked, figures.answered, figures.late,
                                       figures.failures};
            exposition_labelled(exposition, "dealer", figures.name, number[family]);
        }
    }
}

static void show_audit(struct exposition *exposition, const struct service *service)
{
    struct audit_result result;
    bool known = service->audit_file != NULL && audit_result_read(service->audit_file, &result);
    audit_result_show(exposition, known ? &result : NULL);
}

static void show_build(struct exposition *exposition)
{
    char bytes[LABELS];
    struct text labels = TEXT_OVER(bytes);
    text_add_all(&labels, "version=\"", version_text(), "\",migrations=\"");
    text_add_number(&labels, schema_needed);
    text_add(&labels, "\"");
    exposition_family(exposition, "tillroll_build_info", "gauge",
                      "What runs here: its version, and the migrations that it needs.");
    exposition_number(exposition, bytes, 1);
}

/* ---- All metrics ---- */

void metrics_show(struct exposition *exposition, const void *context)
{
    const struct service *service = context;
    show_build(exposition);
    show_requests(exposition, service);
    show_server(exposition, service);
    show_commits(exposition, service);
    show_pool(exposition, service);
    show_replicas(exposition, service);
    show_uses(exposition, service);
    show_sizes(exposition, service);
    show_chores(exposition, service);
    show_mail(exposition, service);
    show_notices(exposition, service);
    show_witnesses(exposition, service);
    show_dealers(exposition, service);
    show_audit(exposition, service);
    process_figures_show(exposition, service->metrics->started_ms);
}

void metrics_get(struct call *call)
{
    struct span page;
    if (call->service->metrics_apart) {
        call_problem(call, "not-found", "The figures are on an address of their own.");
        return;
    }
    char *bytes = exposition_page(metrics_show, call->service, &page);
    call->response->status = 200;
    call->response->content_type = EXPOSITION_TYPE;
    call->response->body = span_of(arena_copy(call->arena, page));
    free(bytes);
}
