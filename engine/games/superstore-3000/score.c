/* Counts points: balloons go by merit; attractions and docking bays have points of their own. */
#include "engine/games/superstore-3000/score.h"

#include <string.h>

#include "engine/games/superstore-3000/state.h"

const struct span superstore_balloons[BALLOONS] = {SPAN_LITERAL("rainbow"), SPAN_LITERAL("hobby"),
                                                   SPAN_LITERAL("food"), SPAN_LITERAL("fashion")};

/* Adds a floor to the list, which is in descending order. */
static void add_customer(struct superstore_merit *merit, uint8_t floor)
{
    unsigned at = merit->customers++;
    for (; at > 0 && merit->floor[at - 1] < floor; at--)
        merit->floor[at] = merit->floor[at - 1];
    merit->floor[at] = floor;
}

static void count_stores(const struct superstore_mall *mall, uint32_t stores,
                         struct superstore_merit *merit)
{
    memset(merit, 0, sizeof *merit);
    for (uint32_t rest = stores; rest != 0; rest &= rest - 1) {
        const struct superstore_tile *tile = &mall->tile[superstore_lowest(rest)];
        merit->size++;
        if (superstore_is_satisfied(tile))
            add_customer(merit, tile->floor);
    }
}

/* Above 0 if `a` is better: more stores, more customers, higher customers. */
static int compare_merits(const struct superstore_merit *a, const struct superstore_merit *b)
{
    if (a->size != b->size)
        return a->size - b->size;
    if (a->customers != b->customers)
        return a->customers - b->customers;
    return memcmp(a->floor, b->floor, a->customers);
}

static uint32_t stores_of(const struct superstore_components *set,
                          const struct superstore_mall *mall, unsigned category)
{
    uint32_t stores = 0;
    for (unsigned i = 0; i < mall->tiles; i++)
        if (superstore_is_store(mall->tile[i].piece) &&
            set->pieces[mall->tile[i].piece].category == category)
            stores |= UINT32_C(1) << i;
    return stores;
}

uint32_t superstore_cluster(const struct superstore_plan *plan, uint32_t nodes, unsigned start)
{
    uint32_t found = UINT32_C(1) << start;
    for (uint32_t fresh = found; fresh != 0;) {
        uint32_t near = 0;
        for (; fresh != 0; fresh &= fresh - 1)
            near |= plan->neighbours[superstore_lowest(fresh)];
        fresh = near & nodes & ~found;
        found |= fresh;
    }
    return found;
}

void superstore_best_cluster(const struct superstore_components *set,
                             const struct superstore_mall *mall, unsigned category,
                             struct superstore_merit *merit)
{
    uint32_t stores = stores_of(set, mall, category);
    memset(merit, 0, sizeof *merit);
    for (uint32_t rest = stores; rest != 0;) {
        uint32_t cluster = superstore_cluster(&mall->plan, stores | mall->plan.attractions,
                                              superstore_lowest(rest));
        struct superstore_merit other;
        count_stores(mall, cluster & stores, &other);
        if (compare_merits(&other, merit) > 0)
            *merit = other;
        rest &= ~cluster;
    }
}

static void count_all_customers(const struct superstore_mall *mall, struct superstore_merit *merit)
{
    uint32_t satisfied = 0;
    for (unsigned i = 0; i < mall->tiles; i++)
        if (superstore_is_satisfied(&mall->tile[i]))
            satisfied |= UINT32_C(1) << i;
    count_stores(mall, satisfied, merit);
}

void superstore_find_merit(const struct superstore_components *set,
                           const struct superstore_mall *mall, unsigned balloon,
                           struct superstore_merit *merit)
{
    static const uint8_t category[BALLOONS] = {
        [BALLOON_HOBBY] = HOBBY, [BALLOON_FOOD] = FOOD, [BALLOON_FASHION] = FASHION};
    if (balloon == RAINBOW)
        count_all_customers(mall, merit);
    else
        superstore_best_cluster(set, mall, category[balloon], merit);
}

static int32_t customers_in_column(const struct superstore_components *set,
                                   const struct superstore_mall *mall, unsigned column,
                                   unsigned category)
{
    int32_t count = 0;
    for (unsigned i = 0; i < mall->tiles; i++)
        count += mall->tile[i].column == column && superstore_is_satisfied(&mall->tile[i]) &&
                 set->pieces[mall->tile[i].piece].category == category;
    return count;
}

int32_t superstore_tile_points(const struct superstore_components *set,
                               const struct superstore_mall *mall,
                               const struct superstore_tile *tile)
{
    if (superstore_is_attraction(tile->piece))
        return set->attractions[tile->piece - FIRST_ATTRACTION].points;
    if (!superstore_is_dock(tile->piece))
        return 0;
    const struct superstore_dock *dock = &set->docks[tile->piece - FIRST_DOCK];
    return dock->points + (dock->column_points == NONE
                               ? 0
                               : customers_in_column(set, mall, tile->column, dock->column_points));
}

int32_t superstore_attraction_points(const struct superstore_components *set,
                                     const struct superstore_mall *mall)
{
    int32_t points = 0;
    for (unsigned i = 0; i < mall->tiles; i++)
        if (superstore_is_attraction(mall->tile[i].piece))
            points += superstore_tile_points(set, mall, &mall->tile[i]);
    return points;
}

int32_t superstore_dock_points(const struct superstore_components *set,
                               const struct superstore_mall *mall)
{
    int32_t points = 0;
    for (unsigned i = 0; i < mall->tiles; i++)
        if (superstore_is_dock(mall->tile[i].piece))
            points += superstore_tile_points(set, mall, &mall->tile[i]);
    return points;
}

static unsigned distance_from_first(const struct superstore_state *state, unsigned seat)
{
    return (seat + state->seats - state->first) % state->seats;
}

/* Gives the balloons of one kind: a seat's place is the number of better seats. */
static void give_balloons(const struct superstore_state *state,
                          const struct superstore_merit merit[static SEATS_MAX],
                          const uint8_t values[static SEATS_MAX], int32_t points[static SEATS_MAX])
{
    for (unsigned seat = 0; seat < state->seats; seat++) {
        unsigned place = 0;
        for (unsigned other = 0; other < state->seats; other++) {
            int order = compare_merits(&merit[other], &merit[seat]);
            bool further = distance_from_first(state, other) > distance_from_first(state, seat);
            place += order > 0 || (order == 0 && further);
        }
        points[seat] = values[place];
    }
}

void superstore_count_points(const struct superstore_components *set,
                             const struct superstore_state *state, struct superstore_points *points)
{
    struct superstore_merit merit[BALLOONS][SEATS_MAX];
    memset(points, 0, sizeof *points);
    for (unsigned seat = 0; seat < state->seats; seat++) {
        const struct superstore_mall *mall = &state->mall[seat];
        for (unsigned balloon = 0; balloon < BALLOONS; balloon++)
            superstore_find_merit(set, mall, balloon, &merit[balloon][seat]);
        points->attractions[seat] = superstore_attraction_points(set, mall);
        points->docks[seat] = superstore_dock_points(set, mall);
    }
    for (unsigned balloon = 0; balloon < BALLOONS; balloon++)
        give_balloons(state, merit[balloon],
                      balloon == RAINBOW ? set->rainbow_values[state->seats]
                                         : set->colour_values[state->seats],
                      points->balloons[balloon]);
}

/* Rulebook, Scoring, step 6: ties go to the higher rainbow balloon. */
void superstore_outcome(const struct game *game, const void *opaque, struct outcome *outcome)
{
    const struct superstore_state *state = opaque;
    const struct superstore_components *set = game->set;
    struct superstore_points points;
    superstore_count_points(set, state, &points);
    memset(outcome, 0, sizeof *outcome);
    outcome->seats = state->seats;
    outcome->tie_breaks = 1;
    for (unsigned seat = 0; seat < state->seats; seat++) {
        outcome->score[seat] = points.attractions[seat] + points.docks[seat];
        for (unsigned balloon = 0; balloon < BALLOONS; balloon++)
            outcome->score[seat] += points.balloons[balloon][seat];
        outcome->tie_break[seat][0] = points.balloons[RAINBOW][seat];
    }
    outcome_rank(outcome);
}

/* ---- Conditions of attraction cards ----
 *
 * Each kind counts something in the mall and compares it with the number on the card. */

/* Lines of one kind are numbered: floors and columns by their numbers, diagonals by column - floor
 * or column + floor. */
enum { LINES = COLUMNS + FLOOR_MAX + 1 };

static bool is_counted(const struct superstore_tile *tile, bool customers)
{
    return customers ? superstore_is_satisfied(tile) : superstore_is_element(tile->piece);
}

/* Mall elements, or satisfied customers, by category. */
static unsigned reached_count(const struct superstore_components *set,
                              const struct superstore_mall *mall,
                              const struct superstore_condition *condition, bool customers)
{
    unsigned of[CATEGORIES] = {0};
    for (unsigned i = 0; i < mall->tiles; i++) {
        const struct superstore_tile *tile = &mall->tile[i];
        if (tile->floor >= condition->min_floor && is_counted(tile, customers))
            of[set->pieces[tile->piece].category]++;
    }
    if (condition->category < CATEGORIES)
        return of[condition->category];
    unsigned sum = 0, most = 0, least = TILES_MAX;
    unsigned categories = customers ? STORE_CATEGORIES : CATEGORIES;
    for (unsigned category = 0; category < categories; category++) {
        sum += of[category];
        most = of[category] > most ? of[category] : most;
        least = of[category] < least ? of[category] : least;
    }
    if (condition->category == ANY_CATEGORY)
        return sum;
    return condition->category == SAME_CATEGORY ? most : least;
}

/* The number of the line of a kind on which the tile lies; diagonals rise to the right (0) or to
 * the left (1). */
static unsigned line_of(const struct superstore_tile *tile, unsigned line, unsigned direction)
{
    if (line == LINE_FLOOR)
        return tile->floor;
    if (line == LINE_COLUMN)
        return tile->column;
    if (direction == 0)
        return (unsigned)(tile->column + FLOOR_MAX - tile->floor);
    return (unsigned)tile->column + tile->floor;
}

/* For mall elements each category is counted separately, for customers all together. */
static unsigned reached_in_direction(const struct superstore_components *set,
                                     const struct superstore_mall *mall,
                                     const struct superstore_condition *condition, bool customers,
                                     unsigned direction)
{
    uint8_t on_line[CATEGORIES][LINES] = {{0}};
    unsigned most = 0;
    for (unsigned i = 0; i < mall->tiles; i++) {
        const struct superstore_tile *tile = &mall->tile[i];
        if (!is_counted(tile, customers))
            continue;
        unsigned category = customers ? 0 : set->pieces[tile->piece].category;
        unsigned count = ++on_line[category][line_of(tile, condition->line, direction)];
        most = count > most ? count : most;
    }
    return most;
}

static unsigned reached_in_line(const struct superstore_components *set,
                                const struct superstore_mall *mall,
                                const struct superstore_condition *condition, bool customers)
{
    unsigned one = reached_in_direction(set, mall, condition, customers, 0);
    unsigned other = condition->line == LINE_DIAGONAL
                         ? reached_in_direction(set, mall, condition, customers, 1)
                         : 0;
    return one > other ? one : other;
}

unsigned superstore_reached_with(const struct superstore_components *set,
                                 const struct superstore_mall *mall,
                                 const struct superstore_condition *condition,
                                 const struct superstore_tile *tile)
{
    unsigned on_line[2] = {1, 1}; /* by direction */
    for (unsigned i = 0; i < mall->tiles; i++) {
        const struct superstore_tile *other = &mall->tile[i];
        if (!is_counted(other, false) ||
            set->pieces[other->piece].category != set->pieces[tile->piece].category)
            continue;
        for (unsigned direction = 0; direction < 2; direction++)
            on_line[direction] += line_of(other, condition->line, direction) ==
                                  line_of(tile, condition->line, direction);
    }
    return on_line[0] > on_line[1] ? on_line[0] : on_line[1];
}

static unsigned reached_empty_entrances(const struct superstore_mall *mall,
                                        const struct superstore_condition *condition)
{
    unsigned count = 0;
    for (unsigned i = 0; i < mall->tiles; i++) {
        const struct superstore_tile *tile = &mall->tile[i];
        count += superstore_is_entrance(tile->piece) && tile->customers == 0 &&
                 tile->floor >= condition->min_floor;
    }
    return count;
}

unsigned superstore_reached(const struct superstore_components *set,
                            const struct superstore_mall *mall,
                            const struct superstore_condition *condition)
{
    switch ((enum condition_kind)condition->kind) {
    case COUNT_ELEMENTS:
        return reached_count(set, mall, condition, false);
    case COUNT_CUSTOMERS:
        return reached_count(set, mall, condition, true);
    case ELEMENTS_IN_LINE:
        return reached_in_line(set, mall, condition, false);
    case CUSTOMERS_IN_LINE:
        return reached_in_line(set, mall, condition, true);
    case EMPTY_ENTRANCES:
        return reached_empty_entrances(mall, condition);
    case BANK_NOTES:
        return mall->bank_notes;
    }
    return 0;
}

bool superstore_holds(const struct superstore_components *set, const struct superstore_mall *mall,
                      const struct superstore_condition *condition)
{
    return superstore_reached(set, mall, condition) >= condition->count;
}
