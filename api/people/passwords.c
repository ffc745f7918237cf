#include "api/people/passwords.h"

#include <assert.h>
#include <sodium.h>
#include <string.h>
#include <strings.h>

#include "api/work/transaction.h"
#include "db/link/db.h"
#include "db/store/people/players.h"

/* OWASP's minimum for argon2id is 19 MiB with two passes; this is three times the memory. */
static const unsigned long long passes = 2;
static const size_t memory_bytes = 64 * 1024 * 1024;

/* A hash that no password matches, checked if there is no such player. */
static const char nobody[crypto_pwhash_STRBYTES] =
    "$argon2id$v=19$m=65536,t=2,p=1$AAAAAAAAAAAAAAAAAAAAAA$"
    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";

bool password_hash(const char *password, char hash[static PASSWORD_HASH_BYTES])
{
    static_assert((int)crypto_pwhash_STRBYTES <= (int)PASSWORD_HASH_BYTES, "it fits");
    return crypto_pwhash_str(hash, password, strlen(password), passes, memory_bytes) == 0;
}

/* True if `hash` matches the password. With `hash` NULL (no such player, or no password), takes the
 * same time and returns false. */
bool password_is(const char *hash, const char *password)
{
    bool good =
        crypto_pwhash_str_verify(hash == NULL ? nobody : hash, password, strlen(password)) == 0;
    return good && hash != NULL;
}

/* Passwords that guessers try first, of those that are long enough. Small letters stand for capital
 * ones, too. */
static const char *const common_passwords[] = {
    "0000000000",       "0123456789",       "0987654321",
    "1029384756",       "1111111111",       "11111111111",
    "1122334455",       "123123123123",     "1234512345",
    "1234554321",       "1234567890",       "12345678900",
    "12345678901",      "1234567890a",      "1234567890q",
    "1234567891",       "12345678910",      "123456789a",
    "123456789abc",     "123456789q",       "12345qwert",
    "1234qwerasdf",     "123abc123abc",     "123qweasdzxc",
    "1q2w3e4r5t",       "1q2w3e4r5t6y",     "1q2w3e4r5t6y7u",
    "1qaz2wsx3edc",     "1qaz2wsx3edc4rfv", "1qazxsw23edc",
    "9876543210",       "a123456789",       "a1234567890",
    "abc123456789",     "abcd123456",       "abcd12345678",
    "abcdefghij",       "abcdefghijk",      "abcdefghijklmnopqrstuvwxyz",
    "admin12345",       "admin123456",      "adminadmin",
    "administrator",    "asdfasdfasdf",     "asdfghjkl1",
    "asdfghjkl123",     "asdfghjkl;",       "baseball123",
    "basketball",       "changeme123",      "charlie123",
    "computer123",      "dragon12345",      "football123",
    "fussball123",      "geheim1234",       "hallo12345",
    "hallo123456",      "hallohallo",       "iloveyou12",
    "iloveyou123",      "iloveyou1234",     "jennifer123",
    "letmein123",       "letmein1234",      "liverpool123",
    "master12345",      "michael123",       "monkey12345",
    "p@ssw0rd123",      "pa55word123",      "passw0rd123",
    "password!1",       "password00",       "password01!",
    "password10",       "password11",       "password12",
    "password12!",      "password123",      "password123!",
    "password1234",     "password12345",    "password123456",
    "passwordpassword", "passwort12",       "passwort123",
    "passwort1234",     "pokemon123",       "princess123",
    "q1w2e3r4t5",       "q1w2e3r4t5y6",     "qazwsxedc123",
    "qazwsxedcrfv",     "qwe123456789",     "qweasdzxc123",
    "qwer123456",       "qwerasdfzxcv",     "qwert12345",
    "qwert123456",      "qwertqwert",       "qwerty1234",
    "qwerty12345",      "qwerty123456",     "qwerty123456789",
    "qwertyqwerty",     "qwertyuiop",       "qwertyuiop1",
    "qwertyuiop123",    "qwertyuiop[]",     "qwertz1234",
    "qwertz12345",      "qwertz123456",     "qwertzuiop",
    "qwertzuiop1",      "starwars123",      "sunshine123",
    "superman123",      "test123456",       "testtest123",
    "testtesttest",     "welcome123",       "welcome123!",
    "welcome1234",      "willkommen",       "willkommen1",
    "willkommen123",    "zaq12wsxcde3",     "zxcvbnm123",
    "zxcvbnm1234",
};

/* True if the password is among the most common (NIST SP 800-63B, 5.1.1.2). */
static bool is_common(const char *password)
{
    size_t count = sizeof common_passwords / sizeof *common_passwords;
    for (size_t i = 0; i < count; i++)
        if (strcasecmp(password, common_passwords[i]) == 0)
            return true;
    return false;
}

bool password_read(struct call *call, const char *key, const char **password)
{
    if (!call_text(call, key, PASSWORD_MIN, PASSWORD_MAX, NULL, password))
        return false;
    return !is_common(*password) ||
           call_bad_field(call, key,
                          "must not be one of the first that others would guess; choose another, "
                          "for example several words that do not belong together.");
}

bool password_read_known(struct call *call, const char **password)
{
    const json_t *field = json_object_get(call->body, "password");
    if (!json_is_string(field))
        return call_text(call, "password", 1, PASSWORD_MAX, NULL, password);
    bool possible = json_string_length(field) <= PASSWORD_MAX &&
                    strlen(json_string_value(field)) == json_string_length(field);
    *password = possible ? json_string_value(field) : "";
    return true;
}

bool password_not_name(struct call *call, const char *key, const char *password, const char *name)
{
    return strcasecmp(password, name) != 0 ||
           call_bad_field(call, key,
                          "must not be the name of the account, which everybody can read.");
}

const char *password_make_hash(struct call *call, const char *password)
{
    char hash[PASSWORD_HASH_BYTES];
    if (password_hash(password, hash))
        return arena_copy(call->arena, span_of(hash));
    call_problem(call, "unavailable", "The service is out of memory; try again soon.");
    return NULL;
}

/* The account's password hash; NULL if it has none. */
static bool load_password(struct call *call, const char **hash)
{
    *hash = NULL;
    bool good = transaction_open(call);
    if (good) {
        enum db_status status = player_password(call->db, call->arena, &call->player.id, hash);
        good = status == DB_NONE || call_found(call, status);
    }
    transaction_close(call);
    return good;
}

bool password_confirm(struct call *call, const char **hash)
{
    const char *password;
    if (!password_read_known(call, &password) || !load_password(call, hash))
        return false;
    return password_is(*hash, password) ||
           call_problem(call, "wrong-password", "This is not the password of the account.");
}

bool password_still_is(struct call *call, const char *hash)
{
    const char *now;
    enum db_status status = player_lock(call->db, &call->player.id);
    if (status == DB_OK)
        status = player_password(call->db, call->arena, &call->player.id, &now);
    if (status == DB_NONE || (status == DB_OK && strcmp(now, hash) != 0))
        return call_problem(call, "wrong-password",
                            "The account was changed or deleted in the meantime.");
    return call_found(call, status);
}
