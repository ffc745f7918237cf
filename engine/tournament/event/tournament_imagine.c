/* How an event may continue: rounds and results without lines, for a copy of it. */
#include <stdlib.h>
#include <string.h>

#include "engine/tournament/event/tournament_parts.h"

void tournament_imagine_no_draft(struct tournament *copy)
{
    const struct tournament_round *draft = tournament_draft(copy);
    if (draft == NULL)
        return;
    copy->table_count = draft->first_table;
    copy->bye_count = draft->first_bye;
    copy->round_count--;
    copy->attempts = 0;
}

bool tournament_imagine_stage(struct tournament *copy, const uint16_t *entries, size_t count)
{
    struct tournament_stage *stage = &copy->stage[copy->stages];
    stage->entries = calloc(TOURNAMENT_ENTRIES_MAX, sizeof *stage->entries);
    if (stage->entries == NULL)
        return false;
    memcpy(stage->entries, entries, count * sizeof *entries);
    stage->entry_count = count;
    stage->first_round = (uint16_t)(copy->rounds_started + 1);
    copy->stages++;
    copy->phase = PHASE_RUNNING;
    return true;
}

static bool make_room(struct tournament *copy, size_t tables, size_t byes)
{
    struct refusal refusal;
    struct taking taking = {.event = copy, .refusal = &refusal};
    return grow(&taking, (void **)&copy->tables, &copy->index->tables_most,
                copy->table_count + tables, sizeof *copy->tables) &&
           grow(&taking, (void **)&copy->byes, &copy->index->byes_most, copy->bye_count + byes,
                sizeof *copy->byes) &&
           grow(&taking, (void **)&copy->rounds, &copy->index->rounds_most, copy->round_count + 1,
                sizeof *copy->rounds);
}

bool tournament_imagine_round(struct tournament *copy, const struct tournament_table *tables,
                              size_t table_count, const struct tournament_bye *byes,
                              size_t bye_count)
{
    uint16_t number = (uint16_t)(copy->rounds_started + 1);
    uint8_t stage = (uint8_t)(copy->stages - 1);
    if (!make_room(copy, table_count, bye_count))
        return false;
    copy->rounds[copy->round_count++] = (struct tournament_round){.number = number,
                                                                  .stage = stage,
                                                                  .attempt = 1,
                                                                  .first_table = copy->table_count,
                                                                  .table_count = table_count,
                                                                  .first_bye = copy->bye_count,
                                                                  .bye_count = bye_count};
    for (size_t i = 0; i < table_count; i++) {
        struct tournament_table *table = &copy->tables[copy->table_count++];
        *table = (struct tournament_table){.round = number,
                                           .table = (uint16_t)(i + 1),
                                           .match = tables[i].match,
                                           .stage = stage,
                                           .seats = tables[i].seats};
        memcpy(table->entry, tables[i].entry, sizeof table->entry);
    }
    for (size_t i = 0; i < bye_count; i++)
        copy->byes[copy->bye_count++] = (struct tournament_bye){
            .round = number, .entry = byes[i].entry, .kind = byes[i].kind, .stage = stage};
    copy->rounds_started++;
    copy->attempts = 0;
    return true;
}

void tournament_imagine_result(struct tournament *copy, struct tournament_table *table,
                               const struct table_result *result)
{
    table->has_result = true;
    table->played = true;
    table->result = *result;
    table->game_result = *result;
    copy->rounds[table->round - 1].decided++;
}
