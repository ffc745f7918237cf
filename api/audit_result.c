#include "api/audit_result.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { FILE_BYTES = 4096 };

/* What is shown, and where it stands. */
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
            exposition_seconds(exposition, "", (int64_t)value);
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
    text_add(error, path);
    text_add(error, ": ");
    text_add(error, new_path.overflow ? "the name is too long" : strerrordesc_np(errno));
    return false;
}

/* `12` or `0.5`, in the figure's own unit. */
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
