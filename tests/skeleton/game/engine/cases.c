/* Set-up lines and expectations of worked cases. tests/cases/the-skeleton/README.md explains the
 * keys. */
#include "engine/game/case_fields.h"
#include "engine/games/the-skeleton/rules.h"

#define CASE_STATE struct the_skeleton_state

static const struct case_names cards = {
    .find = the_skeleton_card_named, .from = 1, .to = CARDS + 1, .unknown = "no card:"};

/* The seats are read before all others. */
static bool load_seats(struct case_reader *reader, struct span rest)
{
    (void)reader;
    (void)rest;
    return true;
}

static bool load_pile(struct case_reader *reader, struct span rest)
{
    struct span left = rest;
    uint8_t card;
    while (left.length > 0)
        if (!case_read_name(reader, &left, &cards, &card))
            return false;
    return chance_stack_add(reader->stacks, span_of("pile"), rest) ||
           case_complain(reader, "too many piles:", rest);
}

static bool tell_left(const struct case_reader *reader, struct text *out)
{
    const struct the_skeleton_state *state = reader->state;
    case_add_number(out, CARDS - state->next);
    return true;
}

static const struct case_field fields[] = {
    {"seats", .load = load_seats, .where = CASE_IN_SETUP},
    {"pile", .load = load_pile, .where = CASE_IN_SETUP},
    {"left", .tell = tell_left, .where = CASE_ANSWERED},
    {"card", .kind = CASE_NUMBER, CASE_BY_SEAT(card), .most = CARDS, .where = CASE_ANSWERED},
};

static bool load(struct case_reader *reader)
{
    const struct game_options options = {{0}};
    if (!case_read_seats(reader, SEATS_MIN, SEATS_MAX, SEATS_MIN) ||
        !case_load(reader, CASE_IN_SETUP))
        return false;
    the_skeleton_setup(reader->game, reader->state, reader->seats, &options, reader->chance);
    return true;
}

const struct game_cases the_skeleton_worked_cases = {fields, sizeof fields / sizeof fields[0],
                                                     "none", load};
