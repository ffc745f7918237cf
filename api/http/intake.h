/* The filter between the sockets and libmicrohttpd, which reads through it and gets a head only
 * when that is complete and well-formed (api/http/head.h). Instead of a refused head it gets a
 * substitute request, which is answered with the refusal, and nothing after that.
 *
 *      socket ──> recv() ──> intake: head good? ──> libmicrohttpd ──> api/http/gate.h
 *                                │ no
 *                                └──> substitute `GET / HTTP/1.1`, then silence
 *
 * libmicrohttpd has no hook for that: it calls recv(). The program therefore defines its own
 * recv(), which the dynamic linker prefers to the C library's for every caller; it behaves like the
 * C library's except while intakes_run() runs, for that thread and those sockets. Should a version
 * of libmicrohttpd read in another way, traffic.c detects that a request has bypassed the intake,
 * and refuses it. Loop thread only.
 */
#ifndef TILLROLL_API_HTTP_INTAKE_H
#define TILLROLL_API_HTTP_INTAKE_H

#include <microhttpd.h>

#include "api/http/head.h"

/* The state for one connection. {0} for a new one. */
struct intake {
    struct head_scan scan; /* scan of the current head */
    size_t body_left;      /* bytes of a body still to come */
    /* Bytes that were read but not yet given to libmicrohttpd: the first `given` have been given,
     * those up to `passed` may be given, the rest is the beginning of a head. NULL until a head
     * arrives in pieces. */
    char *kept;
    size_t given, passed, length;
    unsigned heads;              /* heads that were given to libmicrohttpd, modulo 2^32 */
    bool refused;                /* a refusal follows the heads given so far */
    struct gate_refusal refusal; /* static strings */
};

/* To be called when nothing more will be read. */
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

/* Runs libmicrohttpd, whose recv() then reads through the intakes. */
void intakes_run(struct intakes *intakes, struct MHD_Daemon *daemon);

#endif
