#include "api/cli/load/load_reader.h"

#include <string.h>
#include <strings.h>

void reader_clear(struct reader *reader)
{
    reader->length = 0;
    reader->head_length = 0;
    reader->left = 0;
    reader->keep = true;
}

char *reader_room(struct reader *reader, char *scratch, size_t *size)
{
    if (reader->keep) {
        *size = sizeof reader->bytes - reader->length;
        return reader->bytes + reader->length;
    }
    if (reader->left < *size)
        *size = reader->left;
    return scratch;
}

/* Removes the next header line from `rest`, without CR LF. */
static bool head_line(struct span *rest, struct span *line)
{
    if (!span_line(rest, line) || line->length == 0 || line->at[line->length - 1] != '\r')
        return false;
    line->length--;
    return true;
}

/* True if the line is the field `name` (lower case, with its colon); `value` is the text after
 * it. */
static bool is_field(struct span line, const char *name, struct span *value)
{
    size_t length = strlen(name);
    if (line.length < length || (line.at[0] | 0x20) != name[0] ||
        strncasecmp(line.at, name, length) != 0)
        return false;
    *value = (struct span){line.at + length, line.length - length};
    while (value->length > 0 && value->at[0] == ' ') {
        value->at++;
        value->length--;
    }
    return true;
}

/* Reads a line such as `HTTP/1.1 200 OK`. */
static bool read_status(struct span line, struct reader *reader)
{
    uint64_t status;
    span_word(&line);
    if (!span_number(span_word(&line), 599, &status) || status < 200)
        return false;
    reader->status = (int)status;
    return true;
}

static bool read_head(struct reader *reader)
{
    struct span rest = {reader->bytes, reader->head_length - 2};
    struct span line;
    struct span value;
    uint64_t length = 0;
    if (!head_line(&rest, &line) || !read_status(line, reader))
        return false;
    reader->close = false;
    while (head_line(&rest, &line)) {
        if (is_field(line, "content-length:", &value)) {
            if (!span_number(value, INT32_MAX, &length))
                return false;
        } else if (is_field(line, "transfer-encoding:", &value)) {
            return false;
        } else if (is_field(line, "connection:", &value)) {
            reader->close = value.length == 5 && strncasecmp(value.at, "close", 5) == 0;
        }
    }
    bool empty = reader->status == 204 || reader->status == 304;
    reader->body_length = empty ? 0 : (size_t)length;
    return rest.length == 0;
}

static size_t find_head_end(const struct reader *reader)
{
    static const char end[] = "\r\n\r\n";
    const char *found = memmem(reader->bytes, reader->length, end, sizeof end - 1);
    return found == NULL ? 0 : (size_t)(found - reader->bytes) + sizeof end - 1;
}

static enum reader_progress take_head(struct reader *reader)
{
    reader->head_length = find_head_end(reader);
    if (reader->head_length == 0)
        return reader->length == sizeof reader->bytes ? READER_BROKEN : READER_MORE;
    if (!read_head(reader))
        return READER_BROKEN;
    size_t come = reader->length - reader->head_length;
    if (come > reader->body_length)
        return READER_BROKEN;
    reader->left = reader->body_length - come;
    reader->keep = reader->length + reader->left <= sizeof reader->bytes;
    return reader->left == 0 ? READER_WHOLE : READER_MORE;
}

enum reader_progress reader_take(struct reader *reader, size_t size)
{
    if (reader->head_length == 0) {
        reader->length += size;
        return take_head(reader);
    }
    if (size > reader->left)
        return READER_BROKEN;
    if (reader->keep)
        reader->length += size;
    reader->left -= size;
    return reader->left == 0 ? READER_WHOLE : READER_MORE;
}

struct span reader_body(const struct reader *reader)
{
    return (struct span){reader->bytes + reader->head_length, reader->length - reader->head_length};
}
