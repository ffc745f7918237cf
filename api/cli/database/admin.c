/* `tillroll admin`: an operator's actions on the server itself, directly on the database, with the
 * service's rights. Running services are notified. Passwords are read from a file or standard
 * input, never from the command line, which other users can see. */
#include <sodium.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "api/cli/cli.h"
#include "api/cli/database/admin_puzzles.h"
#include "api/people/names.h"
#include "api/people/passwords.h"
#include "api/request/auth.h"
#include "api/request/documents.h"
#include "db/link/db.h"
#include "db/link/now.h"
#include "db/store/people/credentials.h"
#include "engine/search/level.h"

struct admin {
    struct db *db;
    struct arena arena;
    const char *name;
    const char *role;
    const char *password_file;
};

/* ---- Arguments ---- */

static bool read_role(const char *word, unsigned *role)
{
    for (unsigned bit = 0; role_name(bit) != NULL; bit++) {
        *role = 1U << bit;
        if (strcmp(word, role_name(bit)) == 0)
            return true;
    }
    return cli_refuse("a role is admin, auditor or arbiter");
}

/* Hashes the first line of the password file, then wipes it. */
static bool read_password(const struct admin *admin, char hash[static PASSWORD_HASH_BYTES])
{
    size_t size;
    char *bytes = cli_read_file(admin->password_file, &size);
    if (bytes == NULL)
        return false;
    size_t length = strcspn(bytes, "\r\n");
    bytes[length] = '\0';
    bool good = length >= PASSWORD_MIN && length <= PASSWORD_MAX;
    bool hashed = good && password_hash(bytes, hash);
    sodium_memzero(bytes, size);
    free(bytes);
    if (!good)
        return cli_refuse("a password has 10 to 128 bytes");
    return hashed || cli_refuse("there is not enough memory to hash the password");
}

/* ---- Transactions ---- */

static bool done(struct db *db, enum db_status status)
{
    if (status == DB_OK)
        status = db_commit(db);
    if (status == DB_OK)
        return true;
    cli_refuse(status == DB_NONE       ? "there is no account of a person with this name"
               : status == DB_CONFLICT ? "the name is taken"
                                       : db_last_error(db));
    db_rollback(db);
    return false;
}

static enum db_status find(struct admin *admin, struct player *player)
{
    enum db_status status = db_begin(admin->db, false);
    if (status == DB_OK)
        status = player_by_name(admin->db, &admin->arena, admin->name, player);
    const char *form = status == DB_NONE ? account_name_form(&admin->arena, admin->name) : NULL;
    if (form != NULL)
        status = player_by_name(admin->db, &admin->arena, form, player);
    return status == DB_OK && player->password_hash == NULL ? DB_NONE : status;
}

/* ---- Commands ---- */

static bool create(struct admin *admin)
{
    char hash[PASSWORD_HASH_BYTES];
    char bytes[256];
    struct text wrong = TEXT_OVER(bytes);
    text_add(&wrong, "the name ");
    const char *name = account_name(&admin->arena, admin->name, PLAYER_NAME_MAX, &wrong);
    if (name == NULL)
        return cli_refuse(bytes);
    if (!read_password(admin, hash))
        return false;
    int64_t now = now_ms(CLOCK_REALTIME);
    const struct player player = {
        .id = id_new(now), .name = name, .password_hash = hash, .created_at_ms = now};
    enum db_status status = db_begin(admin->db, false);
    if (status == DB_OK)
        status = player_create(admin->db, &player);
    const struct name_skeletons skeletons = account_name_skeletons(&admin->arena, name);
    if (status == DB_OK)
        status = name_skeletons_take(admin->db, &player.id, name, &skeletons);
    if (status == DB_OK)
        status = player_change_roles(admin->db, &player.id, ROLE_ADMIN, NO_ROLE);
    return done(admin->db, status);
}

/* ---- House accounts ---- */

enum { HOUSE_DAYS = 366 };
static const int64_t day_ms = INT64_C(86400000);

/* Returns the name of a house account, for example `House · regular` or `House · regular 2`:
 * several may sit at one table. */
static const char *house_name(struct admin *admin, const struct level *level, unsigned before)
{
    struct text name = {arena_take(&admin->arena, PLAYER_NAME_MAX + 1), 0, PLAYER_NAME_MAX + 1,
                        false};
    text_add(&name, RECORD_HOUSE_NAME);
    text_add(&name, level->name);
    if (before > 0) {
        text_add_char(&name, ' ');
        text_add_number(&name, before + 1);
    }
    return name.at;
}

static enum db_status give_token(struct admin *admin, const struct player *player,
                                 char text[static TOKEN_TEXT])
{
    uint8_t hash[32];
    int64_t now = now_ms(CLOCK_REALTIME);
    const struct token token = {.id = id_new(now),
                                .player = player->id,
                                .label = "tillroll house",
                                .scopes = SCOPE_READ | SCOPE_PLAY,
                                .created_at_ms = now,
                                .expires_at_ms = now + HOUSE_DAYS * day_ms};
    auth_new_token(text, hash);
    return token_create(admin->db, hash, &token, NULL);
}

/* Creates one more account of the level. */
static enum db_status make_house(struct admin *admin, const struct level *level,
                                 struct player *player)
{
    unsigned before;
    int64_t now = now_ms(CLOCK_REALTIME);
    enum db_status status = player_count_house(admin->db, level->name, &before);
    if (status != DB_OK)
        return status;
    *player = (struct player){.id = id_new(now),
                              .name = house_name(admin, level, before),
                              .house = level->name,
                              .created_at_ms = now};
    const struct name_skeletons skeletons = account_name_skeletons(&admin->arena, player->name);
    status = player_create(admin->db, player);
    return status == DB_OK ? name_skeletons_take(admin->db, &player->id, player->name, &skeletons)
                           : status;
}

/* Creates accounts of the level until there are as many as can sit at a table beside a person, and
 * gives each a new token, which replaces its earlier ones. */
static enum db_status renew_level(struct admin *admin, const struct level *level,
                                  struct text *tokens)
{
    enum { AT_A_TABLE = 4, ACCOUNTS_MOST = 64 };
    struct player *players;
    struct player made;
    uint8_t(*ended)[32];
    size_t ended_count;
    size_t count;
    unsigned before;
    enum db_status status = player_count_house(admin->db, level->name, &before);
    for (; status == DB_OK && before < AT_A_TABLE; before++)
        status = make_house(admin, level, &made);
    if (status == DB_OK)
        status = player_list_house(admin->db, &admin->arena, level->name, ACCOUNTS_MOST, &players,
                                   &count);
    for (size_t i = 0; status == DB_OK && i < count; i++) {
        const struct token_choice all = {.player = &players[i].id};
        char token[TOKEN_TEXT];
        status =
            token_end(admin->db, &admin->arena, &all, now_ms(CLOCK_REALTIME), &ended, &ended_count);
        if (status == DB_OK)
            status = give_token(admin, &players[i], token);
        if (status == DB_OK)
            text_add(tokens, token);
        if (status == DB_OK)
            text_add_char(tokens, '\n');
    }
    return status;
}

/* Creates one more account of a level, or new tokens for all accounts. The tokens are printed once
 * they are stored, and never shown again. */
static bool create_house(struct admin *admin)
{
    enum { TOKENS_BYTES = 65536 };
    bool all = strcmp(admin->name, "all") == 0;
    const struct level *level = all ? NULL : cli_level(admin->name);
    struct text tokens = {arena_take(&admin->arena, TOKENS_BYTES), 0, TOKENS_BYTES, false};
    struct player player;
    if (level == NULL && !all)
        return false;
    enum db_status status = db_begin(admin->db, false);
    for (size_t i = 0; all && status == DB_OK && level_at(i) != NULL; i++)
        status = renew_level(admin, level_at(i), &tokens);
    if (!all && status == DB_OK)
        status = make_house(admin, level, &player);
    if (!all && status == DB_OK) {
        char token[TOKEN_TEXT];
        status = give_token(admin, &player, token);
        text_add(&tokens, token);
        text_add_char(&tokens, '\n');
    }
    bool good = done(admin->db, status) && !tokens.overflow;
    if (good)
        printf("%s", tokens.at);
    sodium_memzero(tokens.at, TOKENS_BYTES);
    return good;
}

static bool reset_password(struct admin *admin)
{
    static const struct id none = {""};
    char hash[PASSWORD_HASH_BYTES];
    struct player player;
    uint8_t(*ended)[32];
    size_t count;
    if (!read_password(admin, hash))
        return false;
    enum db_status status = find(admin, &player);
    if (status == DB_OK)
        status = player_set_password(admin->db, &player.id, hash);
    const struct token_choice sessions = {.player = &player.id, .sessions_but = &none};
    if (status == DB_OK)
        status =
            token_end(admin->db, &admin->arena, &sessions, now_ms(CLOCK_REALTIME), &ended, &count);
    return done(admin->db, status);
}

static bool change_role(struct admin *admin, bool grant)
{
    unsigned role = NO_ROLE;
    struct player player;
    if (!read_role(admin->role, &role))
        return false;
    enum db_status status = find(admin, &player);
    if (status == DB_OK)
        status = player_change_roles(admin->db, &player.id, grant ? role : NO_ROLE,
                                     grant ? NO_ROLE : role);
    return done(admin->db, status);
}

static bool grant_role(struct admin *admin)
{
    return change_role(admin, true);
}

static bool revoke_role(struct admin *admin)
{
    return change_role(admin, false);
}

static void print_roles(const struct player *player)
{
    printf("%s ", player->id.text);
    for (unsigned bit = 0; role_name(bit) != NULL; bit++)
        if ((player->roles >> bit & 1) != 0)
            printf("%s ", role_name(bit));
    printf("%s\n", player->name);
}

static bool list_roles(struct admin *admin)
{
    enum { PAGE = 100 };
    struct id after = {""};
    struct player *players;
    size_t count = PAGE;
    enum db_status status = db_begin(admin->db, true);
    while (status == DB_OK && count == PAGE) {
        status = player_list_roles(admin->db, &admin->arena, &after, PAGE, &players, &count);
        for (size_t i = 0; status == DB_OK && i < count; i++)
            print_roles(&players[i]);
        if (status == DB_OK && count > 0)
            after = players[count - 1].id;
    }
    return done(admin->db, status);
}

static bool add_puzzles(struct admin *admin)
{
    return admin_puzzles_add(admin->db, &admin->arena, admin->name);
}

static const struct admin_command {
    const char *word;
    int arguments; /* after the subcommand */
    bool (*run)(struct admin *admin);
} commands[] = {
    {"create", 1, create},       {"password", 1, reset_password}, {"grant", 2, grant_role},
    {"revoke", 2, revoke_role},  {"list", 0, list_roles},         {"house", 1, create_house},
    {"puzzles", 1, add_puzzles},
};

static const struct admin_command *find_command(int count, char **words)
{
    for (size_t i = 0; count > 0 && i < sizeof commands / sizeof commands[0]; i++)
        if (strcmp(words[0], commands[i].word) == 0 && count == commands[i].arguments + 1)
            return &commands[i];
    return NULL;
}

int cli_admin(const struct cli_given *given)
{
    struct admin admin = {.password_file = cli_value(given, "password-file")};
    const char *url = db_url(cli_value(given, "database"));
    const struct admin_command *command = find_command(given->words, given->word);
    if (command == NULL)
        return cli_wrong_usage(
            given,
            "takes create NAME, password NAME, grant NAME ROLE, revoke NAME ROLE, list, house "
            "LEVEL or puzzles FILE");
    if (url == NULL)
        return cli_wrong_usage(given, DB_URL_ADVICE);
    admin.name = command->arguments >= 1 ? given->word[1] : NULL;
    admin.role = command->arguments >= 2 ? given->word[2] : NULL;
    admin.db = cli_database(url, true);
    if (admin.db == NULL)
        return EXIT_UNKNOWN;
    bool good = command->run(&admin);
    db_close(admin.db);
    arena_free(&admin.arena);
    return good ? EXIT_YES : EXIT_NO;
}
