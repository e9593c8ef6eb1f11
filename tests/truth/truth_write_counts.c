/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes and memstore bytes of each region of recorded pre-split tables, against a whole run: the
   recorded stream is written to a key file, the key file is replayed through clients and regions.
   Usage: truth_write_counts DIR. Exit status 1 when a value is off or nothing was found. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "saltkey.h"
#include "sim/sim.h"
#include "spec/scheme.h"
#include "truth_replay.h"

static const struct {
    const char *word;
    enum spec_splits splits;
} split_words[] = {
    {"salt", SPEC_SPLITS_BUCKETS},        {"none", SPEC_SPLITS_NONE},
    {"UniformSplit", SPEC_SPLITS_UNIFORM}, {"HexStringSplit", SPEC_SPLITS_HEX},
    {"DecimalStringSplit", SPEC_SPLITS_DECIMAL},
};

/* The word behind "name=" in the header, or "". */
static void header_word(const struct truth_table *t, const char *name, char *word, size_t cap)
{
    word[0] = '\0';
    for (size_t i = 0; i < t->comments; i++) {
        const char *at = strstr(t->comment[i], name);

        if (at)
            snprintf(word, cap, "%.*s", (int)strcspn(at + strlen(name), " ;\t"), at + strlen(name));
    }
}

/* The one-byte keys 1, 2, ... of a table whose buckets are others, or that has none. */
static void split_at_bytes(struct spec_table *table, int regions)
{
    table->splits = SPEC_SPLITS_KEYS;
    table->split_keys_len = (size_t)regions - 1;
    table->split_keys = calloc((size_t)regions, sizeof *table->split_keys);
    if (!table->split_keys)
        abort();
    for (size_t i = 0; i < table->split_keys_len; i++) {
        table->split_keys[i].bytes = malloc(1);
        if (!table->split_keys[i].bytes)
            abort();
        table->split_keys[i].bytes[0] = (uint8_t)(i + 1);
        table->split_keys[i].len = 1;
    }
}

/* False where the pre-split isn't known. */
static bool add_table(struct spec *sp, const struct truth_table *t, const struct truth_way *way)
{
    const int regions = (int)truth_comment_number(t, "regions", 1);
    bool known = false;
    char family[64], qualifier[64], word[64];
    struct spec_table *table;

    header_word(t, "family=", family, sizeof family);
    header_word(t, "qualifier=", qualifier, sizeof qualifier);
    table = truth_replay_table(sp, t, way, family, qualifier);
    header_word(t, "pre-split=", word, sizeof word);
    for (size_t i = 0; i < sizeof split_words / sizeof split_words[0]; i++)
        if (strcmp(split_words[i].word, word) == 0) {
            table->splits = split_words[i].splits;
            known = true;
        }
    table->splits_regions = table->splits == SPEC_SPLITS_BUCKETS ? 1 : regions;
    if (table->splits == SPEC_SPLITS_BUCKETS && table->buckets != regions)
        split_at_bytes(table, regions);
    return known;
}

/* A key in HBase's notation as the recordings have it: hexadecimal, '-' for none. */
static void key_hex(const char *text, char *out, size_t cap)
{
    uint8_t bytes[256];
    struct saltkey_buf buf = {bytes, sizeof bytes, 0};

    saltkey_to_bytes_binary((struct saltkey_slice){(const uint8_t *)text, strlen(text)}, &buf, NULL);
    if (buf.len == 0)
        snprintf(out, cap, "-");
    else
        truth_hex(bytes, buf.len, out, cap);
}

static void compare(const struct truth_table *t, const struct result_run *run, struct truth_report *r)
{
    size_t row = 0;
    char hex[600], ours[64], real[64];
    uint64_t sum_real = 0;
    double sum_ours = 0;

    for (size_t i = 0; i < run->regions_len; i++) {
        const struct result_region *g = &run->regions[i];

        if (g->table != 0)
            continue;
        if (row >= t->rows) {
            row++;
            continue;
        }
        key_hex(g->start, hex, sizeof hex);
        truth_check_text(r, "start", truth_cell(t, row, "start_hex"), hex);
        key_hex(g->end, hex, sizeof hex);
        truth_check_text(r, "end", truth_cell(t, row, "end_hex"), hex);
        truth_check(r, "writes", (double)truth_number(t, row, "write_requests"), g->requests, 0);
        truth_check(r, "memstore data", (double)truth_number(t, row, "mem_data_bytes_before_flush"),
                    g->memstore_bytes, 0);
        truth_check(r, "memstore heap", (double)truth_number(t, row, "mem_heap_bytes_before_flush"),
                    g->memstore_heap_bytes, 0);
        sum_real += truth_number(t, row, "write_requests");
        sum_ours += g->writes;
        row++;
    }
    truth_check(r, "regions", (double)t->rows, (double)row, 0);
    truth_check(r, "all writes", (double)sum_real, sum_ours, 0);
    snprintf(real, sizeof real, "%zu regions %llu rows", t->rows, (unsigned long long)sum_real);
    snprintf(ours, sizeof ours, "%zu regions %.0f rows", row, sum_ours);
    truth_case_end(r, "writes, data and heap by region", real, ours, "exact");
}

static void run_case(const char *path, const char *name, struct truth_report *r)
{
    struct truth_table t;
    struct spec sp;
    struct result_run run;
    struct sim_end end = {false, "no such stream"};
    char stream[64], keys[] = "truth-keys-XXXXXX";
    const struct truth_way *way;
    size_t width = 0;
    int rc = -1, fd;

    truth_case(r, name);
    if (truth_table_read(path, &t) != 0) {
        truth_check_text(r, "file", "readable", "not readable");
        truth_case_end(r, "file", "-", "-", "exact");
        return;
    }
    header_word(&t, "stream=", stream, sizeof stream);
    way = truth_way_of(stream);
    spec_init(&sp);
    result_run_init(&run);
    fd = mkstemp(keys);
    if (fd >= 0 && way)
        width = truth_write_keys(&t, way, keys);
    if (width > 0) {
        sp.cluster.servers = 4;
        sp.server.write_capacity_per_s = 1e6;
        sp.hbase.memstore_flush_size_bytes = INT64_C(1) << 40; /* nothing flushed by itself */
        sp.duration_ns = (int64_t)(truth_comment_number(&t, "rows", 0) / 10000 + 10) * SPEC_NS_PER_S;
        if (add_table(&sp, &t, way)) {
            truth_replay_stream(&sp, keys, width, 10000);
            rc = sim_run(&sp, NULL, &run, &end);
        } else {
            snprintf(end.message, sizeof end.message, "no such pre-split");
        }
    }
    if (rc == 0) {
        compare(&t, &run, r);
    } else {
        truth_check_text(r, "run", "runs", end.message);
        truth_case_end(r, "run", "-", end.message, "exact");
    }
    if (fd >= 0)
        close(fd);
    unlink(keys);
    result_run_free(&run);
    spec_free(&sp);
    truth_table_free(&t);
}

int main(int argc, char **argv)
{
    struct truth_report r = {0};
    char dir[4096], path[8192], **names;
    size_t n;

    if (argc != 2) {
        fprintf(stderr, "usage: %s DIR\n", argv[0]);
        return 2;
    }
    snprintf(dir, sizeof dir, "%s/write-counts", argv[1]);
    r.folder = "write-counts";
    n = truth_names(dir, "", ".tsv", &names);
    if (n == 0)
        printf("write-counts\tabsent in %s\n", argv[1]);
    for (size_t i = 0; i < n; i++) {
        snprintf(path, sizeof path, "%s/%s", dir, names[i]);
        if (strcmp(names[i], "placement.tsv") != 0)
            run_case(path, names[i], &r);
        free(names[i]);
    }
    free(names);
    printf("write-counts: %u cases, %u failed, %u values\n", r.cases, r.failed, r.values);
    return r.cases == 0 || r.failed > 0;
}
