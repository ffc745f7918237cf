/* What is certain: by bounds on points, or by the paths of a bracket.
 *
 * An entry has at least `least` and at most `most` points at the end of the stage, whatever the
 * tables without a result bring, and whatever the rounds to come. Tie-breaks are left out: nobody
 * is called ahead of one with the same points.
 *
 *      has won             its least > the most of all others
 *      cannot win          its most < the least of another
 *      is through          fewer others than there are places can reach its least
 *      is out              as many others as there are places are ahead of its most
 *
 * In a round robin at tables of two, one who leaves before half of the games takes the results with
 * them (ranking.h). So what an entry won from somebody with too few games so far may be taken from
 * it; and an entry with too few games itself keeps nobody from first place.
 */
#include <stdlib.h>
#include <string.h>

#include "engine/tournament/formats/knockout/elimination.h"
#include "engine/tournament/formats/knockout/pod_elimination.h"
#include "engine/tournament/formats/round_robin/berger.h"
#include "engine/tournament/odds/odds_parts.h"

struct bounds {
    int64_t least, most;
    uint16_t completed; /* games */
    bool stands;        /* its results count, even if it leaves */
};

struct certain {
    const struct tournament *event;
    const struct stage_settings *settings;
    struct odds *odds;
    struct bounds *bounds; /* owned; by position in odds->entries */
    uint16_t *position;    /* owned; [entry] */
    int64_t round_least, round_most;
};

/* ---- What a round can give ---- */

static void widen(struct certain *certain, int64_t points)
{
    certain->round_least = points < certain->round_least ? points : certain->round_least;
    certain->round_most = points > certain->round_most ? points : certain->round_most;
}

/* Every kind of result at tables of every size: games can be ruled on, and absent players make
 * tables smaller. */
static void bound_round(struct certain *certain)
{
    const struct scoring *scoring = &certain->settings->scoring;
    certain->round_least = certain->round_most = 0;
    for (unsigned kind = 0; kind < ROUND_KINDS; kind++)
        widen(certain, scoring->unplayed[kind]);
    for (unsigned seats = 2; seats <= TOURNAMENT_SEATS_MAX; seats++)
        for (unsigned place = 0; place < seats; place++)
            widen(certain, scoring->place[seats][place]);
    if (scoring->pairing_apart)
        widen(certain, scoring->draw);
    int64_t margin = (int64_t)scoring->margin_cap * scoring->margin_unit;
    if (scoring->margin_unit > 0) {
        widen(certain, scoring->margin_base - margin);
        widen(certain, scoring->margin_base + margin);
    }
}

/* ---- Bounds ---- */

static unsigned division_size(const struct certain *certain, unsigned division)
{
    unsigned size = 0;
    for (size_t i = 0; i < certain->odds->count; i++)
        size += certain->odds->entries[i].division == division;
    return size;
}

/* Rounds of the stage that have not started. */
static unsigned rounds_to_come(const struct certain *certain, unsigned division)
{
    const struct tournament *event = certain->event;
    const struct tournament_stage *stage = &event->stage[certain->odds->stage];
    unsigned rounds = certain->settings->rounds, size = division_size(certain, division);
    if (settings_plays_everybody(certain->settings) && size >= BERGER_ENTRIES_MIN &&
        size <= BERGER_ENTRIES_MAX)
        rounds = berger_rounds(size, certain->settings->twice);
    unsigned gone = event->rounds_started + 1U - stage->first_round;
    return rounds > gone ? rounds - gone : 0;
}

static bool is_decided(const struct tournament *event, const struct tournament_table *table)
{
    return table->has_result && !odds_is_contested(event, table);
}

static struct bounds *bounds_of(const struct certain *certain, uint16_t entry)
{
    uint16_t position = certain->position[entry];
    return position == TOURNAMENT_NOBODY ? NULL : &certain->bounds[position];
}

static void count_completed(struct certain *certain, const struct tournament_table *table)
{
    for (unsigned seat = 0; is_decided(certain->event, table) && seat < table->seats; seat++) {
        struct bounds *bounds = bounds_of(certain, table->entry[seat]);
        if (bounds != NULL)
            bounds->completed += round_kind_is_played(table->result.seat[seat].kind);
    }
}

static void find_who_stands(struct certain *certain)
{
    for (size_t i = 0; i < certain->odds->count; i++) {
        unsigned size = division_size(certain, certain->odds->entries[i].division);
        unsigned games = (size - 1) * (certain->settings->twice ? 2 : 1);
        certain->bounds[i].stands = !settings_plays_everybody(certain->settings) ||
                                    berger_results_stand(certain->bounds[i].completed, games);
    }
}

/* What a table adds for one of its seats. */
static void add_table(struct certain *certain, const struct tournament_table *table, unsigned seat)
{
    struct bounds *bounds = bounds_of(certain, table->entry[seat]);
    int64_t points = 0;
    bool kept = is_decided(certain->event, table);
    if (bounds == NULL)
        return;
    if (!kept) {
        bounds->least += certain->round_least;
        bounds->most += certain->round_most;
        return;
    }
    points = scoring_points(&certain->settings->scoring, &table->result, seat);
    for (unsigned other = 0; other < table->seats; other++) {
        const struct bounds *rival = bounds_of(certain, table->entry[other]);
        kept = kept && (other == seat || (rival != NULL && rival->stands));
    }
    bounds->least += kept || points < 0 ? points : 0;
    bounds->most += points;
}

static void add_all_tables(struct certain *certain)
{
    const struct tournament *event = certain->event;
    for (unsigned pass = 0; pass < 2; pass++) {
        for (size_t i = 0; i < event->table_count; i++) {
            const struct tournament_table *table = &event->tables[i];
            if (table->stage != certain->odds->stage)
                continue;
            if (pass == 0)
                count_completed(certain, table);
            for (unsigned seat = 0; pass == 1 && seat < table->seats; seat++)
                add_table(certain, table, seat);
        }
        if (pass == 0)
            find_who_stands(certain);
    }
}

static void add_byes_and_rounds(struct certain *certain)
{
    const struct tournament *event = certain->event;
    for (size_t i = 0; i < event->bye_count; i++) {
        const struct tournament_bye *bye = &event->byes[i];
        struct bounds *bounds = bounds_of(certain, bye->entry);
        if (bounds == NULL || bye->stage != certain->odds->stage)
            continue;
        bounds->least += certain->settings->scoring.unplayed[bye->kind];
        bounds->most += certain->settings->scoring.unplayed[bye->kind];
    }
    for (size_t i = 0; i < certain->odds->count; i++) {
        unsigned rounds = rounds_to_come(certain, certain->odds->entries[i].division);
        certain->bounds[i].least += rounds * certain->round_least;
        certain->bounds[i].most += rounds * certain->round_most;
    }
}

/* ---- Points ---- */

/* True if late entries are possible; they get points for the rounds before. */
static bool may_enter(const struct tournament *event)
{
    return event->stages == 1 && event->rounds_started <= event->settings.late_entries;
}

static bool has_divisions(const struct certain *certain)
{
    return certain->settings->format == FORMAT_LEAGUE;
}

static void judge(struct certain *certain, size_t of)
{
    struct odds *odds = certain->odds;
    struct odds_entry *entry = &odds->entries[of];
    const struct bounds *own = &certain->bounds[of];
    unsigned ahead = 0, level = 0, others = 0;
    for (size_t i = 0; i < odds->count; i++) {
        const struct bounds *rival = &certain->bounds[i];
        if (i == of || odds->entries[i].division != entry->division)
            continue;
        others++;
        ahead += rival->stands && rival->least > own->most;
        level += rival->most >= own->least;
    }
    bool closed = !may_enter(certain->event);
    if (!odds->advancing) {
        entry->win = ahead > 0                            ? ODDS_OUT
                     : others > 0 && closed && level == 0 ? ODDS_SURE
                                                          : ODDS_OPEN;
        return;
    }
    unsigned places = certain->event->settings.stage[odds->stage + 1].entrants;
    if (has_divisions(certain))
        return;
    if (ahead >= places)
        entry->advance = entry->win = ODDS_OUT;
    else if (closed && level < places)
        entry->advance = ODDS_SURE;
}

static bool judge_points(struct certain *certain)
{
    const struct tournament *event = certain->event;
    certain->bounds = calloc(certain->odds->count + 1, sizeof *certain->bounds);
    certain->position = calloc(event->entrant_count + 1, sizeof *certain->position);
    bool good = certain->bounds != NULL && certain->position != NULL;
    if (good) {
        memset(certain->position, 0xff, event->entrant_count * sizeof *certain->position);
        for (size_t i = 0; i < certain->odds->count; i++)
            certain->position[certain->odds->entries[i].entry] = (uint16_t)i;
        bound_round(certain);
        add_all_tables(certain);
        add_byes_and_rounds(certain);
        for (size_t i = 0; i < certain->odds->count; i++)
            judge(certain, i);
    }
    free(certain->bounds);
    free(certain->position);
    return good;
}

/* ---- Brackets ---- */

/* True if the winner of the match can become the first of the bracket. */
static bool leads_to_first(const struct elimination *bracket, uint16_t match)
{
    while (bracket->match[match].winner_to != ELIMINATION_NONE)
        match = bracket->match[match].winner_to;
    const struct elimination_match *last = &bracket->match[match];
    return !elimination_is_consolation(last) && last->bracket != ELIMINATION_LOWER;
}

static bool can_win(const struct elimination *bracket, uint16_t entry)
{
    for (uint16_t i = 0; i < bracket->match_count; i++) {
        const struct elimination_match *match = &bracket->match[i];
        bool plays = match->side[0].entry == entry || match->side[1].entry == entry;
        if (plays && (match->state == ELIMINATION_OPEN || match->state == ELIMINATION_READY) &&
            leads_to_first(bracket, i))
            return true;
    }
    return false;
}

static bool judge_matches(const struct certain *certain)
{
    struct odds *odds = certain->odds;
    struct elimination *bracket = calloc(1, sizeof *bracket);
    uint16_t place[ELIMINATION_SIZE_MAX] = {0};
    struct refusal refusal;
    bool made =
        bracket != NULL && pairing_bracket(certain->event, odds->stage,
                                           certain->event->rounds_started, bracket, &refusal);
    if (made)
        elimination_places(bracket, place);
    for (size_t i = 0; made && !odds->advancing && i < odds->count; i++)
        if (place[i] == 1)
            odds->entries[i].win = ODDS_SURE;
        else if (place[i] > 1 || !can_win(bracket, odds->entries[i].entry))
            odds->entries[i].win = ODDS_OUT;
    bool memory = bracket != NULL;
    free(bracket);
    return memory;
}

static bool judge_pods(const struct certain *certain)
{
    struct odds *odds = certain->odds;
    struct pod_elimination bracket;
    struct refusal refusal;
    if (!pairing_pod_bracket(certain->event, odds->stage, certain->event->rounds_started, &bracket,
                             &refusal))
        return true;
    for (size_t i = 0; !odds->advancing && i < odds->count; i++)
        if (bracket.place[i] > 0)
            odds->entries[i].win = bracket.place[i] == 1 ? ODDS_SURE : ODDS_OUT;
    pod_elimination_free(&bracket);
    return true;
}

bool odds_certain(const struct tournament *event, struct odds *odds)
{
    struct certain certain = {
        .event = event, .settings = &event->settings.stage[odds->stage], .odds = odds};
    if (tournament_format_has_points(certain.settings->format))
        return judge_points(&certain);
    return certain.settings->format == FORMAT_POD_ELIMINATION ? judge_pods(&certain)
                                                              : judge_matches(&certain);
}
