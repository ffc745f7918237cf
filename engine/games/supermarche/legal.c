/* Every legal move, generated in byte order without sorting: foods and boxes are walked in the byte
 * order of their names, and `done` and `none` have their places between them. */
#include "engine/games/supermarche/rules.h"

/* Numbers as written, in byte order; no purchase or move is larger than CUBES. */
static const struct {
    uint8_t value;
    struct span word;
} numbers[] = {
    {1, SPAN_LITERAL("1")}, {10, SPAN_LITERAL("10")}, {2, SPAN_LITERAL("2")},
    {3, SPAN_LITERAL("3")}, {4, SPAN_LITERAL("4")},   {5, SPAN_LITERAL("5")},
    {6, SPAN_LITERAL("6")}, {7, SPAN_LITERAL("7")},   {8, SPAN_LITERAL("8")},
    {9, SPAN_LITERAL("9")},
};

/* `stem` with every number up to `most`. */
static void add_numbers(struct move_list *list, struct text *stem, unsigned most)
{
    size_t length = stem->length;
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        if (numbers[i].value > most)
            continue;
        text_add_span(stem, numbers[i].word);
        move_list_add(list, text_span(stem));
        stem->length = length;
    }
}

static void write_words(struct text *move, const char *verb, struct span name)
{
    text_add(move, verb);
    text_add_span(move, name);
}

static void add_purchases(const struct supermarche_components *set,
                          const struct supermarche_state *state, struct move_list *list)
{
    for (unsigned i = 0; i < FOODS; i++) {
        uint8_t food = set->foods_in_byte_order[i];
        char bytes[GAME_MOVE_MAX + 1];
        struct text move = TEXT_OVER(bytes);
        if (food == DRY_GOODS) /* `done` comes before it */
            move_list_add(list, span_of("buy done"));
        write_words(&move, "buy ", set->foods[food].name);
        text_add_char(&move, ' ');
        add_numbers(list, &move, supermarche_buy_max(set, state, food));
    }
}

static bool may_end_stocking(const struct supermarche_state *state)
{
    return state->point == AT_STOCKING || state->next_pair > 0;
}

static void add_moves_of_food(const struct supermarche_components *set,
                              const struct supermarche_state *state, unsigned food,
                              struct move_list *list)
{
    char bytes[GAME_MOVE_MAX + 1];
    struct text move = TEXT_OVER(bytes);
    write_words(&move, "stock ", set->foods[food].name);
    text_add_char(&move, ' ');
    size_t length = move.length;
    for (unsigned i = 0; i < BOXES; i++) {
        uint8_t box = set->boxes_in_byte_order[i];
        unsigned most = supermarche_move_max(state, food, box);
        if (most == 0)
            continue;
        text_add_span(&move, set->boxes[box].name);
        text_add_char(&move, ' ');
        add_numbers(list, &move, most);
        move.length = length;
    }
}

static void add_stocking(const struct supermarche_components *set,
                         const struct supermarche_state *state, struct move_list *list)
{
    for (unsigned i = 0; i < FOODS; i++) {
        uint8_t food = set->foods_in_byte_order[i];
        if (food == DRY_GOODS && may_end_stocking(state))
            move_list_add(list, span_of("stock done"));
        add_moves_of_food(set, state, food, list);
    }
}

static void write_sale(const struct supermarche_components *set, struct text *move, unsigned food)
{
    write_words(move, "sale ", set->foods[food].name);
}

static void add_sales(const struct supermarche_components *set,
                      const struct supermarche_state *state, struct move_list *list)
{
    for (unsigned i = 0; i < FOODS; i++) {
        uint8_t food = set->foods_in_byte_order[i];
        if (food == PRODUCE && supermarche_may_skip_sale(state)) /* `none` comes before it */
            move_list_add(list, span_of("sale none"));
        if ((state->sales >> food & 1) != 0)
            continue;
        char bytes[GAME_MOVE_MAX + 1];
        struct text move = TEXT_OVER(bytes);
        write_sale(set, &move, food);
        move_list_add(list, text_span(&move));
    }
}

static void write_serve(const struct supermarche_components *set,
                        const struct supermarche_state *state, struct text *move, unsigned position)
{
    unsigned customer = supermarche_customer_at(state, position);
    write_words(move, "serve ", set->customers[customer].name);
}

static void add_customers(const struct supermarche_components *set,
                          const struct supermarche_state *state, struct move_list *list)
{
    for (unsigned position = 0; position < ROW; position++) {
        if (state->row[position] != CARD_UP)
            continue;
        char bytes[GAME_MOVE_MAX + 1];
        struct text move = TEXT_OVER(bytes);
        write_serve(set, state, &move, position);
        move_list_add(list, text_span(&move));
    }
    move_list_sort(list);
}

static void add_pair(struct move_list *list, const char *first, const char *second)
{
    move_list_add(list, span_of(first));
    move_list_add(list, span_of(second));
}

void supermarche_legal(const struct game *game, const void *opaque, unsigned seat,
                       struct move_list *list)
{
    const struct supermarche_state *state = opaque;
    const struct supermarche_components *set = game->set;
    if (seat != 0)
        return;
    if (state->point == AT_DELIVERY)
        add_purchases(set, state, list);
    else if (state->point == AT_STOCKING || state->point == AT_RESTOCK)
        add_stocking(set, state, list);
    else if (state->point == AT_SALE)
        add_sales(set, state, list);
    else if (state->point == AT_CHOOSE)
        add_customers(set, state, list);
    else if (state->point == AT_INITIAL)
        add_pair(list, "initial skip", "initial take");
    else if (state->point == AT_ROLL)
        add_pair(list, "restock", "roll");
    else if (state->point == AT_PAY)
        add_pair(list, "pay coupon", "pay normal");
    else if (state->point == AT_BETWEEN)
        add_pair(list, "next", "restock");
}

/* The first cube in byte order of foods and boxes. */
static void write_one_cube(const struct supermarche_components *set,
                           const struct supermarche_state *state, struct text *move)
{
    for (unsigned i = 0; i < PAIRS; i++) {
        uint8_t food = set->foods_in_byte_order[i / BOXES];
        uint8_t box = set->boxes_in_byte_order[i % BOXES];
        if (supermarche_move_max(state, food, box) == 0)
            continue;
        write_words(move, "stock ", set->foods[food].name);
        write_words(move, " ", set->boxes[box].name);
        text_add(move, " 1");
        return;
    }
}

static void write_first_sale(const struct supermarche_components *set,
                             const struct supermarche_state *state, struct text *move)
{
    unsigned i = 0;
    while ((state->sales >> set->foods_in_byte_order[i] & 1) != 0)
        i++;
    write_sale(set, move, set->foods_in_byte_order[i]);
}

void supermarche_fallback(const struct game *game, const void *opaque, unsigned seat,
                          struct text *move)
{
    const struct supermarche_components *set = game->set;
    static const char *const quiet[] = {
        [AT_DELIVERY] = "buy done",    [AT_STOCKING] = "stock done", [AT_SALE] = "sale none",
        [AT_INITIAL] = "initial skip", [AT_ROLL] = "roll",           [AT_PAY] = "pay normal",
        [AT_BETWEEN] = "next",         [AT_RESTOCK] = "stock done"};
    const struct supermarche_state *state = opaque;
    assert(seat == 0 && state->point < AT_OVER);
    (void)seat;
    if (state->point == AT_CHOOSE)
        write_serve(set, state, move, supermarche_first_card(state, CARD_UP));
    else if (state->point == AT_RESTOCK && !may_end_stocking(state))
        write_one_cube(set, state, move);
    else if (state->point == AT_SALE && !supermarche_may_skip_sale(state))
        write_first_sale(set, state, move);
    else
        text_add(move, quiet[state->point]);
}
