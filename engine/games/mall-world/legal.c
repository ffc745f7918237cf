/* Every legal move, generated in byte order; and the fallback move of an absent seat. */
#include "engine/games/mall-world/rules.h"
#include "engine/games/mall-world/turn.h"

#include <string.h>

/* A move being written: the text is cut back to a length to write the next move. */
struct writer {
    struct move_list *list;
    struct text move;
    char bytes[GAME_MOVE_MAX + 1];
};

static size_t begin(struct writer *writer, const char *words)
{
    text_clear(&writer->move);
    text_add(&writer->move, words);
    return writer->move.length;
}

static void cut(struct writer *writer, size_t length)
{
    writer->move.length = length;
    writer->move.at[length] = '\0';
}

static void add_word(struct writer *writer, struct span word)
{
    text_add_char(&writer->move, ' ');
    text_add_span(&writer->move, word);
}

static void add(struct writer *writer)
{
    move_list_add(writer->list, text_span(&writer->move));
}

static void list_simple(struct writer *writer, const char *move)
{
    begin(writer, move);
    add(writer);
}

static void list_accept(const struct mall_world_components *set,
                        const struct mall_world_state *state, struct writer *writer)
{
    if (mall_world_hand_size(state, state->active) < HAND_MAX) {
        size_t stem = begin(writer, "accept");
        for (unsigned i = 0; i < ORDERS; i++) {
            uint8_t order = set->orders_in_byte_order[i];
            if (mall_world_site_of(state, order) == NONE)
                continue;
            cut(writer, stem);
            add_word(writer, set->orders[order].name);
            add(writer);
        }
    }
    list_simple(writer, "pass");
}

static void list_bribes(const struct mall_world_components *set,
                        const struct mall_world_state *state, struct writer *writer)
{
    size_t stem = writer->move.length;
    for (unsigned i = 0; i < BRIBES; i++) {
        uint8_t bribe = set->bribes_in_byte_order[i];
        if (state->bribes[bribe] == 0)
            continue;
        cut(writer, stem);
        text_add(&writer->move, " bribe ");
        text_add_number(&writer->move, set->bribe_value[bribe]);
        add(writer);
    }
}

static void list_confirm(const struct mall_world_components *set,
                         const struct mall_world_state *state, struct writer *writer)
{
    if (state->confirm_made)
        return;
    size_t stem = begin(writer, "confirm");
    for (unsigned i = 0; i < ORDERS; i++) {
        uint8_t order = set->orders_in_byte_order[i];
        if ((state->held[state->active] >> order & 1) == 0)
            continue;
        cut(writer, stem);
        add_word(writer, set->orders[order].name);
        list_bribes(set, state, writer);
    }
}

/* Cards that lists are made of, in card order. */
struct choice {
    unsigned count;
    uint8_t card[DECK];
};

static void add_choice(struct choice *choice, uint8_t card, unsigned copies, unsigned useful)
{
    for (unsigned i = 0; i < copies && i < useful; i++)
        choice->card[choice->count++] = card;
}

/* Extends the move so far by one card of choice[from ..], up to `more` cards in all: each list is
 * followed at once by those that begin with it. Recursion ends at OFFER_MAX cards. */
static void list_cards(const struct mall_world_components *set, struct writer *writer,
                       const struct choice *choice, unsigned from, unsigned more, bool alone)
{
    size_t stem = writer->move.length;
    for (unsigned i = from; i < choice->count && more > 0; i++) {
        if (i > from && choice->card[i - 1] == choice->card[i])
            continue;
        cut(writer, stem);
        add_word(writer, set->cards[choice->card[i]].name);
        if (alone)
            add(writer);
        list_cards(set, writer, choice, i + 1, more - 1, true);
    }
}

static void list_offer(const struct mall_world_components *set,
                       const struct mall_world_state *state, struct writer *writer)
{
    struct choice choice = {.count = 0};
    if (state->offer_made)
        return;
    for (uint8_t card = 0; card < CARDS; card++)
        if (state->hand[state->active][card] > 0 && mall_world_is_realizable(set, state, card))
            add_choice(&choice, card, state->hand[state->active][card], OFFER_MAX);
    begin(writer, "offer");
    list_cards(set, writer, &choice, 0, OFFER_MAX, state->coins[state->active] >= SINGLE_CARD_FEE);
}

static void list_progress(const struct mall_world_components *set,
                          const struct mall_world_state *state, struct writer *writer)
{
    list_confirm(set, state, writer);
    list_offer(set, state, writer);
    if (mall_world_may_pass(set, state))
        list_simple(writer, "pass");
}

/* 0, then each first digit with the numbers that begin with it: 1, 10, 11 ... 19, 2, 20 .... */
static void list_bids(const struct mall_world_state *state, unsigned seat, struct writer *writer)
{
    unsigned most = state->coins[seat];
    size_t stem = begin(writer, "bid ");
    text_add_char(&writer->move, '0');
    add(writer);
    for (unsigned digit = 1; digit <= 9 && digit <= most; digit++) {
        cut(writer, stem);
        text_add_number(&writer->move, digit);
        add(writer);
        for (unsigned bid = digit * 10; bid < digit * 10 + 10 && bid <= most; bid++) {
            cut(writer, stem);
            text_add_number(&writer->move, bid);
            add(writer);
        }
    }
}

/* `... <what> <room>` for each room, in byte order. */
static void list_rooms(const struct mall_world_components *set, struct writer *writer, size_t stem,
                       const char *words, struct span what, rooms sites)
{
    if (sites == 0)
        return;
    cut(writer, stem);
    text_add(&writer->move, words);
    add_word(writer, what);
    size_t length = writer->move.length;
    for (unsigned i = 0; i < ROOMS; i++) {
        uint8_t square = set->squares_in_byte_order[i];
        if ((sites >> square & 1) == 0)
            continue;
        cut(writer, length);
        add_word(writer, mall_world_room_name(set, square));
        add(writer);
    }
}

/* The rooms where the card allows a chip of the group. A group stands for one chain store of a
 * card. */
static rooms sites_for_group(const struct mall_world_components *set,
                             const struct mall_world_state *state,
                             const struct mall_world_card *card, unsigned group)
{
    rooms sites = 0;
    for (unsigned i = 0; i < card->chain_count; i++)
        if (set->chains[card->chain[i]].group == group)
            sites |= mall_world_letting_sites(set, state, card->chain[i]);
    return sites;
}

static void list_realizations(const struct mall_world_components *set,
                              const struct mall_world_state *state, struct writer *writer)
{
    for (unsigned i = 0; i < CARDS; i++) {
        if (state->offer[i] == 0)
            continue;
        const struct mall_world_card *card = &set->cards[i];
        begin(writer, "realize");
        add_word(writer, card->name);
        size_t stem = writer->move.length;
        for (unsigned which = 0; which < mall_world_card_uses(set, i); which++)
            list_rooms(set, writer, stem, " build", mall_world_uses[card->use[which]],
                       mall_world_building_sites(set, state, i, which));
        for (unsigned j = 0; j < GROUPS; j++) {
            uint8_t group = mall_world_groups_in_byte_order[j];
            list_rooms(set, writer, stem, " rent", mall_world_groups[group],
                       sites_for_group(set, state, card, group));
        }
    }
}

static void list_remove(const struct mall_world_components *set,
                        const struct mall_world_state *state, struct writer *writer)
{
    size_t stem = begin(writer, "remove");
    for (unsigned card = 0; card < CARDS; card++) {
        if (state->hand[state->active][card] == 0 || mall_world_is_usable(set, state, card))
            continue;
        cut(writer, stem);
        add_word(writer, set->cards[card].name);
        add(writer);
    }
}

static void list_take(const struct mall_world_components *set, const struct mall_world_state *state,
                      struct writer *writer)
{
    unsigned space = HAND_MAX - mall_world_hand_size(state, state->active);
    struct choice choice = {.count = 0};
    for (uint8_t card = 0; card < CARDS; card++)
        add_choice(&choice, card, state->display[card], TAKE_MAX);
    begin(writer, "take");
    list_cards(set, writer, &choice, 0, space < TAKE_MAX ? space : TAKE_MAX, true);
}

static void list_supply(const struct mall_world_components *set,
                        const struct mall_world_state *state, struct writer *writer)
{
    list_simple(writer, "done");
    if (state->coins[state->active] >= REFRESH_COST && mall_world_has_cards(state))
        list_simple(writer, "refresh");
    list_remove(set, state, writer);
    list_take(set, state, writer);
}

void mall_world_legal(const struct game *game, const void *opaque, unsigned seat,
                      struct move_list *list)
{
    const struct mall_world_state *state = opaque;
    const struct mall_world_components *set = game->set;
    struct writer writer = {.list = list};
    if (seat >= state->seats || (mall_world_deciders(state) >> seat & 1) == 0)
        return;
    writer.move = TEXT_OVER(writer.bytes);
    switch (state->point) {
    case AT_ACCEPT:
        list_accept(set, state, &writer);
        break;
    case AT_PROGRESS:
        list_progress(set, state, &writer);
        break;
    case AT_BID:
        list_bids(state, seat, &writer);
        break;
    case AT_REALIZE:
        list_realizations(set, state, &writer);
        break;
    default:
        list_supply(set, state, &writer);
        break;
    }
}

/* ---- The fallback move ---- */

/* The shorter move comes first: one card if a coin can pay for it, otherwise two. */
static void add_first_offer(const struct mall_world_components *set,
                            const struct mall_world_state *state, struct text *move)
{
    unsigned wanted = state->coins[state->active] >= SINGLE_CARD_FEE ? 1 : 2;
    text_add(move, "offer");
    for (unsigned card = 0; card < CARDS && wanted > 0; card++) {
        if (!mall_world_is_realizable(set, state, card))
            continue;
        for (unsigned i = 0; i < state->hand[state->active][card] && wanted > 0; i++, wanted--) {
            text_add_char(move, ' ');
            text_add_span(move, set->cards[card].name);
        }
    }
}

static void add_first_confirmation(const struct mall_world_components *set,
                                   const struct mall_world_state *state, struct text *move)
{
    unsigned i = 0;
    unsigned bribe = 0;
    while ((state->held[state->active] >> set->orders_in_byte_order[i] & 1) == 0)
        i++;
    while (state->bribes[bribe] == 0)
        bribe++;
    text_add(move, "confirm ");
    text_add_span(move, set->orders[set->orders_in_byte_order[i]].name);
    text_add(move, " bribe ");
    text_add_number(move, set->bribe_value[bribe]);
}

static void add_fallback_progress(const struct mall_world_components *set,
                                  const struct mall_world_state *state, struct text *move)
{
    if (mall_world_may_pass(set, state))
        text_add(move, "pass");
    else if (mall_world_can_offer(set, state))
        add_first_offer(set, state, move);
    else
        add_first_confirmation(set, state, move);
}

static void add_realization(const struct mall_world_components *set, struct text *move,
                            struct span card, const char *how, struct span what, rooms sites)
{
    unsigned i = 0;
    while ((sites >> set->squares_in_byte_order[i] & 1) == 0)
        i++;
    text_add(move, "realize ");
    text_add_span(move, card);
    text_add(move, how);
    text_add_span(move, what);
    text_add_char(move, ' ');
    text_add_span(move, mall_world_room_name(set, set->squares_in_byte_order[i]));
}

/* False if the card cannot be realised. */
static bool add_first_realization(const struct mall_world_components *set,
                                  const struct mall_world_state *state, unsigned index,
                                  struct text *move)
{
    const struct mall_world_card *card = &set->cards[index];
    for (unsigned which = 0; which < mall_world_card_uses(set, index); which++) {
        rooms sites = mall_world_building_sites(set, state, index, which);
        if (sites != 0) {
            add_realization(set, move, card->name, " build ", mall_world_uses[card->use[which]],
                            sites);
            return true;
        }
    }
    for (unsigned j = 0; j < GROUPS; j++) {
        uint8_t group = mall_world_groups_in_byte_order[j];
        rooms sites = sites_for_group(set, state, card, group);
        if (sites != 0) {
            add_realization(set, move, card->name, " rent ", mall_world_groups[group], sites);
            return true;
        }
    }
    return false;
}

void mall_world_fallback(const struct game *game, const void *opaque, unsigned seat,
                         struct text *move)
{
    const struct mall_world_state *state = opaque;
    const struct mall_world_components *set = game->set;
    (void)seat; /* several seats decide only at BID, and their fallback move is the same */
    switch (state->point) {
    case AT_ACCEPT:
        text_add(move, "pass");
        break;
    case AT_PROGRESS:
        add_fallback_progress(set, state, move);
        break;
    case AT_BID:
        text_add(move, "bid 0");
        break;
    case AT_REALIZE:
        for (unsigned card = 0; card < CARDS; card++)
            if (state->offer[card] > 0 && add_first_realization(set, state, card, move))
                break;
        break;
    default:
        text_add(move, "done");
        break;
    }
}
