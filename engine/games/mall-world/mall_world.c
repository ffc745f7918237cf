/* Mall World by Andrea Meyer, implementing engine/game/game.h.
 *
 *      components.json .h .c         what the box holds
 *      state.h .c                    what lies on the table; the turn as a drawing; the result
 *      mall_world.c                  how it begins
 *      moves.h .c                    moves as text
 *      play.c                        checking and applying a move
 *      turn.h .c                     what then runs by itself; auctions
 *      piles.h .c                    drawing and shuffling; the lobby
 *      recall.h .c                   what is remembered of hands; positions imagined
 *      legal.c                       every legal move, and the fallback move
 *      view.c, events.c              what each viewer may know
 *      policy.c                      how good each move is, for players made of code
 *      judge.h .c                    how good a position is, and what a change is worth
 *      cases.c                       worked cases
 */
#include <string.h>

#include "engine/base/embed.h"
#include "engine/game/told.h"
#include "engine/games/mall-world/piles.h"
#include "engine/games/mall-world/recall.h"
#include "engine/games/mall-world/rules.h"
#include "engine/games/mall-world/turn.h"

/* The start of a game: Rulebook, Before every game, in the order of the specification's table. The
 * places of the covers and the first tiles are drawn from the stream `site`, or fixed by an
 * option. */

void mall_world_clear(struct mall_world_state *state, unsigned seats)
{
    memset(state, 0, sizeof *state);
    state->seats = (uint8_t)seats;
    state->round = 1;
    for (unsigned seat = 0; seat < seats; seat++) {
        state->account[seat] = ACCOUNT_START;
        state->coins[seat] = COINS_OF_A_SEAT;
    }
}

static rooms trio_rooms(const struct mall_world_components *set, unsigned trio)
{
    rooms found = 0;
    for (unsigned i = 0; i < TRIO; i++)
        found |= mall_world_room(set->rooms[set->trios[trio][i]].square);
    return found;
}

/* `a1,a2,b2`: the rooms of a trio, in the order of the plan. */
static void name_trio(const struct mall_world_components *set, rooms left, struct text *name)
{
    while (left != 0) {
        if (name->length > 0)
            text_add_char(name, ',');
        text_add_span(name, mall_world_room_name(set, mall_world_next_room(&left)));
    }
}

/* Which of the places for a cover is told; `drawn` if luck is computed. */
static uint32_t tell_cover(const struct mall_world_components *set, const rooms *fit,
                           uint32_t count, uint32_t drawn, const struct chance *chance)
{
    char bytes[TOLD_WORD_MAX + 1];
    struct text name = TEXT_OVER(bytes);
    struct span told;
    name_trio(set, fit[drawn], &name);
    told_hear(chance, "cover", text_span(&name));
    if (!told_take(chance, "cover", &told))
        return drawn;
    for (uint32_t i = 0; i < count; i++) {
        text_clear(&name);
        name_trio(set, fit[i], &name);
        if (span_equal(told, text_span(&name)))
            return i;
    }
    told_refuse(chance);
    return drawn;
}

/* Covers a trio that leaves all uncovered rooms connected. */
static void draw_cover(const struct mall_world_components *set, struct mall_world_state *state,
                       struct chance_stream *site, const struct chance *chance)
{
    rooms fit[TRIOS] = {0};
    uint32_t count = 0;
    for (unsigned trio = 0; trio < set->trio_count; trio++) {
        rooms cover = trio_rooms(set, trio);
        if ((cover & state->covered) == 0 &&
            mall_world_is_connected(set, set->plan & ~state->covered & ~cover))
            fit[count++] = cover;
    }
    assert(count > 0); /* even with the storage room laid most trios fit */
    state->covered |= fit[tell_cover(set, fit, count, chance_uniform(site, count), chance)];
}

static const char *const tile_places[USES] = {"tile-clothing", "tile-food", "tile-hobby",
                                              "tile-sports"};

/* Puts a tile into a room that touches no other tile. */
static void draw_first_tile(const struct mall_world_components *set, struct mall_world_state *state,
                            enum use use, struct chance_stream *site, const struct chance *chance)
{
    rooms free = mall_world_empty(set, state);
    for (unsigned other = 0; other < USES; other++)
        free &= ~mall_world_neighbours(set, state->tile[other]);
    uint32_t skipped = chance_uniform(site, mall_world_room_count(free));
    rooms left = free;
    for (; skipped > 0; skipped--)
        (void)mall_world_next_room(&left);
    uint8_t square = (uint8_t)mall_world_next_room(&left);
    struct span told;
    told_hear(chance, tile_places[use], mall_world_room_name(set, square));
    if (told_take(chance, tile_places[use], &told)) {
        uint8_t named = mall_world_room_named(set, told);
        if (named == NONE || (free & mall_world_room(named)) == 0)
            told_refuse(chance);
        else
            square = named;
    }
    state->tile[use] = mall_world_room(square);
}

static void draw_opening(const struct mall_world_components *set, struct mall_world_state *state,
                         const struct chance *chance)
{
    struct chance_stream site;
    chance_open(&site, chance, "site", 0);
    for (unsigned i = 0; i < set->covers[state->seats - SEATS_MIN]; i++)
        draw_cover(set, state, &site, chance);
    for (unsigned use = 0; use < USES; use++)
        draw_first_tile(set, state, (enum use)use, &site, chance);
}

static void lay_fixed_opening(const struct mall_world_components *set,
                              struct mall_world_state *state)
{
    for (unsigned i = 0; i < set->covers[state->seats - SEATS_MIN]; i++)
        for (unsigned j = 0; j < TRIO; j++)
            state->covered |= mall_world_room(set->fixed_cover[i][j]);
    for (unsigned use = 0; use < USES; use++)
        state->tile[use] = mall_world_room(set->fixed_tile[use]);
}

static void deal_cards(const struct mall_world_components *set, struct mall_world_state *state,
                       const struct chance *chance)
{
    for (unsigned seat = 0; seat < state->seats; seat++)
        for (unsigned i = 0; i < DEAL; i++)
            state->hand[seat][mall_world_draw_card(set, state, chance)]++;
}

void mall_world_setup(const struct game *game, void *opaque, unsigned seats,
                      const struct game_options *options, const struct chance *chance)
{
    struct mall_world_state *state = opaque;
    const struct mall_world_components *set = game->set;
    mall_world_clear(state, seats);
    state->opening_fixed = options->value[0] == 1;
    if (state->opening_fixed)
        lay_fixed_opening(set, state);
    else
        draw_opening(set, state, chance);
    mall_world_build_stack(set, state, chance);
    for (unsigned i = 0; i < DISPLAY; i++)
        state->display[mall_world_turn_card_up(set, state, chance)]++;
    mall_world_build_orders(set, state, chance);
    mall_world_refill_lobby(set, state, chance);
    mall_world_lay_bribes(set, state, chance);
    mall_world_deal_special_orders(set, state, chance);
    deal_cards(set, state, chance);
    state->point = AT_START;
    mall_world_advance(set, state, chance);
    mall_world_forget_notes(state);
}

EMBED_EVERYWHERE(mall_world_components, "engine/games/mall-world/components.json");

/* Filled by the catalogue. */
static struct mall_world_components built_in;

static const char *const drawn_or_fixed[] = {"drawn", "fixed", NULL};

static const struct game_option options[] = {
    {"opening", drawn_or_fixed, 0,
     "Draw where covers and first tiles lie, or take the opening of the first game."},
};

extern const struct game game_mall_world_1_0_0;

const struct game game_mall_world_1_0_0 = {
    .slug = "mall-world",
    .title = "Mall World",
    .version = "1.0.0",
    .seats_min = SEATS_MIN,
    .seats_max = SEATS_MAX,
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .components = mall_world_components,
    .components_end = mall_world_components_end,
    .components_sha256 = "0e18a71a7d1dc49aecc277173356029f3e2c661c97fbcd6ce8d8b88fe005837e",
    .set = &built_in,
    .set_size = sizeof built_in,
    .read = mall_world_read_components,
    .state_size = sizeof(struct mall_world_state),
    .plies_max = 17000, /* at most 1,095 turns of at most 15 plies, and 566 others */
    .legal_max = LEGAL_MAX,
    .move_max = 60, /* `confirm special-belt-and-button-jens-got-berries bribe -1000` */
    .setup = mall_world_setup,
    .deciders = mall_world_deciders,
    .legal = mall_world_legal,
    .play = mall_world_play,
    .fallback = mall_world_fallback,
    .rekey = mall_world_rekey,
    .drawn = mall_world_drawn,
    .imagine = mall_world_imagine,
    .fit = mall_world_fit,
    .outcome = mall_world_outcome,
    .view = mall_world_view,
    .events = mall_world_events,
    .weigh = mall_world_weigh,
    .play_best = mall_world_play_best,
    .weight_unit = 400,
    .cases = &mall_world_worked_cases,
};
