/* Reading a move: find the form that has its words, then look the names up from left to right, and
 * the number last. */
#include "engine/games/supermarche/moves.h"

#include "engine/notation.h"

enum sort { END, FOOD, BOX, CUSTOMER, NUMBER, KEYWORD };

enum { WORDS_MAX = 3 };

/* A form with a keyword stands before one that takes a name in its place. */
static const struct form {
    struct span verb;
    struct span keyword;
    uint8_t meaning; /* enum verb */
    uint8_t count;
    uint8_t sort[WORDS_MAX];
} forms[] = {
    {SPAN_LITERAL("buy"), SPAN_LITERAL(""), VERB_BUY, 2, {FOOD, NUMBER}},
    {SPAN_LITERAL("buy"), SPAN_LITERAL("done"), VERB_BUY_DONE, 1, {KEYWORD}},
    {SPAN_LITERAL("stock"), SPAN_LITERAL(""), VERB_STOCK, 3, {FOOD, BOX, NUMBER}},
    {SPAN_LITERAL("stock"), SPAN_LITERAL("done"), VERB_STOCK_DONE, 1, {KEYWORD}},
    {SPAN_LITERAL("sale"), SPAN_LITERAL("none"), VERB_SALE_NONE, 1, {KEYWORD}},
    {SPAN_LITERAL("sale"), SPAN_LITERAL(""), VERB_SALE, 1, {FOOD}},
    {SPAN_LITERAL("serve"), SPAN_LITERAL(""), VERB_SERVE, 1, {CUSTOMER}},
    {SPAN_LITERAL("initial"), SPAN_LITERAL("take"), VERB_TAKE, 1, {KEYWORD}},
    {SPAN_LITERAL("initial"), SPAN_LITERAL("skip"), VERB_SKIP, 1, {KEYWORD}},
    {SPAN_LITERAL("roll"), SPAN_LITERAL(""), VERB_ROLL, 0, {END}},
    {SPAN_LITERAL("restock"), SPAN_LITERAL(""), VERB_RESTOCK, 0, {END}},
    {SPAN_LITERAL("pay"), SPAN_LITERAL("normal"), VERB_PAY_NORMAL, 1, {KEYWORD}},
    {SPAN_LITERAL("pay"), SPAN_LITERAL("coupon"), VERB_PAY_COUPON, 1, {KEYWORD}},
    {SPAN_LITERAL("next"), SPAN_LITERAL(""), VERB_NEXT, 0, {END}},
};

static bool has_form(const struct words *words, const struct form *form)
{
    return form->count == words->count - 1 && span_equal(form->verb, words->word[0]) &&
           (form->sort[0] != KEYWORD || span_equal(form->keyword, words->word[1]));
}

static const struct form *find_form(const struct words *words)
{
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++)
        if (has_form(words, &forms[i]))
            return &forms[i];
    return NULL;
}

/* The alphabet is smaller than that of the notation in general. */
static bool has_letters_only(struct span text)
{
    for (size_t i = 0; i < text.length; i++) {
        char c = text.at[i];
        if (!(c >= 'a' && c <= 'z') && !(c >= '0' && c <= '9') && c != '-' && c != ' ')
            return false;
    }
    return true;
}

static bool read_number(struct span word, uint8_t *number, struct refusal *refusal)
{
    uint64_t value;
    if (!span_number(word, NUMBER_MAX, &value) || value == 0)
        return refuse(refusal, "bad-number", "The number must be 1 to 99, without leading zeros.");
    *number = (uint8_t)value;
    return true;
}

static bool read_word(enum sort sort, struct span word, struct supermarche_move *move,
                      struct refusal *refusal)
{
    switch (sort) {
    case FOOD:
        move->food = supermarche_food_named(word);
        return move->food != NONE || refuse(refusal, "unknown-food", "There is no such food.");
    case BOX:
        move->box = supermarche_box_named(word);
        return move->box != NONE || refuse(refusal, "unknown-box", "There is no such box.");
    case CUSTOMER:
        move->customer = supermarche_customer_named(word);
        return move->customer != NONE ||
               refuse(refusal, "unknown-customer", "There is no such customer.");
    case NUMBER:
        return read_number(word, &move->number, refusal);
    case KEYWORD:
    case END:
        break;
    }
    return true;
}

bool supermarche_read_move(struct span text, struct supermarche_move *move, struct refusal *refusal)
{
    struct words words;
    const struct form *form =
        notation_split(text, &words) && has_letters_only(text) ? find_form(&words) : NULL;
    if (form == NULL)
        return refuse(refusal, REFUSAL_BAD_SYNTAX, "This is not a move in the notation.");
    *move = (struct supermarche_move){.verb = (enum verb)form->meaning};
    for (unsigned i = 0; i < form->count; i++)
        if (!read_word((enum sort)form->sort[i], words.word[i + 1], move, refusal))
            return false;
    return true;
}
