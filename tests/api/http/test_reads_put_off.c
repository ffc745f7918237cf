/* Reads beside a write that is at work: few in each turn of the loop, all of them in the end, and
 * none lost when the server stops. The test acts between the turns, on the loop's own thread. */
#include <string.h>

#include <arpa/inet.h>
#include <sys/socket.h>
#include <unistd.h>

#include "tests/api/http/serving.h"
#include "tests/test.h"

enum { READS = 40, READS_PER_TURN = 8 };

struct scene {
    struct server *server;
    int writer, reader[READS]; /* the clients' sockets */
    bool with_write, stop_early;
    struct http_pending *write; /* at work */
    struct http_response *write_response;
    bool asked;                  /* the readers have asked */
    size_t reads, in_turn, most; /* answered: in all, in this turn, in any turn while it waits */
};

static enum http_quick quick(void *context, struct http_pending *pending,
                             struct http_request *request, struct arena *arena,
                             struct http_response *response)
{
    struct scene *scene = context;
    (void)arena;
    if (request->method != HTTP_GET) {
        scene->write = pending;
        scene->write_response = response;
        return QUICK_LATER;
    }
    scene->reads++;
    scene->in_turn++;
    response->status = 200;
    response->body = span_of("read");
    return QUICK_DONE;
}

static void no_worker(void *context, const struct http_request *request, struct arena *arena,
                      struct http_response *response)
{
    (void)context;
    (void)request;
    (void)arena;
    response->status = 500;
}

static void send_text(int socket, const char *text)
{
    assert_int_equal(send(socket, text, strlen(text), 0), strlen(text));
}

static void finish_write(struct scene *scene)
{
    scene->write_response->status = 200;
    scene->write_response->body = span_of("written");
    server_answer(scene->write);
    scene->write = NULL;
}

/* After each turn. */
static void turned(void *context)
{
    struct scene *scene = context;
    if (scene->in_turn > scene->most)
        scene->most = scene->in_turn;
    scene->in_turn = 0;
    if (!scene->asked && (scene->write != NULL || !scene->with_write)) {
        scene->asked = true;
        for (size_t i = 0; i < READS; i++)
            send_text(scene->reader[i], "GET / HTTP/1.1\r\nHost: a\r\n\r\n");
    } else if (scene->reads == READS || (scene->reads > 0 && scene->stop_early)) {
        if (scene->write != NULL && !scene->stop_early)
            finish_write(scene);
        server_stop(scene->server);
    }
}

static int connect_to(const struct server *server)
{
    const struct sockaddr_in address = {.sin_family = AF_INET,
                                        .sin_port = htons((uint16_t)server_port(server)),
                                        .sin_addr = {htonl(INADDR_LOOPBACK)}};
    int made = socket(AF_INET, SOCK_STREAM, 0);
    assert_int_equal(connect(made, (const struct sockaddr *)&address, sizeof address), 0);
    return made;
}

static void open_scene(struct scene *scene)
{
    char message[200];
    struct text error = TEXT_OVER(message);
    struct server_config config = serving_config("127.0.0.1:0", 100);
    config.handler = no_worker;
    config.quick = quick;
    config.turned = turned;
    config.context = scene;
    scene->server = server_new(&config, &error);
    assert_non_null(scene->server);
    for (size_t i = 0; i < READS; i++)
        scene->reader[i] = connect_to(scene->server);
    scene->writer = connect_to(scene->server);
    if (scene->with_write)
        send_text(scene->writer, "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n");
}

/* Everything that came until the server closed it; the status in it. */
static int status_of(int socket)
{
    char answer[4096];
    size_t length = 0;
    ssize_t count;
    while ((count = recv(socket, answer + length, sizeof answer - 1 - length, 0)) > 0)
        length += (size_t)count;
    close(socket);
    answer[length] = '\0';
    static const char good[] = "HTTP/1.1 200 OK\r\n";
    static const char stopping[] = "HTTP/1.1 503 ";
    if (strncmp(answer, good, sizeof good - 1) == 0)
        return 200;
    return strncmp(answer, stopping, sizeof stopping - 1) == 0 ? 503 : 0;
}

static size_t count_status(const struct scene *scene, int status)
{
    size_t found = 0;
    for (size_t i = 0; i < READS; i++)
        found += status_of(scene->reader[i]) == status;
    return found;
}

TEST(test_few_in_a_turn_while_a_write_waits)
{
    struct scene scene = {.with_write = true};
    open_scene(&scene);
    server_run(scene.server, 0, 30000);
    server_free(scene.server);
    assert_int_equal(scene.most, READS_PER_TURN);
    assert_int_equal(count_status(&scene, 200), READS);
    assert_int_equal(status_of(scene.writer), 200);
}

TEST(test_all_at_once_without_a_write)
{
    struct scene scene = {.with_write = false};
    open_scene(&scene);
    server_run(scene.server, 0, 30000);
    server_free(scene.server);
    assert_true(scene.most > READS_PER_TURN);
    assert_int_equal(count_status(&scene, 200), READS);
    close(scene.writer);
}

/* Without grace: those whose turn has not come are told that the server stops. */
TEST(test_stopping_tells_those_who_wait)
{
    struct scene scene = {.with_write = true, .stop_early = true};
    open_scene(&scene);
    server_run(scene.server, 0, 0);
    assert_non_null(scene.write);
    finish_write(&scene);
    server_free(scene.server);
    assert_true(scene.reads < READS);
    assert_int_equal(status_of(scene.writer), 200);
    assert_int_equal(count_status(&scene, 503), READS - scene.reads);
}

int main(void)
{
    return run_all_tests(NULL, NULL);
}
