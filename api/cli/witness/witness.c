/* `tillroll witness`: a witness of transparency logs (c2sp.org/tlog-witness) on the service's HTTP
 * server. Its rules are in witness_cosign.h, its memory in witness_state.h. */
#include <signal.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "api/cli/cli.h"
#include "api/cli/client.h"
#include "api/cli/witness/deposit_http.h"
#include "api/cli/witness/party_http.h"
#include "api/cli/witness/witness_cosign.h"
#include "db/link/now.h"
#include "db/link/thread.h"

enum { SOURCES_MAX = TRUST_LOGS_MAX * (1 + TRUST_WITNESSES_MAX), ASK_AGAIN_MS = 2000 };

/* A party to be asked, after the start, about the newest checkpoint of one log. */
struct source {
    size_t log; /* index in the policy */
    struct span url;
    bool is_witness, answered;
};

struct program {
    struct witness witness;
    struct deposit_box box;
    struct source source[SOURCES_MAX];
    size_t sources;
    int64_t started_ms;
    char *policy_text;
    volatile bool stopping;
    bool asks; /* the thread `asker` runs */
    pthread_t asker;
};

/* ---- HTTP ---- */

static const char title[] = "The witness does not sign";

static void refuse_head(const struct gate_refusal *refusal, struct arena *arena,
                        struct http_response *response)
{
    party_problem(response, arena, refusal->status, title, refusal->code, refusal->message);
}

static void add_checkpoint(struct program *program, const struct http_request *request,
                           struct arena *arena, struct http_response *response)
{
    struct witness_answer answer;
    char bytes[24];
    struct text size = TEXT_OVER(bytes);
    if (request->method != HTTP_POST) {
        response->allow = "POST";
        party_problem(response, arena, 405, title, "method-not-allowed", "Use POST.");
        return;
    }
    witness_add_checkpoint(&program->witness, request->body,
                           (uint64_t)(now_ms(CLOCK_REALTIME) / 1000), &answer);
    if (answer.status == 200) {
        party_text(response, arena, 200, "text/plain; charset=utf-8", span_of(answer.line));
    } else if (answer.status == 409) {
        text_add_number(&size, (int64_t)answer.size);
        text_add_char(&size, '\n');
        party_text(response, arena, 409, "text/x.tlog.size", text_span(&size));
    } else {
        party_problem(response, arena, answer.status, title, answer.code, answer.message);
    }
}

static void show_checkpoint(struct program *program, const struct http_request *request,
                            struct arena *arena, struct http_response *response)
{
    uint8_t hash[32];
    size_t length = 0;
    char *note = span_hex(request->segment[1], hash, sizeof hash)
                     ? witness_newest(&program->witness, hash, &length)
                     : NULL;
    if (note == NULL)
        party_problem(response, arena, 404, title, "not-found",
                      "This witness has cosigned nothing of a log whose origin has this SHA-256, "
                      "in lower-case hex.");
    else
        party_text(response, arena, 200, "text/plain; charset=utf-8", (struct span){note, length});
    free(note);
}

static void handle(void *context, const struct http_request *request, struct arena *arena,
                   struct http_response *response)
{
    struct program *program = context;
    bool reads = request->method == HTTP_GET || request->method == HTTP_HEAD;
    if (request->segments == 1 && span_is(request->segment[0], "add-checkpoint")) {
        add_checkpoint(program, request, arena, response);
    } else if (request->segments == 2 && span_is(request->segment[0], "checkpoint") && reads) {
        show_checkpoint(program, request, arena, response);
    } else if (!deposit_http_answer(&program->box, &program->witness, title, request, arena,
                                    response)) {
        party_problem(response, arena, 404, title, "not-found",
                      "There is POST /add-checkpoint, GET /checkpoint/<SHA-256 of the origin>, "
                      "POST /add-deposit, GET /deposits/<game> and GET "
                      "/deposits/<game>/<secret>.");
    }
}

/* ---- After the start: is this the newest state? ---- */

static bool ask(struct program *program, struct source *source)
{
    char server[256];
    char bytes[128];
    struct text text = TEXT_OVER(server);
    struct text path = TEXT_OVER(bytes);
    size_t length;
    long status = 0;
    text_add_span(&text, source->url);
    struct client *client = text.overflow ? NULL : client_new(server, NULL);
    if (client == NULL)
        return false;
    text_add(&path, "/checkpoint");
    if (source->is_witness) {
        const char *origin = program->witness.policy.log[source->log].key.name;
        uint8_t hash[32];
        crypto_hash_sha256(hash, (const unsigned char *)origin, strlen(origin));
        text_add_char(&path, '/');
        text_add_hex(&path, hash, sizeof hash);
    }
    const char *note = client_bytes(client, bytes, &length, &status);
    if (note != NULL)
        witness_look_at(&program->witness, (struct span){note, length});
    client_free(client);
    return note != NULL || status == 404;
}

/* Allows signing for logs of which every source has answered. Returns the number of sources that
 * have not. */
static size_t settle(struct program *program)
{
    bool open[TRUST_LOGS_MAX] = {false};
    size_t left = 0;
    for (size_t i = 0; i < program->sources; i++) {
        open[program->source[i].log] |= !program->source[i].answered;
        left += !program->source[i].answered;
    }
    pthread_mutex_lock(&program->witness.mutex);
    memcpy(program->witness.unsure, open, sizeof open);
    pthread_mutex_unlock(&program->witness.mutex);
    return left;
}

static void *ask_all(void *context)
{
    struct program *program = context;
    while (!program->stopping) {
        for (size_t i = 0; i < program->sources && !program->stopping; i++) {
            struct source *source = &program->source[i];
            if (source->answered)
                continue;
            source->answered = ask(program, source);
            if (!source->answered)
                fprintf(stderr, "tillroll: %.*s does not answer; nothing of %s is signed yet\n",
                        (int)source->url.length, source->url.at,
                        program->witness.policy.log[source->log].key.name);
        }
        if (settle(program) == 0)
            break;
        for (int i = 0; i < ASK_AGAIN_MS / 100 && !program->stopping; i++)
            rest_ms(100);
    }
    return NULL;
}

static void find_sources(struct program *program)
{
    const struct witness *witness = &program->witness;
    const struct trust_policy *policy = &witness->policy;
    for (size_t log = 0; log < policy->logs; log++) {
        if (policy->log[log].url.length > 0)
            program->source[program->sources++] =
                (struct source){.log = log, .url = policy->log[log].url};
        for (size_t i = 0; i < policy->parties; i++)
            if (policy->party[i].needed == 0 && policy->party[i].url.length > 0 &&
                memcmp(policy->party[i].key.public, witness->key.public, 32) != 0)
                program->source[program->sources++] =
                    (struct source){.log = log, .url = policy->party[i].url, .is_witness = true};
    }
}

/* ---- Figures ---- */

static void show_figures(struct exposition *exposition, const void *context)
{
    const struct program *program = context;
    const struct witness_counts *figures = &program->witness.figures;
    exposition_counter(exposition, "tillroll_witness_cosignatures_total", "Checkpoints cosigned.",
                       counter_read(&figures->cosigned));
    exposition_counter(exposition, "tillroll_witness_conflicts_total",
                       "Checkpoints that did not begin at the newest cosigned tree.",
                       counter_read(&figures->conflicts));
    exposition_counter(exposition, "tillroll_witness_refusals_total",
                       "Other requests that were refused.", counter_read(&figures->refused));
    exposition_counter(exposition, "tillroll_witness_forks_total",
                       "Trees of one size with different roots, signed by a log.",
                       counter_read(&figures->forks));
    exposition_counter(exposition, "tillroll_witness_recoveries_total",
                       "Cosignatures found that the state did not know.",
                       counter_read(&figures->recovered));
    exposition_counter(exposition, "tillroll_witness_deposits_total",
                       "Moves that players have left, since the witness was made.",
                       counter_read(&program->box.stored));
    process_figures_show(exposition, program->started_ms);
}

/* ---- The command line ---- */

static bool open_key(struct witness *witness, const char *directory)
{
    char path[KEPT_PATH_MAX];
    if (!kept_path(path, directory, "key") || !signer_read(path, &witness->signer))
        return false;
    if (note_key_make_for(&witness->key, NOTE_COSIGNATURE, span_of(witness->state.name),
                          witness->signer.public_key))
        return true;
    fprintf(stderr, "tillroll: %s: the witness has no usable name\n", directory);
    return false;
}

static void print_key(const struct note_key *key)
{
    char bytes[NOTE_KEY_TEXT_MAX];
    struct text text = TEXT_OVER(bytes);
    note_key_print(key, &text);
    printf("%s\n", bytes);
    fflush(stdout);
}

static int make(const struct cli_given *given, const char *directory)
{
    const char *name = cli_value(given, "name");
    const uint8_t none[32] = {0};
    struct note_key key;
    struct signer signer;
    char path[KEPT_PATH_MAX];
    if (name == NULL || !note_key_make_for(&key, NOTE_COSIGNATURE, span_of(name), none))
        return cli_wrong_usage(given, "new needs --name, 1 to 128 printable characters without "
                                      "blank and +");
    if (!kept_directory(directory) || !kept_path(path, directory, "key") ||
        !signer_make(path, &signer))
        return EXIT_NO;
    bool made = witness_state_make(directory, cli_value(given, "guard"), name) &&
                note_key_make_for(&key, NOTE_COSIGNATURE, span_of(name), signer.public_key);
    signer_forget(&signer);
    if (!made)
        return EXIT_NO;
    print_key(&key);
    return EXIT_YES;
}

static void begin(void *context)
{
    struct program *program = context;
    (void)settle(program);
    program->asks = program->sources > 0 && thread_start(&program->asker, ask_all, program);
}

static int serve(struct program *program, const struct cli_given *given, unsigned long rate)
{
    char name[NOTE_NAME_MAX + 16];
    struct text text = TEXT_OVER(name);
    struct party party = {.name = name,
                          .title = title,
                          .address = "127.0.0.1:9466",
                          .refuse = refuse_head,
                          .begin = begin,
                          .answer = handle,
                          .figures = show_figures,
                          .context = program};
    text_add(&text, "witness ");
    text_add(&text, program->witness.key.name);
    find_sources(program);
    int status = party_serve(&party, given, rate);
    program->stopping = true;
    if (program->asks)
        pthread_join(program->asker, NULL);
    return status;
}

static int open_and_serve(struct program *program, const struct cli_given *given,
                          const char *directory)
{
    unsigned long rate;
    int status = EXIT_UNKNOWN;
    if (!cli_value_number(given, "rate", 0, 1000000, 600, &rate))
        return EXIT_UNKNOWN;
    program->policy_text =
        party_policy_read(cli_value(given, "policy"), "witness serve", &program->witness.policy);
    if (program->policy_text == NULL)
        return EXIT_UNKNOWN;
    if (witness_state_open(&program->witness.state, directory, cli_value(given, "guard"))) {
        if (open_key(&program->witness, directory) && deposit_box_open(&program->box, directory)) {
            status = serve(program, given, rate);
            deposit_box_close(&program->box);
        }
        witness_state_close(&program->witness.state);
    }
    signer_forget(&program->witness.signer);
    return status;
}

static int show(struct program *program, const char *directory)
{
    int status = EXIT_NO;
    if (!witness_state_look(&program->witness.state, directory))
        return EXIT_NO;
    if (open_key(&program->witness, directory)) {
        print_key(&program->witness.key);
        status = EXIT_YES;
    }
    witness_state_close(&program->witness.state);
    signer_forget(&program->witness.signer);
    return status;
}

int cli_witness(const struct cli_given *given)
{
    static struct program program; /* too large for the stack */
    const char *what = given->word[0];
    const char *directory = given->word[1];
    program = (struct program){.started_ms = now_ms(CLOCK_REALTIME)};
    pthread_mutex_init(&program.witness.mutex, NULL);
    (void)signal(SIGPIPE, SIG_IGN);
    int status;
    if (strcmp(what, "new") == 0)
        status = make(given, directory);
    else if (strcmp(what, "public") == 0)
        status = show(&program, directory);
    else if (strcmp(what, "serve") == 0)
        status = open_and_serve(&program, given, directory);
    else
        status = cli_wrong_usage(given, "takes new, public or serve, and a directory");
    free(program.policy_text);
    return status;
}
