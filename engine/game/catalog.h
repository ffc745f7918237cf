/* The list of rulesets. Rulesets are never removed: a game is replayed under the version it was
 * played with.
 *
 * A version is not a copy of the code. What differs between versions is a field of the state that
 * the version's setup() writes and the rules read; everything else is shared. New events play the
 * newest version unless they name another. A ruling that departs from it therefore gets a lower
 * number: versions below 1.0.0 are rulings given up before it.
 */
#ifndef TILLROLL_ENGINE_GAME_CATALOG_H
#define TILLROLL_ENGINE_GAME_CATALOG_H

#include "engine/game/game.h"

/* Ruleset i, ordered by slug and then newest version first, or NULL past the last. Static. The
 * first call, from whichever thread, reads the component sets that come with the program. */
const struct game *catalog_at(size_t i);

/* The newest version of a game, or NULL if there is none with this slug. */
const struct game *catalog_newest(struct span slug);

/* The ruleset with exactly this slug and version, or NULL. */
const struct game *catalog_find(struct span slug, struct span version);

/* True for a ruleset of the catalogue; false for one with another component set
 * (component_set.h). */
bool catalog_has(const struct game *game);

/* The ruleset with this name: `slug` for the newest version, or `slug@version`. NULL if there is
 * none. */
const struct game *catalog_named(struct span name);

#endif
