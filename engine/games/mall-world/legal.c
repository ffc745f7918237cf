/* Every legal move, generated in byte order; and the fallback move of an absent seat. */
#include "engine/games/mall-world/rules.h"
#include "engine/games/mall-world/turn.h"

#include <string.h>

/* A list of moves that is being made. */
struct options {
    struct mall_world_option *list;
    size_t count;
};

static void add(struct options *options, enum verb verb, unsigned ids, const uint8_t *id)
{
    assert(options->count < LEGAL_MAX);
    struct mall_world_option *option = &options->list[options->count++];
    *option = (struct mall_world_option){(uint8_t)verb, (uint8_t)ids, {0}};
    for (unsigned i = 0; i < ids && i < MOVE_IDS_MAX; i++)
        option->id[i] = id[i];
}

static void add_one(struct options *options, enum verb verb, unsigned id)
{
    add(options, verb, 1, &(const uint8_t){(uint8_t)id});
}

static void add_plain(struct options *options, enum verb verb)
{
    add(options, verb, 0, NULL);
}

static void list_accept(const struct mall_world_components *set,
                        const struct mall_world_state *state, struct options *options)
{
    if (mall_world_hand_size(state, state->active) < HAND_MAX) {
        for (unsigned i = 0; i < ORDERS; i++) {
            uint8_t order = set->orders_in_byte_order[i];
            if (mall_world_site_of(state, order) != NONE)
                add_one(options, VERB_ACCEPT, order);
        }
    }
    add_plain(options, VERB_PASS);
}

static void list_confirm(const struct mall_world_components *set,
                         const struct mall_world_state *state, struct options *options)
{
    const uint32_t held = state->held[state->active];
    if (state->confirm_made)
        return;
    for (unsigned i = 0; i < ORDERS; i++) {
        const uint8_t order = set->orders_in_byte_order[i];
        for (unsigned j = 0; (held >> order & 1) != 0 && j < BRIBES; j++) {
            const uint8_t id[] = {order, set->bribes_in_byte_order[j]};
            if (state->bribes[id[1]] > 0)
                add(options, VERB_CONFIRM, 2, id);
        }
    }
}

/* Cards that lists are made of, in card order. */
struct choice {
    enum verb verb;
    unsigned count;
    uint8_t card[DECK];
    uint8_t named[MOVE_IDS_MAX]; /* so far */
};

static void add_choice(struct choice *choice, uint8_t card, unsigned copies, unsigned useful)
{
    for (unsigned i = 0; i < copies && i < useful; i++)
        choice->card[choice->count++] = card;
}

/* Extends the `named` cards by one card of choice[from ..], up to `most` cards in all: each list is
 * followed at once by those that begin with it. */
static void list_cards(struct options *options, struct choice *choice, unsigned named,
                       unsigned from, unsigned most, bool alone)
{
    if (named >= most || named >= MOVE_IDS_MAX)
        return;
    for (unsigned i = from; i < choice->count; i++) {
        if (i > from && choice->card[i - 1] == choice->card[i])
            continue;
        choice->named[named] = choice->card[i];
        if (alone)
            add(options, choice->verb, named + 1, choice->named);
        list_cards(options, choice, named + 1, i + 1, most, true);
    }
}

static void list_offer(const struct mall_world_components *set,
                       const struct mall_world_state *state, struct options *options)
{
    struct choice choice = {.verb = VERB_OFFER, .count = 0};
    if (state->offer_made)
        return;
    for (uint8_t card = 0; card < CARDS; card++)
        if (state->hand[state->active][card] > 0 && mall_world_is_realizable(set, state, card))
            add_choice(&choice, card, state->hand[state->active][card], OFFER_MAX);
    list_cards(options, &choice, 0, 0, OFFER_MAX, state->coins[state->active] >= SINGLE_CARD_FEE);
}

static void list_progress(const struct mall_world_components *set,
                          const struct mall_world_state *state, struct options *options)
{
    list_confirm(set, state, options);
    list_offer(set, state, options);
    if (mall_world_may_pass(set, state))
        add_plain(options, VERB_PASS);
}

/* 0, then each first digit with the numbers that begin with it: 1, 10, 11 ... 19, 2, 20 .... */
static void list_bids(const struct mall_world_state *state, unsigned seat, struct options *options)
{
    unsigned most = state->coins[seat];
    add_one(options, VERB_BID, 0);
    for (unsigned digit = 1; digit <= 9 && digit <= most; digit++) {
        add_one(options, VERB_BID, digit);
        for (unsigned bid = digit * 10; bid < digit * 10 + 10 && bid <= most; bid++)
            add_one(options, VERB_BID, bid);
    }
}

static void list_rooms(const struct mall_world_components *set, struct options *options,
                       enum verb verb, unsigned card, unsigned what, rooms sites)
{
    for (unsigned i = 0; sites != 0 && i < ROOMS; i++) {
        const uint8_t id[] = {(uint8_t)card, (uint8_t)what, set->squares_in_byte_order[i]};
        if ((sites >> id[2] & 1) == 0)
            continue;
        add(options, verb, 3, id);
        sites &= ~mall_world_room(id[2]);
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
                              const struct mall_world_state *state, struct options *options)
{
    for (unsigned i = 0; i < CARDS; i++) {
        if (state->offer[i] == 0)
            continue;
        const struct mall_world_card *card = &set->cards[i];
        for (unsigned which = 0; which < mall_world_card_uses(set, i); which++)
            list_rooms(set, options, VERB_BUILD, i, card->use[which],
                       mall_world_building_sites(set, state, i, which));
        for (unsigned j = 0; j < GROUPS; j++) {
            uint8_t group = mall_world_groups_in_byte_order[j];
            list_rooms(set, options, VERB_RENT, i, group, sites_for_group(set, state, card, group));
        }
    }
}

static void list_supply(const struct mall_world_components *set,
                        const struct mall_world_state *state, struct options *options)
{
    unsigned space = HAND_MAX - mall_world_hand_size(state, state->active);
    struct choice choice = {.verb = VERB_TAKE, .count = 0};
    add_plain(options, VERB_DONE);
    if (state->coins[state->active] >= REFRESH_COST && mall_world_has_cards(state))
        add_plain(options, VERB_REFRESH);
    for (unsigned card = 0; card < CARDS; card++)
        if (state->hand[state->active][card] > 0 && !mall_world_is_usable(set, state, card))
            add_one(options, VERB_REMOVE, card);
    for (uint8_t card = 0; card < CARDS; card++)
        add_choice(&choice, card, state->display[card], TAKE_MAX);
    list_cards(options, &choice, 0, 0, space < TAKE_MAX ? space : TAKE_MAX, true);
}

size_t mall_world_list_options(const struct mall_world_components *set,
                               const struct mall_world_state *state, unsigned seat,
                               struct mall_world_option list[static LEGAL_MAX])
{
    struct options options = {list, 0};
    if (seat >= state->seats || (mall_world_deciders(state) >> seat & 1) == 0)
        return 0;
    switch (state->point) {
    case AT_ACCEPT:
        list_accept(set, state, &options);
        break;
    case AT_PROGRESS:
        list_progress(set, state, &options);
        break;
    case AT_BID:
        list_bids(state, seat, &options);
        break;
    case AT_REALIZE:
        list_realizations(set, state, &options);
        break;
    default:
        list_supply(set, state, &options);
        break;
    }
    return options.count;
}

/* ---- Moves as text ---- */

static void add_word(struct text *move, struct span word)
{
    text_add_char(move, ' ');
    text_add_span(move, word);
}

static void write_option(const struct mall_world_components *set,
                         const struct mall_world_option *option, struct text *move)
{
    static const char *const words[] = {
        [VERB_ACCEPT] = "accept",   [VERB_PASS] = "pass",     [VERB_OFFER] = "offer",
        [VERB_CONFIRM] = "confirm", [VERB_BID] = "bid ",      [VERB_BUILD] = "realize",
        [VERB_RENT] = "realize",    [VERB_REMOVE] = "remove", [VERB_REFRESH] = "refresh",
        [VERB_TAKE] = "take",       [VERB_DONE] = "done"};
    text_add(move, words[option->verb]);
    switch ((enum verb)option->verb) {
    case VERB_ACCEPT:
        add_word(move, set->orders[option->id[0]].name);
        break;
    case VERB_CONFIRM:
        add_word(move, set->orders[option->id[0]].name);
        text_add(move, " bribe ");
        text_add_number(move, set->bribe_value[option->id[1]]);
        break;
    case VERB_BID:
        text_add_number(move, option->id[0]);
        break;
    case VERB_BUILD:
    case VERB_RENT:
        add_word(move, set->cards[option->id[0]].name);
        text_add(move, option->verb == VERB_BUILD ? " build" : " rent");
        add_word(move,
                 (option->verb == VERB_BUILD ? mall_world_uses : mall_world_groups)[option->id[1]]);
        add_word(move, mall_world_room_name(set, option->id[2]));
        break;
    case VERB_OFFER:
    case VERB_TAKE:
    case VERB_REMOVE:
        for (unsigned i = 0; i < option->ids; i++)
            add_word(move, set->cards[option->id[i]].name);
        break;
    case VERB_PASS:
    case VERB_REFRESH:
    case VERB_DONE:
        break;
    }
}

void mall_world_legal(const struct game *game, const void *state, unsigned seat,
                      struct move_list *list)
{
    const struct mall_world_components *set = game->set;
    struct mall_world_option options[LEGAL_MAX];
    const size_t count = mall_world_list_options(set, state, seat, options);
    for (size_t i = 0; i < count; i++) {
        char bytes[GAME_MOVE_MAX + 1];
        struct text move = TEXT_OVER(bytes);
        write_option(set, &options[i], &move);
        move_list_add(list, text_span(&move));
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
