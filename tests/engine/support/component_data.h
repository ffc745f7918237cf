/* For the tests of component tables: the component data of a game, and values in it that must be
 * there. */
#ifndef TILLROLL_TESTS_COMPONENT_DATA_H
#define TILLROLL_TESTS_COMPONENT_DATA_H

#include "engine/game/catalog.h"
#include "tests/test.h"

/* The data of a newest ruleset. */
static json_t *data;

/* For the setup of a group of tests, with free_components() as its end: not 0 if they are no JSON.
 */
static inline int read_components_of(const char *slug)
{
    struct span json = game_components(catalog_newest(span_of(slug)));
    data = json_loadb(json.at, json.length, 0, NULL);
    return data == NULL;
}

static inline int free_components(void **context)
{
    (void)context;
    json_decref(data);
    return 0;
}

static inline const json_t *member(const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);
    if (value == NULL)
        fail_msg("the component data lack `%s`", key);
    return value;
}

static inline const json_t *rows(const char *table)
{
    return member(member(data, table), "rows");
}

static inline struct span text(const json_t *object, const char *key)
{
    assert_true(json_is_string(member(object, key)));
    return span_of(json_string_value(member(object, key)));
}

static inline int number(const json_t *object, const char *key)
{
    assert_true(json_is_integer(member(object, key)));
    return (int)json_integer_value(member(object, key));
}

static inline void assert_same(struct span a, struct span b)
{
    assert_int_equal(a.length, b.length);
    assert_memory_equal(a.at, b.at, a.length);
}

static inline void assert_ascending(struct span before, struct span after)
{
    assert_true(span_compare(before, after) < 0);
}

#endif
