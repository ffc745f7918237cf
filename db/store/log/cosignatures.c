#include "db/store/log/cosignatures.h"

#include "db/link/statement.h"

static const struct statement store = {
    "cosignature_store", "INSERT INTO tillroll.log_cosignature (size, witness, seconds, line)"
                         " VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING"};

enum db_status cosignature_store(struct db *db, uint64_t size, const char *witness, uint64_t time_s,
                                 const char *line)
{
    return statement_change(db, &store,
                            WITH(NUMBER(size), TEXT(witness), NUMBER(time_s), TEXT(line)), DB_OK);
}

static const struct statement newest = {"cosignature_newest",
                                        "SELECT size, seconds FROM tillroll.log_cosignature"
                                        " WHERE witness = $1 ORDER BY size DESC, seconds DESC"
                                        " LIMIT 1"};

enum db_status cosignature_newest(struct db *db, const char *witness, uint64_t *size,
                                  uint64_t *time_s)
{
    struct rows rows;
    enum db_status status = statement_row(db, &newest, WITH(TEXT(witness)), &rows);
    if (status != DB_OK)
        return status;
    *size = (uint64_t)row_integer(&rows, 0, 0);
    *time_s = (uint64_t)row_integer(&rows, 0, 1);
    rows_free(&rows);
    return DB_OK;
}
