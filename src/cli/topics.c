/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/topics.h"

#include <stddef.h>

const struct cli_topic cli_topics[] = {
    {"word", "chance", "the report's line chance; spreads[] of result.json",
     "The fullest bucket, and the most write tails or regions on a server, beside what balls thrown into bins at random "
     "would give at the same counts: the range that holds 95 % of all throws. The percentage is the measured figure over "
     "the upper end of the range.\n"
     "even: inside that range, chance explains it.\n"
     "more even than chance: below it, as a round-robin placement is.\n"
     "beyond chance, no matter: above it by less than 1 %. With millions of rows the range is narrow (1.0001x to 1.0004x), "
     "so a cause other than chance is certain, and yet no server notices it.\n"
     "skewed: above it by 1 % or more: look for a hot key, or a hash that fits badly."},
    {"word", "write-tail", "reports and pictures",
     "A region that takes a fair part of its table's writes now: at least a tenth of the mean of those written. Keys that "
     "grow with time have one, a salt of N buckets has N. The figure is write_tails."},
    {"word", "hotspot", "reports and pictures",
     "One server that does several times its share while others wait. The figure is hot_server_ratio."},

    {"figure", "hot_server_ratio", "summary, windows, candidates",
     "Largest server's writes over the mean of all live servers, in each sample window; the mean over the windows. 1 is "
     "even; with S servers and one write tail it is S. Windows with under 1,000 writes a server are joined, empty ones "
     "left out; a window counts by its length, and so does a rest at the end with fewer writes if it is a tenth of the run."},
    {"figure", "hot_server_ratio_total", "summary",
     "The same of the whole run's totals. Lower than hot_server_ratio where the hot spot wanders from server to server."},
    {"figure", "hot_region_share", "summary, windows", "Largest region's share of its table's writes; mean over the windows."},
    {"figure", "hot_region_ratio", "summary, windows",
     "The same over an even share, 1 / regions of the table; mean over the windows."},
    {"figure", "write_tails", "summary, windows, candidates",
     "Regions that took at least a tenth of the mean of those written: median over the windows."},
    {"figure", "effective_tails", "summary, windows",
     "1 / sum of squared shares of the regions: as many even tails would be as uneven. Median over the windows."},
    {"figure", "tails_per_server_max", "summary, windows", "Most write tails on one server, median over the windows."},
    {"figure", "servers_idle", "summary, candidates", "Live servers without a write tail, median over the windows."},
    {"figure", "spread_at_s", "summary",
     "Begin, in seconds of the run, of the first window with a hot_server_ratio of 1.6 or less. null: not in this run."},
    {"figure", "stacked_s", "summary",
     "How long one server had more write tails than an even spread makes unavoidable, in seconds. See W-STACKED."},
    {"figure", "max_write_rate_per_s", "summary, candidates",
     "Offered rate at which the hottest server is full, in rows/s: capacity of a server x live servers / "
     "hot_server_ratio, with the servers of each window where they change. \"saturates at\" and \"full at\" in reports. The capacity is [server] write_capacity."},
    {"figure", "writes_offered", "summary", "Rows that the streams handed to their clients: done + rejected + queued."},
    {"figure", "writes_done", "summary", "Rows that a server has taken and answered."},
    {"figure", "writes_rejected", "summary", "Rows that clients gave up for good, after hbase.client.retries.number tries."},
    {"figure", "writes_queued", "summary", "Rows that wait in clients at the end, in buffers and in calls."},
    {"figure", "writes_buffered", "summary", "Of the queued rows, those in buffers that weren't full yet."},
    {"figure", "write_refusals", "summary",
     "Attempts that a server refused (RegionTooBusy, call queue full), retried or not. One row may be refused often."},
    {"figure", "connection_losses", "summary, windows", "Calls to a server that was dead, or died with the call inside."},
    {"figure", "queue_age_max_s", "summary", "Longest time that a row waited in its client, in seconds."},
    {"figure", "write_p50_us", "summary",
     "Half of the write calls were answered faster, in microseconds from the hand-over of a call to its reply. What waits "
     "in buffers and in the backlog is not in it. Only detail write knows it."},
    {"figure", "write_p95_us", "summary", "95 % of the write calls were answered faster; see write_p50_us."},
    {"figure", "write_p99_us", "summary", "99 % of the write calls were answered faster; see write_p50_us."},
    {"figure", "write_p999_us", "summary", "99.9 % of the write calls were answered faster; see write_p50_us."},
    {"figure", "write_mean_us", "summary", "Mean time of a write call; see write_p50_us."},
    {"figure", "write_max_us", "summary", "Longest time of a write call; see write_p50_us."},
    {"figure", "regions_start", "summary, servers, tables", "Regions at the start: of the scenario's tables; for a server, all that it holds."},
    {"figure", "regions_end", "summary, servers, tables", "The same at the end. Split parents don't count."},
    {"figure", "regions_expired", "summary",
     "Regions that live at the end and are empty, since all that they had passed its time to live. HBase keeps them; the "
     "normalizer or a merge takes them away."},
    {"figure", "files_expired", "summary", "Store files dropped whole, without a compaction, because all in them passed its time to live."},
    {"figure", "splits", "summary, servers, tables", "Region splits. saltplan why DIR --kind split lists them with their rule."},
    {"figure", "flushes", "summary, servers, tables", "Memstore flushes."},
    {"figure", "compactions", "summary, servers, tables", "Compactions, minor and major."},
    {"figure", "moves", "summary", "Regions that went from one server to another, for any reason."},
    {"figure", "balancer_looked", "summary", "Times that the balancer's chore came round and looked whether to run."},
    {"figure", "balancer_ran", "summary", "Times that it computed a plan; each event of kind balancer names the gate that decided."},
    {"figure", "balancer_moves", "summary", "Moves that its plans made."},
    {"figure", "balancer_moves_redundant", "summary",
     "Of these, moves that cancelled each other: tails swapped in a cycle to no effect."},
    {"figure", "regions_moved_again", "summary", "Regions that the balancer moved more than once."},
    {"figure", "thrash", "summary", "The worst server's back and forth of regions: 2 is there and back once."},
    {"figure", "reads_share", "summary",
     "What all queries ask of the processor of the server that they ask most of, in the mean of the run; above 1 they alone "
     "would fill it. Missing without queries. From 0.1 on the verdict names it where writes don't keep up."},
    {"figure", "windows", "summary", "Sample windows that the means and medians are over. [scenario] window sets their length."},
    {"figure", "windows_joined", "summary", "Windows that were joined with a neighbour, for under 1,000 writes a server."},
    {"figure", "windows_empty", "summary", "Windows without a write, left out of means and medians."},

    {"figure", "writes", "servers, tables, regions", "Rows that it took in the run."},
    {"figure", "share", "servers", "Its part of all writes, 0 to 1."},
    {"figure", "utilisation", "servers", "Time that its processors were busy over the run, 0 to 1."},
    {"figure", "up_s", "servers", "Seconds of the run that the server was live."},
    {"figure", "tails", "servers", "Write tails that it held, median over the windows."},
    {"figure", "moves_in", "servers", "Regions that it got from others."},
    {"figure", "moves_out", "servers", "Regions that it gave to others."},
    {"figure", "refusals", "servers, windows", "Attempts to write that it refused; see write_refusals."},
    {"figure", "disk_bytes", "servers", "Bytes that flushes and compactions wrote."},
    {"figure", "store_bytes", "tables, regions", "Bytes in store files at the end."},
    {"figure", "store_files", "regions", "Store files at the end."},
    {"figure", "memstore_bytes", "tables, regions", "Data in memstores at the end, as HBase's MemStoreDataSize counts it."},
    {"figure", "requests", "regions", "HBase's own counter of writes, which restarts each time the region opens."},
    {"figure", "birth_s", "regions", "When the region came to be, in seconds of the run."},
    {"figure", "death_s", "regions", "When it was split, merged or dropped; not there while it lives."},

    {"figure", "scans", "queries, candidates", "Scanner opens for one query: one a bucket that it must look into."},
    {"figure", "rpcs", "queries", "Calls to servers for one query: opens, nexts and gets, as HBase 2.6 merges them."},
    {"figure", "regions", "queries, windows, candidates", "Regions that one query reads; of a window, those that live at its end."},
    {"figure", "rows_scanned", "queries", "Rows that servers read for one query."},
    {"figure", "rows_returned", "queries", "Rows that the application gets from one query."},
    {"figure", "bytes", "queries", "Bytes of results for one query."},
    {"figure", "p50_us", "queries, windows",
     "Half of the queries (or the window's write calls) took less, in microseconds. A query of N scans is as slow as its "
     "slowest part, and shares its servers with the writes."},
    {"figure", "p95_us", "queries", "95 % of the queries took less; see p50_us. A target or expectation may say NAME.p95."},
    {"figure", "p99_us", "queries, windows", "99 % took less; see p50_us. A target may say NAME.p99 <= 50ms."},
    {"figure", "p999_us", "queries, windows", "99.9 % took less; see p50_us."},
    {"figure", "sampled", "queries", "Queries that went through the library's own ranges and merge."},
    {"figure", "timed", "queries", "Queries that were timed; each is drawn from the sampled ones."},
    {"figure", "retries", "queries",
     "Of one query: calls that found their region away (moving, splitting, lost) and were sent again. They are not among rpcs."},
    {"figure", "independent_p50_us", "queries",
     "Half of the queries would be faster if the waits of one query's scans were independent: the slowest of as many scans, each drawn alone."},
    {"figure", "independent_p95_us", "queries",
     "95 % of the queries would be faster if the waits of one query's scans were independent: the slowest of as many scans, each drawn alone."},
    {"figure", "independent_p99_us", "queries",
     "99 % of the queries would be faster if the waits of one query's scans were independent: the slowest of as many scans, each drawn alone."},
    {"figure", "independent_p999_us", "queries",
     "99.9 % of the queries would be faster if the waits of one query's scans were independent: the slowest of as many scans, each drawn alone."},
    {"figure", "server_share", "queries",
     "Part of the busiest server's processors that this query asks for. Above 1 the reads alone are more than it can do."},
    {"figure", "cache_hit_share", "queries", "Part of its blocks that were found in the block cache, at the end."},
    {"figure", "rows_lost_share", "queries", "Part of the rows that a reader with the stated mistake does not get."},

    {"figure", "scan_p99_us", "candidates", "p99 of the scenario's first query that is no get, with this N, in microseconds."},
    {"figure", "scan_rpcs", "candidates", "RPCs of the scenario's first query that is no get, with this N."},
    {"figure", "hot_bucket_share", "candidates", "The fullest bucket's part of the writes."},
    {"figure", "margin", "candidates, variations",
     "Smallest distance to a target as a part of it; below 0 the target is missed. 0.06 is 6 % to spare."},
    {"figure", "replications", "candidates", "Placements, or runs, behind each figure and its interval."},
    {"figure", "breaks_at_s", "candidates", "Of a plan with growth: when this N first misses a target, in seconds from the table's creation."},
    {"figure", "confirmed_ratio", "candidates", "hot_server_ratio of the full run that confirms the placements' figure."},
    {"figure", "headroom", "plan, stages, variations",
     "max_write_rate_per_s over the rate offered, less 1: how much more load the hottest server could take."},

    {"gate", "memstore", NULL,
     "Whether all write tails of a server may fill their memstores: heap x hbase.regionserver.global.memstore.size x "
     "the lower limit, over the flush size. Beyond it HBase flushes early, files are small and compactions many."},
    {"gate", "regions", NULL,
     "Regions a server, its background included, against good practice (about 200) and "
     "hbase.regionserver.regionSplitLimit, at which splits stop; with growth, when that is."},
    {"gate", "playbook", NULL,
     "The old advice of 10 to 30 regions a server for the whole table, in multiples of N; and whether cuts inside a "
     "bucket would stay empty, as they do where the key begins with time."},
    {"gate", "flush-storm", NULL,
     "Evenly loaded tails fill at the same moment and flush together: whether the disk can write one burst before the next."},
    {"gate", "split-storm", NULL,
     "The same for splits: whether hbase.hregion.max.filesize.jitter parts them enough, each keeping its region away for a while."},
    {"gate", "stepping-split", NULL,
     "SteppingSplitPolicy splits a region above twice the flush size where it is its table's only one on that server, "
     "and above max.filesize where there are more. With about as many regions as servers some split early."},
    {"gate", "wal", NULL,
     "Whether the write-ahead logs that a server keeps (maxlogs) hold what its tails write between two flushes. If not, "
     "the log forces flushes of small memstores."},
    {"gate", "key-prefix", NULL,
     "Whether a prefix split policy cuts keys down to the salt alone: such a region can neither split nor compact."},
    {"gate", "scheme", NULL, "What libsaltkey knows to be bad about the salt and N, as a multiple of 31 with a hash that multiplies by 31."},
    {"gate", "edges", NULL, "N = 1 and N = 256, where readers and writers go wrong."},
    {"gate", "bucket-skew", NULL, "The largest bucket's part of the writes against an even one: a hot key that no N parts."},
    {"gate", "layout", NULL, "Whether a query reads the whole table whatever N is: a matter of the key's order, not of the salt."},
    {"gate", "client-batches", NULL,
     "A client's buffer is cut into a call a server, and in it a batch a region: with many buckets a batch is a few rows."},
    {"gate", "normalizer", NULL, "SimpleRegionNormalizer knows no bucket and merges across the borders of buckets."},
    {"gate", "phoenix-7580", NULL, "A Phoenix bug by which bounded ranges lose the last bucket's rows, up to 5.2.1."},
    {"gate", "phoenix-batches", NULL, "Phoenix commits 100 rows at a time, spread over N buckets: rows in a region's call."},

    {"code", "W-STACKED", NULL,
     "At the end a server holds more write tails than an even spread makes unavoidable. HBase counts "
     "regions, not tails, when it places. Try hbase.master.loadbalance.bytable = true, an N that is a multiple of the servers, or the "
     "commands of N-CURE."},
    {"code", "W-SATURATED", NULL,
     "Rows still waited in the clients at the end: the hottest server was asked for more than its capacity. A larger N "
     "helps only if the writes are uneven; else more or larger servers. Where queries ask for a tenth of a server or more, "
     "it says so: reads and writes share a full server in proportion to what they ask for, so \"saturates at\", which is of "
     "writes alone, isn't reached. Then ask less often, or make the query a range of the key (saltplan plan --layouts)."},
    {"code", "W-EVENT", NULL,
     "An [event] of the scenario came to nothing: the cluster refused the split, merge or move, as HBase would, or the "
     "server wasn't there. The text gives the reason; events.csv has all of them."},
    {"code", "W-WAITED", NULL,
     "For a part of the run rows waited in the clients, and were worked off later: a lost server, splits, moves, or a burst."},
    {"code", "W-REJECTED", NULL, "Clients gave up on rows after their last retry: these writes are lost unless the application writes them again."},
    {"code", "W-MOVED", NULL,
     "The run of a candidate has another hot server ratio than the placements that were judged: splits, moves or the "
     "balancer changed it afterwards."},
    {"code", "W-UNCONFIRMED", NULL,
     "The run of the recommended N misses a target that its placements meet. Take the next N, or run sim with both and "
     "longer."},
    {"code", "N-SHORTENED", NULL,
     "The run by which plan confirms its N is shorter than the scenario's duration, or goes by shares, to spare time. It "
    "ends after 300 million rows at the peak rate; with [event] sections it goes by shares beyond them, and ends some time "
    "behind the last event, stream or day. sim runs the scenario whole."},
    {"code", "N-IDLE", NULL, "Servers without a write tail: fewer tails than servers, or tails that share one."},
    {"code", "N-TAILS", NULL,
     "A window is longer than a region takes to fill and split: write_tails then counts the regions that each tail passed "
     "through. A shorter [scenario] window counts those written at one time."},
    {"code", "N-CURE", NULL, "Commands and settings that would part stacked tails."},
    {"code", "N-LOST", NULL, "How long the regions of a lost server were away: detection, replay of its log, assignment."},
    {"code", "N-BALANCER", NULL,
     "How often the balancer looked and ran, and the gates that held it back. Writes alone weigh too little in its cost "
     "to make it run: see [hbase] hbase.master.balancer.stochastic.writeRequestCost."},
    {"code", "N-DAUGHTERS", NULL, "Daughters of a split open on their parent's server; this says whether the balancer moved them, and when."},
    {"code", "N-SPREAD", NULL, "How hot_server_ratio changed at splits and runs of the balancer, and the first time it was 1.6 or less."},
    {NULL, NULL, NULL, NULL},
};
