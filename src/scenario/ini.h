/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The INI text as sections and entries that know where they stand. inih parses; our reader hands
   it one physical line at a time and refuses beforehand what inih would read wrongly or drop
   without a word: lines beyond its buffer, section names beyond 49 bytes, text after ']',
   indented lines (continuations), keys that end at a colon or at '<', double sections. */
#ifndef SCENARIO_INI_H
#define SCENARIO_INI_H

#include <stdbool.h>
#include <stddef.h>

#include "scenario/diag.h"

/* inih's line buffer is 200 bytes with CR, LF and \0. */
#define INI_LINE_MAX 197
/* inih's section buffer is 50 bytes with \0. */
#define INI_SECTION_MAX 49

struct ini_entry {
    char *key;
    char *value;
    struct scenario_place key_at, value_at;
    bool bad;                         /* the value could not be read; set by whoever reads it */
};

struct ini_section {
    char *kind;                       /* "table" of [table telemetry] */
    char *name;                       /* "telemetry"; "" = none */
    struct scenario_place at;         /* of the kind's first letter */
    struct ini_entry *entries;
    size_t entries_len, entries_cap;
    bool double_section;              /* the same section stands further up */
    bool bad_lines;                   /* it held a line that could not be read */
    size_t index;                     /* free for the resolver: its element of the spec */
};

struct ini_file {
    struct ini_section *sections;
    size_t sections_len, sections_cap;
    size_t bad_heads;                 /* section heads that could not be read */
    bool no_memory;
};

/* Reads |len| bytes of text. |file| is the name for places, which must outlive |ini|. What is wrong
   goes to |dgs|; |ini| then holds what could be read. 0, or -1 without memory. */
int ini_read(const char *file, const char *bytes, size_t len, struct ini_file *ini, struct scenario_diags *dgs);

void ini_free(struct ini_file *ini);

/* The section, or NULL. |name| "" for those without one. */
struct ini_section *ini_find(const struct ini_file *ini, const char *kind, const char *name);

/* The |n|-th entry of the key (from 0), or NULL. */
struct ini_entry *ini_entry_find(const struct ini_section *section, const char *key, size_t n);

/* New elements; NULL without memory (then no_memory is set). Texts are copied. */
struct ini_section *ini_add_section(struct ini_file *ini, const char *kind, const char *name,
                                    struct scenario_place at);
struct ini_entry *ini_add_entry(struct ini_file *ini, struct ini_section *section, const char *key,
                                const char *value);

/* Removes all entries of the key. */
void ini_remove(struct ini_section *section, const char *key);

/* Parts "[kind name]" without its brackets; false when it has no kind or more than two words.
   The words are copied into |kind| and |name|, each of INI_SECTION_MAX + 1 bytes. */
bool ini_split_header(const char *text, size_t len, char *kind, char *name);

/* `[table telemetry]`, as messages print it. |text| has INI_SECTION_MAX + 4 bytes. */
const char *ini_header(const struct ini_section *section, char *text);

#endif
