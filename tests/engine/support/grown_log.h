/* A log grown in memory, for tests: its leaves are "leaf 0", "leaf 1" and so on, and it stores what
 * a service stores. */
#ifndef TILLROLL_TESTS_GROWN_LOG_H
#define TILLROLL_TESTS_GROWN_LOG_H

#include "engine/log/tlog.h"

enum { GROWN_LEAVES_MAX = 140000 };

struct grown_log {
    struct tlog_edge edge;
    uint8_t (*hash[TLOG_LEVELS])[MERKLE_HASH]; /* of all levels, as stored */
};

/* Ends the program when memory is short. Free with grown_log_free(). */
void grown_log_make(struct grown_log *log, size_t leaves);
void grown_log_free(struct grown_log *log);

/* One more leaf. */
void grown_log_add(struct grown_log *log);

/* The data of a leaf, in `bytes`. */
struct span grown_log_leaf(uint64_t index, char bytes[static 32]);

/* Hashes ranges with no more than the tiles that they need, as a log of `size` leaves has them.
 * False if one cannot be hashed so. */
bool grown_log_hash(const struct grown_log *log, uint64_t size, const struct tlog_range *range,
                    size_t count, uint8_t (*hash)[MERKLE_HASH]);

#endif
