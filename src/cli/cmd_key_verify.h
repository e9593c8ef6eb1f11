/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which scheme do pairs of key and salt follow? */
#ifndef CLI_CMD_KEY_VERIFY_H
#define CLI_CMD_KEY_VERIFY_H

#include "cli/cmd_key_table.h"

#define VERIFY_OVERS 20
#define VERIFY_OVER_CAP (SALTKEY_FIELDS_MAX * (SALTKEY_NAME_MAX + 1))
#define VERIFY_WORDS_CAP 80

/* A row of the file: a natural key and its salt's number, or a stored row. */
struct verify_pair {
    struct saltkey_slice key;
    uint64_t salt;
    uint64_t line;
};

struct verify_answer {
    uint64_t theirs, ours;
    bool misfit;                     /* the row doesn't fit the salt's form, or the key its layout */
};

struct verify_candidate {
    struct saltkey_salt salt;
    uint8_t hash, remainder, prefix, over; /* rows of the search's tables */
    uint64_t wrong;                  /* rows that differ */
    size_t order;
};

struct verify {
    bool stored_rows;
    struct verify_pair *rows;
    size_t rows_len;
    struct saltkey_scheme schemes[VERIFY_OVERS];
    char over_text[VERIFY_OVERS][VERIFY_OVER_CAP];
    size_t over_len;
    struct verify_candidate *all;    /* owned: free it */
    size_t len, cap;
};

/* Whether |s| gives the row's salt. */
bool verify_row(const struct saltkey_scheme *s, bool stored, const struct verify_pair *pair, struct verify_answer *a);

/* Leaves in |v->all| the candidates that fit best, best first, with their rows that differ. N is
   |buckets|, or any up to 256 for 0. 0, or -1 without memory. */
int verify_search(struct verify *v, const struct saltkey_layout *layout, uint64_t buckets);

/* The candidate's salt as --salt takes it. */
void verify_words(const struct verify_candidate *c, char text[VERIFY_WORDS_CAP]);

#endif
