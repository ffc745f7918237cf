/* Every tie-break against a plain recomputation: drawn events with tables of two to five, byes,
 * absences and forfeits, under every scheme and all rules for unplayed rounds. The recomputation
 * shares no code with the engine but the points of a round (test_scoring.c) and FIDE's tables
 * (test_tie_break.c); it looks everything up again for each entry, with fractions of 128 bits. */
#include <string.h>

#include "engine/tournament/result/rating.h"
#include "engine/tournament/standings/standings.h"
#include "tests/test.h"

#ifdef __SIZEOF_INT128__
__extension__ typedef __int128 wide_number;
#else
typedef int64_t wide_number;
#endif

enum { ENTRIES = 23, ROUNDS = 6, RESULTS_MAX = ENTRIES * ROUNDS };

struct event {
    struct entry entries[ENTRIES];
    int32_t ratings[ENTRIES];
    struct table_result results[RESULTS_MAX];
    size_t result_count;
    const struct scoring *scoring;
    enum unplayed_rules rules;
};

static const struct chance event_chance = {.seed = {9}};
static const int32_t handicap[TOURNAMENT_SEATS_MAX + 1][TOURNAMENT_SEATS_MAX] = {
    {0, 0, 0, 0, 0},    {0, 0, 0, 0, 0},      {-20, 20, 0, 0, 0},
    {-55, 5, 50, 0, 0}, {-100, 1, 33, 66, 0}, {-9, -8, 0, 7, 10}};

/* ---- drawing ---- */

static uint32_t roll(uint32_t *luck, uint32_t sides)
{
    *luck = *luck * 1664525U + 1013904223U;
    return (*luck >> 8) % sides;
}

static void rank_table(struct table_result *table)
{
    for (unsigned seat = 0; seat < table->seats; seat++) {
        table->seat[seat].rank = 1;
        for (unsigned other = 0; other < table->seats; other++)
            table->seat[seat].rank = (uint8_t)(table->seat[seat].rank + (table->seat[other].score >
                                                                         table->seat[seat].score));
    }
}

/* Scores that tie often; now and then one forfeits, and the others with it or not, or the game is
 * void, which counts like a forfeit of all. */
static void play_table(struct table_result *table, uint32_t *luck)
{
    uint32_t trouble = roll(luck, 8);
    for (unsigned seat = 0; seat < table->seats; seat++)
        table->seat[seat].score = (int32_t)roll(luck, 7) - 1;
    if (trouble == 0)
        table->seat[0].kind = ROUND_FORFEIT_LOSS;
    if (trouble == 1)
        for (unsigned seat = 0; seat < table->seats; seat++)
            table->seat[seat].kind = seat == 1 ? ROUND_FORFEIT_WIN : ROUND_FORFEIT_LOSS;
    if (trouble == 2)
        for (unsigned seat = 0; seat < table->seats; seat++)
            table->seat[seat].kind = ROUND_FORFEIT_LOSS;
    if (trouble == 3)
        table->seat[1].kind = ROUND_ADJUDICATED;
    if (trouble == 4)
        for (unsigned seat = 0; seat < table->seats; seat++)
            table->seat[seat] = (struct seat_result){table->seat[seat].entry, ROUND_VOID, 1, 0};
    for (unsigned seat = 0; seat < table->seats; seat++)
        if (table->seat[seat].kind == ROUND_FORFEIT_LOSS)
            table->seat[seat].score = -100;
    rank_table(table);
}

static void pairing_round(struct event *event, uint16_t round, bool pods, uint32_t *luck)
{
    uint16_t seated[ENTRIES], count = 0, table = 0;
    for (uint16_t entry = 0; entry < ENTRIES; entry++) {
        uint32_t away = roll(luck, 12);
        if (away >= 2)
            seated[count++] = entry;
        else if (away == 1)
            event->results[event->result_count++] = (struct table_result){
                .round = round,
                .seats = 1,
                .seat = {{entry, (uint8_t)(ROUND_PAIRING_BYE + roll(luck, 5)), 0, 0}}};
    }
    for (uint16_t left = count; left > 1; left--) {
        uint16_t other = (uint16_t)roll(luck, left), moved = seated[left - 1];
        seated[left - 1] = seated[other];
        seated[other] = moved;
    }
    for (uint16_t at = 0; at + 1 < count;) {
        uint16_t seats = pods ? (uint16_t)(2 + roll(luck, 4)) : 2;
        seats = seats > count - at ? (uint16_t)(count - at) : seats;
        struct table_result *result = &event->results[event->result_count++];
        table++;
        *result = (struct table_result){.round = round, .table = table, .seats = (uint8_t)seats};
        for (unsigned seat = 0; seat < seats; seat++)
            result->seat[seat].entry = seated[at++];
        play_table(result, luck);
    }
}

static void pairing_event(struct event *event, uint32_t n)
{
    uint32_t luck = n;
    *event = (struct event){.scoring = &scoring_schemes[n % scoring_scheme_count].scoring,
                            .rules = (enum unplayed_rules)(n / 7 % UNPLAYED_RULES)};
    for (uint16_t entry = 0; entry < ENTRIES; entry++) {
        event->entries[entry].tpn = (uint16_t)(entry * 3 + 1);
        event->ratings[entry] = entry % 5 == 0 ? 0 : (int32_t)(1200 + roll(&luck, 1200));
    }
    for (uint16_t round = 1; round <= ROUNDS; round++)
        pairing_round(event, round, n % 5 != 0, &luck);
}

/* ---- fractions ---- */

struct fraction {
    wide_number over, under; /* reduced, under > 0; 0 / 0 for none */
};

static struct fraction fraction(wide_number over, wide_number under)
{
    wide_number a = over < 0 ? -over : over, b = under;
    while (b != 0) {
        wide_number rest = a % b;
        a = b;
        b = rest;
    }
    return (struct fraction){over / a, under / a};
}

static struct fraction plus(struct fraction a, struct fraction b)
{
    return fraction(a.over * b.under + b.over * a.under, a.under * b.under);
}

static struct fraction divided(struct fraction a, int by)
{
    return by == 0 ? fraction(0, 1) : fraction(a.over, a.under * by);
}

static bool less(struct fraction a, struct fraction b)
{
    return a.over * b.under < b.over * a.under;
}

/* ---- looking things up ---- */

static const struct table_result *find(const struct event *event, int entry, int round, int *seat)
{
    for (size_t i = 0; i < event->result_count; i++)
        for (int s = 0; s < event->results[i].seats; s++)
            if (event->results[i].round == round && event->results[i].seat[s].entry == entry) {
                *seat = s;
                return &event->results[i];
            }
    return NULL;
}

static bool played(const struct table_result *table, int seat)
{
    return table->seat[seat].kind == ROUND_PLAYED || table->seat[seat].kind == ROUND_ADJUDICATED;
}

static int32_t round_points(const struct event *event, int entry, int round, bool fore)
{
    int seat = 0;
    const struct table_result *table = find(event, entry, round, &seat);
    if (table == NULL)
        return 0;
    if (fore && round == ROUNDS && table->table > 0)
        return scoring_all_level(event->scoring, table->seats);
    return scoring_points(event->scoring, table, (unsigned)seat);
}

static int32_t own_points(const struct event *event, int entry, bool fore)
{
    int32_t sum = 0;
    for (int round = 1; round <= ROUNDS; round++)
        sum += round_points(event, entry, round, fore);
    return sum;
}

/* True if the entry gave this round up, as the rules see it. */
static bool gave_up(const struct event *event, int entry, int round, bool fore)
{
    int seat = 0;
    const struct table_result *table = find(event, entry, round, &seat);
    if (table == NULL)
        return true;
    if (fore && round == ROUNDS && table->table > 0)
        return false;
    switch (table->seat[seat].kind) {
    case ROUND_HALF_BYE:
    case ROUND_ZERO_BYE:
    case ROUND_ABSENT:
        return true;
    case ROUND_FULL_BYE:
        return event->rules == UNPLAYED_PODS_1;
    case ROUND_FORFEIT_LOSS:
    case ROUND_VOID:
        return event->rules != UNPLAYED_PODS_1;
    default:
        return false;
    }
}

static int32_t adjusted(const struct event *event, int entry, bool fore)
{
    int32_t sum = 0;
    for (int round = 1; round <= ROUNDS; round++) {
        int seat = 0;
        const struct table_result *table = find(event, entry, round, &seat);
        bool last = true, at_table = table != NULL && table->table > 0;
        for (int later = round; later <= ROUNDS; later++)
            last = last && gave_up(event, entry, later, fore);
        bool neutral = last && !at_table;
        if (event->rules == UNPLAYED_PODS_1)
            neutral = last || table == NULL;
        if (event->rules == UNPLAYED_ROUND_ROBIN)
            neutral = false;
        sum += neutral ? event->scoring->neutral : round_points(event, entry, round, fore);
    }
    return sum;
}

/* ---- opponents ---- */

struct meeting {
    int opponent; /* -1: dummy */
    int64_t strength;
    int64_t duel;
    bool given_up;
};

struct meetings {
    int count;
    struct meeting game[ROUNDS * 5];
};

enum wanted { AT_THE_BOARD, WITH_DUMMIES, WITH_FORFEITS };

static int64_t duel_worth(const struct event *event, int duel)
{
    bool halves = event->scoring->duel[0] == 0;
    return halves ? 60 - 30 * duel : event->scoring->duel[duel];
}

static int64_t duel(const struct event *event, const struct table_result *table, int own, int other)
{
    const struct seat_result *a = &table->seat[own], *b = &table->seat[other];
    if (a->kind == ROUND_FORFEIT_LOSS || a->kind == ROUND_VOID)
        return duel_worth(event, 2);
    if (b->kind == ROUND_FORFEIT_LOSS || a->rank < b->rank)
        return duel_worth(event, 0);
    return duel_worth(event, a->rank == b->rank ? 1 : 2);
}

static int64_t dummy_strength(const struct event *event, int entry, int opponent, bool fore)
{
    int64_t own = own_points(event, entry, fore);
    int64_t cap =
        opponent < 0 ? (int64_t)event->scoring->neutral * ROUNDS : adjusted(event, opponent, fore);
    return event->rules == UNPLAYED_FIDE_2026 && cap < own ? cap : own;
}

static struct meetings games_of(const struct event *event, int entry, enum wanted wanted, bool fore)
{
    struct meetings games = {0};
    bool fide = event->rules == UNPLAYED_FIDE_2023 || event->rules == UNPLAYED_FIDE_2026;
    for (int round = 1; round <= ROUNDS; round++) {
        int seat = 0;
        const struct table_result *table = find(event, entry, round, &seat);
        bool given_up = gave_up(event, entry, round, false);
        if (table == NULL || table->table == 0) {
            if (wanted == WITH_DUMMIES && fide)
                games.game[games.count++] =
                    (struct meeting){-1, dummy_strength(event, entry, -1, fore),
                                     round_points(event, entry, round, false), given_up};
            continue;
        }
        bool all = wanted == WITH_FORFEITS || (fore && round == ROUNDS) ||
                   (wanted == WITH_DUMMIES && event->rules == UNPLAYED_ROUND_ROBIN);
        for (int other = 0; other < table->seats; other++) {
            int opponent = table->seat[other].entry;
            if (other == seat)
                continue;
            if (all || (played(table, seat) && played(table, other)))
                games.game[games.count++] =
                    (struct meeting){opponent, adjusted(event, opponent, fore),
                                     duel(event, table, seat, other), false};
            else if (!played(table, seat) && wanted == WITH_DUMMIES && fide)
                games.game[games.count++] =
                    (struct meeting){-1, dummy_strength(event, entry, opponent, fore),
                                     duel(event, table, seat, other), given_up};
        }
    }
    return games;
}

static void remove_game(struct meetings *games, int at)
{
    for (games->count--; at < games->count; at++)
        games->game[at] = games->game[at + 1];
}

static int64_t worth(const struct meeting *game, bool squared)
{
    return squared ? game->strength * game->duel : game->strength;
}

/* Negative if `a` is lower: by one measure, then by the other. */
static int64_t compare_games(const struct meeting *a, const struct meeting *b, bool squared,
                             bool worth_first)
{
    int64_t strength = a->strength - b->strength, value = worth(a, squared) - worth(b, squared);
    if (worth_first)
        return value != 0 ? value : strength;
    return strength != 0 ? strength : value;
}

/* C.07 16.5.1: of the game against the weakest and the cheapest of those given up, the dearer. */
static void cut_lowest(struct meetings *games, bool squared)
{
    const struct meeting *game = games->game;
    int weakest = 0, cheapest = -1;
    for (int i = 0; i < games->count; i++) {
        if (compare_games(&game[i], &game[weakest], squared, false) < 0)
            weakest = i;
        if (game[i].given_up &&
            (cheapest < 0 || compare_games(&game[i], &game[cheapest], squared, true) < 0))
            cheapest = i;
    }
    bool dearer =
        cheapest >= 0 && worth(&game[cheapest], squared) >= worth(&game[weakest], squared);
    remove_game(games, dearer ? cheapest : weakest);
}

static void cut_highest(struct meetings *games, bool squared)
{
    int strongest = 0;
    for (int i = 1; i < games->count; i++)
        if (compare_games(&games->game[i], &games->game[strongest], squared, false) > 0)
            strongest = i;
    remove_game(games, strongest);
}

static void cut(struct meetings *games, const struct tie_break_rule *rule, bool squared, int keep)
{
    for (int i = 0; i < rule->cut_low && games->count > keep; i++)
        cut_lowest(games, squared);
    for (int i = 0; i < rule->cut_high && games->count > keep; i++)
        cut_highest(games, squared);
}

static struct fraction sum_games(const struct meetings *games, bool squared)
{
    wide_number sum = 0;
    for (int i = 0; i < games->count; i++)
        sum += worth(&games->game[i], squared);
    return fraction(sum, squared ? 3600 : 60);
}

static struct fraction buchholz(const struct event *event, int entry,
                                const struct tie_break_rule *rule, bool fore)
{
    bool forfeits = (rule->flags & TIE_BREAK_FORFEITS) != 0;
    struct meetings games = games_of(event, entry, forfeits ? WITH_FORFEITS : WITH_DUMMIES, fore);
    if (forfeits && (event->rules == UNPLAYED_FIDE_2023 || event->rules == UNPLAYED_FIDE_2026))
        for (int round = 1; round <= ROUNDS; round++) {
            int seat = 0;
            const struct table_result *table = find(event, entry, round, &seat);
            if (table == NULL || table->table == 0)
                games.game[games.count++] = (struct meeting){
                    -1, dummy_strength(event, entry, -1, fore),
                    round_points(event, entry, round, false), gave_up(event, entry, round, false)};
        }
    bool squared = rule->code == TIE_BREAK_SB;
    cut(&games, rule, squared, 0);
    return sum_games(&games, squared);
}

static struct fraction points_of_opponents(const struct event *event, int entry,
                                           const struct tie_break_rule *rule)
{
    bool forfeits = (rule->flags & TIE_BREAK_FORFEITS) != 0 ||
                    (rule->code != TIE_BREAK_AOA && event->rules == UNPLAYED_ROUND_ROBIN);
    struct meetings games = games_of(event, entry, forfeits ? WITH_FORFEITS : AT_THE_BOARD, false);
    bool squared = rule->code == TIE_BREAK_SBA;
    cut(&games, rule, squared, 1);
    return divided(sum_games(&games, squared), games.count * (squared ? 1 : ROUNDS));
}

/* ---- tables ---- */

static wide_number first_place(const struct table_result *table, int seat)
{
    int tied = 0;
    for (int other = 0; other < table->seats; other++)
        tied += table->seat[other].rank == 1;
    if (table->seat[seat].rank != 1 || (table->seats == 2 && tied == 2))
        return 0;
    return 60 / tied;
}

static struct fraction share_of_wins(const struct event *event, int entry)
{
    wide_number won = 0, even = 0;
    int tables = 0;
    for (int round = 1; round <= ROUNDS; round++) {
        int seat = 0;
        const struct table_result *table = find(event, entry, round, &seat);
        if (table == NULL || !played(table, seat))
            continue;
        won += first_place(table, seat);
        even += 60 / table->seats;
        tables++;
    }
    return divided(fraction(won > even ? won : even, 60), tables);
}

/* One round of an entry, with everything that the sums below ask for. */
struct stay {
    const struct table_result *table;
    int seat, round;
    bool here, last_seat; /* played, and in the last seat */
    uint8_t kind;
    int32_t points, handicap;
    int32_t score, best, total; /* best and total: of the table */
};

static struct stay stay_of(const struct event *event, int entry, int round)
{
    struct stay stay = {.round = round, .kind = ROUND_ABSENT};
    stay.table = find(event, entry, round, &stay.seat);
    stay.points = round_points(event, entry, round, false);
    if (stay.table != NULL)
        stay.kind = stay.table->seat[stay.seat].kind;
    stay.here = stay.table != NULL && played(stay.table, stay.seat);
    if (!stay.here)
        return stay;
    stay.last_seat = stay.seat == stay.table->seats - 1;
    memcpy(&stay.handicap, &handicap[stay.table->seats][stay.seat], sizeof stay.handicap);
    stay.score = stay.best = stay.table->seat[stay.seat].score;
    for (int other = 0; other < stay.table->seats; other++) {
        int32_t score = stay.table->seat[other].score;
        if (!played(stay.table, other))
            continue;
        stay.total += score > 0 ? score : 0;
        stay.best = score > stay.best ? score : stay.best;
    }
    return stay;
}

static struct fraction won(const struct event *event, const struct stay *stay)
{
    if (stay->kind <= ROUND_FORFEIT_WIN)
        return fraction(first_place(stay->table, stay->seat), 60);
    bool bye = stay->table != NULL && stay->table->table == 0;
    return fraction(bye && stay->points >= scoring_first(event->scoring), 1);
}

static struct fraction standard(const struct event *event, const struct stay *stay)
{
    int32_t neutral = event->scoring->neutral;
    if (stay->table == NULL)
        return fraction(0, 1);
    return fraction((stay->points > neutral) + (stay->points >= neutral), 2);
}

static struct fraction progress(const struct event *event, int entry, int round, int cuts)
{
    struct fraction sum = fraction(0, 1);
    for (int before = 1; before <= round && round > cuts; before++)
        sum = plus(sum, fraction(round_points(event, entry, before, false), 60));
    return sum;
}

static struct fraction of_winner(const struct stay *stay)
{
    if (stay->best > 0)
        return fraction(stay->score > 0 ? stay->score : 0, stay->best);
    return fraction(stay->here && stay->score == stay->best, 1);
}

/* What one round adds to a sum, or to a mean over the tables played. */
static bool add_round(const struct event *event, const struct tie_break_rule *rule, int entry,
                      int round, struct fraction *sum)
{
    struct stay stay = stay_of(event, entry, round);
    struct fraction more = fraction(0, 1);
    switch (rule->code) {
    case TIE_BREAK_PTS:
        more = fraction(stay.points, 60);
        break;
    case TIE_BREAK_WIN:
        more = won(event, &stay);
        break;
    case TIE_BREAK_WON:
        more = stay.here ? won(event, &stay) : more;
        break;
    case TIE_BREAK_BPG:
        more = fraction(stay.last_seat, 1);
        break;
    case TIE_BREAK_BWG:
        more = stay.last_seat ? won(event, &stay) : more;
        break;
    case TIE_BREAK_REP:
        more = fraction(stay.kind != ROUND_FORFEIT_LOSS && stay.kind <= ROUND_FULL_BYE, 1);
        break;
    case TIE_BREAK_STD:
        more = standard(event, &stay);
        break;
    case TIE_BREAK_PS:
        more = progress(event, entry, round, rule->cut_low);
        break;
    case TIE_BREAK_SHR:
        more = stay.total > 0 ? fraction(stay.score > 0 ? stay.score : 0, stay.total) : more;
        break;
    case TIE_BREAK_VPD:
        more = fraction(stay.score - stay.best, 1);
        break;
    case TIE_BREAK_VPR:
        more = of_winner(&stay);
        break;
    case TIE_BREAK_SH:
        more = fraction(stay.handicap, 1000);
        break;
    default:
        return false;
    }
    *sum = plus(*sum, more);
    return true;
}

static int tables_played(const struct event *event, int entry)
{
    int tables = 0;
    for (int round = 1; round <= ROUNDS; round++) {
        int seat = 0;
        const struct table_result *table = find(event, entry, round, &seat);
        tables += table != NULL && played(table, seat);
    }
    return tables;
}

static struct fraction koya(const struct event *event, int entry, const struct tie_break_rule *rule)
{
    int most = 0;
    wide_number sum = 0;
    for (int other = 0; other < ENTRIES; other++) {
        int tables = 0, seat = 0;
        for (int round = 1; round <= ROUNDS; round++) {
            const struct table_result *table = find(event, other, round, &seat);
            tables += table != NULL && table->table > 0;
        }
        most = tables > most ? tables : most;
    }
    if (event->rules != UNPLAYED_ROUND_ROBIN)
        most = ROUNDS;
    struct fraction limit = plus(fraction((wide_number)(rule->limit == 0 ? 50 : rule->limit) *
                                              most * scoring_first(event->scoring),
                                          6000),
                                 fraction(rule->limit_halves, 2));
    struct meetings games = games_of(event, entry, WITH_FORFEITS, false);
    for (int i = 0; i < games.count; i++)
        if (!less(fraction(own_points(event, games.game[i].opponent, false), 60), limit))
            sum += games.game[i].duel;
    return fraction(sum, 60);
}

/* ---- ratings ---- */

enum { UNRATED = 1000 };

static int32_t rating(const struct event *event, int entry)
{
    return event->ratings[entry] == 0 ? UNRATED : event->ratings[entry];
}

static struct fraction rounded_mean(const int32_t *numbers, int count)
{
    int64_t sum = 0;
    if (count == 0)
        return (struct fraction){0, 0};
    for (int i = 0; i < count; i++)
        sum += 2 * numbers[i];
    return fraction((sum + count) / (2 * count), 1);
}

static struct fraction performance(const struct event *event, int entry,
                                   const struct tie_break_rule *rule)
{
    struct meetings games = games_of(event, entry, AT_THE_BOARD, false);
    int32_t numbers[ROUNDS * 5] = {0};
    uint32_t halves = 0;
    for (int i = 0; i < games.count; i++) {
        games.game[i].strength = rating(event, games.game[i].opponent);
        halves += games.game[i].duel > 0;
        halves += games.game[i].duel == duel_worth(event, 0);
    }
    cut(&games, rule, false, 0);
    for (int i = 0; i < games.count; i++)
        numbers[i] = (int32_t)games.game[i].strength;
    struct fraction mean = rounded_mean(numbers, games.count);
    if (rule->code == TIE_BREAK_ARO || games.count == 0)
        return mean;
    if (rule->code == TIE_BREAK_TPR) {
        unsigned percent =
            (unsigned)((100 * halves + (unsigned)games.count) / (2 * (unsigned)games.count));
        return fraction(mean.over + performance_difference(percent), 1);
    }
    int32_t lowest = numbers[0];
    for (int i = 1; i < games.count; i++)
        lowest = numbers[i] < lowest ? numbers[i] : lowest;
    for (int32_t perfect = lowest - 800; halves > 0; perfect++) {
        uint32_t expected = 0;
        for (int i = 0; i < games.count; i++)
            expected += performance_expected(perfect - numbers[i]);
        if (expected >= 50 * halves)
            return fraction(perfect, 1);
    }
    return fraction(lowest - 800, 1);
}

/* ---- means over opponents ---- */

static struct fraction over_opponents(const struct event *event, int entry,
                                      const struct tie_break_rule *rule)
{
    bool forfeits = (rule->flags & TIE_BREAK_FORFEITS) != 0;
    bool fore = (rule->flags & TIE_BREAK_FORE) != 0;
    struct meetings games = games_of(event, entry, forfeits ? WITH_FORFEITS : AT_THE_BOARD, false);
    struct fraction sum = fraction(0, 1);
    int32_t numbers[ROUNDS * 5] = {0};
    for (int i = 0; i < games.count; i++) {
        int opponent = games.game[i].opponent;
        struct tie_break_rule inner = {.flags = rule->flags};
        switch (rule->code) {
        case TIE_BREAK_AOB:
            inner.code = TIE_BREAK_BH;
            sum = plus(sum, buchholz(event, opponent, &inner, fore));
            break;
        case TIE_BREAK_AOA:
            inner.code = TIE_BREAK_OPA;
            sum = plus(sum, points_of_opponents(event, opponent, &inner));
            break;
        case TIE_BREAK_OWP:
            sum = plus(sum, share_of_wins(event, opponent));
            break;
        default:
            inner.code = rule->code == TIE_BREAK_APRO ? TIE_BREAK_TPR : TIE_BREAK_PTP;
            numbers[i] = (int32_t)performance(event, opponent, &inner).over;
            break;
        }
    }
    if (rule->code == TIE_BREAK_APRO || rule->code == TIE_BREAK_APPO)
        return rounded_mean(numbers, games.count);
    return divided(sum, games.count);
}

static struct fraction last_round(const struct event *event, int entry)
{
    int seat = 0;
    const struct table_result *table = find(event, entry, ROUNDS, &seat);
    if (table == NULL || table->table == 0)
        return fraction(-8 * 65536, 1);
    return fraction(-(8 * table->table + table->seat[seat].rank), 1);
}

static struct fraction expected_value(const struct event *event, int entry,
                                      const struct tie_break_rule *rule)
{
    struct fraction sum = fraction(0, 1);
    bool by_rounds = true;
    for (int round = 1; round <= ROUNDS && by_rounds; round++)
        by_rounds = add_round(event, rule, entry, round, &sum);
    switch (rule->code) {
    case TIE_BREAK_SHR:
    case TIE_BREAK_VPD:
    case TIE_BREAK_VPR:
        return divided(sum, tables_played(event, entry));
    case TIE_BREAK_BH:
    case TIE_BREAK_SB:
        return buchholz(event, entry, rule, (rule->flags & TIE_BREAK_FORE) != 0);
    case TIE_BREAK_FB:
        return buchholz(event, entry, rule, true);
    case TIE_BREAK_KS:
        return koya(event, entry, rule);
    case TIE_BREAK_OPA:
    case TIE_BREAK_SBA:
        return points_of_opponents(event, entry, rule);
    case TIE_BREAK_MWP:
        return share_of_wins(event, entry);
    case TIE_BREAK_ARO:
    case TIE_BREAK_TPR:
    case TIE_BREAK_PTP:
        return performance(event, entry, rule);
    case TIE_BREAK_AOB:
    case TIE_BREAK_AOA:
    case TIE_BREAK_OWP:
    case TIE_BREAK_APRO:
    case TIE_BREAK_APPO:
        return over_opponents(event, entry, rule);
    case TIE_BREAK_RTNG:
        return fraction(rating(event, entry), 1);
    case TIE_BREAK_TPN:
        return fraction(-event->entries[entry].tpn, 1);
    case TIE_BREAK_LAST:
        return last_round(event, entry);
    default:
        assert_true(by_rounds);
        return sum;
    }
}

/* ---- the comparison ---- */

static const char *const written[] = {
    "PTS",    "WIN",   "WON",    "BPG",    "BWG",   "REP",   "STD",   "PS",   "PS/C2",
    "BH",     "BH/C1", "BH/C2",  "BH/M1",  "BH/M2", "BH/P",  "BH/F",  "FB",   "FB/C1",
    "AOB",    "AOB/F", "AOB/P",  "SB",     "SB/C1", "SB/C3", "SB/M1", "KS",   "KS/L70",
    "KS/L-3", "ARO",   "ARO/C1", "ARO/M1", "TPR",   "PTP",   "APRO",  "APPO", "RTNG",
    "TPN",    "OPA",   "OPA/C1", "OPA/M2", "OPA/P", "AOA",   "AOA/P", "SBA",  "SBA/C1",
    "SHR",    "MWP",   "OWP",    "VPD",    "VPR",   "SH",    "LAST"};

enum { WRITTEN = sizeof written / sizeof written[0] };

static struct standings_input input_of(const struct event *event,
                                       const struct tie_break_rule *chain, size_t count)
{
    return (struct standings_input){.entries = event->entries,
                                    .entry_count = ENTRIES,
                                    .results = event->results,
                                    .result_count = event->result_count,
                                    .scoring = event->scoring,
                                    .chain = chain,
                                    .chain_count = count,
                                    .rules = event->rules,
                                    .rounds = ROUNDS,
                                    .chance = &event_chance,
                                    .ratings = event->ratings,
                                    .unrated = UNRATED,
                                    .handicap = handicap};
}

static bool is_expected(const struct tie_break_value *value, struct fraction expected)
{
    if (value->none || expected.under == 0)
        return value->none && expected.under == 0;
    return !value->rounded &&
           value->numerator * expected.under == expected.over * value->denominator;
}

/* Rows stand in order of points, then of the rule's value; equal ones share a rank. */
static void assert_order(const struct standings *standings, const struct fraction *expected)
{
    for (size_t i = 1; i < standings->count; i++) {
        const struct standing *above = &standings->rows[i - 1], *below = &standings->rows[i];
        struct fraction a = expected[above->entry], b = expected[below->entry];
        bool worse = above->points > below->points;
        bool equal = above->points == below->points;
        if (equal && (a.under == 0 || b.under == 0)) {
            worse = b.under == 0 && a.under != 0;
            equal = b.under == 0 && a.under == 0;
        } else if (equal) {
            worse = less(b, a);
            equal = !worse && !less(a, b);
        }
        assert_true(worse || equal);
        assert_int_equal(below->rank, equal ? above->rank : i + 1);
    }
}

static uint32_t events(void)
{
    return getenv("TILLROLL_LONG") == NULL ? 14 : 56;
}

static void compare_event(const struct event *event, uint32_t n)
{
    for (size_t w = 0; w < WRITTEN; w++) {
        struct tie_break_rule chain[2] = {{.code = TIE_BREAK_PTS}};
        struct fraction expected[ENTRIES];
        struct standings standings;
        struct refusal refusal;
        size_t position = w == 0 ? 0 : 1;
        assert_true(tie_break_parse(span_of(written[w]), &chain[position]));
        struct standings_input input = input_of(event, chain, position + 1);
        if (!standings_make(&input, &standings, &refusal))
            fail_msg("refused: %s", refusal.code);
        for (size_t i = 0; i < ENTRIES; i++) {
            const struct standing *row = &standings.rows[i];
            const struct tie_break_value *value = &row->value[position];
            expected[row->entry] = expected_value(event, row->entry, &chain[position]);
            if (!is_expected(value, expected[row->entry]))
                fail_msg("event %u, %s, entry %d: %lld / %lld, not %lld / %lld", n, written[w],
                         row->entry, (long long)value->numerator, (long long)value->denominator,
                         (long long)expected[row->entry].over,
                         (long long)expected[row->entry].under);
        }
        assert_order(&standings, expected);
        standings_free(&standings);
    }
}

TEST(values_are_those_of_a_plain_recomputation)
{
    static struct event event;
    for (uint32_t n = 0; n < events(); n++) {
        pairing_event(&event, n);
        compare_event(&event, n);
    }
}

/* The same event with its entries renumbered and its tables and seats of equal standing shuffled
 * has the same values. Seats are left alone, because BPG, BWG and SH are about them. */
static void permute(const struct event *from, struct event *to, uint16_t *entry_at, uint32_t luck)
{
    uint16_t table_at[RESULTS_MAX] = {0};
    *to = *from;
    for (uint16_t i = 0; i < ENTRIES; i++)
        entry_at[i] = i;
    for (uint16_t i = ENTRIES; i > 1; i--) {
        uint16_t j = (uint16_t)roll(&luck, i), moved = entry_at[i - 1];
        entry_at[i - 1] = entry_at[j];
        entry_at[j] = moved;
    }
    for (uint16_t i = 0; i < from->result_count; i++)
        table_at[i] = i;
    for (size_t i = from->result_count; i > 1; i--) {
        size_t j = roll(&luck, (uint32_t)i);
        uint16_t moved = table_at[i - 1];
        table_at[i - 1] = table_at[j];
        table_at[j] = moved;
    }
    for (uint16_t i = 0; i < ENTRIES; i++) {
        to->entries[entry_at[i]] = from->entries[i];
        to->ratings[entry_at[i]] = from->ratings[i];
    }
    for (size_t i = 0; i < from->result_count; i++) {
        struct table_result *table = &to->results[table_at[i]];
        *table = from->results[i];
        for (unsigned seat = 0; seat < table->seats; seat++)
            table->seat[seat].entry = entry_at[table->seat[seat].entry];
    }
}

TEST(order_of_input_does_not_matter)
{
    static struct event event, moved;
    for (uint32_t n = 0; n < events(); n++) {
        uint16_t entry_at[ENTRIES];
        struct tie_break_rule chain[TIE_BREAK_CHAIN_MAX] = {{.code = TIE_BREAK_PTS},
                                                            {.code = TIE_BREAK_DE}};
        size_t count = 2;
        for (uint32_t w = n; count < TIE_BREAK_CHAIN_MAX - 1; w += 5)
            assert_true(tie_break_parse(span_of(written[1 + w % (WRITTEN - 1)]), &chain[count++]));
        chain[count++] = (struct tie_break_rule){.code = TIE_BREAK_RND};
        pairing_event(&event, n);
        permute(&event, &moved, entry_at, n + 77);
        struct standings_input input = input_of(&event, chain, count);
        struct standings_input other = input_of(&moved, chain, count);
        struct standings a, b;
        struct refusal refusal;
        assert_true(standings_make(&input, &a, &refusal));
        assert_true(standings_make(&other, &b, &refusal));
        for (size_t i = 0; i < ENTRIES; i++) {
            assert_int_equal(entry_at[a.rows[i].entry], b.rows[i].entry);
            assert_int_equal(a.rows[i].rank, b.rows[i].rank);
            assert_memory_equal(a.rows[i].value, b.rows[i].value, sizeof a.rows[i].value);
        }
        standings_free(&a);
        standings_free(&b);
    }
}

int main(void)
{
    return run_all_tests(NULL, NULL);
}
