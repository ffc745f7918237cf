/* Points of entries: as they are, and adjusted to measure those whom they met. */
#include "engine/tournament/standings_work.h"

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
           kind == ROUND_FORFEIT_LOSS;
}

/* One round of an entry. */
struct stay {
    const struct table_result *table; /* NULL: nothing is known of it */
    unsigned seat;
    uint8_t kind; /* without a result: absent */
    bool drawn;   /* counts as a draw, by the view */
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

/* True while nobody can tell whether the entry will come back. */
static bool is_away(enum unplayed_rules rules, const struct stay *stay)
{
    if (stay->drawn || rules == UNPLAYED_ROUND_ROBIN)
        return false;
    if (rules == UNPLAYED_PODS_1)
        return round_kind_is_voluntary(stay->kind);
    return work_is_voluntary(stay->kind);
}

/* True for a round that is measured as neutral; `away`: all later ones are, too. */
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

/* In a round robin, free rounds are none that points can be had in. */
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
