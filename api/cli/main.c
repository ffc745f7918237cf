#include <sodium.h>
#include <stdio.h>

#include "api/cli/cli.h"
#include "api/cli/commands.h"

int main(int argc, char **argv)
{
    if (sodium_init() < 0) {
        fprintf(stderr, "tillroll: libsodium cannot start\n");
        return EXIT_UNKNOWN;
    }
    return cli_run(argc, argv);
}
