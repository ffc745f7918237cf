/* The filter between the sockets and libmicrohttpd, which reads through here and gets a head only
 * when that is complete and well-formed (api/http/head.h). Instead of a refused head it gets a
 * request made here, which is answered with the refusal, and nothing after it.
 *
 *      socket ──> recv() ──> intake: head good? ──> libmicrohttpd ──> api/http/gate.h
 *                                │ no
 *                                └──> `GET / HTTP/1.1` made here, then silence
 *
 * The library has no hook for that: it calls recv(). The program therefore defines its own recv(),
 * which the dynamic linker prefers to the C library's for every caller; it behaves like the C
 * library's except while intakes_run() runs, for that thread and those sockets. Should a library
 * ever read in another way, traffic.c detects that a request has bypassed the intake, and refuses
 * it. Loop thread only.
 */
#ifndef TILLROLL_API_HTTP_INTAKE_H
#define TILLROLL_API_HTTP_INTAKE_H

#include <microhttpd.h>

#include "api/http/head.h"

/* The state for one connection. {0} for a new one. */
struct intake {
    struct head_scan scan; /* of the head that is under way */
    size_t body_left;      /* bytes of a body still to come */
    /* Bytes that were read and not yet given to the library: up to `passed` they may be given, up
     * to `given` they have been; the rest is the beginning of a head. NULL until a head arrives in
     * pieces. */
    char *kept;
    size_t given, passed, length;
    unsigned heads;              /* that were given to the library, modulo 2^32 */
    bool refused;                /* there is a refusal, after all of these */
    struct gate_refusal refusal; /* static strings */
};

/* To be called when nothing will be read any more. */
void intake_free(struct intake *intake);

/* The sockets that are read through intakes. {0} has none. */
struct intakes {
    struct intake_place {
        struct intake *intake; /* NULL: none */
    } * by_socket;
    size_t size;
};

/* Ends the program if memory is short. */
void intakes_enter(struct intakes *intakes, int socket, struct intake *intake);
void intakes_leave(const struct intakes *intakes, int socket);
void intakes_free(struct intakes *intakes);

/* Lets the library run. */
void intakes_run(struct intakes *intakes, struct MHD_Daemon *daemon);

#endif
