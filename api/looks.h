/* Who has looked at everything in a game while it ran. */
#ifndef TILLROLL_API_LOOKS_H
#define TILLROLL_API_LOOKS_H

#include "api/call.h"
#include "db/games.h"

/* The looks as a new list, for the document of a game that is over. False with a problem. */
bool looks_document(struct call *call, const struct game_row *game, json_t **list);

#endif
