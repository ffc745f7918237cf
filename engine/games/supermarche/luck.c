#include "engine/games/supermarche/luck.h"

#include <string.h>

#include "engine/game/told.h"
#include "engine/game/unseen.h"
#include "engine/games/supermarche/rules.h"

/* Streams: `costs` and `customers` for the two shuffles, `dice-<customer>` for all rolls of one
 * customer, so that no decision affects the luck of another customer. Each can be fixed instead
 * (chance_stack_find): the cards by their names, rolls as `3,4 6,3`. */

enum { SIDES = 6 };

void supermarche_shuffle(const struct supermarche_components *set, struct supermarche_state *state,
                         const struct chance *chance)
{
    for (unsigned i = 0; i < COST_CARDS; i++)
        state->costs[i] = (uint8_t)i;
    for (unsigned i = 0; i < CUSTOMERS; i++)
        state->deck[i] = (uint8_t)i;
    (void)chance_arrange_or_shuffle(chance, "costs", 0, state->costs, COST_CARDS,
                                    NAMES(set->cost_cards, COST_CARDS));
    (void)chance_arrange_or_shuffle(chance, "customers", 0, state->deck, CUSTOMERS,
                                    NAMES(set->customers, CUSTOMERS));
}

/* Reads roll `number` of `rolls`, which looks like `3,4 6,3`. */
static bool read_roll(struct span rolls, unsigned number, uint8_t dice[static DICE])
{
    struct span roll = span_word(&rolls);
    for (; number > 0; number--)
        roll = span_word(&rolls);
    if (roll.length != 3 || roll.at[1] != ',' || roll.at[0] < '1' || roll.at[0] > '6' ||
        roll.at[2] < '1' || roll.at[2] > '6')
        return false;
    dice[0] = (uint8_t)(roll.at[0] - '0');
    dice[1] = (uint8_t)(roll.at[2] - '0');
    return true;
}

/* `3,4` is a component of the place `dice`. */
static void tell_dice(uint8_t dice[static DICE], const struct chance *chance)
{
    char thrown[] = {(char)('0' + dice[0]), ',', (char)('0' + dice[1]), '\0'};
    struct span told;
    told_hear(chance, "dice", span_of(thrown));
    if (told_take(chance, "dice", &told) && !read_roll(told, 0, dice))
        told_refuse(chance);
}

void supermarche_drop_dice(struct supermarche_state *state)
{
    memset(state->ahead, 0, sizeof state->ahead);
    state->dice_ahead = 0;
}

static uint8_t throw_die(struct chance_stream *words)
{
    return (uint8_t)(1 + chance_uniform(words, SIDES));
}

/* Throws both dice, and those of later rolls of the same customer, as to open a stream takes much
 * longer than to read on in it. */
static void throw_dice(struct supermarche_state *state, const struct chance *chance,
                       const char *name, uint8_t *used)
{
    struct chance_stream words;
    chance_open_epoch(&words, chance, name, state->epoch, *used);
    for (unsigned i = 0; i < DICE; i++)
        state->dice[i] = throw_die(&words);
    const uint32_t next = words.next;
    assert(next <= UINT8_MAX); /* at most five rolls; one word in 2^30 is discarded */
    *used = (uint8_t)next;
    for (unsigned i = 0; i < DICE_AHEAD; i++)
        state->ahead[i] = throw_die(&words);
    state->dice_ahead = DICE_AHEAD;
    if (words.next != next + DICE_AHEAD) /* a word was discarded: each die must have its own */
        supermarche_drop_dice(state);
}

static void take_dice_ahead(struct supermarche_state *state, uint8_t *used)
{
    memcpy(state->dice, state->ahead + (DICE_AHEAD - state->dice_ahead), DICE);
    state->dice_ahead = (uint8_t)(state->dice_ahead - DICE);
    *used = (uint8_t)(*used + DICE);
}

bool supermarche_roll(const struct supermarche_components *set, struct supermarche_state *state,
                      const struct chance *chance)
{
    unsigned customer = supermarche_customer_at(state, state->shopper);
    const char *name = set->customers[customer].stream;
    uint8_t *used = &state->dice_words[customer];
    const struct chance_stack *stack = state->epoch == 0 ? chance_stack_find(chance, name) : NULL;
    if (stack != NULL) {
        bool fixed = read_roll(stack->items, *used / DICE, state->dice);
        *used = (uint8_t)(*used + (fixed ? DICE : 0));
        return fixed;
    }
    if (state->dice_ahead > 0)
        take_dice_ahead(state, used);
    else
        throw_dice(state, chance, name, used);
    tell_dice(state->dice, chance);
    return true;
}

static void sort(uint8_t *items, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        uint8_t item = items[i];
        size_t at = i;
        for (; at > 0 && items[at - 1] > item; at--)
            items[at] = items[at - 1];
        items[at] = item;
    }
}

/* True if nobody has seen deck[i]: it is in the deck or face down, or was discarded. Discarded
 * cards are turned up at the end. */
static bool is_unseen(const struct supermarche_state *state, unsigned i)
{
    unsigned first = (unsigned)ROW * (state->round - 1u);
    if ((state->discarded >> i & 1) != 0)
        return state->point != AT_OVER;
    return i >= first + ROW || (i >= first && state->row[i - first] == CARD_DOWN);
}

/* The unseen customers, and their places in the deck. */
static size_t list_unseen(const struct supermarche_state *state, uint8_t place[static CUSTOMERS],
                          uint8_t unseen[static CUSTOMERS])
{
    size_t count = 0;
    for (unsigned i = 0; i < CUSTOMERS; i++) {
        if (!is_unseen(state, i))
            continue;
        place[count] = (uint8_t)i;
        unseen[count++] = state->deck[i];
    }
    return count;
}

/* All that nobody has seen may be in each other's place, discarded customers as well. */
void supermarche_turn_customer_up(const struct supermarche_components *set,
                                  struct supermarche_state *state, unsigned position,
                                  const struct chance *chance)
{
    uint8_t place[CUSTOMERS];
    uint8_t unseen[CUSTOMERS];
    if (chance == NULL || chance->told == NULL)
        return;
    size_t count = list_unseen(state, place, unseen);
    size_t at = 0;
    while (place[at] != (unsigned)ROW * (state->round - 1u) + position)
        at++;
    uint8_t first = unseen[at];
    unseen[at] = unseen[0];
    unseen[0] = first;
    told_draw_here(chance, "customers", unseen, count, NAMES(set->customers, CUSTOMERS));
    first = unseen[0];
    unseen[0] = unseen[at];
    unseen[at] = first;
    for (size_t i = 0; i < count; i++)
        state->deck[place[i]] = unseen[i];
}

void supermarche_turn_cost_up(const struct supermarche_components *set,
                              struct supermarche_state *state, const struct chance *chance)
{
    unsigned at = state->round - 1u;
    told_draw_here(chance, "costs", state->costs + at, COST_CARDS - at,
                   NAMES(set->cost_cards, COST_CARDS));
}

static void redeal_customers(const struct supermarche_components *set,
                             struct supermarche_state *state, const struct chance *chance)
{
    uint8_t place[CUSTOMERS];
    uint8_t unseen[CUSTOMERS];
    size_t count = list_unseen(state, place, unseen);
    sort(unseen, count);
    (void)chance_arrange_or_shuffle(chance, "customers", state->epoch, unseen, count,
                                    NAMES(set->customers, CUSTOMERS));
    for (size_t i = 0; i < count; i++)
        state->deck[place[i]] = unseen[i];
}

void supermarche_rekey(const struct game *game, void *opaque, unsigned epoch,
                       const struct chance *chance)
{
    struct supermarche_state *state = opaque;
    const struct supermarche_components *set = game->set;
    state->epoch = epoch;
    memset(state->dice_words, 0, sizeof state->dice_words);
    supermarche_drop_dice(state);
    redeal_customers(set, state, chance);
    uint8_t *costs = state->costs + state->round;
    size_t count = (size_t)(COST_CARDS - state->round);
    sort(costs, count);
    (void)chance_arrange_or_shuffle(chance, "costs", epoch, costs, count,
                                    NAMES(set->cost_cards, COST_CARDS));
}

void supermarche_imagine(const struct game *game, void *opaque, struct viewer viewer,
                         const struct chance *chance)
{
    struct supermarche_state *state = opaque;
    (void)game;
    struct chance_stream stream;
    uint8_t place[CUSTOMERS];
    uint8_t unseen[CUSTOMERS];
    (void)viewer; /* what the only seat does not know, nobody knows */
    unseen_open(&stream, chance);
    size_t count = list_unseen(state, place, unseen);
    unseen_shuffle_pile(&stream, unseen, count);
    for (size_t i = 0; i < count; i++)
        state->deck[place[i]] = unseen[i];
    unseen_shuffle_pile(&stream, state->costs + state->round, (size_t)(COST_CARDS - state->round));
    supermarche_drop_dice(state);
    memset(state->dice_words, 0, sizeof state->dice_words);
    memset(state->note, 0, sizeof state->note);
    state->notes = 0;
}

/* Each round turns up more cards than lay open in the round before; the end turns up the discarded
 * ones. */
uint32_t supermarche_drawn(const struct game *game, const void *opaque)
{
    const struct supermarche_state *state = opaque;
    (void)game;
    uint32_t drawn = state->round * (ROW + 1u) + (state->point == AT_OVER);
    for (unsigned position = 0; position < ROW; position++)
        drawn += state->row[position] != CARD_DOWN && state->row[position] != CARD_DISCARDED;
    for (unsigned customer = 0; customer < CUSTOMERS; customer++)
        drawn += state->dice_words[customer];
    return drawn;
}
