/* The leaves of the transparency log: what the service can no longer say otherwise. Each is a text
 * of three lines that anybody can write down again who knows what it is about:
 *
 *      tillroll game LF <game> LF <head>             a record was finished: its last line
 *      tillroll commitment LF <scope> LF <hash>      a secret was committed to (RECORD.md, Luck):
 *                                                    scope is `<event>`, `<event>/round/<n>` or the
 *                                                    id of a game
 *      tillroll event-log LF <event> LF <hash>       an event was closed: SHA-256 of its log
 *      tillroll standings LF <scope> LF <hash>       and of its final standings; scope
 *                                                    `<event>/round/<n>`: of those after round n,
 *                                                    as the next round began
 *      tillroll ruling LF <event>/line/<n> LF <hash> somebody has ruled: SHA-256 of line n of the
 *                                                    event's log, with its LF
 *      tillroll dispute LF <dispute> LF <head>       a dispute was ruled or closed: the value of
 *                                                    its log's chain (dispute.h)
 *      tillroll key LF <player>/key/<n> LF <hash>    a player's keys have changed: SHA-256 of line
 *                                                    n of their history (keyring.h), with its LF
 *
 * with LF after the last line, hashes in lower-case hex.
 */
#ifndef TILLROLL_ENGINE_TLOG_LEAF_H
#define TILLROLL_ENGINE_TLOG_LEAF_H

#include "engine/merkle.h"

enum tlog_subject {
    TLOG_GAME,
    TLOG_COMMITMENT,
    TLOG_EVENT_LOG,
    TLOG_STANDINGS,
    TLOG_RULING,
    TLOG_DISPUTE,
    TLOG_KEY
};

enum { TLOG_LEAF_MAX = 192 /* bytes, with the NUL of a text */ };

struct tlog_leaf {
    enum tlog_subject subject;
    struct span name; /* of the game, event or scope: at most 64 bytes */
    uint8_t hash[32];
};

/* Appends the leaf's text. */
void tlog_leaf_print(const struct tlog_leaf *leaf, struct text *text);

/* The leaf of a finished record: its game, and the head that its last line names. False if it has
 * no such line; nothing else about it is looked at. */
bool tlog_leaf_of_record(struct span record, struct tlog_leaf *leaf);

/* The hash of the leaf (RFC 6962 section 2.1). */
void tlog_leaf_hash(const struct tlog_leaf *leaf, uint8_t hash[static MERKLE_HASH]);

/* Reads one. False if it is none. */
bool tlog_leaf_read(struct span text, struct tlog_leaf *leaf);

#endif
