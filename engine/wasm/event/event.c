#include "engine/wasm/event/event.h"

#include <assert.h>
#include <stdlib.h>

#include "engine/base/progress.h"
#include "engine/tournament/interchange/bundle_results.h"
#include "engine/wasm/json.h"

enum { VALID, INVALID, UNFINISHED };

extern void event_told(unsigned done, unsigned total);

static char *room;
static size_t room_size;
static char *document; /* owned */
static struct replay replay;

char *event_room(size_t size)
{
    free(room);
    room = size <= BUNDLE_BYTES_MAX ? malloc(size + 1) : NULL;
    room_size = room == NULL ? 0 : size;
    return room;
}

const char *event_document(void)
{
    return document;
}

/* Keeps the text of the document, and frees all values. */
static void answer(json_t *value)
{
    free(document);
    document = json_dumps(value, JSON_SORT_KEYS);
    assert(document != NULL);
    json_forget_all();
}

static void answer_fault(const struct bundle_fault *fault, bool read)
{
    char bytes[sizeof fault->message + 64];
    struct text said = TEXT_OVER(bytes);
    if (fault->line > 0) {
        text_add(&said, "line ");
        text_add_number(&said, (int64_t)fault->line);
        text_add(&said, ": ");
    }
    text_add(&said, fault->code);
    text_add(&said, ": ");
    text_add(&said, fault->message);
    answer(json_pack("{s:{s:s, s:I, s:s}, s:b}", "fault", "code", fault->code, "line",
                     (json_int_t)fault->line, "said", said.at, "read", (int)read));
}

static json_t *key_document(const struct bundle *bundle)
{
    char hex[2 * sizeof bundle->key + 1];
    struct text text = TEXT_OVER(hex);
    text_add_hex(&text, bundle->key, sizeof bundle->key);
    return json_string(hex);
}

static size_t count_signed_games(const struct bundle *bundle)
{
    size_t count = 0;
    for (size_t i = 0; i < bundle->record_count; i++)
        count += bundle->records[i].signatures.length > 0;
    return count;
}

static void answer_results(const struct bundle *bundle, const struct bundle_results *results)
{
    answer(json_pack("{s:o, s:I, s:I, s:b, s:o}", "key", key_document(bundle), "restated_line",
                     (json_int_t)bundle->restated_line, "signed_games",
                     (json_int_t)count_signed_games(bundle), "secret", (int)bundle->revealed,
                     "results", bundle_results_document(bundle, results)));
}

static void tell(void *context, unsigned done, unsigned total)
{
    (void)context;
    event_told(done, total);
}

static int judge_read(struct bundle *bundle)
{
    static const struct progress progress = {tell, NULL};
    struct bundle_fault fault;
    struct bundle_results results;
    bundle->progress = &progress;
    if (bundle->with_records && !bundle_check_records(bundle, &replay, &fault)) {
        answer_fault(&fault, true);
        return INVALID;
    }
    bool made = bundle_results_make(bundle, &results);
    assert(made);
    answer_results(bundle, &results);
    bool closed = results.closed;
    bundle_results_free(&results);
    return closed ? VALID : UNFINISHED;
}

int event_judge(void)
{
    struct bundle bundle;
    struct bundle_fault fault;
    if (!bundle_read((struct span){room, room_size}, &bundle, &fault)) {
        answer_fault(&fault, false);
        return INVALID;
    }
    int verdict = judge_read(&bundle);
    bundle_free(&bundle);
    return verdict;
}
