/* A file is found by the game's id, and trusted only by its hash in the database. */
#include "db/store/games/archive.h"

#include <errno.h>
#include <fcntl.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "db/link/statement.h"
#include "engine/record/record.h"

enum { PATH_BYTES = 4096, FOLDER_DIGITS = 3, HASH_BYTES = crypto_hash_sha256_BYTES };

static const size_t FILE_BYTES_MAX = 64 << 20;

static const char *archive_directory;

void archive_use(const char *directory)
{
    archive_directory = directory;
}

/* ---- Paths ---- */

struct paths {
    char folder[PATH_BYTES];
    char file[PATH_BYTES];
    char new_file[PATH_BYTES]; /* used while the file is being written */
};

/* The last digits of an id are random, so folders fill evenly. */
static bool find_paths(const char *directory, const struct id *game, struct paths *paths)
{
    struct text folder = TEXT_OVER(paths->folder);
    struct text file = TEXT_OVER(paths->file);
    struct text new_file = TEXT_OVER(paths->new_file);
    text_add_all(&folder, directory, "/", game->text + strlen(game->text) - FOLDER_DIGITS);
    text_add_span(&file, text_span(&folder));
    text_add_all(&file, "/", game->text, ".roll");
    text_add_span(&new_file, text_span(&file));
    text_add(&new_file, ".new");
    return !new_file.overflow;
}

/* ---- Reading ---- */

static bool read_descriptor(int descriptor, char *bytes, size_t size)
{
    for (size_t at = 0; at < size;) {
        ssize_t got = read(descriptor, bytes + at, size - at);
        if (got == 0 || (got < 0 && errno != EINTR))
            return false;
        at += got > 0 ? (size_t)got : 0;
    }
    return true;
}

/* Reads the whole file into the arena. False with errno. */
static bool read_file(const char *path, struct arena *arena, struct span *text)
{
    struct stat status;
    int descriptor = open(path, O_RDONLY | O_CLOEXEC);
    if (descriptor < 0)
        return false;
    bool good = fstat(descriptor, &status) == 0;
    errno = good && (size_t)status.st_size > FILE_BYTES_MAX ? EFBIG : errno;
    good = good && (size_t)status.st_size <= FILE_BYTES_MAX;
    if (good) {
        char *bytes = arena_take(arena, (size_t)status.st_size + 1);
        *text = (struct span){bytes, (size_t)status.st_size};
        errno = EIO;
        good = read_descriptor(descriptor, bytes, text->length);
    }
    int error = errno;
    close(descriptor);
    errno = error;
    return good;
}

static void log_missing(const struct id *game, const char *why)
{
    fprintf(stderr, "tillroll: the archived record of game %s: %s\n", game->text, why);
}

/* Reads a file and checks that it is the archived one; DB_ARCHIVE if not. */
static enum db_status read_archived(struct arena *arena, const struct id *game,
                                    const uint8_t hash[static HASH_BYTES], struct span *text)
{
    struct paths paths;
    uint8_t found[HASH_BYTES];
    const char *why = NULL;
    if (archive_directory == NULL) {
        why = "no archive is configured (TILLROLL_ARCHIVE)";
    } else if (!find_paths(archive_directory, game, &paths)) {
        why = "the path is too long";
    } else if (!read_file(paths.file, arena, text)) {
        why = strerrordesc_np(errno);
    } else {
        crypto_hash_sha256(found, (const unsigned char *)text->at, text->length);
        if (memcmp(found, hash, HASH_BYTES) != 0)
            why = "the file is not what was archived";
    }
    if (why == NULL)
        return DB_OK;
    log_missing(game, why);
    return DB_ARCHIVE;
}

/* ---- Rows ---- */

static bool is_start(struct span line)
{
    return line.length > 6 && memcmp(line.at, "start ", 6) == 0;
}

/* Continues the chain over a line, without its mark, which is not hashed. */
static void continue_chain(uint8_t hash[static HASH_BYTES], struct span line)
{
    enum { MARK = 10 };
    line.length -= line.length < MARK ? line.length : MARK;
    record_chain_add(hash, line);
}

/* Splits a record's text into at most `most` rows: row 0 is the header, whose last line is `start`;
 * each further line is a row. */
static size_t split(struct span text, struct record_row *rows, size_t most)
{
    uint8_t hash[HASH_BYTES];
    struct span rest = text;
    struct span line;
    size_t count = 0;
    bool first = true;
    bool header = true;
    while (count < most && span_line(&rest, &line)) {
        if (first)
            record_chain_start(hash);
        else
            continue_chain(hash, line);
        first = false;
        if (header && !is_start(line))
            continue;
        rows[count] = (struct record_row){.seq = (unsigned)count, .line = line};
        if (header)
            rows[count].line = (struct span){text.at, (size_t)(line.at + line.length - text.at)};
        memcpy(rows[count++].hash, hash, sizeof hash);
        header = false;
    }
    return count;
}

static const struct statement find_archived = {
    "archive_find", "SELECT rows, hash FROM tillroll.archived_record WHERE game_id = $1"};

/* Puts the rows of the database into their places; rows that are not in the file follow the others.
 */
static void put_stored(struct record_row *rows, size_t *count, const struct record_row *stored,
                       size_t stored_count)
{
    size_t archived = *count;
    for (size_t i = 0; i < stored_count; i++)
        rows[stored[i].seq < archived ? stored[i].seq : (*count)++] = stored[i];
}

enum db_status archive_read(struct db *db, struct arena *arena, const struct id *game,
                            const struct record_row *stored, size_t stored_count,
                            struct record_row **rows, size_t *count)
{
    struct rows got;
    struct span text;
    uint8_t hash[HASH_BYTES];
    enum db_status status = statement_row(db, &find_archived, WITH(ID(game)), &got);
    if (status != DB_OK)
        return status;
    size_t most = row_unsigned(&got, 0, 0);
    row_hash(&got, 0, 1, hash);
    rows_free(&got);
    status = read_archived(arena, game, hash, &text);
    if (status != DB_OK)
        return status;
    *rows = arena_array(arena, most + stored_count, sizeof **rows);
    *count = split(text, *rows, most);
    put_stored(*rows, count, stored, stored_count);
    return DB_OK;
}

static const struct statement count_archived = {"archive_count",
                                                "SELECT count(*) FROM tillroll.archived_record"};

enum db_status archive_count(struct db *db, uint64_t *count)
{
    return statement_value(db, &count_archived, NULL, count);
}

/* ---- Archiving ---- */

/* A closed event was closed by a line of its log. Records in the form of the first releases, which
 * is no longer read, have no line with a head. */
static const struct statement candidates = {
    "archive_candidates",
    "WITH page AS (SELECT id, event_id, finished_at FROM tillroll.game"
    "              WHERE id > $1 ORDER BY id LIMIT $2)"
    " SELECT page.id, page.finished_at < tillroll.from_ms($3)"
    "  AND (page.event_id IS NULL OR EXISTS ("
    "   SELECT FROM tillroll.event WHERE event.id = page.event_id AND state = 'closed'"
    "    AND NOT EXISTS (SELECT FROM tillroll.event_step AS step WHERE step.event_id = event.id"
    "                    AND kind = 'closed' AND at >= tillroll.from_ms($3))))"
    "  AND NOT EXISTS (SELECT FROM tillroll.archived_record WHERE game_id = page.id)"
    "  AND (SELECT line LIKE 'head %' AND seq > 0 FROM tillroll.record_line"
    "       WHERE game_id = page.id ORDER BY seq DESC LIMIT 1)"
    " FROM page ORDER BY page.id"};

enum db_status archive_candidates(struct db *db, struct arena *arena, const struct id *after,
                                  size_t limit, int64_t before_ms, struct id **games, size_t *count,
                                  struct id *last)
{
    struct rows rows;
    enum db_status status = statement_rows(
        db, &candidates, WITH(AFTER(after), NUMBER(limit), NUMBER(before_ms)), &rows);
    if (status != DB_OK)
        return status;
    *count = 0;
    *games = arena_array(arena, (size_t)rows.count, sizeof **games);
    for (int row = 0; row < rows.count; row++)
        if (row_boolean(&rows, row, 1))
            (*games)[(*count)++] = row_id(&rows, row, 0);
    if (rows.count > 0)
        *last = row_id(&rows, rows.count - 1, 0);
    status = rows.count > 0 ? DB_OK : DB_NONE;
    rows_free(&rows);
    return status;
}

static const struct statement mark = {"owner_archive_mark",
                                      "INSERT INTO tillroll.archived_record (game_id, rows, hash)"
                                      " VALUES ($1, $2, $3) ON CONFLICT DO NOTHING"};
static const struct statement let_go = {
    "owner_archive_let_go", "DELETE FROM tillroll.record_line WHERE game_id = $1 AND seq < $2 - 1"};

enum db_status archive_mark(struct db *db, const struct id *game, size_t count, struct span text)
{
    uint8_t hash[HASH_BYTES];
    crypto_hash_sha256(hash, (const unsigned char *)text.at, text.length);
    enum db_status status = statement_change(
        db, &mark, WITH(ID(game), NUMBER(count), BYTES(hash, sizeof hash)), DB_CONFLICT);
    return status == DB_OK ? statement_change(db, &let_go, WITH(ID(game), NUMBER(count)), DB_ERROR)
                           : status;
}

/* ---- Durable files ---- */

static bool write_all(int descriptor, struct span text)
{
    while (text.length > 0) {
        ssize_t written = write(descriptor, text.at, text.length);
        if (written < 0 && errno != EINTR)
            return false;
        text.at += written > 0 ? written : 0;
        text.length -= written > 0 ? (size_t)written : 0;
    }
    return true;
}

static bool sync_directory(const char *path)
{
    int descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    bool good = descriptor >= 0 && fsync(descriptor) == 0;
    if (descriptor >= 0)
        close(descriptor);
    return good;
}

static bool write_new(const char *path, struct span text)
{
    enum { FOR_EVERYBODY = 0644 };
    int descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, FOR_EVERYBODY);
    if (descriptor < 0)
        return false;
    /* Services of other users must be able to read the file, whatever this process's umask. */
    bool good = fchmod(descriptor, FOR_EVERYBODY) == 0 && write_all(descriptor, text) &&
                fsync(descriptor) == 0;
    /* Asks the system to drop its cache, so that the file is read back from the disk. */
    (void)posix_fadvise(descriptor, 0, 0, POSIX_FADV_DONTNEED);
    return close(descriptor) == 0 && good;
}

static bool make_folder(const char *directory, const char *folder)
{
    enum { FOR_EVERYBODY = 0755 };
    if (mkdir(folder, FOR_EVERYBODY) != 0)
        return errno == EEXIST;
    return chmod(folder, FOR_EVERYBODY) == 0 && sync_directory(directory);
}

static bool reads_back(const char *path, struct span text)
{
    struct arena arena = {NULL};
    struct span found;
    bool same = read_file(path, &arena, &found) && found.length == text.length &&
                memcmp(found.at, text.at, text.length) == 0;
    arena_free(&arena);
    return same;
}

static bool fail(struct text *error, const char *path, const char *why)
{
    text_add_all(error, path, ": ", why);
    return false;
}

bool archive_store(const char *directory, const struct id *game, struct span text,
                   struct text *error)
{
    struct paths paths;
    if (!find_paths(directory, game, &paths))
        return fail(error, "archive", "the path is too long");
    if (!make_folder(directory, paths.folder) || !write_new(paths.new_file, text))
        return fail(error, paths.new_file, strerrordesc_np(errno));
    if (!reads_back(paths.new_file, text))
        return fail(error, paths.new_file, "does not read as it was written");
    if (rename(paths.new_file, paths.file) != 0 || !sync_directory(paths.folder))
        return fail(error, paths.file, strerrordesc_np(errno));
    return true;
}
