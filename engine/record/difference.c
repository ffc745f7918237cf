#include "engine/record/difference.h"

#include <string.h>

#include "engine/record/record_parts.h"

enum { MARK = sizeof " #01234567" - 1 };

struct step {
    uint32_t seq;
    enum record_kind kind;
    struct span place; /* of a `bind` */
    struct span entry;
};

struct side {
    struct step *steps;
    size_t count;
};

/* Whether a kind of entry says what happened at the table. */
static bool counts(enum record_kind kind)
{
    return kind == RECORD_BIND || kind == RECORD_DEAL || kind == RECORD_PLY || kind == RECORD_SHOW;
}

/* Whether it goes back to before entry `target`. */
static bool goes_back(const struct record_entry *entry)
{
    return entry->kind == RECORD_BACK || entry->kind == RECORD_UNDO || record_takes_back(entry);
}

/* `<seq> <seat> <elapsed ms> <what>` without its first and third word. */
static struct span without_numbers(struct arena *arena, struct span line)
{
    (void)span_word(&line);
    struct span who = span_word(&line);
    (void)span_word(&line);
    char *at = arena_room(arena, who.length + line.length + 2);
    struct text text = {at, 0, who.length + line.length + 2, false};
    text_add_span(&text, who);
    text_add_char(&text, ' ');
    text_add_span(&text, line);
    return text_span(&text);
}

static size_t count_lines(struct span record)
{
    size_t lines = 0;
    struct span line;
    while (span_line(&record, &line))
        lines++;
    return lines;
}

static void read_side(struct arena *arena, struct span record, struct side *side)
{
    struct span line;
    bool header = true;
    *side =
        (struct side){.steps = arena_array(arena, count_lines(record) + 1, sizeof *side->steps)};
    while (span_line(&record, &line)) {
        struct record_entry entry;
        struct record_fault fault;
        line.length -= line.length < MARK ? line.length : MARK;
        if (header) {
            header = !(line.length > 6 && memcmp(line.at, "start ", 6) == 0);
            continue;
        }
        if (!record_read_entry(line, &entry, &fault))
            continue; /* the last line, `head` */
        while (goes_back(&entry) && side->count > 0 &&
               side->steps[side->count - 1].seq >= entry.target)
            side->count--;
        if (counts(entry.kind))
            side->steps[side->count++] = (struct step){
                .seq = entry.seq,
                .kind = entry.kind,
                .place = entry.kind == RECORD_BIND ? entry.place : (struct span){NULL, 0},
                .entry = without_numbers(arena, line)};
    }
    /* `bind` lines are compared together with the step that they belong to. */
    while (side->count > 0 && side->steps[side->count - 1].kind == RECORD_BIND)
        side->count--;
}

/* The `bind` lines of each step by their places; those of one place stay in order. A step has room
 * for few of them (TOLD_BYTES). */
static void sort_told(struct side *side)
{
    for (size_t i = 1; i < side->count; i++)
        for (size_t k = i; k > 0 && side->steps[k].kind == RECORD_BIND &&
                           side->steps[k - 1].kind == RECORD_BIND &&
                           span_compare(side->steps[k - 1].place, side->steps[k].place) > 0;
             k--) {
            struct step step = side->steps[k];
            side->steps[k] = side->steps[k - 1];
            side->steps[k - 1] = step;
        }
}

void record_difference(struct arena *arena, const struct span record[static DIFFERENCE_SIDES],
                       struct difference *difference)
{
    struct side side[DIFFERENCE_SIDES];
    size_t at = 0;
    *difference = (struct difference){.differs = false};
    for (size_t i = 0; i < DIFFERENCE_SIDES; i++) {
        read_side(arena, record[i], &side[i]);
        sort_told(&side[i]);
    }
    while (at < side[0].count && at < side[1].count &&
           span_equal(side[0].steps[at].entry, side[1].steps[at].entry)) {
        difference->plies += side[0].steps[at].kind == RECORD_PLY;
        at++;
    }
    for (size_t i = 0; i < DIFFERENCE_SIDES; i++)
        if (at < side[i].count) {
            difference->side[i].seq = side[i].steps[at].seq;
            difference->side[i].entry = side[i].steps[at].entry;
        }
    difference->differs = at < side[0].count && at < side[1].count;
}
