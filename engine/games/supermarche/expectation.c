/* Expectations of worked cases: each key writes what would have to stand there to be true.
 * tests/cases/supermarche/README.md explains them. */
#include "engine/case_reader.h"
#include "engine/games/supermarche/rules.h"

/* ` r3:2` */
static void add_count(struct text *out, struct span name, unsigned number)
{
    case_add_word(out, name);
    text_add_char(out, ':');
    text_add_number(out, number);
}

static void add_shelves(struct text *out, const uint8_t counts[FOODS][BOXES])
{
    for (unsigned food = 0; food < FOODS; food++) {
        if (supermarche_sum(counts[food], BOXES) == 0)
            continue;
        if (out->length > 0)
            text_add_char(out, ';');
        case_add_word(out, supermarche_foods[food].name);
        for (unsigned box = 0; box < BOXES; box++)
            if (counts[food][box] > 0)
                add_count(out, supermarche_boxes[box].name, counts[food][box]);
    }
    case_close_list(out, 0, "none");
}

static void add_customer(struct text *out, const struct supermarche_state *state, unsigned position)
{
    case_add_word(out, supermarche_customers[supermarche_customer_at(state, position)].name);
}

/* `0 DELIVERY`, or `0 none` at the end. */
static bool read_decision(const struct supermarche_state *state, struct text *out)
{
    const char *name = supermarche_point_name(state->point);
    text_add(out, name == NULL ? "0 none" : "0 ");
    for (; name != NULL && *name != '\0'; name++)
        text_add_char(out, (char)(*name - 'a' + 'A'));
    return true;
}

static bool read_tie_break(const struct supermarche_state *state, struct text *out)
{
    struct outcome outcome;
    supermarche_outcome(state, &outcome);
    text_add(out, "0 ");
    text_add_number(out, outcome.tie_break[0][0]);
    return state->point == AT_OVER;
}

static bool read_result(const struct supermarche_state *state, struct text *out)
{
    if (state->point != AT_OVER)
        return false;
    text_add(out, supermarche_result_name(state->result));
    return true;
}

static bool read_level(const struct supermarche_state *state, struct text *out)
{
    text_add_span(out, supermarche_level(state->money)->name);
    return state->point == AT_OVER;
}

static bool read_up(const struct supermarche_state *state, struct text *out)
{
    for (unsigned position = 0; position < ROW; position++)
        if (state->row[position] == CARD_UP)
            add_customer(out, state, position);
    case_close_list(out, 0, "none");
    return true;
}

static bool read_row(const struct supermarche_state *state, struct text *out)
{
    for (unsigned position = 0; position < ROW; position++) {
        add_customer(out, state, position);
        text_add_char(out, '/');
        text_add(out, supermarche_card_name(state->row[position]));
    }
    return true;
}

static bool read_supply(const struct supermarche_state *state, struct text *out)
{
    for (unsigned food = 0; food < FOODS; food++) {
        text_add(out, food > 0 ? " " : "");
        text_add_number(out, state->supply[food]);
    }
    return true;
}

static bool read_shelf(const struct supermarche_state *state, struct text *out)
{
    text_add_number(out, supermarche_store_size(state));
    return true;
}

static bool read_space(const struct supermarche_state *state, struct text *out)
{
    text_add_number(out, state->space);
    return state->shopper != NONE;
}

static bool read_coupons(const struct supermarche_state *state, struct text *out)
{
    text_add_number(out, state->coupons);
    return state->shopper != NONE;
}

static bool read_round(const struct supermarche_state *state, struct text *out)
{
    text_add_number(out, state->round);
    return true;
}

static bool read_money(const struct supermarche_state *state, struct text *out)
{
    text_add_number(out, state->money);
    return true;
}

static bool read_store(const struct supermarche_state *state, struct text *out)
{
    add_shelves(out, state->store);
    return true;
}

static bool read_stock(const struct supermarche_state *state, struct text *out)
{
    add_shelves(out, state->stock);
    return true;
}

static bool read_cards(const struct supermarche_state *state, struct text *out)
{
    for (unsigned food = 0; food < FOODS; food++)
        if (state->on_cards[food] > 0)
            add_count(out, supermarche_foods[food].name, state->on_cards[food]);
    case_close_list(out, 0, "none");
    return true;
}

static bool read_sale(const struct supermarche_state *state, struct text *out)
{
    if (state->on_sale != NONE)
        case_add_word(out, supermarche_foods[state->on_sale].name);
    case_close_list(out, 0, "none");
    return true;
}

static bool read_used(const struct supermarche_state *state, struct text *out)
{
    for (unsigned food = 0; food < FOODS; food++)
        if ((state->sales >> food & 1) != 0)
            case_add_word(out, supermarche_foods[food].name);
    case_close_list(out, 0, "none");
    return true;
}

static bool read_restocked(const struct supermarche_state *state, struct text *out)
{
    case_add_yes(out, state->restocked);
    return true;
}

/* Every key stands alone or names seat 0, so what is expected need not be read to be answered. */
bool supermarche_read(const void *opaque, struct span key, struct span rest, struct text *actual)
{
    static const struct {
        const char *key;
        bool (*read)(const struct supermarche_state *state, struct text *out);
    } readers[] = {
        {"decision", read_decision},
        {"tiebreak", read_tie_break},
        {"result", read_result},
        {"level", read_level},
        {"up", read_up},
        {"row", read_row},
        {"supply", read_supply},
        {"shelf", read_shelf},
        {"space", read_space},
        {"coupons", read_coupons},
        {"round", read_round},
        {"money", read_money},
        {"store", read_store},
        {"stock", read_stock},
        {"cards", read_cards},
        {"sale", read_sale},
        {"used", read_used},
        {"restocked", read_restocked},
    };
    (void)rest;
    for (size_t i = 0; i < sizeof readers / sizeof readers[0]; i++)
        if (span_is(key, readers[i].key))
            return readers[i].read(opaque, actual);
    return false;
}
