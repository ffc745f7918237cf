#include "api/service_parts.h"

#include <pthread.h>
#include <sodium.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "api/channels/channels.h"
#include "api/channels/push_channel.h"
#include "api/channels/webhook_channel.h"
#include "api/configuration_check.h"
#include "api/deadlines/deadlines.h"
#include "api/dispatch.h"
#include "api/mail/mailer.h"
#include "api/notices/mail_channel.h"
#include "api/notices/notices.h"
#include "api/play/game_clocks.h"
#include "api/push/dealers.h"
#include "api/push/sequencer.h"
#include "api/push/streams.h"
#include "api/push/witnesses.h"
#include "api/request/limits.h"
#include "api/state/change_bus.h"
#include "api/state/event_cache.h"
#include "api/state/files.h"
#include "api/state/game_cache.h"
#include "api/state/keys.h"
#include "api/state/sessions.h"
#include "api/watch/logs.h"
#include "api/watch/metrics.h"
#include "api/work/jobs.h"
#include "api/work/key_watch.h"
#include "api/work/odds_cache.h"
#include "api/work/puzzle_maker.h"
#include "api/work/replicas.h"
#include "api/work/shared_responses.h"
#include "db/lines/line_databases.h"
#include "db/lines/line_setup.h"
#include "db/link/db.h"
#include "db/link/schema.h"
#include "db/link/thread.h"
#include "db/store/people/notices.h"
#include "db/writer/writer.h"

enum {
    MOVES_WAITING_MAX = 4096,
    WRITER_PATIENCE_MS = 5000,
    LINE_DATABASES_MS = 2000,
    CONNECTIONS_FOR_JOBS = JOBS_MOST + 1, /* one per job, and one to report life */
    EVENT_CACHE_BYTES = 64 << 20
};

static void on_game(void *context, const struct id *game, unsigned seq)
{
    const struct service *service = context;
    game_cache_note(service->game_cache, game, (int)seq);
    shared_responses_game_changed(service->reads, game);
}

static void on_event(void *context, const struct id *event)
{
    const struct service *service = context;
    shared_responses_event_changed(service->reads, event);
}

static void on_token(void *context, const uint8_t hash[static 32])
{
    const struct service *service = context;
    sessions_forget(service->sessions, hash);
}

/* Names are part of responses of every kind. */
static void on_player(void *context, const struct id *player)
{
    const struct service *service = context;
    (void)player;
    shared_responses_all_changed(service->reads);
}

static void on_all(void *context)
{
    const struct service *service = context;
    game_cache_note_all(service->game_cache);
    shared_responses_all_changed(service->reads);
    sessions_forget_all(service->sessions);
}

/* Subscribes caches, streams, clocks and notices to changes. */
static void subscribe(struct service *service)
{
    const struct change_bus_subscriber caches = {.context = service,
                                                 .game = on_game,
                                                 .event = on_event,
                                                 .token = on_token,
                                                 .player = on_player,
                                                 .all = on_all};
    const struct change_bus_subscriber streams = streams_subscriber(service->streams);
    const struct change_bus_subscriber clocks = game_clocks_subscriber(service->game_clocks);
    change_bus_subscribe(service->change_bus, &caches);
    change_bus_subscribe(service->change_bus, &streams);
    change_bus_subscribe(service->change_bus, &clocks);
    if (service->notices != NULL) {
        const struct change_bus_subscriber notices = notices_subscriber(service->notices);
        change_bus_subscribe(service->change_bus, &notices);
    }
}

/* Opens the streams, and the listener that notifies them. */
static bool open_streams(struct service *service, const struct configuration *configuration,
                         struct text *error)
{
    const struct streams_config config = {.database = configuration->database,
                                          .keys = &service->keys,
                                          .game_cache = service->game_cache,
                                          .most = configuration->streams,
                                          .per_address_most = configuration->streams_per_address,
                                          .per_player_most = configuration->streams_per_player};
    service->streams = streams_new(&config);
    if (service->streams != NULL) {
        subscribe(service);
        struct listener_callbacks callbacks = change_bus_callbacks(service->change_bus);
        service->listener =
            listener_new(configuration->database, true, service->listener_number, &callbacks);
    }
    if (service->listener == NULL)
        text_add(error, "The system has no threads or descriptors left for streams.");
    return service->listener != NULL;
}

static void keep_old_keys(struct service *service, const struct key_check *check)
{
    memcpy(service->old_key, check->old, sizeof check->old);
    service->old_keys = check->old_count;
}

/* Reads the keys; creates missing ones if `make` is set and the database has not been used. The log
 * gets its name from the database, if that has one. `db` and `fits` as in struct key_check. */
static bool open_keys(struct service *service, const struct configuration *configuration, bool make,
                      struct db *db, bool fits, struct key_check *check, struct text *error)
{
    *check = (struct key_check){.directory = configuration->secrets,
                                .database = configuration->database,
                                .db = db,
                                .fits = fits,
                                .new_keys = configuration->new_keys};
    bool good = key_check_load(check, &service->keys, make, error);
    check->db = NULL;
    check->fits = false;
    memcpy(service->log_key.name, check->origin, sizeof check->origin);
    keep_old_keys(service, check);
    return good;
}

static bool name_log(struct service *service, const struct configuration *configuration,
                     struct text *error)
{
    char made[NOTE_NAME_MAX + 1];
    struct text name = TEXT_OVER(made);
    char id[17];
    keys_signing_id(&service->keys, id);
    text_add(&name, service->log_key.name);
    if (name.length == 0) {
        text_add(&name, "tillroll/");
        text_add(&name, id);
    }
    if (note_key_make(&service->log_key,
                      configuration->log_origin == NULL ? text_span(&name)
                                                        : span_of(configuration->log_origin),
                      service->keys.signing_public))
        return true;
    text_add(error, "--log-origin takes 1 to 128 printable characters without blank and +");
    return false;
}

/* Accepts only scheme and host: text after them could be taken for part of a page. */
static bool name_site(struct service *service, const struct configuration *configuration,
                      struct text *error)
{
    enum { SITE_MAX = 200 };
    static const char allowed[] = "abcdefghijklmnopqrstuvwxyz0123456789.-:[]";
    const char *site = configuration->site_address;
    service->site_address = site;
    if (site == NULL)
        return true;
    size_t scheme = strncmp(site, "https://", 8) == 0  ? 8
                    : strncmp(site, "http://", 7) == 0 ? 7
                                                       : 0;
    const char *host = site + scheme;
    if (scheme > 0 && host[0] != '\0' && strlen(site) <= SITE_MAX &&
        strspn(host, allowed) == strlen(host))
        return true;
    text_add(error, "--site-address takes https:// and a host in small letters, without a slash "
                    "behind it");
    return false;
}

static struct mailer_config mail_settings(const struct service *service,
                                          const struct configuration *configuration)
{
    return (struct mailer_config){.database = configuration->database,
                                  .site = service->site_address,
                                  .url = configuration->smtp_url,
                                  .user = configuration->smtp_user,
                                  .password_file = configuration->smtp_password_file,
                                  .from = configuration->smtp_from,
                                  .timeout_ms = configuration->smtp_timeout_ms,
                                  .retry_ms = configuration->smtp_retry_ms};
}

/* To be called after name_site(). */
static bool check_mail(struct service *service, const struct configuration *configuration,
                       struct text *error)
{
    const struct mailer_config config = mail_settings(service, configuration);
    return config.url == NULL || mailer_check(&config, error);
}

static bool open_mail(struct service *service, const struct configuration *configuration,
                      struct text *error)
{
    const struct mailer_config config = mail_settings(service, configuration);
    if (config.url == NULL)
        return true;
    if (!mailer_check(&config, error))
        return false;
    service->mailer = mailer_new(&config);
    if (service->mailer == NULL)
        text_add(error, "The system has no threads left for mail.");
    return service->mailer != NULL;
}

static bool may_use_keys(const void *context)
{
    const struct service *service = context;
    return key_watch_good(service->key_watch);
}

/* Opens web push and webhooks. */
static bool open_channels(struct service *service, const struct configuration *configuration,
                          struct text *error)
{
    const struct channels_config config = {.database = configuration->database,
                                           .keys = &service->keys,
                                           .site = service->site_address,
                                           .mail_from = configuration->smtp_from,
                                           .private_too = configuration->all_targets,
                                           .retry_ms = configuration->push_retry_ms,
                                           .may = may_use_keys,
                                           .context = service};
    service->channels = channels_new(&config);
    if (service->channels == NULL)
        text_add(error, "The system has no threads left for web push and webhooks.");
    return service->channels != NULL;
}

/* To be called after open_mail(), and before the change bus is used. */
static bool open_notices(struct service *service, const struct configuration *configuration,
                         struct text *error)
{
    const struct mailer_config mail = mail_settings(service, configuration);
    struct notice_channel channels[NOTICE_CHANNELS];
    struct notices_config config = {.database = configuration->database,
                                    .keys = &service->keys,
                                    .game_cache = service->game_cache,
                                    .site = service->site_address,
                                    .channels = channels,
                                    .interval_ms = configuration->notices_ms};
    if (config.interval_ms == 0)
        return true;
    if (service->mailer != NULL) {
        service->mail_channel = mail_channel_new(&mail, &service->keys);
        channels[config.channel_count++] = mail_channel(service->mail_channel);
    }
    channels[config.channel_count++] = push_channel(service->channels);
    channels[config.channel_count++] = webhook_channel(service->channels);
    service->notices = notices_new(&config);
    if (service->notices == NULL)
        text_add(error, "The system has no threads left for notices.");
    else
        service->notice_channels = notices_names(service->notices);
    return service->notices != NULL;
}

/* Sets the log's name from a database that did not answer at the start. */
static bool name_log_again(void *context, const struct key_check *check, struct text *error)
{
    struct service *service = context;
    keep_old_keys(service, check);
    if (check->origin[0] == '\0' || strcmp(check->origin, service->log_key.name) == 0 ||
        note_key_make(&service->log_key, span_of(check->origin), service->keys.signing_public))
        return true;
    text_add(error, "The transparency log has a name that cannot be used.");
    return false;
}

static bool watch_keys(struct service *service, const struct configuration *configuration,
                       const struct key_check *check, struct text *error)
{
    if (check->known)
        return true;
    service->key_watch = key_watch_new(
        check, &service->keys, configuration->log_origin == NULL ? name_log_again : NULL, service);
    if (service->key_watch == NULL)
        text_add(error, "The system has no threads left to look for the database.");
    return service->key_watch != NULL;
}

/* Starts the thread that writes the log. */
static bool open_log(struct service *service, const struct configuration *configuration,
                     struct text *error)
{
    const struct sequencer_config config = {.database = configuration->database,
                                            .service = true,
                                            .keys = &service->keys,
                                            .key = &service->log_key,
                                            .interval_ms = configuration->log_interval_ms,
                                            .may = may_use_keys,
                                            .context = service};
    service->sequencer = sequencer_new(&config);
    if (service->sequencer == NULL)
        text_add(error, "The system has no threads or descriptors left for the log.");
    return service->sequencer != NULL;
}

/* Starts the thread that asks the log's witnesses. */
static bool ask_witnesses(struct service *service, const struct configuration *configuration,
                          struct text *error)
{
    if (configuration->witnesses == NULL)
        return true;
    service->witness_policy = witness_policy_read(configuration->witnesses, error);
    if (service->witness_policy == NULL)
        return false;
    const struct witnesses_config config = {.database = configuration->database,
                                            .service = true,
                                            .policy = service->witness_policy,
                                            .interval_ms = configuration->log_interval_ms};
    service->witnesses = witnesses_new(&config);
    if (service->witnesses == NULL)
        text_add(error, "The system has no threads or descriptors left for the log's witnesses.");
    return service->witnesses != NULL;
}

/* Starts the thread that asks the co-dealers. */
static bool ask_dealers(struct service *service, const struct configuration *configuration,
                        struct text *error)
{
    if (configuration->dealers == NULL)
        return true;
    service->dealer_list = dealer_list_read(configuration->dealers, error);
    if (service->dealer_list == NULL || configuration->deadlines_ms == 0)
        return service->dealer_list != NULL;
    const struct dealers_config config = {.database = configuration->database,
                                          .service = true,
                                          .list = service->dealer_list,
                                          .keys = &service->keys,
                                          .log_key = &service->log_key,
                                          .interval_ms = configuration->deadlines_ms};
    service->dealers = dealers_new(&config);
    if (service->dealers == NULL)
        text_add(error, "The system has no threads or descriptors left for the co-dealers.");
    return service->dealers != NULL;
}

/* Compares the migrations of the database with those of this program. A service of an earlier
 * release must not work on a schema that it does not know. If the database cannot be reached,
 * nothing is known; /readyz checks again. `fits`: no migration is missing, and the transaction
 * stays open. `old`: migrations are missing. */
static bool check_schema(struct db *db, bool *fits, bool *old, struct text *error)
{
    enum schema_fit fit = SCHEMA_GOOD;
    bool known = db != NULL && db_begin(db, true) == DB_OK && schema_fits(db, &fit) == DB_OK;
    *fits = known && fit == SCHEMA_GOOD;
    *old = known && fit == SCHEMA_OLD;
    if (db != NULL && !*fits)
        db_rollback(db);
    if (!known || fit != SCHEMA_NEW)
        return line_setup_check(known ? db : NULL, error);
    text_add(error, schema_advice(fit));
    return false;
}

/* Checks that schema and keys are those of this service. The pool takes over the connection. */
static bool check_database_and_keys(struct service *service,
                                    const struct configuration *configuration, struct text *error)
{
    char unused[512];
    struct text away = TEXT_OVER(unused); /* not used: other code reports it */
    struct db *db = db_open(configuration->database, true, &away);
    struct key_check check;
    bool fits, old;
    bool checked = check_schema(db, &fits, &old, error);
    /* After `tillroll migrate` the service continues without a restart. */
    if (old)
        fprintf(stderr, "tillrolld: %s\n", schema_advice(SCHEMA_OLD));
    bool good = checked && open_keys(service, configuration, true, db, fits, &check, error) &&
                name_log(service, configuration, error) &&
                watch_keys(service, configuration, &check, error);
    if (good)
        db_pool_begin_with(service->pool, db);
    else
        db_close(db);
    return good;
}

/* The first check of the database, made while the other parts are created. */
struct first_check {
    struct service *service;
    const struct configuration *configuration;
    pthread_t thread;
    bool started, good;
    char message[SERVICE_PARTS_MESSAGE];
};

static void *run_first_check(void *context)
{
    struct first_check *first = context;
    struct text error = TEXT_OVER(first->message);
    first->good = check_database_and_keys(first->service, first->configuration, &error);
    return NULL;
}

static void begin_first_check(struct first_check *first, struct service *service,
                              const struct configuration *configuration)
{
    *first = (struct first_check){.service = service, .configuration = configuration};
    first->started = thread_start(&first->thread, run_first_check, first);
    if (!first->started)
        run_first_check(first);
}

static bool end_first_check(const struct first_check *first, struct text *error)
{
    if (first->started)
        pthread_join(first->thread, NULL);
    if (!first->good && error->length == 0)
        text_add(error, first->message);
    return first->good;
}

static bool open_writers(struct service *service, const struct configuration *configuration)
{
    for (size_t i = 0; i <= line_databases_count(); i++) {
        const char *url = i == 0 ? configuration->database : line_database_url(i);
        unsigned listener_number =
            i == 0 && configuration->notices_all ? 0 : service->listener_number;
        struct writer *writer =
            writer_new(url, true, MOVES_WAITING_MAX, WRITER_PATIENCE_MS, listener_number);
        if (writer == NULL)
            return false;
        service->writer[service->writer_count++] = (struct moves_writer){service, writer, 0};
    }
    return true;
}

/* Creates the parts that do not need the database yet; their threads wait until they are
 * released. */
static bool open_parts(struct service *service, const struct configuration *configuration,
                       struct text *error)
{
    const struct limit limits[LIMIT_CLASSES] = {
        [LIMIT_READ] = {configuration->reads_per_minute, configuration->reads_per_minute / 10 + 1},
        [LIMIT_WRITE] = {configuration->writes_per_minute,
                         configuration->writes_per_minute / 10 + 1},
        [LIMIT_PASSWORD] = {configuration->passwords_per_minute,
                            configuration->passwords_per_minute},
        [LIMIT_GUEST] = {configuration->guests_per_hour, 60 * configuration->guests_per_hour},
        [LIMIT_MAIL] = {configuration->mails_per_hour, 60 * configuration->mails_per_hour},
        [LIMIT_UNKNOWN] = {configuration->reads_per_minute,
                           configuration->reads_per_minute / 10 + 1},
        [LIMIT_REPORT] = {configuration->report_ms_per_minute, configuration->report_ms_per_minute},
        [LIMIT_REPORTS] = {configuration->reports_ms_per_minute,
                           configuration->reports_ms_per_minute}};
    if (configuration->replica != NULL)
        service->replicas =
            replicas_new(configuration->replica, configuration->workers, service->pool);
    service->listener_number = randombytes_uniform(INT32_MAX) + 1;
    if (!open_writers(service, configuration)) {
        text_add(error, "The system has no threads or descriptors left.");
        return false;
    }
    service->component_cache = component_cache_new();
    service->game_cache =
        game_cache_new((size_t)configuration->live_megabytes << 20, service->component_cache);
    service->odds_cache = odds_cache_new();
    service->sessions = sessions_new();
    service->change_bus = change_bus_new();
    service->reads =
        shared_responses_new((size_t)configuration->response_cache_bytes, service->change_bus);
    service->event_cache = event_cache_new(EVENT_CACHE_BYTES);
    service->limits = limits_new(limits);
    service->log = request_log_new(STDOUT_FILENO, configuration->log_text ? LOG_TEXT : LOG_JSON);
    service->metrics = metrics_new();
    service->metrics_apart = configuration->metrics_listen != NULL;
    service->audit_file = configuration->audit_result;
    service->game_clocks = game_clocks_new(service, configuration->database);
    service->jobs = jobs_new(service, configuration->step_wait_ms, dispatch_job);
    if (service->jobs == NULL) {
        text_add(error, "The system has no threads left for jobs.");
        return false;
    }
    if (!name_site(service, configuration, error) || !open_mail(service, configuration, error) ||
        !open_channels(service, configuration, error) ||
        !open_notices(service, configuration, error) ||
        !open_streams(service, configuration, error) || !open_log(service, configuration, error) ||
        !ask_witnesses(service, configuration, error) ||
        !ask_dealers(service, configuration, error))
        return false;
    service->retention = retention_new(configuration->database, configuration->retention_seconds);
    bool started = service->retention != NULL && game_clocks_start(service->game_clocks);
    if (!started)
        text_add(error, "The system has no threads left for the upkeep.");
    else
        service->deadlines =
            deadlines_new(service, configuration->database, configuration->deadlines_ms);
    if (started && service->deadlines == NULL)
        text_add(error, "The system has no threads left for what is due in events.");
    if (service->deadlines == NULL)
        return false;
    service->puzzle_maker =
        puzzle_maker_new(service, configuration->database, configuration->puzzles_hour);
    if (service->puzzle_maker == NULL)
        text_add(error, "The system has no threads left for puzzles.");
    return service->puzzle_maker != NULL;
}

bool service_parts_open(struct service *service, const struct configuration *configuration,
                        struct text *error)
{
    char message[SERVICE_PARTS_MESSAGE];
    struct text later = TEXT_OVER(message);
    struct first_check first;
    threads_hold();
    service->pool = db_pool_new(configuration->database, true,
                                configuration->workers + FETCHES_AT_ONCE + CONNECTIONS_FOR_JOBS +
                                    REPORTS_AT_ONCE + PIECES_AT_ONCE);
    begin_first_check(&first, service, configuration);
    service->files = files_load(configuration->pages, error);
    bool good = service->files != NULL && open_parts(service, configuration, &later);
    good = end_first_check(&first, error) && good;
    if (good && !line_databases_watch(LINE_DATABASES_MS)) {
        text_add(error, "The system has no threads left for the line databases.");
        good = false;
    }
    if (!good && error->length == 0)
        text_add(error, message);
    if (!good)
        threads_dismiss();
    return good;
}

void service_parts_close(struct service *service, int status)
{
    enum { GRACE_MS = 10000 };
    threads_release();
    if (!jobs_free(service->jobs, GRACE_MS))
        _exit(status);
    game_clocks_stop(service->game_clocks);
    witnesses_free(service->witnesses);
    witness_policy_free(service->witness_policy);
    dealers_free(service->dealers);
    dealer_list_free(service->dealer_list);
    sequencer_free(service->sequencer);
    puzzle_maker_free(service->puzzle_maker);
    retention_free(service->retention);
    mailer_free(service->mailer);
    deadlines_free(service->deadlines);
    if (listener_free(service->listener))
        for (size_t i = 0; i < service->writer_count; i++)
            writer_all_notified(service->writer[i].writer);
    notices_free(service->notices);
    mail_channel_free(service->mail_channel);
    channels_free(service->channels);
    streams_free(service->streams);
    change_bus_free(service->change_bus);
    game_clocks_free(service->game_clocks);
    for (size_t i = 0; i < service->writer_count; i++)
        writer_free(service->writer[i].writer);
    replicas_free(service->replicas);
    db_pool_free(service->pool);
    line_databases_end();
    game_cache_free(service->game_cache);
    component_cache_free(service->component_cache);
    odds_cache_free(service->odds_cache);
    sessions_free(service->sessions);
    shared_responses_free(service->reads);
    event_cache_free(service->event_cache);
    limits_free(service->limits);
    files_free(service->files);
    request_log_free(service->log);
    metrics_free(service->metrics);
    key_watch_free(service->key_watch);
    keys_forget(&service->keys);
}

/* ---- Checks without a service ---- */

static bool check_keys(struct service *service, const struct configuration *configuration,
                       struct text *error)
{
    struct key_check check;
    return open_keys(service, configuration, false, NULL, false, &check, error);
}

/* A log never changes its name, which check_keys() has read, if the database has a log. */
static bool check_origin(struct service *service, const struct configuration *configuration,
                         struct text *error)
{
    const char *name = service->log_key.name;
    const char *wanted = configuration->log_origin;
    if (wanted == NULL || name[0] == '\0' || strcmp(wanted, name) == 0)
        return true;
    text_add(error, "The transparency log of this database is named ");
    text_add(error, name);
    text_add(error, ": leave out --log-origin, or give that name.");
    return false;
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
    bool fits, old = false;
    bool good = db != NULL && check_schema(db, &fits, &old, error);
    if (old)
        text_add(error, schema_advice(SCHEMA_OLD));
    db_close(db);
    return good && !old;
}

bool service_parts_check(struct service *service, const struct configuration *configuration)
{
    static bool (*const checks[])(struct service *, const struct configuration *, struct text *) = {
        check_keys, check_origin, check_pages, name_log, name_site, check_mail, check_database};
    bool good = configuration_check(configuration);
    for (size_t i = 0; i < sizeof checks / sizeof checks[0]; i++) {
        char message[SERVICE_PARTS_MESSAGE];
        struct text error = TEXT_OVER(message);
        if (!checks[i](service, configuration, &error)) {
            fprintf(stderr, "tillrolld: %s\n", message);
            good = false;
        }
    }
    return good;
}
