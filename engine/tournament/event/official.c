#include "engine/tournament/event/official.h"

#include <sodium.h>
#include <stdlib.h>
#include <string.h>

/* Lines that only officials give. */
static const char *const acts[] = {
    "settings_changed", "bye_granted",     "bye_revoked",      "kept_apart", "not_kept_apart",
    "round_changed",    "ruled",           "ruling_revoked",   "role_given", "role_taken",
    "table_replayed",   "round_withdrawn", "report_corrected", "closed",     "cancelled"};

/* Whether the line is about another than its actor, and than the owner who acts for a bot. */
static bool is_of_another(const struct tournament *tournament, const struct tournament_line *line)
{
    const char *player = json_string_value(json_object_get(line->detail, "player"));
    uint16_t entry =
        player == NULL ? TOURNAMENT_NOBODY : tournament_entry(tournament, span_of(player));
    return entry != TOURNAMENT_NOBODY &&
           strcmp(tournament->entrants[entry].player, line->actor) != 0 &&
           strcmp(tournament->entrants[entry].owner, line->actor) != 0;
}

bool official_is_act(const struct tournament *tournament, const struct tournament_line *line)
{
    if (line->actor[0] == '\0')
        return false;
    for (size_t i = 0; i < sizeof acts / sizeof acts[0]; i++)
        if (strcmp(line->kind, acts[i]) == 0)
            return true;
    return (strcmp(line->kind, "dropped") == 0 || strcmp(line->kind, "returned") == 0) &&
           is_of_another(tournament, line);
}

char *official_message(const char *event, const uint8_t head[static 32],
                       const struct tournament_line *line)
{
    enum { REST = 128 }; /* the first line, the head, line feeds */
    char *detail = json_dumps(line->detail, JSON_COMPACT | JSON_SORT_KEYS);
    if (detail == NULL)
        return NULL;
    size_t most = REST + strlen(event) + strlen(line->actor) + strlen(line->kind) + strlen(detail);
    struct text text = {malloc(most), 0, most, false};
    if (text.at != NULL) {
        text_add(&text, "tillroll official\n");
        text_add_line(&text, event);
        text_add_hex_line(&text, head, 32);
        text_add_line(&text, line->actor);
        text_add_line(&text, line->kind);
        text_add_line(&text, detail);
    }
    free(detail);
    return text.at;
}

bool official_signature_holds(const char *event, const uint8_t head[static 32],
                              const struct tournament_line *line,
                              const uint8_t signature[static OFFICIAL_SIGNATURE],
                              const uint8_t key[static OFFICIAL_KEY])
{
    char *message = official_message(event, head, line);
    bool good =
        message != NULL && crypto_sign_verify_detached(signature, (const unsigned char *)message,
                                                       strlen(message), key) == 0;
    free(message);
    return good;
}
