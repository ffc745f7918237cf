/* What is open of a duplicate event, with the names of its players. */
#include "api/duplicate.h"

#include "api/documents.h"
#include "api/event_refuse.h"

uint16_t duplicate_entry(const struct duplicate_event *duplicate, uint16_t index)
{
    return tournament_entry_numbered(duplicate->loaded->tournament, (uint16_t)(index + 1));
}

bool duplicate_load(struct call *call, const struct loaded_event *loaded, unsigned rounds,
                    struct duplicate_event *duplicate)
{
    struct refusal refusal;
    *duplicate = (struct duplicate_event){.loaded = loaded};
    if (!event_people_load(call, loaded, &duplicate->people))
        return false;
    return duplicate_placing_make(loaded->tournament, &loaded->chance, rounds, &duplicate->placing,
                                  &refusal) ||
           event_refuse(call, &refusal);
}

void duplicate_free(struct duplicate_event *duplicate)
{
    duplicate_placing_free(&duplicate->placing);
}

json_t *duplicate_percent(struct share share)
{
    return rational_document(100 * (int64_t)share.own, share.total);
}
