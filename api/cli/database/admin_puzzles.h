/* `tillroll admin puzzles`: adds puzzles found by `tillroll puzzles` to the database. */
#ifndef TILLROLL_API_CLI_DATABASE_ADMIN_PUZZLES_H
#define TILLROLL_API_CLI_DATABASE_ADMIN_PUZZLES_H

#include "db/link/db.h"

/* Adds the puzzles of a file (`-`: standard input), one JSON object per line, and prints how many.
 * A line that is no puzzle, or of a game whose end is not public, is skipped with a message. False
 * with a message if a line was skipped, or nothing could be stored. */
bool admin_puzzles_add(struct db *db, struct arena *arena, const char *path);

#endif
