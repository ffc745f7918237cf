/* Addresses as QR codes (ISO/IEC 18004), to scan from badges, cards, pairing sheets and result
 * slips. */
#include <qrencode.h>

#include "api/pages/handlers.h"
#include "api/pages/html.h"

enum { QUIET = 4 }; /* modules of margin, ISO/IEC 18004 section 5.3.8 */

/* Writes a row's dark modules, one rectangle per run. */
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

/* Answers with the code of the page at `path`. A service without a public address uses the host in
 * the request. */
static void answer(struct call *call, const char *path)
{
    enum { ADDRESS_BYTES = 256, SVG_BYTES = 16 * 1024 };
    const char *site = call->service->site_address;
    struct growing address;
    struct growing svg;
    growing_begin(&address, call->arena, ADDRESS_BYTES);
    html_write(&address, "%s%s%s", site == NULL ? "http://" : site,
               site == NULL ? call->request->host : "", path);
    QRcode *code =
        QRcode_encodeString8bit(arena_copy(call->arena, growing_span(&address)), 0, QR_ECLEVEL_M);
    if (code == NULL) {
        call_problem(call, "unavailable", "The service is out of memory; try again soon.");
        return;
    }
    growing_begin(&svg, call->arena, SVG_BYTES);
    write_code(&svg, code);
    QRcode_free(code);
    call_answer_body(call, "image/svg+xml", growing_span(&svg));
}

/* GET /players/{id}/code.svg */
void address_code_player(struct call *call)
{
    answer(call, call_strings(call, (const char *const[]){"/players/", call->id[0].text, NULL}));
}

/* GET /events/{id}/rounds/{number}/tables/{number}/code.svg: the page on which the table's result
 * is reported. */
void address_code_table(struct call *call)
{
    const char *const path[] = {"/events/", call->id[0].text,
                                "/rounds/", call_digits(call, (int64_t)call->number[0]),
                                "/tables/", call_digits(call, (int64_t)call->number[1]),
                                NULL};
    answer(call, call_strings(call, path));
}
