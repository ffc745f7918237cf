#include "api/state/files.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sodium.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "api/state/shells.h"
#include "engine/base/embed.h"
#include "engine/base/sha256.h"

enum { FILES_MAX = 384, FILE_BYTES_MAX = 4 * 1024 * 1024 };

struct file {
    char name[FILE_NAME_MAX];
    const char *content_type;
    struct span bytes;
    char *owned; /* `bytes`, or NULL if they are part of the program */
    /* NULL until built; [true] is the one at the address with the version. */
    _Atomic(struct shared_answer *) answer[2];
};

enum { VERSION_BYTES = 8 };

struct files {
    struct file file[FILES_MAX];
    size_t count;
    size_t read, made;          /* files that were read, and the end of the pages, which follow */
    atomic_bool complete;       /* the version is known, and the pages contain it */
    pthread_mutex_t completing; /* held while the version is added to the pages */
    char version[2 * VERSION_BYTES + 1];
};

static const struct {
    const char *ending, *content_type;
} types[] = {
    {".html", "text/html; charset=utf-8"},
    {".css", "text/css; charset=utf-8"},
    {".js", "text/javascript; charset=utf-8"},
    {".json", "application/json"},
    {".svg", "image/svg+xml"},
    {".png", "image/png"},
    {".webp", "image/webp"},
    {".ico", "image/x-icon"},
    {".txt", "text/plain; charset=utf-8"},
    {".wasm", "application/wasm"},
};

/* The only scripts that may compile WebAssembly: those that run verify.wasm, event.wasm,
 * practice.wasm, analysis.wasm and scorer.wasm. */
static bool compiles(const char *name)
{
    return strcmp(name, "verify/verify-worker.js") == 0 ||
           strcmp(name, "practice/practice-worker.js") == 0 ||
           strcmp(name, "game/analysis-worker.js") == 0 ||
           strcmp(name, "scorer/engine-worker.js") == 0;
}

static const char *content_type(const char *name)
{
    size_t length = strlen(name);
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        size_t ending = strlen(types[i].ending);
        if (length > ending && strcmp(name + length - ending, types[i].ending) == 0)
            return types[i].content_type;
    }
    return NULL;
}

/* `folder` is the descriptor of the file's folder, here and below. */
static char *read_bytes(int folder, const char *entry, size_t *length)
{
    int file = openat(folder, entry, O_RDONLY | O_CLOEXEC);
    struct stat status;
    char *bytes = NULL;
    if (file >= 0 && fstat(file, &status) == 0 && S_ISREG(status.st_mode) &&
        status.st_size <= FILE_BYTES_MAX) {
        *length = (size_t)status.st_size;
        bytes = malloc(*length + 1);
        if (bytes != NULL && read(file, bytes, *length) != (ssize_t)*length) {
            free(bytes);
            bytes = NULL;
        }
    }
    if (file >= 0)
        close(file);
    return bytes;
}

/* Joins `<a>/<b>`, or returns the one that is not empty. False if the path is too long. */
static bool join(const char *a, const char *b, struct text *path)
{
    text_add_all(path, a, a[0] == '\0' || b[0] == '\0' ? "" : "/", b);
    return !path->overflow;
}

/* Takes over `owned`, if there is room for the file. */
static bool add_file(struct files *files, const char *name, struct span bytes, char *owned)
{
    struct file *file = &files->file[files->count];
    if (files->count == FILES_MAX || strlen(name) >= sizeof file->name)
        return false;
    memcpy(file->name, name, strlen(name) + 1);
    file->content_type = content_type(name);
    file->bytes = bytes;
    file->owned = owned;
    files->count++;
    return true;
}

static bool load_file(struct files *files, int folder, const char *entry, const char *name)
{
    if (content_type(name) == NULL)
        return true;
    size_t length;
    char *bytes = read_bytes(folder, entry, &length);
    bool added = bytes != NULL && add_file(files, name, (struct span){bytes, length}, bytes);
    if (!added)
        free(bytes);
    return added;
}

/* The pages of the documentation were made when the program was built, and are part of it: `NAME
 * LENGTH`, a new line, and the bytes, one after the other (api/docs/build_docs.c). */
EMBED_FILE(docs_pack, TILLROLL_DOCS_PACK);

static bool add_docs(struct files *files)
{
    const char *at = (const char *)docs_pack;
    while (at < (const char *)docs_pack_end) {
        char name[FILE_NAME_MAX];
        const char *blank = strchr(at, ' ');
        size_t length = (size_t)(blank - at);
        if (length >= sizeof name)
            return false;
        memcpy(name, at, length);
        name[length] = '\0';
        char *end;
        size_t bytes = strtoul(blank, &end, 10);
        if (!add_file(files, name, (struct span){end + 1, bytes}, NULL))
            return false;
        at = end + 1 + bytes;
    }
    return true;
}

/* The modules with which browsers verify, practice, analyze and record use the program's own
 * engine, so they are part of the program, if they were built. */
#ifdef TILLROLL_VERIFY_WASM
EMBED_FILE(verify_wasm, TILLROLL_VERIFY_WASM);
#endif
#ifdef TILLROLL_PRACTICE_WASM
EMBED_FILE(practice_wasm, TILLROLL_PRACTICE_WASM);
#endif
#ifdef TILLROLL_ANALYSIS_WASM
EMBED_FILE(analysis_wasm, TILLROLL_ANALYSIS_WASM);
#endif
#ifdef TILLROLL_SCORER_WASM
EMBED_FILE(scorer_wasm, TILLROLL_SCORER_WASM);
#endif
#ifdef TILLROLL_EVENT_WASM
EMBED_FILE(event_wasm, TILLROLL_EVENT_WASM);
#endif

static bool add_engines(struct files *files)
{
    static const struct {
        const char *name;
        const unsigned char *bytes, *end;
    } engines[] = {
#ifdef TILLROLL_VERIFY_WASM
        {"verify.wasm", verify_wasm, verify_wasm_end},
#endif
#ifdef TILLROLL_PRACTICE_WASM
        {"practice.wasm", practice_wasm, practice_wasm_end},
#endif
#ifdef TILLROLL_ANALYSIS_WASM
        {"analysis.wasm", analysis_wasm, analysis_wasm_end},
#endif
#ifdef TILLROLL_SCORER_WASM
        {"scorer.wasm", scorer_wasm, scorer_wasm_end},
#endif
#ifdef TILLROLL_EVENT_WASM
        {"event.wasm", event_wasm, event_wasm_end},
#endif
        {NULL, NULL, NULL}};
    for (size_t i = 0; engines[i].name != NULL; i++)
        if (!add_file(files, engines[i].name,
                      (struct span){(const char *)engines[i].bytes,
                                    (size_t)(engines[i].end - engines[i].bytes)},
                      NULL))
            return false;
    return true;
}

static bool is_folder(int folder, const struct dirent *entry)
{
    struct stat status;
    return entry->d_type != DT_REG && fstatat(folder, entry->d_name, &status, 0) == 0 &&
           S_ISDIR(status.st_mode);
}

static bool load_folder(struct files *files, const char *root, const char *folder,
                        struct text *error);

/* `folder` is "" for the root, or the name of a folder in it, open as `at`. */
static bool load_entry(struct files *files, const char *root, const char *folder, int at,
                       const struct dirent *found, struct text *error)
{
    const char *entry = found->d_name;
    char name_bytes[4096];
    struct text name = TEXT_OVER(name_bytes);
    bool fits = join(folder, entry, &name);
    if (fits && is_folder(at, found))
        return folder[0] != '\0' || load_folder(files, root, entry, error);
    if (fits && load_file(files, at, entry, name.at))
        return true;
    text_add(error, entry);
    text_add(error, ": this page cannot be read, is too large, or is one too many");
    return false;
}

static bool load_folder(struct files *files, const char *root, const char *folder,
                        struct text *error)
{
    char path_bytes[4096];
    struct text path = TEXT_OVER(path_bytes);
    DIR *stream = join(root, folder, &path) ? opendir(path.at) : NULL;
    if (stream == NULL) {
        text_add_all(error, path.at, ": ", strerror(errno));
        return false;
    }
    bool good = true;
    for (struct dirent *entry; good && (entry = readdir(stream)) != NULL;)
        good =
            entry->d_name[0] == '.' || load_entry(files, root, folder, dirfd(stream), entry, error);
    closedir(stream);
    return good;
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(((const struct file *)a)->name, ((const struct file *)b)->name);
}

/* The version covers the names and bytes of all files that were read, in the order of the names:
 * the hash of each goes into the hash of the next. SHA-256 is the fastest hash available, on
 * processors that have instructions for it. */
static void set_version(struct files *files)
{
    uint8_t hash[SHA256_BYTES] = {0};
    struct text version = TEXT_OVER(files->version);
    for (const struct file *file = files->file; file < files->file + files->read; file++) {
        char bytes[2 * SHA256_BYTES + FILE_NAME_MAX + 2];
        struct text head = TEXT_OVER(bytes);
        text_add_hex(&head, hash, sizeof hash);
        text_add(&head, file->name);
        text_add_char(&head, '\n');
        sha256(hash, text_span(&head), file->bytes);
    }
    text_add_hex(&version, hash, VERSION_BYTES);
}

/* ---- Pages ---- */

/* Returns a copy of the page, from malloc, which names its files at the addresses with the
 * version. */
static struct span add_version(struct span page, const char *version)
{
    static const char folder[] = "=\"/static/";
    const char *at = page.at, *end = page.at + page.length, *found;
    char *bytes = NULL;
    size_t length = 0;
    FILE *made = must(open_memstream(&bytes, &length));
    for (; (found = memmem(at, (size_t)(end - at), folder, strlen(folder))) != NULL;
         at = found + strlen(folder))
        fprintf(made, "%.*s%s%c%s/", (int)(found - at), at, folder, FILE_VERSION_MARK, version);
    fwrite(at, 1, (size_t)(end - at), made);
    if (fclose(made) != 0)
        abort();
    return (struct span){bytes, length};
}

static bool take_page(void *context, const char *name, char *bytes, size_t length,
                      struct text *error)
{
    if (add_file(context, name, (struct span){bytes, length}, bytes))
        return true;
    free(bytes);
    text_add(error, name);
    text_add(error, ": this page is one too many");
    return false;
}

static struct file *find(struct files *files, struct span name)
{
    for (size_t i = 0; i < files->count; i++)
        if (span_is(name, files->file[i].name))
            return &files->file[i];
    return NULL;
}

static bool add_pages(struct files *files, struct text *error)
{
    const struct file *shell = find(files, span_of("shell.html"));
    const struct file *pages = find(files, span_of("pages.json"));
    files->read = files->count;
    bool good = shell == NULL || pages == NULL ||
                shells_make(shell->bytes, pages->bytes, take_page, files, error);
    files->made = files->count;
    return good;
}

/* Hashing all files takes 1.6 of the 15 ms of processor time of a start, so the first request for a
 * file does it. */
static void complete(struct files *files)
{
    if (atomic_load(&files->complete))
        return;
    pthread_mutex_lock(&files->completing);
    if (!atomic_load(&files->complete)) {
        set_version(files);
        for (struct file *file = files->file + files->read; file < files->file + files->made;
             file++) {
            file->bytes = add_version(file->bytes, files->version);
            free(file->owned);
            file->owned = (char *)file->bytes.at;
        }
        atomic_store(&files->complete, true);
    }
    pthread_mutex_unlock(&files->completing);
}

struct files *files_load(const char *directory, struct text *error)
{
    struct files *files = must(calloc(1, sizeof *files));
    pthread_mutex_init(&files->completing, NULL);
    bool good = load_folder(files, directory, "", error);
    qsort(files->file, files->count, sizeof files->file[0], compare_names);
    if (good && add_pages(files, error)) {
        if (add_engines(files) && add_docs(files))
            return files;
        text_add(error, "there is no place for the WebAssembly modules and the documentation");
    }
    files_free(files);
    return NULL;
}

void files_free(struct files *files)
{
    if (files == NULL)
        return;
    for (size_t i = 0; i < files->count; i++) {
        for (int version = 0; version < 2; version++)
            shared_answer_drop(atomic_load(&files->file[i].answer[version]));
        free(files->file[i].owned);
    }
    pthread_mutex_destroy(&files->completing);
    free(files);
}

struct file *files_find(struct files *files, struct span name)
{
    complete(files);
    return find(files, name);
}

bool files_have_version(struct files *files, struct span version)
{
    complete(files);
    return span_is(version, files->version);
}

/* ---- Responses ---- */

struct span file_bytes(const struct file *file)
{
    return file->bytes;
}

/* The entity tag is a hash of the file's bytes. */
static struct shared_answer *make_answer(const struct file *file, bool versioned)
{
    enum { TAG_BYTES = 10, EFFORT = 6 };
    uint8_t hash[crypto_hash_sha256_BYTES];
    char tag[2 * TAG_BYTES + 3];
    struct text etag = TEXT_OVER(tag);
    crypto_hash_sha256(hash, (const unsigned char *)file->bytes.at, file->bytes.length);
    text_add_char(&etag, '"');
    text_add_hex(&etag, hash, TAG_BYTES);
    text_add_char(&etag, '"');
    const struct http_response response = {
        .status = 200,
        .content_type = file->content_type,
        .cache_control = versioned ? "public, max-age=31536000, immutable" : "no-cache",
        .etag = tag,
        .compiles = compiles(file->name),
        .body = file->bytes};
    const struct audience everybody = {.anonymous_only = false};
    return shared_answer_new(&response, EFFORT, &everybody);
}

bool file_is_ready(const struct file *file, bool versioned)
{
    return atomic_load(&file->answer[versioned]) != NULL;
}

/* If two threads build it at once, the second response is dropped. */
struct shared_answer *file_answer(struct file *file, bool versioned)
{
    struct shared_answer *answer = atomic_load(&file->answer[versioned]);
    if (answer != NULL)
        return answer;
    struct shared_answer *made = make_answer(file, versioned);
    if (made == NULL || atomic_compare_exchange_strong(&file->answer[versioned], &answer, made))
        return made;
    shared_answer_drop(made);
    return answer;
}
