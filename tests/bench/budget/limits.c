/* What the parts of a move cost at least on this machine: each alone, over and over, with nothing
 * around it. Prints `<name> <microseconds of processor time>` a line, for tests/bench/run budget.
 */
#include <jansson.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum { TURNS = 20000 };

static double used_us(int who)
{
    struct rusage used;
    getrusage(who, &used);
    return (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) * 1e6 +
           (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec);
}

static void hash_line(void)
{
    static uint8_t line[128], hash[32];
    crypto_hash_sha256(hash, line, sizeof line);
    memcpy(line, hash, sizeof hash);
}

static void sign_commit(void)
{
    static uint8_t public[32], secret[64], message[96], signature[64];
    if (sodium_is_zero(secret, sizeof secret))
        crypto_sign_keypair(public, secret);
    crypto_sign_detached(signature, NULL, message, sizeof message, secret);
    memcpy(message, signature, sizeof signature);
}

static void read_body(void)
{
    static const char body[] = "{\"moves\":[\"build yamanote shinjuku shibuya\"],\"seq\":117}";
    json_t *read = json_loadb(body, sizeof body - 1, 0, NULL);
    if (json_integer_value(json_object_get(read, "seq")) != 117)
        abort();
    json_decref(read);
}

static void measure(const char *name, void (*once)(void))
{
    once();
    double before_us = used_us(RUSAGE_SELF);
    for (int i = 0; i < TURNS; i++)
        once();
    printf("%s %.2f\n", name, (used_us(RUSAGE_SELF) - before_us) / TURNS);
}

/* Two processes of which each waits for the other: what waking and being woken take. */
static void answer_all(int socket, size_t size)
{
    char bytes[1024];
    while (recv(socket, bytes, size, MSG_WAITALL) == (ssize_t)size)
        if (send(socket, bytes, size, 0) != (ssize_t)size)
            break;
}

static void ask_all(const char *name, int one, int other, size_t size)
{
    char bytes[1024] = {0};
    double before_us = used_us(RUSAGE_SELF) + used_us(RUSAGE_CHILDREN);
    fflush(stdout);
    pid_t child = fork();
    if (child < 0)
        exit(EXIT_FAILURE);
    if (child == 0) {
        close(one);
        answer_all(other, size);
        _exit(0);
    }
    close(other);
    for (int i = 0; i < TURNS; i++)
        if (send(one, bytes, size, 0) != (ssize_t)size ||
            recv(one, bytes, size, MSG_WAITALL) != (ssize_t)size)
            exit(EXIT_FAILURE);
    close(one);
    waitpid(child, NULL, 0);
    double after_us = used_us(RUSAGE_SELF) + used_us(RUSAGE_CHILDREN);
    printf("%s %.2f\n", name, (after_us - before_us) / TURNS);
}

static void over_tcp(int pair[static 2])
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof address;
    int on = 1;
    int listening = socket(AF_INET, SOCK_STREAM, 0);
    pair[0] = socket(AF_INET, SOCK_STREAM, 0);
    if (bind(listening, (struct sockaddr *)&address, size) != 0 || listen(listening, 1) != 0 ||
        getsockname(listening, (struct sockaddr *)&address, &size) != 0 ||
        connect(pair[0], (struct sockaddr *)&address, size) != 0)
        exit(EXIT_FAILURE);
    pair[1] = accept(listening, NULL, NULL);
    setsockopt(pair[0], IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    setsockopt(pair[1], IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    close(listening);
}

int main(void)
{
    int pair[2];
    if (sodium_init() < 0)
        return EXIT_FAILURE;
    measure("hash", hash_line);
    measure("sign", sign_commit);
    measure("json", read_body);
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair) != 0)
        return EXIT_FAILURE;
    ask_all("unix", pair[0], pair[1], 300);
    over_tcp(pair);
    ask_all("tcp", pair[0], pair[1], 600);
    return EXIT_SUCCESS;
}
