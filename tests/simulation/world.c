#include "tests/simulation/world.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

#include "db/link/now.h"
#include "db/link/thread.h"

#include "tests/simulation/instead.h"

#undef read
#undef close
#undef malloc
#undef calloc
#undef strdup
#undef free
#undef fprintf

enum {
    FIBERS_MAX = 512,
    EVENTS_MAX = 65536,
    DESCRIPTORS_MAX = 4096,
    MEMORIES_MAX = 4096,
    STACK_BYTES = 256 * 1024,
    STEPS_MAX = 100000
};

struct fiber {
    unsigned process;
    ucontext_t context;
    void *stack;
    void *(*run)(void *);
    void *argument;
    const void *waits_for; /* a condition, a mutex or a fiber; NULL for none */
    int64_t until_us;      /* when it goes on in any case; INT64_MAX = only if it is woken */
    bool ready, ended;
};

struct event {
    int64_t at_us;
    uint64_t number; /* those of one time take place in this order */
    void (*run)(void *);
    void *argument;
};

enum descriptor_kind { CLOSED, COUNTER, TIMER, POLL, OTHER };

struct descriptor {
    enum descriptor_kind kind;
    unsigned process;
    uint64_t count;     /* of a counter; of another, whether it is readable */
    int64_t expires_us; /* of a timer; 0 = it is not set */
    bool watched;
};

static struct {
    uint64_t random, trace, numbers;
    int64_t now_us;

    struct fiber *fiber[FIBERS_MAX];
    size_t fibers;
    struct fiber *current;
    ucontext_t scheduler;
    struct event event[EVENTS_MAX]; /* a heap, the earliest first */
    size_t events;
    struct descriptor descriptor[DESCRIPTORS_MAX];
    int descriptors;
    struct fiber *loop[PROCESSES_MAX];
    void *memory[MEMORIES_MAX]; /* that has not been freed; a killed process leaves it */
    size_t memories;
} world;
static bool prints;

/* ---- Chance and the trace ---- */

static uint64_t mix(uint64_t x)
{
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9U;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebU;
    return x ^ (x >> 31);
}

uint64_t world_random(uint64_t below)
{
    world.random += 0x9e3779b97f4a7c15U;
    return mix(world.random) % below;
}

bool world_chance(uint64_t times)
{
    return world_random(times) == 0;
}

void world_note(const char *what, uint64_t a, uint64_t b)
{
    uint64_t word = 0;
    for (const char *at = what; *at != '\0'; at++)
        word = word * 31 + (unsigned char)*at;
    world.trace = mix(world.trace ^ mix(word + a * 3 + b * 5 + (uint64_t)world.now_us * 7));
    if (prints)
        fprintf(stderr, "%12.6f  %s %llu %llu\n", (double)world.now_us / 1e6, what,
                (unsigned long long)a, (unsigned long long)b);
}

uint64_t world_trace(void)
{
    return world.trace;
}

void world_print(bool on)
{
    prints = on;
}

int64_t world_now(void)
{
    return world.now_us;
}

/* ---- Events ---- */

static bool is_before(const struct event *a, const struct event *b)
{
    return a->at_us < b->at_us || (a->at_us == b->at_us && a->number < b->number);
}

static void swap_events(size_t i, size_t k)
{
    struct event kept = world.event[i];
    world.event[i] = world.event[k];
    world.event[k] = kept;
}

void world_at(int64_t us, void (*run)(void *), void *argument)
{
    assert(world.events < EVENTS_MAX && us >= world.now_us);
    size_t i = world.events++;
    world.event[i] = (struct event){us, world.numbers++, run, argument};
    for (; i > 0 && is_before(&world.event[i], &world.event[(i - 1) / 2]); i = (i - 1) / 2)
        swap_events(i, (i - 1) / 2);
}

static struct event take_event(void)
{
    struct event first = world.event[0];
    world.event[0] = world.event[--world.events];
    for (size_t i = 0;;) {
        size_t least = i;
        for (size_t child = 2 * i + 1; child <= 2 * i + 2; child++)
            if (child < world.events && is_before(&world.event[child], &world.event[least]))
                least = child;
        if (least == i)
            return first;
        swap_events(i, least);
        i = least;
    }
}

/* ---- Fibers ---- */

static void wake_all_waiting_for(const void *thing)
{
    for (size_t i = 0; i < world.fibers; i++)
        if (world.fiber[i]->waits_for == thing && !world.fiber[i]->ended)
            fiber_wake(world.fiber[i]);
}

static void run_fiber(void)
{
    struct fiber *fiber = world.current;
    fiber->run(fiber->argument);
    fiber->ended = true;
    fiber->ready = false;
    wake_all_waiting_for(fiber);
    swapcontext(&fiber->context, &world.scheduler);
}

struct fiber *fiber_new(unsigned process, void *(*run)(void *), void *argument)
{
    struct fiber *fiber = calloc(1, sizeof *fiber);
    assert(fiber != NULL && world.fibers < FIBERS_MAX && process < PROCESSES_MAX);
    *fiber = (struct fiber){
        .process = process, .run = run, .argument = argument, .ready = true, .until_us = INT64_MAX};
    fiber->stack = malloc(STACK_BYTES);
    assert(fiber->stack != NULL);
    getcontext(&fiber->context);
    fiber->context.uc_stack.ss_sp = fiber->stack;
    fiber->context.uc_stack.ss_size = STACK_BYTES;
    fiber->context.uc_link = NULL;
    makecontext(&fiber->context, run_fiber, 0);
    world.fiber[world.fibers++] = fiber;
    return fiber;
}

struct fiber *fiber_current(void)
{
    return world.current;
}

unsigned process_current(void)
{
    assert(world.current != NULL);
    return world.current->process;
}

static void switch_to_scheduler(void)
{
    swapcontext(&world.current->context, &world.scheduler);
}

void fiber_yield(void)
{
    switch_to_scheduler();
}

void fiber_wake(struct fiber *fiber)
{
    fiber->ready = true;
    fiber->waits_for = NULL;
    fiber->until_us = INT64_MAX;
}

static void wake_in_time(void *argument)
{
    struct fiber *fiber = argument;
    if (!fiber->ended && fiber->until_us <= world.now_us)
        fiber_wake(fiber);
}

void fiber_wait(int64_t until_us)
{
    struct fiber *fiber = world.current;
    fiber->ready = false;
    fiber->until_us = until_us;
    if (until_us != INT64_MAX)
        world_at(until_us > world.now_us ? until_us : world.now_us, wake_in_time, fiber);
    switch_to_scheduler();
}

static void wait_for(const void *thing)
{
    world.current->waits_for = thing;
    fiber_wait(INT64_MAX);
}

void process_set_loop(unsigned process, struct fiber *loop)
{
    world.loop[process] = loop;
}

void process_kill(unsigned process)
{
    for (size_t i = 0; i < world.fibers; i++)
        if (world.fiber[i]->process == process) {
            assert(world.fiber[i] != world.current);
            world.fiber[i]->ended = true;
            world.fiber[i]->ready = false;
        }
    for (int fd = 0; fd < world.descriptors; fd++)
        if (world.descriptor[fd].process == process)
            world.descriptor[fd].kind = CLOSED;
    world.loop[process] = NULL;
}

/* ---- The run ---- */

void world_begin(uint64_t seed)
{
    memset(&world, 0, sizeof world);
    world.random = mix(seed + 1);
}

static struct fiber *choose_ready(void)
{
    size_t ready = 0;
    for (size_t i = 0; i < world.fibers; i++)
        ready += world.fiber[i]->ready;
    if (ready == 0)
        return NULL;
    size_t which = world_random(ready);
    for (size_t i = 0;; i++)
        if (world.fiber[i]->ready && which-- == 0)
            return world.fiber[i];
}

bool world_run(int64_t until_us)
{
    unsigned steps = 0; /* without time going on */
    for (;;) {
        struct fiber *fiber = choose_ready();
        if (fiber != NULL && steps++ > STEPS_MAX)
            return false;
        if (fiber != NULL) {
            world.current = fiber;
            swapcontext(&world.scheduler, &fiber->context);
            world.current = NULL;
        } else if (world.events > 0 && world.event[0].at_us <= until_us) {
            struct event event = take_event();
            if (event.at_us > world.now_us)
                steps = 0;
            world.now_us = event.at_us;
            event.run(event.argument);
        } else {
            world.now_us = until_us;
            return true;
        }
    }
}

void world_end(void)
{
    for (size_t i = 0; i < world.fibers; i++) {
        free(world.fiber[i]->stack);
        free(world.fiber[i]);
    }
    for (size_t i = 0; i < world.memories; i++)
        free(world.memory[i]);
    world.fibers = world.memories = 0;
}

/* ---- In place of threads (pthread.h, db/link/thread.h) ---- */

/* A mutex, in the memory of the real one. */
struct mutex {
    struct fiber *owner;
};

static struct mutex *as_mutex(pthread_mutex_t *mutex)
{
    return (struct mutex *)mutex;
}

int simulated_mutex_init(pthread_mutex_t *mutex, const pthread_mutexattr_t *attributes)
{
    assert(attributes == NULL);
    as_mutex(mutex)->owner = NULL;
    return 0;
}

int simulated_mutex_destroy(pthread_mutex_t *mutex)
{
    assert(as_mutex(mutex)->owner == NULL);
    return 0;
}

int simulated_mutex_lock(pthread_mutex_t *mutex)
{
    fiber_yield();
    assert(as_mutex(mutex)->owner != world.current);
    while (as_mutex(mutex)->owner != NULL)
        wait_for(mutex);
    as_mutex(mutex)->owner = world.current;
    return 0;
}

int simulated_mutex_unlock(pthread_mutex_t *mutex)
{
    assert(as_mutex(mutex)->owner == world.current);
    as_mutex(mutex)->owner = NULL;
    wake_all_waiting_for(mutex);
    fiber_yield();
    return 0;
}

int simulated_cond_init(pthread_cond_t *condition, const pthread_condattr_t *attributes)
{
    (void)condition;
    assert(attributes == NULL);
    return 0;
}

int simulated_cond_destroy(pthread_cond_t *condition)
{
    (void)condition;
    return 0;
}

int simulated_cond_wait(pthread_cond_t *condition, pthread_mutex_t *mutex)
{
    assert(as_mutex(mutex)->owner == world.current);
    as_mutex(mutex)->owner = NULL;
    wake_all_waiting_for(mutex);
    wait_for(condition);
    return simulated_mutex_lock(mutex);
}

int simulated_cond_signal(pthread_cond_t *condition)
{
    wake_all_waiting_for(condition); /* more than one may wake, as POSIX allows */
    return 0;
}

bool thread_start(pthread_t *thread, void *(*run)(void *), void *argument)
{
    *thread = (pthread_t)fiber_new(process_current(), run, argument);
    return true;
}

bool thread_wait_turn(void)
{
    return true;
}

int simulated_join(pthread_t thread, void **result)
{
    struct fiber *fiber =
        (struct fiber *)thread; // NOLINT(performance-no-int-to-ptr): glibc's type of threads
    assert(result == NULL);
    while (!fiber->ended)
        wait_for(fiber);
    return 0;
}

/* ---- In place of the clock (db/link/now.h) ---- */

int64_t now_us(clockid_t clock)
{
    (void)clock;
    return world.now_us + 1;
}

void rest_ms(int64_t ms)
{
    int64_t until_us = world.now_us + ms * 1000;
    while (world.now_us < until_us)
        fiber_wait(until_us);
}

/* ---- In place of descriptors ---- */

static int open_descriptor(enum descriptor_kind kind, unsigned process)
{
    assert(world.descriptors < DESCRIPTORS_MAX);
    world.descriptor[world.descriptors] = (struct descriptor){.kind = kind, .process = process};
    return world.descriptors++;
}

static struct descriptor *descriptor_of(int fd, enum descriptor_kind kind)
{
    assert(fd >= 0 && fd < world.descriptors && world.descriptor[fd].kind == kind);
    return &world.descriptor[fd];
}

static void wake_loop(const struct descriptor *descriptor)
{
    struct fiber *loop = world.loop[descriptor->process];
    if (descriptor->kind != CLOSED && descriptor->watched && loop != NULL)
        fiber_wake(loop);
}

int descriptor_new(unsigned process)
{
    return open_descriptor(OTHER, process);
}

void descriptor_set_readable(int fd, bool to)
{
    world.descriptor[fd].count = to;
    if (to)
        wake_loop(&world.descriptor[fd]);
}

void descriptor_close(int fd)
{
    world.descriptor[fd].kind = CLOSED;
}

static bool is_readable(const struct descriptor *descriptor)
{
    switch (descriptor->kind) {
    case COUNTER:
    case OTHER:
        return descriptor->count > 0;
    case TIMER:
        return descriptor->expires_us > 0 && descriptor->expires_us <= world.now_us;
    case CLOSED:
    case POLL:
        break;
    }
    return false;
}

bool process_has_readable(unsigned process)
{
    for (int fd = 0; fd < world.descriptors; fd++)
        if (world.descriptor[fd].process == process && world.descriptor[fd].watched &&
            is_readable(&world.descriptor[fd]))
            return true;
    return false;
}

int simulated_eventfd(unsigned count, int flags)
{
    (void)flags;
    assert(count == 0);
    return open_descriptor(COUNTER, process_current());
}

int simulated_eventfd_read(int fd, eventfd_t *value)
{
    struct descriptor *descriptor = descriptor_of(fd, COUNTER);
    *value = descriptor->count;
    descriptor->count = 0;
    return *value > 0 ? 0 : -1;
}

int simulated_eventfd_write(int fd, eventfd_t value)
{
    struct descriptor *descriptor = descriptor_of(fd, COUNTER);
    descriptor->count += value;
    wake_loop(descriptor);
    return 0;
}

int simulated_epoll_create(int flags)
{
    (void)flags;
    return open_descriptor(POLL, process_current());
}

int simulated_epoll_ctl(int poll, int operation, int fd, struct epoll_event *event)
{
    (void)descriptor_of(poll, POLL);
    assert(operation == EPOLL_CTL_ADD && event->events == EPOLLIN && fd >= 0 &&
           fd < world.descriptors);
    world.descriptor[fd].watched = true;
    return 0;
}

int simulated_timerfd_create(int clock, int flags)
{
    (void)flags;
    assert(clock == CLOCK_MONOTONIC);
    return open_descriptor(TIMER, process_current());
}

static void end_timer(void *argument)
{
    const struct descriptor *descriptor = argument;
    if (descriptor->kind == TIMER && descriptor->expires_us > 0 &&
        descriptor->expires_us <= world.now_us)
        wake_loop(descriptor);
}

int simulated_timerfd_settime(int fd, int flags, const struct itimerspec *to,
                              struct itimerspec *before)
{
    struct descriptor *descriptor = descriptor_of(fd, TIMER);
    assert(flags == 0 && before == NULL);
    descriptor->expires_us =
        world.now_us + 1 + (int64_t)to->it_value.tv_sec * 1000000 + to->it_value.tv_nsec / 1000;
    world_at(descriptor->expires_us, end_timer, descriptor);
    return 0;
}

ssize_t simulated_read(int fd, void *to, size_t size)
{
    struct descriptor *descriptor = descriptor_of(fd, TIMER);
    if (descriptor->expires_us == 0 || descriptor->expires_us > world.now_us)
        return -1;
    assert(size == sizeof(uint64_t));
    descriptor->expires_us = 0;
    *(uint64_t *)to = 1;
    return (ssize_t)size;
}

int simulated_close(int fd)
{
    assert(fd >= 0 && fd < world.descriptors);
    descriptor_close(fd);
    return 0;
}

/* ---- In place of memory ---- */

static void *keep(void *memory)
{
    assert(memory != NULL && world.memories < MEMORIES_MAX);
    world.memory[world.memories++] = memory;
    return memory;
}

void *simulated_malloc(size_t size)
{
    return keep(malloc(size));
}

void *simulated_calloc(size_t count, size_t size)
{
    return keep(calloc(count, size));
}

char *simulated_strdup(const char *text)
{
    return keep(strdup(text));
}

void simulated_free(void *memory)
{
    size_t i = 0;
    while (i < world.memories && world.memory[i] != memory)
        i++;
    assert(memory == NULL || i < world.memories);
    if (memory != NULL)
        world.memory[i] = world.memory[--world.memories];
    free(memory);
}

int simulated_print(FILE *file, const char *format, ...)
{
    (void)file;
    world_note(format, 0, 0);
    return 0;
}
