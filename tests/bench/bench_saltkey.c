/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The library's inner loops beside their yardsticks, in one run: hashing (the byte loop), counting for
   all N (a division each), merging (`sort -m -k1.3` over the same rows). Prints ns or rows/s (the median
   of five runs of hash and merge) and the ratio; asserts nothing. Options: rows to merge in millions (default 4), 'nosort' to leave sort out. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "saltkey.h"

#define ROW 25
#define TIMES 5 /* each figure is the median of so many runs */

/* Processor time of this process: a busy machine doesn't spoil it. */
static double now_s(void)
{
    struct timespec t;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* The same of the commands it ran. */
static double children_s(void)
{
    struct rusage u;

    getrusage(RUSAGE_CHILDREN, &u);
    return (double)u.ru_utime.tv_sec + (double)u.ru_utime.tv_usec * 1e-6 + (double)u.ru_stime.tv_sec +
           (double)u.ru_stime.tv_usec * 1e-6;
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

static double median(double *s)
{
    qsort(s, TIMES, sizeof(*s), by_size);
    return s[TIMES / 2];
}

static uint64_t mix(uint64_t z)
{
    z = (z + UINT64_C(0x9e3779b97f4a7c15));
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

/* Telemetry: salt byte, 8-byte time (100 rows a millisecond), 16 hexadecimal digits of the device. */
static void make_row(uint64_t i, uint32_t n, uint8_t *row)
{
    static const char hex[] = "0123456789abcdef";
    uint64_t ts = 1700000000000 + i / 100, dev = mix(i % 10000);
    struct saltkey_mod mod;
    int k;

    for (k = 8; k > 0; k--, ts >>= 8)
        row[k] = (uint8_t)ts;
    for (k = 9; k < ROW; k++, dev >>= 4)
        row[k] = (uint8_t)hex[dev & 15];
    (void)saltkey_mod_init(&mod, SALTKEY_ABS, n);
    row[0] = (uint8_t)saltkey_mod_bucket(&mod, saltkey_hash31(row + 1, ROW - 1));
}

static void bench_hash(void)
{
    enum { KEYS = 1024, TURNS = 4000 };
    static uint8_t bytes[KEYS * 24 + 32];
    static int32_t hashes[KEYS];
    struct saltkey_batch batch = {bytes, 24, 24, KEYS};
    double loop, eight, turns[TIMES];
    uint64_t sum = 0;
    size_t i, t, k;

    for (i = 0; i < sizeof(bytes); i++)
        bytes[i] = (uint8_t)mix(i);
    loop = now_s();
    for (t = 0; t < TURNS / 8; t++) {
        for (i = 0; i < KEYS; i++)
            hashes[i] = saltkey_hash31(bytes + i * 24, 24);
        sum += (uint32_t)hashes[t % KEYS];
    }
    loop = (now_s() - loop) * 8;
    for (k = 0; k < TIMES; k++) {
        turns[k] = now_s();
        for (t = 0; t < TURNS; t++) {
            saltkey_hash31_batch(&batch, hashes);
            sum += (uint32_t)hashes[t % KEYS];
        }
        turns[k] = now_s() - turns[k];
    }
    eight = median(turns);
    loop *= 1e9 / ((double)KEYS * TURNS);
    eight *= 1e9 / ((double)KEYS * TURNS);
    printf("saltkey hash31 of 24 bytes, in cache      byte loop %6.2f ns a key, batch %6.2f ns, ratio %.1f"
           " (goal 1 ns; check %u)\n", loop, eight, loop / eight, (unsigned)(sum & 0xff));
}

static void bench_counts(void)
{
    enum { KEYS = 200000 };
    static int32_t hashes[KEYS];
    static uint64_t counts[SALTKEY_COUNTS], plain[SALTKEY_COUNTS];
    double division, pass, hash;
    uint8_t *rows = malloc((size_t)KEYS * ROW + 32);
    struct saltkey_batch batch = {rows + 1, ROW, ROW - 1, KEYS};
    uint32_t n;
    size_t i;

    if (!rows)
        return;
    for (i = 0; i < KEYS; i++)
        make_row(i, 16, rows + i * ROW);
    hash = now_s();
    saltkey_hash31_batch(&batch, hashes);
    hash = now_s() - hash;
    pass = now_s();
    saltkey_count_buckets(SALTKEY_FLOOR, hashes, KEYS, counts);
    pass = now_s() - pass;
    division = now_s();
    for (i = 0; i < KEYS; i++)
        for (n = 1; n <= 256; n++) {
            int64_t r = hashes[i] % (int64_t)n;

            plain[saltkey_counts_at(n, (uint32_t)(r < 0 ? r + n : r))]++;
        }
    division = now_s() - division;
    printf("saltkey hash and count, N = 1..256        division %7.1f ns a key, pass %6.1f ns, ratio %.1f"
           " (goal 120 ns)%s\n", (division + hash) * 1e9 / KEYS, (pass + hash) * 1e9 / KEYS,
           (division + hash) / (pass + hash), memcmp(plain, counts, sizeof(plain)) ? " DIFFERS" : "");
    free(rows);
}

static void bench_shares(void)
{
    enum { DEVICES = 4096, TURNS = 4000 };
    static uint32_t device[DEVICES];
    struct saltkey_layout layout;
    struct saltkey_salt salt;
    struct saltkey_scheme scheme;
    struct saltkey_value v;
    uint64_t counts[16] = {0};
    uint32_t i, t, ts = 0;
    double s;

    (void)saltkey_layout_parse("ts:be64 device:fixed(16)", &layout, NULL);
    (void)saltkey_salt_parse("arrays-hash floorMod", 16, &salt, NULL);
    (void)saltkey_scheme_init(&scheme, &layout, &salt, NULL, NULL);
    for (i = 0; i < DEVICES; i++) {
        char name[17];

        snprintf(name, sizeof(name), "dev-%012u", (unsigned)i);
        v = saltkey_text(name);
        (void)saltkey_hash_share(&scheme, 1, &v, &device[i], NULL);
    }
    s = now_s();
    for (t = 0; t < TURNS; t++) {
        v = saltkey_uint(1700000000000 + t);
        (void)saltkey_hash_share(&scheme, 0, &v, &ts, NULL);
        for (i = 0; i < DEVICES; i++)
            counts[saltkey_shares_bucket(&scheme, ts, device[i])]++;
    }
    s = (now_s() - s) * 1e9 / ((double)DEVICES * TURNS);
    printf("saltkey bucket from two shares, counted   %6.2f ns a key (goal 2 ns; check %u)\n", s,
           (unsigned)(counts[3] & 0xff));
}

/* A stream of rows in memory: pulled in batches. */
struct memory_stream {
    const uint8_t *rows;
    size_t n, at;
};

static int pull(void *context, struct saltkey_row *rows, size_t max)
{
    struct memory_stream *s = context;
    size_t k = s->n - s->at, i;

    if (k > max)
        k = max;
    for (i = 0; i < k; i++) {
        rows[i].key.bytes = s->rows + (s->at + i) * ROW;
        rows[i].key.len = ROW;
        rows[i].user = NULL;
    }
    s->at += k;
    return (int)k;
}

/* Distributes |rows| rows over |n| streams; each has its own block of |all|. */
static void fill_streams(uint8_t *all, size_t rows, uint32_t n, struct memory_stream *streams)
{
    uint8_t row[ROW], *at = all;
    size_t i, k;

    memset(streams, 0, n * sizeof(*streams));
    for (i = 0; i < rows; i++) {
        make_row(i, n, row);
        streams[row[0]].n++;
    }
    for (k = 0; k < n; k++) {
        streams[k].rows = at;
        at += streams[k].n * ROW;
    }
    for (i = 0; i < rows; i++) {
        struct memory_stream *s;

        make_row(i, n, row);
        s = &streams[row[0]];
        memcpy(all + (size_t)(s->rows - all) + s->at++ * ROW, row, ROW);
    }
}

static int by_bytes(const void *a, const void *b)
{
    return memcmp(a, b, ROW);
}

/* Rows of one millisecond come in any order: each stream is sorted as HBase stores it. */
static void sort_streams(uint8_t *all, struct memory_stream *streams, uint32_t n)
{
    uint32_t k;

    for (k = 0; k < n; k++) {
        qsort(all + (size_t)(streams[k].rows - all), streams[k].n, ROW, by_bytes);
        streams[k].at = 0;
    }
}

/* Merges all and returns the seconds it took. */
static double merge_once(struct memory_stream *streams, uint32_t n, uint8_t *out, size_t *got, uint64_t *comparisons)
{
    static struct saltkey_source sources[256];
    struct saltkey_merge_options o;
    struct saltkey_merge *m = NULL;
    struct saltkey_row row;
    double s;
    size_t i;

    memset(&o, 0, sizeof(o));
    o.skip = 1;
    for (i = 0; i < n; i++) {
        sources[i].pull = pull;
        sources[i].context = &streams[i];
        streams[i].at = 0;
    }
    *got = 0;
    if (saltkey_merge_open(sources, n, &o, &m) < 0)
        return 0;
    s = now_s();
    while (saltkey_merge_next(m, &row, NULL) == 1)
        memcpy(out + (*got)++ * ROW, row.key.bytes, ROW);
    s = now_s() - s;
    *comparisons = saltkey_merge_comparisons(m) - (n - 1); /* without those that built the tree */
    saltkey_merge_close(m);
    return s;
}

/* Rows a second. */
static double merge_all(struct memory_stream *streams, uint32_t n, size_t rows, uint8_t *out)
{
    uint64_t comparisons = 0;
    double turns[TIMES], s;
    size_t i, got = 0;

    for (i = 0; i < TIMES; i++)
        turns[i] = merge_once(streams, n, out, &got, &comparisons);
    s = median(turns);
    for (i = 1; i < got; i++)
        if (memcmp(out + (i - 1) * ROW + 1, out + i * ROW + 1, ROW - 1) > 0)
            printf("saltkey merge: OUT OF ORDER at %lu\n", (unsigned long)i);
    printf("saltkey merge %3u streams of 25 bytes      %6.1f M rows/s, %.2f comparisons a row%s", (unsigned)n,
           (double)got / s / 1e6, (double)comparisons / (double)got, got == rows ? "" : " ROWS MISSING");
    return (double)got / s;
}

/* The same streams as files of hexadecimal lines through `sort -m -k1.3`. */
static void bench_sort(const struct memory_stream *streams, uint32_t n, size_t rows, double ours)
{
    char dir[] = "/tmp/bench_saltkey.XXXXXX", command[256], path[64];
    uint32_t k;
    size_t i, b;
    double s;
    int rc;

    if (!mkdtemp(dir))
        return;
    for (k = 0; k < n; k++) {
        FILE *f;

        snprintf(path, sizeof(path), "%s/%03u", dir, (unsigned)k);
        f = fopen(path, "w");
        for (i = 0; f && i < streams[k].n; i++) {
            for (b = 0; b < ROW; b++)
                fprintf(f, "%02x", streams[k].rows[i * ROW + b]);
            fputc('\n', f);
        }
        if (f)
            fclose(f);
    }
    snprintf(command, sizeof(command), "LC_ALL=C sort -m -k1.3 --batch-size=%u %s/* >/dev/null", (unsigned)(n < 2 ? 2 : n), dir);
    s = children_s();
    rc = system(command);
    s = children_s() - s;
    if (rc == 0)
        printf("; sort -m -k1.3 %5.1f M rows/s, ratio %.1f", (double)rows / s / 1e6, ours * s / (double)rows);
    snprintf(command, sizeof(command), "rm -r %s", dir);
    rc = system(command);
    (void)rc;
}

int main(int argc, char **argv)
{
    size_t rows = (argc > 1 ? strtoul(argv[1], NULL, 10) : 4) * 1000000;
    bool sort = argc < 3 || strcmp(argv[2], "nosort") != 0;
    static struct memory_stream streams[256];
    uint8_t *all = malloc(rows * ROW + 32), *out = malloc(rows * ROW + 32);
    uint32_t n;

    bench_hash();
    bench_counts();
    bench_shares();
    for (n = 16; all && out && rows && n <= 256; n *= 16) {
        double ours;

        fill_streams(all, rows, n, streams);
        sort_streams(all, streams, n);
        memset(out, 1, rows * ROW); /* pages there before the clock starts */
        ours = merge_all(streams, n, rows, out);
        if (sort)
            bench_sort(streams, n, rows, ours);
        printf(" (goal %d M)\n", n == 16 ? 50 : 18);
    }
    free(all);
    free(out);
    return 0;
}
