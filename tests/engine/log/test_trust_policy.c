/* Cosignatures (published keys and signatures by others, and our own), and trust policies. */
#include <sodium.h>
#include <string.h>

#include "engine/log/trust_policy.h"
#include "tests/test.h"

/* ---- By others ---- */

/* The vectors are from transparency-dev/formats, note_cosigv1_test.go. */
TEST(test_keys_by_others)
{
    static const char remora[] =
        "remora.n621.de+da77ade7+BOvN63jn/bLvkieywe8R6UYAtVtNbZpXh34x7onlmtw2";
    static const char ed25519[] = "TEST+7997405c+AQcC+FTVKf0jlTdHDY3rbevmnKxxPjigCXlVtGe6RIr6";
    struct note_key key;
    char bytes[NOTE_KEY_TEXT_MAX];
    struct text text = TEXT_OVER(bytes);
    assert_true(note_key_read_for(span_of(remora), NOTE_COSIGNATURE, &key));
    note_key_print(&key, &text);
    assert_string_equal(bytes, remora);
    assert_false(note_key_read(span_of(remora), &key));
    assert_true(note_key_read(span_of(ed25519), &key));
    assert_false(note_key_read_for(span_of(ed25519), NOTE_COSIGNATURE, &key));
}

/* A cosignature and its time, from the same file. Its key is not published; a key with the same id
 * finds it, and it is invalid for this text. */
TEST(test_a_signature_by_others)
{
    static const char line[] =
        "\xe2\x80\x94 w "
        "ZGhGuQAAAABm/"
        "qTPeyKXD+R2rzyQsxPiP8mXum7qq/iF0u4vanlqJyocWODBt97w9uL+8qT7S5gxEHWWOworDcFiEBYJXORmnFBOBA"
        "==";
    struct note_signature signature;
    uint64_t time_s = 0;
    assert_true(note_signature_read(span_of(line), &signature));
    assert_int_equal(signature.size, COSIGNATURE_BYTES);
    const struct note note = {span_of("text\n"), span_of(line)};
    struct note_key key = {.name = "w", .algorithm = NOTE_COSIGNATURE};
    assert_int_equal(cosignature_verify(&note, &key, &time_s), NOTE_UNSIGNED);
    memcpy(key.id, signature.bytes, sizeof key.id);
    assert_int_equal(cosignature_verify(&note, &key, &time_s), NOTE_FORGED);
    /* Written again with the same time and signature, it is the same line. */
    char bytes[COSIGNATURE_LINE_MAX];
    struct text text = TEXT_OVER(bytes);
    cosignature_add(&key, 1727964367, signature.bytes + 12, &text);
    bytes[text.length - 1] = '\0';
    assert_string_equal(bytes, line);
}

/* The message in the example of c2sp.org/tlog-cosignature. */
TEST(test_the_message)
{
    char bytes[512];
    struct text text = TEXT_OVER(bytes);
    cosignature_message(1679315147,
                        span_of("example.com/behind-the-sofa\n20852163\n"
                                "CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n"),
                        &text);
    assert_string_equal(bytes, "cosignature/v1\ntime 1679315147\nexample.com/behind-the-sofa\n"
                               "20852163\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n");
}

/* ---- Our own ---- */

struct party {
    struct note_key key;
    uint8_t secret[64];
};

static struct party make_party(const char *name, enum note_algorithm algorithm, uint8_t number)
{
    struct party party;
    uint8_t seed[32] = {number};
    uint8_t public[32];
    crypto_sign_seed_keypair(public, party.secret, seed);
    assert_true(note_key_make_for(&party.key, algorithm, span_of(name), public));
    return party;
}

static const char checkpoint_text[] =
    "club.example/log\n3\ncT8VRbK3+1zU9az7okZVXJOmYsmmCNWNZvlGld3Mbrk=\n";

static void add_log_signature(const struct party *log, struct text *note)
{
    uint8_t signature[64];
    crypto_sign_detached(signature, NULL, (const unsigned char *)checkpoint_text,
                         strlen(checkpoint_text), log->secret);
    text_add(note, checkpoint_text);
    text_add_char(note, '\n');
    note_add_signature(&log->key, signature, note);
}

static void add_cosignature(const struct party *witness, uint64_t time_s, struct text *note)
{
    char bytes[512];
    struct text message = TEXT_OVER(bytes);
    uint8_t signature[64];
    cosignature_message(time_s, span_of(checkpoint_text), &message);
    crypto_sign_detached(signature, NULL, (const unsigned char *)bytes, message.length,
                         witness->secret);
    cosignature_add(&witness->key, time_s, signature, note);
}

static void add_key(struct text *policy, const char *before, const struct party *party)
{
    text_add(policy, before);
    note_key_print(&party->key, policy);
    text_add_char(policy, '\n');
}

struct scene {
    struct party log, x[3], y[3], other;
    char policy_bytes[4096], note_bytes[4096];
    struct text policy_text, note_text;
    struct trust_policy policy;
};

/* The policy of c2sp.org/tlog-policy: two of three X and one of three Y. */
static void set_scene(struct scene *scene)
{
    scene->log = make_party("club.example/log", NOTE_ED25519, 1);
    scene->other = make_party("other.example/w", NOTE_COSIGNATURE, 99);
    scene->policy_text = TEXT_OVER(scene->policy_bytes);
    scene->note_text = TEXT_OVER(scene->note_bytes);
    add_key(&scene->policy_text, "# a comment\n\n \tlog ", &scene->log);
    for (unsigned i = 0; i < 3; i++) {
        char name[] = {'x', '.', 'w', (char)('1' + i), '\0'};
        char word[] = {'w', 'i', 't', 'n', 'e', 's', 's', ' ', 'X', (char)('1' + i), ' ', '\0'};
        scene->x[i] = make_party(name, NOTE_COSIGNATURE, (uint8_t)(10 + i));
        add_key(&scene->policy_text, word, &scene->x[i]);
        name[0] = 'y';
        word[8] = 'Y';
        scene->y[i] = make_party(name, NOTE_COSIGNATURE, (uint8_t)(20 + i));
        add_key(&scene->policy_text, word, &scene->y[i]);
    }
    text_add(&scene->policy_text, "group X-witnesses 2 X1 X2 X3\n"
                                  "group Y-witnesses any\tY1 Y2  Y3\n"
                                  "group X-and-Y all X-witnesses Y-witnesses\n"
                                  "quorum X-and-Y\n");
    struct record_fault fault = {.line = 0};
    assert_true(trust_policy_read(text_span(&scene->policy_text), &scene->policy, &fault));
    add_log_signature(&scene->log, &scene->note_text);
}

/* The code of the fault; "" if the policy is met. */
static const char *judge(const struct scene *scene, uint64_t not_before_s, size_t count)
{
    static struct record_fault fault;
    struct trust_finding finding;
    struct note note;
    assert_true(note_read(text_span(&scene->note_text), &note));
    fault.code = "";
    bool met = trust_policy_is_met(&scene->policy, &note, not_before_s, &finding, &fault);
    assert_int_equal(met, fault.code[0] == '\0');
    if (met)
        assert_int_equal(finding.count, count);
    return fault.code;
}

TEST(test_groups)
{
    static struct scene scene;
    set_scene(&scene);
    assert_non_null(trust_policy_log_key(&scene.policy, span_of("club.example/log")));
    assert_null(trust_policy_log_key(&scene.policy, span_of("club.example/lo")));
    assert_int_equal(scene.policy.witnesses, 6);
    assert_string_equal(judge(&scene, 0, 0), "too-few-witnesses");
    add_cosignature(&scene.x[0], 1000, &scene.note_text);
    add_cosignature(&scene.x[0], 1001, &scene.note_text); /* counts once */
    add_cosignature(&scene.y[2], 1000, &scene.note_text);
    assert_string_equal(judge(&scene, 0, 0), "too-few-witnesses");
    add_cosignature(&scene.x[2], 1000, &scene.note_text);
    assert_string_equal(judge(&scene, 0, 3), "");
    assert_string_equal(judge(&scene, 1000, 3), "");
    assert_string_equal(judge(&scene, 1001, 0), "stale-checkpoint");
    add_cosignature(&scene.other, 1000, &scene.note_text); /* unknown, and not needed */
    assert_string_equal(judge(&scene, 0, 3), "");
}

TEST(test_unknown_witnesses)
{
    static struct scene scene;
    set_scene(&scene);
    add_cosignature(&scene.x[0], 1000, &scene.note_text);
    add_cosignature(&scene.other, 1000, &scene.note_text);
    assert_string_equal(judge(&scene, 0, 0), "unknown-witness");
}

TEST(test_forged_cosignatures)
{
    static struct scene scene;
    struct party impostor = make_party("x.w1", NOTE_COSIGNATURE, 77);
    set_scene(&scene);
    memcpy(impostor.key.id, scene.x[0].key.id, sizeof impostor.key.id);
    add_cosignature(&impostor, 1000, &scene.note_text);
    assert_string_equal(judge(&scene, 0, 0), "forged-cosignature");
}

/* No byte of a cosignature can be changed without losing it. */
TEST(test_no_byte_can_be_changed)
{
    struct party witness = make_party("w", NOTE_COSIGNATURE, 5);
    struct party log = make_party("club.example/log", NOTE_ED25519, 1);
    char bytes[1024];
    struct text text = TEXT_OVER(bytes);
    uint64_t time_s;
    struct note note;
    add_log_signature(&log, &text);
    size_t from = text.length;
    add_cosignature(&witness, 1795187049, &text);
    assert_true(note_read(text_span(&text), &note));
    assert_int_equal(cosignature_verify(&note, &witness.key, &time_s), NOTE_SIGNED);
    assert_int_equal(time_s, 1795187049);
    for (size_t i = 0; i < text.length; i++) {
        if (i == strlen(checkpoint_text)) /* the empty line, and the log's signature */
            i = from;
        char kept = bytes[i];
        bytes[i] = kept == 'A' ? 'B' : 'A';
        if (note_read(text_span(&text), &note))
            assert_int_not_equal(cosignature_verify(&note, &witness.key, &time_s), NOTE_SIGNED);
        bytes[i] = kept;
    }
}

/* ---- Reading ---- */

#define LOG     "log club.example/log+fe4ae9db+ASlKBbo+DYwiYVfd6AyC2HP9EQiRvV/suK4RA+FsoO3p"
#define WITNESS "remora.n621.de+da77ade7+BOvN63jn/bLvkieywe8R6UYAtVtNbZpXh34x7onlmtw2"

TEST(test_policies)
{
    static const struct {
        const char *text;
        unsigned line; /* of the fault; 0 = good, 99 = the whole */
    } policies[] = {
        {"quorum none\n", 0},
        {LOG " https://club.example/v1/log\nquorum none", 0},
        {"witness W " WITNESS "\nquorum W\n", 0},
        {"witness \xe2\x84\xaa " WITNESS " https://w.example\nquorum \xe2\x84\xaa\n", 0},
        {"", 99},
        {"# quorum none\n", 99},
        {"quorum none\nquorum none\n", 2},
        {"quorum W\nwitness W " WITNESS "\n", 1},
        {"log\nquorum none\n", 1},
        {"log " WITNESS "\nquorum none\n", 1},
        {LOG "\n" LOG "\nquorum none\n", 2},
        {LOG " a b\nquorum none\n", 1},
        {"witness none " WITNESS "\nquorum none\n", 1},
        {"witness W club.example/log+fe4ae9db+ASlKBbo+DYwiYVfd6AyC2HP9EQiRvV/suK4RA+FsoO3p\n", 1},
        {"witness W " WITNESS "\nwitness W " WITNESS "\n", 2},
        {"witness W " WITNESS "\nwitness V " WITNESS "\n", 2},
        {"witness W " WITNESS "\ngroup G 1 W\nquorum G\n", 0},
        {"witness W " WITNESS "\ngroup G all W\nquorum W\n", 0},
        {"witness W " WITNESS "\ngroup G 2 W\n", 2},
        {"witness W " WITNESS "\ngroup G 0 W\n", 2},
        {"witness W " WITNESS "\ngroup G 01 W\n", 2},
        {"witness W " WITNESS "\ngroup G some W\n", 2},
        {"witness W " WITNESS "\ngroup G all\n", 2},
        {"witness W " WITNESS "\ngroup G 1 W W\n", 2},
        {"witness W " WITNESS "\ngroup G 1 none\n", 2},
        {"witness W " WITNESS "\ngroup G 1 H\n", 2},
        {"witness W " WITNESS "\ngroup G 1 W\ngroup H 1 W\n", 3},
        {"witness W " WITNESS "\ngroup W 1 W\n", 2},
        {"group G 1 G\n", 1},
        {"quorum none\r\n", 1},
        {"quorum none x\n", 1},
        {"quorums none\n", 1},
    };
    static struct trust_policy policy;
    for (size_t i = 0; i < sizeof policies / sizeof policies[0]; i++) {
        struct record_fault fault = {.code = ""};
        bool good = trust_policy_read(span_of(policies[i].text), &policy, &fault);
        assert_int_equal(good, policies[i].line == 0);
        if (good)
            continue;
        assert_string_equal(fault.code, "bad-policy");
        assert_int_equal(fault.line, policies[i].line == 99 ? 0 : policies[i].line);
    }
}

int main(void)
{
    return run_all_tests(NULL, NULL);
}
