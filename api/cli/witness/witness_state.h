/* A witness's durable memory: the newest checkpoint of each log that it has cosigned.
 *
 *      <directory>/key      the signing key (api/cli/signer.h)
 *      <directory>/lock     held while a process uses the directory
 *      <directory>/state    everything else; replaced as a whole, and durable before it is used
 *      <guard>              number and hash of the newest state, better on another disk that no
 *                           backup restores along with the directory
 *
 * The state is text: `tillroll witness 1`, `name <name>`, `generation <n>`, for each log
 * `checkpoint <bytes> <seconds>` and the signed note, and `hash <SHA-256 of what precedes>`. Each
 * change increments the generation. State and guard are written in this order, so after a crash the
 * state is at most one generation ahead; anything else means that one of the two is an old copy,
 * and the witness does not start: after signing for the newer state, it must not sign for the older
 * one again.
 *
 * One thread at a time.
 */
#ifndef TILLROLL_API_CLI_WITNESS_STATE_H
#define TILLROLL_API_CLI_WITNESS_STATE_H

#include "engine/log/note.h"

enum { WITNESS_LOGS_MAX = 64, WITNESS_NOTE_MAX = 32 * 1024, WITNESS_PATH_MAX = 512 };

struct witness_entry {
    char *note; /* the log's checkpoint with this witness's cosignature; owned by the state */
    size_t length;
    uint64_t time_s; /* of that cosignature */
    struct checkpoint checkpoint;
};

struct witness_state {
    char directory[WITNESS_PATH_MAX], guard[WITNESS_PATH_MAX];
    char name[NOTE_NAME_MAX + 1];
    uint64_t generation;
    struct witness_entry entry[WITNESS_LOGS_MAX];
    size_t entries;
    int lock;
};

/* Makes the first state and its guard in a directory that has neither. If `guard` is NULL, it is
 * <directory>/guard. False with a message on standard error. */
bool witness_state_make(const char *directory, const char *guard, const char *name);

/* Reads state and guard and takes the lock. False with a message if they are missing, damaged,
 * locked or old. */
bool witness_state_open(struct witness_state *state, const char *directory, const char *guard);
void witness_state_close(struct witness_state *state);

/* Reads only the state, for its name, even while another process has the lock. False with a
 * message. Closed like an opened state; nothing may be put into it. */
bool witness_state_look(struct witness_state *state, const char *directory);

/* The entry of a log, or NULL if the witness has cosigned nothing of it. */
const struct witness_entry *witness_state_find(const struct witness_state *state,
                                               struct span origin);

/* Stores `note`, whose text is a checkpoint of that log, as the newest one, on disk. False if it
 * may not be durable (with a message), or there are too many logs: then nothing may be signed with
 * this state any more. */
bool witness_state_put(struct witness_state *state, struct span note, uint64_t time_s);

/* Replaces a file as a whole. True if the new content will outlast a power failure; false with a
 * message. */
bool witness_replace_file(const char *path, struct span bytes);

/* Writes a file in the directory, unless it exists. */
void witness_state_keep(const struct witness_state *state, const char *name, struct span bytes);

#endif
