/* What the formats of a draw share. Internal to draw.h. */
#ifndef TILLROLL_ENGINE_TOURNAMENT_DRAW_PARTS_H
#define TILLROLL_ENGINE_TOURNAMENT_DRAW_PARTS_H

#include "engine/tournament/draw.h"

/* A round on its way. All borrowed. */
struct drawing {
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
    struct draw *draw; /* takes tables and byes of every entry of the stage */
    struct refusal *refusal;
};

/* How a format draws. Each refuses by `drawing->refusal`. */
struct draw_format {
    /* Whether the stage has no round left. */
    bool (*is_over)(const struct drawing *drawing, bool *over);
    /* Fills tables, byes and quality of drawing->draw. */
    bool (*make)(const struct drawing *drawing);
    /* The same for the tables and byes in `by_hand`, which have not been checked; `drawn` is what
     * make() made. */
    bool (*judge)(const struct drawing *drawing, const struct draw *drawn,
                  const struct draw *by_hand);
};

extern const struct draw_format draw_pod_swiss, draw_dutch, draw_schedule, draw_elimination,
    draw_pods;

/* ---- Filling a draw ---- */

bool draw_no_memory(const struct drawing *drawing);
bool draw_is_present(const struct drawing *drawing, uint16_t entry);

void draw_add_table(const struct drawing *drawing, unsigned seats, const uint16_t *entries,
                    uint16_t match);
void draw_add_bye(const struct drawing *drawing, uint16_t entry, enum round_kind kind);

/* A bye for who is there, else the absence that it is. */
void draw_add_without_seat(const struct drawing *drawing, uint16_t entry);

/* Absences of everybody of the stage who is not there. */
void draw_add_absent(const struct drawing *drawing);

/* position[entry] in the stage's entries, or TOURNAMENT_NOBODY: one number per entrant that the
 * caller frees. NULL if memory is short. */
uint16_t *draw_positions(const struct drawing *drawing);

/* The results of the stage, rounds counted from its first. To be freed; NULL if memory is short. */
struct table_result *draw_stage_results(const struct drawing *drawing, size_t *count);

/* The pairs that are kept apart, both of whom are there, by index: index[entry] or
 * TOURNAMENT_NOBODY. `pairs` has room for all. Returns how many. */
size_t draw_pairs(const struct drawing *drawing, const uint16_t *index,
                  struct tournament_pair *pairs);

/* ---- What a change by hand has to be ---- */

/* Everybody of the stage who is there has one seat or a pairing bye, nobody else a seat. */
bool draw_check_everybody(const struct drawing *drawing, const struct draw *by_hand);

/* The tables are those of `drawn`, with seats exchanged. */
bool draw_check_seats_only(const struct drawing *drawing, const struct draw *drawn,
                           const struct draw *by_hand);

/* judge() of formats whose tables are fixed: their quality is that of the draw, with the seats
 * that were moved. */
bool draw_judge_seats(const struct drawing *drawing, const struct draw *drawn,
                      const struct draw *by_hand);

/* ---- Explaining ---- */

/* Appends {"code", "name", "meaning", "value"} to a list. */
void draw_add_criterion(json_t *list, const char *code, const char *name, const char *meaning,
                        int64_t value);

/* `S1`, for formats whose tables are fixed: seats that differ from the drawn ones. */
json_t *draw_seats_criteria(int64_t moved);

/* Adds to the quality of a change by hand `drawn` and `changed`, the values of criteria by code,
 * and `worse`, the codes in which the change is worse. */
void draw_compare(json_t *changed, const json_t *drawn);

/* The numbers of the tables in which somebody is not there. */
json_t *draw_forfeited(const struct drawing *drawing);

#endif
