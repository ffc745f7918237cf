/* The texts of notices, in English and German. */
#ifndef TILLROLL_API_NOTICES_NOTICE_H
#define TILLROLL_API_NOTICES_NOTICE_H

#include "api/notices/channel.h"
#include "db/store/people/notices.h"
#include "db/store/service/outbox.h"
#include "engine/record/record.h"

/* The subject of a notice of a turn or a clock of this seat, as stored in a row of the outbox; in
 * the arena. */
const char *notice_about_seat(struct arena *arena, const struct record_header *header,
                              unsigned seat);

/* Reads the subject of a notice from its row of the outbox: kind, time, ids and numbers; other
 * members become zero. False if the row is not valid. Texts are in the arena. */
bool notice_read(struct arena *arena, const struct outbox_notice *row, struct notice *notice);

/* Writes title, text and addresses of a notice that was read, with the current names of its event,
 * game and players. `site` as configured, or NULL. `left_ms`: time left on the clock, for
 * NOTICE_CLOCK_LOW. False if the event, game or invitation no longer exists. */
bool notice_write(struct arena *arena, const struct notice_names *names, const char *language,
                  const char *site, int64_t left_ms, struct notice *notice);

#endif
