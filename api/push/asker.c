#include "api/push/asker.h"

#include <curl/curl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "db/link/now.h"
#include "db/link/thread.h"
#include "engine/base/counter.h"

enum { CONNECT_MS = 3000, ANSWER_MS = 10000, PAUSE_FIRST_MS = 1000, PAUSE_MOST_MS = 60000 };

struct asked {
    const char *name;
    char url[ASKER_URL_MAX];
    CURL *curl;
    bool busy; /* a request is under way, with these: */
    char body[ASKER_BODY_MAX];
    char answer[ASKER_ANSWER_MAX];
    size_t length;
    int64_t rest_until_ms, pause_ms;
    const char *complaint;
    struct counter asked, answered, failures, up;
};

struct asker {
    struct asker_config config;
    pthread_t thread;
    CURLM *multi;
    struct curl_slist *headers;
    struct db *db; /* NULL while there is no connection */
    int64_t look_ms;
    struct counter ended;
    size_t count;
    struct asked asked[];
};

struct db *asker_db(struct asker *asker)
{
    return asker->db;
}

/* ---- Messages on standard error ---- */

static void complain(struct asker *asker, struct asked *asked, const char *complaint)
{
    if (complaint != NULL ? asked->complaint != complaint : asked->complaint != NULL)
        fprintf(stderr, "tillrolld: %s %s: %s\n", asker->config.kind, asked->name,
                complaint != NULL ? complaint : asker->config.again);
    asked->complaint = complaint;
    counter_set(&asked->up, complaint == NULL);
}

void asker_well(struct asker *asker, size_t i)
{
    struct asked *asked = &asker->asked[i];
    asked->pause_ms = 0;
    asker->look_ms = 0;
    counter_add(&asked->answered, 1);
    complain(asker, asked, NULL);
}

void asker_fail(struct asker *asker, size_t i, const char *complaint)
{
    struct asked *asked = &asker->asked[i];
    asked->pause_ms = asked->pause_ms == 0 ? PAUSE_FIRST_MS : 2 * asked->pause_ms;
    if (asked->pause_ms > PAUSE_MOST_MS)
        asked->pause_ms = PAUSE_MOST_MS;
    asked->rest_until_ms = now_ms(CLOCK_MONOTONIC) + asked->pause_ms;
    counter_add(&asked->failures, 1);
    complain(asker, asked, complaint);
}

struct asker_figures asker_figures(const struct asker *asker, size_t i)
{
    const struct asked *asked = &asker->asked[i];
    return (struct asker_figures){.asked = counter_read(&asked->asked),
                                  .answered = counter_read(&asked->answered),
                                  .failures = counter_read(&asked->failures),
                                  .up = counter_read(&asked->up) != 0};
}

/* ---- Requests ---- */

static size_t take(char *bytes, size_t size, size_t count, void *context)
{
    struct asked *asked = context;
    size_t more = size * count;
    if (asked->length + more > ASKER_ANSWER_MAX)
        return 0;
    memcpy(asked->answer + asked->length, bytes, more);
    asked->length += more;
    return more;
}

bool asker_is_free(const struct asker *asker, size_t i)
{
    const struct asked *asked = &asker->asked[i];
    return !asked->busy && now_ms(CLOCK_MONOTONIC) >= asked->rest_until_ms;
}

struct text asker_body(struct asker *asker, size_t i)
{
    return TEXT_OVER(asker->asked[i].body);
}

void asker_ask(struct asker *asker, size_t i, size_t length)
{
    struct asked *asked = &asker->asked[i];
    asked->length = 0;
    curl_easy_setopt(asked->curl, CURLOPT_POSTFIELDS, asked->body);
    curl_easy_setopt(asked->curl, CURLOPT_POSTFIELDSIZE, (long)length);
    asked->busy = curl_multi_add_handle(asker->multi, asked->curl) == CURLM_OK;
    counter_add(&asked->asked, asked->busy);
}

struct span asker_answer(const struct asker *asker, size_t i)
{
    return (struct span){asker->asked[i].answer, asker->asked[i].length};
}

static void finish(struct asker *asker, const CURLMsg *message)
{
    CURLcode outcome = message->data.result;
    size_t i = 0;
    long status = 0;
    while (asker->asked[i].curl != message->easy_handle)
        i++;
    struct asked *asked = &asker->asked[i];
    curl_multi_remove_handle(asker->multi, asked->curl);
    asked->busy = false;
    if (outcome == CURLE_OK)
        curl_easy_getinfo(asked->curl, CURLINFO_RESPONSE_CODE, &status);
    asker->config.finish(asker->config.context, i, status);
}

/* ---- The thread ---- */

static void look_if_due(struct asker *asker)
{
    char message[256];
    struct text error = TEXT_OVER(message);
    struct arena arena = {NULL};
    int64_t now = now_ms(CLOCK_MONOTONIC);
    if (now < asker->look_ms)
        return;
    asker->look_ms = now + asker->config.interval_ms;
    if (asker->db == NULL)
        asker->db = db_open(asker->config.database, asker->config.service, &error);
    if (asker->db == NULL || db_begin(asker->db, true) != DB_OK)
        return;
    asker->config.look(asker->config.context, &arena);
    db_rollback(asker->db);
    arena_free(&arena);
}

static void *run(void *context)
{
    struct asker *asker = context;
    const CURLMsg *message;
    int running, left;
    bool may = thread_wait_turn();
    while (may && counter_read(&asker->ended) == 0) {
        look_if_due(asker);
        curl_multi_perform(asker->multi, &running);
        while ((message = curl_multi_info_read(asker->multi, &left)) != NULL)
            if (message->msg == CURLMSG_DONE)
                finish(asker, message);
        int64_t rest = asker->look_ms - now_ms(CLOCK_MONOTONIC);
        if (rest > 0)
            curl_multi_poll(asker->multi, NULL, 0, (int)(rest < 1000 ? rest : 1000), NULL);
    }
    db_close(asker->db);
    return NULL;
}

/* ---- Beginning and end ---- */

static bool prepare(struct asker *asker, const struct asker_party *party)
{
    struct asked *asked = &asker->asked[asker->count++];
    struct text url = TEXT_OVER(asked->url);
    asked->name = party->name;
    text_add_span(&url, party->url);
    text_add(&url, party->path);
    counter_set(&asked->up, 1);
    asked->curl = curl_easy_init();
    if (asked->curl == NULL || url.overflow)
        return false;
    curl_easy_setopt(asked->curl, CURLOPT_URL, asked->url);
    curl_easy_setopt(asked->curl, CURLOPT_HTTPHEADER, asker->headers);
    curl_easy_setopt(asked->curl, CURLOPT_WRITEFUNCTION, take);
    curl_easy_setopt(asked->curl, CURLOPT_WRITEDATA, asked);
    curl_easy_setopt(asked->curl, CURLOPT_CONNECTTIMEOUT_MS, (long)CONNECT_MS);
    curl_easy_setopt(asked->curl, CURLOPT_TIMEOUT_MS, (long)ANSWER_MS);
    curl_easy_setopt(asked->curl, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(asked->curl, CURLOPT_PROXY, "");
    curl_easy_setopt(asked->curl, CURLOPT_PROTOCOLS_STR, "http,https");
    return true;
}

static void discard(struct asker *asker)
{
    for (size_t i = 0; i < asker->count; i++) {
        struct asked *asked = &asker->asked[i];
        if (asked->busy)
            curl_multi_remove_handle(asker->multi, asked->curl);
        if (asked->curl != NULL)
            curl_easy_cleanup(asked->curl);
    }
    if (asker->multi != NULL)
        curl_multi_cleanup(asker->multi);
    curl_slist_free_all(asker->headers);
    free(asker);
}

bool asker_new(const struct asker_config *config, const struct asker_party *party, size_t count,
               struct asker **made)
{
    *made = NULL;
    if (count == 0)
        return true;
    struct asker *asker = calloc(1, sizeof *asker + count * sizeof asker->asked[0]);
    if (asker == NULL)
        return false;
    asker->config = *config;
    asker->multi = curl_multi_init();
    asker->headers = curl_slist_append(NULL, "Content-Type: text/plain");
    bool good = asker->multi != NULL && asker->headers != NULL;
    for (size_t i = 0; good && i < count; i++)
        good = prepare(asker, &party[i]);
    *made = asker;
    if (good && thread_start(&asker->thread, run, asker))
        return true;
    *made = NULL;
    discard(asker);
    return false;
}

void asker_free(struct asker *asker)
{
    if (asker == NULL)
        return;
    counter_set(&asker->ended, 1);
    curl_multi_wakeup(asker->multi);
    pthread_join(asker->thread, NULL);
    discard(asker);
}
