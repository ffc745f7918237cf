#include "api/cli/monitor/monitor_event.h"

#include <string.h>

#include "engine/record/record.h"
#include "engine/tournament/event/event_chain.h"

enum { ID_LENGTH = 36, LINES_AT_ONCE = 1000, LINES_MOST = 1000000, PATH_BYTES = 128 };

static const char part[] = "/line/";

/* Reads `<event>/line/<n>`. */
static bool read_name(struct span name, struct span *event, uint32_t *line)
{
    uint64_t number;
    size_t before = ID_LENGTH + sizeof part - 1;
    *event = (struct span){name.at, ID_LENGTH};
    if (name.length <= before || !record_is_id(*event) ||
        memcmp(name.at + ID_LENGTH, part, sizeof part - 1) != 0 ||
        !span_number((struct span){name.at + before, name.length - before}, LINES_MOST, &number) ||
        number == 0)
        return false;
    *line = (uint32_t)number;
    return true;
}

/* The newest line before `line` of which the chain's value is known, and that value; 0 for the
 * beginning. */
static uint32_t find_known(const struct monitor_log *log, struct span event, uint32_t line,
                           uint8_t hash[static 32])
{
    while (--line > 0) {
        char bytes[PATH_BYTES];
        struct text name = TEXT_OVER(bytes);
        text_add_span(&name, event);
        text_add(&name, part);
        text_add_number(&name, line);
        const uint8_t *known = monitor_log_find(log, TLOG_EVENT_STEP, text_span(&name));
        if (known == NULL)
            continue;
        memcpy(hash, known, 32);
        return line;
    }
    event_chain_begin(event, hash);
    return 0;
}

static bool add_line(const json_t *step, uint32_t number, uint8_t hash[static 32])
{
    const json_t *by = json_object_get(step, "by");
    const char *time = json_string_value(json_object_get(step, "at"));
    const char *kind = json_string_value(json_object_get(step, "kind"));
    const char *actor = json_is_null(by) ? "-" : json_string_value(json_object_get(by, "id"));
    return json_integer_value(json_object_get(step, "seq")) == (json_int_t)number && time != NULL &&
           kind != NULL && actor != NULL &&
           event_chain_add(hash, number, time, actor, kind, json_object_get(step, "detail"));
}

/* Fetches some of the lines after line `after`, and sets `count` to their number. */
static enum monitor_event_finding fetch(struct client *client, struct span event, uint32_t after,
                                        uint32_t most, uint8_t hash[static 32], uint32_t *count)
{
    char bytes[PATH_BYTES];
    struct text path = TEXT_OVER(bytes);
    size_t length;
    long status;
    text_add(&path, "/v1/events/");
    text_add_span(&path, event);
    text_add(&path, "/log?after=");
    text_add_number(&path, after);
    text_add(&path, "&limit=");
    text_add_number(&path, most);
    const char *answer = client_bytes(client, bytes, &length, &status);
    if (answer == NULL)
        return status == 403 || status == 404 || status == 410 ? MONITOR_EVENT_MISSING
                                                               : MONITOR_EVENT_SILENT;
    json_t *page = json_loadb(answer, length, JSON_REJECT_DUPLICATES, NULL);
    const json_t *items = json_object_get(page, "items");
    bool good = true;
    *count = (uint32_t)json_array_size(items);
    for (uint32_t i = 0; good && i < *count && i < most; i++)
        good = add_line(json_array_get(items, i), after + i + 1, hash);
    json_decref(page);
    if (*count == 0 || *count > most)
        return MONITOR_EVENT_MISSING;
    return good ? MONITOR_EVENT_SAME : MONITOR_EVENT_OTHER;
}

enum monitor_event_finding monitor_event_compare(struct client *client,
                                                 const struct monitor_log *log,
                                                 const struct tlog_leaf *leaf)
{
    struct span event;
    uint32_t line;
    uint8_t hash[32];
    enum monitor_event_finding finding = MONITOR_EVENT_SAME;
    if (!read_name(leaf->name, &event, &line))
        return MONITOR_EVENT_OTHER;
    uint32_t known = find_known(log, event, line, hash);
    const bool first = known == 0;
    while (finding == MONITOR_EVENT_SAME && known < line) {
        uint32_t count = 0;
        uint32_t most = line - known < LINES_AT_ONCE ? line - known : LINES_AT_ONCE;
        finding = fetch(client, event, known, most, hash, &count);
        known += count;
    }
    if (finding == MONITOR_EVENT_SAME && memcmp(hash, leaf->hash, 32) != 0)
        return MONITOR_EVENT_OTHER;
    return finding == MONITOR_EVENT_SAME && first &&
                   monitor_log_find(log, TLOG_COMMITMENT, event) == NULL
               ? MONITOR_EVENT_UNCOMMITTED
               : finding;
}
