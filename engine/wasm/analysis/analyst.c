#include "engine/wasm/analysis/analyst.h"

#include <assert.h>

#include "engine/analysis/analysis_document.h"
#include "engine/game/component_list.h"
#include "engine/game/component_reader.h"
#include "engine/wasm/json.h"

enum { ANSWER_BYTES = 64 * 1024, SET_BYTES = 64 * 1024 };

static char room[RECORD_BYTES_MAX + SET_BYTES];
static char answer_bytes[ANSWER_BYTES];
static struct component_list components; /* of the game, if it has a set of its own */
static struct analysis *analysis;        /* NULL: none has begun */

char *analyst_room(void)
{
    return room;
}

size_t analyst_room_size(void)
{
    return sizeof room;
}

static const char *answer(const json_t *value)
{
    return json_answer(value, TEXT_OVER(answer_bytes));
}

static const char *said_not(const char *code, const char *message, uint32_t line)
{
    json_t *refused = json_object();
    json_object_set_new(refused, "code", json_string(code));
    json_object_set_new(refused, "message", json_string(message));
    json_object_set_new(refused, "line", json_integer(line));
    return answer(refused);
}

const char *analyst_begin(size_t size, size_t set_size, uint32_t budget)
{
    enum replay_verdict verdict;
    struct record_fault fault;
    struct component_fault wrong;
    assert(size <= sizeof room && set_size <= sizeof room - size);
    analysis_free(analysis);
    analysis = NULL;
    component_list_free(&components);
    if (set_size > 0 &&
        !component_list_add(&components, (struct span){room + size, set_size}, &wrong))
        return said_not("bad-components", wrong.message, wrong.line);
    analysis = analysis_new((struct span){room, size}, component_list_sets(&components), budget,
                            &verdict, &fault);
    if (analysis == NULL)
        return said_not(fault.code, fault.message, fault.line);
    json_t *begun = json_object();
    json_t *dealt = json_array();
    for (unsigned seat = 0; seat < analysis_header(analysis)->seats; seat++)
        json_array_append_new(dealt, json_integer(analysis_dealt(analysis, seat)));
    json_object_set_new(begun, "plies", json_integer((json_int_t)analysis_count(analysis)));
    json_object_set_new(begun, "dealt", dealt);
    return answer(begun);
}

const char *analyst_step(void)
{
    assert(analysis != NULL);
    if (analysis_step(analysis))
        return answer(analysis_document_ply(analysis));
    if (analysis_failed(analysis))
        return said_not("not-analysed", "A ply of this record cannot be analyzed.", 0);
    return answer(json_null());
}

const char *analyst_document(void)
{
    assert(analysis != NULL);
    return answer(analysis_document(analysis));
}
