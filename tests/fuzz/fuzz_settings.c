/* Settings of events: a line of what an organizer writes, and lines with changes to it. */
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "engine/tournament/event/settings.h"
#include "support.h"

enum { CHANGES_MOST = 8 };

static json_t *read_json(struct span text)
{
    json_t *value = json_loadb(text.at, text.length, JSON_REJECT_DUPLICATES, NULL);
    if (json_is_object(value))
        return value;
    json_decref(value);
    return NULL;
}

static void check_fault(const struct settings_fault *fault)
{
    FUZZ_MUST(memchr(fault->field, '\0', sizeof fault->field) != NULL);
    FUZZ_MUST(memchr(fault->message, '\0', sizeof fault->message) != NULL &&
              fault->message[0] != '\0');
}

/* Written settings are read again, as an organizer's and as a log's, and are the same. */
static char *written(const struct tournament_settings *settings)
{
    json_t *document = settings_write(settings);
    char *text = json_dumps(document, JSON_COMPACT);
    for (int newest = 0; newest < 2; newest++) {
        struct tournament_settings again;
        struct settings_fault fault;
        FUZZ_MUST(settings_read(document, newest == 1, &again, &fault));
        json_t *second = settings_write(&again);
        FUZZ_MUST(json_equal(document, second));
        json_decref(second);
    }
    json_decref(document);
    FUZZ_MUST(text != NULL);
    return text;
}

/* No change changes nothing. */
static void check_no_change(const struct tournament_settings *settings, size_t stages,
                            unsigned rounds, const char *text)
{
    struct tournament_settings same;
    struct settings_fault fault;
    json_t *nothing = json_object();
    FUZZ_MUST(settings_change(settings, nothing, stages, rounds, &same, &fault));
    char *again = written(&same);
    FUZZ_MUST(strcmp(text, again) == 0);
    free(again);
    json_decref(nothing);
}

static void change(struct tournament_settings *settings, json_t *changes, size_t stages,
                   unsigned rounds)
{
    struct tournament_settings changed;
    struct settings_fault fault = {0};
    if (!settings_change(settings, changes, stages, rounds, &changed, &fault)) {
        check_fault(&fault);
        return;
    }
    free(written(&changed));
    if (stages > 0) {
        FUZZ_MUST(changed.game == settings->game && changed.seeding == settings->seeding);
        FUZZ_MUST(changed.stage[0].format == settings->stage[0].format);
        FUZZ_MUST(memcmp(&changed.options, &settings->options, sizeof changed.options) == 0);
    }
    *settings = changed;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct fuzz_input input = fuzz_begin(bytes, size);
    struct tournament_settings settings;
    struct settings_fault fault = {0};
    json_t *kept[CHANGES_MOST + 1] = {read_json(fuzz_line(&input))};
    size_t count = 1;
    if (kept[0] == NULL)
        return 0;
    if (settings_read(kept[0], true, &settings, &fault)) {
        char *text = written(&settings);
        check_no_change(&settings, 0, 0, text);
        free(text);
        while (input.left > 0 && count <= CHANGES_MOST) {
            unsigned begun = fuzz_byte(&input);
            size_t stages = begun % 4 < settings.stage_count ? begun % 4 : settings.stage_count;
            kept[count] = read_json(fuzz_line(&input));
            if (kept[count] != NULL)
                change(&settings, kept[count], stages, stages == 0 ? 0 : begun / 4 % 8);
            count++;
        }
    } else {
        check_fault(&fault);
    }
    for (size_t i = 0; i < count; i++)
        json_decref(kept[i]);
    return 0;
}
