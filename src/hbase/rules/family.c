/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "hbase/rules/family.h"

#include "hbase/rules/compression.h"
#include "spec/scheme.h"

/* Which cells lie side by side in a file. */
static enum compression_order order_of(const struct saltkey_scheme *scheme)
{
    const bool salted = scheme->salt.hash != SALTKEY_HASH_NONE;

    if (spec_scheme_hashed_prefix(scheme))
        return COMPRESSION_HASHED_ENTITY;
    if (!spec_field_grows(&scheme->layout.fields[0]))
        return COMPRESSION_ENTITY_FIRST;
    return salted ? COMPRESSION_SALTED_TIME : COMPRESSION_TIME_FIRST;
}

bool family_rows_by_time(const struct saltkey_scheme *scheme)
{
    const enum compression_order order = order_of(scheme);

    return order == COMPRESSION_TIME_FIRST || order == COMPRESSION_SALTED_TIME;
}

double family_compression_ratio(const struct saltkey_scheme *scheme, const struct spec_family *f)
{
    struct compression_case c = {.codec = (enum compression)f->compression, .encoding = (enum hfile_encoding)f->encoding,
                                 .order = order_of(scheme)};

    if (f->compression == SPEC_COMPRESSION_NONE)
        return 1;
    if (f->compression_ratio > 0)
        return f->compression_ratio;
    for (size_t k = 0; k < f->columns_len; k++)
        c.value_bytes += (double)f->columns[k].value_bytes / (double)f->columns_len;
    return compression_default_ratio(&c);
}
