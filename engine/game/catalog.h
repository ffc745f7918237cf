/* The list of rulesets. A ruleset stays in it for ever: a game is replayed under the version with
 * which it was played.
 *
 * A version is not a copy of the code. What has been ruled otherwise is a field of the state, which
 * the version's own setup() writes and the rules ask; everything else they share. The newest
 * version is what new events play unless they name another, so a ruling that differs from it goes
 * to a lower number: versions below 1.0.0 are rulings that were given up before it.
 */
#ifndef TILLROLL_ENGINE_GAME_CATALOG_H
#define TILLROLL_ENGINE_GAME_CATALOG_H

#include "engine/game/game.h"

/* Ruleset i in the order of slugs, newest version first, or NULL past the last. Static. */
const struct game *catalog_at(size_t i);

/* The newest version of a game, or NULL if there is none with this slug. */
const struct game *catalog_newest(struct span slug);

/* Exactly this ruleset, or NULL. */
const struct game *catalog_find(struct span slug, struct span version);

/* The ruleset that a person names: `slug` for the newest version, or `slug@version`. NULL. */
const struct game *catalog_named(struct span name);

#endif
