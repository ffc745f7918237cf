#include "api/cli/witness/witness_state.h"

#include <errno.h>
#include <fcntl.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "api/cli/cli.h"
#include "api/cli/witness/kept_lines.h"

enum {
    HASH_LINE = 5 + 64 + 1, /* `hash `, hex, LF */
    HEAD_MAX = NOTE_NAME_MAX + 128,
    STATE_MAX = HEAD_MAX + WITNESS_LOGS_MAX * (WITNESS_NOTE_MAX + 64) + HASH_LINE
};

static const char first_line[] = "tillroll witness 1";
static const char guard_line[] = "tillroll witness-guard 1";

/* ---- Files ---- */

static bool join(char path[static WITNESS_PATH_MAX], const char *directory, const char *name)
{
    struct text text = {path, 0, WITNESS_PATH_MAX, false};
    text_add(&text, directory);
    text_add(&text, name);
    return !text.overflow || cli_fail(directory, "the path is too long");
}

bool witness_replace_file(const char *path, struct span bytes)
{
    char fresh[WITNESS_PATH_MAX];
    if (!join(fresh, path, ".new"))
        return false;
    int file = open(fresh, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600);
    bool written = file >= 0 && cli_write(file, bytes) && fsync(file) == 0;
    if (file >= 0 && close(file) != 0)
        written = false;
    return (written && rename(fresh, path) == 0 && kept_lines_sync_name(path)) ||
           cli_fail(path, strerror(errno));
}

static void hash_of(struct span bytes, struct text *hex)
{
    uint8_t hash[crypto_hash_sha256_BYTES];
    crypto_hash_sha256(hash, (const unsigned char *)bytes.at, bytes.length);
    text_add_hex(hex, hash, sizeof hash);
}

/* ---- Writing ---- */

static bool write_guard(const struct witness_state *state, struct span written)
{
    char bytes[HEAD_MAX];
    struct text text = TEXT_OVER(bytes);
    text_add_all(&text, guard_line, "\nname ", state->name, "\ngeneration ");
    text_add_number(&text, (int64_t)state->generation);
    text_add(&text, "\nhash ");
    hash_of(written, &text);
    text_add_char(&text, '\n');
    return witness_replace_file(state->guard, text_span(&text));
}

static void print_state(const struct witness_state *state, struct text *text)
{
    text_add_all(text, first_line, "\nname ", state->name, "\ngeneration ");
    text_add_number(text, (int64_t)state->generation);
    text_add_char(text, '\n');
    for (size_t i = 0; i < state->entries; i++) {
        const struct witness_entry *entry = &state->entry[i];
        text_add(text, "checkpoint ");
        text_add_number(text, (int64_t)entry->length);
        text_add_char(text, ' ');
        text_add_number(text, (int64_t)entry->time_s);
        text_add_char(text, '\n');
        text_add_span(text, (struct span){entry->note, entry->length});
    }
    struct span before = text_span(text);
    text_add(text, "hash ");
    hash_of(before, text);
    text_add_char(text, '\n');
}

static bool write_state(struct witness_state *state)
{
    char path[WITNESS_PATH_MAX];
    char *bytes = malloc(STATE_MAX);
    if (bytes == NULL)
        return cli_fail(state->directory, "out of memory");
    struct text text = {bytes, 0, STATE_MAX, (bytes[0] = '\0', false)};
    state->generation++;
    print_state(state, &text);
    bool written = !text.overflow && join(path, state->directory, "/state") &&
                   witness_replace_file(path, text_span(&text)) &&
                   write_guard(state, text_span(&text));
    free(bytes);
    return written;
}

/* ---- Reading ---- */

static bool take_generation(struct span *rest, uint64_t *generation)
{
    struct span line;
    return span_line(rest, &line) && span_is(span_word(&line), "generation") &&
           span_number(line, INT64_MAX, generation);
}

static bool take_name(struct span *rest, char name[static NOTE_NAME_MAX + 1])
{
    struct span line;
    if (!span_line(rest, &line) || !span_is(span_word(&line), "name") || line.length == 0 ||
        line.length > NOTE_NAME_MAX)
        return false;
    memcpy(name, line.at, line.length);
    name[line.length] = '\0';
    return true;
}

/* Stores a copy of a note. False if its text is not a checkpoint. */
static bool set_entry(struct witness_entry *entry, struct span bytes, uint64_t time_s)
{
    struct note note;
    char *copy = malloc(bytes.length + 1);
    if (copy == NULL)
        return false;
    memcpy(copy, bytes.at, bytes.length);
    copy[bytes.length] = '\0';
    struct checkpoint checkpoint;
    if (!note_read((struct span){copy, bytes.length}, &note) ||
        !checkpoint_read(note.text, &checkpoint)) {
        free(copy);
        return false;
    }
    free(entry->note);
    entry->note = copy;
    entry->length = bytes.length;
    entry->time_s = time_s;
    entry->checkpoint = checkpoint;
    return true;
}

static bool read_entries(struct witness_state *state, struct span rest)
{
    while (rest.length > 0) {
        struct span line;
        uint64_t length;
        uint64_t time_s;
        if (state->entries == WITNESS_LOGS_MAX || !span_line(&rest, &line) ||
            !span_is(span_word(&line), "checkpoint") ||
            !span_number(span_word(&line), rest.length, &length) ||
            !span_number(line, INT64_MAX, &time_s) ||
            !set_entry(&state->entry[state->entries], (struct span){rest.at, (size_t)length},
                       time_s))
            return false;
        state->entries++;
        rest.at += length;
        rest.length -= (size_t)length;
    }
    return true;
}

static bool read_state(struct witness_state *state, struct span bytes)
{
    char hex[65];
    struct text hash = TEXT_OVER(hex);
    struct span rest = bytes;
    struct span line;
    if (bytes.length < HASH_LINE)
        return false;
    rest.length -= HASH_LINE;
    hash_of(rest, &hash);
    if (memcmp(rest.at + rest.length, "hash ", 5) != 0 ||
        memcmp(rest.at + rest.length + 5, hex, 64) != 0)
        return false;
    return span_line(&rest, &line) && span_is(line, first_line) && take_name(&rest, state->name) &&
           take_generation(&rest, &state->generation) && read_entries(state, rest);
}

/* Compares the state with its guard. */
static bool check_guard(const struct witness_state *state, struct span state_bytes,
                        struct span guard)
{
    char name[NOTE_NAME_MAX + 1];
    char hex[65];
    struct text hash = TEXT_OVER(hex);
    struct span line;
    uint64_t generation;
    hash_of(state_bytes, &hash);
    if (!span_line(&guard, &line) || !span_is(line, guard_line) || !take_name(&guard, name) ||
        !take_generation(&guard, &generation) || !span_line(&guard, &line) ||
        !span_is(span_word(&line), "hash") || line.length != 64)
        return cli_fail(state->guard, "this is not the guard of a witness");
    if (strcmp(name, state->name) != 0)
        return cli_fail(state->guard, "this is the guard of another witness");
    bool same = state->generation == generation && memcmp(line.at, hex, 64) == 0;
    return same || state->generation == generation + 1 ||
           cli_fail(
               state->directory,
               "state and guard do not belong together: one of them is an old copy. A witness "
               "that goes on from an old state could cosign a fork. Restore the newest state, or "
               "create a new witness with a new key");
}

/* Reads the bytes of the state, which the caller frees. NULL with a message. */
static char *read_whole(struct witness_state *state, size_t *length)
{
    char path[WITNESS_PATH_MAX];
    char *bytes = join(path, state->directory, "/state") ? cli_read_file(path, length) : NULL;
    if (bytes == NULL || read_state(state, (struct span){bytes, *length}))
        return bytes;
    free(bytes);
    (void)cli_fail(path, "this is not a whole state of a witness");
    return NULL;
}

static bool read_both(struct witness_state *state)
{
    size_t length = 0;
    size_t guard_length = 0;
    char *bytes = read_whole(state, &length);
    char *guard = bytes == NULL ? NULL : cli_read_file(state->guard, &guard_length);
    struct span whole = {bytes, length};
    bool good = guard != NULL && check_guard(state, whole, (struct span){guard, guard_length}) &&
                write_guard(state, whole);
    free(guard);
    free(bytes);
    return good;
}

/* ---- Opening ---- */

static bool set_paths(struct witness_state *state, const char *directory, const char *guard)
{
    *state = (struct witness_state){.lock = -1};
    return join(state->directory, directory, "") &&
           (guard == NULL ? join(state->guard, directory, "/guard")
                          : join(state->guard, guard, ""));
}

bool witness_state_make(const char *directory, const char *guard, const char *name)
{
    struct witness_state state;
    char path[WITNESS_PATH_MAX];
    struct text text = TEXT_OVER(state.name);
    if (!set_paths(&state, directory, guard) || !join(path, directory, "/state"))
        return false;
    text_add(&text, name);
    if (access(path, F_OK) == 0)
        return cli_fail(path, "there is a state already");
    if (access(state.guard, F_OK) == 0)
        return cli_fail(state.guard, "there is a guard already");
    return write_state(&state);
}

bool witness_state_open(struct witness_state *state, const char *directory, const char *guard)
{
    if (set_paths(state, directory, guard) && kept_lock(state->directory, &state->lock) &&
        read_both(state))
        return true;
    witness_state_close(state);
    return false;
}

bool witness_state_look(struct witness_state *state, const char *directory)
{
    size_t length = 0;
    char *bytes = set_paths(state, directory, NULL) ? read_whole(state, &length) : NULL;
    free(bytes);
    if (bytes == NULL)
        witness_state_close(state);
    return bytes != NULL;
}

void witness_state_close(struct witness_state *state)
{
    for (size_t i = 0; i < state->entries; i++)
        free(state->entry[i].note);
    state->entries = 0;
    if (state->lock >= 0)
        close(state->lock);
    state->lock = -1;
}

/* ---- Logs ---- */

const struct witness_entry *witness_state_find(const struct witness_state *state,
                                               struct span origin)
{
    for (size_t i = 0; i < state->entries; i++)
        if (span_equal(state->entry[i].checkpoint.origin, origin))
            return &state->entry[i];
    return NULL;
}

bool witness_state_put(struct witness_state *state, struct span note, uint64_t time_s)
{
    struct note read;
    struct checkpoint checkpoint;
    size_t at = 0;
    if (note.length > WITNESS_NOTE_MAX || !note_read(note, &read) ||
        !checkpoint_read(read.text, &checkpoint))
        return cli_fail(state->directory, "a checkpoint cannot be stored");
    while (at < state->entries &&
           !span_equal(state->entry[at].checkpoint.origin, checkpoint.origin))
        at++;
    if (at == WITNESS_LOGS_MAX)
        return cli_fail(state->directory, "there are too many logs");
    if (!set_entry(&state->entry[at], note, time_s))
        return false;
    state->entries += at == state->entries;
    return write_state(state);
}

void witness_state_keep(const struct witness_state *state, const char *name, struct span bytes)
{
    char path[WITNESS_PATH_MAX];
    if (join(path, state->directory, name) && access(path, F_OK) != 0)
        (void)witness_replace_file(path, bytes);
}
