/* Additional rights of a player at this site; bits of a set. */
#ifndef TILLROLL_DB_STORE_PEOPLE_ROLES_H
#define TILLROLL_DB_STORE_PEOPLE_ROLES_H

enum role {
    NO_ROLE = 0,
    ROLE_ADMIN = 1,
    ROLE_AUDITOR = 2,
    ROLE_ARBITER = 4,
    DISPUTE_ROLES =
        ROLE_AUDITOR | ROLE_ARBITER, /* decide disputes, in addition to the officials of an event */
};

#endif
