/* Documents of ratings and their changes, and the scopes of queries. */
#ifndef TILLROLL_API_RATINGS_RATINGS_H
#define TILLROLL_API_RATINGS_RATINGS_H

#include "api/request/call.h"
#include "db/store/people/ratings.h"

struct rating_scope {
    const char *name;
    const char *slug; /* of the ruleset; NULL for `overall` */
    bool solo;        /* percentiles of one-player games instead of ratings */
};

/* Reads the parameter `scope`: `overall` (the default), a ruleset's slug, `glicko.<slug>`, and
 * with `solo` also `solo.<slug>` for one-player rulesets. False with a problem. */
bool rating_scope_read(struct call *call, bool solo, struct rating_scope *scope);

/* All current ratings of a player, those with most games first: a list of documents. NULL with a
 * problem. */
json_t *rating_list_of(struct call *call, const struct id *player);

/* The values before and after a change. */
json_t *rating_before_document(const struct rating_change *change);
json_t *rating_after_document(const struct rating_change *change);

/* Adds the members `game` and `event`, one of which is null, and calls rating_add_reported(). */
void rating_add_cause(json_t *document, const struct rating_change *change);

/* Adds the member `reported` with a reported result's table; nothing for a game. */
void rating_add_reported(json_t *document, const struct rated_table *table);

#endif
