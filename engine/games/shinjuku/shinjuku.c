/* Shinjuku by Gary Kacmarcik, Rules of Play version 2 r11, implementing engine/game/game.h.
 *
 *      components.json .h .c                 what the box holds
 *      state.h .c                            what lies on the table; the turn as a drawing
 *      masks.h                               rows of bytes as sets of bits
 *      shinjuku.c                            how it begins, and the end
 *      moves.h .c                            moves as text
 *      play.c                                checking and applying a move
 *      turn.h .c, piles.h .c                 what then runs by itself; drawing and shuffling
 *      recall.h .c                           what is remembered of hands; positions imagined
 *      legal.c                               every legal move, and the fallback move
 *      view.c, events.c                      what each viewer may know
 *      policy.c                              how good each move is, for players made of code
 *      judge.h .c                            how good a position is
 *      features.c, value.txt                 how a seat stands, in numbers; their learned weights
 *      cases.c                               worked cases
 */
#include <string.h>

#include "engine/base/embed.h"
#include "engine/games/shinjuku/piles.h"
#include "engine/games/shinjuku/recall.h"
#include "engine/games/shinjuku/rules.h"
#include "engine/games/shinjuku/turn.h"

/* Endgame: sets of different customers, wild bonus tokens, and the tie-break. */

/* Rulebook, Tie-breaking: the seat that claimed an Upgrade Bonus first; no claim comes last. A
 * claim number is at most 12, so the value is higher for an earlier claim. */
static int32_t tie_break(unsigned claim)
{
    enum { AFTER_EVERY_CLAIM = SEATS_MAX * DEPARTMENT_STORES + 1 };
    return claim > 0 ? (int32_t)(AFTER_EVERY_CLAIM - claim) : 0;
}

static void shinjuku_outcome(const struct game *game, const void *opaque, struct outcome *outcome)
{
    const struct shinjuku_state *state = opaque;
    const struct shinjuku_components *set = game->set;
    *outcome = (struct outcome){.seats = state->seats, .tie_breaks = 1};
    for (unsigned seat = 0; seat < state->seats; seat++) {
        outcome->score[seat] = shinjuku_score(set, state->earned[seat], state->bonus[seat]);
        outcome->tie_break[seat][0] = tie_break(state->claim[seat]);
    }
    outcome_rank(outcome);
}

/* The start of a game: Rulebook, Setup, in the order of its sections (hands, seed wards, Matsuri,
 * Queue). Seat 0 is the starting player; players are assigned to seats before the game. */

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

static void shuffle_all_cards(const struct shinjuku_components *set, struct shinjuku_state *state,
                              const struct chance *chance)
{
    uint8_t copies[WARDS];
    for (unsigned ward = 0; ward < WARDS; ward++)
        copies[ward] = set->wards[ward].cards;
    shinjuku_build_deck(set, state, copies, chance);
}

static void deal_hands(const struct shinjuku_components *set, struct shinjuku_state *state,
                       const struct chance *chance)
{
    for (unsigned seat = 0; seat < state->seats; seat++)
        for (unsigned i = 0; i < DEAL; i++)
            state->hand[seat][shinjuku_draw_card(set, state, chance)]++;
}

/* Draws cards until four different wards have come up; customers follow once the wards are
 * known. */
static void seed_wards(const struct shinjuku_components *set, struct shinjuku_state *state,
                       const struct chance *chance)
{
    uint8_t seeded[SEED_WARDS] = {0};
    for (unsigned count = 0; count < SEED_WARDS;) {
        uint8_t ward = shinjuku_turn_card_up(set, state, chance);
        state->discard[ward]++;
        if (count == 0 || memchr(seeded, ward, count) == NULL)
            seeded[count++] = ward;
    }
    for (unsigned i = 0; i < SEED_WARDS; i++)
        for (unsigned j = 0; j < SEED_CUSTOMERS; j++)
            state->customers[seeded[i]][shinjuku_draw_customer(set, state, chance)]++;
}

static void place_matsuri(const struct shinjuku_components *set, struct shinjuku_state *state,
                          const struct chance *chance)
{
    state->matsuri = shinjuku_turn_card_up(set, state, chance);
    state->discard[state->matsuri]++;
}

static void fill_queue(const struct shinjuku_components *set, struct shinjuku_state *state,
                       const struct chance *chance)
{
    for (unsigned space = 0; space < QUEUE_SPACES; space++)
        state->queue_ward[space] = shinjuku_turn_card_up(set, state, chance);
    for (unsigned i = 0; i < QUEUE_CUSTOMERS; i++)
        shinjuku_queue_add(state, shinjuku_draw_customer(set, state, chance));
}

void shinjuku_setup(const struct game *game, void *opaque, unsigned seats,
                    const struct game_options *options, const struct chance *chance)
{
    struct shinjuku_state *state = opaque;
    const struct shinjuku_components *set = game->set;
    shinjuku_clear(state, seats, options->value[0] == 1);
    shinjuku_fill_bag(set, state, chance);
    shuffle_all_cards(set, state, chance);
    deal_hands(set, state, chance);
    seed_wards(set, state, chance);
    if (!state->advanced)
        place_matsuri(set, state, chance);
    fill_queue(set, state, chance);
    shinjuku_start_turn(state, 0);
    shinjuku_advance(set, state, chance);
}

EMBED_EVERYWHERE(shinjuku_components, "engine/games/shinjuku/components.json");
EMBED_EVERYWHERE(shinjuku_value, "engine/games/shinjuku/value.txt");

/* Filled by the catalogue. */
static struct shinjuku_components built_in;

static const char *const off_or_on[] = {"off", "on", NULL};

static const struct game_option options[] = {
    {"advanced", off_or_on, 0, "Play without the Matsuri and without Upgrade Bonus tokens."},
};

extern const struct game game_shinjuku_1_0_0;

const struct game game_shinjuku_1_0_0 = {
    .slug = "shinjuku",
    .title = "Shinjuku",
    .version = "1.0.0",
    .seats_min = SEATS_MIN,
    .seats_max = SEATS_MAX,
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .components = shinjuku_components,
    .components_end = shinjuku_components_end,
    .components_sha256 = "24151c165855e8be4bf8fcfc9d3dccf9e6617ddefb7f13ffacb6a87ec9cfabc7",
    .set = &built_in,
    .set_size = sizeof built_in,
    .read = shinjuku_read_components,
    .state_size = sizeof(struct shinjuku_state),
    .plies_max = 7347, /* at most 79 turns of at most 93 plies */
    .legal_max = LEGAL_MAX,
    .move_max = 49, /* `expand kasai-rinkai-koen shin-kiba monzen-nakacho` */
    .setup = shinjuku_setup,
    .deciders = shinjuku_deciders,
    .legal = shinjuku_legal,
    .play = shinjuku_play,
    .fallback = shinjuku_fallback,
    .rekey = shinjuku_rekey,
    .drawn = shinjuku_drawn,
    .imagine = shinjuku_imagine,
    .fit = shinjuku_fit,
    .outcome = shinjuku_outcome,
    .view = shinjuku_view,
    .events = shinjuku_events,
    .weigh = shinjuku_weigh,
    .play_best = shinjuku_play_best,
    .weight_unit = 2,
    .features = shinjuku_features,
    .feature_count = SHINJUKU_FEATURES,
    .value = shinjuku_value,
    .value_end = shinjuku_value_end,
    .cases = &shinjuku_worked_cases,
};
