#include "api/notices/mail_channel.h"

#include <sodium.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "api/mail/message.h"
#include "api/mail/smtp.h"
#include "api/notices/unsubscribe.h"
#include "api/pages/html.h"
#include "db/store/people/emails.h"

enum { THREADS = 2, SUBJECT_ROOM = MESSAGE_SUBJECT_MAX + 1, URL_ROOM = 400, MAIL_ROOM = 262144 };

struct mail_channel {
    struct mailer_config config;
    const struct keys *keys;
    char password[MAILER_PASSWORD_MAX];
};

/* ---- Words ---- */

struct words {
    const char *hello, *digest, *open, *why, *turn_off, *settings;
};

static const struct words english = {
    "Hello ",
    "What has happened on Tillroll",
    "Open",
    "You get this mail because your account at {site} asks for it.",
    "Turn such mails off:",
    "Choose what you are told, and how:"};
static const struct words german = {
    "Hallo ",
    "Was es auf Tillroll Neues gibt",
    "Öffnen",
    "Sie bekommen diese E-Mail, weil Ihr Konto auf {site} es so wünscht.",
    "Solche E-Mails abbestellen:",
    "Wählen, was Ihnen wie mitgeteilt wird:"};

static const struct words *words_of(const struct notice_delivery *delivery)
{
    return strcmp(delivery->language, "de") == 0 ? &german : &english;
}

/* ---- Bodies ---- */

struct links {
    const char *turn_off; /* address of a form for people, or for a POST request */
    const char *settings;
    const char *site;
};

/* Appends the sentence with the site filled in. */
static void add_why(struct growing *text, const struct words *words, const struct links *links,
                    bool html)
{
    const char *place = strstr(words->why, "{site}");
    growing_add(text, (struct span){words->why, (size_t)(place - words->why)});
    if (html)
        html_text(text, span_of(links->site));
    else
        growing_add_all(text, links->site);
    growing_add_all(text, place + strlen("{site}"));
}

static void write_plain(struct growing *text, const struct notice_delivery *delivery,
                        const struct links *links)
{
    const struct words *words = words_of(delivery);
    growing_add_all(text, words->hello, delivery->player_name, ",\n\n");
    for (size_t i = 0; i < delivery->count; i++) {
        const struct notice *notice = &delivery->notices[i];
        if (delivery->count > 1)
            growing_add_all(text, notice->title, "\n");
        growing_add_all(text, notice->text, "\n", notice->url, "\n\n");
    }
    growing_add_all(text, "-- \n");
    add_why(text, words, links, false);
    growing_add_all(text, "\n", words->turn_off, " ", links->turn_off, "\n", words->settings, " ",
                    links->settings, "\n");
}

static void write_html(struct growing *html, const struct notice_delivery *delivery,
                       const struct links *links, const char *subject)
{
    const struct words *words = words_of(delivery);
    html_write(html,
               "<!doctype html>\n<html lang=\"%s\">\n<head><meta charset=\"utf-8\">"
               "<title>%s</title></head>\n<body>\n<p>%s<bdi>%s</bdi>,</p>\n",
               delivery->language, subject, words->hello, delivery->player_name);
    for (size_t i = 0; i < delivery->count; i++) {
        const struct notice *notice = &delivery->notices[i];
        if (delivery->count > 1)
            html_write(html, "<h2>%s</h2>\n", notice->title);
        html_write(html, "<p>%s</p>\n<p><a href=\"%s\">%s</a></p>\n", notice->text, notice->url,
                   words->open);
    }
    html_write(html, "<hr>\n<p>");
    add_why(html, words, links, true);
    html_write(html, "<br>\n%s <a href=\"%s\">%s</a><br>\n%s <a href=\"%s\">%s</a></p>\n",
               words->turn_off, links->turn_off, links->turn_off, words->settings, links->settings,
               links->settings);
    html_write(html, "</body>\n</html>\n");
}

static const char *c_string(struct growing *text)
{
    growing_add(text, (struct span){"", 1});
    return growing_span(text).at;
}

/* ---- Delivering ---- */

static enum db_status find(void *context, struct db *db, struct arena *arena,
                           const struct notice_delivery *const *deliveries, size_t count,
                           void **targets)
{
    enum db_status status = DB_OK;
    (void)context;
    for (size_t i = 0; i < count && status == DB_OK; i++) {
        struct email email;
        status = email_get(db, arena, &deliveries[i]->player, &email);
        if (status == DB_OK && email.confirmed_at_ms != 0)
            targets[i] = arena_copy(arena, span_of(email.address));
        else if (status == DB_NONE)
            status = DB_OK;
    }
    return status;
}

/* Writes the title of a single notice, or the digest's; cut between characters if it is too
 * long. */
static void write_subject(const struct notice_delivery *delivery, char room[static SUBJECT_ROOM])
{
    const char *subject =
        delivery->count == 1 ? delivery->notices[0].title : words_of(delivery)->digest;
    struct text text = {room, 0, SUBJECT_ROOM, false};
    text_add(&text, subject);
}

static enum smtp_result send_mail(struct mail_channel *mail, const struct message *message,
                                  struct arena *arena, bool (*stop)(void *), void *stop_context,
                                  struct text *reason)
{
    struct text text = {arena_take(arena, MAIL_ROOM), 0, MAIL_ROOM, false};
    const struct smtp_server server = {.url = mail->config.url,
                                       .user = mail->config.user,
                                       .password =
                                           mail->config.user == NULL ? NULL : mail->password,
                                       .timeout_ms = mail->config.timeout_ms,
                                       .stop = stop,
                                       .context = stop_context};
    if (message_write(&text, message))
        return smtp_send(&server, message->from, message->to, text_span(&text), reason);
    text_add(reason, "The mail cannot be written.");
    return SMTP_REFUSED;
}

static enum notice_outcome deliver(void *context, const struct notice_delivery *delivery,
                                   void *target, bool (*stop)(void *stop_context),
                                   void *stop_context, struct text *reason)
{
    struct mail_channel *mail = context;
    struct arena arena = {NULL};
    char token[UNSUBSCRIBE_TOKEN];
    char turn_off[URL_ROOM];
    char settings[URL_ROOM];
    char subject[SUBJECT_ROOM];
    struct text turn_off_text = TEXT_OVER(turn_off);
    struct text settings_text = TEXT_OVER(settings);
    struct growing plain, html;
    unsubscribe_make(mail->keys, &delivery->player,
                     delivery->digest ? NULL : delivery->notices[0].kind, token);
    text_add_all(&turn_off_text, mail->config.site, "/unsubscribe/", token);
    text_add_all(&settings_text, mail->config.site, "/notices");
    const struct links links = {turn_off, settings, mail->config.site};
    write_subject(delivery, subject);
    growing_begin(&plain, &arena, 1024);
    growing_begin(&html, &arena, 2048);
    write_plain(&plain, delivery, &links);
    write_html(&html, delivery, &links, subject);
    /* The date is that of sending, not the start of the wait for a digest or the end of quiet
     * hours, because mail programs sort by it. */
    const struct message message = {.key = delivery->id.text,
                                    .from = mail->config.from,
                                    .to = target,
                                    .language = delivery->language,
                                    .subject = subject,
                                    .body = c_string(&plain),
                                    .html = c_string(&html),
                                    .unsubscribe = turn_off,
                                    .written_s = time(NULL)};
    enum smtp_result result = send_mail(mail, &message, &arena, stop, stop_context, reason);
    arena_free(&arena);
    return result == SMTP_SENT    ? NOTICE_DELIVERED
           : result == SMTP_LATER ? NOTICE_LATER
                                  : NOTICE_REFUSED;
}

/* ---- The channel ---- */

struct mail_channel *mail_channel_new(const struct mailer_config *config, const struct keys *keys)
{
    struct mail_channel *mail = must(calloc(1, sizeof *mail));
    mail->config = *config;
    mail->keys = keys;
    (void)mailer_password(config, mail->password);
    return mail;
}

struct notice_channel mail_channel(struct mail_channel *mail)
{
    return (struct notice_channel){.name = "mail",
                                   .context = mail,
                                   .threads = THREADS,
                                   .timeout_ms = mail->config.timeout_ms,
                                   .retry_ms = mail->config.retry_ms,
                                   .find = find,
                                   .deliver = deliver};
}

void mail_channel_free(struct mail_channel *mail)
{
    if (mail == NULL)
        return;
    sodium_memzero(mail->password, sizeof mail->password);
    free(mail);
}
