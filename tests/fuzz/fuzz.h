/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A fuzz target: clang's libFuzzer calls it (--enable-fuzzing); elsewhere replay.c does, with the
   corpus in tests/data/fuzz and seeded changes of it. */
#ifndef TESTS_FUZZ_FUZZ_H
#define TESTS_FUZZ_FUZZ_H

#include <stdio.h>
#include <stdlib.h>

#include "saltkey.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define FUZZ_CHECK(law)                                                                            \
    do {                                                                                           \
        if (!(law)) {                                                                              \
            fprintf(stderr, "%s:%d: broken: %s\n", __FILE__, __LINE__, #law);                      \
            abort();                                                                               \
        }                                                                                          \
    } while (0)

#endif
