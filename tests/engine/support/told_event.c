#include "tests/engine/support/told_event.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/tournament/pairing/pairing.h"

enum { TEXT_MOST = 1 << 18, IDS = 4 };

static _Noreturn void give_up(const char *what, const char *why)
{
    fprintf(stderr, "told_event: %s: %s\n", what, why);
    abort();
}

const char *told_id(unsigned n)
{
    static char ids[IDS][TOURNAMENT_ID_BYTES];
    static unsigned next;
    char *id = ids[next++ % IDS];
    snprintf(id, TOURNAMENT_ID_BYTES, "00000000-0000-7000-8000-%012u", n % 10000);
    return id;
}

static json_t *read_short(const char *from)
{
    static char buffer[TEXT_MOST];
    struct text text = TEXT_OVER(buffer);
    while (*from != '\0') {
        char *end;
        unsigned long n = *from == '<' ? strtoul(from + 1, &end, 10) : 0;
        if (n > 0 && *end == '>') {
            text_add_char(&text, '"');
            text_add(&text, told_id((unsigned)n));
            text_add_char(&text, '"');
            from = end + 1;
        } else {
            text_add_char(&text, *from == '\'' ? '"' : *from);
            from++;
        }
    }
    json_t *value = json_loads(buffer, JSON_DECODE_ANY, NULL);
    if (value == NULL || text.overflow)
        give_up("no JSON", buffer);
    return value;
}

static json_t *told;

void tell_into(json_t *lines)
{
    told = lines;
}

static char actor[TOURNAMENT_ID_BYTES];

void tell_as(unsigned n)
{
    actor[0] = '\0';
    if (n > 0)
        memcpy(actor, told_id(n), sizeof actor);
}

static void apply(struct tournament *event, const char *kind, json_t *detail)
{
    struct refusal refusal;
    const struct tournament_line line = {.number = event->lines + 1,
                                         .at_ms = 1000 * ((int64_t)event->lines + 1),
                                         .actor = actor,
                                         .kind = kind,
                                         .detail = detail};
    if (!tournament_apply(event, &line, &refusal))
        give_up(kind, refusal.message);
    if (told != NULL)
        json_array_append_new(told, json_pack("{sssIsOsssI}", "actor", actor, "at",
                                              (json_int_t)line.at_ms, "detail", detail, "kind",
                                              kind, "line", (json_int_t)line.number));
    json_decref(detail);
}

void tell(struct tournament *event, const char *kind, const char *format, ...)
{
    static char text[TEXT_MOST];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    apply(event, kind, read_short(text));
}

static void create(struct tournament *event, const char *written)
{
    struct tournament_settings settings;
    struct settings_fault fault = {.field = ""};
    json_t *document = read_short(written);
    if (!settings_read(document, true, &settings, &fault))
        give_up(fault.field, fault.message);
    apply(event, "created", settings_write(&settings));
    json_decref(document);
}

void tell_entries(struct tournament *event, const char *settings, unsigned players)
{
    json_t *numbers = json_array();
    tournament_init(event);
    create(event, settings);
    tell(event, "entries_opened", "{}");
    for (unsigned n = 1; n <= players; n++) {
        tell(event, "entered", "{'player':<%u>,'rating':%u}", n, 1000 + n);
        json_array_append_new(numbers, json_string(told_id(n)));
    }
    apply(event, "entries_closed", json_pack("{so}", "numbers", numbers));
}

/* `1 2 / 3 4` as [[1,2],[3,4]], without `/` as [1,2]. */
static json_t *read_numbers(const char *from, bool nested)
{
    json_t *list = json_array();
    json_t *inner = nested ? json_array() : list;
    while (*from != '\0') {
        char *end;
        unsigned long n = strtoul(from, &end, 10);
        if (end != from) {
            json_array_append_new(inner, json_integer((json_int_t)n));
            from = end;
        } else if (*from++ == '/') {
            json_array_append_new(list, inner);
            inner = json_array();
        }
    }
    if (nested)
        json_array_append_new(list, inner);
    return list;
}

void tell_stage(struct tournament *event, const char *numbers)
{
    json_t *entries = read_numbers(numbers, false);
    for (size_t n = 1; *numbers == '\0' && n <= event->numbered; n++)
        json_array_append_new(entries, json_integer((json_int_t)n));
    apply(event, "stage_started",
          json_pack("{sIso}", "stage", (json_int_t)event->stages + 1, "entries", entries));
}

void tell_round(struct tournament *event, const char *tables, const char *byes, const char *absent)
{
    int round = event->rounds_started + 1;
    apply(event, "round_drawn",
          json_pack("{sisIsisososos{}}", "round", round, "stage", (json_int_t)event->stages,
                    "attempt", 1, "tables", read_numbers(tables, true), "byes",
                    read_numbers(byes, false), "absent",
                    read_short(*absent == '\0' ? "[]" : absent), "quality"));
    apply(event, "round_started", json_pack("{sisn}", "round", round, "deadline"));
}

static void tell_drawn(struct tournament *event, const struct chance *chance, bool by_hand)
{
    struct pairing draw, changed;
    struct refusal refusal;
    if (!pairing_next(event, chance, event->attempts + 1U, &draw, &refusal))
        give_up("draw", refusal.message);
    json_t *stage = pairing_stage_line(event, &draw);
    json_t *round = pairing_round_line(event, &draw);
    if (stage != NULL)
        apply(event, "stage_started", stage);
    apply(event, "round_drawn", round);
    if (by_hand) {
        uint16_t first = draw.tables[0].entry[0];
        draw.tables[0].entry[0] = draw.tables[1].entry[0];
        draw.tables[1].entry[0] = first;
        if (!pairing_change(event, chance, draw.attempt, &draw, NULL, &changed, &refusal))
            give_up("change", refusal.message);
        apply(event, "round_changed", pairing_change_line(event, &changed, "by hand"));
        pairing_free(&changed);
    }
    apply(event, "round_started", json_pack("{sisn}", "round", draw.round, "deadline"));
    pairing_free(&draw);
}

void tell_draw(struct tournament *event, const struct chance *chance)
{
    tell_drawn(event, chance, false);
}

void tell_draw_by_hand(struct tournament *event, const struct chance *chance)
{
    tell_drawn(event, chance, true);
}

static const char *kind_of(char letter)
{
    switch (letter) {
    case '+':
        return round_kind_name(ROUND_FORFEIT_WIN);
    case '-':
        return round_kind_name(ROUND_FORFEIT_LOSS);
    case 'v':
        return round_kind_name(ROUND_VOID);
    case 'a':
        return round_kind_name(ROUND_ADJUDICATED);
    default:
        return NULL;
    }
}

static json_t *read_ranks(struct tournament *event, unsigned round, unsigned table,
                          const char *ranks)
{
    json_t *seats = json_array();
    const struct tournament_table *at = tournament_table(event, round, table);
    if (at == NULL)
        give_up("no such table", ranks);
    for (unsigned seat = 0; seat < at->seats; seat++) {
        char *end;
        int rank = (int)strtoul(ranks, &end, 10);
        json_t *each = json_pack("[iii]", event->entrants[at->entry[seat]].number, rank,
                                 *end == 'v' ? 0 : 10 * (1 + at->seats - rank));
        if (kind_of(*end) != NULL)
            json_array_append_new(each, json_string(kind_of(*end++)));
        json_array_append_new(seats, each);
        ranks = end;
    }
    return seats;
}

void tell_result(struct tournament *event, unsigned round, unsigned table, const char *ranks)
{
    apply(event, "result",
          json_pack("{sisissso}", "round", (int)round, "table", (int)table, "game",
                    told_id(9000 + table), "seats", read_ranks(event, round, table, ranks)));
}

void tell_results(struct tournament *event, unsigned round, const char *ranks)
{
    tell_result(event, round, 1, ranks);
    for (unsigned table = 2; (ranks = strchr(ranks, '/')) != NULL; table++)
        tell_result(event, round, table, ++ranks);
}

void tell_ruling(struct tournament *event, unsigned round, unsigned table, const char *ranks)
{
    apply(event, "ruled",
          json_pack("{sisisoss}", "round", (int)round, "table", (int)table, "seats",
                    read_ranks(event, round, table, ranks), "reason", "for a test"));
}
