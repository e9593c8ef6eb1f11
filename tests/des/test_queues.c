/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Queues whose answers are known, through calendar, streams, statistics and pool together: the
   99 % interval of 20 replications must hold the closed form, and be narrow.
   Usage: test_queues [SEED]. Of its 66 figures one in 100 is outside by chance, so of other seeds
   about one in three fails, each time on another figure; with 2,000 replications all figures hold
   but the 90 % quantile at load 0.9, whose estimate has a bias of 0.7 % at this length. */
#include "des_test.h"

#include <stdlib.h>
#include <string.h>

#include "des/calendar.h"
#include "des/histogram.h"
#include "des/interval.h"
#include "des/pool.h"
#include "des/stream.h"
#include "des/tally.h"

enum { REPLICATIONS = 20, CUSTOMERS = 60000, WARM_UP = 10000, RING = 65536, SERVERS = 8 };

static uint64_t scenario_seed = 2;

struct law {
    int servers;
    double load;   /* lambda / (servers x mu); mu is 1 a second */
    int fixed;     /* service takes exactly its mean */
};

/* What a replication tells: all in seconds, customers, shares. */
struct answer {
    double wait, in_system, in_system_variance, busy, delayed, sojourn_p90;
};

struct station {
    const struct law *law;
    struct des_stream arrivals, service;
    uint32_t arrival_slot, server_slot[SERVERS];
    des_time arrived[RING], started[SERVERS], served_arrival[SERVERS];
    uint64_t came, begun, left;
    uint32_t idle[SERVERS];
    int idle_count;

    struct des_tally wait;
    struct des_timeavg in_system, busy;
    struct des_histogram sojourn;
    uint64_t delayed;
};

static void begin_service(struct des_calendar *cal, struct station *s)
{
    const uint32_t server = s->idle[--s->idle_count];
    const des_time now = des_now(cal), arrived = s->arrived[s->begun++ % RING];

    s->served_arrival[server] = arrived;
    s->delayed += now > arrived;
    des_tally_add(&s->wait, des_time_to_s(now - arrived));
    des_timeavg_add(&s->busy, now, 1);
    des_slot_set(cal, s->server_slot[server],
                 now + (s->law->fixed ? DES_S : des_exponential_time(&s->service, 1e9)));
}

static void depart(struct des_calendar *cal, void *self, uint64_t server)
{
    struct station *s = self;
    const des_time now = des_now(cal);

    s->left++;
    des_histogram_record(&s->sojourn, (uint64_t)(now - s->served_arrival[server]));
    des_timeavg_add(&s->in_system, now, -1);
    des_timeavg_add(&s->busy, now, -1);
    s->idle[s->idle_count++] = (uint32_t)server;
    if (s->begun < s->came)
        begin_service(cal, s);
}

static void arrive(struct des_calendar *cal, void *self, uint64_t arg)
{
    struct station *s = self;
    const des_time now = des_now(cal);

    (void)arg;
    if (s->came == WARM_UP) { /* what was measured so far is forgotten */
        des_timeavg_init(&s->in_system, now, s->in_system.value);
        des_timeavg_init(&s->busy, now, s->busy.value);
        des_histogram_clear(&s->sojourn);
        s->wait = (struct des_tally){0};
        s->delayed = 0;
    }
    if (s->came == CUSTOMERS) {
        des_stop(cal, 1);
        return;
    }
    s->arrived[s->came++ % RING] = now;
    des_timeavg_add(&s->in_system, now, 1);
    if (s->idle_count > 0)
        begin_service(cal, s);
    des_slot_set(cal, s->arrival_slot,
                 now + des_exponential_time(&s->arrivals,
                                            1e9 / (s->law->load * s->law->servers)));
}

static int read_answer(const struct station *s, des_time now, struct answer *a)
{
    uint64_t p90;

    if (des_tally_mean(&s->wait, &a->wait) ||
        des_timeavg_mean(&s->in_system, now, &a->in_system) ||
        des_timeavg_variance(&s->in_system, now, &a->in_system_variance) ||
        des_timeavg_mean(&s->busy, now, &a->busy) ||
        des_histogram_quantile(&s->sojourn, 0.9, &p90))
        return -1;
    a->delayed = (double)s->delayed / (double)s->wait.count;
    a->sojourn_p90 = (double)p90 / 1e9;
    return s->came == s->left + (uint64_t)s->in_system.value ? 0 : -1;
}

struct experiment {
    const struct law *law;
    struct answer answer[REPLICATIONS];
};

static int replicate(void *context, size_t i)
{
    struct experiment *e = context;
    struct station *s = calloc(1, sizeof *s);
    struct des_calendar *cal = des_calendar_new();
    const uint64_t seed = des_replication_seed(scenario_seed, i);
    int error = -1;

    if (!s || !cal || des_histogram_init(&s->sojourn, 10, 10 * (uint64_t)DES_HOUR))
        goto out;
    s->law = e->law;
    des_stream_init(&s->arrivals, seed, "arrivals");
    des_stream_init(&s->service, seed, "service");
    des_slot_new(cal, (struct des_action){.run = arrive, .self = s}, &s->arrival_slot);
    for (int k = 0; k < e->law->servers; k++) {
        s->idle[s->idle_count++] = (uint32_t)k;
        des_slot_new(cal, (struct des_action){depart, s, (uint64_t)k, 0}, &s->server_slot[k]);
    }
    des_slot_set(cal, s->arrival_slot, 0);
    if (des_run(cal, DES_NEVER) == 1)
        error = read_answer(s, des_now(cal), &e->answer[i]);
out:
    if (s)
        des_histogram_free(&s->sojourn);
    free(s);
    des_calendar_free(cal);
    return error;
}

/* |field| is the offset of one figure of the answer. */
static void assert_figure(const struct experiment *e, size_t field, double truth, double width)
{
    struct des_interval iv;
    double x[REPLICATIONS];

    for (int i = 0; i < REPLICATIONS; i++)
        memcpy(&x[i], (const char *)&e->answer[i] + field, sizeof x[i]);
    assert_int_equal(des_summary(x, REPLICATIONS, 0.99, &iv), DES_OK);
    if (!(iv.lo <= truth && truth <= iv.hi))
        fail_msg("%d servers, load %g, figure %zu: %.6g not in %.6g ... %.6g", e->law->servers,
                 e->law->load, field / sizeof(double), truth, iv.lo, iv.hi);
    if (!(iv.hi - iv.lo <= 2 * width * truth))
        fail_msg("%d servers, load %g, figure %zu: %.6g ... %.6g is too wide", e->law->servers,
                 e->law->load, field / sizeof(double), iv.lo, iv.hi);
}

#define FIGURE(e, name, truth, width) \
    assert_figure(&(e), offsetof(struct answer, name), (truth), (width))

static void assert_ran(struct experiment *e, unsigned threads)
{
    assert_int_equal(des_pool_run(threads, REPLICATIONS, replicate, e), 0);
}

static void mm1(void **state)
{
    static const double loads[] = {0.3, 0.6, 0.9};

    (void)state;
    for (int i = 0; i < 3; i++) {
        const double rho = loads[i], width = i == 2 ? 0.12 : 0.03;
        const struct law law = {1, rho, 0};
        struct experiment e = {.law = &law};

        assert_ran(&e, 2);
        FIGURE(e, wait, rho / (1 - rho), width);
        FIGURE(e, in_system, rho / (1 - rho), width);
        FIGURE(e, in_system_variance, rho / (1 - rho) / (1 - rho), 3 * width);
        FIGURE(e, busy, rho, 0.01);
        FIGURE(e, delayed, rho, 0.01);
        FIGURE(e, sojourn_p90, -log(0.1) / (1 - rho), width);
    }
}

/* Pollaczek and Khinchine: half the wait of M/M/1. */
static void md1(void **state)
{
    static const double loads[] = {0.3, 0.6, 0.9};

    (void)state;
    for (int i = 0; i < 3; i++) {
        const double rho = loads[i], width = i == 2 ? 0.1 : 0.02;
        const struct law law = {1, rho, 1};
        struct experiment e = {.law = &law};

        assert_ran(&e, 2);
        FIGURE(e, wait, rho / (2 * (1 - rho)), width);
        FIGURE(e, in_system, rho + rho * rho / (2 * (1 - rho)), width);
        FIGURE(e, busy, rho, 0.01);
        FIGURE(e, delayed, rho, 0.01);
    }
}

static double erlang_c(int c, double offered)
{
    double term = 1, sum = 1;

    for (int k = 1; k < c; k++) {
        term *= offered / k;
        sum += term;
    }
    term *= offered / c * c / (c - offered);
    return term / (sum + term);
}

static void mmc(void **state)
{
    static const int servers[] = {2, 5, 8};
    static const double loads[] = {0.3, 0.6, 0.9};

    (void)state;
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++) {
            const int c = servers[k];
            const double rho = loads[i], late = erlang_c(c, rho * c);
            const double wait = late / (c - rho * c);
            const struct law law = {c, rho, 0};
            struct experiment e = {.law = &law};

            assert_ran(&e, 2);
            FIGURE(e, wait, wait, i == 0 ? 0.25 : 0.12);
            FIGURE(e, in_system, rho * c * (1 + wait), 0.1);
            FIGURE(e, busy, rho * c, 0.01);
            FIGURE(e, delayed, late, i == 0 ? 0.2 : 0.05);
        }
    }
}

/* The same bytes on any number of threads, and other ones from another seed. */
static void threads_change_nothing(void **state)
{
    const struct law law = {2, 0.8, 0};
    struct experiment one = {.law = &law}, two = {.law = &law}, many = {.law = &law};

    (void)state;
    assert_ran(&one, 1);
    assert_ran(&two, 2);
    assert_ran(&many, 7);
    assert_memory_equal(one.answer, two.answer, sizeof one.answer);
    assert_memory_equal(one.answer, many.answer, sizeof one.answer);
    assert_memory_not_equal(&one.answer[0], &one.answer[1], sizeof one.answer[0]);
    scenario_seed++;
    assert_ran(&two, 2);
    scenario_seed--;
    assert_memory_not_equal(one.answer, two.answer, sizeof one.answer);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mm1),
        cmocka_unit_test(md1),
        cmocka_unit_test(mmc),
        cmocka_unit_test(threads_change_nothing),
    };

    if (argc > 1)
        scenario_seed = strtoull(argv[1], NULL, 10);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
