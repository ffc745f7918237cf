/* What notices say, in English and German. */
#ifndef TILLROLL_API_NOTICES_NOTICE_H
#define TILLROLL_API_NOTICES_NOTICE_H

#include "api/notices/channel.h"
#include "db/store/people/notices.h"
#include "db/store/service/outbox.h"
#include "engine/record/record.h"

/* What a notice of a turn or a clock of this seat is about, as a row of the outbox has it; in the
 * arena. */
const char *notice_about_seat(struct arena *arena, const struct record_header *header,
                              unsigned seat);

/* Reads what a notice is about out of its row of the outbox: kind, time, ids and numbers; the rest
 * is left zeroed. False if the row does not hold that. Texts are in the arena. */
bool notice_read(struct arena *arena, const struct outbox_notice *row, struct notice *notice);

/* Writes title, text and addresses of a notice that was read, from what its things are called now.
 * `site` as configured, or NULL. `left_ms`: on the clock, of NOTICE_CLOCK_LOW. False if there is
 * nothing to tell of any more: an event, a game or an invitation is gone. */
bool notice_write(struct arena *arena, const struct notice_names *names, const char *language,
                  const char *site, int64_t left_ms, struct notice *notice);

#endif
