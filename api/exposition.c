#include "api/exposition.h"

static void add_help(struct exposition *exposition, const char *word, const char *rest)
{
    struct text *text = exposition->text;
    text_add(text, "# ");
    text_add(text, word);
    text_add_char(text, ' ');
    text_add(text, exposition->name);
    text_add_char(text, ' ');
    text_add(text, rest);
    text_add_char(text, '\n');
}

void exposition_family(struct exposition *exposition, const char *name, const char *type,
                       const char *help)
{
    exposition->name = name;
    add_help(exposition, "HELP", help);
    add_help(exposition, "TYPE", type);
}

/* Name and labels, up to the value; `bound` is that of a bucket, or NULL. */
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
        text_add(text, labelled ? ",le=\"" : "le=\"");
        text_add(text, bound);
        text_add_char(text, '"');
    }
    if (labelled || bound != NULL)
        text_add_char(text, '}');
    text_add_char(text, ' ');
}

static void add_number(struct text *text, uint64_t number)
{
    text_add_number(text, number > INT64_MAX ? INT64_MAX : (int64_t)number);
}

/* Millionths, without zeros at the end. */
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

void exposition_seconds(struct exposition *exposition, const char *labels, int64_t us)
{
    add_sample(exposition, "", labels, NULL, us < 0 ? 0 : (uint64_t)us, EXPOSITION_SECONDS);
}

/* Buckets are counted apart and shown with all that are below them. */
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
