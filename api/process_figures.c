#include "api/process_figures.h"

#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>

static int64_t microseconds(struct timeval time)
{
    return (int64_t)time.tv_sec * 1000000 + time.tv_usec;
}

/* Pages in all and in memory, of this process. False if the system does not say. */
static bool read_pages(uint64_t *all, uint64_t *resident)
{
    char bytes[128];
    FILE *file = fopen("/proc/self/statm", "re");
    if (file == NULL)
        return false;
    struct span words = {bytes, fread(bytes, 1, sizeof bytes, file)};
    fclose(file);
    return span_number(span_word(&words), INT64_MAX / 65536, all) &&
           span_number(span_word(&words), INT64_MAX / 65536, resident);
}

static void show_memory(struct exposition *exposition)
{
    uint64_t all;
    uint64_t resident;
    uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
    if (!read_pages(&all, &resident))
        return;
    exposition_gauge(exposition, "process_resident_memory_bytes", "Memory that the process has.",
                     resident * page);
    exposition_gauge(exposition, "process_virtual_memory_bytes", "Addresses that it uses.",
                     all * page);
}

void process_figures_show(struct exposition *exposition, int64_t started_ms)
{
    struct rusage usage = {.ru_maxrss = 0};
    (void)getrusage(RUSAGE_SELF, &usage);
    exposition_family(exposition, "process_cpu_seconds_total", "counter",
                      "Time that the process has used of processors.");
    exposition_seconds(exposition, "", microseconds(usage.ru_utime) + microseconds(usage.ru_stime));
    exposition_family(exposition, "process_start_time_seconds", "gauge",
                      "When it was started, seconds since 1970.");
    exposition_seconds(exposition, "", started_ms * 1000);
    show_memory(exposition);
}
