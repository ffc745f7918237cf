#include "api/pages/picture.h"

#include <pango/pangocairo.h>
#include <string.h>
#include <utf8proc.h>

enum {
    SIDE = 360,
    MARGIN = 56,
    TEXT_LEFT = SIDE + MARGIN,
    TEXT_WIDTH = PICTURE_WIDTH - SIDE - 2 * MARGIN
};

static const uint32_t ink = 0x1d1a17, faint = 0x5c554d, paper = 0xfffdf9;

/* ---- Files ---- */

static cairo_status_t write_png(void *closure, const unsigned char *bytes, unsigned length)
{
    growing_add(closure, (struct span){(const char *)bytes, length});
    return CAIRO_STATUS_SUCCESS;
}

static cairo_status_t read_png(void *closure, unsigned char *bytes, unsigned length)
{
    struct span *rest = closure;
    if (length > rest->length)
        return CAIRO_STATUS_READ_ERROR;
    memcpy(bytes, rest->at, length);
    *rest = (struct span){rest->at + length, rest->length - length};
    return CAIRO_STATUS_SUCCESS;
}

/* ---- Colours and text ---- */

static void use_colour(cairo_t *cairo, uint32_t colour)
{
    enum { MOST = 0xff };
    cairo_set_source_rgb(cairo, (double)(colour >> 16 & MOST) / MOST,
                         (double)(colour >> 8 & MOST) / MOST, (double)(colour & MOST) / MOST);
}

static PangoLayout *lay_out(cairo_t *cairo, const char *text, int size, bool bold)
{
    PangoLayout *layout = pango_cairo_create_layout(cairo);
    PangoFontDescription *font = pango_font_description_from_string("sans");
    pango_font_description_set_absolute_size(font, (double)size * PANGO_SCALE);
    if (bold)
        pango_font_description_set_weight(font, PANGO_WEIGHT_BOLD);
    pango_layout_set_font_description(layout, font);
    pango_font_description_free(font);
    pango_layout_set_text(layout, text, -1);
    return layout;
}

/* At most `lines` lines from `top` down; returns where they end. */
static int write_text(cairo_t *cairo, int top, const char *text, int size, bool bold, int lines)
{
    int height = 0;
    if (text[0] == '\0')
        return top;
    PangoLayout *layout = lay_out(cairo, text, size, bold);
    pango_layout_set_width(layout, TEXT_WIDTH * PANGO_SCALE);
    pango_layout_set_height(layout, -lines);
    pango_layout_set_wrap(layout, PANGO_WRAP_WORD_CHAR);
    pango_layout_set_ellipsize(layout, PANGO_ELLIPSIZE_END);
    pango_layout_get_pixel_size(layout, NULL, &height);
    cairo_move_to(cairo, TEXT_LEFT, top);
    pango_cairo_show_layout(cairo, layout);
    g_object_unref(layout);
    return top + height;
}

/* ---- The sign ---- */

static void fill_side(cairo_t *cairo, uint32_t colour)
{
    use_colour(cairo, colour);
    cairo_rectangle(cairo, 0, 0, SIDE, PICTURE_HEIGHT);
    cairo_fill(cairo);
}

/* The emblem's middle, on the colour of its first pixel. */
static bool draw_emblem(cairo_t *cairo, struct span file)
{
    enum { PART = 480, LEFT = (PICTURE_WIDTH - PART) / 2, TOP = (PICTURE_HEIGHT - PART) / 2 };
    cairo_surface_t *emblem = cairo_image_surface_create_from_png_stream(read_png, &file);
    bool good = cairo_surface_status(emblem) == CAIRO_STATUS_SUCCESS &&
                cairo_image_surface_get_width(emblem) == PICTURE_WIDTH &&
                cairo_image_surface_get_height(emblem) == PICTURE_HEIGHT;
    if (good) {
        uint32_t ground;
        memcpy(&ground, cairo_image_surface_get_data(emblem), sizeof ground);
        fill_side(cairo, ground);
        cairo_save(cairo);
        cairo_translate(cairo, 0, (PICTURE_HEIGHT - SIDE) / 2.0);
        cairo_scale(cairo, (double)SIDE / PART, (double)SIDE / PART);
        cairo_set_source_surface(cairo, emblem, -LEFT, -TOP);
        cairo_rectangle(cairo, 0, 0, PART, PART);
        cairo_fill(cairo);
        cairo_restore(cairo);
    }
    cairo_surface_destroy(emblem);
    return good;
}

/* Bytes of the first character as readers count them. */
static size_t first_character(const char *text)
{
    utf8proc_int32_t before, next, state = 0;
    const utf8proc_uint8_t *bytes = (const utf8proc_uint8_t *)text;
    utf8proc_ssize_t length = utf8proc_iterate(bytes, -1, &before), more;
    if (length <= 0)
        return 0;
    while ((more = utf8proc_iterate(bytes + length, -1, &next)) > 0 && next != 0 &&
           !utf8proc_grapheme_break_stateful(before, next, &state)) {
        length += more;
        before = next;
    }
    return (size_t)length;
}

static void draw_letter(cairo_t *cairo, struct arena *arena, const struct picture *picture)
{
    enum { LETTER = 200 };
    int width = 0, height = 0;
    const struct span first = {picture->letter, first_character(picture->letter)};
    fill_side(cairo, picture->colour);
    PangoLayout *layout = lay_out(cairo, arena_copy(arena, first), LETTER, true);
    pango_layout_get_pixel_size(layout, &width, &height);
    use_colour(cairo, paper);
    cairo_move_to(cairo, (SIDE - width) / 2.0, (PICTURE_HEIGHT - height) / 2.0);
    pango_cairo_show_layout(cairo, layout);
    g_object_unref(layout);
}

/* ---- The picture ---- */

static void write_texts(cairo_t *cairo, const struct picture *picture)
{
    enum { TOP = 56, GAP = 14, SMALL = 28, LARGE = 60, USUAL = 34, FOOT = PICTURE_HEIGHT - 76 };
    int at = TOP;
    use_colour(cairo, faint);
    at = write_text(cairo, at, picture->above, SMALL, false, 1) + GAP;
    use_colour(cairo, ink);
    at = write_text(cairo, at, picture->title, LARGE, true, 2) + GAP;
    use_colour(cairo, faint);
    at = write_text(cairo, at, picture->below, SMALL, false, 2) + GAP;
    use_colour(cairo, ink);
    for (size_t i = 0; i < picture->line_count; i++)
        at = write_text(cairo, at, picture->lines[i], USUAL, false, 1) + GAP / 2;
    use_colour(cairo, faint);
    write_text(cairo, FOOT, picture->foot, SMALL, false, 1);
}

bool picture_draw(struct arena *arena, const struct picture *picture, struct span *png)
{
    enum { USUAL_BYTES = 48 * 1024 };
    struct growing file;
    cairo_surface_t *surface =
        cairo_image_surface_create(CAIRO_FORMAT_RGB24, PICTURE_WIDTH, PICTURE_HEIGHT);
    cairo_t *cairo = cairo_create(surface);
    use_colour(cairo, paper);
    cairo_paint(cairo);
    if (picture->emblem.length == 0 || !draw_emblem(cairo, picture->emblem))
        draw_letter(cairo, arena, picture);
    write_texts(cairo, picture);
    growing_begin(&file, arena, USUAL_BYTES);
    bool good =
        cairo_status(cairo) == CAIRO_STATUS_SUCCESS &&
        cairo_surface_write_to_png_stream(surface, write_png, &file) == CAIRO_STATUS_SUCCESS;
    cairo_destroy(cairo);
    cairo_surface_destroy(surface);
    *png = growing_span(&file);
    return good;
}
