#include "api/notices/unsubscribe.h"

#include <sodium.h>
#include <string.h>

#include "api/notices/handlers.h"
#include "api/pages/page.h"
#include "db/store/people/notices.h"

/* ---- Tokens ---- */

enum { BODY = ID_BYTES + 1, TAG = 12, TAG_MADE = 16, ALL_KINDS = 255 };

static const char purpose[] = "tillroll/unsubscribe/1";

static void make_tag(const struct keys *keys, const uint8_t body[static BODY],
                     uint8_t tag[static TAG_MADE])
{
    keys_tag(keys, purpose, (struct span){(const char *)body, BODY}, tag, TAG_MADE);
}

static uint8_t number_of(const char *kind)
{
    for (uint8_t i = 0; kind != NULL && notice_kinds[i] != NULL; i++)
        if (strcmp(notice_kinds[i], kind) == 0)
            return i;
    return ALL_KINDS;
}

void unsubscribe_make(const struct keys *keys, const struct id *player, const char *kind,
                      char token[static UNSUBSCRIBE_TOKEN])
{
    uint8_t bytes[BODY + TAG_MADE];
    struct text text = {token, 0, UNSUBSCRIBE_TOKEN, false};
    id_to_bytes(player, bytes);
    bytes[ID_BYTES] = number_of(kind);
    make_tag(keys, bytes, bytes + BODY);
    text_add_hex(&text, bytes, BODY + TAG);
}

/* Reads a token. False if this service has not made it. `kind`: see unsubscribe_make(). */
static bool unsubscribe_read(const struct keys *keys, struct span token, struct id *player,
                             const char **kind)
{
    uint8_t bytes[BODY + TAG];
    uint8_t tag[TAG_MADE];
    if (token.length != sizeof bytes * 2 || !span_hex(token, bytes, sizeof bytes))
        return false;
    make_tag(keys, bytes, tag);
    uint8_t number = bytes[ID_BYTES];
    if (sodium_memcmp(tag, bytes + BODY, TAG) != 0 ||
        (number != ALL_KINDS && number >= NOTICE_KINDS))
        return false;
    *player = id_from_bytes(bytes);
    *kind = number == ALL_KINDS ? NULL : notice_kinds[number];
    return true;
}

/* ---- Pages ---- */

/* The page behind the link in mails with notices, for people and for mail programs (RFC 8058): it
 * works without signing in and without scripts. Opening it changes nothing, because programs open
 * links to inspect them; a POST request to its address unsubscribes, whatever its body. */

enum { PAGE_BYTES = 2048 };

static const char *name_of(const char *kind)
{
    static const struct {
        const char *kind, *name;
    } names[] = {{NOTICE_YOUR_TURN, "your turns"},
                 {NOTICE_CLOCK_LOW, "clocks that run low"},
                 {NOTICE_ROUND_PAIRED, "rounds that are paired, and games that start"},
                 {NOTICE_GAME_OVER, "games that are over"},
                 {NOTICE_DISPUTE, "disputes and rulings"},
                 {NOTICE_EVENT_OPENED, "events of organizers whom you follow"},
                 {NOTICE_INVITATION, "invitations"},
                 {NOTICE_CHALLENGE, "challenges"}};
    for (size_t i = 0; kind != NULL && i < sizeof names / sizeof names[0]; i++)
        if (strcmp(names[i].kind, kind) == 0)
            return names[i].name;
    return "anything that happens in games and events";
}

static bool read_token(struct call *call, struct id *player, const char **kind)
{
    return unsubscribe_read(&call->service->keys, call->word[0], player, kind) ||
           call_problem(call, "bad-mail-link",
                        "The link is not valid. Choose what is mailed to you at your account's "
                        "page *Notices*, signed in.");
}

static void answer(struct call *call, const struct growing *html)
{
    const struct page_head head = {"", "Turn off mails about games and events."};
    page_answer_uncached(call, &head, html);
}

void page_unsubscribe(struct call *call)
{
    struct id player;
    const char *kind;
    struct growing html;
    if (!read_token(call, &player, &kind))
        return;
    growing_begin(&html, call->arena, PAGE_BYTES);
    html_write(
        &html,
        "<h1>Unsubscribe from mail</h1>\n<p>Press the button to stop mail about %s. You can change "
        "this under <a href=\"/notices\">Notices</a>.</p>\n"
        "<form class=\"account\" method=\"post\" action=\"/unsubscribe/%s\" data-kind=\"%s\">"
        "<p><button type=\"submit\">Unsubscribe</button></p></form>\n",
        name_of(kind), arena_copy(call->arena, call->word[0]), kind == NULL ? "all" : kind);
    answer(call, &html);
}

void page_unsubscribed(struct call *call)
{
    struct id player;
    const char *kind;
    struct growing html;
    if (!read_token(call, &player, &kind))
        return;
    enum db_status status = notice_turn_off(call->db, &player, kind, "mail");
    if (status != DB_NONE && !call_found(call, status))
        return;
    growing_begin(&html, call->arena, PAGE_BYTES);
    html_write(&html,
               "<h1>Unsubscribed</h1>\n<p data-kind=\"%s\">You will get no more mail about %s. "
               "You can change this under <a href=\"/notices\">Notices</a>.</p>\n",
               kind == NULL ? "all" : kind, name_of(kind));
    answer(call, &html);
}
