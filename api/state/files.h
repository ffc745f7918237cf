/* The pages: files of web-static/, read once at the start, and turned into responses when first
 * requested: compressing all of them takes longer than the rest of the start.
 *
 * Browsers ask each time whether a file is still the same. A page consists of dozens, so it names
 * them at other addresses, /static/~VERSION/<name>, which stand for the same bytes and are never
 * requested again; the modules that scripts import are found beside them. The version is a hash of
 * all files. A request with another version comes from a page of an earlier or later service: it
 * gets the current file, which must not be cached. */
#ifndef TILLROLL_API_STATE_FILES_H
#define TILLROLL_API_STATE_FILES_H

#include <stdbool.h>

#include "api/http/answer.h"

enum { FILE_NAME_MAX = 96 /* with the terminating NUL */, FILE_VERSION_MARK = '~' };

struct file;
struct files;

/* Reads every file of `directory`, and of the folders in it, with a known ending (html, css, js,
 * svg, png, webp, ico, txt, json, wasm), and adds verify.wasm, event.wasm, practice.wasm,
 * analysis.wasm and scorer.wasm (engine/wasm) if they were built, and the documentation:
 * docs/index.html, docs/guides/players.html .. (api/docs/build_docs.c). Deeper folders are ignored.
 * shell.html becomes the pages of pages.json (shells.h). NULL with a sentence in `error`. */
struct files *files_load(const char *directory, struct text *error);
void files_free(struct files *files);

/* The file with this name (`event.html`, or in a folder `boards/plain.js`), or NULL. The first call
 * of this function or of files_have_version() hashes all files, which takes two milliseconds. Any
 * thread. */
struct file *files_find(struct files *files, struct span name);

/* True if this is the version of these files. Any thread. */
bool files_have_version(struct files *files, struct span version);

/* The file's content; borrowed. */
struct span file_bytes(const struct file *file);

/* True if the file's response has been built already. Any thread. */
bool file_is_ready(const struct file *file, bool versioned);

/* The file's response, which the file holds; built now if it is not ready, which takes milliseconds
 * for large files. `versioned`: the response at the address with the version, which browsers keep
 * for a year; otherwise they ask again. NULL if memory is short. Any thread. */
struct shared_answer *file_answer(struct file *file, bool versioned);

#endif
