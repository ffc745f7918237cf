/* What a viewer may know: everything but the pile's order. What a ply did, and what a sensible
 * player does. */
#include "engine/game/view_parts.h"
#include "engine/games/the-skeleton/rules.h"

static bool is_over(const struct the_skeleton_state *state)
{
    return the_skeleton_deciders(state) == 0;
}

static json_t *players(const struct the_skeleton_state *state)
{
    json_t *list = json_array();
    for (unsigned seat = 0; seat < state->seats; seat++) {
        uint8_t card = state->card[seat];
        json_t *player = json_object();
        view_set(player, "seat", json_integer(seat));
        view_set(player, "card", card == NO_CARD ? json_null() : json_integer(card));
        json_array_append_new(list, player);
    }
    return list;
}

json_t *the_skeleton_view(const struct game *game, const void *opaque, struct viewer viewer)
{
    const struct the_skeleton_state *state = opaque;
    json_t *view = json_object();
    (void)viewer;
    view_set(view, "ruleset", json_string("the-skeleton"));
    view_set(view, "seats", json_integer(state->seats));
    view_set_turn(view, the_skeleton_deciders(state), is_over(state) ? NULL : "turn", state->turn);
    view_set(view, "pile", json_integer(CARDS - state->next));
    view_set(view, "players", players(state));
    view_set(view, "outcome", view_outcome(game, state, is_over(state), false));
    return view;
}

json_t *the_skeleton_events(const struct game *game, const void *before, const void *opaque,
                            const struct ply *ply, struct viewer viewer)
{
    const struct the_skeleton_state *state = opaque;
    (void)game;
    uint8_t card = state->card[ply->seat];
    struct telling telling;
    (void)before;
    telling_init(&telling, state, ply, viewer);
    telling_begin_with_seat(&telling, card == NO_CARD ? "passed" : "card_drawn", ply->seat);
    if (card == NO_CARD) {
        telling_say(&telling, " passes");
    } else {
        telling_set_number(&telling, "card", card);
        telling_say(&telling, " draws the ");
        telling_say_number(&telling, card);
    }
    telling_finish(&telling);
    if (is_over(state))
        telling_plain(&telling, "game_over", "The game is over");
    return telling.list;
}

/* Any card is more than none. */
void the_skeleton_weigh(const struct game *game, const void *state, unsigned seat,
                        const struct move_list *legal, int32_t *weight)
{
    (void)game;
    (void)state;
    (void)seat;
    for (size_t i = 0; i < legal->count; i++)
        weight[i] = span_is(move_list_get(legal, i), "draw");
}
