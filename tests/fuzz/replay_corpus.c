/* Calls a target with every file of a directory: the corpus in the suite, without libFuzzer. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>

#include "support.h"

/* Into memory of exactly its size, so that a sanitizer sees a read behind it. */
static bool replay_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        return false;
    bool good = fseek(file, 0, SEEK_END) == 0;
    long size = good ? ftell(file) : -1;
    uint8_t *bytes = size < 0 ? NULL : malloc(size == 0 ? 1 : (size_t)size);
    good = bytes != NULL && fseek(file, 0, SEEK_SET) == 0 &&
           fread(bytes, 1, (size_t)size, file) == (size_t)size;
    fclose(file);
    if (good)
        LLVMFuzzerTestOneInput(bytes, (size_t)size);
    free(bytes);
    return good;
}

static int replay_directory(const char *path)
{
    DIR *directory = opendir(path);
    unsigned files = 0;
    bool good = directory != NULL;
    for (struct dirent *each; good && (each = readdir(directory)) != NULL;) {
        char name[4096];
        if (each->d_name[0] == '.')
            continue;
        int length = snprintf(name, sizeof name, "%s/%s", path, each->d_name);
        good = length > 0 && (size_t)length < sizeof name && replay_file(name);
        files++;
    }
    if (directory != NULL)
        closedir(directory);
    printf("%s: %u inputs\n", path, files);
    if (files == 0)
        fprintf(stderr, "a corpus has at least one file; write_seeds makes those of games\n");
    return good && files > 0 ? 0 : 1;
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        fprintf(stderr, "usage: %s DIRECTORY\n", argv[0]);
        return 2;
    }
    return replay_directory(argv[1]);
}
