/* Players, tokens and answers kept for retries. */
#include "db/players.h"

#include <pthread.h>
#include <string.h>

#include "db/idempotency.h"
#include "tests/db/database.h"

static struct database database;

static int setup(void **state)
{
    (void)state;
    database_make(&database, "test_players", true);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
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

static void test_find_player(void **state)
{
    (void)state;
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

static void test_names_differ_in_more_than_case(void **state)
{
    (void)state;
    assert_int_equal(create("Grace"), DB_OK);
    assert_int_equal(create("Grace"), DB_CONFLICT);
    assert_int_equal(create("gRACE"), DB_CONFLICT);
    assert_int_equal(create("Grace2"), DB_OK);
    /* A sigma has two lower-case forms. */
    assert_int_equal(create("\xce\xa3\xce\xaf\xcf\x83\xcf\x85\xcf\x86\xce\xbf\xcf\x82"), DB_OK);
    assert_int_equal(create("\xcf\x83\xce\xaf\xcf\x83\xcf\x85\xcf\x86\xce\xbf\xcf\x83"),
                     DB_CONFLICT);
}

static void test_refuses_bad_players(void **state)
{
    (void)state;
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

static void test_list_in_pages(void **state)
{
    (void)state;
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

static void test_tokens(void **state)
{
    (void)state;
    struct id owner = make_player(database.db, "Owner");
    uint8_t hash[32] = {0, 1, 2, 255};
    uint8_t other[32] = {9};
    struct player player;
    int64_t expires_at_ms;
    begin(database.db);
    assert_int_equal(token_create(database.db, hash, &owner, NOW_MS, NOW_MS + 1000), DB_OK);
    assert_int_equal(token_create(database.db, hash, &owner, NOW_MS, NOW_MS + 2000), DB_CONFLICT);
    commit(database.db);

    begin(database.db);
    struct arena *arena = &database.arena;
    assert_int_equal(token_player(database.db, arena, hash, NOW_MS + 999, &player, &expires_at_ms),
                     DB_OK);
    assert_true(id_equal(&player.id, &owner));
    assert_string_equal(player.name, "Owner");
    assert_int_equal(expires_at_ms, NOW_MS + 1000);
    assert_int_equal(token_player(database.db, arena, hash, NOW_MS + 1000, &player, &expires_at_ms),
                     DB_NONE);
    assert_int_equal(token_player(database.db, arena, other, NOW_MS, &player, &expires_at_ms),
                     DB_NONE);
    assert_int_equal(token_revoke(database.db, other, NOW_MS + 5), DB_NONE);
    assert_int_equal(token_revoke(database.db, hash, NOW_MS + 5), DB_OK);
    assert_int_equal(token_revoke(database.db, hash, NOW_MS + 6), DB_OK);
    assert_int_equal(token_player(database.db, arena, hash, NOW_MS + 1, &player, &expires_at_ms),
                     DB_NONE);
    commit(database.db);
}

static void test_token_constraints(void **state)
{
    (void)state;
    struct id nobody = id_new(NOW_MS);
    uint8_t hash[32] = {77};
    begin(database.db);
    assert_int_equal(token_create(database.db, hash, &nobody, NOW_MS, NOW_MS + 1), DB_ERROR);
    db_rollback(database.db);
    struct id owner = make_player(database.db, "Expired");
    begin(database.db);
    assert_int_equal(token_create(database.db, hash, &owner, NOW_MS, NOW_MS), DB_ERROR);
    db_rollback(database.db);
}

static void test_kept_answers(void **state)
{
    (void)state;
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

static void test_equal_requests_wait_for_each_other(void **state)
{
    (void)state;
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_find_player),
        cmocka_unit_test(test_names_differ_in_more_than_case),
        cmocka_unit_test(test_refuses_bad_players),
        cmocka_unit_test(test_list_in_pages),
        cmocka_unit_test(test_tokens),
        cmocka_unit_test(test_token_constraints),
        cmocka_unit_test(test_kept_answers),
        cmocka_unit_test(test_equal_requests_wait_for_each_other),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
