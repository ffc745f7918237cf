/* Officials' signatures in a bundle: each follows the line of the log that it is about. */
#include <stdlib.h>
#include <string.h>

#include "engine/base/calendar.h"
#include "engine/record/signature.h"
#include "engine/tournament/event/event_chain.h"
#include "engine/tournament/interchange/bundle.h"
#include "engine/tournament/interchange/bundle_parts.h"

enum { TIME_BYTES = 32 };

static struct bundle_official_line *line_at(struct bundle_officials *officials, uint32_t number)
{
    return &officials->line[number % OFFICIAL_LINES_BACK];
}

void bundle_officials_begin(struct bundle_officials *officials, const char *event)
{
    event_chain_begin(span_of(event), line_at(officials, 0)->head);
}

static void keep(struct bundle_officials *officials, const struct tournament_line *line,
                 json_t *detail)
{
    json_decref(officials->detail);
    officials->detail = json_incref(detail);
    officials->number = line->number;
    struct text kind = TEXT_OVER(officials->kind);
    text_add(&kind, line->kind);
}

bool bundle_officials_line(struct bundle_officials *officials, const struct tournament_line *line,
                           struct bundle_fault *fault, size_t number)
{
    char bytes[TIME_BYTES];
    struct text time = TEXT_OVER(bytes);
    struct bundle_official_line *last = line_at(officials, line->number - 1);
    struct bundle_official_line *now = line_at(officials, line->number);
    struct text actor = TEXT_OVER(now->actor);
    uint8_t head[32];
    memcpy(head, last->head, sizeof head);
    if (line->at_ms < 0 || strlen(line->actor) >= TOURNAMENT_ID_BYTES)
        return bundle_refuse(fault, number, BUNDLE_FAULT_LINE,
                             "The line has no time, or its actor is none.", "");
    calendar_print_ms(line->at_ms, &time);
    if (!event_chain_add(head, line->number, bytes, line->actor[0] == '\0' ? "-" : line->actor,
                         line->kind, line->detail))
        return bundle_out_of_memory(fault, number);
    memcpy(now->head, head, sizeof head);
    now->at_ms = line->at_ms;
    text_add(&actor, line->actor);
    keep(officials, line, line->detail);
    officials->act = false;
    officials->is_signed = false;
    return true;
}

bool bundle_officials_pass(struct bundle_officials *officials, struct bundle_fault *fault,
                           size_t number)
{
    bool missing = officials->act && officials->required && !officials->is_signed;
    officials->act = false;
    return !missing ||
           bundle_refuse(fault, number, BUNDLE_FAULT_UNSIGNED,
                         "The event required the official to sign the line before this one.", "");
}

/* Whether nobody else has changed the event between the base and the signed line. */
static bool is_fresh(struct bundle_officials *officials, json_int_t base)
{
    const struct bundle_official_line *act = line_at(officials, officials->number);
    if (base < 1 || base >= officials->number || officials->number - base >= OFFICIAL_LINES_BACK)
        return false;
    for (uint32_t number = (uint32_t)base + 1; number < officials->number; number++) {
        const struct bundle_official_line *line = line_at(officials, number);
        if (line->at_ms != act->at_ms ||
            (line->actor[0] != '\0' && strcmp(line->actor, act->actor) != 0))
            return false;
    }
    return true;
}

/* Keeps whose key it was. */
static bool bundle_officials_note_key(struct bundle *bundle, const char *official, const char *key)
{
    json_t *keys = json_object_get(bundle->official_keys, official), *each;
    size_t i;
    if (keys == NULL) {
        keys = json_array();
        if (json_object_set_new(bundle->official_keys, official, keys) != 0)
            return false;
    }
    json_array_foreach(keys, i, each)
    {
        if (strcmp(json_string_value(each), key) == 0)
            return true;
    }
    return json_array_append_new(keys, json_string(key)) == 0;
}

bool bundle_officials_signature(struct bundle_officials *officials, struct bundle *bundle,
                                const json_t *object, struct bundle_fault *fault, size_t number)
{
    const json_t *base = json_object_get(object, "base");
    const char *key_hex = json_string_value(json_object_get(object, "key"));
    const char *hex = json_string_value(json_object_get(object, "signature"));
    const struct bundle_official_line *act = line_at(officials, officials->number);
    const struct tournament_line line = {
        .actor = act->actor, .kind = officials->kind, .detail = officials->detail};
    uint8_t key[OFFICIAL_KEY], signature[OFFICIAL_SIGNATURE];
    if (bundle->version <= BUNDLE_VERSION_UNSIGNED || !officials->act || officials->is_signed ||
        json_object_size(object) != 4 || !json_is_integer(base) || key_hex == NULL || hex == NULL ||
        json_integer_value(json_object_get(object, "line")) != (json_int_t)officials->number ||
        !span_hex(span_of(key_hex), key, sizeof key) ||
        !span_hex(span_of(hex), signature, sizeof signature))
        return bundle_refuse(fault, number, BUNDLE_FAULT_LINE,
                             "This is not the signature of an official for the line before it.",
                             "");
    if (!is_fresh(officials, json_integer_value(base)))
        return bundle_refuse(fault, number, BUNDLE_FAULT_STALE,
                             "The official had signed before others changed the event.", "");
    if (!official_signature_holds(bundle->event,
                                  line_at(officials, (uint32_t)json_integer_value(base))->head,
                                  &line, signature, key))
        return bundle_refuse(fault, number, BUNDLE_FAULT_OFFICIAL,
                             "The official's signature is not valid for the line before it.", "");
    officials->is_signed = true;
    bundle->signed_acts++;
    return bundle_officials_note_key(bundle, act->actor, key_hex) ||
           bundle_out_of_memory(fault, number);
}

const uint8_t *bundle_officials_head(const struct bundle_officials *officials)
{
    return officials->line[officials->number % OFFICIAL_LINES_BACK].head;
}

void bundle_officials_end(struct bundle_officials *officials)
{
    json_decref(officials->detail);
    officials->detail = NULL;
}

/* ---- In running games ---- */

/* The least that the settings asked for from BUNDLE_AT_ONCE_MS before to BUNDLE_AT_ONCE_MS after.
 */
static enum official_choice choice_at(const struct bundle *bundle, int64_t at_ms)
{
    enum official_choice choice = OFFICIAL_CHOICES;
    for (size_t i = 0; i < bundle->choice_count; i++) {
        const struct bundle_choice *now = &bundle->choices[i];
        bool later = now->at_ms > at_ms + BUNDLE_AT_ONCE_MS;
        bool over = i + 1 < bundle->choice_count && now[1].at_ms < at_ms - BUNDLE_AT_ONCE_MS;
        if (!later && !over && (choice == OFFICIAL_CHOICES || now->choice < choice))
            choice = now->choice;
    }
    return choice == OFFICIAL_CHOICES ? OFFICIAL_OFF : choice;
}

struct acts {
    struct bundle *bundle;
    const struct bundle_record *record;
    struct bundle_fault *fault;
    struct span signatures;
    struct signature next; /* of an official; number 0: there are no more */
    int64_t start_ms;
    struct record_entry last;
};

static void find_next(struct acts *acts)
{
    while (signature_next(&acts->signatures, &acts->next))
        if (acts->next.kind == SIGNATURE_OF_OFFICIAL)
            return;
    acts->next.number = 0;
}

/* Whether only an official can have given the entry: not a time-out of the clock, nor a player who
 * has come back. */
static bool is_by_official(const struct acts *acts, const struct record_entry *entry)
{
    bool timed_out = acts->last.kind == RECORD_TIMEOUT && acts->last.subject == entry->subject &&
                     acts->last.elapsed_ms == entry->elapsed_ms;
    return signature_is_act(entry) && entry->kind != RECORD_RETURN &&
           ((entry->kind != RECORD_FORFEIT && entry->kind != RECORD_FALLBACK) || !timed_out);
}

static bool take_entry(struct acts *acts, const struct record_entry *entry)
{
    struct bundle *bundle = acts->bundle;
    bool is_signed = acts->next.number == entry->seq;
    enum official_choice choice = choice_at(bundle, acts->start_ms + entry->elapsed_ms);
    bool counts = is_signed || (choice != OFFICIAL_OFF && is_by_official(acts, entry));
    bundle->acts += counts;
    if (counts && !is_signed && choice == OFFICIAL_REQUIRED &&
        bundle->version > BUNDLE_VERSION_UNRECORDED) {
        char bytes[RECORD_ID_LENGTH + 16];
        struct text text = TEXT_OVER(bytes);
        text_add_number(&text, entry->seq);
        text_add(&text, ", game ");
        text_add(&text, acts->record->game);
        return bundle_refuse(acts->fault, acts->record->line, BUNDLE_FAULT_UNSIGNED,
                             "The event required the official to sign the entry", bytes);
    }
    if (!is_signed)
        return true;
    char hex[2 * OFFICIAL_KEY + 1];
    struct text key = TEXT_OVER(hex);
    text_add_hex(&key, acts->next.key, sizeof acts->next.key);
    bundle->signed_acts++;
    bool noted = bundle_officials_note_key(bundle, acts->next.official, hex);
    find_next(acts);
    return noted || bundle_out_of_memory(acts->fault, acts->record->line);
}

bool bundle_officials_game(struct bundle *bundle, const struct bundle_record *record,
                           struct bundle_fault *fault)
{
    struct acts acts = {
        .bundle = bundle, .record = record, .fault = fault, .signatures = record->signatures};
    struct record_header header;
    struct record_fault wrong;
    struct record_entry entry;
    struct span rest = record->text;
    uint8_t head[32];
    uint32_t lines = 0;
    bool good = true;
    if (!record_read_header(&rest, &header, head, &lines, &wrong))
        return true; /* judged elsewhere */
    acts.start_ms = calendar_read_ms(header.start);
    find_next(&acts);
    while (good && bundle_next_entry(&rest, &entry)) {
        good = take_entry(&acts, &entry);
        acts.last = entry;
    }
    return good;
}
