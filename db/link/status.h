/* How the use of a connection (db/link/db.h) ends. */
#ifndef TILLROLL_DB_LINK_STATUS_H
#define TILLROLL_DB_LINK_STATUS_H

enum db_status {
    DB_OK,
    DB_NONE,     /* there is no such row */
    DB_CONFLICT, /* a unique key is taken, or a race was lost */
    DB_RETRY,    /* serialization failure, deadlock, or a lock that took too long: the whole
                    transaction may be tried again */
    DB_UNKNOWN,  /* the connection broke during commit, or the server committed with a warning: the
                    transaction may or may not have happened, or may be less durable than it should
                    be */
    DB_UNAVAILABLE, /* no connection, it broke before the commit, a statement took too long, or the
                       server is out of resources: nothing happened */
    DB_ARCHIVE,     /* an archived record's file is missing or has been changed
                       (db/store/games/archive.h) */
    DB_ERROR /* any other failure: a programming error or a damaged database; it has been logged */
};

#endif
