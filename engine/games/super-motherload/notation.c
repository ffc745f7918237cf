/* Reads moves. Each verb has one reader for the words after it. */
#include "engine/games/super-motherload/notation.h"

#include <string.h>

#include "engine/game/game.h"

static bool read_color(const struct motherload_components *set, struct span word, uint8_t *color)
{
    *color = motherload_color_named(set, word);
    return *color != NONE;
}

static bool read_mineral(const struct motherload_components *set, struct span word,
                         uint8_t *mineral)
{
    *mineral = motherload_mineral_named(set, word);
    return *mineral != NONE;
}

static bool read_side(const struct motherload_components *set, const struct span *word,
                      size_t count, struct motherload_move *move)
{
    (void)set;
    if (count != 1)
        return false;
    move->side = span_is(word[0], "b");
    return move->side == 1 || span_is(word[0], "a");
}

static bool read_deck(const struct motherload_components *set, const struct span *word,
                      size_t count, struct motherload_move *move)
{
    if (count != 1)
        return false;
    move->deck = motherload_deck_named(set, word[0]);
    return move->deck != NONE;
}

static bool read_nothing(const struct motherload_components *set, const struct span *word,
                         size_t count, struct motherload_move *move)
{
    (void)set;
    (void)word;
    (void)move;
    return count == 0;
}

static bool read_drill(const struct motherload_components *set, const struct span *word,
                       size_t count, struct motherload_move *move)
{
    if (count < 2 || !read_color(set, word[0], &move->color) || move->color >= DRILL_COLORS)
        return false;
    memset(move->cards, 0, sizeof move->cards);
    uint8_t before = 0;
    for (size_t i = 1; i < count; i++) {
        uint8_t card = motherload_card_named(set, word[i]);
        if (card == NONE || card < before)
            return false;
        move->cards[card]++;
        before = card;
    }
    return true;
}

static bool read_card(const struct motherload_components *set, const struct span *word,
                      size_t count, struct motherload_move *move)
{
    if (count != 1)
        return false;
    move->card = motherload_card_named(set, word[0]);
    return move->card != NONE;
}

static bool read_artifact(const struct motherload_components *set, const struct span *word,
                          size_t count, struct motherload_move *move)
{
    if (count == 0)
        return false;
    move->artifact = motherload_artifact_named(set, word[0]);
    switch (move->artifact) {
    case EXTRA_ACTION:
    case DRAW_TWO:
    case BOMB_DRAW:
        return count == 1;
    case PLATINUM_TILE:
    case GOLD_DRAW:
        return count == 2 && read_color(set, word[1], &move->color);
    case COPY:
        return count == 3 && read_mineral(set, word[1], &move->mineral) &&
               read_color(set, word[2], &move->color);
    default:
        return false;
    }
}

static bool read_claim(const struct motherload_components *set, const struct span *word,
                       size_t count, struct motherload_move *move)
{
    if (count != 1)
        return false;
    move->achievement = motherload_achievement_named(set, word[0]);
    return move->achievement != NONE;
}

static bool read_swap(const struct motherload_components *set, const struct span *word,
                      size_t count, struct motherload_move *move)
{
    return read_claim(set, word, count, move) && move->achievement < MINORS;
}

static bool read_space(struct span word, struct motherload_move *move)
{
    if (word.length != 3 || word.at[0] < '1' || word.at[0] >= '1' + DEPTHS || word.at[1] < 'a' ||
        word.at[1] >= 'a' + COLUMNS || word.at[2] < '1' || word.at[2] >= '1' + ROWS)
        return false;
    move->depth = (uint8_t)(word.at[0] - '0');
    move->column = (uint8_t)(word.at[1] - 'a');
    move->row = (uint8_t)(word.at[2] - '1');
    return true;
}

static bool read_orientation(struct span word, uint8_t *orientation)
{
    *orientation = span_is(word, "h") ? ACROSS : DOWN;
    if (*orientation == ACROSS || span_is(word, "v"))
        return true;
    if (word.length != 2 || word.at[0] != 'o' || word.at[1] < '0' ||
        word.at[1] >= '0' + ORIENTATIONS_MAX)
        return false;
    *orientation = (uint8_t)(word.at[1] - '0');
    return true;
}

static bool read_place(const struct motherload_components *set, const struct span *word,
                       size_t count, struct motherload_move *move)
{
    (void)set;
    move->orientation = NO_ORIENTATION;
    if (count < 1 || count > 2 || !read_space(word[0], move))
        return false;
    return count == 1 || read_orientation(word[1], &move->orientation);
}

static bool read_put(const struct motherload_components *set, const struct span *word, size_t count,
                     struct motherload_move *move)
{
    return count == 1 && read_color(set, word[0], &move->color);
}

static bool read_buy(const struct motherload_components *set, const struct span *word, size_t count,
                     struct motherload_move *move)
{
    if (count < 1 || count > 2 || !read_color(set, word[0], &move->color))
        return false;
    move->recruit = count == 2;
    return count == 1 || span_equal(word[1], set->artifacts[RECRUIT].name);
}

static bool read_copy(const struct motherload_components *set, const struct span *word,
                      size_t count, struct motherload_move *move)
{
    return count == 2 && read_mineral(set, word[0], &move->mineral) &&
           read_color(set, word[1], &move->color);
}

static const struct form {
    struct span word;
    enum verb verb;
    bool (*read)(const struct motherload_components *set, const struct span *word, size_t count,
                 struct motherload_move *move);
} forms[] = {
    {SPAN_LITERAL("place"), VERB_PLACE, read_place},
    {SPAN_LITERAL("drill"), VERB_DRILL, read_drill},
    {SPAN_LITERAL("draw"), VERB_DRAW, read_nothing},
    {SPAN_LITERAL("put"), VERB_PUT, read_put},
    {SPAN_LITERAL("end"), VERB_END, read_nothing},
    {SPAN_LITERAL("bomb"), VERB_BOMB, read_card},
    {SPAN_LITERAL("claim"), VERB_CLAIM, read_claim},
    {SPAN_LITERAL("artifact"), VERB_ARTIFACT, read_artifact},
    {SPAN_LITERAL("discard"), VERB_DISCARD, read_card},
    {SPAN_LITERAL("buy"), VERB_BUY, read_buy},
    {SPAN_LITERAL("copy"), VERB_COPY, read_copy},
    {SPAN_LITERAL("swap"), VERB_SWAP, read_swap},
    {SPAN_LITERAL("side"), VERB_SIDE, read_side},
    {SPAN_LITERAL("deck"), VERB_DECK, read_deck},
};

static const struct form *find_form(struct span verb)
{
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++)
        if (span_equal(forms[i].word, verb))
            return &forms[i];
    return NULL;
}

bool motherload_read_move(const struct motherload_components *set, struct span text,
                          struct motherload_move *move, struct refusal *refusal)
{
    struct words words;
    const struct form *form = notation_split(text, &words) ? find_form(words.word[0]) : NULL;
    if (form == NULL || !form->read(set, words.word + 1, words.count - 1, move))
        return refuse(refusal, REFUSAL_BAD_SYNTAX, "This is not a move of Super Motherload.");
    move->verb = form->verb;
    return true;
}
