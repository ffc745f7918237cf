#include "api/cli/bots/match_run.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "api/cli/bots/match_journal.h"
#include "engine/base/arena.h"

struct run {
    const struct match *match;
    const struct match_plan *plan;
    struct match_journal *journal; /* NULL = none */
    unsigned seatings;
    unsigned long games;   /* at most */
    bool *done;            /* by game */
    pthread_mutex_t mutex; /* protects the members below, `done` and the journal */
    unsigned long next;    /* the next game to play */
    bool over, failed;
    struct match_totals *totals;
    bool on_terminal; /* standard error is a terminal */
    unsigned long played;
    time_t printed_at;
};

/* ---- Figures ---- */

static double beaten_by(const struct match *match, const struct match_result *result,
                        unsigned player)
{
    double sum = 0;
    for (unsigned rival = 0; rival < match->players; rival++)
        if (rival != player)
            sum += result->rank[rival] > result->rank[player]    ? 1
                   : result->rank[rival] == result->rank[player] ? 0.5
                                                                 : 0;
    return match->players < 2 ? 0 : sum / (match->players - 1);
}

static double first_part(const struct match *match, const struct match_result *result,
                         unsigned player)
{
    unsigned winners = 0;
    for (unsigned i = 0; i < match->players; i++)
        winners += result->rank[i] == 1;
    return result->rank[player] == 1 ? 1.0 / winners : 0;
}

/* The figures of one deal, as means over its seatings. */
struct figures {
    double score, rank, first, beaten;
};

struct deal {
    struct figures player[GAME_SEATS_MAX], seat[GAME_SEATS_MAX];
};

static void add_figures(struct figures *sum, const struct figures *more, unsigned parts)
{
    sum->score += more->score / parts;
    sum->rank += more->rank / parts;
    sum->first += more->first / parts;
    sum->beaten += more->beaten / parts;
}

static void find_deal(const struct match *match, unsigned seatings,
                      const struct match_result *results, struct deal *deal)
{
    *deal = (struct deal){.player = {{0}}};
    for (unsigned seating = 0; seating < seatings; seating++)
        for (unsigned place = 0; place < match->players; place++) {
            unsigned player = match_player_at(match, place, seating);
            const struct match_result *result = &results[seating];
            const struct figures figures = {.score = result->score[player],
                                            .rank = result->rank[player],
                                            .first = first_part(match, result, player),
                                            .beaten = beaten_by(match, result, player)};
            add_figures(&deal->player[player], &figures, seatings);
            if (match->seats > 1)
                add_figures(&deal->seat[place], &figures, seatings);
        }
}

/* Adds the differences of `after` from `before`. */
static void add_difference(struct match_total *total, const struct figures *after,
                           const struct figures *before)
{
    shares_add(&total->score, after->score - before->score);
    shares_add(&total->rank, after->rank - before->rank);
    shares_add(&total->first, after->first - before->first);
    shares_add(&total->beaten, after->beaten - before->beaten);
}

static void count_deal(struct match_totals *totals, const struct match *match, unsigned seatings,
                       const struct deal *after, const struct deal *before)
{
    for (unsigned i = 0; i < match->players; i++) {
        add_difference(&totals->player[i], &after->player[i], &before->player[i]);
        if (match->seats > 1)
            add_difference(&totals->seat[i], &after->seat[i], &before->seat[i]);
    }
    totals->deals++;
    totals->games += seatings;
}

void match_compare(const struct match *match, const struct match_plan *plan,
                   const struct match_totals *before, const struct match_totals *after,
                   struct match_totals *difference)
{
    *difference = (struct match_totals){.deals = 0};
    for (unsigned long i = 0; i < before->deals; i++) {
        struct deal old, new;
        find_deal(match, plan->seatings, &before->results[i * plan->seatings], &old);
        find_deal(match, plan->seatings, &after->results[i * plan->seatings], &new);
        count_deal(difference, match, plan->seatings, &new, &old);
    }
}

/* Counts the finished deals, as far as they are consecutive. */
static void count_finished(struct run *run)
{
    while (!run->over) {
        unsigned long first = run->totals->deals * run->seatings;
        for (unsigned i = 0; i < run->seatings; i++)
            if (first + i >= run->games || !run->done[first + i])
                return;
        struct deal deal;
        const struct deal nothing = {.player = {{0}}};
        find_deal(run->match, run->seatings, &run->totals->results[first], &deal);
        count_deal(run->totals, run->match, run->seatings, &deal, &nothing);
        if (run->plan->sprt != NULL)
            run->totals->verdict = sprt_judge(run->plan->sprt, &run->totals->player[0].beaten);
        run->over = run->totals->verdict != SPRT_OPEN;
    }
}

/* ---- Workers ---- */

/* Takes the next game to play. False if there is none. */
static bool take_game(struct run *run, unsigned long *game)
{
    pthread_mutex_lock(&run->mutex);
    while (run->next < run->games && run->done[run->next])
        run->next++;
    bool more = !run->over && !run->failed && run->next < run->games;
    *game = run->next;
    run->next += more;
    pthread_mutex_unlock(&run->mutex);
    return more;
}

/* Prints the progress once a second, on the same line of the terminal. */
static void print_progress(struct run *run)
{
    time_t now = time(NULL);
    if (!run->on_terminal || now == run->printed_at)
        return;
    run->printed_at = now;
    fprintf(stderr, "\rtillroll: %lu of %lu games", run->played, run->games);
}

static void finish(struct run *run, unsigned long game, bool played,
                   const struct match_result *result)
{
    pthread_mutex_lock(&run->mutex);
    run->failed = run->failed || !played ||
                  (run->journal != NULL && !match_journal_add(run->journal, game, result));
    if (played) {
        run->totals->results[game] = *result;
        run->done[game] = true;
        run->played++;
        count_finished(run);
        print_progress(run);
    }
    pthread_mutex_unlock(&run->mutex);
}

static void *work(void *context)
{
    struct run *run = context;
    struct match_worker *worker = match_worker_new(run->match);
    struct match_result result;
    unsigned long game;
    while (take_game(run, &game)) {
        bool played =
            match_play(worker, game / run->seatings, (unsigned)(game % run->seatings), &result);
        finish(run, game, played, &result);
    }
    match_worker_free(worker);
    return NULL;
}

static void work_all(struct run *run)
{
    pthread_t thread[MATCH_WORKERS_MAX];
    unsigned long started = 0;
    while (started + 1 < run->plan->workers &&
           pthread_create(&thread[started], NULL, work, run) == 0)
        started++;
    work(run);
    for (unsigned long i = 0; i < started; i++)
        pthread_join(thread[i], NULL);
}

bool match_run(const struct match *match, const struct match_plan *plan,
               struct match_totals *totals)
{
    struct run run = {.match = match,
                      .plan = plan,
                      .seatings = plan->seatings,
                      .totals = totals,
                      .on_terminal = isatty(STDERR_FILENO) != 0,
                      .mutex = PTHREAD_MUTEX_INITIALIZER};
    *totals = (struct match_totals){.deals = 0};
    run.games = plan->deals * run.seatings;
    totals->results = must(calloc(run.games, sizeof *totals->results));
    run.done = must(calloc(run.games, sizeof *run.done));
    bool good = plan->journal == NULL ||
                (run.journal = match_journal_open(plan->journal, match, run.games, totals->results,
                                                  run.done)) != NULL;
    if (good) {
        for (unsigned long game = 0; game < run.games; game++)
            run.played += run.done[game];
        count_finished(&run);
        work_all(&run);
    }
    if (run.printed_at != 0)
        fprintf(stderr, "\r\x1b[K"); /* cleared for the figures */
    match_journal_close(run.journal);
    free(run.done);
    return good && !run.failed;
}

void match_totals_free(struct match_totals *totals)
{
    free(totals->results);
    totals->results = NULL;
}
