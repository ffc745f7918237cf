/* Puzzles from finished public games, one per day and ruleset. Operators add them (`tillroll admin
 * puzzles`). */
#include <string.h>

#include "api/records/handlers.h"
#include "api/request/documents.h"
#include "api/request/visibility.h"
#include "db/store/games/daily_puzzles.h"
#include "engine/game/catalog.h"

enum { DAY_TEXT = 11 };

/* ---- Days ---- */

static void print_day(int64_t ms, char day[static DAY_TEXT])
{
    char text[TIME_TEXT];
    time_print(ms, text);
    memcpy(day, text, DAY_TEXT - 1);
    day[DAY_TEXT - 1] = '\0';
}

/* Reads ?day=2026-11-28, which must not be after today; by default today. */
static bool read_day(struct call *call, char day[static DAY_TEXT])
{
    char bytes[TIME_TEXT];
    struct text text = TEXT_OVER(bytes);
    struct span given = http_parameter(call->request, "day");
    int64_t ms;
    print_day(call->now_ms, day);
    if (call->request->parameters == 0)
        return true;
    text_add_span(&text, given);
    text_add(&text, "T00:00:00Z");
    if (call->request->parameters > 1 || given.length != DAY_TEXT - 1 || text.overflow ||
        !time_parse(text_span(&text), &ms))
        return call_problem(call, "bad-parameter",
                            "Ask for a puzzle with day=<a date, such as 2026-11-28>, or without "
                            "parameters for today's.");
    if (ms > call->now_ms)
        return call_found(call, DB_NONE);
    print_day(ms, day);
    return true;
}

/* ---- Reading ---- */

static bool is_open(struct call *call, const struct daily_puzzle *puzzle, bool *open)
{
    struct game_row game;
    if (!visibility_find_any_game(call, &puzzle->game, &game))
        return false;
    *open = visibility_is_open(&game) && !game.voided;
    return true;
}

/* Finds the puzzle of a day. `open` is false if there is none whose game is public. */
static bool find_puzzle(struct call *call, const char *ruleset, const char *day,
                        struct daily_puzzle *puzzle, bool *open)
{
    enum db_status status = daily_puzzle_find(call->db, call->arena, ruleset, day, puzzle);
    *open = false;
    return status == DB_NONE || (call_found(call, status) && is_open(call, puzzle, open));
}

void puzzles_list(struct call *call)
{
    char day[DAY_TEXT];
    json_t *items = json_array();
    const struct game *game;
    print_day(call->now_ms, day);
    for (size_t i = 0; (game = catalog_at(i)) != NULL; i++) {
        struct daily_puzzle puzzle;
        bool open;
        if (game != catalog_newest(span_of(game->slug)))
            continue;
        if (!find_puzzle(call, game->slug, day, &puzzle, &open)) {
            json_decref(items);
            return;
        }
        if (open)
            json_array_append_new(items, json_pack("{s:s, s:s, s:s}", "ruleset", game->slug,
                                                   "title", game->title, "day", puzzle.day));
    }
    call_answer_tagged(call, json_pack("{s:s, s:o}", "today", day, "items", items));
}

void puzzles_get(struct call *call)
{
    char day[DAY_TEXT];
    struct daily_puzzle puzzle;
    bool open;
    const struct game *game = catalog_newest(call->word[0]);
    if (game == NULL) {
        (void)call_found(call, DB_NONE);
        return;
    }
    if (!read_day(call, day) || !find_puzzle(call, game->slug, day, &puzzle, &open) ||
        (!open && !call_found(call, DB_NONE)))
        return;
    call_answer_tagged(call, json_pack("{s:s, s:s?, s:o}", "day", puzzle.day, "previous",
                                       puzzle.previous[0] == '\0' ? NULL : puzzle.previous,
                                       "puzzle", json_loads(puzzle.document, 0, NULL)));
}
