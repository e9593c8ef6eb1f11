/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A heatmap of 256 x 1,000 cells with axes and text, the whole process, start to exit: result in
   memory to PNG on disk, and (second line) result.json on disk to PNG. To reach: 60 ms. Where
   gnuplot is installed it draws the same cells in the same run. */
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "../chart/make_result.h"
#include "chart/chart.h"
#include "report/report.h"
#include "result/json.h"

#define RUNS 15

extern char **environ;

static const char *const KEYSPACE[] = {"keyspace", NULL};

static int draw(const struct result *res, const char *dir)
{
    char message[500];
    int rc = chart_write(res, &(struct chart_job){.dir = dir, .names = KEYSPACE}, message, sizeof message);
    if (rc != 0)
        fprintf(stderr, "%s\n", message);
    return rc;
}

/* One run of 12 servers whose matrix is 256 x 1,000; the cells are made here, cheaply. */
static int make_matrix(struct result *res)
{
    static const struct make_options opt = {12, 16, 7200, 10, 256, 40000, false};
    make_result(&opt, res);
    for (size_t i = 0; i < res->comparisons_len; i++)
        result_run_free(&res->comparisons[i]);
    res->comparisons_len = 0;
    struct result_keyspace *ks = &res->run.keyspace, old = *ks;
    if (result_keyspace_alloc(ks, 256, 1000) != 0)
        return -1;
    ks->buckets = 16;
    for (size_t c = 0; c <= 1000; c++)
        ks->times_s[c] = 7.2 * (double)c;
    for (size_t r = 0; r < 256; r++) {
        ks->row_bucket[r] = (int)r / 16;
        ks->edges[r] = old.edges[r];
        for (size_t c = 0; c < 1000; c++) {
            ks->cells[r * 1000 + c] = c * 16 / 1000 == r % 16 ? 2500 : 0;
            ks->server[r * 1000 + c] = old.server[r * old.columns];
        }
    }
    free(old.edges);
    free(old.row_bucket);
    free(old.times_s);
    free(old.cells);
    free(old.server);
    return 0;
}

static int once(const char *what, const char *dir)
{
    struct result res;
    char path[300], message[500];
    snprintf(path, sizeof path, "%s/result.json", dir);
    if (strcmp(what, "made") == 0) {
        if (make_matrix(&res) != 0)
            return 1;
    } else if (result_read_json(path, message, sizeof message, &res) != 0) {
        fprintf(stderr, "%s\n", message);
        return 1;
    }
    int rc = draw(&res, dir);
    result_free(&res);
    return rc != 0;
}

static double now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double cpu_ms(void)
{
    struct rusage use;
    getrusage(RUSAGE_CHILDREN, &use);
    return (double)(use.ru_utime.tv_sec + use.ru_stime.tv_sec) * 1e3 +
           (double)(use.ru_utime.tv_usec + use.ru_stime.tv_usec) * 1e-3;
}

/* RUNS whole processes: the median time, the least, and the processor's mean. A peer that
   is not installed is left out, and that is said. */
static void report(const char *what, char *const argv[])
{
    double took[RUNS], cpu = cpu_ms();
    for (int i = 0; i < RUNS; i++) {
        pid_t pid;
        int status = 0;
        double begin = now_ms();
        if (posix_spawnp(&pid, argv[0], NULL, NULL, argv, environ) != 0 || waitpid(pid, &status, 0) < 0 || status != 0) {
            printf("chart: %-48s left out: %s can't be run\n", what, argv[0]);
            return;
        }
        took[i] = now_ms() - begin;
    }
    qsort(took, RUNS, sizeof *took, ascending);
    printf("chart: %-48s median %6.1f ms, least %6.1f, processor %6.1f\n", what, took[RUNS / 2], took[0],
           (cpu_ms() - cpu) / RUNS);
}

static void clean_up(const char *dir)
{
    static const char *const names[] = {"report.txt", "result.json", "servers.csv", "tables.csv", "regions.csv",
                                        "timeline.csv", "events.csv", "queries.csv", "keyspace.csv", "keyspace.png",
                                        "cells.bin", "cells.gp", "gnuplot.png"};
    char path[300];
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        snprintf(path, sizeof path, "%s/%s", dir, names[i]);
        unlink(path);
    }
    rmdir(dir);
}

static int write_gnuplot(const struct result *res, const char *dir, char script[300])
{
    char path[300];
    snprintf(path, sizeof path, "%s/cells.bin", dir);
    FILE *to = fopen(path, "wb");
    const struct result_keyspace *ks = &res->run.keyspace;
    for (size_t i = 0; to && i < ks->rows * ks->columns; i++) {
        float share = (float)(ks->cells[i] / 20000);
        fwrite(&share, sizeof share, 1, to);
    }
    if (!to || fclose(to) != 0)
        return -1;
    snprintf(script, 300, "%s/cells.gp", dir);
    to = fopen(script, "w");
    if (!to)
        return -1;
    fprintf(to, "set terminal pngcairo size 1600,900\nset output '%s/gnuplot.png'\nset title 'share of one server'\n"
            "set xlabel 'time'\nset ylabel 'key space'\nplot '%s' binary array=(%zu,%zu) format='%%float' with image notitle\n",
            dir, path, ks->columns, ks->rows);
    return fclose(to);
}

int main(int argc, char **argv)
{
    char dir[] = "/tmp/saltplan-bench-XXXXXX", message[500], script[300], made[] = "made", json[] = "json", gnuplot[] = "gnuplot";
    if (argc == 3)
        return once(argv[1], argv[2]);
    struct result res;
    if (!mkdtemp(dir) || make_matrix(&res) != 0)
        return 1;
    int rc = report_write_all(&res, dir, message, sizeof message) | write_gnuplot(&res, dir, script);
    result_free(&res);
    if (rc != 0)
        return 1;
    char *in_memory[] = {argv[0], made, dir, NULL}, *from_json[] = {argv[0], json, dir, NULL};
    char *peer[] = {gnuplot, script, NULL};
    report("heatmap 256 x 1000, result in memory to PNG", in_memory);
    report("the same, result.json to PNG", from_json);
    report("gnuplot's pngcairo on the same cells", peer);
    clean_up(dir);
    return 0;
}
