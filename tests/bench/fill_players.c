#include "fill_players.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "fill_copy.h"

/* The form of a hash of which nobody knows the password. */
static const char no_password[] = "$argon2id$v=19$m=65536,t=2,p=1$AAAAAAAAAAAAAAAAAAAAAA$"
                                  "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";

static const int64_t life_ms = INT64_C(1000) * 60 * 60 * 24 * 30;

static void copy_player(struct copy *copy, const struct fill_player *player, int64_t now_ms)
{
    copy_row(copy, 4);
    copy_id(copy, player->id.text);
    copy_text(copy, span_of(player->name));
    copy_text(copy, span_of(no_password));
    copy_time(copy, now_ms);
}

static void copy_token(struct copy *copy, const struct fill_player *player, const uint8_t hash[32],
                       int64_t now_ms)
{
    copy_row(copy, 4);
    copy_bytes(copy, hash, 32);
    copy_id(copy, player->id.text);
    copy_time(copy, now_ms);
    copy_time(copy, now_ms + life_ms);
}

/* The end of the id, which is random, makes the name one that nobody has. */
static struct fill_player make_player(int64_t now_ms, uint8_t hash[32])
{
    struct fill_player player = {.id = id_new(now_ms)};
    struct text name = TEXT_OVER(player.name);
    text_add(&name, "Player ");
    text_add(&name, player.id.text + 24);
    auth_new_token(player.token, hash);
    return player;
}

static FILE *open_file(const char *path, const char *mode)
{
    FILE *file = fopen(path, mode);
    if (file == NULL) {
        perror(path);
        exit(EXIT_FAILURE);
    }
    return file;
}

void fill_players_make(PGconn *connection, const char *path, size_t count)
{
    struct copy players = copy_into("tillroll.player (id, name, password_hash, created_at)");
    struct copy tokens = copy_into("tillroll.token (hash, player_id, created_at, expires_at)");
    FILE *file = open_file(path, "a");
    int64_t now_ms = (int64_t)time(NULL) * 1000;
    for (size_t i = 0; i < count; i++) {
        uint8_t hash[32];
        struct fill_player player = make_player(now_ms, hash);
        copy_player(&players, &player, now_ms);
        copy_token(&tokens, &player, hash, now_ms);
        (void)fprintf(file, "%s %s %s\n", player.id.text, player.token, player.name);
    }
    copy_send(&players, connection);
    copy_send(&tokens, connection);
    (void)fclose(file);
    copy_free(&players);
    copy_free(&tokens);
}

static bool read_line(FILE *file, struct fill_player *player)
{
    char line[256];
    if (fgets(line, sizeof line, file) == NULL)
        return false;
    struct span rest = {line, strcspn(line, "\n")};
    struct span id = span_word(&rest);
    struct span token = span_word(&rest);
    struct text copy = TEXT_OVER(player->token);
    struct text name = TEXT_OVER(player->name);
    text_add_span(&copy, token);
    text_add_span(&name, rest);
    return id_parse(id, &player->id) && copy.length > 0 && !copy.overflow && !name.overflow;
}

struct fill_players fill_players_read(const char *path)
{
    struct fill_players players = {.count = 0};
    struct fill_player player;
    size_t capacity = 0;
    FILE *file = open_file(path, "r");
    while (read_line(file, &player)) {
        if (players.count == capacity) {
            capacity = capacity == 0 ? 1024 : 2 * capacity;
            players.player = realloc(players.player, capacity * sizeof player);
            if (players.player == NULL)
                abort();
        }
        players.player[players.count++] = player;
    }
    (void)fclose(file);
    if (players.count == 0) {
        (void)fprintf(stderr, "bench_fill: %s names no players\n", path);
        exit(EXIT_FAILURE);
    }
    return players;
}

void fill_players_free(struct fill_players *players)
{
    free(players->player);
    *players = (struct fill_players){.count = 0};
}
