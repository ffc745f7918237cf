#include "api/cli/figures.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "db/link/now.h"

#include "engine/base/arena.h"

enum { BUCKETS_MAX = 64 };

/* ---- Reading ---- */

/* Reads `name{labels} value` or `name value`, NUL-terminated. */
static bool read_sample(struct span line, struct sample *sample)
{
    size_t name = strcspn(line.at, "{ ");
    const char *rest = line.at + name;
    sample->name = (struct span){line.at, name};
    sample->labels = (struct span){rest, 0};
    if (*rest == '{') {
        const char *end = strstr(rest, "\"} ");
        if (end == NULL)
            return false;
        sample->labels = (struct span){rest + 1, (size_t)(end - rest)};
        rest = end + 2;
    }
    char *end;
    sample->value = strtod(rest, &end);
    return name > 0 && *rest == ' ' && end != rest && *end == '\0';
}

static size_t count_lines(const char *text)
{
    size_t lines = 0;
    for (const char *at = text; (at = strchr(at, '\n')) != NULL; at++)
        lines++;
    return lines;
}

bool figures_read(struct figures *figures, char *text)
{
    *figures = (struct figures){.text = text, .at_s = 1e-6 * (double)now_us(CLOCK_MONOTONIC)};
    figures->sample = must(calloc(count_lines(text) + 1, sizeof *figures->sample));
    bool good = true;
    for (char *line = strtok(text, "\n"); good && line != NULL; line = strtok(NULL, "\n")) {
        if (line[0] != '#')
            good = read_sample(span_of(line), &figures->sample[figures->count++]);
    }
    if (!good)
        figures_free(figures);
    return good;
}

void figures_free(struct figures *figures)
{
    free(figures->text);
    free(figures->sample);
    *figures = (struct figures){.text = NULL};
}

/* ---- Sums ---- */

static bool contains(struct span labels, const char *label)
{
    return memmem(labels.at, labels.length, label, strlen(label)) != NULL;
}

static bool is_wanted(const struct sample *sample, struct span name, const char *label)
{
    return span_equal(sample->name, name) && (label[0] == '\0' || contains(sample->labels, label));
}

double figures_sum(const struct figures *figures, const char *name, const char *label)
{
    double sum = 0;
    for (size_t i = 0; i < figures->count; i++)
        if (is_wanted(&figures->sample[i], span_of(name), label))
            sum += figures->sample[i].value;
    return sum;
}

struct span figures_label(struct span labels, const char *label)
{
    char bytes[64];
    struct text wanted = TEXT_OVER(bytes);
    text_add(&wanted, label);
    text_add(&wanted, "=\"");
    const char *at = memmem(labels.at, labels.length, wanted.at, wanted.length);
    if (at == NULL)
        return (struct span){NULL, 0};
    at += wanted.length;
    const char *end = memchr(at, '"', (size_t)(labels.at + labels.length - at));
    return (struct span){at, end == NULL ? 0 : (size_t)(end - at)};
}

double figures_growth(const struct figures_change *change, const char *name, const char *label)
{
    double before = figures_sum(change->before, name, label);
    double after = figures_sum(change->after, name, label);
    return after < before ? after : after - before;
}

double figures_rate(const struct figures_change *change, const char *name, const char *label)
{
    return change->seconds > 0 ? figures_growth(change, name, label) / change->seconds : 0;
}

/* ---- Histograms ---- */

struct bucket {
    double most; /* INFINITY for the last */
    double count;
};

static struct bucket *find_bucket(struct bucket *bucket, size_t *count, double most)
{
    size_t i = 0;
    while (i < *count && bucket[i].most < most)
        i++;
    if (i < *count && bucket[i].most == most)
        return &bucket[i];
    if (*count == BUCKETS_MAX)
        return NULL;
    memmove(&bucket[i + 1], &bucket[i], (*count - i) * sizeof *bucket);
    bucket[i] = (struct bucket){most, 0};
    ++*count;
    return &bucket[i];
}

/* Adds the buckets of all matching samples, `sign` times. */
static void add_buckets(const struct figures *figures, struct span name, const char *label,
                        double sign, struct bucket *bucket, size_t *count)
{
    for (size_t i = 0; i < figures->count; i++) {
        const struct sample *sample = &figures->sample[i];
        if (!is_wanted(sample, name, label))
            continue;
        struct span most = figures_label(sample->labels, "le");
        bool last = span_is(most, "+Inf");
        struct bucket *place =
            most.at == NULL ? NULL
                            : find_bucket(bucket, count, last ? INFINITY : strtod(most.at, NULL));
        if (place != NULL)
            place->count += sign * sample->value;
    }
}

/* Buckets are cumulative. */
static double find_quantile(const struct bucket *bucket, size_t count, double part)
{
    double wanted = part * bucket[count - 1].count;
    size_t i = 0;
    while (i + 1 < count && bucket[i].count < wanted)
        i++;
    double low = i == 0 ? 0 : bucket[i - 1].most;
    double below = i == 0 ? 0 : bucket[i - 1].count;
    if (isinf(bucket[i].most) || bucket[i].count <= below)
        return low;
    return low + (bucket[i].most - low) * (wanted - below) / (bucket[i].count - below);
}

double figures_quantile(const struct figures_change *change, const char *name, const char *label,
                        double part)
{
    struct bucket bucket[BUCKETS_MAX];
    size_t count = 0;
    char bytes[128];
    struct text buckets = TEXT_OVER(bytes);
    text_add(&buckets, name);
    text_add(&buckets, "_bucket");
    add_buckets(change->after, text_span(&buckets), label, 1, bucket, &count);
    add_buckets(change->before, text_span(&buckets), label, -1, bucket, &count);
    if (count == 0 || bucket[count - 1].count <= 0)
        return -1;
    return find_quantile(bucket, count, part);
}
