/* `tillroll audit`: verifies every record in a database. Workers take pages of games in turn, each
 * with its own connection; they share the position, the output and the totals. */
#include <malloc.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/sysinfo.h>
#include <time.h>

#include "api/cli/cli.h"
#include "api/cli/database/audit_chains.h"
#include "api/cli/database/audit_check.h"
#include "api/cli/database/audit_log.h"
#include "api/watch/exposition.h"
#include "db/lines/line_databases.h"
#include "db/lines/line_setup.h"
#include "db/link/now.h"
#include "db/store/games/archive.h"
#include "db/store/people/credentials.h"
#include "db/store/people/players.h"
#include "engine/game/catalog.h"

/* Games on the first page, and the target number of rows for later pages: large enough that queries
 * are cheap, small enough that each query is short. This process's niceness does not apply in the
 * database, where long queries would delay players on the same machine. */
enum { WORKERS_MAX = 64, RULESETS_MAX = 32, FIRST_GAMES = 8, GAMES_MAX = 2000, PAGE_ROWS = 16000 };

struct tally {
    uint64_t finished, running, plies, damaged;
};

struct audit {
    const char *url;
    struct component_cache *components;
    bool strict;                          /* acts of officials who were parties count as damage */
    pthread_mutex_t mutex;                /* guards everything below */
    struct id after;                      /* pages up to here are assigned */
    bool ended;                           /* the last page is assigned */
    bool failed;                          /* a worker failed */
    struct tally tally[RULESETS_MAX + 1]; /* by catalog index; the last one for unknown rulesets */
};

struct worker {
    struct audit *audit;
    pthread_t thread;
    struct db *db;
    struct audit_checker checker;
    struct tally tally[RULESETS_MAX + 1];
    size_t games; /* of the next page */
};

/* ---- Reading pages ---- */

/* Takes the next range of games, after < id <= until, and begins a transaction in which to read it.
 * False if there are no more. */
static bool take_range(struct worker *worker, struct id *after, struct id *until)
{
    struct audit *audit = worker->audit;
    enum db_status status = DB_NONE;
    *until = (struct id){""};
    pthread_mutex_lock(&audit->mutex);
    bool more = !audit->ended && !audit->failed;
    *after = audit->after;
    if (more)
        status = db_begin(worker->db, true);
    if (more && status == DB_OK)
        status = audit_next(worker->db, after, worker->games, until);
    audit->ended = audit->ended || status != DB_OK;
    audit->failed = audit->failed || (more && status != DB_OK && status != DB_NONE);
    audit->after = *until;
    more = more && !audit->failed;
    pthread_mutex_unlock(&audit->mutex);
    if (!more)
        db_rollback(worker->db);
    return more;
}

/* Checks a duplicate game without its secret, which stays hidden until the last table of its round
 * has ended. True if a table is still playing. */
static bool may_be_pending(struct worker *worker, const struct audit_record *record,
                           struct record_fault *fault)
{
    bool runs = false;
    enum db_status status =
        audit_round_runs(worker->db, &record->game->event, record->game->round, &runs);
    if (status == DB_OK && runs)
        return true;
    fault->line = 0;
    return record_fault(fault, "cut-short",
                        "The round is finished, but the record ends before its head.",
                        (struct span){NULL, 0});
}

/* ---- Keys ---- */

static bool is_own_key(const struct record_seat *seat, const struct signing_key_step *steps,
                       size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (steps[i].step.kind == KEYRING_REGISTERED &&
            strcmp(steps[i].player.text, seat->player) == 0 &&
            memcmp(steps[i].step.key, seat->key, sizeof seat->key) == 0)
            return true;
    return false;
}

/* True for a player without an account here, who has registered the key elsewhere. */
static bool is_from_elsewhere(struct worker *worker, struct arena *arena, const struct id *player)
{
    struct player found = {.origin = NULL};
    return player_by_id(worker->db, arena, player, &found) == DB_OK && found.origin != NULL;
}

/* True if the keys in the record are keys of the players now seated. */
static bool has_own_keys(struct worker *worker, struct record_fault *fault)
{
    const struct record_header *header = &worker->checker.replay.header;
    struct arena arena = {NULL};
    bool own = true;
    for (unsigned i = 0; own && i < header->seats; i++) {
        const struct record_seat *seat = &header->seat[i];
        struct signing_key_step *steps;
        struct id player;
        size_t count = 0;
        if (!seat->has_key)
            continue;
        memcpy(player.text, seat->player, sizeof player.text);
        own = (signing_key_list(worker->db, &arena, &player, 1, &steps, &count) == DB_OK &&
               is_own_key(seat, steps, count)) ||
              is_from_elsewhere(worker, &arena, &player);
    }
    arena_free(&arena);
    fault->line = 0;
    return own || record_fault(fault, "foreign-key",
                               "The record names a key that its player has not registered.",
                               (struct span){NULL, 0});
}

static struct tally *tally_of(struct worker *worker, const struct audit_record *record)
{
    size_t place = 0;
    while (record->game != NULL && catalog_at(place) != NULL && place < RULESETS_MAX &&
           !(span_is(record->game->slug, catalog_at(place)->slug) &&
             span_is(record->game->version, catalog_at(place)->version)))
        place++;
    bool known = record->game != NULL && place < RULESETS_MAX && catalog_at(place) != NULL;
    return &worker->tally[known ? place : RULESETS_MAX];
}

static void check(struct worker *worker, const struct audit_record *record)
{
    struct record_fault fault;
    struct tally *tally = tally_of(worker, record);
    enum audit_verdict verdict = audit_check(&worker->checker, record, &fault);
    bool damaged = verdict == AUDIT_DAMAGED ||
                   (verdict == AUDIT_PENDING && !may_be_pending(worker, record, &fault)) ||
                   !has_own_keys(worker, &fault);
    if (damaged) {
        tally->damaged++;
        pthread_mutex_lock(&worker->audit->mutex);
        cli_print_fault(stdout, record->id.text, REPLAY_INVALID, &fault);
        pthread_mutex_unlock(&worker->audit->mutex);
        return;
    }
    bool finished = record->game->finished;
    tally->finished += finished;
    tally->running += !finished;
    tally->plies += worker->checker.replay.plies;
}

/* Adjusts the size of the next page to the target number of rows. */
static void adapt_page_size(struct worker *worker, const struct audit_page *page)
{
    if (page->rows == 0)
        return;
    size_t games = page->count * PAGE_ROWS / page->rows;
    worker->games = games < 1 ? 1 : games > GAMES_MAX ? GAMES_MAX : games;
}

static bool check_range(struct worker *worker, const struct id *after, const struct id *until)
{
    struct audit_page page;
    bool read = audit_read(worker->db, after, until, &page) == DB_OK;
    for (size_t i = 0; read && i < page.count; i++)
        check(worker, &page.records[i]);
    db_rollback(worker->db);
    if (read) {
        adapt_page_size(worker, &page);
        audit_page_free(&page);
    }
    return read;
}

static void *work(void *context)
{
    struct worker *worker = context;
    struct id after;
    struct id until;
    while (take_range(worker, &after, &until)) {
        if (check_range(worker, &after, &until))
            continue;
        pthread_mutex_lock(&worker->audit->mutex);
        worker->audit->failed = true;
        pthread_mutex_unlock(&worker->audit->mutex);
    }
    return NULL;
}

/* ---- Workers ---- */

static bool start(struct worker *worker, struct audit *audit)
{
    *worker = (struct worker){
        .audit = audit, .games = FIRST_GAMES, .db = cli_database(audit->url, false)};
    if (worker->db == NULL)
        return false;
    worker->checker.components = audit->components;
    worker->checker.db = worker->db;
    if (pthread_create(&worker->thread, NULL, work, worker) == 0)
        return true;
    db_close(worker->db);
    return cli_refuse("the system has no threads left");
}

static void add_tally(struct tally *to, const struct tally *tally)
{
    to->finished += tally->finished;
    to->running += tally->running;
    to->plies += tally->plies;
    to->damaged += tally->damaged;
}

static void finish(struct worker *worker)
{
    struct audit *audit = worker->audit;
    pthread_join(worker->thread, NULL);
    for (size_t i = 0; i <= RULESETS_MAX; i++)
        add_tally(&audit->tally[i], &worker->tally[i]);
    db_close(worker->db);
}

static void run(struct audit *audit, unsigned long count)
{
    struct worker *workers = must(calloc(count, sizeof *workers));
    unsigned long started = 0;
    audit->components = component_cache_new();
    while (started < count && start(&workers[started], audit))
        started++;
    audit->failed = audit->failed || started < count;
    for (unsigned long i = 0; i < started; i++)
        finish(&workers[i]);
    component_cache_free(audit->components);
    free(workers);
}

/* ---- The report ---- */

static void print_tally(const char *name, const struct tally *tally)
{
    if (tally->finished + tally->running + tally->damaged > 0)
        printf("%-24s %10llu %10llu %12llu %10llu\n", name, (unsigned long long)tally->finished,
               (unsigned long long)tally->running, (unsigned long long)tally->plies,
               (unsigned long long)tally->damaged);
}

/* Prints and returns the totals. */
static struct tally report(const struct audit *audit, double seconds)
{
    struct tally total = {0, 0, 0, 0};
    printf("%-24s %10s %10s %12s %10s\n", "", "finished", "running", "plies", "damaged");
    for (size_t i = 0; i <= RULESETS_MAX; i++) {
        char name[64];
        struct text text = TEXT_OVER(name);
        const struct game *game = i < RULESETS_MAX ? catalog_at(i) : NULL;
        text_add_all(&text, game == NULL ? "unknown" : game->slug, game == NULL ? "" : " ",
                     game == NULL ? "" : game->version);
        print_tally(name, &audit->tally[i]);
        add_tally(&total, &audit->tally[i]);
        if (game == NULL && i < RULESETS_MAX)
            i = RULESETS_MAX - 1;
    }
    print_tally("all", &total);
    printf("%.1f s, %.0f plies a second\n", seconds, (double)total.plies / seconds);
    return total;
}

static double now(void)
{
    return 1e-6 * (double)now_us(CLOCK_MONOTONIC);
}

/* ---- The command line ---- */

static bool read_time(const char *word, struct id *after)
{
    struct tm tm = {0};
    const char *end = strptime(word, "%Y-%m-%d", &tm);
    if (end != NULL && *end == 'T')
        end = strptime(end, "T%H:%M:%SZ", &tm);
    if (end == NULL || *end != '\0') {
        fprintf(stderr, "tillroll: --since must be like 2026-11-20 or 2026-11-20T15:04:05Z\n");
        return false;
    }
    *after = id_first((int64_t)timegm(&tm) * 1000);
    return true;
}

static unsigned long usual_workers(void)
{
    int cores = get_nprocs();
    return cores > 1 ? (unsigned long)cores - 1 : 1;
}

/* Returns the worse of two exit statuses: damage outweighs unchecked data. */
static int worse(int a, int b)
{
    if (a == EXIT_NO || b == EXIT_NO)
        return EXIT_NO;
    return a > b ? a : b;
}

/* Audits the logs, the transparency log last, and the acts of officials. */
static int audit_the_logs(const struct audit *audit, const struct audit_log_options *options)
{
    struct db *db = cli_database(audit->url, false);
    if (db == NULL)
        return EXIT_UNKNOWN;
    int status = audit_chains(db);
    status = worse(status, audit_log(db, options));
    status = worse(status, audit_officials(db, audit->strict));
    db_close(db);
    return status;
}

/* Checks the list of line databases: with another list, running games would seem to have fewer
 * lines. An unreachable database is reported when records are read. */
static bool check_lines(const struct audit *audit)
{
    char message[512], unused[512];
    struct text error = TEXT_OVER(message), away = TEXT_OVER(unused);
    struct db *db = db_open(audit->url, false, &away);
    bool good = line_setup_check(db, &error);
    db_close(db);
    return good || cli_refuse(message);
}

static int audit_records(struct audit *audit, unsigned long workers, struct audit_result *result)
{
    double begin = now();
    pthread_mutex_init(&audit->mutex, NULL);
    run(audit, workers);
    pthread_mutex_destroy(&audit->mutex);
    if (audit->failed) {
        fprintf(stderr, "tillroll: the database could not be read to the end\n");
        return EXIT_UNKNOWN;
    }
    struct tally total = report(audit, now() - begin);
    result->records = total.finished + total.running + total.damaged;
    result->damaged = total.damaged;
    return total.damaged == 0 ? EXIT_YES : EXIT_NO;
}

static int keep_result(const char *path, struct audit_result *result, int status, double seconds)
{
    char message[512];
    struct text error = TEXT_OVER(message);
    result->finished_s = (uint64_t)time(NULL);
    result->duration_us = (uint64_t)(1e6 * seconds);
    result->status = (uint64_t)status;
    if (audit_result_store(path, result, &error))
        return status;
    cli_refuse(message);
    return worse(status, EXIT_UNKNOWN);
}

static int audit_all(struct audit *audit, unsigned long workers,
                     const struct audit_log_options *options, const char *path)
{
    struct audit_result result = {.records = 0};
    double begin = now();
    int status = check_lines(audit) ? audit_records(audit, workers, &result) : EXIT_UNKNOWN;
    if (status != EXIT_UNKNOWN)
        status = worse(status, audit_the_logs(audit, options));
    return path == NULL ? status : keep_result(path, &result, status, now() - begin);
}

static bool read_key(const char *word, struct note_key *key, struct audit_log_options *options)
{
    options->key = key;
    if (note_key_read(span_of(word), key))
        return true;
    fprintf(stderr, "tillroll: --log-key must be the vkey from GET /v1/keys\n");
    return false;
}

/* Lowers the priority, in favor of players on the same machine. */
static void lower_priority(void)
{
    enum { NICENESS = 10 };
    (void)setpriority(PRIO_PROCESS, 0, NICENESS);
}

/* Keeps freed memory. Each page takes a few MB; returning them to the system caused page faults
 * that took a tenth of the time. */
static void keep_memory(void)
{
    enum { KEPT_BYTES = 64 << 20 };
    (void)mallopt(M_TRIM_THRESHOLD, KEPT_BYTES);
}

int cli_audit(const struct cli_given *given)
{
    struct audit audit = {.url = db_url(cli_value(given, "database")),
                          .strict = cli_value(given, "strict") != NULL};
    const char *since = cli_value(given, "since");
    const char *log_key = cli_value(given, "log-key");
    const char *archive = cli_value(given, "archive");
    const char *list = cli_value(given, "line-databases");
    char message[160];
    struct text error = TEXT_OVER(message);
    struct audit_log_options log = {.checkpoint = cli_value(given, "checkpoint"),
                                    .leaves = cli_value(given, "leaves")};
    struct note_key key;
    unsigned long cores = (unsigned long)get_nprocs();
    unsigned long workers;
    if (audit.url == NULL)
        return cli_wrong_usage(given, DB_URL_ADVICE);
    if ((since != NULL && !read_time(since, &audit.after)) ||
        (log_key != NULL && !read_key(log_key, &key, &log)) ||
        !cli_value_number(given, "workers", 1, cores < WORKERS_MAX ? cores : WORKERS_MAX,
                          usual_workers(), &workers))
        return cli_wrong_usage(given, NULL);
    lower_priority();
    keep_memory();
    archive_use(archive == NULL ? getenv("TILLROLL_ARCHIVE") : archive);
    if (!line_databases_use(list == NULL ? getenv("TILLROLL_LINE_DATABASES") : list, false, workers,
                            &error))
        return cli_wrong_usage(given, message);
    return audit_all(&audit, workers, &log, cli_value(given, "result"));
}
