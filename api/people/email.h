/* The address of an account, and the mails sent to it. */
#ifndef TILLROLL_API_PEOPLE_EMAIL_H
#define TILLROLL_API_PEOPLE_EMAIL_H

#include "api/request/call.h"

/* Sets the caller's new password hash, in the open transaction, and sends a notice to the address
 * if it is confirmed. False with a problem. */
bool email_password_changed(struct call *call, const char *hash);

/* The caller's address, as in GET /v1/me/email; NULL with a problem. */
json_t *email_document(struct call *call);

/* The caller's newest `limit` mails: kind, state and times; NULL with a problem. `complete` becomes
 * false if there are more. */
json_t *email_mails(struct call *call, size_t limit, bool *complete);

#endif
