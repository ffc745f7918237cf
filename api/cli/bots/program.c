#include "api/cli/bots/program.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "db/link/now.h"
#include "engine/base/arena.h"

struct program {
    pid_t pid;
    int to, from; /* pipes */
    size_t heard; /* input not yet returned as lines */
    char bytes[PROGRAM_LINE_MAX];
};

/* ---- Starting ---- */

/* Runs in the child: it gets a process group of its own, so that all its processes can be killed;
 * the shell is replaced by the program. */
static void run_in_child(const char *command, int in, int out)
{
    char bytes[8192];
    struct text script = TEXT_OVER(bytes);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    signal(SIGPIPE, SIG_DFL);
    setpgid(0, 0);
    unsetenv("TILLROLL_TOKEN");
    text_add(&script, "exec ");
    text_add(&script, command);
    if (!script.overflow && dup2(in, STDIN_FILENO) >= 0 && dup2(out, STDOUT_FILENO) >= 0)
        execl("/bin/sh", "sh", "-c", bytes, (char *)NULL);
    _exit(127);
}

static void close_both(const int pipe[2])
{
    for (int i = 0; i < 2; i++)
        if (pipe[i] >= 0)
            close(pipe[i]);
}

struct program *program_start(const char *command)
{
    int in[2] = {-1, -1};
    int out[2] = {-1, -1};
    struct program *program = must(calloc(1, sizeof *program));
    bool piped = pipe2(in, O_CLOEXEC) == 0 && pipe2(out, O_CLOEXEC) == 0;
    program->pid = piped ? fork() : -1;
    if (program->pid == 0)
        run_in_child(command, in[0], out[1]);
    if (program->pid < 0) {
        fprintf(stderr, "tillroll: cannot start %s: %s\n", command, strerrordesc_np(errno));
        close_both(in);
        close_both(out);
        free(program);
        return NULL;
    }
    setpgid(program->pid, program->pid);
    close(in[0]);
    close(out[1]);
    program->to = in[1];
    program->from = out[0];
    (void)fcntl(program->to, F_SETFL, O_NONBLOCK);
    (void)fcntl(program->from, F_SETFL, O_NONBLOCK);
    signal(SIGPIPE, SIG_IGN);
    return program;
}

/* ---- Input and output ---- */

static bool wait_for(int file, short event, int64_t end_ms)
{
    struct pollfd each = {.fd = file, .events = event};
    int64_t left_ms = end_ms - now_ms(CLOCK_MONOTONIC);
    return left_ms > 0 && poll(&each, 1, (int)left_ms) > 0;
}

static enum program_status say(struct program *program, const char *bytes, size_t length,
                               int64_t end_ms)
{
    while (length > 0) {
        if (!wait_for(program->to, POLLOUT, end_ms))
            return PROGRAM_LATE;
        ssize_t written = write(program->to, bytes, length);
        if (written < 0 && errno != EAGAIN && errno != EINTR)
            return PROGRAM_ENDED;
        if (written > 0) {
            bytes += written;
            length -= (size_t)written;
        }
    }
    return PROGRAM_GOOD;
}

enum program_status program_say(struct program *program, const char *line, int64_t end_ms)
{
    enum program_status status = say(program, line, strlen(line), end_ms);
    return status == PROGRAM_GOOD ? say(program, "\n", 1, end_ms) : status;
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

/* Removes the first line from the buffer. A full buffer without a line end counts as one. */
static bool take_line(struct program *program, char line[static PROGRAM_LINE_MAX + 1])
{
    const char *end = memchr(program->bytes, '\n', program->heard);
    if (end == NULL && program->heard < sizeof program->bytes)
        return false;
    size_t length = end == NULL ? program->heard : (size_t)(end - program->bytes);
    size_t from = 0;
    size_t to = length;
    while (from < to && is_blank(program->bytes[from]))
        from++;
    while (to > from && is_blank(program->bytes[to - 1]))
        to--;
    memcpy(line, program->bytes + from, to - from);
    line[to - from] = '\0';
    size_t taken = end == NULL ? length : length + 1;
    program->heard -= taken;
    memmove(program->bytes, program->bytes + taken, program->heard);
    return true;
}

enum program_status program_hear(struct program *program, char line[static PROGRAM_LINE_MAX + 1],
                                 int64_t end_ms)
{
    while (!take_line(program, line)) {
        if (!wait_for(program->from, POLLIN, end_ms))
            return PROGRAM_LATE;
        ssize_t more = read(program->from, program->bytes + program->heard,
                            sizeof program->bytes - program->heard);
        if (more == 0 || (more < 0 && errno != EAGAIN && errno != EINTR))
            return PROGRAM_ENDED;
        if (more > 0)
            program->heard += (size_t)more;
    }
    return PROGRAM_GOOD;
}

/* ---- Ending ---- */

static void describe(int status, struct text *how)
{
    if (how == NULL)
        return;
    if (WIFEXITED(status)) {
        text_add(how, "exit status ");
        text_add_number(how, WEXITSTATUS(status));
        return;
    }
    text_add(how, "signal ");
    text_add_number(how, WTERMSIG(status));
    text_add_all(how, " (", sigdescr_np(WTERMSIG(status)), ")");
}

void program_end(struct program *program, unsigned wait_ms, struct text *how)
{
    enum { LOOK_MS = 5 };
    int status = 0;
    if (program == NULL)
        return;
    close(program->to);
    int64_t end_ms = now_ms(CLOCK_MONOTONIC) + wait_ms;
    pid_t ended = waitpid(program->pid, &status, WNOHANG);
    while (ended == 0 && now_ms(CLOCK_MONOTONIC) < end_ms) {
        rest_ms(LOOK_MS);
        ended = waitpid(program->pid, &status, WNOHANG);
    }
    (void)kill(-program->pid, SIGKILL);
    if (ended == 0)
        (void)waitpid(program->pid, &status, 0);
    describe(status, how);
    close(program->from);
    free(program);
}
