/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Text and tables as HTML. Whatever a scenario says is escaped: its words can't become markup. */
#ifndef PAGE_HTML_H
#define PAGE_HTML_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* |text| with & < > " escaped; bytes that are no UTF-8 and control characters become '?'. */
void html_text(FILE *to, const char *text);

/* <tag class=...>text</tag>; class may be NULL. */
void html_element(FILE *to, const char *tag, const char *class, const char *text);

/* <table> with a head row of |names| (ends with NULL) inside a box that scrolls on narrow screens.
   A name that begins with # stands over numbers. */
void html_table_open(FILE *to, const char *const *names);
void html_table_close(FILE *to);

/* A cell; |number| aligns it right. */
void html_cell(FILE *to, const char *text, bool number);

/* |len| bytes as base64. */
void html_base64(FILE *to, const void *bytes, size_t len);

#endif
