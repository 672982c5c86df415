#include "COptions.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_LONG = 0x100 };  // above every letter, so that `optopt` tells the two apart

struct copt_parser {
  int argc;
  char *const *argv;
  struct option *options;  // `count` of them, then one of zeros
  int *letters;            // the letter of each, or 0
  int *identifiers;
  int count;
  char *letter_table;  // getopt's description of the letters
  bool started;
  bool options_ended;
  int position;
};

copt_parser *copt_open(int argc, char *const *argv) {
  copt_parser *parser = calloc(1, sizeof *parser);
  if (!parser) return NULL;
  parser->argc = argc;
  parser->argv = argv;
  parser->position = 1;
  parser->options = calloc(1, sizeof *parser->options);
  // "-": arguments come out where they stand, whatever POSIXLY_CORRECT says.
  // ":": a missing value is told apart from an unknown option.
  parser->letter_table = strdup("-:");
  if (!parser->options || !parser->letter_table) {
    copt_close(parser);
    return NULL;
  }
  return parser;
}

bool copt_add(copt_parser *parser, const char *name, char letter, bool takes_value,
              int identifier) {
  size_t count = (size_t)parser->count;
  struct option *options = realloc(parser->options, (count + 2) * sizeof *options);
  if (!options) return false;
  parser->options = options;
  int *identifiers = realloc(parser->identifiers, (count + 1) * sizeof *identifiers);
  if (!identifiers) return false;
  parser->identifiers = identifiers;
  int *letters = realloc(parser->letters, (count + 1) * sizeof *letters);
  if (!letters) return false;
  parser->letters = letters;
  size_t length = strlen(parser->letter_table);
  char *table = realloc(parser->letter_table, length + 3);
  if (!table) return false;
  parser->letter_table = table;
  char *copy = strdup(name);
  if (!copy) return false;

  options[count] = (struct option){
      .name = copy,
      .has_arg = takes_value ? required_argument : no_argument,
      .val = FIRST_LONG + parser->count,
  };
  options[count + 1] = (struct option){0};
  identifiers[count] = identifier;
  letters[count] = letter;
  if (letter) {
    table[length++] = letter;
    if (takes_value) table[length++] = ':';
    table[length] = 0;
  }
  parser->count += 1;
  return true;
}

/// The index of the option that a code of getopt_long stands for, or -1.
static int index_of(const copt_parser *parser, int code) {
  if (code >= FIRST_LONG) return code - FIRST_LONG < parser->count ? code - FIRST_LONG : -1;
  for (int i = 0; code && i < parser->count; i++) {
    if (parser->letters[i] == code) return i;
  }
  return -1;
}

/// Whether an element of argv names a long option in full. getopt_long takes abbreviations too; they
/// would change their meaning whenever an option is added, so they count as unknown.
static bool is_whole_name(const char *element, const char *name) {
  size_t length = strlen(name);
  return strncmp(element, "--", 2) == 0 && strncmp(element + 2, name, length) == 0 &&
         (element[2 + length] == 0 || element[2 + length] == '=');
}

copt_element copt_next(copt_parser *parser) {
  copt_element result = {.kind = COPT_END, .identifier = -1};
  if (parser->options_ended) {
    if (parser->position >= parser->argc) return result;
    result.kind = COPT_ARGUMENT;
    result.text = parser->argv[parser->position++];
    return result;
  }
  if (!parser->started) {
    optind = 0;  // GNU: forget an earlier parser, and read the letter table anew
    parser->started = true;
  }
  opterr = 0;
  optopt = 0;
  optarg = NULL;
  // Nothing is permuted ("-"), so the element that getopt_long reads is the one it stands at.
  const char *element =
      parser->position < parser->argc ? parser->argv[parser->position] : NULL;
  int code = getopt_long(parser->argc, parser->argv, parser->letter_table, parser->options, NULL);
  parser->position = optind;

  if (code == -1) {
    parser->options_ended = true;
    return copt_next(parser);
  }
  if (code == 1) {
    result.kind = COPT_ARGUMENT;
    result.text = optarg;
    return result;
  }
  bool failed = code == '?' || code == ':';
  int index = index_of(parser, failed ? optopt : code);
  bool is_long = element && strncmp(element, "--", 2) == 0;
  if (index < 0 || (is_long && !is_whole_name(element, parser->options[index].name))) {
    result.kind = COPT_UNKNOWN;
    if (is_long) {
      result.text = element;
    } else {
      result.letter = (char)optopt;
    }
    return result;
  }
  result.identifier = parser->identifiers[index];
  if (code == ':') {
    result.kind = COPT_MISSING_VALUE;
  } else if (code == '?') {
    result.kind = COPT_UNEXPECTED_VALUE;
  } else {
    result.kind = COPT_OPTION;
    result.text = optarg;
  }
  return result;
}

int copt_position(const copt_parser *parser) { return parser->position; }

void copt_close(copt_parser *parser) {
  if (!parser) return;
  for (int i = 0; i < parser->count; i++) free((void *)parser->options[i].name);
  free(parser->options);
  free(parser->letters);
  free(parser->identifiers);
  free(parser->letter_table);
  free(parser);
}
