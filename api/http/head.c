/* A head is checked line by line. Each line is searched once for its end and for control bytes, and
 * parsed once it is complete. */
#include "api/http/head.h"

#include <string.h>
#include <strings.h>

/* The bytes that libmicrohttpd keeps for each field, parameter and cookie; and the part of its
 * memory for a connection (CONNECTION_MEMORY in api/http/server.c) that a request may use, so that
 * the head of the response still fits. */
enum { KEPT_PER_ITEM = 56, MEMORY_MOST = 9100 };

/* Bytes of a request line: the longest target, a method and a version. */
enum { REQUEST_LINE_MOST = HTTP_TARGET_MAX + 32 };

static bool refuse(struct gate_refusal *refusal, int status, const char *code, const char *message)
{
    *refusal = (struct gate_refusal){.status = status, .code = code, .message = message};
    return false;
}

static bool refuse_request_line(struct gate_refusal *refusal)
{
    return refuse(refusal, 400, "bad-request-line",
                  "The first line must be method, target and `HTTP/1.1`, with one blank between "
                  "each and nothing else.");
}

static bool refuse_field(struct gate_refusal *refusal, const char *message)
{
    return refuse(refusal, 400, "bad-header-field", message);
}

/* RFC 9110 section 5.6.2. */
static bool is_token(struct span word)
{
    static const bool in_token[256] = {
        ['!'] = true, ['#'] = true, ['$'] = true, ['%'] = true, ['&'] = true, ['\''] = true,
        ['*'] = true, ['+'] = true, ['-'] = true, ['.'] = true, ['^'] = true, ['_'] = true,
        ['`'] = true, ['|'] = true, ['~'] = true, ['0'] = true, ['1'] = true, ['2'] = true,
        ['3'] = true, ['4'] = true, ['5'] = true, ['6'] = true, ['7'] = true, ['8'] = true,
        ['9'] = true, ['A'] = true, ['B'] = true, ['C'] = true, ['D'] = true, ['E'] = true,
        ['F'] = true, ['G'] = true, ['H'] = true, ['I'] = true, ['J'] = true, ['K'] = true,
        ['L'] = true, ['M'] = true, ['N'] = true, ['O'] = true, ['P'] = true, ['Q'] = true,
        ['R'] = true, ['S'] = true, ['T'] = true, ['U'] = true, ['V'] = true, ['W'] = true,
        ['X'] = true, ['Y'] = true, ['Z'] = true, ['a'] = true, ['b'] = true, ['c'] = true,
        ['d'] = true, ['e'] = true, ['f'] = true, ['g'] = true, ['h'] = true, ['i'] = true,
        ['j'] = true, ['k'] = true, ['l'] = true, ['m'] = true, ['n'] = true, ['o'] = true,
        ['p'] = true, ['q'] = true, ['r'] = true, ['s'] = true, ['t'] = true, ['u'] = true,
        ['v'] = true, ['w'] = true, ['x'] = true, ['y'] = true, ['z'] = true};
    for (size_t i = 0; i < word.length; i++)
        if (!in_token[(unsigned char)word.at[i]])
            return false;
    return word.length > 0;
}

/* The length of the bytes before the first `c`, or of all. */
static size_t until(struct span bytes, char c)
{
    const char *at = bytes.length == 0 ? NULL : memchr(bytes.at, c, bytes.length);
    return at == NULL ? bytes.length : (size_t)(at - bytes.at);
}

static struct span after(struct span bytes, size_t count)
{
    return (struct span){bytes.at + count, bytes.length - count};
}

/* ---- The request line ---- */

static bool check_version(struct span version, struct gate_refusal *refusal)
{
    if (span_is(version, "HTTP/1.1"))
        return true;
    if (version.length == 8 && memcmp(version.at, "HTTP/", 5) == 0 && version.at[5] >= '0' &&
        version.at[5] <= '9' && version.at[6] == '.' && version.at[7] >= '0' &&
        version.at[7] <= '9')
        return refuse(refusal, 505, "unsupported-version", "The version of HTTP must be 1.1.");
    return refuse_request_line(refusal);
}

static bool check_request_line(struct head_scan *scan, struct span line,
                               struct gate_refusal *refusal)
{
    struct span method = {line.at, until(line, ' ')};
    if (method.length == line.length || !is_token(method))
        return refuse_request_line(refusal);
    line = after(line, method.length + 1);
    struct span target = {line.at, until(line, ' ')};
    if (target.length == 0 || target.length == line.length)
        return refuse_request_line(refusal);
    size_t parameters = 1;
    for (size_t i = until(target, '?'); i < target.length; i++)
        parameters += target.at[i] == '&';
    scan->memory += parameters * KEPT_PER_ITEM;
    if (!check_version(after(line, target.length + 1), refusal))
        return false;
    return parameters <= HTTP_PARAMETERS_MAX ||
           refuse(refusal, 400, "bad-query", "The query has too many parameters.");
}

/* ---- Fields ---- */

static bool is_name(struct span name, const char *lower)
{
    return name.length == strlen(lower) && strncasecmp(name.at, lower, name.length) == 0;
}

static bool take_length(struct head_scan *scan, struct span value, struct gate_refusal *refusal)
{
    uint64_t number;
    if (scan->has_length)
        return refuse(refusal, 400, "bad-content-length",
                      "There must be one Content-Length at most.");
    if (!gate_read_length(value, &number))
        return refuse(refusal, 400, "bad-content-length", "Content-Length is not a number.");
    if (number > HTTP_REPORT_MAX)
        return refuse(refusal, 413, "body-too-large",
                      "The body has more than 1,048,576 bytes, which no address takes.");
    scan->has_length = true;
    scan->body = (size_t)number;
    return true;
}

/* libmicrohttpd copies the Cookie field and keeps an item for each cookie. */
static size_t memory_of_cookies(struct span value)
{
    size_t cookies = 1;
    for (size_t i = 0; i < value.length; i++)
        cookies += value.at[i] == ';' || value.at[i] == ',';
    return value.length + 1 + cookies * KEPT_PER_ITEM;
}

/* Checks the fields that decide where the request ends, and counts the memory of cookies. Few names
 * begin with these letters. */
static bool check_known_field(struct head_scan *scan, struct span name, struct span value,
                              struct gate_refusal *refusal)
{
    switch (name.at[0]) {
    case 'C':
    case 'c':
        if (is_name(name, "content-length"))
            return take_length(scan, value, refusal);
        if (is_name(name, "cookie"))
            scan->memory += memory_of_cookies(value);
        return true;
    case 'T':
    case 't':
        return !is_name(name, "transfer-encoding") ||
               refuse(refusal, 400, "transfer-encoding",
                      "Transfer-Encoding is not accepted; give the body's Content-Length.");
    default:
        return true;
    }
}

static bool check_field_line(struct head_scan *scan, struct span line, struct gate_refusal *refusal)
{
    size_t colon = until(line, ':');
    struct span name = {line.at, colon};
    if (line.at[0] == ' ' || line.at[0] == '\t')
        return refuse_field(refusal, "A header field must not be continued on a second line.");
    if (colon == line.length)
        return refuse_field(refusal, "A header field has no colon.");
    if (!is_token(name))
        return refuse_field(refusal, "The name of a header field is no token.");
    struct span value = after(line, colon + 1);
    while (value.length > 0 && (value.at[0] == ' ' || value.at[0] == '\t'))
        value = after(value, 1);
    if (value.length > 0 && memchr(value.at, '\t', value.length) != NULL)
        return refuse_field(refusal, "A header field holds a control byte.");
    scan->memory += KEPT_PER_ITEM;
    if (++scan->fields > HTTP_FIELDS_MAX)
        return refuse(refusal, 431, "header-too-large", "The request has too many header fields.");
    return check_known_field(scan, name, value, refusal);
}

/* ---- Lines ---- */

/* `line` is without its end, and not empty. */
static bool check_line(struct head_scan *scan, struct span line, struct gate_refusal *refusal)
{
    if (scan->begun)
        return check_field_line(scan, line, refusal);
    scan->begun = true;
    return check_request_line(scan, line, refusal);
}

static bool refuse_control(const struct head_scan *scan, struct gate_refusal *refusal)
{
    return scan->begun ? refuse_field(refusal, "A header field holds a control byte.")
                       : refuse_request_line(refusal);
}

static bool check_sizes(const struct head_scan *scan, struct span bytes,
                        struct gate_refusal *refusal)
{
    if (!scan->begun && scan->looked - scan->line > REQUEST_LINE_MOST) {
        struct span line = {bytes.at + scan->line, REQUEST_LINE_MOST};
        return until(line, ' ') == line.length
                   ? refuse(refusal, 501, "unknown-method",
                            "The method must be GET, HEAD, POST, PUT, PATCH or DELETE, in "
                            "capitals.")
                   : refuse(refusal, 414, "target-too-long", "The request target is too long.");
    }
    return scan->looked + scan->memory <= MEMORY_MOST ||
           refuse(refusal, 431, "header-too-large",
                  "The header fields, or the cookies, have too many bytes.");
}

/* Handles the control byte at `looked`, which is valid only as the line's end. HEAD_WHOLE if it is,
 * and `looked` is then behind it. */
static enum head_state take_line_end(struct head_scan *scan, struct span bytes,
                                     struct gate_refusal *refusal)
{
    const char *at = bytes.at + scan->looked;
    if (*at == '\r' && scan->looked + 1 == bytes.length)
        return HEAD_MORE;
    if (*at == '\r' && at[1] == '\n') {
        scan->looked += 2;
        return HEAD_WHOLE;
    }
    if (*at == '\n')
        refuse(refusal, 400, "bad-line-end", "Each line of the head must end with CR LF.");
    else
        refuse_control(scan, refusal);
    return HEAD_REFUSED;
}

/* True if one of the eight bytes at `at` is a control byte: below 0x20, or 0x7f. A subtraction that
 * exceeds a byte's value sets its bit 7. */
static bool eight_have_control(const char *at)
{
    const uint64_t each = UINT64_C(0x0101010101010101);
    uint64_t eight;
    memcpy(&eight, at, sizeof eight);
    const uint64_t is_delete = eight ^ 0x7f * each;
    return (((eight - 0x20 * each) & ~eight) | ((is_delete - each) & ~is_delete)) & 0x80 * each;
}

/* Searches for the end of the line. check_field_line() handles tabs in fields. */
static enum head_state find_line_end(struct head_scan *scan, struct span bytes,
                                     struct gate_refusal *refusal)
{
    size_t most = bytes.length < HEAD_MOST ? bytes.length : HEAD_MOST;
    for (; scan->looked < most; scan->looked++) {
        while (most - scan->looked > 8 && !eight_have_control(bytes.at + scan->looked))
            scan->looked += 8;
        unsigned char c = (unsigned char)bytes.at[scan->looked];
        if ((c < 0x20 && (c != '\t' || !scan->begun)) || c == 0x7f)
            return take_line_end(scan, bytes, refusal);
    }
    if (!check_sizes(scan, bytes, refusal))
        return HEAD_REFUSED;
    if (bytes.length < HEAD_MOST)
        return HEAD_MORE;
    refuse(refusal, 431, "header-too-large", "The head of the request is too large.");
    return HEAD_REFUSED;
}

enum head_state head_scan(struct head_scan *scan, struct span bytes, size_t *length,
                          struct gate_refusal *refusal)
{
    enum head_state state;
    while ((state = find_line_end(scan, bytes, refusal)) == HEAD_WHOLE) {
        struct span line = {bytes.at + scan->line, scan->looked - scan->line - 2};
        if (line.length == 0 && scan->begun) {
            *length = scan->looked;
            return check_sizes(scan, bytes, refusal) ? HEAD_WHOLE : HEAD_REFUSED;
        }
        if (line.length > 0 &&
            (!check_sizes(scan, bytes, refusal) || !check_line(scan, line, refusal)))
            return HEAD_REFUSED;
        scan->line = scan->looked;
    }
    return state;
}
