/* Shared by odds*.c only: how an event is played to its end. */
#ifndef TILLROLL_ENGINE_TOURNAMENT_ODDS_ODDS_PARTS_H
#define TILLROLL_ENGINE_TOURNAMENT_ODDS_ODDS_PARTS_H

#include "engine/game/chance.h"
#include "engine/tournament/odds/odds.h"
#include "engine/tournament/pairing/pairing.h"

/* A round of a schedule: the same in every sample. */
struct odds_round {
    struct tournament_table *tables; /* owned */
    struct tournament_bye *byes;     /* owned */
    size_t table_count, bye_count;
};

/* The scores of one game of the event, best first. */
struct odds_scores {
    int32_t score[TOURNAMENT_SEATS_MAX];
};

/* What all samples share. */
struct odds_model {
    const struct tournament *base;                        /* borrowed; without a draft */
    size_t stage;                                         /* the current one */
    uint32_t *weight;                                     /* owned; [entry]; version 1 */
    struct rating *rating;                                /* owned; [entry]; NULL in version 1 */
    struct odds_scores *scores[TOURNAMENT_SEATS_MAX + 1]; /* owned; [seats] */
    size_t score_count[TOURNAMENT_SEATS_MAX + 1];
    struct odds_round *planned; /* owned; rounds of the current stage, if it has a schedule */
    size_t planned_count;
};

/* One sample while it is played. */
struct odds_sample {
    const struct odds_model *model;
    struct tournament *event; /* owned: a copy */
    int64_t *strength;        /* owned; [entry], millionths; NULL in version 1 */
    struct chance chance;
    struct chance_stream stream;
    struct refusal *refusal;
};

/* Prepares what samples share. False: refused, and the model can be freed. */
bool odds_model_make(struct odds_model *model, const struct tournament *base,
                     const struct chance *chance, struct refusal *refusal);
void odds_model_free(struct odds_model *model);

/* Frees what the sample owns, also of one that could not be made. */
void odds_sample_end(struct odds_sample *sample);

/* Finds out how strong players are: `weight` or, from version 2 on, `rating`. False when out of
 * memory. */
bool odds_rate(struct odds_model *model);

/* Draws the strengths that players have in this sample, from version 2 on. False when out of
 * memory. */
bool odds_draw_strengths(struct odds_sample *sample);

/* The weights of the seats at a table, 0 of those that `plays` (bits) leaves out; their sum fits
 * in 32 bits. */
void odds_weigh(const struct odds_sample *sample, const struct tournament_table *table,
                unsigned plays, uint32_t weight[static TOURNAMENT_SEATS_MAX]);

/* Plays all tables of the last started round that have no result. */
void odds_play_tables(struct odds_sample *sample);

/* Seats the next round of the stage by points, and starts it. False when out of memory. `seated` is
 * false if no table can be seated; then nothing has been started. */
bool odds_seat_round(struct odds_sample *sample, bool *seated);

/* True for stages whose rounds are seated by points. */
bool odds_is_seated_by_points(const struct odds_model *model, size_t stage);

/* Copies what is drawn into a round of zeroes. False when out of memory; free it in either case. */
bool odds_copy_round(struct odds_round *round, const struct pairing *pairing);
void odds_round_free(struct odds_round *round);

/* Starts the round. False when out of memory. */
bool odds_imagine_round(struct tournament *event, const struct odds_round *round);

/* True if somebody objects to the table's result and no arbiter has settled it. */
bool odds_is_contested(const struct tournament *event, const struct tournament_table *table);

bool odds_no_memory(struct refusal *refusal);

#endif
