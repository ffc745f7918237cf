/* The fold over a log's lines: lines by kind, the arrays of an event, and queries. */
#include "engine/tournament/event/tournament.h"
#include "engine/base/json.h"

#include <stdlib.h>
#include <string.h>

#include "engine/tournament/event/tournament_parts.h"
#include "engine/tournament/formats/round_robin/berger.h"

enum { NESTED_MOST = 1000000, MINUTE_MS = 60 * 1000 };

#define FIELDS(...) ((const char *const[]){__VA_ARGS__, NULL})

/* A kind of line, and the fields that it can have; NULL: the function looks at them itself. */
struct kind {
    const char *name;
    line_function *take;
    const char *const *fields;
};

static const struct kind kinds[] = {
    {"bye_granted", take_bye_granted, FIELDS("player", "round", "kind")},
    {"bye_revoked", take_bye_revoked, FIELDS("player", "round")},
    {"board_started", take_board_started,
     FIELDS("round", "board", "first_table", "tables", "byes")},
    {"cancelled", take_cancelled, FIELDS("reason")},
    {"challenge_cancelled", take_challenge_cancelled, FIELDS("players")},
    {"challenged", take_challenged, FIELDS("players")},
    {"checked_in", take_checked_in, FIELDS("player", "present")},
    {"closed", take_closed, FIELDS("unrated")},
    {"created", take_created, NULL},
    {"dropped", take_dropped, FIELDS("player", "after")},
    {"entered", take_entered, FIELDS("player", "rating", "strength", "late", "owner", "house")},
    {"entries_closed", take_entries_closed, FIELDS("numbers")},
    {"entries_opened", take_entries_opened, FIELDS(NULL)},
    {"kept_apart", take_kept_apart, FIELDS("players", "weight")},
    {"not_kept_apart", take_not_kept_apart, FIELDS("players")},
    {"queued", take_queued, FIELDS("player")},
    {"report_confirmed", take_report_confirmed, FIELDS("round", "table")},
    {"report_corrected", take_report_corrected, FIELDS("round", "table", "seats", "reason")},
    {"report_objected", take_report_objected, FIELDS("round", "table", "reason")},
    {"reported", take_reported, FIELDS("round", "table", "seats", "record")},
    {"result", take_result,
     FIELDS("round", "table", "game", "seats", "forfeited", "substituted", "house")},
    {"returned", take_returned, FIELDS("player", "from")},
    {"role_given", take_role_given, FIELDS("player", "role")},
    {"role_taken", take_role_taken, FIELDS("player", "role")},
    {"round_changed", take_round_changed,
     FIELDS("round", "tables", "matches", "byes", "absent", "quality", "reason")},
    {"round_drawn", take_round_drawn,
     FIELDS("round", "stage", "attempt", "tables", "matches", "byes", "absent", "quality")},
    {"round_started", take_round_started, NULL},
    {"round_withdrawn", take_round_withdrawn, FIELDS("round", "reason")},
    {"ruled", take_ruled, FIELDS("round", "table", "seats", "reason")},
    {"ruling_revoked", take_ruling_revoked, FIELDS("round", "table", "reason")},
    {"settings_changed", take_settings_changed, NULL},
    {"stage_started", take_stage_started, FIELDS("stage", "entries")},
    {"table_replayed", take_table_replayed, FIELDS("round", "table", "reason")},
    {"table_started", take_table_started, FIELDS("round", "table", "numbers")},
    {"unqueued", take_unqueued, FIELDS("player")},
    {"withdrawn", take_withdrawn, FIELDS("player")},
};

/* ---- An event ---- */

void tournament_init(struct tournament *tournament)
{
    *tournament = (struct tournament){.phase = PHASE_DRAFT};
}

static void free_index(struct tournament_index *index)
{
    if (index == NULL)
        return;
    free(index->slots);
    free(index->by_number);
    free(index->open);
    free(index);
}

/* An array of an event that grows: its place, its length, and the room in it. */
struct array {
    size_t at, count, most, size;
};

#define ARRAY(name, length)                                                                        \
    {                                                                                              \
        offsetof(struct tournament, name), offsetof(struct tournament, length),                    \
            offsetof(struct tournament_index, name##_most),                                        \
            sizeof *((struct tournament *)NULL)->name                                              \
    }

static const struct array arrays[] = {
    ARRAY(entrants, entrant_count),     ARRAY(rounds, round_count), ARRAY(tables, table_count),
    ARRAY(reports, report_count),       ARRAY(byes, bye_count),     ARRAY(pairs, pair_count),
    ARRAY(challenges, challenge_count), ARRAY(queue, queue_count),  ARRAY(roles, role_count),
};

enum { ARRAYS = sizeof arrays / sizeof arrays[0] };

static void **place_of(struct tournament *tournament, const struct array *array)
{
    return (void **)(void *)((char *)tournament + array->at);
}

static size_t number_at(const void *object, size_t offset)
{
    return *(const size_t *)(const void *)((const char *)object + offset);
}

void tournament_free(struct tournament *tournament)
{
    for (size_t i = 0; i < SETTINGS_STAGES_MAX; i++)
        free(tournament->stage[i].entries);
    for (size_t i = 0; i < ARRAYS; i++)
        free(*place_of(tournament, &arrays[i]));
    free_index(tournament->index);
    json_decref(tournament->settings_document);
    json_decref(tournament->schedules);
    tournament_init(tournament);
}

/* ---- Copying ---- */

/* A copy of `count` elements in an array with room for `most`; sets `good` to false when out of
 * memory. */
static void *copy_array(const void *from, size_t count, size_t most, size_t size, bool *good)
{
    if (most == 0)
        return NULL;
    void *to = calloc(most, size);
    if (to == NULL)
        *good = false;
    else if (count > 0)
        memcpy(to, from, count * size);
    return to;
}

static bool copy_index(struct tournament *to, const struct tournament *from)
{
    const struct tournament_index *index = from->index;
    bool good = true;
    to->index = copy_array(index, 1, 1, sizeof *index, &good);
    if (!good)
        return false;
    to->index->slots =
        copy_array(index->slots, index->slot_count, index->slot_count, sizeof *index->slots, &good);
    to->index->by_number = copy_array(index->by_number, from->numbered, index->numbers_most,
                                      sizeof *index->by_number, &good);
    to->index->open =
        copy_array(index->open, from->open_tables, index->open_most, sizeof *index->open, &good);
    return good;
}

/* `to` has the pointers of the event it is a copy of, and gets arrays of its own. */
static bool copy_arrays(struct tournament *to, const struct tournament_index *most)
{
    bool good = true;
    for (size_t i = 0; i < SETTINGS_STAGES_MAX; i++)
        to->stage[i].entries = copy_array(to->stage[i].entries, to->stage[i].entry_count,
                                          to->stage[i].entries == NULL ? 0 : TOURNAMENT_ENTRIES_MAX,
                                          sizeof *to->stage[i].entries, &good);
    for (size_t i = 0; i < ARRAYS; i++) {
        void **place = place_of(to, &arrays[i]);
        *place = copy_array(*place, number_at(to, arrays[i].count), number_at(most, arrays[i].most),
                            arrays[i].size, &good);
    }
    return good;
}

struct tournament *tournament_copy(const struct tournament *tournament)
{
    struct tournament *copy = malloc(sizeof *copy);
    if (copy == NULL)
        return NULL;
    *copy = *tournament;
    json_incref(copy->settings_document);
    json_incref(copy->schedules);
    if (tournament->index == NULL)
        return copy;
    bool arrays_good = copy_arrays(copy, tournament->index);
    if (copy_index(copy, tournament) && arrays_good)
        return copy;
    tournament_free(copy);
    free(copy);
    return NULL;
}

size_t tournament_bytes(const struct tournament *tournament)
{
    const struct tournament_index *index = tournament->index;
    size_t bytes = sizeof *tournament;
    if (index == NULL)
        return bytes;
    for (size_t i = 0; i < SETTINGS_STAGES_MAX; i++)
        if (tournament->stage[i].entries != NULL)
            bytes += TOURNAMENT_ENTRIES_MAX * sizeof *tournament->stage[i].entries;
    for (size_t i = 0; i < ARRAYS; i++)
        bytes += number_at(index, arrays[i].most) * arrays[i].size;
    return bytes + sizeof *index + index->slot_count * sizeof *index->slots +
           index->numbers_most * sizeof *index->by_number + index->open_most * sizeof *index->open;
}

/* ---- Growing ---- */

bool grow(struct taking *taking, void **array, size_t *most, size_t needed, size_t size)
{
    if (needed <= *most)
        return true;
    size_t room = *most < 16 ? 16 : *most;
    while (room < needed)
        room *= 2;
    void *grown = realloc(*array, room * size);
    if (grown == NULL)
        return no_memory(taking);
    *array = grown;
    *most = room;
    return true;
}

/* FNV-1a is enough: players cannot choose their ids to make them collide. */
static size_t hash_of(struct span player)
{
    uint64_t hash = 14695981039346656037U;
    for (size_t i = 0; i < player.length; i++)
        hash = (hash ^ (uint8_t)player.at[i]) * 1099511628211U;
    return (size_t)(hash ^ hash >> 32);
}

void index_entrant(struct tournament *event, uint16_t entry)
{
    struct tournament_index *index = event->index;
    size_t slot = hash_of(span_of(event->entrants[entry].player)) & (index->slot_count - 1);
    while (index->slots[slot] != 0)
        slot = (slot + 1) & (index->slot_count - 1);
    index->slots[slot] = (uint16_t)(entry + 1);
}

bool give_number(struct taking *taking, uint16_t entry)
{
    struct tournament *event = taking->event;
    struct tournament_index *index = event->index;
    if (!grow(taking, (void **)&index->by_number, &index->numbers_most, event->numbered + 1,
              sizeof *index->by_number))
        return false;
    index->by_number[event->numbered++] = entry;
    event->entrants[entry].number = (uint16_t)event->numbered;
    return true;
}

/* ---- Reading a line ---- */

bool bad_line(struct taking *taking, const char *message)
{
    return refuse(taking->refusal, TOURNAMENT_REFUSAL_LINE, message);
}

bool not_now(struct taking *taking, const char *message)
{
    return refuse(taking->refusal, TOURNAMENT_REFUSAL_PHASE, message);
}

bool no_memory(struct taking *taking)
{
    return refuse(taking->refusal, TOURNAMENT_REFUSAL_MEMORY,
                  "There is not enough memory for the event.");
}

bool has_only(struct taking *taking, const char *const *names)
{
    return json_unknown_key(taking->line->detail, names) == NULL ||
           bad_line(taking, "The line has a field that its kind does not have.");
}

bool read_whole(struct taking *taking, const char *name, json_int_t least, json_int_t most,
                json_int_t *number)
{
    const json_t *value = json_object_get(taking->line->detail, name);
    int64_t whole;
    *number = json_integer_value(value);
    return json_read_whole(value, least, most, &whole) ||
           bad_line(taking, "A number of the line is missing or out of its range.");
}

bool has_number(struct taking *taking, const char *name, json_int_t number)
{
    return read_whole(taking, name, number, number, &number);
}

bool is_id(const json_t *value)
{
    return json_is_string(value) &&
           record_is_id((struct span){json_string_value(value), json_string_length(value)});
}

bool read_id(struct taking *taking, const char *name, const char **id)
{
    const json_t *value = json_object_get(taking->line->detail, name);
    *id = json_string_value(value);
    return is_id(value) || bad_line(taking, "An id of the line is missing or malformed.");
}

bool read_entry(struct taking *taking, const char *name, uint16_t *entry)
{
    const char *id;
    if (!read_id(taking, name, &id))
        return false;
    *entry = tournament_entry(taking->event, span_of(id));
    return *entry != TOURNAMENT_NOBODY || refuse(taking->refusal, TOURNAMENT_REFUSAL_PLAYER,
                                                 "This player has not entered the event.");
}

bool read_two(struct taking *taking, uint16_t entry[static 2])
{
    const json_t *players = json_object_get(taking->line->detail, "players");
    if (json_array_size(players) != 2)
        return bad_line(taking, "The line needs two players.");
    for (size_t i = 0; i < 2; i++) {
        const json_t *id = json_array_get(players, i);
        if (!is_id(id))
            return bad_line(taking, "An id of the line is missing or malformed.");
        entry[i] = tournament_entry(taking->event, span_of(json_string_value(id)));
        if (entry[i] == TOURNAMENT_NOBODY)
            return refuse(taking->refusal, TOURNAMENT_REFUSAL_PLAYER,
                          "One of these players has not entered the event.");
    }
    return entry[0] != entry[1] || bad_line(taking, "The two players are the same.");
}

bool numbered(const struct tournament *event, const json_t *value, uint16_t *entry)
{
    int64_t number;
    if (!json_read_whole(value, 1, (int64_t)event->numbered, &number))
        return false;
    *entry = event->index->by_number[number - 1];
    return true;
}

/* ---- Applying ---- */

static const struct kind *find_kind(const char *name)
{
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (strcmp(kinds[i].name, name) == 0)
            return &kinds[i];
    return NULL;
}

static bool apply_nested(struct tournament *tournament, const struct tournament_line *line,
                         struct refusal *refusal);

static bool check_order(const struct tournament *tournament, const struct tournament_line *line,
                        struct refusal *refusal)
{
    bool first = tournament->lines == 0;
    bool follows = first ? line->number >= 1 : line->number == tournament->lines + 1;
    if (follows)
        return true;
    return refuse(refusal, TOURNAMENT_REFUSAL_LINE, "The line does not follow the one before it.");
}

bool tournament_apply(struct tournament *tournament, const struct tournament_line *line,
                      struct refusal *refusal)
{
    struct taking taking = {tournament, line, refusal};
    const struct kind *kind = find_kind(line->kind);
    if (!check_order(tournament, line, refusal))
        return false;
    if (strcmp(line->kind, "restated") == 0)
        return apply_nested(tournament, line, refusal);
    if (kind == NULL || !json_is_object(line->detail))
        return bad_line(&taking, "There is no such kind of line.");
    if ((kind->take == take_created) != (tournament->lines == 0))
        return bad_line(&taking, "The first line of an event must be `created`.");
    if (tournament->index == NULL) {
        tournament->index = calloc(1, sizeof *tournament->index);
        if (tournament->index == NULL)
            return no_memory(&taking);
    }
    if ((kind->fields != NULL && !has_only(&taking, kind->fields)) || !kind->take(&taking))
        return false;
    tournament->lines = line->number;
    if (line->at_ms > tournament->last_ms)
        tournament->last_ms = line->at_ms;
    return true;
}

/* An event restated. */
static bool apply_nested(struct tournament *tournament, const struct tournament_line *line,
                         struct refusal *refusal)
{
    const json_t *lines = json_object_get(line->detail, "lines");
    struct tournament told;
    tournament_init(&told);
    bool good = json_object_size(line->detail) == 1 && json_array_size(lines) >= 1 &&
                json_array_size(lines) <= NESTED_MOST;
    if (!good)
        refuse(refusal, TOURNAMENT_REFUSAL_LINE, "There are no lines to restate.");
    for (size_t i = 0; good && i < json_array_size(lines); i++) {
        json_t *each = json_array_get(lines, i);
        const char *actor = json_string_value(json_object_get(each, "actor"));
        const struct tournament_line inner = {
            .number = (uint32_t)i + 1,
            .at_ms = json_integer_value(json_object_get(each, "at")),
            .actor = actor == NULL ? "" : actor,
            .kind = json_string_value(json_object_get(each, "kind")),
            .detail = json_object_get(each, "detail")};
        good = inner.kind != NULL && strcmp(inner.kind, "restated") != 0
                   ? tournament_apply(&told, &inner, refusal)
                   : refuse(refusal, TOURNAMENT_REFUSAL_LINE, "A restated line has no kind.");
    }
    if (!good) {
        tournament_free(&told);
        return false;
    }
    told.lines = line->number;
    told.last_ms = line->at_ms;
    tournament_free(tournament);
    *tournament = told;
    return true;
}

/* ---- Queries ---- */

uint16_t tournament_entry(const struct tournament *tournament, struct span player)
{
    const struct tournament_index *index = tournament->index;
    if (index == NULL || index->slot_count == 0)
        return TOURNAMENT_NOBODY;
    size_t slot = hash_of(player) & (index->slot_count - 1);
    for (; index->slots[slot] != 0; slot = (slot + 1) & (index->slot_count - 1))
        if (span_is(player, tournament->entrants[index->slots[slot] - 1].player))
            return (uint16_t)(index->slots[slot] - 1);
    return TOURNAMENT_NOBODY;
}

uint16_t tournament_entry_numbered(const struct tournament *tournament, uint16_t number)
{
    if (number == 0 || number > tournament->numbered)
        return TOURNAMENT_NOBODY;
    return tournament->index->by_number[number - 1];
}

struct tournament_table *tournament_table(const struct tournament *tournament, unsigned round,
                                          unsigned table)
{
    if (table == 0)
        return NULL;
    if (round == 0)
        return table > tournament->open_tables
                   ? NULL
                   : &tournament->tables[tournament->index->open[table - 1]];
    if (round > tournament->round_count)
        return NULL;
    const struct tournament_round *found = &tournament->rounds[round - 1];
    return table > found->table_count ? NULL : &tournament->tables[found->first_table + table - 1];
}

struct tournament_round *tournament_draft(const struct tournament *tournament)
{
    return tournament->round_count > tournament->rounds_started
               ? &tournament->rounds[tournament->rounds_started]
               : NULL;
}

const struct stage_settings *tournament_stage(const struct tournament *tournament)
{
    return tournament->stages == 0 ? NULL : &tournament->settings.stage[tournament->stages - 1];
}

/* How many play in a stage; 0 if not known yet. */
static size_t entries_of_stage(const struct tournament *tournament, size_t stage)
{
    if (stage < tournament->stages)
        return tournament->stage[stage].entry_count;
    return stage == 0 && tournament->phase >= PHASE_ENTRIES_CLOSED ? tournament->numbered : 0;
}

unsigned tournament_rounds_planned(const struct tournament *tournament)
{
    unsigned planned = 0;
    for (size_t i = 0; i < tournament->settings.stage_count; i++) {
        const struct stage_settings *stage = &tournament->settings.stage[i];
        size_t entries = stage->format == FORMAT_ROUND_ROBIN ? entries_of_stage(tournament, i) : 0;
        unsigned rounds = stage->rounds;
        if (entries >= BERGER_ENTRIES_MIN && entries <= BERGER_ENTRIES_MAX)
            rounds = berger_rounds((unsigned)entries, stage->twice);
        if (rounds == 0)
            return 0;
        planned += rounds;
    }
    return planned;
}

bool tournament_is_running(const struct tournament *tournament)
{
    if (tournament->open_undecided > 0 || tournament->contested > 0)
        return true;
    if (tournament->rounds_started == 0)
        return false;
    const struct tournament_round *last = &tournament->rounds[tournament->rounds_started - 1];
    return last->decided < last->table_count || last->boards_started < last->boards;
}

int64_t tournament_answer_ms(const struct tournament *tournament,
                             const struct tournament_challenge *challenge)
{
    unsigned minutes = tournament->settings.stage[0].answer_minutes;
    return minutes == 0 ? 0 : challenge->at_ms + (int64_t)minutes * MINUTE_MS;
}

static int64_t earlier(int64_t a, int64_t b)
{
    return a == 0 || (b != 0 && b < a) ? b : a;
}

const struct tournament_report *tournament_report(const struct tournament *tournament,
                                                  const struct tournament_table *table)
{
    return table->report == 0 ? NULL : &tournament->reports[table->report - 1];
}

bool tournament_is_recorded(const struct tournament *tournament,
                            const struct tournament_table *table)
{
    const struct tournament_report *report = tournament_report(tournament, table);
    return report != NULL && table->reported && !table->ruled && report->recording[0] != '\0';
}

/* A table that is replayed has another report, or none. */
static int64_t report_due_ms(const struct tournament *tournament, size_t index)
{
    const struct tournament_report *report = &tournament->reports[index];
    const struct tournament_table *table = &tournament->tables[report->table];
    unsigned minutes = tournament->settings.confirm_minutes;
    bool waits = table->report == index + 1 && !table->reported && !table->ruled &&
                 report->against == REPORT_NOBODY;
    return waits && minutes > 0 ? report->at_ms + (int64_t)minutes * MINUTE_MS : 0;
}

int64_t tournament_report_due_ms(const struct tournament *tournament,
                                 const struct tournament_table *table)
{
    return table->report == 0 ? 0 : report_due_ms(tournament, table->report - 1);
}

int64_t tournament_due_ms(const struct tournament *tournament)
{
    const struct stage_settings *stage = tournament_stage(tournament);
    int64_t due = 0;
    if (stage == NULL || tournament->phase != PHASE_RUNNING)
        return 0;
    for (size_t i = 0; stage->format == FORMAT_LADDER && i < tournament->challenge_count; i++) {
        const struct tournament_challenge *challenge = &tournament->challenges[i];
        if (!challenge->over && challenge->table == 0)
            due = earlier(due, tournament_answer_ms(tournament, challenge));
    }
    for (size_t i = 0; stage->format == FORMAT_OPEN_PLAY && i < tournament->queue_count; i++)
        due = earlier(due,
                      tournament->queue[i].since_ms + (int64_t)stage->patience_minutes * MINUTE_MS);
    for (size_t i = 0; i < tournament->report_count; i++)
        due = earlier(due, report_due_ms(tournament, i));
    return due;
}

enum round_kind tournament_presence(const struct tournament *tournament, uint16_t entry,
                                    unsigned round)
{
    const struct entrant *entrant = &tournament->entrants[entry];
    round_set bit = round_bit(round);
    if (entrant->number == 0 || entrant->from > round || (entrant->out & bit) != 0)
        return ROUND_ABSENT;
    if ((entrant->full_bye & bit) != 0)
        return ROUND_FULL_BYE;
    if ((entrant->half_bye & bit) != 0)
        return ROUND_HALF_BYE;
    return (entrant->zero_bye & bit) != 0 ? ROUND_ZERO_BYE : ROUND_PLAYED;
}

static struct table_result bye_result(const struct tournament_bye *bye)
{
    struct table_result result = {.round = bye->round, .seats = 1};
    result.seat[0] = (struct seat_result){.entry = bye->entry, .kind = bye->kind, .rank = 1};
    return result;
}

struct table_result *tournament_results(const struct tournament *tournament, size_t first_stage,
                                        size_t last_stage, unsigned rounds, size_t *count)
{
    size_t most = tournament->table_count + tournament->bye_count;
    struct table_result *results = calloc(most + 1, sizeof *results);
    *count = 0;
    for (size_t i = 0; results != NULL && i < tournament->table_count; i++) {
        const struct tournament_table *table = &tournament->tables[i];
        if (table->has_result && table->stage >= first_stage && table->stage <= last_stage &&
            table->round <= rounds)
            results[(*count)++] = table->result;
    }
    for (size_t i = 0; results != NULL && i < tournament->bye_count; i++) {
        const struct tournament_bye *bye = &tournament->byes[i];
        if (bye->round <= tournament->rounds_started && bye->round <= rounds &&
            bye->stage >= first_stage && bye->stage <= last_stage)
            results[(*count)++] = bye_result(bye);
    }
    return results;
}

static const char *const kind_names[ROUND_KINDS] = {
    [ROUND_PLAYED] = "played",           [ROUND_ADJUDICATED] = "adjudicated",
    [ROUND_FORFEIT_WIN] = "forfeit_win", [ROUND_FORFEIT_LOSS] = "forfeit_loss",
    [ROUND_PAIRING_BYE] = "pairing_bye", [ROUND_FULL_BYE] = "full_bye",
    [ROUND_HALF_BYE] = "half_bye",       [ROUND_ZERO_BYE] = "zero_bye",
    [ROUND_ABSENT] = "absent",           [ROUND_VOID] = "void"};

const char *round_kind_name(enum round_kind kind)
{
    return kind_names[kind];
}

int round_kind_find(struct span name)
{
    for (int kind = 0; kind < ROUND_KINDS; kind++)
        if (span_is(name, kind_names[kind]))
            return kind;
    return -1;
}
