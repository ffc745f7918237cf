#include "api/people/names.h"

#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <utf8proc.h>

#include "api/people/icu.h"
#include "engine/record/record.h"

static bool is_tidy(const char *name)
{
    size_t length = strlen(name);
    return record_is_name(span_of(name)) && name[0] != ' ' && name[length - 1] != ' ' &&
           strstr(name, "  ") == NULL;
}

/* The text in Unicode's form NFC; NULL if it is not UTF-8. In the arena, where lack of memory
 * aborts and cannot look like an invalid name. */
static const char *compose(struct arena *arena, const char *written)
{
    static const utf8proc_option_t form = UTF8PROC_NULLTERM | UTF8PROC_STABLE | UTF8PROC_COMPOSE;
    const utf8proc_uint8_t *bytes = (const utf8proc_uint8_t *)written;
    utf8proc_ssize_t count = utf8proc_decompose(bytes, 0, NULL, 0, form);
    if (count < 0)
        return NULL;
    utf8proc_int32_t *points = arena_array(arena, (size_t)count + 1, sizeof *points);
    count = utf8proc_decompose(bytes, 0, points, count, form);
    return utf8proc_reencode(points, count, form) < 0 ? NULL : (const char *)points;
}

static bool can_be_seen(struct arena *arena, const char *name);

const char *name_tidy(struct arena *arena, const char *written, size_t max)
{
    const char *name = compose(arena, written);
    return name != NULL && name[0] != '\0' && strlen(name) <= max && is_tidy(name) &&
                   can_be_seen(arena, name)
               ? name
               : NULL;
}

bool name_read(struct call *call, const char *key, size_t max, const char **name)
{
    const char *written;
    if (!call_text(call, key, 1, max, NULL, &written))
        return false;
    *name = name_tidy(call->arena, written, max);
    return *name != NULL ||
           call_bad_field(call, key,
                          "must be visible characters, without blanks at the ends or in a row.");
}

/* The text without control characters and invisible characters (Unicode's default ignorables,
 * including bidirectional controls). */
static const char *clean(struct arena *arena, const char *written)
{
    utf8proc_uint8_t *cleaned = NULL;
    utf8proc_ssize_t length = utf8proc_map((const utf8proc_uint8_t *)written, 0, &cleaned,
                                           UTF8PROC_NULLTERM | UTF8PROC_STABLE | UTF8PROC_COMPOSE |
                                               UTF8PROC_IGNORE | UTF8PROC_STRIPCC);
    if (length < 0)
        return "";
    struct span text = {(const char *)cleaned, (size_t)length};
    while (text.length > 0 && text.at[0] == ' ') {
        text.at++;
        text.length--;
    }
    while (text.length > 0 && text.at[text.length - 1] == ' ')
        text.length--;
    const char *kept = arena_copy(arena, text);
    free(cleaned);
    return kept;
}

bool name_read_text(struct call *call, const char *key, size_t max, const char **text)
{
    const char *written;
    if (!call_text(call, key, 1, max, NULL, &written))
        return false;
    *text = clean(call->arena, written);
    return ((*text)[0] != '\0' && strlen(*text) <= max) ||
           call_bad_field(call, key, "must contain visible characters.");
}

/* Two line feeds separate paragraphs; further ones are dropped. */
static void add_line(struct text *text, const char *line, unsigned *empty)
{
    if (line[0] == '\0') {
        ++*empty;
        return;
    }
    if (text->length > 0)
        text_add(text, *empty > 0 ? "\n\n" : "\n");
    text_add(text, line);
    *empty = 0;
}

bool name_read_lines(struct call *call, const char *key, size_t max, const char **text)
{
    const json_t *value = json_object_get(call->body, key);
    const char *written = json_string_value(value);
    unsigned empty = 0;
    if (written == NULL || json_string_length(value) > 2 * max)
        return call_bad_field(call, key, "must be null or a shorter text.");
    struct span rest = span_of(written), line;
    struct text kept = {arena_take(call->arena, max + 1), 0, max + 1, false};
    text_clear(&kept);
    while (span_line(&rest, &line))
        add_line(&kept, clean(call->arena, arena_copy(call->arena, line)), &empty);
    *text = kept.at;
    if (kept.overflow)
        return call_bad_field(call, key, "must be shorter.");
    return kept.length > 0 || call_bad_field(call, key, "must contain visible characters.");
}

/* ---- Accounts ---- */

enum { TYPED_MAX = 180 /* bytes */, WRONG_MAX = 160 };

static bool read_account(struct call *call, const char *key, size_t max, const char **name)
{
    char bytes[WRONG_MAX];
    struct text wrong = TEXT_OVER(bytes);
    const char *written;
    if (!call_text(call, key, 1, TYPED_MAX, NULL, &written))
        return false;
    *name = account_name(call->arena, written, max, &wrong);
    return *name != NULL || call_bad_field(call, key, bytes);
}

bool name_read_account(struct call *call, const char *key, const char **name)
{
    return read_account(call, key, PLAYER_NAME_MAX, name);
}

/* The database enforces this too (0016_accounts.sql). */
static const char bot_end[] = " [bot]";

/* 0037_casual_games.sql */
static const char guest_end[] = " [guest]";

static bool read_marked(struct call *call, const char *key, const char *end, const char **name)
{
    const char *own;
    if (!read_account(call, key, PLAYER_NAME_MAX - strlen(end), &own))
        return false;
    *name = call_strings(call, (const char *const[]){own, end, NULL});
    return true;
}

bool name_read_bot(struct call *call, const char *key, const char **name)
{
    return read_marked(call, key, bot_end, name);
}

bool name_read_guest(struct call *call, const char *key, const char **name)
{
    return read_marked(call, key, guest_end, name);
}

bool name_take(struct call *call, const struct id *player, const char *name)
{
    const struct name_skeletons skeletons = account_name_skeletons(call->arena, name);
    return call_db(call, name_skeletons_take(call->db, player, name, &skeletons), "name-taken",
                   "Another player has a name that looks like this one; choose another one.");
}

bool name_read_known(struct call *call, const char *key, const char *names[static 2])
{
    const json_t *field = json_object_get(call->body, key);
    const char *written = json_string_value(field);
    if (written == NULL)
        return call_text(call, key, 1, TYPED_MAX, NULL, &written);
    bool possible = json_string_length(field) <= TYPED_MAX;
    names[0] = possible ? compose(call->arena, written) : NULL;
    names[1] = possible ? account_name_form(call->arena, written) : NULL;
    if (names[0] == NULL || names[1] == NULL)
        names[0] = names[1] = "";
    return true;
}

/* ---- ICU ---- */

static pthread_once_t once = PTHREAD_ONCE_INIT;
static const struct icu *icu;
static const UNormalizer2 *nfkc;
static USpoofChecker *checker;

/* Aborts on an error: without memory or ICU's data, names cannot be checked. */
static void require_success(UErrorCode error)
{
    if (U_FAILURE(error))
        abort();
}

static void open_data(void)
{
    UErrorCode error = U_ZERO_ERROR;
    icu = icu_get();
    nfkc = icu->unorm2_getNFKCInstance(&error);
    checker = icu->uspoof_open(&error);
    require_success(error);
    icu->uspoof_setRestrictionLevel(checker, USPOOF_HIGHLY_RESTRICTIVE);
    icu->uspoof_setChecks(
        checker, USPOOF_RESTRICTION_LEVEL | USPOOF_INVISIBLE | USPOOF_HIDDEN_OVERLAY, &error);
    require_success(error);
}

/* The version of the headers: a library of another major version is not loaded, and minor versions
 * have the same data. */
unsigned account_name_version(void)
{
    return U_ICU_VERSION_MAJOR_NUM * 100U + U_ICU_VERSION_MINOR_NUM;
}

/* ---- Texts in UTF-16 ---- */

struct units {
    UChar *at;
    int32_t count, capacity;
};

static struct units units_of(struct arena *arena, int32_t capacity)
{
    return (struct units){arena_array(arena, (size_t)capacity + 1, sizeof(UChar)), 0, capacity};
}

/* False if the text is not UTF-8. */
static bool from_utf8(struct arena *arena, const char *text, struct units *units)
{
    UErrorCode error = U_ZERO_ERROR;
    *units = units_of(arena, (int32_t)strlen(text));
    icu->u_strFromUTF8(units->at, units->capacity, &units->count, text, -1, &error);
    return U_SUCCESS(error);
}

static const char *to_utf8(struct arena *arena, const struct units *units)
{
    enum { BYTES_OF_UNIT = 3 };
    UErrorCode error = U_ZERO_ERROR;
    int32_t capacity = units->count * BYTES_OF_UNIT + 1;
    char *text = arena_array(arena, (size_t)capacity, 1);
    icu->u_strToUTF8(text, capacity, NULL, units->at, units->count, &error);
    require_success(error);
    return text;
}

/* Writes the conversion of `from` to `to`, and returns its length, even if `to` is too short. */
typedef int32_t conversion(const struct units *from, const struct units *to, UErrorCode *error);

static struct units convert(struct arena *arena, const struct units *from, conversion *of)
{
    enum { SPARE = 32 };
    UErrorCode error = U_ZERO_ERROR;
    struct units to = units_of(arena, 2 * from->count + SPARE);
    int32_t length = of(from, &to, &error);
    if (error == U_BUFFER_OVERFLOW_ERROR) {
        error = U_ZERO_ERROR;
        to = units_of(arena, length);
        length = of(from, &to, &error);
    }
    require_success(error);
    to.count = length;
    return to;
}

static int32_t normalize(const struct units *from, const struct units *to, UErrorCode *error)
{
    return icu->unorm2_normalize(nfkc, from->at, from->count, to->at, to->capacity, error);
}

static int32_t fold(const struct units *from, const struct units *to, UErrorCode *error)
{
    return icu->u_strFoldCase(to->at, to->capacity, from->at, from->count, U_FOLD_CASE_DEFAULT,
                              error);
}

static int32_t raise_case(const struct units *from, const struct units *to, UErrorCode *error)
{
    return icu->u_strToUpper(to->at, to->capacity, from->at, from->count, "", error);
}

static int32_t skeleton(const struct units *from, const struct units *to, UErrorCode *error)
{
    return icu->uspoof_getSkeleton(checker, 0, from->at, from->count, to->at, to->capacity, error);
}

/* ---- Confusable names ---- */

static bool in_form(struct arena *arena, const char *written, struct units *units)
{
    struct units read;
    pthread_once(&once, open_data);
    if (!from_utf8(arena, written, &read))
        return false;
    *units = convert(arena, &read, normalize);
    return true;
}

const char *account_name_form(struct arena *arena, const char *written)
{
    struct units units;
    return in_form(arena, written, &units) ? to_utf8(arena, &units) : NULL;
}

static void add_skeleton(struct arena *arena, const struct units *name,
                         struct name_skeletons *skeletons)
{
    struct units units = convert(arena, name, skeleton);
    const char *text = to_utf8(arena, &units);
    for (size_t i = 0; i < skeletons->count; i++)
        if (strcmp(text, skeletons->skeleton[i]) == 0)
            return;
    assert(skeletons->count < NAME_SKELETONS_MAX);
    skeletons->skeleton[skeletons->count++] = text;
}

/* `I` looks like `l`, but `i` does not, so each case is checked separately. */
struct name_skeletons account_name_skeletons(struct arena *arena, const char *name)
{
    struct name_skeletons skeletons = {.version = account_name_version()};
    struct units units;
    if (!in_form(arena, name, &units))
        return skeletons;
    struct units lower = convert(arena, &units, fold);
    struct units upper = convert(arena, &units, raise_case);
    add_skeleton(arena, &units, &skeletons);
    add_skeleton(arena, &lower, &skeletons);
    add_skeleton(arena, &upper, &skeletons);
    return skeletons;
}

/* ---- Allowed characters ---- */

/* True for characters that look blank, although Unicode does not class them so: an empty Braille
 * cell, an empty note. */
static bool looks_blank(UChar32 c)
{
    return c == 0x2800 || c == 0x1d159;
}

/* The reason why the character is not allowed in names, or NULL. */
static const char *character_fault(UChar32 c)
{
    switch (icu->u_charType(c)) {
    case U_CONTROL_CHAR:
        return "it is a control character";
    case U_SURROGATE:
        return "it is half a character";
    case U_PRIVATE_USE_CHAR:
        return "it is for private use and looks different everywhere";
    case U_UNASSIGNED:
        return "Unicode has no such character yet";
    case U_LINE_SEPARATOR:
    case U_PARAGRAPH_SEPARATOR:
        return "it ends a line";
    case U_SPACE_SEPARATOR:
        return c == ' ' ? NULL : "blanks are U+0020 only";
    case U_FORMAT_CHAR:
        return "it cannot be seen";
    default:
        break;
    }
    if (icu->u_hasBinaryProperty(c, UCHAR_DEFAULT_IGNORABLE_CODE_POINT) || looks_blank(c))
        return "it cannot be seen";
    return NULL;
}

static bool is_mark(UChar32 c)
{
    return (U_MASK(icu->u_charType(c)) & U_GC_M_MASK) != 0;
}

static void add_code_point(struct text *wrong, UChar32 c)
{
    static const char digits[] = "0123456789ABCDEF";
    text_add(wrong, "U+");
    for (int shift = c > 0xfffff ? 20 : c > 0xffff ? 16 : 12; shift >= 0; shift -= 4)
        text_add_char(wrong, digits[(unsigned)c >> shift & 15]);
}

static bool refuse_character(struct text *wrong, UChar32 c, const char *why)
{
    text_add(wrong, "must not have ");
    add_code_point(wrong, c);
    text_add(wrong, " there: ");
    text_add(wrong, why);
    text_add_char(wrong, '.');
    return false;
}

static bool refuse_blank(struct text *wrong)
{
    text_add(wrong, "must have single blanks between words, and none at its beginning or end.");
    return false;
}

static UChar32 next_of(const struct units *text, int32_t *at)
{
    UChar unit = text->at[(*at)++];
    if (!U16_IS_LEAD(unit) || *at == text->count || !U16_IS_TRAIL(text->at[*at]))
        return unit;
    return (UChar32)U16_GET_SUPPLEMENTARY(unit, text->at[(*at)++]);
}

/* True if at least one character can be seen: a link of nothing but fillers could not be found. */
static bool can_be_seen(struct arena *arena, const char *name)
{
    struct units units;
    pthread_once(&once, open_data);
    if (!from_utf8(arena, name, &units))
        return false;
    for (int32_t i = 0; i < units.count;) {
        UChar32 c = next_of(&units, &i);
        if (c != ' ' && !is_mark(c) && character_fault(c) == NULL)
            return true;
    }
    return false;
}

static bool check_characters(const struct units *name, struct text *wrong)
{
    UChar32 before = ' ';
    for (int32_t i = 0; i < name->count;) {
        UChar32 c = next_of(name, &i);
        const char *fault = character_fault(c);
        if (fault != NULL)
            return refuse_character(wrong, c, fault);
        if (c == ' ' && (before == ' ' || i == name->count))
            return refuse_blank(wrong);
        if (is_mark(c) && before == ' ')
            return refuse_character(wrong, c, "it is a mark, and does not follow a letter");
        before = c;
    }
    return true;
}

static int32_t faults_of(const UChar *text, int32_t count)
{
    UErrorCode error = U_ZERO_ERROR;
    int32_t faults = icu->uspoof_check(checker, text, count, NULL, &error);
    require_success(error);
    return faults;
}

static bool refuse_script(struct text *wrong, UChar32 c)
{
    UErrorCode error = U_ZERO_ERROR;
    text_add(wrong, "must not mix scripts: ");
    add_code_point(wrong, c);
    text_add(wrong, " is ");
    text_add(wrong, icu->uscript_getName(icu->uscript_getScript(c, &error)));
    text_add(wrong, ", but the text before it is not.");
    return false;
}

/* Names the character at the end of the shortest invalid prefix. */
static bool check_scripts(const struct units *name, struct text *wrong)
{
    if (faults_of(name->at, name->count) == 0)
        return true;
    UChar32 c;
    int32_t faults;
    int32_t i = 0;
    do {
        c = next_of(name, &i);
        faults = faults_of(name->at, i);
    } while (faults == 0);
    return (faults & USPOOF_RESTRICTION_LEVEL) != 0
               ? refuse_script(wrong, c)
               : refuse_character(wrong, c, "it cannot be distinguished from the text before it");
}

/* ---- Reserved names ---- */

static bool begins(const char *text, const char *beginning)
{
    return strncmp(text, beginning, strlen(beginning)) == 0;
}

static bool ends(const char *text, const char *ending)
{
    size_t length = strlen(text);
    size_t end = strlen(ending);
    return length >= end && strcmp(text + length - end, ending) == 0;
}

/* The skeleton of a name without regard to case: 0 looks like O. */
static const char *folded_skeleton(struct arena *arena, const struct units *name)
{
    struct units folded = convert(arena, name, fold);
    struct units units = convert(arena, &folded, skeleton);
    folded = convert(arena, &units, fold);
    return to_utf8(arena, &folded);
}

static const char *folded_skeleton_of(struct arena *arena, const char *text)
{
    struct units units;
    bool read = from_utf8(arena, text, &units);
    assert(read);
    return folded_skeleton(arena, &units);
}

/* The database enforces the exact words too (0016_accounts.sql, 0037_casual_games.sql). */
static bool check_marks(struct arena *arena, const struct units *name, struct text *wrong)
{
    const char *own = folded_skeleton(arena, name);
    if (ends(own, folded_skeleton_of(arena, "[bot]"))) {
        text_add(wrong,
                 "must not end in `[bot]` or anything that looks like it, which marks bots.");
        return false;
    }
    if (ends(own, folded_skeleton_of(arena, "[guest]"))) {
        text_add(wrong,
                 "must not end in `[guest]` or anything that looks like it, which marks guests.");
        return false;
    }
    if (begins(own, folded_skeleton_of(arena, RECORD_HOUSE_NAME))) {
        text_add(wrong,
                 "must not begin with `House ·` or anything that looks like it, which marks house "
                 "players.");
        return false;
    }
    if (begins(own, folded_skeleton_of(arena, "deleted player"))) {
        text_add(wrong,
                 "must not begin with `Deleted player` or anything that looks like it, which marks "
                 "deleted accounts.");
        return false;
    }
    return true;
}

static bool check_length(const char *name, size_t max, struct text *wrong)
{
    if (name[0] != '\0' && strlen(name) <= max)
        return true;
    text_add(wrong, "must be 1 to ");
    text_add_number(wrong, (int64_t)max);
    text_add(wrong, " bytes in Unicode's form NFKC.");
    return false;
}

const char *account_name(struct arena *arena, const char *written, size_t max, struct text *wrong)
{
    struct units units;
    if (!in_form(arena, written, &units)) {
        text_add(wrong, "must be UTF-8.");
        return NULL;
    }
    const char *name = to_utf8(arena, &units);
    if (!check_length(name, max, wrong) || !check_characters(&units, wrong) ||
        !check_scripts(&units, wrong) || !check_marks(arena, &units, wrong))
        return NULL;
    /* The checks above should have refused all characters that a record cannot hold. */
    if (record_is_name(span_of(name)))
        return name;
    text_add(wrong, "must consist of visible characters.");
    return NULL;
}
