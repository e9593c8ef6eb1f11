/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include "report/plan.h"
#include "report/report.h"
#include "result/atomic.h"
#include "result/json.h"

/* Opens "dir/name", lets one of the writers fill it, and puts it in its place. */
struct output {
    const char *dir, *name;
    int (*write)(const struct result *res, FILE *to);
    void (*write_table)(const struct result *res, FILE *to);
};

static int put(const struct result *res, const struct output *out, char *message, size_t cap)
{
    char path[4096];
    struct atomic_file file;
    int len = snprintf(path, sizeof path, "%s/%s", out->dir, out->name);
    if (len < 0 || (size_t)len >= sizeof path) {
        snprintf(message, cap, "%s: the path is too long", out->name);
        return -1;
    }
    int rc = atomic_open(&file, path);
    if (rc == 0) {
        if (out->write)
            out->write(res, file.stream);
        else
            out->write_table(res, file.stream);
        rc = atomic_commit(&file);
    }
    if (rc != 0)
        snprintf(message, cap, "%s", file.message);
    return rc;
}

int report_write_all(const struct result *res, const char *dir, char *message, size_t cap)
{
    if (atomic_make_folder(dir, message, cap) != 0)
        return -1;
    struct output report = {dir, "report.txt", report_write_text, NULL};
    struct output json = {dir, "result.json", result_write_json, NULL};
    if (put(res, &report, message, cap) != 0 || put(res, &json, message, cap) != 0)
        return -1;
    struct output page = {dir, "plan.md", report_write_markdown, NULL};
    if (res->plan.present && put(res, &page, message, cap) != 0)
        return -1;
    for (const struct report_table *table = report_tables; table->name; table++) {
        struct output csv = {dir, table->name, NULL, table->write};
        if (table->only_plan && !res->plan.present)
            continue;
        if (put(res, &csv, message, cap) != 0)
            return -1;
    }
    return 0;
}
