/* What a log says of itself, as text.
 *
 * Its checkpoint (c2sp.org/tlog-checkpoint), the text of a signed note (engine/note.h):
 *
 *      <origin>            the log's name, which is that of its key
 *      <size>              how many leaves
 *      <root in base 64>   of the tree over them
 *
 * And the proof that something is in it (c2sp.org/tlog-proof), which can be checked without the
 * log:
 *
 *      c2sp.org/tlog-proof@v1
 *      index <n>
 *      <hash in base 64>   the path, lowest first, one a line
 *
 *      <the signed checkpoint>
 */
#ifndef TILLROLL_ENGINE_CHECKPOINT_H
#define TILLROLL_ENGINE_CHECKPOINT_H

#include "engine/merkle.h"
#include "engine/note.h"
#include "engine/tlog.h"

enum {
    CHECKPOINT_TEXT_MAX = NOTE_NAME_MAX + 96,
    CHECKPOINT_NOTE_MAX = CHECKPOINT_TEXT_MAX + NOTE_SIGNATURE_LINE_MAX,
    TLOG_PROOF_MAX = 64 + 48 * TLOG_PATH_MAX + CHECKPOINT_NOTE_MAX /* with one signature */
};

#define TLOG_PROOF_FIRST_LINE "c2sp.org/tlog-proof@v1"

struct checkpoint {
    struct span origin;
    uint64_t size;
    uint8_t root[MERKLE_HASH];
};

struct tlog_proof {
    uint64_t index;
    size_t length;
    uint8_t path[TLOG_PATH_MAX][MERKLE_HASH];
    struct span checkpoint; /* the signed note */
};

/* Appends the text of a checkpoint: at most CHECKPOINT_TEXT_MAX bytes. */
void checkpoint_print(const struct checkpoint *checkpoint, struct text *text);

/* Reads the text of a note. False if it is no checkpoint. Further lines are passed over: they are
 * extensions. */
bool checkpoint_read(struct span text, struct checkpoint *checkpoint);

/* Appends a proof. */
void tlog_proof_print(const struct tlog_proof *proof, struct text *text);

/* Reads one. False if it has not the form of one; the checkpoint's own form is not looked at. */
bool tlog_proof_read(struct span text, struct tlog_proof *proof);

#endif
