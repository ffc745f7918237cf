#include "api/stage_asked.h"

static bool bad_parameter(struct call *call)
{
    return call_problem(call, "bad-parameter",
                        "This takes stage=<number of a stage that has begun>, after_round=<number "
                        "of a started round> and as_of=<line of the log, or time>.");
}

static bool read_parameter(struct http_parameter parameter, struct stage_asked *asked)
{
    uint64_t number = 0;
    bool good;
    if (span_is(parameter.name, "after_round")) {
        good = span_number(parameter.value, TOURNAMENT_ROUNDS_MAX, &number);
        asked->any_round = false;
        asked->rounds = (unsigned)number;
    } else if (span_is(parameter.name, "stage")) {
        good = span_number(parameter.value, SETTINGS_STAGES_MAX, &number) && number > 0;
        asked->any_stage = false;
        asked->stage = good ? (size_t)number - 1 : 0;
    } else {
        good = event_is_as_of(parameter.name);
    }
    return good;
}

static bool is_in(struct span name, const char *const *list)
{
    for (size_t i = 0; list != NULL && list[i] != NULL; i++)
        if (span_is(name, list[i]))
            return true;
    return false;
}

bool stage_read_asked(struct call *call, const char *const *further, struct stage_asked *asked)
{
    *asked = (struct stage_asked){.any_round = true, .any_stage = true};
    for (size_t i = 0; i < call->request->parameters; i++) {
        struct http_parameter parameter = call->request->parameter[i];
        if (!is_in(parameter.name, further) && !read_parameter(parameter, asked))
            return bad_parameter(call);
    }
    return true;
}

bool stage_settle(struct call *call, const struct loaded_event *loaded, struct stage_asked *asked)
{
    const struct tournament *tournament = loaded->tournament;
    if (asked->any_round)
        asked->rounds = tournament->rounds_started;
    if (asked->any_stage)
        asked->stage = tournament->stages == 0 ? 0 : tournament->stages - 1;
    bool begun = asked->stage == 0 || asked->stage < tournament->stages;
    return (begun && asked->rounds <= tournament->rounds_started) || bad_parameter(call);
}
