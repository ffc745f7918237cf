#include "engine/tournament/interchange/trf.h"

#include <string.h>

enum { POINTS_PER_TENTH = POINTS_PER_POINT / 10, LINE_END = 2, HEAD_COLUMNS = 91 };

#define LINE_ENDING "\r\n"

struct writer {
    struct text *text;
    struct trf_error *error;
};

static bool cannot(struct writer *writer, const char *message)
{
    writer->error->line = 0;
    return refuse(&writer->error->refusal, TRF_REFUSAL_UNWRITABLE, message);
}

/* ---- Fields ---- */

static void add_blanks(struct text *text, size_t count)
{
    while (count-- > 0)
        text_add_char(text, ' ');
}

/* True for the first byte of a UTF-8 character. */
static bool starts_character(char byte)
{
    return ((unsigned char)byte & 0xC0) != 0x80;
}

/* At most `width` characters of a string, padded with spaces. */
static void add_left(struct text *text, struct span string, size_t width)
{
    size_t bytes = 0, characters = 0;
    while (bytes < string.length) {
        bool starts = starts_character(string.at[bytes]);
        if (starts && characters == width)
            break;
        characters += starts;
        bytes++;
    }
    text_add_span(text, (struct span){string.at, bytes});
    add_blanks(text, width - characters);
}

static void add_right(struct text *text, struct span string, size_t width)
{
    size_t characters = 0;
    for (size_t i = 0; i < string.length; i++)
        characters += starts_character(string.at[i]);
    add_blanks(text, characters < width ? width - characters : 0);
    text_add_span(text, string);
}

static void add_number(struct text *text, unsigned number, size_t width)
{
    char digits[12];
    struct text written = TEXT_OVER(digits);
    text_add_number(&written, number);
    add_right(text, text_span(&written), width);
}

/* With leading zeros. */
static void add_padded(struct text *text, unsigned number, size_t width)
{
    char digits[12];
    struct text written = TEXT_OVER(digits);
    text_add_number(&written, number);
    for (size_t i = written.length; i < width; i++)
        text_add_char(text, '0');
    text_add_span(text, text_span(&written));
}

static bool points_fit(uint16_t points)
{
    return points % POINTS_PER_TENTH == 0 && points <= TRF_POINTS_MAX;
}

static void add_points(struct text *text, uint16_t points)
{
    unsigned tenths = points / POINTS_PER_TENTH;
    add_number(text, tenths / 10, 2);
    text_add_char(text, '.');
    text_add_number(text, tenths % 10);
}

static void end_line(struct text *text)
{
    while (text->length > 0 && text->at[text->length - 1] == ' ')
        text->at[--text->length] = '\0';
    text_add(text, LINE_ENDING);
}

static bool is_clean(struct span string)
{
    for (size_t i = 0; i < string.length; i++)
        if ((unsigned char)string.at[i] < ' ')
            return false;
    return true;
}

/* ---- Records ---- */

static bool write_records(struct writer *writer, const struct trf_event *event)
{
    for (size_t i = 0; i < event->record_count; i++) {
        const struct trf_record *record = &event->records[i];
        if (!is_clean(record->text) || record->code.length != 3)
            return cannot(writer, "A record has a control character, or a code of other than "
                                  "three letters.");
        text_add_span(writer->text, record->code);
        text_add_char(writer->text, ' ');
        text_add_span(writer->text, record->text);
        end_line(writer->text);
    }
    return true;
}

static void write_rounds(struct text *text, const struct trf_event *event, enum trf_version version)
{
    if (event->rounds_planned == 0)
        return;
    text_add(text, version == TRF_26 ? "142 " : "XXR ");
    text_add_number(text, event->rounds_planned);
    end_line(text);
}

static void write_initial(struct text *text, const struct trf_event *event,
                          enum trf_version version)
{
    if (event->initial == DUTCH_NO_COLOUR)
        return;
    bool white = event->initial == DUTCH_WHITE;
    if (version == TRF_26)
        text_add(text, white ? "152 W" : "152 B");
    else
        text_add(text, white ? "XXC white1" : "XXC black1");
    end_line(text);
}

static bool same_points(const struct trf_points *a, const struct trf_points *b)
{
    return a->win == b->win && a->draw == b->draw && a->loss == b->loss &&
           a->absence == b->absence && a->pairing_bye == b->pairing_bye;
}

/* Writes only differences from the default, but all of them. */
static bool write_point_system(struct writer *writer, const struct trf_event *event,
                               enum trf_version version)
{
    const struct trf_points *points = &event->points, *usual = &trf_points_default;
    const struct {
        const char *trf_26, *trf_16;
        uint16_t points;
        bool usual;
    } all[] = {{"W", "BBW ", points->win, points->win == usual->win},
               {"D", "BBD ", points->draw, points->draw == usual->draw},
               {"L", "BBL ", points->loss, points->loss == usual->loss},
               {"A", "BBZ ", points->absence, points->absence == usual->absence},
               {NULL, "BBF ", points->absence, points->absence == usual->absence},
               {"P", "BBU ", points->pairing_bye, points->pairing_bye == points->win}};
    size_t written = 0;
    if (same_points(points, usual))
        return true;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        if (!points_fit(all[i].points))
            return cannot(writer, "Points must be whole tenths, up to 99.9.");
        if (all[i].usual || (version == TRF_26 && all[i].trf_26 == NULL))
            continue;
        if (version == TRF_26) {
            text_add(writer->text, written++ == 0 ? "162  " : "    ");
            text_add(writer->text, all[i].trf_26);
            add_points(writer->text, all[i].points);
        } else {
            text_add(writer->text, all[i].trf_16);
            add_points(writer->text, all[i].points);
            end_line(writer->text);
        }
    }
    if (version == TRF_26)
        end_line(writer->text);
    return true;
}

static void write_byes(struct text *text, const struct trf_event *event, enum trf_version version)
{
    for (size_t i = 0; i < event->bye_count; i++) {
        const struct trf_bye *bye = &event->byes[i];
        if (version == TRF_26) {
            text_add(text, "240 ");
            text_add_char(text, bye->code);
            text_add_char(text, ' ');
            add_padded(text, bye->round, 3);
            text_add_char(text, ' ');
            add_number(text, bye->number, 4);
            end_line(text);
        } else if (bye->round == event->rounds_played + 1) {
            text_add(text, "XXZ ");
            text_add_number(text, bye->number);
            end_line(text);
        }
    }
}

static void write_forbidden(struct text *text, const struct trf_event *event,
                            enum trf_version version)
{
    uint16_t coming = (uint16_t)(event->rounds_played + 1);
    for (size_t i = 0; i < event->forbidden_count; i++) {
        const struct trf_forbidden *pair = &event->forbidden[i];
        if (version == TRF_26) {
            text_add(text, "260 ");
            add_padded(text, pair->first_round, 3);
            text_add_char(text, ' ');
            add_padded(text, pair->last_round, 3);
            text_add_char(text, ' ');
            add_number(text, pair->a, 4);
            text_add_char(text, ' ');
            add_number(text, pair->b, 4);
        } else if (pair->first_round <= coming && coming <= pair->last_round) {
            text_add(text, "XXP ");
            text_add_number(text, pair->a);
            text_add_char(text, ' ');
            text_add_number(text, pair->b);
        } else {
            continue;
        }
        end_line(text);
    }
}

/* ---- Players ---- */

static void write_result(struct text *text, const struct trf_result *result)
{
    add_blanks(text, 2);
    if (result->code == ' ') {
        add_blanks(text, 8);
        return;
    }
    if (result->opponent == 0)
        text_add(text, "0000");
    else
        add_number(text, result->opponent, 4);
    text_add_char(text, ' ');
    text_add_char(text, result->colour);
    text_add_char(text, ' ');
    text_add_char(text, result->code);
}

static bool write_player(struct writer *writer, const struct trf_event *event, size_t index)
{
    const struct trf_player *player = &event->players[index];
    struct text *text = writer->text;
    if (player->number == 0 || player->number > TRF_NUMBER_MAX || player->rating > 9999 ||
        player->rank > 9999)
        return cannot(writer, "Starting rank, rating and rank can have at most four digits.");
    if (!points_fit(player->points))
        return cannot(writer, "Points must be whole tenths, up to 99.9.");
    if (!is_clean(player->title) || !is_clean(player->name) || !is_clean(player->federation) ||
        !is_clean(player->fide_number) || !is_clean(player->birth))
        return cannot(writer, "A player's data have a control character.");
    text_add(text, "001 ");
    add_number(text, player->number, 4);
    text_add_char(text, ' ');
    text_add_char(text, player->sex == '\0' ? ' ' : player->sex);
    add_left(text, player->title, 3);
    text_add_char(text, ' ');
    add_left(text, player->name, 33);
    text_add_char(text, ' ');
    if (player->rating == 0)
        add_blanks(text, 4);
    else
        add_number(text, player->rating, 4);
    text_add_char(text, ' ');
    add_left(text, player->federation, 3);
    text_add_char(text, ' ');
    add_right(text, player->fide_number, 11);
    text_add_char(text, ' ');
    add_left(text, player->birth, 10);
    text_add_char(text, ' ');
    add_points(text, player->points);
    text_add_char(text, ' ');
    if (player->rank == 0)
        add_blanks(text, 4);
    else
        add_number(text, player->rank, 4);
    for (unsigned round = 0; round < event->columns; round++)
        write_result(text, &event->results[index * event->columns + round]);
    end_line(text);
    return true;
}

/* ---- Public ---- */

size_t trf_text_size(const struct trf_event *event)
{
    size_t size = 1 + 128;
    for (size_t i = 0; i < event->record_count; i++)
        size += 4 + event->records[i].text.length + LINE_END;
    for (size_t i = 0; i < event->player_count; i++)
        size += HEAD_COLUMNS + event->players[i].title.length + event->players[i].name.length +
                event->players[i].federation.length + event->players[i].birth.length +
                event->players[i].fide_number.length + (size_t)10 * event->columns + LINE_END;
    return size + 24 * (event->bye_count + event->forbidden_count);
}

bool trf_write(const struct trf_event *event, enum trf_version version, struct text *text,
               struct trf_error *error)
{
    struct writer writer = {text, error};
    *error = (struct trf_error){0};
    if (!write_records(&writer, event))
        return false;
    write_rounds(text, event, version);
    write_initial(text, event, version);
    if (!write_point_system(&writer, event, version))
        return false;
    for (size_t i = 0; i < event->player_count; i++)
        if (!write_player(&writer, event, i))
            return false;
    write_byes(text, event, version);
    write_forbidden(text, event, version);
    return !text->overflow || cannot(&writer, "The text is longer than its buffer.");
}
