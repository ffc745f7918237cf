#include <errno.h>
#include <sodium.h>
#include <stdio.h>
#include <string.h>

#include "api/cli/cli.h"
#include "api/cli/commands.h"

int main(int argc, char **argv)
{
    if (sodium_init() < 0) {
        fprintf(stderr, "tillroll: libsodium cannot start\n");
        return EXIT_UNKNOWN;
    }
    int status = cli_run(argc, argv);
    /* Output that was not written, as on a full disk, must not look like success. */
    errno = 0;
    if (fflush(stdout) != 0 || ferror(stdout)) {
        fprintf(stderr, "tillroll: the output could not be written%s%s\n", errno == 0 ? "" : ": ",
                errno == 0 ? "" : strerror(errno));
        return EXIT_UNKNOWN;
    }
    return status;
}
