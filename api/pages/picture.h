/* Link preview images: a PNG with a sign on the left and text beside it, drawn by Cairo. Pango lays
 * the text out, so names in any script and direction can be drawn with the fonts of the machine;
 * text that does not fit ends in an ellipsis. */
#ifndef TILLROLL_API_PAGES_PICTURE_H
#define TILLROLL_API_PAGES_PICTURE_H

#include <stdint.h>

#include "engine/base/arena.h"

/* The size for link previews, in pixels; the emblems in web-static/emblems have the same size. */
enum { PICTURE_WIDTH = 1200, PICTURE_HEIGHT = 630, PICTURE_LINES = 4 };

/* Texts are UTF-8, drawn without interpreting markup; "" is left out. */
struct picture {
    struct span emblem; /* PNG of that size; its middle is drawn. If empty, `letter` is drawn */
    uint32_t colour;    /* 0xRRGGBB, a background for white text */
    const char *letter; /* a name whose first character is drawn */
    const char *above;  /* a small line above the title */
    const char *title;
    const char *below; /* a sentence */
    const char *lines[PICTURE_LINES];
    size_t line_count;
    const char *foot;
};

/* Draws the picture in a few milliseconds, with 3 MiB of memory. `png` gets the file, owned by the
 * arena. False if there is not enough memory, or if Cairo and Pango, which the first picture loads,
 * are not installed. Any thread. */
bool picture_draw(struct arena *arena, const struct picture *picture, struct span *png);

#endif
