/* A proposal for the result of a game that cannot be finished: the game is played to its end many
 * times, all seats choosing by weight (level `regular`), from positions in which everything that
 * nobody has seen is dealt anew. A proposal, not a verdict: it does not know how well these players
 * play, and is uncertain.
 *
 * Integers only: the same record, view and number of samples give the same proposal everywhere. Its
 * luck follows from the hash of the record so far, so it does not depend on the game's secret.
 */
#ifndef TILLROLL_ENGINE_ANALYSIS_ADJUDICATION_H
#define TILLROLL_ENGINE_ANALYSIS_ADJUDICATION_H

#include <jansson.h>

#include "engine/record/replay.h"

enum {
    ADJUDICATION_VERSION = 1,
    ADJUDICATION_SAMPLES = 400,
    ADJUDICATION_SAMPLES_MIN = 2,
    ADJUDICATION_SAMPLES_MAX = 2048
};

/* What the samples keep. */
enum adjudication_view {
    ADJUDICATION_FULL,  /* every hand: what is in the game; only the future is dealt anew */
    ADJUDICATION_PUBLIC /* what everyone has seen: hands are dealt anew too */
};

struct adjudication_seat {
    unsigned place; /* proposed: from 1; seats that the samples cannot tell apart share it */
    uint32_t ended[GAME_SEATS_MAX]; /* [p - 1]: samples in which it had place p */
    int64_t score;                  /* mean, in hundredths, rounded to the nearest */
    int64_t score_error;            /* its standard error, in hundredths, rounded up */
};

struct adjudication {
    unsigned seats;
    uint32_t samples;
    struct adjudication_seat seat[GAME_SEATS_MAX];
};

/* Makes a proposal for the game in `replay`, which is not over, with points given or taken by
 * rulings and seats that are out as replay_outcome() counts them. `samples` is
 * ADJUDICATION_SAMPLES_MIN .. ADJUDICATION_SAMPLES_MAX. Two neighbours in the order of expected
 * rivals behind them are told apart if they differ by more than two standard errors. False when out
 * of memory. Pure; any thread; about a millisecond or a few for each sample. */
bool adjudication_make(const struct replay *replay, enum adjudication_view view, uint32_t samples,
                       struct adjudication *adjudication);

/* {"version", "samples", "view": `full` or `public`, "seats": [{"seat", "place", "ended": [n, ..],
 * "score_hundredths", "score_error_hundredths"}, ..]}: a new document, NULL when out of memory. */
json_t *adjudication_document(const struct adjudication *adjudication, enum adjudication_view view);

#endif
