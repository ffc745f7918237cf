/* Expectations of worked cases: for each key, what would have to stand there to be true. A list
 * that is empty, and an empty slot, is `-`. */
#include "engine/case_reader.h"
#include "engine/games/super-motherload/rules.h"

static void add_space(struct text *out, unsigned space)
{
    if (out->length > 0)
        text_add_char(out, ' ');
    motherload_add_space(out, space);
}

static struct span card_name(unsigned card)
{
    return motherload_cards[card].name;
}

static struct span mineral_name(unsigned mineral)
{
    return motherload_minerals[mineral].name;
}

static struct span artifact_name(unsigned artifact)
{
    return motherload_artifacts[artifact].name;
}

static struct span achievement_name(unsigned achievement)
{
    return achievement == NONE ? (struct span){"-", 1} : motherload_achievements[achievement].name;
}

/* counts[i] times the name of i, for i = 0 .. length - 1. */
static void add_counts(struct text *out, const uint8_t *counts, unsigned length,
                       struct span (*name)(unsigned))
{
    size_t before = out->length;
    case_add_counts(out, counts, NULL, length, name);
    case_close_list(out, before, "-");
}

static void add_list(struct text *out, const uint8_t *items, unsigned length,
                     struct span (*name)(unsigned))
{
    size_t before = out->length;
    case_add_list(out, items, length, name);
    case_close_list(out, before, "-");
}

static void add_achievements(struct text *out, uint32_t achievements)
{
    size_t before = out->length;
    case_add_set(out, achievements, motherload_achievements_in_byte_order, ACHIEVEMENTS,
                 achievement_name);
    case_close_list(out, before, "-");
}

typedef const struct motherload_state *position;

/* Keys about the table. */

static void read_decision(position state, struct text *out)
{
    if (state->point == AT_OVER) {
        text_add_char(out, '-');
        return;
    }
    case_add_number(out, state->active);
    case_add_word(out, span_of(motherload_point_name(state->point)));
}

static void read_boards(position state, struct text *out)
{
    for (unsigned i = 0; i < state->boards; i++)
        case_add_word(out, motherload_boards[state->board[i]].name);
    case_close_list(out, 0, "-");
}

static void read_tunnels(position state, struct text *out)
{
    for (unsigned row = 0; row < state->boards * ROWS; row++) {
        unsigned depth = motherload_boards[state->board[row / ROWS]].depth;
        for (unsigned column = 0; column < COLUMNS; column++)
            if ((state->covered[row] >> column & 1) != 0)
                add_space(out, SPACE(depth, row % ROWS, column));
    }
    case_close_list(out, 0, "-");
}

static void read_covered(position state, struct text *out)
{
    for (unsigned i = 0; i < state->last_count; i++)
        add_space(out, state->last[i]);
    case_close_list(out, 0, "-");
}

static void read_left(position state, struct text *out)
{
    case_add_number(out, state->left);
}

static void read_taken(position state, struct text *out)
{
    case_add_number(out, state->taken);
}

static void read_idle(position state, struct text *out)
{
    case_add_number(out, state->idle);
}

static void read_buys(position state, struct text *out)
{
    case_add_number(out, state->buys);
}

static void read_supply(position state, struct text *out)
{
    case_add_number(out, state->supply);
}

static void read_majors(position state, struct text *out)
{
    add_list(out, state->majors, SLOTS, achievement_name);
}

static void read_minors(position state, struct text *out)
{
    add_list(out, state->minors, SLOTS, achievement_name);
}

static void read_minor_deck(position state, struct text *out)
{
    add_list(out, state->minor_deck, state->minor_deck_count, achievement_name);
}

static void read_artifact_pile(position state, struct text *out)
{
    add_list(out, state->artifact_pile + state->artifact_next,
             (unsigned)(ARTIFACT_TILES - state->artifact_next), artifact_name);
}

static void read_waiting(position state, struct text *out)
{
    for (unsigned mineral = MINERALS; mineral-- > 0;)
        for (unsigned i = 0; i < state->waiting[mineral]; i++)
            case_add_word(out, mineral_name(mineral));
    case_close_list(out, 0, "-");
}

static void read_claimable(position state, struct text *out)
{
    add_achievements(out, motherload_claimable(state));
}

static void read_ending(position state, struct text *out)
{
    case_add_yes(out, state->ending);
}

static bool is_depth_in_play(position state, unsigned depth)
{
    return depth != 3 || state->seats > 2;
}

static void read_next_boards(position state, struct text *out)
{
    unsigned lowest =
        state->boards == 0 ? 0 : motherload_boards[state->board[state->boards - 1]].depth;
    for (unsigned depth = lowest + 1; depth <= DEPTHS; depth++)
        if (is_depth_in_play(state, depth) && state->side[depth - 1] != NONE)
            case_add_word(out, motherload_boards[2 * (depth - 1) + state->side[depth - 1]].name);
    case_close_list(out, 0, "-");
}

/* Keys about a seat. `rest` is what follows the seat. */

static void read_bought(position state, unsigned seat, struct text *out)
{
    for (unsigned color = 0; color < COLORS; color++)
        case_add_number(out, state->bought[seat][color]);
}

static void read_hand(position state, unsigned seat, struct text *out)
{
    add_counts(out, state->hand[seat], CARDS, card_name);
}

static void read_draw(position state, unsigned seat, struct text *out)
{
    add_list(out, state->pile[seat] + state->pile_next[seat], motherload_pile_size(state, seat),
             card_name);
}

static void read_discard(position state, unsigned seat, struct text *out)
{
    add_counts(out, state->discard[seat], CARDS, card_name);
}

static void read_bombs(position state, unsigned seat, struct text *out)
{
    case_add_number(out, state->bombs[seat]);
}

static void read_artifacts(position state, unsigned seat, struct text *out)
{
    add_counts(out, state->artifacts[seat], ARTIFACTS, artifact_name);
}

static void read_achievements(position state, unsigned seat, struct text *out)
{
    add_achievements(out, state->claimed[seat]);
}

static void read_deck(position state, unsigned seat, struct text *out)
{
    case_add_word(out, state->deck[seat] == NONE ? span_of("-")
                                                 : motherload_decks[state->deck[seat]].name);
}

static void read_reshuffles(position state, unsigned seat, struct text *out)
{
    case_add_number(out, state->reshuffles[seat]);
}

static const struct table_key {
    const char *key;
    void (*read)(position state, struct text *out);
} table_keys[] = {
    {"decision", read_decision},
    {"boards", read_boards},
    {"tunnels", read_tunnels},
    {"covered", read_covered},
    {"left", read_left},
    {"taken", read_taken},
    {"idle", read_idle},
    {"buys", read_buys},
    {"supply", read_supply},
    {"majors", read_majors},
    {"minors", read_minors},
    {"minor-deck", read_minor_deck},
    {"artifact-pile", read_artifact_pile},
    {"waiting", read_waiting},
    {"claimable", read_claimable},
    {"ending", read_ending},
    {"next-boards", read_next_boards},
};

static const struct seat_key {
    const char *key;
    void (*read)(position state, unsigned seat, struct text *out);
} seat_keys[] = {
    {"bought", read_bought},
    {"hand", read_hand},
    {"draw", read_draw},
    {"discard", read_discard},
    {"bombs", read_bombs},
    {"artifacts", read_artifacts},
    {"achievements", read_achievements},
    {"deck", read_deck},
    {"reshuffles", read_reshuffles},
};

static bool read_minerals(position state, unsigned seat, struct span rest, struct text *out)
{
    struct span word = span_word(&rest);
    uint8_t color = motherload_color_named(word);
    if (color == NONE)
        return false;
    case_add_word(out, word);
    add_counts(out, state->minerals[seat][color], MINERALS, mineral_name);
    return true;
}

static bool read_seat_key(position state, struct span key, struct span rest, struct text *out)
{
    uint8_t seat;
    if (!case_echo_seat(out, &rest, state->seats, &seat))
        return false;
    if (span_is(key, "minerals"))
        return read_minerals(state, seat, rest, out);
    for (size_t i = 0; i < sizeof seat_keys / sizeof seat_keys[0]; i++) {
        if (!span_is(key, seat_keys[i].key))
            continue;
        seat_keys[i].read(state, seat, out);
        return true;
    }
    return false;
}

bool motherload_read(const void *opaque, struct span key, struct span rest, struct text *actual)
{
    position state = opaque;
    for (size_t i = 0; i < sizeof table_keys / sizeof table_keys[0]; i++) {
        if (!span_is(key, table_keys[i].key))
            continue;
        table_keys[i].read(state, actual);
        return true;
    }
    return read_seat_key(state, key, rest, actual);
}
