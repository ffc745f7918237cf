/* Threads begin when they are needed first, and those of the background when they are let. */
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>

#include "api/http/workers.h"
#include "db/link/thread.h"
#include "tests/test.h"

enum { THREADS = 4, PIECES = 3 * THREADS };

static pthread_barrier_t together;
static atomic_uint run_pieces;

/* Ends only when as many are run at the same time as there may be threads. */
static void meet(struct work *first)
{
    (void)first;
    pthread_barrier_wait(&together);
    atomic_fetch_add(&run_pieces, 1);
}

static unsigned take_done(struct workers *workers)
{
    struct pollfd done = {.fd = workers_done_fd(workers), .events = POLLIN};
    unsigned count = 0;
    assert_true(poll(&done, 1, -1) == 1);
    for (struct work *work = workers_take_done(workers); work != NULL; work = work->next)
        count++;
    return count;
}

TEST(test_all_threads_begin)
{
    struct work work[PIECES];
    struct workers *workers = workers_new(THREADS, 1, PIECES, meet);
    assert_non_null(workers);
    pthread_barrier_init(&together, NULL, THREADS);
    atomic_store(&run_pieces, 0);
    for (unsigned i = 0; i < PIECES; i++) {
        workers_add(workers, &work[i]);
        if (i % 2 == 0)
            workers_hand_over(workers);
    }
    workers_hand_over(workers);
    for (unsigned done = 0; done < PIECES;)
        done += take_done(workers);
    assert_int_equal(atomic_load(&run_pieces), PIECES);
    assert_int_equal(workers_open(workers), 0);
    workers_stop(workers);
    workers_free(workers);
    pthread_barrier_destroy(&together);
}

static atomic_bool begun;

static void *begin_in_turn(void *context)
{
    pthread_barrier_wait(context);
    if (thread_wait_turn())
        atomic_store(&begun, true);
    return NULL;
}

TEST(test_background_waits)
{
    pthread_t thread;
    pthread_barrier_init(&together, NULL, 2);
    threads_hold();
    assert_true(thread_start(&thread, begin_in_turn, &together));
    pthread_barrier_wait(&together);
    assert_false(atomic_load(&begun));
    threads_release();
    threads_release();
    pthread_join(thread, NULL);
    assert_true(atomic_load(&begun));
    assert_true(thread_wait_turn()); /* nobody holds */
    pthread_barrier_destroy(&together);
}

/* The last test: nothing brings turns back. */
TEST(test_background_is_dismissed)
{
    pthread_t thread;
    pthread_barrier_init(&together, NULL, 2);
    atomic_store(&begun, false);
    threads_hold();
    assert_true(thread_start(&thread, begin_in_turn, &together));
    pthread_barrier_wait(&together);
    threads_dismiss();
    threads_release();
    pthread_join(thread, NULL);
    assert_false(atomic_load(&begun));
    assert_false(thread_wait_turn());
    threads_hold();
    threads_release();
    assert_false(thread_wait_turn());
    pthread_barrier_destroy(&together);
}

int main(void)
{
    return run_all_tests(NULL, NULL);
}
