/* Shared by the parts of reading a bundle. Internal to bundle_*.c. */
#ifndef TILLROLL_ENGINE_TOURNAMENT_INTERCHANGE_BUNDLE_PARTS_H
#define TILLROLL_ENGINE_TOURNAMENT_INTERCHANGE_BUNDLE_PARTS_H

#include "engine/tournament/event/official.h"
#include "engine/tournament/interchange/bundle.h"

/* What the log and the records tell of one moment may differ by as long as a request can take. */
enum { BUNDLE_AT_ONCE_MS = 60 * 1000 };

/* Fills `fault` with a sentence and, if it is not empty, a detail after it; returns false. */
bool bundle_refuse(struct bundle_fault *fault, size_t line, const char *code, const char *message,
                   const char *detail);

bool bundle_out_of_memory(struct bundle_fault *fault, size_t line);

/* The next entry of a record's text, which moves on behind it; false at the end. Lines that are
 * none are passed over: they are judged elsewhere. */
bool bundle_next_entry(struct span *text, struct record_entry *entry);

/* Reproduces the numbering, stage or round of a line from the event before it, `tournament`, and
 * compares. This is the bundle's, or of lines told anew another one: such lines list byes in order
 * of numbers, and none of boards. True for lines of other kinds. */
bool bundle_check_pairing(struct bundle *bundle, const struct tournament *tournament,
                          const struct tournament_line *line, size_t number,
                          struct bundle_fault *fault);

/* Computes anew what the line of a pairing changed by hand says that it costs (`quality`), from the
 * event after it, and compares. True for lines of other kinds, and for lines that give no reasons.
 * False with a fault at line `number` of the file. */
bool bundle_check_change(struct bundle *bundle, const struct tournament_line *line, size_t number,
                         struct bundle_fault *fault);

/* ---- Signatures of officials ---- */

/* What a signature may be from: one of the last lines of the log. */
struct bundle_official_line {
    uint8_t head[32]; /* the chain's value after it */
    int64_t at_ms;
    char actor[TOURNAMENT_ID_BYTES];
};

/* Zeroed, then begun; ended when all has been read. */
struct bundle_officials {
    struct bundle_official_line line[OFFICIAL_LINES_BACK]; /* number n at [n mod ..] */
    uint32_t number;                                       /* of the last line, */
    char kind[64];                                         /* its kind, */
    json_t *detail; /* and its detail, a reference of its own */
    bool act;       /* it is an act of an official, while the event took signatures, */
    bool required;  /* and required them */
    bool is_signed;
};

void bundle_officials_begin(struct bundle_officials *officials, const char *event);
void bundle_officials_end(struct bundle_officials *officials);

/* The next line of the log; the caller then says whether it is an act, in `act` and `required`.
 * False with a fault in line `number` of the bundle, as the others. */
bool bundle_officials_line(struct bundle_officials *officials, const struct tournament_line *line,
                           struct bundle_fault *fault, size_t number);

/* The chain's value after the last line. */
const uint8_t *bundle_officials_head(const struct bundle_officials *officials);

/* The signature of the last line. */
bool bundle_officials_signature(struct bundle_officials *officials, struct bundle *bundle,
                                const json_t *object, struct bundle_fault *fault, size_t number);

/* Counts what officials did in the game, whose signatures are valid, and refuses what should be
 * signed and is not. */
bool bundle_officials_game(struct bundle *bundle, const struct bundle_record *record,
                           struct bundle_fault *fault);

/* Something else follows: refused if the last line lacks a signature. */
bool bundle_officials_pass(struct bundle_officials *officials, struct bundle_fault *fault,
                           size_t number);

#endif
