/* Player pages, leaderboards, and corrected ratings. */
#include <string.h>

#include "api/pages/handlers.h"
#include "api/pages/page.h"
#include "api/pages/page_parts.h"
#include "api/pages/page_read.h"
#include "api/pages/player_card.h"
#include "engine/game/game.h"

/* ---- Scopes of ratings ---- */

static const json_t *find_ruleset(const json_t *rulesets, const char *slug)
{
    size_t i;
    json_t *each;
    json_array_foreach(json_object_get(rulesets, "items"), i, each)
    {
        if (strcmp(part_text(each, "slug"), slug) == 0)
            return each;
    }
    return NULL;
}

/* Writes `glicko.shinjuku` as "Shinjuku, tables of two". */
static void write_scope(struct growing *html, const json_t *rulesets, const char *scope)
{
    const char *dot = strchr(scope, '.');
    const char *slug = dot == NULL ? scope : dot + 1;
    const json_t *ruleset = find_ruleset(rulesets, slug);
    if (strcmp(slug, "overall") == 0)
        html_write(html, "All games");
    else
        html_write(html, "%s", ruleset == NULL ? slug : part_text(ruleset, "title"));
    if (dot != NULL)
        html_write(html, strncmp(scope, "solo", 4) == 0    ? ", games for one"
                         : strncmp(scope, "house", 5) == 0 ? ", house players"
                                                           : ", tables of two");
}

/* ---- A player ---- */

/* Writes "1512</td><td>± 87", up to the end of the second cell. */
static void write_points(struct growing *html, const json_t *rating)
{
    const json_t *display = json_object_get(rating, "display");
    html_write(html, "%lld</td><td class=\"number\">\u00b1 %lld", part_number(display, "rating"),
               part_number(display, "deviation"));
}

/* Writes a remark in the last cell of a row. */
static void write_remark(struct growing *html, const json_t *rating)
{
    bool provisional = part_is(rating, "provisional");
    long long reported = part_number(rating, "reported");
    html_write(html, "%s", provisional ? "provisional" : "");
    if (reported > 0)
        html_write(html, "%s%lld reported", provisional ? ", " : "", reported);
}

static void write_rating(struct growing *html, const json_t *rulesets, const json_t *rating)
{
    html_write(html, "<tr class=\"row\"><th scope=\"row\"><a href=\"/leaderboard?scope=%s\">",
               part_text(rating, "scope"));
    write_scope(html, rulesets, part_text(rating, "scope"));
    html_write(html, "</a></th><td class=\"number points\">");
    write_points(html, rating);
    html_write(html, "</td><td class=\"number\">%lld</td><td>", part_number(rating, "games"));
    write_remark(html, rating);
    html_write(html, "</td></tr>\n");
}

static void write_ratings(struct growing *html, const json_t *rulesets, const json_t *ratings)
{
    static const struct part_column columns[] = {{"Games of", false},
                                                 {"Rating", true},
                                                 {"Deviation", true},
                                                 {"Games", true},
                                                 {"Remark", false}};
    size_t i;
    json_t *each;
    html_write(html, "<h2>Ratings</h2>\n");
    if (json_array_size(json_object_get(ratings, "items")) == 0) {
        html_write(html, "<p>No rated game yet.</p>\n");
        return;
    }
    part_table(html,
               "New players start at 1500 \u00b1 350. The true strength probably lies within the "
               "deviation, which shrinks with more games.",
               columns, sizeof columns / sizeof columns[0]);
    json_array_foreach(json_object_get(ratings, "items"), i, each)
        write_rating(html, rulesets, each);
    part_table_end(html);
}

static void write_others(struct growing *html, const json_t *seats, const json_t *own)
{
    const char *between = "";
    size_t i;
    json_t *seat;
    json_array_foreach(seats, i, seat)
    {
        if (seat == own)
            continue;
        html_write(html, "%s", between);
        part_player(html, json_object_get(seat, "player"));
        between = ", ";
    }
}

static void write_game(struct growing *html, const json_t *game, const char *player)
{
    const json_t *seats = json_object_get(game, "seats");
    const json_t *own = part_seat(seats, player);
    long long rank = part_number(own, "rank");
    html_write(html, "<tr class=\"row\"><th scope=\"row\">");
    part_game(html, game);
    html_write(html, "</th><td>");
    if (rank == 0) {
        html_write(html, "%s", part_state(game));
    } else if (json_array_size(seats) > 1) {
        part_seat_place(html, seats, own);
        html_write(html, " of %d", (int)json_array_size(seats));
    }
    html_write(html, "</td><td class=\"number\">");
    part_seat_score(html, seats, own);
    html_write(html, "</td><td>");
    write_others(html, seats, own);
    html_write(html, "</td><td>");
    part_time(html, part_text(game, "started_at"));
    html_write(html, "</td></tr>\n");
}

static void write_games(struct growing *html, const json_t *games, const char *player)
{
    static const struct part_column columns[] = {
        {"Game", false}, {"Place", false}, {"Score", true}, {"Against", false}, {"Started", false}};
    size_t i;
    json_t *each;
    html_write(html, "<h2>Games</h2>\n");
    if (json_array_size(json_object_get(games, "items")) == 0) {
        html_write(html, "<p>No game yet.</p>\n");
        return;
    }
    part_table(html, "Newest first", columns, sizeof columns / sizeof columns[0]);
    json_array_foreach(json_object_get(games, "items"), i, each) write_game(html, each, player);
    part_table_end(html);
    part_next(html, games, "", "games", "Older games");
}

static void write_reported_result(struct growing *html, const json_t *result)
{
    const json_t *event = json_object_get(result, "event");
    long long round = part_number(result, "round"), table = part_number(result, "table");
    html_write(html,
               "<tr class=\"row\"><th scope=\"row\"><a href=\"/events/%s/rounds/%lld/tables/%lld\">"
               "<bdi>%s</bdi>, round %lld, table %lld</a></th>",
               part_text(event, "id"), round, table, part_text(event, "name"), round, table);
    html_write(html, "<td>%s</td><td>%lld of %lld</td><td class=\"number\">",
               part_text(json_object_get(result, "ruleset"), "title"), part_number(result, "rank"),
               part_number(result, "seats"));
    if (!part_is_null(result, "score"))
        html_write(html, "%lld", part_number(result, "score"));
    html_write(html, "</td></tr>\n");
}

static void write_reported(struct growing *html, const json_t *reported)
{
    static const struct part_column columns[] = {
        {"Event", false}, {"Game", false}, {"Place", false}, {"Score", true}};
    size_t i;
    json_t *each;
    if (json_array_size(json_object_get(reported, "items")) == 0)
        return;
    html_write(html, "<h2>Reported results</h2>\n");
    part_table(html,
               "From real tables: no record proves them. They change ratings only where the event "
               "says so.",
               columns, sizeof columns / sizeof columns[0]);
    json_array_foreach(json_object_get(reported, "items"), i, each)
    {
        write_reported_result(html, each);
    }
    part_table_end(html);
}

static void write_organized(struct growing *html, const json_t *events)
{
    size_t i;
    json_t *each;
    if (json_array_size(json_object_get(events, "items")) == 0)
        return;
    html_write(html, "<h2>Organizes</h2>\n<ul>\n");
    json_array_foreach(json_object_get(events, "items"), i, each)
    {
        html_write(html, "<li><a href=\"/events/%s\"><bdi>%s</bdi></a> (%s, ",
                   part_text(each, "id"), part_text(each, "name"),
                   part_text(json_object_get(each, "ruleset"), "title"));
        part_words(html, part_is(each, "cancelled") ? "cancelled" : part_text(each, "state"));
        html_write(html, ")</li>\n");
    }
    html_write(html, "</ul>\n");
    part_next(html, events, "", "organized", "Older events");
}

void page_player(struct call *call)
{
    enum { PAGE_BYTES = 32 * 1024 };
    const char *id = call->id[0].text;
    const char *from = part_parameter(call, "games");
    const char *organized_from = part_parameter(call, "organized");
    struct growing html;
    const json_t *player, *ratings, *games, *reported, *organized, *rulesets;
    if ((player = page_read(call, "/v1/players/%s", id)) == NULL ||
        (ratings = page_read(call, "/v1/players/%s/ratings", id)) == NULL ||
        (games = page_read(call, "/v1/players/%s/games?limit=50%s%s", id,
                           from[0] == '\0' ? "" : "&after=", from)) == NULL ||
        (reported = page_read(call, "/v1/players/%s/reported", id)) == NULL ||
        (organized = page_read(call, "/v1/players/%s/organized?limit=20%s%s", id,
                               organized_from[0] == '\0' ? "" : "&after=", organized_from)) ==
            NULL ||
        (rulesets = page_read(call, "/v1/rulesets")) == NULL)
        return;
    growing_begin(&html, call->arena, PAGE_BYTES);
    html_write(&html, "<h1><bdi>%s</bdi></h1>\n<p class=\"about\">Member since ",
               part_text(player, "name"));
    part_time(&html, part_text(player, "created_at"));
    html_write(&html, ".</p>\n");
    write_ratings(&html, rulesets, ratings);
    write_games(&html, games, id);
    write_reported(&html, reported);
    write_organized(&html, organized);
    const struct page_head head = {page_title(call, "", part_text(player, "name")),
                                   "Ratings, results and games of a player."};
    const struct page_image image = player_card_image(call, player);
    page_answer_pictured(call, NULL, &head, &image, &html);
}

/* ---- Leaderboards ---- */

static void write_scope_link(struct growing *html, const char *prefix, const json_t *ruleset,
                             const char *shown)
{
    const char *slug = part_text(ruleset, "slug");
    size_t length = strlen(prefix);
    bool here = strncmp(shown, prefix, length) == 0 && strcmp(shown + length, slug) == 0;
    html_write(html, "<a href=\"?scope=%s%s\"", prefix, slug);
    part_current(html, here);
    html_write(html, ">%s</a> ", part_text(ruleset, "title"));
}

/* Writes links to the scopes of the games for `least` to `most` seats: `prefix` and the slug;
 * without a prefix, the overall scope comes first. */
static void write_scope_links(struct growing *html, const json_t *rulesets, const char *label,
                              const char *prefix, long long least, long long most,
                              const char *shown)
{
    size_t i;
    json_t *each;
    html_write(html, "<nav class=\"links\" aria-label=\"%s\">%s: ", label, label);
    if (prefix[0] == '\0') {
        html_write(html, "<a href=\"?scope=overall\"");
        part_current(html, strcmp(shown, "overall") == 0);
        html_write(html, ">All games</a> ");
    }
    json_array_foreach(json_object_get(rulesets, "items"), i, each)
    {
        if (find_ruleset(rulesets, part_text(each, "slug")) == each &&
            part_number(each, "seats_min") <= most && part_number(each, "seats_max") >= least)
            write_scope_link(html, prefix, each, shown);
    }
    html_write(html, "</nav>\n");
}

/* Only the first page shows places: a later page does not know the number of players before it. */
static void write_board_place(struct growing *html, const json_t *board, const json_t *own,
                              bool first)
{
    const json_t *items = json_object_get(board, "items");
    long long least = part_number(board, "games_for_place");
    long long rating = part_number(own, "rating_millionths");
    long long better = 0;
    long long sharing = 0;
    size_t i;
    json_t *each;
    json_array_foreach(items, i, each)
    {
        bool placed = part_number(each, "games") >= least;
        better += placed && part_number(each, "rating_millionths") > rating;
        sharing += placed && part_number(each, "rating_millionths") == rating;
    }
    html_write(html, "<tr class=\"row\"><td class=\"number\">");
    if (part_number(own, "games") < least)
        html_write(html, "\u2013");
    else
        part_place(html, first ? better + 1 : 0, sharing);
    html_write(html, "</td><th scope=\"row\">");
    part_player(html, json_object_get(own, "player"));
    html_write(html, "</th><td class=\"number points\">");
}

/* Glicko-2 leaderboards have no column for the ranking value, which is the rating itself. */
static void write_rated(struct growing *html, const json_t *board, bool glicko, bool first)
{
    static const struct part_column columns[] = {
        {"Place", true},     {"Player", false}, {"Rating", true}, {"Deviation", true},
        {"Ranked by", true}, {"Games", true},   {"Remark", false}};
    static const struct part_column of_glicko[] = {{"Place", true},  {"Player", false},
                                                   {"Rating", true}, {"Deviation", true},
                                                   {"Games", true},  {"Remark", false}};
    size_t i;
    json_t *each;
    if (glicko)
        part_table(html, "Best first", of_glicko, sizeof of_glicko / sizeof of_glicko[0]);
    else
        part_table(html, "Best first", columns, sizeof columns / sizeof columns[0]);
    json_array_foreach(json_object_get(board, "items"), i, each)
    {
        write_board_place(html, board, each, first);
        write_points(html, each);
        if (!glicko)
            html_write(html, "</td><td class=\"number\">%lld",
                       part_number(json_object_get(each, "display"), "ranked_by"));
        html_write(html, "</td><td class=\"number\">%lld</td><td>", part_number(each, "games"));
        write_remark(html, each);
        html_write(html, "</td></tr>\n");
    }
    part_table_end(html);
}

static void write_board(struct growing *html, const json_t *board, const char *scope, bool first)
{
    const json_t *items = json_object_get(board, "items");
    if (json_array_size(items) == 0)
        html_write(html, "<p>No rated game yet.</p>\n");
    else if (strncmp(scope, "solo.", 5) == 0)
        part_best(html, items, true);
    else
        write_rated(html, board, strncmp(scope, "glicko.", 7) == 0, first);
}

static const char *board_title(struct call *call, const json_t *rulesets, const char *scope)
{
    if (strcmp(scope, "overall") == 0)
        return "Leaderboard";
    struct growing title;
    growing_begin(&title, call->arena, 128);
    growing_add(&title, span_of("Leaderboard of "));
    write_scope(&title, rulesets, scope);
    return arena_copy(call->arena, growing_span(&title));
}

void page_leaderboard(struct call *call)
{
    enum { PAGE_BYTES = 32 * 1024 };
    const char *asked = part_parameter(call, "scope");
    const char *scope = asked[0] == '\0' ? "overall" : asked;
    const char *after = part_parameter(call, "after");
    struct growing html, query;
    const json_t *rulesets = page_read(call, "/v1/rulesets");
    const json_t *board = rulesets == NULL
                              ? NULL
                              : page_read(call, "/v1/leaderboard?limit=100&scope=%s%s%s", scope,
                                          after[0] == '\0' ? "" : "&after=", after);
    if (board == NULL)
        return;
    growing_begin(&html, call->arena, PAGE_BYTES);
    html_write(&html, "<h1>Leaderboard</h1>\n");
    write_scope_links(&html, rulesets, "Games", "", 1, GAME_SEATS_MAX, scope);
    write_scope_links(&html, rulesets, "Tables of two", "glicko.", 2, 2, scope);
    write_scope_links(&html, rulesets, "Games for one", "solo.", 1, 1, scope);
    write_scope_links(&html, rulesets, "House players", "house.", 2, GAME_SEATS_MAX, scope);
    write_board(&html, board, scope, after[0] == '\0');
    growing_begin(&query, call->arena, 128);
    html_write(&query, "scope=%s&", scope);
    part_next(&html, board, arena_copy(call->arena, growing_span(&query)), "after", "Next");
    const struct page_head head = {board_title(call, rulesets, scope),
                                   "The best players by rating, in each game and overall."};
    page_answer(call, &head, &html);
}

/* ---- Corrected ratings ---- */

/* The page that `after` or `number` in the query names; "" for none, and for what is no number. */
static const char *asked_number(struct call *call, const char *name)
{
    const char *asked = part_parameter(call, name);
    uint64_t number;
    return span_number(span_of(asked), INT32_MAX, &number) ? asked : "";
}

/* What was corrected, or led to a rating. */
static void write_cause(struct growing *html, const json_t *of)
{
    const json_t *table = json_object_get(of, "reported");
    if (table != NULL)
        html_write(html, "<a href=\"/events/%s/rounds/%lld/tables/%lld\">a table</a> (reported)",
                   part_text(table, "event"), part_number(table, "round"),
                   part_number(table, "table"));
    else if (!part_is_null(of, "game"))
        html_write(html, "<a href=\"/games/%s\">a game</a>", part_text(of, "game"));
    else
        html_write(html, "<a href=\"/events/%s\">an event</a>", part_text(of, "event"));
}

static void write_further(struct growing *html, const json_t *list, const char *number)
{
    if (!part_is_null(list, "next"))
        html_write(html, "<p class=\"links no-print\"><a href=\"?%s%s%safter=%lld\">Next</a></p>\n",
                   number[0] == '\0' ? "" : "number=", number, number[0] == '\0' ? "" : "&amp;",
                   part_number(list, "next"));
}

static void write_revisions(struct growing *html, const json_t *list)
{
    static const struct part_column columns[] = {{"Number", false},    {"When", false},
                                                 {"Result of", false}, {"By", false},
                                                 {"Reason", false},    {"Ratings changed", true}};
    size_t i;
    json_t *each;
    html_write(html, "<h1>Corrected ratings</h1>\n<p class=\"about\">When a result is corrected, "
                     "all later results are rated again. The old ratings are kept, and the "
                     "changes are listed here.</p>\n");
    if (json_array_size(json_object_get(list, "items")) == 0) {
        html_write(html, "<p>No result has been corrected.</p>\n");
        return;
    }
    part_table(html, "Newest first", columns, sizeof columns / sizeof columns[0]);
    json_array_foreach(json_object_get(list, "items"), i, each)
    {
        html_write(html,
                   "<tr class=\"row\"><th scope=\"row\"><a href=\"?number=%lld\">%lld</a></th><td>",
                   part_number(each, "number"), part_number(each, "number"));
        part_time(html, part_text(each, "at"));
        html_write(html, "</td><td>");
        write_cause(html, each);
        html_write(html, "</td><td>");
        if (!part_is_null(each, "by"))
            part_player(html, json_object_get(each, "by"));
        html_write(html, "</td><td><bdi>%s</bdi></td><td class=\"number\">%lld</td></tr>\n",
                   part_text(each, "reason"), part_number(each, "changes"));
    }
    part_table_end(html);
    write_further(html, list, "");
}

static void write_value(struct growing *html, const json_t *pair)
{
    const json_t *after = json_object_get(pair, "after");
    if (after == NULL)
        html_write(html, "not rated");
    else
        html_write(html, "%lld", part_number(json_object_get(after, "display"), "rating"));
}

static void write_corrections(struct growing *html, const json_t *rulesets, const json_t *revision)
{
    static const struct part_column columns[] = {{"Player", false},
                                                 {"Games of", false},
                                                 {"After", false},
                                                 {"Before", true},
                                                 {"Corrected", true}};
    size_t i;
    json_t *each;
    if (json_array_size(json_object_get(revision, "items")) == 0) {
        html_write(html, "<p>No rating has changed.</p>\n");
        return;
    }
    part_table(html, "Ratings that have changed", columns, sizeof columns / sizeof columns[0]);
    json_array_foreach(json_object_get(revision, "items"), i, each)
    {
        html_write(html, "<tr class=\"row\"><th scope=\"row\">");
        part_player(html, json_object_get(each, "player"));
        html_write(html, "</th><td>");
        write_scope(html, rulesets, part_text(each, "scope"));
        html_write(html, "</td><td>");
        write_cause(html, each);
        html_write(html, "</td><td class=\"number\">");
        write_value(html, json_object_get(each, "was"));
        html_write(html, "</td><td class=\"number\">");
        write_value(html, json_object_get(each, "is"));
        html_write(html, "</td></tr>\n");
    }
    part_table_end(html);
}

static void write_revision(struct growing *html, const json_t *rulesets, const json_t *revision,
                           const char *number)
{
    html_write(html, "<h1>Correction %lld</h1>\n<p class=\"about\">",
               part_number(revision, "number"));
    part_time(html, part_text(revision, "at"));
    html_write(html, ", of ");
    write_cause(html, revision);
    if (!part_is_null(revision, "by")) {
        html_write(html, ", by ");
        part_player(html, json_object_get(revision, "by"));
    }
    html_write(html, ". Reason: <bdi>%s</bdi></p>\n", part_text(revision, "reason"));
    write_corrections(html, rulesets, revision);
    write_further(html, revision, number);
    html_write(html, "<p class=\"links no-print\"><a href=\"/ratings/revisions\">All "
                     "corrections</a></p>\n");
}

void page_revisions(struct call *call)
{
    enum { PAGE_BYTES = 32 * 1024 };
    static const struct page_head head = {
        "", "Corrections of results, and the ratings that they have changed."};
    const char *number = asked_number(call, "number"), *after = asked_number(call, "after");
    const char *from = after[0] == '\0' ? "" : "&after=";
    struct growing html;
    const json_t *rulesets = page_read(call, "/v1/rulesets");
    const json_t *found =
        rulesets == NULL ? NULL
        : number[0] == '\0'
            ? page_read(call, "/v1/ratings/revisions?limit=50%s%s", from, after)
            : page_read(call, "/v1/ratings/revisions/%s?limit=100%s%s", number, from, after);
    if (found == NULL)
        return;
    growing_begin(&html, call->arena, PAGE_BYTES);
    if (number[0] == '\0')
        write_revisions(&html, found);
    else
        write_revision(&html, rulesets, found, number);
    page_answer(call, &head, &html);
}
