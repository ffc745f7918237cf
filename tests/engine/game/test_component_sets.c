/* Component sets other than those that come with the program: files that are changed at random are
 * refused with a fault that says where and why, or make a game that keeps every promise of
 * engine/game/game.h. `TILLROLL_SETS` sets how many sets of each ruleset are played,
 * `TILLROLL_PLAYOUTS` how many games with each, `TILLROLL_FIRST_SET` which set is the first, and
 * `TILLROLL_RULESET` names the only ruleset to play. */
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/game/catalog.h"
#include "engine/game/component_set.h"
#include "tests/engine/game/set_changes.h"
#include "tests/engine/support/inspect.h"
#include "tests/test.h"

#ifdef PLAYOUTS_DEFAULT /* fewer, because the build is slow */
enum { REFUSED = 60, SETS = 1 };
#else
enum { REFUSED = 200, SETS = 3 }; /* files of each ruleset, and sets that are played */
#endif

enum {
    ATTEMPTS = 300, /* at changing a set that is to be played; every day: */
    ATTEMPTS_DAILY = 90,
    INSPECTED = 2 /* games of a set that are inspected */
};

/* The newest version of each game that has tables. */
static const struct game *ruleset(size_t i)
{
    for (size_t at = 0; catalog_at(at) != NULL; at++)
        if (catalog_at(at)->read != NULL &&
            catalog_at(at) == catalog_newest(span_of(catalog_at(at)->slug)) && i-- == 0)
            return catalog_at(at);
    return NULL;
}

/* ---- Files ---- */

struct file {
    char *bytes;
    size_t length, room;
};

static struct file file_of(const struct game *game)
{
    struct span json = game_components(game);
    struct file file = {malloc(2 * json.length), json.length, 2 * json.length};
    assert_non_null(file.bytes);
    memcpy(file.bytes, json.at, json.length);
    return file;
}

static struct span span_of_file(const struct file *file)
{
    return (struct span){file->bytes, file->length};
}

/* Puts `with` in the place of `length` bytes. */
static void splice(struct file *file, size_t at, size_t length, struct span with)
{
    assert_true(file->length - length + with.length <= file->room);
    memmove(file->bytes + at + with.length, file->bytes + at + length, file->length - at - length);
    memcpy(file->bytes + at, with.at, with.length);
    file->length += with.length - length;
}

/* A number somewhere in the file that is not part of a name or a text. */
static bool find_number(const struct file *file, struct dice *dice, size_t *at, size_t *length)
{
    size_t start = dice_below(dice, file->length);
    for (size_t i = start; i + 2 < file->length; i++) {
        char before = file->bytes[i];
        if ((before != ' ' && before != '[') || file->bytes[i + 1] < '0' ||
            file->bytes[i + 1] > '9')
            continue;
        *at = i + 1;
        for (*length = 0; file->bytes[*at + *length] >= '0' && file->bytes[*at + *length] <= '9';)
            ++*length;
        char after = file->bytes[*at + *length];
        if (after == ',' || after == '}' || after == ']')
            return true;
    }
    return false;
}

/* A string somewhere in the file, without its quotes. */
static bool find_string(const struct file *file, struct dice *dice, size_t *at, size_t *length)
{
    size_t start = dice_below(dice, file->length);
    for (size_t i = start; i < file->length; i++) {
        const char *end;
        if (file->bytes[i] != '"' || i == 0 ||
            (file->bytes[i - 1] != ' ' && file->bytes[i - 1] != '['))
            continue;
        end = memchr(file->bytes + i + 1, '"', file->length - i - 1);
        if (end == NULL)
            return false;
        *at = i + 1;
        *length = (size_t)(end - file->bytes) - *at;
        return *length < 60;
    }
    return false;
}

static void change_number(struct file *file, struct dice *dice, bool wild)
{
    static const char *const others[] = {"0", "1", "9", "77", "256", "999999999", "-1", "1.5"};
    char digits[24];
    struct text text = TEXT_OVER(digits);
    size_t at, length;
    if (!find_number(file, dice, &at, &length) || length > 9)
        return;
    if (wild) {
        text_add(&text, others[dice_below(dice, 8)]);
    } else {
        char old[12] = {0};
        memcpy(old, file->bytes + at, length);
        long number = strtol(old, NULL, 10) + (long)dice_below(dice, 5) - 2;
        text_add_number(&text, number < 0 ? 0 : number);
    }
    splice(file, at, length, text_span(&text));
}

static void exchange_strings(struct file *file, struct dice *dice)
{
    char one[64];
    char other[64];
    size_t at, length, at_other, length_other;
    if (!find_string(file, dice, &at, &length) ||
        !find_string(file, dice, &at_other, &length_other) || at == at_other)
        return;
    memcpy(one, file->bytes + at, length);
    memcpy(other, file->bytes + at_other, length_other);
    const struct span first = {one, length};
    const struct span second = {other, length_other};
    if (at > at_other) {
        splice(file, at, length, second);
        splice(file, at_other, length_other, first);
    } else {
        splice(file, at_other, length_other, first);
        splice(file, at, length, second);
    }
}

/* Deletes a line, or writes it twice. */
static void change_line(struct file *file, struct dice *dice, bool twice)
{
    size_t at = dice_below(dice, file->length);
    while (at > 0 && file->bytes[at - 1] != '\n')
        at--;
    const char *end = memchr(file->bytes + at, '\n', file->length - at);
    size_t length = end == NULL ? file->length - at : (size_t)(end - file->bytes) + 1 - at;
    char *line = malloc(length + 1);
    assert_non_null(line);
    memcpy(line, file->bytes + at, length);
    if (!twice)
        splice(file, at, length, (struct span){"", 0});
    else if (file->length + length <= file->room)
        splice(file, at, 0, (struct span){line, length});
    free(line);
}

static void change_byte(struct file *file, struct dice *dice)
{
    static const char bytes[] = "{}[]\",:\\-x0 \xff\n\x01";
    char with = bytes[dice_below(dice, sizeof bytes - 1)];
    splice(file, dice_below(dice, file->length - 1), dice_below(dice, 2), (struct span){&with, 1});
}

static void spoil(struct file *file, struct dice *dice)
{
    switch (dice_below(dice, 7)) {
    case 0:
        change_number(file, dice, true);
        return;
    case 1:
        exchange_strings(file, dice);
        return;
    case 2:
        change_line(file, dice, false);
        return;
    case 3:
        change_line(file, dice, true);
        return;
    case 4:
        file->length = dice_below(dice, file->length);
        return;
    case 5:
        change_number(file, dice, false);
        return;
    default:
        change_byte(file, dice);
    }
}

/* ---- Playing ---- */

static void inspect_games(const struct game *game, uint32_t games)
{
    struct inspector inspector;
    struct game_options options = game_options_initial(game);
    inspector_init(&inspector, game);
    for (uint32_t i = 0; i < games; i++) {
        unsigned seats = game->seats_min + i % (game->seats_max - game->seats_min + 1);
        if (!inspect_game(&inspector, seats, &options, i + 1))
            fail_msg("%s, set %s: %s", game->slug, game->components_sha256,
                     inspector.failure.detail);
    }
    inspector_free(&inspector);
}

/* Games at random, without a look at anything but the moves. */
static void play_games(const struct game *game, uint32_t games)
{
    struct game_options options = game_options_initial(game);
    struct move_list list;
    table_list_init(&list, game);
    for (uint32_t i = 0; i < games; i++) {
        struct table table;
        struct dice dice;
        size_t plies = 0;
        dice_open(&dice, "sets", i);
        table_set(&table, game, game->seats_min + i % (game->seats_max - game->seats_min + 1),
                  &options, i);
        for (uint32_t deciders; (deciders = game->deciders(table.state)) != 0; plies++) {
            struct refusal refusal;
            unsigned seat = (unsigned)__builtin_ctz(deciders);
            table_legal(game, table.state, seat, &list);
            if (list.count == 0 || list.count > game->legal_max || plies >= game->plies_max)
                fail_msg("%s, set %s, game %u, ply %zu: seat %u has %zu moves", game->slug,
                         game->components_sha256, (unsigned)i, plies, seat, list.count);
            struct span move = move_list_get(&list, dice_below(&dice, list.count));
            if (!game->play(game, table.state, seat, move, &table.chance, &refusal))
                fail_msg("%s, set %s, game %u, ply %zu: %.*s: %s", game->slug,
                         game->components_sha256, (unsigned)i, plies, (int)move.length, move.at,
                         refusal.message);
        }
    }
    move_list_free(&list);
}

/* ---- Tests ---- */

TEST(test_sets_that_come_with_the_program)
{
    for (size_t i = 0; ruleset(i) != NULL; i++) {
        struct component_fault fault;
        char slug[COMPONENT_NAME_MAX + 1];
        struct game *game = component_set_game(ruleset(i), game_components(ruleset(i)), &fault);
        if (game == NULL)
            fail_msg("%s:%u: %s: %s", ruleset(i)->slug, fault.line, fault.path, fault.message);
        assert_string_equal(game->components_sha256, ruleset(i)->components_sha256);
        assert_true(component_set_slug(game_components(game), slug, &fault));
        assert_string_equal(slug, game->slug);
        inspect_games(game, 1);
        component_set_free(game);
    }
}

static void assert_clear(const struct file *file, const struct component_fault *fault)
{
    unsigned lines = 1;
    size_t length = strlen(fault->message);
    for (size_t i = 0; i < file->length; i++)
        lines += file->bytes[i] == '\n';
    assert_in_range(fault->line, 1, lines);
    assert_true(fault->path[0] == '\0' || fault->path[0] == '/');
    assert_true(length > 10 && fault->message[length - 1] == '.');
    assert_true(fault->message[0] >= 'A' && fault->message[0] <= 'Z');
}

/* Each file is refused with a clear fault, or can be read again and again. */
TEST(test_spoilt_files)
{
    for (size_t i = 0; ruleset(i) != NULL; i++) {
        const struct game *rules = ruleset(i);
        unsigned refused = 0;
        struct dice dice;
        dice_open(&dice, "spoilt", (uint32_t)i);
        for (unsigned attempt = 0; refused < REFUSED; attempt++) {
            struct component_fault fault;
            struct file file = file_of(rules);
            assert_true(attempt < 20 * REFUSED);
            spoil(&file, &dice);
            struct game *game = component_set_game(rules, span_of_file(&file), &fault);
            if (game == NULL) {
                assert_clear(&file, &fault);
                refused++;
            }
            component_set_free(game);
            free(file.bytes);
        }
    }
}

/* Superstore 3000, with main entrances whose customers all want the same: one move serves any of
 * them, and each is served. */
TEST(test_customers_who_want_the_same)
{
    static const char wishes[] = "\"wishes\": [\"";
    static const char same[] = "restaurant\", \"restaurant\", \"restaurant\"";
    const struct game *rules = catalog_newest(span_of("superstore-3000"));
    struct component_fault fault;
    struct file file = file_of(rules);
    for (unsigned i = 1; i <= 4; i++) {
        char id[] = "\"main-0\"";
        id[6] = (char)('0' + i);
        char *row = memmem(file.bytes, file.length, id, sizeof id - 1);
        assert_non_null(row);
        char *list = strstr(row, wishes);
        assert_non_null(list);
        list += sizeof wishes - 1;
        splice(&file, (size_t)(list - file.bytes), (size_t)(strchr(list, ']') - list),
               span_of(same));
    }
    struct game *game = component_set_game(rules, span_of_file(&file), &fault);
    if (game == NULL)
        fail_msg("%u: %s: %s", fault.line, fault.path, fault.message);
    inspect_games(game, 6);
    component_set_free(game);
    free(file.bytes);
}

/* Games of sets that were changed at random, each set with all seat counts. */
TEST(test_other_sets_are_played)
{
    const bool all = getenv("TILLROLL_LONG") != NULL;
    const uint32_t sets = set_number("TILLROLL_SETS", all ? 100 : SETS);
    const uint32_t games = set_number("TILLROLL_PLAYOUTS", all ? 10000 : 4);
    const uint32_t first = set_number("TILLROLL_FIRST_SET", 0);
    const unsigned attempts = all ? ATTEMPTS : ATTEMPTS_DAILY;
    const char *only = getenv("TILLROLL_RULESET");
    for (size_t i = 0; ruleset(i) != NULL; i++) {
        unsigned least = ATTEMPTS;
        size_t columns = 0;
        if (only != NULL && strcmp(only, ruleset(i)->slug) != 0)
            continue;
        json_t *changed = json_object();
        for (uint32_t number = first; number < first + sets; number++) {
            unsigned steps;
            struct game *game = set_changed(ruleset(i), number, attempts, &steps);
            least = steps < least ? steps : least;
            columns = set_columns_changed(ruleset(i), game, changed);
            inspect_games(game, INSPECTED);
            play_games(game, games);
            component_set_free(game);
        }
        print_message("%s: %u sets with %u games each, at least %u steps from its own; they differ "
                      "from it in %zu of %zu columns\n",
                      ruleset(i)->slug, (unsigned)sets, (unsigned)games + INSPECTED, least,
                      json_object_size(changed), columns);
        assert_true(least > 10);
        json_decref(changed);
    }
}

/* What only reading the whole set can tell: where, and why. */
TEST(test_faults_of_meaning)
{
    static const struct {
        const char *slug, *from, *to, *path, *message;
    } cases[] = {
        {"shinjuku", "\"cards\": 3, \"stations\": [\"tokyo\"",
         "\"cards\": 0, \"stations\": [\"tokyo\"", "/wards/rows/0/cards",
         "This number must be from 1 to 9."},
        {"shinjuku", "\"id\": \"ueno\", \"name\": \"Ueno\", \"ward\": \"taito\"",
         "\"id\": \"ueno\", \"name\": \"Ueno\", \"ward\": \"taitou\"", "/stations/rows/13/ward",
         "There is no ward of this name in the set."},
        {"shinjuku", "\"id\": \"ueno\", \"name\": \"Ueno\", \"ward\": \"taito\"",
         "\"id\": \"ueno\", \"name\": \"Ueno\", \"ward\": \"chuo\"", "/wards/rows/1/stations",
         "A station of this ward is missing in the list."},
        {"shinjuku", "\"sakura\": true", "\"sakura\": true, \"sakuras\": 1",
         "/stations/rows/0/sakuras", "The ruleset has no such key here."},
        {"shinjuku", "\"a\": \"shinjuku\", \"b\": \"yoyogi\", \"permanent\": true",
         "\"a\": \"shinjuku\", \"b\": \"yoyogi\", \"permanent\": false", "/connections/rows",
         "Exactly one connection must be permanent."},
        {"shinjuku", "\"hand_max\": 15", "\"hand_max\": 16", "/limits/hand_max",
         "The rules fix this number: it must be 15."},
        {"shinjuku", "\"slug\": \"shinjuku\"", "\"slug\": \"supermarche\"", "/slug",
         "The set is not one of Shinjuku."},
        {"shinjuku", "\"hand_max\": 15", "\"hand_max\": 1.5", "/limits/hand_max",
         "Numbers must be whole here."},
        {"supermarche", "{\"from\": 2, \"to\": 4, \"food\": \"frozen\"}",
         "{\"from\": 2, \"to\": 9999999999, \"food\": \"frozen\"}", "/customers/rows/0/ranges/0/to",
         "A number has at most nine digits, and no leading zero."},
        {"supermarche", "{\"from\": 2, \"to\": 4, \"food\": \"frozen\"}",
         "{\"from\": 2, \"to\": 4, \"to\": 4, \"food\": \"frozen\"}", "/customers/rows/0/ranges/0",
         "This key appears twice in its object."},
        {"supermarche", "{\"from\": 2, \"to\": 4, \"food\": \"frozen\"}",
         "{\"from\": 2, \"to\": 4 \"food\": \"frozen\"}", "/customers/rows/0/ranges/0",
         "A comma or } is expected here."},
        {"mall-world", "\"..###...\"", "\"..###..\"", "/board/plan/0",
         "This line of the drawing has exactly 8 characters, each one of `.#`."},
        {"mall-world", "\"..###...\"", "\"#.##....\"", "/board", "The plan must be in one piece."},
        {"mall-world", "\"id\": \"food-food\", \"uses\"",
         "\"id\": \"food-food-food-food\", \"uses\"", "/approval_cards/items/4/id",
         "This name is too long: it has at most 17 characters."},
        {"superstore-3000", "\"id\": \"aquarium\"", "\"id\": \"aquarium-aquarium-aquarium\"",
         "/attractions/items/10/id", "This name is too long: it has at most 21 characters."},
        {"supermarche", "{\"from\": 2, \"to\": 4, \"food\": \"frozen\"}",
         "{\"from\": 2, \"to\": 5, \"food\": \"frozen\"}", "/customers/rows/0/ranges/1/from",
         "The rules fix this number: it must be 6."},
        {"super-motherload", "\"id\": \"relic\", \"count\": 2", "\"id\": \"relic\", \"count\": 3",
         "/artifacts/list", "There must be 16 artifact tiles in all."},
        {"superstore-3000", "\"base_plate\": [0, 0]", "\"base_plate\": [0, 1]",
         "/attractions/items/0/base_plate/1", "The rules fix this number: it must be 0."},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const struct game *rules = catalog_newest(span_of(cases[i].slug));
        struct component_fault fault;
        struct file file = file_of(rules);
        char *at = memmem(file.bytes, file.length, cases[i].from, strlen(cases[i].from));
        assert_non_null(at);
        splice(&file, (size_t)(at - file.bytes), strlen(cases[i].from), span_of(cases[i].to));
        assert_null(component_set_game(rules, span_of_file(&file), &fault));
        assert_string_equal(fault.message, cases[i].message);
        assert_string_equal(fault.path, cases[i].path);
        assert_clear(&file, &fault);
        free(file.bytes);
    }
}

/* Two games of one ruleset side by side: each state is that of its own set. */
TEST(test_two_sets_at_once)
{
    const struct game *own = catalog_newest(span_of("supermarche"));
    struct component_fault fault;
    struct file file = file_of(own);
    char *at = memmem(file.bytes, file.length, "\"start_money\": 15", 17);
    assert_non_null(at);
    memcpy(at + 15, "42", 2);
    struct game *other = component_set_game(own, span_of_file(&file), &fault);
    free(file.bytes);
    assert_non_null(other);
    assert_string_not_equal(own->components_sha256, other->components_sha256);
    struct game_options options = game_options_initial(own);
    struct table one, two;
    table_set(&one, own, 1, &options, 1);
    table_set(&two, other, 1, &options, 1);
    json_t *first = own->view(own, one.state, (struct viewer){VIEWER_AUDITOR, 0});
    json_t *second = other->view(other, two.state, (struct viewer){VIEWER_AUDITOR, 0});
    assert_int_equal(json_integer_value(json_object_get(first, "money")), 15);
    assert_int_equal(json_integer_value(json_object_get(second, "money")), 42);
    json_decref(first);
    json_decref(second);
    component_set_free(other);
}

int main(void)
{
    if (sodium_init() < 0)
        return 1;
    return run_all_tests(NULL, NULL);
}
