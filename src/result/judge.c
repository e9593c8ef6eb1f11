/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a summary says, where several readers must say the same. */
#include "result/result.h"

bool result_keeps_up(const struct result_summary *sum)
{
    const double buffered = sum->writes_buffered > 0 ? sum->writes_buffered : 0;

    return sum->writes_queued - buffered + sum->writes_rejected <= 0.01 * sum->writes_offered;
}

const char *result_most_asked(const struct result_run *run)
{
    double largest = 0;
    const char *most = NULL;

    for (size_t i = 0; i < run->queries_len; i++)
        if (run->queries[i].name && run->queries[i].server_share > largest) {
            largest = run->queries[i].server_share;
            most = run->queries[i].name;
        }
    return most;
}
