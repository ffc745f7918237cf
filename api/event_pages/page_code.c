/* The QR code of a table's page, for pairing sheets and result slips: a phone that sees it opens
 * the page on which the result is reported. */
#include <qrencode.h>

#include "api/event_pages/handlers.h"
#include "api/pages/html.h"

enum { QUIET_ZONE = 4 /* modules, ISO/IEC 18004 */, SVG_BYTES = 16 * 1024 };

/* The address of this picture without its last segment. */
static const char *page_address(struct call *call)
{
    const char *site = call->service->site_address;
    struct growing address;
    growing_begin(&address, call->arena, 256);
    if (site == NULL)
        html_write(&address, "http://%s", call->request->host);
    else
        html_write(&address, "%s", site);
    html_write(&address, "/events/%s/rounds/%lld/tables/%lld", call->id[0].text,
               (long long)call->number[0], (long long)call->number[1]);
    return arena_copy(call->arena, growing_span(&address));
}

/* A path of the dark modules: runs of a row, one by one. */
static void write_modules(struct growing *svg, const QRcode *code)
{
    for (int row = 0; row < code->width; row++)
        for (int from = 0, to; from < code->width; from = to + 1) {
            const unsigned char *line = &code->data[row * code->width];
            while (from < code->width && (line[from] & 1) == 0)
                from++;
            for (to = from; to < code->width && (line[to] & 1) != 0;)
                to++;
            if (to > from)
                html_write(svg, "M%d %dh%dv1h-%dz", from + QUIET_ZONE, row + QUIET_ZONE, to - from,
                           to - from);
        }
}

void table_code(struct call *call)
{
    QRcode *code = QRcode_encodeString8bit(page_address(call), 0, QR_ECLEVEL_M);
    struct growing svg;
    if (code == NULL) {
        call_problem(call, "unavailable", "The code could not be made; try again soon.");
        return;
    }
    int size = code->width + 2 * QUIET_ZONE;
    growing_begin(&svg, call->arena, SVG_BYTES);
    html_write(&svg,
               "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" "
               "shape-rendering=\"crispEdges\"><path fill=\"#fff\" d=\"M0 0h%dv%dH0z\"/><path d=\"",
               size, size, size, size);
    write_modules(&svg, code);
    html_write(&svg, "\"/></svg>\n");
    QRcode_free(code);
    call->response->content_type = "image/svg+xml";
    call->response->body = growing_span(&svg);
    call_tag(call, NULL);
}
