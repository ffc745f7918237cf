#include "api/game_start.h"

#include <sodium.h>
#include <string.h>

#include "api/tlog_leaves.h"
#include "db/records.h"
#include "engine/catalog.h"
#include "engine/replay.h"

static void copy_id(char to[static RECORD_ID_LENGTH + 1], const struct id *id)
{
    memcpy(to, id->text, RECORD_ID_LENGTH + 1);
}

/* The chosen values of the stored options, which were checked when they were stored. */
static struct game_options parse_options(const struct game *game, const char *stored)
{
    struct game_options options = game_options_initial(game);
    json_t *document = json_loads(stored, 0, NULL);
    for (size_t i = 0; i < game->option_count; i++) {
        const char *value = json_string_value(json_object_get(document, game->options[i].name));
        int index = value == NULL ? -1 : game_option_value(game, i, span_of(value));
        if (index >= 0)
            options.value[i] = (uint8_t)index;
    }
    json_decref(document);
    return options;
}

static struct record_header make_header(const struct game_row *game, const struct game *ruleset,
                                        const uint8_t secret[static KEYS_SECRET_BYTES])
{
    struct record_header header = {.game = ruleset,
                                   .options = parse_options(ruleset, game->options),
                                   .in_event = game->event.text[0] != '\0',
                                   .round = game->round,
                                   .table = game->table,
                                   .board = game->board,
                                   .seats = game->seats};
    if (game->clock != NULL)
        clock_read_control(span_of(game->clock), &header.clock);
    copy_id(header.game_id, &game->id);
    copy_id(header.event_id, &game->event);
    for (unsigned i = 0; i < game->seats; i++) {
        copy_id(header.seat[i].player, &game->seat[i].player);
        struct text name = TEXT_OVER(header.seat[i].name);
        text_add(&name, game->seat[i].player_name);
    }
    char bytes[RECORD_SCOPE_MAX];
    struct text scope = TEXT_OVER(bytes);
    record_scope(&header, &scope);
    record_commitment(text_span(&scope), secret, header.commitment);
    time_print(game->started_at_ms, header.start);
    return header;
}

/* Appends the header as the row 0 of the record. */
static bool append_header(struct call *call, const struct game_row *game,
                          const struct record_header *header)
{
    char *bytes = arena_take(call->arena, RECORD_HEADER_MAX);
    struct text text = {bytes, 0, RECORD_HEADER_MAX, false};
    struct record_row row = {.seq = 0};
    record_print_header(header, &text, row.hash);
    if (text.overflow)
        return call_problem(call, "internal-error", "The record's header is too long.");
    row.line = text_span(&text);
    return call_found(call, record_append(call->db, &game->id, &row, 1));
}

static bool start(struct call *call, const struct game_row *game,
                  const uint8_t secret[static KEYS_SECRET_BYTES], const uint8_t *sealed)
{
    const struct game *ruleset = catalog_find(span_of(game->slug), span_of(game->version));
    if (ruleset == NULL)
        return call_problem(call, "internal-error", "This server does not know the ruleset.");
    struct record_header header = make_header(game, ruleset, secret);
    return call_found(call, game_create(call->db, game, sealed, KEYS_SEALED_BYTES)) &&
           append_header(call, game, &header) &&
           (game->board > 0 ||
            tlog_add_commitment(call, span_of(game->id.text), header.commitment));
}

struct game_row game_of_table(struct call *call, const struct loaded_event *loaded,
                              const struct tournament_table *table)
{
    enum { CLOCK_TEXT = 80 };
    const struct tournament_settings *settings = &loaded->tournament->settings;
    struct text clock = {arena_take(call->arena, CLOCK_TEXT), 0, CLOCK_TEXT, false};
    clock_print_control(&settings->clock, &clock);
    return (struct game_row){.id = id_new(call->now_ms),
                             .event = loaded->event.id,
                             .round = table->round,
                             .table = table->table,
                             .board = table->board,
                             .slug = loaded->event.slug,
                             .version = loaded->event.version,
                             .options = loaded->event.options,
                             .clock = settings->clock.kind == CLOCK_NONE ? NULL : clock.at,
                             .on_timeout = timeout_policy_name(settings->on_timeout),
                             .take_back = settings->take_back,
                             .started_at_ms = call->now_ms,
                             .seats = table->seats};
}

bool game_start(struct call *call, const struct game_row *game)
{
    uint8_t secret[KEYS_SECRET_BYTES];
    uint8_t sealed[KEYS_SEALED_BYTES];
    randombytes_buf(secret, sizeof secret);
    keys_seal(&call->service->keys, secret, sizeof secret, sealed);
    bool started = start(call, game, secret, sealed);
    sodium_memzero(secret, sizeof secret);
    return started;
}

bool game_start_on_board(struct call *call, const struct game_row *game,
                         const uint8_t secret[static KEYS_SECRET_BYTES])
{
    return start(call, game, secret, NULL);
}
