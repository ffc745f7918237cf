/* The adviser's eyes: a view, read back into a position (see advise.h). */
#include "engine/games/super-motherload/advise.h"

#include "engine/games/super-motherload/rules.h"
#include "engine/view_reading.h"

static void read_tunnels(const json_t *rows, uint16_t *covered)
{
    for (unsigned row = 0; row < ROWS; row++) {
        struct span drawing = view_read_text(json_array_get(rows, row));
        for (unsigned column = 0; column < COLUMNS && column < drawing.length; column++)
            if (drawing.at[column] == 'T')
                covered[row] |= (uint16_t)(1u << column);
    }
}

static void read_boards(const json_t *boards, struct motherload_state *state)
{
    for (size_t i = 0; i < TABLE_BOARDS && i < json_array_size(boards); i++) {
        const json_t *board = json_array_get(boards, i);
        state->board[i] = motherload_board_named(view_read_text(json_object_get(board, "id")));
        read_tunnels(json_object_get(board, "tunnels"), state->covered + i * ROWS);
        state->boards++;
    }
}

static void read_stacks(const json_t *stacks, struct motherload_state *state, unsigned seat)
{
    for (unsigned color = 0; color < COLORS; color++) {
        const json_t *stack = json_object_get(stacks, motherload_colors[color].at);
        state->bought[seat][color] = view_read_number(json_object_get(stack, "bought"));
        view_read_counts(json_object_get(stack, "minerals"), motherload_mineral_named,
                         state->minerals[seat][color]);
    }
}

static void read_player(const json_t *player, struct motherload_state *state, unsigned seat)
{
    state->deck[seat] = motherload_deck_named(view_read_text(json_object_get(player, "deck")));
    state->bombs[seat] = view_read_number(json_object_get(player, "bombs"));
    read_stacks(json_object_get(player, "stacks"), state, seat);
    view_read_counts(json_object_get(player, "hand"), motherload_card_named, state->hand[seat]);
    view_read_counts(json_object_get(player, "artifacts"), motherload_artifact_named,
                     state->artifacts[seat]);
}

static void read_slots(const json_t *slots, uint8_t achievements[static SLOTS])
{
    for (unsigned slot = 0; slot < SLOTS; slot++)
        achievements[slot] = motherload_achievement_named(
            view_read_text(json_object_get(json_array_get(slots, slot), "id")));
}

static void read_act(const json_t *act, struct motherload_act *to)
{
    if (!json_is_object(act))
        return;
    uint8_t pattern = 0;
    struct span name = view_read_text(json_object_get(act, "pattern"));
    while (pattern < PATTERNS && !span_equal(motherload_patterns[pattern].name, name))
        pattern++;
    to->kind = pattern < PATTERNS ? ACT_BOMB : ACT_DRILL;
    to->pattern = pattern < PATTERNS ? pattern : NONE;
    to->color = motherload_color_named(view_read_text(json_object_get(act, "color")));
    to->length = view_read_number(json_object_get(act, "length"));
    const json_t *bonuses = json_object_get(act, "bonuses");
    for (size_t i = 0; i < json_array_size(bonuses); i++)
        for (unsigned bonus = 0; bonus < DRILL_BONUSES; bonus++)
            if (span_equal(view_read_text(json_array_get(bonuses, i)),
                           motherload_drill_bonuses[bonus]))
                to->bonuses |= (uint8_t)(1u << bonus);
}

static void read_turn(const json_t *turn, struct motherload_state *state)
{
    state->left = view_read_number(json_object_get(turn, "left"));
    state->taken = view_read_number(json_object_get(turn, "taken"));
    state->buys = view_read_number(json_object_get(turn, "bought"));
    state->claimed_minor = json_is_true(json_object_get(turn, "minor_claimed"));
    state->claimed_major = json_is_true(json_object_get(turn, "major_claimed"));
    state->bought_from =
        motherload_color_named(view_read_text(json_object_get(turn, "bought_from")));
    view_read_counts(json_object_get(turn, "waiting"), motherload_mineral_named, state->waiting);
    read_act(json_object_get(turn, "act"), &state->act);
}

static uint8_t point_named(struct span name)
{
    uint8_t point = 0;
    while (point < AT_OVER && !span_is(name, motherload_point_name(point)))
        point++;
    return point;
}

void motherload_read_view(const json_t *view, struct motherload_state *state)
{
    uint8_t seats = view_read_number(json_object_get(view, "seats"));
    motherload_clear(state, seats <= SEATS_MAX ? seats : SEATS_MAX);
    uint8_t active = view_read_number(json_object_get(view, "active"));
    state->active = active < SEATS_MAX ? active : 0;
    state->point = point_named(view_read_text(json_object_get(view, "decision")));
    state->supply = view_read_number(json_object_get(view, "bomb_supply"));
    read_boards(json_object_get(view, "boards"), state);
    read_turn(json_object_get(view, "turn"), state);
    read_slots(json_object_get(view, "majors"), state->majors);
    read_slots(json_object_get(view, "minors"), state->minors);
    const json_t *players = json_object_get(view, "players");
    for (unsigned seat = 0; seat < state->seats; seat++)
        read_player(json_array_get(players, seat), state, seat);
}
