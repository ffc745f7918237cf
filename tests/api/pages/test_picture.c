/* Pictures: every text gives a PNG of the promised size, whatever is in it, and what differs can be
 * seen. */
#include <fontconfig/fontconfig.h>
#include <pango/pangocairo.h>
#include <stdio.h>
#include <string.h>

#include "api/pages/picture.h"
#include "source_dir.h"
#include "tests/test.h"

static struct arena arena;

FIXTURE(begin)
{
    arena = (struct arena){NULL};
    return 0;
}

FIXTURE(end)
{
    arena_free(&arena);
    return 0;
}

static struct picture named(const char *name)
{
    return (struct picture){.colour = 0x1f5fbf,
                            .letter = name,
                            .above = "1 Dec 2026",
                            .title = name,
                            .below = name,
                            .lines = {name, "2.  Second", "3.  Third", "and 3 more"},
                            .line_count = PICTURE_LINES,
                            .foot = "club.example"};
}

static cairo_status_t read_bytes(void *closure, unsigned char *bytes, unsigned length)
{
    struct span *rest = closure;
    if (length > rest->length)
        return CAIRO_STATUS_READ_ERROR;
    memcpy(bytes, rest->at, length);
    *rest = (struct span){rest->at + length, rest->length - length};
    return CAIRO_STATUS_SUCCESS;
}

/* Draws it, and reads it back. */
static cairo_surface_t *drawn(const struct picture *picture)
{
    struct span png;
    assert_true(picture_draw(&arena, picture, &png));
    assert_true(png.length > 1000 && png.length < 512 * 1024);
    cairo_surface_t *surface = cairo_image_surface_create_from_png_stream(read_bytes, &png);
    assert_int_equal(cairo_surface_status(surface), CAIRO_STATUS_SUCCESS);
    assert_int_equal(png.length, 0);
    assert_int_equal(cairo_image_surface_get_width(surface), PICTURE_WIDTH);
    assert_int_equal(cairo_image_surface_get_height(surface), PICTURE_HEIGHT);
    return surface;
}

static uint32_t pixel(cairo_surface_t *surface, int x, int y)
{
    uint32_t value;
    memcpy(&value,
           cairo_image_surface_get_data(surface) + y * cairo_image_surface_get_stride(surface) +
               4 * x,
           sizeof value);
    return value & 0xffffff;
}

/* Pixels that are not of the ground, in a part of the picture. */
static unsigned marked(cairo_surface_t *surface, int left, int right, int top, int bottom)
{
    unsigned count = 0;
    uint32_t ground = pixel(surface, left, top);
    for (int y = top; y < bottom; y++)
        for (int x = left; x < right; x++)
            count += pixel(surface, x, y) != ground;
    return count;
}

LISTED_TEST(test_names_of_any_kind)
{
    static char lengthy[4096], crowded[2048];
    memset(lengthy, 'W', sizeof lengthy - 1);
    crowded[0] = 'a';
    for (size_t i = 1; i + 2 < sizeof crowded; i += 2)
        memcpy(&crowded[i], "\u0301", 2);
    const char *const names[] = {"Ada",
                                 "x",
                                 "",
                                 lengthy,
                                 crowded,
                                 "\u05d0\u05d1\u05d2 \u05d3\u05d4",
                                 "\u0645\u0631\u062d\u0628\u0627 123",
                                 "\u65b0\u5bbf",
                                 "\U0001f468\u200d\U0001f469\u200d\U0001f467 \U0001f1e9\U0001f1ea",
                                 "\u202e\u2068\u200f",
                                 "<b>&amp; \"%s\"",
                                 "\x80\xff\xc3"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        struct picture picture = named(names[i]);
        cairo_surface_t *surface = drawn(&picture);
        assert_int_equal(pixel(surface, 5, 5), 0x1f5fbf);
        /* Nothing beyond the margins, and the foot stands alone. */
        assert_int_equal(marked(surface, 1160, 1200, 0, 630), 0);
        assert_int_equal(marked(surface, 361, 1200, 600, 630), 0);
        cairo_surface_destroy(surface);
    }
}

LISTED_TEST(test_what_is_written_can_be_seen)
{
    struct picture picture = named("Ada");
    cairo_surface_t *full = drawn(&picture);
    assert_true(marked(full, 20, 340, 150, 480) > 2000);  /* the letter */
    assert_true(marked(full, 400, 1144, 40, 540) > 4000); /* the texts */
    assert_true(marked(full, 400, 1144, 550, 600) > 200); /* the foot */
    picture.letter = picture.above = picture.title = picture.below = picture.foot = "";
    picture.line_count = 0;
    cairo_surface_t *empty = drawn(&picture);
    assert_int_equal(marked(empty, 0, 360, 0, 630), 0);
    assert_int_equal(marked(empty, 361, 1200, 0, 630), 0);
    cairo_surface_destroy(full);
    cairo_surface_destroy(empty);
}

static struct span file_of(const char *name)
{
    enum { MOST = 64 * 1024 };
    char path[512];
    char *bytes = arena_room(&arena, MOST);
    assert_true(snprintf(path, sizeof path, "%s/web-static/emblems/%s", TILLROLL_SOURCE_DIR, name) <
                (int)sizeof path);
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    size_t length = fread(bytes, 1, MOST, file);
    fclose(file);
    assert_true(length > 0 && length < MOST);
    return (struct span){bytes, length};
}

LISTED_TEST(test_emblems)
{
    struct picture picture = named("Open");
    picture.emblem = file_of("shinjuku.png");
    cairo_surface_t *surface = drawn(&picture);
    assert_int_equal(pixel(surface, 5, 5), 0xb92d26); /* the emblem's own ground */
    assert_true(marked(surface, 20, 340, 150, 480) > 2000);
    cairo_surface_destroy(surface);
    /* What is no such picture leaves the letter. */
    picture.emblem.length /= 2;
    surface = drawn(&picture);
    assert_int_equal(pixel(surface, 5, 5), 0x1f5fbf);
    cairo_surface_destroy(surface);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_names_of_any_kind, begin, end),
        cmocka_unit_test_setup_teardown(test_what_is_written_can_be_seen, begin, end),
        cmocka_unit_test_setup_teardown(test_emblems, begin, end),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    /* What the libraries keep of fonts; sanitizers would call it a leak. */
    pango_cairo_font_map_set_default(NULL);
    cairo_debug_reset_static_data();
    FcFini();
    return failed;
}
