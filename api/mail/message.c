#include "api/mail/message.h"

#include <string.h>
#include <time.h>

#include <utf8proc.h>

enum {
    LOCAL_PART_MAX = 64,     /* RFC 5321 section 4.5.3.1.1 */
    LABEL_MAX = 63,          /* RFC 1035 section 2.3.4 */
    SUBJECT_PLAIN_MAX = 67,  /* fits on a line of 76 with `Subject: ` */
    ENCODED_WORD_BYTES = 39, /* of UTF-8, as an encoded word, on a line of 73 with `Subject: ` */
    ENCODED_LINE_MAX = 76    /* RFC 2045 section 6.7, rule 5; without CRLF */
};

static const int64_t LAST_SECOND = 253402300799; /* of the year 9999 */

/* ---- Addresses ---- */

static bool is_letter_or_digit(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

static bool is_atom_character(char c)
{
    return is_letter_or_digit(c) || (c != '\0' && strchr("!#$%&'*+-/=?^_`{|}~", c) != NULL);
}

static bool is_dot_atom(struct span local)
{
    if (local.length == 0 || local.length > LOCAL_PART_MAX)
        return false;
    bool after_dot = true;
    for (size_t i = 0; i < local.length; i++) {
        bool dot = local.at[i] == '.';
        if (dot ? after_dot : !is_atom_character(local.at[i]))
            return false;
        after_dot = dot;
    }
    return !after_dot;
}

static bool is_label(struct span label)
{
    if (label.length == 0 || label.length > LABEL_MAX || label.at[0] == '-' ||
        label.at[label.length - 1] == '-')
        return false;
    for (size_t i = 0; i < label.length; i++)
        if (!is_letter_or_digit(label.at[i]) && label.at[i] != '-')
            return false;
    return true;
}

static bool is_domain(struct span domain)
{
    size_t labels = 0;
    size_t begin = 0;
    for (size_t i = 0; i <= domain.length; i++) {
        if (i < domain.length && domain.at[i] != '.')
            continue;
        if (!is_label((struct span){domain.at + begin, i - begin}))
            return false;
        labels++;
        begin = i + 1;
    }
    return labels >= 2;
}

bool message_address(struct span address)
{
    if (address.length == 0 || address.length > MESSAGE_ADDRESS_MAX)
        return false;
    const char *at = memchr(address.at, '@', address.length);
    if (at == NULL)
        return false;
    size_t local = (size_t)(at - address.at);
    return is_dot_atom((struct span){address.at, local}) &&
           is_domain((struct span){at + 1, address.length - local - 1});
}

/* ---- Checks ---- */

static bool is_key(const char *key)
{
    size_t length = strlen(key);
    if (length == 0 || length > MESSAGE_KEY_MAX)
        return false;
    for (size_t i = 0; i < length; i++)
        if (!is_letter_or_digit(key[i]) && key[i] != '-')
            return false;
    return true;
}

/* The length in bytes of the character at `at`, of which `left` bytes remain; 0 if it is not UTF-8,
 * or a control character that is not in `allowed`. */
static size_t character_length(const char *at, size_t left, const char *allowed)
{
    utf8proc_int32_t character;
    utf8proc_ssize_t length =
        utf8proc_iterate((const utf8proc_uint8_t *)at, (utf8proc_ssize_t)left, &character);
    if (length <= 0)
        return 0;
    bool control = character < 0x20 || (character >= 0x7f && character < 0xa0);
    if (control && (character >= 0x7f || strchr(allowed, (char)character) == NULL))
        return 0;
    return (size_t)length;
}

static bool is_text(const char *text, const char *allowed)
{
    size_t left = strlen(text);
    while (left > 0) {
        size_t length = character_length(text, left, allowed);
        if (length == 0)
            return false;
        text += length;
        left -= length;
    }
    return true;
}

static bool is_url(const char *url)
{
    for (; *url != '\0'; url++)
        if (*url <= ' ' || (unsigned char)*url >= 0x7f || *url == '<' || *url == '>')
            return false;
    return true;
}

static bool is_message(const struct message *message)
{
    size_t subject = strlen(message->subject);
    return is_key(message->key) && message_address(span_of(message->from)) &&
           message_address(span_of(message->to)) &&
           (strcmp(message->language, "en") == 0 || strcmp(message->language, "de") == 0) &&
           subject > 0 && subject <= MESSAGE_SUBJECT_MAX && is_text(message->subject, "") &&
           is_text(message->body, "\n\t") &&
           (message->html == NULL || is_text(message->html, "\n\t")) &&
           (message->unsubscribe == NULL || is_url(message->unsubscribe)) &&
           message->written_s >= 0 && message->written_s <= LAST_SECOND;
}

/* ---- Headers ---- */

static void add_two_digits(struct text *text, int number)
{
    text_add_char(text, (char)('0' + number / 10));
    text_add_char(text, (char)('0' + number % 10));
}

/* Appends the date (RFC 5322 section 3.3). Not with strftime, whose names depend on the locale. */
static void add_date(struct text *text, int64_t seconds)
{
    static const char days[7][4] = {"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
    static const char months[12][4] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                       "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
    time_t time = (time_t)seconds;
    struct tm date;
    gmtime_r(&time, &date);
    text_add(text, days[date.tm_wday]);
    text_add(text, ", ");
    text_add_number(text, date.tm_mday);
    text_add_all(text, " ", months[date.tm_mon], " ");
    text_add_number(text, date.tm_year + 1900);
    text_add_char(text, ' ');
    add_two_digits(text, date.tm_hour);
    text_add_char(text, ':');
    add_two_digits(text, date.tm_min);
    text_add_char(text, ':');
    add_two_digits(text, date.tm_sec);
    text_add(text, " +0000");
}

static bool is_plain_subject(struct span subject)
{
    if (subject.length > SUBJECT_PLAIN_MAX || subject.at[0] == ' ' ||
        subject.at[subject.length - 1] == ' ' ||
        memmem(subject.at, subject.length, "=?", 2) != NULL)
        return false;
    for (size_t i = 0; i < subject.length; i++)
        if ((unsigned char)subject.at[i] >= 0x80)
            return false;
    return true;
}

/* Appends the subject as it is, or as encoded words, none of which splits a character (RFC 2047
 * section 5). */
static void add_subject(struct text *text, struct span subject)
{
    if (is_plain_subject(subject)) {
        text_add_span(text, subject);
        return;
    }
    for (size_t begin = 0; begin < subject.length;) {
        size_t size = 0;
        while (begin + size < subject.length) {
            size_t next =
                character_length(subject.at + begin + size, subject.length - begin - size, "");
            if (size + next > ENCODED_WORD_BYTES)
                break;
            size += next;
        }
        text_add(text, begin == 0 ? "=?UTF-8?B?" : "\r\n =?UTF-8?B?");
        text_add_base64(text, (const uint8_t *)subject.at + begin, size);
        text_add(text, "?=");
        begin += size;
    }
}

/* ---- Body ---- */

/* Appends the body as quoted-printable (RFC 2045 section 6.7). */
static void add_body(struct text *text, struct span body)
{
    static const char digits[] = "0123456789ABCDEF";
    size_t column = 0;
    for (size_t i = 0; i < body.length; i++) {
        unsigned char c = (unsigned char)body.at[i];
        if (c == '\n') {
            text_add(text, "\r\n");
            column = 0;
            continue;
        }
        bool line_ends = i + 1 == body.length || body.at[i + 1] == '\n';
        bool encoded = c == '=' || c >= 0x7f || ((c == ' ' || c == '\t') && line_ends);
        size_t width = encoded ? 3 : 1;
        /* A line that is continued needs room for the `=` at its end. */
        if (column + width + (line_ends ? 0 : 1) > ENCODED_LINE_MAX) {
            text_add(text, "=\r\n");
            column = 0;
        }
        if (encoded) {
            text_add_char(text, '=');
            text_add_char(text, digits[c >> 4]);
            text_add_char(text, digits[c & 15]);
        } else {
            text_add_char(text, (char)c);
        }
        column += width;
    }
    if (column > 0)
        text_add(text, "\r\n");
}

/* This text cannot occur in a line of quoted-printable. */
#define BOUNDARY "=_tillroll"

static void add_part(struct text *text, const char *type, const struct message *message,
                     const char *body)
{
    text_add_all(text, "Content-Type: ", type,
                 "; charset=UTF-8\r\nContent-Transfer-Encoding: quoted-printable",
                 "\r\nContent-Language: ", message->language, "\r\n\r\n");
    add_body(text, span_of(body));
}

/* The last alternative is the preferred one (RFC 2046 section 5.1.4). */
static void add_alternatives(struct text *text, const struct message *message)
{
    text_add(text, "Content-Type: multipart/alternative; boundary=\"" BOUNDARY "\"\r\n\r\n"
                   "--" BOUNDARY "\r\n");
    add_part(text, "text/plain", message, message->body);
    text_add(text, "--" BOUNDARY "\r\n");
    add_part(text, "text/html", message, message->html);
    text_add(text, "--" BOUNDARY "--\r\n");
}

bool message_write(struct text *text, const struct message *message)
{
    if (!is_message(message))
        return false;
    text_add(text, "Date: ");
    add_date(text, message->written_s);
    text_add_all(text, "\r\nFrom: <", message->from, ">\r\nTo: <", message->to,
                 ">\r\nMessage-ID: <", message->key, strchr(message->from, '@'), ">\r\nSubject: ");
    add_subject(text, span_of(message->subject));
    /* RFC 3834 section 5: prevents automatic replies. */
    text_add(text, "\r\nAuto-Submitted: auto-generated\r\n");
    if (message->unsubscribe != NULL) {
        text_add_all(text, "List-Unsubscribe: <", message->unsubscribe,
                     ">\r\nList-Unsubscribe-Post: List-Unsubscribe=One-Click\r\n");
    }
    text_add(text, "MIME-Version: 1.0\r\n");
    if (message->html == NULL)
        add_part(text, "text/plain", message, message->body);
    else
        add_alternatives(text, message);
    return !text->overflow;
}
