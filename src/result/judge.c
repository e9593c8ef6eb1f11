/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a summary says, where several readers must say the same. */
#include "result/result.h"

/* Rows on their way in calls: what comes in so many seconds. It matters in runs of seconds alone. */
#define ON_THEIR_WAY_S 0.1

static double waiting(const struct result_summary *sum)
{
    return sum->writes_queued - (sum->writes_buffered > 0 ? sum->writes_buffered : 0);
}

static double allowed(const struct result_run *run)
{
    const double share = 0.01, way = run->duration_s > 0 ? ON_THEIR_WAY_S / run->duration_s : 0;

    return (way > share ? way : share) * run->summary.writes_offered;
}

bool result_rows_wait(const struct result_run *run)
{
    return waiting(&run->summary) > allowed(run);
}

bool result_keeps_up(const struct result_run *run)
{
    return waiting(&run->summary) + run->summary.writes_rejected <= allowed(run);
}

const struct result_query *result_most_asked(const struct result_run *run)
{
    const struct result_query *most = NULL;

    for (size_t i = 0; i < run->queries_len; i++)
        if (run->queries[i].name && run->queries[i].server_share > (most ? most->server_share : 0))
            most = &run->queries[i];
    return most;
}
