#include "api/rating_documents.h"

#include <string.h>

#include "api/documents.h"
#include "api/glicko_ratings.h"
#include "db/rating_periods.h"
#include "engine/catalog.h"
#include "engine/tournament/rating.h"

/* Lichess's bound: above it, a Glicko-2 rating says little yet. */
enum { GLICKO_PROVISIONAL_DEVIATION = 110000000 };

/* ---- Scopes ---- */

static bool cut_prefix(struct span *name, const char *prefix)
{
    size_t length = strlen(prefix);
    if (name->length < length || memcmp(name->at, prefix, length) != 0)
        return false;
    *name = (struct span){name->at + length, name->length - length};
    return true;
}

bool rating_scope_read(struct call *call, bool solo, struct rating_scope *scope)
{
    struct span wanted = http_parameter(call->request, "scope");
    *scope = (struct rating_scope){.name = "overall"};
    if (wanted.at == NULL || span_is(wanted, "overall"))
        return true;
    bool glicko = cut_prefix(&wanted, "glicko.");
    scope->solo = solo && !glicko && cut_prefix(&wanted, "solo.");
    const struct game *game = catalog_newest(wanted);
    if (game == NULL || (scope->solo && game->seats_min > 1))
        return call_problem(call, "bad-parameter",
                            solo ? "scope is `overall`, the slug of a ruleset, `glicko.` and a "
                                   "slug, or `solo.` and the slug of a ruleset for one."
                                 : "scope is `overall`, the slug of a ruleset, or `glicko.` and "
                                   "a slug.");
    scope->slug = game->slug;
    scope->name = glicko ? glicko_scope(call->arena, game->slug) : game->slug;
    return true;
}

bool rating_count_periods(struct call *call, const char *scope, unsigned *periods)
{
    struct span slug = span_of(scope);
    *periods = 0;
    return !cut_prefix(&slug, "glicko.") ||
           call_found(call, rating_period_count(call->db, slug.at, periods));
}

/* ---- Documents ---- */

static json_t *or_null(int64_t number)
{
    return number == 0 ? json_null() : json_integer(number);
}

/* Without a volatility it is Plackett-Luce. */
static int64_t value_of(int64_t mu, int64_t sigma, int64_t volatility)
{
    const struct rating_row row = {.mu = mu, .sigma = sigma, .volatility = volatility};
    return rating_value(&row);
}

json_t *rating_document(const struct rating_row *row, unsigned periods)
{
    bool glicko = row->volatility > 0;
    int64_t sigma = glicko ? glicko_deviation(row, periods) : row->sigma;
    bool provisional = sigma > (glicko ? (int64_t)GLICKO_PROVISIONAL_DEVIATION
                                       : (int64_t)RATING_PROVISIONAL_SIGMA);
    return json_pack("{s:o, s:b, s:s, s:s, s:I, s:I, s:o, s:I, s:i, s:b}", "player",
                     player_reference(&row->player, row->player_name), "imported",
                     (int)row->imported, "scope", row->scope, "system",
                     glicko ? "glicko-2" : "plackett-luce", "mu_millionths", (json_int_t)row->mu,
                     "sigma_millionths", (json_int_t)sigma, "volatility_billionths",
                     or_null(row->volatility), "rating_millionths", (json_int_t)rating_value(row),
                     "games", (int)row->games, "provisional", (int)provisional);
}

static json_t *value_document(int64_t mu, int64_t sigma, int64_t volatility)
{
    return json_pack("{s:I, s:I, s:o, s:I}", "mu_millionths", (json_int_t)mu, "sigma_millionths",
                     (json_int_t)sigma, "volatility_billionths", or_null(volatility),
                     "rating_millionths", (json_int_t)value_of(mu, sigma, volatility));
}

json_t *rating_before_document(const struct rating_change *change)
{
    return value_document(change->mu_before, change->sigma_before, change->volatility_before);
}

json_t *rating_after_document(const struct rating_change *change)
{
    return value_document(change->mu_after, change->sigma_after, change->volatility_after);
}

static bool is_by_event(const struct rating_change *change)
{
    return change->event.text[0] != '\0';
}

const struct id *rating_cause(const struct rating_change *change)
{
    return is_by_event(change) ? &change->event : &change->game;
}

void rating_add_cause(json_t *document, const struct rating_change *change)
{
    json_t *cause = json_string(rating_cause(change)->text);
    json_object_set_new(document, is_by_event(change) ? "event" : "game", cause);
    json_object_set_new(document, is_by_event(change) ? "game" : "event", json_null());
}
