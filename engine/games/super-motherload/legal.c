/* Every legal move, generated in byte order without sorting: verbs, colors, cards and names are
 * each walked in the byte order of their texts. The fallback move is the first move of such a walk,
 * so the same code finds it with a list that stops at one. */
#include <string.h>

#include "engine/games/super-motherload/map.h"
#include "engine/games/super-motherload/rules.h"

/* The destination of moves: a list, a text for the first one, or somebody who wants no texts. */
struct offer {
    const struct motherload_state *state;
    struct move_list *list;
    struct text *first;      /* NULL: all moves */
    motherload_visit *visit; /* NULL: moves are texts */
    void *context;
};

static bool is_done(const struct offer *offer)
{
    return offer->first != NULL && offer->first->length > 0;
}

static void add(const struct offer *offer, const struct motherload_move *move, struct span text)
{
    if (offer->visit != NULL)
        offer->visit(offer->context, move);
    else if (offer->first == NULL)
        move_list_add(offer->list, text);
    else if (!is_done(offer))
        text_add_span(offer->first, text);
}

/* A move of up to three words. */
static void add_words(const struct offer *offer, const struct motherload_move *move,
                      const char *verb, struct span word, struct span last)
{
    char bytes[GAME_MOVE_MAX + 1];
    struct text text = TEXT_OVER(bytes);
    if (offer->visit == NULL) {
        text_add(&text, verb);
        text_add_char(&text, ' ');
        text_add_span(&text, word);
        if (last.length > 0) {
            text_add_char(&text, ' ');
            text_add_span(&text, last);
        }
    }
    add(offer, move, text_span(&text));
}

static const struct span no_word = {"", 0};

static void add_sides(const struct offer *offer)
{
    add(offer, &(struct motherload_move){.verb = VERB_SIDE, .side = 0}, span_of("side a"));
    add(offer, &(struct motherload_move){.verb = VERB_SIDE, .side = 1}, span_of("side b"));
}

static void add_decks(const struct motherload_components *set, const struct offer *offer)
{
    uint32_t decks = motherload_free_decks(offer->state);
    for (unsigned i = 0; i < DECKS; i++) {
        uint8_t deck = set->decks_in_byte_order[i];
        if ((decks >> deck & 1) != 0)
            add_words(offer, &(struct motherload_move){.verb = VERB_DECK, .deck = deck}, "deck",
                      set->decks[deck].name, no_word);
    }
}

/* `verb STACK` for each of `stacks`; `move` is such a move without its stack. */
static void add_stacks(const struct motherload_components *set, const struct offer *offer,
                       struct motherload_move move, const char *verb, uint32_t stacks)
{
    for (unsigned i = 0; i < COLORS; i++) {
        uint8_t color = set->colors_in_byte_order[i];
        move.color = color;
        if ((stacks >> color & 1) != 0)
            add_words(offer, &move, verb, set->colors[color], no_word);
    }
}

/* `verb MINERAL STACK` for each mineral on a stack of the seat. */
static void add_copies(const struct motherload_components *set, const struct offer *offer,
                       struct motherload_move move, const char *verb, uint32_t stacks)
{
    for (unsigned i = 0; i < MINERALS; i++) {
        uint8_t mineral = set->minerals_in_byte_order[i];
        if (!motherload_has_mineral(offer->state, mineral))
            continue;
        for (unsigned j = 0; j < COLORS; j++) {
            uint8_t color = set->colors_in_byte_order[j];
            move.mineral = mineral;
            move.color = color;
            if ((stacks >> color & 1) != 0)
                add_words(offer, &move, verb, set->minerals[mineral].name, set->colors[color]);
        }
    }
}

static void add_artifact(const struct motherload_components *set, const struct offer *offer,
                         uint8_t artifact)
{
    const struct motherload_state *state = offer->state;
    const struct motherload_move move = {.verb = VERB_ARTIFACT, .artifact = artifact};
    bool can_draw = motherload_can_draw(state, state->active);
    uint32_t stacks = 0;
    for (unsigned color = 0; color < COLORS; color++)
        stacks |= (uint32_t)motherload_stack_left(state, state->active, color) << color;
    switch (artifact) {
    case BOMB_DRAW:
        if (can_draw || state->supply > 0)
            add(offer, &move, span_of("artifact bomb-draw"));
        return;
    case COPY:
        add_copies(set, offer, move, "artifact copy", stacks);
        return;
    case DRAW_TWO:
        if (can_draw)
            add(offer, &move, span_of("artifact draw-two"));
        return;
    case EXTRA_ACTION:
        add(offer, &move, span_of("artifact extra-action"));
        return;
    case GOLD_DRAW:
        add_stacks(set, offer, move, "artifact gold-draw", stacks);
        return;
    case PLATINUM_TILE:
        add_stacks(set, offer, move, "artifact platinum", stacks);
        return;
    default:
        return;
    }
}

static void add_artifacts(const struct motherload_components *set, const struct offer *offer)
{
    const uint8_t *held = offer->state->artifacts[offer->state->active];
    for (unsigned i = 0; i < ARTIFACTS; i++)
        if (held[set->artifacts_in_byte_order[i]] > 0)
            add_artifact(set, offer, set->artifacts_in_byte_order[i]);
}

static void add_bombs(const struct motherload_components *set, const struct offer *offer)
{
    const struct motherload_state *state = offer->state;
    if (state->bombs[state->active] == 0)
        return;
    for (unsigned tier = 0; tier < TIERS; tier++) {
        uint8_t card = CARD(RED, tier);
        if (state->hand[state->active][card] == 0)
            continue;
        uint8_t pattern = motherload_feature_of(set, state, state->active, card)->pattern;
        struct motherload_act act = {.kind = ACT_BOMB, .pattern = pattern};
        if (motherload_count_places(set, state, &act, 1) > 0)
            add_words(offer, &(struct motherload_move){.verb = VERB_BOMB, .card = card}, "bomb",
                      set->cards[card].name, no_word);
    }
}

static void add_claims(const struct motherload_components *set, const struct offer *offer)
{
    uint32_t claimable = motherload_claimable(offer->state);
    for (unsigned i = 0; claimable != 0 && i < ACHIEVEMENTS; i++) {
        uint8_t achievement = set->achievements_in_byte_order[i];
        if ((claimable >> achievement & 1) != 0)
            add_words(offer,
                      &(struct motherload_move){.verb = VERB_CLAIM, .achievement = achievement},
                      "claim", set->achievements[achievement].name, no_word);
    }
}

/* Drills of one declared color: the cards that can be played, and their reach. */
struct drills {
    const struct offer *offer;
    uint8_t color;
    uint8_t kinds;
    uint8_t card[2 * TIERS]; /* in byte order */
    uint8_t held[2 * TIERS];
    uint8_t bonus[2 * TIERS]; /* bit of the bonus, if it changes the possible places of tunnels */
    uint8_t longest[1 << DRILL_BONUSES]; /* line for a set of bonuses; NONE = not known yet */
};

static unsigned longest(const struct motherload_components *set, struct drills *drills,
                        unsigned bonuses)
{
    if (drills->longest[bonuses] != NONE)
        return drills->longest[bonuses];
    struct motherload_act act = {
        .kind = ACT_DRILL, .color = drills->color, .bonuses = (uint8_t)bonuses, .pattern = NONE};
    struct motherload_ground ground;
    motherload_survey(set, drills->offer->state, &act, &ground);
    drills->longest[bonuses] = (uint8_t)motherload_longest_line(&ground, COLUMNS + MAP_ROWS);
    return drills->longest[bonuses];
}

static void gather_cards(const struct motherload_components *set, struct drills *drills,
                         uint8_t color)
{
    static const uint8_t changes_place = 1u << CORNER | 1u << ROCK;
    const struct motherload_state *state = drills->offer->state;
    for (unsigned tier = 0; tier < TIERS; tier++) {
        uint8_t card = CARD(color, tier);
        uint8_t held = state->hand[state->active][card];
        if (held == 0)
            continue;
        uint8_t bonus = motherload_feature_of(set, state, state->active, card)->drill;
        drills->card[drills->kinds] = card;
        drills->held[drills->kinds] = held;
        drills->bonus[drills->kinds] = (uint8_t)(bonus == NONE ? 0 : (1u << bonus & changes_place));
        drills->kinds++;
    }
}

/* A drill being put together. */
struct draft {
    unsigned length;
    unsigned bonuses;
    uint8_t used[2 * TIERS];
    struct motherload_move move;
    struct text *text;
};

/* A move names its cards in canonical order; wild is last there, but `w` comes before `y`. */
static bool may_follow(const struct drills *drills, unsigned before, unsigned next)
{
    return drills->card[next] >= drills->card[before];
}

/* Adds every drill that begins with the cards of the draft, the last of which is `before`. Depth is
 * bounded by the 14 icons that fit a line. */
static void add_longer_drills(const struct motherload_components *set, struct drills *drills,
                              struct draft *draft, unsigned before)
{
    for (unsigned i = 0; i < drills->kinds; i++) {
        unsigned icons = set->cards[drills->card[i]].icons;
        if (draft->used[i] == drills->held[i] || draft->length + icons > TUNNEL_MAX ||
            (draft->length > 0 && !may_follow(drills, before, i)))
            continue;
        size_t end = draft->text->length;
        unsigned bonuses = draft->bonuses;
        if (drills->offer->visit == NULL) {
            text_add_char(draft->text, ' ');
            text_add_span(draft->text, set->cards[drills->card[i]].name);
        }
        draft->move.cards[drills->card[i]]++;
        draft->used[i]++;
        draft->length += icons;
        draft->bonuses |= drills->bonus[i];
        if (draft->length <= longest(set, drills, draft->bonuses))
            add(drills->offer, &draft->move, text_span(draft->text));
        add_longer_drills(set, drills, draft, i);
        draft->bonuses = bonuses;
        draft->length -= icons;
        draft->used[i]--;
        draft->move.cards[drills->card[i]]--;
        draft->text->length = end;
    }
}

static void add_drills(const struct motherload_components *set, const struct offer *offer,
                       uint8_t color)
{
    struct drills drills = {.offer = offer, .color = color};
    memset(drills.longest, NONE, sizeof drills.longest);
    bool wild_first = set->colors[WILD].at[0] < set->colors[color].at[0];
    gather_cards(set, &drills, wild_first ? WILD : color);
    gather_cards(set, &drills, wild_first ? color : WILD);
    char bytes[GAME_MOVE_MAX + 1];
    struct text text = TEXT_OVER(bytes);
    text_add(&text, "drill ");
    text_add_span(&text, set->colors[color]);
    struct draft draft = {.move = {.verb = VERB_DRILL, .color = color}, .text = &text};
    add_longer_drills(set, &drills, &draft, 0);
}

static void add_main(const struct motherload_components *set, const struct offer *offer)
{
    const struct motherload_state *state = offer->state;
    add_artifacts(set, offer);
    if (state->left > 0)
        add_bombs(set, offer);
    add_claims(set, offer);
    if (state->left > 0 && motherload_can_draw(state, state->active))
        add(offer, &(struct motherload_move){.verb = VERB_DRAW}, span_of("draw"));
    for (unsigned i = 0; state->left > 0 && i < COLORS; i++)
        if (set->colors_in_byte_order[i] < DRILL_COLORS)
            add_drills(set, offer, set->colors_in_byte_order[i]);
    add(offer, &(struct motherload_move){.verb = VERB_END}, span_of("end"));
}

static void add_swaps(const struct motherload_components *set, const struct offer *offer)
{
    uint32_t face_up = motherload_face_up(offer->state);
    for (unsigned i = 0; i < ACHIEVEMENTS; i++) {
        uint8_t achievement = set->achievements_in_byte_order[i];
        if (achievement < MINORS && (face_up >> achievement & 1) != 0)
            add_words(offer,
                      &(struct motherload_move){.verb = VERB_SWAP, .achievement = achievement},
                      "swap", set->achievements[achievement].name, no_word);
    }
}

/* Every place for the act's tunnel. */
struct places {
    const struct motherload_act *act;
    unsigned orientations;
    struct motherload_rows anchors[ORIENTATIONS_MAX];
};

static void add_places_at(const struct motherload_components *set, const struct offer *offer,
                          const struct places *places, unsigned row, unsigned column)
{
    const struct motherload_board *board = motherload_board_of(set, offer->state, row);
    struct motherload_move move = {.verb = VERB_PLACE,
                                   .depth = board->depth,
                                   .row = (uint8_t)(row % ROWS),
                                   .column = (uint8_t)column};
    char text[] = "place 1a1 o0";
    size_t length = sizeof text - 1;
    text[6] = (char)('0' + board->depth);
    text[7] = (char)('a' + column);
    text[8] = (char)('1' + row % ROWS);
    for (unsigned i = 0; i < places->orientations; i++) {
        if ((places->anchors[i].row[row] >> column & 1) == 0)
            continue;
        if (places->act->kind == ACT_BOMB) {
            move.orientation = (uint8_t)i;
            text[11] = (char)('0' + i);
        } else {
            move.orientation = places->act->length == 1 ? NO_ORIENTATION : i == 0 ? ACROSS : DOWN;
            text[10] = i == 0 ? 'h' : 'v';
            length = places->act->length > 1 ? 11 : 9;
        }
        add(offer, &move, (struct span){text, length});
    }
}

static void add_places(const struct motherload_components *set, const struct offer *offer)
{
    const struct motherload_state *state = offer->state;
    struct places places = {.act = &state->act,
                            .orientations = motherload_orientations(set, &state->act)};
    struct motherload_ground ground;
    struct motherload_rows any = {{0}};
    motherload_survey(set, state, &state->act, &ground);
    for (unsigned i = 0; i < places.orientations; i++) {
        motherload_anchors(set, &ground, &state->act, i, &places.anchors[i]);
        for (unsigned row = 0; row < MAP_ROWS; row++)
            any.row[row] |= places.anchors[i].row[row];
    }
    for (unsigned board = 0; board < state->boards; board++)
        for (unsigned column = 0; column < COLUMNS; column++)
            for (unsigned row = board * ROWS; row < (board + 1) * ROWS; row++)
                if ((any.row[row] >> column & 1) != 0 && !is_done(offer))
                    add_places_at(set, offer, &places, row, column);
}

static void add_purchases(const struct motherload_components *set, const struct offer *offer,
                          bool recruits)
{
    const struct motherload_state *state = offer->state;
    unsigned seat = state->active;
    for (unsigned i = 0; i < COLORS; i++) {
        uint8_t color = set->colors_in_byte_order[i];
        if (!motherload_is_due(set, state, color))
            continue;
        struct motherload_move move = {.verb = VERB_BUY, .color = color};
        add_words(offer, &move, "buy", set->colors[color], no_word);
        move.recruit = 1;
        uint8_t card = motherload_top_card(state, seat, color);
        if (recruits && state->artifacts[seat][RECRUIT] > 0 &&
            motherload_feature_of(set, state, seat, card)->buy != BUY_TO_HAND)
            add_words(offer, &move, "buy", set->colors[color], set->artifacts[RECRUIT].name);
    }
}

static void add_discards(const struct motherload_components *set, const struct offer *offer)
{
    const uint8_t *hand = offer->state->hand[offer->state->active];
    for (unsigned i = 0; i < COLORS; i++) {
        uint8_t color = set->colors_in_byte_order[i];
        for (unsigned tier = 0; tier < TIERS; tier++) {
            const uint8_t card = CARD(color, tier);
            if (hand[card] > 0)
                add_words(offer, &(struct motherload_move){.verb = VERB_DISCARD, .card = card},
                          "discard", set->cards[card].name, no_word);
        }
    }
}

static void add_moves(const struct motherload_components *set, const struct offer *offer)
{
    switch ((enum point)offer->state->point) {
    case AT_SIDE_1:
    case AT_SIDE:
        add_sides(offer);
        return;
    case AT_DECK:
        add_decks(set, offer);
        return;
    case AT_MAIN:
        add_main(set, offer);
        return;
    case AT_SWAP:
        add_swaps(set, offer);
        return;
    case AT_PLACE:
        add_places(set, offer);
        return;
    case AT_PUT:
        add_stacks(set, offer, (struct motherload_move){.verb = VERB_PUT}, "put",
                   motherload_put_stacks(offer->state));
        return;
    case AT_BUY:
        add_artifacts(set, offer);
        add_purchases(set, offer, true);
        return;
    case AT_COPY:
        add_copies(set, offer, (struct motherload_move){.verb = VERB_COPY}, "copy",
                   motherload_copy_stacks(offer->state));
        return;
    case AT_TRIM:
        add_discards(set, offer);
        return;
    default:
        return;
    }
}

void motherload_legal(const struct game *game, const void *opaque, unsigned seat,
                      struct move_list *list)
{
    const struct motherload_state *state = opaque;
    const struct motherload_components *set = game->set;
    if (state->point == AT_OVER || seat != state->active)
        return;
    struct offer offer = {.state = state, .list = list};
    add_moves(set, &offer);
}

void motherload_visit_moves(const struct motherload_components *set,
                            const struct motherload_state *state, motherload_visit *visit,
                            void *context)
{
    struct offer offer = {.state = state, .visit = visit, .context = context};
    add_moves(set, &offer);
}

void motherload_fallback(const struct game *game, const void *opaque, unsigned seat,
                         struct text *move)
{
    const struct motherload_state *state = opaque;
    const struct motherload_components *set = game->set;
    assert(seat == state->active && state->point < AT_OVER);
    (void)seat;
    char bytes[GAME_MOVE_MAX + 1];
    struct text first = TEXT_OVER(bytes);
    struct offer offer = {.state = state, .first = &first};
    if (state->point == AT_MAIN)
        add(&offer, &(struct motherload_move){.verb = VERB_END}, span_of("end"));
    else if (state->point == AT_BUY)
        add_purchases(set, &offer, false);
    else
        add_moves(set, &offer);
    text_add_span(move, text_span(&first));
}
