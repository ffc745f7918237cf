/* Services that write the same records at once, while connections break, commits are slow, the
 * database crashes or cannot be reached, and services are killed: db/writer/ in a simulated world
 * (world.h) before a model of the database (model.h). A seed decides everything, so what fails once
 * fails again:
 *
 *     TILLROLL_SEEDS=5000 build/release/tests/test_writers     more worlds
 *     TILLROLL_SEED=77 build/release/tests/test_writers        this one, with its trace
 *
 * What has to hold: a write that was acknowledged is in its record; one that was refused never is;
 * every write has an outcome; whoever listens is notified or looks for itself; and as soon as
 * nothing goes wrong, every service writes again. That these checks can fail is tested by faults
 * planted in the writer (planted.test.mjs). */
#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "db/writer/writer.h"

#include "tests/simulation/model.h"
#include "tests/simulation/world.h"
#include "tests/test.h"

enum {
    SERVICES = 3,
    ROWS_MAX = 3,
    WAITING_MAX = 4,
    PATIENCE_MS = 2000,
    OUTCOMES_MAX = 65536,
    SEEDS = 100,
    THINKS_US = 250000, /* between requests, at most */
    SECOND_US = 1000000,
    TROUBLE_US = 20 * SECOND_US, /* how long things go wrong */
    CALM_US = 60 * SECOND_US     /* and then do not */
};

/* A service's request to continue a game. */
struct request {
    bool under_way;
    size_t game;
    struct write write;
    struct record_row row[ROWS_MAX];
    char line[ROWS_MAX][32];
};

struct service {
    unsigned number;
    bool runs, stops, stopped;
    struct writer *writer;
    struct request request[MODEL_GAMES];
    size_t under_way;
    int64_t next_us;  /* when it has another request */
    unsigned written; /* since all is calm */
};

/* What was said about a row. */
struct said {
    size_t game, seq;
    uint8_t hash[32];
    enum db_status status;
    bool unnotified;
};

static struct service service[SERVICES];
static struct said outcome[OUTCOMES_MAX];
static size_t outcomes;
static uint64_t lines; /* so that no two are the same */
static bool calm;
static char violation[256]; /* the first one; "" = none */

static void violate(const char *what, size_t game, size_t seq)
{
    world_note(what, game, seq);
    if (violation[0] == '\0')
        snprintf(violation, sizeof violation, "%s: game %zu, line %zu, at %" PRId64 " us", what,
                 game, seq, world_now());
}

/* ---- Requests ---- */

static bool is_stored(const struct said *said)
{
    return said->seq < model_rows(said->game) &&
           memcmp(model_hash(said->game, said->seq), said->hash, 32) == 0;
}

static void continue_game(struct service *to, size_t game)
{
    struct request *request = &to->request[game];
    size_t length = model_rows(game), count = 1 + (world_chance(4) ? world_random(ROWS_MAX) : 0);
    const uint8_t *before = length > 0 ? model_hash(game, length - 1) : NULL;
    if (length > 0 && world_chance(20)) { /* it has not heard of the last line */
        length--;
        before = length > 0 ? model_hash(game, length - 1) : NULL;
    }
    for (size_t i = 0; i < count; i++) {
        int wide = snprintf(request->line[i], sizeof request->line[i], "%" PRIu64, lines++);
        request->row[i].seq = (unsigned)(length + i);
        request->row[i].line = (struct span){request->line[i], (size_t)wide};
        model_chain(before, request->row[i].line, request->row[i].hash);
        before = request->row[i].hash;
    }
    request->under_way = true;
    request->game = game;
    request->write = (struct write){.game = model_game(game), .rows = request->row, .count = count};
    to->under_way++;
    world_note("requests", game, length);
    writer_add(to->writer, &request->write);
}

static void add_requests(struct service *to)
{
    for (size_t game = 0; game < MODEL_GAMES; game++)
        if (!to->request[game].under_way && !writer_is_full(to->writer) && world_chance(3))
            continue_game(to, game);
}

static void check_outcome(const struct said *said)
{
    bool stored = is_stored(said);
    if (said->status == DB_OK && !stored)
        violate("acknowledged, and not written", said->game, said->seq);
    if ((said->status == DB_CONFLICT || said->status == DB_UNAVAILABLE) && stored)
        violate("refused, and written", said->game, said->seq);
    if (stored && !said->unnotified && !model_was_notified(said->game, said->seq))
        violate("nobody was notified", said->game, said->seq);
}

static void take_outcome(struct service *of, struct request *request)
{
    const struct write *write = &request->write;
    world_note("ends", request->game, (uint64_t)write->status);
    for (size_t i = 0; i < write->count; i++) {
        assert(outcomes < OUTCOMES_MAX);
        struct said *said = &outcome[outcomes++];
        *said =
            (struct said){request->game, write->rows[i].seq, {0}, write->status, write->unnotified};
        memcpy(said->hash, write->rows[i].hash, 32);
        check_outcome(said);
    }
    of->written += calm && write->status == DB_OK;
    of->under_way--;
    request->under_way = false;
    memset(request->row, 0xdd, sizeof request->row); /* the memory is the caller's again */
    memset(request->line, 0xdd, sizeof request->line);
}

static void take_done(struct service *of)
{
    struct write *next;
    for (struct write *write = writer_take_done(of->writer); write != NULL; write = next) {
        next = write->next;
        struct request *request = NULL;
        for (size_t game = 0; game < MODEL_GAMES; game++)
            if (&of->request[game].write == write)
                request = &of->request[game];
        if (request == NULL || !request->under_way)
            violate("a write that nobody has asked for is done", 0, 0);
        else
            take_outcome(of, request);
    }
}

/* ---- Services ---- */

static void *run_service(void *argument)
{
    struct service *self = argument;
    self->writer = writer_new("model", true, WAITING_MAX, PATIENCE_MS, self->number + 1);
    while (!self->stops) {
        if (!process_has_readable(self->number) && world_now() < self->next_us)
            fiber_wait(self->next_us);
        fiber_yield();
        if (world_now() >= self->next_us) {
            add_requests(self);
            self->next_us = world_now() + (int64_t)world_random(THINKS_US);
        }
        if (world_chance(2) && writer_look(self->writer) && world_chance(2))
            writer_hand_over(self->writer);
        take_done(self);
        writer_hand_over(self->writer);
    }
    add_requests(self);
    writer_stop(self->writer);
    take_done(self);
    if (self->under_way > 0)
        violate("a write has no outcome", self->number, self->under_way);
    writer_all_notified(self->writer);
    writer_free(self->writer);
    self->stopped = true;
    return NULL;
}

static void start_service(void *argument)
{
    struct service *self = argument;
    *self = (struct service){.number = self->number, .runs = true};
    world_note("starts", self->number, 0);
    model_process_began(self->number);
    process_set_loop(self->number, fiber_new(self->number, run_service, self));
}

static void kill_service(void *argument)
{
    struct service *self = argument;
    if (!self->runs)
        return;
    self->runs = false;
    world_note("is killed", self->number, 0);
    process_kill(self->number);
    model_process_ended(self->number);
    world_at(world_now() + 1 + (int64_t)world_random(SECOND_US), start_service, self);
}

static void crash(void *argument)
{
    (void)argument;
    model_crash(1 + (int64_t)world_random(4 * (uint64_t)SECOND_US));
}

static void separate(void *argument)
{
    const struct service *self = argument;
    model_separate(self->number, 1 + (int64_t)world_random(30 * (uint64_t)SECOND_US));
}

/* ---- Worlds ---- */

static unsigned perhaps(unsigned least, unsigned most)
{
    return world_chance(2) ? 0 : least + (unsigned)world_random(most - least);
}

/* One thing at a time: compilers evaluate arguments in different orders. */
static void plan_faults(void)
{
    struct model_faults faults = {0};
    faults.refuses_connection = perhaps(2, 20);
    faults.breaks_when_opened = perhaps(3, 20);
    faults.breaks_before = perhaps(20, 400);
    faults.breaks_during = perhaps(20, 400);
    faults.breaks_after = perhaps(20, 400);
    faults.zombie = perhaps(1, 4);
    faults.stalls = perhaps(100, 1000);
    faults.warns = perhaps(50, 500);
    faults.breaks_idle = perhaps(20, 200);
    faults.supersedes = perhaps(20, 200);
    model_begin(&faults);
}

static void plan(unsigned most, void (*what)(void *))
{
    for (unsigned times = perhaps(1, most); times > 0; times--) {
        int64_t at_us = (int64_t)world_random(TROUBLE_US);
        world_at(at_us, what, &service[world_random(SERVICES)]);
    }
}

static void check_progress(void)
{
    for (unsigned i = 0; i < SERVICES; i++)
        if (service[i].written == 0)
            violate("a service does not write although nothing goes wrong", i, 0);
        else if (!writer_is_connected(service[i].writer))
            violate("a writer has no connection although nothing goes wrong", i, 0);
}

static bool run_further(int64_t us)
{
    if (world_run(world_now() + us))
        return true;
    violate("fibers run without end", 0, 0);
    return false;
}

/* Runs one world; the first violation stands in `violation`. Returns the hash of its trace. */
static uint64_t run_world(uint64_t seed)
{
    violation[0] = '\0';
    outcomes = 0;
    lines = 0;
    calm = false;
    world_begin(seed);
    plan_faults();
    for (unsigned i = 0; i < SERVICES; i++) {
        service[i].number = i;
        start_service(&service[i]);
    }
    plan(12, kill_service);
    plan(5, crash);
    plan(8, separate);
    bool going = run_further(TROUBLE_US + 30 * (int64_t)SECOND_US);
    model_calm();
    going = going && run_further(CALM_US);
    calm = true;
    going = going && run_further(SECOND_US);
    check_progress();
    for (unsigned i = 0; i < SERVICES; i++)
        service[i].stops = true;
    if (going && run_further(CALM_US))
        for (unsigned i = 0; i < SERVICES; i++)
            if (!service[i].stopped)
                violate("a service does not stop", i, 0);
    for (size_t i = 0; i < outcomes; i++)
        check_outcome(&outcome[i]);
    uint64_t trace = world_trace();
    world_end();
    model_end();
    return trace;
}

TEST(test_worlds)
{
    const char *only = getenv("TILLROLL_SEED"), *many = getenv("TILLROLL_SEEDS");
    uint64_t first = only != NULL ? strtoull(only, NULL, 10) : 1;
    uint64_t last = only != NULL ? first : many != NULL ? strtoull(many, NULL, 10) : SEEDS;
    size_t said[DB_ERROR + 1] = {0};
    uint64_t traces = 0;
    world_print(only != NULL);
    for (uint64_t seed = first; seed <= last; seed++) {
        traces = traces * 31 + run_world(seed);
        if (violation[0] != '\0')
            fail_msg("TILLROLL_SEED=%" PRIu64 ": %s", seed, violation);
        for (size_t i = 0; i < outcomes; i++)
            said[outcome[i].status]++;
    }
    printf("%" PRIu64
           " worlds: %zu lines written, %zu refused, %zu unavailable, %zu unknown; trace "
           "%016" PRIx64 "\n",
           last - first + 1, said[DB_OK], said[DB_CONFLICT], said[DB_UNAVAILABLE], said[DB_UNKNOWN],
           traces);
    if (only == NULL)
        assert_true(said[DB_OK] > 0 && said[DB_CONFLICT] > 0 && said[DB_UNAVAILABLE] > 0 &&
                    said[DB_UNKNOWN] > 0);
}

TEST(test_the_same_seed_is_the_same_run)
{
    for (uint64_t seed = 1; seed <= 5; seed++) {
        uint64_t trace = run_world(seed);
        assert_true(run_world(seed) == trace);
        assert_true(run_world(seed + 5) != trace);
    }
}

int main(void)
{
    return run_all_tests(NULL, NULL);
}
