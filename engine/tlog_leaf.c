#include "engine/tlog_leaf.h"

static const char *const first_lines[] = {
    [TLOG_GAME] = "tillroll game",
    [TLOG_COMMITMENT] = "tillroll commitment",
    [TLOG_EVENT_LOG] = "tillroll event-log",
    [TLOG_STANDINGS] = "tillroll standings",
    [TLOG_RULING] = "tillroll ruling",
    [TLOG_DISPUTE] = "tillroll dispute",
    [TLOG_KEY] = "tillroll key",
};

enum { SUBJECTS = sizeof first_lines / sizeof first_lines[0], NAME_MAX_BYTES = 64 };

void tlog_leaf_print(const struct tlog_leaf *leaf, struct text *text)
{
    text_add(text, first_lines[leaf->subject]);
    text_add_char(text, '\n');
    text_add_span(text, leaf->name);
    text_add_char(text, '\n');
    text_add_hex(text, leaf->hash, sizeof leaf->hash);
    text_add_char(text, '\n');
}

void tlog_leaf_hash(const struct tlog_leaf *leaf, uint8_t hash[static MERKLE_HASH])
{
    char bytes[TLOG_LEAF_MAX];
    struct text text = TEXT_OVER(bytes);
    tlog_leaf_print(leaf, &text);
    merkle_leaf(text_span(&text), hash);
}

/* The last line, without its LF. */
static struct span last_line(struct span text)
{
    size_t begin = text.length;
    if (begin > 0 && text.at[begin - 1] == '\n')
        begin = --text.length;
    while (begin > 0 && text.at[begin - 1] != '\n')
        begin--;
    return (struct span){text.at + begin, text.length - begin};
}

bool tlog_leaf_of_record(struct span record, struct tlog_leaf *leaf)
{
    struct span first;
    struct span line;
    struct span last = last_line(record);
    if (!span_line(&record, &first) || !span_line(&record, &line) ||
        !span_is(span_word(&line), "game") || !span_is(span_word(&last), "head"))
        return false;
    leaf->subject = TLOG_GAME;
    leaf->name = span_word(&line);
    return leaf->name.length > 0 && leaf->name.length <= NAME_MAX_BYTES &&
           span_hex(span_word(&last), leaf->hash, sizeof leaf->hash);
}

bool tlog_leaf_read(struct span text, struct tlog_leaf *leaf)
{
    struct span first;
    struct span hash;
    if (text.length == 0 || text.at[text.length - 1] != '\n' || !span_line(&text, &first) ||
        !span_line(&text, &leaf->name) || !span_line(&text, &hash) || text.length > 0)
        return false;
    for (int subject = 0; subject < SUBJECTS; subject++) {
        if (!span_is(first, first_lines[subject]))
            continue;
        leaf->subject = (enum tlog_subject)subject;
        return leaf->name.length > 0 && leaf->name.length <= NAME_MAX_BYTES &&
               span_hex(hash, leaf->hash, sizeof leaf->hash);
    }
    return false;
}
