/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How a run's time grows with its regions, all of them written: the same 40,000 rows a second of the same
   devices spread over 200, 400, ... 3,200 regions of a table cut by HexStringSplit, at each level of detail.
   A line tells the time and what it is of regions x log2(regions), as a multiple of the first line's: above 1 it
   grows faster. A second table of the same shape has as many regions that nobody writes. Times are of the
   processor (user). The exit status is 1 where one is beyond 1.2.
   Usage: bench_regions [MOST, 3200] */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scenario/scenario.h"
#include "sim/sim.h"
#include "usage.h"

#define FIRST 200

static const char text[] =
    "[scenario]\n"
    "title = regions\n"
    "seed = 1\n"
    "compare = no\n"
    "[cluster]\n"
    "servers = 12\n"
    "heap = 16GiB\n"
    "[server]\n"
    "write_capacity = 20k rows/s\n"
    "[table telemetry]\n"
    "key = device:fixed(16) ts:be64\n"
    "salt = md5hex 4\n"
    "salt_over = device\n"
    "splits = HexStringSplit 200\n"
    "[family telemetry/d]\n"
    "column = v:100\n"
    "[table idle]\n"
    "key = device:fixed(16) ts:be64\n"
    "salt = md5hex 4\n"
    "salt_over = device\n"
    "splits = HexStringSplit 200\n"
    "[family idle/d]\n"
    "column = v:100\n"
    "[stream sensors]\n"
    "tables = telemetry\n"
    "entities = 200k\n"
    "arrival = every 5s\n"
    "popularity = uniform\n"
    "clients = 8 buffered 2MiB\n";

/* Seconds of a run, or -1. */
static double run(const char *detail, const char *duration, int regions)
{
    char split[2][64];
    const struct scenario_override o[] = {{SCENARIO_DETAIL, detail}, {SCENARIO_DURATION, duration},
                                          {SCENARIO_SET, split[0]}, {SCENARIO_SET, split[1]}};
    const struct scenario_text t = {"bench.ini", text, strlen(text)};
    struct scenario_diags dgs;
    struct scenario sc;
    struct result_run result;
    struct sim_end end;
    double s;

    memset(&dgs, 0, sizeof dgs);
    snprintf(split[0], sizeof split[0], "[table telemetry] splits=HexStringSplit %d", regions);
    snprintf(split[1], sizeof split[1], "[table idle] splits=HexStringSplit %d", regions);
    if (scenario_parse(&t, o, sizeof o / sizeof o[0], &sc, &dgs) != SCENARIO_OK) {
        fprintf(stderr, "bench_regions: %s\n", dgs.len > 0 ? dgs.items[0].message : "out of memory");
        diags_free(&dgs);
        return -1;
    }
    result_run_init(&result);
    s = user_s();
    if (sim_run(&sc.spec, NULL, &result, &end) != 0) {
        fprintf(stderr, "bench_regions: %s\n", end.message);
        s = INFINITY;
    }
    s = user_s() - s;
    result_run_free(&result);
    scenario_free(&sc);
    diags_free(&dgs);
    return s;
}

static int level(const char *detail, const char *duration, int most)
{
    double first = 0;
    int rc = 0;

    for (int regions = FIRST; regions <= most; regions *= 2) {
        const double s = run(detail, duration, regions), of = s / (regions * log2(regions));

        if (s < 0)
            return 1;
        if (regions == FIRST)
            first = of;
        printf("regions %-5s %-3s %5d written, %5d idle  %7.2f s, %.2f of the first's regions x log(regions)%s\n",
               detail, duration, regions, regions, s, of / first, of / first > 1.2 ? ", beyond 1.2" : "");
        rc |= of / first > 1.2;
    }
    return rc;
}

int main(int argc, char **argv)
{
    const int most = argc > 1 ? atoi(argv[1]) : 3200;
    int rc;

    setvbuf(stdout, NULL, _IOLBF, 0);
    rc = level("flow", "5d", most);
    rc |= level("tick", "20m", most);
    rc |= level("write", "1m", most);
    return rc;
}
