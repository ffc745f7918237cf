#include "engine/analysis/analysis_document.h"

#include <string.h>

enum { SENTENCE_MAX = 1024 };

/* A sentence in which `{seat N}` is replaced by players' names. */
static json_t *named(const struct record_header *header, const char *text)
{
    char bytes[SENTENCE_MAX];
    struct text made = TEXT_OVER(bytes);
    while (*text != '\0') {
        const char *digit = text + sizeof "{seat " - 1;
        if (strncmp(text, "{seat ", sizeof "{seat " - 1) == 0 && *digit >= '0' &&
            (unsigned)(*digit - '0') < header->seats && digit[1] == '}') {
            text_add(&made, header->seat[*digit - '0'].name);
            text = digit + 2;
        } else {
            text_add_char(&made, *text++);
        }
    }
    return made.overflow ? json_null() : json_stringn(made.at, made.length);
}

/* The first sentence of the log that tells what the player does. What is drawn would be no news: it
 * could not be known. */
static const char *deed_in(const json_t *events, unsigned seat)
{
    char begin[] = "{seat 0}";
    begin[sizeof "{seat " - 1] = (char)('0' + seat);
    for (size_t i = 0; i < json_array_size(events); i++) {
        const char *text = json_string_value(json_object_get(json_array_get(events, i), "text"));
        if (text != NULL && strncmp(text, begin, sizeof begin - 1) == 0)
            return text;
    }
    return NULL;
}

static json_t *sentence_of(const struct analysis *analysis, const struct analysis_ply *ply)
{
    json_t *events = analysis_events(analysis, span_of(ply->better));
    const char *text = deed_in(events, ply->seat);
    json_t *sentence = text == NULL ? json_null() : named(analysis_header(analysis), text);
    json_decref(events);
    return sentence;
}

static json_t *by_seat(const struct analysis *analysis, const int64_t *value)
{
    json_t *list = json_array();
    for (unsigned seat = 0; seat < analysis_header(analysis)->seats; seat++)
        json_array_append_new(list, json_integer(value[seat]));
    return list;
}

static json_t *document_of_seat(const struct analysis *analysis, unsigned seat)
{
    const struct analysis_total total = analysis_total(analysis, seat);
    json_t *object = json_object();
    json_object_set_new(object, "seat", json_integer(seat));
    json_object_set_new(object, "name", json_string(analysis_header(analysis)->seat[seat].name));
    json_object_set_new(object, "start", json_integer(total.start));
    json_object_set_new(object, "deal", json_integer(total.deal));
    json_object_set_new(object, "luck", json_integer(total.luck));
    json_object_set_new(object, "own", json_integer(total.own));
    json_object_set_new(object, "others", json_integer(total.others));
    json_object_set_new(object, "result", json_integer(total.result));
    return object;
}

json_t *analysis_document(const struct analysis *analysis)
{
    const struct record_header *header = analysis_header(analysis);
    json_t *object = json_object();
    json_t *seats = json_array();
    for (unsigned seat = 0; seat < header->seats; seat++)
        json_array_append_new(seats, document_of_seat(analysis, seat));
    json_object_set_new(object, "analysis", json_string(ANALYSIS_VERSION));
    json_object_set_new(object, "game", json_string(header->game_id));
    json_object_set_new(object, "ruleset", json_string(header->game->slug));
    json_object_set_new(object, "version", json_string(header->game->version));
    json_object_set_new(object, "budget", json_integer(analysis_budget(analysis)));
    json_object_set_new(object, "one", json_integer(ANALYSIS_ONE));
    json_object_set_new(object, "seats", seats);
    return object;
}

json_t *analysis_document_ply(const struct analysis *analysis)
{
    const struct analysis_ply *ply = analysis_ply(analysis, analysis_done(analysis) - 1);
    json_t *object = json_object();
    json_object_set_new(object, "seq", json_integer(ply->seq));
    json_object_set_new(object, "seat", json_integer(ply->seat));
    json_object_set_new(object, "move", json_string(ply->move));
    json_object_set_new(object, "skill", by_seat(analysis, ply->skill));
    json_object_set_new(object, "luck", by_seat(analysis, ply->luck));
    json_object_set_new(object, "value", by_seat(analysis, ply->value));
    json_object_set_new(object, "loss", json_integer(ply->loss));
    if (ply->better[0] != '\0') {
        json_object_set_new(object, "better", json_string(ply->better));
        json_object_set_new(object, "better_text", sentence_of(analysis, ply));
    }
    return object;
}
