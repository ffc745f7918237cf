/* Replacing the signing key (engine/log/key_chain.h):
 *
 *      1. the new key is written beside the old one      signing.key.next
 *      2. the change, signed by both, is committed       server_key_change, and a leaf of the log
 *      3. the new key replaces the old one               signing.key
 *
 * The database decides. If the process dies before step 2, the old key stays and the next attempt
 * uses the file; if it dies after step 2, the next start (key_check_load()) does step 3.
 */
#ifndef TILLROLL_API_STATE_KEY_ROTATION_H
#define TILLROLL_API_STATE_KEY_ROTATION_H

#include "api/state/keys.h"

/* Replaces the signing key of the database's log, or completes a replacement that was interrupted.
 * Appends the new verification key to `vkey`. False with a sentence in `error` of up to 1 KiB; then
 * the old key is still in use, or the sentence says that this is not known. */
bool key_rotation_run(struct key_check *check, struct text *vkey, struct text *error);

#endif
