/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The tests of other languages that `key vectors -o` writes beside its vectors: their lines, made at
   build time from tests/vectors-other. Each list ends with NULL. */
#ifndef CLI_CMD_KEY_VECTORS_H
#define CLI_CMD_KEY_VECTORS_H

extern const char *const vectors_java[];
extern const char *const vectors_python[];
extern const char *const vectors_go[];

#endif
