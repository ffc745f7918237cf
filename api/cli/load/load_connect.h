/* Finding the server and connecting to it. */
#ifndef TILLROLL_API_CLI_LOAD_LOAD_CONNECT_H
#define TILLROLL_API_CLI_LOAD_LOAD_CONNECT_H

#include <sys/socket.h>

#include "engine/base/text.h"

struct load_server {
    struct sockaddr_storage address;
    socklen_t address_length;
    char host[256]; /* for the Host field */
};

/* Parses `http://host:port`. False with a message in `error`. */
bool load_server_find(const char *url, struct load_server *server, struct text *error);

/* Opens a connected, non-blocking socket without Nagle's delay; -1 on errors. */
int load_connect(const struct load_server *server);

#endif
