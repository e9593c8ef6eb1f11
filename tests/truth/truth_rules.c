/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "truth_rules.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* HBase's rules against recordings of a real HBase. Usage: truth_rules DIR, with DIR laid out as
   tests/data/truth. Exit status 1 when a value is off or nothing was found. */

static const struct {
    const char *folder;
    int (*run)(const char *dir, struct truth_report *r);
} subject[] = {
    {"flush-sizes", truth_flush_sizes},     {"large-files", truth_large_files},
    {"midkey", truth_midkey},               {"compaction-selection", truth_selection},
    {"too-busy", truth_too_busy},           {"normalizer", truth_normalizer},
    {"free-running", truth_put_heap},       {"encodings", truth_encodings},
    {"large-files", truth_default_flush},   {"hfiles", truth_hfiles},
    {"split-timelines", truth_split_keys},  {"split-timelines-salted", truth_split_keys},
    {"families", truth_split_keys},         {"wide-rows", truth_split_keys},
};

int main(int argc, char **argv)
{
    struct truth_report total = {0};
    unsigned absent = 0;

    if (argc != 2) {
        fprintf(stderr, "usage: %s DIR\n", argv[0]);
        return 2;
    }
    printf("folder\tcase\tquantity\treal\tours\tdifference or band\tvalues\tverdict\n");
    for (size_t i = 0; i < sizeof subject / sizeof *subject; i++) {
        struct truth_report r = {.folder = subject[i].folder};
        char dir[4096];

        snprintf(dir, sizeof dir, "%s/%s", argv[1], subject[i].folder);
        if (subject[i].run(dir, &r)) {
            printf("%s\tABSENT: no table to read in %s\n", subject[i].folder, dir);
            absent++;
        }
        total.cases += r.cases;
        total.failed += r.failed;
        total.values += r.values;
    }
    printf("rules: %u cases, %u values, %u cases failed, %u folders absent\n", total.cases, total.values,
           total.failed, absent);
    if (total.cases == 0)
        printf("rules: no case found: FAIL\n");
    return total.failed > 0 || total.cases == 0;
}
