/* Players, tokens, answers kept for retries, and what becomes of old ones. */
#include "db/store/people/credentials.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "db/store/service/idempotency.h"
#include "db/store/service/retention.h"
#include "tests/db/database.h"

static struct database database;

FIXTURE(setup)
{
    database_make(&database, "test_players", true);
    return 0;
}

FIXTURE(teardown)
{
    database_drop(&database);
    return 0;
}

static enum db_status create(const char *name)
{
    struct player player = {.id = id_new(NOW_MS),
                            .name = name,
                            .password_hash = "$argon2id$v=19$m=65536,t=2,p=1$c2FsdA$aGFzaA",
                            .created_at_ms = NOW_MS};
    begin(database.db);
    enum db_status status = player_create(database.db, &player);
    if (status == DB_OK)
        commit(database.db);
    else
        db_rollback(database.db);
    return status;
}

TEST(test_find_player)
{
    struct id id = make_player(database.db, "Ada 'L\" \xc3\xa9\xe6\x97\xa5");
    struct player player;
    begin(database.db);
    assert_int_equal(player_by_id(database.db, &database.arena, &id, &player), DB_OK);
    assert_true(id_equal(&player.id, &id));
    assert_string_equal(player.name, "Ada 'L\" \xc3\xa9\xe6\x97\xa5");
    assert_null(player.password_hash);
    assert_int_equal(player.created_at_ms, NOW_MS);

    assert_int_equal(
        player_by_name(database.db, &database.arena, "ADA 'l\" \xc3\x89\xe6\x97\xa5", &player),
        DB_OK);
    assert_true(id_equal(&player.id, &id));
    assert_string_equal(player.password_hash, "$argon2id$v=19$m=65536,t=2,p=1$c2FsdA$aGFzaA");

    struct id nobody = id_new(NOW_MS);
    assert_int_equal(player_by_id(database.db, &database.arena, &nobody, &player), DB_NONE);
    assert_int_equal(player_by_name(database.db, &database.arena, "nobody", &player), DB_NONE);
    commit(database.db);
}

TEST(test_names_differ_in_more_than_case)
{
    assert_int_equal(create("Grace"), DB_OK);
    assert_int_equal(create("Grace"), DB_CONFLICT);
    assert_int_equal(create("gRACE"), DB_CONFLICT);
    assert_int_equal(create("Grace2"), DB_OK);
    /* A sigma has two lower-case forms. */
    assert_int_equal(create("\xce\xa3\xce\xaf\xcf\x83\xcf\x85\xcf\x86\xce\xbf\xcf\x82"), DB_OK);
    assert_int_equal(create("\xcf\x83\xce\xaf\xcf\x83\xcf\x85\xcf\x86\xce\xbf\xcf\x83"),
                     DB_CONFLICT);
}

TEST(test_refuses_bad_players)
{
    char longest[66] = {0};
    memset(longest, 'n', 65);
    assert_int_equal(create(""), DB_ERROR);
    assert_int_equal(create(longest), DB_ERROR);
    longest[64] = '\0';
    assert_int_equal(create(longest), DB_OK);
    struct player player = {
        .id = id_new(NOW_MS), .name = "Plain", .password_hash = "secret", .created_at_ms = NOW_MS};
    begin(database.db);
    assert_int_equal(player_create(database.db, &player), DB_ERROR);
    db_rollback(database.db);
}

TEST(test_list_in_pages)
{
    begin(database.db);
    struct player *all;
    size_t total;
    struct id after = {""};
    assert_int_equal(player_list(database.db, &database.arena, &after, 1000, &all, &total), DB_OK);
    assert_true(total >= 4);
    for (size_t i = 0; i < total; i++) {
        struct player *page;
        size_t count;
        assert_int_equal(player_list(database.db, &database.arena, &after, 1, &page, &count),
                         DB_OK);
        assert_int_equal(count, 1);
        assert_true(id_equal(&page->id, &all[i].id));
        assert_true(strcmp(page->id.text, after.text) > 0);
        assert_null(page->password_hash);
        after = page->id;
    }
    struct player *rest;
    assert_int_equal(player_list(database.db, &database.arena, &after, 1, &rest, &total), DB_OK);
    assert_int_equal(total, 0);
    commit(database.db);
}

static enum db_status find_token(const uint8_t hash[static 32], int64_t now_ms, struct token *token,
                                 struct player *player)
{
    return token_player(database.db, &database.arena, hash, now_ms, token, player);
}

/* Expects the token's player, asked for among unknown tokens; NULL = the token is not valid. */
static void expect_player(const uint8_t hash[static 32], int64_t now_ms, const struct token *good)
{
    const uint8_t nobodys[32] = {8};
    uint8_t hashes[4][32];
    struct token found[4];
    for (size_t i = 0; i < 4; i++)
        memcpy(hashes[i], i % 2 == 0 ? nobodys : hash, sizeof hashes[i]);
    assert_int_equal(token_players(database.db, (const uint8_t(*)[32])hashes, 4, now_ms, found),
                     DB_OK);
    for (size_t i = 0; i < 4; i++) {
        if (i % 2 == 0 || good == NULL) {
            assert_string_equal(found[i].player.text, "");
            continue;
        }
        assert_true(id_equal(&found[i].player, &good->player));
        assert_int_equal(found[i].scopes, good->scopes);
        assert_int_equal(found[i].expires_at_ms, good->expires_at_ms);
    }
}

TEST(test_tokens)
{
    struct id owner = make_player(database.db, "Owner");
    uint8_t hash[32] = {0, 1, 2, 255};
    uint8_t other[32] = {9};
    struct player player;
    struct token found;
    struct token token = token_of(&owner);
    token.label = "Laptop";
    token.scopes = SCOPE_READ | SCOPE_PLAY;
    begin(database.db);
    assert_int_equal(token_create(database.db, hash, &token, NULL), DB_OK);
    commit(database.db);
    struct token same = token_of(&owner);
    begin(database.db);
    assert_int_equal(token_create(database.db, hash, &same, NULL), DB_CONFLICT);
    db_rollback(database.db);

    begin(database.db);
    assert_int_equal(find_token(hash, NOW_MS + 999, &found, &player), DB_OK);
    assert_true(id_equal(&player.id, &owner));
    assert_string_equal(player.name, "Owner");
    assert_int_equal(player.roles, NO_ROLE);
    assert_true(id_equal(&found.id, &token.id));
    assert_string_equal(found.label, "Laptop");
    assert_int_equal(found.scopes, SCOPE_READ | SCOPE_PLAY);
    assert_int_equal(found.created_at_ms, NOW_MS);
    assert_int_equal(found.expires_at_ms, NOW_MS + 1000);
    assert_int_equal(find_token(hash, NOW_MS + 1000, &found, &player), DB_NONE);
    assert_int_equal(find_token(other, NOW_MS, &found, &player), DB_NONE);
    expect_player(hash, NOW_MS + 999, &token);
    expect_player(hash, NOW_MS + 1000, NULL);
    assert_int_equal(token_revoke(database.db, other, NOW_MS + 5), DB_NONE);
    assert_int_equal(token_revoke(database.db, hash, NOW_MS + 5), DB_OK);
    expect_player(hash, NOW_MS + 1, NULL);
    assert_int_equal(token_revoke(database.db, hash, NOW_MS + 6), DB_OK);
    assert_int_equal(find_token(hash, NOW_MS + 1, &found, &player), DB_NONE);
    commit(database.db);
}

TEST(test_token_constraints)
{
    struct id nobody = id_new(NOW_MS);
    struct token token = token_of(&nobody);
    uint8_t hash[32] = {77};
    begin(database.db);
    assert_int_equal(token_create(database.db, hash, &token, NULL), DB_NONE);
    db_rollback(database.db);
    struct id owner = make_player(database.db, "Expired");
    token = token_of(&owner);
    token.expires_at_ms = NOW_MS;
    begin(database.db);
    assert_int_equal(token_create(database.db, hash, &token, NULL), DB_ERROR);
    db_rollback(database.db);
    token = token_of(&owner);
    token.scopes = 0;
    begin(database.db);
    assert_int_equal(token_create(database.db, hash, &token, NULL), DB_ERROR);
    db_rollback(database.db);
    token = token_of(&owner);
    begin(database.db);
    assert_int_equal(token_create(database.db, hash, &token, "another hash"), DB_NONE);
    db_rollback(database.db);
}

static struct id add_token(const struct id *player, uint8_t first, const char *label)
{
    struct token token = token_of(player);
    uint8_t hash[32] = {first};
    token.label = label;
    begin(database.db);
    assert_int_equal(token_create(database.db, hash, &token, NULL), DB_OK);
    commit(database.db);
    return token.id;
}

static struct id make_bot(const struct id *owner, const char *name)
{
    struct player bot = {
        .id = id_new(NOW_MS), .name = name, .created_at_ms = NOW_MS, .owner = *owner};
    begin(database.db);
    assert_int_equal(player_create(database.db, &bot), DB_OK);
    commit(database.db);
    return bot.id;
}

static size_t count_good(const struct id *player, int64_t now_ms)
{
    struct token *tokens;
    size_t count;
    struct id after = {""};
    begin(database.db);
    assert_int_equal(
        token_list(database.db, &database.arena, player, now_ms, &after, 100, &tokens, &count),
        DB_OK);
    commit(database.db);
    return count;
}

static size_t end(const struct token_choice *choice)
{
    uint8_t(*hashes)[32];
    size_t count;
    begin(database.db);
    assert_int_equal(token_end(database.db, &database.arena, choice, NOW_MS + 1, &hashes, &count),
                     DB_OK);
    commit(database.db);
    return count;
}

TEST(test_end_tokens)
{
    static const struct id none = {""};
    struct id owner = make_player(database.db, "Owner of many");
    struct id other = make_player(database.db, "Owner of one");
    struct id bot = make_bot(&owner, "Ender [bot]");
    struct token *tokens;
    size_t count;
    struct id first = add_token(&owner, 0xa0, NULL);
    add_token(&owner, 0xa1, NULL);
    add_token(&owner, 0xa2, "Mine");
    add_token(&bot, 0xa3, "The bot's");
    add_token(&other, 0xa4, NULL);
    assert_int_equal(count_good(&owner, NOW_MS + 1), 4);
    assert_int_equal(count_good(&owner, NOW_MS + 1000), 0);
    assert_int_equal(count_good(&bot, NOW_MS + 1), 1);
    begin(database.db);
    assert_int_equal(token_count(database.db, &owner, NOW_MS + 1, &count), DB_OK);
    assert_int_equal(count, 1);
    assert_int_equal(
        token_list(database.db, &database.arena, &owner, NOW_MS + 1, &none, 1, &tokens, &count),
        DB_OK);
    assert_int_equal(count, 1);
    commit(database.db);

    assert_int_equal(end(&(struct token_choice){.player = &other, .id = &first}), 0);
    assert_int_equal(end(&(struct token_choice){.player = &owner, .sessions_but = &first}), 1);
    assert_int_equal(count_good(&owner, NOW_MS + 1), 3);
    assert_int_equal(end(&(struct token_choice){.player = &owner, .sessions_but = &none}), 1);
    assert_int_equal(end(&(struct token_choice){.player = &owner, .id = &first}), 0);
    assert_int_equal(end(&(struct token_choice){.player = &owner}), 2);
    assert_int_equal(count_good(&owner, NOW_MS + 1), 0);
    assert_int_equal(count_good(&other, NOW_MS + 1), 1);
}

TEST(test_bots)
{
    struct id owner = make_player(database.db, "Owner of bots");
    struct id bot = make_bot(&owner, "Ada [bot]");
    struct id after = {""};
    struct player *bots;
    struct player found;
    size_t count;
    begin(database.db);
    assert_int_equal(
        player_list_bots(database.db, &database.arena, &owner, &after, 10, &bots, &count), DB_OK);
    assert_int_equal(count, 1);
    assert_true(id_equal(&bots[0].id, &bot) && id_equal(&bots[0].owner, &owner));
    assert_int_equal(player_by_name(database.db, &database.arena, "ADA [BOT]", &found), DB_OK);
    assert_null(found.password_hash);
    assert_int_equal(player_set_password(database.db, &bot, "x"), DB_NONE);
    assert_int_equal(player_change_roles(database.db, &bot, ROLE_ADMIN, NO_ROLE), DB_NONE);
    commit(database.db);
    const struct player unmarked = {
        .id = id_new(NOW_MS), .name = "Ada the bot", .created_at_ms = NOW_MS, .owner = owner};
    begin(database.db);
    assert_int_equal(player_create(database.db, &unmarked), DB_ERROR);
    db_rollback(database.db);
    const struct player open = {.id = id_new(NOW_MS), .name = "Open", .created_at_ms = NOW_MS};
    begin(database.db);
    assert_int_equal(player_create(database.db, &open), DB_ERROR);
    db_rollback(database.db);
}

TEST(test_roles)
{
    struct id id = make_player(database.db, "Keeper");
    struct id after = {""};
    struct player *players;
    size_t count;
    begin(database.db);
    assert_int_equal(player_change_roles(database.db, &id, ROLE_ADMIN | ROLE_AUDITOR, NO_ROLE),
                     DB_OK);
    assert_int_equal(player_change_roles(database.db, &id, ROLE_ARBITER, ROLE_AUDITOR), DB_OK);
    assert_int_equal(player_list_roles(database.db, &database.arena, &after, 10, &players, &count),
                     DB_OK);
    assert_int_equal(count, 1);
    assert_int_equal(players[0].roles, ROLE_ADMIN | ROLE_ARBITER);
    commit(database.db);
}

TEST(test_delete_player)
{
    struct id id = make_player(database.db, "Leaver");
    struct id bot = make_bot(&id, "Leaver [bot]");
    struct player found;
    const char *hash;
    struct kept_answer answer = {.request_hash = {1}, .status = 200, .body = "{}"};
    add_token(&id, 0xb0, NULL);
    add_token(&bot, 0xb1, "Home");
    begin(database.db);
    assert_int_equal(player_change_roles(database.db, &id, ROLE_ADMIN, NO_ROLE), DB_OK);
    assert_int_equal(idempotency_keep(database.db, &id, "key", NOW_MS, &answer), DB_OK);
    assert_int_equal(player_rename(database.db, &id, "Goer"), DB_OK);
    assert_int_equal(player_lock(database.db, &id), DB_OK);
    assert_int_equal(player_delete(database.db, &id, NOW_MS), DB_OK);
    assert_int_equal(player_delete(database.db, &id, NOW_MS), DB_NONE);
    commit(database.db);

    begin(database.db);
    assert_int_equal(player_by_id(database.db, &database.arena, &id, &found), DB_OK);
    assert_true(found.deleted);
    assert_int_equal(found.roles, NO_ROLE);
    assert_int_equal(strncmp(found.name, "Deleted player ", 15), 0);
    assert_string_equal(found.name + 15, id.text + 24);
    assert_int_equal(player_by_id(database.db, &database.arena, &bot, &found), DB_OK);
    assert_true(found.deleted);
    assert_string_equal(found.name + strlen(found.name) - 6, " [bot]");
    assert_int_equal(player_by_name(database.db, &database.arena, "Goer", &found), DB_NONE);
    assert_int_equal(player_password(database.db, &database.arena, &id, &hash), DB_NONE);
    assert_int_equal(player_lock(database.db, &id), DB_NONE);
    assert_int_equal(player_rename(database.db, &id, "Goer"), DB_NONE);
    assert_int_equal(player_set_password(database.db, &id, "x"), DB_NONE);
    assert_int_equal(idempotency_find(database.db, &database.arena, &id, "key", &answer), DB_NONE);
    const uint8_t hashes[2][32] = {{0xb0}, {0xb1}};
    int64_t expires_at_ms[2];
    assert_int_equal(token_expiries(database.db, hashes, 2, expires_at_ms), DB_OK);
    assert_true(expires_at_ms[0] == 0 && expires_at_ms[1] == 0);
    struct token token = token_of(&id);
    assert_int_equal(token_create(database.db, hashes[0], &token, NULL), DB_NONE);
    commit(database.db);
}

struct sign_in {
    struct db *db;
    struct id player;
    enum db_status status;
};

static void *sign_in(void *context)
{
    struct sign_in *request = context;
    const uint8_t hash[32] = {0xc0};
    struct token token = token_of(&request->player);
    request->status = db_begin(request->db, false);
    if (request->status == DB_OK)
        request->status =
            token_create(request->db, hash, &token, "$argon2id$v=19$m=65536,t=2,p=1$c2FsdA$aGFzaA");
    if (request->status == DB_OK)
        request->status = db_commit(request->db);
    db_rollback(request->db);
    return NULL;
}

/* A sign-in with the old password while it is being changed does not last. */
TEST(test_sessions_do_not_outlive_the_password)
{
    char buffer[512];
    struct text error = TEXT_OVER(buffer);
    struct sign_in request = {.db = db_open(database.service, true, &error),
                              .player = make_player(database.db, "Changer")};
    assert_non_null(request.db);
    begin(database.db);
    assert_int_equal(player_set_password(database.db, &request.player,
                                         "$argon2id$v=19$m=65536,t=2,p=1$c2FsdA$bmV3"),
                     DB_OK);
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, sign_in, &request), 0);
    PGconn *observer = sql_connect(database.admin);
    wait_for_waiter(observer);
    commit(database.db);
    pthread_join(thread, NULL);
    assert_int_equal(request.status, DB_NONE);
    PQfinish(observer);
    db_close(request.db);
}

TEST(test_kept_answers)
{
    struct id player = make_player(database.db, "Retrier");
    struct id other = make_player(database.db, "Other retrier");
    struct kept_answer answer = {.request_hash = {3, 2, 1}, .status = 201, .body = "{\"seq\": 1}"};
    struct kept_answer found;
    struct arena *arena = &database.arena;
    begin(database.db);
    assert_int_equal(idempotency_find(database.db, arena, &player, "key", &found), DB_NONE);
    assert_int_equal(idempotency_keep(database.db, &player, "key", NOW_MS, &answer), DB_OK);
    assert_int_equal(idempotency_keep(database.db, &player, "key", NOW_MS, &answer), DB_CONFLICT);
    commit(database.db);

    begin(database.db);
    assert_int_equal(idempotency_find(database.db, arena, &player, "key", &found), DB_OK);
    assert_int_equal(found.status, 201);
    assert_string_equal(found.body, "{\"seq\": 1}");
    assert_memory_equal(found.request_hash, answer.request_hash, 32);
    assert_int_equal(idempotency_find(database.db, arena, &player, "Key", &found), DB_NONE);
    assert_int_equal(idempotency_find(database.db, arena, &other, "key", &found), DB_NONE);
    commit(database.db);

    /* What was kept in a transaction that did not commit was not kept. */
    begin(database.db);
    assert_int_equal(idempotency_keep(database.db, &other, "undone", NOW_MS, &answer), DB_OK);
    db_rollback(database.db);
    begin(database.db);
    assert_int_equal(idempotency_find(database.db, arena, &other, "undone", &found), DB_NONE);
    commit(database.db);
}

struct second_request {
    struct db *db;
    struct id player;
    enum db_status status;
};

static void *send_again(void *context)
{
    struct second_request *request = context;
    struct arena arena = {NULL};
    struct kept_answer found;
    request->status = db_begin(request->db, false);
    if (request->status == DB_OK)
        request->status = idempotency_find(request->db, &arena, &request->player, "same", &found);
    db_rollback(request->db);
    arena_free(&arena);
    return NULL;
}

TEST(test_equal_requests_wait_for_each_other)
{
    char buffer[512];
    struct text error = TEXT_OVER(buffer);
    struct second_request second = {.db = db_open(database.service, true, &error),
                                    .player = make_player(database.db, "Twice")};
    assert_non_null(second.db);
    struct kept_answer answer = {.status = 200, .body = "{}"};
    struct kept_answer found;
    begin(database.db);
    assert_int_equal(idempotency_find(database.db, &database.arena, &second.player, "same", &found),
                     DB_NONE);
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, send_again, &second), 0);
    PGconn *observer = sql_connect(database.admin);
    wait_for_waiter(observer);
    assert_int_equal(idempotency_keep(database.db, &second.player, "same", NOW_MS, &answer), DB_OK);
    commit(database.db);
    pthread_join(thread, NULL);
    assert_int_equal(second.status, DB_OK);
    PQfinish(observer);
    db_close(second.db);
}

static size_t count_rows(PGconn *admin, const char *sql)
{
    return (size_t)atoi(sql_value(admin, sql));
}

/* One of several services does it, and then it is not due for a while. */
TEST(test_upkeep)
{
    static const char tokens[] = "SELECT count(*) FROM tillroll.token";
    static const char answers[] = "SELECT count(*) FROM tillroll.kept_answer";
    const int64_t later_ms = NOW_MS + 5000;
    char buffer[512];
    struct text error = TEXT_OVER(buffer);
    struct db *second = db_open(database.service, true, &error);
    PGconn *admin = sql_connect(database.admin);
    bool more = true;
    sql_do(admin, "DELETE FROM tillroll.token; DELETE FROM tillroll.kept_answer");
    struct id id = make_player(database.db, "Kept");
    struct kept_answer answer = {.request_hash = {1}, .status = 200, .body = "{}"};
    add_token(&id, 0xd0, NULL); /* ends a second after NOW_MS */
    struct token young = token_of(&id);
    young.expires_at_ms = later_ms;
    const uint8_t hash[2][32] = {{0xd1}, {0xd2}};
    begin(database.db);
    assert_int_equal(token_create(database.db, hash[0], &young, NULL), DB_OK);
    young.id = id_new(NOW_MS);
    assert_int_equal(token_create(database.db, hash[1], &young, NULL), DB_OK);
    assert_int_equal(token_revoke(database.db, hash[1], NOW_MS), DB_OK);
    assert_int_equal(idempotency_keep(database.db, &id, "old", NOW_MS, &answer), DB_OK);
    assert_int_equal(idempotency_keep(database.db, &id, "young", later_ms, &answer), DB_OK);
    commit(database.db);

    begin(database.db);
    assert_int_equal(retention_take(database.db, RETENTION_DELETE_OLD, NOW_MS), DB_OK);
    begin(second);
    assert_int_equal(retention_take(second, RETENTION_DELETE_OLD, NOW_MS), DB_NONE);
    assert_int_equal(retention_delete_old(database.db, later_ms, &more), DB_OK);
    assert_false(more);
    assert_int_equal(retention_done(database.db, RETENTION_DELETE_OLD, NOW_MS + 60000), DB_OK);
    commit(database.db);
    assert_int_equal(retention_take(second, RETENTION_DELETE_OLD, NOW_MS + 59999), DB_NONE);
    assert_int_equal(retention_take(second, RETENTION_DELETE_OLD, NOW_MS + 60000), DB_OK);
    db_rollback(second);
    assert_int_equal(count_rows(admin, tokens), 1);
    assert_int_equal(count_rows(admin, answers), 1);

    /* More than one batch. */
    sql_do(admin, "INSERT INTO tillroll.token (hash, player_id, created_at, expires_at)"
                  " SELECT sha256(n::text::bytea), (SELECT id FROM tillroll.player LIMIT 1),"
                  "  '2000-01-01', '2000-01-02' FROM generate_series(1, 5001) AS n");
    begin(database.db);
    assert_int_equal(retention_delete_old(database.db, NOW_MS, &more), DB_OK);
    assert_true(more);
    assert_int_equal(retention_delete_old(database.db, NOW_MS, &more), DB_OK);
    assert_false(more);
    commit(database.db);
    assert_int_equal(count_rows(admin, tokens), 1);
    PQfinish(admin);
    db_close(second);
}

int main(void)
{
    return run_all_tests(setup, teardown);
}
