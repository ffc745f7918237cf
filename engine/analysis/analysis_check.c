#include "engine/analysis/analysis_check.h"

#include <stdlib.h>
#include <string.h>

enum { NAME_MOST = 200, SENTENCE_MOST = 1024 };

/* No number is near it, so that no sum overflows. */
#define NUMBER_MOST ((int64_t)1 << 40)

struct checking {
    struct record_header header;
    int64_t value[GAME_SEATS_MAX]; /* after the plies looked at so far */
    int64_t luck[GAME_SEATS_MAX], own[GAME_SEATS_MAX], others[GAME_SEATS_MAX]; /* in these plies */
};

/* ---- Members ---- */

static bool is_text(const json_t *object, const char *key, const char *expected)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text != NULL && strcmp(text, expected) == 0;
}

static bool is_whole(const json_t *value)
{
    const json_int_t number = json_integer_value(value);
    return json_is_integer(value) && number >= -NUMBER_MOST && number <= NUMBER_MOST;
}

static bool is_number(const json_t *object, const char *key, int64_t expected)
{
    const json_t *value = json_object_get(object, key);
    return json_is_integer(value) && json_integer_value(value) == expected;
}

static int64_t number_of(const json_t *object, const char *key)
{
    return json_integer_value(json_object_get(object, key));
}

static bool has_numbers(const json_t *object, const char *key, unsigned seats)
{
    const json_t *list = json_object_get(object, key);
    if (!json_is_array(list) || json_array_size(list) != seats)
        return false;
    for (unsigned seat = 0; seat < seats; seat++)
        if (!is_whole(json_array_get(list, seat)))
            return false;
    return true;
}

static int64_t number_at(const json_t *object, const char *key, unsigned seat)
{
    return json_integer_value(json_array_get(json_object_get(object, key), seat));
}

/* ---- Seats ---- */

static bool is_seat(const json_t *each, unsigned seat)
{
    static const char *const numbers[] = {"start", "deal", "luck", "own", "others", "result"};
    const json_t *name = json_object_get(each, "name");
    bool good = json_object_size(each) == 8 && is_number(each, "seat", seat) &&
                json_is_string(name) && json_string_length(name) <= NAME_MOST;
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        good = good && is_whole(json_object_get(each, numbers[i]));
    return good;
}

static const char *check_seats(struct checking *checking, const json_t *seats)
{
    if (!json_is_array(seats) || json_array_size(seats) != checking->header.seats)
        return "`seats` does not have the seats of the game.";
    for (unsigned seat = 0; seat < checking->header.seats; seat++) {
        const json_t *each = json_array_get(seats, seat);
        if (!is_seat(each, seat))
            return "A member of `seats` is missing, or is not what it should be.";
        checking->value[seat] = number_of(each, "start") + number_of(each, "deal");
        if (number_of(each, "start") + number_of(each, "luck") + number_of(each, "own") +
                number_of(each, "others") !=
            number_of(each, "result"))
            return "A seat's `result` is not `start` + `luck` + `own` + `others`.";
    }
    return NULL;
}

/* ---- Plies ---- */

/* A loss comes with the better move. */
static bool is_loss(const json_t *each)
{
    const json_t *loss = json_object_get(each, "loss");
    const json_t *better = json_object_get(each, "better");
    const json_t *sentence = json_object_get(each, "better_text");
    if (!is_whole(loss) || json_integer_value(loss) < 0)
        return false;
    if (json_integer_value(loss) == 0)
        return json_object_size(each) == 7;
    return json_object_size(each) == 9 && json_is_string(better) &&
           json_string_length(better) <= GAME_MOVE_MAX &&
           (json_is_null(sentence) ||
            (json_is_string(sentence) && json_string_length(sentence) <= SENTENCE_MOST));
}

static const char *check_ply(struct checking *checking, const json_t *each,
                             const struct analysis_ply *expected)
{
    const unsigned seats = checking->header.seats;
    if (!is_loss(each) || !has_numbers(each, "skill", seats) || !has_numbers(each, "luck", seats) ||
        !has_numbers(each, "value", seats))
        return "A member of one of the `plies` is missing, or is not what it should be.";
    if (!is_number(each, "seq", expected->seq) || !is_number(each, "seat", expected->seat) ||
        !is_text(each, "move", expected->move))
        return "`plies` are not those of the record.";
    for (unsigned seat = 0; seat < seats; seat++) {
        const int64_t skill = number_at(each, "skill", seat);
        const int64_t luck = number_at(each, "luck", seat);
        *(seat == expected->seat ? &checking->own[seat] : &checking->others[seat]) += skill;
        checking->luck[seat] += luck;
        if (checking->value[seat] + skill + luck != number_at(each, "value", seat))
            return "The `value` after a ply is not that before it + `skill` + `luck`.";
        checking->value[seat] = number_at(each, "value", seat);
    }
    return NULL;
}

static const char *check_plies(struct checking *checking, const json_t *plies, struct span record)
{
    const char *fault = NULL;
    struct analysis_ply *expected;
    const size_t count = analysis_list_plies(record, &expected);
    if (!json_is_array(plies) || json_array_size(plies) != count)
        fault = "`plies` are not those of the record.";
    for (size_t i = 0; fault == NULL && i < count; i++)
        fault = check_ply(checking, json_array_get(plies, i), &expected[i]);
    free(expected);
    return fault;
}

static const char *check_sums(const struct checking *checking, const json_t *seats)
{
    for (unsigned seat = 0; seat < checking->header.seats; seat++) {
        const json_t *each = json_array_get(seats, seat);
        if (number_of(each, "own") != checking->own[seat] ||
            number_of(each, "others") != checking->others[seat] ||
            number_of(each, "luck") != number_of(each, "deal") + checking->luck[seat] ||
            number_of(each, "result") != checking->value[seat])
            return "The sums of `seats` are not those of the `plies`.";
    }
    return NULL;
}

/* ---- The whole ---- */

const char *analysis_check(const json_t *document, struct span record, uint32_t budget)
{
    struct checking checking = {.value = {0}};
    struct record_fault fault;
    struct span rest = record;
    uint8_t hash[32];
    uint32_t lines;
    if (!record_read_header(&rest, &checking.header, hash, &lines, &fault))
        return "The record cannot be read.";
    if (json_object_size(document) != 8 || !is_text(document, "analysis", ANALYSIS_VERSION) ||
        !is_text(document, "game", checking.header.game_id) ||
        !is_text(document, "ruleset", checking.header.game->slug) ||
        !is_text(document, "version", checking.header.game->version) ||
        !is_number(document, "budget", budget) || !is_number(document, "one", ANALYSIS_ONE))
        return "The analysis is not of this game, version and budget.";
    const json_t *seats = json_object_get(document, "seats");
    const char *wrong = check_seats(&checking, seats);
    if (wrong == NULL)
        wrong = check_plies(&checking, json_object_get(document, "plies"), record);
    return wrong == NULL ? check_sums(&checking, seats) : wrong;
}
