/* Moves: play accepts exactly what legal lists. The lists are tried whole; of the endless rest the
 * neighbours of legal moves are tried, since those are what a sloppy parser lets through. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "engine/game/game.h"
#include "tests/engine/support/inspect.h"

enum { CANDIDATE_MAX = 4096 };

/* ---- Lists ---- */

static bool inspect_list(struct inspector *inspector, unsigned seat)
{
    const struct move_list *list = &inspector->legal[seat];
    struct words words;
    if (list->count > inspector->game->legal_max)
        return inspect_fail(inspector, "legal-bounds", "seat %u has %zu moves", seat, list->count);
    for (size_t i = 0; i < list->count; i++) {
        struct span move = move_list_get(list, i);
        if (move.length > inspector->game->move_max)
            return inspect_fail(inspector, "legal-bounds", "%s is too long", move.at);
        if (!notation_split(move, &words))
            return inspect_fail(inspector, "legal-notation", "%s", move.at);
        if (span_is(words.word[0], "undo"))
            return inspect_fail(inspector, "legal-notation", "undo is no move, but takes one back");
        if (i > 0 && span_compare(move_list_get(list, i - 1), move) >= 0)
            return inspect_fail(inspector, "legal-order", "%s", move.at);
    }
    return true;
}

bool inspect_lists(struct inspector *inspector)
{
    for (unsigned seat = 0; seat < GAME_SEATS_MAX; seat++) {
        bool decides = game_decides(inspector->game, inspector->table.state, seat);
        if (decides != (inspector->legal[seat].count > 0))
            return inspect_fail(inspector, "legal-deciders", "seat %u has %zu moves", seat,
                                inspector->legal[seat].count);
        if (!inspect_list(inspector, seat))
            return false;
    }
    return true;
}

bool inspect_accepted(struct inspector *inspector)
{
    const struct game *game = inspector->game;
    for (unsigned seat = 0; seat < inspector->table.seats; seat++) {
        for (size_t i = 0; i < inspector->legal[seat].count; i++) {
            struct span move = move_list_get(&inspector->legal[seat], i);
            struct refusal refusal = {NULL, NULL};
            memcpy(inspector->left, inspector->table.state, game->state_size);
            if (!game->play(game, inspector->left, seat, move, &inspector->table.chance, &refusal))
                return inspect_fail(inspector, "listed-accepted", "%s was refused: %s", move.at,
                                    refusal.code == NULL ? "no code" : refusal.code);
        }
    }
    return true;
}

/* ---- Refusals ---- */

static bool is_code(const char *code)
{
    if (code == NULL || *code < 'a' || *code > 'z')
        return false;
    size_t length = strlen(code);
    return strspn(code, "abcdefghijklmnopqrstuvwxyz0123456789-") == length &&
           code[length - 1] != '-' && strstr(code, "--") == NULL;
}

/* `move` is refused, properly, and leaves the state as it is. The move lies in a block of exactly
 * its size, so that a sanitizer sees a read behind it. */
static bool inspect_refusal(struct inspector *inspector, unsigned seat, struct span move,
                            const char *check, const char *code)
{
    const struct game *game = inspector->game;
    struct refusal refusal = {NULL, NULL};
    char *bytes = malloc(move.length == 0 ? 1 : move.length);
    if (bytes == NULL)
        abort();
    if (move.length > 0)
        memcpy(bytes, move.at, move.length);
    memcpy(inspector->left, inspector->table.state, game->state_size);
    bool accepted = game->play(game, inspector->left, seat, (struct span){bytes, move.length},
                               &inspector->table.chance, &refusal);
    free(bytes);
    int shown = move.length < 100 ? (int)move.length : 100;
    if (accepted)
        return inspect_fail(inspector, check, "seat %u: %.*s", seat, shown, move.at);
    if (memcmp(inspector->left, inspector->table.state, game->state_size) != 0)
        return inspect_fail(inspector, "refusal-untouched", "%.*s", shown, move.at);
    if (!is_code(refusal.code) || refusal.message == NULL || *refusal.message == '\0')
        return inspect_fail(inspector, "refusal-code", "%.*s", shown, move.at);
    if (code != NULL && strcmp(refusal.code, code) != 0)
        return inspect_fail(inspector, "refusal-code", "%.*s: %s, expected %s", shown, move.at,
                            refusal.code, code);
    return true;
}

/* A move that was or is legal at some moment of this game for some seat. */
static struct span some_move(struct inspector *inspector)
{
    unsigned seat = dice_below(&inspector->dice, GAME_SEATS_MAX);
    const struct move_list *list = &inspector->legal[seat];
    if (list->count > 0)
        return move_list_get(list, dice_below(&inspector->dice, list->count));
    if (inspector->plies > 0)
        return played_move(&inspector->log[dice_below(&inspector->dice, inspector->plies)]);
    return span_of("pass");
}

static struct span past_move(struct inspector *inspector)
{
    if (inspector->plies == 0)
        return some_move(inspector);
    return played_move(&inspector->log[dice_below(&inspector->dice, inspector->plies)]);
}

static void add_random_bytes(struct dice *dice, struct text *text)
{
    static const char favourites[] = {'\0', '\xff', ' ', '\n', '\x7f', '-', '0'};
    for (size_t left = dice_below(dice, 200); left > 0; left--)
        text_add_char(text, dice_one_in(dice, 3) ? favourites[dice_below(dice, sizeof favourites)]
                                                 : (char)dice_below(dice, 256));
}

enum word_change { DROP_WORD, DOUBLE_WORD, SWAP_WORDS, FOREIGN_WORD, WORD_CHANGES };

static void change_words(struct inspector *inspector, struct span move, struct text *text)
{
    struct words words;
    struct words foreign;
    struct dice *dice = &inspector->dice;
    enum word_change change = dice_below(dice, WORD_CHANGES);
    if (!notation_split(move, &words) || !notation_split(past_move(inspector), &foreign))
        return;
    size_t at = dice_below(dice, words.count);
    size_t with = dice_below(dice, words.count);
    if (change == SWAP_WORDS) {
        struct span word = words.word[at];
        words.word[at] = words.word[with];
        words.word[with] = word;
    } else if (change == FOREIGN_WORD) {
        words.word[at] = foreign.word[dice_below(dice, foreign.count)];
    }
    for (size_t i = 0; i < words.count; i++) {
        for (unsigned copies = i != at               ? 1
                               : change == DROP_WORD ? 0
                                                     : 1 + (change == DOUBLE_WORD);
             copies > 0; copies--) {
            if (text->length > 0)
                text_add_char(text, ' ');
            text_add_span(text, words.word[i]);
        }
    }
}

enum byte_change { UPPER_CASE, DOUBLE_BLANK, ANY_BYTE, NEAR_BYTE, CUT, BYTE_CHANGES };

static void change_bytes(struct dice *dice, struct span move, struct text *text)
{
    enum byte_change change = dice_below(dice, BYTE_CHANGES);
    size_t at = dice_below(dice, move.length);
    for (size_t i = 0; i < move.length && !(change == CUT && i == at); i++) {
        char c = move.at[i];
        if (change == UPPER_CASE && c >= 'a' && c <= 'z')
            c = (char)(c - 'a' + 'A');
        else if (change == DOUBLE_BLANK && c == ' ')
            text_add_char(text, ' ');
        else if (change == ANY_BYTE && i == at)
            c = (char)dice_below(dice, 256);
        else if (change == NEAR_BYTE && i == at)
            c = (char)(c + (dice_one_in(dice, 2) ? 1 : -1));
        text_add_char(text, c);
    }
}

static void add_around(struct dice *dice, struct span move, struct text *text)
{
    static const char extras[] = {' ', '\0', '\n', '\r', '\t', '0', 's', '-', '\xff'};
    char extra = extras[dice_below(dice, sizeof extras)];
    if (dice_one_in(dice, 2))
        text_add_char(text, extra);
    text_add_span(text, move);
    if (text->length == move.length)
        text_add_char(text, extra);
}

static void repeat(struct dice *dice, struct span move, struct text *text)
{
    size_t length = 1 + dice_below(dice, CANDIDATE_MAX - 2);
    while (text->length < length && !text->overflow) {
        text_add_span(text, move);
        text_add_char(text, ' ');
    }
}

static void add_candidate(struct inspector *inspector, struct text *text)
{
    struct dice *dice = &inspector->dice;
    struct span move = some_move(inspector);
    switch (dice_below(dice, 8)) {
    case 0:
        text_add_span(text, move);
        break;
    case 1:
        text_add_span(text, past_move(inspector));
        break;
    case 2:
        add_random_bytes(dice, text);
        break;
    case 3:
        repeat(dice, move, text);
        break;
    case 4:
        add_around(dice, move, text);
        break;
    case 5:
        change_bytes(dice, move, text);
        break;
    default:
        change_words(inspector, move, text);
        break;
    }
}

bool inspect_refused(struct inspector *inspector, unsigned count)
{
    char bytes[CANDIDATE_MAX] = "";
    for (; count > 0; count--) {
        struct text candidate = TEXT_OVER(bytes);
        add_candidate(inspector, &candidate);
        unsigned seat = dice_below(&inspector->dice, inspector->table.seats);
        bool decides = game_decides(inspector->game, inspector->table.state, seat);
        struct span move = text_span(&candidate);
        if (move_list_find(&inspector->legal[seat], move) < 0 &&
            !inspect_refusal(inspector, seat, move, decides ? "unlisted-refused" : "wrong-seat",
                             NULL))
            return false;
    }
    return true;
}

bool inspect_wrong_seats(struct inspector *inspector)
{
    static const unsigned strangers[] = {GAME_SEATS_MAX, 9, 31, 32, 33, 63, 64, 256, UINT_MAX};
    const void *state = inspector->table.state;
    bool over = inspector->game->deciders(state) == 0;
    for (unsigned i = 0; i < 4; i++) {
        struct span move = over ? past_move(inspector) : some_move(inspector);
        for (unsigned seat = 0; seat < GAME_SEATS_MAX; seat++)
            if (!game_decides(inspector->game, state, seat) &&
                !inspect_refusal(inspector, seat, move, "wrong-seat",
                                 over && seat < inspector->table.seats ? REFUSAL_GAME_OVER : NULL))
                return false;
        unsigned stranger =
            strangers[dice_below(&inspector->dice, sizeof strangers / sizeof strangers[0])];
        if (!inspect_refusal(inspector, stranger, move, "wrong-seat", NULL))
            return false;
    }
    return true;
}
