/* How ratings and their changes are shown, and how scopes are named in queries. */
#ifndef TILLROLL_API_RATINGS_RATINGS_H
#define TILLROLL_API_RATINGS_RATINGS_H

#include "api/request/call.h"
#include "db/store/people/ratings.h"

struct rating_scope {
    const char *name;
    const char *slug; /* of the ruleset; NULL for `overall` */
    bool solo;        /* no ratings: percentiles of games for one */
};

/* Reads the parameter `scope`: `overall` (without one), a ruleset's slug, `glicko.<slug>`, and with
 * `solo` also `solo.<slug>` of a ruleset for one. False with a problem. */
bool rating_scope_read(struct call *call, bool solo, struct rating_scope *scope);

/* How many periods of Glicko-2 have been in a scope; 0 in other scopes. False with a problem. */
bool rating_count_periods(struct call *call, const char *scope, unsigned *periods);

/* The rating as of now, `periods` as above. */
json_t *rating_document(const struct rating_row *row, unsigned periods);

/* All ratings of a player, as of now: a list of rating_document(). NULL with a problem. */
json_t *rating_list_of(struct call *call, const struct id *player);

/* The values before and after a change. */
json_t *rating_before_document(const struct rating_change *change);
json_t *rating_after_document(const struct rating_change *change);

/* The game or event by which a rating was changed. Borrowed. */
const struct id *rating_cause(const struct rating_change *change);

/* Adds `game` and `event`, one of which is null. */
void rating_add_cause(json_t *document, const struct rating_change *change);

#endif
