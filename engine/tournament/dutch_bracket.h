/* Pairing one bracket after the other (articles 3 and 4). Internal to the Dutch system. */
#ifndef TILLROLL_ENGINE_TOURNAMENT_DUTCH_BRACKET_H
#define TILLROLL_ENGINE_TOURNAMENT_DUTCH_BRACKET_H

#include "engine/tournament/dutch_field.h"

size_t dutch_brackets_size(size_t player_count);

/* Pairs the field: mate[a] is the rank of a's opponent; field->count for who has the bye. `memory`
 * of dutch_brackets_size() stays borrowed, `mate` lies in it. */
bool dutch_brackets_pair(const struct dutch_field *field, void *memory, const uint16_t **mate,
                         struct refusal *refusal);

#endif
