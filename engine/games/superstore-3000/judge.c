/* Final points count fully; prospects (waiting customers, growing clusters, conditions nearly met,
 * money) count in part, and less towards the end. */
#include "engine/games/superstore-3000/judge.h"

#include <string.h>

/* All in hundredths of a point. */
enum {
    POINT = 100,
    CUSTOMER = 130,        /* a satisfied customer, for the rainbow and most conditions */
    CLUSTER_STORE = 90,    /* a store of a best cluster */
    CLUSTER_CUSTOMER = 25, /* a customer in one */
    LEAD_MAX = 4,          /* a larger lead than this is worth little more */
    PAST_LEAD = 4,         /* ... one part in this many */
    WAITING = 45,          /* a waiting customer, with many turns left */
    FREE_STORE = 15,       /* a store for a future customer, with many turns left */
    NOTE = 30,             /* a bank note */
    NOTES_USEFUL = 6,
    MET = 80, /* percent of an attraction's points for a met condition */
    NEARLY = 45,
    MANY_TURNS = 8
};

static const uint8_t category_of[BALLOONS] = {
    [RAINBOW] = NONE, [BALLOON_HOBBY] = HOBBY, [BALLOON_FOOD] = FOOD, [BALLOON_FASHION] = FASHION};

/* The better one: more stores, more customers. */
static struct superstore_size superstore_larger(struct superstore_size a, struct superstore_size b)
{
    bool larger = a.stores != b.stores ? a.stores > b.stores : a.customers > b.customers;
    return larger ? a : b;
}

struct superstore_size superstore_size_of(const struct superstore_plan *plan,
                                          const struct superstore_sets *sets, unsigned category,
                                          unsigned store)
{
    const uint32_t stores = sets->elements[category];
    uint32_t cluster = superstore_cluster(plan, stores | plan->attractions, store) & stores;
    return (struct superstore_size){(int32_t)bytes_count(cluster),
                                    (int32_t)bytes_count(cluster & sets->satisfied)};
}

static struct superstore_size largest(const struct superstore_plan *plan,
                                      const struct superstore_sets *sets, unsigned category)
{
    const uint32_t stores = sets->elements[category];
    struct superstore_size best = {0, 0};
    for (uint32_t rest = stores; rest != 0;) {
        unsigned first = superstore_lowest(rest);
        uint32_t cluster = superstore_cluster(plan, stores | plan->attractions, first) & stores;
        best = superstore_larger(
            (struct superstore_size){(int32_t)bytes_count(cluster),
                                     (int32_t)bytes_count(cluster & sets->satisfied)},
            best);
        rest &= ~cluster;
    }
    return best;
}

static struct superstore_size merit_of(const struct superstore_mall *mall, unsigned balloon)
{
    int32_t satisfied = (int32_t)bytes_count(mall->sets.satisfied);
    return balloon == RAINBOW ? (struct superstore_size){satisfied, satisfied}
                              : largest(&mall->plan, &mall->sets, category_of[balloon]);
}

/* ---- What moves have in common ---- */

static void count_elements(const struct superstore_components *set,
                           const struct superstore_mall *mall, struct superstore_outlook *outlook)
{
    memset(outlook->highest, 0, sizeof outlook->highest);
    for (unsigned i = 0; i < mall->tiles; i++) {
        if (!superstore_is_element(mall->piece[i]))
            continue;
        uint8_t category = set->pieces[mall->piece[i]].category;
        if (mall->floor[i] > outlook->highest[category])
            outlook->highest[category] = mall->floor[i];
        for (unsigned k = 0; k < outlook->aims; k++)
            if (mall->floor[i] >= outlook->aim[k].condition->min_floor)
                outlook->aim[k].of[category]++;
    }
}

static void add_aim(struct superstore_outlook *outlook,
                    const struct superstore_condition *condition, uint8_t points, uint8_t common)
{
    outlook->aim[outlook->aims++] =
        (struct superstore_aim){.condition = condition, .points = points, .common = common};
}

void superstore_look_around(const struct superstore_components *set,
                            const struct superstore_state *table, unsigned seat,
                            struct superstore_outlook *outlook)
{
    const struct superstore_mall *mall = &table->mall[seat];
    outlook->table = table;
    outlook->seat = seat;
    outlook->aims = 0;
    for (unsigned balloon = 0; balloon < BALLOONS; balloon++)
        outlook->rival[balloon] = -1;
    for (uint8_t i = 0; i < table->common_count; i++) {
        const struct superstore_common *common = &table->common[i];
        const struct superstore_attraction *attraction = &set->attractions[common->attraction];
        if (!common->built)
            add_aim(outlook, &attraction->side[common->side], attraction->points, i);
    }
    if (!superstore_has_night_club(mall))
        add_aim(outlook, &set->cards[mall->card].condition, set->attractions[0].points, NONE);
    count_elements(set, mall, outlook);
}

/* Mostly no lead is large enough for rivals to matter. */
static void look_at_rivals(struct superstore_outlook *outlook, bool colours)
{
    const struct superstore_state *table = outlook->table;
    for (unsigned other = 0; other < table->seats; other++) {
        if (other == outlook->seat)
            continue;
        for (unsigned balloon = 0; balloon < BALLOONS; balloon++) {
            if ((balloon != RAINBOW) != colours)
                continue;
            int32_t size = merit_of(&table->mall[other], balloon).stores;
            if (size > outlook->rival[balloon])
                outlook->rival[balloon] = size;
        }
    }
}

/* ---- Conditions ---- */

/* The greatest part of the number, or of the height, for which a condition holds; `floor` is the
 * highest one on which it would hold for a single one, if it does not. */
static int32_t part_of(const struct superstore_condition *condition, unsigned reached,
                       unsigned floor)
{
    if (reached >= condition->count)
        return 100;
    if (reached > 0)
        return 100 * (int32_t)reached / condition->count;
    return floor > 1 ? 100 * (int32_t)floor / condition->min_floor / condition->count : 0;
}

/* Combines one category, all of them, or takes the most or least of the first `categories`: sums
 * numbers, and takes the highest of floors. */
static unsigned combine(const struct superstore_condition *condition,
                        const uint8_t of[static CATEGORIES], unsigned categories, bool numbers)
{
    unsigned sum = 0, most = 0, least = UINT8_MAX;
    if (condition->category < CATEGORIES)
        return of[condition->category];
    for (unsigned category = 0; category < categories; category++) {
        sum += of[category];
        most = of[category] > most ? of[category] : most;
        least = of[category] < least ? of[category] : least;
    }
    if (condition->category == EACH_CATEGORY)
        return least;
    return condition->category == ANY_CATEGORY && numbers ? sum : most;
}

/* Mall elements, as superstore_reached() counts them. */
static int32_t part_of_elements(const struct superstore_condition *condition,
                                const uint8_t of[static CATEGORIES],
                                const uint8_t highest[static CATEGORIES])
{
    return part_of(condition, combine(condition, of, CATEGORIES, true),
                   combine(condition, highest, CATEGORIES, false));
}

/* The same for satisfied customers. */
static int32_t part_of_customers(const struct superstore_components *set,
                                 const struct superstore_mall *mall,
                                 const struct superstore_condition *condition)
{
    uint8_t of[CATEGORIES] = {0}, highest[CATEGORIES] = {0};
    for (uint32_t rest = mall->sets.satisfied; rest != 0; rest &= rest - 1) {
        const unsigned tile = superstore_lowest(rest);
        const uint8_t category = set->pieces[mall->piece[tile]].category;
        if (mall->floor[tile] >= condition->min_floor)
            of[category]++;
        if (mall->floor[tile] > highest[category])
            highest[category] = mall->floor[tile];
    }
    return part_of(condition, combine(condition, of, STORE_CATEGORIES, true),
                   combine(condition, highest, STORE_CATEGORIES, false));
}

/* The height reached by conditions that are not for a category. */
static int32_t part_of_rest(const struct superstore_mall *mall,
                            const struct superstore_condition *condition)
{
    unsigned reached = superstore_reached(mall, condition);
    struct superstore_condition part = *condition;
    if (reached > 0)
        return part_of(condition, reached, 0);
    while (part.min_floor > 1 && superstore_reached(mall, &part) == 0)
        part.min_floor--;
    return part_of(condition, 0, part.min_floor);
}

static int32_t progress_with(const struct superstore_components *set,
                             const struct superstore_outlook *outlook,
                             const struct superstore_aim *aim, const struct superstore_tile *tile)
{
    const uint8_t category = set->pieces[tile->piece].category;
    uint8_t of[CATEGORIES], highest[CATEGORIES];
    memcpy(of, aim->of, sizeof of);
    memcpy(highest, outlook->highest, sizeof highest);
    if (tile->floor >= aim->condition->min_floor)
        of[category]++;
    if (tile->floor > highest[category])
        highest[category] = tile->floor;
    return part_of_elements(aim->condition, of, highest);
}

void superstore_add_element(const struct superstore_components *set,
                            const struct superstore_outlook *outlook,
                            const struct superstore_tile *tile,
                            struct superstore_standing *standing)
{
    const struct superstore_mall *mall = &outlook->table->mall[outlook->seat];
    const uint8_t category = set->pieces[tile->piece].category;
    for (unsigned i = 0; i < outlook->aims; i++) {
        const struct superstore_condition *condition = outlook->aim[i].condition;
        if (condition->kind == ELEMENTS_IN_LINE) {
            int32_t part =
                part_of(condition, superstore_reached_with(set, mall, condition, tile), 0);
            if (part > standing->progress[i])
                standing->progress[i] = part;
        } else if (condition->kind == COUNT_ELEMENTS &&
                   (condition->category >= CATEGORIES || condition->category == category)) {
            standing->progress[i] = progress_with(set, outlook, &outlook->aim[i], tile);
        }
    }
}

void superstore_add_customers(const struct superstore_components *set,
                              const struct superstore_tile *tile, struct superstore_size cluster,
                              struct superstore_standing *standing)
{
    const struct superstore_piece *piece = &set->pieces[tile->piece];
    standing->waiting +=
        superstore_is_store(tile->piece) ? FREE_STORE : WAITING * piece->wish_count;
    for (unsigned balloon = 0; balloon < BALLOONS; balloon++)
        if (category_of[balloon] == piece->category)
            standing->size[balloon] = superstore_larger(cluster, standing->size[balloon]);
}

void superstore_set_notes(const struct superstore_outlook *outlook, int32_t notes,
                          struct superstore_standing *standing)
{
    standing->notes = notes;
    for (unsigned i = 0; i < outlook->aims; i++)
        if (outlook->aim[i].condition->kind == BANK_NOTES)
            standing->progress[i] = part_of(outlook->aim[i].condition, (unsigned)notes, 0);
}

/* ---- The whole ---- */

static int32_t worth_of_waiting(const struct superstore_mall *mall)
{
    int32_t worth = FREE_STORE * (int32_t)bytes_count(superstore_free_stores(&mall->sets));
    for (uint32_t rest = mall->sets.waiting; rest != 0; rest &= rest - 1)
        worth += WAITING * (int32_t)bytes_count(mall->customers[superstore_lowest(rest)]);
    return worth;
}

static bool is_open(const struct superstore_state *state, const struct superstore_mall *mall,
                    const struct superstore_aim *aim)
{
    return aim->common == NONE ? !superstore_has_night_club(mall)
                               : !state->common[aim->common].built;
}

static void look_at_built(const struct superstore_components *set,
                          const struct superstore_state *state,
                          const struct superstore_outlook *outlook,
                          struct superstore_standing *standing)
{
    const struct superstore_mall *mall = &state->mall[outlook->seat];
    standing->points = superstore_attraction_points(set, mall) + superstore_dock_points(set, mall);
    standing->open = 0;
    for (unsigned i = 0; i < outlook->aims; i++)
        standing->open |= (uint32_t)is_open(state, mall, &outlook->aim[i]) << i;
}

static void look_at_customers(const struct superstore_components *set,
                              const struct superstore_mall *mall,
                              const struct superstore_outlook *outlook,
                              struct superstore_standing *standing)
{
    standing->waiting = worth_of_waiting(mall);
    for (unsigned balloon = 0; balloon < BALLOONS; balloon++)
        standing->size[balloon] = merit_of(mall, balloon);
    for (unsigned i = 0; i < outlook->aims; i++) {
        const struct superstore_condition *condition = outlook->aim[i].condition;
        if (condition->kind == COUNT_CUSTOMERS)
            standing->progress[i] = part_of_customers(set, mall, condition);
        else if (condition->kind == CUSTOMERS_IN_LINE || condition->kind == EMPTY_ENTRANCES)
            standing->progress[i] = part_of_rest(mall, condition);
    }
}

void superstore_survey(const struct superstore_components *set,
                       const struct superstore_outlook *outlook,
                       struct superstore_standing *standing)
{
    const struct superstore_mall *mall = &outlook->table->mall[outlook->seat];
    look_at_built(set, outlook->table, outlook, standing);
    look_at_customers(set, mall, outlook, standing);
    superstore_set_notes(outlook, mall->bank_notes, standing);
    for (unsigned i = 0; i < outlook->aims; i++) {
        const struct superstore_aim *aim = &outlook->aim[i];
        if (aim->condition->kind == COUNT_ELEMENTS)
            standing->progress[i] = part_of_elements(aim->condition, aim->of, outlook->highest);
        else if (aim->condition->kind == ELEMENTS_IN_LINE)
            standing->progress[i] = part_of_rest(mall, aim->condition);
    }
}

void superstore_survey_again(const struct superstore_components *set,
                             const struct superstore_state *state,
                             const struct superstore_outlook *outlook,
                             struct superstore_standing *standing)
{
    const struct superstore_mall *mall = &state->mall[outlook->seat];
    look_at_built(set, state, outlook, standing);
    look_at_customers(set, mall, outlook, standing);
    superstore_set_notes(outlook, mall->bank_notes, standing);
}

void superstore_add_other(const struct superstore_components *set,
                          const struct superstore_outlook *outlook,
                          const struct superstore_tile *tile, struct superstore_standing *standing)
{
    const struct superstore_state *table = outlook->table;
    standing->points += superstore_tile_points(set, &table->mall[outlook->seat], tile);
    standing->waiting += WAITING * set->pieces[tile->piece].wish_count;
    for (unsigned i = 0; superstore_is_attraction(tile->piece) && i < outlook->aims; i++) {
        const uint8_t common = outlook->aim[i].common;
        const unsigned attraction = common == NONE ? 0 : table->common[common].attraction;
        if (tile->piece == FIRST_ATTRACTION + attraction)
            standing->open &= ~(UINT32_C(1) << i);
    }
}

static bool are_several(uint32_t tiles)
{
    return (tiles & (tiles - 1)) != 0;
}

bool superstore_connects(const struct superstore_sets *sets, uint32_t touched)
{
    for (unsigned category = 0; category < STORE_CATEGORIES; category++)
        if (are_several(sets->elements[category] & touched))
            return true;
    return false;
}

void superstore_connect_stores(const struct superstore_plan *plan,
                               const struct superstore_sets *sets, uint32_t touched,
                               struct superstore_standing *standing)
{
    for (unsigned balloon = 0; balloon < BALLOONS; balloon++) {
        const uint8_t category = category_of[balloon];
        const uint32_t joined = category == NONE ? 0 : sets->elements[category] & touched;
        if (are_several(joined))
            standing->size[balloon] = superstore_larger(
                superstore_size_of(plan, sets, category, superstore_lowest(joined)),
                standing->size[balloon]);
    }
}

int32_t superstore_turns_left(const struct superstore_state *state)
{
    int32_t turns = (state->supply_end - state->supply_next) / state->seats;
    return state->last_round ? 0 : turns + 1;
}

/* `value` in full with many turns left, nothing at the end. */
static int32_t fading(int32_t value, int32_t turns)
{
    return turns >= MANY_TURNS ? value : value * turns / MANY_TURNS;
}

/* `each` for every one, less for those beyond a safe lead. */
static int32_t worth_of_size(int32_t size, int32_t each, unsigned balloon,
                             struct superstore_outlook *outlook)
{
    if (size <= LEAD_MAX)
        return size * each;
    if (outlook->rival[balloon] < 0)
        look_at_rivals(outlook, balloon != RAINBOW);
    int32_t safe = outlook->rival[balloon] + LEAD_MAX;
    return size <= safe ? size * each : safe * each + (size - safe) * each / PAST_LEAD;
}

static int32_t worth_of_condition(int32_t part, int32_t points, int32_t turns)
{
    if (turns == 0)
        return 0;
    if (part == 100)
        return points * MET;
    return fading(points * NEARLY * part / 100 * part / 100, turns);
}

int32_t superstore_worth(const struct superstore_standing *standing, int32_t turns,
                         struct superstore_outlook *outlook)
{
    int32_t notes = standing->notes < NOTES_USEFUL ? standing->notes : NOTES_USEFUL;
    int32_t worth =
        POINT * standing->points + fading(standing->waiting, turns) + fading(notes * NOTE, turns);
    for (unsigned balloon = 0; balloon < BALLOONS; balloon++) {
        const struct superstore_size *size = &standing->size[balloon];
        worth += balloon == RAINBOW ? worth_of_size(size->stores, CUSTOMER, balloon, outlook)
                                    : worth_of_size(size->stores, CLUSTER_STORE, balloon, outlook) +
                                          size->customers * CLUSTER_CUSTOMER;
    }
    for (unsigned i = 0; i < outlook->aims; i++)
        if ((standing->open >> i & 1) != 0)
            worth += worth_of_condition(standing->progress[i], outlook->aim[i].points, turns);
    return worth;
}
