/* Puzzles of a whole game: each position of its record is tried (puzzle.h), and what is found is
 * the document that `tillroll puzzles` prints. The same record gives the same puzzles everywhere.
 */
#ifndef TILLROLL_ENGINE_ANALYSIS_PUZZLE_RECORD_H
#define TILLROLL_ENGINE_ANALYSIS_PUZZLE_RECORD_H

#include <jansson.h>

#include "engine/record/replay.h"

/* Callbacks for the puzzles of a record. */
struct puzzle_reader {
    /* Asked before each position is tried, which may take a second: false ends the reading. NULL =
     * always true. */
    bool (*goes_on)(void *context);
    /* Receives each puzzle, which it owns, in the order of the record: false ends the reading. */
    bool (*found)(void *context, json_t *document);
    void *context;
};

/* Verifies the record of a game with the components of its ruleset, and tries its positions.
 * REPLAY_VALID also if the reader has ended it; otherwise nothing was tried, and `fault` is filled
 * in as by replay_verify(). Any thread; aborts when out of memory. */
enum replay_verdict puzzle_record_read(struct span record, const struct puzzle_reader *reader,
                                       struct record_fault *fault);

#endif
