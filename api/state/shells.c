#include "api/state/shells.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/arena.h"

struct filling {
    const char *page;
    const json_t *own, *usual;
};

static const char *text_of(const struct filling *filling, struct span mark)
{
    const char *own = json_string_value(json_object_getn(filling->own, mark.at, mark.length));
    if (span_is(mark, "page"))
        return filling->page;
    return own != NULL ? own
                       : json_string_value(json_object_getn(filling->usual, mark.at, mark.length));
}

/* The length of `before` to keep if the mark behind it has no text: all, or without ` name="` at
 * its end. */
static size_t without_attribute(struct span before, const char *behind)
{
    const char *blank = before.length < 2 || strncmp(before.at + before.length - 2, "=\"", 2) != 0
                            ? NULL
                            : memrchr(before.at, ' ', before.length);
    return blank == NULL || *behind != '"' ? before.length : (size_t)(blank - before.at);
}

static void fill(FILE *page, struct span shell, const struct filling *filling)
{
    const char *at = shell.at;
    const char *end = shell.at + shell.length;
    const char *mark, *behind;
    while ((mark = memmem(at, (size_t)(end - at), "{{", 2)) != NULL &&
           (behind = memmem(mark, (size_t)(end - mark), "}}", 2)) != NULL) {
        struct span before = {at, (size_t)(mark - at)};
        const char *text = text_of(filling, (struct span){mark + 2, (size_t)(behind - mark - 2)});
        size_t kept = text != NULL ? before.length : without_attribute(before, behind + 2);
        fwrite(before.at, 1, kept, page);
        fputs(text == NULL ? "" : text, page);
        at = behind + (kept == before.length ? 2 : 3);
    }
    fwrite(at, 1, (size_t)(end - at), page);
}

static bool make_page(struct span shell, const struct filling *filling, shells_take *take,
                      void *context, struct text *error)
{
    char name_bytes[256];
    struct text name = TEXT_OVER(name_bytes);
    char *bytes = NULL;
    size_t length = 0;
    FILE *page = must(open_memstream(&bytes, &length));
    fill(page, shell, filling);
    if (fclose(page) != 0)
        abort();
    text_add(&name, filling->page);
    text_add(&name, ".html");
    return take(context, name.at, bytes, length, error);
}

bool shells_make(struct span shell, struct span pages, shells_take *take, void *context,
                 struct text *error)
{
    json_error_t fault;
    json_t *document = json_loadb(pages.at, pages.length, JSON_REJECT_DUPLICATES, &fault);
    const char *name;
    json_t *own;
    bool good = document != NULL;
    if (!good) {
        text_add(error, "pages.json: ");
        text_add(error, fault.text);
    }
    json_object_foreach(json_object_get(document, "pages"), name, own)
    {
        const struct filling filling = {name, own, json_object_get(document, "usual")};
        good = good && make_page(shell, &filling, take, context, error);
    }
    json_decref(document);
    return good;
}
