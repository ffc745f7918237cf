/* Mails as they are sent: addresses, headers that nobody else can begin, and bodies that a reader
 * gets back byte for byte. */
#include <string.h>

#include "api/mail/message.h"
#include "tests/test.h"

static const struct message plain = {
    .key = "0f-1",
    .from = "tillroll@club.example",
    .to = "ada@post.example",
    .language = "en",
    .subject = "Confirm your address",
    .body = "Hello Ada,\n\nopen https://club.example/confirm?t=x\n",
    .written_s = 1795851160,
};

static char wire[32768];

static bool write_message(const struct message *message)
{
    struct text text = TEXT_OVER(wire);
    return message_write(&text, message);
}

TEST(test_addresses)
{
    static const char *const good[] = {"a@b.c", "ada.lovelace+till@mail.post.example",
                                       "o'neil@x-y.example", "!#$%&'*+-/=?^_`{|}~@a.b"};
    static const char *const bad[] = {"",
                                      "@",
                                      "a",
                                      "a@",
                                      "@b.c",
                                      "a@b",
                                      ".a@b.c",
                                      "a.@b.c",
                                      "a..a@b.c",
                                      "a@.b.c",
                                      "a@b..c",
                                      "a@b.c.",
                                      "a@-b.c",
                                      "a@b-.c",
                                      "a@b_b.c",
                                      "a b@c.d",
                                      "a@b.c ",
                                      " a@b.c",
                                      "\"a\"@b.c",
                                      "a@[1.2.3.4]",
                                      "a(b)@c.d",
                                      "a@b@c.d",
                                      "<a@b.c>",
                                      "a,b@c.d",
                                      "a@b.c\n",
                                      "a@b.c\r\nBcc: e@f.g",
                                      "a\n@b.c",
                                      "\xc3\xa4@b.c",
                                      "a@\xc3\xa4.c",
                                      "a@b.c\x7f"};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++)
        if (!message_address(span_of(good[i])))
            fail_msg("%s is an address", good[i]);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        if (message_address(span_of(bad[i])))
            fail_msg("%s is no address", bad[i]);
    assert_false(message_address((struct span){"a\0@b.c", 6}));
}

/* `local` times `a`, then `@`, then labels of `label` times `b`, `labels` times, then `.c`. */
static bool address_of(int local, int labels, int label)
{
    char address[600];
    struct text text = TEXT_OVER(address);
    for (int i = 0; i < local; i++)
        text_add_char(&text, 'a');
    text_add_char(&text, '@');
    for (int i = 0; i < labels; i++) {
        for (int j = 0; j < label; j++)
            text_add_char(&text, 'b');
        text_add_char(&text, '.');
    }
    text_add_char(&text, 'c');
    return message_address(text_span(&text));
}

TEST(test_long_addresses)
{
    assert_true(address_of(64, 1, 63));
    assert_false(address_of(65, 1, 63));
    assert_false(address_of(64, 1, 64));
    assert_true(address_of(60, 3, 63));  /* 254 bytes */
    assert_false(address_of(61, 3, 63)); /* 255 bytes */
}

TEST(test_whole_message)
{
    assert_true(write_message(&plain));
    assert_string_equal(wire, "Date: Sat, 28 Nov 2026 07:32:40 +0000\r\n"
                              "From: <tillroll@club.example>\r\n"
                              "To: <ada@post.example>\r\n"
                              "Message-ID: <0f-1@club.example>\r\n"
                              "Subject: Confirm your address\r\n"
                              "Auto-Submitted: auto-generated\r\n"
                              "MIME-Version: 1.0\r\n"
                              "Content-Type: text/plain; charset=UTF-8\r\n"
                              "Content-Transfer-Encoding: quoted-printable\r\n"
                              "Content-Language: en\r\n"
                              "\r\n"
                              "Hello Ada,\r\n"
                              "\r\n"
                              "open https://club.example/confirm?t=3Dx\r\n");
}

TEST(test_dates)
{
    struct message message = plain;
    message.written_s = 0;
    assert_true(write_message(&message));
    assert_non_null(strstr(wire, "Date: Thu, 1 Jan 1970 00:00:00 +0000\r\n"));
    message.written_s = 253402300799;
    assert_true(write_message(&message));
    assert_non_null(strstr(wire, "Date: Fri, 31 Dec 9999 23:59:59 +0000\r\n"));
    message.written_s++;
    assert_false(write_message(&message));
    message.written_s = -1;
    assert_false(write_message(&message));
}

/* Each byte that could begin a header, in each member that a person or a setting can reach. */
TEST(test_injection)
{
    for (int c = 1; c < 0x20; c++) {
        char text[] = "a@b.example?";
        text[sizeof text - 2] = (char)c;
        struct message message = plain;
        message.to = text;
        assert_false(write_message(&message));
        message = plain;
        message.from = text;
        assert_false(write_message(&message));
        message = plain;
        message.subject = text;
        assert_false(write_message(&message));
        message = plain;
        message.key = text;
        assert_false(write_message(&message));
        message = plain;
        message.language = text;
        assert_false(write_message(&message));
        message = plain;
        message.body = text;
        assert_int_equal(write_message(&message), c == '\n' || c == '\t');
    }
    static const char *const bad[] = {"\x7f", "\xc2\x85",     "\xff",
                                      "\xc3", "\xed\xa0\x80", "\xc0\x8a"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct message message = plain;
        message.subject = bad[i];
        assert_false(write_message(&message));
        message = plain;
        message.body = bad[i];
        assert_false(write_message(&message));
    }
    struct message message = plain;
    message.subject = "";
    assert_false(write_message(&message));
}

/* What a reader sees as the subject; also checks the lengths that RFC 2047 allows. */
static void read_subject(char *read, size_t capacity)
{
    struct text text = {read, 0, capacity, false};
    read[0] = '\0';
    const char *at = strstr(wire, "\r\nSubject: ");
    assert_non_null(at);
    at += strlen("\r\nSubject: ");
    if (strncmp(at, "=?UTF-8?B?", 10) != 0) {
        text_add_span(&text, (struct span){at, (size_t)(strstr(at, "\r\n") - at)});
        return;
    }
    for (bool more = true; more;) {
        assert_int_equal(strncmp(at, "=?UTF-8?B?", 10), 0);
        const char *end = strstr(at, "?=\r\n");
        assert_non_null(end);
        assert_true(end + 2 - at <= 75);
        uint8_t bytes[64];
        size_t size;
        assert_true(span_base64((struct span){at + 10, (size_t)(end - at) - 10}, bytes,
                                sizeof bytes, &size));
        assert_true(size > 0 && (bytes[0] & 0xc0) != 0x80);
        text_add_span(&text, (struct span){(const char *)bytes, size});
        more = end[4] == ' ';
        at = end + 5;
    }
    assert_false(text.overflow);
}

TEST(test_subjects)
{
    char read[MESSAGE_SUBJECT_MAX + 1];
    char subject[MESSAGE_SUBJECT_MAX + 8];
    static const char *const pieces[] = {"a", "\xc3\xa4", "\xe6\xb8\xaf", "\xf0\x9f\x8e\xb2",
                                         " ", "=?"};
    for (size_t p = 0; p < sizeof pieces / sizeof *pieces; p++) {
        for (size_t shift = 0; shift < 4; shift++) {
            struct text text = TEXT_OVER(subject);
            for (size_t i = 0; i < shift; i++)
                text_add_char(&text, 'x');
            while (text.length + strlen(pieces[p]) <= MESSAGE_SUBJECT_MAX) {
                text_add(&text, pieces[p]);
                struct message message = plain;
                message.subject = subject;
                assert_true(write_message(&message));
                read_subject(read, sizeof read);
                assert_string_equal(read, subject);
            }
            text_add(&text, "xxxx");
            struct message message = plain;
            message.subject = subject;
            assert_int_equal(write_message(&message), strlen(subject) <= MESSAGE_SUBJECT_MAX);
        }
    }
}

static int hex_value(char c)
{
    const char *digits = "0123456789ABCDEF";
    const char *at = c == '\0' ? NULL : strchr(digits, c);
    assert_non_null(at);
    return (int)(at - digits);
}

/* The body as a reader decodes it; also checks what RFC 2045 demands of each line. */
static void read_body(char *read)
{
    const char *line = strstr(wire, "\r\n\r\n") + 4;
    while (*line != '\0') {
        const char *end = strstr(line, "\r\n");
        assert_non_null(end);
        assert_true(end - line <= 76);
        assert_true(end == line || (end[-1] != ' ' && end[-1] != '\t'));
        bool continues = false;
        for (const char *at = line; at < end; at++) {
            assert_true(*at == '\t' || (*at >= ' ' && *at <= '~'));
            if (*at != '=') {
                *read++ = *at;
            } else if (at + 1 == end) {
                continues = true;
            } else {
                assert_true(at + 2 < end);
                *read++ = (char)(hex_value(at[1]) * 16 + hex_value(at[2]));
                at += 2;
            }
        }
        if (!continues)
            *read++ = '\n';
        line = end + 2;
    }
    *read = '\0';
}

TEST(test_bodies)
{
    static const char *const pieces[] = {
        "a", "=", " ", "\t", ".\n", "\n", "\xc3\xa4", "\xf0\x9f\x8e\xb2", "b \n"};
    char body[1200];
    char read[1200];
    for (size_t p = 0; p < sizeof pieces / sizeof *pieces; p++) {
        for (size_t shift = 0; shift < 80; shift++) {
            struct text text = TEXT_OVER(body);
            for (size_t i = 0; i < shift; i++)
                text_add_char(&text, 'x');
            for (size_t i = 0; i < 160; i++)
                text_add(&text, pieces[p]);
            text_add_char(&text, '\n');
            struct message message = plain;
            message.body = body;
            assert_true(write_message(&message));
            read_body(read);
            assert_string_equal(read, body);
        }
    }
}

/* RFC 2046 section 5.1, RFC 2369 and RFC 8058. */
TEST(test_alternatives)
{
    struct message message = plain;
    message.html = "<p>--=_tillroll</p>\n";
    message.unsubscribe = "https://club.example/unsubscribe/0a";
    assert_true(write_message(&message));
    assert_non_null(strstr(wire, "\r\nList-Unsubscribe: <https://club.example/unsubscribe/0a>\r\n"
                                 "List-Unsubscribe-Post: List-Unsubscribe=One-Click\r\n"));
    assert_non_null(strstr(wire, "Content-Type: multipart/alternative; boundary=\"=_tillroll\"\r\n"
                                 "\r\n--=_tillroll\r\nContent-Type: text/plain; "));
    assert_non_null(strstr(wire, "\r\n--=_tillroll\r\nContent-Type: text/html; "));
    assert_non_null(strstr(wire, "\r\n\r\n<p>--=3D_tillroll</p>\r\n--=_tillroll--\r\n"));
    static const char *const bad[] = {"https://club.example/a b", "https://club.example/\r\nBcc: x",
                                      "https://club.example/>", "https://club.example/\xc3\xa4"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        message.unsubscribe = bad[i];
        assert_false(write_message(&message));
    }
    message.unsubscribe = NULL;
    message.html = "<p>\a</p>\n";
    assert_false(write_message(&message));
}

/* With too little room nothing is said to be a message. */
TEST(test_no_room)
{
    assert_true(write_message(&plain));
    size_t whole = strlen(wire);
    char small[1024];
    assert_true(whole < sizeof small);
    for (size_t capacity = 1; capacity <= whole; capacity++) {
        struct text text = {small, 0, capacity, false};
        small[0] = '\0';
        assert_false(message_write(&text, &plain));
    }
    struct text text = {small, 0, whole + 1, false};
    assert_true(message_write(&text, &plain));
    assert_string_equal(small, wire);
}

int main(void)
{
    return run_all_tests(NULL, NULL);
}
