#include "api/pages/player_card.h"

#include <string.h>

#include "api/pages/handlers.h"
#include "api/pages/page_read.h"

enum { RESULTS_MOST = 5 };

struct result {
    const json_t *game, *seats, *own;
};

/* Public data of the player. */
struct player_card {
    const json_t *player;
    const json_t *rating; /* overall; NULL = none */
    struct result results[RESULTS_MOST];
    size_t count;
};

/* ---- Reading ---- */

static const json_t *find_overall(const json_t *ratings)
{
    size_t i;
    json_t *each;
    json_array_foreach(json_object_get(ratings, "items"), i, each)
    {
        if (strcmp(part_text(each, "scope"), "overall") == 0)
            return each;
    }
    return NULL;
}

static void take_results(struct player_card *card, const json_t *games, const char *player)
{
    size_t i;
    json_t *game;
    json_array_foreach(json_object_get(games, "items"), i, game)
    {
        const json_t *seats = json_object_get(game, "seats");
        const json_t *own = part_seat(seats, player);
        if (card->count < RESULTS_MOST && part_number(own, "rank") > 0)
            card->results[card->count++] = (struct result){game, seats, own};
    }
}

/* Reads with the same requests as the player's page, so that both share cached responses. */
static bool read_card(struct call *call, struct player_card *card)
{
    const char *id = call->id[0].text;
    const json_t *ratings, *games;
    if ((card->player = page_read(call, "/v1/players/%s", id)) == NULL ||
        (ratings = page_read(call, "/v1/players/%s/ratings", id)) == NULL ||
        (games = page_read(call, "/v1/players/%s/games?limit=50", id)) == NULL)
        return false;
    card->rating = find_overall(ratings);
    take_results(card, games, id);
    return true;
}

/* ---- Words of both page and picture ---- */

static void write_rating(struct growing *text, const json_t *rating, bool german)
{
    const json_t *display = json_object_get(rating, "display");
    bool one = part_number(rating, "games") == 1;
    const char *games = german ? (one ? "Partie" : "Partien") : (one ? "game" : "games");
    if (rating == NULL) {
        html_write(text, german ? "Noch keine gewertete Partie" : "No rated game yet");
        return;
    }
    html_write(text, "%s %lld \u00b1 %lld, %lld %s", german ? "Wertungszahl" : "Rating",
               part_number(display, "rating"), part_number(display, "deviation"),
               part_number(rating, "games"), games);
    if (part_is(rating, "provisional"))
        html_write(text, german ? ", vorl\u00e4ufig" : ", provisional");
}

/* Writes "Place 1 of 4"; alone at the table, "Score 163". */
static void write_result(struct growing *text, const struct result *result, bool german)
{
    size_t seats = json_array_size(result->seats);
    if (seats == 1) {
        bool lost = part_number(result->own, "score") < 0;
        html_write(text, lost ? "" : german ? "Punktzahl " : "Score ");
        if (lost && german)
            html_write(text, "Niederlage");
        else
            part_seat_score(text, result->seats, result->own);
        return;
    }
    html_write(text, german ? "Platz " : "Place ");
    part_seat_place(text, result->seats, result->own);
    html_write(text, german ? " von %d" : " of %d", (int)seats);
}

/* ---- The page ---- */

/* One of the card's colors, chosen by the id's last digit, as in web-static/pages/player-card.js.
 */
static unsigned tint_of(const char *id)
{
    enum { TINTS = 6, TEN = 10 };
    char digit = id[strlen(id) - 1];
    return (unsigned)(digit <= '9' ? digit - '0' : digit - 'a' + TEN) % TINTS;
}

static void write_card(struct growing *html, const struct player_card *card)
{
    const char *id = part_text(card->player, "id");
    html_write(html, "<h1><bdi>%s</bdi></h1>\n<section class=\"player-card\" data-tint=\"%d\">\n",
               part_text(card->player, "name"), (int)tint_of(id));
    html_write(html,
               "<img class=\"code\" src=\"/players/%s/code.svg\" alt=\"Code to scan, with the "
               "address of the page of %s\" loading=\"lazy\">",
               id, part_text(card->player, "name"));
    html_write(html, "<p class=\"rating\">");
    write_rating(html, card->rating, false);
    html_write(html, "</p>\n<h2>Last results</h2>\n");
    html_write(html, card->count == 0 ? "<p>No result yet.</p>\n" : "<ul>");
    for (size_t i = 0; i < card->count; i++) {
        html_write(html, "<li><strong>");
        write_result(html, &card->results[i], false);
        html_write(html, "</strong> ");
        part_game(html, card->results[i].game);
        html_write(html, "</li>\n");
    }
    html_write(html, card->count == 0 ? "" : "</ul>\n");
    html_write(
        html,
        "</section>\n<p class=\"links\"><a href=\"/players/%s\">All ratings and games</a></p>\n",
        id);
}

void page_player_card(struct call *call)
{
    enum { PAGE_BYTES = 4096 };
    struct player_card card = {.count = 0};
    struct growing html;
    if (!read_card(call, &card))
        return;
    growing_begin(&html, call->arena, PAGE_BYTES);
    write_card(&html, &card);
    const struct page_head head = {
        page_title(call, "Player card, ", part_text(card.player, "name")),
        "Rating and last results of a player."};
    const struct page_image image = player_card_image(call, card.player);
    page_answer_pictured(call, NULL, &head, &image, &html);
}

/* ---- The picture ---- */

static const char *rating_text(struct call *call, const json_t *rating)
{
    struct growing text;
    growing_begin(&text, call->arena, 64);
    write_rating(&text, rating, page_is_german(call));
    return arena_copy(call->arena, growing_span(&text));
}

static const char *result_text(struct call *call, const struct result *result)
{
    struct growing text;
    growing_begin(&text, call->arena, 64);
    write_result(&text, result, page_is_german(call));
    growing_add_all(&text, " \u00b7 ",
                    part_text(json_object_get(result->game, "ruleset"), "title"));
    return arena_copy(call->arena, growing_span(&text));
}

/* GET /players/{id}/card.png */
void player_picture(struct call *call)
{
    /* The colors of web-static/player-card.css; white is legible on all of them. */
    static const uint32_t tints[] = {0xb92d26, 0x1f5fbf, 0x8a5a00, 0x6d3aa6, 0x1b7340, 0x8a2f1d};
    struct player_card card = {.count = 0};
    if (!read_card(call, &card))
        return;
    const char *name = part_text(card.player, "name");
    struct picture picture = {.colour = tints[tint_of(call->id[0].text)],
                              .letter = name,
                              .above = part_is(card.player, "bot") ? "Bot"
                                       : page_is_german(call)      ? "Spielprofil"
                                                                   : "Player",
                              .title = name,
                              .below = rating_text(call, card.rating),
                              .foot = page_site_name(call)};
    for (size_t i = 0; i < card.count && i < PICTURE_LINES; i++)
        picture.lines[picture.line_count++] = result_text(call, &card.results[i]);
    page_answer_picture(call, &picture);
}

struct page_image player_card_image(struct call *call, const json_t *player)
{
    const char *const path[] = {"/players/", part_text(player, "id"), "/card.png", NULL};
    return (struct page_image){
        page_picture_path(call, call_strings(call, path)),
        page_title(call, "Rating and last results of ", part_text(player, "name"))};
}
