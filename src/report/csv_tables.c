/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/report.h"
#include "result/csv.h"

const struct report_table report_tables[] = {
    {"servers.csv", result_csv_servers, false},
    {"tables.csv", result_csv_tables, false},
    {"regions.csv", result_csv_regions, false},
    {"timeline.csv", result_csv_timeline, false},
    {"events.csv", result_csv_events, false},
    {"queries.csv", result_csv_queries, false},
    {"candidates.csv", result_csv_candidates, true},
    {NULL, NULL, false}
};
