/* A world in one thread: processes with threads, whose steps take place one after the other, at a
 * time that only exists here, in an order that a seed decides. The same seed gives the same run, on
 * any machine; nothing waits for real time.
 *
 *      fiber      a simulated thread; it runs until it waits
 *      process    fibers that are killed together; one of them is its loop, which is woken when
 *                 a descriptor becomes readable
 *      event      a function that is called at a time
 *
 * A fiber may be interrupted wherever it takes or gives up a lock or calls the database. */
#ifndef TILLROLL_TESTS_SIMULATION_WORLD_H
#define TILLROLL_TESTS_SIMULATION_WORLD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { PROCESSES_MAX = 8 };

struct fiber;

/* Begins a world at time 0. Only one exists at a time. */
void world_begin(uint64_t seed);

/* Runs fibers and events until there is nothing to do before `until_us`, which is the time
 * afterwards. False if fibers go on without end and time stands still. */
bool world_run(int64_t until_us);

/* Frees what the world has made. Fibers that have not ended are dropped. */
void world_end(void);

/* The time, microseconds since the beginning. */
int64_t world_now(void);

/* A number of 0 .. below - 1. */
uint64_t world_random(uint64_t below);

/* True once in `times` on average. */
bool world_chance(uint64_t times);

/* Adds to the trace, whose hash tells two runs apart. */
void world_note(const char *what, uint64_t a, uint64_t b);
uint64_t world_trace(void);

/* Prints each note of the trace to the standard error, from now on. */
void world_print(bool on);

/* Calls run(argument) at a time. */
void world_at(int64_t us, void (*run)(void *), void *argument);

/* A new fiber of a process, which runs run(argument). */
struct fiber *fiber_new(unsigned process, void *(*run)(void *), void *argument);

/* The fiber that runs; NULL in an event. And its process. */
struct fiber *fiber_current(void);
unsigned process_current(void);

/* Lets others run. */
void fiber_yield(void);

/* Waits until fiber_wake(), or `until_us` (INT64_MAX for never). */
void fiber_wait(int64_t until_us);
void fiber_wake(struct fiber *fiber);

/* The fiber that is woken when a descriptor of the process becomes readable. */
void process_set_loop(unsigned process, struct fiber *loop);

/* Ends all fibers of a process where they are. */
void process_kill(unsigned process);

/* True if a descriptor is readable that the process watches by epoll. */
bool process_has_readable(unsigned process);

/* A descriptor that the process may watch by epoll, and whether it is readable now. */
int descriptor_new(unsigned process);
void descriptor_set_readable(int fd, bool to);
void descriptor_close(int fd);

#endif
