#include "api/cli/load/load_script.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine/base/arena.h"

static const char game_word[] = "game ";

static bool begins_game(struct span line)
{
    return line.length >= sizeof game_word - 1 &&
           memcmp(line.at, game_word, sizeof game_word - 1) == 0;
}

static bool map_file(struct load_script *script, const char *path)
{
    struct stat status;
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return false;
    bool known = fstat(file, &status) == 0 && status.st_size > 0;
    if (known) {
        script->length = (size_t)status.st_size;
        script->bytes = mmap(NULL, script->length, PROT_READ, MAP_PRIVATE, file, 0);
    }
    close(file);
    return known && script->bytes != MAP_FAILED;
}

/* Plies are parsed when they are played; only the games are located here. */
static bool find_games(struct load_script *script)
{
    struct span rest = {script->bytes, script->length};
    struct span line;
    size_t capacity = 0;
    while (span_line(&rest, &line)) {
        if (!begins_game(line))
            continue;
        if (script->games == capacity) {
            capacity = capacity == 0 ? 1024 : 2 * capacity;
            script->game = must(realloc(script->game, capacity * sizeof *script->game));
        }
        script->game[script->games++] = (size_t)(line.at - script->bytes);
    }
    return script->games > 0;
}

bool load_script_open(struct load_script *script, const char *path, struct text *error)
{
    *script = (struct load_script){.games = 0};
    if (!map_file(script, path)) {
        text_add(error, "cannot read the script ");
        text_add(error, path);
        script->bytes = NULL;
        return false;
    }
    if (find_games(script))
        return true;
    text_add(error, "no games in the script ");
    text_add(error, path);
    load_script_close(script);
    return false;
}

void load_script_close(struct load_script *script)
{
    if (script->bytes != NULL)
        munmap(script->bytes, script->length);
    free(script->game);
    *script = (struct load_script){.games = 0};
}

bool load_script_game(const struct load_script *script, size_t number, struct load_game *game)
{
    size_t start = script->game[number];
    size_t end = number + 1 < script->games ? script->game[number + 1] : script->length;
    struct span line;
    *game = (struct load_game){.rest = {script->bytes + start, end - start}};
    if (!span_line(&game->rest, &line))
        return false;
    span_word(&line);
    game->id = span_word(&line);
    while (line.length > 0 && game->seats < GAME_SEATS_MAX)
        game->token[game->seats++] = span_word(&line);
    return game->id.length > 0 && game->seats > 0;
}

static bool read_number(struct span *line, uint64_t max, uint64_t *number)
{
    return span_number(span_word(line), max, number);
}

bool load_game_next(struct load_game *game, struct load_ply *ply)
{
    struct span line;
    uint64_t seat;
    uint64_t seq;
    uint64_t after;
    if (!span_line(&game->rest, &line) || !read_number(&line, game->seats - 1, &seat) ||
        !read_number(&line, INT32_MAX, &seq) || !read_number(&line, INT32_MAX, &after) ||
        line.length == 0 || line.length > GAME_MOVE_MAX)
        return false;
    *ply = (struct load_ply){(unsigned)seat, (uint32_t)seq, (uint32_t)after, line};
    return true;
}
