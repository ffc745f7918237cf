/* Reads a move: its verb determines the words that follow. */
#include "engine/games/superstore-3000/notation.h"

#include <string.h>

#include "engine/game/game.h"

/* `a1` .. `b4`. */
static bool read_slot(struct span word, struct superstore_move *move)
{
    if (word.length != 2 || word.at[0] < 'a' || word.at[0] >= 'a' + DISPENSER_COLUMNS ||
        word.at[1] < '1' || word.at[1] >= '1' + DISPENSER_ROWS)
        return false;
    move->slot_column = (uint8_t)(word.at[0] - 'a');
    move->slot_row = (uint8_t)(word.at[1] - '1');
    return true;
}

static bool read_cell(const struct span *words, uint8_t *column, uint8_t *floor)
{
    uint64_t number;
    *column = superstore_column_named(words[0]);
    if (*column == NONE || !span_number(words[1], FLOOR_MAX, &number) || number == 0)
        return false;
    *floor = (uint8_t)number;
    return true;
}

static bool read_build(const struct superstore_components *set, const struct span *words,
                       struct superstore_move *move)
{
    (void)set;
    return read_slot(words[0], move) && read_cell(words + 1, &move->column, &move->floor);
}

static bool read_attract(const struct superstore_components *set, const struct span *words,
                         struct superstore_move *move)
{
    move->piece = superstore_piece_named(set, words[0], FIRST_ATTRACTION, PIECES);
    move->face = span_equal(words[1], superstore_faces[BACK]) ? BACK : FRONT;
    return move->piece != NONE && span_equal(words[1], superstore_faces[move->face]) &&
           read_cell(words + 2, &move->column, &move->floor);
}

static bool read_dock(const struct superstore_components *set, const struct span *words,
                      struct superstore_move *move)
{
    move->piece = superstore_piece_named(set, words[0], FIRST_DOCK, FIRST_ATTRACTION);
    move->column = superstore_column_named(words[1]);
    move->floor = 1;
    return move->piece != NONE && move->column != NONE;
}

static bool read_money(const struct superstore_components *set, const struct span *words,
                       struct superstore_move *move)
{
    (void)set;
    if (words[0].length != 1 || words[0].at[0] < 'a' || words[0].at[0] >= 'a' + DISPENSER_COLUMNS)
        return false;
    move->slot_column = (uint8_t)(words[0].at[0] - 'a');
    return true;
}

static bool read_serve(const struct superstore_components *set, const struct span *words,
                       struct superstore_move *move)
{
    move->wish = superstore_wish_named(set, words[2]);
    return read_cell(words, &move->column, &move->floor) && move->wish != NONE &&
           read_cell(words + 3, &move->store_column, &move->store_floor);
}

static const struct form {
    struct span verb;
    uint8_t words; /* after the verb */
    bool (*read)(const struct superstore_components *set, const struct span *words,
                 struct superstore_move *move);
} forms[] = {
    [VERB_ATTRACT] = {SPAN_LITERAL("attract"), 4, read_attract},
    [VERB_BUILD] = {SPAN_LITERAL("build"), 3, read_build},
    [VERB_DOCK] = {SPAN_LITERAL("dock"), 2, read_dock},
    [VERB_MONEY] = {SPAN_LITERAL("money"), 1, read_money},
    [VERB_SERVE] = {SPAN_LITERAL("serve"), 5, read_serve},
};

bool superstore_read_move(const struct superstore_components *set, struct span text,
                          struct superstore_move *move)
{
    struct words words;
    if (!notation_split(text, &words))
        return false;
    memset(move, 0, sizeof *move);
    for (unsigned verb = 0; verb < sizeof forms / sizeof forms[0]; verb++) {
        if (forms[verb].verb.at[0] != words.word[0].at[0] || /* no two begin alike */
            !span_equal(forms[verb].verb, words.word[0]))
            continue;
        move->verb = (enum verb)verb;
        return words.count == forms[verb].words + 1u && forms[verb].read(set, words.word + 1, move);
    }
    return false;
}

void superstore_write_cell(struct text *text, unsigned column, unsigned floor)
{
    text_add_char(text, ' ');
    text_add_span(text, superstore_columns[column]);
    text_add_char(text, ' ');
    text_add_number(text, floor);
}
