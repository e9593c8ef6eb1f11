/* SPDX-License-Identifier: Apache-2.0 */
/* What Phoenix's encoder, its parsers and its schema reader share. */
#ifndef SALTKEY_PHOENIX_H
#define SALTKEY_PHOENIX_H

#include "saltkey.h"

/* DECIMAL(precision, scale); precision 0: as it comes. |uncut|: SALTKEY_EUNSUPPORTED where the scale
   would cut digits off. */
struct saltkey__decimal_size {
    uint32_t precision, scale;
    bool uncut;
};

/* DECIMAL from its text ("-12.5", "1E-10"): appended to |out|, without separator. */
int saltkey__decimal_append(struct saltkey_slice text, struct saltkey__decimal_size size, struct saltkey_buf *out);

/* And back: plain digits, appended to |scratch|, which |text| then points into. */
int saltkey__decimal_parse(struct saltkey_slice bytes, struct saltkey_buf *scratch,
                           struct saltkey_slice *text);

/* One column's bytes with their separator; |last|: no later one has a value. */
int saltkey__phoenix_append(const struct saltkey_phoenix_column *c, const struct saltkey_value *v, bool last,
                            struct saltkey_buf *out);

/* The bucket of the bytes behind the salt. */
uint8_t saltkey__phoenix_bucket(const struct saltkey_phoenix *key, struct saltkey_slice natural);

#endif
