/* The modes of `tillroll load`. Each fills in a struct load_mode and reports its own figures;
 * load_loop.h runs it. */
#ifndef TILLROLL_API_CLI_LOAD_LOAD_MODES_H
#define TILLROLL_API_CLI_LOAD_LOAD_MODES_H

#include <jansson.h>

#include "api/cli/load/load_loop.h"
#include "api/cli/load/load_script.h"

/* ---- Moves of a script ---- */

struct load_moves;

/* Every connection plays games of the script, each time the next unstarted one, beginning with
 * number `first` (from 0). `stale_percent` additional requests are sent, alternating between
 * repeating the last move and sending the next one with the previous sequence number. `script` is
 * borrowed. */
struct load_moves *load_moves_new(const struct load_script *script, const char *host,
                                  unsigned connections, size_t first, unsigned stale_percent);
void load_moves_free(struct load_moves *moves);
struct load_mode load_moves_mode(struct load_moves *moves);

/* The number of responses that contradict the script or the rules for repeated requests. */
uint64_t load_moves_wrong(const struct load_moves *moves);

/* Sets `moves`, `moves_per_s`, `games` (begun), `repeated`, `stale`, `wrong` and, if there was one,
 * `first_wrong`. */
void load_moves_report(const struct load_moves *moves, double seconds, json_t *object);

/* ---- One page repeatedly ---- */

struct load_get {
    char request[LOAD_REQUEST_MAX];
    size_t length;
    uint64_t wrong; /* responses other than 200 and 304 */
};

/* Prepares the request. `etag` and `token` may be NULL. False if they do not fit. */
bool load_get_init(struct load_get *get, const char *host, const char *path, const char *etag,
                   const char *token);
struct load_mode load_get_mode(struct load_get *get);

/* ---- Watching streams ---- */

/* Opens `viewers` event streams, spread over the paths, and counts received events for `seconds`.
 * Writes the figures to `object`. False with a message in `error`. */
bool load_watch(const struct load_server *server, const char *const *paths, size_t path_count,
                unsigned viewers, unsigned seconds, json_t *object, struct text *error);

#endif
