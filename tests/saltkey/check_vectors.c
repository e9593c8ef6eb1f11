/* SPDX-License-Identifier: GPL-3.0-or-later */
/* check-vectors [DIR]: every vector file in a folder (by default the source tree's) against the
   library. One line a file; the first row that fails or waits in full; a file that is unknown or empty or has no row
   that passes fails, and so does a row that no check knows. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "vectors.h"

static const struct {
    const char *name;
    vector_check *check;
} files[] = {
    {"corpus.tsv", check_corpus},
    {"hash_crc32.tsv", check_crc32},
    {"hash_jenkins_hbase.tsv", check_jenkins},
    {"hash_md5_sha256.tsv", check_digests},
    {"hash_murmur2_hbase.tsv", check_murmur2},
    {"hash_murmur3_hbase.tsv", check_murmur3},
    {"hash_string_vs_bytes.tsv", check_string_hash},
    {"hash_xxh.tsv", check_xxh},
    {"hbasewd_onebyte_hash.tsv", check_hbasewd},
    {"hbasewd_roundrobin.tsv", check_roundrobin},
    {"merge.tsv", check_merge},
    {"merge_ties.tsv", check_merge},
    {"monthly_purge.tsv", check_monthly_purge},
    {"opentsdb_salt.tsv", check_opentsdb},
    {"order_longs.tsv", check_order_longs},
    {"order_pairs.tsv", check_order_pairs},
    {"orderedbytes.tsv", check_orderedbytes},
    {"phoenix_salt.tsv", check_phoenix_salt},
    {"playbook_bucket_04d.tsv", check_bucket_04d},
    {"playbook_composite.tsv", check_composite},
    {"playbook_md5_4hex.tsv", check_md5_4hex},
    {"playbook_salt_02x.tsv", check_salt_02x},
    {"playbook_timeseries.tsv", check_timeseries},
    {"prefix_stop.tsv", check_prefix_stop},
    {"presplit.tsv", check_presplit},
    {"region_placement.tsv", check_region_placement},
    {"reverse_domain.tsv", check_reverse_domain},
    {"reverse_timestamp.tsv", check_reverse_timestamp},
    {"scan_ranges.tsv", check_scan_ranges},
    {"seed1_salt_device.tsv", check_seed1_device},
    {"seed1_salt_whole.tsv", check_seed1_whole},
    {"seed_examples.tsv", check_seed_examples},
};

static vector_check *checker_of(const char *name)
{
    size_t i;

    for (i = 0; i < sizeof(files) / sizeof(files[0]); i++)
        if (strcmp(files[i].name, name) == 0)
            return files[i].check;
    return NULL;
}

static void print_row(const struct tsv *t, size_t row, const char *what, const char *why)
{
    size_t i;

    printf("  row %lu %s%s%s:\n", (unsigned long)row + 1, what, why[0] ? ", " : "", why);
    for (i = 0; i < t->columns; i++)
        printf("    %s = %s\n", t->cells[i], t->cells[(row + 1) * t->columns + i]);
}

/* What became of a file's rows. */
struct tally {
    size_t counts[ROW_UNKNOWN + 1], first, waits; /* the first that fails, the first that waits */
    char why[128];
};

static void check_rows(const struct tsv *t, vector_check *check, struct tally *tally)
{
    static struct tsv_trap trap;
    volatile size_t i;

    for (i = 0; i < t->rows; i++) {
        volatile enum verdict v = ROW_FAIL;

        trap.why[0] = '\0';
        tsv_set_trap(&trap);
        if (setjmp(trap.back) == 0)
            v = check(t, i);
        tsv_set_trap(NULL);
        if (v == ROW_UNKNOWN)
            snprintf(trap.why, sizeof(trap.why), "no check knows what it speaks of");
        if (v != ROW_PASS && v != ROW_WAIT && tally->counts[ROW_FAIL] + tally->counts[ROW_UNKNOWN] == 0) {
            tally->first = i;
            snprintf(tally->why, sizeof(tally->why), "%s", trap.why);
        }
        if (v == ROW_WAIT && tally->counts[ROW_WAIT] == 0)
            tally->waits = i;
        tally->counts[v]++;
    }
}

/* True where the file is known, rows of it pass and none fails. */
static bool check_file(const char *dir, const char *name)
{
    char path[8192];
    vector_check *check = checker_of(name);
    struct tally tally;
    struct tsv t;
    size_t failed;

    memset(&tally, 0, sizeof(tally));
    snprintf(path, sizeof(path), "%s/%s", dir, name);
    if (!check) {
        printf("%-28s unknown: no check for a file of this name\n", name);
        return false;
    }
    if (tsv_load(path, &t) < 0) {
        printf("%-28s can't be read as a table\n", name);
        tsv_free(&t);
        return false;
    }
    check_rows(&t, check, &tally);
    failed = tally.counts[ROW_FAIL] + tally.counts[ROW_UNKNOWN];
    printf("%-28s %4lu passed, %lu failed, %lu waiting%s\n", name, (unsigned long)tally.counts[ROW_PASS],
           (unsigned long)failed, (unsigned long)tally.counts[ROW_WAIT],
           t.rows == 0 ? ": the file is empty" : tally.counts[ROW_PASS] == 0 && failed == 0 ? ": no row was checked" : "");
    if (failed)
        print_row(&t, tally.first, "fails", tally.why);
    if (tally.counts[ROW_WAIT])
        print_row(&t, tally.waits, "waits", "it speaks of something that isn't the library's");
    tsv_free(&t);
    return tally.counts[ROW_PASS] > 0 && failed == 0;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Names of the folder's entries, dot files left out; NULL on failure. */
static char **list_names(const char *dir, size_t *n)
{
    DIR *d = opendir(dir);
    char **names = NULL;
    struct dirent *e;

    *n = 0;
    while (d && (e = readdir(d))) {
        char **more, *name;

        if (e->d_name[0] == '.' || strncmp(e->d_name, "README", 6) == 0)
            continue;
        more = realloc(names, (*n + 1) * sizeof(*names));
        name = malloc(strlen(e->d_name) + 1);
        if (!more || !name)
            exit(1);
        names = more;
        names[(*n)++] = strcpy(name, e->d_name);
    }
    if (d)
        closedir(d);
    if (names)
        qsort(names, *n, sizeof(*names), by_name);
    return names;
}

int main(int argc, char **argv)
{
    const char *srcdir = getenv("srcdir");
    char dir[4096];
    size_t n = 0, bad = 0, i;
    char **names;

    if (argc > 2) {
        fprintf(stderr, "usage: check-vectors [DIR]\n");
        return 2;
    }
    snprintf(dir, sizeof(dir), "%s%s", argc == 2 ? argv[1] : srcdir ? srcdir : ".",
             argc == 2 ? "" : "/tests/data/vectors");
    names = list_names(dir, &n);
    if (n == 0) {
        fprintf(stderr, "check-vectors: no files in %s\n", dir);
        return 1;
    }
    for (i = 0; i < n; i++) {
        bad += !check_file(dir, names[i]);
        free(names[i]);
    }
    free(names);
    printf("check-vectors: %lu files, %lu not right\n", (unsigned long)n, (unsigned long)bad);
    return bad ? 1 : 0;
}
