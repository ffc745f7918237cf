#include "api/push/witnesses.h"

#include <curl/curl.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "db/link/db.h"
#include "db/link/now.h"
#include "db/link/thread.h"
#include "db/store/log/cosignatures.h"
#include "db/store/log/tlog.h"
#include "engine/base/counter.h"

enum {
    URL_BYTES = 512,
    BODY_MAX = 32 * 1024,
    ANSWER_MAX = 16 * 1024,
    CONNECT_MS = 3000,
    ANSWER_MS = 10000,
    PAUSE_FIRST_MS = 1000,
    PAUSE_MOST_MS = 60000,
    FRESH_S = 3600 /* a cosignature is renewed when it is older */
};

/* One witness. */
struct asked {
    const struct trust_party *party;
    char vkey[NOTE_KEY_TEXT_MAX];
    char url[URL_BYTES];
    CURL *curl;
    bool is_known; /* the database was asked what it has cosigned: */
    uint64_t size, time_s;
    bool busy; /* a request is under way: */
    uint64_t old, next;
    char body[BODY_MAX];
    char *note; /* the checkpoint in it */
    char answer[ANSWER_MAX];
    size_t length;
    int64_t rest_until_ms, pause_ms;
    unsigned turns; /* requests in a row that only told a size */
    const char *complaint;
    struct counter cosigned, failures, largest, up;
};

struct witnesses {
    struct witnesses_config config;
    pthread_t thread;
    CURLM *multi;
    struct curl_slist *headers;
    struct db *db; /* NULL while there is no connection */
    int64_t look_ms;
    struct counter ended, quorum;
    size_t count;
    struct asked asked[TRUST_WITNESSES_MAX];
};

/* ---- The policy ---- */

static char *read_file(const char *path, size_t *length)
{
    FILE *file = fopen(path, "rb");
    char *bytes = file == NULL ? NULL : malloc(TRUST_BYTES_MAX + 2);
    if (bytes != NULL)
        *length = fread(bytes, 1, TRUST_BYTES_MAX + 1, file);
    if (file != NULL)
        fclose(file);
    return bytes;
}

static bool starts_with(struct span text, const char *start)
{
    size_t length = strlen(start);
    return text.length > length && memcmp(text.at, start, length) == 0;
}

static const char *fault_of(const struct trust_policy *policy)
{
    if (policy->witnesses == 0)
        return "it names no witness";
    for (size_t i = 0; i < policy->parties; i++) {
        struct span url = policy->party[i].url;
        if (policy->party[i].needed == 0 &&
            (url.length > URL_BYTES - 32 ||
             !(starts_with(url, "https://") || starts_with(url, "http://"))))
            return "each witness needs its address, as https://witness.example";
    }
    return NULL;
}

struct witness_policy *witness_policy_read(const char *path, struct text *error)
{
    struct record_fault fault = {.line = 0};
    size_t length = 0;
    struct witness_policy *policy = calloc(1, sizeof *policy);
    if (policy != NULL)
        policy->text = read_file(path, &length);
    const char *wrong = policy == NULL || policy->text == NULL ? "it cannot be read" : NULL;
    if (wrong == NULL &&
        !trust_policy_read((struct span){policy->text, length}, &policy->policy, &fault))
        wrong = fault.message;
    if (wrong == NULL)
        wrong = fault_of(&policy->policy);
    if (wrong == NULL)
        return policy;
    text_add(error, "The policy of --witnesses, ");
    text_add(error, path);
    if (fault.line > 0) {
        text_add(error, ", line ");
        text_add_number(error, fault.line);
    }
    text_add(error, ": ");
    text_add(error, wrong);
    witness_policy_free(policy);
    return NULL;
}

void witness_policy_free(struct witness_policy *policy)
{
    if (policy != NULL)
        free(policy->text);
    free(policy);
}

/* ---- What is said ---- */

/* Prints it once, until the problem changes; NULL = all is well again. */
static void complain(struct asked *asked, const char *complaint)
{
    if (complaint != NULL && asked->complaint != complaint)
        fprintf(stderr, "tillrolld: witness %s: %s\n", asked->party->key.name, complaint);
    else if (complaint == NULL && asked->complaint != NULL)
        fprintf(stderr, "tillrolld: witness %s: cosigns again\n", asked->party->key.name);
    asked->complaint = complaint;
    counter_set(&asked->up, complaint == NULL);
}

static void fail(struct asked *asked, const char *complaint)
{
    asked->pause_ms = asked->pause_ms == 0 ? PAUSE_FIRST_MS : 2 * asked->pause_ms;
    if (asked->pause_ms > PAUSE_MOST_MS)
        asked->pause_ms = PAUSE_MOST_MS;
    asked->rest_until_ms = now_ms(CLOCK_MONOTONIC) + asked->pause_ms;
    asked->turns = 0;
    counter_add(&asked->failures, 1);
    complain(asked, complaint);
}

/* ---- A request ---- */

static size_t take(char *bytes, size_t size, size_t count, void *context)
{
    struct asked *asked = context;
    size_t more = size * count;
    if (asked->length + more >= ANSWER_MAX)
        return 0;
    memcpy(asked->answer + asked->length, bytes, more);
    asked->length += more;
    return more;
}

/* The proof that the tree of `to` leaves continues that of `from`, a hash a line. */
static bool print_proof(struct witnesses *witnesses, struct arena *arena, uint64_t from,
                        uint64_t to, struct text *text)
{
    struct tlog_range range[TLOG_PATH_MAX];
    struct tlog_tile tile[TLOG_TILES_MAX];
    uint8_t hash[MERKLE_HASH];
    size_t count = tlog_consistency(from, to, range);
    size_t tiles = tlog_tiles_needed(range, count, tile);
    if (count > 0 && tlog_tiles_read(witnesses->db, arena, to, tile, tiles) != DB_OK)
        return false;
    for (size_t i = 0; i < count; i++) {
        if (!tlog_range_hash(range[i], tile, tiles, hash))
            return false;
        text_add_base64(text, hash, sizeof hash);
        text_add_char(text, '\n');
    }
    return true;
}

static bool print_body(struct witnesses *witnesses, struct arena *arena, struct asked *asked,
                       const struct tlog_checkpoint *newest)
{
    struct text body = TEXT_OVER(asked->body);
    text_add(&body, "old ");
    text_add_number(&body, (int64_t)asked->old);
    text_add_char(&body, '\n');
    if (!print_proof(witnesses, arena, asked->old, newest->size, &body))
        return false;
    text_add_char(&body, '\n');
    asked->note = asked->body + body.length;
    text_add_span(&body, newest->note);
    return !body.overflow;
}

static void ask(struct witnesses *witnesses, struct arena *arena, struct asked *asked,
                const struct tlog_checkpoint *newest)
{
    asked->old = asked->size;
    asked->next = newest->size;
    asked->length = 0;
    if (!print_body(witnesses, arena, asked, newest))
        return;
    curl_easy_setopt(asked->curl, CURLOPT_POSTFIELDS, asked->body);
    curl_easy_setopt(asked->curl, CURLOPT_POSTFIELDSIZE, (long)strlen(asked->body));
    asked->busy = curl_multi_add_handle(witnesses->multi, asked->curl) == CURLM_OK;
}

/* ---- Its answer ---- */

/* The line of this witness in its answer, if it is a cosignature of what it was asked for. */
static bool find_line(const struct asked *asked, char line[static COSIGNATURE_LINE_MAX],
                      uint64_t *time_s)
{
    struct span rest = {asked->answer, asked->length};
    struct span each;
    struct note_signature signature;
    struct note note;
    if (!note_read(span_of(asked->note), &note))
        return false;
    while (span_line(&rest, &each)) {
        struct text text = {line, 0, COSIGNATURE_LINE_MAX, (line[0] = '\0', false)};
        if (!note_signature_read(each, &signature) ||
            !note_signature_is_by(&signature, &asked->party->key))
            continue;
        text_add_span(&text, each);
        text_add_char(&text, '\n');
        note.signatures = text_span(&text);
        if (!text.overflow && cosignature_verify(&note, &asked->party->key, time_s) == NOTE_SIGNED)
            return true;
    }
    return false;
}

static void take_cosignature(struct witnesses *witnesses, struct asked *asked)
{
    char line[COSIGNATURE_LINE_MAX];
    uint64_t time_s;
    if (!find_line(asked, line, &time_s)) {
        fail(asked, "its answer has no valid cosignature by its key");
        return;
    }
    bool stored =
        db_begin(witnesses->db, false) == DB_OK &&
        cosignature_store(witnesses->db, asked->next, asked->vkey, time_s, line) == DB_OK &&
        db_commit(witnesses->db) == DB_OK;
    if (!stored) {
        db_rollback(witnesses->db);
        asked->is_known = false;
        return;
    }
    asked->size = asked->next;
    asked->time_s = time_s;
    asked->pause_ms = 0;
    asked->turns = 0;
    counter_set(&asked->largest, asked->size);
    counter_add(&asked->cosigned, 1);
    complain(asked, NULL);
    witnesses->look_ms = 0;
}

/* It has cosigned another tree than we thought. */
static void take_size(struct asked *asked)
{
    struct span text = {asked->answer, asked->length};
    struct span line;
    uint64_t size;
    if (!span_line(&text, &line) || text.length > 0 || !span_number(line, TLOG_SIZE_MAX, &size))
        fail(asked, "its answer (409) has no size");
    else if (size > asked->next)
        fail(asked, "it has cosigned a larger log than the database has: leaves were lost, or "
                    "somebody else signs with this key");
    else if (size == asked->old)
        fail(asked, "it has cosigned another tree of the same size: the log has forked");
    else if (++asked->turns > 3)
        fail(asked, "it names another size each time");
    else
        asked->size = size;
}

static void finish(struct witnesses *witnesses, struct asked *asked, CURLcode outcome)
{
    long status = 0;
    curl_multi_remove_handle(witnesses->multi, asked->curl);
    asked->busy = false;
    if (outcome == CURLE_OK)
        curl_easy_getinfo(asked->curl, CURLINFO_RESPONSE_CODE, &status);
    if (status == 200)
        take_cosignature(witnesses, asked);
    else if (status == 409)
        take_size(asked);
    else if (status == 0)
        fail(asked, "it is away; the log goes on without it");
    else if (status == 404)
        fail(asked, "it does not know this log (404)");
    else if (status == 403)
        fail(asked, "it does not accept the log's signature (403)");
    else if (status == 422)
        fail(asked, "it does not accept the proof (422): the log may have forked");
    else if (status == 429 || status >= 500)
        fail(asked, "it does not cosign now (429 or 5xx); the log goes on without it");
    else
        fail(asked, "it refuses the request");
}

/* ---- The thread ---- */

static void judge_quorum(struct witnesses *witnesses, const struct tlog_checkpoint *newest)
{
    struct trust_finding finding;
    struct record_fault fault;
    struct note note;
    counter_set(&witnesses->quorum, note_read(newest->note, &note) &&
                                        trust_policy_is_met(&witnesses->config.policy->policy,
                                                            &note, 0, &finding, &fault));
}

/* What the database says about it, once. */
static bool learn(struct witnesses *witnesses, struct asked *asked)
{
    if (asked->is_known)
        return true;
    enum db_status status =
        cosignature_newest(witnesses->db, asked->vkey, &asked->size, &asked->time_s);
    asked->is_known = status == DB_OK || status == DB_NONE;
    counter_set(&asked->largest, asked->size);
    return asked->is_known;
}

static bool is_due(const struct asked *asked, uint64_t newest)
{
    int64_t now_s = now_ms(CLOCK_REALTIME) / 1000;
    return !asked->busy && now_ms(CLOCK_MONOTONIC) >= asked->rest_until_ms &&
           (asked->size != newest || (int64_t)asked->time_s + FRESH_S < now_s);
}

/* Begins requests for the newest checkpoint. In a read-only transaction. */
static void look(struct witnesses *witnesses)
{
    struct arena arena = {NULL};
    struct tlog_checkpoint newest = {.size = 0};
    enum db_status status = tlog_checkpoint_last(witnesses->db, &arena, &newest);
    if (status == DB_OK)
        judge_quorum(witnesses, &newest);
    for (size_t i = 0; status == DB_OK && i < witnesses->count; i++) {
        struct asked *asked = &witnesses->asked[i];
        if (!asked->busy && !learn(witnesses, asked))
            break;
        if (!is_due(asked, newest.size))
            continue;
        if (asked->size > newest.size)
            fail(asked, "it has cosigned a larger log than the database has: leaves were lost, or "
                        "somebody else signs with this key");
        else
            ask(witnesses, &arena, asked, &newest);
    }
    arena_free(&arena);
}

static void look_if_due(struct witnesses *witnesses)
{
    char message[256];
    struct text error = TEXT_OVER(message);
    int64_t now = now_ms(CLOCK_MONOTONIC);
    if (now < witnesses->look_ms)
        return;
    witnesses->look_ms = now + witnesses->config.interval_ms;
    if (witnesses->db == NULL)
        witnesses->db = db_open(witnesses->config.database, witnesses->config.service, &error);
    if (witnesses->db == NULL || db_begin(witnesses->db, true) != DB_OK)
        return;
    look(witnesses);
    db_rollback(witnesses->db);
}

static struct asked *find_asked(struct witnesses *witnesses, const CURL *curl)
{
    for (size_t i = 0; i < witnesses->count; i++)
        if (witnesses->asked[i].curl == curl)
            return &witnesses->asked[i];
    return NULL;
}

static void finish_all(struct witnesses *witnesses)
{
    CURLMsg *message;
    int left;
    while ((message = curl_multi_info_read(witnesses->multi, &left)) != NULL) {
        if (message->msg != CURLMSG_DONE)
            continue;
        CURLcode outcome = message->data.result;
        struct asked *asked = find_asked(witnesses, message->easy_handle);
        if (asked != NULL)
            finish(witnesses, asked, outcome);
    }
}

static void *run(void *context)
{
    struct witnesses *witnesses = context;
    int running;
    while (counter_read(&witnesses->ended) == 0) {
        look_if_due(witnesses);
        curl_multi_perform(witnesses->multi, &running);
        finish_all(witnesses);
        int64_t rest = witnesses->look_ms - now_ms(CLOCK_MONOTONIC);
        if (rest > 0)
            curl_multi_poll(witnesses->multi, NULL, 0, (int)(rest < 1000 ? rest : 1000), NULL);
    }
    db_close(witnesses->db);
    return NULL;
}

/* ---- Beginning and end ---- */

static bool prepare(struct witnesses *witnesses, const struct trust_party *party)
{
    struct asked *asked = &witnesses->asked[witnesses->count++];
    struct text vkey = TEXT_OVER(asked->vkey);
    struct text url = TEXT_OVER(asked->url);
    asked->party = party;
    note_key_print(&party->key, &vkey);
    text_add_span(&url, party->url);
    text_add(&url, "/add-checkpoint");
    counter_set(&asked->up, 1);
    asked->curl = curl_easy_init();
    if (asked->curl == NULL || vkey.overflow || url.overflow)
        return false;
    curl_easy_setopt(asked->curl, CURLOPT_URL, asked->url);
    curl_easy_setopt(asked->curl, CURLOPT_HTTPHEADER, witnesses->headers);
    curl_easy_setopt(asked->curl, CURLOPT_WRITEFUNCTION, take);
    curl_easy_setopt(asked->curl, CURLOPT_WRITEDATA, asked);
    curl_easy_setopt(asked->curl, CURLOPT_CONNECTTIMEOUT_MS, (long)CONNECT_MS);
    curl_easy_setopt(asked->curl, CURLOPT_TIMEOUT_MS, (long)ANSWER_MS);
    curl_easy_setopt(asked->curl, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(asked->curl, CURLOPT_PROXY, "");
    curl_easy_setopt(asked->curl, CURLOPT_PROTOCOLS_STR, "http,https");
    return true;
}

static void discard(struct witnesses *witnesses)
{
    for (size_t i = 0; i < witnesses->count; i++) {
        struct asked *asked = &witnesses->asked[i];
        if (asked->busy)
            curl_multi_remove_handle(witnesses->multi, asked->curl);
        if (asked->curl != NULL)
            curl_easy_cleanup(asked->curl);
    }
    if (witnesses->multi != NULL)
        curl_multi_cleanup(witnesses->multi);
    curl_slist_free_all(witnesses->headers);
    free(witnesses);
}

struct witnesses *witnesses_new(const struct witnesses_config *config)
{
    struct witnesses *witnesses = calloc(1, sizeof *witnesses);
    const struct trust_policy *policy = &config->policy->policy;
    if (witnesses == NULL)
        return NULL;
    witnesses->config = *config;
    witnesses->multi = curl_multi_init();
    witnesses->headers = curl_slist_append(NULL, "Content-Type: text/plain");
    bool good = witnesses->multi != NULL && witnesses->headers != NULL;
    for (size_t i = 0; good && i < policy->parties; i++)
        if (policy->party[i].needed == 0)
            good = prepare(witnesses, &policy->party[i]);
    if (good && thread_start(&witnesses->thread, run, witnesses))
        return witnesses;
    discard(witnesses);
    return NULL;
}

size_t witnesses_count(const struct witnesses *witnesses)
{
    return witnesses == NULL ? 0 : witnesses->count;
}

struct witness_figures witnesses_figures(const struct witnesses *witnesses, size_t i)
{
    const struct asked *asked = &witnesses->asked[i];
    return (struct witness_figures){.name = asked->party->key.name,
                                    .cosigned = counter_read(&asked->cosigned),
                                    .failures = counter_read(&asked->failures),
                                    .size = counter_read(&asked->largest),
                                    .up = counter_read(&asked->up) != 0};
}

bool witnesses_have_quorum(const struct witnesses *witnesses)
{
    return counter_read(&witnesses->quorum) != 0;
}

void witnesses_free(struct witnesses *witnesses)
{
    if (witnesses == NULL)
        return;
    counter_set(&witnesses->ended, 1);
    curl_multi_wakeup(witnesses->multi);
    pthread_join(witnesses->thread, NULL);
    discard(witnesses);
}
