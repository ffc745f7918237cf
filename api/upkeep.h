/* Chores: now and then what is old is deleted, by one of the services that use the database: tokens
 * that ended UPKEEP_KEEP_DAYS ago, and answers that were kept for retries so long ago.
 */
#ifndef TILLROLL_API_UPKEEP_H
#define TILLROLL_API_UPKEEP_H

struct upkeep;

enum { UPKEEP_KEEP_DAYS = 7 };

/* Starts a thread that looks every `seconds` whether something is due, at once for the first time;
 * 0 = never. NULL if the system has no threads left. */
struct upkeep *upkeep_new(const char *database, unsigned seconds);

/* Waits for what is being done. NULL is fine. */
void upkeep_free(struct upkeep *upkeep);

#endif
