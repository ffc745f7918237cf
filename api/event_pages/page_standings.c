#include "api/event_pages/page_standings.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { CHAIN_MAX = 32 };

struct writing {
    struct growing *html;
    const json_t *standings, *rows;
    enum standings_extent extent;
    bool duplicate, has_points;
    bool german;             /* writes German; only with STANDINGS_SHORT */
    size_t chain[CHAIN_MAX]; /* tie-breaks that separated players */
    size_t chain_count;
};

/* ---- Byes and forfeits ---- */

static const struct {
    const char *kind, *words, *chip;
} kinds[] = {
    {"pairing_bye", "bye", "\u2013"},
    {"full_bye", "full bye", "\u2013"},
    {"half_bye", "half bye", "\u00bd"},
    {"zero_bye", "bye without points", "0"},
    {"absent", "absent", "\u00d7"},
    {"forfeit_win", "won by forfeit", "+"},
    {"forfeit_loss", "lost by forfeit", "\u2212"},
    {"void", "void", "\u2205"},
    {"adjudicated", "adjudicated", "!"},
    {"played", "", "\u2026"},
};

static size_t find_kind(const char *kind)
{
    size_t i = 0;
    while (i + 1 < sizeof kinds / sizeof kinds[0] && strcmp(kinds[i].kind, kind) != 0)
        i++;
    return i;
}

const char *page_kind_words(const char *kind)
{
    return kinds[find_kind(kind)].words;
}

/* ---- Results by round ---- */

/* A board's percentage of the matchpoints, without decimals. */
static void write_percentage(struct growing *html, const json_t *points)
{
    long long denominator = part_number(points, "denominator");
    if (denominator > 0)
        html_write(html, "%lld",
                   (2 * part_number(points, "numerator") + denominator) / (2 * denominator));
}

/* A player alone at a table has no place. A score below zero means a defeat. */
static void write_lone_score(struct growing *html, long long score)
{
    if (score < 0)
        html_write(html, "\u2013");
    else
        html_write(html, "%lld", score);
}

static void write_result(const struct writing *writing, const json_t *round)
{
    struct growing *html = writing->html;
    const char *kind = part_text(round, "kind");
    const json_t *points = json_object_get(round, "points");
    if (writing->duplicate && points != NULL)
        write_percentage(html, points);
    else if (part_number(round, "seats") == 1 && json_is_integer(json_object_get(round, "score")))
        write_lone_score(html, part_number(round, "score"));
    else if (part_number(round, "rank") > 0 && strncmp(kind, "forfeit", 7) != 0)
        html_write(html, "%lld%s%s", part_number(round, "rank"),
                   part_number(round, "shared") > 1 ? "=" : "",
                   strcmp(kind, "adjudicated") == 0 ? "!" : "");
    else
        html_write(html, "%s", kinds[find_kind(kind)].chip);
    html_write(html, "%s%s", part_is(round, "forfeited") ? "\u2212" : "",
               part_is(round, "substituted") ? "*" : "");
}

static void write_chip(const struct writing *writing, const json_t *round)
{
    struct growing *html = writing->html;
    const char *game = part_text(round, "game");
    html_write(html, "<li>");
    if (game[0] != '\0')
        html_write(html, "<a href=\"/games/%s\">", game);
    else
        html_write(html, "<span>");
    if (part_number(round, "board") > 0)
        html_write(html, "<span class=\"unseen\">Round %lld, board %lld: </span>",
                   part_number(round, "round"), part_number(round, "board"));
    else if (part_number(round, "round") > 0)
        html_write(html, "<span class=\"unseen\">Round %lld: </span>", part_number(round, "round"));
    write_result(writing, round);
    html_write(html, game[0] != '\0' ? "</a></li>" : "</span></li>");
}

/* Large tables have plain text, since links would double the size of the page. */
static void write_rounds(const struct writing *writing, const json_t *rounds)
{
    bool linked = writing->extent == STANDINGS_LINKED;
    size_t i;
    json_t *round;
    html_write(writing->html, linked ? "<td><ul class=\"strip\">" : "<td>");
    json_array_foreach(rounds, i, round)
    {
        if (linked) {
            write_chip(writing, round);
            continue;
        }
        html_write(writing->html, i == 0 ? "" : " ");
        write_result(writing, round);
    }
    html_write(writing->html, linked ? "</ul></td>" : "</td>");
}

/* ---- Rows ---- */

/* Writes words in the page's language; both are literals with markup. */
static void write_words(const struct writing *writing, const char *german, const char *said)
{
    growing_add(writing->html, span_of(writing->german ? german : said));
}

static bool is_kind(const struct writing *writing, const char *kind)
{
    return strcmp(part_text(writing->standings, "kind"), kind) == 0;
}

static void write_dropped(const struct writing *writing, const json_t *row)
{
    if (part_is(row, "dropped"))
        write_words(writing, " (ausgestiegen)",
                    " <span" PART_SAID("standings.dropped", "(dropped)") "</span>");
}

/* Writes remarks after a player's name. */
static void write_remarks(const struct writing *writing, const json_t *row)
{
    struct growing *html = writing->html;
    const long long place = part_number(row, "people_rank");
    const bool differs = place > 0 && place != part_number(row, "rank");
    if (differs && writing->german)
        html_write(html, " (%lld unter Menschen)", place);
    else if (differs)
        html_write(html,
                   " <span data-place=\"%lld\"" PART_SAID("standings.among_people",
                                                          "(%lld among people)") "</span>",
                   place, place);
    write_dropped(writing, row);
    if (part_is(row, "annulled"))
        write_words(writing, " (zu fr\u00fch ausgestiegen: Ergebnisse z\u00e4hlen nicht)",
                    " <span" PART_SAID("standings.annulled",
                                       "(left too early: results do not count)") "</span>");
    if (part_is(row, "went_on"))
        write_words(writing, " (weiter)",
                    " <span" PART_SAID("standings.advanced", "(advanced)") "</span>");
}

/* Writes the beginning of a row, up to the player. */
static void write_row_place(const struct writing *writing, const json_t *row, bool open,
                            long long place)
{
    struct growing *html = writing->html;
    html_write(html, "<tr class=\"row\"><td class=\"number\"");
    if (open)
        write_words(writing, ">noch dabei", PART_SAID("standings.still_in", "still in"));
    else
        html_write(html, ">");
    part_place(html, place, part_number(row, "shared"));
    html_write(html, "</td><th scope=\"row\">");
    part_player(html, json_object_get(row, "player"));
}

static const json_t *tie_break_of(const json_t *row, size_t position)
{
    return json_array_get(json_object_get(row, "tie_breaks"), position);
}

/* The position in the drawing of lots among all rows, 1 for the first. */
static long long lot_of(const struct writing *writing, long long drawn, size_t position)
{
    long long lot = 1;
    size_t i;
    json_t *row;
    json_array_foreach(writing->rows, i, row) lot +=
        part_number(tie_break_of(row, position), "numerator") > drawn;
    return lot;
}

/* Writes the value like tieBreakValue() in web-static/lib/reckoning.js. */
static void write_tie_break(const struct writing *writing, const json_t *row, size_t position)
{
    enum { RANKS = 8, TABLES_MOST = 65535 }; /* LAST: engine/tournament/standings/standings.h */
    const json_t *rule = json_array_get(json_object_get(writing->standings, "chain"), position);
    const json_t *value = tie_break_of(row, position);
    const char *code = part_text(rule, "code");
    long long numerator = part_number(value, "numerator");
    if (strcmp(code, "RND") == 0)
        html_write(writing->html, "%lld", lot_of(writing, numerator, position));
    else if (strcmp(code, "LAST") == 0 && !writing->duplicate && -numerator / RANKS > TABLES_MOST)
        html_write(writing->html, "<span" PART_SAID("standings.no_table", "no table") "</span>");
    else if (strcmp(code, "LAST") == 0 && !writing->duplicate)
        html_write(writing->html,
                   "<span data-table=\"%lld\" data-place=\"%lld\"" PART_SAID(
                       "standings.at_table", "table %lld, place %lld") "</span>",
                   -numerator / RANKS, -numerator % RANKS, -numerator / RANKS, -numerator % RANKS);
    else if (strcmp(code, "TPN") == 0)
        html_write(writing->html, "%lld", -numerator);
    else
        html_write(writing->html, "%s", part_text(value, "text"));
}

static void write_row(const struct writing *writing, const json_t *row)
{
    struct growing *html = writing->html;
    write_row_place(writing, row, part_is_null(row, "rank") && is_kind(writing, "bracket"),
                    part_number(row, "rank"));
    write_remarks(writing, row);
    html_write(html, "</th>");
    if (writing->has_points)
        html_write(html, "<td class=\"number points\">%s</td>",
                   part_text(json_object_get(row, "points"), "text"));
    if (writing->extent != STANDINGS_SHORT)
        write_rounds(writing, json_object_get(row, "rounds"));
    for (size_t i = 0; i < writing->chain_count; i++) {
        html_write(html, "<td class=\"number tie-break\">");
        if (part_is(tie_break_of(row, writing->chain[i]), "used"))
            write_tie_break(writing, row, writing->chain[i]);
        html_write(html, "</td>");
    }
    html_write(html, "</tr>\n");
}

/* ---- Columns ---- */

static bool has_separated(const struct writing *writing, size_t position)
{
    bool used = false;
    size_t i;
    json_t *row;
    json_array_foreach(writing->rows, i, row) used =
        used || part_is(tie_break_of(row, position), "used");
    return used;
}

static void find_chain(struct writing *writing)
{
    size_t length = json_array_size(json_object_get(writing->standings, "chain"));
    for (size_t i = 1; i < length && writing->chain_count < CHAIN_MAX; i++)
        if (has_separated(writing, i))
            writing->chain[writing->chain_count++] = i;
}

static bool have_points(const json_t *rows)
{
    bool pointed = false;
    size_t i;
    json_t *row;
    json_array_foreach(rows, i, row) pointed = pointed || !part_is_null(row, "points");
    return pointed;
}

/* Column names begin inside the start tag, after its attributes. */

static const char *rounds_name(const struct writing *writing)
{
    if (writing->duplicate)
        return PART_SAID("standings.boards", "Boards");
    if (is_kind(writing, "ladder") || is_kind(writing, "open_play"))
        return PART_SAID("home.games", "Games");
    return PART_SAID("event.rounds", "Rounds");
}

static const char *points_name(const struct writing *writing)
{
    const json_t *chain = json_object_get(writing->standings, "chain");
    bool percent = strcmp(part_text(json_array_get(chain, 0), "code"), "MP") == 0;
    if (writing->duplicate && percent)
        return ">%";
    return writing->german ? ">Punkte" : PART_SAID("changes.points", "Points");
}

static const char *place_name(const struct writing *writing)
{
    const bool ladder = is_kind(writing, "ladder");
    if (writing->german)
        return ladder ? ">Rang" : ">Platz";
    return ladder ? PART_SAID("standings.rung", "Rung") : PART_SAID("seats.place", "Place");
}

static void write_column(struct growing *html, const char *class, const char *name)
{
    html_write(html, class[0] == '\0' ? "<th scope=\"col\"" : "<th scope=\"col\" class=\"%s\"",
               class);
    growing_add(html, span_of(name));
    html_write(html, "</th>");
}

/* Columns have the classes of their cells, so phones can omit tie-breaks. */
static void write_columns(const struct writing *writing)
{
    struct growing *html = writing->html;
    const json_t *chain = json_object_get(writing->standings, "chain");
    html_write(html, "<thead><tr>");
    write_column(html, "number", place_name(writing));
    write_column(html, "", writing->german ? ">Name" : PART_SAID("seats.player", "Player"));
    if (writing->has_points)
        write_column(html, "number points", points_name(writing));
    if (writing->extent != STANDINGS_SHORT)
        write_column(html, "", rounds_name(writing));
    for (size_t i = 0; i < writing->chain_count; i++) {
        const char *code = part_text(json_array_get(chain, writing->chain[i]), "code");
        if (strcmp(code, "RND") == 0)
            write_column(html, "number tie-break", PART_SAID("standings.lot_head", "Lot"));
        else
            html_write(html, "<th scope=\"col\" class=\"number tie-break\">%s</th>", code);
    }
    html_write(html, "</tr></thead>\n<tbody>\n");
}

static void write_meaning(const struct writing *writing)
{
    if (writing->extent == STANDINGS_SHORT)
        return;
    html_write(writing->html,
               writing->duplicate
                   ? " <span" PART_SAID("standings.caption_duplicate",
                                        "Each board shows its percentage of the matchpoints; "
                                        "tie-breaks are shown where they were needed.") "</span>"
                   : " <span" PART_SAID("standings.caption_plain",
                                        "Each round shows the place at the table (= shared, "
                                        "\u2013 a bye, ! a ruling).") "</span>");
}

static void write_german_state(struct growing *html, bool final, long long after)
{
    html_write(html, final ? "Endstand" : "Zwischenstand");
    if (after > 0)
        html_write(html, final ? " nach Runde %lld" : ", mit Ergebnissen bis Runde %lld", after);
    html_write(html, ".");
}

static void write_state(const struct writing *writing)
{
    struct growing *html = writing->html;
    const bool final = strcmp(part_text(writing->standings, "state"), "final") == 0;
    const long long after = part_number(writing->standings, "after_round");
    if (writing->german)
        write_german_state(html, final, after);
    else if (after > 0)
        html_write(html,
                   final ? "<span data-round=\"%lld\"" PART_SAID(
                               "standings.state_final_after", "Final, after round %lld.") "</span>"
                         : "<span data-round=\"%lld\"" PART_SAID(
                               "standings.state_provisional_after",
                               "Provisional, with results up to round %lld.") "</span>",
                   after, after);
    else
        html_write(html, final ? "<span" PART_SAID("standings.state_final", "Final.") "</span>"
                               : "<span" PART_SAID("standings.state_provisional",
                                                   "Provisional.") "</span>");
}

static void write_caption(const struct writing *writing, const json_t *division)
{
    struct growing *html = writing->html;
    const long long number = json_integer_value(division);
    html_write(html, "<div class=\"scroll\"><table class=\"standings\"><caption>");
    if (json_is_integer(division) && writing->german)
        html_write(html, "Staffel %lld. ", number);
    else if (json_is_integer(division))
        html_write(html,
                   "<span data-division=\"%lld\"" PART_SAID("standings.division",
                                                            "Division %lld.") "</span> ",
                   number, number);
    write_state(writing);
    write_meaning(writing);
    html_write(html, "</caption>");
}

/* ---- Tables ---- */

/* Long tables show the first rows and fold the others, like web-static/event/standings.js. */
enum { ROWS_MANY = 40, ROWS_FIRST = 20 };

static size_t count_rows(const struct writing *writing, const json_t *division)
{
    size_t count = 0, i;
    json_t *row;
    json_array_foreach(writing->rows, i,
                       row) if (json_equal(json_object_get(row, "division"), division)) count++;
    return count;
}

static void write_fold(const struct writing *writing, const json_t *division, size_t count)
{
    part_table_end(writing->html);
    html_write(
        writing->html,
        "<details id=\"more-rows-%lld\" class=\"fold\"><summary data-count=\"%lld\"" PART_SAID(
            "standings.more",
            "%lld more places") "</summary>\n<div class=\"scroll\"><table "
                                "class=\"standings\"><caption class=\"unseen\" "
                                "data-count=\"%lld\"" PART_SAID("standings.more",
                                                                "%lld more places") "</caption>",
        json_is_integer(division) ? (long long)json_integer_value(division) : 1, (long long)count,
        (long long)count, (long long)count, (long long)count);
    write_columns(writing);
}

/* Players still in a bracket come before those with final places. */
static void write_rows(const struct writing *writing, const json_t *division)
{
    const size_t count = count_rows(writing, division);
    const bool folded = writing->extent != STANDINGS_SHORT && count > ROWS_MANY;
    size_t written = 0, i;
    json_t *row;
    for (int placed = is_kind(writing, "bracket") ? 0 : 1; placed < 2; placed++)
        json_array_foreach(writing->rows, i, row)
        {
            if (!json_equal(json_object_get(row, "division"), division) ||
                (is_kind(writing, "bracket") && part_is_null(row, "rank") != (placed == 0)))
                continue;
            if (folded && written++ == ROWS_FIRST)
                write_fold(writing, division, count - ROWS_FIRST);
            write_row(writing, row);
        }
    part_table_end(writing->html);
    html_write(writing->html, folded ? "</details>\n" : "");
}

static void write_table(const struct writing *writing, const json_t *division)
{
    write_caption(writing, division);
    write_columns(writing);
    write_rows(writing, division);
}

/* Writes one table per division, in order of appearance. */
static void write_tables(const struct writing *writing)
{
    const json_t *before = NULL;
    size_t i;
    json_t *row;
    json_array_foreach(writing->rows, i, row)
    {
        const json_t *division = json_object_get(row, "division");
        if (before == NULL || !json_equal(before, division))
            write_table(writing, division);
        before = division;
    }
}

/* Writes players of the last stage first, and of these first the ones still in it. */
static void write_places(const struct writing *writing)
{
    struct growing *html = writing->html;
    long long stages = part_number(writing->standings, "stages");
    const long long count =
        (long long)json_array_size(json_object_get(writing->standings, "places"));
    html_write(html, "<h2" PART_SAID("event.places", "Places in the event") "</h2>\n");
    if (count > ROWS_MANY)
        html_write(
            html,
            "<details id=\"all-places\" class=\"fold\"><summary data-count=\"%lld\"" PART_SAID(
                "standings.all_places", "All %lld places") "</summary>\n",
            count, count);
    html_write(html, "<div class=\"scroll\"><table><caption" PART_SAID(
                         "standings.places_caption",
                         "In the event as a whole: players in the last stage come "
                         "first.") "</caption><thead><tr>");
    write_column(html, "number", PART_SAID("seats.place", "Place"));
    write_column(html, "", PART_SAID("seats.player", "Player"));
    write_column(html, "number", PART_SAID("standings.stage", "Stage"));
    html_write(html, "</tr></thead>\n<tbody>\n");
    for (int placed = 0; placed < 2; placed++) {
        size_t i;
        json_t *each;
        json_array_foreach(json_object_get(writing->standings, "places"), i, each)
        {
            bool open = part_is_null(each, "place") && part_number(each, "stage") == stages;
            if (open != (placed == 0))
                continue;
            write_row_place(writing, each, open, part_number(each, "place"));
            html_write(html, "</th><td class=\"number\">%lld</td></tr>\n",
                       part_number(each, "stage"));
        }
    }
    part_table_end(html);
    html_write(html, count > ROWS_MANY ? "</details>\n" : "");
}

/* ---- Before any result ---- */

static bool is_duplicate(const json_t *standings)
{
    return strcmp(part_text(standings, "format"), "duplicate") == 0;
}

static bool is_result(const json_t *round, bool duplicate)
{
    const char *kind = part_text(round, "kind");
    return part_number(round, "rank") > 0 || strcmp(kind, "adjudicated") == 0 ||
           strncmp(kind, "forfeit", 7) == 0 || strcmp(kind, "void") == 0 ||
           (duplicate && json_object_get(round, "points") != NULL);
}

bool page_standings_have_results(const json_t *standings)
{
    bool found =
        strcmp(part_text(standings, "kind"), "ladder") == 0 || part_number(standings, "stage") > 1;
    size_t i, j;
    json_t *row, *round;
    json_array_foreach(json_object_get(standings, "rows"), i, row)
        json_array_foreach(json_object_get(row, "rounds"), j, round) found =
            found || is_result(round, is_duplicate(standings));
    return found;
}

static int compare_names(const void *a, const void *b)
{
    const char *one = part_text(json_object_get(*(json_t *const *)a, "player"), "name");
    const char *other = part_text(json_object_get(*(json_t *const *)b, "player"), "name");
    int order = strcasecmp(one, other);
    return order != 0 ? order : strcmp(one, other);
}

/* Writes all players by name. */
static void write_entries(const struct writing *writing)
{
    struct growing *html = writing->html;
    const json_t *rows = writing->rows;
    size_t count = json_array_size(rows), i;
    json_t **sorted = calloc(count, sizeof(json_t *)), *row;
    write_words(writing, "<p>Noch keine Ergebnisse.</p>\n",
                "<p" PART_SAID("standings.no_results", "No results yet.") "</p>\n");
    if (sorted == NULL)
        return;
    json_array_foreach(rows, i, row) sorted[i] = row;
    qsort(sorted, count, sizeof(json_t *), compare_names);
    html_write(html, "<ul class=\"names\">");
    for (i = 0; i < count; i++) {
        html_write(html, "<li>");
        part_player(html, json_object_get(sorted[i], "player"));
        write_dropped(writing, sorted[i]);
        html_write(html, "</li>\n");
    }
    html_write(html, "</ul>\n");
    free(sorted);
}

static void write_notices(const struct writing *writing)
{
    struct growing *html = writing->html;
    const long long reported = part_number(writing->standings, "reported");
    const long long recorded = part_number(writing->standings, "recorded");
    if (reported > 0)
        html_write(html,
                   writing->german
                       ? "<p id=\"reported\" class=\"notice\" data-count=\"%lld\">Ergebnisse von "
                         "Tischen, die gemeldet wurden und die kein Protokoll beweist: %lld.</p>\n"
                   : reported == 1
                       ? "<p id=\"reported\" class=\"notice\" data-count=\"%lld\"" PART_SAID(
                             "standings.reported",
                             "The result of %lld table was reported by its players or an official; "
                             "no record proves it.") "</p>\n"
                       : "<p id=\"reported\" class=\"notice\" data-count=\"%lld\"" PART_SAID(
                             "standings.reported",
                             "The results of %lld tables were reported by their players or "
                             "officials; no record proves them.") "</p>\n",
                   reported, reported);
    if (recorded > 0)
        html_write(
            html,
            writing->german
                ? "<p id=\"recorded\" class=\"notice\" data-count=\"%lld\">Ergebnisse von "
                  "Tischen, deren Partien mitgeschrieben wurden, das Gl\u00fcck nach Angabe: "
                  "%lld.</p>\n"
            : recorded == 1
                ? "<p id=\"recorded\" class=\"notice\" data-count=\"%lld\"" PART_SAID(
                      "standings.recorded",
                      "The game of %lld table was recorded by a scorer: legal play, with "
                      "luck as told by the scorer.") "</p>\n"
                : "<p id=\"recorded\" class=\"notice\" data-count=\"%lld\"" PART_SAID(
                      "standings.recorded",
                      "The games of %lld tables were recorded by scorers: legal play, with "
                      "luck as told by the scorers.") "</p>\n",
            recorded, recorded);
}

static void write_standings(struct writing *writing)
{
    const json_t *standings = writing->standings;
    writing->rows = json_object_get(standings, "rows");
    writing->duplicate = is_duplicate(standings);
    writing->has_points = have_points(writing->rows);
    if (writing->extent != STANDINGS_SHORT)
        find_chain(writing);
    write_notices(writing);
    if (json_array_size(writing->rows) == 0)
        write_words(writing, "<p>Hier steht noch niemand.</p>\n",
                    "<p" PART_SAID("standings.nobody", "There are no players here yet.") "</p>\n");
    else if (!page_standings_have_results(standings))
        write_entries(writing);
    else
        write_tables(writing);
    if (part_number(standings, "stages") > 1 && writing->extent != STANDINGS_SHORT)
        write_places(writing);
}

void page_standings_write(struct growing *html, const json_t *standings,
                          enum standings_extent extent)
{
    struct writing writing = {.html = html, .standings = standings, .extent = extent};
    write_standings(&writing);
}

void page_standings_write_german(struct growing *html, const json_t *standings)
{
    struct writing writing = {
        .html = html, .standings = standings, .extent = STANDINGS_SHORT, .german = true};
    write_standings(&writing);
}
