/* `tillroll train`: learns the value of positions (engine/search/value.h) from games among players
 * of the level `casual`.
 *
 * With rivals: logistic regression on the difference of two seats' features, predicting which of
 * them finishes ahead (Bradley and Terry, 1952). Alone: linear regression on the seat's features,
 * predicting its final score.
 *
 * Both have two weights for each feature, for the start and the end of the game, a ridge penalty
 * (Hoerl and Kennard, 1970), and Newton's method. The games, and so the weights, follow from the
 * seed. Only + - * / of doubles are used, whose results IEEE 754 defines exactly. */
#include <math.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/cli/bots/policy.h"
#include "api/cli/cli.h"
#include "engine/base/arena.h"
#include "engine/search/value.h"

enum {
    TERMS_MAX = 2 * GAME_FEATURES_MAX,
    STEPS = 12,   /* of Newton's method */
    ONE_IN = 6,   /* one of so many plies is sampled, on average */
    HELD_BACK = 8 /* one of so many games is used only to test what was learned from the others */
};

/* The features of one seat at one moment. */
struct sample {
    uint32_t game;
    uint16_t phase;
    int16_t feature[GAME_FEATURES_MAX];
};

struct training {
    const struct game *game;
    unsigned long games;
    struct chance chance;
    unsigned seats_least, seats_most;
    unsigned terms;           /* 2 for each feature */
    struct outcome *outcomes; /* by game */
    struct sample *samples;   /* by seat; those of one moment are consecutive */
    size_t count, capacity;
    double scale[TERMS_MAX]; /* root mean square of each term */
    double weight[TERMS_MAX];
};

/* ---- Games ---- */

static struct chance game_chance(const struct training *training, unsigned long number)
{
    struct chance_stream stream;
    chance_open(&stream, &training->chance, "train", (uint32_t)(number * CHANCE_SEED_BYTES));
    return policy_luck(&stream);
}

static void add_samples(struct training *training, uint32_t number, const void *state,
                        unsigned seats)
{
    int32_t feature[GAME_FEATURES_MAX];
    if (training->count + seats > training->capacity) {
        training->capacity = 2 * training->capacity + 4096;
        training->samples =
            must(realloc(training->samples, training->capacity * sizeof *training->samples));
    }
    for (unsigned seat = 0; seat < seats; seat++) {
        struct sample *sample = &training->samples[training->count++];
        *sample = (struct sample){.game = number};
        sample->phase = (uint16_t)training->game->features(training->game, state, seat, feature);
        for (unsigned i = 0; i < training->game->feature_count; i++)
            sample->feature[i] = (int16_t)feature[i];
    }
}

static void play_game(struct training *training, uint32_t number, struct level_player *player,
                      struct move_list *list)
{
    const struct game *game = training->game;
    _Alignas(8) unsigned char state[GAME_STATE_MAX] = {0};
    struct chance chance = game_chance(training, number);
    struct game_options options = game_options_initial(game);
    struct chance_stream stream;
    uint32_t deciders;
    unsigned seats =
        training->seats_least + number % (training->seats_most - training->seats_least + 1);
    chance_open(&stream, &chance, "train/luck", 0);
    game->setup(game, state, seats, &options, &chance);
    while ((deciders = game->deciders(state)) != 0) {
        struct refusal refusal;
        struct chance luck = {.stacks = NULL};
        unsigned seat = 0;
        while ((deciders >> seat & 1) == 0)
            seat++;
        if (chance_uniform(&stream, ONE_IN) == 0)
            add_samples(training, number, state, seats);
        for (size_t i = 0; i < 4; i++)
            luck.seed[i] = (uint8_t)chance_uniform(&stream, 256);
        move_list_clear(list);
        game->legal(game, state, seat, list);
        size_t move = level_choose(player, state, seat, &luck, list);
        if (!game->play(game, state, seat, move_list_get(list, move), &chance, &refusal))
            abort();
    }
    game->outcome(game, state, &training->outcomes[number]);
}

static void play_games(struct training *training)
{
    struct move_list list;
    struct level_player *player =
        must(level_player_new(training->game, level_named(span_of("casual"))));
    training->outcomes = must(calloc(training->games, sizeof *training->outcomes));
    if (!move_list_init(&list, training->game))
        abort();
    for (unsigned long number = 0; number < training->games; number++)
        play_game(training, (uint32_t)number, player, &list);
    move_list_free(&list);
    level_player_free(player);
}

/* ---- Rows: terms and target ---- */

struct row {
    double term[TERMS_MAX];
    double target; /* with rivals: 1 ahead, 1/2 level, 0 behind; alone: the score */
};

static void add_terms(const struct training *training, const struct sample *sample, double sign,
                      struct row *row)
{
    double late = (double)sample->phase / GAME_PHASE_END;
    for (unsigned i = 0; i < training->terms / 2; i++) {
        row->term[2 * i] += sign * sample->feature[i] * (1 - late);
        row->term[2 * i + 1] += sign * sample->feature[i] * late;
    }
}

static void fill_row(const struct training *training, const struct outcome *outcome,
                     const struct sample *moment, unsigned seat, unsigned rival, struct row *row)
{
    memset(row, 0, sizeof *row);
    add_terms(training, &moment[seat], 1, row);
    if (outcome->seats == 1) {
        row->target = outcome->score[0];
        return;
    }
    add_terms(training, &moment[rival], -1, row);
    row->target = outcome->rank[seat] < outcome->rank[rival]    ? 1
                  : outcome->rank[seat] == outcome->rank[rival] ? 0.5
                                                                : 0;
}

typedef void row_use(struct training *training, const struct row *row, void *context);

/* Calls `use` for each row, either of the test games or of the others. */
static void for_each_row(struct training *training, bool held_back, row_use *use, void *context)
{
    struct row row;
    for (size_t i = 0; i < training->count;) {
        const struct sample *moment = &training->samples[i];
        const struct outcome *outcome = &training->outcomes[moment->game];
        i += outcome->seats;
        if ((moment->game % HELD_BACK == 0) != held_back)
            continue;
        for (unsigned seat = 0; seat < outcome->seats; seat++)
            for (unsigned rival = outcome->seats == 1 ? 0 : seat + 1; rival < outcome->seats;
                 rival++) {
                fill_row(training, outcome, moment, seat, rival, &row);
                use(training, &row, context);
            }
    }
}

/* ---- Learning ---- */

struct step {
    double rows;
    double slope[TERMS_MAX];
    double curve[TERMS_MAX][TERMS_MAX];
};

static void add_scale(struct training *training, const struct row *row, void *context)
{
    struct step *step = context;
    step->rows++;
    for (unsigned i = 0; i < training->terms; i++)
        step->slope[i] += row->term[i] * row->term[i];
}

static double guess(const struct training *training, const struct row *row)
{
    double sum = 0;
    for (unsigned i = 0; i < training->terms; i++)
        sum += training->weight[i] * row->term[i];
    if (training->seats_most == 1)
        return sum;
    double strength = sum * VALUE_LOGIT;
    strength = strength > 1e6 ? 1e6 : strength < -1e6 ? -1e6 : strength;
    return (double)value_logistic((int32_t)strength) / VALUE_ONE;
}

static void add_slope(struct training *training, const struct row *row, void *context)
{
    struct step *step = context;
    double chance = guess(training, row);
    double curve = training->seats_most == 1 ? 1 : chance * (1 - chance);
    step->rows++;
    for (unsigned i = 0; i < training->terms; i++) {
        if (row->term[i] == 0)
            continue;
        step->slope[i] += (row->target - chance) * row->term[i];
        for (unsigned j = 0; j <= i; j++)
            step->curve[i][j] += curve * row->term[i] * row->term[j];
    }
}

/* Solves curve * change = slope by Cholesky decomposition; the curve is overwritten. */
static void solve(struct step *step, unsigned terms, double *change)
{
    for (unsigned i = 0; i < terms; i++)
        for (unsigned j = 0; j <= i; j++) {
            double sum = step->curve[i][j];
            for (unsigned k = 0; k < j; k++)
                sum -= step->curve[i][k] * step->curve[j][k];
            step->curve[i][j] = i == j ? sqrt(sum) : sum / step->curve[j][j];
        }
    for (unsigned i = 0; i < terms; i++) {
        change[i] = step->slope[i];
        for (unsigned k = 0; k < i; k++)
            change[i] -= step->curve[i][k] * change[k];
        change[i] /= step->curve[i][i];
    }
    for (unsigned i = terms; i-- > 0;) {
        for (unsigned k = i + 1; k < terms; k++)
            change[i] -= step->curve[k][i] * change[k];
        change[i] /= step->curve[i][i];
    }
}

/* The penalty per row for a weight whose term has its usual size. */
static const double ridge = 0.0005;

static void learn(struct training *training)
{
    struct step *step = must(calloc(1, sizeof *step));
    double change[TERMS_MAX];
    for_each_row(training, false, add_scale, step);
    for (unsigned i = 0; i < training->terms; i++)
        training->scale[i] = step->slope[i] / step->rows;
    for (int i = 0; i < (training->seats_most == 1 ? 1 : STEPS); i++) {
        memset(step, 0, sizeof *step);
        for_each_row(training, false, add_slope, step);
        for (unsigned j = 0; j < training->terms; j++) {
            double price = ridge * step->rows * (training->scale[j] + 1e-6);
            step->slope[j] -= price * training->weight[j];
            step->curve[j][j] += price;
        }
        solve(step, training->terms, change);
        for (unsigned j = 0; j < training->terms; j++)
            training->weight[j] += change[j];
    }
    free(step);
}

/* ---- The file ---- */

struct error {
    double rows, squares;
};

static void add_error(struct training *training, const struct row *row, void *context)
{
    struct error *error = context;
    double miss = row->target - guess(training, row);
    error->rows++;
    error->squares += miss * miss;
}

static double error_of(struct training *training)
{
    struct error error = {0};
    for_each_row(training, true, add_error, &error);
    return error.rows == 0 ? 0 : error.squares / error.rows;
}

/* Computes the mean squared error on the test games, of this value and of the score alone (feature
 * 1). */
static void compare(struct training *training, double *with, double *score_alone)
{
    double weight[TERMS_MAX];
    unsigned terms = training->terms;
    *with = error_of(training);
    memcpy(weight, training->weight, sizeof weight);
    memset(training->weight, 0, sizeof training->weight);
    training->terms = 4;
    learn(training);
    *score_alone = error_of(training);
    memcpy(training->weight, weight, sizeof weight);
    training->terms = terms;
}

static void print_weights(FILE *file, const struct training *training, double with, double score)
{
    char hex[2 * CHANCE_SEED_BYTES + 1];
    struct text text = TEXT_OVER(hex);
    text_add_hex(&text, training->chance.seed, CHANCE_SEED_BYTES);
    fprintf(file, "tillroll-value 1 %s %u\n", training->game->slug, training->terms / 2);
    fprintf(
        file,
        "from %lu games, seed %s: mean squared error %.4f on games held back (score alone %.4f)\n",
        training->games, hex, with, score);
    for (unsigned i = 0; i < training->terms; i += 2)
        fprintf(file, "%.0f %.0f\n", training->weight[i] * VALUE_WEIGHT + 0.0,
                training->weight[i + 1] * VALUE_WEIGHT + 0.0);
}

/* Prints the SHA-256 of the weights, by which others can identify them. */
static void print_hash(struct span weights)
{
    uint8_t hash[32];
    char hex[2 * sizeof hash + 1];
    struct text text = TEXT_OVER(hex);
    (void)crypto_hash_sha256(hash, (const unsigned char *)weights.at, weights.length);
    text_add_hex(&text, hash, sizeof hash);
    fprintf(stderr, "weights: sha256 %s\n", hex);
}

/* Writes the weights. False with a message. */
static bool write_weights(struct training *training, const char *path)
{
    double with, score;
    char *bytes = NULL;
    size_t length = 0;
    compare(training, &with, &score);
    FILE *memory = must(open_memstream(&bytes, &length));
    print_weights(memory, training, with, score);
    if (fclose(memory) != 0)
        abort();
    FILE *file = path == NULL ? stdout : fopen(path, "w");
    bool good = file != NULL && fwrite(bytes, 1, length, file) == length && fflush(file) == 0;
    good = (file == NULL || file == stdout || fclose(file) == 0) && good;
    if (good)
        print_hash((struct span){bytes, length});
    else
        perror(path == NULL ? "standard output" : path);
    free(bytes);
    return good;
}

/* ---- The command line ---- */

static bool read_training(const struct cli_given *given, struct training *training)
{
    const char *slug = cli_value(given, "ruleset");
    const char *seed = cli_value(given, "seed");
    *training = (struct training){.game = cli_ruleset(slug)};
    if (training->game != NULL && training->game->feature_count == 0)
        fprintf(stderr, "tillroll: %s has no features that a value could be learned from\n", slug);
    if (training->game == NULL || training->game->feature_count == 0 ||
        !cli_value_number(given, "games", 100, 1000000, 20000, &training->games) ||
        (seed != NULL && !cli_seed(seed, training->chance.seed)))
        return false;
    training->seats_least = training->game->seats_min;
    training->seats_most = training->game->seats_max;
    training->terms = 2 * training->game->feature_count;
    return true;
}

int cli_train(const struct cli_given *given)
{
    struct training training;
    if (!read_training(given, &training))
        return cli_wrong_usage(given, NULL);
    play_games(&training);
    learn(&training);
    bool good = write_weights(&training, cli_value(given, "out"));
    free(training.outcomes);
    free(training.samples);
    return good ? EXIT_YES : EXIT_NO;
}
