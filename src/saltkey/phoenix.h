/* SPDX-License-Identifier: Apache-2.0 */
/* What Phoenix's encoder and parser share. */
#ifndef SALTKEY_PHOENIX_H
#define SALTKEY_PHOENIX_H

#include "saltkey.h"

/* DECIMAL from its text ("-12.5", "1E-10"): appended to |out|, without separator. */
int saltkey__decimal_append(struct saltkey_slice text, struct saltkey_buf *out);

/* And back: plain digits, appended to |scratch|, which |text| then points into. */
int saltkey__decimal_parse(struct saltkey_slice bytes, struct saltkey_buf *scratch,
                           struct saltkey_slice *text);

#endif
