/* Reads a move: finds the form with its verb and number of words, then looks up the words from left
 * to right. */
#include "engine/games/shinjuku/moves.h"

#include <string.h>

#include "engine/game/game.h"

enum word { END, WARD, STATION, GOOD, KIND, FROM, LINK };

enum { WORDS_MAX = 4 };

struct form {
    struct span verb;
    uint8_t meaning; /* enum verb */
    uint8_t count;
    uint8_t word[WORDS_MAX]; /* enum word */
};

static const struct form forms[] = {
    {SPAN_LITERAL("pay"), VERB_PAY, 1, {WARD}},
    {SPAN_LITERAL("pay"), VERB_PAY, 3, {WARD, WARD, WARD}},
    {SPAN_LITERAL("matsuri"), VERB_MATSURI, 1, {WARD}},
    {SPAN_LITERAL("step"), VERB_STEP, 1, {STATION}},
    {SPAN_LITERAL("stop"), VERB_STOP, 0, {END}},
    {SPAN_LITERAL("give"), VERB_GIVE, 1, {KIND}},
    {SPAN_LITERAL("open"), VERB_OPEN, 2, {STATION, GOOD}},
    {SPAN_LITERAL("open"), VERB_RELOCATE, 3, {STATION, FROM, STATION}},
    {SPAN_LITERAL("expand"), VERB_EXPAND, 2, {STATION, STATION}},
    {SPAN_LITERAL("expand"), VERB_EXPAND, 3, {STATION, STATION, STATION}},
    {SPAN_LITERAL("expand"), VERB_EXPAND, 4, {STATION, LINK, LINK, STATION}},
    {SPAN_LITERAL("income"), VERB_INCOME, 0, {END}},
    {SPAN_LITERAL("move"), VERB_MOVE, 1, {STATION}},
    {SPAN_LITERAL("upgrade"), VERB_UPGRADE, 2, {STATION, KIND}},
    {SPAN_LITERAL("end"), VERB_END, 0, {END}},
};

static const struct form *find_form(const struct words *words)
{
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++)
        if (forms[i].count == words->count - 1 && span_equal(forms[i].verb, words->word[0]))
            return &forms[i];
    return NULL;
}

static bool is_end_of_link(const struct shinjuku_components *set, struct span word)
{
    return span_equal(word, set->stations[set->link_from].name) ||
           span_equal(word, set->stations[set->link_to].name);
}

/* The words that are part of the form itself. */
static bool fits(const struct shinjuku_components *set, const struct form *form,
                 const struct words *words)
{
    for (unsigned i = 0; i < form->count; i++)
        if ((form->word[i] == FROM && !span_is(words->word[i + 1], "from")) ||
            (form->word[i] == LINK && !is_end_of_link(set, words->word[i + 1])))
            return false;
    bool has_link = form->count == 4;
    return !has_link || !span_equal(words->word[2], words->word[3]);
}

static bool read_word(const struct shinjuku_components *set, enum word sort, struct span word,
                      uint8_t *index, struct refusal *refusal)
{
    switch (sort) {
    case WARD:
        *index = shinjuku_ward_named(set, word);
        return *index != NONE || refuse(refusal, "unknown-ward", "No ward has this name.");
    case STATION:
    case LINK:
        *index = shinjuku_station_named(set, word);
        return *index != NONE || refuse(refusal, "unknown-station", "No station has this name.");
    case GOOD:
        *index = shinjuku_good_named(set, word);
        return *index != NONE || refuse(refusal, "unknown-good", "No good has this name.");
    case KIND:
        *index = shinjuku_kind_named(set, word);
        return *index != NONE ||
               refuse(refusal, "unknown-customer", "No kind of customer has this name.");
    case FROM:
    case END:
        break;
    }
    return true;
}

bool shinjuku_read_move(const struct shinjuku_components *set, struct span text,
                        struct shinjuku_move *move, struct refusal *refusal)
{
    struct words words;
    const struct form *form = notation_split(text, &words) ? find_form(&words) : NULL;
    if (form == NULL || !fits(set, form, &words))
        return refuse(refusal, REFUSAL_BAD_SYNTAX,
                      "This is not a move of Shinjuku: unknown verb, wrong number of words, or an "
                      "extra space.");
    move->verb = (enum verb)form->meaning;
    move->count = 0;
    for (unsigned i = 0; i < form->count; i++)
        if (form->word[i] != FROM && !read_word(set, (enum word)form->word[i], words.word[i + 1],
                                                &move->word[move->count++], refusal))
            return false;
    return true;
}
