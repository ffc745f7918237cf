/* Rulings: what officials decide of a table. A ruling stands over the result of its game, before
 * and after that has ended and even when the event is closed, until it is revoked. What it changes
 * can be looked at first: places, points, who goes on, and rounds that were drawn from other
 * standings. */
#include <string.h>

#include "api/differences.h"
#include "api/event_people.h"
#include "api/event_refuse.h"
#include "api/handlers.h"
#include "api/json.h"
#include "api/preview.h"
#include "api/ratings_again.h"
#include "api/table_results.h"
#include "api/tlog_leaves.h"
#include "engine/tournament/draw.h"
#include "engine/tournament/elimination.h"
#include "engine/tournament/placing.h"

enum { REASON_MOST = 500 };

/* ---- The ruling as it is written ---- */

static int seat_of(const struct tournament *tournament, const struct tournament_table *table,
                   json_t *player)
{
    uint16_t entry = json_is_string(player)
                         ? tournament_entry(tournament, span_of(json_string_value(player)))
                         : TOURNAMENT_NOBODY;
    for (unsigned seat = 0; seat < table->seats; seat++)
        if (table->entry[seat] == entry)
            return (int)seat;
    return -1;
}

static bool bad_seats(struct call *call, const char *message)
{
    return call_bad_field(call, "seats", message);
}

/* The kinds that a ruling gives; adjudicated if none is said. */
static bool read_kind(struct call *call, json_t *object, uint8_t *kind)
{
    json_t *field = json_object_get(object, "kind");
    int found = field == NULL           ? ROUND_ADJUDICATED
                : json_is_string(field) ? round_kind_find(span_of(json_string_value(field)))
                                        : -1;
    *kind = (uint8_t)found;
    return (found >= ROUND_ADJUDICATED && found <= ROUND_FORFEIT_LOSS) ||
           bad_seats(call, "has a kind that is none of: adjudicated forfeit_win forfeit_loss");
}

static bool has_only_known(struct call *call, json_t *object)
{
    static const char *const known[] = {"player", "rank", "score", "kind", NULL};
    return json_unknown_key(object, known) == NULL ||
           bad_seats(call, "are objects of player, rank, score and kind.");
}

/* The score is the game's, if it has ended and none is given. */
static bool read_score(struct call *call, json_t *object, const struct tournament_table *table,
                       int seat, int32_t *score)
{
    json_t *field = json_object_get(object, "score");
    *score = table->played ? table->game_result.seat[seat].score : 0;
    if (field == NULL)
        return true;
    json_int_t number = json_integer_value(field);
    *score = (int32_t)number;
    return (json_is_integer(field) && number >= -RESULT_SCORE_MAX && number <= RESULT_SCORE_MAX) ||
           bad_seats(call, "has a score that is no whole number, or too large.");
}

static bool read_seat(struct call *call, const struct tournament *tournament,
                      const struct tournament_table *table, json_t *object,
                      struct table_result *result)
{
    json_t *rank = json_object_get(object, "rank");
    if (!json_is_object(object) || !has_only_known(call, object))
        return json_is_object(object) ? false : bad_seats(call, "must be a list of objects.");
    int seat = seat_of(tournament, table, json_object_get(object, "player"));
    if (seat < 0)
        return bad_seats(call, "names somebody who does not sit at this table.");
    struct seat_result *to = &result->seat[seat];
    if (to->rank != 0)
        return bad_seats(call, "names somebody twice.");
    if (!json_is_integer(rank) || json_integer_value(rank) < 1 ||
        json_integer_value(rank) > table->seats)
        return bad_seats(call, "need a rank, from 1 to the number of seats.");
    to->rank = (uint8_t)json_integer_value(rank);
    return read_kind(call, object, &to->kind) && read_score(call, object, table, seat, &to->score);
}

/* Every rank is 1 + the number of better seats. */
static bool ranks_fit(const struct table_result *result)
{
    for (unsigned i = 0; i < result->seats; i++) {
        unsigned better = 0;
        for (unsigned j = 0; j < result->seats; j++)
            better += result->seat[j].rank < result->seat[i].rank;
        if (result->seat[i].rank != better + 1)
            return false;
    }
    return true;
}

static bool read_seats(struct call *call, const struct tournament *tournament,
                       const struct tournament_table *table, struct table_result *result)
{
    json_t *list = json_object_get(call->body, "seats"), *each;
    size_t i;
    if (json_array_size(list) != table->seats)
        return bad_seats(call, "must be a list with everybody at the table.");
    json_array_foreach(list, i, each)
    {
        if (!read_seat(call, tournament, table, each, result))
            return false;
    }
    return ranks_fit(result) ||
           bad_seats(call, "have ranks that do not fit: each is 1 + the number of better seats.");
}

/* Who did not come loses; who alone did wins. Of several who came, a game or a ruling with seats
 * has to tell. */
static bool read_no_show(struct call *call, const struct tournament *tournament,
                         const struct tournament_table *table, struct table_result *result)
{
    json_t *list = json_object_get(call->body, "no_show"), *each;
    size_t i, missing = 0;
    json_array_foreach(list, i, each)
    {
        int seat = seat_of(tournament, table, each);
        if (seat < 0 || result->seat[seat].rank != 0)
            return call_bad_field(call, "no_show",
                                  "must be a list of players at this table, each once.");
        result->seat[seat].rank = 2;
        result->seat[seat].kind = ROUND_FORFEIT_LOSS;
        missing++;
    }
    if (missing == 0 || missing + 1 < table->seats)
        return call_bad_field(call, "no_show",
                              "must leave one player at the table, or nobody; where several came, "
                              "write `seats`.");
    for (unsigned seat = 0; seat < table->seats; seat++) {
        if (missing == table->seats)
            result->seat[seat].rank = 1;
        else if (result->seat[seat].rank == 0)
            result->seat[seat] = (struct seat_result){
                .entry = table->entry[seat], .kind = ROUND_FORFEIT_WIN, .rank = 1};
    }
    return true;
}

static bool read_ruling(struct call *call, const struct tournament *tournament,
                        const struct tournament_table *table, struct table_result *result)
{
    json_t *seats = json_object_get(call->body, "seats");
    json_t *no_show = json_object_get(call->body, "no_show");
    *result =
        (struct table_result){.round = table->round, .table = table->table, .seats = table->seats};
    for (unsigned seat = 0; seat < table->seats; seat++)
        result->seat[seat].entry = table->entry[seat];
    if ((seats == NULL) == (no_show == NULL))
        return call_bad_field(call, "seats", "or no_show is needed, one of the two.");
    return seats != NULL ? read_seats(call, tournament, table, result)
                         : read_no_show(call, tournament, table, result);
}

/* ---- What it changes ---- */

/* The event without and with the step. */
struct before_and_after {
    const struct loaded_event *was, *is;
    const struct event_people *people;
};

static bool make_placing(struct call *call, const struct loaded_event *loaded, unsigned rounds,
                         struct placing *placing)
{
    struct refusal refusal;
    return placing_make(loaded->tournament, &loaded->chance, rounds, placing, &refusal) ||
           event_refuse(call, &refusal);
}

/* Those of `these` who are not among `others`. */
static json_t *others_document(const struct event_people *people, const uint16_t *these,
                               size_t these_count, const uint16_t *others, size_t others_count)
{
    json_t *list = json_array();
    for (size_t i = 0; i < these_count; i++) {
        size_t j = 0;
        while (j < others_count && others[j] != these[i])
            j++;
        if (j == others_count)
            json_array_append_new(list, event_numbered_person(people, these[i]));
    }
    return list;
}

/* Who goes on from a stage, best first, in the arena. */
static bool cut(struct call *call, const struct loaded_event *loaded, size_t stage,
                uint16_t **entries, size_t *count)
{
    const struct tournament *tournament = loaded->tournament;
    struct placing placing;
    if (!make_placing(call, loaded, tournament->rounds_started, &placing))
        return false;
    *entries = arena_array(call->arena, tournament->entrant_count, sizeof **entries);
    *count = placing_cut(tournament, &placing, stage,
                         tournament->settings.stage[stage + 1].entrants, *entries);
    placing_free(&placing);
    return true;
}

/* Who would go on from the stage, and who would no longer; null if no stage follows. */
static bool find_qualifying(struct call *call, const struct before_and_after *both, size_t stage,
                            json_t **document)
{
    uint16_t *was, *is;
    size_t was_count, is_count;
    *document = json_null();
    if (stage + 1 >= both->was->tournament->settings.stage_count)
        return true;
    if (!cut(call, both->was, stage, &was, &was_count) ||
        !cut(call, both->is, stage, &is, &is_count))
        return false;
    *document =
        json_pack("{s:o, s:o}", "in", others_document(both->people, is, is_count, was, was_count),
                  "out", others_document(both->people, was, was_count, is, is_count));
    return true;
}

/* ---- Later rounds ---- */

/* True if standings after `rounds` rounds are not what they were. */
static bool standings_differ(struct call *call, const struct before_and_after *both,
                             unsigned rounds, struct placing_difference *differences, bool *differ)
{
    struct placing was, is;
    if (!make_placing(call, both->was, rounds, &was))
        return false;
    bool made = make_placing(call, both->is, rounds, &is);
    if (made) {
        *differ = placing_compare(&was, &is, differences) > 0;
        placing_free(&is);
    }
    placing_free(&was);
    return made;
}

/* True if a table of a bracket is played by others than the bracket now has there. */
static bool is_out_of_place(const struct elimination *bracket, const struct tournament_table *table)
{
    if (table->match >= bracket->match_count)
        return true;
    const struct elimination_match *match = &bracket->match[table->match];
    for (unsigned seat = 0; seat < table->seats; seat++)
        if (table->entry[seat] != match->side[0].entry &&
            table->entry[seat] != match->side[1].entry)
            return true;
    return false;
}

/* Tables of later rounds that the bracket does not have any more. */
static bool list_misplaced(struct call *call, const struct before_and_after *both, size_t stage,
                           unsigned after, json_t *list)
{
    const struct tournament *tournament = both->is->tournament;
    struct elimination bracket;
    struct refusal refusal;
    if (!draw_bracket(tournament, stage, tournament->rounds_started, &bracket, &refusal))
        return event_refuse(call, &refusal);
    for (size_t i = 0; i < tournament->table_count; i++) {
        const struct tournament_table *table = &tournament->tables[i];
        if (table->stage == stage && table->round > after && is_out_of_place(&bracket, table))
            json_array_append_new(list, json_pack("{s:i, s:i}", "round", (int)table->round, "table",
                                                  (int)table->table));
    }
    return true;
}

static bool is_bracket(enum tournament_format format)
{
    return format == FORMAT_SINGLE_ELIMINATION || format == FORMAT_DOUBLE_ELIMINATION;
}

/* Schedules of round robins and leagues follow from no result. */
static bool is_drawn_from_standings(enum tournament_format format)
{
    return format == FORMAT_POD_SWISS || format == FORMAT_DUTCH || format == FORMAT_POD_ELIMINATION;
}

/* Started or drafted rounds after `after` that the step would have had drawn from something else:
 * by standings, or because the stage began with others. */
static bool list_later(struct call *call, const struct before_and_after *both, unsigned after,
                       json_t *rounds)
{
    const struct tournament *tournament = both->was->tournament;
    struct placing_difference *differences =
        arena_array(call->arena, tournament->entrant_count, sizeof *differences);
    for (size_t i = after; i < tournament->round_count; i++) {
        const struct tournament_round *round = &tournament->rounds[i];
        bool first = tournament->stage[round->stage].first_round == round->number;
        bool differ = false;
        if (!is_drawn_from_standings(tournament->settings.stage[round->stage].format) && !first)
            continue;
        if (!standings_differ(call, both, round->number - 1U, differences, &differ))
            return false;
        if (differ)
            json_array_append_new(rounds, json_integer(round->number));
    }
    return true;
}

/* ---- The answer ---- */

static bool add_changes(struct call *call, const struct before_and_after *both,
                        const struct tournament_table *table, json_t *document)
{
    const struct tournament *tournament = both->was->tournament;
    json_t *differences, *qualifying, *rounds = json_array(), *tables = json_array();
    json_object_set_new(document, "rounds", rounds);
    json_object_set_new(document, "tables", tables);
    if (!event_differences(call, both->was, both->is, &differences))
        return false;
    json_object_set_new(document, "differences", differences);
    if (!find_qualifying(call, both, table->stage, &qualifying))
        return false;
    json_object_set_new(document, "qualifying", qualifying);
    if (table->round > 0 && !list_later(call, both, table->round, rounds))
        return false;
    return !is_bracket(tournament->settings.stage[table->stage].format) ||
           list_misplaced(call, both, table->stage, table->round, tables);
}

static bool answer_step(struct call *call, const struct before_and_after *both,
                        const struct tournament_table *table, bool preview)
{
    const struct tournament_table *after =
        tournament_table(both->is->tournament, table->round, table->table);
    json_t *seats = json_array();
    for (unsigned seat = 0; seat < after->seats; seat++) {
        const struct seat_result *result = &after->result.seat[seat];
        bool has = after->has_result;
        json_array_append_new(
            seats, json_pack("{s:o, s:o, s:o, s:o}", "player",
                             event_numbered_person(both->people, after->entry[seat]), "rank",
                             has ? json_integer(result->rank) : json_null(), "score",
                             has ? json_integer(result->score) : json_null(), "kind",
                             has ? json_string(round_kind_name(result->kind)) : json_null()));
    }
    json_t *document =
        json_pack("{s:s, s:i, s:i, s:b, s:b, s:o}", "event", both->was->event.id.text, "round",
                  (int)table->round, "table", (int)table->table, "preview", (int)preview, "ruled",
                  (int)after->ruled, "seats", seats);
    if (!add_changes(call, both, table, document)) {
        json_decref(document);
        return false;
    }
    call_answer(call, 200, document);
    return true;
}

/* ---- Taking the step ---- */

static bool find_table(struct call *call, const struct loaded_event *loaded,
                       struct tournament_table *found)
{
    unsigned round = (unsigned)call->number[0];
    const struct tournament_table *table =
        round > loaded->tournament->rounds_started
            ? NULL
            : tournament_table(loaded->tournament, round, (unsigned)call->number[1]);
    if (table == NULL)
        return call_problem(call, "no-such-table",
                            "There is no such table in a round that has been started.");
    *found = *table;
    return true;
}

/* What follows from a ruling: a game that has been rated is rated as it counts now, and what was
 * kept of a closed event is kept once more as it is now. */
static bool follow(struct call *call, const struct loaded_event *loaded,
                   const struct tournament_table *table, const char *reason)
{
    struct id game;
    bool rated = !table->played || !id_parse(span_of(table->game), &game) ||
                 ratings_again(call, &game, reason[0] == '\0' ? "The ruling was revoked." : reason);
    return rated && (loaded->tournament->phase != PHASE_CLOSED ||
                     tlog_add_closed_event(call, &loaded->event.id));
}

/* Tries the step, says what it changes, and, unless that is all that was asked for, takes it.
 * `detail` is taken over. */
static void take_step(struct call *call, struct loaded_event *loaded,
                      const struct tournament_table *table, const char *kind, json_t *detail,
                      const char *reason, bool preview)
{
    struct loaded_event tried;
    struct event_people people;
    struct before_and_after both = {loaded, &tried, &people};
    bool good = event_try(call, loaded, kind, json_incref(detail), &tried) &&
                event_people_load(call, loaded, &people) &&
                answer_step(call, &both, table, preview);
    if (!good || preview) {
        json_decref(detail);
        return;
    }
    if (event_take(call, loaded, kind, detail))
        follow(call, loaded, table, reason);
}

void rulings_put(struct call *call)
{
    static const char *const keys[] = {"seats", "no_show", "reason", NULL};
    struct loaded_event loaded;
    struct tournament_table table = {.seats = 0};
    struct table_result result;
    const char *reason;
    bool preview;
    if (!preview_read(call, &preview) || !call_check_keys(call, keys) ||
        !call_text(call, "reason", 1, REASON_MOST, preview ? "preview" : NULL, &reason) ||
        !event_load(call, &call->id[0], true, &loaded) || !find_table(call, &loaded, &table) ||
        !read_ruling(call, loaded.tournament, &table, &result))
        return;
    take_step(call, &loaded, &table, "ruled", table_ruling_line(loaded.tournament, &result, reason),
              reason, preview);
}

void rulings_revoke(struct call *call)
{
    static const char *const keys[] = {"reason", NULL};
    struct loaded_event loaded;
    struct tournament_table table = {.seats = 0};
    const char *reason;
    bool preview;
    if (!preview_read(call, &preview) || !call_check_keys(call, keys) ||
        !call_text(call, "reason", 1, REASON_MOST, "", &reason) ||
        !event_load(call, &call->id[0], true, &loaded) || !find_table(call, &loaded, &table))
        return;
    json_t *detail = json_pack("{s:i, s:i}", "round", (int)table.round, "table", (int)table.table);
    if (reason[0] != '\0')
        json_object_set_new(detail, "reason", json_string(reason));
    take_step(call, &loaded, &table, "ruling_revoked", detail, reason, preview);
}
