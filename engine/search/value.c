#include "engine/search/value.h"

/* 65536 / (1 + e^-(i / 16)) for i = 0 .. 160, rounded. */
static const int32_t logistic[] = {
    32768, 33792, 34813, 35831, 36843, 37847, 38841, 39824, 40793, 41748, 42687, 43608, 44511,
    45393, 46254, 47094, 47911, 48704, 49474, 50220, 50941, 51638, 52310, 52957, 53581, 54179,
    54754, 55306, 55834, 56339, 56822, 57284, 57724, 58144, 58544, 58925, 59287, 59632, 59959,
    60270, 60565, 60844, 61109, 61360, 61598, 61823, 62036, 62238, 62428, 62608, 62778, 62938,
    63090, 63233, 63368, 63495, 63615, 63728, 63835, 63935, 64030, 64119, 64203, 64283, 64357,
    64427, 64494, 64556, 64614, 64669, 64721, 64770, 64816, 64859, 64900, 64938, 64974, 65008,
    65039, 65069, 65097, 65124, 65149, 65172, 65194, 65215, 65234, 65252, 65269, 65285, 65300,
    65315, 65328, 65341, 65352, 65364, 65374, 65384, 65393, 65402, 65410, 65417, 65425, 65431,
    65438, 65444, 65449, 65454, 65459, 65464, 65468, 65472, 65476, 65480, 65483, 65486, 65489,
    65492, 65495, 65497, 65500, 65502, 65504, 65506, 65508, 65509, 65511, 65513, 65514, 65515,
    65517, 65518, 65519, 65520, 65521, 65522, 65523, 65523, 65524, 65525, 65526, 65526, 65527,
    65527, 65528, 65528, 65529, 65529, 65530, 65530, 65530, 65531, 65531, 65531, 65532, 65532,
    65532, 65532, 65533, 65533, 65533,
};
enum { LOGISTIC_STEPS = sizeof logistic / sizeof *logistic - 1, LOGISTIC_STEP = VALUE_LOGIT / 16 };

int32_t value_logistic(int32_t strength)
{
    if (strength < 0)
        return VALUE_ONE - value_logistic(strength == INT32_MIN ? INT32_MAX : -strength);
    if (strength >= LOGISTIC_STEPS * LOGISTIC_STEP)
        return logistic[LOGISTIC_STEPS];
    int32_t low = logistic[strength / LOGISTIC_STEP];
    int32_t high = logistic[strength / LOGISTIC_STEP + 1];
    return low + (high - low) * (strength % LOGISTIC_STEP) / LOGISTIC_STEP;
}

/* ---- The file ---- */

static bool read_weight(struct span *line, int32_t *weight)
{
    int64_t number;
    if (!span_integer(span_word(line), INT32_MAX, &number))
        return false;
    *weight = (int32_t)number;
    return true;
}

static bool read_weights(struct value_weights *weights, const struct game *game, struct span *file)
{
    struct span line;
    for (unsigned i = 0; i < game->feature_count; i++)
        if (!span_line(file, &line) || !read_weight(&line, &weights->early[i]) ||
            !read_weight(&line, &weights->late[i]) || line.length > 0)
            return false;
    weights->count = game->feature_count;
    return file->length == 0;
}

/* `tillroll-value 1 <slug> <features>` */
static bool read_head(const struct game *game, struct span line)
{
    uint64_t count;
    return span_is(span_word(&line), "tillroll-value") && span_is(span_word(&line), "1") &&
           span_is(span_word(&line), game->slug) &&
           span_number(span_word(&line), GAME_FEATURES_MAX, &count) &&
           count == game->feature_count && line.length == 0;
}

bool value_read(struct value_weights *weights, const struct game *game, struct span file)
{
    struct span head, origin; /* the second line tells people what the weights come from */
    *weights = (struct value_weights){.count = 0};
    if (file.length == 0)
        return true;
    return file.length <= VALUE_FILE_MAX && span_line(&file, &head) && read_head(game, head) &&
           span_line(&file, &origin) && read_weights(weights, game, &file);
}

void value_of_game(struct value_weights *weights, const struct game *game)
{
    struct span file = {"", 0};
    if (game->value != NULL)
        file = (struct span){(const char *)game->value, (size_t)(game->value_end - game->value)};
    if (!value_read(weights, game, file))
        weights->count = 0; /* tests/engine/search/test_value.c reads every game's */
}

/* ---- Values ---- */

int32_t value_strength(const struct value_weights *weights, const struct game *game,
                       const void *state, unsigned seat)
{
    int32_t feature[GAME_FEATURES_MAX];
    int64_t phase = game->features(game, state, seat, feature);
    int64_t sum = 0;
    for (unsigned i = 0; i < weights->count; i++)
        sum +=
            feature[i] * (weights->early[i] * (GAME_PHASE_END - phase) + weights->late[i] * phase);
    sum /= (int64_t)GAME_PHASE_END * (VALUE_WEIGHT / VALUE_LOGIT);
    return sum > INT32_MAX / 4      ? INT32_MAX / 4
           : sum < -(INT32_MAX / 4) ? -(INT32_MAX / 4)
                                    : (int32_t)sum;
}

/* A result alone, in points of 1 / VALUE_LOGIT. */
static int32_t value_alone(int64_t points)
{
    int64_t value = VALUE_ONE / 2 + points * VALUE_POINT / VALUE_LOGIT;
    return value < 0 ? 0 : value > VALUE_ONE ? VALUE_ONE : (int32_t)value;
}

int32_t value_halves(const struct outcome *outcome, unsigned seat)
{
    int32_t halves = outcome->seats == 1 ? 2 * outcome->score[0] : 0;
    for (unsigned rival = 0; rival < outcome->seats; rival++)
        if (rival != seat)
            halves += outcome->rank[rival] > outcome->rank[seat]    ? 2
                      : outcome->rank[rival] == outcome->rank[seat] ? 1
                                                                    : 0;
    return halves;
}

void value_of_outcome(const struct outcome *outcome, int32_t value[static GAME_SEATS_MAX])
{
    if (outcome->seats == 1) {
        value[0] = value_alone((int64_t)outcome->score[0] * VALUE_LOGIT);
        return;
    }
    int32_t winners = 0;
    for (unsigned seat = 0; seat < outcome->seats; seat++)
        winners += outcome->rank[seat] == 1;
    for (unsigned seat = 0; seat < outcome->seats; seat++) {
        value[seat] = value_halves(outcome, seat) * (VALUE_ONE / 4) / (int32_t)(outcome->seats - 1);
        if (outcome->rank[seat] == 1)
            value[seat] += VALUE_ONE / 2 / winners;
    }
}

/* The chance to be first is proportional to e^strength (Plackett, Luce): 1 / sum of e^difference,
 * where e^difference is the odds of the logistic function. */
static int32_t value_among(const int32_t *strength, unsigned seats, unsigned seat)
{
    int64_t behind = 0;
    int64_t odds = VALUE_ONE; /* of all seats to this one */
    for (unsigned rival = 0; rival < seats; rival++) {
        if (rival == seat)
            continue;
        int32_t wins = value_logistic(strength[seat] - strength[rival]);
        behind += wins;
        odds += (int64_t)(VALUE_ONE - wins) * VALUE_ONE / (wins > 0 ? wins : 1);
    }
    int64_t first = (int64_t)VALUE_ONE * VALUE_ONE / odds;
    return (int32_t)((first + behind / (int64_t)(seats - 1)) / 2);
}

void value_of_state(const struct value_weights *weights, const struct game *game, const void *state,
                    unsigned seats, int32_t value[static GAME_SEATS_MAX])
{
    int32_t strength[GAME_SEATS_MAX];
    if (game->deciders(state) == 0) {
        struct outcome outcome;
        game->outcome(game, state, &outcome);
        value_of_outcome(&outcome, value);
        return;
    }
    for (unsigned seat = 0; seat < seats; seat++)
        strength[seat] = value_strength(weights, game, state, seat);
    if (seats == 1)
        value[0] = value_alone(strength[0]);
    for (unsigned seat = 0; seats > 1 && seat < seats; seat++)
        value[seat] = value_among(strength, seats, seat);
}
