/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a run costs, in counts instead of seconds: events scheduled, keys built, keys compared, allocations.
   The linker puts the functions below (ld --wrap) between the counted ones and their callers. The pinned counts
   are those of three presets; one that leaves its pin by more than a hundredth is a change of cost that
   somebody should have meant. Cost that isn't asked for has no pin that could be loosened: in flow it doesn't
   grow with the rate. */
#include <inttypes.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "des/calendar.h"
#include "saltkey.h"
#include "scenario/scenario.h"
#include "sim/sim.h"
#include "workload/keystream.h"

#define BAND 0.01

static struct {
    uint64_t events, keys, compares, allocations;
} count;

#define WRAP(type, name, params) \
    type __real_##name params; \
    type __wrap_##name params; \
    type __wrap_##name params

WRAP(struct des_event, des_at, (struct des_calendar *cal, des_time at, struct des_action action))
{
    count.events++;
    return __real_des_at(cal, at, action);
}

WRAP(struct des_event, des_after, (struct des_calendar *cal, des_time delay, struct des_action action))
{
    count.events++;
    return __real_des_after(cal, delay, action);
}

WRAP(void, des_slot_set, (struct des_calendar *cal, uint32_t slot, des_time at))
{
    count.events++;
    __real_des_slot_set(cal, slot, at);
}

WRAP(void, des_slot_set_ticket, (struct des_calendar *cal, uint32_t slot, des_time at, uint64_t ticket))
{
    count.events++;
    __real_des_slot_set_ticket(cal, slot, at, ticket);
}

WRAP(int, keystream_key, (const struct keystream *ks, uint64_t i, struct saltkey_buf *row))
{
    count.keys++;
    return __real_keystream_key(ks, i, row);
}

WRAP(int, saltkey_compare, (struct saltkey_slice a, struct saltkey_slice b))
{
    count.compares++;
    return __real_saltkey_compare(a, b);
}

WRAP(void *, malloc, (size_t size))
{
    count.allocations++;
    return __real_malloc(size);
}

WRAP(void *, calloc, (size_t n, size_t size))
{
    count.allocations++;
    return __real_calloc(n, size);
}

WRAP(void *, realloc, (void *p, size_t size))
{
    count.allocations++;
    return __real_realloc(p, size);
}

static void run(const char *preset, const struct scenario_override *changes, size_t len)
{
    struct scenario_diags dgs = {0};
    struct scenario sc;
    struct result_run out;
    struct sim_end end;
    char path[1200];
    const char *src = getenv("srcdir");

    snprintf(path, sizeof path, "%s/scenarios/%s.ini", src ? src : ".", preset);
    assert_int_equal(scenario_load(path, changes, len, &sc, &dgs), SCENARIO_OK);
    result_run_init(&out);
    memset(&count, 0, sizeof count);
    assert_int_equal(sim_run(&sc.spec, NULL, &out, &end), 0);
    result_run_free(&out);
    scenario_free(&sc);
    diags_free(&dgs);
}

struct pin {
    const char *preset;
    struct scenario_override changes[3];
    uint64_t events, keys, compares, allocations;
};

static bool holds(const struct pin *pin, const char *what, uint64_t now, uint64_t pinned)
{
    if (fabs((double)now - (double)pinned) <= BAND * (double)pinned)
        return true;
    print_error("%s: %" PRIu64 " %s, pinned are %" PRIu64 "\n", pin->preset, now, what, pinned);
    return false;
}

static void test_presets_cost_what_they_did(void **state)
{
    static const struct pin pins[] = {
#include "pins.h"
    };
    bool good = true;

    (void)state;
    for (size_t i = 0; i < sizeof pins / sizeof pins[0]; i++) {
        size_t changes = 0;

        while (changes < 3 && pins[i].changes[changes].text)
            changes++;
        run(pins[i].preset, pins[i].changes, changes);
        print_message("%s: {%" PRIu64 ", %" PRIu64 ", %" PRIu64 ", %" PRIu64 "}\n", pins[i].preset, count.events,
                      count.keys, count.compares, count.allocations);
        good &= holds(&pins[i], "events", count.events, pins[i].events);
        good &= holds(&pins[i], "keys built", count.keys, pins[i].keys);
        good &= holds(&pins[i], "keys compared", count.compares, pins[i].compares);
        good &= holds(&pins[i], "allocations", count.allocations, pins[i].allocations);
    }
    assert_true(good);
}

/* Twice and eight times the rows, with memstores and regions that hold as many times more: the same flushes, and
   the same events. */
static void test_flow_is_independent_of_the_rate(void **state)
{
    static const struct {
        const char *rate, *flush, *most;
    } cases[] = {{"10k/s constant", "33554432", "2684354560"},
                 {"20k/s constant", "67108864", "5368709120"},
                 {"80k/s constant", "268435456", "21474836480"}};
    uint64_t first = 0;

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char arrival[100], flush[100], most[100];
        const struct scenario_override changes[] = {
            {SCENARIO_DETAIL, "flow"}, {SCENARIO_DURATION, "1h"}, {SCENARIO_SET, "[scenario] compare=no"},
            {SCENARIO_SET, arrival},   {SCENARIO_PROPERTY, flush}, {SCENARIO_PROPERTY, most},
            {SCENARIO_SET, "[server] write_capacity=100k/s"}, {SCENARIO_SET, "[server] disk=10GB/s"}};

        snprintf(arrival, sizeof arrival, "[stream sensors] arrival=%s", cases[i].rate);
        snprintf(flush, sizeof flush, "hbase.hregion.memstore.flush.size=%s", cases[i].flush);
        snprintf(most, sizeof most, "hbase.hregion.max.filesize=%s", cases[i].most);
        run("iot-telemetry", changes, sizeof changes / sizeof changes[0]);
        print_message("%s: %" PRIu64 " events, %" PRIu64 " keys\n", cases[i].rate, count.events, count.keys);
        if (i == 0)
            first = count.events;
        else if (count.events > first * 1.1)
            fail_msg("%" PRIu64 " events at %s, %" PRIu64 " at %s", count.events, cases[i].rate, first, cases[0].rate);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_presets_cost_what_they_did),
        cmocka_unit_test(test_flow_is_independent_of_the_rate),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
