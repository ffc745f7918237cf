/* What the formats of a draw share. Internal to pairing.h. */
#ifndef TILLROLL_ENGINE_TOURNAMENT_PAIRING_PAIRING_PARTS_H
#define TILLROLL_ENGINE_TOURNAMENT_PAIRING_PAIRING_PARTS_H

#include "engine/tournament/pairing/pairing.h"

/* A round on its way. All borrowed. */
struct pairing_run {
    const struct tournament *tournament; /* in which the stage has begun */
    const struct chance *chance;
    const struct stage_settings *settings; /* of the stage */
    const uint16_t *entries;               /* of the stage, best seed first */
    size_t entry_count;
    size_t stage;         /* from 0 */
    unsigned first_round; /* of the stage, in the event */
    unsigned round;       /* of the event */
    unsigned stage_round; /* of the stage, from 1 */
    unsigned attempt;
    const struct progress *progress; /* or NULL */
    struct pairing *pairing;         /* takes tables and byes of every entry of the stage */
    struct refusal *refusal;
};

/* How a format draws. Each refuses by `run->refusal`. */
struct pairing_format {
    /* Whether the stage has no round left. */
    bool (*is_over)(const struct pairing_run *run, bool *over);
    /* Fills tables, byes and quality of run->pairing. */
    bool (*make)(const struct pairing_run *run);
    /* The same for the tables and byes in `by_hand`, which have not been checked; `drawn` is what
     * make() made. */
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

/* A bye for who is there, else the absence that it is. */
void pairing_add_without_seat(const struct pairing_run *run, uint16_t entry);

/* Absences of everybody of the stage who is not there. */
void pairing_add_absent(const struct pairing_run *run);

/* position[entry] in the stage's entries, or TOURNAMENT_NOBODY: one number per entrant that the
 * caller frees. NULL if memory is short. */
uint16_t *pairing_positions(const struct pairing_run *run);

/* The results of the stage, rounds counted from its first. To be freed; NULL if memory is short. */
struct table_result *pairing_stage_results(const struct pairing_run *run, size_t *count);

/* At most how many pairs there are. */
size_t pairing_pairs_most(const struct pairing_run *run);

/* The pairs that are kept apart, both of whom are there, by index: index[entry] or
 * TOURNAMENT_NOBODY; those of one person (tournament_parts()) last, as forbidden ones. `pairs` has
 * room for pairing_pairs_most(). Returns how many. */
size_t pairing_pairs(const struct pairing_run *run, const uint16_t *index,
                     struct tournament_pair *pairs);

/* ---- What a change by hand has to be ---- */

/* Everybody of the stage who is there has one seat or a pairing bye, nobody else a seat. */
bool pairing_check_everybody(const struct pairing_run *run, const struct pairing *by_hand);

/* The tables are those of `drawn`, with seats exchanged. */
bool pairing_check_seats_only(const struct pairing_run *run, const struct pairing *drawn,
                              const struct pairing *by_hand);

/* judge() of formats whose tables are fixed: their quality is that of the draw, with the seats
 * that were moved. */
bool pairing_judge_seats(const struct pairing_run *run, const struct pairing *drawn,
                         const struct pairing *by_hand);

/* ---- Explaining ---- */

/* Appends {"code", "name", "meaning", "value"} to a list. */
void pairing_add_criterion(json_t *list, const char *code, const char *name, const char *meaning,
                           int64_t value);

/* `S1`, for formats whose tables are fixed: seats that differ from the drawn ones. */
json_t *pairing_seats_criteria(int64_t moved);

/* Adds to the quality of a change by hand `drawn` and `changed`, the values of criteria by code,
 * and `worse`, the codes in which the change is worse. */
void pairing_compare(json_t *changed, const json_t *drawn);

/* The numbers of the tables in which somebody is not there. */
json_t *pairing_forfeited(const struct pairing_run *run);

#endif
