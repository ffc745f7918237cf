/* A text is in NFC if decomposing, ordering and composing it gives the same text. Characters that
 * never occur in NFC are refused first, so the only characters left that decompose are
 * composites. */
#include "engine/base/nfc.h"

#include <assert.h>
#include <string.h>

#include "engine/base/nfc_tables.h"

enum { PARTS_MAX = 4 /* parts of a composite */, NEVER_BELOW = 0x300 };

enum {
    HANGUL = 0xac00,
    HANGUL_L = 0x1100,
    HANGUL_V = 0x1161,
    HANGUL_T = 0x11a7,
    HANGUL_L_COUNT = 19,
    HANGUL_V_COUNT = 21,
    HANGUL_T_COUNT = 28,
    HANGUL_COUNT = HANGUL_L_COUNT * HANGUL_V_COUNT * HANGUL_T_COUNT
};

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))

static bool is_within(uint32_t c, uint32_t first, uint32_t count)
{
    return c >= first && c - first < count;
}

static bool is_never(uint32_t c)
{
    size_t low = 0;
    for (size_t high = COUNT(nfc_never); low < high;) {
        size_t middle = (low + high) / 2;
        if (nfc_never[middle].last < c)
            low = middle + 1;
        else
            high = middle;
    }
    return low < COUNT(nfc_never) && nfc_never[low].first <= c;
}

static uint8_t class_of(uint32_t c)
{
    size_t low = 0;
    for (size_t high = COUNT(nfc_classes); low < high;) {
        size_t middle = (low + high) / 2;
        if (nfc_classes[middle].first + nfc_classes[middle].more < c)
            low = middle + 1;
        else
            high = middle;
    }
    return low < COUNT(nfc_classes) && nfc_classes[low].first <= c ? nfc_classes[low].class : 0;
}

/* ---- Decomposing ---- */

struct characters {
    uint32_t at[NFC_CHARACTERS_MAX * PARTS_MAX];
    size_t count;
};

static const struct nfc_composite *find_composite(uint32_t c)
{
    size_t low = 0;
    for (size_t high = COUNT(nfc_composites); low < high;) {
        size_t middle = (low + high) / 2;
        if (nfc_composites[middle].composite < c)
            low = middle + 1;
        else
            high = middle;
    }
    return low < COUNT(nfc_composites) && nfc_composites[low].composite == c ? &nfc_composites[low]
                                                                             : NULL;
}

/* Inserts after the characters of its own class or a lower one, back to the last starter. */
static void add_ordered(struct characters *text, uint32_t c)
{
    uint8_t class = class_of(c);
    size_t at = text->count;
    assert(text->count < COUNT(text->at));
    while (class > 0 && at > 0 && class_of(text->at[at - 1]) > class) {
        text->at[at] = text->at[at - 1];
        at--;
    }
    text->at[at] = c;
    text->count++;
}

static void decompose_hangul(struct characters *text, uint32_t c)
{
    uint32_t place = c - HANGUL;
    uint32_t t = place % HANGUL_T_COUNT;
    add_ordered(text, HANGUL_L + place / (HANGUL_V_COUNT * HANGUL_T_COUNT));
    add_ordered(text, HANGUL_V + place / HANGUL_T_COUNT % HANGUL_V_COUNT);
    if (t > 0)
        add_ordered(text, HANGUL_T + t);
}

/* Only the first part of a composite can itself be a composite. */
static void decompose(struct characters *text, uint32_t c)
{
    uint32_t seconds[PARTS_MAX];
    size_t count = 0;
    if (is_within(c, HANGUL, HANGUL_COUNT)) {
        decompose_hangul(text, c);
        return;
    }
    for (const struct nfc_composite *found; (found = find_composite(c)) != NULL; c = found->first) {
        assert(count < PARTS_MAX - 1);
        seconds[count++] = found->second;
    }
    add_ordered(text, c);
    while (count > 0)
        add_ordered(text, seconds[--count]);
}

/* ---- Composing ---- */

/* The composite of two characters; 0 for none. */
static uint32_t compose_pair(uint32_t first, uint32_t second)
{
    if (is_within(first, HANGUL_L, HANGUL_L_COUNT) && is_within(second, HANGUL_V, HANGUL_V_COUNT))
        return HANGUL +
               ((first - HANGUL_L) * HANGUL_V_COUNT + (second - HANGUL_V)) * HANGUL_T_COUNT;
    if (is_within(first, HANGUL, HANGUL_COUNT) && (first - HANGUL) % HANGUL_T_COUNT == 0 &&
        is_within(second, HANGUL_T + 1, HANGUL_T_COUNT - 1))
        return first + (second - HANGUL_T);
    size_t low = 0;
    for (size_t high = COUNT(nfc_by_parts); low < high;) {
        size_t middle = (low + high) / 2;
        const struct nfc_composite *pair = &nfc_composites[nfc_by_parts[middle]];
        if (pair->first < first || (pair->first == first && pair->second < second))
            low = middle + 1;
        else
            high = middle;
    }
    if (low == COUNT(nfc_by_parts))
        return 0;
    const struct nfc_composite *pair = &nfc_composites[nfc_by_parts[low]];
    return pair->first == first && pair->second == second ? pair->composite : 0;
}

/* UAX #15, D117: composes with the last starter unless a character between them blocks it. */
static void compose(struct characters *text)
{
    size_t kept = 0;
    size_t starter = 0;
    bool has_starter = false;
    uint8_t last = 0; /* the class of the last character kept */
    for (size_t i = 0; i < text->count; i++) {
        uint32_t c = text->at[i];
        uint8_t class = class_of(c);
        bool apart = kept > starter + 1 && last >= class;
        uint32_t made = has_starter && !apart ? compose_pair(text->at[starter], c) : 0;
        if (made != 0) {
            text->at[starter] = made;
            continue;
        }
        if (class == 0) {
            starter = kept;
            has_starter = true;
        }
        last = class;
        text->at[kept++] = c;
    }
    text->count = kept;
}

bool nfc_is(const uint32_t *characters, size_t count)
{
    struct characters text;
    bool simple = true;
    assert(count <= NFC_CHARACTERS_MAX);
    for (size_t i = 0; i < count; i++) {
        if (is_never(characters[i]))
            return false;
        simple = simple && characters[i] < NEVER_BELOW;
    }
    if (simple)
        return true;
    text.count = 0;
    for (size_t i = 0; i < count; i++)
        decompose(&text, characters[i]);
    compose(&text);
    return text.count == count && memcmp(text.at, characters, count * sizeof *characters) == 0;
}
