/* Addresses as QR codes (ISO/IEC 18004), to scan from badges and cards. */
#include <qrencode.h>

#include "api/pages/handlers.h"
#include "api/pages/html.h"

enum { QUIET = 4 }; /* modules of margin, ISO/IEC 18004 section 5.3.8 */

/* A service without a public address has the one at which this request reached it. */
static const char *address_of(struct call *call)
{
    struct growing address;
    const char *site = call->service->site_address;
    growing_begin(&address, call->arena, 128);
    growing_add(&address, span_of(site == NULL ? "http://" : site));
    growing_add(&address, span_of(site == NULL ? call->request->host : ""));
    growing_add(&address, span_of("/players/"));
    growing_add(&address, span_of(call->id[0].text));
    return arena_copy(call->arena, growing_span(&address));
}

/* A row's dark modules, as one rectangle for each run. */
static void write_row(struct growing *svg, const QRcode *code, int y)
{
    const unsigned char *row = code->data + (size_t)y * (size_t)code->width;
    for (int x = 0; x < code->width; x++) {
        int begin = x;
        while (x < code->width && (row[x] & 1) != 0)
            x++;
        if (x > begin)
            html_write(svg, "M%d %dh%dv1H%dz", begin + QUIET, y + QUIET, x - begin, begin + QUIET);
    }
}

static void write_code(struct growing *svg, const QRcode *code)
{
    int side = code->width + 2 * QUIET;
    html_write(svg,
               "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" "
               "shape-rendering=\"crispEdges\"><path fill=\"#fff\" d=\"M0 0h%dv%dH0z\"/>"
               "<path d=\"",
               side, side, side, side);
    for (int y = 0; y < code->width; y++)
        write_row(svg, code, y);
    html_write(svg, "\"/></svg>\n");
}

/* GET /players/{id}/code.svg */
void address_code_player(struct call *call)
{
    enum { SVG_BYTES = 16 * 1024 };
    struct growing svg;
    QRcode *code = QRcode_encodeString8bit(address_of(call), 0, QR_ECLEVEL_M);
    if (code == NULL) {
        call_problem(call, "unavailable", "The service is out of memory; try again soon.");
        return;
    }
    growing_begin(&svg, call->arena, SVG_BYTES);
    write_code(&svg, code);
    QRcode_free(code);
    call->response->content_type = "image/svg+xml";
    call->response->body = growing_span(&svg);
    call_tag(call, NULL);
}
