/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs a fuzz target without a fuzzer: each file of its corpus, then seeded changes of it. The corpus
   is the folder of tests/data/fuzz that the program's name ends with, or the argument. */
#include <dirent.h>
#include <string.h>

#include "fuzz.h"
#include "../saltkey/seeded.h"

#define MOST 4096
#define CHANGES 3000

static size_t change(struct seeded *r, uint8_t *data, size_t size)
{
    size_t n = 1 + seeded_below(r, 4), at, k;

    while (n--) {
        at = size ? seeded_below(r, size) : 0;
        switch (seeded_below(r, 4)) {
        case 0:
            if (size)
                data[at] = (uint8_t)seeded_next(r);
            break;
        case 1:
            if (size)
                data[at] ^= (uint8_t)(1 << seeded_below(r, 8));
            break;
        case 2:
            if (size < MOST) {
                memmove(data + at + 1, data + at, size - at);
                data[at] = (uint8_t)seeded_next(r);
                size++;
            }
            break;
        default:
            k = size ? seeded_below(r, size - at) / 4 : 0;
            memmove(data + at, data + at + k, size - at - k);
            size -= k;
            break;
        }
    }
    return size;
}

static int replay_file(const char *path, struct seeded *r)
{
    static uint8_t data[MOST], changed[MOST + 8];
    FILE *f = fopen(path, "rb");
    size_t size;
    uint8_t *exact;
    int i;

    if (!f)
        return -1;
    size = fread(data, 1, sizeof(data), f);
    fclose(f);
    for (i = 0; i <= CHANGES; i++) {
        size_t n = size;

        memcpy(changed, data, size);
        if (i)
            n = change(r, changed, size);
        exact = malloc(n + 1); /* no byte behind the input belongs to it */
        if (!exact)
            return -1;
        memcpy(exact, changed, n);
        (void)LLVMFuzzerTestOneInput(exact, n);
        free(exact);
    }
    return 0;
}

int main(int argc, char **argv)
{
    const char *srcdir = getenv("srcdir"), *name = strrchr(argv[0], '_');
    struct seeded r = {17};
    char dir[2048], path[4096];
    struct dirent *e;
    size_t files = 0;
    DIR *d;

    snprintf(dir, sizeof(dir), "%s%s%s", argc > 1 ? argv[1] : srcdir ? srcdir : ".",
             argc > 1 ? "" : "/tests/data/fuzz/", argc > 1 ? "" : name ? name + 1 : "");
    d = opendir(dir);
    while (d && (e = readdir(d)) != NULL) {
        if (e->d_name[0] == '.')
            continue;
        snprintf(path, sizeof(path), "%s/%s", dir, e->d_name);
        if (replay_file(path, &r) < 0)
            return 1;
        files++;
    }
    if (d)
        closedir(d);
    printf("%s: %lu files and %d changes of each\n", dir, (unsigned long)files, CHANGES);
    return files ? 0 : 1;
}
