/* The start of a game: Rulebook, Setup, in the order of its sections (hands, seed wards, Matsuri,
 * Queue). Seat 0 is the starting player: who sits there is drawn before the game. */
#include <string.h>

#include "engine/games/shinjuku/piles.h"
#include "engine/games/shinjuku/rules.h"
#include "engine/games/shinjuku/turn.h"

void shinjuku_clear(struct shinjuku_state *state, unsigned seats, bool advanced)
{
    memset(state, 0, sizeof *state);
    state->seats = (uint8_t)seats;
    state->advanced = advanced;
    state->action_number = 1;
    state->matsuri = NONE;
    state->action = NONE;
    state->detail = NONE;
    state->current = NONE;
    memset(state->station, NONE, sizeof state->station);
    memset(state->store_owner, NONE, sizeof state->store_owner);
    memset(state->track_owner, NONE, sizeof state->track_owner);
    for (unsigned seat = 0; seat < seats; seat++) {
        memset(state->stores_left[seat], STORES_OF_A_GOOD, GOODS);
        state->departments_left[seat] = DEPARTMENT_STORES;
        state->track_left[seat] = TRACK;
    }
}

static void shuffle_all_cards(struct shinjuku_state *state, const struct chance *chance)
{
    uint8_t copies[WARDS];
    for (unsigned ward = 0; ward < WARDS; ward++)
        copies[ward] = shinjuku_wards[ward].cards;
    shinjuku_build_deck(state, copies, chance);
}

static void deal_hands(struct shinjuku_state *state, const struct chance *chance)
{
    for (unsigned seat = 0; seat < state->seats; seat++)
        for (unsigned i = 0; i < DEAL; i++)
            state->hand[seat][shinjuku_draw_card(state, chance)]++;
}

/* Cards are drawn until four different wards have come up; customers follow when they are known. */
static void seed_wards(struct shinjuku_state *state, const struct chance *chance)
{
    uint8_t seeded[SEED_WARDS] = {0};
    for (unsigned count = 0; count < SEED_WARDS;) {
        uint8_t ward = shinjuku_draw_card(state, chance);
        state->discard[ward]++;
        if (count == 0 || memchr(seeded, ward, count) == NULL)
            seeded[count++] = ward;
    }
    for (unsigned i = 0; i < SEED_WARDS; i++)
        for (unsigned j = 0; j < SEED_CUSTOMERS; j++)
            state->customers[seeded[i]][shinjuku_draw_customer(state)]++;
}

static void place_matsuri(struct shinjuku_state *state, const struct chance *chance)
{
    state->matsuri = shinjuku_draw_card(state, chance);
    state->discard[state->matsuri]++;
}

static void fill_queue(struct shinjuku_state *state, const struct chance *chance)
{
    for (unsigned space = 0; space < QUEUE_SPACES; space++)
        state->queue_ward[space] = shinjuku_draw_card(state, chance);
    for (unsigned i = 0; i < QUEUE_CUSTOMERS; i++)
        shinjuku_queue_add(state, shinjuku_draw_customer(state));
}

void shinjuku_setup(void *opaque, unsigned seats, const struct game_options *options,
                    const struct chance *chance)
{
    struct shinjuku_state *state = opaque;
    shinjuku_clear(state, seats, options->value[0] == 1);
    shinjuku_fill_bag(state, chance);
    shuffle_all_cards(state, chance);
    deal_hands(state, chance);
    seed_wards(state, chance);
    if (!state->advanced)
        place_matsuri(state, chance);
    fill_queue(state, chance);
    shinjuku_start_turn(state, 0);
    shinjuku_advance(state, chance);
}
