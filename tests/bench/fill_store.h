/* Stores games as the service would have: the game, its seats and sealed secret, its record, and,
 * where it is finished, results and ratings. */
#ifndef TILLROLL_TESTS_FILL_STORE_H
#define TILLROLL_TESTS_FILL_STORE_H

#include "api/state/keys.h"
#include "fill_copy.h"
#include "fill_game.h"
#include "fill_maker.h"
#include "fill_ratings.h"

struct fill_store {
    PGconn *connection;
    struct keys keys;
    struct copy games, seats, secrets, lines, results;
    struct fill_ratings ratings;
    uint64_t lines_stored;
};

/* `url` names a user who owns the tables. With `unchecked` the database does not recompute the
 * chain of what is stored, which is the larger part of its work, until fill_store_close(). */
void fill_store_open(struct fill_store *store, const char *url, const char *secrets,
                     bool unchecked);
void fill_store_close(struct fill_store *store);

/* Stores the first `rows` rows; all of them make a finished game. `secret` is that of the game. */
void fill_store_game(struct fill_store *store, const struct fill_game *game, size_t rows,
                     const struct fill_seating *seating, const uint8_t secret[static 32]);

/* The chosen options as the service keeps them: a JSON object of every option. */
void fill_options_print(const struct record_header *header, struct text *text);

#endif
