/* What a bundle that holds leads to: standings, ratings, and how far people's word and officials'
 * decisions are in them. */
#ifndef TILLROLL_ENGINE_TOURNAMENT_INTERCHANGE_BUNDLE_RESULTS_H
#define TILLROLL_ENGINE_TOURNAMENT_INTERCHANGE_BUNDLE_RESULTS_H

#include "engine/base/merkle.h"
#include "engine/tournament/interchange/bundle.h"
#include "engine/tournament/pairing/duplicate_board.h"

struct bundle_place {
    uint16_t entry, place; /* 0: unknown or none */
    uint16_t shared;       /* entries with this place */
    uint16_t padding;
    int64_t numerator, denominator; /* of the points */
};

struct bundle_results {
    bool closed;                  /* the event is, and everything that it led to is proved */
    struct rating *ratings;       /* owned; by entry */
    size_t rated;                 /* number of rated games */
    struct rating *house_ratings; /* owned; by entry, of games rated on the list of house players */
    size_t rated_apart;
    struct bundle_place *places; /* owned; best first */
    size_t count;
    struct ranking ranking;          /* of rated events of all formats except duplicate, */
    struct duplicate_ranking boards; /* and of duplicate events */
    struct refusal refusal;          /* why there are no places; its code is "" if there are */

    size_t set_aside; /* records of games that do not count */
    size_t reported;  /* tables with a result reported by people */
    size_t recorded;  /* those of them with a game recorded by a scorer */
    size_t rated_reported;
    size_t ruled;   /* tables with a ruling: a decision that cannot be recomputed, */
    size_t changed; /* as are pairings changed by hand */
};

/* Computes the results of a bundle whose records have been checked. Without the secret, the draw
 * that ends a chain of tie-breaks is unknown. False when out of memory; bundle_results_free() all
 * the same. The bundle must outlive the results. */
bool bundle_results_make(const struct bundle *bundle, struct bundle_results *results);

void bundle_results_free(struct bundle_results *results);

/* The results as a document, the same that `tillroll event --json` prints
 * (web-static/docs/reference/cli.md). The caller owns it. */
json_t *bundle_results_document(const struct bundle *bundle, const struct bundle_results *results);

/* The hash of the transparency log's leaf about the last line of the event's log. */
void bundle_log_leaf(const struct bundle *bundle, uint8_t hash[static MERKLE_HASH]);

/* The hash of its leaf about the commitment to the event's secret. */
void bundle_commitment_leaf(const struct bundle *bundle, uint8_t hash[static MERKLE_HASH]);

#endif
