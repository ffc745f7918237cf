/* One file at a time. The findings, one per line:
 *
 *      record <valid, invalid or unfinished>
 *      fault <line> <code>                       unless it is valid
 *      lines <n>                                 that are good, from the first
 *      game <id> <slug> <version> <plies>        if it is valid or unfinished
 *      head <hash>                               the same: the chain's value
 *      void                                      if the game does not count
 *      seat <n> <rank> <score> <name>            if it is valid and does
 *      dealer <name> <proved or missing>         if it is valid or unfinished: a co-dealer
 *      changes <valid, invalid or absent>        if it is valid: the history of the log's key
 *      signature <valid, invalid, unknown or absent>   if it is valid: the server's
 *      players <likewise>                              its players', of their moves
 *      proof <valid, invalid, unknown or absent>
 *      witnesses <valid, invalid or absent>            of its checkpoint: absent without a policy
 *      cosigner <name>                                 of a cosignature of it, whoever made it
 *      key unreadable                            the key or policy that was given
 */
#include "engine/wasm/verifier.h"

#include <assert.h>
#include <string.h>

#include "engine/log/bundle.h"

enum {
    BEYOND_RECORD = 1024 * 1024,
    FOUND_MAX = 4096 + NOTE_SIGNATURES_MAX * (NOTE_NAME_MAX + 16),
    TOLD_EVERY = 512
};

static char room[RECORD_BYTES_MAX + BEYOND_RECORD];
static char said_bytes[7 * VERDICT_LINE_MAX];
static char found_bytes[FOUND_MAX];
static struct replay replay;
static struct component_list components; /* of the file that was judged last */

char *verifier_room(void)
{
    return room;
}

size_t verifier_room_size(void)
{
    return sizeof room;
}

const char *verifier_said(void)
{
    return said_bytes;
}

const char *verifier_found(void)
{
    return found_bytes;
}

/* ---- Findings ---- */

static void add_word(struct text *found, const char *word)
{
    text_add_char(found, ' ');
    text_add(found, word);
}

static void add_number(struct text *found, int64_t number)
{
    text_add_char(found, ' ');
    text_add_number(found, number);
}

static void add_outcome(struct text *found)
{
    struct outcome outcome;
    replay_outcome(&replay, &outcome);
    for (unsigned seat = 0; seat < outcome.seats; seat++) {
        text_add(found, "seat");
        add_number(found, seat);
        add_number(found, outcome.rank[seat]);
        add_number(found, outcome.score[seat]);
        add_word(found, replay.header.seat[seat].name);
        text_add_char(found, '\n');
    }
}

static void add_game(struct text *found)
{
    text_add(found, "game");
    add_word(found, replay.header.game_id);
    add_word(found, replay.header.game->slug);
    add_word(found, replay.header.game->version);
    add_number(found, replay.plies);
    text_add(found, "\nhead ");
    text_add_hex_line(found, replay.head, sizeof replay.head);
}

static void add_dealers(struct text *found)
{
    for (unsigned i = 0; i < replay.header.dealers; i++) {
        text_add(found, "dealer");
        add_word(found, replay.header.dealer[i].name);
        add_word(found, replay.header.dealer[i].missing ? "missing" : "proved");
        text_add_char(found, '\n');
    }
}

static void add_record(struct text *found, enum verdict verdict, const struct record_fault *fault,
                       uint32_t lines)
{
    static const char *const words[] = {
        [VERDICT_VALID] = "valid", [VERDICT_INVALID] = "invalid", [VERDICT_UNKNOWN] = "unfinished"};
    text_add(found, "record");
    add_word(found,
             verdict == VERDICT_VALID && replay.header.recorded ? "recorded" : words[verdict]);
    if (verdict != VERDICT_VALID) {
        text_add(found, "\nfault");
        add_number(found, fault->line);
        add_word(found, fault->code);
    }
    text_add(found, "\nlines");
    add_number(found, lines);
    text_add_char(found, '\n');
    if (verdict == VERDICT_INVALID)
        return;
    add_game(found);
    add_dealers(found);
    if (verdict == VERDICT_VALID && replay.voided)
        text_add(found, "void\n");
    else if (verdict == VERDICT_VALID)
        add_outcome(found);
}

/* A missing part is reported only if something else requires it. */
static void add_part(struct text *found, const char *what, struct span part, enum verdict verdict)
{
    static const char *const words[] = {
        [VERDICT_VALID] = "valid", [VERDICT_INVALID] = "invalid", [VERDICT_UNKNOWN] = "unknown"};
    text_add(found, what);
    bool absent = part.length == 0 && verdict == VERDICT_VALID;
    add_word(found, absent ? "absent" : words[verdict]);
    text_add_char(found, '\n');
}

/* ---- Judging ---- */

static bool count_line(void *context, const uint8_t head[static 32], struct record_fault *fault)
{
    uint32_t *lines = context;
    (void)head;
    *lines = fault->line;
    if (*lines % TOLD_EVERY == 0)
        verifier_told(*lines);
    return true;
}

/* The server has one key, against which every part is checked; a policy has those of its logs.
 * False if it is neither. */
static bool take_key(const struct bundle *bundle, struct span word, struct verdict_keys *keys)
{
    static struct trust_policy policy; /* large */
    struct record_fault fault = {.line = 0};
    bool logged = bundle->proof.length > 0;
    if (memchr(word.at, '\n', word.length) != NULL && trust_policy_read(word, &policy, &fault)) {
        keys->policy = &policy;
        return true;
    }
    bool is_key = note_key_read(word, logged ? &keys->log : &keys->record);
    keys->has_log = is_key && logged;
    keys->has_record = is_key && !logged && bundle->note.length > 0;
    return is_key;
}

static void add_cosigners(struct text *found, const struct bundle *bundle)
{
    struct span rest = {NULL, 0};
    struct span name;
    while (bundle_next_cosigner(bundle, &rest, &name)) {
        if (name.length > NOTE_NAME_MAX)
            continue;
        text_add(found, "cosigner ");
        text_add_span_line(found, name);
    }
}

static enum verdict judge_bundle(const struct bundle *bundle, struct span key,
                                 struct verdict_keys *keys, struct text *said, struct text *found)
{
    static struct key_chain chain; /* large */
    if (key.length > 0 && !take_key(bundle, key, keys))
        text_add(found, "key unreadable\n");
    enum verdict changes = verdict_of_key_changes(bundle, keys, &chain, said);
    enum verdict signature = verdict_of_signature(bundle, keys, said);
    enum verdict players = verdict_of_bundled_players(bundle, said);
    enum verdict proof = verdict_of_proof(bundle, keys, said);
    enum verdict witnesses = verdict_of_witnesses(bundle, keys, said);
    add_part(found, "changes", keys->chain == NULL ? (struct span){NULL, 0} : keys->key_changes,
             changes);
    add_part(found, "signature", bundle->note, signature);
    add_part(found, "players", bundle->players, players);
    add_part(found, "proof", bundle->proof, proof);
    add_part(found, "witnesses", keys->policy == NULL ? (struct span){NULL, 0} : bundle->proof,
             witnesses);
    add_cosigners(found, bundle);
    return verdict_both(
        changes, verdict_both(verdict_both(signature, players), verdict_both(proof, witnesses)));
}

int verifier_judge(size_t size, size_t key_size, size_t changes_size, uint32_t not_before_s)
{
    struct text said = TEXT_OVER(said_bytes);
    struct text found = TEXT_OVER(found_bytes);
    uint32_t lines = 0;
    const struct replay_listener listener = {count_line, &lines};
    struct bundle bundle;
    struct record_fault fault;
    assert(size + key_size + changes_size <= sizeof room);
    bundle_split((struct span){room, size}, &bundle);
    component_list_free(&components);
    enum verdict verdict = verdict_of_components(&bundle, &components, &fault, &said);
    if (verdict == VERDICT_VALID)
        verdict = verdict_of_record(&bundle, component_list_sets(&components), &listener, &replay,
                                    &fault, &said);
    add_record(&found, verdict, &fault, lines);
    if (verdict == VERDICT_VALID) {
        struct verdict_keys keys = {.not_before_s = not_before_s,
                                    .key_changes = {room + size + key_size, changes_size}};
        verdict_say_luck(&replay, &said);
        verdict = judge_bundle(&bundle, (struct span){room + size, key_size}, &keys, &said, &found);
    }
    return (int)verdict;
}

int verifier_judge_players(size_t size, size_t signatures_size)
{
    struct text said = TEXT_OVER(said_bytes);
    struct bundle bundle;
    assert(size + signatures_size <= sizeof room);
    found_bytes[0] = '\0';
    bundle_split((struct span){room, size}, &bundle);
    return (int)verdict_of_players(bundle.record, (struct span){room + size, signatures_size},
                                   &said);
}
