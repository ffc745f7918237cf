/* Reads a move: the first word determines the form and the decisions it is for; then words are
 * counted and numbers read. Moves of any length are read without keeping more than a few words. */
#include "engine/games/mall-world/moves.h"

#include <string.h>

#include "engine/games/mall-world/state.h"

enum { WORDS_KEPT = 5, ANY_NUMBER = 1000000 };

struct sentence {
    size_t words; /* all of them */
    struct span word[WORDS_KEPT];
};

static const struct form {
    const char *first;
    uint8_t verb;
    uint8_t points; /* bit p for decision point p */
    uint8_t words_min;
    uint32_t words_max;
} forms[] = {
    {"realize", VERB_BUILD, 1u << AT_REALIZE, 5, 5},
    {"bid", VERB_BID, 1u << AT_BID, 2, 2},
    {"pass", VERB_PASS, 1u << AT_ACCEPT | 1u << AT_PROGRESS, 1, 1},
    {"accept", VERB_ACCEPT, 1u << AT_ACCEPT, 2, 2},
    {"offer", VERB_OFFER, 1u << AT_PROGRESS, 2, ANY_NUMBER},
    {"confirm", VERB_CONFIRM, 1u << AT_PROGRESS, 4, 4},
    {"done", VERB_DONE, 1u << AT_SUPPLY, 1, 1},
    {"take", VERB_TAKE, 1u << AT_SUPPLY, 2, ANY_NUMBER},
    {"refresh", VERB_REFRESH, 1u << AT_SUPPLY, 1, 1},
    {"remove", VERB_REMOVE, 1u << AT_SUPPLY, 2, 2},
};

static const struct form *find_form(struct span first)
{
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++)
        if (span_is(first, forms[i].first))
            return &forms[i];
    return NULL;
}

/* The bytes up to the first space. */
static struct span first_word(struct span text)
{
    const char *blank = text.length == 0 ? NULL : memchr(text.at, ' ', text.length);
    return (struct span){text.at, blank == NULL ? text.length : (size_t)(blank - text.at)};
}

/* False unless all words are separated by single spaces. */
static bool split(struct span text, struct sentence *sentence)
{
    sentence->words = 0;
    for (;;) {
        struct span word = first_word(text);
        if (word.length == 0)
            return false;
        if (sentence->words < WORDS_KEPT)
            sentence->word[sentence->words] = word;
        sentence->words++;
        if (word.length == text.length)
            return true;
        text.at += word.length + 1;
        text.length -= word.length + 1;
    }
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Reads `0`, or digits that do not begin with 0, with an optional minus sign. */
static bool read_number(struct span word, int64_t *number)
{
    assert(word.length > 0);
    bool negative = word.at[0] == '-';
    size_t at = negative ? 1 : 0;
    *number = 0;
    if (span_is(word, "0"))
        return true;
    if (at == word.length || word.at[at] == '0')
        return false;
    for (; at < word.length; at++) {
        if (!is_digit(word.at[at]))
            return false;
        if (*number < MOVE_NUMBER_LIMIT)
            *number = *number * 10 + (word.at[at] - '0');
    }
    if (*number > MOVE_NUMBER_LIMIT)
        *number = MOVE_NUMBER_LIMIT;
    if (negative)
        *number = -*number;
    return true;
}

static bool read_realization(const struct sentence *sentence, struct mall_world_move *move)
{
    move->ids = 3;
    move->id[0] = sentence->word[1];
    move->id[1] = sentence->word[3];
    move->id[2] = sentence->word[4];
    if (span_is(sentence->word[2], "rent"))
        move->verb = VERB_RENT;
    return move->verb == VERB_RENT || span_is(sentence->word[2], "build");
}

/* What follows the first word. */
static bool read_rest(const struct sentence *sentence, struct mall_world_move *move)
{
    switch (move->verb) {
    case VERB_BUILD:
    case VERB_RENT:
        return read_realization(sentence, move);
    case VERB_BID:
        return read_number(sentence->word[1], &move->number);
    case VERB_CONFIRM:
        move->ids = 1;
        move->id[0] = sentence->word[1];
        return span_is(sentence->word[2], "bribe") && read_number(sentence->word[3], &move->number);
    case VERB_ACCEPT:
    case VERB_OFFER:
    case VERB_TAKE:
    case VERB_REMOVE:
        move->ids = sentence->words - 1;
        for (size_t i = 0; i < move->ids && i < MOVE_IDS_MAX; i++)
            move->id[i] = sentence->word[i + 1];
        return true;
    case VERB_PASS:
    case VERB_REFRESH:
    case VERB_DONE:
        break;
    }
    return true;
}

bool mall_world_read_move(struct span text, unsigned point, struct mall_world_move *move,
                          struct refusal *refusal)
{
    struct sentence sentence = {.words = 0};
    const struct form *form = find_form(first_word(text));
    if (form != NULL && (form->points >> point & 1) == 0)
        return refuse(refusal, "wrong-phase", "This move is not possible at this point.");
    *move = (struct mall_world_move){.ids = 0};
    if (form != NULL && split(text, &sentence) && sentence.words >= form->words_min &&
        sentence.words <= form->words_max) {
        move->verb = (enum verb)form->verb;
        if (read_rest(&sentence, move))
            return true;
    }
    return refuse(refusal, "bad-notation", "The move cannot be read.");
}
