/* For the tests of views and events: what two viewers see is the same if it is the same bytes. */
#ifndef TILLROLL_TESTS_SIGHT_H
#define TILLROLL_TESTS_SIGHT_H

#include <stdlib.h>
#include <string.h>

#include "engine/game/game.h"
#include "tests/engine/support/position.h"
#include "tests/test.h"

/* The text of `json`, which is released. The caller frees it. */
static inline char *print_json(json_t *json)
{
    char *text = json_dumps(json, JSON_COMPACT | JSON_SORT_KEYS);
    assert_non_null(text);
    json_decref(json);
    return text;
}

/* True if both print as the same bytes, with their keys in order; releases them. (To print them for
 * that takes longer than all else that the tests of twins do.) */
static inline bool is_same_json(json_t *one, json_t *two)
{
    assert_true(one != NULL && two != NULL);
    bool same = json_equal(one, two);
    json_decref(one);
    json_decref(two);
    return same;
}

/* True if `viewer` cannot tell the states `a` and `b` apart. */
static inline bool is_same_view(const struct game *shown, const void *a, const void *b,
                                struct viewer viewer)
{
    return is_same_json(shown->view(shown, a, viewer), shown->view(shown, b, viewer));
}

/* Spectators must see each of these set-up lines when it stands after `begin`. */
static inline void check_seen(const struct game *shown, const char *begin,
                              const char *const *changes, size_t count)
{
    _Alignas(8) unsigned char plain[GAME_STATE_MAX], changed[GAME_STATE_MAX];
    load_state(shown, plain, shown->state_size, begin);
    for (size_t i = 0; i < count; i++) {
        char bytes[200];
        struct text text = TEXT_OVER(bytes);
        text_add(&text, begin);
        text_add(&text, changes[i]);
        load_state(shown, changed, shown->state_size, bytes);
        if (is_same_view(shown, plain, changed, (struct viewer){VIEWER_SPECTATOR, 0}))
            fail_msg("`%s` is not seen", changes[i]);
    }
}

/* The first event of a kind, or NULL. */
static inline const json_t *find_event(const json_t *events, const char *kind)
{
    for (size_t i = 0; i < json_array_size(events); i++) {
        const json_t *event = json_array_get(events, i);
        if (strcmp(json_string_value(json_object_get(event, "kind")), kind) == 0)
            return event;
    }
    return NULL;
}

#endif
