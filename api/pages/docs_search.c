#include "api/pages/docs_search.h"

#include <string.h>
#include <strings.h>

size_t docs_place(struct span text, struct span word)
{
    for (size_t i = 0; i + word.length <= text.length; i++)
        if (strncasecmp(text.at + i, word.at, word.length) == 0)
            return i;
    return text.length;
}

static bool has(struct span text, struct span word)
{
    return docs_place(text, word) < text.length;
}

static struct span cut_field(struct span *line)
{
    const char *tab = memchr(line->at, '\t', line->length);
    size_t length = tab == NULL ? line->length : (size_t)(tab - line->at);
    struct span field = {line->at, length};
    size_t skipped = tab == NULL ? length : length + 1;
    *line = (struct span){line->at + skipped, line->length - skipped};
    return field;
}

static unsigned worth(struct span text, struct span word, unsigned points)
{
    return has(text, word) ? points : 0;
}

/* 0 if a word does not occur. */
static unsigned score_of(const struct docs_found *section, const struct span *words, size_t count)
{
    enum { IN_HEADING = 8, IN_TITLE = 4, IN_TEXT = 1 };
    unsigned score = 0;
    for (size_t i = 0; i < count; i++) {
        unsigned of_word = worth(section->heading, words[i], IN_HEADING) +
                           worth(section->page, words[i], IN_TITLE) +
                           worth(section->text, words[i], IN_TEXT);
        if (of_word == 0)
            return 0;
        score += of_word;
    }
    return score;
}

/* Keeps the best matches in order. */
static size_t keep(struct docs_found *found, size_t count, const struct docs_found *section)
{
    size_t at = count;
    while (at > 0 && found[at - 1].score < section->score)
        at--;
    if (at == DOCS_FOUND_MAX)
        return count;
    size_t kept = count < DOCS_FOUND_MAX ? count + 1 : count;
    memmove(&found[at + 1], &found[at], (kept - at - 1) * sizeof *found);
    found[at] = *section;
    return kept;
}

size_t docs_search(struct span index, const struct span *words, size_t count,
                   struct docs_found found[static DOCS_FOUND_MAX])
{
    size_t kept = 0;
    for (struct span line; span_line(&index, &line);) {
        struct docs_found section;
        section.address = cut_field(&line);
        section.page = cut_field(&line);
        section.heading = cut_field(&line);
        section.text = line;
        section.score = score_of(&section, words, count);
        if (section.score > 0)
            kept = keep(found, kept, &section);
    }
    return kept;
}
