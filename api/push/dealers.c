#include "api/push/dealers.h"

#include <curl/curl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "db/link/now.h"
#include "db/link/thread.h"
#include "db/store/games/dealings.h"
#include "engine/base/counter.h"
#include "engine/record/dealer.h"

enum {
    BODY_MAX = DEALER_INPUT_MAX + NOTE_SIGNATURE_LINE_MAX + 2,
    ANSWER_MAX = 4096,
    CONNECT_MS = 3000,
    ANSWER_MS = 10000,
    PAUSE_FIRST_MS = 1000,
    PAUSE_MOST_MS = 60000
};

/* ---- Who is asked ---- */

struct asked {
    const struct listed_dealer *listed;
    char url[(DEALER_URL_MAX + 16)];
    CURL *curl;
    bool busy; /* a request is under way, about: */
    char scope[RECORD_SCOPE_MAX], input[DEALER_INPUT_MAX], body[BODY_MAX];
    char answer[ANSWER_MAX];
    size_t length;
    int64_t after_ms; /* the place of the last question in the list */
    char after_scope[RECORD_SCOPE_MAX];
    int64_t rest_until_ms, pause_ms;
    const char *complaint;
};

struct dealers {
    struct dealers_config config;
    pthread_t thread;
    CURLM *multi;
    struct curl_slist *headers;
    struct db *db; /* NULL while there is no connection */
    int64_t look_ms;
    struct counter ended;
    size_t count;
    struct asked asked[DEALER_LIST_MAX];
};

/* Prints it once, until the problem changes; NULL = all is well again. */
static void complain(struct asked *asked, const char *complaint)
{
    if (complaint != NULL && asked->complaint != complaint)
        fprintf(stderr, "tillrolld: dealer %s: %s\n", asked->listed->name, complaint);
    else if (complaint == NULL && asked->complaint != NULL)
        fprintf(stderr, "tillrolld: dealer %s: answers again\n", asked->listed->name);
    asked->complaint = complaint;
}

static void fail(struct asked *asked, const char *complaint)
{
    asked->pause_ms = asked->pause_ms == 0 ? PAUSE_FIRST_MS : 2 * asked->pause_ms;
    if (asked->pause_ms > PAUSE_MOST_MS)
        asked->pause_ms = PAUSE_MOST_MS;
    asked->rest_until_ms = now_ms(CLOCK_MONOTONIC) + asked->pause_ms;
    complain(asked, complaint);
}

/* ---- A request ---- */

static size_t take(char *bytes, size_t size, size_t count, void *context)
{
    struct asked *asked = context;
    size_t more = size * count;
    if (asked->length + more > ANSWER_MAX)
        return 0;
    memcpy(asked->answer + asked->length, bytes, more);
    asked->length += more;
    return more;
}

static void ask(struct dealers *dealers, struct asked *asked,
                const struct dealer_question *question)
{
    uint8_t signature[64];
    struct text scope = TEXT_OVER(asked->scope);
    struct text after = TEXT_OVER(asked->after_scope);
    struct text input = TEXT_OVER(asked->input);
    struct text body = TEXT_OVER(asked->body);
    text_add(&scope, question->scope);
    text_add(&after, question->scope);
    text_add(&input, question->input);
    asked->after_ms = question->asked_ms;
    asked->length = 0;
    keys_sign(dealers->config.keys, text_span(&input), signature);
    text_add_span(&body, text_span(&input));
    text_add_char(&body, '\n');
    note_add_signature(dealers->config.log_key, signature, &body);
    if (scope.overflow || after.overflow || input.overflow || body.overflow)
        return;
    curl_easy_setopt(asked->curl, CURLOPT_POSTFIELDS, asked->body);
    curl_easy_setopt(asked->curl, CURLOPT_POSTFIELDSIZE, (long)body.length);
    asked->busy = curl_multi_add_handle(dealers->multi, asked->curl) == CURLM_OK;
}

/* ---- Its answer ---- */

static bool read_proof(const struct asked *asked, uint8_t proof[static ECVRF_PROOF])
{
    struct span text = {asked->answer, asked->length};
    struct span line;
    return span_line(&text, &line) && text.length == 0 && span_hex(line, proof, ECVRF_PROOF) &&
           ecvrf_verify(asked->listed->key, span_of(asked->input), proof);
}

static void take_proof(struct dealers *dealers, struct asked *asked)
{
    uint8_t proof[ECVRF_PROOF];
    if (!read_proof(asked, proof)) {
        fail(asked, "its answer is no proof by its key; games wait for it, or go on without it");
        return;
    }
    enum db_status status = db_begin(dealers->db, false);
    if (status == DB_OK)
        status = dealing_answer(dealers->db, asked->scope, asked->listed->key, proof);
    if (status != DB_OK || db_commit(dealers->db) != DB_OK)
        db_rollback(dealers->db);
    asked->pause_ms = 0;
    complain(asked, NULL);
    dealers->look_ms = 0;
}

static void finish(struct dealers *dealers, struct asked *asked, CURLcode outcome)
{
    long status = 0;
    curl_multi_remove_handle(dealers->multi, asked->curl);
    asked->busy = false;
    if (outcome == CURLE_OK)
        curl_easy_getinfo(asked->curl, CURLINFO_RESPONSE_CODE, &status);
    if (status == 200)
        take_proof(dealers, asked);
    else if (status == 0)
        fail(asked, "it is away; games wait for it, or go on without it");
    else if (status == 403)
        fail(asked, "it does not know this service (403)");
    else if (status == 409)
        fail(asked, "it has answered for a game before, with another commitment (409): an old copy "
                    "of the database was restored, or somebody else signs with this key");
    else
        fail(asked, "it refuses a request");
}

/* ---- The thread ---- */

/* Begins with the oldest again when it has seen all. */
static void look_for(struct dealers *dealers, struct arena *arena, struct asked *asked)
{
    struct dealer_question *questions;
    size_t count;
    if (dealing_questions(dealers->db, arena, asked->listed->key, asked->after_ms,
                          asked->after_scope, &questions, &count) != DB_OK)
        return;
    if (count > 0) {
        ask(dealers, asked, &questions[0]);
        return;
    }
    asked->after_ms = 0;
    asked->after_scope[0] = '\0';
}

static void look(struct dealers *dealers)
{
    struct arena arena = {NULL};
    int64_t now = now_ms(CLOCK_MONOTONIC);
    for (size_t i = 0; i < dealers->count; i++)
        if (!dealers->asked[i].busy && now >= dealers->asked[i].rest_until_ms)
            look_for(dealers, &arena, &dealers->asked[i]);
    arena_free(&arena);
}

static void look_if_due(struct dealers *dealers)
{
    char message[256];
    struct text error = TEXT_OVER(message);
    int64_t now = now_ms(CLOCK_MONOTONIC);
    if (now < dealers->look_ms)
        return;
    dealers->look_ms = now + dealers->config.interval_ms;
    if (dealers->db == NULL)
        dealers->db = db_open(dealers->config.database, dealers->config.service, &error);
    if (dealers->db == NULL || db_begin(dealers->db, true) != DB_OK)
        return;
    look(dealers);
    db_rollback(dealers->db);
}

static struct asked *find_asked(struct dealers *dealers, const CURL *curl)
{
    for (size_t i = 0; i < dealers->count; i++)
        if (dealers->asked[i].curl == curl)
            return &dealers->asked[i];
    return NULL;
}

static void finish_all(struct dealers *dealers)
{
    CURLMsg *message;
    int left;
    while ((message = curl_multi_info_read(dealers->multi, &left)) != NULL) {
        if (message->msg != CURLMSG_DONE)
            continue;
        CURLcode outcome = message->data.result;
        struct asked *asked = find_asked(dealers, message->easy_handle);
        if (asked != NULL)
            finish(dealers, asked, outcome);
    }
}

static void *run(void *context)
{
    struct dealers *dealers = context;
    int running;
    while (counter_read(&dealers->ended) == 0) {
        look_if_due(dealers);
        curl_multi_perform(dealers->multi, &running);
        finish_all(dealers);
        int64_t rest = dealers->look_ms - now_ms(CLOCK_MONOTONIC);
        if (rest > 0)
            curl_multi_poll(dealers->multi, NULL, 0, (int)(rest < 1000 ? rest : 1000), NULL);
    }
    db_close(dealers->db);
    return NULL;
}

/* ---- Beginning and end ---- */

static bool prepare(struct dealers *dealers, const struct listed_dealer *listed)
{
    struct asked *asked = &dealers->asked[dealers->count++];
    struct text url = TEXT_OVER(asked->url);
    asked->listed = listed;
    text_add(&url, listed->url);
    text_add(&url, "/deal");
    asked->curl = curl_easy_init();
    if (asked->curl == NULL || url.overflow)
        return false;
    curl_easy_setopt(asked->curl, CURLOPT_URL, asked->url);
    curl_easy_setopt(asked->curl, CURLOPT_HTTPHEADER, dealers->headers);
    curl_easy_setopt(asked->curl, CURLOPT_WRITEFUNCTION, take);
    curl_easy_setopt(asked->curl, CURLOPT_WRITEDATA, asked);
    curl_easy_setopt(asked->curl, CURLOPT_CONNECTTIMEOUT_MS, (long)CONNECT_MS);
    curl_easy_setopt(asked->curl, CURLOPT_TIMEOUT_MS, (long)ANSWER_MS);
    curl_easy_setopt(asked->curl, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(asked->curl, CURLOPT_PROXY, "");
    curl_easy_setopt(asked->curl, CURLOPT_PROTOCOLS_STR, "http,https");
    return true;
}

static void discard(struct dealers *dealers)
{
    for (size_t i = 0; i < dealers->count; i++) {
        struct asked *asked = &dealers->asked[i];
        if (asked->busy)
            curl_multi_remove_handle(dealers->multi, asked->curl);
        if (asked->curl != NULL)
            curl_easy_cleanup(asked->curl);
    }
    if (dealers->multi != NULL)
        curl_multi_cleanup(dealers->multi);
    curl_slist_free_all(dealers->headers);
    free(dealers);
}

struct dealers *dealers_new(const struct dealers_config *config)
{
    struct dealers *dealers = calloc(1, sizeof *dealers);
    if (dealers == NULL)
        return NULL;
    dealers->config = *config;
    dealers->multi = curl_multi_init();
    dealers->headers = curl_slist_append(NULL, "Content-Type: text/plain");
    bool good = dealers->multi != NULL && dealers->headers != NULL;
    for (size_t i = 0; good && i < config->list->count; i++)
        good = prepare(dealers, &config->list->dealer[i]);
    if (good && thread_start(&dealers->thread, run, dealers))
        return dealers;
    discard(dealers);
    return NULL;
}

void dealers_free(struct dealers *dealers)
{
    if (dealers == NULL)
        return;
    counter_set(&dealers->ended, 1);
    curl_multi_wakeup(dealers->multi);
    pthread_join(dealers->thread, NULL);
    discard(dealers);
}
