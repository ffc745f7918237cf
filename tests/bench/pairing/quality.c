#include "tests/bench/pairing/quality.h"

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/bench/pairing/plain_annealer.h"
#include "tests/bench/pairing/simulation.h"

enum {
    ROUNDS = 9,
    CLASSES = 4,
    SECONDS_MOST = 10, /* of a draw by version 2, which has no bound of its own */
    TIMES_MOST = 100000
};

static const size_t last_of_class[CLASSES] = {16, 24, 64, 200};

/* The counts of one class of draws. */
struct tally {
    unsigned better, equal, worse, unfinished;
    unsigned decided_worse[POD_CRITERIA]; /* by the criterion that decides */
};

struct comparison {
    enum pod_profile profile;
    struct tally version_2, annealer;
    double *times; /* TIMES_MOST */
    size_t draws;
    struct pod_criteria *shared; /* written by a child */
};

/* The first criterion in the order of the profile in which they differ. */
static enum pod_criterion deciding(const struct pod_request *request, const struct pod_criteria *a,
                                   const struct pod_criteria *b, unsigned criteria)
{
    static const enum pod_criterion order[POD_PROFILES][POD_CRITERIA] = {
        {POD_P1_FORBIDDEN, POD_P2_COMPLETION, POD_P3_REPEATS, POD_P4_SHORT, POD_P5_SPREAD,
         POD_P6_FLOATS, POD_P7_SEATS, POD_P8_AVOID, POD_P9_DRAW},
        {POD_P1_FORBIDDEN, POD_P2_COMPLETION, POD_P3_REPEATS, POD_P5_SPREAD, POD_P4_SHORT,
         POD_P6_FLOATS, POD_P7_SEATS, POD_P8_AVOID, POD_P9_DRAW},
        {POD_P1_FORBIDDEN, POD_P2_COMPLETION, POD_P5_SPREAD, POD_P3_REPEATS, POD_P4_SHORT,
         POD_P6_FLOATS, POD_P7_SEATS, POD_P8_AVOID, POD_P9_DRAW}};
    for (unsigned i = 0; i < POD_CRITERIA; i++)
        if (order[request->profile][i] < criteria &&
            a->value[order[request->profile][i]] != b->value[order[request->profile][i]])
            return order[request->profile][i];
    return POD_P9_DRAW;
}

/* Compares the first `criteria` of them; P9 is searched for by exhaustion only. */
static void count_draw(struct tally *tally, const struct pod_request *request,
                       struct pod_criteria newest, struct pod_criteria other, unsigned criteria)
{
    for (unsigned i = criteria; i < POD_CRITERIA; i++)
        newest.value[i] = other.value[i] = 0;
    int order = pod_criteria_compare(request, &newest, &other);
    tally->better += order < 0;
    tally->equal += order == 0;
    tally->worse += order > 0;
    if (order > 0)
        tally->decided_worse[deciding(request, &newest, &other, criteria)]++;
}

/* Draws by version 2, in a process of its own that ends when it takes too long. */
static bool pairing_by_version_2(const struct comparison *comparison, struct pod_request request)
{
    pid_t child = fork();
    if (child == 0) {
        struct rlimit limit = {SECONDS_MOST, SECONDS_MOST};
        struct pod_pairing pairing;
        struct refusal refusal;
        setrlimit(RLIMIT_CPU, &limit);
        request.version = 2;
        if (!pod_swiss_pair(&request, &pairing, &refusal))
            _exit(1);
        request.version = 0;
        if (!pod_swiss_judge(&request, &pairing, &refusal))
            _exit(1);
        *comparison->shared = pairing.criteria;
        _exit(0);
    }
    int status = 0;
    return child > 0 && waitpid(child, &status, 0) == child && status == 0;
}

static void compare_draw(struct comparison *comparison, const struct pod_request *request,
                         const struct pod_pairing *pairing)
{
    if (pairing_by_version_2(comparison, *request))
        count_draw(&comparison->version_2, request, pairing->criteria, *comparison->shared,
                   POD_P9_DRAW);
    else
        comparison->version_2.unfinished++;
    struct pod_criteria criteria;
    if (plain_annealer_draw(request, pairing, &criteria))
        count_draw(&comparison->annealer, request, pairing->criteria, criteria, POD_P6_FLOATS);
    else
        comparison->annealer.unfinished++;
}

static void compare_event(struct comparison *comparison, size_t players, struct table_rule rule)
{
    struct simulation simulation;
    struct chance chance = {.seed = {2}};
    start(&simulation, players, (uint32_t)players);
    simulation.preferred = rule.preferred;
    count(&simulation, 0);
    for (uint16_t round = 1; round <= ROUNDS; round++) {
        struct pod_request request = request_of(&simulation, rule, round, ROUNDS, &chance);
        struct pod_pairing pairing;
        double time;
        request.profile = comparison->profile;
        if (!timed_pair(&request, &pairing, &time))
            break;
        if (comparison->draws < TIMES_MOST)
            comparison->times[comparison->draws++] = time;
        compare_draw(comparison, &request, &pairing);
        play(&simulation, &pairing, round);
        count(&simulation, round);
        pod_pairing_free(&pairing);
    }
    stop(&simulation);
}

static int compare_times(const void *left, const void *right)
{
    const double *a = left, *b = right;
    return (*a > *b) - (*a < *b);
}

static void print_tally(const char *name, const struct tally *tally)
{
    printf("; %s: %u better, %u equal, %u worse", name, tally->better, tally->equal, tally->worse);
    for (unsigned i = 0; i < POD_CRITERIA; i++)
        if (tally->decided_worse[i] > 0)
            printf(" (%s %u)", pod_criterion_describe(i)->code, tally->decided_worse[i]);
    if (tally->unfinished > 0)
        printf(", %u not finished", tally->unfinished);
}

static void print_class(struct comparison *comparison, size_t first, size_t last)
{
    if (comparison->draws == 0)
        return;
    qsort(comparison->times, comparison->draws, sizeof(double), compare_times);
    printf("%zu to %zu players, %zu draws, median %.0f ms, 99%% %.0f ms, worst %.0f ms", first,
           last, comparison->draws, comparison->times[comparison->draws / 2],
           comparison->times[comparison->draws * 99 / 100],
           comparison->times[comparison->draws - 1]);
    print_tally("beside version 2", &comparison->version_2);
    print_tally("beside an annealer", &comparison->annealer);
    printf("\n");
    fflush(stdout);
}

/* Whether a smaller range of table sizes gives the same tables. */
static bool is_new(size_t players, struct table_rule rule)
{
    struct table_sizes sizes;
    uint8_t used = 0;
    if (!table_sizes_choose(rule, (unsigned)players, &sizes))
        return false;
    for (unsigned size = TABLE_SIZE_MIN; size <= TOURNAMENT_SEATS_MAX; size++)
        if (sizes.tables[size] > 0 || size == rule.preferred)
            used |= (uint8_t)(1U << size);
    for (unsigned size = TABLE_SIZE_MIN; size <= TOURNAMENT_SEATS_MAX; size++) {
        struct table_rule smaller = rule;
        smaller.allowed = (uint8_t)(rule.allowed & ~(1U << size));
        if (smaller.allowed != rule.allowed && (used >> size & 1) == 0)
            return false;
    }
    return true;
}

static bool compare_class(struct comparison *comparison, size_t first, size_t last, size_t step)
{
    size_t number = 0;
    comparison->draws = 0;
    comparison->version_2 = comparison->annealer = (struct tally){0};
    for (size_t players = first; players <= last; players++)
        for (uint8_t smallest = 2; smallest <= TOURNAMENT_SEATS_MAX; smallest++)
            for (uint8_t largest = smallest; largest <= TOURNAMENT_SEATS_MAX; largest++)
                for (uint8_t preferred = smallest; preferred <= largest; preferred++) {
                    struct table_rule rule = table_rule_range(smallest, largest, preferred);
                    if (is_new(players, rule) && number++ % step == 0)
                        compare_event(comparison, players, rule);
                }
    print_class(comparison, first, last);
    return comparison->version_2.worse == 0;
}

int quality_compare(enum pod_profile profile, size_t step)
{
    struct comparison comparison = {.profile = profile,
                                    .times = calloc(TIMES_MOST, sizeof(double))};
    bool never_worse = true;
    comparison.shared = mmap(NULL, sizeof *comparison.shared, PROT_READ | PROT_WRITE,
                             MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (comparison.times == NULL || comparison.shared == MAP_FAILED)
        return 2;
    for (size_t i = 0, first = 2; i < CLASSES; first = last_of_class[i++] + 1) {
        never_worse = compare_class(&comparison, first, last_of_class[i], step) && never_worse;
    }
    free(comparison.times);
    munmap(comparison.shared, sizeof *comparison.shared);
    return never_worse ? 0 : 1;
}
