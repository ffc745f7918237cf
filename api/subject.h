/* What streams tell of: a game, with a feed for each kind of viewer, or an event, or all of them
 * (the transparency log), with one for everybody. Their messages are made here, once each, from
 * what is committed:
 *
 *      game     number n: row n of the record. `entry`, and for the last row `end`
 *      event    number n: change n of the event. `log`, `game`, `standings` or `dispute`; and when
 * it is closed `end`, which has no number to go on from
 *      log      number n: leaf n - 1 (api/log_story.h); it never ends
 *
 * So a message is the same whoever makes it and whenever, and a reader can go on from any number at
 * any process. One thread works at a subject at a time.
 */
#ifndef TILLROLL_API_SUBJECT_H
#define TILLROLL_API_SUBJECT_H

#include "api/feed.h"
#include "api/live.h"

enum subject_kind { SUBJECT_GAME, SUBJECT_EVENT, SUBJECT_LOG };

enum { SUBJECT_FEEDS = 1 + GAME_SEATS_MAX }; /* what everybody sees; what each seat sees */

struct subject {
    enum subject_kind kind;
    struct id id;
    struct feed *feed[SUBJECT_FEEDS];
    bool known;            /* it is known how far the subject is: */
    unsigned told;         /* the number of the last message */
    bool closed;           /* an event, by a change that was told */
    bool over;             /* there will be no further message */
    struct replay *replay; /* of a game, up to there */
    struct game_row *late; /* a game that is shown late to others than its players; or NULL */
    unsigned shown;        /* of a game to them: the number of the last message */
};

/* Where a subject's messages come from. */
struct subject_source {
    struct db *db; /* with an open transaction */
    struct arena *arena;
    const struct keys *keys;
    struct live *live;
};

void subject_init(struct subject *subject, enum subject_kind kind, const struct id *id,
                  struct feeds *feeds);
void subject_free(struct subject *subject);

/* The feed that this viewer of a game, or anybody who follows an event, may read. */
struct feed *subject_feed(const struct subject *subject, struct viewer viewer);

/* Tells what is new; the first time, finds out how far the subject is. `more`: there is more to
 * tell than is done at once. Where the database fails, nothing has been told. What cannot be told
 * because it is damaged, ends for all who read. */
enum db_status subject_tell(struct subject *subject, const struct subject_source *source,
                            bool *more);

/* Gives hungry readers a piece of what they miss. `more`: some are still hungry. */
enum db_status subject_give(struct subject *subject, const struct subject_source *source,
                            bool *more);

#endif
