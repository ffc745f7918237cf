#include "engine/tournament/event/event_chain.h"

#include <stdlib.h>
#include <string.h>

#include "engine/base/sha256.h"
#include "engine/record/record.h"

void event_chain_begin(struct span event, uint8_t hash[static 32])
{
    char bytes[96];
    struct text first = TEXT_OVER(bytes);
    text_add(&first, "tillroll event-log 1 ");
    text_add_span_line(&first, event);
    sha256(hash, text_span(&first), (struct span){NULL, 0});
}

bool event_chain_add(uint8_t hash[static 32], uint32_t number, const char *time, const char *actor,
                     const char *kind, const json_t *detail)
{
    enum { REST = 32 }; /* number and blanks */
    char *written = json_dumps(detail, JSON_COMPACT | JSON_SORT_KEYS);
    if (written == NULL)
        return false;
    size_t most = REST + strlen(time) + strlen(actor) + strlen(kind) + strlen(written);
    char *bytes = malloc(most);
    struct text line = {bytes, 0, most, false};
    if (bytes != NULL) {
        text_add_number(&line, number);
        text_add_char(&line, ' ');
        text_add(&line, time);
        text_add_char(&line, ' ');
        text_add(&line, actor);
        text_add_char(&line, ' ');
        text_add(&line, kind);
        text_add_char(&line, ' ');
        text_add(&line, written);
        record_chain_add(hash, text_span(&line));
    }
    free(bytes);
    free(written);
    return bytes != NULL;
}
