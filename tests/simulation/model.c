#include "tests/simulation/model.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "tests/simulation/world.h"

enum { SESSIONS_MAX = 8192, TXS_MAX = 65536, SILENCE_MS = 15000, LOCK_WAIT_MS = 5000 };

struct tx;

/* A connection. It is broken when nothing reaches its client any more; the server may still run
 * what it was sent. */
struct session {
    unsigned process;
    int fd;
    bool superseded;
    bool broken, silent;               /* silent: so, but the client is not told */
    bool notifies_later, all_notified; /* db/store/games/records.h */
    bool answered;
    enum db_status status; /* of the answer */
    bool others;
    struct tx *tx; /* sent and not yet answered */
    struct fiber *waits;
};

/* What the client has: a connection, or a later one that was opened in its place. */
struct db {
    struct session *session;
    bool closed;
    bool open; /* as far as the client knows */
    bool in_transaction;
};

struct kept_row {
    size_t game;
    unsigned seq;
    char line[32];
    size_t length;
    uint8_t hash[32];
};

enum tx_state { SENT, WAITS, COMMITS, OVER };

/* A transaction. */
struct tx {
    struct session *session;
    enum tx_state state;
    bool careful, skipped, others;
    unsigned listener_number;
    size_t count, done; /* rows, and how many of them have been looked at */
    struct kept_row *row;
    bool *added;
};

struct stored_row {
    uint8_t hash[32];
    struct session *by;
    bool notified; /* all other listeners, by the transaction */
};

static struct {
    struct model_faults faults;
    bool calm, down;
    struct session *session[SESSIONS_MAX];
    size_t sessions;
    struct db *db[SESSIONS_MAX];
    size_t dbs;
    struct tx *tx[TXS_MAX];
    size_t txs, first; /* all before `first` are over */
    struct id id[MODEL_GAMES];
    struct stored_row row[MODEL_GAMES][MODEL_ROWS_MAX];
    size_t rows[MODEL_GAMES];
    struct tx *lock[MODEL_GAMES];
    bool listens[PROCESSES_MAX];
    int64_t away_until_us[PROCESSES_MAX];
} model;

static bool fails(unsigned times)
{
    return times > 0 && !model.calm && world_chance(times);
}

static int64_t in_us(uint64_t least, uint64_t most)
{
    return world_now() + (int64_t)(least + world_random(most - least + 1));
}

/* ---- Records ---- */

const struct id *model_game(size_t game)
{
    return &model.id[game];
}

static size_t game_of(const struct id *id)
{
    for (size_t i = 0; i < MODEL_GAMES; i++)
        if (strcmp(model.id[i].text, id->text) == 0)
            return i;
    abort();
}

void model_chain(const uint8_t *before, struct span line, uint8_t hash[32])
{
    uint64_t word[4] = {1, 2, 3, 4};
    for (size_t i = 0; i < 32 + line.length; i++) {
        uint8_t byte = i >= 32 ? (uint8_t)line.at[i - 32] : before == NULL ? 0 : before[i];
        for (size_t k = 0; k < 4; k++) {
            word[k] = (word[k] ^ byte) * (0x9e3779b97f4a7c15U + 2 * k);
            word[k] ^= word[k] >> 29;
        }
    }
    memcpy(hash, word, 32);
}

size_t model_rows(size_t game)
{
    return model.rows[game];
}

const uint8_t *model_hash(size_t game, size_t seq)
{
    return model.row[game][seq].hash;
}

bool model_was_notified(size_t game, size_t seq)
{
    const struct stored_row *row = &model.row[game][seq];
    return row->notified || (row->by->broken && !row->by->all_notified);
}

/* ---- Connections ---- */

static void arrive(struct session *session)
{
    descriptor_set_readable(session->fd, true);
    if (session->waits != NULL)
        fiber_wake(session->waits);
}

static void abandon(struct tx *tx);

static void break_session(struct session *session, bool server_goes_on)
{
    world_note(server_goes_on ? "breaks, and the server goes on" : "breaks", (uint64_t)session->fd,
               0);
    session->broken = true;
    if (!server_goes_on && session->tx != NULL)
        abandon(session->tx);
    arrive(session);
}

static void sleep_us(uint64_t least, uint64_t most)
{
    int64_t until_us = in_us(least, most);
    while (world_now() < until_us)
        fiber_wait(until_us);
}

/* NULL if it is refused. */
static struct session *connect(void)
{
    sleep_us(200, 3000);
    if (model.down || world_now() < model.away_until_us[process_current()] ||
        fails(model.faults.refuses_connection))
        return NULL;
    struct session *session = calloc(1, sizeof *session);
    assert(session != NULL && model.sessions < SESSIONS_MAX);
    *session =
        (struct session){.process = process_current(), .fd = descriptor_new(process_current())};
    model.session[model.sessions++] = session;
    world_note("opens", (uint64_t)session->fd, session->process);
    if (fails(model.faults.breaks_when_opened))
        break_session(session, false);
    return session;
}

struct db *db_open(const char *url, bool service, struct text *error)
{
    (void)url;
    assert(service);
    struct session *session = connect();
    if (session == NULL) {
        text_add(error, "refused");
        return NULL;
    }
    struct db *db = calloc(1, sizeof *db);
    assert(db != NULL && model.dbs < SESSIONS_MAX);
    *db = (struct db){.session = session, .open = true};
    model.db[model.dbs++] = db;
    return db;
}

void db_close(struct db *db)
{
    if (db == NULL)
        return;
    assert(!db->closed);
    db->closed = true;
    db->open = false;
    if (!db->session->broken)
        break_session(db->session, world_chance(2));
    descriptor_close(db->session->fd);
}

bool db_is_open(const struct db *db)
{
    assert(!db->closed);
    return db->open;
}

bool db_is_superseded(const struct db *db)
{
    assert(!db->closed);
    db->session->superseded = db->session->superseded || fails(model.faults.supersedes);
    return db->session->superseded;
}

int db_silence_ms(const struct db *db)
{
    assert(!db->closed);
    return SILENCE_MS;
}

/* A connection in the place of one that has broken. */
static bool reopen(struct db *db)
{
    assert(!db->closed);
    if (db->session->broken)
        db->open = false;
    if (db->open)
        return true;
    struct session *session = connect();
    if (session == NULL)
        return false;
    db->session = session;
    db->open = true;
    return true;
}

/* ---- Transactions ---- */

static void run(void *argument);

static void release(struct tx *tx)
{
    for (size_t game = 0; game < MODEL_GAMES; game++)
        if (model.lock[game] == tx)
            model.lock[game] = NULL;
    for (size_t i = model.first; i < model.txs; i++)
        if (model.tx[i]->state == WAITS)
            world_at(world_now(), run, model.tx[i]);
}

static void abandon(struct tx *tx)
{
    if (tx->state == OVER)
        return;
    tx->state = OVER;
    release(tx);
}

struct answer {
    struct tx *tx;
    enum db_status status;
};

static void answer_now(void *argument)
{
    struct answer answer = *(struct answer *)argument;
    struct session *session = answer.tx->session;
    free(argument);
    if (session->broken || session->silent)
        return;
    session->tx = NULL;
    session->answered = true;
    session->status = answer.status;
    session->others = answer.tx->others;
    world_note("answers", (uint64_t)session->fd, (uint64_t)answer.status);
    arrive(session);
}

static void answer(struct tx *tx, enum db_status status)
{
    struct answer *later = malloc(sizeof *later);
    assert(later != NULL);
    *later = (struct answer){tx, status};
    world_at(in_us(20, 300), answer_now, later);
}

static void fail(struct tx *tx, enum db_status status)
{
    abandon(tx);
    answer(tx, status);
}

static bool others_listen(const struct tx *tx)
{
    for (unsigned process = 0; process < PROCESSES_MAX; process++)
        if (model.listens[process] && process + 1 != tx->listener_number)
            return true;
    return false;
}

static void commit(void *argument)
{
    struct tx *tx = argument;
    struct session *session = tx->session;
    if (tx->state != COMMITS)
        return;
    for (size_t i = 0; i < tx->count; i++) {
        const struct kept_row *row = &tx->row[i];
        if (!tx->added[i])
            continue;
        assert(row->seq == model.rows[row->game]);
        assert(row->seq < MODEL_ROWS_MAX);
        struct stored_row *stored = &model.row[row->game][model.rows[row->game]++];
        memcpy(stored->hash, row->hash, 32);
        stored->by = session;
        stored->notified = !session->notifies_later || !tx->others;
        world_note("commits", row->game, row->seq);
    }
    tx->state = OVER;
    release(tx);
    if (fails(model.faults.breaks_after))
        break_session(session, false);
    else if (!fails(model.faults.stalls * 4))
        answer(tx, tx->skipped ? DB_CONFLICT : fails(model.faults.warns) ? DB_UNKNOWN : DB_OK);
}

/* The status of a row that would be added. */
static enum db_status check_row(const struct tx *tx, const struct kept_row *row)
{
    size_t length = model.rows[row->game];
    const uint8_t *before = length > 0 ? model.row[row->game][length - 1].hash : NULL;
    uint8_t hash[32];
    for (size_t i = 0; i < tx->done; i++)
        if (tx->added[i] && tx->row[i].game == row->game) {
            before = tx->row[i].hash;
            length++;
        }
    if (row->seq < length)
        return DB_CONFLICT;
    model_chain(before, (struct span){row->line, row->length}, hash);
    return row->seq == length && memcmp(hash, row->hash, 32) == 0 ? DB_OK : DB_ERROR;
}

static void give_up_lock(void *argument)
{
    struct tx *tx = argument;
    if (tx->state == WAITS)
        fail(tx, DB_RETRY);
}

static void run(void *argument)
{
    struct tx *tx = argument;
    if (tx->state != SENT && tx->state != WAITS)
        return;
    if (tx->state == SENT && fails(model.faults.breaks_during))
        break_session(tx->session, fails(model.faults.zombie));
    if (tx->state == OVER)
        return;
    for (; tx->done < tx->count; tx->done++) {
        const struct kept_row *row = &tx->row[tx->done];
        struct tx *owner = model.lock[row->game];
        if (owner != NULL && owner != tx) {
            if (tx->state == SENT)
                world_at(world_now() + LOCK_WAIT_MS * 1000, give_up_lock, tx);
            tx->state = WAITS;
            return;
        }
        enum db_status status = check_row(tx, row);
        if (status == DB_CONFLICT && tx->careful) {
            tx->skipped = true;
        } else if (status != DB_OK) {
            fail(tx, status);
            return;
        } else {
            model.lock[row->game] = tx;
            tx->added[tx->done] = true;
        }
    }
    tx->others = others_listen(tx);
    tx->state = COMMITS;
    world_at(fails(model.faults.stalls) ? in_us(1000000, 30000000) : in_us(200, 4000), commit, tx);
}

static void begin_tx(void *argument)
{
    struct tx *tx = argument;
    if (tx->state != SENT)
        return;
    if (tx->session->silent && world_chance(2))
        abandon(tx);
    else if (fails(model.faults.breaks_before))
        break_session(tx->session, false);
    else
        run(tx);
}

static void send(struct session *session, unsigned listener_number,
                 const struct record_piece *pieces, size_t count, bool careful)
{
    size_t rows = 0;
    struct tx *tx = calloc(1, sizeof *tx);
    for (size_t i = 0; i < count; i++)
        rows += pieces[i].count;
    assert(tx != NULL && model.txs < TXS_MAX && session->tx == NULL);
    *tx = (struct tx){
        .session = session, .careful = careful, .listener_number = listener_number, .count = rows};
    tx->row = calloc(rows, sizeof *tx->row);
    tx->added = calloc(rows, sizeof *tx->added);
    assert(tx->row != NULL && tx->added != NULL);
    rows = 0;
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < pieces[i].count; k++) {
            const struct record_row *from = &pieces[i].rows[k];
            struct kept_row *to = &tx->row[rows++];
            *to = (struct kept_row){
                .game = game_of(pieces[i].game), .seq = from->seq, .length = from->line.length};
            assert(from->line.length < sizeof to->line);
            memcpy(to->line, from->line.at, from->line.length);
            memcpy(to->hash, from->hash, 32);
        }
    model.tx[model.txs++] = tx;
    while (model.first < model.txs && model.tx[model.first]->state == OVER)
        model.first++;
    session->tx = tx;
    session->answered = false;
    descriptor_set_readable(session->fd, false);
    world_note("sends", (uint64_t)session->fd, rows);
    world_at(in_us(20, 300), begin_tx, tx);
}

/* Takes the answer to what was sent, and waits for it; DB_UNKNOWN if the connection breaks, or the
 * server is silent for too long. */
static enum db_status take_answer(struct db *db)
{
    struct session *session = db->session;
    int64_t until_us = world_now() + SILENCE_MS * 1000;
    session->waits = fiber_current();
    while (!session->answered && !session->broken && world_now() < until_us)
        fiber_wait(until_us);
    session->waits = NULL;
    if (!session->answered && !session->broken)
        break_session(session, world_chance(2));
    if (!session->answered) {
        db->open = false;
        return DB_UNKNOWN;
    }
    session->answered = false;
    descriptor_set_readable(session->fd, session->broken);
    return session->status;
}

/* ---- What the writer calls ---- */

bool record_pieces_ready(struct db *db, bool notifies_later)
{
    sleep_us(100, 1000);
    db->session->notifies_later = notifies_later;
    return !db->session->broken;
}

bool record_pieces_send(struct db *db, unsigned listener_number, const struct record_piece *pieces,
                        size_t count)
{
    assert(!db->closed);
    if (db->session->broken) {
        db->open = world_chance(2); /* it is noticed now, or later */
        return db->open;
    }
    send(db->session, listener_number, pieces, count, false);
    return true;
}

bool record_pieces_arrived(struct db *db)
{
    assert(!db->closed);
    if (db->session->broken)
        db->open = false;
    return db->session->answered || db->session->broken;
}

enum db_status record_pieces_receive(struct db *db, bool *others)
{
    assert(!db->closed);
    enum db_status status = take_answer(db);
    *others = db->open && db->session->others;
    return status;
}

int record_pieces_socket(const struct db *db)
{
    assert(!db->closed);
    return db->session->fd;
}

void record_pieces_all_notified(struct db *db)
{
    assert(!db->closed);
    db->session->all_notified = true;
}

enum db_status record_append_pieces(struct db *db, const struct record_piece *pieces, size_t count,
                                    bool careful)
{
    fiber_yield();
    if (!reopen(db))
        return DB_UNAVAILABLE;
    send(db->session, 0, pieces, count, careful);
    return take_answer(db);
}

enum db_status db_begin(struct db *db, bool read_only)
{
    assert(!read_only && !db->in_transaction);
    db->in_transaction = reopen(db);
    return db->in_transaction ? DB_OK : DB_UNAVAILABLE;
}

enum db_status record_find_pieces(struct db *db, const struct record_piece *pieces, size_t count,
                                  bool *found)
{
    assert(db->in_transaction);
    sleep_us(50, 2000);
    if (!db->session->broken && (db->session->silent || fails(model.faults.breaks_during)))
        break_session(db->session, false);
    if (db->session->broken)
        return DB_UNAVAILABLE;
    for (size_t i = 0; i < count; i++) {
        size_t game = game_of(pieces[i].game);
        const struct record_row *last = &pieces[i].rows[pieces[i].count - 1];
        found[i] = last->seq < model.rows[game] &&
                   memcmp(model.row[game][last->seq].hash, last->hash, 32) == 0;
    }
    sleep_us(50, 2000);
    return DB_OK;
}

enum db_status db_commit(struct db *db)
{
    assert(db->in_transaction);
    db->in_transaction = false;
    sleep_us(50, 2000);
    if (!db->session->broken && (db->session->silent || fails(model.faults.breaks_after)))
        break_session(db->session, false);
    if (db->session->broken)
        db->open = false;
    return db->session->broken ? DB_UNKNOWN : DB_OK;
}

void db_rollback(struct db *db)
{
    db->in_transaction = false;
}

/* ---- Faults ---- */

static void break_idle(void *argument)
{
    (void)argument;
    for (size_t i = 0; i < model.sessions; i++)
        if (!model.session[i]->broken && fails(model.faults.breaks_idle))
            break_session(model.session[i], world_chance(2));
    world_at(world_now() + 100000, break_idle, NULL);
}

static void come_back(void *argument)
{
    (void)argument;
    world_note("is back", 0, 0);
    model.down = false;
}

void model_crash(int64_t us)
{
    world_note("crashes", (uint64_t)us, 0);
    model.down = true;
    for (size_t i = model.first; i < model.txs; i++)
        model.tx[i]->state = OVER;
    memset(model.lock, 0, sizeof model.lock);
    for (size_t i = 0; i < model.sessions; i++)
        if (!model.session[i]->broken)
            break_session(model.session[i], false);
    world_at(world_now() + us, come_back, NULL);
}

void model_separate(unsigned process, int64_t us)
{
    world_note("is separated", process, (uint64_t)us);
    model.away_until_us[process] = world_now() + us;
    bool silent = world_chance(2);
    for (size_t i = 0; i < model.sessions; i++)
        if (model.session[i]->process == process && !model.session[i]->broken && silent)
            model.session[i]->silent = true;
        else if (model.session[i]->process == process && !model.session[i]->broken)
            break_session(model.session[i], true);
}

void model_process_began(unsigned process)
{
    model.listens[process] = true;
}

void model_process_ended(unsigned process)
{
    model.listens[process] = false;
    for (size_t i = 0; i < model.sessions; i++) {
        struct session *session = model.session[i];
        session->waits = session->process == process ? NULL : session->waits;
        if (session->process == process && !session->broken)
            break_session(session, world_chance(2));
    }
}

void model_calm(void)
{
    model.calm = true;
}

void model_begin(const struct model_faults *faults)
{
    memset(&model, 0, sizeof model);
    model.faults = *faults;
    for (size_t i = 0; i < MODEL_GAMES; i++)
        memcpy(model.id[i].text, (char[]){'g', (char)('a' + i), '\0'}, 3);
    world_at(0, break_idle, NULL);
}

void model_end(void)
{
    for (size_t i = 0; i < model.sessions; i++)
        free(model.session[i]);
    for (size_t i = 0; i < model.dbs; i++)
        free(model.db[i]);
    for (size_t i = 0; i < model.txs; i++) {
        free(model.tx[i]->row);
        free(model.tx[i]->added);
        free(model.tx[i]);
    }
}
