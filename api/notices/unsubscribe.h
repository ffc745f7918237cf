/* Links in mails that turn such mails off, without signing in: a token says whose and which, and a
 * tag proves that this service made it. Such a token is good for nothing else. */
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
