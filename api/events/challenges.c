/* Challenges of ladders: a player challenges a higher one, who starts the game by accepting, unless
 * the challenge is cancelled first. */
#include "api/event/event_load.h"
#include "api/event/event_take.h"
#include "api/events/handlers.h"
#include "api/request/documents.h"
#include "api/tables/tables.h"
#include "db/link/db.h"
#include "engine/tournament/formats/ladder/ladder.h"
#include "engine/tournament/pairing/pairing_open.h"
#include "engine/tournament/pairing/ranking.h"

/* ---- Documents ---- */

static json_t *challenge_document(const struct event_people *people,
                                  const struct tournament_challenge *challenge)
{
    int64_t answer_ms =
        challenge->table == 0 ? tournament_answer_ms(people->tournament, challenge) : 0;
    return json_pack("{s:o, s:o, s:o, s:o, s:o}", "challenger",
                     event_numbered_person(people, challenge->challenger), "challenged",
                     event_numbered_person(people, challenge->challenged), "at",
                     time_json(challenge->at_ms), "answer_by", time_json(answer_ms), "table",
                     number_or_null(challenge->table));
}

/* The players whom an entry may challenge now, from the nearest rung up. A ladder that has not
 * begun, or is not one, has none. */
static json_t *open_to(struct call *call, const struct event_people *people, uint16_t challenger)
{
    const struct tournament *tournament = people->tournament;
    const struct stage_settings *stage = &tournament->settings.stage[0];
    const struct ladder_rule rule = {.reach = stage->reach, .effect = stage->effect};
    struct ladder *ladder = arena_take(call->arena, sizeof *ladder);
    struct refusal refusal;
    json_t *list = json_array();
    bool begun = challenger != TOURNAMENT_NOBODY && stage->format == FORMAT_LADDER &&
                 tournament->phase >= PHASE_ENTRIES_CLOSED &&
                 ranking_ladder(tournament, 0, ladder, &refusal);
    for (size_t rung = begun ? ladder->count : 0; rung > 0; rung--) {
        uint16_t other = ladder->rung[rung - 1].entry;
        if (ladder_may_challenge(ladder, &rule, challenger, other, &refusal) &&
            tournament_may_challenge(tournament, challenger, other, &refusal))
            json_array_append_new(list, event_numbered_person(people, other));
    }
    return list;
}

/* `challenger`: NULL, or the player for whom to say who can be challenged. */
static bool challenges_document(struct call *call, const struct loaded_event *loaded,
                                const struct id *challenger, json_t **document)
{
    const struct tournament *tournament = loaded->tournament;
    struct event_people people;
    if (!event_people_load(call, loaded, &people))
        return false;
    json_t *open = json_array();
    for (size_t i = 0; i < tournament->challenge_count; i++)
        if (!tournament->challenges[i].over)
            json_array_append_new(open, challenge_document(&people, &tournament->challenges[i]));
    json_t *possible =
        challenger == NULL
            ? json_null()
            : open_to(call, &people, tournament_entry(tournament, span_of(challenger->text)));
    *document = json_pack("{s:s, s:i, s:o, s:o}", "event", loaded->event.id.text, "line",
                          (int)tournament->lines, "challenges", open, "may_challenge", possible);
    return true;
}

/* Reads ?challenger=; an empty id without it. */
static bool read_challenger(struct call *call, struct id *challenger)
{
    struct span written = http_parameter(call->request, "challenger");
    *challenger = (struct id){.text = ""};
    return written.at == NULL || id_parse(written, challenger) ||
           call_problem(call, "bad-parameter", "challenger is the id of one player.");
}

void challenges_get(struct call *call)
{
    struct loaded_event loaded;
    struct id challenger;
    json_t *document;
    if (read_challenger(call, &challenger) && event_load_as_of(call, &loaded) &&
        challenges_document(call, &loaded, challenger.text[0] == '\0' ? NULL : &challenger,
                            &document))
        call_answer_tagged(call, document);
}

static void answer(struct call *call, const struct loaded_event *loaded)
{
    json_t *document;
    if (challenges_document(call, loaded, NULL, &document))
        call_answer(call, 201, document);
}

/* ---- Challenging ---- */

static bool may_challenge(struct call *call, const struct loaded_event *loaded, uint16_t challenger,
                          uint16_t challenged)
{
    const struct stage_settings *stage = &loaded->tournament->settings.stage[0];
    const struct ladder_rule rule = {.reach = stage->reach, .effect = stage->effect};
    struct ladder *ladder = arena_take(call->arena, sizeof *ladder);
    struct refusal refusal;
    return (ranking_ladder(loaded->tournament, 0, ladder, &refusal) &&
            ladder_may_challenge(ladder, &rule, challenger, challenged, &refusal)) ||
           event_refuse(call, &refusal);
}

static bool is_ladder(struct call *call, const struct loaded_event *loaded)
{
    return loaded->tournament->settings.stage[0].format == FORMAT_LADDER ||
           call_problem(call, "wrong-state", "This event is not a ladder.");
}

static bool find_entry(struct call *call, const struct tournament *tournament,
                       const struct id *player, uint16_t *entry)
{
    *entry = tournament_entry(tournament, span_of(player->text));
    return *entry != TOURNAMENT_NOBODY ||
           call_problem(call, "not-entered", "This player is not entered.");
}

static bool read_player(struct call *call, struct id *player)
{
    const char *text;
    return call_text(call, "player", 1, sizeof player->text - 1, NULL, &text) &&
           (id_parse(span_of(text), player) ||
            call_bad_field(call, "player", "must be the id of a player."));
}

static json_t *pair_detail(const struct tournament *tournament, uint16_t challenger,
                           uint16_t challenged)
{
    return json_pack("{s:[s, s]}", "players", tournament->entrants[challenger].player,
                     tournament->entrants[challenged].player);
}

void challenges_create(struct call *call)
{
    static const char *const keys[] = {"player", NULL};
    struct loaded_event loaded;
    struct id player;
    uint16_t challenger, challenged;
    if (!call_check_keys(call, keys) || !event_load(call, &call->id[0], true, &loaded) ||
        !read_player(call, &player) || !is_ladder(call, &loaded) ||
        !find_entry(call, loaded.tournament, &call->player.id, &challenger) ||
        !find_entry(call, loaded.tournament, &player, &challenged))
        return;
    /* Before entries are closed there are no rungs; then the fold refuses the line. */
    if (loaded.tournament->phase >= PHASE_ENTRIES_CLOSED &&
        !may_challenge(call, &loaded, challenger, challenged))
        return;
    if (event_take(call, &loaded, "challenged",
                   pair_detail(loaded.tournament, challenger, challenged)))
        answer(call, &loaded);
}

/* ---- Cancelling and accepting ---- */

/* The open challenge of the player whose id comes second in the path; a player has at most one. */
static bool find_challenge(struct call *call, const struct tournament *tournament,
                           struct tournament_challenge *found)
{
    uint16_t challenger = tournament_entry(tournament, span_of(call->id[1].text));
    for (size_t i = 0; i < tournament->challenge_count; i++)
        if (!tournament->challenges[i].over && tournament->challenges[i].challenger == challenger) {
            *found = tournament->challenges[i];
            return true;
        }
    return call_problem(call, "not-found", "This player has no open challenge.");
}

static bool is_caller(const struct call *call, const struct tournament *tournament, uint16_t entry)
{
    return tournament_entry(tournament, span_of(call->player.id.text)) == entry;
}

static bool may_cancel(struct call *call, const struct loaded_event *loaded,
                       const struct tournament_challenge *challenge)
{
    if (is_caller(call, loaded->tournament, challenge->challenger) ||
        is_caller(call, loaded->tournament, challenge->challenged))
        return true;
    enum db_status status = event_official(call->db, &loaded->event.id, &call->player.id);
    if (status == DB_NONE)
        return call_problem(call, "not-allowed",
                            "Only the two players and the event's officials may cancel a "
                            "challenge.");
    return call_found(call, status);
}

void challenges_cancel(struct call *call)
{
    struct loaded_event loaded;
    struct tournament_challenge challenge = {.table = 0};
    if (!event_load(call, &call->id[0], true, &loaded) ||
        !find_challenge(call, loaded.tournament, &challenge) ||
        !may_cancel(call, &loaded, &challenge) ||
        !event_take(call, &loaded, "challenge_cancelled",
                    pair_detail(loaded.tournament, challenge.challenger, challenge.challenged)))
        return;
    call->response->status = 204;
}

void challenges_accept(struct call *call)
{
    struct loaded_event loaded;
    struct tournament_challenge challenge = {.table = 0};
    struct event_people people;
    uint16_t entries[2];
    if (!call_check_keys(call, NULL) || !event_load(call, &call->id[0], true, &loaded) ||
        !find_challenge(call, loaded.tournament, &challenge))
        return;
    if (!is_caller(call, loaded.tournament, challenge.challenged)) {
        call_problem(call, "not-allowed", "Only the challenged player can accept.");
        return;
    }
    pairing_ladder_seats(loaded.tournament, &loaded.chance, &challenge, entries);
    if (event_people_load(call, &loaded, &people) &&
        open_table_start(call, &loaded, &people, entries, 2))
        answer(call, &loaded);
}
