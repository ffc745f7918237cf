#include "api/events/ruling_changes.h"

#include <string.h>

#include "api/event/event_load.h"
#include "api/event/event_take.h"
#include "api/ratings/ratings_again.h"
#include "api/request/documents.h"
#include "api/tables/duplicate_standings.h"
#include "api/tables/reported_ratings.h"
#include "api/tables/tlog_documents.h"
#include "engine/tournament/formats/knockout/elimination.h"
#include "engine/tournament/pairing/pairing.h"
#include "engine/tournament/pairing/ranking.h"

/* ---- Effects ---- */

/* The event before and after the step. */
struct before_and_after {
    const struct loaded_event *was, *is;
    const struct event_people *people;
};

static bool make_ranking(struct call *call, const struct loaded_event *loaded, unsigned rounds,
                         struct ranking *ranking)
{
    struct refusal refusal;
    return ranking_make(loaded->tournament, &loaded->chance, rounds, ranking, &refusal) ||
           event_refuse(call, &refusal);
}

/* The entries of `these` that are not among `others`. */
static json_t *only_first_document(const struct event_people *people, const uint16_t *these,
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

/* The entries that qualify for the next stage, best first, owned by the call's arena. */
static bool find_qualified(struct call *call, const struct loaded_event *loaded, size_t stage,
                           uint16_t **entries, size_t *count)
{
    const struct tournament *tournament = loaded->tournament;
    struct ranking ranking;
    if (!make_ranking(call, loaded, tournament->rounds_started, &ranking))
        return false;
    *entries = arena_array(call->arena, tournament->entrant_count, sizeof **entries);
    *count = ranking_cut(tournament, &ranking, stage,
                         tournament->settings.stage[stage + 1].entrants, *entries);
    ranking_free(&ranking);
    return true;
}

/* The entries that the step adds to the qualified ones, and those that it removes; null if no stage
 * follows. */
static bool find_qualifying(struct call *call, const struct before_and_after *both, size_t stage,
                            json_t **document)
{
    uint16_t *was, *is;
    size_t was_count, is_count;
    *document = json_null();
    if (stage + 1 >= both->was->tournament->settings.stage_count)
        return true;
    if (!find_qualified(call, both->was, stage, &was, &was_count) ||
        !find_qualified(call, both->is, stage, &is, &is_count))
        return false;
    *document = json_pack("{s:o, s:o}", "in",
                          only_first_document(both->people, is, is_count, was, was_count), "out",
                          only_first_document(both->people, was, was_count, is, is_count));
    return true;
}

/* ---- Later rounds ---- */

/* Sets `differ` if the step changes the standings after `rounds` rounds. */
static bool standings_differ(struct call *call, const struct before_and_after *both,
                             unsigned rounds, struct ranking_difference *differences, bool *differ)
{
    struct ranking was, is;
    if (!make_ranking(call, both->was, rounds, &was))
        return false;
    bool made = make_ranking(call, both->is, rounds, &is);
    if (made) {
        *differ = ranking_compare(&was, &is, differences) > 0;
        ranking_free(&is);
    }
    ranking_free(&was);
    return made;
}

/* True if a table's players are not those whom the bracket now has there. */
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

/* Lists the tables of later rounds that the bracket no longer has. */
static bool list_misplaced(struct call *call, const struct before_and_after *both, size_t stage,
                           unsigned after, json_t *list)
{
    const struct tournament *tournament = both->is->tournament;
    struct elimination bracket;
    struct refusal refusal;
    if (!pairing_bracket(tournament, stage, tournament->rounds_started, &bracket, &refusal))
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

/* The schedules of round robins and leagues do not depend on results. */
static bool is_drawn_from_standings(enum tournament_format format)
{
    return format == FORMAT_POD_SWISS || format == FORMAT_DUTCH || format == FORMAT_POD_ELIMINATION;
}

/* Lists started or drafted rounds after `after` that would have been drawn from other standings, or
 * whose stage would have begun with other entries. */
static bool list_later(struct call *call, const struct before_and_after *both, unsigned after,
                       json_t *rounds)
{
    const struct tournament *tournament = both->was->tournament;
    struct ranking_difference *differences =
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

/* ---- The document ---- */

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

static bool describe(struct call *call, const struct before_and_after *both,
                     const struct tournament_table *table, bool preview, json_t **document)
{
    const struct tournament_table *after =
        tournament_table(both->is->tournament, table->round, table->table);
    json_t *seats = json_array();
    for (unsigned seat = 0; seat < after->seats; seat++) {
        json_t *told =
            json_pack("{s:o}", "player", event_numbered_person(both->people, after->entry[seat]));
        event_add_result(both->is->tournament, after, seat, told);
        json_array_append_new(seats, told);
    }
    *document = json_pack("{s:s, s:i, s:i, s:b, s:b, s:o}", "event", both->was->event.id.text,
                          "round", (int)table->round, "table", (int)table->table, "preview",
                          (int)preview, "ruled", (int)after->ruled, "seats", seats);
    if (!add_changes(call, both, table, *document)) {
        json_decref(*document);
        return false;
    }
    return true;
}

bool ruling_changes(struct call *call, const struct loaded_event *loaded,
                    const struct tournament_table *table, const char *kind, json_t *detail,
                    bool preview, json_t **document)
{
    struct loaded_event tried;
    struct event_people people;
    struct before_and_after both = {loaded, &tried, &people};
    return event_try(call, loaded, kind, json_incref(detail), &tried) &&
           event_people_load(call, loaded, &people) &&
           describe(call, &both, table, preview, document);
}

/* ---- Taking the step ---- */

bool ruling_follow(struct call *call, const struct loaded_event *loaded,
                   const struct tournament_table *table, const char *reason)
{
    struct id game;
    const char *why = reason[0] == '\0' ? "The ruling was revoked." : reason;
    bool rated = table->at_table
                     ? reported_rate_again(call, loaded, table->round, table->table, why)
                     : !table->played || !id_parse(span_of(table->game), &game) ||
                           ratings_again(call, &game, &loaded->event.id,
                                         tournament_rates_apart(loaded->tournament, table), why);
    return rated && (loaded->tournament->phase != PHASE_CLOSED ||
                     tlog_add_closed_event(call, &loaded->event.id));
}

bool ruling_take(struct call *call, struct loaded_event *loaded,
                 const struct tournament_table *table, const char *kind, json_t *detail,
                 const char *reason)
{
    return event_take(call, loaded, kind, detail) && ruling_follow(call, loaded, table, reason);
}

/* ---- Differences ---- */

static json_t *difference_document(const struct event_people *people,
                                   const struct ranking_difference *difference)
{
    return json_pack("{s:o, s:o, s:o, s:o, s:o}", "player",
                     event_numbered_person(people, difference->entry), "place_was",
                     number_or_null(difference->place_was), "place_is",
                     number_or_null(difference->place_is), "points_was",
                     rational_document(difference->points_was, POINTS_PER_POINT), "points_is",
                     rational_document(difference->points_is, POINTS_PER_POINT));
}

/* Makes the standings; sets `none` if there are none yet. */
static bool make_current_ranking(struct call *call, const struct loaded_event *loaded,
                                 struct ranking *ranking, bool *none)
{
    struct refusal refusal;
    *none = false;
    if (ranking_make(loaded->tournament, &loaded->chance, loaded->tournament->rounds_started,
                     ranking, &refusal))
        return true;
    *none = strcmp(refusal.code, RANKING_REFUSAL_NOT_YET) == 0;
    return !*none && event_refuse(call, &refusal);
}

static bool compare(struct call *call, const struct loaded_event *is, const struct ranking *before,
                    const struct ranking *after, json_t *list)
{
    struct event_people people;
    struct ranking_difference *differences =
        arena_array(call->arena, is->tournament->entrant_count, sizeof *differences);
    if (!event_people_load(call, is, &people))
        return false;
    size_t count = ranking_compare(before, after, differences);
    for (size_t i = 0; i < count; i++)
        json_array_append_new(list, difference_document(&people, &differences[i]));
    return true;
}

/* ---- Duplicate events ---- */

static const struct duplicate_standing *standing_of(const struct duplicate_event *duplicate,
                                                    uint16_t entry)
{
    for (size_t i = 0; i < duplicate->ranking.standings.count; i++)
        if (duplicate->ranking.standings.rows[i].entry == entry)
            return &duplicate->ranking.standings.rows[i];
    return NULL;
}

static json_t *standing_points(const struct duplicate_standing *standing)
{
    return rational_document(standing->value[0].numerator, standing->value[0].denominator);
}

static bool is_same(const struct duplicate_standing *was, const struct duplicate_standing *is)
{
    return was != NULL && was->rank == is->rank &&
           was->value[0].numerator == is->value[0].numerator &&
           was->value[0].denominator == is->value[0].denominator;
}

static void compare_duplicates(const struct duplicate_event *was, const struct duplicate_event *is,
                               json_t *list)
{
    for (size_t i = 0; i < is->ranking.standings.count; i++) {
        const struct duplicate_standing *row = &is->ranking.standings.rows[i];
        const struct duplicate_standing *before = standing_of(was, row->entry);
        if (is_same(before, row))
            continue;
        json_array_append_new(
            list, json_pack("{s:o, s:o, s:o, s:o, s:o}", "player",
                            event_numbered_person(&is->people, duplicate_entry(is, row->entry)),
                            "place_was", number_or_null(before == NULL ? 0 : before->rank),
                            "place_is", number_or_null(row->rank), "points_was",
                            before == NULL ? rational_document(0, 1) : standing_points(before),
                            "points_is", standing_points(row)));
    }
}

static bool list_duplicate(struct call *call, const struct loaded_event *was,
                           const struct loaded_event *is, json_t *list)
{
    struct duplicate_event before, after;
    if (was->tournament->rounds_started == 0)
        return true;
    if (!duplicate_load(call, was, was->tournament->rounds_started, &before))
        return false;
    bool good = duplicate_load(call, is, is->tournament->rounds_started, &after);
    if (good) {
        compare_duplicates(&before, &after, list);
        duplicate_free(&after);
    }
    duplicate_free(&before);
    return good;
}

/* ---- Other events ---- */

static bool list_ranked(struct call *call, const struct loaded_event *was,
                        const struct loaded_event *is, json_t *list)
{
    struct ranking before;
    struct ranking after;
    bool none;
    if (!make_current_ranking(call, was, &before, &none))
        return none;
    bool good = make_current_ranking(call, is, &after, &none);
    if (good) {
        good = compare(call, is, &before, &after, list);
        ranking_free(&after);
    }
    ranking_free(&before);
    return good || none;
}

bool event_differences(struct call *call, const struct loaded_event *was,
                       const struct loaded_event *is, json_t **list)
{
    *list = json_array();
    if ((duplicate_is(&was->event) ? list_duplicate : list_ranked)(call, was, is, *list))
        return true;
    json_decref(*list);
    return false;
}
