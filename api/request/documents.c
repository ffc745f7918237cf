#include "api/request/documents.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "api/request/call.h"
#include "engine/game/catalog.h"
#include "engine/tournament/event/settings.h"

/* ---- Scopes and roles ---- */

const char *scope_name(unsigned bit)
{
    static const char *const name[] = {"read", "play", "organize", "account"};
    return bit < sizeof name / sizeof name[0] ? name[bit] : NULL;
}

const char *role_name(unsigned bit)
{
    static const char *const name[] = {"admin", "auditor", "arbiter"};
    return bit < sizeof name / sizeof name[0] ? name[bit] : NULL;
}

static json_t *set_document(unsigned set, const char *(*name)(unsigned bit))
{
    json_t *list = json_array();
    for (unsigned bit = 0; name(bit) != NULL; bit++)
        if ((set >> bit & 1) != 0)
            json_array_append_new(list, json_string(name(bit)));
    return list;
}

json_t *scopes_document(unsigned scopes)
{
    return set_document(scopes, scope_name);
}

json_t *roles_document(unsigned roles)
{
    return set_document(roles, role_name);
}

/* ---- Rows of the database ---- */

/* The key of the service from which a player or event was imported. */
static json_t *origin_document(const uint8_t *key)
{
    enum { KEY_BYTES = 32 };
    return json_pack("{s:o}", "key", hex_json(key, KEY_BYTES));
}

json_t *player_document(const struct player *player)
{
    bool bot = player->owner.text[0] != '\0';
    json_t *house =
        player->house == NULL ? json_null() : json_pack("{s:s}", "level", player->house);
    return json_pack("{s:s, s:s, s:b, s:b, s:o, s:s?, s:b, s:o, s:o}", "id", player->id.text,
                     "name", player->name, "bot", (int)bot, "guest", (int)player->guest, "house",
                     house, "owner", bot ? player->owner.text : NULL, "deleted",
                     (int)player->deleted, "created_at", time_json(player->created_at_ms),
                     "imported",
                     player->origin == NULL ? json_null() : origin_document(player->origin));
}

json_t *token_document(const struct token *token)
{
    return json_pack("{s:s, s:o, s:s?, s:o, s:o, s:o}", "id", token->id.text, "player",
                     player_reference(&token->player, token->player_name), "label", token->label,
                     "scopes", scopes_document(token->scopes), "created_at",
                     time_json(token->created_at_ms), "expires_at",
                     time_json(token->expires_at_ms));
}

json_t *listed_token_document(const struct token *token)
{
    json_t *document = token_document(token);
    json_object_set_new(document, "seen_at", time_json(token->seen_at_ms));
    return document;
}

/* {"level"} for the name of a house player, which only house accounts have (RECORD_HOUSE_NAME);
 * null for other players. */
static json_t *house_reference(const char *name)
{
    static const char begins[] = RECORD_HOUSE_NAME;
    char level[RECORD_LEVEL_MAX + 1];
    size_t length = 0;
    if (!record_is_house_name(name))
        return json_null();
    const char *word = name + sizeof begins - 1;
    while (word[length] >= 'a' && word[length] <= 'z' && length < RECORD_LEVEL_MAX)
        length++;
    if (length == 0 || (word[length] != '\0' && word[length] != ' '))
        return json_null();
    memcpy(level, word, length);
    level[length] = '\0';
    return json_pack("{s:s}", "level", level);
}

json_t *player_reference(const struct id *id, const char *name)
{
    return json_pack("{s:s, s:s}", "id", id->text, "name", name);
}

json_t *ruleset_reference(const char *slug, const char *version)
{
    const struct game *game = catalog_find(span_of(slug), span_of(version));
    return json_pack("{s:s, s:s, s:s}", "slug", slug, "version", version, "title",
                     game == NULL ? slug : game->title);
}

json_t *player_or_null(const struct id *id, const char *name)
{
    return id->text[0] == '\0' ? json_null() : player_reference(id, name);
}

json_t *stored_document(const char *text)
{
    json_t *document = json_loads(text, 0, NULL);
    return document == NULL ? json_object() : document;
}

/* Adds the members that are null except in duplicate events; `play` is also set for events at real
 * tables. */
static void add_boards(json_t *document, const struct event *event)
{
    bool duplicate = event->boards > 0;
    json_object_set_new(document, "boards", duplicate ? json_integer(event->boards) : json_null());
    json_object_set_new(document, "scoring", duplicate ? json_string(event->scoring) : json_null());
    json_object_set_new(document, "play", text_or_null(event->play));
}

static json_t *imported_document(const struct event *event)
{
    if (event->origin == NULL)
        return json_null();
    json_t *document = origin_document(event->origin);
    json_object_set_new(document, "at", time_json(event->imported_at_ms));
    return document;
}

json_t *component_set_document(const char *hash, const char *ruleset, const char *name,
                               bool built_in)
{
    return json_pack("{s:s, s:s, s:o, s:b}", "components", hash, "ruleset", ruleset, "name",
                     text_or_null(name), "built_in", (int)built_in);
}

/* Members about the event as a whole describe its first stage; the other stages are in
 * `settings`. */
json_t *event_document(const struct event *event)
{
    json_t *planned = number_or_null(event->rounds);
    json_t *document = json_pack(
        "{s:s, s:s, s:o, s:o, s:s, s:s, s:{s:i, s:i, s:i}, s:{s:o, s:i}, s:o, s:i, s:i, s:o, "
        "s:o, s:o, s:o}",
        "id", event->id.text, "name", event->name, "ruleset",
        ruleset_reference(event->slug, event->version), "options", stored_document(event->options),
        "state", event_state_name(event->state), "format", event->format, "seats", "min",
        (int)event->seats_min, "max", (int)event->seats_max, "preferred",
        (int)event->seats_preferred, "rounds", "planned", planned, "started",
        (int)event->rounds_started, "profile", text_or_null(event->profile), "entries",
        (int)event->entries, "waiting", (int)event->waiting, "organizer",
        player_reference(&event->organizer, event->organizer_name), "commitment",
        hex_json(event->commitment, sizeof event->commitment), "created_at",
        time_json(event->created_at_ms), "settings", stored_document(event->settings));
    const struct format *format = settings_format_find(event->format);
    json_object_set_new(document, "games_from",
                        format == NULL ? json_null()
                                       : json_string(format_games_name(format->games)));
    json_object_set_new(document, "cancelled", json_boolean(event->cancelled));
    json_object_set_new(document, "imported", imported_document(event));
    add_boards(document, event);
    return document;
}

json_t *table_place_document(const struct table_place *place)
{
    return json_pack("{s:o, s:o, s:i, s:i}", "event",
                     player_reference(&place->event, place->event_name), "ruleset",
                     ruleset_reference(place->slug, place->version), "round", (int)place->round,
                     "table", (int)place->table);
}

json_t *reported_seat_document(const struct reported_seat *seat)
{
    json_t *document = table_place_document(&seat->place);
    json_object_set_new(document, "seats", json_integer(seat->seats));
    json_object_set_new(document, "rank", json_integer(seat->rank));
    json_object_set_new(document, "score", seat->scored ? json_integer(seat->score) : json_null());
    json_object_set_new(document, "at", time_json(seat->at_ms));
    return document;
}

json_t *event_step_document(const struct event_step *step)
{
    return json_pack("{s:i, s:o, s:o, s:s, s:o}", "seq", (int)step->seq, "at",
                     time_json(step->at_ms), "by", player_or_null(&step->actor, step->actor_name),
                     "kind", step->kind, "detail", stored_document(step->detail));
}

static json_t *seat_document(const struct game_row *game, unsigned number)
{
    const struct game_row_seat *seat = &game->seat[number];
    json_t *document = json_pack("{s:i, s:o, s:b}", "seat", (int)number, "player",
                                 player_reference(&seat->player, seat->player_name), "fallback",
                                 (int)seat->fallback);
    json_object_set_new(document, "house", house_reference(seat->player_name));
    json_object_set_new(document, "forfeited", json_boolean(seat->forfeited));
    json_object_set_new(document, "timed_out", json_boolean(seat->timed_out));
    json_object_set_new(document, "substitute_for",
                        player_or_null(&seat->first_player, seat->first_player_name));
    json_object_set_new(document, "score", game->scored ? json_integer(seat->score) : json_null());
    json_object_set_new(document, "rank", game->scored ? json_integer(seat->rank) : json_null());
    return document;
}

json_t *game_document(const struct game_row *game)
{
    json_t *seats = json_array();
    for (unsigned i = 0; i < game->seats; i++)
        json_array_append_new(seats, seat_document(game, i));
    json_t *board = number_or_null(game->board);
    json_t *event = game->event.text[0] == '\0'
                        ? json_null()
                        : json_pack("{s:s, s:i, s:i, s:O}", "id", game->event.text, "round",
                                    (int)game->round, "table", (int)game->table, "board", board);
    json_decref(board);
    json_t *document =
        json_pack("{s:s, s:o, s:o, s:o, s:s, s:b, s:o, s:o, s:o}", "id", game->id.text, "event",
                  event, "ruleset", ruleset_reference(game->slug, game->version), "options",
                  stored_document(game->options), "state", game->finished ? "finished" : "running",
                  "voided", (int)game->voided, "seats", seats, "started_at",
                  time_json(game->started_at_ms), "finished_at", time_json(game->finished_at_ms));
    json_object_set_new(document, "clock", clock_control_document(game));
    json_object_set_new(document, "on_timeout", json_string(game->on_timeout));
    json_object_set_new(document, "take_back", json_boolean(game->take_back));
    json_object_set_new(document, "delay_entries", json_integer(game->delay_entries));
    return document;
}

static int64_t greatest_divisor(int64_t a, int64_t b)
{
    while (b != 0) {
        int64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a < 0 ? -a : a;
}

/* Returns the first three decimals of rest / denominator as a number, and leaves the remainder in
 * `rest`. Digit by digit, so that large denominators do not overflow. */
static int64_t take_thousandths(int64_t *rest, int64_t denominator)
{
    int64_t thousandths = 0;
    for (int place = 0; place < 3; place++) {
        int64_t digit = 0;
        int64_t sum = 0;
        for (int i = 0; i < 10; i++) {
            if (sum >= denominator - *rest) {
                sum -= denominator - *rest;
                digit++;
            } else {
                sum += *rest;
            }
        }
        thousandths = thousandths * 10 + digit;
        *rest = sum;
    }
    return thousandths;
}

/* Prints at most three decimal places, rounded half away from zero, without trailing zeros. */
static void print_decimal(int64_t numerator, int64_t denominator, char bytes[static 40])
{
    assert(denominator > 0);
    struct text text = {bytes, 0, 40, false};
    int64_t size = numerator < 0 ? -numerator : numerator;
    int64_t whole = size / denominator;
    int64_t rest = size % denominator;
    int64_t thousandths = rest == 0 ? 0 : take_thousandths(&rest, denominator);
    thousandths += rest >= denominator - rest;
    whole += thousandths / 1000;
    thousandths %= 1000;
    text_add(&text, numerator < 0 && (whole | thousandths) ? "-" : "");
    text_add_number(&text, whole);
    if (thousandths > 0)
        text_add_char(&text, '.');
    for (int64_t place = 100; thousandths > 0; place /= 10) {
        text_add_char(&text, (char)('0' + thousandths / place));
        thousandths %= place;
    }
}

struct rational rational_show(int64_t numerator, int64_t denominator)
{
    int64_t divisor = greatest_divisor(numerator, denominator);
    struct rational rational = {.numerator = numerator / divisor,
                                .denominator = denominator / divisor};
    print_decimal(rational.numerator, rational.denominator, rational.text);
    return rational;
}

json_t *rational_document(int64_t numerator, int64_t denominator)
{
    struct rational rational = rational_show(numerator, denominator);
    return json_pack("{s:I, s:I, s:s}", "numerator", (json_int_t)rational.numerator, "denominator",
                     (json_int_t)rational.denominator, "text", rational.text);
}

json_t *number_or_null(int64_t number)
{
    return number == 0 ? json_null() : json_integer(number);
}

json_t *text_or_null(const char *text)
{
    return text[0] == '\0' ? json_null() : json_string(text);
}

json_t *hex_json(const uint8_t *bytes, size_t size)
{
    char hex[2 * 64 + 1];
    struct text text = TEXT_OVER(hex);
    text_add_hex(&text, bytes, size);
    return json_string(hex);
}

/* ---- Clocks ---- */

json_t *clock_control_document(const struct game_row *game)
{
    struct clock_control control = {.kind = CLOCK_NONE};
    if (game->clock != NULL)
        clock_read_control(span_of(game->clock), &control);
    return settings_write_clock(&control);
}

static json_t *seat_clock_document(const struct replay *replay, unsigned seat)
{
    const struct clock *clock = &replay->clock;
    bool running = clock->stopped == 0 && (clock->running >> seat & 1) != 0;
    int64_t left_ms = clock_left_ms(clock, seat, clock->at_ms);
    int64_t runs_out_ms = time_read(replay->header.start) + clock->at_ms + left_ms;
    return json_pack("{s:i, s:I, s:b, s:o}", "seat", (int)seat, "left_ms", (json_int_t)left_ms,
                     "running", (int)running, "runs_out_at",
                     running ? time_json(runs_out_ms) : json_null());
}

json_t *clocks_document(const struct replay *replay)
{
    if (replay->header.clock.kind == CLOCK_NONE)
        return json_null();
    json_t *seats = json_array();
    for (unsigned seat = 0; seat < replay->header.seats; seat++)
        json_array_append_new(seats, seat_clock_document(replay, seat));
    return json_pack("{s:I, s:o}", "elapsed_ms", (json_int_t)replay->clock.at_ms, "seats", seats);
}
