#ifndef CSQLITE_SHIM_H
#define CSQLITE_SHIM_H

#include <sqlite3.h>

// Swift imports neither variadic functions nor macros that cast, so these few are wrapped here.

/// sqlite3_db_config (variadic) for the options that are switches. Returns a result code.
static inline int csqlite_set_switch(sqlite3 *_Nonnull database, int option, int on) {
  return sqlite3_db_config(database, option, on, (int *)0);
}

/// sqlite3_bind_blob64 with SQLITE_TRANSIENT (a cast): SQLite makes its own copy of the bytes.
static inline int csqlite_bind_blob(
    sqlite3_stmt *_Nonnull statement, int index, const void *_Nonnull bytes, sqlite3_uint64 count) {
  return sqlite3_bind_blob64(statement, index, bytes, count, SQLITE_TRANSIENT);
}

/// sqlite3_bind_text64 with SQLITE_TRANSIENT: SQLite makes its own copy of the UTF-8 text.
static inline int csqlite_bind_text(
    sqlite3_stmt *_Nonnull statement, int index, const char *_Nonnull text, sqlite3_uint64 count) {
  return sqlite3_bind_text64(statement, index, text, count, SQLITE_TRANSIENT, SQLITE_UTF8);
}

#endif
