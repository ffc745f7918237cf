#include "api/notices/notice.h"

#include <jansson.h>
#include <string.h>

#include "api/base/json_text.h"
#include "engine/game/catalog.h"

enum { ABOUT_BYTES = 256, MINUTE_MS = 60000, HOUR_MINUTES = 60, URL_MAX_BYTES = 400 };

/* ---- Subjects ---- */

static struct id id_of(const json_t *about, const char *key)
{
    struct id id = {""};
    const char *text = json_string_value(json_object_get(about, key));
    if (text == NULL || !id_parse(span_of(text), &id))
        return (struct id){""};
    return id;
}

static unsigned number_of(const json_t *about, const char *key)
{
    json_int_t number = json_integer_value(json_object_get(about, key));
    return number < 0 || number > UINT16_MAX ? 0 : (unsigned)number;
}

const char *notice_about_seat(struct arena *arena, const struct record_header *header,
                              unsigned seat)
{
    struct json_text json;
    json_text_begin(&json, arena, ABOUT_BYTES);
    json_text_open(&json, NULL, '{');
    if (header->in_event)
        json_text_string(&json, "event", header->event_id);
    if (header->in_event && header->round != 0)
        json_text_number(&json, "round", header->round);
    if (header->in_event && header->table != 0)
        json_text_number(&json, "table", header->table);
    json_text_number(&json, "seat", seat);
    json_text_string(&json, "game", header->game_id);
    json_text_close(&json, '}');
    return arena_copy(arena, json_text_span(&json));
}

bool notice_read(struct arena *arena, const struct outbox_notice *row, struct notice *notice)
{
    json_t *about = json_loads(row->about, 0, NULL);
    const json_t *seat = json_object_get(about, "seat");
    *notice = (struct notice){.kind = arena_copy(arena, span_of(row->message.kind)),
                              .at_ms = row->message.created_at_ms,
                              .event = id_of(about, "event"),
                              .round = number_of(about, "round"),
                              .table = number_of(about, "table"),
                              .seat = seat == NULL ? -1 : (int)number_of(about, "seat"),
                              .game = id_of(about, "game"),
                              .dispute = id_of(about, "dispute"),
                              .office = json_is_true(json_object_get(about, "office")),
                              .lobby_table = id_of(about, "lobby_table"),
                              .by = id_of(about, "by")};
    bool good = json_is_object(about);
    json_decref(about);
    return good;
}

/* ---- Words ---- */

enum language { ENGLISH, GERMAN, LANGUAGES };

/* `{where}` is the table, `{game}` the name of the game, `{event}`, `{by}` another player, `{left}`
 * a time, `{round}`, `{table}` and `{seat}` numbers. */
struct phrase {
    const char *title, *text;
};

/* Variants of a kind. */
enum form {
    FORM_TURN,
    FORM_CLOCK,
    FORM_PAIRED,
    FORM_BYE,
    FORM_STARTED,
    FORM_OVER,
    FORM_DISPUTE,
    FORM_OFFICE,
    FORM_RULING,
    FORM_OPENED,
    FORM_INVITED,
    FORM_CHALLENGED,
    FORMS
};

static const struct phrase phrases[FORMS][LANGUAGES] = {
    [FORM_TURN] = {{"Your turn: {where}", "It is your turn in your game of {game}."},
                   {"Sie sind am Zug: {where}", "In Ihrer Partie {game} sind Sie am Zug."}},
    [FORM_CLOCK] = {{"You are running out of time: {where}",
                     "You have {left} left for your decision in your game of {game}."},
                    {"Ihre Bedenkzeit wird knapp: {where}",
                     "Für Ihre Entscheidung in der Partie {game} bleiben Ihnen noch {left}."}},
    [FORM_PAIRED] = {{"You have a table: {where}", "You play {game}, in seat {seat}."},
                     {"Sie haben einen Tisch: {where}", "Sie spielen {game}, auf Sitz {seat}."}},
    [FORM_BYE] = {{"You have a bye: {where}", "You do not play in this round."},
                  {"Sie haben ein Freilos: {where}", "In dieser Runde spielen Sie nicht."}},
    [FORM_STARTED] = {{"Your game has started: {where}", "You play {game}, in seat {seat}."},
                      {"Ihre Partie hat begonnen: {where}",
                       "Sie spielen {game}, auf Sitz {seat}."}},
    [FORM_OVER] = {{"Your game is over: {where}",
                    "Your game of {game} is over. See its page for more."},
                   {"Ihre Partie ist zu Ende: {where}",
                    "Ihre Partie {game} ist zu Ende. Mehr steht auf ihrer Seite."}},
    [FORM_DISPUTE] = {{"A dispute: {where}",
                       "There is news in a dispute over your game of {game}."},
                      {"Ein Einspruch: {where}",
                       "Zu einem Einspruch in Ihrer Partie {game} gibt es etwas Neues."}},
    [FORM_OFFICE] = {{"A dispute to decide: {where}",
                      "A dispute over a game of {game} is waiting for a decision."},
                     {"Ein Einspruch zu entscheiden: {where}",
                      "Ein Einspruch zu einer Partie {game} wartet auf eine Entscheidung."}},
    [FORM_RULING] =
        {{"A decision about your table: {where}",
          "There is a decision about the result of your table, or somebody contests it."},
         {"Eine Entscheidung zu Ihrem Tisch: {where}",
          "Zum Ergebnis Ihres Tisches wurde etwas entschieden, oder jemand "
          "widerspricht ihm."}},
    [FORM_OPENED] = {{"Entries are open: {event}", "{by} has opened the entries of “{event}”."},
                     {"Anmeldung offen: {event}", "{by} hat die Anmeldung zu „{event}“ geöffnet."}},
    [FORM_INVITED] = {{"{by} invites you to a game",
                       "A seat is kept for you at a table of {game}."},
                      {"{by} lädt Sie zu einer Partie ein",
                       "An einem Tisch {game} ist ein Sitz für Sie frei."}},
    [FORM_CHALLENGED] = {{"{by} challenges you: {event}",
                          "{by} has challenged you in “{event}”. Accept on the event’s page."},
                         {"{by} fordert Sie: {event}",
                          "{by} hat Sie in „{event}“ gefordert. Annehmen können Sie auf der "
                          "Seite des Turniers."}},
};

static enum form form_of(const struct notice *notice)
{
    static const struct {
        const char *kind;
        enum form form;
    } forms[] = {{NOTICE_YOUR_TURN, FORM_TURN},      {NOTICE_CLOCK_LOW, FORM_CLOCK},
                 {NOTICE_GAME_OVER, FORM_OVER},      {NOTICE_EVENT_OPENED, FORM_OPENED},
                 {NOTICE_INVITATION, FORM_INVITED},  {NOTICE_CHALLENGE, FORM_CHALLENGED},
                 {NOTICE_ROUND_PAIRED, FORM_PAIRED}, {NOTICE_DISPUTE, FORM_DISPUTE}};
    enum form form = FORMS;
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++)
        if (strcmp(forms[i].kind, notice->kind) == 0)
            form = forms[i].form;
    if (form == FORM_PAIRED && notice->event.text[0] == '\0')
        return FORM_STARTED;
    if (form == FORM_PAIRED && notice->table == 0)
        return FORM_BYE;
    if (form == FORM_DISPUTE && notice->dispute.text[0] == '\0')
        return FORM_RULING;
    if (form == FORM_DISPUTE && notice->office)
        return FORM_OFFICE;
    return form;
}

/* ---- Writing ---- */

struct writing {
    const struct notice *notice;
    enum language language;
    const char *game; /* its title, or "" */
    const char *by;   /* or "" */
    int64_t left_ms;
};

/* "Friday night, round 2, table 3", or "Shinjuku". */
static void write_where(struct text *text, const struct writing *writing)
{
    static const char *const names[LANGUAGES][2] = {{", round ", ", table "},
                                                    {", Runde ", ", Tisch "}};
    const struct notice *notice = writing->notice;
    if (notice->event_name == NULL) {
        text_add(text, writing->game);
        return;
    }
    text_add(text, notice->event_name);
    const unsigned numbers[2] = {notice->round, notice->table};
    for (size_t i = 0; i < 2; i++) {
        if (numbers[i] == 0)
            continue;
        text_add(text, names[writing->language][i]);
        text_add_number(text, numbers[i]);
    }
}

/* Writes the time left, rounded down. */
static void write_left(struct text *text, const struct writing *writing)
{
    static const char *const units[LANGUAGES][3] = {
        {" hours", " minutes", "less than two minutes"},
        {" Stunden", " Minuten", "weniger als zwei Minuten"}};
    int64_t minutes = writing->left_ms / MINUTE_MS;
    bool hours = minutes >= 2 * (int64_t)HOUR_MINUTES;
    if (minutes < 2) {
        text_add(text, units[writing->language][2]);
        return;
    }
    text_add_number(text, hours ? minutes / HOUR_MINUTES : minutes);
    text_add(text, units[writing->language][hours ? 0 : 1]);
}

static void write_value(struct text *text, const struct writing *writing, struct span name)
{
    if (span_is(name, "where"))
        write_where(text, writing);
    else if (span_is(name, "left"))
        write_left(text, writing);
    else if (span_is(name, "game"))
        text_add(text, writing->game);
    else if (span_is(name, "by"))
        text_add(text, writing->by);
    else if (span_is(name, "event"))
        text_add(text, writing->notice->event_name == NULL ? "" : writing->notice->event_name);
    else
        text_add_number(text, writing->notice->seat + 1);
}

/* Fills in a phrase, in the arena; cut between characters if it is too long. */
static const char *fill_in(struct arena *arena, const char *form, const struct writing *writing,
                           size_t most)
{
    enum { ROOM = 2048 }; /* names have 800 bytes at most */
    char bytes[ROOM];
    struct text text = TEXT_OVER(bytes);
    while (*form != '\0') {
        size_t plain = strcspn(form, "{");
        text_add_span(&text, (struct span){form, plain});
        form += plain;
        if (*form == '\0')
            break;
        size_t name = strcspn(form, "}");
        write_value(&text, writing, (struct span){form + 1, name - 1});
        form += name + 1;
    }
    size_t length = text.length;
    if (length > most)
        for (length = most; ((unsigned char)bytes[length] & 0xc0) == 0x80; length--)
            ;
    return arena_copy(arena, (struct span){bytes, length});
}

/* The page to open. */
static void write_path(struct text *text, const struct notice *notice, const char *code)
{
    enum form form = form_of(notice);
    bool of_game = form == FORM_TURN || form == FORM_CLOCK || form == FORM_OVER ||
                   form == FORM_STARTED || form == FORM_PAIRED;
    if (form == FORM_INVITED) {
        text_add_all(text, "/join/", code);
    } else if (form == FORM_DISPUTE || form == FORM_OFFICE) {
        text_add_all(text, "/disputes/", notice->dispute.text);
    } else if (of_game && notice->game.text[0] != '\0') {
        text_add_all(text, "/games/", notice->game.text);
    } else {
        text_add_all(text, "/events/", notice->event.text);
        if (notice->round > 0) {
            text_add(text, "/rounds/");
            text_add_number(text, notice->round);
        }
    }
}

static const char *title_of_game(const char *slug)
{
    const struct game *game = slug == NULL ? NULL : catalog_newest(span_of(slug));
    return game == NULL ? "" : game->title;
}

bool notice_write(struct arena *arena, const struct notice_names *names, const char *language,
                  const char *site, int64_t left_ms, struct notice *notice)
{
    enum form form = form_of(notice);
    if (form == FORMS || (notice->event.text[0] != '\0' && names->event == NULL) ||
        (form == FORM_INVITED && names->code == NULL))
        return false;
    notice->event_name = names->event;
    notice->by_name = names->by;
    enum language chosen = strcmp(language, "de") == 0 ? GERMAN : ENGLISH;
    const struct writing writing = {.notice = notice,
                                    .language = chosen,
                                    .game = title_of_game(names->slug),
                                    .by = names->by != NULL  ? names->by
                                          : chosen == GERMAN ? "Jemand"
                                                             : "Somebody",
                                    .left_ms = left_ms};
    notice->title = fill_in(arena, phrases[form][chosen].title, &writing, NOTICE_TITLE_MAX);
    notice->text = fill_in(arena, phrases[form][chosen].text, &writing, NOTICE_TEXT_MAX);
    char bytes[URL_MAX_BYTES];
    struct text path = TEXT_OVER(bytes);
    write_path(&path, notice, names->code);
    notice->path = arena_copy(arena, text_span(&path));
    struct text url = TEXT_OVER(bytes);
    text_add_all(&url, site == NULL ? "" : site, notice->path);
    notice->url = arena_copy(arena, text_span(&url));
    return true;
}
