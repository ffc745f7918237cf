/* Shared by the formats of a draw. Internal to pairing.h. */
#ifndef TILLROLL_ENGINE_TOURNAMENT_PAIRING_PAIRING_PARTS_H
#define TILLROLL_ENGINE_TOURNAMENT_PAIRING_PAIRING_PARTS_H

#include "engine/tournament/pairing/pairing.h"

/* A round being drawn. All borrowed. */
struct pairing_run {
    const struct tournament *tournament; /* the event, in which the stage has begun */
    const struct chance *chance;
    const struct stage_settings *settings; /* of the stage */
    const uint16_t *entries;               /* of the stage, best seed first */
    size_t entry_count;
    size_t stage;         /* from 0 */
    unsigned first_round; /* number in the event of the stage's first round */
    unsigned round;       /* number in the event */
    unsigned stage_round; /* number in the stage, from 1 */
    unsigned attempt;
    const struct progress *progress; /* or NULL */
    struct pairing *pairing;         /* receives tables, and byes of every entry of the stage */
    struct refusal *refusal;
};

/* The functions of a format. Each reports refusals in `run->refusal`. */
struct pairing_format {
    /* Sets whether the stage has no round left. */
    bool (*is_over)(const struct pairing_run *run, bool *over);
    /* Fills tables, byes and quality of run->pairing. */
    bool (*make)(const struct pairing_run *run);
    /* The same for the tables and byes in `by_hand`, which have not been checked; `drawn` is the
     * result of make(). */
    bool (*judge)(const struct pairing_run *run, const struct pairing *drawn,
                  const struct pairing *by_hand);
};

extern const struct pairing_format pairing_pod_swiss, pairing_dutch, pairing_schedule,
    pairing_elimination, pairing_pods;

/* ---- Filling a draw ---- */

bool pairing_no_memory(const struct pairing_run *run);
bool pairing_is_present(const struct pairing_run *run, uint16_t entry);

void pairing_add_table(const struct pairing_run *run, unsigned seats, const uint16_t *entries,
                       uint16_t match);
void pairing_add_bye(const struct pairing_run *run, uint16_t entry, enum round_kind kind);

/* Adds a bye for an entry that is present, otherwise its absence. */
void pairing_add_without_seat(const struct pairing_run *run, uint16_t entry);

/* Adds the absences of all entries of the stage that are not present. */
void pairing_add_absent(const struct pairing_run *run);

/* position[entry] in the stage's entries, or TOURNAMENT_NOBODY: one number per entrant, freed by
 * the caller. NULL when out of memory. */
uint16_t *pairing_positions(const struct pairing_run *run);

/* The results of the stage, with rounds counted from its first. The caller frees them; NULL when
 * out of memory. */
struct table_result *pairing_stage_results(const struct pairing_run *run, size_t *count);

/* The maximum number of pairs. */
size_t pairing_pairs_most(const struct pairing_run *run);

/* The pairs kept apart whose entries are both present, by index: index[entry] or TOURNAMENT_NOBODY.
 * Pairs of one person (tournament_parts()) come last, as forbidden pairs. `pairs` has room for
 * pairing_pairs_most(). Returns how many. */
size_t pairing_pairs(const struct pairing_run *run, const uint16_t *index,
                     struct tournament_pair *pairs);

/* ---- Checks of a change by hand ---- */

/* Checks that every present entry of the stage has one seat or a pairing bye, and nobody else a
 * seat. */
bool pairing_check_everybody(const struct pairing_run *run, const struct pairing *by_hand);

/* judge() for formats with fixed tables: the quality is that of the draw, plus the moved seats. */
bool pairing_judge_seats(const struct pairing_run *run, const struct pairing *drawn,
                         const struct pairing *by_hand);

/* ---- Explaining ---- */

/* Appends {"code", "name", "meaning", "value"} to a list. */
void pairing_add_criterion(json_t *list, const char *code, const char *name, const char *meaning,
                           int64_t value);

/* `S1`, for formats with fixed tables: seats that differ from the drawn ones. */
json_t *pairing_seats_criteria(int64_t moved);

/* Adds to the quality of a change by hand: `drawn` and `changed`, the values of criteria by code,
 * and `worse`, the codes in which the change is worse. */
void pairing_compare(json_t *changed, const json_t *drawn);

/* The numbers of tables at which somebody is absent. */
json_t *pairing_forfeited(const struct pairing_run *run);

#endif
