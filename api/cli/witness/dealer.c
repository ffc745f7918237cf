/* `tillroll dealer`: gives verifiable random outputs to services that it knows, for the luck of
 * their games (engine/record/dealer.h), one for each game or round. */
#include <pthread.h>
#include <signal.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "api/cli/cli.h"
#include "api/cli/signer.h"
#include "api/cli/witness/dealer_state.h"
#include "api/cli/witness/party_http.h"
#include "db/link/now.h"
#include "engine/base/counter.h"
#include "engine/log/trust_policy.h"

enum { LISTED_MAX = 200 };

struct program {
    pthread_mutex_t mutex; /* protects the state */
    struct dealer_state state;
    struct signer signer;
    struct trust_policy policy; /* names the logs whose services are answered */
    char *policy_text;
    int64_t started_ms;
    struct counter answered, repeated, refused;
};

/* ---- HTTP ---- */

static const char title[] = "The dealer does not answer";

static void refuse_head(const struct gate_refusal *refusal, struct arena *arena,
                        struct http_response *response)
{
    party_problem(response, arena, refusal->status, title, refusal->code, refusal->message);
}

static bool is_signed(const struct program *program, const struct note *note)
{
    for (size_t i = 0; i < program->policy.logs; i++)
        if (note_verify(note, &program->policy.log[i].key) == NOTE_SIGNED)
            return true;
    return false;
}

/* The problem with a request: an HTTP status, 0 = none. */
struct problem {
    int status;
    const char *code, *detail;
};

static struct problem judge(struct program *program, struct span body, struct dealer_input *input)
{
    static const struct problem memory[] = {
        [DEALER_NEW] = {0, NULL, NULL},
        [DEALER_REPEATED] = {0, NULL, NULL},
        [DEALER_OTHER] = {409, "already-answered",
                          "This dealer has already answered for this game or round, with another "
                          "commitment or other entropy; it answers only once."},
        [DEALER_FULL] = {507, "full",
                         "This dealer has given as many answers as it can remember; it needs a new "
                         "key."},
        [DEALER_FAILED] = {500, "not-stored",
                           "The answer could not be stored, so it was not given."}};
    struct note note;
    if (!note_read(body, &note) || !dealer_input_read(note.text, input))
        return (struct problem){400, "bad-request",
                                "The body is a signed note of four lines: tillroll dealer 1, the "
                                "scope, the commitment, and the hash of the entropy or -."};
    if (!is_signed(program, &note))
        return (struct problem){403, "not-signed",
                                "No log that this dealer knows has signed the request."};
    pthread_mutex_lock(&program->mutex);
    enum dealer_memory found = dealer_state_take(&program->state, input);
    pthread_mutex_unlock(&program->mutex);
    if (memory[found].status == 0)
        counter_add_shared(found == DEALER_NEW ? &program->answered : &program->repeated, 1);
    return memory[found];
}

static void answer_proof(const struct program *program, const struct dealer_input *input,
                         struct arena *arena, struct http_response *response)
{
    char bytes[DEALER_INPUT_MAX];
    char hex[2 * ECVRF_PROOF + 2];
    struct text text = TEXT_OVER(bytes);
    struct text proof_text = TEXT_OVER(hex);
    uint8_t proof[ECVRF_PROOF];
    dealer_input_print(input, &text);
    if (!ecvrf_prove(program->signer.secret_key, text_span(&text), proof)) {
        party_problem(response, arena, 500, title, "internal-error", "There is no proof of this.");
        return;
    }
    text_add_hex(&proof_text, proof, sizeof proof);
    text_add_char(&proof_text, '\n');
    party_text(response, arena, 200, "text/plain; charset=utf-8", text_span(&proof_text));
}

static void deal(struct program *program, const struct http_request *request, struct arena *arena,
                 struct http_response *response)
{
    struct dealer_input input;
    if (request->method != HTTP_POST) {
        response->allow = "POST";
        party_problem(response, arena, 405, title, "method-not-allowed", "Use POST.");
        return;
    }
    struct problem problem = judge(program, request->body, &input);
    if (problem.status == 0) {
        answer_proof(program, &input, arena, response);
        return;
    }
    counter_add_shared(&program->refused, 1);
    party_problem(response, arena, problem.status, title, problem.code, problem.detail);
}

/* Lists answers in order of time, starting at a number from 0. */
static void list(struct program *program, struct span word, struct arena *arena,
                 struct http_response *response)
{
    char bytes[LISTED_MAX * DEALER_INPUT_MAX];
    struct text text = TEXT_OVER(bytes);
    uint64_t from;
    if (!span_number(word, DEALER_ANSWERS_MAX, &from)) {
        party_problem(response, arena, 404, title, "not-found",
                      "Use a number from 0: of the first answer that you want to see.");
        return;
    }
    pthread_mutex_lock(&program->mutex);
    for (size_t i = (size_t)from; i < program->state.answers.count && i < from + LISTED_MAX; i++)
        dealer_answer_print(program->state.answers.item[i], &text);
    pthread_mutex_unlock(&program->mutex);
    party_text(response, arena, 200, "text/plain; charset=utf-8", text_span(&text));
}

static void handle(void *context, const struct http_request *request, struct arena *arena,
                   struct http_response *response)
{
    struct program *program = context;
    bool reads = request->method == HTTP_GET || request->method == HTTP_HEAD;
    if (request->segments == 1 && span_is(request->segment[0], "deal")) {
        deal(program, request, arena, response);
    } else if (request->segments == 2 && span_is(request->segment[0], "answers") && reads) {
        list(program, request->segment[1], arena, response);
    } else {
        party_problem(response, arena, 404, title, "not-found",
                      "There is only POST /deal and GET /answers/<number of the first>.");
    }
}

/* ---- Figures ---- */

static void show_figures(struct exposition *exposition, const void *context)
{
    const struct program *program = context;
    exposition_counter(exposition, "tillroll_dealer_answers_total", "Outputs given, for new input.",
                       counter_read(&program->answered));
    exposition_counter(exposition, "tillroll_dealer_repeated_total",
                       "Outputs given again, for the same input.",
                       counter_read(&program->repeated));
    exposition_counter(exposition, "tillroll_dealer_refusals_total", "Requests that were refused.",
                       counter_read(&program->refused));
    process_figures_show(exposition, program->started_ms);
}

/* ---- The command line ---- */

static int print_key(const struct signer *signer)
{
    char bytes[2 * ECVRF_KEY + 1];
    struct text text = TEXT_OVER(bytes);
    text_add_hex(&text, signer->public_key, ECVRF_KEY);
    printf("%s\n", bytes);
    return EXIT_YES;
}

static int make(struct program *program, const char *directory)
{
    char path[KEPT_PATH_MAX];
    return kept_directory(directory) && kept_path(path, directory, "key") &&
                   signer_make(path, &program->signer) && dealer_state_make(directory)
               ? print_key(&program->signer)
               : EXIT_NO;
}

static bool open_key(struct program *program, const char *directory)
{
    char path[KEPT_PATH_MAX];
    return kept_path(path, directory, "key") && signer_read(path, &program->signer);
}

static int serve(struct program *program, const struct cli_given *given, const char *directory)
{
    struct party party = {.name = "dealer",
                          .title = title,
                          .address = "127.0.0.1:9468",
                          .refuse = refuse_head,
                          .answer = handle,
                          .figures = show_figures,
                          .context = program};
    unsigned long rate;
    if (!cli_value_number(given, "rate", 0, 1000000, 6000, &rate) ||
        (program->policy_text = party_policy_read(cli_value(given, "policy"), "dealer serve",
                                                  &program->policy)) == NULL ||
        !open_key(program, directory) || !dealer_state_open(&program->state, directory))
        return EXIT_UNKNOWN;
    int status = party_serve(&party, given, rate);
    dealer_state_close(&program->state);
    return status;
}

int cli_dealer(const struct cli_given *given)
{
    static struct program program; /* too large for the stack */
    const char *what = given->word[0];
    const char *directory = given->word[1];
    program = (struct program){.started_ms = now_ms(CLOCK_REALTIME)};
    pthread_mutex_init(&program.mutex, NULL);
    (void)signal(SIGPIPE, SIG_IGN);
    int status;
    if (strcmp(what, "new") == 0)
        status = make(&program, directory);
    else if (strcmp(what, "public") == 0)
        status = open_key(&program, directory) ? print_key(&program.signer) : EXIT_NO;
    else if (strcmp(what, "serve") == 0)
        status = serve(&program, given, directory);
    else
        status = cli_wrong_usage(given, "takes new, public or serve, and a directory");
    signer_forget(&program.signer);
    free(program.policy_text);
    return status;
}
