/* All chance in the game is here. Each shuffle has a stream of its own, used from the beginning:
 * `artifacts`, `majors`, `minors`, `sides`, and `deck-<seat>-<k>` for the k-th shuffle of a seat's
 * cards. So a seat's luck does not depend on what the others do. */
#include "engine/games/super-motherload/piles.h"

#include <string.h>

#include "engine/game/told.h"
#include "engine/game/unseen.h"
#include "engine/games/super-motherload/notation.h"

enum { NAME_MAX = CHANCE_NAME_MAX };

static void throw_sides(const struct motherload_state *state, uint8_t side[static DEPTHS],
                        const struct chance *chance)
{
    const struct chance_stack *stack = chance_stack_find_epoch(chance, "sides", state->epoch);
    struct span items = stack == NULL ? span_of("") : stack->items;
    struct chance_stream words;
    chance_open_epoch(&words, chance, "sides", state->epoch, 0);
    for (unsigned i = 0; i < DEPTHS; i++)
        side[i] =
            stack == NULL ? (uint8_t)chance_uniform(&words, 2) : span_is(span_word(&items), "b");
}

void motherload_draw_sides(struct motherload_state *state, const struct chance *chance)
{
    throw_sides(state, state->side, chance);
}

uint8_t motherload_turn_board(struct motherload_state *state, unsigned depth,
                              const struct chance *chance)
{
    uint8_t *side = &state->side[depth - 1];
    struct span told;
    told_hear(chance, "side", span_of(*side == 1 ? "b" : "a"));
    if (told_take(chance, "side", &told)) {
        *side = span_is(told, "b");
        if (*side == 0 && !span_is(told, "a"))
            told_refuse(chance);
    }
    return *side;
}

void motherload_shuffle_artifacts(const struct motherload_components *set,
                                  struct motherload_state *state, const struct chance *chance)
{
    uint8_t *pile = state->artifact_pile;
    size_t count = 0;
    for (uint8_t artifact = 0; artifact < ARTIFACTS; artifact++)
        for (unsigned i = 0; i < set->artifacts[artifact].count; i++)
            pile[count++] = artifact;
    assert(count == ARTIFACT_TILES);
    state->artifact_next = 0;
    (void)chance_arrange_or_shuffle(chance, "artifacts", state->epoch, pile, count,
                                    NAMES(set->artifacts, ARTIFACTS));
}

static void deal_majors(const struct motherload_components *set, struct motherload_state *state,
                        const struct chance *chance)
{
    uint8_t majors[MAJORS];
    for (uint8_t i = 0; i < MAJORS; i++)
        majors[i] = (uint8_t)(MINORS + i);
    (void)chance_arrange_or_shuffle(chance, "majors", state->epoch, majors, MAJORS,
                                    NAMES(set->achievements, ACHIEVEMENTS));
    for (unsigned slot = 0; slot < SLOTS; slot++) {
        told_draw_here(chance, "majors", majors + slot, MAJORS - slot,
                       NAMES(set->achievements, ACHIEVEMENTS));
        state->majors[slot] = majors[slot];
    }
}

static void deal_minors(const struct motherload_components *set, struct motherload_state *state,
                        const struct chance *chance)
{
    for (uint8_t i = 0; i < MINORS; i++)
        state->minor_deck[i] = i;
    (void)chance_arrange_or_shuffle(chance, "minors", state->epoch, state->minor_deck, MINORS,
                                    NAMES(set->achievements, MINORS));
    state->minor_deck_count = MINORS;
    state->minor_deck_known = 0;
    for (unsigned slot = 0; slot < SLOTS; slot++)
        state->minors[slot] = motherload_take_minor(set, state, chance);
}

void motherload_deal_achievements(const struct motherload_components *set,
                                  struct motherload_state *state, const struct chance *chance)
{
    deal_majors(set, state, chance);
    deal_minors(set, state, chance);
}

uint8_t motherload_take_minor(const struct motherload_components *set,
                              struct motherload_state *state, const struct chance *chance)
{
    if (state->minor_deck_count == 0)
        return NONE;
    size_t unknown = (size_t)(state->minor_deck_count - state->minor_deck_known);
    if (unknown > 0)
        told_draw_here(chance, "minors", state->minor_deck, unknown,
                       NAMES(set->achievements, ACHIEVEMENTS));
    uint8_t top = state->minor_deck[0];
    state->minor_deck_count--;
    memmove(state->minor_deck, state->minor_deck + 1, state->minor_deck_count);
    state->minor_deck[state->minor_deck_count] = 0;
    if (state->minor_deck_known > state->minor_deck_count)
        state->minor_deck_known = state->minor_deck_count;
    return top;
}

void motherload_bury_minor(struct motherload_state *state, uint8_t minor)
{
    assert(state->minor_deck_count < MINORS);
    state->minor_deck[state->minor_deck_count++] = minor;
    state->minor_deck_known++;
}

static void deck_stream(struct text *name, unsigned seat, uint32_t shuffles)
{
    text_add(name, "deck-");
    text_add_number(name, seat);
    text_add_char(name, '-');
    text_add_number(name, shuffles);
}

/* Shuffles the draw pile, which is in canonical order, with the seat's current stream. */
static void shuffle_pile(const struct motherload_components *set, struct motherload_state *state,
                         unsigned seat, const struct chance *chance)
{
    char bytes[NAME_MAX];
    struct text stream = TEXT_OVER(bytes);
    deck_stream(&stream, seat, state->reshuffles[seat]);
    (void)chance_arrange_or_shuffle(chance, bytes, state->epoch,
                                    state->pile[seat] + state->pile_next[seat],
                                    motherload_pile_size(state, seat), NAMES(set->cards, CARDS));
}

/* Lays out `copies[c]` of each card c in canonical order. */
static void lay_out(struct motherload_state *state, unsigned seat,
                    const uint8_t copies[static CARDS])
{
    unsigned count = 0;
    memset(state->pile[seat], 0, CARDS_OF_A_SEAT);
    for (uint8_t card = 0; card < CARDS; card++)
        for (unsigned i = 0; i < copies[card]; i++)
            state->pile[seat][count++] = card;
    assert(count <= CARDS_OF_A_SEAT);
    state->pile_next[seat] = 0;
    state->pile_end[seat] = (uint8_t)count;
}

void motherload_shuffle_starters(const struct motherload_components *set,
                                 struct motherload_state *state, unsigned seat,
                                 const struct chance *chance)
{
    uint8_t copies[CARDS] = {0};
    for (unsigned color = 0; color < COLORS; color++)
        copies[CARD(color, 0)] = set->cards[CARD(color, 0)].count;
    lay_out(state, seat, copies);
    shuffle_pile(set, state, seat, chance);
}

static void reshuffle(const struct motherload_components *set, struct motherload_state *state,
                      unsigned seat, const struct chance *chance)
{
    state->reshuffles[seat]++;
    motherload_recall_shuffled(state, seat);
    lay_out(state, seat, state->discard[seat]);
    memset(state->discard[seat], 0, CARDS);
    shuffle_pile(set, state, seat, chance);
    motherload_note(state, NOTE_SHUFFLED, seat, 0);
}

void motherload_draw(const struct motherload_components *set, struct motherload_state *state,
                     unsigned seat, unsigned count, const struct chance *chance)
{
    for (; count > 0; count--) {
        if (!motherload_can_draw(state, seat))
            return;
        if (motherload_pile_size(state, seat) == 0)
            reshuffle(set, state, seat, chance);
        uint8_t card = state->pile[seat][state->pile_next[seat]++];
        state->hand[seat][card]++;
        motherload_note(state, NOTE_DRAWN, seat, card);
    }
}

void motherload_take_token(struct motherload_state *state)
{
    if (state->supply == 0)
        return;
    state->supply--;
    state->bombs[state->active]++;
    motherload_note(state, NOTE_TOKEN, 0, 0);
}

void motherload_take_artifact(struct motherload_state *state)
{
    if (state->artifact_next == ARTIFACT_TILES)
        return;
    uint8_t artifact = state->artifact_pile[state->artifact_next++];
    state->artifacts[state->active][artifact]++;
    motherload_note(state, NOTE_FOUND, artifact, 0);
}

/* Sorts items by their indices. */
static void sort_items(uint8_t *items, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        uint8_t item = items[i];
        size_t at = i;
        for (; at > 0 && items[at - 1] > item; at--)
            items[at] = items[at - 1];
        items[at] = item;
    }
}

/* Sides of boards that have not been on the table. */
static void rekey_sides(const struct motherload_components *set, struct motherload_state *state,
                        const struct chance *chance)
{
    uint8_t side[DEPTHS];
    throw_sides(state, side, chance);
    unsigned seen = set->boards[state->board[state->boards - 1]].depth;
    for (unsigned depth = seen; depth < DEPTHS; depth++)
        state->side[depth] = side[depth];
}

void motherload_rekey(const struct game *game, void *opaque, unsigned epoch,
                      const struct chance *chance)
{
    struct motherload_state *state = opaque;
    const struct motherload_components *set = game->set;
    state->epoch = epoch;
    if (state->sides_drawn)
        rekey_sides(set, state, chance);
    uint8_t *artifacts = state->artifact_pile + state->artifact_next;
    size_t tiles = (size_t)(ARTIFACT_TILES - state->artifact_next);
    sort_items(artifacts, tiles);
    (void)chance_arrange_or_shuffle(chance, "artifacts", state->epoch, artifacts, tiles,
                                    NAMES(set->artifacts, ARTIFACTS));
    size_t unknown = (size_t)(state->minor_deck_count - state->minor_deck_known);
    sort_items(state->minor_deck, unknown);
    (void)chance_arrange_or_shuffle(chance, "minors", state->epoch, state->minor_deck, unknown,
                                    NAMES(set->achievements, MINORS));
    for (unsigned seat = 0; seat < state->seats; seat++) {
        sort_items(state->pile[seat] + state->pile_next[seat], motherload_pile_size(state, seat));
        shuffle_pile(set, state, seat, chance);
    }
}

/* Unseen minor achievements become fewer; one that is put under the deck has been seen. */
uint32_t motherload_drawn(const struct game *game, const void *opaque)
{
    const struct motherload_state *state = opaque;
    const struct motherload_components *set = game->set;
    uint32_t unseen_minors = (uint32_t)(state->minor_deck_count - state->minor_deck_known);
    uint32_t drawn = state->artifact_next + (MINORS - unseen_minors);
    if (state->boards > 0)
        drawn += set->boards[state->board[state->boards - 1]].depth;
    for (unsigned seat = 0; seat < state->seats; seat++)
        drawn += state->reshuffles[seat] * (CARDS_OF_A_SEAT + 1u) + state->pile_next[seat];
    return drawn;
}

/* ---- What seats remember, and deals that agree with it ---- */

void motherload_recall_taken(struct motherload_state *state, unsigned seat, unsigned card)
{
    state->known[seat][card]++;
}

void motherload_recall_left(struct motherload_state *state, unsigned card, unsigned count)
{
    uint8_t *known = &state->known[state->active][card];
    *known = (uint8_t)(*known > count ? *known - count : 0);
}

void motherload_recall_shuffled(struct motherload_state *state, unsigned seat)
{
    memcpy(state->known[seat], state->hand[seat], CARDS);
}

static bool is_hidden(const struct motherload_state *state, struct viewer viewer, unsigned seat)
{
    return state->point != AT_OVER && viewer.kind != VIEWER_AUDITOR &&
           (viewer.kind != VIEWER_SEAT || viewer.seat != seat);
}

/* The seat's draw pile, and its hand if that is hidden. */
static void imagine_cards(struct motherload_state *state, unsigned seat, bool hidden,
                          struct chance_stream *stream)
{
    struct unseen unseen;
    unsigned held = 0;
    uint8_t *pile = state->pile[seat] + state->pile_next[seat];
    size_t count = motherload_pile_size(state, seat);
    unseen_init(&unseen, stream);
    unseen_add_pile(&unseen, pile, count);
    for (uint8_t card = 0; hidden && card < CARDS; card++) {
        unsigned copies = (unsigned)(state->hand[seat][card] - state->known[seat][card]);
        unseen_add(&unseen, card, copies);
        held += copies;
        state->hand[seat][card] = state->known[seat][card];
    }
    unseen_shuffle(&unseen);
    unseen_deal_counts(&unseen, state->hand[seat], held);
    unseen_deal_pile(&unseen, pile, count);
    memset(state->pile[seat], 0, state->pile_next[seat]);
}

static void imagine_artifacts(struct motherload_state *state, struct viewer viewer,
                              struct chance_stream *stream)
{
    struct unseen unseen;
    unsigned held[SEATS_MAX] = {0};
    uint8_t *pile = state->artifact_pile + state->artifact_next;
    size_t count = (size_t)(ARTIFACT_TILES - state->artifact_next);
    unseen_init(&unseen, stream);
    unseen_add_pile(&unseen, pile, count);
    for (unsigned seat = 0; seat < state->seats; seat++) {
        uint8_t *tiles = state->artifacts[seat];
        if (!is_hidden(state, viewer, seat))
            continue;
        held[seat] = motherload_artifacts_held(state, seat);
        for (uint8_t artifact = 0; artifact < ARTIFACTS; artifact++)
            unseen_add(&unseen, artifact, tiles[artifact]);
        memset(tiles, 0, ARTIFACTS);
    }
    unseen_shuffle(&unseen);
    for (unsigned seat = 0; seat < state->seats; seat++)
        unseen_deal_counts(&unseen, state->artifacts[seat], held[seat]);
    unseen_deal_pile(&unseen, pile, count);
    memset(state->artifact_pile, 0, state->artifact_next);
}

/* Sides of boards that have not been on the table. Two players skip depth 3: that board is never
 * seen, and its side is of no account. */
static void imagine_sides(const struct motherload_components *set, struct motherload_state *state,
                          struct chance_stream *stream)
{
    unsigned seen = state->boards == 0 ? 0 : set->boards[state->board[state->boards - 1]].depth;
    for (unsigned depth = seen; state->sides_drawn && depth < DEPTHS; depth++)
        state->side[depth] = (uint8_t)chance_uniform(stream, 2);
    if (state->sides_drawn && state->seats == 2 && seen == DEPTHS)
        state->side[2] = 0;
}

void motherload_imagine(const struct game *game, void *opaque, struct viewer viewer,
                        const struct chance *chance)
{
    struct motherload_state *state = opaque;
    const struct motherload_components *set = game->set;
    struct chance_stream stream;
    unseen_open(&stream, chance);
    imagine_sides(set, state, &stream);
    for (unsigned seat = 0; seat < state->seats; seat++)
        imagine_cards(state, seat, is_hidden(state, viewer, seat), &stream);
    imagine_artifacts(state, viewer, &stream);
    unseen_shuffle_pile(&stream, state->minor_deck,
                        (size_t)(state->minor_deck_count - state->minor_deck_known));
    memset(state->note, 0, sizeof state->note);
    state->notes = 0;
}

/* ---- Luck that is told ---- */

/* A seat's unseen cards are in its hand and its draw pile. */
static void bring_cards(struct motherload_state *state, unsigned seat,
                        const uint8_t need[static CARDS])
{
    uint8_t *hand = state->hand[seat];
    uint8_t *pile = state->pile[seat] + state->pile_next[seat];
    size_t count = motherload_pile_size(state, seat);
    for (uint8_t card = 0; card < CARDS; card++)
        while (hand[card] < need[card]) {
            uint8_t *found = count == 0 ? NULL : memchr(pile, card, count);
            uint8_t other = 0;
            while (other < CARDS &&
                   (hand[other] <= need[other] || hand[other] <= state->known[seat][other]))
                other++;
            if (found == NULL || other == CARDS)
                return;
            *found = other;
            hand[other]--;
            hand[card]++;
        }
}

/* The artifacts that seats hold, and those in the pile, are unseen. */
static void bring_artifact(struct motherload_state *state, unsigned seat, uint8_t artifact)
{
    uint8_t *held = state->artifacts[seat];
    uint8_t other = 0;
    while (other < ARTIFACTS && held[other] == 0)
        other++;
    if (held[artifact] > 0 || other == ARTIFACTS)
        return;
    uint8_t *pile = state->artifact_pile + state->artifact_next;
    size_t count = (size_t)(ARTIFACT_TILES - state->artifact_next);
    uint8_t *from = count == 0 ? NULL : memchr(pile, artifact, count);
    unsigned holder = 0;
    if (from != NULL) {
        *from = other;
    } else {
        while (holder < state->seats && state->artifacts[holder][artifact] == 0)
            holder++;
        if (holder == state->seats)
            return;
        state->artifacts[holder][artifact]--;
        state->artifacts[holder][other]++;
    }
    held[other]--;
    held[artifact]++;
}

void motherload_fit(const struct game *game, void *opaque, unsigned seat, struct span text,
                    const struct chance *chance)
{
    struct motherload_state *state = opaque;
    const struct motherload_components *set = game->set;
    struct motherload_move move = {0};
    struct refusal refusal;
    uint8_t need[CARDS] = {0};
    if (told_listens(chance) || state->point == AT_OVER || seat != state->active ||
        !motherload_read_move(set, text, &move, &refusal))
        return;
    if (move.verb == VERB_ARTIFACT)
        bring_artifact(state, seat, move.artifact);
    else if (move.verb == VERB_BUY && move.recruit)
        bring_artifact(state, seat, RECRUIT);
    else if (move.verb == VERB_BOMB || move.verb == VERB_DISCARD)
        need[move.card] = 1;
    else if (move.verb == VERB_DRILL)
        memcpy(need, move.cards, sizeof need);
    bring_cards(state, seat, need);
}

/* All tiles that nobody has seen, those of the seats first. */
static size_t list_artifacts(const struct motherload_state *state,
                             uint8_t tile[static ARTIFACT_TILES])
{
    size_t count = 0;
    for (unsigned seat = 0; seat < state->seats; seat++)
        for (uint8_t artifact = 0; artifact < ARTIFACTS; artifact++)
            for (unsigned i = 0; i < state->artifacts[seat][artifact]; i++)
                tile[count++] = artifact;
    for (unsigned i = state->artifact_next; i < ARTIFACT_TILES; i++)
        tile[count++] = state->artifact_pile[i];
    return count;
}

void motherload_show(const struct game *game, void *opaque, const struct chance *chance)
{
    struct motherload_state *state = opaque;
    const struct motherload_components *set = game->set;
    uint8_t tile[ARTIFACT_TILES];
    size_t count = list_artifacts(state, tile);
    size_t at = 0;
    for (unsigned seat = 0; seat < state->seats; seat++) {
        char place[TOLD_WORD_MAX + 1];
        unsigned held = motherload_artifacts_held(state, seat);
        told_seat_place(place, "artifacts", seat);
        memset(state->artifacts[seat], 0, ARTIFACTS);
        for (; held > 0; held--) {
            told_draw_here(chance, place, tile + at, count - at, NAMES(set->artifacts, ARTIFACTS));
            state->artifacts[seat][tile[at++]]++;
        }
    }
    for (unsigned i = state->artifact_next; i < ARTIFACT_TILES; i++)
        state->artifact_pile[i] = tile[at++];
}
