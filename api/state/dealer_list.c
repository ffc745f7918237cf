#include "api/state/dealer_list.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FILE_MAX = 32 * 1024 };

static bool starts_with(struct span text, const char *start)
{
    size_t length = strlen(start);
    return text.length > length && memcmp(text.at, start, length) == 0;
}

/* Reads a line. Returns the reason if it is not valid, else NULL. */
static const char *read_listed(struct span line, struct dealer_list *list)
{
    struct listed_dealer *dealer = &list->dealer[list->count];
    if (!span_is(span_word(&line), "dealer"))
        return "expected `dealer <name> <public key> <address>`";
    struct span name = span_word(&line);
    struct span key = span_word(&line);
    if (list->count == DEALER_LIST_MAX)
        return "there are more than 32 dealers";
    if (!record_is_dealer_name(name))
        return "a name is 1 to 32 lower-case letters, digits, dots and hyphens";
    if (!span_hex(key, dealer->key, sizeof dealer->key) || !ecvrf_key_is_valid(dealer->key))
        return "a public key is 64 lower-case hexadecimal digits, as `tillroll dealer public` "
               "prints them";
    if (line.length > DEALER_URL_MAX || memchr(line.at, ' ', line.length) != NULL ||
        !(starts_with(line, "https://") || starts_with(line, "http://")))
        return "each dealer needs its address, as https://dealer.example";
    struct text name_text = TEXT_OVER(dealer->name);
    struct text url = TEXT_OVER(dealer->url);
    text_add_span(&name_text, name);
    text_add_span(&url, line);
    list->count++;
    return NULL;
}

static const char *read_lines(const char *path, struct dealer_list *list, unsigned *number)
{
    char bytes[FILE_MAX];
    struct span line;
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        return "it cannot be read";
    struct span rest = {bytes, fread(bytes, 1, sizeof bytes, file)};
    fclose(file);
    if (rest.length == sizeof bytes)
        return "it is too long";
    const char *wrong = NULL;
    while (wrong == NULL && span_line(&rest, &line)) {
        ++*number;
        if (line.length > 0 && line.at[0] != '#')
            wrong = read_listed(line, list);
    }
    return wrong;
}

struct dealer_list *dealer_list_read(const char *path, struct text *error)
{
    unsigned number = 0;
    struct dealer_list *list = calloc(1, sizeof *list);
    const char *wrong = list == NULL ? "memory is short" : read_lines(path, list, &number);
    if (wrong == NULL)
        return list;
    text_add(error, "The file of --dealers, ");
    text_add(error, path);
    if (number > 0) {
        text_add(error, ", line ");
        text_add_number(error, number);
    }
    text_add(error, ": ");
    text_add(error, wrong);
    dealer_list_free(list);
    return NULL;
}

void dealer_list_free(struct dealer_list *list)
{
    free(list);
}

bool dealer_list_has(const struct dealer_list *list, const char *name,
                     const uint8_t key[static ECVRF_KEY])
{
    for (size_t i = 0; list != NULL && i < list->count; i++)
        if (strcmp(list->dealer[i].name, name) == 0 &&
            memcmp(list->dealer[i].key, key, ECVRF_KEY) == 0)
            return true;
    return false;
}

json_t *dealer_list_document(const struct dealer_list *list)
{
    json_t *document = json_array();
    for (size_t i = 0; list != NULL && i < list->count; i++) {
        char hex[2 * ECVRF_KEY + 1];
        struct text key = TEXT_OVER(hex);
        text_add_hex(&key, list->dealer[i].key, ECVRF_KEY);
        json_array_append_new(document, json_pack("{s:s, s:s, s:s}", "name", list->dealer[i].name,
                                                  "key", hex, "url", list->dealer[i].url));
    }
    return document;
}
