/* The address of an account, and what is mailed to it. */
#ifndef TILLROLL_API_PEOPLE_EMAIL_H
#define TILLROLL_API_PEOPLE_EMAIL_H

#include "api/request/call.h"

/* Sets the caller's new password hash, in the open transaction; a confirmed address is told. False
 * with a problem. */
bool email_password_changed(struct call *call, const char *hash);

/* The caller's address, in the form of GET /v1/me/email; NULL with a problem. */
json_t *email_document(struct call *call);

/* The newest `limit` mails for the caller: kind, state and times; NULL with a problem. */
json_t *email_mails(struct call *call, size_t limit, bool *complete);

#endif
