/* Round robins and leagues: for each division, a round of the schedule for its number of entries
 * (berger.h, pod_round_robin.h).
 *
 * A schedule at larger tables belongs to the attempt that drew the stage's first round, so
 * redrawing a later round gives the same result. If a schedule was searched for, the draw of the
 * first round contains all of it, and later rounds are read from there.
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "engine/tournament/formats/round_robin/berger.h"
#include "engine/tournament/formats/round_robin/league.h"
#include "engine/tournament/formats/round_robin/pod_round_robin.h"
#include "engine/tournament/pairing/pairing_parts.h"

/* Consecutive entries that play among themselves. */
struct division {
    const uint16_t *entries;
    unsigned count;
};

/* ---- Divisions ---- */

static unsigned divide(const struct stage_settings *settings, size_t entry_count,
                       struct league_place *places)
{
    const struct league_rule rule = {.size = settings->division,
                                     .smallest = settings->division_smallest};
    struct refusal refusal;
    size_t count = 0;
    uint16_t *joining = calloc(entry_count + 1, sizeof *joining);
    for (size_t i = 0; joining != NULL && i < entry_count; i++)
        joining[i] = (uint16_t)i;
    const struct league_season season = {
        .rule = rule, .joining = joining, .joining_count = entry_count};
    bool made = joining != NULL && league_next(&season, places, &count, &refusal);
    free(joining);
    return made && count > 0 ? places[count - 1].division : 0;
}

/* Divisions are consecutive entries, in order; other formats have a single division with number
 * 1. */
unsigned pairing_divisions(const struct tournament *tournament, size_t stage, uint16_t *division)
{
    const struct tournament_stage *begun = &tournament->stage[stage];
    const struct stage_settings *settings = &tournament->settings.stage[stage];
    for (size_t i = 0; i < begun->entry_count; i++)
        division[i] = 1;
    if (settings->format != FORMAT_LEAGUE)
        return begun->entry_count > 0;
    struct league_place *places = calloc(LEAGUE_ENTRIES_MAX, sizeof *places);
    unsigned divisions = places == NULL ? 0 : divide(settings, begun->entry_count, places);
    for (size_t i = 0; divisions > 0 && i < begun->entry_count; i++)
        division[places[i].entry] = places[i].division;
    free(places);
    return divisions;
}

/* The divisions of the stage, as a list that the caller frees; NULL: refused. */
static struct division *list_divisions(const struct pairing_run *run, unsigned *count)
{
    uint16_t *of = calloc(run->entry_count + 1, sizeof *of);
    struct division *list = calloc(run->entry_count + 1, sizeof *list);
    *count = 0;
    if (of != NULL && list != NULL)
        *count = pairing_divisions(run->tournament, run->stage, of);
    for (size_t i = 0; *count > 0 && i < run->entry_count; i++) {
        struct division *division = &list[of[i] - 1];
        if (division->count++ == 0)
            division->entries = &run->entries[i];
    }
    free(of);
    if (*count > 0)
        return list;
    free(list);
    pairing_no_memory(run);
    return NULL;
}

/* ---- The number of rounds ---- */

/* A league at tables of two is a round robin in each division. */
static bool is_for_two(const struct stage_settings *settings)
{
    return settings->format != FORMAT_POD_ROUND_ROBIN && settings->table.allowed == 1U << 2;
}

static bool fits(const struct pairing_run *run, unsigned entries)
{
    if (entries < table_rule_smallest(run->settings->table))
        return refuse(run->refusal, PAIRING_REFUSAL_TOO_FEW,
                      "There are too few entries for one table.");
    unsigned most =
        is_for_two(run->settings) ? BERGER_ENTRIES_MAX : (unsigned)POD_ROUND_ROBIN_PLAYERS_MAX;
    if (entries > most)
        return refuse(run->refusal, PAIRING_REFUSAL_TOO_MANY,
                      "A round robin takes 128 entries at tables of two, and 256 at larger ones; "
                      "make it a league, or pair Swiss rounds.");
    return true;
}

static unsigned rounds_of(const struct stage_settings *settings, unsigned entries)
{
    return is_for_two(settings) ? berger_rounds(entries, settings->twice) : settings->rounds;
}

/* The rounds of the longest division. */
static bool count_rounds(const struct pairing_run *run, const struct division *divisions,
                         unsigned count, unsigned *rounds)
{
    *rounds = 0;
    for (unsigned i = 0; i < count; i++) {
        if (!fits(run, divisions[i].count))
            return false;
        unsigned own = rounds_of(run->settings, divisions[i].count);
        *rounds = own > *rounds ? own : *rounds;
    }
    return run->first_round + *rounds - 1 <= TOURNAMENT_ROUNDS_MAX ||
           refuse(run->refusal, PAIRING_REFUSAL_TOO_MANY,
                  "This round robin would take more than the 64 rounds of an event; make it a "
                  "league, or pair Swiss rounds.");
}

static bool is_over(const struct pairing_run *run, bool *over)
{
    unsigned count, rounds;
    struct division *divisions = list_divisions(run, &count);
    bool good = divisions != NULL && count_rounds(run, divisions, count, &rounds);
    if (good)
        *over = run->stage_round > rounds;
    free(divisions);
    return good;
}

/* ---- A round at tables of two ---- */

static void draw_two(const struct pairing_run *run, const struct division *division)
{
    struct berger_pairing pairings[BERGER_ENTRIES_MAX / 2];
    unsigned count =
        berger_round(division->count, run->settings->twice, run->stage_round, pairings);
    for (unsigned i = 0; i < count; i++) {
        uint16_t first = division->entries[pairings[i].first];
        if (pairings[i].second == BERGER_NOBODY) {
            pairing_add_without_seat(run, first);
            continue;
        }
        pairing_add_table(run, 2, (uint16_t[]){first, division->entries[pairings[i].second]},
                          TOURNAMENT_NOBODY);
    }
}

static json_t *explain_two(const struct pairing_run *run, const struct division *division)
{
    return json_pack("{s:s, s:i, s:i, s:i}", "method", "berger", "entries", (int)division->count,
                     "schedule_round", (int)run->stage_round, "schedule_rounds",
                     (int)rounds_of(run->settings, division->count));
}

/* ---- A round at larger tables ---- */

static unsigned smallest_table(const struct pairing_run *run)
{
    unsigned seats = run->tournament->settings.game->seats_min;
    return seats < TABLE_SIZE_MIN ? TABLE_SIZE_MIN : seats;
}

/* A table of two keeps its seats: the present player wins by forfeit. A larger table is played by
 * those present. */
static void pairing_table_of(const struct pairing_run *run, const struct division *division,
                             const struct pod_schedule_table *table)
{
    uint16_t entries[TOURNAMENT_SEATS_MAX] = {0};
    unsigned there = 0;
    for (unsigned seat = 0; seat < table->seats; seat++) {
        uint16_t entry = division->entries[table->player[seat]];
        if (table->seats == 2 || pairing_is_present(run, entry))
            entries[there++] = entry;
    }
    bool played = table->table != 0 && there >= smallest_table(run);
    if (played)
        pairing_add_table(run, there, entries, TOURNAMENT_NOBODY);
    for (unsigned seat = 0; seat < table->seats; seat++) {
        uint16_t entry = division->entries[table->player[seat]];
        if (!played || (table->seats != 2 && !pairing_is_present(run, entry)))
            pairing_add_without_seat(run, entry);
    }
}

static const char *const methods[] = {
    [POD_SCHEDULE_CONSTRUCTED] = "constructed", [POD_SCHEDULE_CYCLIC] = "cyclic",
    [POD_SCHEDULE_EXTENDED] = "extended",       [POD_SCHEDULE_SHORTENED] = "shortened",
    [POD_SCHEDULE_ANNEALED] = "annealed",
};

static json_t *explain_schedule(const struct pairing_run *run, const struct division *division,
                                const struct pod_schedule *schedule)
{
    const struct pod_schedule_quality *quality = &schedule->quality;
    return json_pack("{s:s, s:i, s:i, s:i, s:i, s:i, s:b, s:i, s:[i,i], s:[i,i]}", "method",
                     methods[schedule->method], "entries", (int)division->count, "schedule_round",
                     (int)run->stage_round, "schedule_rounds", (int)run->settings->rounds,
                     "repeats", (int)quality->repeats, "repeats_bound", (int)quality->repeats_bound,
                     "proved_best", (int)(quality->repeats == quality->repeats_bound),
                     "seat_spread", (int)quality->seat_spread, "odd_tables",
                     (int)quality->short_least, (int)quality->short_most, "byes",
                     (int)quality->bye_least, (int)quality->bye_most);
}

/* The attempt that drew the stage's first round. */
static unsigned schedule_attempt(const struct pairing_run *run)
{
    return run->stage_round == 1 ? run->attempt
                                 : run->tournament->rounds[run->first_round - 1].attempt;
}

/* ---- Stored schedules ---- */

/* A list of rounds; each is a list of tables, which are lists of positions in the division, from 1,
 * in order of seats. A position alone has a bye. */
static json_t *tell_schedule(const struct pod_schedule *schedule)
{
    json_t *rounds = json_array();
    for (size_t t = 0; t < schedule->table_count; t++) {
        const struct pod_schedule_table *table = &schedule->tables[t];
        json_t *players = json_array();
        while (json_array_size(rounds) < table->round)
            json_array_append_new(rounds, json_array());
        for (unsigned seat = 0; seat < table->seats; seat++)
            json_array_append_new(players, json_integer(table->player[seat] + 1));
        json_array_append_new(json_array_get(rounds, table->round - 1U), players);
    }
    return rounds;
}

/* Reads one table of a round, or a bye; `there` [position] marks the positions already seen in the
 * round. */
static bool read_table(const json_t *list, unsigned players, bool *there,
                       struct pod_schedule_table *table)
{
    size_t seats = json_array_size(list);
    if (seats == 0 || seats > TOURNAMENT_SEATS_MAX)
        return false;
    table->seats = (uint8_t)seats;
    for (size_t seat = 0; seat < seats; seat++) {
        json_int_t position = json_integer_value(json_array_get(list, seat));
        if (position < 1 || position > (json_int_t)players || there[position - 1])
            return false;
        there[position - 1] = true;
        table->player[seat] = (uint16_t)(position - 1);
    }
    return true;
}

static bool read_round(const json_t *list, unsigned round, unsigned players,
                       struct pod_schedule *schedule)
{
    bool there[POD_ROUND_ROBIN_PLAYERS_MAX] = {false};
    unsigned number = 0, seated = 0;
    for (size_t t = 0; t < json_array_size(list); t++) {
        struct pod_schedule_table *table = &schedule->tables[schedule->table_count];
        *table = (struct pod_schedule_table){.round = (uint16_t)round};
        if (seated == players || !read_table(json_array_get(list, t), players, there, table))
            return false;
        table->table = table->seats == 1 ? 0 : (uint16_t)++number;
        seated += table->seats;
        schedule->table_count++;
    }
    return seated == players;
}

static bool read_method(const json_t *told, struct pod_schedule *schedule)
{
    const char *name = json_string_value(json_object_get(told, "method"));
    for (int i = 0; name != NULL && i < (int)(sizeof methods / sizeof *methods); i++)
        if (strcmp(methods[i], name) == 0) {
            schedule->method = (enum pod_schedule_method)i;
            return true;
        }
    return false;
}

/* False if it is not a schedule for this many players and rounds; then there is nothing to free. */
static bool read_schedule(const struct pairing_run *run, const json_t *told, unsigned players,
                          struct pod_schedule *schedule)
{
    const json_t *rounds = json_object_get(told, "schedule");
    unsigned count = run->settings->rounds;
    *schedule = (struct pod_schedule){.group_size = 1};
    if (json_array_size(rounds) != count || !read_method(told, schedule))
        return false;
    schedule->tables = calloc((size_t)count * players + 1, sizeof *schedule->tables);
    bool good = schedule->tables != NULL;
    for (unsigned round = 1; good && round <= count; round++)
        good = read_round(json_array_get(rounds, round - 1), round, players, schedule);
    good = good && pod_schedule_measure(schedule->tables, schedule->table_count, players,
                                        run->settings->table.preferred, &schedule->quality);
    if (!good)
        free(schedule->tables);
    return good;
}

/* Finds the schedule for this many players in the draw of the stage's first round. */
static bool find_told(const struct pairing_run *run, unsigned players,
                      struct pod_schedule *schedule)
{
    const json_t *divisions = run->tournament->schedules;
    for (size_t i = 0; run->stage_round > 1 && i < json_array_size(divisions); i++) {
        const json_t *told = json_array_get(divisions, i);
        if (json_integer_value(json_object_get(told, "entries")) == (json_int_t)players &&
            json_object_get(told, "schedule") != NULL)
            return read_schedule(run, told, players, schedule);
    }
    return false;
}

/* Divisions of one size share one schedule, which is made and written once. */
struct kept {
    struct pod_schedule schedule;
    unsigned players; /* 0 = none yet */
    bool told;
};

static bool keep_schedule(const struct pairing_run *run, unsigned players, struct kept *kept)
{
    const struct pod_round_robin_request request = {.players = (uint16_t)players,
                                                    .rounds = run->settings->rounds,
                                                    .rule = run->settings->table,
                                                    .attempt = (uint16_t)schedule_attempt(run),
                                                    .version = run->settings->pairing_version,
                                                    .chance = run->chance};
    if (kept->players == players)
        return true;
    if (kept->players > 0)
        pod_schedule_free(&kept->schedule);
    *kept = (struct kept){.players = 0};
    if (!find_told(run, players, &kept->schedule) &&
        !pod_round_robin_make(&request, &kept->schedule, run->refusal))
        return false;
    kept->players = players;
    return true;
}

/* Writes a schedule once. Constructed ones are left out, because they are quick to make again. */
static void tell_once(const struct pairing_run *run, struct kept *kept, json_t *explained)
{
    if (run->stage_round == 1 && !kept->told && kept->schedule.method != POD_SCHEDULE_CONSTRUCTED)
        json_object_set_new(explained, "schedule", tell_schedule(&kept->schedule));
    kept->told = true;
}

static bool pairing_pods_of(const struct pairing_run *run, const struct division *division,
                            struct kept *kept, json_t **explained)
{
    if (!keep_schedule(run, division->count, kept))
        return false;
    for (size_t t = 0; t < kept->schedule.table_count; t++)
        if (kept->schedule.tables[t].round == run->stage_round)
            pairing_table_of(run, division, &kept->schedule.tables[t]);
    *explained = explain_schedule(run, division, &kept->schedule);
    tell_once(run, kept, *explained);
    return true;
}

/* ---- A round ---- */

/* A division that has played all its rounds has no part in the round. */
static bool pairing_division(const struct pairing_run *run, const struct division *division,
                             struct kept *kept, json_t *explained)
{
    json_t *own = NULL;
    assert(division->entries != NULL);
    size_t first = run->pairing->table_count;
    if (run->stage_round > rounds_of(run->settings, division->count))
        return true;
    if (is_for_two(run->settings)) {
        draw_two(run, division);
        own = explain_two(run, division);
    } else if (!pairing_pods_of(run, division, kept, &own)) {
        return false;
    }
    json_object_set_new(own, "first_table", json_integer((json_int_t)first + 1));
    json_object_set_new(own, "tables",
                        json_integer((json_int_t)(run->pairing->table_count - first)));
    return json_array_append_new(explained, own) == 0 || pairing_no_memory(run);
}

static bool pairing_divisions_of(const struct pairing_run *run, const struct division *divisions,
                                 unsigned count)
{
    unsigned rounds;
    struct kept kept = {.players = 0};
    json_t *explained = json_array();
    bool good = count_rounds(run, divisions, count, &rounds);
    for (unsigned i = 0; good && i < count; i++) {
        good = pairing_division(run, &divisions[i], &kept, explained);
        progress_tell(run->progress, i + 1, count);
    }
    if (good)
        run->pairing->quality = json_pack("{s:s, s:o, s:O, s:o}", "method", "schedule", "criteria",
                                          pairing_seats_criteria(0), "divisions", explained,
                                          "forfeited", pairing_forfeited(run));
    if (kept.players > 0)
        pod_schedule_free(&kept.schedule);
    json_decref(explained);
    return good;
}

static bool make(const struct pairing_run *run)
{
    unsigned count;
    struct division *divisions = list_divisions(run, &count);
    bool made = divisions != NULL && pairing_divisions_of(run, divisions, count);
    free(divisions);
    return made;
}

const struct pairing_format pairing_schedule = {is_over, make, pairing_judge_seats};
