/* Preloaded into a process by tests/faults: lets one allocation fail. The file that SHORT_MEMORY
 * names is shared with whoever runs the test: two 64-bit numbers in the machine's byte order,
 *
 *      left      counts down with each allocation while it is above 0; the one that takes it from
 *                1 to 0 fails
 *      failed    how many have failed
 *
 * Only the C library's own functions are replaced; what they do is left to them.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

struct control {
    _Atomic int64_t left, failed;
};

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *old, size_t size);

static struct control *control;

__attribute__((constructor)) static void map_control(void)
{
    const char *name = getenv("SHORT_MEMORY");
    int fd = name == NULL ? -1 : open(name, O_RDWR | O_CLOEXEC);
    if (fd < 0)
        return;
    void *mapped = mmap(NULL, sizeof *control, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    close(fd);
    if (mapped != MAP_FAILED)
        control = mapped;
}

static bool must_fail(void)
{
    if (control == NULL)
        return false;
    int64_t left = atomic_load(&control->left);
    while (left > 0)
        if (atomic_compare_exchange_weak(&control->left, &left, left - 1)) {
            if (left > 1)
                return false;
            atomic_fetch_add(&control->failed, 1);
            errno = ENOMEM;
            return true;
        }
    return false;
}

void *malloc(size_t size)
{
    return must_fail() ? NULL : __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
    return must_fail() ? NULL : __libc_calloc(count, size);
}

void *realloc(void *old, size_t size)
{
    return must_fail() ? NULL : __libc_realloc(old, size);
}
