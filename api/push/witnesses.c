#include "api/push/witnesses.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "api/push/asker.h"
#include "db/link/now.h"
#include "db/store/log/tlog.h"
#include "engine/base/counter.h"

enum { FRESH_S = 3600 /* older cosignatures are renewed */ };

/* One witness. */
struct asked {
    const struct trust_party *party;
    char vkey[NOTE_KEY_TEXT_MAX];
    bool is_known; /* the database has been queried for the last cosignature: */
    uint64_t size, time_s;
    uint64_t old, next; /* sizes in the last request */
    const char *note;   /* the last request's checkpoint */
    unsigned turns;     /* successive requests answered only with a size */
    struct counter largest;
};

struct witnesses {
    struct witnesses_config config;
    struct asker *asker;
    struct counter quorum;
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
            (url.length > ASKER_URL_MAX - 32 ||
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

static void fail(struct witnesses *witnesses, size_t i, const char *complaint)
{
    witnesses->asked[i].turns = 0;
    asker_fail(witnesses->asker, i, complaint);
}

/* ---- A request ---- */

/* Prints the proof that the tree of `to` leaves extends that of `from`, one hash per line. */
static bool print_proof(struct witnesses *witnesses, struct arena *arena, uint64_t from,
                        uint64_t to, struct text *text)
{
    struct tlog_range range[TLOG_PATH_MAX];
    struct tlog_tile tile[TLOG_TILES_MAX];
    uint8_t hash[MERKLE_HASH];
    size_t count = tlog_consistency(from, to, range);
    size_t tiles = tlog_tiles_needed(range, count, tile);
    if (count > 0 && tlog_tiles_read(asker_db(witnesses->asker), arena, to, tile, tiles) != DB_OK)
        return false;
    for (size_t i = 0; i < count; i++) {
        if (!tlog_range_hash(range[i], tile, tiles, hash))
            return false;
        text_add_base64(text, hash, sizeof hash);
        text_add_char(text, '\n');
    }
    return true;
}

static void ask(struct witnesses *witnesses, struct arena *arena, size_t i,
                const struct tlog_checkpoint *newest)
{
    struct asked *asked = &witnesses->asked[i];
    struct text body = asker_body(witnesses->asker, i);
    asked->old = asked->size;
    asked->next = newest->size;
    text_add(&body, "old ");
    text_add_number(&body, (int64_t)asked->old);
    text_add_char(&body, '\n');
    if (!print_proof(witnesses, arena, asked->old, newest->size, &body))
        return;
    text_add_char(&body, '\n');
    asked->note = body.at + body.length;
    text_add_span(&body, newest->note);
    if (!body.overflow)
        asker_ask(witnesses->asker, i, body.length);
}

/* ---- Answers ---- */

static const char larger[] = "it has cosigned a larger log than the database has: leaves were "
                             "lost, or somebody else signs with this key";

/* Finds this witness's line in its answer, and checks that it cosigns the requested checkpoint. */
static bool find_line(const struct asked *asked, struct span rest,
                      char line[static COSIGNATURE_LINE_MAX], uint64_t *time_s)
{
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

static void take_cosignature(struct witnesses *witnesses, size_t i)
{
    struct asked *asked = &witnesses->asked[i];
    struct db *db = asker_db(witnesses->asker);
    char line[COSIGNATURE_LINE_MAX];
    uint64_t time_s;
    if (!find_line(asked, asker_answer(witnesses->asker, i), line, &time_s)) {
        fail(witnesses, i, "its answer has no valid cosignature by its key");
        return;
    }
    bool stored = db_begin(db, false) == DB_OK &&
                  cosignature_store(db, asked->next, asked->vkey, time_s, line) == DB_OK &&
                  db_commit(db) == DB_OK;
    if (!stored) {
        db_rollback(db);
        asked->is_known = false;
        return;
    }
    asked->size = asked->next;
    asked->time_s = time_s;
    asked->turns = 0;
    counter_set(&asked->largest, asked->size);
    asker_well(witnesses->asker, i);
}

/* Handles an answer with a size: the witness has last cosigned another checkpoint than known
 * here. */
static void take_size(struct witnesses *witnesses, size_t i)
{
    struct asked *asked = &witnesses->asked[i];
    struct span text = asker_answer(witnesses->asker, i);
    struct span line;
    uint64_t size;
    if (!span_line(&text, &line) || text.length > 0 || !span_number(line, TLOG_SIZE_MAX, &size))
        fail(witnesses, i, "its answer (409) has no size");
    else if (size > asked->next)
        fail(witnesses, i, larger);
    else if (size == asked->old)
        fail(witnesses, i, "it has cosigned another tree of the same size: the log has forked");
    else if (++asked->turns > 3)
        fail(witnesses, i, "it names another size each time");
    else
        asked->size = size;
}

static void finish(void *context, size_t i, long status)
{
    struct witnesses *witnesses = context;
    if (status == 200)
        take_cosignature(witnesses, i);
    else if (status == 409)
        take_size(witnesses, i);
    else if (status == 0)
        fail(witnesses, i, "it is away; the log goes on without it");
    else if (status == 404)
        fail(witnesses, i, "it does not know this log (404)");
    else if (status == 403)
        fail(witnesses, i, "it does not accept the log's signature (403)");
    else if (status == 422)
        fail(witnesses, i, "it does not accept the proof (422): the log may have forked");
    else if (status == 429 || status >= 500)
        fail(witnesses, i, "it does not cosign now (429 or 5xx); the log goes on without it");
    else
        fail(witnesses, i, "it refuses the request");
}

/* ---- Finding what to ask ---- */

static void judge_quorum(struct witnesses *witnesses, const struct tlog_checkpoint *newest)
{
    struct trust_finding finding;
    struct record_fault fault;
    struct note note;
    counter_set(&witnesses->quorum, note_read(newest->note, &note) &&
                                        trust_policy_is_met(&witnesses->config.policy->policy,
                                                            &note, 0, &finding, &fault));
}

/* Reads the last known cosignature from the database, once. */
static bool learn(struct witnesses *witnesses, struct asked *asked)
{
    if (asked->is_known)
        return true;
    enum db_status status =
        cosignature_newest(asker_db(witnesses->asker), asked->vkey, &asked->size, &asked->time_s);
    asked->is_known = status == DB_OK || status == DB_NONE;
    counter_set(&asked->largest, asked->size);
    return asked->is_known;
}

static bool is_due(const struct asked *asked, uint64_t newest)
{
    int64_t now_s = now_ms(CLOCK_REALTIME) / 1000;
    return asked->size != newest || (int64_t)asked->time_s + FRESH_S < now_s;
}

/* Begins requests for the newest checkpoint to all witnesses that are due. */
static void look(void *context, struct arena *arena)
{
    struct witnesses *witnesses = context;
    struct tlog_checkpoint newest = {.size = 0};
    enum db_status status = tlog_checkpoint_last(asker_db(witnesses->asker), arena, &newest);
    if (status == DB_OK)
        judge_quorum(witnesses, &newest);
    for (size_t i = 0; status == DB_OK && i < witnesses->count; i++) {
        struct asked *asked = &witnesses->asked[i];
        if (!asker_is_free(witnesses->asker, i))
            continue;
        if (!learn(witnesses, asked))
            break;
        if (asked->size > newest.size)
            fail(witnesses, i, larger);
        else if (is_due(asked, newest.size))
            ask(witnesses, arena, i, &newest);
    }
}

/* ---- Beginning and end ---- */

struct witnesses *witnesses_new(const struct witnesses_config *config)
{
    struct witnesses *witnesses = calloc(1, sizeof *witnesses);
    struct asker_party parties[TRUST_WITNESSES_MAX];
    const struct trust_policy *policy = &config->policy->policy;
    if (witnesses == NULL)
        return NULL;
    witnesses->config = *config;
    for (size_t i = 0; i < policy->parties; i++) {
        const struct trust_party *party = &policy->party[i];
        if (party->needed > 0)
            continue;
        struct asked *asked = &witnesses->asked[witnesses->count];
        struct text vkey = TEXT_OVER(asked->vkey);
        asked->party = party;
        note_key_print(&party->key, &vkey);
        parties[witnesses->count++] =
            (struct asker_party){party->key.name, party->url, "/add-checkpoint"};
    }
    const struct asker_config asker = {.database = config->database,
                                       .service = config->service,
                                       .interval_ms = config->interval_ms,
                                       .kind = "witness",
                                       .again = "cosigns again",
                                       .look = look,
                                       .finish = finish,
                                       .context = witnesses};
    if (asker_new(&asker, parties, witnesses->count, &witnesses->asker))
        return witnesses;
    free(witnesses);
    return NULL;
}

size_t witnesses_count(const struct witnesses *witnesses)
{
    return witnesses == NULL ? 0 : witnesses->count;
}

struct witness_figures witnesses_figures(const struct witnesses *witnesses, size_t i)
{
    const struct asked *asked = &witnesses->asked[i];
    const struct asker_figures figures = asker_figures(witnesses->asker, i);
    return (struct witness_figures){.name = asked->party->key.name,
                                    .cosigned = figures.answered,
                                    .failures = figures.failures,
                                    .size = counter_read(&asked->largest),
                                    .up = figures.up};
}

bool witnesses_have_quorum(const struct witnesses *witnesses)
{
    return counter_read(&witnesses->quorum) != 0;
}

void witnesses_free(struct witnesses *witnesses)
{
    if (witnesses == NULL)
        return;
    asker_free(witnesses->asker);
    free(witnesses);
}
