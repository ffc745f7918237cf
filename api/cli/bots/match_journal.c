#include "api/cli/bots/match_journal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "api/cli/cli.h"
#include "engine/base/arena.h"

enum { LINE_MAX_BYTES = 4096 };

struct match_journal {
    const char *path;
    unsigned players;
    int file;
};

/* Writes the first line: all settings that determine the games. */
static void write_head(struct text *text, const struct match *match)
{
    text_add_all(text, "tillroll-match 1 ", match->game->slug, " ", match->game->version);
    if (match->components != NULL) {
        text_add(text, " components ");
        text_add(text, match->components);
    }
    text_add(text, " seats ");
    text_add_number(text, (int64_t)match->seats);
    text_add(text, " seed ");
    text_add_hex(text, match->chance.seed, sizeof match->chance.seed);
    for (size_t i = 0; i < match->game->option_count; i++) {
        text_add_all(text, " ", match->game->options[i].name, "=",
                     match->game->options[i].values[match->options.value[i]]);
    }
    text_add(text, " levels " LEVEL_VERSION " players");
    for (unsigned i = 0; i < match->players; i++) {
        text_add(text, " ");
        text_add(text, match_player_name(&match->player[i]));
    }
    if (match->alike)
        text_add(text, " one seating");
    text_add(text, "\n");
}

static bool read_player(struct span word, unsigned players, int32_t *score, uint8_t *rank)
{
    int64_t number;
    uint64_t place;
    const char *slash = memchr(word.at, '/', word.length);
    if (slash == NULL)
        return false;
    struct span first = {word.at, (size_t)(slash - word.at)};
    struct span second = {slash + 1, word.length - first.length - 1};
    if (!span_integer(first, INT32_MAX, &number) || !span_number(second, players, &place) ||
        place == 0)
        return false;
    *score = (int32_t)number;
    *rank = (uint8_t)place;
    return true;
}

static bool read_result(struct span line, unsigned players, unsigned long games,
                        struct match_result *results, bool *done)
{
    uint64_t game;
    struct match_result result = {.score = {0}};
    if (!span_number(span_word(&line), UINT32_MAX, &game))
        return false;
    for (unsigned i = 0; i < players; i++)
        if (!read_player(span_word(&line), players, &result.score[i], &result.rank[i]))
            return false;
    if (line.length > 0)
        return false;
    if (game < games) { /* a match may be continued with fewer games */
        results[game] = result;
        done[game] = true;
    }
    return true;
}

static bool write_all(const struct match_journal *journal, struct span bytes)
{
    return cli_write(journal->file, bytes) || cli_fail(journal->path, strerrordesc_np(errno));
}

/* Reads the journal, and cuts off an incomplete last line. */
static bool read_journal(const struct match_journal *journal, struct span head, struct span bytes,
                         unsigned long games, struct match_result *results, bool *done)
{
    size_t whole = bytes.length;
    while (whole > 0 && bytes.at[whole - 1] != '\n')
        whole--;
    if (whole < bytes.length && ftruncate(journal->file, (off_t)whole) != 0)
        return cli_fail(journal->path, strerrordesc_np(errno));
    if (whole == 0)
        return write_all(journal, head);
    struct span rest = {bytes.at, whole};
    if (rest.length < head.length || memcmp(rest.at, head.at, head.length) != 0)
        return cli_fail(journal->path, "is not the journal of this match: another file, or other "
                                       "players, seats, options or seed");
    rest = (struct span){rest.at + head.length, rest.length - head.length};
    struct span line;
    while (span_line(&rest, &line))
        if (!read_result(line, journal->players, games, results, done))
            return cli_fail(journal->path, "has a line that is no result of this match");
    return true;
}

struct match_journal *match_journal_open(const char *path, const struct match *match,
                                         unsigned long games, struct match_result *results,
                                         bool *done)
{
    char head[LINE_MAX_BYTES];
    struct text text = TEXT_OVER(head);
    size_t length = 0;
    struct match_journal *journal = must(calloc(1, sizeof *journal));
    write_head(&text, match);
    journal->path = path;
    journal->players = match->players;
    journal->file = open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    char *bytes = NULL;
    bool good = !text.overflow || cli_fail(path, "the players' names are too long for a journal");
    if (good && (journal->file < 0 || flock(journal->file, LOCK_EX | LOCK_NB) != 0))
        good = cli_fail(path, errno == EWOULDBLOCK ? "another match uses this journal"
                                                   : strerrordesc_np(errno));
    good =
        good && (bytes = cli_read_file(path, &length)) != NULL &&
        read_journal(journal, text_span(&text), (struct span){bytes, length}, games, results, done);
    free(bytes);
    if (good)
        return journal;
    match_journal_close(journal);
    return NULL;
}

void match_journal_close(struct match_journal *journal)
{
    if (journal != NULL && journal->file >= 0)
        close(journal->file);
    free(journal);
}

bool match_journal_add(struct match_journal *journal, unsigned long game,
                       const struct match_result *result)
{
    char line[256];
    struct text text = TEXT_OVER(line);
    text_add_number(&text, (int64_t)game);
    for (unsigned i = 0; i < journal->players; i++) {
        text_add(&text, " ");
        text_add_number(&text, result->score[i]);
        text_add(&text, "/");
        text_add_number(&text, result->rank[i]);
    }
    text_add(&text, "\n");
    return write_all(journal, text_span(&text));
}
