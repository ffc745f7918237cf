/* When games are due: against a plain list, in any order of steps. */
#include "api/play/due_times.h"

#include "engine/base/text.h"
#include "tests/test.h"

enum { GAMES = 200, STEPS = 20000, NOT_THERE = -1 };

static struct id game_number(unsigned number)
{
    struct id id = {"00000000-0000-7000-8000-000000000000"};
    struct text text = {id.text + 28, 0, 9, false};
    text_add_number(&text, 10000000 + (int64_t)number);
    return id;
}

static unsigned random_below(uint64_t *state, unsigned n)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (unsigned)(*state >> 33) % n;
}

/* The earliest of the list, NOT_THERE if it is empty. */
static int64_t earliest(const int64_t *list)
{
    int64_t least = NOT_THERE;
    for (unsigned i = 0; i < GAMES; i++)
        if (list[i] != NOT_THERE && (least == NOT_THERE || list[i] < least))
            least = list[i];
    return least;
}

static void check(const struct due_times *due, const int64_t *list)
{
    struct id first;
    int64_t at_ms = NOT_THERE;
    bool any = due_times_first(due, &first, &at_ms);
    assert_int_equal(any, earliest(list) != NOT_THERE);
    assert_int_equal(at_ms, earliest(list));
    for (unsigned i = 0; any && i < GAMES; i++) {
        struct id id = game_number(i);
        if (id_equal(&id, &first))
            assert_int_equal(list[i], at_ms);
    }
}

TEST(test_any_steps)
{
    struct due_times *due = due_times_new();
    int64_t list[GAMES];
    uint64_t random = 7;
    for (unsigned i = 0; i < GAMES; i++)
        list[i] = NOT_THERE;
    for (unsigned step = 0; step < STEPS; step++) {
        unsigned number = random_below(&random, GAMES);
        struct id game = game_number(number);
        int64_t at_ms = random_below(&random, 50);
        int64_t found = NOT_THERE;
        assert_int_equal(due_times_get(due, &game, &found), list[number] != NOT_THERE);
        assert_int_equal(found, list[number]);
        switch (random_below(&random, 3)) {
        case 0:
            due_times_set(due, &game, at_ms);
            list[number] = at_ms;
            break;
        case 1:
            assert_int_equal(due_times_move(due, &game, at_ms), list[number] != NOT_THERE);
            list[number] = list[number] == NOT_THERE ? NOT_THERE : at_ms;
            break;
        default:
            due_times_remove(due, &game);
            list[number] = NOT_THERE;
        }
        check(due, list);
    }
    due_times_free(due);
}

TEST(test_nothing)
{
    struct due_times *due = due_times_new();
    struct id game = game_number(1);
    int64_t at_ms;
    assert_false(due_times_first(due, &game, &at_ms));
    assert_false(due_times_move(due, &game, 1));
    due_times_remove(due, &game);
    due_times_free(due);
    due_times_free(NULL);
}

int main(void)
{
    return run_all_tests(NULL, NULL);
}
