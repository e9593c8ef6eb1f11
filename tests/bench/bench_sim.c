/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The three levels of detail at work, in one run: the IoT day in `tick` beside a bare loop that hashes and
   counts the same keys, other keys and popularities beside it; one-row calls in `write`; two years in `flow`.
   Times are of the processor (user), so that a busy machine tells the same. Every line has its goal; the exit
   status doesn't hang on it, since other machines have other speeds.
   Usage: bench_sim [flow|tick|write|all [DAYS of flow, 730]] */
#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "saltkey.h"
#include "scenario/scenario.h"
#include "sim/sim.h"
#include "usage.h"

static const char cluster[] =
    "[scenario]\n"
    "title = bench\n"
    "seed = 1\n"
    "compare = no\n"
    "[cluster]\n"
    "servers = 12\n"
    "heap = 16GiB\n"
    "[server]\n"
    "write_capacity = 20k rows/s\n"
    "[table telemetry]\n"
    "key = ts:be64 device:fixed(16)\n"
    "salt = arrays-hash floorMod\n"
    "buckets = 16\n"
    "salt_over = key\n"
    "[family telemetry/d]\n"
    "column = v:100\n"
    "[stream sensors]\n"
    "tables = telemetry\n"
    "entities = 200k\n"
    "arrival = every 5s\n"
    "popularity = uniform\n"
    "clients = 8 buffered 2MiB\n";

/* Two reads of the preset iot-telemetry. */
static const char queries[] =
    "[query window]\n"
    "table = telemetry\n"
    "kind = range 5m\n"
    "rate = 1/m\n"
    "[query latest]\n"
    "table = telemetry\n"
    "kind = newest 100\n"
    "rate = 20/s\n";

static double peak_mib(void)
{
    struct rusage u;

    getrusage(RUSAGE_SELF, &u);
    return (double)u.ru_maxrss / 1024;
}

/* ---- the yardstick: the same keys hashed byte by byte, as a script's array code would ---- */

static double bare_loop_per_s(void)
{
    enum { KEYS = 20000000, DEVICES = 65536 };
    static uint8_t key[DEVICES][24];
    uint64_t counts[16] = {0}, ms = UINT64_C(1700000000000);
    double s;

    for (size_t d = 0; d < DEVICES; d++)
        snprintf((char *)key[d] + 8, 16, "dev-%011zu", d);
    s = user_s();
    for (uint64_t i = 0; i < KEYS; i++) {
        uint8_t *k = key[i % DEVICES];
        int32_t h;

        ms += i % 40 == 0;
        for (int b = 0; b < 8; b++)
            k[b] = (uint8_t)(ms >> (56 - 8 * b));
        h = saltkey_hash31(k, 24);
        counts[(uint32_t)((h % 16 + 16) % 16)]++;
    }
    s = user_s() - s;
    return counts[0] > 0 ? KEYS / s : 0;
}

/* ---- runs ---- */

struct ran {
    double s, rows, regions, empty;
};

static int run(const char *text, const struct scenario_override *o, size_t n, struct ran *out)
{
    const struct scenario_text t = {"bench.ini", text, strlen(text)};
    struct scenario_diags dgs;
    struct scenario sc;
    struct result_run result;
    struct sim_end end;
    int rc = -1;

    memset(&dgs, 0, sizeof dgs);
    if (scenario_parse(&t, o, n, &sc, &dgs) != SCENARIO_OK) {
        fprintf(stderr, "bench_sim: %s\n", dgs.len > 0 ? dgs.items[0].message : "out of memory");
        diags_free(&dgs);
        return -1;
    }
    result_run_init(&result);
    out->s = user_s();
    if (sim_run(&sc.spec, NULL, &result, &end) == 0) {
        out->s = user_s() - out->s;
        out->rows = result.summary.writes_done;
        out->regions = result.tables[0].regions_end;
        out->empty = result.summary.regions_expired;
        rc = 0;
    } else {
        fprintf(stderr, "bench_sim: %s\n", end.message);
    }
    result_run_free(&result);
    scenario_free(&sc);
    diags_free(&dgs);
    return rc;
}

/* |goal_per_s| 0: shown beside. */
static int rate(const char *name, const char *text, const struct scenario_override *o, size_t n, double goal_per_s)
{
    static double bare;
    struct ran r;

    if (bare <= 0)
        bare = bare_loop_per_s();
    if (run(text, o, n, &r) != 0)
        return 1;
    printf("sim %-38s %7.1f M writes/s, %5.2f of the bare loop's %.1f M, %4.0f regions, peak %.0f MiB", name,
           r.rows / r.s / 1e6, r.rows / r.s / bare, bare / 1e6, r.regions, peak_mib());
    if (goal_per_s > 0)
        printf(" (goal %.0f M)", goal_per_s / 1e6);
    printf("\n");
    return 0;
}

#define SET(text) {SCENARIO_SET, text}

static int tick(void)
{
    static const struct scenario_override day[] = {{SCENARIO_DETAIL, "tick"}, {SCENARIO_DURATION, "1d"},
                                                   SET("[hbase] hbase.hregion.max.filesize=4294967296")};
    static const struct scenario_override zipf[] = {{SCENARIO_DETAIL, "tick"}, {SCENARIO_DURATION, "2h"},
                                                    SET("[stream sensors] popularity=zipf 0.99")};
    static const struct scenario_override murmur[] = {{SCENARIO_DETAIL, "tick"}, {SCENARIO_DURATION, "10m"},
                                                      SET("[table telemetry] salt=murmur3 unsigned")};
    static const struct scenario_override text[] = {{SCENARIO_DETAIL, "tick"}, {SCENARIO_DURATION, "10m"},
                                                    SET("[table telemetry] key=ts:rts19 device:text")};
    char all[sizeof cluster + sizeof queries];
    int rc;

    snprintf(all, sizeof all, "%s%s", cluster, queries);
    rc = rate("tick, the IoT day, everything on", all, day, 3, 100e6);
    rc |= rate("tick, zipf 0.99", cluster, zipf, 3, 0);
    rc |= rate("tick, murmur3", cluster, murmur, 3, 0);
    rc |= rate("tick, text keys", cluster, text, 3, 0);
    return rc;
}

static int write_calls(void)
{
    static const struct scenario_override calls[] = {{SCENARIO_DETAIL, "write"}, {SCENARIO_DURATION, "20m"},
                                                     SET("[stream sensors] clients=8 unbuffered")};

    return rate("write, one-row calls", cluster, calls, 3, 15e6);
}

static int flow(double days)
{
    char duration[32];
    struct scenario_override years[] = {{SCENARIO_DETAIL, "flow"}, {SCENARIO_DURATION, duration},
                                        SET("[family telemetry/d] ttl=30d")};
    struct ran part, whole;

    snprintf(duration, sizeof duration, "%.0fd", ceil(days / 4));
    if (run(cluster, years, 3, &part) != 0)
        return 1;
    snprintf(duration, sizeof duration, "%.0fd", days);
    if (run(cluster, years, 3, &whole) != 0)
        return 1;
    printf("sim flow, %.0f days with ttl 30d %21.1f s, %.0f regions, %.0f of them empty (goal 60 s); "
           "the first quarter %.1f s: the whole is %.2f times it\n",
           days, whole.s, whole.regions, whole.empty, part.s, whole.s / part.s);
    return 0;
}

int main(int argc, char **argv)
{
    const char *level = argc > 1 ? argv[1] : "all";
    const double days = argc > 2 ? atof(argv[2]) : 730;
    const bool all = strcmp(level, "all") == 0;
    int rc = 0;

    setvbuf(stdout, NULL, _IOLBF, 0);
    if (all || strcmp(level, "flow") == 0) {
        rc |= flow(days);
        printf("sim peak memory so far %.0f MiB (goal 64)\n", peak_mib());
    }
    if (all || strcmp(level, "tick") == 0)
        rc |= tick();
    if (all || strcmp(level, "write") == 0)
        rc |= write_calls();
    return rc;
}
