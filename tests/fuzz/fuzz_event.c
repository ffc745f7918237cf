/* The log of an event: a line of input is a kind, a blank and a detail in which <3> stands for the
 * id of player 3. The settings of `created` and `settings_changed` may be an organizer's. */
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "engine/tournament/event/tournament.h"
#include "support.h"
#include "tests/engine/support/told_event.h"

enum { LINES_MOST = 200, KIND_ROOM = 32, DETAIL_ROOM = 1 << 15 };

/* The detail of a line, or NULL. */
static json_t *read_detail(struct span from)
{
    static char bytes[DETAIL_ROOM];
    struct text text = TEXT_OVER(bytes);
    for (size_t i = 0; i < from.length; i++) {
        unsigned n = 0;
        size_t end = i + 1;
        for (; from.at[i] == '<' && end < from.length && end < i + 5; end++) {
            if (from.at[end] < '0' || from.at[end] > '9')
                break;
            n = 10 * n + (unsigned)(from.at[end] - '0');
        }
        if (n > 0 && end < from.length && from.at[end] == '>') {
            text_add_char(&text, '"');
            text_add(&text, told_id(n));
            text_add_char(&text, '"');
            i = end;
        } else {
            text_add_char(&text, from.at[i]);
        }
    }
    return text.overflow ? NULL : json_loadb(text.at, text.length, JSON_REJECT_DUPLICATES, NULL);
}

/* An organizer's settings as a log has them; others as they are. */
static json_t *full_settings(json_t *detail)
{
    struct tournament_settings settings;
    struct settings_fault fault;
    if (!settings_read(detail, true, &settings, &fault))
        return detail;
    json_t *full = settings_write(&settings);
    json_decref(detail);
    return full;
}

/* ---- A digest of all that an event is, without padding ---- */

struct digest {
    uint64_t value;
};

static void add_number(struct digest *digest, uint64_t number)
{
    digest->value = (digest->value ^ number) * 1099511628211U;
    digest->value ^= digest->value >> 29;
}

static void add_numbers(struct digest *digest, const uint64_t *numbers, size_t count)
{
    for (size_t i = 0; i < count; i++)
        add_number(digest, numbers[i]);
}

static void add_text(struct digest *digest, const char *text)
{
    for (; *text != '\0'; text++)
        add_number(digest, (uint8_t)*text);
}

static void add_entries(struct digest *digest, const uint16_t *entries, size_t count)
{
    for (size_t i = 0; i < count; i++)
        add_number(digest, entries[i]);
}

static void add_result(struct digest *digest, const struct table_result *result)
{
    add_number(digest, result->round);
    add_number(digest, result->table);
    add_number(digest, result->seats);
    for (unsigned i = 0; i < result->seats; i++) {
        const struct seat_result *seat = &result->seat[i];
        const uint64_t numbers[] = {seat->entry, seat->kind, seat->rank, (uint64_t)seat->score};
        add_numbers(digest, numbers, sizeof numbers / sizeof numbers[0]);
    }
}

static void add_entrants(struct digest *digest, const struct tournament *event)
{
    for (size_t i = 0; i < event->entrant_count; i++) {
        const struct entrant *entrant = &event->entrants[i];
        add_text(digest, entrant->player);
        add_number(digest, entrant->checked_in);
        add_number(digest, entrant->state);
        add_number(digest, entrant->number);
        add_number(digest, entrant->from);
        add_number(digest, entrant->entered);
        add_number(digest, (uint64_t)entrant->rating);
        add_number(digest, entrant->out);
        add_number(digest, entrant->full_bye);
        add_number(digest, entrant->half_bye);
        add_number(digest, entrant->zero_bye);
    }
    for (size_t i = 1; i <= event->numbered; i++)
        add_number(digest, tournament_entry_numbered(event, (uint16_t)i));
}

static void add_rounds(struct digest *digest, const struct tournament *event)
{
    for (size_t i = 0; i < event->round_count; i++) {
        const struct tournament_round *round = &event->rounds[i];
        const uint64_t numbers[] = {round->number,
                                    round->stage,
                                    round->attempt,
                                    round->changes,
                                    round->first_table,
                                    round->table_count,
                                    round->first_bye,
                                    round->bye_count,
                                    round->decided,
                                    round->boards,
                                    round->boards_started,
                                    round->drawn,
                                    (uint64_t)round->started_ms,
                                    (uint64_t)round->deadline_ms};
        add_numbers(digest, numbers, sizeof numbers / sizeof numbers[0]);
    }
}

static void add_tables(struct digest *digest, const struct tournament *event)
{
    for (size_t i = 0; i < event->table_count; i++) {
        const struct tournament_table *table = &event->tables[i];
        const uint64_t numbers[] = {table->round,      table->table, table->board,
                                    table->match,      table->stage, table->seats,
                                    table->has_result, table->ruled, table->played};
        add_numbers(digest, numbers, sizeof numbers / sizeof numbers[0]);
        add_entries(digest, table->entry, table->seats);
        if (table->has_result)
            add_result(digest, &table->result);
        if (table->played)
            add_result(digest, &table->game_result);
        add_text(digest, table->game);
    }
    for (size_t i = 0; i < event->bye_count; i++) {
        const struct tournament_bye *bye = &event->byes[i];
        const uint64_t numbers[] = {bye->round, bye->entry, bye->kind, bye->stage};
        add_numbers(digest, numbers, sizeof numbers / sizeof numbers[0]);
    }
}

static void add_others(struct digest *digest, const struct tournament *event)
{
    for (size_t i = 0; i < event->pair_count; i++) {
        const struct tournament_pair *pair = &event->pairs[i];
        const uint64_t numbers[] = {pair->a, pair->b, pair->weight};
        add_numbers(digest, numbers, sizeof numbers / sizeof numbers[0]);
    }
    for (size_t i = 0; i < event->challenge_count; i++) {
        const struct tournament_challenge *challenge = &event->challenges[i];
        const uint64_t numbers[] = {challenge->challenger, challenge->challenged, challenge->table,
                                    challenge->over, (uint64_t)challenge->at_ms};
        add_numbers(digest, numbers, sizeof numbers / sizeof numbers[0]);
    }
    for (size_t i = 0; i < event->queue_count; i++)
        add_number(digest, event->queue[i].entry);
    for (size_t i = 0; i < event->role_count; i++) {
        const struct tournament_role *role = &event->roles[i];
        add_text(digest, role->player);
        add_number(digest, role->organizer);
        add_number(digest, role->arbiter);
    }
}

static void add_stages(struct digest *digest, const struct tournament *event)
{
    for (size_t i = 0; i < event->stages; i++) {
        const struct tournament_stage *stage = &event->stage[i];
        add_number(digest, stage->entry_count);
        add_number(digest, stage->first_round);
        add_entries(digest, stage->entries, stage->entry_count);
    }
}

static void add_settings(struct digest *digest, const struct tournament *event)
{
    if (event->lines == 0)
        return;
    json_t *settings = settings_write(&event->settings);
    char *text = json_dumps(settings, JSON_COMPACT);
    FUZZ_MUST(text != NULL);
    add_text(digest, text);
    free(text);
    json_decref(settings);
}

static uint64_t digest_of(const struct tournament *event)
{
    struct digest digest = {14695981039346656037U};
    const uint64_t numbers[] = {
        event->phase,          event->entrant_count,  event->numbered,    event->stages,
        event->round_count,    event->rounds_started, event->attempts,    event->table_count,
        event->bye_count,      event->pair_count,     event->queue_count, event->open_tables,
        event->open_undecided, event->role_count,     event->lines,       (uint64_t)event->last_ms};
    add_numbers(&digest, numbers, sizeof numbers / sizeof numbers[0]);
    add_settings(&digest, event);
    add_entrants(&digest, event);
    add_stages(&digest, event);
    add_rounds(&digest, event);
    add_tables(&digest, event);
    add_others(&digest, event);
    return digest.value;
}

/* ---- The target ---- */

struct told {
    size_t count;
    char kind[LINES_MOST][KIND_ROOM];
    json_t *detail[LINES_MOST];
};

static bool apply(struct tournament *event, const char *kind, json_t *detail)
{
    struct refusal refusal = {NULL, NULL};
    const struct tournament_line line = {.number = event->lines + 1,
                                         .at_ms = 1000 * ((int64_t)event->lines + 1),
                                         .actor = "",
                                         .kind = kind,
                                         .detail = detail};
    bool taken = tournament_apply(event, &line, &refusal);
    FUZZ_MUST(taken || (refusal.code != NULL && refusal.message != NULL));
    return taken;
}

/* What is refused changes nothing. */
static void tell_line(struct tournament *event, struct told *told, struct span line)
{
    char *kind = told->kind[told->count];
    fuzz_string(span_word(&line), kind, KIND_ROOM);
    json_t *detail = read_detail(line);
    if (detail == NULL)
        return;
    if (strcmp(kind, "created") == 0 || strcmp(kind, "settings_changed") == 0)
        detail = full_settings(detail);
    uint64_t before = digest_of(event);
    if (apply(event, kind, detail)) {
        told->detail[told->count++] = detail;
        return;
    }
    json_decref(detail);
    FUZZ_MUST(digest_of(event) == before);
}

/* Entries are found by their ids, and queries have answers. */
static void ask(const struct tournament *event)
{
    size_t count = 0;
    for (size_t i = 0; i < event->entrant_count; i++) {
        FUZZ_MUST(tournament_entry(event, span_of(event->entrants[i].player)) == i);
        if (event->numbered > 0)
            tournament_presence(event, (uint16_t)i, event->rounds_started + 1U);
    }
    for (size_t i = 0; i < event->table_count; i++) {
        const struct tournament_table *table = &event->tables[i];
        FUZZ_MUST(tournament_table(event, table->round, table->table) != NULL);
        FUZZ_MUST(table->seats <= TOURNAMENT_SEATS_MAX);
        for (unsigned seat = 0; seat < table->seats; seat++)
            FUZZ_MUST(table->entry[seat] < event->entrant_count);
    }
    if (event->stages > 0) {
        struct table_result *results =
            tournament_results(event, 0, event->stages - 1, event->rounds_started, &count);
        FUZZ_MUST(results != NULL || count == 0);
        free(results);
    }
    tournament_stage(event);
    tournament_is_running(event);
}

/* The lines that were taken make the same event again, and a copy is like it. */
static void check_fold(const struct tournament *event, const struct told *told)
{
    struct tournament again;
    tournament_init(&again);
    for (size_t i = 0; i < told->count; i++)
        FUZZ_MUST(apply(&again, told->kind[i], told->detail[i]));
    FUZZ_MUST(digest_of(&again) == digest_of(event));
    tournament_free(&again);
    struct tournament *copy = tournament_copy(event);
    FUZZ_MUST(copy != NULL && digest_of(copy) == digest_of(event));
    tournament_free(copy);
    free(copy);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct fuzz_input input = fuzz_begin(bytes, size);
    struct tournament event;
    struct told *told = calloc(1, sizeof *told);
    if (told == NULL)
        return 0;
    tournament_init(&event);
    while (input.left > 0 && told->count < LINES_MOST)
        tell_line(&event, told, fuzz_line(&input));
    ask(&event);
    check_fold(&event, told);
    tournament_free(&event);
    for (size_t i = 0; i < told->count; i++)
        json_decref(told->detail[i]);
    free(told);
    return 0;
}
