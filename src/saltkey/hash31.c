/* SPDX-License-Identifier: Apache-2.0 */
/* Java's array hash, plain and by parts, and exact remainders without a division. */
#include "internal.h"

int32_t saltkey_hash31(const void *bytes, size_t len)
{
    const int8_t *b = bytes;
    uint32_t h = 1;
    size_t i;

    for (i = 0; i < len; i++)
        h = h * 31 + (uint32_t)(int32_t)b[i];
    return (int32_t)h;
}

struct saltkey_part saltkey_part_of(const void *bytes, size_t len)
{
    const int8_t *b = bytes;
    struct saltkey_part p = {0, 1};
    size_t i;

    for (i = 0; i < len; i++) {
        p.value = p.value * 31 + (uint32_t)(int32_t)b[i];
        p.scale *= 31;
    }
    return p;
}

int saltkey_mod_init(struct saltkey_mod *mod, enum saltkey_remainder remainder, uint32_t n)
{
    uint8_t bits = 0;

    if (n == 0 || n > INT32_MAX)
        return SALTKEY_EBUCKETS;
    if ((unsigned)remainder > SALTKEY_TRUNCATED)
        return SALTKEY_EUNSUPPORTED;
    while ((UINT32_C(1) << bits) < n)
        bits++;
    mod->n = n;
    mod->shift = (uint8_t)(31 + bits);
    mod->magic = (uint32_t)(((UINT64_C(1) << mod->shift) + n - 1) / n);
    mod->half = UINT32_C(0x80000000) % n;
    mod->remainder = (uint8_t)remainder;
    return 0;
}
