/* Checks of analyses that others have made (engine/analysis/analysis_check.h): a true one passes,
 * and one in which anything is changed does not. */
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/analysis/analysis_check.h"
#include "engine/analysis/analysis_document.h"
#include "engine/game/catalog.h"
#include "tests/engine/support/roll.h"
#include "tests/test.h"

struct made {
    struct roll roll;
    json_t *document;
};

static void make(struct made *made, const char *slug, uint32_t number, enum roll_style style)
{
    const struct game *game = catalog_newest(span_of(slug));
    const struct game_options options = game_options_initial(game);
    enum replay_verdict verdict;
    struct record_fault fault;
    roll_write(&made->roll, game, game->seats_min, &options, number, style);
    struct analysis *analysis =
        analysis_new(roll_span(&made->roll), NULL, ANALYSIS_BUDGET_MIN, &verdict, &fault);
    made->document = NULL;
    if (analysis == NULL)
        return;
    json_t *plies = json_array();
    while (analysis_step(analysis))
        json_array_append_new(plies, analysis_document_ply(analysis));
    made->document = analysis_document(analysis);
    json_object_set_new(made->document, "plies", plies);
    analysis_free(analysis);
}

static void made_free(struct made *made)
{
    json_decref(made->document);
    roll_free(&made->roll);
}

static const char *check(const struct made *made, const json_t *document)
{
    return analysis_check(document, roll_span(&made->roll), ANALYSIS_BUDGET_MIN);
}

TEST(test_takes_what_the_engine_makes)
{
    unsigned taken_back = 0, checked = 0;
    for (uint32_t number = 0; number < 4; number++) {
        struct made made;
        make(&made, "mall-world", number, ROLL_EVENTFUL);
        if (made.document != NULL) {
            assert_null(check(&made, made.document));
            taken_back +=
                json_array_size(json_object_get(made.document, "plies")) < made.roll.replay.plies;
            checked++;
        }
        made_free(&made);
    }
    assert_true(checked >= 2);
    assert_true(taken_back >= 1);
}

/* ---- Changes ---- */

/* Changes the value at a path of keys and indices, as `seats.0.luck`; a number grows by 1. */
static void change(json_t *document, const char *path)
{
    char words[64];
    char *key = words, *dot;
    json_t *holder = document;
    (void)snprintf(words, sizeof words, "%s", path);
    while ((dot = strchr(key, '.')) != NULL) {
        *dot = '\0';
        holder = json_is_array(holder) ? json_array_get(holder, strtoul(key, NULL, 10))
                                       : json_object_get(holder, key);
        key = dot + 1;
    }
    assert_non_null(holder);
    json_t *old = json_is_array(holder) ? json_array_get(holder, strtoul(key, NULL, 10))
                                        : json_object_get(holder, key);
    json_t *new =
        json_is_integer(old) ? json_integer(json_integer_value(old) + 1) : json_string("another");
    if (json_is_array(holder))
        json_array_set_new(holder, strtoul(key, NULL, 10), new);
    else
        json_object_set_new(holder, key, new);
}

TEST(test_refuses_what_is_changed)
{
    static const char *const paths[] = {
        "analysis",        "game",
        "ruleset",         "version",
        "budget",          "one",
        "seats",           "plies",
        "further",         "seats.0.seat",
        "seats.0.name.x",  "seats.0.start",
        "seats.0.deal",    "seats.0.luck",
        "seats.0.own",     "seats.0.others",
        "seats.0.result",  "seats.0.further",
        "plies.0.seq",     "plies.0.seat",
        "plies.0.move",    "plies.0.skill",
        "plies.0.skill.0", "plies.0.luck",
        "plies.0.luck.1",  "plies.3.value",
        "plies.3.value.0", "plies.0.further",
        "plies.0.loss.x",
    };
    struct made made;
    make(&made, "mall-world", 0, ROLL_SENSIBLE);
    assert_non_null(made.document);
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        json_t *copy = json_deep_copy(made.document);
        char path[64];
        (void)snprintf(path, sizeof path, "%s", paths[i]);
        char *removed = strstr(path, ".x"); /* `a.x`: `a` is taken away */
        if (removed != NULL) {
            *removed = '\0';
            char *last = strrchr(path, '.');
            *last = '\0';
            json_t *holder = json_array_get(
                json_object_get(copy, strncmp(path, "seats", 5) == 0 ? "seats" : "plies"), 0);
            assert_int_equal(json_object_del(holder, last + 1), 0);
        } else {
            change(copy, path);
        }
        if (check(&made, copy) == NULL)
            fail_msg("%s was not missed", paths[i]);
        json_decref(copy);
    }
    made_free(&made);
}

TEST(test_refuses_other_plies_and_sums)
{
    struct made made, other;
    make(&made, "mall-world", 0, ROLL_SENSIBLE);
    make(&other, "mall-world", 1, ROLL_SENSIBLE);
    assert_non_null(made.document);
    assert_non_null(other.document);
    assert_non_null(check(&made, other.document));
    assert_non_null(analysis_check(made.document, roll_span(&made.roll), ANALYSIS_BUDGET_MIN + 1));
    assert_non_null(check(&made, NULL));
    /* A seat that gains in its sums alone. */
    json_t *copy = json_deep_copy(made.document);
    change(copy, "seats.1.luck");
    change(copy, "seats.1.result");
    assert_non_null(check(&made, copy));
    json_decref(copy);
    /* The last ply left out. */
    copy = json_deep_copy(made.document);
    json_t *plies = json_object_get(copy, "plies");
    json_array_remove(plies, json_array_size(plies) - 1);
    assert_non_null(check(&made, copy));
    json_decref(copy);
    /* A number whose sums would overflow. */
    copy = json_deep_copy(made.document);
    json_object_set_new(json_array_get(json_object_get(copy, "seats"), 0), "start",
                        json_integer(INT64_MAX));
    assert_non_null(check(&made, copy));
    json_decref(copy);
    made_free(&made);
    made_free(&other);
}

int main(void)
{
    if (sodium_init() < 0)
        return 1;
    return run_all_tests(NULL, NULL);
}
