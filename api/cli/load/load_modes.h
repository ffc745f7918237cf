/* What `tillroll load` can ask for. Each mode fills in a struct load_mode and reports in words and
 * numbers of its own; load_loop.h runs it. */
#ifndef TILLROLL_API_CLI_LOAD_LOAD_MODES_H
#define TILLROLL_API_CLI_LOAD_LOAD_MODES_H

#include <jansson.h>

#include "api/cli/load/load_loop.h"
#include "api/cli/load/load_script.h"

/* ---- Moves of a script ---- */

struct load_moves;

/* Every connection plays games of the script, the next one that nobody has begun; number `first`,
 * from 0, is the first. `stale_percent` of the requests are sent besides: the move before once
 * more, or the next one with the sequence number before, in turn. `script` is borrowed. */
struct load_moves *load_moves_new(const struct load_script *script, const char *host,
                                  unsigned connections, size_t first, unsigned stale_percent);
void load_moves_free(struct load_moves *moves);
struct load_mode load_moves_mode(struct load_moves *moves);

/* Answers that were not what the script, or the rules for repeated requests, ask for. */
uint64_t load_moves_wrong(const struct load_moves *moves);

/* Sets `moves`, `moves_per_s`, `games` (begun), `repeated`, `stale`, `wrong` and, if there was one,
 * `first_wrong`. */
void load_moves_report(const struct load_moves *moves, double seconds, json_t *object);

/* ---- One page again and again ---- */

struct load_get {
    char request[LOAD_REQUEST_MAX];
    size_t length;
    uint64_t wrong; /* answers other than 200 and 304 */
};

/* `etag` and `token` may be NULL. False if they do not fit. */
bool load_get_init(struct load_get *get, const char *host, const char *path, const char *etag,
                   const char *token);
struct load_mode load_get_mode(struct load_get *get);

/* ---- Watching ---- */

/* Opens `viewers` event streams, spread over the paths, and counts what arrives for `seconds`.
 * Reports into `object`. False with a sentence in `error`. */
bool load_watch(const struct load_server *server, const char *const *paths, size_t path_count,
                unsigned viewers, unsigned seconds, json_t *object, struct text *error);

#endif
