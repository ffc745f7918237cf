/* Component sets at random: a set is changed step by step within what its ruleset takes, so that in
 * the end little of it is as it was.
 *
 * A step takes a column (all values of one place but for the numbers of rows, as
 * `/wards/rows/.../cards`), each as likely as the other, and changes one or two of its values: by a
 * little, by much, two of them by opposite amounts, exchanged, copied, renamed throughout the file.
 * Maps are changed as maps: a room is moved, a connection laid, a ward gets another neighbour, a
 * pattern another space. What the file says twice is made to say the same (set_changes.c). */
#ifndef TILLROLL_TESTS_SET_CHANGES_H
#define TILLROLL_TESTS_SET_CHANGES_H

#include "engine/game/component_set.h"
#include "tests/engine/support/dice.h"

/* Makes `attempts` changes to the set that comes with `rules`, keeps those that the ruleset takes,
 * and counts them in `steps`. `number` names the set. component_set_free() frees the game. */
struct game *set_changed(const struct game *rules, uint32_t number, unsigned attempts,
                         unsigned *steps);

/* Adds the columns in which the set of `game` differs from that of `rules` to `changed`, an object
 * of JSON, and returns how many columns there are. */
size_t set_columns_changed(const struct game *rules, const struct game *game, json_t *changed);

/* A number that the environment may set, `usual` if it does not. Ends the program with a message if
 * it is none. */
uint32_t set_number(const char *name, uint32_t usual);

#endif
