#include "api/cli/bots/match_run.h"

#include <pthread.h>
#include <stdlib.h>

#include "api/cli/bots/match_journal.h"
#include "engine/base/arena.h"

struct run {
    const struct match *match;
    const struct match_plan *plan;
    struct match_journal *journal; /* NULL = none */
    unsigned seatings;
    unsigned long games;          /* at most */
    struct match_result *results; /* by game: deal * seatings + seating */
    bool *done;                   /* by game */
    pthread_mutex_t mutex;        /* of all that follows, and of results, done and the journal */
    unsigned long next;           /* game to be played */
    bool over, failed;
    struct match_totals *totals;
};

/* ---- What counts ---- */

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

static void count_deal(struct run *run, const struct match_result *results)
{
    struct match_totals *totals = run->totals;
    for (unsigned player = 0; player < run->match->players; player++) {
        struct match_total *total = &totals->player[player];
        double beaten = 0, first = 0;
        for (unsigned i = 0; i < run->seatings; i++) {
            beaten += beaten_by(run->match, &results[i], player) / run->seatings;
            first += first_part(run->match, &results[i], player) / run->seatings;
            total->score += results[i].score[player];
            total->rank += results[i].rank[player];
        }
        total->wins += first * run->seatings;
        shares_add(&total->beaten, beaten);
        shares_add(&total->first, first);
    }
    totals->deals++;
    totals->games += run->seatings;
}

/* Counts all deals that follow in order. */
static void count_finished(struct run *run)
{
    while (!run->over) {
        unsigned long first = run->totals->deals * run->seatings;
        for (unsigned i = 0; i < run->seatings; i++)
            if (first + i >= run->games || !run->done[first + i])
                return;
        count_deal(run, &run->results[first]);
        if (run->plan->sprt != NULL)
            run->totals->verdict = sprt_judge(run->plan->sprt, &run->totals->player[0].beaten);
        run->over = run->totals->verdict != SPRT_OPEN;
    }
}

/* ---- Workers ---- */

/* The next game to be played. False if there is none. */
static bool take(struct run *run, unsigned long *game)
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

static void finish(struct run *run, unsigned long game, bool played,
                   const struct match_result *result)
{
    pthread_mutex_lock(&run->mutex);
    run->failed = run->failed || !played ||
                  (run->journal != NULL && !match_journal_add(run->journal, game, result));
    if (played) {
        run->results[game] = *result;
        run->done[game] = true;
        count_finished(run);
    }
    pthread_mutex_unlock(&run->mutex);
}

static void *work(void *context)
{
    struct run *run = context;
    struct match_worker *worker = match_worker_new(run->match);
    struct match_result result;
    unsigned long game;
    while (take(run, &game)) {
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
                      .mutex = PTHREAD_MUTEX_INITIALIZER};
    *totals = (struct match_totals){.deals = 0};
    run.games = plan->deals * run.seatings;
    run.results = must(calloc(run.games, sizeof *run.results));
    run.done = must(calloc(run.games, sizeof *run.done));
    bool good =
        plan->journal == NULL || (run.journal = match_journal_open(plan->journal, match, run.games,
                                                                   run.results, run.done)) != NULL;
    if (good) {
        count_finished(&run);
        work_all(&run);
    }
    match_journal_close(run.journal);
    free(run.results);
    free(run.done);
    return good && !run.failed;
}
