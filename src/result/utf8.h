/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Texts of a result may hold any bytes: who writes them out asks letter by letter. */
#ifndef RESULT_UTF8_H
#define RESULT_UTF8_H

#include <stddef.h>

/* Bytes of the valid UTF-8 sequence at |text|, which ends with a zero byte; 0 where there is none. */
size_t result_utf8_bytes(const unsigned char *text);

#endif
