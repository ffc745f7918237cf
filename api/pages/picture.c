#include "api/pages/picture.h"

#include <dlfcn.h>
#include <pango/pangocairo.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <utf8proc.h>

enum {
    SIDE = 360,
    MARGIN = 56,
    TEXT_LEFT = SIDE + MARGIN,
    TEXT_WIDTH = PICTURE_WIDTH - SIDE - 2 * MARGIN
};

static const uint32_t ink = 0x1d1a17, faint = 0x5c554d, paper = 0xfffdf9;

/* ---- Libraries ---- */

/* Cairo, Pango and the thirty libraries below them are loaded for the first picture. A service
 * without pictures saves 5 MiB and a third of its start time. */
#define FUNCTIONS(X)                                                                               \
    X(cairo_create)                                                                                \
    X(cairo_destroy)                                                                               \
    X(cairo_fill)                                                                                  \
    X(cairo_image_surface_create)                                                                  \
    X(cairo_image_surface_create_from_png_stream)                                                  \
    X(cairo_image_surface_get_data)                                                                \
    X(cairo_image_surface_get_height)                                                              \
    X(cairo_image_surface_get_width)                                                               \
    X(cairo_move_to)                                                                               \
    X(cairo_paint)                                                                                 \
    X(cairo_rectangle)                                                                             \
    X(cairo_restore)                                                                               \
    X(cairo_save)                                                                                  \
    X(cairo_scale)                                                                                 \
    X(cairo_set_source_rgb)                                                                        \
    X(cairo_set_source_surface)                                                                    \
    X(cairo_status)                                                                                \
    X(cairo_surface_destroy)                                                                       \
    X(cairo_surface_status)                                                                        \
    X(cairo_surface_write_to_png_stream)                                                           \
    X(cairo_translate)                                                                             \
    X(g_object_unref)                                                                              \
    X(pango_cairo_create_layout)                                                                   \
    X(pango_cairo_show_layout)                                                                     \
    X(pango_font_description_free)                                                                 \
    X(pango_font_description_from_string)                                                          \
    X(pango_font_description_set_absolute_size)                                                    \
    X(pango_font_description_set_weight)                                                           \
    X(pango_layout_get_pixel_size)                                                                 \
    X(pango_layout_set_ellipsize)                                                                  \
    X(pango_layout_set_font_description)                                                           \
    X(pango_layout_set_height)                                                                     \
    X(pango_layout_set_text)                                                                       \
    X(pango_layout_set_width)                                                                      \
    X(pango_layout_set_wrap)

#define DECLARE(name) __typeof__(name) *name;
static struct {
    pthread_mutex_t lock; /* held while loading; after success, nothing changes any more */
    bool good;
    bool said; /* the failure has been logged */
    FUNCTIONS(DECLARE)
} drawing = {.lock = PTHREAD_MUTEX_INITIALIZER};
#undef DECLARE

#define PLACE(name) {#name, &drawing.name},
static const struct {
    const char *name;
    void *place;
} functions[] = {FUNCTIONS(PLACE)};
#undef PLACE

/* Looks up a function; false if it is missing. `place` is a pointer to a function pointer. */
static bool find_function(void *library, const char *name, void *place)
{
    void *found = dlsym(library, name);
    memcpy(place, &found, sizeof found);
    return found != NULL;
}

/* Loads the libraries, which are never unloaded, since they are not made for it. The lock is held.
 */
static void load(void)
{
    void *library = dlopen("libpangocairo-1.0.so.0", RTLD_NOW | RTLD_LOCAL);
    drawing.good = library != NULL;
    if (library == NULL && !drawing.said)
        fprintf(stderr, "tillrolld: link previews have no pictures: %s\n", dlerror());
    drawing.said = library == NULL;
    for (size_t i = 0; i < sizeof functions / sizeof functions[0] && drawing.good; i++)
        drawing.good = find_function(library, functions[i].name, functions[i].place);
}

/* False if the libraries cannot be loaded. The next call tries again, since memory may have been
 * short. */
static bool is_loaded(void)
{
    pthread_mutex_lock(&drawing.lock);
    if (!drawing.good)
        load();
    bool good = drawing.good;
    pthread_mutex_unlock(&drawing.lock);
    return good;
}

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

/* ---- Colors and text ---- */

static void use_colour(cairo_t *cairo, uint32_t colour)
{
    enum { MOST = 0xff };
    drawing.cairo_set_source_rgb(cairo, (double)(colour >> 16 & MOST) / MOST,
                                 (double)(colour >> 8 & MOST) / MOST,
                                 (double)(colour & MOST) / MOST);
}

static PangoLayout *lay_out(cairo_t *cairo, const char *text, int size, bool bold)
{
    PangoLayout *layout = drawing.pango_cairo_create_layout(cairo);
    PangoFontDescription *font = drawing.pango_font_description_from_string("sans");
    drawing.pango_font_description_set_absolute_size(font, (double)size * PANGO_SCALE);
    if (bold)
        drawing.pango_font_description_set_weight(font, PANGO_WEIGHT_BOLD);
    drawing.pango_layout_set_font_description(layout, font);
    drawing.pango_font_description_free(font);
    drawing.pango_layout_set_text(layout, text, -1);
    return layout;
}

/* Writes at most `lines` lines downwards from `top`; returns their lower end. */
static int write_text(cairo_t *cairo, int top, const char *text, int size, bool bold, int lines)
{
    int height = 0;
    if (text[0] == '\0')
        return top;
    PangoLayout *layout = lay_out(cairo, text, size, bold);
    drawing.pango_layout_set_width(layout, TEXT_WIDTH * PANGO_SCALE);
    drawing.pango_layout_set_height(layout, -lines);
    drawing.pango_layout_set_wrap(layout, PANGO_WRAP_WORD_CHAR);
    drawing.pango_layout_set_ellipsize(layout, PANGO_ELLIPSIZE_END);
    drawing.pango_layout_get_pixel_size(layout, NULL, &height);
    drawing.cairo_move_to(cairo, TEXT_LEFT, top);
    drawing.pango_cairo_show_layout(cairo, layout);
    drawing.g_object_unref(layout);
    return top + height;
}

/* ---- The sign ---- */

static void fill_side(cairo_t *cairo, uint32_t colour)
{
    use_colour(cairo, colour);
    drawing.cairo_rectangle(cairo, 0, 0, SIDE, PICTURE_HEIGHT);
    drawing.cairo_fill(cairo);
}

/* Draws the emblem's middle on the color of its first pixel. */
static bool draw_emblem(cairo_t *cairo, struct span file)
{
    enum { PART = 480, LEFT = (PICTURE_WIDTH - PART) / 2, TOP = (PICTURE_HEIGHT - PART) / 2 };
    cairo_surface_t *emblem = drawing.cairo_image_surface_create_from_png_stream(read_png, &file);
    bool good = drawing.cairo_surface_status(emblem) == CAIRO_STATUS_SUCCESS &&
                drawing.cairo_image_surface_get_width(emblem) == PICTURE_WIDTH &&
                drawing.cairo_image_surface_get_height(emblem) == PICTURE_HEIGHT;
    if (good) {
        uint32_t ground;
        memcpy(&ground, drawing.cairo_image_surface_get_data(emblem), sizeof ground);
        fill_side(cairo, ground);
        drawing.cairo_save(cairo);
        drawing.cairo_translate(cairo, 0, (PICTURE_HEIGHT - SIDE) / 2.0);
        drawing.cairo_scale(cairo, (double)SIDE / PART, (double)SIDE / PART);
        drawing.cairo_set_source_surface(cairo, emblem, -LEFT, -TOP);
        drawing.cairo_rectangle(cairo, 0, 0, PART, PART);
        drawing.cairo_fill(cairo);
        drawing.cairo_restore(cairo);
    }
    drawing.cairo_surface_destroy(emblem);
    return good;
}

/* The bytes of the first character (grapheme cluster). */
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
    drawing.pango_layout_get_pixel_size(layout, &width, &height);
    use_colour(cairo, paper);
    drawing.cairo_move_to(cairo, (SIDE - width) / 2.0, (PICTURE_HEIGHT - height) / 2.0);
    drawing.pango_cairo_show_layout(cairo, layout);
    drawing.g_object_unref(layout);
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
    if (!is_loaded())
        return false;
    cairo_surface_t *surface =
        drawing.cairo_image_surface_create(CAIRO_FORMAT_RGB24, PICTURE_WIDTH, PICTURE_HEIGHT);
    cairo_t *cairo = drawing.cairo_create(surface);
    use_colour(cairo, paper);
    drawing.cairo_paint(cairo);
    if (picture->emblem.length == 0 || !draw_emblem(cairo, picture->emblem))
        draw_letter(cairo, arena, picture);
    write_texts(cairo, picture);
    growing_begin(&file, arena, USUAL_BYTES);
    bool good = drawing.cairo_status(cairo) == CAIRO_STATUS_SUCCESS &&
                drawing.cairo_surface_write_to_png_stream(surface, write_png, &file) ==
                    CAIRO_STATUS_SUCCESS;
    drawing.cairo_destroy(cairo);
    drawing.cairo_surface_destroy(surface);
    *png = growing_span(&file);
    return good;
}
