/* The server from the inside: starting, stopping from another thread, addresses, and the workers.
 * What goes over sockets is tested by gate.test.mjs and server.test.mjs.
 */
#include <arpa/inet.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "api/http/server.h"
#include "api/http/workers.h"
#include "tests/api/http/serving.h"
#include "tests/test.h"

static void answer_ok(void *context, const struct http_request *request, struct arena *arena,
                      struct http_response *response)
{
    (void)context;
    (void)request;
    (void)arena;
    response->status = 200;
    response->body = span_of("ok");
}

static struct server_config config_for(const char *address)
{
    struct server_config config = serving_config(address, 16);
    config.handler = answer_ok;
    return config;
}

static struct server *new_server(const char *address)
{
    char message[200];
    struct text error = TEXT_OVER(message);
    struct server_config config = config_for(address);
    struct server *server = server_new(&config, &error);
    if (server == NULL)
        fail_msg("%s", message);
    return server;
}

static void assert_no_server(const char *address)
{
    char message[200];
    struct text error = TEXT_OVER(message);
    struct server_config config = config_for(address);
    assert_null(server_new(&config, &error));
    assert_true(error.length > 0);
}

TEST(test_bad_addresses)
{
    static const char *const address[] = {
        "",
        "127.0.0.1",
        "127.0.0.1:",
        ":8080",
        "127.0.0.1:65536",
        "127.0.0:x",
        "127.0.0.1:-1",
        "[::1:0",
        "::1",
        "[]:0",
        "256.0.0.1:0",
        "a b:1",
        "127.0.0.1:00080",
        "203.0.113.77:0",
    };
    for (size_t i = 0; i < sizeof address / sizeof address[0]; i++)
        assert_no_server(address[i]);
}

TEST(test_address_in_use)
{
    struct server *first = new_server("127.0.0.1:0");
    char address[32];
    struct text text = TEXT_OVER(address);
    text_add(&text, "127.0.0.1:");
    text_add_number(&text, server_port(first));
    assert_no_server(address);
    server_free(first);
    server_free(new_server(address));
}

TEST(test_descriptors_are_given_back)
{
    server_free(new_server("127.0.0.1:0"));
    int before = dup(0);
    close(before);
    assert_no_server("nonsense");
    for (int i = 0; i < 3; i++)
        server_free(new_server("127.0.0.1:0"));
    int after = dup(0);
    close(after);
    assert_int_equal(before, after);
}

TEST(test_stop_before_run)
{
    struct server *server = new_server("127.0.0.1:0");
    server_stop(server);
    server_run(server, 0, 1000);
    server_free(server);
}

TEST(test_signals_are_blocked_meanwhile)
{
    sigset_t now;
    struct server *server = new_server("127.0.0.1:0");
    pthread_sigmask(SIG_SETMASK, NULL, &now);
    assert_true(sigismember(&now, SIGTERM));
    server_free(server);
    pthread_sigmask(SIG_SETMASK, NULL, &now);
    assert_false(sigismember(&now, SIGTERM));
}

struct client {
    struct server *server;
    int socket;
    char answer[2048];
};

static void *ask_and_stop(void *context)
{
    static const char request[] = "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";
    struct client *client = context;
    size_t length = 0;
    ssize_t count = send(client->socket, request, sizeof request - 1, 0);
    while (count > 0 && length < sizeof client->answer - 1) {
        count =
            recv(client->socket, client->answer + length, sizeof client->answer - 1 - length, 0);
        length += count > 0 ? (size_t)count : 0;
    }
    server_stop(client->server);
    return NULL;
}

static void serve_one(struct server *server, struct sockaddr *address, socklen_t size)
{
    struct client client = {.server = server, .socket = socket(address->sa_family, SOCK_STREAM, 0)};
    assert_int_equal(connect(client.socket, address, size), 0);
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, ask_and_stop, &client), 0);
    server_run(server, 0, 5000);
    pthread_join(thread, NULL);
    close(client.socket);
    server_free(server);
    assert_memory_equal(client.answer, "HTTP/1.1 200 OK\r\n", 17);
    assert_non_null(strstr(client.answer, "\r\n\r\nok"));
}

TEST(test_serve_and_stop)
{
    struct server *server = new_server("127.0.0.1:0");
    struct sockaddr_in address = {.sin_family = AF_INET,
                                  .sin_port = htons((uint16_t)server_port(server)),
                                  .sin_addr = {htonl(INADDR_LOOPBACK)}};
    serve_one(server, (struct sockaddr *)&address, sizeof address);
}

static bool has_ipv6(void)
{
    struct sockaddr_in6 address = {.sin6_family = AF_INET6, .sin6_addr = IN6ADDR_LOOPBACK_INIT};
    int probe = socket(AF_INET6, SOCK_STREAM, 0);
    bool bound = probe >= 0 && bind(probe, (struct sockaddr *)&address, sizeof address) == 0;
    if (probe >= 0)
        close(probe);
    return bound;
}

TEST(test_serve_ipv6)
{
    if (!has_ipv6())
        skip();
    struct server *server = new_server("[::1]:0");
    struct sockaddr_in6 address = {.sin6_family = AF_INET6,
                                   .sin6_port = htons((uint16_t)server_port(server)),
                                   .sin6_addr = IN6ADDR_LOOPBACK_INIT};
    serve_one(server, (struct sockaddr *)&address, sizeof address);
}

/* -- workers -- */

struct piece {
    struct work work;
    atomic_bool *gate; /* waits for it to open; NULL = does not wait */
    atomic_bool begun;
    bool run;
    unsigned together, place; /* run_pieces() */
};

static void run_piece(struct work *work)
{
    struct piece *piece = (struct piece *)work;
    atomic_store(&piece->begun, true);
    while (piece->gate != NULL && !atomic_load(piece->gate))
        sched_yield();
    piece->run = true;
}

static size_t take_done(struct workers *workers)
{
    size_t count = 0;
    for (struct work *each = workers_take_done(workers); each != NULL; each = each->next)
        count++;
    return count;
}

/* Waits for `count` pieces to be done. */
static void collect(struct workers *workers, size_t count)
{
    while (count > 0) {
        struct pollfd ready = {.fd = workers_done_fd(workers), .events = POLLIN};
        assert_int_equal(poll(&ready, 1, 30 * 1000), 1);
        count -= take_done(workers);
    }
}

TEST(test_workers_do_all)
{
    enum { PIECES = 1000 };
    static struct piece piece[PIECES];
    size_t done = 0;
    struct workers *workers = workers_new(4, 1, 16, run_piece);
    assert_non_null(workers);
    for (size_t i = 0; i < PIECES; i++) {
        while (workers_full(workers, 0))
            done += take_done(workers);
        workers_add(workers, &piece[i].work);
        if (i % 7 == 0 || workers_full(workers, 0))
            workers_hand_over(workers);
    }
    workers_hand_over(workers);
    collect(workers, PIECES - done);
    workers_stop(workers);
    for (size_t i = 0; i < PIECES; i++)
        assert_true(piece[i].run);
    workers_free(workers);
}

/* How many pieces were taken together, in the first of them; and its place, in all of them. */
static void run_pieces(struct work *first)
{
    unsigned place = 0;
    run_piece(first);
    for (struct work *each = first; each != NULL; each = each->next)
        ((struct piece *)each)->place = ++place;
    ((struct piece *)first)->together = place;
}

/* One thread, which is busy with the first piece until all others wait. */
TEST(test_workers_take_several)
{
    enum { PIECES = 8, AT_ONCE = 3 };
    static const unsigned together[PIECES] = {1, 3, 0, 0, 3, 0, 0, 1};
    static const unsigned place[PIECES] = {1, 1, 2, 3, 1, 2, 3, 1};
    atomic_bool gate = false;
    struct piece piece[PIECES] = {{.gate = &gate}};
    struct workers *workers = workers_new(1, AT_ONCE, PIECES, run_pieces);
    workers_add(workers, &piece[0].work);
    workers_hand_over(workers);
    while (!atomic_load(&piece[0].begun))
        sched_yield();
    for (size_t i = 1; i < PIECES; i++)
        workers_add(workers, &piece[i].work);
    workers_hand_over(workers);
    atomic_store(&gate, true);
    collect(workers, PIECES);
    workers_stop(workers);
    for (size_t i = 0; i < PIECES; i++) {
        assert_int_equal(piece[i].together, together[i]);
        assert_int_equal(piece[i].place, place[i]);
    }
    workers_free(workers);
}

TEST(test_workers_full)
{
    atomic_bool gate = false;
    struct piece piece[5] = {
        {.gate = &gate}, {.gate = &gate}, {.gate = &gate}, {.gate = &gate}, {.gate = &gate}};
    struct workers *workers = workers_new(2, 1, 3, run_piece);
    for (size_t i = 0; i < 5; i++) {
        assert_false(workers_full(workers, 0));
        assert_int_equal(workers_full(workers, 2), i >= 3);
        workers_add(workers, &piece[i].work);
    }
    assert_true(workers_full(workers, 0));
    workers_hand_over(workers);
    assert_true(workers_full(workers, 0));
    assert_null(workers_take_done(workers));
    atomic_store(&gate, true);
    collect(workers, 5);
    assert_false(workers_full(workers, 0));
    workers_stop(workers);
    workers_free(workers);
}

static void *open_gate(void *gate)
{
    atomic_store((atomic_bool *)gate, true);
    return NULL;
}

/* All three count as done, though some were never run. */
TEST(test_workers_stop_with_work_waiting)
{
    atomic_bool gate = false;
    struct piece piece[3] = {{.gate = &gate}, {.gate = &gate}, {.gate = &gate}};
    struct workers *workers = workers_new(1, 1, 2, run_piece);
    for (size_t i = 0; i < 3; i++)
        workers_add(workers, &piece[i].work);
    workers_hand_over(workers);
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, open_gate, &gate), 0);
    workers_stop(workers);
    pthread_join(thread, NULL);
    assert_int_equal(take_done(workers), 3);
    workers_free(workers);
}

int main(void)
{
    return run_all_tests(NULL, NULL);
}
