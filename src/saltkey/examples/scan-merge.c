/* SPDX-License-Identifier: Apache-2.0 */
/* scan-merge [-s BYTES | -d CHAR] [-n LIMIT] [-r] FILE...
   Rows of salted, sorted files in natural-key order: what a reader does with N scanners. Each file
   is one bucket, a row a line in HBase's escape notation (as the shell prints keys).
   -s: bytes of salt to skip (1); -d: skip through this character instead (text salts: -d _);
   -n: at most so many rows; -r: files descend, and so does the output. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "saltkey.h"

struct file {
    const char *name;
    FILE *f;
    char *line;
    size_t cap;
    struct saltkey_error err;
};

/* One row at a time: the line is unescaped in place, it only gets shorter. */
static int pull(void *context, struct saltkey_row *rows, size_t max)
{
    struct file *file = context;
    struct saltkey_buf bytes;
    struct saltkey_slice text;
    ssize_t n = getline(&file->line, &file->cap, file->f);

    (void)max;
    if (n < 0)
        return ferror(file->f) ? -1 : 0;
    while (n > 0 && (file->line[n - 1] == '\n' || file->line[n - 1] == '\r'))
        n--;
    text.bytes = bytes.bytes = (uint8_t *)file->line;
    text.len = bytes.cap = (size_t)n;
    bytes.len = 0;
    if (saltkey_to_bytes_binary_strict(text, &bytes, &file->err) < 0)
        return -1;
    rows->key.bytes = bytes.bytes;
    rows->key.len = bytes.len;
    rows->user = file;
    return 1;
}

static int complain(const struct saltkey_merge *merge, const struct file *files, int status)
{
    size_t source;
    uint64_t row;

    saltkey_merge_error(merge, &source, &row);
    fprintf(stderr, "scan-merge: %s:%llu: %s\n", files[source].name, (unsigned long long)row,
            status == SALTKEY_EORDER ? "row sorts before the one above it"
            : files[source].err.reason[0] ? files[source].err.reason : saltkey_status_text(status));
    return 1;
}

static int print_rows(struct saltkey_merge *merge, const struct file *files)
{
    char text[4 * 32767 + 1]; /* HBase's longest row, escaped */
    struct saltkey_row row;
    int rc;

    while ((rc = saltkey_merge_next(merge, &row, NULL)) == 1) {
        saltkey_to_string_binary(row.key, text, sizeof(text));
        puts(text);
    }
    if (rc < 0)
        return complain(merge, files, rc);
    return fflush(stdout) == 0 && !ferror(stdout) ? 0 : 1;
}

static int merge_files(struct file *files, size_t n, const struct saltkey_merge_options *options)
{
    struct saltkey_source *sources = calloc(n, sizeof(*sources));
    struct saltkey_merge *merge = NULL;
    size_t i;
    int rc = 1;

    for (i = 0; sources && i < n; i++) {
        files[i].f = fopen(files[i].name, "r");
        if (!files[i].f) {
            fprintf(stderr, "scan-merge: %s: %s\n", files[i].name, strerror(errno));
            n = i;
            goto out;
        }
        sources[i].pull = pull;
        sources[i].context = &files[i];
    }
    if (!sources || saltkey_merge_open(sources, n, options, &merge) < 0)
        fprintf(stderr, "scan-merge: out of memory\n");
    else
        rc = print_rows(merge, files);
out:
    saltkey_merge_close(merge);
    for (i = 0; sources && i < n; i++) {
        fclose(files[i].f);
        free(files[i].line);
    }
    free(sources);
    return rc;
}

static int read_options(int argc, char **argv, struct saltkey_merge_options *o)
{
    int c;

    memset(o, 0, sizeof(*o));
    o->skip = 1;
    o->batch = 1;
    while ((c = getopt(argc, argv, "s:d:n:r")) != -1) {
        if (c == 's')
            o->skip = strtoul(optarg, NULL, 10);
        else if (c == 'n')
            o->limit = strtoull(optarg, NULL, 10);
        else if (c == 'r')
            o->reverse = true;
        else if (c == 'd' && strlen(optarg) == 1)
            o->delimiter = (uint8_t)optarg[0], o->skip_through = true;
        else
            return -1;
    }
    return optind < argc ? 0 : -1;
}

int main(int argc, char **argv)
{
    struct saltkey_merge_options options;
    struct file *files;
    size_t n, i;
    int rc;

    if (read_options(argc, argv, &options) < 0) {
        fprintf(stderr, "usage: scan-merge [-s BYTES | -d CHAR] [-n LIMIT] [-r] FILE...\n");
        return 2;
    }
    n = (size_t)(argc - optind);
    files = calloc(n, sizeof(*files));
    if (!files)
        return 1;
    for (i = 0; i < n; i++)
        files[i].name = argv[optind + (int)i];
    rc = merge_files(files, n, &options);
    free(files);
    return rc;
}
