#include "tests/engine/pod_draws.h"

#include "tests/bench/pairing/simulation.h"

static void see_pairing(void (*see)(void *to, uint64_t number), void *to,
                        const struct pod_pairing *pairing)
{
    for (size_t t = 0; t < pairing->table_count; t++)
        for (unsigned seat = 0; seat < pairing->tables[t].seats; seat++)
            see(to, pairing->tables[t].player[seat]);
    for (unsigned i = 0; i < POD_CRITERIA; i++)
        see(to, (uint64_t)pairing->criteria.value[i]);
    see(to, pairing->steps);
}

void pod_draws_see(void (*see)(void *to, uint64_t number), void *to)
{
    static const struct {
        uint16_t players, rounds;
    } fields[] = {{14, 2}, {18, 2}, {23, 2}, {40, 1}, {66, 1}};
    static const struct chance chance = {.seed = {3}};
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++) {
        struct simulation simulation;
        start(&simulation, fields[i].players, fields[i].players);
        count(&simulation, 0);
        for (uint16_t round = 1; round <= fields[i].rounds; round++) {
            struct pod_request request = request_of(&simulation, table_rule_range(3, 4, 4), round,
                                                    fields[i].rounds + 1, &chance);
            struct pod_pairing pairing;
            struct refusal refusal;
            for (unsigned profile = 0; profile < POD_PROFILES; profile++) {
                request.profile = (enum pod_profile)((profile + 1) % POD_PROFILES);
                if (!pod_swiss_pair(&request, &pairing, &refusal))
                    abort();
                see_pairing(see, to, &pairing);
                if (request.profile == POD_STRICT)
                    play(&simulation, &pairing, round);
                pod_pairing_free(&pairing);
            }
            count(&simulation, round);
        }
        stop(&simulation);
    }
}
