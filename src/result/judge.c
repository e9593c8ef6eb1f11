/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a summary says, where several readers must say the same. */
#include "result/result.h"

bool result_keeps_up(const struct result_summary *sum)
{
    const double buffered = sum->writes_buffered > 0 ? sum->writes_buffered : 0;

    return sum->writes_queued - buffered + sum->writes_rejected <= 0.01 * sum->writes_offered;
}
