#include "engine/log/note.h"

#include <sodium.h>
#include <string.h>

#include "engine/base/text.h"

enum { SIGNATURE_BYTES = 4 + 64 };

static const char dash[] = "\xe2\x80\x94 "; /* U+2014 and a space */

/* ---- Keys ---- */

static bool is_name(struct span name)
{
    if (name.length == 0 || name.length > NOTE_NAME_MAX)
        return false;
    for (size_t i = 0; i < name.length; i++)
        if (name.at[i] <= ' ' || name.at[i] > '~' || name.at[i] == '+')
            return false;
    return true;
}

bool note_key_make_for(struct note_key *key, enum note_algorithm algorithm, struct span name,
                       const uint8_t public[static 32])
{
    const unsigned char rest[2] = {'\n', (unsigned char)algorithm};
    uint8_t hash[crypto_hash_sha256_BYTES];
    crypto_hash_sha256_state state;
    if (!is_name(name))
        return false;
    memcpy(key->name, name.at, name.length);
    key->name[name.length] = '\0';
    memcpy(key->public, public, sizeof key->public);
    key->algorithm = (uint8_t)algorithm;
    crypto_hash_sha256_init(&state);
    crypto_hash_sha256_update(&state, (const unsigned char *)name.at, name.length);
    crypto_hash_sha256_update(&state, rest, sizeof rest);
    crypto_hash_sha256_update(&state, public, sizeof key->public);
    crypto_hash_sha256_final(&state, hash);
    memcpy(key->id, hash, sizeof key->id);
    return true;
}

bool note_key_make(struct note_key *key, struct span name, const uint8_t public[static 32])
{
    return note_key_make_for(key, NOTE_ED25519, name, public);
}

void note_key_print(const struct note_key *key, struct text *text)
{
    uint8_t typed[1 + sizeof key->public] = {key->algorithm};
    memcpy(typed + 1, key->public, sizeof key->public);
    text_add(text, key->name);
    text_add_char(text, '+');
    text_add_hex(text, key->id, sizeof key->id);
    text_add_char(text, '+');
    text_add_base64(text, typed, sizeof typed);
}

/* Takes the part before the next `+`. False if there is none. */
static bool cut(struct span *rest, struct span *part)
{
    const char *plus = memchr(rest->at, '+', rest->length);
    if (plus == NULL)
        return false;
    *part = (struct span){rest->at, (size_t)(plus - rest->at)};
    rest->length -= part->length + 1;
    rest->at = plus + 1;
    return true;
}

bool note_key_read_for(struct span text, enum note_algorithm algorithm, struct note_key *key)
{
    struct span name;
    struct span hex;
    uint8_t id[sizeof key->id];
    uint8_t typed[1 + sizeof key->public];
    size_t size;
    return text.length > 0 && cut(&text, &name) && cut(&text, &hex) &&
           span_hex(hex, id, sizeof id) && span_base64(text, typed, sizeof typed, &size) &&
           size == sizeof typed && typed[0] == algorithm &&
           note_key_make_for(key, algorithm, name, typed + 1) &&
           memcmp(key->id, id, sizeof id) == 0;
}

bool note_key_read(struct span text, struct note_key *key)
{
    return note_key_read_for(text, NOTE_ED25519, key);
}

/* ---- Signatures ---- */

void note_add_signature(const struct note_key *key, const uint8_t signature[static 64],
                        struct text *text)
{
    uint8_t bytes[SIGNATURE_BYTES];
    memcpy(bytes, key->id, sizeof key->id);
    memcpy(bytes + sizeof key->id, signature, 64);
    text_add(text, dash);
    text_add(text, key->name);
    text_add_char(text, ' ');
    text_add_base64(text, bytes, sizeof bytes);
    text_add_char(text, '\n');
}

bool note_signature_read(struct span line, struct note_signature *signature)
{
    const size_t dash_length = sizeof dash - 1;
    if (line.length <= dash_length || memcmp(line.at, dash, dash_length) != 0)
        return false;
    line.at += dash_length;
    line.length -= dash_length;
    signature->name = span_word(&line);
    return signature->name.length > 0 &&
           memchr(signature->name.at, '+', signature->name.length) == NULL &&
           span_base64(line, signature->bytes, sizeof signature->bytes, &signature->size) &&
           signature->size > sizeof((struct note_key *)NULL)->id;
}

static bool are_signatures(struct span lines)
{
    struct note_signature signature;
    struct span line;
    size_t count = 0;
    while (span_line(&lines, &line))
        if (++count > NOTE_SIGNATURES_MAX || !note_signature_read(line, &signature))
            return false;
    return count > 0;
}

static bool has_control_characters(struct span bytes)
{
    for (size_t i = 0; i < bytes.length; i++)
        if ((unsigned char)bytes.at[i] < ' ' && bytes.at[i] != '\n')
            return true;
    return false;
}

/* The text may have empty lines: the last one of the note divides it. */
bool note_read(struct span bytes, struct note *note)
{
    if (bytes.length < 2 || bytes.at[bytes.length - 1] != '\n' || has_control_characters(bytes))
        return false;
    size_t end = bytes.length - 1;
    while (end >= 2 && (bytes.at[end - 1] != '\n' || bytes.at[end - 2] != '\n'))
        end--;
    if (end < 2)
        return false;
    note->text = (struct span){bytes.at, end - 1};
    note->signatures = (struct span){bytes.at + end, bytes.length - end};
    return are_signatures(note->signatures);
}

bool note_signature_is_by(const struct note_signature *signature, const struct note_key *key)
{
    return span_is(signature->name, key->name) &&
           memcmp(signature->bytes, key->id, sizeof key->id) == 0;
}

enum note_verdict note_verify(const struct note *note, const struct note_key *key)
{
    struct note_signature signature;
    struct span rest = note->signatures;
    struct span line;
    enum note_verdict verdict = NOTE_UNSIGNED;
    while (span_line(&rest, &line)) {
        if (!note_signature_read(line, &signature) || !note_signature_is_by(&signature, key))
            continue;
        if (signature.size != SIGNATURE_BYTES ||
            crypto_sign_verify_detached(signature.bytes + sizeof key->id,
                                        (const unsigned char *)note->text.at, note->text.length,
                                        key->public) != 0)
            return NOTE_FORGED;
        verdict = NOTE_SIGNED;
    }
    return verdict;
}

void checkpoint_print(const struct checkpoint *checkpoint, struct text *text)
{
    text_add_span_line(text, checkpoint->origin);
    text_add_number_line(text, (int64_t)checkpoint->size);
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
    text_add_number_line(text, (int64_t)proof->index);
    for (size_t i = 0; i < proof->length; i++) {
        text_add_base64(text, proof->path[i], MERKLE_HASH);
        text_add_char(text, '\n');
    }
    text_add_char(text, '\n');
    text_add_span(text, proof->checkpoint);
}

/* An extra line, which is ignored, may precede the index. */
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
