/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Small text tools of the room: a growing text, and a cursor over the words of a value. */
#ifndef SCENARIO_TEXT_H
#define SCENARIO_TEXT_H

#include <stdbool.h>
#include <stddef.h>

/* A growing text; all zeros is an empty one. After a failed allocation |failed| stays set, further
   additions do nothing. |chars| is NULL or ends with \0. */
struct text {
    char *chars;
    size_t len, cap;
    bool failed;
};

void text_free(struct text *txt);
void text_clear(struct text *txt);
void text_add(struct text *txt, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* A copy of |len| bytes as a text with \0; NULL without memory. */
char *text_dup(const char *from, size_t len);

/* A word inside a value: |at| bytes after the value's first. */
struct word {
    const char *chars;
    size_t len;
    size_t at;
};

/* Words are parted by blanks and tabs. */
struct words {
    const char *value;
    size_t next;                      /* offset of what is not read yet */
};

struct words words_of(const char *value);

/* The next word; false at the end, and then |*out| is empty and stands at the value's end. */
bool words_next(struct words *wds, struct word *out);

/* What is left, without blanks at its ends. */
struct word words_rest(struct words *wds);

/* The same for the items of a list that are parted by commas; an item may be empty. */
bool words_next_item(struct words *wds, struct word *out);

bool word_is(struct word wd, const char *text);

/* Decimal digits only, at most |max|; false else. */
bool word_number(struct word wd, long long max, long long *out);

#endif
