/* The values of tie-breaks and the operands they are made of. A value is always computed from the
 * list that a page shows, so the two cannot disagree. */
#include "engine/tournament/standings_work.h"

#define HALF_POINTS_PER_POINT (INT64_C(2) * POINTS_PER_POINT)

enum { NO_TABLE = -8 * 65536 };

const struct table_result *work_result(const struct standings_work *work, uint16_t entry,
                                       uint16_t round, unsigned *seat)
{
    uint32_t place = work->place[(size_t)entry * work->input.rounds + round - 1U];
    if (place == 0)
        return NULL;
    *seat = (place - 1) % 8;
    return &work->input.results[(place - 1) / 8];
}

static int32_t points_of(const struct standings_work *work, uint16_t entry, uint16_t round)
{
    unsigned seat = 0;
    const struct table_result *table = work_result(work, entry, round, &seat);
    return table == NULL ? 0 : scoring_points(work->input.scoring, table, seat);
}

/* True for a round by which nobody can tell how strong the entry is once it stays away. */
static bool is_away(const struct standings_work *work, uint16_t entry, uint16_t round)
{
    unsigned seat = 0;
    const struct table_result *table = work_result(work, entry, round, &seat);
    return table == NULL || round_kind_is_voluntary(table->seat[seat].kind);
}

static bool is_unknown(const struct standings_work *work, uint16_t entry, uint16_t round)
{
    unsigned seat = 0;
    return work_result(work, entry, round, &seat) == NULL;
}

static int32_t adjusted_points(const struct standings_work *work, uint16_t entry)
{
    int32_t sum = 0;
    uint16_t round = work->input.rounds;
    for (; round > 0 && is_away(work, entry, round); round--)
        sum += work->input.scoring->neutral;
    for (; round > 0; round--)
        sum += is_unknown(work, entry, round) ? work->input.scoring->neutral
                                              : points_of(work, entry, round);
    return sum;
}

void work_adjust(struct standings_work *work)
{
    for (size_t entry = 0; entry < work->input.entry_count; entry++)
        work->adjusted[entry] = adjusted_points(work, (uint16_t)entry);
}

/* One table at which an entry has an operand. */
struct sitting {
    const struct standings_work *work;
    const struct table_result *table;
    unsigned seat;
};

static struct tie_break_operand operand_of(const struct sitting *sitting, unsigned seat,
                                           int64_t numerator, int64_t denominator)
{
    return (struct tie_break_operand){.round = sitting->table->round,
                                      .table = sitting->table->table,
                                      .entry = sitting->table->seat[seat].entry,
                                      .numerator = numerator,
                                      .denominator = denominator};
}

static bool is_played(const struct sitting *sitting, unsigned seat)
{
    return round_kind_is_played(sitting->table->seat[seat].kind);
}

static int rank_difference(const struct sitting *sitting, unsigned opponent)
{
    return sitting->table->seat[opponent].rank - sitting->table->seat[sitting->seat].rank;
}

static size_t list_points(const struct sitting *sitting, struct tie_break_operand *operands)
{
    int32_t points = scoring_points(sitting->work->input.scoring, sitting->table, sitting->seat);
    operands[0] = operand_of(sitting, sitting->seat, points, POINTS_PER_POINT);
    return 1;
}

static size_t list_wins(const struct sitting *sitting, struct tie_break_operand *operands)
{
    const struct table_result *table = sitting->table;
    const struct seat_result *own = &table->seat[sitting->seat];
    if (own->kind >= ROUND_FORFEIT_LOSS || own->rank != 1)
        return 0;
    int64_t first = 1;
    for (unsigned seat = 0; seat < table->seats; seat++)
        first += seat != sitting->seat && table->seat[seat].rank == 1;
    operands[0] = operand_of(sitting, sitting->seat, POINTS_PER_POINT / first, POINTS_PER_POINT);
    return 1;
}

static int64_t max_score(int32_t score)
{
    return score > 0 ? score : 0;
}

static size_t list_shares(const struct sitting *sitting, struct tie_break_operand *operands)
{
    if (!is_played(sitting, sitting->seat))
        return 0;
    int64_t total = 0;
    for (unsigned seat = 0; seat < sitting->table->seats; seat++)
        if (is_played(sitting, seat))
            total += max_score(sitting->table->seat[seat].score);
    int64_t own = max_score(sitting->table->seat[sitting->seat].score);
    operands[0] = operand_of(sitting, sitting->seat, own, total > 0 ? total : 1);
    return 1;
}

/* An opponent's operand: its adjusted points per round, its points times the margin, or the result
 * against it. */
static struct tie_break_operand opponent_operand(const struct sitting *sitting,
                                                 enum tie_break tie_break, unsigned opponent)
{
    const struct standings_work *work = sitting->work;
    int64_t adjusted = work->adjusted[sitting->table->seat[opponent].entry];
    int64_t rounds = work->input.rounds;
    int ahead = rank_difference(sitting, opponent);
    int halves = ahead > 0 ? 2 : ahead == 0;
    switch (tie_break) {
    case TIE_BREAK_SB:
        return operand_of(sitting, opponent, halves * adjusted, HALF_POINTS_PER_POINT);
    case TIE_BREAK_DE:
        return operand_of(sitting, opponent, halves, 2);
    default:
        return operand_of(sitting, opponent, adjusted, POINTS_PER_POINT * rounds);
    }
}

static bool concerns(const struct sitting *sitting, enum tie_break tie_break, unsigned opponent)
{
    const uint16_t *tied = sitting->work->tied;
    uint16_t group = tied[sitting->table->seat[sitting->seat].entry];
    return tie_break != TIE_BREAK_DE ||
           (group != 0 && tied[sitting->table->seat[opponent].entry] == group);
}

static size_t list_opponents(const struct sitting *sitting, enum tie_break tie_break,
                             struct tie_break_operand *operands)
{
    size_t count = 0;
    if (!is_played(sitting, sitting->seat))
        return 0;
    for (unsigned seat = 0; seat < sitting->table->seats; seat++)
        if (seat != sitting->seat && is_played(sitting, seat) && concerns(sitting, tie_break, seat))
            operands[count++] = opponent_operand(sitting, tie_break, seat);
    return count;
}

static size_t list_sitting(const struct sitting *sitting, enum tie_break tie_break,
                           struct tie_break_operand *operands)
{
    switch (tie_break) {
    case TIE_BREAK_PTS:
        return list_points(sitting, operands);
    case TIE_BREAK_WIN:
        return list_wins(sitting, operands);
    case TIE_BREAK_SHR:
        return list_shares(sitting, operands);
    case TIE_BREAK_DE:
    case TIE_BREAK_OPA:
    case TIE_BREAK_OPA_C1:
    case TIE_BREAK_SB:
        return list_opponents(sitting, tie_break, operands);
    default:
        return 0;
    }
}

/* Marks the lowest of two or more; the earliest of several. */
static void cut_lowest(struct tie_break_operand *operands, size_t count)
{
    size_t lowest = 0;
    for (size_t i = 1; i < count; i++)
        if (operands[i].numerator < operands[lowest].numerator)
            lowest = i;
    if (count >= 2)
        operands[lowest].cut = true;
}

size_t work_operands(const struct standings_work *work, enum tie_break tie_break, uint16_t entry,
                     struct tie_break_operand *operands)
{
    size_t count = 0;
    for (uint16_t round = 1; round <= work->input.rounds; round++) {
        struct sitting sitting = {.work = work};
        sitting.table = work_result(work, entry, round, &sitting.seat);
        if (sitting.table != NULL)
            count += list_sitting(&sitting, tie_break, operands + count);
    }
    if (tie_break == TIE_BREAK_OPA_C1)
        cut_lowest(operands, count);
    return count;
}

/* The sum or mean of operands that share one denominator. */
static struct tie_break_value sum_value(const struct tie_break_operand *operands, size_t count,
                                        bool mean)
{
    struct tie_break_value value = {.numerator = 0, .denominator = 1};
    int64_t terms = 0;
    for (size_t i = 0; i < count; i++) {
        if (operands[i].cut)
            continue;
        value.numerator += operands[i].numerator;
        value.denominator = operands[i].denominator;
        terms++;
    }
    if (mean && terms > 0)
        value.denominator *= terms;
    return value;
}

static struct share_sum share_sum_of(const struct standings_work *work, uint16_t entry)
{
    struct tie_break_operand operands[STANDINGS_OPERANDS_MAX];
    struct share_sum sum = {.count = work_operands(work, TIE_BREAK_SHR, entry, operands)};
    for (size_t i = 0; i < sum.count; i++)
        sum.share[i] =
            (struct share){(uint32_t)operands[i].numerator, (uint32_t)operands[i].denominator};
    return sum;
}

static struct tie_break_value share_value(const struct standings_work *work, uint16_t entry)
{
    struct share_sum sum = share_sum_of(work, entry);
    struct tie_break_value value = {0};
    value.rounded = !share_sum_mean(&sum, &value.numerator, &value.denominator);
    return value;
}

static struct tie_break_value last_value(const struct standings_work *work, uint16_t entry)
{
    struct tie_break_value value = {.numerator = NO_TABLE, .denominator = 1};
    unsigned seat = 0;
    const struct table_result *table =
        work->input.rounds == 0 ? NULL : work_result(work, entry, work->input.rounds, &seat);
    if (table != NULL && table->table > 0)
        value.numerator = -(8 * (int64_t)table->table + table->seat[seat].rank);
    return value;
}

/* One word per TPN: a late entry does not change the draw of the others. */
static struct tie_break_value drawn_value(const struct standings_work *work, uint16_t entry)
{
    struct chance_stream stream;
    chance_open(&stream, work->input.chance, "standing", work->input.entries[entry].tpn);
    return (struct tie_break_value){.numerator = chance_word(&stream), .denominator = 1};
}

static struct tie_break_value operands_value(const struct standings_work *work,
                                             enum tie_break tie_break, uint16_t entry)
{
    struct tie_break_operand operands[STANDINGS_OPERANDS_MAX];
    size_t count = work_operands(work, tie_break, entry, operands);
    bool total = tie_break == TIE_BREAK_PTS || tie_break == TIE_BREAK_WIN;
    struct tie_break_value value = sum_value(operands, count, !total);
    if (total)
        value.denominator = POINTS_PER_POINT;
    return value;
}

struct tie_break_value work_value(const struct standings_work *work, enum tie_break tie_break,
                                  uint16_t entry)
{
    switch (tie_break) {
    case TIE_BREAK_DE:
        return (struct tie_break_value){.denominator = 1};
    case TIE_BREAK_SHR:
        return share_value(work, entry);
    case TIE_BREAK_LAST:
        return last_value(work, entry);
    case TIE_BREAK_RND:
        return drawn_value(work, entry);
    default:
        return operands_value(work, tie_break, entry);
    }
}

/* Cross products stay below 2^49: sums below 256 * 2^21, denominators up to 120 * 64 * 256. */
int work_compare(const struct standings_work *work, size_t position, uint16_t a, uint16_t b)
{
    if (work->input.chain[position] == TIE_BREAK_SHR) {
        struct share_sum left = share_sum_of(work, a), right = share_sum_of(work, b);
        return share_sum_compare(&right, &left);
    }
    const struct tie_break_value *left = &work->rows[a].value[position];
    const struct tie_break_value *right = &work->rows[b].value[position];
    int64_t left_product = left->numerator * right->denominator;
    int64_t right_product = right->numerator * left->denominator;
    return (left_product < right_product) - (left_product > right_product);
}

static struct encounter *find_encounter(struct encounter *encounters, size_t *count, uint16_t entry)
{
    for (size_t i = 0; i < *count; i++)
        if (encounters[i].entry == entry)
            return &encounters[i];
    encounters[*count] = (struct encounter){entry, 0};
    return &encounters[(*count)++];
}

size_t work_encounters(const struct standings_work *work, uint16_t entry,
                       struct encounter encounters[static STANDINGS_OPERANDS_MAX])
{
    struct tie_break_operand operands[STANDINGS_OPERANDS_MAX];
    size_t listed = work_operands(work, TIE_BREAK_DE, entry, operands), count = 0;
    for (size_t i = 0; i < listed; i++) {
        if (work->class[operands[i].entry] != work->class[entry])
            continue;
        struct encounter *met = find_encounter(encounters, &count, operands[i].entry);
        met->balance = (int16_t)(met->balance + operands[i].numerator - 1);
    }
    return count;
}
