/* Lines about results and rulings. */
#include <assert.h>
#include <string.h>

#include "engine/base/json.h"
#include "engine/tournament/event/tournament_parts.h"

bool find_table(struct taking *taking, struct tournament_table **table)
{
    struct tournament *event = taking->event;
    json_int_t round, number;
    if (!read_whole(taking, "round", 0, TOURNAMENT_ROUNDS_MAX, &round) ||
        !read_whole(taking, "table", 1, TOURNAMENT_TABLES_MAX, &number))
        return false;
    *table = round > event->rounds_started
                 ? NULL
                 : tournament_table(event, (unsigned)round, (unsigned)number);
    return *table != NULL || refuse(taking->refusal, TOURNAMENT_REFUSAL_TABLE,
                                    "There is no such table in a round that has started.");
}

static bool read_seat(struct taking *taking, const json_t *values, uint16_t entry,
                      enum seat_fields fields, struct seat_result *seat)
{
    bool ruled = fields == SEAT_KIND;
    uint16_t found;
    const json_t *rank = json_array_get(values, 1);
    const json_t *score = json_array_get(values, 2);
    const char *name = json_string_value(json_array_get(values, 3));
    int kind = !ruled ? ROUND_PLAYED : name == NULL ? -1 : round_kind_find(span_of(name));
    if (json_array_size(values) != (size_t)fields ||
        !numbered(taking->event, json_array_get(values, 0), &found) || found != entry)
        return refuse(taking->refusal, TOURNAMENT_REFUSAL_TABLE,
                      "The result is for players who do not sit at this table.");
    int64_t place, points = 0;
    if (!json_read_whole(rank, 1, TOURNAMENT_SEATS_MAX, &place) ||
        (fields != SEAT_RANK &&
         !json_read_whole(score, -RESULT_SCORE_MAX, RESULT_SCORE_MAX, &points)))
        return bad_line(taking, "A rank or a score is out of range.");
    if (kind < ROUND_PLAYED || !round_kind_is_seated((uint8_t)kind) ||
        (ruled && kind == ROUND_PLAYED))
        return bad_line(taking, "A ruling must give each seat an adjudicated result or a forfeit, "
                                "or make the table void.");
    *seat = (struct seat_result){
        .entry = entry, .kind = (uint8_t)kind, .rank = (uint8_t)place, .score = (int32_t)points};
    return true;
}

/* A table is void as a whole: level, without scores. */
static bool voids_fit(const struct table_result *result)
{
    bool some = false, all = true;
    for (unsigned i = 0; i < result->seats; i++) {
        const struct seat_result *seat = &result->seat[i];
        some = some || seat->kind == ROUND_VOID;
        all = all && seat->kind == ROUND_VOID && seat->rank == 1 && seat->score == 0;
    }
    return all || !some;
}

bool read_seats(struct taking *taking, const struct tournament_table *table,
                enum seat_fields fields, struct table_result *result)
{
    const json_t *seats = json_object_get(taking->line->detail, "seats");
    *result =
        (struct table_result){.round = table->round, .table = table->table, .seats = table->seats};
    if (json_array_size(seats) != table->seats)
        return refuse(taking->refusal, TOURNAMENT_REFUSAL_TABLE,
                      "The result is for players who do not sit at this table.");
    for (unsigned i = 0; i < table->seats; i++)
        if (!read_seat(taking, json_array_get(seats, i), table->entry[i], fields, &result->seat[i]))
            return false;
    return (table_result_ranks_fit(result) ||
            bad_line(taking, "The ranks contradict each other.")) &&
           (voids_fit(result) ||
            bad_line(taking, "A void table is void for every seat, level and without scores."));
}

static void count_decided(struct tournament *event, const struct tournament_table *table,
                          bool decided)
{
    size_t *count = table->round == 0 ? NULL : &event->rounds[table->round - 1].decided;
    if (count != NULL)
        *count = decided ? *count + 1 : *count - 1;
    else
        event->open_undecided = decided ? event->open_undecided - 1 : event->open_undecided + 1;
}

/* A challenge ends with its game. */
static void end_challenge(struct tournament *event, const struct tournament_table *table)
{
    struct tournament_challenge *challenge = find_challenge(event, table);
    if (challenge != NULL && table->round == 0 && challenge->table == table->table)
        challenge->over = true;
}

void decide(struct taking *taking, struct tournament_table *table,
            const struct table_result *result)
{
    if (!table->has_result)
        count_decided(taking->event, table, true);
    table->has_result = true;
    table->result = *result;
    table->line_ms = taking->line->at_ms;
    end_challenge(taking->event, table);
}

/* ---- What is told of a result ---- */

bool tournament_has_place(const struct tournament_table *table, unsigned seat)
{
    return table->has_result && table->result.seat[seat].kind != ROUND_VOID;
}

/* The fold has 0 where no score was said. */
bool tournament_has_score(const struct tournament *tournament, const struct tournament_table *table,
                          unsigned seat)
{
    const struct seat_result *seats = table->result.seat;
    if (!tournament_has_place(table, seat))
        return false;
    if (table->board != 0 || seats[seat].score != 0)
        return true;
    if (!round_kind_is_played(seats[seat].kind))
        return false;
    if (!table->ruled) {
        const struct tournament_report *report = tournament_report(tournament, table);
        return !table->reported || report == NULL || report->scored;
    }
    bool scored = table->played; /* a ruling has the game's scores unless it says others */
    for (unsigned other = 0; other < table->seats; other++)
        scored = scored || seats[other].score != 0;
    return scored;
}

bool tournament_may_be_void(const struct tournament_table *table)
{
    bool may = table->ruled && !table->at_table;
    for (unsigned seat = 0; seat < table->seats; seat++) {
        const struct seat_result *result = &table->result.seat[seat];
        may = may && result->kind == ROUND_FORFEIT_LOSS && result->rank == 1 && result->score == 0;
    }
    return may;
}

void tournament_mark_void(struct tournament_table *table)
{
    assert(tournament_may_be_void(table));
    for (unsigned seat = 0; seat < table->seats; seat++)
        table->result.seat[seat].kind = ROUND_VOID;
}

/* ---- Lines ---- */

/* Numbers of some players at the table, in the order of seats. The field may be missing. */
static bool read_marks(struct taking *taking, const char *name,
                       const struct tournament_table *table, uint8_t *marks)
{
    const json_t *list = json_object_get(taking->line->detail, name);
    size_t found = 0;
    *marks = 0;
    if (list == NULL)
        return true;
    for (unsigned seat = 0; seat < table->seats; seat++) {
        uint16_t entry;
        if (!numbered(taking->event, json_array_get(list, found), &entry) ||
            entry != table->entry[seat])
            continue;
        *marks = (uint8_t)(*marks | 1U << seat);
        found++;
    }
    return (found > 0 && found == json_array_size(list)) ||
           bad_line(taking, "Marked players must sit at the table, in the order of seats.");
}

bool take_result(struct taking *taking)
{
    struct tournament_table *table;
    struct table_result result;
    const char *game;
    uint8_t forfeited, substituted, house;
    if (!find_table(taking, &table) || !read_id(taking, "game", &game) ||
        !read_seats(taking, table, SEAT_SCORE, &result) ||
        !read_marks(taking, "forfeited", table, &forfeited) ||
        !read_marks(taking, "substituted", table, &substituted) ||
        !read_marks(taking, "house", table, &house))
        return false;
    if (table->at_table)
        return not_now(taking, "No game is played on the service at this table.");
    if (table->played)
        return refuse(taking->refusal, TOURNAMENT_REFUSAL_TWICE,
                      "The game at this table already has a result.");
    memcpy(table->game, game, TOURNAMENT_ID_BYTES);
    table->played = true;
    table->game_result = result;
    table->forfeited = forfeited;
    table->substituted = substituted;
    table->house = house;
    if (!table->ruled)
        decide(taking, table, &result);
    return true;
}

bool take_ruled(struct taking *taking)
{
    struct tournament_table *table;
    struct table_result result;
    if (!find_table(taking, &table) || !read_seats(taking, table, SEAT_KIND, &result))
        return false;
    if (!json_is_string(json_object_get(taking->line->detail, "reason")))
        return bad_line(taking, "A ruling requires a reason.");
    table->ruled = true;
    drop_objection(taking->event, table);
    decide(taking, table, &result);
    return true;
}

/* True if something later was drawn from the table's result. */
static bool has_gone_on(const struct tournament *event, const struct tournament_table *table)
{
    return event->phase == PHASE_CLOSED ||
           (table->round != 0 && table->round < event->rounds_started) ||
           tournament_draft(event) != NULL;
}

bool tournament_may_revoke(const struct tournament *event, const struct tournament_table *table,
                           struct refusal *refusal)
{
    if (!table->ruled)
        return refuse(refusal, TOURNAMENT_REFUSAL_TABLE, "This table has no ruling.");
    return table->played || table->reported || !has_gone_on(event, table) ||
           refuse(refusal, TOURNAMENT_REFUSAL_LATE,
                  "The event has continued from this ruling, and the game has no other result.");
}

bool take_ruling_revoked(struct taking *taking)
{
    struct tournament *event = taking->event;
    struct tournament_table *table;
    if (!find_table(taking, &table) || !tournament_may_revoke(event, table, taking->refusal))
        return false;
    table->ruled = false;
    table->line_ms = taking->line->at_ms;
    if (table->played || table->reported) {
        table->result = table->game_result;
        return true;
    }
    table->has_result = false;
    count_decided(event, table, false);
    return true;
}

/* The luck of a duplicate board is known at its table; challenges end with their game, and players
 * of open play may queue again. */
static bool can_be_replayed(struct taking *taking, const struct tournament_table *table)
{
    if (table->round == 0 || table->board != 0)
        return not_now(taking, "Games of duplicate, ladders and open play cannot be replayed.");
    return !has_gone_on(taking->event, table) ||
           refuse(taking->refusal, TOURNAMENT_REFUSAL_LATE,
                  "The event has continued from the result of this table.");
}

bool take_table_replayed(struct taking *taking)
{
    struct tournament_table *table;
    if (!find_table(taking, &table) || !can_be_replayed(taking, table))
        return false;
    if (!json_is_string(json_object_get(taking->line->detail, "reason")))
        return bad_line(taking, "Replaying a game requires a reason.");
    if (table->has_result)
        count_decided(taking->event, table, false);
    table->has_result = false;
    drop_objection(taking->event, table);
    table->ruled = false;
    table->played = false;
    table->reported = false;
    table->report = 0;
    table->forfeited = 0;
    table->substituted = 0;
    table->house = 0;
    table->game[0] = '\0';
    table->line_ms = taking->line->at_ms;
    table->since = taking->line->number;
    table->since_ms = taking->line->at_ms;
    return true;
}

/* ---- Ratings ---- */

unsigned tournament_seats_played(const struct table_result *result)
{
    for (unsigned seat = 0; seat < result->seats; seat++)
        if (!round_kind_is_played(result->seat[seat].kind))
            return 0;
    return result->seats < 2 ? 0 : (1U << result->seats) - 1;
}

static bool is_substituted(const struct tournament_table *table, unsigned seat)
{
    return (table->substituted >> seat & 1) != 0;
}

bool tournament_rate(const struct tournament_table *table, unsigned seats, struct rating *ratings)
{
    const struct table_result *result = &table->result;
    struct rating at_table[TOURNAMENT_SEATS_MAX];
    int32_t ranks[TOURNAMENT_SEATS_MAX];
    unsigned count = 0;
    for (unsigned seat = 0; seat < result->seats; seat++) {
        if ((seats >> seat & 1) == 0)
            continue;
        at_table[count] =
            is_substituted(table, seat) ? rating_initial() : ratings[result->seat[seat].entry];
        ranks[count++] = result->seat[seat].rank;
    }
    if (count == 0 || !rating_update(at_table, ranks, count))
        return false;
    count = 0;
    for (unsigned seat = 0; seat < result->seats; seat++) {
        if ((seats >> seat & 1) != 0 && !is_substituted(table, seat))
            ratings[result->seat[seat].entry] = at_table[count];
        count += seats >> seat & 1;
    }
    return true;
}
