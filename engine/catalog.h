/* The list of rulesets. A ruleset stays in it for ever: a game is replayed under the version with
 * which it was played.
 */
#ifndef TILLROLL_ENGINE_CATALOG_H
#define TILLROLL_ENGINE_CATALOG_H

#include "engine/game.h"

/* Ruleset i in the order of slugs, newest version first, or NULL past the last. Static. */
const struct game *catalog_at(size_t i);

/* The newest version of a game, or NULL if there is none with this slug. */
const struct game *catalog_newest(struct span slug);

/* Exactly this ruleset, or NULL. */
const struct game *catalog_find(struct span slug, struct span version);

#endif
