/* SPDX-License-Identifier: Apache-2.0 */
/* Whole schemes by name: the layouts and salts that tutorials and tools have spread. */
#include "internal.h"

static const struct {
    const char *name, *layout, *salt, *over;
} presets[] = {
    {"telemetry", "ts:be64 device:fixed(16)", "arrays-hash floorMod", "key"},
    {"telemetry-by-device", "ts:be64 device:fixed(16)", "arrays-hash floorMod", "device"},
    {"text02x", "text:text", "text02x", "key"},
    {"bucket04d", "entity:text+_ ts:num", "text04d", "entity"},
    {"md5-4hex", "user:text+_ ts:num", "md5hex 4", "key"},
    {"timeseries", "metric:text+_ device:text+_ ts:rts19", "text02x", "metric..device"},
    {"iot", "region:text+_ device:text+_ ts:rts19", "none", "key"},
    {"message", "user:text+_ ts:rts19+_ message:text", "none", "key"},
    {"user-activity", "user:text+_ ts:rts19", "none", "key"},
    {"opentsdb", "metric:bytes(3) base:be32 tags:text", "opentsdb", "metric tags"},
    {"hbasewd", "key:text", "hbasewd", "key"},
    {"hbasewd-2011", "key:text", "hbasewd-2011", "key"},
};

#define N_PRESETS (sizeof(presets) / sizeof(presets[0]))

const char *saltkey_preset_name(size_t i)
{
    return i < N_PRESETS ? presets[i].name : NULL;
}

int saltkey_preset(const char *name, uint32_t buckets, struct saltkey_scheme *scheme,
                   struct saltkey_error *err)
{
    struct saltkey_layout layout;
    struct saltkey_salt salt;
    size_t i = 0;
    int rc;

    while (i < N_PRESETS && strcmp(name, presets[i].name) != 0)
        i++;
    if (i == N_PRESETS)
        return saltkey__fail(err, SALTKEY_ETEXT, 1, "unknown preset '%s'", name);
    rc = saltkey_layout_parse(presets[i].layout, &layout, err);
    if (rc == 0)
        rc = saltkey_salt_parse(presets[i].salt, buckets, &salt, err);
    return rc < 0 ? rc : saltkey_scheme_init(scheme, &layout, &salt, presets[i].over, err);
}
