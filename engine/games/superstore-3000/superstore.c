/* Superstore 3000 by Rodrigo Rego, Space Cowboys 2024. This file is the table of contents; read
 * state.h next, then play.c and turn.c. */
#include <string.h>

#include "engine/base/embed.h"
#include "engine/game/told.h"
#include "engine/game/unseen.h"
#include "engine/games/superstore-3000/notation.h"
#include "engine/games/superstore-3000/rules.h"
#include "engine/games/superstore-3000/score.h"

/* The start of a game (rulebook, Game Setup), and all its chance. Each draw has a stream of its
 * own, and the order of its pile can be fixed instead (chance_stack_find): the piles `supply`,
 * `pink`, `purple`, `mains` and `cards` by the names of their items, `sides` by `a` and `b`,
 * `first` by the number of the seat. */

enum { FIRST_PURPLE = 4 }; /* the pink attractions are 1 to 3 */

void superstore_clear(struct superstore_state *state, unsigned seats)
{
    memset(state, 0, sizeof *state);
    state->seats = (uint8_t)seats;
    state->refill = NONE;
    memset(state->dock_owner, NONE, sizeof state->dock_owner);
}

/* The mall elements for this many seats, in the order of the published list: mark by mark, the
 * store types with their copies, then the entrances. */
static size_t list_elements(const struct superstore_components *set, unsigned seats,
                            uint8_t element[static SUPPLY_MAX])
{
    size_t count = 0;
    uint8_t entrance = FIRST_ENTRANCE;
    for (unsigned mark = 0; mark + 1 < seats; mark++) {
        for (unsigned store = 0; store < STORES; store++)
            for (unsigned copy = 0; copy < set->store_copies[mark][store]; copy++)
                element[count++] = (uint8_t)store;
        for (unsigned i = 0; i < set->mark_entrances[mark]; i++)
            element[count++] = entrance++;
    }
    assert(count == (size_t)seats * ELEMENTS_A_SEAT);
    return count;
}

/* All pieces, and all individual cards, by name. */
static struct names piece_names(const struct superstore_components *set)
{
    return NAMES(set->pieces, PIECES);
}

static struct names card_names(const struct superstore_components *set)
{
    return NAMES(set->cards, CARDS);
}

static void fill_dispenser(const struct superstore_components *set, struct superstore_state *state,
                           const struct chance *chance)
{
    for (unsigned row = 0; row < DISPENSER_ROWS; row++)
        for (unsigned column = 0; column < DISPENSER_COLUMNS; column++)
            state->dispenser[column][row] = superstore_reveal(set, state, chance);
    memset(state->height, DISPENSER_ROWS, sizeof state->height);
}

static void draw_attractions(const struct superstore_components *set,
                             struct superstore_state *state, const char *stream, uint8_t first,
                             unsigned count, unsigned drawn, const struct chance *chance)
{
    uint8_t pile[ATTRACTIONS];
    for (unsigned i = 0; i < count; i++)
        pile[i] = (uint8_t)(FIRST_ATTRACTION + first + i);
    (void)chance_arrange_or_shuffle(chance, stream, 0, pile, count, piece_names(set));
    for (unsigned i = 0; i < drawn; i++) {
        told_draw_here(chance, stream, pile + i, count - i, piece_names(set));
        state->common[state->common_count++].attraction = (uint8_t)(pile[i] - FIRST_ATTRACTION);
    }
}

static void tell_side(uint8_t *side, const struct chance *chance)
{
    struct span told;
    told_hear(chance, "side", span_of(*side == 1 ? "b" : "a"));
    if (!told_take(chance, "side", &told))
        return;
    *side = span_is(told, "b");
    if (*side == 0 && !span_is(told, "a"))
        told_refuse(chance);
}

static void toss_sides(struct superstore_state *state, const struct chance *chance)
{
    const struct chance_stack *stack = chance_stack_find(chance, "sides");
    struct span fixed = stack == NULL ? (struct span){NULL, 0} : stack->items;
    struct chance_stream stream;
    chance_open(&stream, chance, "sides", 0);
    for (unsigned i = 0; i < state->common_count; i++) {
        state->common[i].side = stack == NULL ? (uint8_t)chance_uniform(&stream, 2)
                                              : (uint8_t)span_is(span_word(&fixed), "b");
        tell_side(&state->common[i].side, chance);
    }
}

static uint8_t draw_first_player(unsigned seats, const struct chance *chance)
{
    struct span told;
    const struct chance_stack *stack = chance_stack_find(chance, "first");
    uint64_t fixed;
    if (stack != NULL && span_number(stack->items, seats - 1, &fixed))
        return (uint8_t)fixed;
    if (told_take(chance, "first", &told)) {
        if (span_number(told, seats - 1, &fixed))
            return (uint8_t)fixed;
        told_refuse(chance);
    }
    struct chance_stream stream;
    chance_open(&stream, chance, "first", 0);
    uint8_t first = (uint8_t)chance_uniform(&stream, seats);
    char digit[2] = {(char)('0' + first), '\0'};
    told_hear(chance, "first", span_of(digit));
    return first;
}

static void set_up_malls(const struct superstore_components *set, struct superstore_state *state,
                         const struct chance *chance)
{
    uint8_t main[MAINS];
    uint8_t card[CARDS];
    for (unsigned i = 0; i < MAINS; i++)
        main[i] = (uint8_t)(FIRST_MAIN + i);
    for (unsigned i = 0; i < CARDS; i++)
        card[i] = (uint8_t)i;
    (void)chance_arrange_or_shuffle(chance, "mains", 0, main, MAINS, piece_names(set));
    (void)chance_arrange_or_shuffle(chance, "cards", 0, card, CARDS, card_names(set));
    for (unsigned seat = 0; seat < state->seats; seat++) {
        struct superstore_mall *mall = &state->mall[seat];
        told_draw_here(chance, "main", main + seat, MAINS - seat, piece_names(set));
        superstore_add_tile(set, mall,
                            (struct superstore_tile){main[seat], COLUMN_M1, 1, FRONT, 0});
        mall->bank_notes = START_NOTES;
        mall->card = card[seat];
    }
}

void superstore_setup(const struct game *game, void *opaque, unsigned seats,
                      const struct game_options *options, const struct chance *chance)
{
    const struct superstore_components *set = game->set;
    (void)options;
    struct superstore_state *state = opaque;
    superstore_clear(state, seats);
    state->supply_end = (uint8_t)list_elements(set, seats, state->supply);
    (void)chance_arrange_or_shuffle(chance, "supply", 0, state->supply, state->supply_end,
                                    piece_names(set));
    fill_dispenser(set, state, chance);
    draw_attractions(set, state, "pink", 1, set->pink_count, PINK_DRAWN, chance);
    draw_attractions(set, state, "purple", FIRST_PURPLE, set->purple_count,
                     set->purple_drawn[seats], chance);
    toss_sides(state, chance);
    set_up_malls(set, state, chance);
    state->first = draw_first_player(seats, chance);
    state->active = state->first;
}

/* Only the tiles in the supply are unseen by all and still to come. They are first sorted by
 * number, so the new order does not depend on the old one. */
static void superstore_rekey(const struct game *game, void *opaque, unsigned epoch,
                             const struct chance *chance)
{
    struct superstore_state *state = opaque;
    const struct superstore_components *set = game->set;
    uint8_t left[ELEMENTS] = {0};
    for (unsigned i = state->supply_next; i < state->supply_end; i++)
        left[state->supply[i]]++;
    unsigned at = state->supply_next;
    for (unsigned element = 0; element < ELEMENTS; element++)
        for (; left[element] > 0; left[element]--)
            state->supply[at++] = (uint8_t)element;
    (void)chance_arrange_or_shuffle(chance, "supply", epoch, state->supply + state->supply_next,
                                    (size_t)(state->supply_end - state->supply_next),
                                    piece_names(set));
}

static uint32_t superstore_drawn(const struct game *game, const void *opaque)
{
    const struct superstore_state *state = opaque;
    (void)game;
    return state->supply_next;
}

/* True if `viewer` does not know the seat's card. */
static bool is_hidden(const struct superstore_state *state, struct viewer viewer, unsigned seat)
{
    return state->point != AT_OVER && viewer.kind != VIEWER_AUDITOR &&
           (viewer.kind != VIEWER_SEAT || viewer.seat != seat) &&
           !superstore_has_night_club(&state->mall[seat]);
}

/* Seats whose card is hidden get any of the cards that the viewer has not seen. */
static void imagine_cards(struct superstore_state *state, struct viewer viewer,
                          struct chance_stream *stream)
{
    struct unseen unseen;
    bool seen[CARDS] = {false};
    unseen_init(&unseen, stream);
    for (unsigned seat = 0; seat < state->seats; seat++)
        seen[state->mall[seat].card] |= !is_hidden(state, viewer, seat);
    for (unsigned card = 0; card < CARDS; card++)
        unseen_add(&unseen, (uint8_t)card, !seen[card]);
    unseen_shuffle(&unseen);
    for (unsigned seat = 0; seat < state->seats; seat++)
        if (is_hidden(state, viewer, seat))
            state->mall[seat].card = unseen_deal(&unseen);
}

/* The seat's card is turned up. It can be any that no other seat has shown, of those that were put
 * back as well. `shown`: seats, as bits, whose cards have been turned up. */
static void turn_card_up(const struct superstore_components *set, struct superstore_state *state,
                         unsigned seat, uint32_t shown, const struct chance *chance)
{
    char place[TOLD_WORD_MAX + 1];
    uint8_t card[CARDS] = {state->mall[seat].card};
    size_t count = 1;
    bool seen[CARDS] = {false};
    told_seat_place(place, "card", seat);
    seen[card[0]] = true;
    for (unsigned other = 0; other < state->seats; other++)
        if ((shown >> other & 1) != 0)
            seen[state->mall[other].card] = true;
    for (uint8_t i = 0; i < CARDS; i++)
        if (!seen[i])
            card[count++] = i;
    told_draw_here(chance, place, card, count, card_names(set));
    for (unsigned other = 0; other < state->seats; other++)
        if (other != seat && state->mall[other].card == card[0])
            state->mall[other].card = state->mall[seat].card;
    state->mall[seat].card = card[0];
}

static uint32_t shown_cards(const struct superstore_state *state)
{
    uint32_t shown = 0;
    for (unsigned seat = 0; seat < state->seats; seat++)
        shown |= (uint32_t)superstore_has_night_club(&state->mall[seat]) << seat;
    return shown;
}

/* A seat that builds its night club turns its card up. */
static void superstore_fit_told(const struct game *game, void *opaque, unsigned seat,
                                struct span text, const struct chance *chance)
{
    struct superstore_state *state = opaque;
    const struct superstore_components *set = game->set;
    struct superstore_move move;
    uint32_t shown = shown_cards(state);
    if (state->point == AT_ACT && seat == state->active && superstore_read_move(set, text, &move) &&
        move.verb == VERB_ATTRACT && move.piece == FIRST_ATTRACTION && (shown >> seat & 1) == 0)
        turn_card_up(set, state, seat, shown, chance);
}

static void superstore_show(const struct game *game, void *opaque, const struct chance *chance)
{
    struct superstore_state *state = opaque;
    const struct superstore_components *set = game->set;
    uint32_t shown = shown_cards(state);
    for (unsigned seat = 0; seat < state->seats; seat++) {
        if ((shown >> seat & 1) == 0)
            turn_card_up(set, state, seat, shown, chance);
        shown |= UINT32_C(1) << seat;
    }
}

static void superstore_imagine(const struct game *game, void *opaque, struct viewer viewer,
                               const struct chance *chance)
{
    struct superstore_state *state = opaque;
    (void)game;
    struct chance_stream stream;
    unseen_open(&stream, chance);
    unseen_shuffle_pile(&stream, state->supply + state->supply_next,
                        (size_t)(state->supply_end - state->supply_next));
    imagine_cards(state, viewer, &stream);
    memset(state->step, 0, sizeof state->step);
    state->steps = 0;
}

EMBED_EVERYWHERE(superstore_components, "engine/games/superstore-3000/components.json");

/* Filled by the catalogue. */
static struct superstore_components built_in;

const struct game game_superstore_3000_1_0_0 = {
    .slug = "superstore-3000",
    .title = "Superstore 3000",
    .version = "1.0.0",
    .seats_min = SEATS_MIN,
    .seats_max = SEATS_MAX,
    .components = superstore_components,
    .components_end = superstore_components_end,
    .components_sha256 = "70dc549bc5b725de812ff8dbd150a40042998482ad624d196b36a785a87911b6",
    .set = &built_in,
    .set_size = sizeof built_in,
    .read = superstore_read_components,
    .state_size = sizeof(struct superstore_state),
    .plies_max = 171, /* four seats: 108 turns and 63 customers to choose for */
    .legal_max = LEGAL_MAX,
    .move_max = 42, /* `attract nebula-bungee-jumping front l16 10` */
    .setup = superstore_setup,
    .deciders = superstore_deciders,
    .legal = superstore_legal,
    .play = superstore_play,
    .fallback = superstore_fallback,
    .rekey = superstore_rekey,
    .drawn = superstore_drawn,
    .imagine = superstore_imagine,
    .fit = superstore_fit_told,
    .show = superstore_show,
    .outcome = superstore_outcome,
    .view = superstore_view,
    .events = superstore_events,
    .weigh = superstore_weigh,
    .play_best = superstore_play_best,
    .finish = superstore_finish,
    .weight_unit = 60,
    .cases = &superstore_worked_cases,
};
