/* Tournament report files: what was read is written, read again and written the same. */
#include <stdlib.h>
#include <string.h>

#include "engine/tournament/interchange/trf.h"
#include "support.h"

enum { PAIRED_MOST = 40 };

/* Memory with the event in it, or NULL; then `error` says why. */
static void *read_event(struct span text, struct trf_event *event, struct trf_error *error)
{
    size_t size = 0;
    *error = (struct trf_error){0};
    if (!trf_measure(text, &size, error))
        return NULL;
    void *memory = malloc(size == 0 ? 1 : size);
    if (memory != NULL && trf_read(text, memory, event, error))
        return memory;
    free(memory);
    return NULL;
}

static struct text write_event(const struct trf_event *event, enum trf_version version, bool *good)
{
    size_t room = trf_text_size(event);
    struct text text = {malloc(room), 0, room, false};
    struct trf_error error = {0};
    FUZZ_MUST(text.at != NULL);
    text_clear(&text);
    *good = trf_write(event, version, &text, &error);
    FUZZ_MUST(*good ? !text.overflow : error.refusal.code != NULL && error.refusal.message != NULL);
    return text;
}

static void check_version(const struct trf_event *event, enum trf_version version)
{
    bool good = false;
    struct trf_event again;
    struct trf_error error;
    struct text first = write_event(event, version, &good);
    if (good) {
        void *memory = read_event(text_span(&first), &again, &error);
        FUZZ_MUST(memory != NULL);
        FUZZ_MUST(again.player_count == event->player_count);
        FUZZ_MUST(again.rounds_played == event->rounds_played);
        struct text second = write_event(&again, version, &good);
        FUZZ_MUST(good && span_equal(text_span(&first), text_span(&second)));
        free(second.at);
        free(memory);
    }
    free(first.at);
}

/* Nobody is paired twice, or with themselves. */
static void check_pairs(const struct dutch_pair *pairs, size_t count, size_t players)
{
    bool seen[PAIRED_MOST] = {false};
    for (size_t i = 0; i < count; i++) {
        const uint16_t both[] = {pairs[i].white, pairs[i].black};
        for (size_t side = 0; side < 2; side++) {
            if (both[side] >= players)
                continue; /* a bye */
            FUZZ_MUST(!seen[both[side]]);
            seen[both[side]] = true;
        }
    }
}

static void pair(const struct trf_event *event)
{
    static struct dutch_player players[PAIRED_MOST];
    static struct dutch_pair pairs[PAIRED_MOST];
    struct dutch_request request;
    struct refusal refusal = {NULL, NULL};
    size_t count = 0;
    uint16_t round = (uint16_t)(event->rounds_played + 1);
    if (event->player_count > PAIRED_MOST || event->player_count == 0)
        return;
    struct dutch_result *results =
        calloc(event->player_count * event->rounds_played + 1, sizeof *results);
    struct dutch_forbidden *forbidden = calloc(event->forbidden_count + 1, sizeof *forbidden);
    void *work = malloc(dutch_work_size(event->player_count));
    FUZZ_MUST(results != NULL && forbidden != NULL && work != NULL);
    trf_request(event, round, players, results, forbidden, &request);
    if (dutch_pair_round(&request, work, pairs, &count, &refusal))
        check_pairs(pairs, count, event->player_count);
    else
        FUZZ_MUST(refusal.code != NULL && refusal.message != NULL);
    free(work);
    free(forbidden);
    free(results);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct fuzz_input input = fuzz_begin(bytes, size);
    struct span text = fuzz_rest(&input);
    struct trf_event event;
    struct trf_error error;
    void *memory = read_event(text, &event, &error);
    if (memory == NULL) {
        FUZZ_MUST(error.refusal.code != NULL && error.refusal.message != NULL);
        return 0;
    }
    check_version(&event, TRF_16);
    check_version(&event, TRF_26);
    pair(&event);
    free(memory);
    return 0;
}
