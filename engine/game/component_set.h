/* Component sets: the lists, counts and maps that a ruleset is played with, as data.
 *
 * A ruleset and a set together are a game. Each ruleset of the catalogue comes with one set;
 * whoever owns the printed game can write another, and gets another `struct game` with the same
 * functions:
 *
 *      rules, built in ──> components.json, built in ──> catalog_find()
 *                     └──> a file of somebody's ───────> component_set_game()
 */
#ifndef TILLROLL_ENGINE_GAME_COMPONENT_SET_H
#define TILLROLL_ENGINE_GAME_COMPONENT_SET_H

#include "engine/game/component_reader.h"
#include "engine/game/game.h"

/* Reads `json` into `set`, `game->set_size` bytes, which the caller provides and which is cleared
 * first. False, with a fault, if the ruleset cannot be played with it; then `set` has no meaning.
 * The set does not point to `json`. */
bool component_set_read(const struct game *game, struct span json, void *set,
                        struct component_fault *fault);

/* The slug of the game that the set is for, whether there is such a game or not. False, with a
 * fault, if the file is no JSON or names none. */
bool component_set_slug(struct span json, char slug[static COMPONENT_NAME_MAX + 1],
                        struct component_fault *fault);

/* What its author calls the set: the member `name` beside its slug, as it stands there; "" if it
 * has none, or is no set. */
void component_set_name(struct span json, char name[static COMPONENT_TITLE_MAX + 1]);

/* The SHA-256 of the bytes, in lower-case hex: by it, records name a set. */
void component_set_hash(struct span json, char hex[static 65]);

/* The ruleset with another component set: a new game that has its own copy of `json`, its SHA-256
 * and its tables. NULL, with a fault, if the ruleset cannot be played with it, if it has no tables,
 * or when out of memory. Any thread may use it; the caller frees it with component_set_free() when
 * nothing uses it any more. */
struct game *component_set_game(const struct game *rules, struct span json,
                                struct component_fault *fault);
void component_set_free(struct game *game);

#endif
