#include "api/cli/database/admin_puzzles.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "api/cli/cli.h"
#include "api/request/visibility.h"
#include "db/link/now.h"
#include "db/store/games/daily_puzzles.h"
#include "engine/analysis/puzzle.h"

/* ---- One line ---- */

static json_int_t number_of(const json_t *object, const char *key)
{
    return json_integer_value(json_object_get(object, key));
}

static bool is_number(const json_t *object, const char *key, json_int_t least, json_int_t most)
{
    return json_is_integer(json_object_get(object, key)) && number_of(object, key) >= least &&
           number_of(object, key) <= most;
}

/* True if the first move is the best one: no value exceeds its own. */
static bool are_moves(const json_t *moves)
{
    const size_t count = json_array_size(moves);
    const json_int_t best = number_of(json_array_get(moves, 0), "value");
    for (size_t i = 0; i < count; i++) {
        const json_t *each = json_array_get(moves, i);
        const json_t *move = json_object_get(each, "move");
        if (json_object_size(each) != 2 || !json_is_string(move) ||
            json_string_length(move) > GAME_MOVE_MAX ||
            !is_number(each, "value", -((json_int_t)1 << 40), best))
            return false;
    }
    return count >= PUZZLE_MOVES_MIN && count <= PUZZLE_MOVES_MAX;
}

/* Returns the reason for refusing a document, or NULL. */
static const char *fault_of(const json_t *document)
{
    const char *game = json_string_value(json_object_get(document, "game"));
    const char *ruleset = json_string_value(json_object_get(document, "ruleset"));
    if (game == NULL || !record_is_id(span_of(game)) || ruleset == NULL ||
        !json_is_string(json_object_get(document, "version")) || json_object_size(document) != 10 ||
        !is_number(document, "seq", 0, INT32_MAX) ||
        !is_number(document, "seats", 1, GAME_SEATS_MAX) ||
        !is_number(document, "seat", 0, number_of(document, "seats") - 1) ||
        !is_number(document, "samples", 1, INT32_MAX) ||
        !json_is_object(json_object_get(document, "view")) ||
        !are_moves(json_object_get(document, "moves")))
        return "this is not a puzzle as `tillroll puzzles` prints it";
    return is_number(document, "apart_hundredths", (json_int_t)PUZZLE_APART * 100, INT32_MAX)
               ? NULL
               : "the best move is not ahead by five standard errors";
}

static const char *fault_of_game(const json_t *document, const struct game_row *game)
{
    if (!visibility_is_open(game) || game->voided)
        return "the game is void, or not everybody may see it yet";
    return strcmp(game->slug, json_string_value(json_object_get(document, "ruleset"))) == 0 &&
                   game->seats == (unsigned)number_of(document, "seats")
               ? NULL
               : "the game is of another ruleset, or has other seats";
}

struct adding {
    struct db *db;
    struct arena *arena;
    unsigned added, known, skipped;
};

static enum db_status add(struct adding *adding, const json_t *document, const char **fault)
{
    struct daily_puzzle puzzle = {.seq = (unsigned)number_of(document, "seq"),
                                  .seat = (unsigned)number_of(document, "seat"),
                                  .ruleset =
                                      json_string_value(json_object_get(document, "ruleset"))};
    struct game_row game;
    *fault = NULL;
    if (!id_parse(span_of(json_string_value(json_object_get(document, "game"))), &puzzle.game))
        return DB_ERROR;
    enum db_status status = game_find(adding->db, adding->arena, &puzzle.game, &game);
    if (status == DB_OK)
        *fault = fault_of_game(document, &game);
    else if (status == DB_NONE)
        *fault = "this service has no such game";
    if (status != DB_OK || *fault != NULL)
        return status == DB_NONE ? DB_OK : status;
    char *text = must(json_dumps(document, JSON_COMPACT));
    puzzle.document = text;
    status = daily_puzzle_add(adding->db, &puzzle, now_ms(CLOCK_REALTIME));
    free(text);
    adding->added += status == DB_OK;
    adding->known += status == DB_NONE;
    return status == DB_NONE ? DB_OK : status;
}

static enum db_status add_line(struct adding *adding, struct span line, unsigned number)
{
    json_t *document = json_loadb(line.at, line.length, JSON_REJECT_DUPLICATES, NULL);
    const char *fault = fault_of(document);
    enum db_status status = fault == NULL ? add(adding, document, &fault) : DB_OK;
    if (fault != NULL) {
        fprintf(stderr, "tillroll: line %u is skipped: %s\n", number, fault);
        adding->skipped++;
    }
    json_decref(document);
    return status;
}

/* ---- The file ---- */

bool admin_puzzles_add(struct db *db, struct arena *arena, const char *path)
{
    struct adding adding = {.db = db, .arena = arena};
    size_t length;
    struct span line;
    unsigned number = 0;
    char *bytes = cli_read_file(path, &length);
    if (bytes == NULL)
        return false;
    struct span rest = {bytes, length};
    enum db_status status = db_begin(db, false);
    while (status == DB_OK && span_line(&rest, &line))
        status = add_line(&adding, line, ++number);
    if (status == DB_OK)
        status = db_commit(db);
    free(bytes);
    if (status != DB_OK) {
        cli_refuse(db_last_error(db));
        db_rollback(db);
        return false;
    }
    printf("%u added, %u known already, %u skipped\n", adding.added, adding.known, adding.skipped);
    return adding.skipped == 0;
}
