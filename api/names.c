#include "api/names.h"

#include <stdlib.h>
#include <string.h>
#include <utf8proc.h>

#include "engine/record.h"

static bool is_tidy(const char *name)
{
    size_t length = strlen(name);
    return record_is_name(span_of(name)) && name[0] != ' ' && name[length - 1] != ' ' &&
           strstr(name, "  ") == NULL;
}

bool name_read(struct call *call, const char *key, size_t max, const char **name)
{
    const char *written;
    if (!call_text(call, key, 1, max, NULL, &written))
        return false;
    utf8proc_uint8_t *composed = utf8proc_NFC((const utf8proc_uint8_t *)written);
    *name = composed == NULL ? "" : arena_copy(call->arena, span_of((const char *)composed));
    free(composed);
    if (**name != '\0' && strlen(*name) <= max && is_tidy(*name))
        return true;
    return call_bad_field(call, key,
                          "must be visible characters, without blanks at the ends or in a row.");
}
