/* tillrolld: reads its configuration, makes the service and runs the server. */
#include <getopt.h>
#include <signal.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "api/dispatch.h"
#include "api/error_log.h"
#include "api/event_folds.h"
#include "api/json.h"
#include "api/listen.h"
#include "api/metrics.h"
#include "api/metrics_listener.h"
#include "api/problem.h"
#include "api/quick_moves.h"
#include "api/replicas.h"
#include "api/request_log.h"
#include "api/routes.h"
#include "api/server.h"
#include "api/service.h"
#include "api/shared_reads.h"
#include "api/timekeeper.h"
#include "api/timers.h"
#include "api/upkeep.h"
#include "db/archive.h"
#include "db/schema.h"

struct configuration {
    const char *listen;
    const char *database;
    const char *replica; /* URL of a hot standby, NULL = none */
    const char *secrets;
    const char *pages;
    const char *log_origin;    /* NULL = made from the signing key */
    const char *trusted_proxy; /* NULL = none */
    const char
        *metrics_listen;      /* NULL = figures are with everything else, for the machine itself */
    const char *audit_result; /* file, NULL = none */
    const char *archive;      /* directory, NULL = none */
    const char *log_format;   /* `json` or `text` */
    bool log_text;            /* it is the latter */
    const char *notices;      /* `needed` or `all` */
    bool notices_all;         /* it is the latter */
    uint8_t proxy[16];        /* the same, as http_address() makes it */
    bool check, make_keys;    /* do that instead of serving */
    unsigned log_interval_ms;
    unsigned workers;
    unsigned connections, connections_per_address;
    unsigned streams, streams_per_address;
    unsigned live_megabytes;
    unsigned stream_heartbeat_ms, stream_stall_ms, stream_lag_bytes;
    unsigned answer_cache_bytes;
    unsigned upkeep_seconds;
    unsigned timers_ms;
    unsigned drain_ms;
    unsigned reads_per_minute, writes_per_minute, passwords_per_minute;
};

static const char usage[] =
    "usage: tillrolld [OPTION]...\n"
    "  --listen ADDRESS                 address and port             TILLROLL_LISTEN\n"
    "                                   (127.0.0.1:8080; port 0 = any free one)\n"
    "  --database URL                   libpq connection string      TILLROLL_DATABASE,\n"
    "                                                                DATABASE_URL\n"
    "  --database-read URL              of a hot standby of it, for  TILLROLL_DATABASE_READ\n"
    "                                   what everybody may see (none)\n"
    "  --secrets DIRECTORY              the server's keys            TILLROLL_SECRETS\n"
    "                                   (var/secrets)\n"
    "  --pages DIRECTORY                pages for people             TILLROLL_PAGES\n"
    "                                   (web-static)\n"
    "  --log-origin NAME                of the transparency log,     TILLROLL_LOG_ORIGIN\n"
    "                                   for example club.example/log (made from the key)\n"
    "  --log-interval-ms N              between its checkpoints      TILLROLL_LOG_INTERVAL_MS\n"
    "                                   (1000)\n"
    "  --trusted-proxy ADDRESS          whose X-Forwarded-For        TILLROLL_TRUSTED_PROXY\n"
    "                                   names the client (none)\n"
    "  --metrics-listen ADDRESS         for GET /metrics alone       TILLROLL_METRICS_LISTEN\n"
    "                                   (with the rest, for this machine only)\n"
    "  --audit-result FILE              that tillroll audit --result TILLROLL_AUDIT_RESULT\n"
    "                                   writes, to be shown there (none)\n"
    "  --archive DIRECTORY              of records that tillroll     TILLROLL_ARCHIVE\n"
    "                                   archive has moved (none)\n"
    "  --log-format json|text           of requests, on standard     TILLROLL_LOG_FORMAT\n"
    "                                   output, and errors (json)\n"
    "  --notices needed|all             of moves; all while          TILLROLL_NOTICES\n"
    "                                   services of a release before 0028 serve too (needed)\n"
    "  --drain-ms N                     to go on for after SIGTERM,  TILLROLL_DRAIN_MS\n"
    "                                   while /readyz says no (0)\n";

static const char usage_of_amounts[] =
    "  --workers N                      threads that answer (8)      TILLROLL_WORKERS\n"
    "  --connections N                  open at once (10000)         TILLROLL_CONNECTIONS\n"
    "  --connections-per-address N      of one address (256)         "
    "TILLROLL_CONNECTIONS_PER_ADDRESS\n"
    "  --live-megabytes N               memory for games at hand     TILLROLL_LIVE_MEGABYTES\n"
    "                                   (256)\n"
    "  --streams N                      open at once (8000)          TILLROLL_STREAMS\n"
    "  --streams-per-address N          of one address (128)         "
    "TILLROLL_STREAMS_PER_ADDRESS\n"
    "  --stream-heartbeat-ms N          silence after which a        "
    "TILLROLL_STREAM_HEARTBEAT_MS\n"
    "                                   comment is sent (15000)\n"
    "  --stream-stall-ms N              after which a reader that    TILLROLL_STREAM_STALL_MS\n"
    "                                   takes nothing is cut off (30000)\n"
    "  --stream-lag-bytes N             that a reader may be         TILLROLL_STREAM_LAG_BYTES\n"
    "                                   behind (1048576)\n"
    "  --answer-cache-bytes N           memory for answers that      TILLROLL_ANSWER_CACHE_BYTES\n"
    "                                   are given again (64 MiB),\n"
    "                                   0 = none\n"
    "  --timers-ms N                    between two looks for what   TILLROLL_TIMERS_MS\n"
    "                                   is due in events (1000),\n"
    "                                   0 = never\n"
    "  --upkeep-seconds N               between two searches for     TILLROLL_UPKEEP_SECONDS\n"
    "                                   what is old and to be\n"
    "                                   deleted (3600), 0 = never\n"
    "  --reads-per-minute N             per client, 0 = no limit     TILLROLL_READS_PER_MINUTE\n"
    "                                   (12000)\n"
    "  --writes-per-minute N            per client (6000)            TILLROLL_WRITES_PER_MINUTE\n"
    "  --passwords-per-minute N         per address (30)             "
    "TILLROLL_PASSWORDS_PER_MINUTE\n"
    "  --check-config                   do not serve: try the configuration, database included,\n"
    "                                   and say what is wrong with it\n"
    "  --make-keys                      do not serve: make the keys that are missing\n"
    "A URL on the command line can be read by other users; prefer the environment and a "
    "passfile.\n";

/* ---- Configuration ---- */

static const char *environment(const char *name, const char *initial)
{
    const char *value = getenv(name);
    return value == NULL || value[0] == '\0' ? initial : value;
}

static bool read_number(const char *word, const char *name, unsigned least, unsigned most,
                        unsigned *number)
{
    uint64_t value;
    if (!span_number(span_of(word), most, &value) || value < least) {
        fprintf(stderr, "tillrolld: %s takes a number from %u to %u\n", name, least, most);
        return false;
    }
    *number = (unsigned)value;
    return true;
}

/* The numbers that can be set: option, environment variable, default and range. */
static const struct number_setting {
    const char *option, *variable, *initial;
    unsigned least, most;
    size_t offset;
} numbers[] = {
    {"workers", "TILLROLL_WORKERS", "8", 1, 64, offsetof(struct configuration, workers)},
    {"connections", "TILLROLL_CONNECTIONS", "10000", 1, 1000000,
     offsetof(struct configuration, connections)},
    {"connections-per-address", "TILLROLL_CONNECTIONS_PER_ADDRESS", "256", 1, 100000,
     offsetof(struct configuration, connections_per_address)},
    {"live-megabytes", "TILLROLL_LIVE_MEGABYTES", "256", 1, 65536,
     offsetof(struct configuration, live_megabytes)},
    {"streams", "TILLROLL_STREAMS", "8000", 1, 1000000, offsetof(struct configuration, streams)},
    {"streams-per-address", "TILLROLL_STREAMS_PER_ADDRESS", "128", 1, 1000000,
     offsetof(struct configuration, streams_per_address)},
    {"stream-heartbeat-ms", "TILLROLL_STREAM_HEARTBEAT_MS", "15000", 10, 3600000,
     offsetof(struct configuration, stream_heartbeat_ms)},
    {"stream-stall-ms", "TILLROLL_STREAM_STALL_MS", "30000", 100, 3600000,
     offsetof(struct configuration, stream_stall_ms)},
    {"stream-lag-bytes", "TILLROLL_STREAM_LAG_BYTES", "1048576", 1, 1000000000,
     offsetof(struct configuration, stream_lag_bytes)},
    {"answer-cache-bytes", "TILLROLL_ANSWER_CACHE_BYTES", "67108864", 0, 1U << 31,
     offsetof(struct configuration, answer_cache_bytes)},
    {"log-interval-ms", "TILLROLL_LOG_INTERVAL_MS", "1000", 10, 3600000,
     offsetof(struct configuration, log_interval_ms)},
    {"drain-ms", "TILLROLL_DRAIN_MS", "0", 0, 3600000, offsetof(struct configuration, drain_ms)},
    {"timers-ms", "TILLROLL_TIMERS_MS", "1000", 0, 3600000,
     offsetof(struct configuration, timers_ms)},
    {"upkeep-seconds", "TILLROLL_UPKEEP_SECONDS", "3600", 0, 86400,
     offsetof(struct configuration, upkeep_seconds)},
    {"reads-per-minute", "TILLROLL_READS_PER_MINUTE", "12000", 0, 100000000,
     offsetof(struct configuration, reads_per_minute)},
    {"writes-per-minute", "TILLROLL_WRITES_PER_MINUTE", "6000", 0, 100000000,
     offsetof(struct configuration, writes_per_minute)},
    {"passwords-per-minute", "TILLROLL_PASSWORDS_PER_MINUTE", "30", 0, 100000000,
     offsetof(struct configuration, passwords_per_minute)},
};

enum { NUMBERS = sizeof numbers / sizeof numbers[0] };

static bool set_number(struct configuration *configuration, size_t i, const char *word)
{
    unsigned *number = (unsigned *)(void *)((char *)configuration + numbers[i].offset);
    return read_number(word, numbers[i].option, numbers[i].least, numbers[i].most, number);
}

/* The words that can be set. */
static const struct word_setting {
    const char *option, *variable, *initial;
    size_t offset;
} words[] = {
    {"listen", "TILLROLL_LISTEN", "127.0.0.1:8080", offsetof(struct configuration, listen)},
    {"database", "TILLROLL_DATABASE", NULL, offsetof(struct configuration, database)},
    {"database-read", "TILLROLL_DATABASE_READ", NULL, offsetof(struct configuration, replica)},
    {"secrets", "TILLROLL_SECRETS", "var/secrets", offsetof(struct configuration, secrets)},
    {"pages", "TILLROLL_PAGES", "web-static", offsetof(struct configuration, pages)},
    {"log-origin", "TILLROLL_LOG_ORIGIN", NULL, offsetof(struct configuration, log_origin)},
    {"trusted-proxy", "TILLROLL_TRUSTED_PROXY", NULL,
     offsetof(struct configuration, trusted_proxy)},
    {"metrics-listen", "TILLROLL_METRICS_LISTEN", NULL,
     offsetof(struct configuration, metrics_listen)},
    {"audit-result", "TILLROLL_AUDIT_RESULT", NULL, offsetof(struct configuration, audit_result)},
    {"archive", "TILLROLL_ARCHIVE", NULL, offsetof(struct configuration, archive)},
    {"log-format", "TILLROLL_LOG_FORMAT", "json", offsetof(struct configuration, log_format)},
    {"notices", "TILLROLL_NOTICES", "needed", offsetof(struct configuration, notices)},
};

enum { WORDS = sizeof words / sizeof words[0] };

static void set_word(struct configuration *configuration, size_t i, const char *word)
{
    const char **place = (const char **)(void *)((char *)configuration + words[i].offset);
    *place = word;
}

static bool read_environment(struct configuration *configuration)
{
    for (size_t i = 0; i < WORDS; i++)
        set_word(configuration, i, environment(words[i].variable, words[i].initial));
    if (configuration->database == NULL)
        configuration->database = environment("DATABASE_URL", NULL);
    for (size_t i = 0; i < NUMBERS; i++)
        if (!set_number(configuration, i, environment(numbers[i].variable, numbers[i].initial)))
            return false;
    return true;
}

static bool read_arguments(struct configuration *configuration, int argc, char **argv)
{
    enum { FIRST_WORD = 256, FIRST_NUMBER = FIRST_WORD + WORDS, FLAGS = 2 };
    struct option options[FLAGS + WORDS + NUMBERS + 1] = {{"check-config", no_argument, NULL, 'c'},
                                                          {"make-keys", no_argument, NULL, 'k'}};
    for (int i = 0; i < (int)WORDS; i++)
        options[FLAGS + i] =
            (struct option){words[i].option, required_argument, NULL, FIRST_WORD + i};
    for (int i = 0; i < (int)NUMBERS; i++)
        options[FLAGS + WORDS + i] =
            (struct option){numbers[i].option, required_argument, NULL, FIRST_NUMBER + i};
    for (int c; (c = getopt_long(argc, argv, "", options, NULL)) != -1;) {
        if (c == 'c')
            configuration->check = true;
        else if (c == 'k')
            configuration->make_keys = true;
        else if (c >= FIRST_WORD && c < FIRST_NUMBER)
            set_word(configuration, (size_t)(c - FIRST_WORD), optarg);
        else if (c < FIRST_NUMBER || !set_number(configuration, (size_t)(c - FIRST_NUMBER), optarg))
            return false;
    }
    return optind == argc;
}

/* One of two words: true for the second. */
static bool read_choice(const char *option, const char *word, const char *first, const char *second,
                        bool *is_second)
{
    *is_second = strcmp(word, second) == 0;
    if (*is_second || strcmp(word, first) == 0)
        return true;
    fprintf(stderr, "tillrolld: %s takes %s or %s\n", option, first, second);
    return false;
}

/* What the words say must fit, too. */
static bool read_words(struct configuration *configuration)
{
    if (configuration->database == NULL && !configuration->make_keys) {
        fprintf(stderr, "tillrolld: name the database with --database or DATABASE_URL\n");
        return false;
    }
    if (!read_choice("log-format", configuration->log_format, "json", "text",
                     &configuration->log_text) ||
        !read_choice("notices", configuration->notices, "needed", "all",
                     &configuration->notices_all))
        return false;
    if (configuration->trusted_proxy == NULL ||
        http_read_address(span_of(configuration->trusted_proxy), configuration->proxy))
        return true;
    fprintf(stderr, "tillrolld: trusted-proxy takes an address without port, such as 127.0.0.1\n");
    return false;
}

/* ---- Service ---- */

/* FETCHES_AT_ONCE: what moves need of games and tokens, on connections of their own. */
enum {
    MOVES_WAITING_MAX = 4096,
    WRITER_PATIENCE_MS = 5000,
    FETCHES_AT_ONCE = 2,
    EVENT_FOLDS_BYTES = 64 << 20
};

static void hear_game(void *context, const struct id *game, unsigned seq)
{
    const struct service *service = context;
    live_note(service->live, game, (int)seq);
    shared_reads_game_changed(service->reads, game);
}

static void hear_event(void *context, const struct id *event)
{
    const struct service *service = context;
    shared_reads_event_changed(service->reads, event);
}

static void hear_token(void *context, const uint8_t hash[static 32])
{
    const struct service *service = context;
    sessions_forget(service->sessions, hash);
}

/* Names stand in answers of every kind. */
static void hear_player(void *context, const struct id *player)
{
    const struct service *service = context;
    (void)player;
    shared_reads_all_changed(service->reads);
}

static void hear_all(void *context)
{
    const struct service *service = context;
    live_note_all(service->live);
    shared_reads_all_changed(service->reads);
    sessions_forget_all(service->sessions);
}

/* What is kept in memory hears of changes. */
static void keep_up(struct service *service)
{
    const struct changes_subscriber caches = {.context = service,
                                              .game = hear_game,
                                              .event = hear_event,
                                              .token = hear_token,
                                              .player = hear_player,
                                              .all = hear_all};
    const struct changes_subscriber streams = streams_subscriber(service->streams);
    const struct changes_subscriber clocks = timekeeper_subscriber(service->timekeeper);
    changes_subscribe(service->changes, &caches);
    changes_subscribe(service->changes, &streams);
    changes_subscribe(service->changes, &clocks);
}

/* Streams, and the news for them. */
static bool open_streams(struct service *service, const struct configuration *configuration,
                         struct text *error)
{
    const struct streams_config config = {.database = configuration->database,
                                          .keys = &service->keys,
                                          .live = service->live,
                                          .most = configuration->streams,
                                          .per_address_most = configuration->streams_per_address};
    service->streams = streams_new(&config);
    if (service->streams != NULL) {
        keep_up(service);
        struct listener_ears ears = changes_ears(service->changes);
        service->listener = listener_new(configuration->database, true, service->hearer, &ears);
    }
    if (service->listener == NULL)
        text_add(error, "The system has no threads or descriptors left for streams.");
    return service->listener != NULL;
}

static bool name_log(struct service *service, const struct configuration *configuration,
                     struct text *error)
{
    char made[NOTE_NAME_MAX];
    struct text name = TEXT_OVER(made);
    char id[17];
    keys_signing_id(&service->keys, id);
    text_add(&name, "tillroll/");
    text_add(&name, id);
    if (note_key_make(&service->log_key,
                      configuration->log_origin == NULL ? text_span(&name)
                                                        : span_of(configuration->log_origin),
                      service->keys.signing_public))
        return true;
    text_add(error, "--log-origin takes 1 to 128 printable characters without blank and +");
    return false;
}

/* The log's name, and the thread that writes it. */
static bool open_log(struct service *service, const struct configuration *configuration,
                     struct text *error)
{
    if (!name_log(service, configuration, error))
        return false;
    const struct sequencer_config config = {.database = configuration->database,
                                            .service = true,
                                            .keys = &service->keys,
                                            .key = &service->log_key,
                                            .interval_ms = configuration->log_interval_ms};
    service->sequencer = sequencer_new(&config);
    if (service->sequencer == NULL)
        text_add(error, "The system has no threads or descriptors left for the log.");
    return service->sequencer != NULL;
}

/* A service of an earlier release must not begin to work on what it does not understand. Of a
 * database that is away nothing is known; /readyz looks again. */
static bool check_schema(const struct configuration *configuration, struct text *error)
{
    char unused[512];
    struct text why = TEXT_OVER(unused);
    enum schema_fit fit = SCHEMA_GOOD;
    struct db *db = db_open(configuration->database, true, &why);
    bool known = db != NULL && db_begin(db, true) == DB_OK && schema_fits(db, &fit) == DB_OK;
    db_close(db);
    if (!known || fit != SCHEMA_NEW)
        return true;
    text_add(error, schema_advice(fit));
    return false;
}

static bool service_open(struct service *service, const struct configuration *configuration,
                         struct text *error)
{
    const struct limit limits[LIMIT_CLASSES] = {
        [LIMIT_READ] = {configuration->reads_per_minute, configuration->reads_per_minute / 10 + 1},
        [LIMIT_WRITE] = {configuration->writes_per_minute,
                         configuration->writes_per_minute / 10 + 1},
        [LIMIT_PASSWORD] = {configuration->passwords_per_minute,
                            configuration->passwords_per_minute},
        [LIMIT_UNKNOWN] = {configuration->reads_per_minute,
                           configuration->reads_per_minute / 10 + 1}};
    if (!check_schema(configuration, error) ||
        !keys_load(&service->keys, configuration->secrets, error))
        return false;
    service->files = files_load(configuration->pages, error);
    if (service->files == NULL)
        return false;
    service->pool =
        db_pool_new(configuration->database, true, configuration->workers + FETCHES_AT_ONCE);
    if (configuration->replica != NULL)
        service->replicas =
            replicas_new(configuration->replica, configuration->workers, service->pool);
    service->hearer = randombytes_uniform(INT32_MAX) + 1;
    service->writer =
        writer_new(configuration->database, true, MOVES_WAITING_MAX, WRITER_PATIENCE_MS,
                   configuration->notices_all ? 0 : service->hearer);
    if (service->writer == NULL) {
        text_add(error, "The system has no threads or descriptors left.");
        return false;
    }
    service->live = live_new((size_t)configuration->live_megabytes << 20);
    service->sessions = sessions_new();
    service->changes = changes_new();
    service->reads = shared_reads_new((size_t)configuration->answer_cache_bytes, service->changes);
    service->folds = event_folds_new(EVENT_FOLDS_BYTES);
    service->limits = limits_new(limits);
    service->log = request_log_new(STDOUT_FILENO, configuration->log_text ? LOG_TEXT : LOG_JSON);
    service->metrics = metrics_new();
    service->metrics_apart = configuration->metrics_listen != NULL;
    service->audit_file = configuration->audit_result;
    service->timekeeper = timekeeper_new(service, configuration->database);
    if (!open_streams(service, configuration, error) || !open_log(service, configuration, error))
        return false;
    service->upkeep = upkeep_new(configuration->database, configuration->upkeep_seconds);
    bool started = service->upkeep != NULL && timekeeper_start(service->timekeeper);
    if (!started)
        text_add(error, "The system has no threads left for the upkeep.");
    else
        service->timers = timers_new(service, configuration->database, configuration->timers_ms);
    if (started && service->timers == NULL)
        text_add(error, "The system has no threads left for what is due in events.");
    return service->timers != NULL;
}

static void service_close(struct service *service)
{
    timekeeper_stop(service->timekeeper);
    sequencer_free(service->sequencer);
    upkeep_free(service->upkeep);
    timers_free(service->timers);
    listener_free(service->listener);
    streams_free(service->streams);
    changes_free(service->changes);
    timekeeper_free(service->timekeeper);
    writer_free(service->writer);
    replicas_free(service->replicas);
    db_pool_free(service->pool);
    live_free(service->live);
    sessions_free(service->sessions);
    shared_reads_free(service->reads);
    event_folds_free(service->folds);
    limits_free(service->limits);
    files_free(service->files);
    request_log_free(service->log);
    metrics_free(service->metrics);
    keys_forget(&service->keys);
}

static void log_request(void *context, const struct http_request *request,
                        const struct http_outcome *outcome)
{
    const struct service *service = context;
    const struct route *route = request->route == 0 ? NULL : route_at(request->route - 1);
    request_log_add(service->log, request, route == NULL ? NULL : route->path, outcome);
    metrics_count(service->metrics, request, outcome);
}

static void turned(void *context)
{
    const struct service *service = context;
    moves_hand_over(context);
    request_log_tick(service->log);
}

/* NULL in `listener` where there is none to be. */
static bool open_metrics(struct service *service, const struct configuration *configuration,
                         struct metrics_listener **listener, struct text *error)
{
    *listener = NULL;
    if (configuration->metrics_listen == NULL)
        return true;
    *listener = metrics_listener_new(service, configuration->metrics_listen, error);
    if (*listener != NULL)
        fprintf(stderr, "tillrolld: figures at http://%s/metrics, port %u\n",
                configuration->metrics_listen, metrics_listener_port(*listener));
    return *listener != NULL;
}

static int serve(struct service *service, const struct configuration *configuration,
                 struct text *error)
{
    enum { GRACE_MS = 10000, PASSWORDS_AT_ONCE = 2 };
    struct metrics_listener *metrics;
    const struct server_config config = {
        .address = configuration->listen,
        .workers = configuration->workers,
        .queue_max = 1024,
        .slow_workers = PASSWORDS_AT_ONCE,
        .slow_queue_max = 256,
        .fetch_workers = FETCHES_AT_ONCE,
        .fetch_queue_max = 1024,
        .connections_max = configuration->connections,
        .connections_per_address_max = configuration->connections_per_address,
        .trusted_proxy = configuration->trusted_proxy == NULL ? NULL : configuration->proxy,
        .header_deadline_ms = 5000,
        .body_deadline_ms = 10000,
        .send_deadline_ms = 30000,
        .idle_ms = 30000,
        .feeds = streams_feeds(service->streams),
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
    server_watch(server, writer_fd(service->writer), moves_written, service);
    fprintf(stderr, "tillrolld: listening on %s, port %u\n", configuration->listen,
            server_port(server));
    server_run(server, configuration->drain_ms, GRACE_MS);
    metrics_listener_free(metrics);
    writer_stop(service->writer);
    moves_written(service);
    server_free(server);
    return EXIT_SUCCESS;
}

/* ---- Instead of serving ---- */

static bool check_address(const char *address, struct text *error)
{
    if (address == NULL || listen_address_good(address))
        return true;
    text_add(error, address);
    text_add(error, ": not an address with port, such as 127.0.0.1:8080.");
    return false;
}

static bool check_listen(struct service *service, const struct configuration *configuration,
                         struct text *error)
{
    (void)service;
    return check_address(configuration->listen, error) &&
           check_address(configuration->metrics_listen, error);
}

static bool check_keys(struct service *service, const struct configuration *configuration,
                       struct text *error)
{
    return keys_check(&service->keys, configuration->secrets, error);
}

static bool check_pages(struct service *service, const struct configuration *configuration,
                        struct text *error)
{
    service->files = files_load(configuration->pages, error);
    return service->files != NULL;
}

static bool check_database(struct service *service, const struct configuration *configuration,
                           struct text *error)
{
    (void)service;
    struct db *db = db_open(configuration->database, true, error);
    bool good = db != NULL;
    db_close(db);
    return good && check_schema(configuration, error);
}

static bool check_replica(struct service *service, const struct configuration *configuration,
                          struct text *error)
{
    (void)service;
    if (configuration->replica == NULL)
        return true;
    struct db *db = db_open_standby(configuration->replica, error);
    if (db == NULL)
        text_add(error, " (--database-read, which names a standby)");
    db_close(db);
    return db != NULL;
}

static bool is_directory(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISDIR(status.st_mode) && access(path, R_OK | X_OK) == 0;
}

/* Records that were moved to files are of no use without them. */
static bool check_archive(struct service *service, const struct configuration *configuration,
                          struct text *error)
{
    (void)service;
    if (configuration->archive != NULL) {
        if (is_directory(configuration->archive))
            return true;
        text_add(error, configuration->archive);
        text_add(error, ": not a directory that can be read, for --archive.");
        return false;
    }
    uint64_t count = 0;
    char unused[512];
    struct text why = TEXT_OVER(unused);
    struct db *db = db_open(configuration->database, true, &why);
    if (db != NULL && db_begin(db, true) == DB_OK)
        (void)archive_count(db, &count);
    db_close(db);
    if (count > 0)
        text_add(error, "The database has archived records: name their directory with --archive.");
    return count == 0;
}

/* Tries everything, so that all that is wrong is said at once. */
static int check_configuration(struct service *service, const struct configuration *configuration)
{
    static bool (*const checks[])(struct service *, const struct configuration *, struct text *) = {
        check_listen,   check_keys,    check_pages,  name_log,
        check_database, check_archive, check_replica};
    int status = EXIT_SUCCESS;
    for (size_t i = 0; i < sizeof checks / sizeof checks[0]; i++) {
        char message[512];
        struct text error = TEXT_OVER(message);
        if (!checks[i](service, configuration, &error)) {
            fprintf(stderr, "tillrolld: %s\n", message);
            status = EXIT_FAILURE;
        }
    }
    if (status == EXIT_SUCCESS)
        printf("tillrolld: the configuration is good\n");
    return status;
}

/* ---- The program ---- */

/* As many connections as the system lets this process have. */
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
    struct configuration configuration = {.listen = NULL};
    struct service service = {.pool = NULL};
    char message[512];
    struct text error = TEXT_OVER(message);
    if (!read_environment(&configuration) || !read_arguments(&configuration, argc, argv) ||
        !read_words(&configuration)) {
        fputs(usage, stderr);
        fputs(usage_of_amounts, stderr);
        return 2;
    }
    if (sodium_init() < 0) {
        fprintf(stderr, "tillrolld: libsodium cannot start\n");
        return EXIT_FAILURE;
    }
    /* Secrets are in memory: no core dumps, and no tracing by other processes of this user. */
    prctl(PR_SET_DUMPABLE, 0);
    signal(SIGPIPE, SIG_IGN);
    raise_descriptor_limit();
    json_begin();
    archive_use(configuration.archive);
    if (configuration.check) {
        int status = check_configuration(&service, &configuration);
        service_close(&service);
        return status;
    }
    FILE *errors =
        configuration.log_text || configuration.make_keys ? NULL : error_log_json(STDERR_FILENO);
    if (errors != NULL)
        stderr = errors;
    int status = EXIT_FAILURE;
    if (configuration.make_keys)
        status = keys_load(&service.keys, configuration.secrets, &error) ? EXIT_SUCCESS : status;
    else if (service_open(&service, &configuration, &error))
        status = serve(&service, &configuration, &error);
    if (status != EXIT_SUCCESS)
        fprintf(stderr, "tillrolld: %s\n", message);
    service_close(&service);
    return status;
}
