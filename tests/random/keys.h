/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Looks at each row as a region takes it, and at each key that a file holds, and holds them to the region's
   boundaries: start <= key < end. */
#ifndef TESTS_RANDOM_KEYS_H
#define TESTS_RANDOM_KEYS_H

#include <stdint.h>

#include "hbase/model/call.h"
#include "saltkey.h"

struct key_watch {
    struct model *model;
    struct model_tap before;          /* what the run itself listens with */
    uint8_t bytes[2048];
    struct saltkey_buf key;
    uint64_t rows, file_keys;
    char wrong[200];                  /* the first one, empty while all is right */
};

void key_watch_init(struct key_watch *w);

/* For sim_control.built; |context| is the watch. */
void key_watch_built(void *context, struct model *m);

#endif
