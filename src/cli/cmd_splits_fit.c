/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/cmd_splits_fit.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cmd_merge_file.h"

#define PULL 256
#define ROWS_MAX 100000000

/* All rows of a file, in its order. */
static enum cli_exit read_rows(const char *name, const struct key_format *format, struct saltkey_keys *rows)
{
    struct merge_file file = {0};
    struct saltkey_row pulled[PULL];
    enum cli_exit code = merge_file_open(&file, name, format);
    int n = 0;

    while (code == CLI_DONE && rows->count < ROWS_MAX && (n = merge_file_pull(&file, pulled, PULL)) > 0) {
        for (int i = 0; i < n && code == CLI_DONE; i++) {
            if (saltkey_keys_add(rows, pulled[i].key) < 0) {
                cli_error("%s: not enough memory", file.name);
                code = CLI_INTERNAL;
            }
        }
    }
    if (n < 0)
        code = file.failed;
    if (n > 0 && code == CLI_DONE) {
        cli_error("%s: more than %d rows, the most that is read", file.name, ROWS_MAX);
        code = CLI_FILE;
    }
    if (code == CLI_DONE && rows->count == 0) {
        cli_error("%s: no row in it", file.name);
        code = CLI_FILE;
    }
    merge_file_close(&file);
    return code;
}

static enum cli_exit print_fit(const struct saltkey_keys *splits, const uint64_t *counts, const struct saltkey_fit *fit)
{
    puts("rows\tshare\tstart");
    for (size_t i = 0; i <= splits->count; i++) {
        printf("%" PRIu64 "\t%.4f\t", counts[i], fit->keys ? (double)counts[i] / (double)fit->keys : 0.0);
        if (i > 0)
            key_print(KEY_ESCAPED, splits->at[i - 1], stdout);
        putchar('\n');
    }
    printf("# %s: %zu regions, %zu empty; the fullest has %.1f %%\n", saltkey_fit_text(fit->fault), fit->regions,
           fit->empty, 100.0 * fit->largest_share);
    return fit->fault == SALTKEY_FIT_OK ? CLI_DONE : CLI_NEGATIVE;
}

enum cli_exit splits_fit(const struct emit *em, const char *file, const struct key_format *format)
{
    uint64_t *counts = calloc(em->splits.count + 1, sizeof *counts);
    struct saltkey_fit fit = {0};
    struct saltkey_keys rows;
    enum cli_exit code = CLI_DONE;
    int rc = 0;

    saltkey_keys_init(&rows, NULL);
    if (!counts) {
        cli_error("not enough memory");
        code = CLI_INTERNAL;
    } else if (strcmp(file, "salt") == 0) {
        rc = saltkey_splits_fit_salt(&em->splits, &em->scheme.salt, counts, &fit);
    } else {
        code = read_rows(file, format, &rows);
        if (code == CLI_DONE)
            rc = saltkey_splits_fit(&em->splits, &rows, counts, &fit);
    }
    if (rc < 0) {
        cli_error("--fit: %s", saltkey_status_text(rc));
        code = CLI_USAGE;
    }
    if (code == CLI_DONE)
        code = print_fit(&em->splits, counts, &fit);
    saltkey_keys_free(&rows);
    free(counts);
    return code;
}

enum cli_exit splits_quantiles(const char *text, const struct key_format *format, struct saltkey_keys *keys)
{
    const char *blank = strchr(text, ' ');
    char number[12] = "";
    unsigned long long regions = 0;
    struct saltkey_error err = {0};
    struct saltkey_keys rows;
    enum cli_exit code;

    if (blank && (size_t)(blank - text) < sizeof number)
        memcpy(number, text, (size_t)(blank - text));
    if (!cli_whole_number(number, SALTKEY_REGIONS_MAX, &regions) || regions < 2) {
        cli_error("--splits: quantiles are written 'quantiles REGIONS FILE', with 2 to %d regions", SALTKEY_REGIONS_MAX);
        return CLI_USAGE;
    }
    saltkey_keys_init(&rows, NULL);
    code = read_rows(blank + 1, format, &rows);
    if (code == CLI_DONE && saltkey_split_quantiles(&rows, (uint32_t)regions, keys, &err) < 0) {
        cli_error("--splits: %s", err.reason);
        code = CLI_USAGE;
    }
    if (code == CLI_DONE && keys->count + 1 < regions)
        key_warning("%zu regions, not %llu: one key of the sample fills more than a region", keys->count + 1, regions);
    saltkey_keys_free(&rows);
    return code;
}
