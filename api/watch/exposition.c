#include "api/watch/exposition.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "engine/base/arena.h"

/* ---- Text ---- */

static void add_help(struct exposition *exposition, const char *word, const char *rest)
{
    struct text *text = exposition->text;
    text_add_all(text, "# ", word, " ", exposition->name, " ", rest, "\n");
}

void exposition_family(struct exposition *exposition, const char *name, const char *type,
                       const char *help)
{
    exposition->name = name;
    add_help(exposition, "HELP", help);
    add_help(exposition, "TYPE", type);
}

/* Adds name and labels, up to the value; `bound` is that of a bucket, or NULL. */
static void add_head(struct exposition *exposition, const char *suffix, const char *labels,
                     const char *bound)
{
    struct text *text = exposition->text;
    bool labelled = labels[0] != '\0';
    text_add(text, exposition->name);
    text_add(text, suffix);
    if (labelled || bound != NULL)
        text_add_char(text, '{');
    text_add(text, labels);
    if (bound != NULL) {
        text_add_all(text, labelled ? ",le=\"" : "le=\"", bound, "\"");
    }
    if (labelled || bound != NULL)
        text_add_char(text, '}');
    text_add_char(text, ' ');
}

static void add_number(struct text *text, uint64_t number)
{
    text_add_number(text, number > INT64_MAX ? INT64_MAX : (int64_t)number);
}

/* Prints microseconds as seconds, without trailing zeros. */
static void add_seconds(struct text *text, uint64_t us)
{
    enum { SECOND_US = 1000000 };
    add_number(text, us / SECOND_US);
    uint64_t rest = us % SECOND_US;
    if (rest > 0)
        text_add_char(text, '.');
    for (; rest > 0; rest = rest * 10 % SECOND_US)
        text_add_char(text, (char)('0' + rest * 10 / SECOND_US));
}

static void add_value(struct text *text, uint64_t value, enum exposition_unit unit)
{
    if (unit == EXPOSITION_SECONDS)
        add_seconds(text, value);
    else
        add_number(text, value);
}

static void add_sample(struct exposition *exposition, const char *suffix, const char *labels,
                       const char *bound, uint64_t value, enum exposition_unit unit)
{
    add_head(exposition, suffix, labels, bound);
    add_value(exposition->text, value, unit);
    text_add_char(exposition->text, '\n');
}

void exposition_number(struct exposition *exposition, const char *labels, uint64_t number)
{
    add_sample(exposition, "", labels, NULL, number, EXPOSITION_PLAIN);
}

void exposition_seconds(struct exposition *exposition, int64_t us)
{
    add_sample(exposition, "", "", NULL, us < 0 ? 0 : (uint64_t)us, EXPOSITION_SECONDS);
}

/* Buckets are counted separately and shown cumulatively. */
void exposition_histogram(struct exposition *exposition, const char *labels,
                          const struct histogram *histogram, const struct histogram_bounds *bounds,
                          enum exposition_unit unit)
{
    uint64_t count = 0;
    for (size_t i = 0; i <= bounds->count; i++) {
        char bytes[32] = "+Inf";
        struct text bound = TEXT_OVER(bytes);
        if (i < bounds->count)
            add_value(&bound, bounds->most[i], unit);
        else
            text_add(&bound, "+Inf");
        count += counter_read(&histogram->bucket[i]);
        add_sample(exposition, "_bucket", labels, bytes, count, EXPOSITION_PLAIN);
    }
    add_sample(exposition, "_sum", labels, NULL, counter_read(&histogram->sum), unit);
    add_sample(exposition, "_count", labels, NULL, count, EXPOSITION_PLAIN);
}

void exposition_counter(struct exposition *exposition, const char *name, const char *help,
                        uint64_t number)
{
    exposition_family(exposition, name, "counter", help);
    exposition_number(exposition, "", number);
}

void exposition_gauge(struct exposition *exposition, const char *name, const char *help,
                      uint64_t number)
{
    exposition_family(exposition, name, "gauge", help);
    exposition_number(exposition, "", number);
}

void exposition_labelled(struct exposition *exposition, const char *label, const char *value,
                         uint64_t number)
{
    char bytes[256];
    struct text labels = TEXT_OVER(bytes);
    text_add_all(&labels, label, "=\"", value, "\"");
    exposition_number(exposition, bytes, number);
}

char *exposition_page(exposition_show *show, const void *context, struct span *page)
{
    char *bytes = NULL;
    struct text text = {.overflow = true};
    for (size_t capacity = 256 * 1024; text.overflow; capacity *= 2) {
        free(bytes);
        bytes = must(malloc(capacity));
        text = (struct text){bytes, 0, capacity, false};
        struct exposition exposition = {.text = &text};
        show(&exposition, context);
    }
    *page = text_span(&text);
    return bytes;
}

/* ---- The process ---- */

static int64_t microseconds(struct timeval time)
{
    return (int64_t)time.tv_sec * 1000000 + time.tv_usec;
}

/* The total and resident pages of this process. False if the system does not report them. */
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
    exposition_seconds(exposition, microseconds(usage.ru_utime) + microseconds(usage.ru_stime));
    exposition_family(exposition, "process_start_time_seconds", "gauge",
                      "When it was started, seconds since 1970.");
    exposition_seconds(exposition, started_ms * 1000);
    show_memory(exposition);
}

/* ---- The last audit ---- */

enum { FILE_BYTES = 4096 };

/* The members of a result, with their families. */
static const struct figure {
    const char *name, *help;
    enum exposition_unit unit;
    size_t offset;
} figures[] = {
    {"tillroll_audit_finished_timestamp_seconds", "When the last audit ended, seconds since 1970.",
     EXPOSITION_PLAIN, offsetof(struct audit_result, finished_s)},
    {"tillroll_audit_duration_seconds", "How long the last audit took.", EXPOSITION_SECONDS,
     offsetof(struct audit_result, duration_us)},
    {"tillroll_audit_records", "Records that the last audit has looked at.", EXPOSITION_PLAIN,
     offsetof(struct audit_result, records)},
    {"tillroll_audit_records_damaged", "Records that the last audit has found damaged.",
     EXPOSITION_PLAIN, offsetof(struct audit_result, damaged)},
    {"tillroll_audit_status",
     "What the last audit has said: 0 all is good, 1 a record or the log is damaged, 2 it could "
     "not be judged.",
     EXPOSITION_PLAIN, offsetof(struct audit_result, status)},
};

enum { FIGURES = sizeof figures / sizeof figures[0] };

void audit_result_show(struct exposition *exposition, const struct audit_result *result)
{
    for (size_t i = 0; i < FIGURES; i++) {
        exposition_family(exposition, figures[i].name, "gauge", figures[i].help);
        if (result == NULL)
            continue;
        uint64_t value;
        memcpy(&value, (const char *)result + figures[i].offset, sizeof value);
        if (figures[i].unit == EXPOSITION_SECONDS)
            exposition_seconds(exposition, (int64_t)value);
        else
            exposition_number(exposition, "", value);
    }
}

static bool write_file(const char *path, struct span bytes)
{
    FILE *file = fopen(path, "we");
    if (file == NULL)
        return false;
    bool written = fwrite(bytes.at, 1, bytes.length, file) == bytes.length && fflush(file) == 0;
    return fclose(file) == 0 && written;
}

bool audit_result_store(const char *path, const struct audit_result *result, struct text *error)
{
    char bytes[FILE_BYTES];
    char new_bytes[4096];
    struct text text = TEXT_OVER(bytes);
    struct text new_path = TEXT_OVER(new_bytes);
    struct exposition exposition = {.text = &text};
    audit_result_show(&exposition, result);
    text_add(&new_path, path);
    text_add(&new_path, ".new");
    if (!new_path.overflow && write_file(new_path.at, text_span(&text)) &&
        rename(new_path.at, path) == 0)
        return true;
    text_add_all(error, path, ": ",
                 new_path.overflow ? "the name is too long" : strerrordesc_np(errno));
    return false;
}

/* Reads `12` or `0.5`, in the figure's own unit. */
static bool read_value(struct span word, enum exposition_unit unit, uint64_t *value)
{
    const char *point = memchr(word.at, '.', word.length);
    struct span whole = {word.at, point == NULL ? word.length : (size_t)(point - word.at)};
    if (!span_number(whole, UINT32_MAX * UINT64_C(1000), value))
        return false;
    if (unit == EXPOSITION_PLAIN)
        return point == NULL;
    *value *= 1000000;
    uint64_t place = 100000;
    for (size_t i = whole.length + 1; i < word.length; i++, place /= 10) {
        if (word.at[i] < '0' || word.at[i] > '9')
            return false;
        *value += place * (uint64_t)(word.at[i] - '0');
    }
    return true;
}

static bool read_figure(struct span line, struct audit_result *result, unsigned *seen)
{
    struct span name = span_word(&line);
    for (size_t i = 0; i < FIGURES; i++) {
        uint64_t value;
        if (!span_is(name, figures[i].name))
            continue;
        if (!read_value(line, figures[i].unit, &value))
            return false;
        memcpy((char *)result + figures[i].offset, &value, sizeof value);
        *seen |= 1U << i;
        return true;
    }
    return false;
}

bool audit_result_read(const char *path, struct audit_result *result)
{
    char bytes[FILE_BYTES];
    FILE *file = fopen(path, "re");
    if (file == NULL)
        return false;
    struct span rest = {bytes, fread(bytes, 1, sizeof bytes, file)};
    bool good = ferror(file) == 0;
    fclose(file);
    struct span line;
    unsigned seen = 0;
    while (good && span_line(&rest, &line))
        good = line.length == 0 || line.at[0] == '#' || read_figure(line, result, &seen);
    return good && seen == (1U << FIGURES) - 1;
}
