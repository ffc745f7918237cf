/* `tillroll monitor`: follows a service's log from outside. It keeps every leaf, computes each
 * checkpoint's root from them, and verifies the records to which the leaves of finished games
 * refer. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "api/cli/cli.h"
#include "api/cli/client.h"
#include "api/cli/monitor/alarm_post.h"
#include "api/cli/monitor/monitor_deposits.h"
#include "api/cli/monitor/monitor_event.h"
#include "api/cli/monitor/monitor_log.h"
#include "api/cli/witness/party_http.h"
#include "api/watch/exposition.h"
#include "api/watch/metrics_listener.h"
#include "db/link/now.h"
#include "engine/base/arena.h"
#include "engine/base/counter.h"
#include "engine/game/component_list.h"
#include "engine/log/bundle.h"

enum { WHAT_MAX = 512, QUORUM_PATIENCE_MS = 60000, QUORUM_WAIT_MS = 3000, POST_WAIT_MS = 60000 };

struct monitor {
    struct monitor_log log;
    struct trust_policy policy;
    char *policy_text;
    struct key_chain chain; /* the history of keys read last */
    struct client *client;
    struct alarm_post *post; /* delivers alarms by webhook and mail */
    const char *origin;      /* of the log, from the policy */
    const char *command;     /* run for each alarm; NULL = none */
    bool once;
    bool away[MONITOR_PARTIES_MAX]; /* by party: has not answered during this look */
    bool patient;                   /* cosignatures may still be missing */
    bool alarmed;                   /* since the start of this process */
    char last[WHAT_MAX];            /* the sentence of the last alarm */
    int64_t no_quorum_ms; /* when the newest checkpoint was first seen without its quorum; 0 = it
                             has it */
    int64_t started_ms;
    struct counter alarms, failures, looks, size, checked, records;
};

/* ---- Alarms ---- */

static void run_command(const struct monitor *monitor, const char *what)
{
    int status;
    if (monitor->command == NULL)
        return;
    pid_t child = fork();
    if (child == 0) {
        (void)setenv("TILLROLL_ALARM", what, 1);
        execl("/bin/sh", "sh", "-c", monitor->command, (char *)NULL);
        _exit(127);
    }
    if (child < 0 || waitpid(child, &status, 0) != child || status != 0)
        fprintf(stderr, "tillroll: the command of --exec has failed\n");
}

/* Raises an alarm once, until there is a different one. */
static void alarm_about(struct monitor *monitor, const char *code, const char *message,
                        struct span detail)
{
    char bytes[WHAT_MAX];
    struct text what = TEXT_OVER(bytes);
    text_add_all(&what, code, ": ", message);
    for (size_t i = 0; i < detail.length; i++) /* the detail comes from the service */
        text_add_char(&what, detail.at[i] > ' ' && detail.at[i] <= '~' ? detail.at[i] : '?');
    monitor->alarmed = true;
    if (strcmp(monitor->last, bytes) == 0)
        return;
    memcpy(monitor->last, bytes, sizeof bytes);
    monitor->log.alarms++;
    counter_set(&monitor->alarms, monitor->log.alarms);
    fprintf(stderr, "tillroll: ALARM: %s\n", bytes);
    alarm_post_add(monitor->post, code, bytes + strlen(code) + 2, monitor->origin);
    (void)monitor_log_keep_checked(&monitor->log);
    run_command(monitor, bytes);
}

/* Raises an alarm, and keeps the checkpoint as evidence. */
static void alarm_with(struct monitor *monitor, const char *code, const char *message,
                       struct span note)
{
    char path[WITNESS_PATH_MAX];
    struct text text = TEXT_OVER(path);
    text_add_all(&text, monitor->log.directory, "/alarm-", code);
    if (!text.overflow && access(path, F_OK) != 0)
        (void)witness_replace_file(path, note);
    alarm_about(monitor, code, message, (struct span){NULL, 0});
}

/* ---- The checkpoint ---- */

/* True if a leaf says that the key was replaced: it must not sign a larger checkpoint. */
static bool is_retired(const struct monitor *monitor, const struct note_key *key,
                       const struct checkpoint *checkpoint)
{
    char bytes[65];
    struct text name = TEXT_OVER(bytes);
    text_add_hex(&name, key->public, sizeof key->public);
    return checkpoint->size > monitor->log.edge.size &&
           monitor_log_find(&monitor->log, TLOG_SERVER_KEY, text_span(&name)) != NULL;
}

/* A key that the log's history of keys derives from the pinned one and that has signed the note.
 * NULL if there is none; `fault` is set if the history is not valid. */
static const struct note_key *find_successor(struct monitor *monitor, const struct note *note,
                                             const struct note_key *pinned, struct span history,
                                             struct record_fault *fault)
{
    struct key_chain *chain = &monitor->chain;
    if (history.length == 0 || !key_chain_read(history, pinned, NULL, chain, fault))
        return NULL;
    int signer = key_chain_signer(chain, note);
    return signer < 0 ? NULL : &chain->key[signer];
}

/* The policy's key that has signed the checkpoint, or one derived from it by the log's history of
 * keys. NULL after an alarm. */
static const struct note_key *find_key(struct monitor *monitor, const struct note *note,
                                       const struct checkpoint *checkpoint, struct span bytes)
{
    struct record_fault fault = {.code = NULL};
    const struct note_key *pinned = NULL;
    for (size_t i = 0; i < monitor->policy.logs; i++) {
        const struct note_key *key = &monitor->policy.log[i].key;
        if (!span_is(checkpoint->origin, key->name))
            continue;
        pinned = key;
        monitor->origin = key->name;
        if (note_verify(note, key) == NOTE_SIGNED)
            return key;
    }
    if (pinned == NULL) {
        alarm_with(monitor, "other-log", "The service shows a log that the policy does not name.",
                   bytes);
        return NULL;
    }
    size_t length = 0;
    long status;
    const char *history = client_bytes(monitor->client, "/v1/log/key-changes", &length, &status);
    const struct note_key *key = find_successor(
        monitor, note, pinned, (struct span){history, history == NULL ? 0 : length}, &fault);
    if (key == NULL && fault.code != NULL)
        alarm_with(monitor, fault.code, fault.message, bytes);
    else if (key == NULL)
        alarm_with(monitor, "unsigned-checkpoint",
                   "No key of the policy has signed the checkpoint.", bytes);
    return key;
}

static bool is_signed(struct monitor *monitor, const struct note *note,
                      const struct checkpoint *checkpoint, struct span bytes)
{
    const struct note_key *key = find_key(monitor, note, checkpoint, bytes);
    if (key != NULL && is_retired(monitor, key, checkpoint)) {
        alarm_with(monitor, "retired-key",
                   "The checkpoint is signed with a key that had been replaced before.", bytes);
        return false;
    }
    return key != NULL;
}

/* Checks the quorum. A checkpoint that has just been signed may still lack cosignatures. */
static void judge_quorum(struct monitor *monitor, const struct note *note)
{
    struct trust_finding finding;
    struct record_fault fault;
    int64_t now = now_ms(CLOCK_MONOTONIC);
    if (trust_policy_is_met(&monitor->policy, note, 0, &finding, &fault)) {
        monitor->no_quorum_ms = 0;
        return;
    }
    if (monitor->no_quorum_ms == 0)
        monitor->no_quorum_ms = now;
    if ((monitor->once && !monitor->patient) || now - monitor->no_quorum_ms > QUORUM_PATIENCE_MS ||
        strcmp(fault.code, "forged-cosignature") == 0)
        alarm_about(monitor, fault.code, fault.message, (struct span){NULL, 0});
}

/* ---- Leaves ---- */

/* Appends the number as in `x001/x234/067`. */
static void add_tile_number(uint64_t number, struct text *path)
{
    char groups[8][5];
    size_t count = 0;
    do {
        groups[count][0] = (char)('0' + number / 100 % 10);
        groups[count][1] = (char)('0' + number / 10 % 10);
        groups[count][2] = (char)('0' + number % 10);
        groups[count++][3] = '\0';
        number /= 1000;
    } while (number > 0);
    while (count-- > 0) {
        text_add_all(path, count > 0 ? "x" : "", groups[count], count > 0 ? "/" : "");
    }
}

/* The leaves of one tile, for a log of `size` leaves. NULL if the service does not provide them. */
static const char *fetch_tile(struct monitor *monitor, uint64_t number, uint64_t size,
                              size_t *length)
{
    char bytes[96];
    struct text path = TEXT_OVER(bytes);
    long status;
    uint64_t width = size - number * TLOG_TILE;
    text_add(&path, "/v1/log/tile/entries/");
    add_tile_number(number, &path);
    if (width < TLOG_TILE) {
        text_add(&path, ".p/");
        text_add_number(&path, (int64_t)width);
    }
    return client_bytes(monitor->client, bytes, length, &status);
}

/* The bytes without the first `skip` leaves, which are stored already. */
static struct span skip_leaves(struct span bytes, uint64_t skip)
{
    while (skip-- > 0 && bytes.length >= 2) {
        size_t length = 2 + ((size_t)(unsigned char)bytes.at[0] << 8 | (unsigned char)bytes.at[1]);
        length = length < bytes.length ? length : bytes.length;
        bytes.at += length;
        bytes.length -= length;
    }
    return bytes;
}

/* Fetches all leaves up to a size, in malloc()ed memory. NULL if the service does not provide
 * them. */
static char *fetch_leaves(struct monitor *monitor, uint64_t size, size_t *length)
{
    uint64_t from = monitor->log.edge.size;
    char *all = malloc((size_t)(size - from) * (2 + TLOG_LEAF_MAX) + 1);
    *length = 0;
    for (uint64_t tile = from / TLOG_TILE; all != NULL && tile * TLOG_TILE < size; tile++) {
        size_t got;
        const char *bytes = fetch_tile(monitor, tile, size, &got);
        struct span fresh = {bytes, bytes == NULL ? 0 : got};
        if (tile == from / TLOG_TILE)
            fresh = skip_leaves(fresh, from % TLOG_TILE);
        if (bytes == NULL || fresh.length > (size_t)TLOG_TILE * (2 + TLOG_LEAF_MAX) ||
            *length + fresh.length > (size_t)(size - from) * (2 + TLOG_LEAF_MAX)) {
            free(all);
            return NULL;
        }
        memcpy(all + *length, fresh.at, fresh.length);
        *length += fresh.length;
    }
    return all;
}

/* Extends the copy of the log to the checkpoint. False if the service did not answer. */
static bool extend(struct monitor *monitor, const struct checkpoint *checkpoint, struct span note)
{
    size_t length;
    char *leaves = fetch_leaves(monitor, checkpoint->size, &length);
    if (leaves == NULL)
        return false;
    bool good = true;
    if (monitor_log_extend(&monitor->log, (struct span){leaves, length}, checkpoint->size,
                           checkpoint->root))
        good = monitor_log_keep(&monitor->log, note);
    else
        alarm_with(monitor, "wrong-root",
                   "The leaves do not lead to the checkpoint: the log does not continue what was "
                   "seen before.",
                   note);
    free(leaves);
    return good;
}

/* ---- Records ---- */

static void compare(struct monitor *monitor, const struct tlog_leaf *leaf, struct span record,
                    const struct component_sets *sets, const struct replay *replay)
{
    struct tlog_leaf own;
    char bytes[128];
    struct text scope = TEXT_OVER(bytes);
    record_scope(&replay->header, &scope);
    const uint8_t *commitment = monitor_log_find(&monitor->log, TLOG_COMMITMENT, text_span(&scope));
    if (!tlog_leaf_of_record(record, &own) || memcmp(own.hash, leaf->hash, 32) != 0 ||
        !span_equal(own.name, leaf->name))
        alarm_about(monitor, "other-head", "The record is not the one in the log: game ",
                    leaf->name);
    else if (commitment == NULL && !replay->header.recorded)
        alarm_about(monitor, "missing-commitment",
                    "The log was not told of the commitment to the record's secret before the "
                    "record: game ",
                    leaf->name);
    else if (commitment != NULL && memcmp(commitment, replay->header.commitment, 32) != 0)
        alarm_about(monitor, "other-commitment",
                    "The record's secret is not the one that the log was told of: game ",
                    leaf->name);
    else if (monitor_deposits_dropped(&monitor->policy, monitor->away, record, sets, replay))
        alarm_about(monitor, "dropped-move",
                    "A move was left with a witness in time, and the record lacks it: game ",
                    leaf->name);
}

static bool judge_bytes(struct monitor *monitor, const struct tlog_leaf *leaf, struct span record)
{
    static struct replay replay; /* too large for the stack */
    struct component_list list = {.count = 0};
    struct record_fault fault;
    uint8_t hash[32];
    /* The client frees the bytes with its next request. */
    char *copy = must(malloc(record.length + 1));
    memcpy(copy, record.at, record.length);
    record.at = copy;
    const bool found =
        !record_other_set(record, hash) || client_add_components(monitor->client, hash, &list);
    if (found && replay_verify(record, component_list_sets(&list), &replay, &fault) != REPLAY_VALID)
        alarm_about(monitor, "invalid-record",
                    "The record of a finished game is not valid: ", leaf->name);
    else if (found)
        compare(monitor, leaf, record, component_list_sets(&list), &replay);
    component_list_free(&list);
    free(copy);
    return found;
}

/* Verifies the record of a finished game. False if the service did not answer. */
static bool judge_record(struct monitor *monitor, const struct tlog_leaf *leaf)
{
    char bytes[128];
    struct text path = TEXT_OVER(bytes);
    size_t length;
    long status;
    text_add(&path, "/v1/games/");
    text_add_span(&path, leaf->name);
    text_add(&path, "/record");
    const char *record = client_bytes(monitor->client, bytes, &length, &status);
    if (record == NULL && status != 403 && status != 404 && status != 410)
        return false;
    if (record == NULL)
        alarm_about(monitor, "missing-record",
                    "The service does not show a finished game: ", leaf->name);
    else if (!judge_bytes(monitor, leaf, (struct span){record, length}))
        return false;
    counter_add(&monitor->records, 1);
    return true;
}

/* ---- Logs of events ---- */

/* Compares the log of an event with its leaf. False if the service did not answer. */
static bool judge_event(struct monitor *monitor, const struct tlog_leaf *leaf)
{
    enum monitor_event_finding finding =
        monitor_event_compare(monitor->client, &monitor->log, leaf);
    if (finding == MONITOR_EVENT_MISSING)
        alarm_about(monitor, "missing-event",
                    "The service does not show the log of an event as far as ", leaf->name);
    else if (finding == MONITOR_EVENT_OTHER)
        alarm_about(monitor, "other-event-log",
                    "The log of an event is not the one that the leaf is about: ", leaf->name);
    else if (finding == MONITOR_EVENT_UNCOMMITTED)
        alarm_about(
            monitor, "missing-commitment",
            "The log was not told of the commitment to an event's secret before the event's "
            "log: ",
            leaf->name);
    return finding != MONITOR_EVENT_SILENT;
}

/* ---- Each leaf ---- */

/* Checks a leaf. False if the service did not answer. */
static bool judge_leaf(struct monitor *monitor, struct span entry)
{
    struct tlog_leaf leaf;
    uint8_t other[32];
    if (!tlog_leaf_read(entry, &leaf)) {
        alarm_about(monitor, "bad-leaf", "The log has a leaf that is none of its kinds.",
                    (struct span){NULL, 0});
        return true;
    }
    if (leaf.subject == TLOG_GAME && record_is_id(leaf.name) && !judge_record(monitor, &leaf))
        return false;
    if (leaf.subject == TLOG_EVENT_STEP && !judge_event(monitor, &leaf))
        return false;
    if (!monitor_log_remember(&monitor->log, &leaf, other))
        alarm_about(monitor, "contradiction", "The log says two different things about ",
                    leaf.name);
    return true;
}

/* Checks all new leaves. False if the service did not answer. */
static bool judge_leaves(struct monitor *monitor)
{
    struct monitor_log *log = &monitor->log;
    size_t at = 0;
    bool good = true;
    memset(monitor->away, 0, sizeof monitor->away);
    for (uint64_t i = 0; i < log->edge.size && good && !cli_is_stopping(); i++) {
        struct span entry = monitor_log_leaf(log, &at);
        if (i < log->checked)
            continue;
        good = judge_leaf(monitor, entry);
        log->checked += good;
        counter_set(&monitor->checked, log->checked);
    }
    return monitor_log_keep_checked(log) && good;
}

/* ---- A look ---- */

static bool follow(struct monitor *monitor, struct span bytes)
{
    struct note note;
    struct checkpoint checkpoint;
    const struct monitor_log *log = &monitor->log;
    if (!note_read(bytes, &note) || !checkpoint_read(note.text, &checkpoint)) {
        alarm_with(monitor, "bad-checkpoint", "The service does not show a checkpoint.", bytes);
        return true;
    }
    if (!is_signed(monitor, &note, &checkpoint, bytes))
        return true;
    judge_quorum(monitor, &note);
    if (checkpoint.size < log->edge.size)
        alarm_with(monitor, "shrunk", "The log has fewer leaves than it had before.", bytes);
    else if (checkpoint.size > log->edge.size)
        return extend(monitor, &checkpoint, bytes);
    else if (memcmp(checkpoint.root, log->root, MERKLE_HASH) != 0)
        alarm_with(monitor, "fork", "The log has signed two trees of the same size.", bytes);
    return true;
}

/* Looks at the log once. False if the service did not answer. */
static bool look_at_log(struct monitor *monitor)
{
    size_t length;
    long status;
    const char *answer = client_bytes(monitor->client, "/v1/log/checkpoint", &length, &status);
    char *note = answer == NULL ? NULL : strndup(answer, length);
    bool good =
        note != NULL && follow(monitor, (struct span){note, length}) && judge_leaves(monitor);
    free(note);
    counter_add(&monitor->looks, 1);
    counter_add(&monitor->failures, !good);
    counter_set(&monitor->size, monitor->log.edge.size);
    return good;
}

/* Before an end without a signal, waits until the alarms are delivered, or must wait for another
 * attempt. */
static void wait_for_post(struct monitor *monitor)
{
    int64_t until_ms = now_ms(CLOCK_MONOTONIC) + POST_WAIT_MS;
    while (!cli_is_stopping() && !alarm_post_settled(monitor->post) &&
           now_ms(CLOCK_MONOTONIC) < until_ms)
        rest_ms(50);
}

static int watch(struct monitor *monitor, unsigned long interval_s)
{
    bool good = look_at_log(monitor);
    if (monitor->once && monitor->no_quorum_ms != 0) {
        for (unsigned i = 0; i < QUORUM_WAIT_MS / 100 && !cli_is_stopping(); i++)
            rest_ms(100);
        monitor->patient = false;
        good = look_at_log(monitor);
    }
    while (!monitor->once && !cli_is_stopping()) {
        for (unsigned long i = 0; i < 10 * interval_s && !cli_is_stopping(); i++)
            rest_ms(100);
        bool again = !cli_is_stopping() && look_at_log(monitor);
        if (!cli_is_stopping() && again != good)
            fprintf(stderr, again ? "tillroll: the service answers again\n"
                                  : "tillroll: the service does not answer\n");
        good = !cli_is_stopping() ? again : good;
    }
    if (monitor->once)
        wait_for_post(monitor);
    printf("%llu %s, %llu judged, %llu %s\n", (unsigned long long)monitor->log.edge.size,
           monitor->log.edge.size == 1 ? "leaf" : "leaves",
           (unsigned long long)monitor->log.checked, (unsigned long long)monitor->log.alarms,
           monitor->log.alarms == 1 ? "alarm" : "alarms");
    if (monitor->alarmed)
        return EXIT_NO;
    return good ? EXIT_YES : EXIT_UNKNOWN;
}

/* ---- The command line ---- */

static void show_figures(struct exposition *exposition, const void *context)
{
    const struct monitor *monitor = context;
    exposition_counter(exposition, "tillroll_monitor_alarms_total", "Alarms, ever.",
                       counter_read(&monitor->alarms));
    exposition_counter(exposition, "tillroll_monitor_looks_total", "Looks at the log.",
                       counter_read(&monitor->looks));
    exposition_counter(exposition, "tillroll_monitor_failures_total",
                       "Looks that the service did not answer.", counter_read(&monitor->failures));
    exposition_gauge(exposition, "tillroll_monitor_size", "Leaves of the log that are kept.",
                     counter_read(&monitor->size));
    exposition_gauge(exposition, "tillroll_monitor_checked", "Leaves that were judged.",
                     counter_read(&monitor->checked));
    exposition_counter(exposition, "tillroll_monitor_records_total", "Records verified.",
                       counter_read(&monitor->records));
    exposition_gauge(exposition, "tillroll_monitor_unsent",
                     "Alarms that wait for the webhook or the mail server.",
                     alarm_post_waiting(monitor->post));
    process_figures_show(exposition, monitor->started_ms);
}

int cli_monitor(const struct cli_given *given)
{
    static struct monitor monitor; /* too large for the stack */
    const struct metrics_source figures = {show_figures, &monitor};
    struct metrics_listener *listener;
    unsigned long interval_s;
    int status = EXIT_UNKNOWN;
    monitor = (struct monitor){.command = cli_value(given, "exec"),
                               .once = cli_value(given, "once") != NULL,
                               .patient = true,
                               .started_ms = now_ms(CLOCK_REALTIME)};
    if (!cli_value_number(given, "interval", 1, 86400, 60, &interval_s))
        return EXIT_UNKNOWN;
    cli_hear_signals();
    (void)signal(SIGPIPE, SIG_IGN);
    monitor.policy_text = party_policy_read(cli_value(given, "policy"), "monitor", &monitor.policy);
    if (monitor.policy_text != NULL && monitor_log_open(&monitor.log, given->word[1])) {
        counter_set(&monitor.alarms, monitor.log.alarms);
        monitor.origin = monitor.policy.log[0].key.name;
        monitor.post = alarm_post_new(given);
        monitor.client = client_new(given->word[0], NULL);
        if (monitor.post != NULL && monitor.client != NULL &&
            metrics_listener_open(&figures, cli_value(given, "metrics-listen"), &listener)) {
            status = watch(&monitor, interval_s);
            metrics_listener_free(listener);
        }
        client_free(monitor.client);
        alarm_post_free(monitor.post);
    }
    monitor_log_close(&monitor.log);
    free(monitor.policy_text);
    return status;
}
