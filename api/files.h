/* The pages: files of web-static/, read and made answers once at the start. */
#ifndef TILLROLL_API_FILES_H
#define TILLROLL_API_FILES_H

#include <stdbool.h>

#include "api/shared_answer.h"

enum { FILE_NAME_MAX = 96 /* with the terminating NUL */ };

struct file {
    char name[FILE_NAME_MAX]; /* `event.html`, or in a folder `boards/plain.js` */
    struct shared_answer *answer;
};

struct files;

/* Reads every file of `directory`, and of the folders in it, whose ending is known (html, css, js,
 * svg, png, ico, txt, json, wasm), and adds verify.wasm (engine/wasm/verifier.h) if it was built.
 * Folders in those folders are left alone. NULL with a sentence in `error`. */
struct files *files_load(const char *directory, struct text *error);
void files_free(struct files *files);

/* The file of this name, or NULL. */
const struct file *files_find(const struct files *files, struct span name);

#endif
