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
    merit->size = (uint8_t)bytes_count(stores);
    for (uint32_t rest = stores & mall->sets.satisfied; rest != 0; rest &= rest - 1)
        add_customer(merit, mall->floor[superstore_lowest(rest)]);
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

/* Above 0 if `a` has more stores, or as many with more customers. */
static int compare_sizes(const struct superstore_mall *mall, uint32_t a, uint32_t b)
{
    const uint32_t satisfied = mall->sets.satisfied;
    const int stores = (int)bytes_count(a) - (int)bytes_count(b);
    return stores != 0 ? stores : (int)bytes_count(a & satisfied) - (int)bytes_count(b & satisfied);
}

/* Floors decide only between clusters that are alike. */
void superstore_best_cluster(const struct superstore_mall *mall, unsigned category,
                             struct superstore_merit *merit)
{
    const uint32_t stores = mall->sets.elements[category];
    uint32_t best = 0;
    for (uint32_t rest = stores; rest != 0;) {
        const uint32_t cluster =
            stores & superstore_cluster(&mall->plan, stores | mall->plan.attractions,
                                        superstore_lowest(rest));
        const int order = compare_sizes(mall, cluster, best);
        rest &= ~cluster;
        if (order < 0)
            continue;
        if (order == 0) {
            struct superstore_merit one, other;
            count_stores(mall, best, &one);
            count_stores(mall, cluster, &other);
            if (compare_merits(&other, &one) <= 0)
                continue;
        }
        best = cluster;
    }
    count_stores(mall, best, merit);
}

/* The merit of a mall for a balloon. */
static void superstore_find_merit(const struct superstore_mall *mall, unsigned balloon,
                                  struct superstore_merit *merit)
{
    static const uint8_t category[BALLOONS] = {
        [BALLOON_HOBBY] = HOBBY, [BALLOON_FOOD] = FOOD, [BALLOON_FASHION] = FASHION};
    if (balloon == RAINBOW)
        count_stores(mall, mall->sets.satisfied, merit);
    else
        superstore_best_cluster(mall, category[balloon], merit);
}

static int32_t customers_in_column(const struct superstore_mall *mall, unsigned column,
                                   unsigned category)
{
    return (int32_t)bytes_count(bytes_equal(mall->column, (uint8_t)column) & mall->sets.satisfied &
                                mall->sets.elements[category]);
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
                               : customers_in_column(mall, tile->column, dock->column_points));
}

static int32_t points_of_tiles(const struct superstore_components *set,
                               const struct superstore_mall *mall, uint32_t tiles)
{
    int32_t points = 0;
    for (; tiles != 0; tiles &= tiles - 1) {
        const struct superstore_tile tile = superstore_tile(mall, superstore_lowest(tiles));
        points += superstore_tile_points(set, mall, &tile);
    }
    return points;
}

int32_t superstore_attraction_points(const struct superstore_components *set,
                                     const struct superstore_mall *mall)
{
    return points_of_tiles(set, mall, mall->plan.attractions);
}

int32_t superstore_dock_points(const struct superstore_components *set,
                               const struct superstore_mall *mall)
{
    return points_of_tiles(set, mall, superstore_docks(mall));
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
            superstore_find_merit(mall, balloon, &merit[balloon][seat]);
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

/* The count in one category, in all of them, or the most or least in the first `categories`. */
static unsigned combine(const struct superstore_condition *condition,
                        const uint32_t of[static CATEGORIES], uint32_t counted, unsigned categories)
{
    if (condition->category < CATEGORIES)
        return bytes_count(of[condition->category] & counted);
    unsigned sum = 0, most = 0, least = TILES_MAX;
    for (unsigned category = 0; category < categories; category++) {
        const unsigned count = bytes_count(of[category] & counted);
        sum += count;
        most = count > most ? count : most;
        least = count < least ? count : least;
    }
    if (condition->category == ANY_CATEGORY)
        return sum;
    return condition->category == SAME_CATEGORY ? most : least;
}

/* The number of the line of a kind on which a cell lies: floors and columns by their numbers,
 * diagonals by column - floor if they rise to the right (0), or column + floor (1). */
static inline uint8_t line_of(uint8_t column, uint8_t floor, unsigned line, unsigned direction)
{
    if (line == LINE_FLOOR)
        return floor;
    if (line == LINE_COLUMN)
        return column;
    return (uint8_t)(direction == 0 ? column + FLOOR_MAX - floor : column + floor);
}

static void find_lines(const struct superstore_mall *mall, unsigned line, unsigned direction,
                       uint8_t of[static TILES_MAX])
{
    for (unsigned i = 0; i < TILES_MAX; i++)
        of[i] = line_of(mall->column[i], mall->floor[i], line, direction);
}

/* The most of these tiles that lie on one line, if that is more than `most`. */
static unsigned most_on_line(const uint8_t line[static TILES_MAX], uint32_t tiles, unsigned most)
{
    while (bytes_count(tiles) > most) {
        const uint32_t same = bytes_equal(line, line[superstore_lowest(tiles)]) & tiles;
        most = bytes_count(same) > most ? bytes_count(same) : most;
        tiles &= ~same;
    }
    return most;
}

/* For mall elements each category is counted separately, for customers all together. Less than
 * `most` is not looked for. */
static unsigned reached_in_line(const struct superstore_mall *mall, unsigned line, bool customers,
                                unsigned most)
{
    const uint32_t *of = customers ? &mall->sets.satisfied : mall->sets.elements;
    for (unsigned direction = 0; direction < (line == LINE_DIAGONAL ? 2 : 1); direction++) {
        uint8_t lines[TILES_MAX];
        find_lines(mall, line, direction, lines);
        for (unsigned i = 0; i < (customers ? 1 : CATEGORIES); i++)
            most = most_on_line(lines, of[i], most);
    }
    return most;
}

unsigned superstore_reached_with(const struct superstore_components *set,
                                 const struct superstore_mall *mall,
                                 const struct superstore_condition *condition,
                                 const struct superstore_tile *tile)
{
    const uint32_t like = mall->sets.elements[set->pieces[tile->piece].category];
    unsigned most = 0;
    for (unsigned direction = 0; direction < (condition->line == LINE_DIAGONAL ? 2 : 1);
         direction++) {
        uint8_t lines[TILES_MAX];
        find_lines(mall, condition->line, direction, lines);
        const uint8_t own = line_of(tile->column, tile->floor, condition->line, direction);
        const unsigned count = 1 + bytes_count(bytes_equal(lines, own) & like);
        most = count > most ? count : most;
    }
    return most;
}

/* The number reached, if it is more than `most`. */
static unsigned reached_beyond(const struct superstore_mall *mall,
                               const struct superstore_condition *condition, unsigned most)
{
    const struct superstore_sets *sets = &mall->sets;
    const uint32_t high = bytes_at_least(mall->floor, condition->min_floor);
    switch ((enum condition_kind)condition->kind) {
    case COUNT_ELEMENTS:
        return combine(condition, sets->elements, high, CATEGORIES);
    case COUNT_CUSTOMERS:
        return combine(condition, sets->elements, high & sets->satisfied, STORE_CATEGORIES);
    case ELEMENTS_IN_LINE:
        return reached_in_line(mall, condition->line, false, most);
    case CUSTOMERS_IN_LINE:
        return reached_in_line(mall, condition->line, true, most);
    case EMPTY_ENTRANCES:
        return bytes_count(sets->elements[ENTRANCE] & ~sets->waiting & high);
    case BANK_NOTES:
        return mall->bank_notes;
    }
    return 0;
}

unsigned superstore_reached(const struct superstore_mall *mall,
                            const struct superstore_condition *condition)
{
    return reached_beyond(mall, condition, 0);
}

bool superstore_holds(const struct superstore_mall *mall,
                      const struct superstore_condition *condition)
{
    return reached_beyond(mall, condition, condition->count - 1u) >= condition->count;
}
