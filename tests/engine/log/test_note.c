/* Signed notes: the example of Go's package note (golang.org/x/mod/sumdb/note), forms, and every
 * byte of a note changed. */
#include <sodium.h>
#include <string.h>

#include "engine/base/text.h"
#include "engine/log/note.h"
#include "tests/test.h"

static const char neumann[] = "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW";
static const char neumann_note[] =
    "If you think cryptography is the answer to your problem,\n"
    "then you don't know what your problem is.\n"
    "\n"
    "\xe2\x80\x94 PeterNeumann "
    "x08go/ZJkuBS9UG/"
    "SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=\n";

static struct note_key read_key(const char *text)
{
    struct note_key key;
    assert_true(note_key_read(span_of(text), &key));
    return key;
}

TEST(test_an_example_by_others)
{
    struct note_key key = read_key(neumann);
    struct note note;
    char bytes[NOTE_KEY_TEXT_MAX];
    struct text text = TEXT_OVER(bytes);
    note_key_print(&key, &text);
    assert_string_equal(bytes, neumann);
    assert_true(note_read(span_of(neumann_note), &note));
    assert_int_equal(note_verify(&note, &key), NOTE_SIGNED);
}

TEST(test_the_largest_key_fits)
{
    char name[NOTE_NAME_MAX + 2];
    char bytes[NOTE_KEY_TEXT_MAX + 1];
    char line[NOTE_SIGNATURE_LINE_MAX + 1];
    struct text text = TEXT_OVER(bytes);
    struct text signature = TEXT_OVER(line);
    const uint8_t zero[64] = {0};
    struct note_key key;
    memset(name, 'n', sizeof name);
    assert_false(note_key_make(&key, (struct span){name, NOTE_NAME_MAX + 1}, zero));
    assert_true(note_key_make(&key, (struct span){name, NOTE_NAME_MAX}, zero));
    note_key_print(&key, &text);
    note_add_signature(&key, zero, &signature);
    assert_false(text.overflow);
    assert_false(signature.overflow);
}

TEST(test_no_keys)
{
    static const char *const bad[] = {
        "",
        "+",
        "++",
        "PeterNeumann",
        "PeterNeumann+c74f20a3",
        "+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW",
        "PeterNeumann+c74f20a4+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW",
        "PeterNeumannn+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW",
        "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10T",
        "PeterNeumann+c74f20a3+AhpC2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW",
        "PeterNeumann+C74F20A3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW",
        "Peter Neumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW",
        "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW\n",
    };
    struct note_key key;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        assert_false(note_key_read(span_of(bad[i]), &key));
}

/* Base 64 has one form on every machine, whether or not char has a sign there. */
TEST(test_no_digits)
{
    uint8_t bytes[3];
    size_t size;
    for (unsigned byte = 0; byte < 256; byte++) {
        const char text[] = {'A', 'A', 'A', (char)byte};
        bool digit = (byte >= 'A' && byte <= 'Z') || (byte >= 'a' && byte <= 'z') ||
                     (byte >= '0' && byte <= '9') || byte == '+' || byte == '/' || byte == '=';
        const struct span span = {text, sizeof text};
        assert_int_equal(span_base64(span, bytes, sizeof bytes, &size), digit);
    }
}

TEST(test_no_notes)
{
    static const char *const bad[] = {
        "",
        "\n",
        "\n\n",
        "text\n",
        "text\n\n",
        "text\n\n\xe2\x80\x94 a AAAAAAA=",
        "text\n\xe2\x80\x94 a AAAAAAA=\n",
        "text\n\n\xe2\x80\x94 a AAAAAAA\n",
        "text\n\n\xe2\x80\x94 a AAAAAA==\n", /* an id and nothing else */
        "text\n\n\xe2\x80\x94 a\n",
        "text\n\n\xe2\x80\x94  AAAAAAA=\n",
        "text\n\n\xe2\x80\x94 a+b AAAAAAA=\n",
        "text\n\n- a AAAAAAA=\n",
        "text\n\n\xe2\x80\x94 a AAAAAAA=\nmore\n",
        "text\n\n\xe2\x80\x94 a AAAAAAA=\n\n",
        "te\txt\n\n\xe2\x80\x94 a AAAAAAA=\n",
        "te\r\nxt\n\n\xe2\x80\x94 a AAAAAAA=\n",
    };
    struct note note;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        if (note_read(span_of(bad[i]), &note))
            fail_msg("note %zu is none", i);
    assert_true(note_read(span_of("text\n\n\xe2\x80\x94 a AAAAAAA=\n"), &note));
    assert_int_equal(note.text.length, 5);
    /* The last empty line divides. */
    assert_true(note_read(span_of("a\n\nb\n\n\xe2\x80\x94 a AAAAAAA=\n"), &note));
    assert_int_equal(note.text.length, 5);
}

static void sign(const char *name, struct note_key *key, struct text *note, size_t length)
{
    uint8_t public[32];
    uint8_t secret[64];
    uint8_t signature[64];
    crypto_sign_keypair(public, secret);
    assert_true(note_key_make(key, span_of(name), public));
    crypto_sign_detached(signature, NULL, (const unsigned char *)note->at, length, secret);
    note_add_signature(key, signature, note);
}

TEST(test_several_signatures)
{
    char bytes[4096];
    struct text text = TEXT_OVER(bytes);
    struct note_key first;
    struct note_key second;
    struct note_key stranger = read_key(neumann);
    struct note note;
    text_add(&text, "one\n\ntwo\n");
    size_t length = text.length;
    text_add_char(&text, '\n');
    sign("log.example", &first, &text, length);
    sign("witness.example", &second, &text, length);
    assert_true(note_read(text_span(&text), &note));
    assert_int_equal(note_verify(&note, &first), NOTE_SIGNED);
    assert_int_equal(note_verify(&note, &second), NOTE_SIGNED);
    assert_int_equal(note_verify(&note, &stranger), NOTE_UNSIGNED);
    /* A key of the same name is another key. */
    struct note_key other;
    assert_true(note_key_make(&other, span_of(first.name), second.public));
    assert_int_equal(note_verify(&note, &other), NOTE_UNSIGNED);
}

TEST(test_no_byte_can_be_changed)
{
    struct note_key key = read_key(neumann);
    char bytes[sizeof neumann_note];
    for (size_t i = 0; i + 1 < sizeof neumann_note; i++) {
        struct note note;
        memcpy(bytes, neumann_note, sizeof bytes);
        bytes[i] = (char)(bytes[i] ^ 1);
        if (note_read(span_of(bytes), &note))
            assert_int_not_equal(note_verify(&note, &key), NOTE_SIGNED);
    }
}

TEST(test_too_many_signatures)
{
    for (size_t count = NOTE_SIGNATURES_MAX; count <= NOTE_SIGNATURES_MAX + 1; count++) {
        char bytes[8192];
        struct text text = TEXT_OVER(bytes);
        struct note note;
        text_add(&text, "text\n\n");
        for (size_t i = 0; i < count; i++)
            text_add(&text, "\xe2\x80\x94 a AAAAAAA=\n");
        assert_int_equal(note_read(text_span(&text), &note), count == NOTE_SIGNATURES_MAX);
    }
}

int main(void)
{
    return run_all_tests(NULL, NULL);
}
