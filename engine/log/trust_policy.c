#include "engine/log/trust_policy.h"

#include <string.h>

static const struct span nothing = {NULL, 0};

/* ---- Reading ---- */

struct reader {
    struct trust_policy *policy;
    struct record_fault *fault;
    bool has_quorum;
};

static bool fail(struct reader *reader, const char *message, struct span detail)
{
    return record_fault(reader->fault, "bad-policy", message, detail);
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

/* The next item of a line; empty at its end. */
static struct span item(struct span *line)
{
    while (line->length > 0 && is_blank(*line->at)) {
        line->at++;
        line->length--;
    }
    struct span word = {line->at, 0};
    while (line->length > 0 && !is_blank(*line->at)) {
        line->at++;
        line->length--;
        word.length++;
    }
    return word;
}

static int find_party(const struct trust_policy *policy, struct span name)
{
    for (size_t i = 0; i < policy->parties; i++)
        if (span_equal(policy->party[i].name, name))
            return (int)i;
    return -1;
}

static bool read_log(struct reader *reader, struct span line)
{
    struct trust_policy *policy = reader->policy;
    struct trust_log log;
    if (policy->logs == TRUST_LOGS_MAX)
        return fail(reader, "There are more than 32 logs.", nothing);
    if (!note_key_read(item(&line), &log.key))
        return fail(reader, "A log takes its verification key, <name>+<8 hex digits>+<base 64>.",
                    nothing);
    for (size_t i = 0; i < policy->logs; i++)
        if (memcmp(policy->log[i].key.public, log.key.public, sizeof log.key.public) == 0)
            return fail(reader, "This key is there twice: ", span_of(log.key.name));
    log.url = item(&line);
    policy->log[policy->logs++] = log;
    return item(&line).length == 0 || fail(reader, "Something follows the address.", nothing);
}

/* The name of a new party. */
static bool read_name(struct reader *reader, struct span *line, struct trust_party *party)
{
    *party = (struct trust_party){.name = item(line), .group = -1};
    if (party->name.length == 0 || party->name.length > TRUST_NAME_MAX ||
        span_is(party->name, "none"))
        return fail(reader, "A name has 1 to 64 bytes, and is not `none`: ", party->name);
    return find_party(reader->policy, party->name) < 0 ||
           fail(reader, "This name is defined twice: ", party->name);
}

static bool read_witness(struct reader *reader, struct span line)
{
    struct trust_policy *policy = reader->policy;
    struct trust_party witness;
    if (policy->witnesses == TRUST_WITNESSES_MAX)
        return fail(reader, "There are more than 32 witnesses.", nothing);
    if (!read_name(reader, &line, &witness))
        return false;
    if (!note_key_read_for(item(&line), NOTE_COSIGNATURE, &witness.key))
        return fail(reader,
                    "A witness takes its name and its key for cosignature/v1 with Ed25519 (type "
                    "04), <name>+<8 hex digits>+<base 64>: ",
                    witness.name);
    for (size_t i = 0; i < policy->parties; i++)
        if (policy->party[i].needed == 0 &&
            memcmp(policy->party[i].key.public, witness.key.public, 32) == 0)
            return fail(reader, "This witness has the key of another one: ", witness.name);
    witness.url = item(&line);
    policy->party[policy->parties++] = witness;
    policy->witnesses++;
    return item(&line).length == 0 || fail(reader, "Something follows the address.", nothing);
}

/* How many of `members` a group needs. */
static bool read_needed(struct span word, unsigned members, unsigned *needed)
{
    uint64_t number = span_is(word, "all") ? members : 1;
    bool good = span_is(word, "all") || span_is(word, "any") || span_number(word, members, &number);
    *needed = (unsigned)number;
    return good && number > 0;
}

static bool read_group(struct reader *reader, struct span line)
{
    struct trust_policy *policy = reader->policy;
    struct trust_party group;
    unsigned members = 0;
    if (policy->parties - policy->witnesses == TRUST_GROUPS_MAX)
        return fail(reader, "There are more than 32 groups.", nothing);
    if (!read_name(reader, &line, &group))
        return false;
    struct span needed = item(&line);
    for (struct span name; (name = item(&line)).length > 0; members++) {
        int member = find_party(policy, name);
        if (member < 0)
            return fail(reader, "This name is not defined above: ", name);
        if (policy->party[member].group >= 0)
            return fail(reader, "This name is in a group already: ", name);
        policy->party[member].group = (int)policy->parties;
    }
    if (!read_needed(needed, members, &group.needed))
        return fail(reader,
                    "A group takes its name, how many are needed (`all`, `any` or a number up to "
                    "that of its members), and the members: ",
                    group.name);
    policy->party[policy->parties++] = group;
    return true;
}

static bool read_quorum(struct reader *reader, struct span line)
{
    struct span name = item(&line);
    if (reader->has_quorum)
        return fail(reader, "There is more than one quorum line.", nothing);
    reader->has_quorum = true;
    reader->policy->quorum = find_party(reader->policy, name);
    if (reader->policy->quorum < 0 && !span_is(name, "none"))
        return fail(reader,
                    "The quorum is a witness or a group that is defined above, or `none`: ", name);
    return item(&line).length == 0 || fail(reader, "Something follows the quorum.", nothing);
}

static bool has_only_text(struct span line)
{
    for (size_t i = 0; i < line.length; i++)
        if (((unsigned char)line.at[i] < ' ' && line.at[i] != '\t') || line.at[i] == 0x7f)
            return false;
    return true;
}

static bool read_line(struct reader *reader, struct span line)
{
    static const struct {
        const char *word;
        bool (*read)(struct reader *reader, struct span line);
    } kinds[] = {{"log", read_log},
                 {"witness", read_witness},
                 {"group", read_group},
                 {"quorum", read_quorum}};
    if (!has_only_text(line))
        return fail(reader, "The line has a control character.", nothing);
    struct span word = item(&line);
    if (word.length == 0 || *word.at == '#')
        return true;
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (span_is(word, kinds[i].word))
            return kinds[i].read(reader, line);
    return fail(reader, "A line begins with log, witness, group, quorum or #, not with ", word);
}

bool trust_policy_read(struct span text, struct trust_policy *policy, struct record_fault *fault)
{
    struct reader reader = {policy, fault, false};
    struct span line;
    *policy = (struct trust_policy){.quorum = TRUST_NOBODY};
    fault->line = 0;
    if (text.length > TRUST_BYTES_MAX)
        return fail(&reader, "The policy is longer than 64 KiB.", nothing);
    while (span_line(&text, &line)) {
        fault->line++;
        if (!read_line(&reader, line))
            return false;
    }
    fault->line = 0;
    return reader.has_quorum ||
           fail(&reader, "The policy has no quorum line, `quorum <name>` or `quorum none`.",
                nothing);
}

const struct note_key *trust_policy_log_key(const struct trust_policy *policy, struct span origin)
{
    for (size_t i = 0; i < policy->logs; i++)
        if (span_is(origin, policy->log[i].key.name))
            return &policy->log[i].key;
    return NULL;
}

/* ---- Judging ---- */

static bool is_quorum(const struct trust_policy *policy, const struct trust_finding *finding,
                      uint64_t not_before_s)
{
    unsigned members[TRUST_WITNESSES_MAX + TRUST_GROUPS_MAX] = {0};
    if (policy->quorum == TRUST_NOBODY)
        return true;
    for (size_t i = 0; i < policy->parties; i++) {
        const struct trust_party *party = &policy->party[i];
        bool has = party->needed > 0 ? members[i] >= party->needed
                                     : finding->cosigned[i] && finding->time_s[i] >= not_before_s;
        if (has && party->group >= 0)
            members[party->group]++;
        if ((int)i == policy->quorum)
            return has;
    }
    return false;
}

static bool is_known(const struct trust_policy *policy, const struct note_signature *signature)
{
    for (size_t i = 0; i < policy->logs; i++)
        if (note_signature_is_by(signature, &policy->log[i].key))
            return true;
    for (size_t i = 0; i < policy->parties; i++)
        if (policy->party[i].needed == 0 && note_signature_is_by(signature, &policy->party[i].key))
            return true;
    return false;
}

/* The name on a cosignature that no witness of the policy can have made; empty if there is none. */
static struct span find_unknown(const struct trust_policy *policy, const struct note *note)
{
    struct note_signature signature;
    struct span rest = note->signatures;
    struct span line;
    while (span_line(&rest, &line))
        if (note_signature_read(line, &signature) && signature.size == COSIGNATURE_BYTES &&
            !is_known(policy, &signature))
            return signature.name;
    return nothing;
}

bool trust_policy_is_met(const struct trust_policy *policy, const struct note *note,
                         uint64_t not_before_s, struct trust_finding *finding,
                         struct record_fault *fault)
{
    fault->line = 0;
    *finding = (struct trust_finding){.count = 0};
    for (size_t i = 0; i < policy->parties; i++) {
        if (policy->party[i].needed > 0)
            continue;
        enum note_verdict verdict =
            cosignature_verify(note, &policy->party[i].key, &finding->time_s[i]);
        if (verdict == NOTE_FORGED)
            return record_fault(fault, "forged-cosignature",
                                "The checkpoint has a cosignature that this witness did not make: ",
                                policy->party[i].name);
        finding->cosigned[i] = verdict == NOTE_SIGNED;
        finding->count += verdict == NOTE_SIGNED;
    }
    if (is_quorum(policy, finding, not_before_s))
        return true;
    if (is_quorum(policy, finding, 0))
        return record_fault(fault, "stale-checkpoint",
                            "The cosignatures of the checkpoint are older than allowed.", nothing);
    struct span unknown = find_unknown(policy, note);
    if (unknown.length > 0)
        return record_fault(fault, "unknown-witness",
                            "The checkpoint lacks witnesses of the policy, and is cosigned by one "
                            "that the policy does not know: ",
                            unknown);
    return record_fault(fault, "too-few-witnesses",
                        "Fewer witnesses have cosigned the checkpoint than the policy requires.",
                        nothing);
}
