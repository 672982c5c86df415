#ifndef COPTIONS_H
#define COPTIONS_H

#include <stdbool.h>

/// Reads a command line with the C library's getopt_long, one element a call.
///
/// getopt_long answers in global variables (`optarg`, `optind`), which Swift 6 rightly does not let
/// us read: here every answer is a struct, and nothing is left behind. Options and arguments may
/// stand in any order and come out in theirs; `--` ends options. Not for two parsers at a time.
typedef struct copt_parser copt_parser;

typedef enum {
  /// Nothing is left.
  COPT_END,
  /// An option; `identifier` says which, `text` is its value or NULL.
  COPT_OPTION,
  /// An argument that is no option: `text`.
  COPT_ARGUMENT,
  /// An option that is not in the table: `text` for a long one, else `letter`.
  COPT_UNKNOWN,
  /// An option whose value is missing: `identifier`.
  COPT_MISSING_VALUE,
  /// A value given to an option that takes none (`--json=yes`): `identifier`.
  COPT_UNEXPECTED_VALUE,
} copt_kind;

typedef struct {
  copt_kind kind;
  int identifier;
  char letter;
  /// A string of `argv`, or a part of one: it lives as long as that.
  const char *_Nullable text;
} copt_element;

/// Begins after `argv[0]`. Returns NULL where there is no memory. `argv` must outlive the parser.
copt_parser *_Nullable copt_open(int argc, char *_Nullable const *_Nonnull argv);

/// Makes an option known: its name without dashes, its letter or 0. `identifier` is not negative.
/// Returns false where there is no memory.
bool copt_add(copt_parser *_Nonnull parser, const char *_Nonnull name, char letter,
              bool takes_value, int identifier);

/// The next element of the command line.
copt_element copt_next(copt_parser *_Nonnull parser);

/// The index in `argv` of what has not been read.
int copt_position(const copt_parser *_Nonnull parser);

void copt_close(copt_parser *_Nullable parser);

#endif
