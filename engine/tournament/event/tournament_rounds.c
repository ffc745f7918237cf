/* Lines about stages, rounds and tables. */
#include <stdlib.h>
#include <string.h>

#include "engine/base/json.h"
#include "engine/tournament/event/tournament_parts.h"

/* ---- Stages ---- */

static bool has_rounds(const struct tournament *event)
{
    const struct stage_settings *stage = tournament_stage(event);
    return stage != NULL && tournament_format_has_rounds(stage->format);
}

/* Makes room for the entries of a stage, which late entries can extend. */
static struct tournament_stage *make_stage(struct taking *taking)
{
    struct tournament *event = taking->event;
    struct tournament_stage *stage = &event->stage[event->stages];
    stage->entries = calloc(TOURNAMENT_ENTRIES_MAX, sizeof *stage->entries);
    stage->entry_count = 0;
    stage->first_round = (uint16_t)(event->rounds_started + 1);
    return stage->entries != NULL || no_memory(taking) ? stage : NULL;
}

static void begin_stage(struct tournament *event)
{
    event->stages++;
    event->phase = PHASE_RUNNING;
}

bool begin_open_stage(struct taking *taking)
{
    struct tournament *event = taking->event;
    if (event->stages > 0)
        return true;
    if (event->phase != PHASE_ENTRIES_CLOSED)
        return not_now(taking, "Close the entries first.");
    struct tournament_stage *stage = make_stage(taking);
    if (stage == NULL)
        return false;
    for (size_t i = 0; i < event->numbered; i++)
        stage->entries[stage->entry_count++] = event->index->by_number[i];
    begin_stage(event);
    return true;
}

/* Reads entry numbers, none twice, into `entries`, which has room for all. `seen` has one byte per
 * number, initially 0; it stays marked. */
static bool read_numbers(struct taking *taking, const json_t *numbers, uint16_t *entries,
                         uint8_t *seen)
{
    for (size_t i = 0; i < json_array_size(numbers); i++) {
        if (!numbered(taking->event, json_array_get(numbers, i), &entries[i]))
            return bad_line(taking, "The line has a number that no entry has.");
        uint16_t number = taking->event->entrants[entries[i]].number;
        if (seen[number - 1]++ > 0)
            return bad_line(taking, "The line has a number twice.");
    }
    return true;
}

static bool may_begin_stage(struct taking *taking)
{
    const struct tournament *event = taking->event;
    if (event->phase != PHASE_ENTRIES_CLOSED && event->phase != PHASE_RUNNING)
        return not_now(taking, "A stage can begin only once entries are closed.");
    if (event->stages == event->settings.stage_count)
        return not_now(taking, "All stages have begun.");
    if (tournament_is_running(event) || tournament_draft(event) != NULL)
        return refuse(taking->refusal, TOURNAMENT_REFUSAL_ROUND,
                      "A table is still playing, or a round has been paired but not started.");
    return has_number(taking, "stage", (json_int_t)event->stages + 1);
}

bool take_stage_started(struct taking *taking)
{
    struct tournament *event = taking->event;
    const json_t *entries = json_object_get(taking->line->detail, "entries");
    if (!may_begin_stage(taking))
        return false;
    if (json_array_size(entries) < 1 || json_array_size(entries) > event->numbered)
        return bad_line(taking, "A stage needs entries.");
    struct tournament_stage *stage = make_stage(taking);
    uint8_t *seen = calloc(event->numbered, 1);
    bool good = stage != NULL && (seen != NULL || no_memory(taking)) &&
                read_numbers(taking, entries, stage->entries, seen);
    free(seen);
    if (!good) {
        free(event->stage[event->stages].entries);
        event->stage[event->stages].entries = NULL;
        return false;
    }
    stage->entry_count = json_array_size(entries);
    begin_stage(event);
    return true;
}

/* ---- Draws ---- */

/* A draw while it is read: its tables and byes lie after those that count, until it is accepted. */
struct drawn {
    struct taking *taking;
    unsigned round;
    uint8_t *seen; /* by number: has a seat or a reason */
    size_t tables, byes;
};

static bool add_table(struct drawn *drawn, const json_t *numbers, const json_t *match)
{
    struct taking *taking = drawn->taking;
    struct tournament *event = taking->event;
    size_t seats = json_array_size(numbers);
    if (seats < 1 || seats > TOURNAMENT_SEATS_MAX)
        return bad_line(taking, "A table must have one to five seats.");
    if (event->table_count + drawn->tables == TOURNAMENT_TABLES_MAX)
        return refuse(taking->refusal, TOURNAMENT_REFUSAL_FULL,
                      "An event can have at most 65535 tables.");
    if (!grow(taking, (void **)&event->tables, &event->index->tables_most,
              event->table_count + drawn->tables + 1, sizeof *event->tables))
        return false;
    struct tournament_table *table = &event->tables[event->table_count + drawn->tables];
    *table = (struct tournament_table){.round = (uint16_t)drawn->round,
                                       .table = (uint16_t)(drawn->tables + 1),
                                       .match = TOURNAMENT_NOBODY,
                                       .stage = (uint8_t)(event->stages - 1),
                                       .seats = (uint8_t)seats,
                                       .since = taking->line->number};
    if (match != NULL) {
        int64_t number;
        if (!json_read_whole(match, 0, TOURNAMENT_NOBODY - 1, &number))
            return bad_line(taking, "A match of the line does not exist.");
        table->match = (uint16_t)number;
    }
    drawn->tables++;
    return read_numbers(taking, numbers, table->entry, drawn->seen) && check_owners(taking, table);
}

static bool add_tables(struct drawn *drawn)
{
    const json_t *detail = drawn->taking->line->detail;
    const json_t *tables = json_object_get(detail, "tables");
    const json_t *matches = json_object_get(detail, "matches");
    if (!json_is_array(tables) ||
        (matches != NULL && json_array_size(matches) != json_array_size(tables)))
        return bad_line(drawn->taking, "A round must have a list of tables.");
    for (size_t i = 0; i < json_array_size(tables); i++)
        if (!add_table(drawn, json_array_get(tables, i), json_array_get(matches, i)))
            return false;
    return true;
}

static bool add_bye(struct drawn *drawn, const json_t *number, int kind)
{
    struct taking *taking = drawn->taking;
    struct tournament *event = taking->event;
    uint16_t entry;
    if (!numbered(event, number, &entry) || drawn->seen[event->entrants[entry].number - 1]++ > 0)
        return bad_line(taking, "A bye is for a number that no entry has, or that has a seat.");
    if (kind < 0 || round_kind_is_seated((uint8_t)kind))
        return bad_line(taking, "There is no such kind of bye.");
    if (!grow(taking, (void **)&event->byes, &event->index->byes_most,
              event->bye_count + drawn->byes + 1, sizeof *event->byes))
        return false;
    event->byes[event->bye_count + drawn->byes++] =
        (struct tournament_bye){.round = (uint16_t)drawn->round,
                                .entry = entry,
                                .kind = (uint8_t)kind,
                                .stage = (uint8_t)(event->stages - 1)};
    return true;
}

static bool add_byes(struct drawn *drawn)
{
    const json_t *detail = drawn->taking->line->detail;
    const json_t *byes = json_object_get(detail, "byes");
    const json_t *absent = json_object_get(detail, "absent");
    if (!json_is_array(byes) || (absent != NULL && !json_is_array(absent)))
        return bad_line(drawn->taking, "A round must have a list of byes.");
    for (size_t i = 0; i < json_array_size(byes); i++)
        if (!add_bye(drawn, json_array_get(byes, i), ROUND_PAIRING_BYE))
            return false;
    for (size_t i = 0; i < json_array_size(absent); i++) {
        const json_t *each = json_array_get(absent, i);
        const char *kind = json_string_value(json_array_get(each, 1));
        if (json_array_size(each) != 2 || kind == NULL ||
            !add_bye(drawn, json_array_get(each, 0), round_kind_find(span_of(kind))))
            return bad_line(drawn->taking, "An absent entry must have a number and a kind.");
    }
    return true;
}

/* Reads tables and byes of a round and appends them. */
static bool read_pairing(struct taking *taking, unsigned round, struct drawn *drawn)
{
    *drawn = (struct drawn){.taking = taking, .round = round};
    drawn->seen = calloc(taking->event->numbered + 1, 1);
    if (drawn->seen == NULL)
        return no_memory(taking);
    bool good = add_tables(drawn) && add_byes(drawn);
    free(drawn->seen);
    return good;
}

static void take_pairing(struct tournament *event, struct tournament_round *round,
                         const struct drawn *drawn, uint32_t line)
{
    round->first_table = event->table_count;
    round->table_count = drawn->tables;
    round->first_bye = event->bye_count;
    round->bye_count = drawn->byes;
    round->drawn = line;
    event->table_count += drawn->tables;
    event->bye_count += drawn->byes;
}

static bool add_round(struct taking *taking, struct tournament_round round)
{
    struct tournament *event = taking->event;
    if (!grow(taking, (void **)&event->rounds, &event->index->rounds_most, event->round_count + 1,
              sizeof *event->rounds))
        return false;
    event->rounds[event->round_count++] = round;
    return true;
}

static bool may_pairing(struct taking *taking)
{
    const struct tournament *event = taking->event;
    if (event->phase != PHASE_RUNNING || !has_rounds(event))
        return not_now(taking, "A round can be paired only once a stage has begun.");
    if (event->rounds_started == TOURNAMENT_ROUNDS_MAX)
        return refuse(taking->refusal, TOURNAMENT_REFUSAL_FULL,
                      "An event can have at most 64 rounds.");
    if (tournament_is_running(event) || tournament_draft(event) != NULL)
        return refuse(taking->refusal, TOURNAMENT_REFUSAL_ROUND,
                      "A table is still playing, or a round has been paired but not started.");
    return has_number(taking, "round", event->rounds_started + 1) &&
           has_number(taking, "stage", (json_int_t)event->stages) &&
           has_number(taking, "attempt", event->attempts + 1);
}

/* The draw of a stage's first round may contain the schedule of all rounds. */
static void keep_schedules(struct taking *taking, unsigned round)
{
    struct tournament *event = taking->event;
    if (round != event->stage[event->stages - 1].first_round)
        return;
    const json_t *quality = json_object_get(taking->line->detail, "quality");
    json_decref(event->schedules);
    event->schedules = json_incref(json_object_get(quality, "divisions"));
}

bool take_round_drawn(struct taking *taking)
{
    struct tournament *event = taking->event;
    struct drawn drawn;
    if (!may_pairing(taking) || !read_pairing(taking, event->rounds_started + 1U, &drawn))
        return false;
    if (drawn.tables == 0)
        return bad_line(taking, "A round must have at least one table.");
    struct tournament_round round = {.number = (uint16_t)(event->rounds_started + 1),
                                     .stage = (uint8_t)(event->stages - 1),
                                     .attempt = (uint16_t)(event->attempts + 1)};
    if (!add_round(taking, round))
        return false;
    event->attempts++;
    keep_schedules(taking, round.number);
    take_pairing(event, &event->rounds[event->round_count - 1], &drawn, taking->line->number);
    return true;
}

static bool find_draft(struct taking *taking, struct tournament_round **draft)
{
    *draft = tournament_draft(taking->event);
    if (*draft == NULL)
        return not_now(taking, "No paired round is waiting to be started.");
    return has_number(taking, "round", (*draft)->number);
}

/* The same players as before, seated differently. The old draw stays before the new one until the
 * new one is accepted. */
bool take_round_changed(struct taking *taking)
{
    struct tournament *event = taking->event;
    struct tournament_round *draft;
    struct drawn drawn;
    if (!find_draft(taking, &draft) || !read_pairing(taking, draft->number, &drawn))
        return false;
    if (drawn.tables == 0)
        return bad_line(taking, "A round must have at least one table.");
    memmove(&event->tables[draft->first_table], &event->tables[event->table_count],
            drawn.tables * sizeof *event->tables);
    if (drawn.byes > 0)
        memmove(&event->byes[draft->first_bye], &event->byes[event->bye_count],
                drawn.byes * sizeof *event->byes);
    event->table_count = draft->first_table;
    event->bye_count = draft->first_bye;
    draft->changes++;
    take_pairing(event, draft, &drawn, taking->line->number);
    return true;
}

bool take_round_withdrawn(struct taking *taking)
{
    struct tournament *event = taking->event;
    struct tournament_round *draft;
    if (!find_draft(taking, &draft))
        return false;
    event->table_count = draft->first_table;
    event->bye_count = draft->first_bye;
    event->round_count--;
    return true;
}

/* ---- Starting ---- */

static bool read_deadline(struct taking *taking, int64_t *deadline_ms)
{
    const json_t *value = json_object_get(taking->line->detail, "deadline");
    json_int_t number = 0;
    if (value != NULL && !json_is_null(value) &&
        !read_whole(taking, "deadline", taking->line->at_ms, INT64_C(1) << 52, &number))
        return false;
    *deadline_ms = number;
    return true;
}

/* Where the round is played: as its stage says, or as the line does. */
static bool read_play(struct taking *taking, bool *at_table)
{
    const json_t *value = json_object_get(taking->line->detail, "play");
    const char *word = json_string_value(value);
    *at_table = tournament_stage(taking->event)->at_table;
    if (value == NULL)
        return true;
    *at_table = word != NULL && strcmp(word, "table") == 0;
    return *at_table || (word != NULL && strcmp(word, "online") == 0) ||
           bad_line(taking, "A round is played online or at real tables.");
}

static bool start_duplicate(struct taking *taking)
{
    static const char *const names[] = {"round", "boards", "commitment", "attempt", NULL};
    struct tournament *event = taking->event;
    json_int_t boards;
    if (!has_only(taking, names))
        return false;
    if (event->stages > 0 && event->phase != PHASE_RUNNING)
        return not_now(taking, "The event is not running.");
    if (tournament_is_running(event))
        return refuse(taking->refusal, TOURNAMENT_REFUSAL_ROUND, "A table is still playing.");
    if (!has_number(taking, "round", event->rounds_started + 1) ||
        !read_whole(taking, "boards", 1, TOURNAMENT_ROUNDS_MAX, &boards))
        return false;
    struct tournament_round round = {.number = (uint16_t)(event->rounds_started + 1),
                                     .attempt = 1,
                                     .first_table = event->table_count,
                                     .first_bye = event->bye_count,
                                     .boards = (uint16_t)boards,
                                     .drawn = taking->line->number,
                                     .started_ms = taking->line->at_ms};
    if (!begin_open_stage(taking) || !add_round(taking, round))
        return false;
    event->rounds_started++;
    return true;
}

/* An entry that dropped out or got a bye after the draw cannot play: the round must be drawn again.
 * Fixed schedules and brackets keep the seat, and their tables are decided by rulings. */
static bool is_stale(const struct tournament *event, const struct tournament_round *draft)
{
    enum tournament_format format = event->settings.stage[draft->stage].format;
    if (format != FORMAT_POD_SWISS && format != FORMAT_DUTCH)
        return false;
    for (size_t i = 0; i < draft->table_count; i++) {
        const struct tournament_table *table = &event->tables[draft->first_table + i];
        for (unsigned seat = 0; seat < table->seats; seat++)
            if (tournament_presence(event, table->entry[seat], draft->number) != ROUND_PLAYED)
                return true;
    }
    return false;
}

bool take_round_started(struct taking *taking)
{
    static const char *const names[] = {"round", "deadline", "play", NULL};
    struct tournament *event = taking->event;
    struct tournament_round *draft;
    int64_t deadline_ms;
    bool at_table;
    if (event->settings.stage[0].format == FORMAT_DUPLICATE)
        return start_duplicate(taking);
    if (!has_only(taking, names) || !find_draft(taking, &draft) ||
        !read_deadline(taking, &deadline_ms) || !read_play(taking, &at_table))
        return false;
    if (is_stale(event, draft))
        return refuse(taking->refusal, TOURNAMENT_REFUSAL_STALE,
                      "A player in these pairings has left since; pair the round again.");
    for (size_t i = 0; i < draft->table_count; i++)
        if (!check_owners(taking, &event->tables[draft->first_table + i]))
            return false;
    draft->started_ms = taking->line->at_ms;
    draft->deadline_ms = deadline_ms;
    for (size_t i = 0; i < draft->table_count; i++) {
        event->tables[draft->first_table + i].since = taking->line->number;
        event->tables[draft->first_table + i].since_ms = taking->line->at_ms;
        event->tables[draft->first_table + i].at_table = at_table;
    }
    event->rounds_started++;
    event->attempts = 0;
    return true;
}

bool take_board_started(struct taking *taking)
{
    struct tournament *event = taking->event;
    struct drawn drawn;
    json_int_t number;
    if (event->phase != PHASE_RUNNING || event->rounds_started == 0 ||
        event->settings.stage[0].format != FORMAT_DUPLICATE)
        return not_now(taking, "No duplicate round is being played.");
    struct tournament_round *round = &event->rounds[event->rounds_started - 1];
    if (!has_number(taking, "round", round->number) ||
        !has_number(taking, "first_table", (json_int_t)round->table_count + 1) ||
        !read_whole(taking, "board", 1, round->boards, &number) ||
        !has_number(taking, "board", round->boards_started + 1) ||
        !read_pairing(taking, round->number, &drawn))
        return false;
    for (size_t i = 0; i < drawn.tables; i++) {
        struct tournament_table *table = &event->tables[event->table_count + i];
        table->table = (uint16_t)(round->table_count + i + 1);
        table->board = (uint16_t)number;
        table->since_ms = taking->line->at_ms;
    }
    for (size_t i = 0; i < drawn.byes; i++)
        event->byes[event->bye_count + i].board = (uint16_t)number;
    event->table_count += drawn.tables;
    event->bye_count += drawn.byes;
    round->table_count += drawn.tables;
    round->bye_count += drawn.byes;
    round->boards_started++;
    return true;
}

/* ---- Games outside of rounds ---- */

struct tournament_challenge *find_challenge(const struct tournament *event,
                                            const struct tournament_table *table)
{
    for (size_t i = 0; i < event->challenge_count; i++) {
        struct tournament_challenge *each = &event->challenges[i];
        bool same = table->seats == 2 &&
                    ((each->challenger == table->entry[0] && each->challenged == table->entry[1]) ||
                     (each->challenger == table->entry[1] && each->challenged == table->entry[0]));
        if (same && !each->over)
            return each;
    }
    return NULL;
}

static bool all_wait(const struct tournament *event, const struct tournament_table *table)
{
    for (unsigned seat = 0; seat < table->seats; seat++)
        if (find_waiting(event, table->entry[seat]) == event->queue_count)
            return false;
    return true;
}

/* Starts the table that lies after those that count. */
static bool begin_table(struct taking *taking, struct tournament_table *table)
{
    struct tournament *event = taking->event;
    struct tournament_challenge *challenge = NULL;
    if (tournament_stage(event)->format == FORMAT_LADDER) {
        challenge = find_challenge(event, table);
        if (challenge == NULL || challenge->table != 0)
            return refuse(taking->refusal, TOURNAMENT_REFUSAL_PLAYER,
                          "There is no such challenge, or it is being played.");
    } else if (!all_wait(event, table)) {
        return refuse(taking->refusal, TOURNAMENT_REFUSAL_PLAYER,
                      "One of these players is not waiting.");
    }
    if (!grow(taking, (void **)&event->index->open, &event->index->open_most,
              event->open_tables + 1, sizeof *event->index->open))
        return false;
    event->index->open[event->open_tables++] = (uint32_t)event->table_count++;
    event->open_undecided++;
    table->round = 0;
    table->table = (uint16_t)event->open_tables;
    table->since_ms = taking->line->at_ms;
    table->at_table = tournament_stage(event)->at_table;
    if (challenge != NULL)
        challenge->table = table->table;
    for (unsigned seat = 0; seat < table->seats; seat++)
        leave_queue(event, table->entry[seat]);
    return true;
}

bool take_table_started(struct taking *taking)
{
    struct tournament *event = taking->event;
    const struct stage_settings *stage = tournament_stage(event);
    if (event->phase != PHASE_RUNNING || stage == NULL ||
        (stage->format != FORMAT_LADDER && stage->format != FORMAT_OPEN_PLAY))
        return not_now(taking, "Games outside of rounds are for ladders and open play.");
    if (!has_number(taking, "round", 0) ||
        !has_number(taking, "table", (json_int_t)event->open_tables + 1))
        return false;
    struct drawn drawn = {.taking = taking, .seen = calloc(event->numbered + 1, 1)};
    bool good = (drawn.seen != NULL || no_memory(taking)) &&
                add_table(&drawn, json_object_get(taking->line->detail, "numbers"), NULL);
    free(drawn.seen);
    return good && begin_table(taking, &event->tables[event->table_count]);
}
