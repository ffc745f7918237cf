#include "api/pages/docs_search.h"

#include <string.h>
#include <strings.h>

/* ---- Words ---- */

enum { OTHERS_MOST = 3, SHORTEST = 4 /* bytes of a word without its ending */ };

/* Words that readers search for, and the pages' words for them. Each entry applies to all words
 * that begin with it. */
static const struct {
    const char *asked;
    const char *others[OTHERS_MOST];
} renamed[] = {{"abandon", {"leave the game", "leave a casual", "forfeit"}},
               {"cheat", {"dishonest", "collusion"}},
               {"computer", {"house player", "levels of play"}},
               {"docker", {"container"}},
               {"elo", {"rating"}},
               {"fair", {"luck", "dishonest"}},
               {"falsif", {"forged", "dishonest"}},
               {"fraud", {"dishonest", "forged"}},
               {"hack", {"dishonest", "forged"}},
               {"knockout", {"elimination"}},
               {"latecomer", {"late entries", "late"}},
               {"login", {"sign in", "signs in"}},
               {"logout", {"sign out", "session"}},
               {"manipulat", {"dishonest", "forged"}},
               {"mobile", {"phone"}},
               {"notif", {"notice", "be told"}},
               {"privacy", {"delete your account", "copy of your data"}},
               {"provabl", {"prove", "proof"}},
               {"quit", {"leave the game", "leave a casual", "withdraw"}},
               {"resign", {"leave the game", "leave a casual", "forfeit"}},
               {"robot", {"bot"}},
               {"signup", {"register"}},
               {"surrender", {"leave the game", "leave a casual", "forfeit"}},
               {"tamper", {"dishonest", "forged"}},
               {"timezone", {"time zone"}}};

static const char *const word_endings[] = {"ing", "ed", "es", "s"};

static bool begins(struct span text, struct span word)
{
    return text.length >= word.length && strncasecmp(text.at, word.at, word.length) == 0;
}

static bool is_letter(char each)
{
    return (each >= 'a' && each <= 'z') || (each >= 'A' && each <= 'Z');
}

/* The next place of these letters at or after `from`; `text.length` if there is none. Upper and
 * lower case differ in one bit, so comparing a first letter rules out most places without a call.
 */
static size_t next_place(struct span text, size_t from, struct span word)
{
    enum { CASE = 'a' ^ 'A' };
    const char first = word.length == 0 ? '\0' : (char)(word.at[0] | CASE);
    for (size_t i = from; i + word.length <= text.length; i++)
        if ((first == '\0' || (text.at[i] | CASE) == first) &&
            begins((struct span){text.at + i, text.length - i}, word))
            return i;
    return text.length;
}

/* The first place at which a word begins with these letters; empty if there is none. */
static struct span find_beginning(struct span text, struct span word)
{
    size_t at = next_place(text, 0, word);
    while (at < text.length && at > 0 && is_letter(text.at[at - 1]))
        at = next_place(text, at + 1, word);
    return (struct span){text.at + (at < text.length ? at : 0), at < text.length ? word.length : 0};
}

/* The first place of these letters, also within words; empty if there is none. */
static struct span find_within(struct span text, struct span word)
{
    size_t at = next_place(text, 0, word);
    return (struct span){text.at + (at < text.length ? at : 0), at < text.length ? word.length : 0};
}

static struct span without_ending(struct span word)
{
    for (size_t i = 0; i < sizeof word_endings / sizeof word_endings[0]; i++) {
        const struct span ending = span_of(word_endings[i]);
        if (word.length < SHORTEST + ending.length)
            continue;
        const size_t stem = word.length - ending.length;
        if (begins((struct span){word.at + stem, ending.length}, ending))
            return (struct span){word.at, stem};
    }
    return word;
}

/* The first place of a synonym of the word. */
static struct span find_synonym(struct span text, struct span word)
{
    struct span found = {text.at, 0};
    for (size_t i = 0; found.length == 0 && i < sizeof renamed / sizeof renamed[0]; i++)
        for (size_t j = 0; j < OTHERS_MOST && begins(word, span_of(renamed[i].asked)); j++)
            if (found.length == 0 && renamed[i].others[j] != NULL)
                found = find_beginning(text, span_of(renamed[i].others[j]));
    return found;
}

/* Rates the match of a word in the text, 0 if there is none, and sets its place. Most texts do not
 * contain the stem, which one search shows. */
static unsigned find(struct span text, struct span word, struct span *place)
{
    enum { BEGINS = 4, OTHER = 2, WITHIN = 1 };
    const struct span stem = without_ending(word);
    const bool there = find_within(text, stem).length > 0;
    *place = there ? find_beginning(text, word) : (struct span){text.at, 0};
    if (place->length > 0)
        return BEGINS;
    if (there)
        *place = find_beginning(text, stem);
    if (place->length == 0)
        *place = find_synonym(text, word);
    if (place->length > 0)
        return OTHER;
    if (there)
        *place = find_within(text, word);
    return place->length > 0 ? WITHIN : 0;
}

struct span docs_place(struct span text, struct span word)
{
    struct span place;
    find(text, word, &place);
    return place;
}

/* ---- Sections ---- */

static struct span cut_field(struct span *line)
{
    const char *tab = memchr(line->at, '\t', line->length);
    size_t length = tab == NULL ? line->length : (size_t)(tab - line->at);
    struct span field = {line->at, length};
    size_t skipped = tab == NULL ? length : length + 1;
    *line = (struct span){line->at + skipped, line->length - skipped};
    return field;
}

static unsigned rate(struct span text, struct span word, unsigned points)
{
    struct span place;
    return points * find(text, word, &place);
}

/* The score of a section; 0 if a word does not occur. */
static unsigned score_of(const struct docs_found *section, const struct span *words, size_t count)
{
    enum { IN_HEADING = 8, IN_TITLE = 4, IN_TEXT = 1 };
    unsigned score = 0;
    for (size_t i = 0; i < count; i++) {
        unsigned of_word = rate(section->heading, words[i], IN_HEADING) +
                           rate(section->page, words[i], IN_TITLE) +
                           rate(section->text, words[i], IN_TEXT);
        if (of_word == 0)
            return 0;
        score += of_word;
    }
    return score;
}

/* Inserts a section into the best matches, which are in order. */
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
