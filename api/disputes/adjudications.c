/* Proposals for the result of a frozen game, for officials who decide its dispute. Proposals depend
 * on hidden parts, so each is logged as a full view of the game before it is answered, and becomes
 * public with that log when the game is over. */
#include <string.h>

#include "api/disputes/audit_views.h"
#include "api/disputes/dispute_load.h"
#include "api/disputes/handlers.h"
#include "api/request/documents.h"
#include "api/tables/game_writer.h"
#include "db/store/games/parties.h"
#include "engine/analysis/adjudication.h"

static const char view_reason[] = "A proposal for adjudication, for those who decide the dispute.";

/* The input and the result. */
struct proposal {
    const struct replay *replay; /* in the arena */
    bool made;
    struct adjudication adjudication;
};

static void run(struct call *call, void *context)
{
    struct proposal *proposal = context;
    (void)call;
    proposal->made = adjudication_make(proposal->replay, ADJUDICATION_FULL, ADJUDICATION_SAMPLES,
                                       &proposal->adjudication);
}

/* True if the game is frozen for this dispute: only then can nobody use a proposal in the game. */
static bool stands_still(struct call *call, const struct loaded_dispute *loaded)
{
    if (loaded->game.finished)
        return call_problem(call, "game-finished", "The game is over, and has a result.");
    return loaded->dispute.frozen ||
           call_problem(call, "not-frozen", "The game is running: freeze it first.");
}

static void answer(struct call *call, const struct loaded_dispute *loaded,
                   const struct proposal *proposal)
{
    json_t *document = adjudication_document(&proposal->adjudication, ADJUDICATION_FULL);
    json_object_set_new(document, "game", json_string(loaded->game.id.text));
    json_object_set_new(document, "seq", json_integer(proposal->replay->seq));
    call_answer(call, 200, document);
}

void adjudications_create(struct call *call)
{
    struct loaded_dispute loaded;
    struct replay *replay;
    struct proposal *proposal = arena_take(call->arena, sizeof *proposal);
    void *done = proposal;
    if (!call_check_keys(call, NULL) || !dispute_load(call, &call->id[0], true, &loaded) ||
        !stands_still(call, &loaded) || !game_load(call, &loaded.game.id, &replay) ||
        !audit_views_store(call, &loaded.game.id, replay, view_reason))
        return;
    *proposal = (struct proposal){.replay = replay};
    if (!call_compute(call, replay->head, run, &done))
        return;
    proposal = done;
    if (proposal->made)
        answer(call, &loaded, proposal);
    else
        call_problem(call, "unavailable", "There is not enough memory for the proposal.");
}
