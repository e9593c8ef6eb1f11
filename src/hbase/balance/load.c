/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "hbase/balance/load.h"

#include <string.h>

void load_history_clear(struct load_history *history)
{
    memset(history, 0, sizeof(*history));
}

bool load_sample_equal(const struct load_sample *a, const struct load_sample *b)
{
    return a->write_requests == b->write_requests && a->read_requests == b->read_requests &&
           a->memstore_mb == b->memstore_mb && a->storefile_mb == b->storefile_mb;
}

void load_history_add(struct load_history *history, const struct load_sample *sample)
{
    unsigned slot = ((unsigned)history->oldest + history->count) % LOAD_HISTORY_SAMPLES;
    const struct load_sample *last = &history->samples[(slot + LOAD_HISTORY_SAMPLES - 1) % LOAD_HISTORY_SAMPLES];

    if (history->count == 0 || !load_sample_equal(last, sample))
        history->same = 0;
    else if (history->same == LOAD_HISTORY_SAMPLES)
        return; /* one like all others takes the place of another */
    if (history->same < LOAD_HISTORY_SAMPLES)
        history->same++;
    history->samples[slot] = *sample;
    if (history->count < LOAD_HISTORY_SAMPLES)
        history->count++;
    else
        history->oldest = (uint8_t)((history->oldest + 1) % LOAD_HISTORY_SAMPLES);
}

bool load_history_is_steady(const struct load_history *history)
{
    return history->same == LOAD_HISTORY_SAMPLES;
}

struct load_rates load_sample_rates(const struct load_sample *sample)
{
    return (struct load_rates){.storefile_mb = sample->storefile_mb, .storefile_last_mb = sample->storefile_mb};
}

static double growth(double prev, double cur)
{
    return cur >= prev ? cur - prev : cur;
}

struct load_rates load_history_rates(const struct load_history *history)
{
    struct load_rates rates = {0};
    const struct load_sample *prev = NULL;

    if (history->count > 0 && history->same >= history->count)
        return load_sample_rates(&history->samples[history->oldest]);
    for (unsigned i = 0; i < history->count; i++) {
        const struct load_sample *cur =
            &history->samples[(history->oldest + i) % LOAD_HISTORY_SAMPLES];
        rates.storefile_mb += cur->storefile_mb;
        rates.storefile_last_mb = cur->storefile_mb;
        if (prev) {
            rates.write_rate +=
                growth((double)prev->write_requests, (double)cur->write_requests);
            rates.read_rate += growth((double)prev->read_requests, (double)cur->read_requests);
            rates.memstore_rate += growth(prev->memstore_mb, cur->memstore_mb);
        }
        prev = cur;
    }
    if (history->count)
        rates.storefile_mb /= history->count;
    if (history->count > 1) {
        double steps = history->count - 1;
        rates.write_rate /= steps;
        rates.read_rate /= steps;
        rates.memstore_rate /= steps;
    }
    return rates;
}
