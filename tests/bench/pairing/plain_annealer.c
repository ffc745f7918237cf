#include "tests/bench/pairing/plain_annealer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { RUNS = 3, PROPOSALS = 1000000 };

struct annealer {
    const struct pod_request *request;
    struct pod_pairing seating, best;
    uint64_t luck;
    double repeat, odd; /* weights */
};

/* What a table costs. */
struct cost {
    double forbidden, repeats, odd, spread;
};

static uint32_t roll(struct annealer *annealer, size_t sides)
{
    annealer->luck = annealer->luck * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)((annealer->luck >> 33) % sides);
}

static struct cost cost_of(const struct pod_request *request, const struct pod_table *table)
{
    struct cost cost = {0};
    double sum = 0, squares = 0;
    for (unsigned a = 0; a < table->seats; a++) {
        const struct pod_player *player = &request->players[table->player[a]];
        sum += player->score;
        squares += (double)player->score * player->score;
        if (table->seats != request->rule.preferred)
            cost.odd += 2 * player->short_sittings + 1;
        for (unsigned b = 0; b < a; b++)
            cost.repeats +=
                request->met[table->player[a] * request->player_count + table->player[b]];
    }
    cost.spread = 60 * (squares - sum * sum / table->seats);
    return cost;
}

static double weigh(const struct annealer *annealer, const struct cost *cost)
{
    return annealer->repeat * cost->repeats + annealer->odd * cost->odd + cost->spread;
}

static struct cost total_of(const struct pod_request *request, const struct pod_pairing *pairing)
{
    struct cost total = {0};
    for (size_t t = 0; t < pairing->table_count; t++) {
        struct cost cost = cost_of(request, &pairing->tables[t]);
        total.repeats += cost.repeats;
        total.odd += cost.odd;
        total.spread += cost.spread;
    }
    return total;
}

/* In the order of the profile. */
static bool is_better(const struct pod_request *request, const struct cost *a, const struct cost *b)
{
    double price = 216000.0 * (request->repeat_price == 0 ? 60 : request->repeat_price);
    double keys[POD_PROFILES][2][3] = {
        {{a->repeats, a->odd, a->spread}, {b->repeats, b->odd, b->spread}},
        {{a->spread + price * a->repeats, a->odd, 0}, {b->spread + price * b->repeats, b->odd, 0}},
        {{a->spread, a->repeats, a->odd}, {b->spread, b->repeats, b->odd}}};
    for (unsigned i = 0; i < 3; i++) {
        double difference = keys[request->profile][0][i] - keys[request->profile][1][i];
        if (fabs(difference) > 0.5)
            return difference < 0;
    }
    return false;
}

static void set_weights(struct annealer *annealer)
{
    const struct pod_request *request = annealer->request;
    double sum = 0, squares = 0;
    for (size_t i = 0; i < request->player_count; i++) {
        sum += request->players[i].score;
        squares += (double)request->players[i].score * request->players[i].score;
    }
    annealer->repeat = 60 * (squares - sum * sum / (double)request->player_count) /
                           (double)annealer->seating.table_count +
                       1000;
    annealer->odd = annealer->repeat / 30;
    if (request->profile == POD_BALANCED) {
        annealer->repeat = 216000.0 * (request->repeat_price == 0 ? 60 : request->repeat_price);
        annealer->odd = 100;
    } else if (request->profile == POD_POWER) {
        annealer->repeat = 1000;
        annealer->odd = 100;
    }
}

static void run(struct annealer *annealer, double hot, double cold)
{
    const struct pod_request *request = annealer->request;
    struct cost total = total_of(request, &annealer->seating), least = total;
    double temperature = hot, factor = pow(cold / hot, 1.0 / PROPOSALS);
    for (unsigned i = 0; i < PROPOSALS; i++, temperature *= factor) {
        struct pod_table *one =
            &annealer->seating.tables[roll(annealer, annealer->seating.table_count)];
        struct pod_table *other =
            &annealer->seating.tables[roll(annealer, annealer->seating.table_count)];
        uint16_t *a = &one->player[roll(annealer, one->seats)];
        uint16_t *b = &other->player[roll(annealer, other->seats)], moved = *a;
        if (one == other)
            continue;
        struct cost before[2] = {cost_of(request, one), cost_of(request, other)};
        *a = *b;
        *b = moved;
        struct cost after[2] = {cost_of(request, one), cost_of(request, other)};
        double more = weigh(annealer, &after[0]) + weigh(annealer, &after[1]) -
                      weigh(annealer, &before[0]) - weigh(annealer, &before[1]);
        if (more > 0 && exp(-more / temperature) * 4294967296.0 < roll(annealer, 1U << 31) * 2.0) {
            *b = *a;
            *a = moved;
            continue;
        }
        total.repeats +=
            after[0].repeats + after[1].repeats - before[0].repeats - before[1].repeats;
        total.odd += after[0].odd + after[1].odd - before[0].odd - before[1].odd;
        total.spread += after[0].spread + after[1].spread - before[0].spread - before[1].spread;
        if (is_better(request, &total, &least)) {
            least = total;
            memcpy(annealer->best.tables, annealer->seating.tables,
                   annealer->seating.table_count * sizeof *annealer->best.tables);
        }
    }
}

bool plain_annealer_draw(const struct pod_request *request, const struct pod_pairing *pairing,
                         struct pod_criteria *criteria)
{
    struct annealer annealer = {
        .request = request, .seating = *pairing, .best = *pairing, .luck = 1};
    size_t bytes = pairing->table_count * sizeof *pairing->tables;
    struct refusal refusal;
    bool found = false;
    annealer.seating.tables = malloc(bytes);
    annealer.best.tables = malloc(bytes);
    for (int i = 0; annealer.seating.tables != NULL && annealer.best.tables != NULL && i < RUNS;
         i++) {
        struct pod_criteria once;
        memcpy(annealer.seating.tables, pairing->tables, bytes);
        set_weights(&annealer);
        for (size_t n = 0; n < 50 * request->player_count; n++) {
            struct pod_table *one = &annealer.seating.tables[roll(&annealer, pairing->table_count)];
            struct pod_table *other =
                &annealer.seating.tables[roll(&annealer, pairing->table_count)];
            uint16_t *a = &one->player[roll(&annealer, one->seats)];
            uint16_t *b = &other->player[roll(&annealer, other->seats)], moved = *a;
            *a = *b;
            *b = moved;
        }
        memcpy(annealer.best.tables, annealer.seating.tables, bytes);
        run(&annealer, annealer.repeat, 20);
        if (!pod_swiss_judge(request, &annealer.best, &refusal))
            break;
        once = annealer.best.criteria;
        if (!found || pod_criteria_compare(request, &once, criteria) < 0)
            *criteria = once;
        found = true;
    }
    free(annealer.seating.tables);
    free(annealer.best.tables);
    return found;
}
