/* All chance in the game is here: two piles, shuffled from the streams `deck` and `bag`. The order
 * of a pile can be fixed instead (chance_stack_find): the n-th shuffle of a stream is the stack
 * `deck`, `deck/2`, `deck/3` ..., after a rekey `deck/e1`, `deck/e1/2` .... */
#include "engine/games/shinjuku/piles.h"

#include <string.h>

#include "engine/game/told.h"
#include "engine/games/shinjuku/recall.h"

/* The fixed order of the deck's current shuffle, or NULL. */
static const struct chance_stack *find_deck(const struct shinjuku_state *state,
                                            const struct chance *chance)
{
    char bytes[CHANCE_NAME_MAX];
    struct text name = TEXT_OVER(bytes);
    text_add(&name, "deck");
    if (state->epoch > 0) {
        text_add(&name, "/e");
        text_add_number(&name, state->epoch);
    }
    if (state->deck_shuffles > 1) {
        text_add_char(&name, '/');
        text_add_number(&name, state->deck_shuffles);
    }
    return chance_stack_find(chance, bytes);
}

static size_t lay_out_cards(const uint8_t copies[static WARDS], uint8_t *ward_of, uint8_t *copy_of)
{
    size_t count = 0;
    for (uint8_t ward = 0; ward < WARDS; ward++) {
        for (uint8_t copy = 0; copy < copies[ward]; copy++) {
            ward_of[count] = ward;
            copy_of[count++] = copy;
        }
    }
    return count;
}

static void lay_out_all(const struct shinjuku_components *set, uint8_t *ward_of, uint8_t *copy_of)
{
    uint8_t copies[WARDS];
    for (unsigned ward = 0; ward < WARDS; ward++)
        copies[ward] = set->wards[ward].cards;
    size_t count = lay_out_cards(copies, ward_of, copy_of);
    assert(count == set->card_count);
    (void)count;
}

void shinjuku_build_deck(const struct shinjuku_components *set, struct shinjuku_state *state,
                         const uint8_t copies[static WARDS], const struct chance *chance)
{
    uint8_t ward_of[CARDS];
    uint8_t copy_of[CARDS];
    state->deck_shuffles++;
    state->deck_next = 0;
    memset(state->deck, 0, sizeof state->deck);
    const struct chance_stack *stack = find_deck(state, chance);
    if (stack != NULL) {
        state->deck_end = (uint8_t)lay_out_cards(copies, state->deck, copy_of);
        chance_stack_arrange(stack, state->deck, state->deck_end, NAMES(set->wards, WARDS));
        return;
    }
    lay_out_all(set, ward_of, copy_of);
    uint8_t card[CARDS];
    for (uint8_t i = 0; i < set->card_count; i++)
        card[i] = i;
    struct chance_stream stream;
    chance_open_epoch(&stream, chance, "deck", state->epoch, state->deck_words);
    chance_shuffle(&stream, card, set->card_count);
    state->deck_words = stream.next;
    state->deck_end = 0;
    for (unsigned i = 0; i < set->card_count; i++)
        if (copy_of[card[i]] < copies[ward_of[card[i]]])
            state->deck[state->deck_end++] = ward_of[card[i]];
}

/* Shuffles the rest of the bag, which is in canonical order. */
static void shuffle_bag(const struct shinjuku_components *set, struct shinjuku_state *state,
                        const struct chance *chance)
{
    (void)chance_arrange_or_shuffle(chance, "bag", state->epoch, state->bag + state->bag_next,
                                    (size_t)(state->bag_end - state->bag_next),
                                    NAMES(set->kinds, KINDS));
}

void shinjuku_fill_bag(const struct shinjuku_components *set, struct shinjuku_state *state,
                       const struct chance *chance)
{
    state->bag_next = 0;
    state->bag_end = 0;
    for (uint8_t kind = 0; kind < KINDS; kind++)
        for (unsigned i = 0; i < set->kinds[kind].count; i++)
            state->bag[state->bag_end++] = kind;
    shuffle_bag(set, state, chance);
}

static void need_card(const struct shinjuku_components *set, struct shinjuku_state *state,
                      const struct chance *chance)
{
    if (state->deck_next == state->deck_end) {
        shinjuku_recall_shuffled(state);
        shinjuku_build_deck(set, state, state->discard, chance);
        memset(state->discard, 0, sizeof state->discard);
        shinjuku_note(state, NOTE_SHUFFLED, 0, 0, 0);
    }
    assert(state->deck_next < state->deck_end);
}

uint8_t shinjuku_draw_card(const struct shinjuku_components *set, struct shinjuku_state *state,
                           const struct chance *chance)
{
    need_card(set, state, chance);
    return state->deck[state->deck_next++];
}

uint8_t shinjuku_turn_card_up(const struct shinjuku_components *set, struct shinjuku_state *state,
                              const struct chance *chance)
{
    need_card(set, state, chance);
    uint8_t *card = state->deck + state->deck_next;
    uint8_t told = told_draw(chance, "deck", card, (size_t)(state->deck_end - state->deck_next),
                             NAMES(set->wards, WARDS));
    if (told != TOLD_NONE && !shinjuku_exchange(state, card, told))
        told_refuse(chance);
    return state->deck[state->deck_next++];
}

uint8_t shinjuku_draw_customer(const struct shinjuku_components *set, struct shinjuku_state *state,
                               const struct chance *chance)
{
    assert(state->bag_next < state->bag_end);
    told_draw_here(chance, "bag", state->bag + state->bag_next,
                   (size_t)(state->bag_end - state->bag_next), NAMES(set->kinds, KINDS));
    return state->bag[state->bag_next++];
}

static unsigned queue_space_for(const struct shinjuku_state *state, uint8_t kind)
{
    unsigned single = 2u * GOOD_OF(kind);
    for (unsigned space = 0; space < QUEUE_SPACES; space++)
        if (state->queue[space][single] + state->queue[space][single + 1] > 0)
            return space;
    unsigned space = 0;
    while (shinjuku_customers(state->queue[space]) > 0) {
        space++;
        assert(space < QUEUE_SPACES); /* there are as many goods as spaces */
    }
    return space;
}

void shinjuku_queue_add(struct shinjuku_state *state, uint8_t kind)
{
    unsigned space = queue_space_for(state, kind);
    state->queue[space][kind]++;
    shinjuku_note(state, NOTE_QUEUED, space, kind, 0);
}

/* Sorts items by their indices. */
static void sort_items(uint8_t *items, size_t count)
{
    unsigned how_many[UINT8_MAX + 1] = {0};
    for (size_t i = 0; i < count; i++)
        how_many[items[i]]++;
    size_t at = 0;
    for (unsigned item = 0; item <= UINT8_MAX; item++)
        for (; how_many[item] > 0; how_many[item]--)
            items[at++] = (uint8_t)item;
}

void shinjuku_rekey(const struct game *game, void *opaque, unsigned epoch,
                    const struct chance *chance)
{
    struct shinjuku_state *state = opaque;
    const struct shinjuku_components *set = game->set;
    state->epoch = epoch;
    state->deck_shuffles = 1;
    uint8_t *cards = state->deck + state->deck_next;
    size_t count = (size_t)(state->deck_end - state->deck_next);
    sort_items(cards, count);
    state->deck_words =
        chance_arrange_or_shuffle(chance, "deck", epoch, cards, count, NAMES(set->wards, WARDS));
    sort_items(state->bag + state->bag_next, (size_t)(state->bag_end - state->bag_next));
    shuffle_bag(set, state, chance);
}

uint32_t shinjuku_drawn(const struct game *game, const void *opaque)
{
    const struct shinjuku_state *state = opaque;
    (void)game;
    return state->deck_shuffles * (CARDS + 1u) + state->deck_next + state->bag_next;
}
