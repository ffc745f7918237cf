#include "api/push/dealers.h"

#include <stdlib.h>
#include <string.h>

#include "api/push/asker.h"
#include "db/store/games/dealings.h"
#include "engine/base/counter.h"
#include "engine/record/dealer.h"

/* ---- The dealers ---- */

struct asked {
    const struct listed_dealer *listed;
    char scope[RECORD_SCOPE_MAX], input[DEALER_INPUT_MAX]; /* of the last question */
    int64_t after_ms; /* position in the list of questions: the time of the last one */
};

struct dealers {
    struct counter late[DEALER_LIST_MAX];
    struct dealers_config config;
    struct asker *asker;
    struct asked asked[DEALER_LIST_MAX];
};

/* ---- Requests ---- */

static void ask(struct dealers *dealers, size_t i, const struct dealer_question *question)
{
    struct asked *asked = &dealers->asked[i];
    uint8_t signature[64];
    struct text scope = TEXT_OVER(asked->scope);
    struct text input = TEXT_OVER(asked->input);
    struct text body = asker_body(dealers->asker, i);
    text_add(&scope, question->scope);
    text_add(&input, question->input);
    asked->after_ms = question->asked_ms;
    keys_sign(dealers->config.keys, text_span(&input), signature);
    text_add_span(&body, text_span(&input));
    text_add_char(&body, '\n');
    note_add_signature(dealers->config.log_key, signature, &body);
    if (!scope.overflow && !input.overflow && !body.overflow)
        asker_ask(dealers->asker, i, body.length);
}

/* Asks the next question, or, after the last one, begins with the oldest again. */
static void look_for(struct dealers *dealers, struct arena *arena, size_t i)
{
    struct asked *asked = &dealers->asked[i];
    struct dealer_question *questions;
    size_t count;
    if (dealing_questions(asker_db(dealers->asker), arena, asked->listed->key, asked->after_ms,
                          asked->scope, &questions, &count) != DB_OK)
        return;
    if (count > 0) {
        ask(dealers, i, &questions[0]);
        return;
    }
    asked->after_ms = 0;
    asked->scope[0] = '\0';
}

static void look(void *context, struct arena *arena)
{
    struct dealers *dealers = context;
    for (size_t i = 0; i < dealers->config.list->count; i++)
        if (asker_is_free(dealers->asker, i))
            look_for(dealers, arena, i);
}

/* ---- Answers ---- */

static void take_proof(struct dealers *dealers, size_t i)
{
    const struct asked *asked = &dealers->asked[i];
    struct db *db = asker_db(dealers->asker);
    uint8_t proof[ECVRF_PROOF];
    struct span text = asker_answer(dealers->asker, i);
    struct span line;
    if (!span_line(&text, &line) || text.length > 0 || !span_hex(line, proof, ECVRF_PROOF) ||
        !ecvrf_verify(asked->listed->key, span_of(asked->input), proof)) {
        asker_fail(dealers->asker, i,
                   "its answer is no proof by its key; games wait for it, or go on without it");
        return;
    }
    enum db_status status = db_begin(db, false);
    if (status == DB_OK)
        status = dealing_answer(db, asked->scope, asked->listed->key, proof);
    if (status == DB_NONE)
        counter_add(&dealers->late[i], 1);
    if (status != DB_OK || db_commit(db) != DB_OK)
        db_rollback(db);
    asker_well(dealers->asker, i);
}

static void finish(void *context, size_t i, long status)
{
    struct dealers *dealers = context;
    struct asker *asker = dealers->asker;
    if (status == 200)
        take_proof(dealers, i);
    else if (status == 0)
        asker_fail(asker, i, "it is away; games wait for it, or go on without it");
    else if (status == 403)
        asker_fail(asker, i, "it does not know this service (403)");
    else if (status == 409)
        asker_fail(asker, i,
                   "it has answered for a game before, with another commitment (409): an old copy "
                   "of the database was restored, or somebody else signs with this key");
    else
        asker_fail(asker, i, "it refuses a request");
}

/* ---- Beginning and end ---- */

struct dealers *dealers_new(const struct dealers_config *config)
{
    struct dealers *dealers = calloc(1, sizeof *dealers);
    struct asker_party party[DEALER_LIST_MAX];
    if (dealers == NULL)
        return NULL;
    dealers->config = *config;
    for (size_t i = 0; i < config->list->count; i++) {
        const struct listed_dealer *listed = &config->list->dealer[i];
        dealers->asked[i].listed = listed;
        party[i] = (struct asker_party){listed->name, span_of(listed->url), "/deal"};
    }
    const struct asker_config asker = {.database = config->database,
                                       .service = config->service,
                                       .interval_ms = config->interval_ms,
                                       .kind = "dealer",
                                       .again = "answers again",
                                       .look = look,
                                       .finish = finish,
                                       .context = dealers};
    if (asker_new(&asker, party, config->list->count, &dealers->asker))
        return dealers;
    free(dealers);
    return NULL;
}

size_t dealers_count(const struct dealers *dealers)
{
    return dealers == NULL ? 0 : dealers->config.list->count;
}

struct dealer_figures dealers_figures(const struct dealers *dealers, size_t i)
{
    const struct asker_figures figures = asker_figures(dealers->asker, i);
    return (struct dealer_figures){.name = dealers->asked[i].listed->name,
                                   .asked = figures.asked,
                                   .answered = figures.answered,
                                   .late = counter_read(&dealers->late[i]),
                                   .failures = figures.failures,
                                   .up = figures.up};
}

void dealers_free(struct dealers *dealers)
{
    if (dealers == NULL)
        return;
    asker_free(dealers->asker);
    free(dealers);
}
