/* tillrolld: reads its configuration, opens the service and runs the server. */
#include <signal.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "api/base/version.h"
#include "api/config.h"
#include "api/dispatch.h"
#include "api/http/server.h"
#include "api/play/quick_moves.h"
#include "api/push/streams.h"
#include "api/request/problem.h"
#include "api/request/route.h"
#include "api/service_parts.h"
#include "api/state/key_rotation.h"
#include "api/state/keys.h"
#include "api/watch/logs.h"
#include "api/watch/metrics.h"
#include "api/watch/metrics_listener.h"
#include "api/work/jobs.h"
#include "api/work/key_watch.h"
#include "db/lines/line_databases.h"
#include "db/link/now.h"
#include "db/link/thread.h"
#include "db/store/games/archive.h"
#include "db/writer/writer.h"
#include "engine/base/json.h"

/* ---- Serving ---- */

/* Starts the background threads when the first request has been answered, or a moment after the
 * service can be reached, because that request may need one of them. */
static void release_background(struct service *service)
{
    if (service->background_from_ms != 0)
        threads_release();
    service->background_from_ms = 0;
}

static void log_request(void *context, const struct http_request *request,
                        const struct http_outcome *outcome)
{
    struct service *service = context;
    const struct route *route = request->route == 0 ? NULL : route_at(request->route - 1);
    request_log_add(service->log, request, route == NULL ? NULL : route->path, outcome);
    metrics_count(service->metrics, request, outcome);
    release_background(service);
}

static void turned(void *context)
{
    struct service *service = context;
    moves_hand_over(context);
    if (service->background_from_ms != 0 && now_ms(CLOCK_MONOTONIC) >= service->background_from_ms)
        release_background(service);
    request_log_tick(service->log);
}

/* `listener` becomes NULL if none is configured. */
static bool open_metrics(struct service *service, const struct configuration *configuration,
                         struct metrics_listener **listener, struct text *error)
{
    *listener = NULL;
    if (configuration->metrics_listen == NULL)
        return true;
    const struct metrics_source source = {metrics_show, service};
    *listener = metrics_listener_new(&source, configuration->metrics_listen, error);
    if (*listener != NULL)
        fprintf(stderr, "tillrolld: figures at http://%s/metrics, port %u\n",
                configuration->metrics_listen, metrics_listener_port(*listener));
    return *listener != NULL;
}

static int serve(struct service *service, const struct configuration *configuration,
                 struct text *error)
{
    enum { GRACE_MS = 10000, PASSWORDS_AT_ONCE = 2, NETWORK_ADDRESSES = 4, ALONE_MS = 10 };
    struct metrics_listener *metrics;
    const struct server_config config = {
        .address = configuration->listen,
        .workers = configuration->workers,
        .queue_max = 1024,
        .password_workers = PASSWORDS_AT_ONCE,
        .password_queue_max = 256,
        .step_workers = 2 * JOBS_MOST,
        .step_queue_max = 256,
        .report_workers = REPORTS_AT_ONCE,
        .report_queue_max = 32,
        .piece_workers = PIECES_AT_ONCE,
        .fetch_workers = FETCHES_AT_ONCE,
        .fetch_queue_max = 1024,
        .connections_max = configuration->connections,
        .connections_per_address_max = configuration->connections_per_address,
        .connections_per_network_max = NETWORK_ADDRESSES * configuration->connections_per_address,
        .trusted_proxy = configuration->trusted_proxy == NULL ? NULL : configuration->proxy,
        .header_deadline_ms = 5000,
        .body_deadline_ms = 10000,
        .send_deadline_ms = 30000,
        .idle_ms = 30000,
        .broadcasts = streams_feeds(service->streams),
        .streams = {configuration->stream_heartbeat_ms, configuration->stream_stall_ms,
                    configuration->stream_lag_bytes},
        .handler = dispatch,
        .quick = dispatch_quick,
        .fetch = dispatch_fetch,
        .context = service,
        .refuse = problem_answer_gate,
        .log = log_request,
        .worked = dispatch_worked,
        .turned = turned};
    struct server *server = server_new(&config, error);
    if (server == NULL)
        return EXIT_FAILURE;
    service->server = server;
    if (!open_metrics(service, configuration, &metrics, error)) {
        server_free(server);
        return EXIT_FAILURE;
    }
    for (size_t i = 0; i < service->writer_count; i++)
        server_watch(server, writer_fd(service->writer[i].writer), moves_written,
                     &service->writer[i]);
    service->background_from_ms = now_ms(CLOCK_MONOTONIC) + ALONE_MS;
    fprintf(stderr, "tillrolld: listening on %s, port %u\n", configuration->listen,
            server_port(server));
    server_run(server, configuration->drain_ms, GRACE_MS);
    threads_release();
    metrics_listener_free(metrics);
    for (size_t i = 0; i < service->writer_count; i++) {
        writer_stop(service->writer[i].writer);
        moves_written(&service->writer[i]);
    }
    server_free(server);
    if (!key_watch_bad(service->key_watch))
        return EXIT_SUCCESS;
    text_add(error, "ended, as the keys are not those of the database");
    return EXIT_FAILURE;
}

/* ---- Other tasks than serving ---- */

/* Creates missing keys, and prints the ID of the pair for --new-keys. */
static int make_keys(struct service *service, const struct configuration *configuration,
                     struct text *error)
{
    char id[KEYS_ID];
    if (!keys_load(&service->keys, configuration->secrets, error))
        return EXIT_FAILURE;
    keys_id(&service->keys, id);
    printf("tillrolld: the keys in %s are %s\n", configuration->secrets, id);
    return EXIT_SUCCESS;
}

static int rotate_key(const struct configuration *configuration, struct text *error)
{
    struct key_check check = {.directory = configuration->secrets,
                              .database = configuration->database,
                              .new_keys = configuration->new_keys};
    char bytes[NOTE_KEY_TEXT_MAX + 1];
    struct text vkey = TEXT_OVER(bytes);
    if (!key_rotation_run(&check, &vkey, error))
        return EXIT_FAILURE;
    printf("%s\n", bytes);
    fprintf(stderr, check.finished ? "tillrolld: a change that had been interrupted is complete\n"
                                   : "tillrolld: the signing key is replaced\n");
    return EXIT_SUCCESS;
}

/* ---- The program ---- */

/* Raises the limit of descriptors to the hard limit, for as many connections as the system
 * allows. */
static void raise_descriptor_limit(void)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0)
        return;
    limit.rlim_cur = limit.rlim_max;
    (void)setrlimit(RLIMIT_NOFILE, &limit);
}

int main(int argc, char **argv)
{
    struct configuration configuration;
    struct service service = {.pool = NULL};
    char message[SERVICE_PARTS_MESSAGE];
    struct text error = TEXT_OVER(message);
    if (!config_read(&configuration, argc, argv)) {
        fprintf(stderr, "`tillrolld --help` says what can be set\n");
        return 2;
    }
    if (configuration.help)
        config_print_usage();
    else if (configuration.version)
        printf("tillrolld %s\n", version_text());
    if (configuration.help || configuration.version)
        return EXIT_SUCCESS;
    if (sodium_init() < 0) {
        fprintf(stderr, "tillrolld: libsodium cannot start\n");
        return EXIT_FAILURE;
    }
    /* Secrets are in memory, so core dumps and tracing by other processes of this user are
     * disabled. */
    prctl(PR_SET_DUMPABLE, 0);
    signal(SIGPIPE, SIG_IGN);
    raise_descriptor_limit();
    json_begin();
    archive_use(configuration.archive);
    if (!line_databases_use(configuration.line_databases, true, configuration.workers, &error)) {
        fprintf(stderr, "tillrolld: %s\n", message);
        return EXIT_FAILURE;
    }
    if (configuration.check) {
        int status = service_parts_check(&service, &configuration) ? EXIT_SUCCESS : EXIT_FAILURE;
        if (status == EXIT_SUCCESS)
            printf("tillrolld: the configuration is good\n");
        service_parts_close(&service, status);
        return status;
    }
    FILE *errors = configuration.log_text || configuration.make_keys || configuration.rotate_key
                       ? NULL
                       : error_log_json(STDERR_FILENO);
    if (errors != NULL)
        stderr = errors;
    int status = EXIT_FAILURE;
    if (configuration.make_keys)
        status = make_keys(&service, &configuration, &error);
    else if (configuration.rotate_key)
        status = rotate_key(&configuration, &error);
    else if (service_parts_open(&service, &configuration, &error))
        status = serve(&service, &configuration, &error);
    if (status != EXIT_SUCCESS)
        fprintf(stderr, "tillrolld: %s\n", message);
    service_parts_close(&service, status);
    return status;
}
