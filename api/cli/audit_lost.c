/* The file is read twice: before anything is said it is known whether its leaves, after those that
 * are there, make the root that was signed. */
#include "api/cli/audit_lost.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/tlog_leaf.h"

/* ---- The file ---- */

/* A leaf's text in place of its escapes: \n and \\ are all that a leaf can need. */
static size_t unescape(char *text)
{
    size_t length = 0;
    for (const char *at = text; *at != '\0' && *at != '\n'; at++) {
        if (*at == '\\' && *++at == 'n')
            text[length++] = '\n';
        else
            text[length++] = *at;
    }
    return length;
}

/* The next leaf with an index of at least `index`. False at the end of the file, or if it has none
 * of this form. */
static bool next_leaf(FILE *file, char **line, size_t *capacity, uint64_t *index, struct span *leaf)
{
    uint64_t wanted = *index;
    while (getline(line, capacity, file) > 0) {
        char *tab = strchr(*line, '\t');
        struct span number = {*line, tab == NULL ? 0 : (size_t)(tab - *line)};
        if (tab == NULL || !span_number(number, TLOG_SIZE_MAX, index))
            return false;
        if (*index >= wanted) {
            *leaf = (struct span){tab + 1, unescape(tab + 1)};
            return true;
        }
    }
    return false;
}

/* ---- Both readings ---- */

/* Whether the leaves of the file make `there` the log that was signed. */
static bool are_signed(FILE *file, const struct tlog_edge *there, const struct checkpoint *kept)
{
    struct tlog_edge *edge = malloc(sizeof *edge);
    struct tlog_node nodes[TLOG_LEVELS];
    uint8_t hash[MERKLE_HASH];
    char *line = NULL;
    size_t capacity = 0;
    struct span leaf;
    if (edge == NULL)
        abort();
    *edge = *there;
    for (uint64_t index; edge->size < kept->size;) {
        index = edge->size;
        if (!next_leaf(file, &line, &capacity, &index, &leaf) || index != edge->size)
            break;
        merkle_leaf(leaf, hash);
        tlog_edge_add(edge, hash, nodes);
    }
    tlog_edge_root(edge, hash);
    bool good = edge->size == kept->size && memcmp(hash, kept->root, MERKLE_HASH) == 0;
    free(edge);
    free(line);
    return good;
}

static void print_lost(FILE *file, uint64_t first, uint64_t end)
{
    char *line = NULL;
    size_t capacity = 0;
    struct span text;
    struct tlog_leaf leaf;
    for (uint64_t index = first; index < end; index++) {
        if (!next_leaf(file, &line, &capacity, &index, &text) || !tlog_leaf_read(text, &leaf))
            break;
        /* The first line of a leaf says what it is. */
        struct span rest = text;
        struct span kind;
        span_line(&rest, &kind);
        printf("log: lost: leaf %llu: %.*s %.*s\n", (unsigned long long)index, (int)kind.length,
               kind.at, (int)leaf.name.length, leaf.name.at);
    }
    free(line);
}

bool audit_lost(const char *path, const struct tlog_edge *there, const struct checkpoint *kept)
{
    FILE *file = fopen(path, "r");
    if (file == NULL) {
        fprintf(stderr, "tillroll: cannot read %s\n", path);
        return false;
    }
    if (are_signed(file, there, kept)) {
        rewind(file);
        print_lost(file, there->size, kept->size);
    } else {
        printf("log: lost: %s does not have the leaves that were signed\n", path);
    }
    fclose(file);
    return true;
}
