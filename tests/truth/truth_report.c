/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "truth_rules.h"

void truth_case(struct truth_report *r, const char *name)
{
    snprintf(r->name, sizeof r->name, "%s", name);
    r->case_values = 0;
    r->case_failed = 0;
}

void truth_check(struct truth_report *r, const char *quantity, double real, double ours, double band)
{
    double off = fabs(ours - real);

    r->values++;
    r->case_values++;
    if (off <= band || off <= fabs(real) * 0)
        return;
    r->case_failed++;
    printf("%s\t%s\t%s\t%.10g\t%.10g\t%.10g\t%.10g\tFAIL\n", r->folder, r->name, quantity, real, ours, ours - real,
           band);
}

void truth_check_text(struct truth_report *r, const char *quantity, const char *real, const char *ours)
{
    r->values++;
    r->case_values++;
    if (strcmp(real, ours) == 0)
        return;
    r->case_failed++;
    printf("%s\t%s\t%s\t%s\t%s\t-\texact\tFAIL\n", r->folder, r->name, quantity, real, ours);
}

void truth_case_end(struct truth_report *r, const char *quantity, const char *real, const char *ours,
                    const char *band)
{
    r->cases++;
    if (r->case_failed > 0)
        r->failed++;
    printf("%s\t%s\t%s\t%s\t%s\t%s\t%u of %u values\t%s\n", r->folder, r->name, quantity, real, ours, band,
           r->case_values - r->case_failed, r->case_values, r->case_failed ? "FAIL" : "ok");
}

void truth_hex(const uint8_t *row, size_t n, char *out, size_t cap)
{
    static const char hex[] = "0123456789abcdef";
    size_t k = 0;

    for (size_t i = 0; i < n && k + 2 < cap; i++) {
        out[k++] = hex[row[i] >> 4];
        out[k++] = hex[row[i] & 15];
    }
    out[k] = '\0';
}

void truth_unreadable(struct truth_report *r, const char *path)
{
    truth_case(r, path);
    truth_check_text(r, "table", "readable", path);
    truth_case_end(r, "table", "-", "-", "-");
}

int truth_each_table(const char *dir, const char *prefix, void (*judge)(const struct truth_table *t, void *report),
                     struct truth_report *r)
{
    char **name, path[4500];
    const size_t n = truth_names(dir, prefix, ".tsv", &name);

    for (size_t i = 0; i < n; i++) {
        struct truth_table t;

        snprintf(path, sizeof path, "%s/%s", dir, name[i]);
        free(name[i]);
        if (truth_table_read(path, &t) != 0) {
            truth_unreadable(r, path);
            continue;
        }
        judge(&t, r);
        truth_table_free(&t);
    }
    free(name);
    return n > 0 ? 0 : -1;
}
