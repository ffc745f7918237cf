/* Sending, to a mail server that plays a script in a thread and notes what it was told. */
#include <arpa/inet.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "api/mail/smtp.h"
#include "tests/test.h"

struct server {
    int listener;
    uint16_t port;
    const char *recipient_answer;
    const char *data_answer;
    struct text heard;
    char bytes[8192];
    pthread_t thread;
};

static void begin(struct server *server, const char *address)
{
    *server = (struct server){.recipient_answer = "250 ok\r\n", .data_answer = "250 ok\r\n"};
    server->heard = TEXT_OVER(server->bytes);
    server->listener = socket(AF_INET, SOCK_STREAM, 0);
    struct sockaddr_in name = {.sin_family = AF_INET};
    assert_int_equal(inet_pton(AF_INET, address, &name.sin_addr), 1);
    socklen_t size = sizeof name;
    assert_int_equal(bind(server->listener, (struct sockaddr *)&name, size), 0);
    assert_int_equal(listen(server->listener, 4), 0);
    assert_int_equal(getsockname(server->listener, (struct sockaddr *)&name, &size), 0);
    server->port = ntohs(name.sin_port);
}

static const char *answer_to(const struct server *server, const char *line, bool *in_data)
{
    if (*in_data) {
        if (strcmp(line, ".\r\n") != 0)
            return "";
        *in_data = false;
        return server->data_answer;
    }
    if (strncmp(line, "RCPT", 4) == 0)
        return server->recipient_answer;
    if (strcmp(line, "DATA\r\n") == 0) {
        *in_data = true;
        return "354 go on\r\n";
    }
    return strcmp(line, "QUIT\r\n") == 0 ? "221 bye\r\n" : "250 ok\r\n";
}

/* Serves one connection. */
static void *serve(void *context)
{
    struct server *server = context;
    int peer = accept(server->listener, NULL, NULL);
    FILE *in = fdopen(dup(peer), "r");
    bool in_data = false;
    char line[1100];
    dprintf(peer, "220 test\r\n");
    while (fgets(line, sizeof line, in) != NULL) {
        text_add(&server->heard, line);
        dprintf(peer, "%s", answer_to(server, line, &in_data));
    }
    fclose(in);
    close(peer);
    return NULL;
}

static const struct span mail = SPAN_LITERAL("Subject: x\r\n\r\n.\r\n..two\r\nend\r\n");

static enum smtp_result deliver(struct server *server, const char *address, char reason[static 300])
{
    char url[80];
    snprintf(url, sizeof url, "smtp://%s:%d", address, server->port);
    assert_int_equal(pthread_create(&server->thread, NULL, serve, server), 0);
    struct text text = {reason, 0, 300, false};
    reason[0] = '\0';
    const struct smtp_server target = {.url = url, .timeout_ms = 60000};
    enum smtp_result result = smtp_send(&target, "from@a.example", "to@b.example", mail, &text);
    pthread_join(server->thread, NULL);
    close(server->listener);
    assert_null(strchr(reason, '@'));
    return result;
}

TEST(test_sent)
{
    struct server server;
    char reason[300];
    begin(&server, "127.0.0.1");
    assert_int_equal(deliver(&server, "127.0.0.1", reason), SMTP_SENT);
    assert_string_equal(reason, "");
    assert_non_null(strstr(server.bytes, "MAIL FROM:<from@a.example>\r\n"));
    assert_non_null(strstr(server.bytes, "RCPT TO:<to@b.example>\r\n"));
    assert_non_null(strstr(server.bytes, "DATA\r\nSubject: x\r\n\r\n..\r\n...two\r\nend\r\n.\r\n"));
}

TEST(test_refused)
{
    static const struct {
        const char *recipient, *data;
        enum smtp_result result;
    } cases[] = {
        {"550 no such mailbox to@b.example\r\n", "250 ok\r\n", SMTP_REFUSED},
        {"450 later to@b.example\r\n", "250 ok\r\n", SMTP_LATER},
        {"250 ok\r\n", "554 no\r\n", SMTP_REFUSED},
        {"250 ok\r\n", "451 later\r\n", SMTP_LATER},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct server server;
        char reason[300];
        begin(&server, "127.0.0.1");
        server.recipient_answer = cases[i].recipient;
        server.data_answer = cases[i].data;
        assert_int_equal(deliver(&server, "127.0.0.1", reason), cases[i].result);
        assert_string_not_equal(reason, "");
    }
}

/* A server that is not this machine and cannot encrypt learns nothing of the mail. */
TEST(test_no_encryption)
{
    struct server server;
    char reason[300];
    begin(&server, "127.0.0.2");
    assert_int_equal(deliver(&server, "127.0.0.2", reason), SMTP_LATER);
    assert_non_null(strstr(server.bytes, "EHLO"));
    assert_null(strstr(server.bytes, "MAIL"));
    assert_null(strstr(server.bytes, "Subject"));
}

TEST(test_down)
{
    struct server server;
    begin(&server, "127.0.0.1");
    close(server.listener);
    char url[80];
    snprintf(url, sizeof url, "smtp://127.0.0.1:%d", server.port);
    char bytes[300];
    struct text reason = TEXT_OVER(bytes);
    const struct smtp_server target = {
        .url = url, .user = "ada", .password = "geheim", .timeout_ms = 60000};
    assert_int_equal(smtp_send(&target, "from@a.example", "to@b.example", mail, &reason),
                     SMTP_LATER);
    assert_string_not_equal(bytes, "");
    assert_null(strstr(bytes, "geheim"));
    struct text other = TEXT_OVER(bytes);
    const struct smtp_server file = {.url = "file:///etc/passwd", .timeout_ms = 60000};
    assert_int_equal(smtp_send(&file, "from@a.example", "to@b.example", mail, &other), SMTP_LATER);
}

static bool at_once(void *context)
{
    (void)context;
    return true;
}

/* A server that takes connections and says nothing holds nobody up who is to stop, or for longer
 * than the timeout. */
TEST(test_silent)
{
    struct server server;
    begin(&server, "127.0.0.1");
    char url[80];
    snprintf(url, sizeof url, "smtp://127.0.0.1:%d", server.port);
    const struct smtp_server cases[] = {{.url = url, .timeout_ms = 3600000, .stop = at_once},
                                        {.url = url, .timeout_ms = 100}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char bytes[300];
        struct text reason = TEXT_OVER(bytes);
        assert_int_equal(smtp_send(&cases[i], "from@a.example", "to@b.example", mail, &reason),
                         SMTP_LATER);
    }
    close(server.listener);
}

TEST(test_url)
{
    assert_true(smtp_url_good("smtp://mail.example:587"));
    assert_true(smtp_url_good("smtps://mail.example"));
    static const char *const bad[] = {
        "",        "mail.example",       "http://mail.example",
        "smtp://", "file:///etc/passwd", "smtp://ada:geheim@mail.example"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_false(smtp_url_good(bad[i]));
}

int main(void)
{
    return run_all_tests(NULL, NULL);
}
