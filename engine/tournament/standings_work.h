/* What standings are computed from, between reading the results and ranking. Internal. */
#ifndef TILLROLL_ENGINE_TOURNAMENT_STANDINGS_WORK_H
#define TILLROLL_ENGINE_TOURNAMENT_STANDINGS_WORK_H

#include "engine/tournament/share_sum.h"
#include "engine/tournament/standings.h"

/* Wins of an entry in the table of direct encounters, in halves: what it has at least and at most,
 * whatever those who have not met would play. */
struct encounter_score {
    uint16_t entry;
    uint32_t least, most;
};

struct standings_work {
    struct standings_input input;
    uint32_t *place;   /* [entry * rounds + round - 1]: 1 + 8 * result + seat, 0 = none */
    int32_t *adjusted; /* [entry] adjusted points, 60ths */
    uint16_t *tied;    /* [entry] the group in which direct encounter began; 0 = it did not */
    uint16_t *class;   /* [entry] the part of it that direct encounter looks at just now */
    uint16_t *order;   /* entries, best first */
    uint16_t *scratch; /* as long as `order` */
    uint16_t *ends;    /* beside `order`: the end of the part that direct encounter makes */
    struct encounter_score *scores; /* beside `order` */
    struct standing *rows;          /* [entry] */
};

/* The result of an entry in a round, or NULL; `seat` gets its seat. */
const struct table_result *work_result(const struct standings_work *work, uint16_t entry,
                                       uint16_t round, unsigned *seat);

/* Fills adjusted[], after place[]. */
void work_adjust(struct standings_work *work);

/* The operands of a tie-break, as standings_operands(). */
size_t work_operands(const struct standings_work *work, enum tie_break tie_break, uint16_t entry,
                     struct tie_break_operand *operands);

/* The value of any tie-break; that of DE is 0 until the groups are known. */
struct tie_break_value work_value(const struct standings_work *work, enum tie_break tie_break,
                                  uint16_t entry);

/* Compares two entries by any tie-break but DE: negative if `a` is better. */
int work_compare(const struct standings_work *work, size_t position, uint16_t a, uint16_t b);

/* How often the entry finished ahead of, minus how often behind an opponent it met, summed up over
 * its tables: one number per opponent of the same class. Returns how many opponents. */
struct encounter {
    uint16_t entry;
    int16_t balance;
};
size_t work_encounters(const struct standings_work *work, uint16_t entry,
                       struct encounter encounters[static STANDINGS_OPERANDS_MAX]);

#endif
