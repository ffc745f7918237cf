/* Preloaded into a service of the tests of jobs (tests/api/work/jobs.test.mjs): a draw that opens
 * its stream of chance (`pair/<round>/<attempt>`) goes on when the file that TILLROLL_HELD_DRAWS
 * names is gone, so that a test has a draw that is being computed for as long as it needs one.
 * Whoever arrives there appends a byte to that file, so that draws can be counted. All else is
 * libsodium's.
 */
#include <fcntl.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static void wait_for(const char *file)
{
    const struct timespec pause = {0, 10000000};
    int held = open(file, O_WRONLY | O_APPEND | O_CLOEXEC);
    if (held < 0)
        return;
    if (write(held, ".", 1) != 1)
        abort();
    close(held);
    while (access(file, F_OK) == 0)
        nanosleep(&pause, NULL);
}

int crypto_generichash_update(crypto_generichash_state *state, const unsigned char *in,
                              unsigned long long length)
{
    static const char name[] = "pair/";
    const char *file = getenv("TILLROLL_HELD_DRAWS");
    if (file != NULL && length > sizeof name - 1 && memcmp(in, name, sizeof name - 1) == 0)
        wait_for(file);
    return crypto_generichash_blake2b_update((crypto_generichash_blake2b_state *)state, in, length);
}
