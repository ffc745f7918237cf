/* The data from which standings are computed, between reading the results and ranking. Internal. */
#ifndef TILLROLL_ENGINE_TOURNAMENT_STANDINGS_STANDINGS_WORK_H
#define TILLROLL_ENGINE_TOURNAMENT_STANDINGS_STANDINGS_WORK_H

#include "engine/base/arena.h"
#include "engine/tournament/standings/standings.h"

/* An entry's score in the table of direct encounters, in parts of a 60th: the least and the most,
 * whatever the results of meetings that did not take place. */
struct encounter_score {
    uint16_t entry;
    uint64_t least, most;
};

/* Points of an entry, in 60ths: as scored, and as they count for entries that met it. */
struct entry_points {
    int32_t own, adjusted;
};

/* Two views of the results: as they are, and with the games of the last round as draws. */
enum view { VIEW_PLAIN, VIEW_FORE, VIEWS };

struct standings_work {
    struct standings_input input;
    struct arena_batch batch; /* the arrays */
    uint32_t *place;          /* [entry * rounds + round - 1]: 1 + 8 * result + seat, 0 = none */
    struct entry_points *points[VIEWS]; /* [entry] */
    int32_t koya_most;                  /* the most points an entry could have, 60ths */
    struct tie_break_value *inner; /* [entry] the value that AOB, AOA, OWP, APRO or APPO averages */
    bool inner_ready;
    uint16_t *tied;    /* [entry] the group in which direct encounter began; 0 = none */
    uint16_t *class;   /* [entry] the part of that group under examination */
    uint16_t *order;   /* entries, best first */
    uint16_t *scratch; /* as long as `order` */
    uint16_t *ends;    /* parallel to `order`: the end of the part made by direct encounter */
    struct encounter_score *scores; /* parallel to `order` */
    struct standing *rows;          /* [entry] */
};

/* The operands that a value sums up. Cuts go by strength. */
struct operand_list {
    size_t count;
    struct tie_break_operand operand[STANDINGS_OPERANDS_MAX];
    int64_t strength[STANDINGS_OPERANDS_MAX]; /* strength of the opponent */
    bool voluntary[STANDINGS_OPERANDS_MAX];   /* a round without a game that the entry chose */
};

/* The result of an entry in a round, or NULL; `seat` gets its seat. */
const struct table_result *work_result(const struct standings_work *work, uint16_t entry,
                                       uint16_t round, unsigned *seat);

/* standings_value.c: fills points[] and koya_most, after place[]. */
void work_count_points(struct standings_work *work);

/* True for the kinds of C.07 16.1: byes on request, absence, forfeit losses. */
bool work_is_voluntary(uint8_t kind);

/* standings_operands.c: lists the operands of a rule for an entry, cuts marked. */
void work_list(const struct standings_work *work, const struct tie_break_rule *rule, uint16_t entry,
               struct operand_list *list);

/* standings_value.c: the value of any rule; for DE it is 0 until the groups are known. */
struct tie_break_value work_value(const struct standings_work *work,
                                  const struct tie_break_rule *rule, uint16_t entry);

/* The rule whose values of opponents `rule` averages; false if it averages none. */
bool work_inner_rule(const struct tie_break_rule *rule, struct tie_break_rule *inner);

/* The same value as work_value() of the inner rule, taken from inner[] if it is ready. */
struct tie_break_value work_inner_value(const struct standings_work *work,
                                        const struct tie_break_rule *inner, uint16_t entry);

/* Compares two entries by any rule but DE: negative if `a` is better. */
int work_compare(const struct standings_work *work, size_t position, uint16_t a, uint16_t b);

/* The results of an entry at the tables shared with another entry of the same class. */
struct encounter {
    uint16_t entry;
    uint16_t tables;
    uint32_t sum; /* of duels, 60ths */
};

/* One per opponent of the same class; returns how many. `rule` is that of DE. */
size_t work_encounters(const struct standings_work *work, const struct tie_break_rule *rule,
                       uint16_t entry, struct encounter encounters[static STANDINGS_OPERANDS_MAX]);

#endif
