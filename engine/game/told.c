#include "engine/game/told.h"

#include <string.h>

static bool is_word(struct span word)
{
    for (size_t i = 0; i < word.length; i++)
        if (word.at[i] <= ' ' || word.at[i] > '~')
            return false;
    return word.length > 0 && word.length <= TOLD_WORD_MAX;
}

bool told_add(struct told *told, struct span place, struct span component)
{
    size_t size = place.length + component.length + 2;
    if (!is_word(place) || !is_word(component) || told->used + size > sizeof told->lines)
        return false;
    char *at = told->lines + told->used;
    memcpy(at, place.at, place.length);
    at[place.length] = ' ';
    memcpy(at + place.length + 1, component.at, component.length);
    at[size - 1] = '\n';
    told->used = (uint16_t)(told->used + size);
    return true;
}

static void copy_word(char word[static TOLD_WORD_MAX + 1], struct span from)
{
    memcpy(word, from.at, from.length);
    word[from.length] = '\0';
}

/* Removes a line of these lines; its words have been copied. */
static void remove_line(struct told *told, struct span line)
{
    size_t at = (size_t)(line.at - told->lines);
    size_t size = line.length + 1;
    memmove(told->lines + at, told->lines + at + size, told->used - at - size);
    told->used = (uint16_t)(told->used - size);
    memset(told->lines + told->used, 0, size);
}

bool told_pop(struct told *told, char place[static TOLD_WORD_MAX + 1],
              char component[static TOLD_WORD_MAX + 1])
{
    struct span rest = {told->lines, told->used};
    struct span line;
    if (!span_line(&rest, &line))
        return false;
    struct span words = line;
    copy_word(place, span_word(&words));
    copy_word(component, words);
    remove_line(told, line);
    return true;
}

static struct told *told_of(const struct chance *chance)
{
    return chance == NULL ? NULL : chance->told;
}

bool told_listens(const struct chance *chance)
{
    const struct told *told = told_of(chance);
    return told != NULL && told->listens;
}

static void note_fault(struct told *told, enum told_fault fault)
{
    if (told->fault == TOLD_GOOD)
        told->fault = (uint8_t)fault;
}

bool told_take(const struct chance *chance, const char *place, struct span *component)
{
    struct told *told = told_of(chance);
    if (told == NULL || told->listens || told->fault != TOLD_GOOD)
        return false;
    struct span rest = {told->lines, told->used};
    struct span line;
    copy_word(told->place, span_of(place));
    told->component[0] = '\0';
    while (span_line(&rest, &line)) {
        struct span words = line;
        if (!span_is(span_word(&words), place))
            continue;
        copy_word(told->component, words);
        remove_line(told, line);
        *component = span_of(told->component);
        return true;
    }
    note_fault(told, TOLD_MISSING);
    return false;
}

void told_hear(const struct chance *chance, const char *place, struct span component)
{
    if (told_listens(chance) && !told_add(chance->told, span_of(place), component))
        note_fault(chance->told, TOLD_IMPOSSIBLE);
}

void told_refuse(const struct chance *chance)
{
    struct told *told = told_of(chance);
    if (told != NULL)
        note_fault(told, TOLD_IMPOSSIBLE);
}

uint8_t told_draw_told(const struct chance *chance, const char *place, uint8_t *items, size_t count,
                       struct names names)
{
    struct span component;
    if (told_listens(chance))
        told_hear(chance, place, names_at(names, items[0]));
    if (!told_take(chance, place, &component))
        return TOLD_NONE;
    uint8_t wanted = names_find(names, component);
    if (wanted == TOLD_NONE) {
        told_refuse(chance);
        return TOLD_NONE;
    }
    uint8_t *found = memchr(items, wanted, count);
    if (found == NULL)
        return wanted;
    *found = items[0];
    items[0] = wanted;
    return TOLD_NONE;
}

void told_seat_place(char place[static TOLD_WORD_MAX + 1], const char *word, unsigned seat)
{
    struct text text = {.at = place, .capacity = TOLD_WORD_MAX + 1};
    text_add(&text, word);
    text_add_char(&text, '-');
    text_add_number(&text, seat);
}
