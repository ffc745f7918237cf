/* Computes the values of tie-breaks from their operands, and compares them. */
#include "engine/base/wide.h"
#include "engine/tournament/number/share.h"
#include "engine/tournament/result/rating.h"
#include "engine/tournament/standings/standings_work.h"

/* Points of entries: as scored, and adjusted to measure opponents. */

const struct table_result *work_result(const struct standings_work *work, uint16_t entry,
                                       uint16_t round, unsigned *seat)
{
    uint32_t place = work->place[(size_t)entry * work->input.rounds + round - 1U];
    if (place == 0)
        return NULL;
    *seat = (place - 1) % 8;
    return &work->input.results[(place - 1) / 8];
}

bool work_is_voluntary(uint8_t kind)
{
    return kind == ROUND_HALF_BYE || kind == ROUND_ZERO_BYE || kind == ROUND_ABSENT ||
           round_kind_is_lost(kind);
}

/* One round of an entry. */
struct stay {
    const struct table_result *table; /* NULL: the round is unknown */
    unsigned seat;
    uint8_t kind; /* without a result: absent */
    bool drawn;   /* the view counts it as a draw */
};

static struct stay stay_of(const struct standings_work *work, enum view view, uint16_t entry,
                           uint16_t round)
{
    struct stay stay = {.kind = ROUND_ABSENT};
    stay.table = work_result(work, entry, round, &stay.seat);
    if (stay.table == NULL)
        return stay;
    stay.kind = stay.table->seat[stay.seat].kind;
    stay.drawn = view == VIEW_FORE && round == work->input.rounds && stay.table->table > 0;
    return stay;
}

static int32_t points_of(const struct standings_work *work, const struct stay *stay)
{
    if (stay->table == NULL)
        return 0;
    if (stay->drawn)
        return scoring_all_level(work->input.scoring, stay->table->seats);
    return scoring_points(work->input.scoring, stay->table, stay->seat);
}

/* True for an absence from which the entry has not returned so far. */
static bool is_away(enum unplayed_rules rules, const struct stay *stay)
{
    if (stay->drawn || rules == UNPLAYED_ROUND_ROBIN)
        return false;
    if (rules == UNPLAYED_PODS_1)
        return round_kind_is_voluntary(stay->kind);
    return work_is_voluntary(stay->kind);
}

/* True for a round measured as neutral; `away`: so are all later ones. */
static bool is_neutral(enum unplayed_rules rules, const struct stay *stay, bool away)
{
    if (rules == UNPLAYED_ROUND_ROBIN)
        return false;
    if (rules == UNPLAYED_PODS_1)
        return away || stay->table == NULL;
    return away && (stay->table == NULL || stay->table->table == 0);
}

static struct entry_points count_entry(const struct standings_work *work, enum view view,
                                       uint16_t entry)
{
    enum unplayed_rules rules = work->input.rules;
    struct entry_points sum = {0};
    bool away = true;
    for (uint16_t round = work->input.rounds; round > 0; round--) {
        struct stay stay = stay_of(work, view, entry, round);
        int32_t points = points_of(work, &stay);
        away = away && is_away(rules, &stay);
        sum.own += points;
        sum.adjusted += is_neutral(rules, &stay, away) ? work->input.scoring->neutral : points;
    }
    return sum;
}

/* In a round robin, free rounds give no points that could be had. */
static int32_t count_tables(const struct standings_work *work, uint16_t entry)
{
    int32_t tables = 0;
    for (uint16_t round = 1; round <= work->input.rounds; round++) {
        unsigned seat;
        const struct table_result *table = work_result(work, entry, round, &seat);
        tables += table != NULL && table->table > 0;
    }
    return tables;
}

void work_count_points(struct standings_work *work)
{
    int32_t most = 0;
    for (size_t entry = 0; entry < work->input.entry_count; entry++) {
        int32_t tables = count_tables(work, (uint16_t)entry);
        most = tables > most ? tables : most;
        for (enum view view = VIEW_PLAIN; view < VIEWS; view++)
            work->points[view][entry] = count_entry(work, view, (uint16_t)entry);
    }
    if (work->input.rules != UNPLAYED_ROUND_ROBIN)
        most = work->input.rounds;
    work->koya_most = most * scoring_first(work->input.scoring);
}

#define POINTS_SQUARED (INT64_C(1) * POINTS_PER_POINT * POINTS_PER_POINT)

enum { NO_TABLE = -8 * 65536 };

static_assert((int)STANDINGS_OPERANDS_MAX <= (int)SHARES_MAX, "a share for each operand");
static_assert((int)STANDINGS_OPERANDS_MAX <= (int)PERFORMANCE_GAMES_MAX, "a game for each operand");
static_assert((int)STANDINGS_RATING_MAX <= (int)PERFORMANCE_RATING_MAX, "every rating");

/* The sum of the operands that are not cut. */
static int64_t sum_of(const struct operand_list *list, int64_t *terms)
{
    int64_t sum = 0;
    *terms = 0;
    for (size_t i = 0; i < list->count; i++) {
        if (list->operand[i].cut)
            continue;
        sum += list->operand[i].numerator;
        ++*terms;
    }
    return sum;
}

static struct tie_break_value sum_value(const struct operand_list *list, int64_t unit)
{
    int64_t terms;
    int64_t sum = sum_of(list, &terms);
    return (struct tie_break_value){.numerator = sum, .denominator = unit};
}

/* Without terms it is 0, not `none` as for ratings: C.07 8.2 gives no value for it, no mean is
 * below 0, and published standings stay as they are. */
static struct tie_break_value mean_value(const struct operand_list *list, int64_t unit)
{
    int64_t terms;
    int64_t sum = sum_of(list, &terms);
    if (terms == 0)
        return (struct tie_break_value){.denominator = 1};
    return (struct tie_break_value){.numerator = sum, .denominator = unit * terms};
}

static struct share_sum share_sum_of(const struct operand_list *list)
{
    struct share_sum sum;
    sum.count = list->count;
    for (size_t i = 0; i < list->count; i++)
        sum.share[i] = (struct share){(uint32_t)list->operand[i].numerator,
                                      (uint32_t)list->operand[i].denominator};
    return sum;
}

static struct tie_break_value share_value(const struct operand_list *list)
{
    struct share_sum sum = share_sum_of(list);
    struct tie_break_value value = {0};
    value.rounded = !share_sum_mean(&sum, &value.numerator, &value.denominator);
    return value;
}

/* Wins per table, but at least an even share of each table. */
static struct tie_break_value win_share_value(const struct standings_work *work, uint16_t entry,
                                              const struct operand_list *list)
{
    int64_t floor = 0;
    for (size_t i = 0; i < list->count; i++) {
        unsigned seat;
        floor += POINTS_PER_POINT / work_result(work, entry, list->operand[i].round, &seat)->seats;
    }
    struct tie_break_value value = mean_value(list, POINTS_PER_POINT);
    if (value.numerator < floor)
        value.numerator = floor;
    return value;
}

/* Half points against the listed opponents, 2 for a win. */
static uint32_t count_halves(const struct standings_work *work, uint16_t entry,
                             const struct operand_list *list)
{
    uint32_t halves = 0;
    for (size_t i = 0; i < list->count; i++) {
        unsigned own = 0, other = 0;
        const struct table_result *table = work_result(work, entry, list->operand[i].round, &own);
        work_result(work, list->operand[i].entry, list->operand[i].round, &other);
        if (table->seat[own].rank < table->seat[other].rank)
            halves += 2;
        else
            halves += table->seat[own].rank == table->seat[other].rank;
    }
    return halves;
}

static size_t left_after_cuts(const struct operand_list *list,
                              int32_t numbers[static STANDINGS_OPERANDS_MAX])
{
    size_t count = 0;
    for (size_t i = 0; i < list->count; i++)
        if (!list->operand[i].cut)
            numbers[count++] = (int32_t)list->operand[i].numerator;
    return count;
}

static struct tie_break_value rating_value(const struct standings_work *work,
                                           const struct tie_break_rule *rule, uint16_t entry,
                                           const struct operand_list *list)
{
    struct tie_break_value value = {.denominator = 1};
    int32_t ratings[STANDINGS_OPERANDS_MAX];
    size_t games = left_after_cuts(list, ratings);
    value.none = games == 0;
    if (value.none)
        return value;
    if (rule->code == TIE_BREAK_TPR)
        value.numerator = performance_rating(ratings, games, count_halves(work, entry, list));
    else if (rule->code == TIE_BREAK_PTP)
        value.numerator = performance_perfect(ratings, games, count_halves(work, entry, list));
    else
        value.numerator = performance_mean(ratings, games);
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

/* One word per TPN, so a late entry does not change the draw of the others. */
static struct tie_break_value drawn_value(const struct standings_work *work, uint16_t entry)
{
    struct chance_stream stream;
    chance_open(&stream, work->input.chance, "standing", work->input.entries[entry].tpn);
    return (struct tie_break_value){.numerator = chance_word(&stream), .denominator = 1};
}

static struct tie_break_value own_rating_value(const struct standings_work *work, uint16_t entry)
{
    int32_t rating = work->input.ratings[entry];
    return (struct tie_break_value){.numerator = rating != 0 ? rating : work->input.unrated,
                                    .denominator = 1};
}

/* For the codes that have operands. */
static struct tie_break_value listed_value(const struct standings_work *work,
                                           const struct tie_break_rule *rule, uint16_t entry)
{
    struct operand_list list;
    work_list(work, rule, entry, &list);
    switch (rule->code) {
    case TIE_BREAK_BPG:
    case TIE_BREAK_REP:
        return sum_value(&list, 1);
    case TIE_BREAK_SB:
        return sum_value(&list, POINTS_SQUARED);
    case TIE_BREAK_SH:
        return sum_value(&list, 1000);
    case TIE_BREAK_AOB:
        return mean_value(&list, POINTS_PER_POINT);
    case TIE_BREAK_OPA:
        return mean_value(&list, (int64_t)POINTS_PER_POINT * work->input.rounds);
    case TIE_BREAK_SBA:
        return mean_value(&list, POINTS_SQUARED);
    case TIE_BREAK_VPD:
        return mean_value(&list, 1);
    case TIE_BREAK_MWP:
        return win_share_value(work, entry, &list);
    case TIE_BREAK_AOA:
    case TIE_BREAK_SHR:
    case TIE_BREAK_OWP:
    case TIE_BREAK_VPR:
        return share_value(&list);
    case TIE_BREAK_ARO:
    case TIE_BREAK_TPR:
    case TIE_BREAK_PTP:
    case TIE_BREAK_APRO:
    case TIE_BREAK_APPO:
        return rating_value(work, rule, entry, &list);
    default:
        return sum_value(&list, POINTS_PER_POINT);
    }
}

struct tie_break_value work_value(const struct standings_work *work,
                                  const struct tie_break_rule *rule, uint16_t entry)
{
    switch (rule->code) {
    case TIE_BREAK_DE:
        return (struct tie_break_value){.denominator = 1};
    case TIE_BREAK_LAST:
        return last_value(work, entry);
    case TIE_BREAK_RND:
        return drawn_value(work, entry);
    case TIE_BREAK_RTNG:
        return own_rating_value(work, entry);
    case TIE_BREAK_TPN:
        return (struct tie_break_value){.numerator = -(int64_t)work->input.entries[entry].tpn,
                                        .denominator = 1};
    default:
        return listed_value(work, rule, entry);
    }
}

bool work_inner_rule(const struct tie_break_rule *rule, struct tie_break_rule *inner)
{
    static const uint8_t inner_code[TIE_BREAKS] = {
        [TIE_BREAK_AOB] = TIE_BREAK_BH,   [TIE_BREAK_AOA] = TIE_BREAK_OPA,
        [TIE_BREAK_OWP] = TIE_BREAK_MWP,  [TIE_BREAK_APRO] = TIE_BREAK_TPR,
        [TIE_BREAK_APPO] = TIE_BREAK_PTP,
    };
    if (inner_code[rule->code] == 0)
        return false;
    *inner = (struct tie_break_rule){.code = inner_code[rule->code], .flags = rule->flags};
    return true;
}

struct tie_break_value work_inner_value(const struct standings_work *work,
                                        const struct tie_break_rule *inner, uint16_t entry)
{
    return work->inner_ready ? work->inner[entry] : work_value(work, inner, entry);
}

static uint64_t magnitude(int64_t number)
{
    return number < 0 ? 0 - (uint64_t)number : (uint64_t)number;
}

/* Negative, 0 or positive as the value `a` is smaller, equal or larger. */
static int compare_values(const struct tie_break_value *a, const struct tie_break_value *b)
{
    if (a->none || b->none)
        return b->none - a->none;
    if ((a->numerator < 0) != (b->numerator < 0))
        return a->numerator < 0 ? -1 : 1;
    int larger =
        a->denominator == b->denominator
            ? (magnitude(a->numerator) > magnitude(b->numerator)) -
                  (magnitude(a->numerator) < magnitude(b->numerator))
            : wide_compare(wide_product(magnitude(a->numerator), (uint64_t)b->denominator),
                           wide_product(magnitude(b->numerator), (uint64_t)a->denominator));
    return a->numerator < 0 ? -larger : larger;
}

/* Compares two values exactly when one of them was rounded down. */
static int compare_shares(const struct standings_work *work, const struct tie_break_rule *rule,
                          uint16_t a, uint16_t b)
{
    struct operand_list list;
    work_list(work, rule, a, &list);
    struct share_sum left = share_sum_of(&list);
    work_list(work, rule, b, &list);
    struct share_sum right = share_sum_of(&list);
    return share_sum_compare(&left, &right);
}

int work_compare(const struct standings_work *work, size_t position, uint16_t a, uint16_t b)
{
    const struct tie_break_value *left = &work->rows[a].value[position];
    const struct tie_break_value *right = &work->rows[b].value[position];
    int order = compare_values(right, left);
    bool both = left->rounded && right->rounded;
    /* If both were rounded down to different billionths, that order is right. */
    if ((left->rounded || right->rounded) && (!both || order == 0))
        return -compare_shares(work, &work->input.chain[position], a, b);
    return order;
}

static struct encounter *find_encounter(struct encounter *encounters, size_t *count, uint16_t entry)
{
    for (size_t i = 0; i < *count; i++)
        if (encounters[i].entry == entry)
            return &encounters[i];
    encounters[*count] = (struct encounter){.entry = entry};
    return &encounters[(*count)++];
}

size_t work_encounters(const struct standings_work *work, const struct tie_break_rule *rule,
                       uint16_t entry, struct encounter encounters[static STANDINGS_OPERANDS_MAX])
{
    struct operand_list list;
    size_t count = 0;
    work_list(work, rule, entry, &list);
    for (size_t i = 0; i < list.count; i++) {
        if (work->class[list.operand[i].entry] != work->class[entry])
            continue;
        struct encounter *met = find_encounter(encounters, &count, list.operand[i].entry);
        met->tables++;
        met->sum += (uint32_t)list.operand[i].numerator;
    }
    return count;
}
