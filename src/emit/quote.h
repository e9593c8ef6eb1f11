/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names and keys inside the quotes of the languages that will read them. Each function writes the
   whole literal with its quotes. Where it can fail (-1) nothing has been written. */
#ifndef EMIT_QUOTE_H
#define EMIT_QUOTE_H

#include <stdbool.h>
#include <stdio.h>

#include "saltkey.h"

/* Ruby: single quotes for printable ASCII, else double quotes with every odd byte escaped. -1 where
   |name| isn't UTF-8. */
int quote_ruby(const char *name, FILE *out);

/* Java: double quotes, \uXXXX beyond ASCII. -1 where |name| isn't UTF-8. */
int quote_java(const char *name, FILE *out);

/* A POSIX shell's single quotes. */
void quote_sh(const char *word, FILE *out);

/* SQL's double quotes around an identifier. -1 for a double quote inside (Phoenix's grammar has no
   escape there) and for an empty name. */
int quote_sql_name(const char *name, FILE *out);

/* A value of a Java properties file (no quotes there): backslashes and what isn't printable ASCII
   are escaped. -1 where |value| isn't UTF-8. */
int quote_property(const char *value, FILE *out);

/* A key in HBase's escape notation, quotes of all kinds escaped as well. Inside Ruby's single quotes
   as it is; |java|: with its backslashes doubled, for Java's double quotes. No quotes are written. */
void quote_key(struct saltkey_slice key, bool java, FILE *out);

/* Any text inside a line comment of any of the languages: what isn't printable ASCII, and the
   backslash (Java reads \u in comments too), become \xHH. */
void quote_comment(const char *text, FILE *out);

#endif
