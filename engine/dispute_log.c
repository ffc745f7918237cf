/* The lines of a dispute's log. */
#include <stdlib.h>
#include <string.h>

#include "engine/dispute.h"

bool dispute_print(const struct dispute_step *step, struct text *line)
{
    char *detail = json_dumps(step->detail, JSON_COMPACT | JSON_SORT_KEYS | JSON_ENSURE_ASCII);
    if (detail == NULL)
        return false;
    text_add_number(line, step->number);
    text_add_char(line, ' ');
    text_add_number(line, step->at_ms);
    text_add_char(line, ' ');
    text_add(line, step->actor);
    text_add_char(line, ' ');
    text_add(line, step->kind);
    text_add_char(line, ' ');
    text_add(line, detail);
    free(detail);
    return !line->overflow;
}

/* True if the step is written as the line is. */
static bool is_as_written(const struct dispute_step *step, struct span line)
{
    char *bytes = malloc(DISPUTE_LINE_MAX);
    if (bytes == NULL)
        return false;
    struct text again = {bytes, 0, DISPUTE_LINE_MAX, false};
    bytes[0] = '\0';
    bool same = dispute_print(step, &again) && span_equal(text_span(&again), line);
    free(bytes);
    return same;
}

bool dispute_read(struct span line, struct dispute_step *step, json_t **detail,
                  char actor[static RECORD_ID_LENGTH + 1], char kind[static DISPUTE_CLAIM_MAX])
{
    struct span rest = line;
    uint64_t number;
    uint64_t at_ms;
    *detail = NULL;
    if (!span_number(span_word(&rest), DISPUTE_STEPS_MAX, &number) ||
        !span_number(span_word(&rest), INT64_C(1) << 52, &at_ms))
        return false;
    struct span by = span_word(&rest);
    struct span word = span_word(&rest);
    if (!record_is_id(by) || word.length >= DISPUTE_CLAIM_MAX)
        return false;
    memcpy(actor, by.at, by.length);
    actor[by.length] = '\0';
    memcpy(kind, word.at, word.length);
    kind[word.length] = '\0';
    *detail = json_loadb(rest.at, rest.length, JSON_REJECT_DUPLICATES, NULL);
    *step = (struct dispute_step){.number = (uint32_t)number,
                                  .at_ms = (int64_t)at_ms,
                                  .actor = actor,
                                  .kind = kind,
                                  .detail = *detail};
    if (*detail != NULL && is_as_written(step, line))
        return true;
    json_decref(*detail);
    *detail = NULL;
    return false;
}

bool dispute_apply_line(struct dispute *dispute, struct span line, struct refusal *refusal)
{
    char actor[RECORD_ID_LENGTH + 1];
    char kind[DISPUTE_CLAIM_MAX];
    struct dispute_step step;
    json_t *detail;
    if (!dispute_read(line, &step, &detail, actor, kind))
        return refuse(refusal, DISPUTE_REFUSAL_STEP, "This is no line of a dispute's log.");
    bool good = dispute_apply(dispute, &step, refusal);
    json_decref(detail);
    return good;
}
