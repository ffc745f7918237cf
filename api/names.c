#include "api/names.h"

#include <string.h>
#include <strings.h>
#include <utf8proc.h>

#include "engine/record.h"

static bool is_tidy(const char *name)
{
    size_t length = strlen(name);
    return record_is_name(span_of(name)) && name[0] != ' ' && name[length - 1] != ' ' &&
           strstr(name, "  ") == NULL;
}

/* In Unicode's form NFC; NULL for what is no UTF-8. In the arena, where a lack of memory cannot be
 * taken for a name that is none. */
static const char *compose(struct arena *arena, const char *written)
{
    static const utf8proc_option_t form = UTF8PROC_NULLTERM | UTF8PROC_STABLE | UTF8PROC_COMPOSE;
    const utf8proc_uint8_t *bytes = (const utf8proc_uint8_t *)written;
    utf8proc_ssize_t count = utf8proc_decompose(bytes, 0, NULL, 0, form);
    if (count < 0)
        return NULL;
    utf8proc_int32_t *points = arena_array(arena, (size_t)count + 1, sizeof *points);
    count = utf8proc_decompose(bytes, 0, points, count, form);
    return utf8proc_reencode(points, count, form) < 0 ? NULL : (const char *)points;
}

const char *name_tidy(struct arena *arena, const char *written, size_t max)
{
    const char *name = compose(arena, written);
    return name != NULL && name[0] != '\0' && strlen(name) <= max && is_tidy(name) ? name : NULL;
}

bool name_read(struct call *call, const char *key, size_t max, const char **name)
{
    const char *written;
    if (!call_text(call, key, 1, max, NULL, &written))
        return false;
    *name = name_tidy(call->arena, written, max);
    return *name != NULL ||
           call_bad_field(call, key,
                          "must be visible characters, without blanks at the ends or in a row.");
}

/* Without characters that are not to be seen (Unicode's default ignorable ones, bidirectional
 * controls among them) and control characters. */
static const char *clean(struct arena *arena, const char *written)
{
    utf8proc_uint8_t *cleaned = NULL;
    utf8proc_ssize_t length = utf8proc_map((const utf8proc_uint8_t *)written, 0, &cleaned,
                                           UTF8PROC_NULLTERM | UTF8PROC_STABLE | UTF8PROC_COMPOSE |
                                               UTF8PROC_IGNORE | UTF8PROC_STRIPCC);
    if (length < 0)
        return "";
    struct span text = {(const char *)cleaned, (size_t)length};
    while (text.length > 0 && text.at[0] == ' ') {
        text.at++;
        text.length--;
    }
    while (text.length > 0 && text.at[text.length - 1] == ' ')
        text.length--;
    const char *kept = arena_copy(arena, text);
    free(cleaned);
    return kept;
}

bool name_read_text(struct call *call, const char *key, size_t max, const char **text)
{
    const char *written;
    if (!call_text(call, key, 1, max, NULL, &written))
        return false;
    *text = clean(call->arena, written);
    return ((*text)[0] != '\0' && strlen(*text) <= max) ||
           call_bad_field(call, key, "must hold something that can be read.");
}

/* What the database makes sure of as well (0017_accounts.sql). */
static const char bot_end[] = " [bot]";
static const char deleted_begin[] = "Deleted player ";

const char *name_mark(const char *name)
{
    size_t length = strlen(name);
    size_t end = sizeof bot_end - 2; /* without the blank */
    if (length >= end && strcasecmp(name + length - end, bot_end + 1) == 0)
        return "must not end in `[bot]`: that marks bots.";
    if (strncasecmp(name, deleted_begin, sizeof deleted_begin - 1) == 0)
        return "must not begin with `Deleted player`: that marks accounts that are no more.";
    return NULL;
}

bool name_is_free(struct call *call, const char *key, const char *name)
{
    const char *mark = name_mark(name);
    return mark == NULL || call_bad_field(call, key, mark);
}

bool name_read_bot(struct call *call, const char *key, const char **name)
{
    const char *own;
    if (!name_read(call, key, PLAYER_NAME_MAX - (sizeof bot_end - 1), &own) ||
        !name_is_free(call, key, own))
        return false;
    size_t capacity = strlen(own) + sizeof bot_end;
    struct text text = {arena_take(call->arena, capacity), 0, capacity, false};
    text_add(&text, own);
    text_add(&text, bot_end);
    *name = text.at;
    return true;
}
