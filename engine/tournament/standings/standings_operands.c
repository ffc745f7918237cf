/* The operands of tie-breaks: one per table, or one per opponent. A value is always computed from
 * the list that a page shows, so the two cannot disagree. */
#include "engine/tournament/standings/standings_work.h"

#define POINTS_SQUARED (INT64_C(1) * POINTS_PER_POINT * POINTS_PER_POINT)

/* One round of an entry, from the point of view of a rule. */
struct sitting {
    const struct standings_work *work;
    const struct tie_break_rule *rule;
    const struct table_result *table; /* NULL: the round is unknown */
    uint16_t entry, round;
    unsigned seat;
};

static struct tie_break_operand own_operand(const struct sitting *sitting, int64_t numerator,
                                            int64_t denominator)
{
    return (struct tie_break_operand){.round = sitting->round,
                                      .table = sitting->table == NULL ? 0 : sitting->table->table,
                                      .entry = sitting->entry,
                                      .numerator = numerator,
                                      .denominator = denominator};
}

static void add_operand(struct operand_list *list, struct tie_break_operand operand,
                        int64_t strength, bool voluntary)
{
    list->operand[list->count] = operand;
    list->strength[list->count] = strength;
    list->voluntary[list->count] = voluntary;
    list->count++;
}

static void add_own(struct operand_list *list, const struct sitting *sitting, int64_t numerator,
                    int64_t denominator)
{
    add_operand(list, own_operand(sitting, numerator, denominator), numerator, false);
}

static uint8_t kind_of(const struct sitting *sitting)
{
    return sitting->table == NULL ? ROUND_ABSENT : sitting->table->seat[sitting->seat].kind;
}

static bool is_played(const struct sitting *sitting, unsigned seat)
{
    return round_kind_is_played(sitting->table->seat[seat].kind);
}

static int32_t points_of(const struct sitting *sitting)
{
    if (sitting->table == NULL)
        return 0;
    return scoring_points(sitting->work->input.scoring, sitting->table, sitting->seat);
}

/* ---- One per table ---- */

/* The share of a first place, in 60ths; a draw of two gives none. */
static int32_t first_place(const struct sitting *sitting)
{
    const struct table_result *table = sitting->table;
    int32_t first = 1;
    if (kind_of(sitting) >= ROUND_FORFEIT_LOSS || table->seat[sitting->seat].rank != 1)
        return 0;
    for (unsigned seat = 0; seat < table->seats; seat++)
        first += seat != sitting->seat && table->seat[seat].rank == 1;
    return first == 2 && table->seats == 2 ? 0 : POINTS_PER_POINT / first;
}

static bool is_last_seat(const struct sitting *sitting)
{
    return is_played(sitting, sitting->seat) && sitting->seat + 1 == sitting->table->seats;
}

static void list_win(struct operand_list *list, const struct sitting *sitting)
{
    int32_t won = 0;
    if (sitting->table == NULL)
        return;
    if (sitting->table->table > 0)
        won = first_place(sitting);
    else if (points_of(sitting) >= scoring_first(sitting->work->input.scoring))
        won = POINTS_PER_POINT;
    if (won > 0)
        add_own(list, sitting, won, POINTS_PER_POINT);
}

static void list_won(struct operand_list *list, const struct sitting *sitting)
{
    if (round_kind_is_played(kind_of(sitting)) && first_place(sitting) > 0)
        add_own(list, sitting, first_place(sitting), POINTS_PER_POINT);
}

static void list_win_share(struct operand_list *list, const struct sitting *sitting)
{
    if (round_kind_is_played(kind_of(sitting)))
        add_own(list, sitting, first_place(sitting), POINTS_PER_POINT);
}

static void list_last_seat(struct operand_list *list, const struct sitting *sitting, bool won)
{
    if (sitting->table == NULL || !is_last_seat(sitting))
        return;
    if (!won)
        add_own(list, sitting, 1, 1);
    else if (first_place(sitting) > 0)
        add_own(list, sitting, first_place(sitting), POINTS_PER_POINT);
}

static void list_standard(struct operand_list *list, const struct sitting *sitting)
{
    int32_t points = points_of(sitting), neutral = sitting->work->input.scoring->neutral;
    if (sitting->table != NULL && points >= neutral)
        add_own(list, sitting, points > neutral ? POINTS_PER_POINT : POINTS_PER_POINT / 2,
                POINTS_PER_POINT);
}

static void list_progress(struct operand_list *list, const struct sitting *sitting)
{
    int64_t before = list->count == 0 ? 0 : list->operand[list->count - 1].numerator;
    add_own(list, sitting, before + points_of(sitting), POINTS_PER_POINT);
}

static int64_t max_score(int32_t score)
{
    return score > 0 ? score : 0;
}

static void list_share(struct operand_list *list, const struct sitting *sitting)
{
    int64_t total = 0;
    if (!round_kind_is_played(kind_of(sitting)))
        return;
    for (unsigned seat = 0; seat < sitting->table->seats; seat++)
        if (is_played(sitting, seat))
            total += max_score(sitting->table->seat[seat].score);
    add_own(list, sitting, max_score(sitting->table->seat[sitting->seat].score),
            total > 0 ? total : 1);
}

static int32_t best_score(const struct sitting *sitting)
{
    int32_t best = sitting->table->seat[sitting->seat].score;
    for (unsigned seat = 0; seat < sitting->table->seats; seat++)
        if (is_played(sitting, seat) && sitting->table->seat[seat].score > best)
            best = sitting->table->seat[seat].score;
    return best;
}

static void list_behind(struct operand_list *list, const struct sitting *sitting, bool ratio)
{
    if (!round_kind_is_played(kind_of(sitting)))
        return;
    int32_t own = sitting->table->seat[sitting->seat].score, best = best_score(sitting);
    if (ratio)
        add_own(list, sitting, best > 0 ? max_score(own) : own == best, best > 0 ? best : 1);
    else
        add_own(list, sitting, (int64_t)own - best, 1);
}

static void list_handicap(struct operand_list *list, const struct sitting *sitting)
{
    if (round_kind_is_played(kind_of(sitting)))
        add_own(list, sitting, sitting->work->input.handicap[sitting->table->seats][sitting->seat],
                1000);
}

/* ---- One per opponent ---- */

static enum view view_of(const struct tie_break_rule *rule)
{
    bool fore = rule->code == TIE_BREAK_FB || (rule->flags & TIE_BREAK_FORE) != 0;
    return fore ? VIEW_FORE : VIEW_PLAIN;
}

/* Whether forfeits count as games. Codes that depend on strength at the board never count them
 * (C.07 15), and a mean over opponents only includes those met. */
static bool takes_forfeits(const struct sitting *sitting)
{
    const struct tie_break_rule *rule = sitting->rule;
    switch (rule->code) {
    case TIE_BREAK_ARO:
    case TIE_BREAK_TPR:
    case TIE_BREAK_PTP:
    case TIE_BREAK_APRO:
    case TIE_BREAK_APPO:
    case TIE_BREAK_OWP:
        return false;
    case TIE_BREAK_AOB:
    case TIE_BREAK_AOA:
        return (rule->flags & TIE_BREAK_FORFEITS) != 0;
    case TIE_BREAK_KS:
        return true;
    default:
        return sitting->work->input.rules == UNPLAYED_ROUND_ROBIN ||
               (rule->flags & TIE_BREAK_FORFEITS) != 0 ||
               (view_of(rule) == VIEW_FORE && sitting->round == sitting->work->input.rounds);
    }
}

/* Whether a table counts as played for one of its seats. */
static bool is_game(const struct sitting *sitting, unsigned seat)
{
    return is_played(sitting, seat) || (sitting->table->table > 0 && takes_forfeits(sitting));
}

/* Only tied entries count for direct encounter. */
static bool concerns(const struct sitting *sitting, unsigned opponent)
{
    const uint16_t *tied = sitting->work->tied;
    uint16_t group = tied[sitting->entry];
    return sitting->rule->code != TIE_BREAK_DE ||
           (group != 0 && tied[sitting->table->seat[opponent].entry] == group);
}

static int64_t duel_of(const struct sitting *sitting, unsigned opponent)
{
    const struct seat_result *own = &sitting->table->seat[sitting->seat];
    const struct seat_result *other = &sitting->table->seat[opponent];
    enum duel duel = own->rank < other->rank ? DUEL_AHEAD : DUEL_LEVEL;
    if (own->rank > other->rank)
        duel = DUEL_BEHIND;
    if (round_kind_is_lost(other->kind))
        duel = DUEL_AHEAD;
    if (round_kind_is_lost(own->kind))
        duel = DUEL_BEHIND;
    return scoring_duel(sitting->work->input.scoring, duel);
}

static bool reaches_limit(const struct standings_work *work, const struct tie_break_rule *rule,
                          uint16_t entry)
{
    int64_t percent = rule->limit != 0 ? rule->limit : TIE_BREAK_LIMIT_DEFAULT;
    int64_t halves = (int64_t)rule->limit_halves * POINTS_PER_POINT / 2;
    return 100 * (int64_t)work->points[VIEW_PLAIN][entry].own >=
           percent * work->koya_most + 100 * halves;
}

static int32_t rating_of(const struct standings_work *work, uint16_t entry)
{
    int32_t rating = work->input.ratings[entry];
    return rating != 0 ? rating : work->input.unrated;
}

/* Adds a game against an opponent to the list. */
static void list_opponent(struct operand_list *list, const struct sitting *sitting,
                          unsigned opponent)
{
    const struct standings_work *work = sitting->work;
    uint16_t entry = sitting->table->seat[opponent].entry;
    int64_t adjusted = work->points[view_of(sitting->rule)][entry].adjusted;
    int64_t strength = adjusted;
    struct tie_break_operand operand = {.round = sitting->round,
                                        .table = sitting->table->table,
                                        .entry = entry,
                                        .numerator = adjusted,
                                        .denominator = POINTS_PER_POINT};
    struct tie_break_rule inner;
    if (work_inner_rule(sitting->rule, &inner)) {
        struct tie_break_value value = work_inner_value(work, &inner, entry);
        operand.numerator = value.numerator;
        operand.denominator = value.denominator;
    }
    switch (sitting->rule->code) {
    case TIE_BREAK_DE:
    case TIE_BREAK_KS:
        operand.numerator = duel_of(sitting, opponent);
        operand.cut =
            sitting->rule->code == TIE_BREAK_KS && !reaches_limit(work, sitting->rule, entry);
        break;
    case TIE_BREAK_SB:
    case TIE_BREAK_SBA:
        operand.numerator = duel_of(sitting, opponent) * adjusted;
        operand.denominator = POINTS_SQUARED;
        break;
    case TIE_BREAK_OPA:
        operand.denominator = (int64_t)POINTS_PER_POINT * work->input.rounds;
        break;
    case TIE_BREAK_ARO:
    case TIE_BREAK_TPR:
    case TIE_BREAK_PTP:
        strength = operand.numerator = rating_of(work, entry);
        operand.denominator = 1;
        break;
    default:
        break;
    }
    add_operand(list, operand, strength, false);
}

/* C.07 16.4: the entry's own points, capped since 2026 by the scheduled opponent's points, or by a
 * draw in every round. `opponent` is a seat of the table, if there was one. */
static void list_dummy(struct operand_list *list, const struct sitting *sitting,
                       const unsigned *opponent)
{
    const struct standings_work *work = sitting->work;
    const struct entry_points *points = work->points[view_of(sitting->rule)];
    int64_t strength = points[sitting->entry].own;
    int64_t result = points_of(sitting);
    int64_t cap = (int64_t)work->input.scoring->neutral * work->input.rounds;
    if (opponent != NULL) {
        cap = points[sitting->table->seat[*opponent].entry].adjusted;
        result = duel_of(sitting, *opponent);
    }
    if (work->input.rules == UNPLAYED_FIDE_2026 && strength > cap)
        strength = cap;
    bool squared = sitting->rule->code == TIE_BREAK_SB;
    add_operand(list,
                own_operand(sitting, squared ? strength * result : strength,
                            squared ? POINTS_SQUARED : POINTS_PER_POINT),
                strength, work_is_voluntary(kind_of(sitting)));
}

/* Whether rounds without a game count as games against a dummy. */
static bool has_dummies(const struct sitting *sitting)
{
    uint8_t code = sitting->rule->code;
    enum unplayed_rules rules = sitting->work->input.rules;
    return (code == TIE_BREAK_BH || code == TIE_BREAK_FB || code == TIE_BREAK_SB) &&
           (rules == UNPLAYED_FIDE_2023 || rules == UNPLAYED_FIDE_2026);
}

static void list_opponents(struct operand_list *list, const struct sitting *sitting)
{
    bool seated = sitting->table != NULL && sitting->table->table > 0;
    bool game = seated && is_game(sitting, sitting->seat);
    if (!seated && has_dummies(sitting))
        list_dummy(list, sitting, NULL);
    for (unsigned seat = 0; seated && seat < sitting->table->seats; seat++) {
        if (seat == sitting->seat)
            continue;
        if (game && is_game(sitting, seat) && concerns(sitting, seat))
            list_opponent(list, sitting, seat);
        else if (!game && has_dummies(sitting))
            list_dummy(list, sitting, &seat);
    }
}

/* ---- All operands ---- */

static void list_sitting(struct operand_list *list, const struct sitting *sitting)
{
    switch (sitting->rule->code) {
    case TIE_BREAK_PTS:
        if (sitting->table != NULL)
            add_own(list, sitting, points_of(sitting), POINTS_PER_POINT);
        break;
    case TIE_BREAK_WIN:
        list_win(list, sitting);
        break;
    case TIE_BREAK_WON:
        list_won(list, sitting);
        break;
    case TIE_BREAK_BPG:
        list_last_seat(list, sitting, false);
        break;
    case TIE_BREAK_BWG:
        list_last_seat(list, sitting, true);
        break;
    case TIE_BREAK_REP:
        if (!work_is_voluntary(kind_of(sitting)))
            add_own(list, sitting, 1, 1);
        break;
    case TIE_BREAK_STD:
        list_standard(list, sitting);
        break;
    case TIE_BREAK_PS:
        list_progress(list, sitting);
        break;
    case TIE_BREAK_SHR:
        list_share(list, sitting);
        break;
    case TIE_BREAK_MWP:
        list_win_share(list, sitting);
        break;
    case TIE_BREAK_VPD:
        list_behind(list, sitting, false);
        break;
    case TIE_BREAK_VPR:
        list_behind(list, sitting, true);
        break;
    case TIE_BREAK_SH:
        list_handicap(list, sitting);
        break;
    case TIE_BREAK_LAST:
    case TIE_BREAK_RND:
    case TIE_BREAK_RTNG:
    case TIE_BREAK_TPN:
        break;
    default:
        list_opponents(list, sitting);
        break;
    }
}

/* Among those not cut: the one with the lowest `first`, then the lowest `second`, then the
 * earliest; list->count if there is none. `sign` -1 finds the highest. */
static size_t find_lowest(const struct operand_list *list, bool by_strength, bool voluntary,
                          int64_t sign)
{
    size_t found = list->count;
    for (size_t i = 0; i < list->count; i++) {
        if (list->operand[i].cut || (voluntary && !list->voluntary[i]))
            continue;
        if (found == list->count) {
            found = i;
            continue;
        }
        int64_t strength = sign * (list->strength[i] - list->strength[found]);
        int64_t value = sign * (list->operand[i].numerator - list->operand[found].numerator);
        int64_t first = by_strength ? strength : value, second = by_strength ? value : strength;
        if (first < 0 || (first == 0 && second < 0))
            found = i;
    }
    return found;
}

/* C.07 14.1 and 16.5: the contribution of the weakest opponent, or the lowest contribution of a
 * round that the player gave up, whichever is worth more.
 *
 * 16.5.1 speaks of "the lowest contribution coming from such rounds", which in Sonneborn-Berger is
 * score times result. Dummies of one player differ since 2026 (16.4 caps them), so the round with
 * the lowest dummy need not be the one with the lowest contribution. FIDE's TieBreakServer 1.9.57
 * takes the lowest dummy there; this code follows the text.
 */
static size_t least_significant(const struct operand_list *list)
{
    size_t weakest = find_lowest(list, true, false, 1);
    size_t given_up = find_lowest(list, false, true, 1);
    if (given_up < list->count &&
        list->operand[given_up].numerator >= list->operand[weakest].numerator)
        return given_up;
    return weakest;
}

/* Cuts leave a mean at least one opponent; FIDE's ARO then has no value. */
static bool is_mean(const struct tie_break_rule *rule)
{
    return rule->code == TIE_BREAK_OPA || rule->code == TIE_BREAK_SBA;
}

static void cut_operands(struct operand_list *list, const struct tie_break_rule *rule)
{
    size_t left = list->count, keep = is_mean(rule) ? 1 : 0;
    for (unsigned cut = 0; cut < rule->cut_low && left > keep; cut++, left--)
        list->operand[least_significant(list)].cut = true;
    for (unsigned cut = 0; cut < rule->cut_high && left > keep; cut++, left--)
        list->operand[find_lowest(list, true, false, -1)].cut = true;
}

void work_list(const struct standings_work *work, const struct tie_break_rule *rule, uint16_t entry,
               struct operand_list *list)
{
    struct sitting sitting = {.work = work, .rule = rule, .entry = entry};
    list->count = 0;
    for (uint16_t round = 1; round <= work->input.rounds; round++) {
        sitting.round = round;
        sitting.table = work_result(work, entry, round, &sitting.seat);
        list_sitting(list, &sitting);
    }
    if (rule->code == TIE_BREAK_PS)
        for (size_t i = 0; i < list->count && i < rule->cut_low; i++)
            list->operand[i].cut = true;
    else
        cut_operands(list, rule);
}
