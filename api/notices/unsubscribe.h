/* Links in mails that unsubscribe from such mails without signing in. A token names the player and
 * the kind of mail, and has a tag that proves that this service made it. It permits nothing
 * else. */
#ifndef TILLROLL_API_NOTICES_UNSUBSCRIBE_H
#define TILLROLL_API_NOTICES_UNSUBSCRIBE_H

#include "api/state/keys.h"
#include "db/link/id.h"

/* The token's hex digits, with a NUL. */
enum { UNSUBSCRIBE_TOKEN = 2 * (ID_BYTES + 1 + 12) + 1 };

/* `kind` of db/store/people/notices.h; NULL = all mails with notices. */
void unsubscribe_make(const struct keys *keys, const struct id *player, const char *kind,
                      char token[static UNSUBSCRIBE_TOKEN]);

#endif
