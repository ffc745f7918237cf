/* Link preview images: a PNG with a sign on the left and text beside it, drawn by Cairo. Pango lays
 * the text out, so names of any script and direction can be drawn with the fonts of the machine;
 * what does not fit ends in an ellipsis. */
#ifndef TILLROLL_API_PAGES_PICTURE_H
#define TILLROLL_API_PAGES_PICTURE_H

#include <stdint.h>

#include "engine/base/arena.h"

/* The size that link previews ask for, in pixels; the signs in web-static/emblems have it too. */
enum { PICTURE_WIDTH = 1200, PICTURE_HEIGHT = 630, PICTURE_LINES = 4 };

/* Texts are UTF-8 and drawn as they are, without markup; "" is left out. */
struct picture {
    struct span
        emblem;      /* a PNG of that size whose middle is drawn on its ground; or empty, then: */
    uint32_t colour; /* 0xRRGGBB, which white is legible on */
    const char *letter; /* a name, of which the first character is drawn */
    const char *above;  /* a small line above the title */
    const char *title;
    const char *below; /* a sentence */
    const char *lines[PICTURE_LINES];
    size_t line_count;
    const char *foot;
};

/* Draws it in a few milliseconds, with 3 MiB meanwhile. `png` gets the file, in the arena. False if
 * memory is short, or Cairo and Pango, which are loaded by the first picture, are not there. Any
 * thread. */
bool picture_draw(struct arena *arena, const struct picture *picture, struct span *png);

#endif
