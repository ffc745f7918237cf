/* What a log has lost beyond its end, as far as somebody has kept it: for `tillroll audit`. */
#ifndef TILLROLL_API_CLI_AUDIT_LOST_H
#define TILLROLL_API_CLI_AUDIT_LOST_H

#include "engine/checkpoint.h"
#include "engine/tlog.h"

/* Prints a line for each leaf from `there`, the log as it is, to the size of `kept`, a checkpoint
 * that was signed: what it is about, as the file says in which leaves were kept (deploy/backup log:
 * a line each, its index, a tab and the leaf in the escapes of COPY). Says instead if the file does
 * not have them, or has others than were signed. False, with a message, if it cannot be read. */
bool audit_lost(const char *path, const struct tlog_edge *there, const struct checkpoint *kept);

#endif
