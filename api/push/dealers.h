/* Asks co-dealers for their outputs (engine/record/dealer.h): one request at a time for each
 * dealer, all dealers at the same time (api/push/asker.h).
 *
 *      open dealing ──> dealer: POST <address>/deal, a signed note
 *                   <── proof, which is checked and stored
 *
 * A dealer that is away, slow or wrong is asked again later, at growing intervals, and delays only
 * the games that wait for its answer; a question that it refuses is asked again after all others.
 */
#ifndef TILLROLL_API_PUSH_DEALERS_H
#define TILLROLL_API_PUSH_DEALERS_H

#include "api/state/dealer_list.h"
#include "api/state/keys.h"

struct dealers_config {
    const char *database; /* libpq connection string */
    bool service;         /* see db_open() */
    const struct dealer_list *list;
    const struct keys *keys;        /* sign the requests */
    const struct note_key *log_key; /* the public half of `keys`, under the log's name */
    unsigned interval_ms;           /* between looks for new questions */
};

struct dealers;

/* `config` is copied, but not the targets of its pointers. NULL if the system has no threads or
 * descriptors left. */
struct dealers *dealers_new(const struct dealers_config *config);

/* Counts of this service since its start. Any thread. */
struct dealer_figures {
    const char *name;
    uint64_t asked;    /* requests */
    uint64_t answered; /* valid proofs */
    uint64_t late;     /* of these, for games that had started without them */
    uint64_t failures; /* requests without a valid proof */
    bool up;           /* the last request succeeded */
};
size_t dealers_count(const struct dealers *dealers);
struct dealer_figures dealers_figures(const struct dealers *dealers, size_t i);

/* Aborts requests under way. NULL is fine. */
void dealers_free(struct dealers *dealers);

#endif
