#include "engine/checkpoint.h"

#include "engine/base64.h"

void checkpoint_print(const struct checkpoint *checkpoint, struct text *text)
{
    text_add_span(text, checkpoint->origin);
    text_add_char(text, '\n');
    text_add_number(text, (int64_t)checkpoint->size);
    text_add_char(text, '\n');
    text_add_base64(text, checkpoint->root, MERKLE_HASH);
    text_add_char(text, '\n');
}

static bool read_hash(struct span line, uint8_t hash[static MERKLE_HASH])
{
    size_t size;
    return span_base64(line, hash, MERKLE_HASH, &size) && size == MERKLE_HASH;
}

bool checkpoint_read(struct span text, struct checkpoint *checkpoint)
{
    struct span line;
    if (text.length == 0 || text.at[text.length - 1] != '\n')
        return false;
    if (!span_line(&text, &checkpoint->origin) || checkpoint->origin.length == 0 ||
        !span_line(&text, &line) || !span_number(line, TLOG_SIZE_MAX, &checkpoint->size) ||
        !span_line(&text, &line) || !read_hash(line, checkpoint->root))
        return false;
    while (span_line(&text, &line))
        if (line.length == 0)
            return false;
    return true;
}

void tlog_proof_print(const struct tlog_proof *proof, struct text *text)
{
    text_add(text, TLOG_PROOF_FIRST_LINE "\nindex ");
    text_add_number(text, (int64_t)proof->index);
    text_add_char(text, '\n');
    for (size_t i = 0; i < proof->length; i++) {
        text_add_base64(text, proof->path[i], MERKLE_HASH);
        text_add_char(text, '\n');
    }
    text_add_char(text, '\n');
    text_add_span(text, proof->checkpoint);
}

/* There may be a line of what is not for us before the index. */
static bool read_index(struct span *text, uint64_t *index)
{
    struct span line;
    bool found = span_line(text, &line);
    struct span words = line;
    if (found && span_is(span_word(&words), "extra")) {
        found = span_line(text, &line);
        words = line;
        (void)span_word(&words);
    }
    return found && span_is((struct span){line.at, line.length - words.length}, "index ") &&
           span_number(words, TLOG_SIZE_MAX - 1, index);
}

bool tlog_proof_read(struct span text, struct tlog_proof *proof)
{
    struct span line;
    proof->length = 0;
    if (!span_line(&text, &line) || !span_is(line, TLOG_PROOF_FIRST_LINE) ||
        !read_index(&text, &proof->index))
        return false;
    while (span_line(&text, &line) && line.length > 0)
        if (proof->length == TLOG_PATH_MAX || !read_hash(line, proof->path[proof->length++]))
            return false;
    proof->checkpoint = text;
    return text.length > 0;
}
