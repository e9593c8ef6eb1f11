/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The rows. Bounds are in base units: bytes, nanoseconds, rows per second. */
#include <stdint.h>
#include <string.h>

#include "scenario/key.h"
#include "spec/spec.h"

#define MIB 1048576.0
#define TIB 1099511627776.0
#define SECOND 1e9
#define YEAR (365.0 * 86400 * SECOND)
#define WHOLE_MAX 9e18

#define OWN "saltplan"

const struct scenario_section_kind scenario_sections[] = {
    {"scenario", SECTION_ALONE, "The run as a whole: title, seed, length, detail.", OWN},
    {"cluster", SECTION_ALONE, "How many RegionServers there are, and what else lives on them.", OWN},
    {"server", SECTION_ALONE, "What one RegionServer can do; all are alike.",
     "saltplan's first machine model; put your own measurements here"},
    {"hbase", SECTION_ALONE, "Properties of HBase, as in hbase-site.xml; what is not named has 2.6's default.",
     "HBase 2.6 (hbase-default.xml, HConstants)"},
    {"table", SECTION_NAMED, "A table: its row key, its salt and its first regions.", OWN},
    {"family", SECTION_PAIR, "A column family of a table, as [family TABLE/NAME].",
     "HBase 2.6 (ColumnFamilyDescriptorBuilder)"},
    {"stream", SECTION_NAMED, "Who writes to which tables, and how fast.", OWN},
    {"query", SECTION_NAMED, "A read that is asked again and again.", OWN},
    {"event", SECTION_NAMED, "Something that happens to the cluster at a given time.", OWN},
    {"expect", SECTION_NAMED, "A bound that the run must keep: sim and plan exit with 1 if it does not.", OWN},
    {"plan", SECTION_ALONE, "What the planner tries and what it must reach.", OWN},
    {NULL, SECTION_ALONE, NULL, NULL},
};

#define IN(type, member) offsetof(struct type, member)

const struct scenario_key scenario_keys[] = {
    {"scenario", "title", KEY_SPECIAL, IN(spec, title), .dflt = "", .form = "any text", .since = "0.1",
     .read = read_text_line, .help = "One line that names the scenario in reports and pictures."},
    {"scenario", "preset", KEY_SPECIAL, IN(spec, title), .dflt = "", .form = "the name of a preset", .since = "0.2",
     .read = read_basis, .write = write_basis, .help = "A preset that the scenario rests on: what it says holds where this file says nothing.",
     .more = "A key of the file takes the place of the preset's (all lines of a key that repeats); sections that only "
             "one of them has stay. saltplan presets lists the names, show --origin says what came from where."},
    {"scenario", "include", KEY_SPECIAL, IN(spec, title), .dflt = "", .form = "a file, sought beside the one that names it",
     .repeats = true, .since = "0.2", .read = read_basis, .write = write_basis,
     .help = "A scenario file whose sections and keys hold where this file says nothing.",
     .more = "It stands above the preset and below the file that names it; a later include above an earlier one. It "
             "may rest on others, up to eight deep. Files that it names are sought beside it."},
    {"scenario", "seed", KEY_SEED, IN(spec, seed), .dflt = "1", .since = "0.1",
     .help = "Seed of all random streams; the same seed gives the same run, byte for byte."},
    {"scenario", "duration", KEY_DURATION, IN(spec, duration_ns), SECOND / 1000, 100 * YEAR, "1h", .since = "0.1",
     .help = "Simulated time."},
    {"scenario", "window", KEY_SPECIAL, IN(spec, window_ns), SECOND / 1000, 100 * YEAR, "auto", .since = "0.1",
     .form = "a duration, or auto", .read = read_window, .write = write_window,
     .help = "Length of a sample window.",
     .more = "auto is 1/400 of the duration, rounded up to one of 1 2 5 10 15 30 s, 1 2 5 10 15 30 m, "
             "1 2 6 12 h, 1 2 d."},
    {"scenario", "detail", KEY_SPECIAL, IN(spec, detail), .dflt = "auto", .since = "0.1", .form = "auto, write, tick or flow",
     .read = read_detail, .write = write_detail, .help = "How finely arrivals are simulated.",
     .more = "write makes an event of each client call and knows latencies. tick counts each row by region in "
             "steps of 100 ms, with servers as fluids: for hours to days. flow takes regions' shares from the "
             "stream's law and steps from flush to flush: for years. auto picks by the number of writes (up to 300 "
             "million write, up to 20 billion tick), and the report says which."},
    {"scenario", "compare", KEY_SPECIAL, IN(spec, compare), .dflt = "none twice", .since = "0.1",
     .form = "none, twice, none twice, or no", .read = read_compare, .write = write_compare,
     .help = "Further runs that the pictures compare with.",
     .more = "none is the same scenario without a salt, twice has twice the buckets; no means neither."},

    {"scenario", "sample", KEY_SPECIAL, IN(spec, sample_keys), 16, 1e6, "1024", .since = "0.2", .form = "all, or a number of keys",
     .read = read_sample, .write = write_sample, .help = "How many keys each memstore and file remembers.",
     .more = "Split points and block boundaries come from them. Small files are kept whole all the same, up to a "
             "limit over all. all keeps every key of the run, so that file lengths and split keys are exact to the byte: "
             "about 50 bytes of memory a row, for short runs. flow keeps 32 at most."},

    {"cluster", "servers", KEY_INT, IN(spec_cluster, servers), 1, 10000, .since = "0.1",
     .help = "Number of RegionServers."},
    {"cluster", "heap", KEY_BYTES, IN(spec_cluster, heap_bytes), 128 * MIB, TIB, "16GiB", .since = "0.1",
     .help = "Java heap of each RegionServer; the global memstore limit is a share of it."},
    {"cluster", "background", KEY_SPECIAL, IN(spec_cluster, background_regions_per_server), 0, 10000,
     "0 regions per server", .since = "0.1", .form = "N regions per server", .read = read_background,
     .write = write_background, .help = "Regions of other tables; they take no writes but count for the balancer."},
    {"cluster", "state", KEY_SPECIAL, IN(spec_cluster, state), .dflt = "", .since = "0.1",
     .form = "a file, sought beside the scenario", .read = read_state, .write = write_state,
     .help = "Where the regions are at the start, and what they carried: sim begins there.",
     .more = "A table of tab-separated values whose first line names its columns: server (rs00, rs01, ...), table "
             "and start (the start key in hexadecimal digits, or -) are needed; store_mb, write_delta, read_delta, "
             "mem_mb_1, mem_mb_2 and local (the servers that hold its blocks, or -) may follow. Lines that begin with "
             "# are comments. Regions of tables that the scenario doesn't have count for the balancer only. Store sizes of the "
             "file count for the balancer; they do not make a region split."},

    {"server", "write_capacity", KEY_RATE, IN(spec_server, write_capacity_per_s), 0.001, 1e9, "20k/s",
     .since = "0.1", .help = "Rows per second that one server's processors carry.",
     .more = "For rows of about 100 bytes; published figures range from 15k to 50k rows/s."},
    {"server", "wal_sync", KEY_DURATION, IN(spec_server, wal_sync_ns), 0, 60 * SECOND, "1ms", .since = "0.1",
     .help = "Latency that a sync of the write-ahead log adds to each call; it takes no capacity."},
    {"server", "disk", KEY_BYTE_RATE, IN(spec_server, disk_bytes_per_s), 1, 1e12, "100MB/s", .since = "0.1",
     .help = "Bytes per second that flushes and compactions of one server share."},
    {"server", "gc_pause", KEY_SPECIAL, IN(spec_server, gc_pause_ns), .dflt = "none", .since = "0.2",
     .form = "none, or 200ms every 1m", .read = read_gc_pause, .write = write_gc_pause,
     .help = "Pauses of the garbage collector: the server stands still; each at its own time.",
     .more = "Writes and reads wait through them; what a server carries is said without them. Published pauses of G1 with "
             "tens of GiB are 50 to 200 ms; a full collection takes seconds, and beyond zookeeper.session.timeout a "
             "server is lost."},
    {"server", "split_prepare", KEY_DURATION, IN(spec_server, split_prepare_ns), 0, 3600 * SECOND, "100ms",
     .since = "0.1", .help = "How long a region still serves after its split was asked for.",
     .more = "What comes in meanwhile makes the small flush of the close."},
    {"server", "split_outage", KEY_DURATION, IN(spec_server, split_outage_ns), 0, 3600 * SECOND, "1s",
     .since = "0.1", .help = "How long a splitting region is away."},
    {"server", "move_outage", KEY_DURATION, IN(spec_server, move_outage_ns), 0, 3600 * SECOND, "1s", .since = "0.1",
     .help = "How long a moving region is away."},
    {"server", "chore_lateness", KEY_RATIO, IN(spec_server, chore_lateness), 0, 1, "0", .since = "0.1",
     .help = "Chores such as the balancer run late by up to this share of their period."},
    {"server", "wal_split", KEY_BYTE_RATE, IN(spec_server, wal_split_bytes_per_s), 1, 1e12, "30MB/s", .since = "0.1",
     .help = "Bytes per second that one task reads that splits a lost server's write-ahead log.",
     .more = "Each live server runs two such tasks at once, each on a file of 128 MiB."},
    {"server", "restart", KEY_DURATION, IN(spec_server, restart_ns), 0, 3600 * SECOND, "30s", .since = "0.1",
     .help = "How long a server is down that is restarted."},
    {"server", "read_capacity", KEY_RATE, IN(spec_server, read_capacity_per_s), 0.001, 1e9, "20k/s", .since = "0.1",
     .help = "Gets or scan calls per second that one server's processors carry, the rows of scans apart.",
     .more = "An assumption within published figures: 10k to 20k queries/s a node of a large fleet (2017)."},
    {"server", "read_cores", KEY_HBASE_FLOAT, IN(spec_server, read_cores), 1, 1000, "4", .since = "0.1",
     .help = "A read call runs on one core, and so takes this many times its share of the server.",
     .more = "An assumption. With 500ns a cell a single scan looks at 500k small rows a second, and a server at four "
             "times as many in several scans."},
    {"server", "seek", KEY_DURATION, IN(spec_server, seek_ns), 0, SECOND, "10us", .since = "0.1",
     .help = "Processor time of a seek in one file: a scan seeks in each, a get where the bloom filter lets it.",
     .more = "An assumption; no published figure was found."},
    {"server", "scan_cell", KEY_DURATION, IN(spec_server, scan_cell_ns), 0, SECOND, "500ns", .since = "0.1",
     .help = "Processor time of each cell that a scan looks at, returned or not.",
     .more = "Of the 5 to 10 us a row, server and client, that published scans of small rows take. The server's part "
             "uses one of its cores; here it is a share of the whole server."},
    {"server", "return_row", KEY_DURATION, IN(spec_server, return_row_ns), 0, SECOND, "500ns", .since = "0.1",
     .help = "Processor time of each row that a server puts into a reply.",
     .more = "Of the 5 to 10 us a row, server and client, that published scans of small rows take. The server's part "
             "uses one of its cores; here it is a share of the whole server."},
    {"server", "client_row", KEY_DURATION, IN(spec_server, client_row_ns), 0, SECOND, "4us", .since = "0.1",
     .help = "Time that the reader takes for each row it receives; it loads no server.",
     .more = "A share of the 5 to 10 us a row, server and client, that published scans of small rows take."},
    {"server", "round_trip", KEY_DURATION, IN(spec_server, round_trip_ns), 0, 60 * SECOND, "300us", .since = "0.1",
     .help = "Latency of a read call on an idle server beside its processor time; it takes no capacity.",
     .more = "Published medians of cached gets and short scans are 0.3 to 0.6 ms."},
    {"server", "network", KEY_BYTE_RATE, IN(spec_server, network_bytes_per_s), 1, 1e12, "1.25GB/s", .since = "0.1",
     .help = "Bytes per second at which a reply travels.", .more = "10 Gbit/s."},
    {"server", "disk_seek", KEY_DURATION, IN(spec_server, disk_seek_ns), 0, 60 * SECOND, "8ms", .since = "0.1",
     .help = "Latency before a block comes from disk that isn't in the block cache.",
     .more = "Published: 5 to 10 ms for a spinning disk, 0.2 to 1 ms for an SSD."},

    {"hbase", "hbase.hregion.memstore.flush.size", KEY_HBASE_BYTES, IN(spec_hbase, memstore_flush_size_bytes), 1,
     WHOLE_MAX, "134217728", .since = "0.1", .help = "A region is flushed when its memstore's heap exceeds this."},
    {"hbase", "hbase.hregion.memstore.block.multiplier", KEY_HBASE_FLOAT, IN(spec_hbase, memstore_block_multiplier),
     1, 1000, "4", .since = "0.1", .help = "Writes are refused at so many flush sizes (RegionTooBusyException)."},
    {"hbase", "hbase.regionserver.global.memstore.size", KEY_HBASE_FLOAT, IN(spec_hbase, global_memstore_size), 0.01,
     0.8, "0.4", .since = "0.1", .help = "Share of the heap that all memstores of a server may take."},
    {"hbase", "hbase.regionserver.global.memstore.size.lower.limit", KEY_HBASE_FLOAT,
     IN(spec_hbase, global_memstore_lower), 0.01, 1, "0.95", .since = "0.1",
     .help = "At this share of the global limit flushes are forced."},
    {"hbase", "hbase.hregion.max.filesize", KEY_HBASE_BYTES, IN(spec_hbase, max_filesize_bytes), 1, WHOLE_MAX,
     "10737418240", .since = "0.1", .help = "Store size at which a region splits, unless the split policy says less."},
    {"hbase", "hbase.hregion.max.filesize.jitter", KEY_HBASE_FLOAT, IN(spec_hbase, max_filesize_jitter), 0, 2, "0.25",
     .since = "0.1", .help = "Each region's max.filesize varies by plus or minus half this share."},
    {"hbase", "hbase.regionserver.region.split.policy", KEY_SPECIAL, IN(spec_hbase, split_policy),
     .dflt = "SteppingSplitPolicy", .since = "0.1", .form = "a class name, with or without its package",
     .read = read_split_policy, .write = write_split_policy, .help = "When a region splits.",
     .more = "SteppingSplitPolicy, IncreasingToUpperBoundRegionSplitPolicy, ConstantSizeRegionSplitPolicy, "
             "BusyRegionSplitPolicy (detail = write) or DisabledRegionSplitPolicy. A table may have its own: "
             "[table] split_policy."},
    {"hbase", "hbase.regionserver.maxlogs", KEY_HBASE_INT, IN(spec_hbase, max_logs), 0, 100000, "0", .since = "0.2",
     .help = "Log files of 128 MiB that a server keeps before it forces flushes; 0: 32, or twice the memstores' limit."},
    {"hbase", "hbase.increasing.policy.initial.size", KEY_HBASE_BYTES, IN(spec_hbase, increasing_initial_bytes), 0,
     WHOLE_MAX, "0", .since = "0.2", .help = "First threshold of a stepping or increasing policy; 0: 2 x flush size."},
    {"hbase", "hbase.hregion.split.overallfiles", KEY_HBASE_BOOL, IN(spec_hbase, split_overall_files), .dflt = "false",
     .since = "0.2", .help = "A split looks at the sum of a region's stores instead of its largest."},
    {"hbase", "hbase.busy.policy.blockedRequests", KEY_HBASE_FLOAT, IN(spec_hbase, busy_blocked_share), 0.00001, 0.99999,
     "0.2", .since = "0.2", .help = "BusyRegionSplitPolicy splits at so many refused calls for each row written."},
    {"hbase", "hbase.busy.policy.minAge", KEY_HBASE_MS, IN(spec_hbase, busy_min_age_ns), 0, YEAR, "600000",
     .since = "0.2", .help = "BusyRegionSplitPolicy lets a region alone for so long after it opened."},
    {"hbase", "hbase.busy.policy.aggWindow", KEY_HBASE_MS, IN(spec_hbase, busy_window_ns), SECOND / 1000, YEAR, "300000",
     .since = "0.2", .help = "Time over which BusyRegionSplitPolicy counts."},
    {"hbase", "hbase.normalizer.period", KEY_HBASE_MS, IN(spec_hbase, normalizer.period_ns), SECOND / 1000, YEAR, "300000",
     .since = "0.2", .help = "Period of the normalizer; it looks at tables with normalizer = on."},
    {"hbase", "hbase.normalizer.split.enabled", KEY_HBASE_BOOL, IN(spec_hbase, normalizer.split), .dflt = "true",
     .since = "0.2", .help = "The normalizer splits regions of more than twice the mean."},
    {"hbase", "hbase.normalizer.merge.enabled", KEY_HBASE_BOOL, IN(spec_hbase, normalizer.merge), .dflt = "true",
     .since = "0.2", .help = "The normalizer merges neighbours that together stay below the mean."},
    {"hbase", "hbase.normalizer.merge.min.region.count", KEY_HBASE_INT, IN(spec_hbase, normalizer.merge_min_regions), 1,
     1e6, "3", .since = "0.2", .help = "It merges nothing in a table of fewer regions."},
    {"hbase", "hbase.normalizer.merge.min_region_age.days", KEY_HBASE_INT,
     IN(spec_hbase, normalizer.merge_min_age_days), 0, 100000, "3", .since = "0.2",
     .help = "It merges no younger region."},
    {"hbase", "hbase.normalizer.merge.min_region_size.mb", KEY_HBASE_INT,
     IN(spec_hbase, normalizer.merge_min_size_mb), 0, 1e9, "1", .since = "0.2",
     .help = "It merges no smaller region: with 1 none that is empty."},
    {"hbase", "hbase.regionserver.regionSplitLimit", KEY_HBASE_INT, IN(spec_hbase, region_split_limit), 1, 1e6, "1000",
     .since = "0.1", .help = "A server with so many regions splits no more."},
    {"hbase", "hbase.regionserver.handler.count", KEY_HBASE_INT, IN(spec_hbase, handler_count), 1, 100000, "30",
     .since = "0.1", .help = "Calls that a server works on at once."},
    {"hbase", "hbase.ipc.server.max.callqueue.length", KEY_SPECIAL, IN(spec_hbase, max_callqueue_length), 1, 1e7,
     "10 x hbase.regionserver.handler.count", .since = "0.1", .form = "a bare number", .read = read_callqueue,
     .write = write_callqueue, .help = "Calls that may wait in one queue before CallQueueTooBigException."},
    {"hbase", "hbase.hstore.compaction.min", KEY_HBASE_INT, IN(spec_hbase, compaction_min), 2, 1000, "3",
     .since = "0.1", .help = "A minor compaction takes at least so many files."},
    {"hbase", "hbase.hstore.compaction.max", KEY_HBASE_INT, IN(spec_hbase, compaction_max), 2, 1000, "10",
     .since = "0.1", .help = "A minor compaction takes at most so many files."},
    {"hbase", "hbase.hstore.compaction.ratio", KEY_HBASE_FLOAT, IN(spec_hbase, compaction_ratio), 0, 100, "1.2",
     .since = "0.1", .help = "A file is taken if it is at most so many times the sum of the others."},
    {"hbase", "hbase.hstore.compaction.ratio.offpeak", KEY_HBASE_FLOAT, IN(spec_hbase, compaction_ratio_offpeak), 0, 100,
     "5.0", .since = "0.2", .help = "The same in off-peak hours, for one compaction of a server at a time."},
    {"hbase", "hbase.offpeak.start.hour", KEY_SPECIAL, IN(spec_hbase, offpeak_start_hour), -1, 23, "-1", .since = "0.2",
     .form = "an hour, 0 to 23, or -1", .read = read_hour, .write = write_offpeak_start,
     .help = "First off-peak hour, in UTC as the first stream's start has it; -1: none."},
    {"hbase", "hbase.offpeak.end.hour", KEY_SPECIAL, IN(spec_hbase, offpeak_end_hour), -1, 23, "-1", .since = "0.2",
     .form = "an hour, 0 to 23, or -1", .read = read_hour, .write = write_offpeak_end, .help = "The hour that ends them."},
    {"hbase", "hbase.hstore.compaction.throughput.lower.bound", KEY_HBASE_BYTES,
     IN(spec_hbase, compaction_lower_bytes_per_s), 1, 1e15, "52428800", .since = "0.2",
     .help = "Bytes per second that compactions write where no store is pressed; off-peak none is limited."},
    {"hbase", "hbase.hstore.compaction.throughput.higher.bound", KEY_HBASE_BYTES,
     IN(spec_hbase, compaction_higher_bytes_per_s), 1, 1e15, "104857600", .since = "0.2",
     .help = "The same where a store has blockingStoreFiles; beyond that none is limited."},
    {"hbase", "hbase.hstore.compaction.min.size", KEY_HBASE_BYTES, IN(spec_hbase, compaction_min_size_bytes), 0,
     WHOLE_MAX, "134217728", .since = "0.1", .help = "Files that together stay below this are always taken."},
    {"hbase", "hbase.hstore.compaction.max.size", KEY_HBASE_BYTES, IN(spec_hbase, compaction_max_size_bytes), 1, 9.3e18,
     "9223372036854775807", .since = "0.1", .help = "Files that together exceed this are never taken."},
    {"hbase", "hbase.hregion.majorcompaction", KEY_HBASE_MS, IN(spec_hbase, major_compaction_ns), 0, 100 * YEAR,
     "604800000", .since = "0.2", .help = "Age of a store's oldest file at which all are compacted into one; 0: never."},
    {"hbase", "hbase.hregion.majorcompaction.jitter", KEY_HBASE_FLOAT, IN(spec_hbase, major_compaction_jitter), 0, 1,
     "0.5", .since = "0.2", .help = "That age varies from store to store by plus or minus this share."},
    {"hbase", "hbase.regionserver.thread.compaction.throttle", KEY_HBASE_BYTES,
     IN(spec_hbase, compaction_throttle_bytes), 0, WHOLE_MAX, "2684354560", .since = "0.1",
     .help = "A compaction beyond this goes to the large pool."},
    {"hbase", "hbase.hstore.blockingStoreFiles", KEY_HBASE_INT, IN(spec_hbase, blocking_store_files), 1, 100000, "16",
     .since = "0.1", .help = "A store with more files than this postpones its region's flush."},
    {"hbase", "hbase.hstore.blockingWaitTime", KEY_HBASE_MS, IN(spec_hbase, blocking_wait_ns), 0, YEAR, "90000",
     .since = "0.1", .help = "A postponed flush runs after this time all the same."},
    {"hbase", "hbase.hstore.flusher.count", KEY_HBASE_INT, IN(spec_hbase, flusher_count), 1, 1000, "2",
     .since = "0.1", .help = "Regions that a server flushes at once."},
    {"hbase", "hbase.regionserver.optionalcacheflushinterval", KEY_HBASE_MS, IN(spec_hbase, flush_interval_ns), 0,
     100 * YEAR, "3600000", .since = "0.2", .help = "A region with an unflushed edit older than this is flushed; 0: never."},
    {"hbase", "hbase.regionserver.flush.per.changes", KEY_HBASE_INT, IN(spec_hbase, flush_per_changes), 1, 1e9,
     "30000000", .since = "0.2", .help = "A region is flushed after so many edits (batches of rows) since its last flush."},
    {"hbase", "hbase.regionserver.flush.check.period", KEY_HBASE_MS, IN(spec_hbase, flush_check_ns), SECOND / 1000, YEAR,
     "10000", .since = "0.2", .help = "Period of the chore that looks for old edits, and for regions of many edits."},
    {"hbase", "hbase.regionserver.periodicmemstoreflusher.rangeofdelayseconds", KEY_HBASE_INT,
     IN(spec_hbase, flush_delay_range_s), 1, 1e6, "300", .since = "0.2",
     .help = "What that chore has found is flushed after a random delay of up to so many seconds."},
    {"hbase", "hbase.hfile.compaction.discharger.interval", KEY_HBASE_MS, IN(spec_hbase, discharger_interval_ns),
     SECOND / 1000, YEAR, "120000", .since = "0.1",
     .help = "Period of the chore that archives compacted files; only then a daughter can split again."},
    {"hbase", "hbase.balancer.period", KEY_HBASE_MS, IN(spec_hbase, balancer_period_ns), SECOND / 1000, 100 * YEAR,
     "300000", .since = "0.1", .help = "Period of the balancer."},
    {"hbase", "hbase.regions.slop", KEY_SPECIAL, IN(spec_hbase, regions_slop), -1, 1e6, "0.2", .since = "0.1",
     .form = "a bare number, as 0.2; negative: no such limit", .read = read_slop, .write = write_slop,
     .help = "Region counts may differ from the mean by this share before the balancer must act."},
    {"hbase", "hbase.master.loadbalancer.class", KEY_SPECIAL,
     IN(spec_hbase, balance), .dflt = "StochasticLoadBalancer", .since = "0.1",
     .form = "StochasticLoadBalancer, SimpleLoadBalancer or off", .read = read_balancer, .write = write_balancer,
     .help = "Which balancer the master runs."},
    {"hbase", "hbase.master.balancer.stochastic.regionCountCost", KEY_HBASE_FLOAT,
     IN(spec_hbase, balance.region_count_cost), 0, 1e9, .dflt = "500", .since = "0.1",
     .help = "Weight of the number of regions on each server."},
    {"hbase", "hbase.master.balancer.stochastic.moveCost", KEY_HBASE_FLOAT,
     IN(spec_hbase, balance.move_cost), 0, 1e9, .dflt = "7", .since = "0.1",
     .help = "Weight of each move that a run would make."},
    {"hbase", "hbase.master.balancer.stochastic.localityCost", KEY_HBASE_FLOAT,
     IN(spec_hbase, balance.locality_cost), 0, 1e9, .dflt = "25", .since = "0.1",
     .help = "Weight of store files that lie on other servers; known only from [cluster] state."},
    {"hbase", "hbase.master.balancer.stochastic.tableSkewCost", KEY_HBASE_FLOAT,
     IN(spec_hbase, balance.table_skew_cost), 0, 1e9, .dflt = "35", .since = "0.1",
     .help = "Weight of how unevenly each table is spread."},
    {"hbase", "hbase.master.balancer.stochastic.readRequestCost", KEY_HBASE_FLOAT,
     IN(spec_hbase, balance.read_request_cost), 0, 1e9, .dflt = "5", .since = "0.1",
     .help = "Weight of unevenly spread reads."},
    {"hbase", "hbase.master.balancer.stochastic.writeRequestCost", KEY_HBASE_FLOAT,
     IN(spec_hbase, balance.write_request_cost), 0, 1e9, .dflt = "5", .since = "0.1",
     .help = "Weight of unevenly spread writes."},
    {"hbase", "hbase.master.balancer.stochastic.memstoreSizeCost", KEY_HBASE_FLOAT,
     IN(spec_hbase, balance.memstore_size_cost), 0, 1e9, .dflt = "5", .since = "0.1",
     .help = "Weight of unevenly growing memstores."},
    {"hbase", "hbase.master.balancer.stochastic.storefileSizeCost", KEY_HBASE_FLOAT,
     IN(spec_hbase, balance.storefile_size_cost), 0, 1e9, .dflt = "5", .since = "0.1",
     .help = "Weight of unevenly spread store file sizes."},
    {"hbase", "hbase.master.balancer.stochastic.minCostNeedBalance", KEY_HBASE_FLOAT,
     IN(spec_hbase, balance.min_cost_need_balance), 0, 1e9, .dflt = "0.025", .since = "0.1",
     .help = "Weighted mean cost from which the balancer acts."},
    {"hbase", "hbase.master.balancer.stochastic.maxMovePercent", KEY_HBASE_FLOAT,
     IN(spec_hbase, balance.max_move_percent), 0, 1, .dflt = "1", .since = "0.1",
     .help = "Share of the regions that one run may move."},
    {"hbase", "hbase.master.balancer.stochastic.maxSteps", KEY_HBASE_INT,
     IN(spec_hbase, balance.max_steps), 0, 2147483647, .dflt = "1000000", .since = "0.1",
     .help = "Most steps of one run of the balancer."},
    {"hbase", "hbase.master.balancer.stochastic.stepsPerRegion", KEY_HBASE_INT,
     IN(spec_hbase, balance.steps_per_region), 0, 2147483647, .dflt = "800", .since = "0.1",
     .help = "Steps for each region and server."},
    {"hbase", "hbase.master.balancer.stochastic.runMaxSteps", KEY_HBASE_BOOL,
     IN(spec_hbase, balance.run_max_steps), .dflt = "false", .since = "0.1",
     .help = "Takes the larger of the two limits of steps instead of the smaller one."},
    {"hbase", "hbase.master.balancer.stochastic.maxRunningTime", KEY_HBASE_MS,
     IN(spec_hbase, balance.max_running_ns), 0, YEAR, .dflt = "30000", .since = "0.1",
     .help = "Time limit of a run; saltplan obeys the steps alone and says where the time would have ended them."},
    {"hbase", "hbase.master.loadbalance.bytable", KEY_HBASE_BOOL,
     IN(spec_hbase, balance.by_table), .dflt = "false", .since = "0.1",
     .help = "Balances each table for itself."},
    {"hbase", "hbase.regions.overallSlop", KEY_SPECIAL,
     IN(spec_hbase, balance.overall_slop), 0, 1e6, .dflt = "as hbase.regions.slop", .since = "0.1",
     .form = "a bare number, as 0.4", .read = read_overall_slop, .write = write_overall_slop,
     .help = "The slop over all tables (SimpleLoadBalancer by table)."},
    {"hbase", "hbase.balancer.max.balancing", KEY_SPECIAL,
     IN(spec_hbase, balance.max_balancing_ns), 0, YEAR, .dflt = "as hbase.balancer.period", .since = "0.1",
     .form = "a bare number of milliseconds", .read = read_max_balancing, .write = write_max_balancing,
     .help = "Time in which the moves of a run are started; the rest is dropped."},
    {"hbase", "hbase.master.balancer.maxRitPercent", KEY_HBASE_FLOAT,
     IN(spec_hbase, balance.max_rit_percent), 0, 1, .dflt = "1", .since = "0.1",
     .help = "Share of the regions that a run may have in transition at once."},
    {"hbase", "hbase.balancer.statusPeriod", KEY_HBASE_MS,
     IN(spec_hbase, balance.status_period_ns), SECOND / 1000, YEAR, .dflt = "60000", .since = "0.1",
     .help = "Time between the samples of load that the balancer remembers."},
    {"hbase", "hbase.regionserver.msginterval", KEY_HBASE_MS,
     IN(spec_hbase, balance.msg_interval_ns), SECOND / 1000, 3600 * SECOND, .dflt = "3000", .since = "0.1",
     .help = "Time between a server's reports: the master's figures are up to so old."},
    {"hbase", "hbase.assignment.dispatch.wait.msec", KEY_HBASE_MS,
     IN(spec_hbase, balance.dispatch_wait_ns), 0, 3600 * SECOND, .dflt = "150", .since = "0.1",
     .help = "How long the master gathers regions before it assigns them together."},
    {"hbase", "hbase.assignment.dispatch.wait.queue.max.size", KEY_HBASE_INT,
     IN(spec_hbase, balance.dispatch_queue_max), 1, 1e6, .dflt = "100", .since = "0.1",
     .help = "So many regions are assigned without further waiting."},
    {"hbase", "hbase.master.scp.retain.assignment", KEY_HBASE_BOOL,
     IN(spec_hbase, balance.scp_retain), .dflt = "false", .since = "0.1",
     .help = "Regions of a lost server go back to it if it is up again."},
    {"hbase", "hbase.master.auto.separate.child.regions.after.split.enabled", KEY_HBASE_BOOL,
     IN(spec_hbase, balance.separate_daughters), .dflt = "false", .since = "0.1",
     .help = "The second daughter of a split opens on another server."},
    {"hbase", "zookeeper.session.timeout", KEY_HBASE_MS,
     IN(spec_hbase, balance.session_timeout_ns), 0, 3600 * SECOND, .dflt = "90000", .since = "0.1",
     .help = "A server that died is noticed after this time."},
    {"hbase", "hbase.client.write.buffer", KEY_HBASE_BYTES, IN(spec_hbase, client_write_buffer_bytes), 1, WHOLE_MAX,
     "2097152", .since = "0.1", .help = "Heap size of buffered puts at which a client sends them."},
    {"hbase", "hbase.client.pause", KEY_HBASE_MS, IN(spec_hbase, client_pause_ns), 0, YEAR, "100", .since = "0.1",
     .help = "Unit of the pauses between a client's tries."},
    {"hbase", "hbase.client.retries.number", KEY_HBASE_INT, IN(spec_hbase, client_retries), 0, 1000, "15",
     .since = "0.1", .help = "Tries after the first before a client gives up."},
    {"hbase", "hbase.hregion.open.and.init.threads.max", KEY_HBASE_INT, IN(spec_hbase, create_threads), 1, 1000, "16",
     .since = "0.1", .help = "Threads that make a new table's regions; 1 makes their placement a strict cycle."},
    {"hbase", "hfile.block.cache.size", KEY_HBASE_FLOAT, IN(spec_hbase, block_cache_size), 0, 0.8, .dflt = "0.4",
     .since = "0.1", .help = "Share of the heap that the block cache may take."},
    {"hbase", "io.storefile.bloom.error.rate", KEY_HBASE_FLOAT, IN(spec_hbase, bloom_error_rate), 0, 1,
     .dflt = "0.01", .since = "0.1", .help = "Share of files without a row that the bloom filter lets a get read."},
    {"hbase", "hbase.client.scanner.caching", KEY_HBASE_INT, IN(spec_hbase, scanner_caching), 1, 2147483647,
     .dflt = "2147483647", .since = "0.1", .help = "Most rows of one reply to a scan."},
    {"hbase", "hbase.client.scanner.max.result.size", KEY_HBASE_BYTES, IN(spec_hbase, scanner_max_result_bytes), 1,
     WHOLE_MAX, .dflt = "2097152", .since = "0.1", .help = "Heap size at which a reply to a scan ends."},

    {"table", "key", KEY_TEXT, IN(spec_table, key), .since = "0.1", .form = "name:kind name:kind ...",
     .help = "The natural row key, field by field.",
     .more = "Kinds: be32 be64 (unsigned, big-endian), i32 i64 (sign bit flipped), fixed(n) (text padded with "
             "\\x00), text, dec(n), revdec(n) (digits reversed), hex(n), rts (2^63 - 1 - time in 8 bytes), rts19 "
             "(its digits).\n"
             "What a field carries: one named ts, time or timestamp, or of kind rts or rts19, the event time in "
             "milliseconds; one named seq the stream's running number; every other field the entity: the number i "
             "in a number, dev- and twelve digits in a text. Time and running number in a text are their digits, "
             "twelve at least."},
    {"table", "salt", KEY_TEXT, IN(spec_table, salt), .dflt = "none", .since = "0.1",
     .form = "HASH REMAINDER, as arrays-hash floorMod; a preset, as phoenix; or none",
     .help = "What stands before the natural key.",
     .more = "arrays-hash floorMod and phoenix are one byte, hash(key) mod N; they need buckets. md5hex 4 is a "
             "hashed prefix: the first hex digits of the key's MD5 and an underscore; it has no buckets. Hashes: "
             "arrays-hash, string-hash, murmur3, murmur, murmur2, jenkins, crc32, crc32c, md5, sha256, xxh32, xxh64, "
             "xxh3, fold. Remainders: floorMod, abs, absFirst, unsigned, truncated. Behind them: bytes W, hex W or "
             "dec W (the prefix, one byte otherwise), seed S. Presets: phoenix, hbasewd, hbasewd-2011, text02x, "
             "text04d, opentsdb (of W bytes, 1 to 8: opentsdb W). Without buckets: md5hex DIGITS, sha256hex DIGITS."},
    {"table", "buckets", KEY_SPECIAL, IN(spec_table, buckets), 1, 256, "none", .since = "0.1",
     .form = "a number, or none", .read = read_buckets, .write = write_buckets,
     .help = "Number of buckets N of the salt; none leaves the table unsalted.",
     .more = "N can't change once the table holds data: rows would be sought in other buckets."},
    {"table", "salt_over", KEY_TEXT, IN(spec_table, salt_over), .dflt = "key", .since = "0.1",
     .form = "key, or a field's name", .help = "What the salt hashes: the whole natural key, or a field of it."},
    {"table", "splits", KEY_SPECIAL, IN(spec_table, splits), .dflt = "buckets", .repeats = true, .since = "0.1",
     .form = "buckets, buckets x R, none, HexStringSplit R, DecimalStringSplit R, UniformSplit R, file FILE, keys A,B",
     .read = read_splits, .write = write_splits, .help = "How the table is cut at its creation.",
     .more = "buckets makes one region a bucket, buckets x 4 four of each. file is a SPLITS_FILE of the HBase "
             "shell, sought beside the scenario. keys are in HBase's notation (\\x01); blanks, commas and ';' "
             "inside are \\x20, \\x2C, \\x3B; the line may be repeated."},
    {"table", "max_filesize", KEY_SPECIAL, IN(spec_table, max_filesize_bytes), 1, WHOLE_MAX, "site", .since = "0.1",
     .form = "bytes with a unit, or site", .read = read_table_bytes, .write = write_max_filesize,
     .help = "MAX_FILESIZE of the table; site takes hbase.hregion.max.filesize."},
    {"table", "memstore_flushsize", KEY_SPECIAL, IN(spec_table, memstore_flush_size_bytes), 1, WHOLE_MAX, "site",
     .since = "0.1", .form = "bytes with a unit, or site", .read = read_table_bytes, .write = write_flushsize,
     .help = "MEMSTORE_FLUSHSIZE of the table; site takes hbase.hregion.memstore.flush.size."},
    {"table", "split_policy", KEY_SPECIAL, IN(spec_table, split_policy), .dflt = "site", .since = "0.2",
     .form = "site, a class name, KeyPrefixRegionSplitPolicy BYTES, or DelimitedKeyPrefixRegionSplitPolicy DELIMITER",
     .read = read_table_split_policy, .write = write_table_split_policy, .help = "SPLIT_POLICY of the table.",
     .more = "KeyPrefix cuts each split key to so many bytes, so that rows with one prefix stay together; Delimited "
             "cuts it behind the prefix that the delimiter ends (HBase's notation). The salt counts as part of the "
             "prefix. A key cut down to its region's start gives neither split nor compaction."},
    {"table", "partition", KEY_SPECIAL, IN(spec_table, partition_ns), .dflt = "none", .since = "0.2",
     .form = "none, every 30d, or every 30d keep 90d", .read = read_partition, .write = write_partition,
     .help = "A table of its own for each span of time, dropped so long after its span.",
     .more = "The tables are NAME_001, NAME_002, ...; each is created like this one when its span begins, and the "
             "streams go on to it. Queries and events can't name a partitioned table."},
    {"table", "normalizer", KEY_SPECIAL, IN(spec_table, normalizer), .dflt = "off", .since = "0.2",
     .form = "off, on, split or merge, each of the last three with target BYTES or target N regions",
     .read = read_normalizer, .write = write_normalizer, .help = "NORMALIZATION_ENABLED of the table.",
     .more = "SimpleRegionNormalizer splits regions above twice the mean size (or the target) and merges neighbours that "
             "together stay below it, three days old at least. It knows no salt bucket: a merge across a border is "
             "warned of."},

    {"family", "column", KEY_SPECIAL, IN(spec_family, columns), .repeats = true, .since = "0.1",
     .form = "NAME:BYTES", .read = read_column, .write = write_column,
     .help = "A column that each row has, and the length of its value; repeatable."},
    {"family", "blocksize", KEY_BYTES, IN(spec_family, blocksize_bytes), 1024, 16 * MIB, "64KiB", .since = "0.1",
     .help = "BLOCKSIZE: an HFile's block ends when it has reached this."},
    {"family", "bloom", KEY_SPECIAL, IN(spec_family, bloom_row), .dflt = "row", .since = "0.1",
     .form = "row, rowcol or none", .read = read_bloom, .write = write_bloom, .help = "BLOOMFILTER of the family."},
    {"family", "ttl", KEY_SPECIAL, IN(spec_family, ttl_ns), .dflt = "forever", .since = "0.2",
     .form = "a duration in whole seconds, as 30d, or forever", .read = read_ttl, .write = write_ttl,
     .help = "TTL of the family: older cells are gone at the next compaction of their file.",
     .more = "A file of nothing but expired cells is dropped whole when its store next chooses files, but never the "
             "newest one: that is rewritten to nothing by a major compaction. Regions that expired altogether stay, and "
             "the report counts them."},
    {"family", "versions", KEY_INT, IN(spec_family, versions), 1, 2147483647, "1", .since = "0.2",
     .help = "VERSIONS of the family: so many cells of a column are kept.",
     .more = "Rows that are written again show in files that are kept whole (see sample); a sampled file counts "
             "every cell."},
    {"family", "encoding", KEY_SPECIAL, IN(spec_family, encoding), .dflt = "NONE", .since = "0.2",
     .form = "NONE, PREFIX, DIFF, FAST_DIFF or ROW_INDEX_V1", .read = read_encoding, .write = write_encoding,
     .help = "DATA_BLOCK_ENCODING of the family: how long its files become.",
     .more = "Exact for files that are kept whole; else from the common beginning that neighbours in the sample "
             "show; where keys begin with the entity that is up to a quarter too long."},
    {"family", "compression", KEY_SPECIAL, IN(spec_family, compression), .dflt = "NONE", .since = "0.2",
     .form = "NONE, GZ, SNAPPY, LZ4 or ZSTD, each with a ratio or without, as ZSTD 0.35", .read = read_compression,
     .write = write_compression, .help = "COMPRESSION of the family, and what it makes of a block.",
     .more = "The ratio is compressed bytes / encoded bytes of the data blocks; put your own measurement here. Without "
             "one it is what HBase 2.6's codecs made of decimal sensor text, by encoding, length of the values and "
             "order of the keys."},

    {"stream", "tables", KEY_SPECIAL, IN(spec_stream, tables), .since = "0.1", .form = "NAME, NAME",
     .read = read_tables, .write = write_tables, .help = "The tables that get each row of the stream."},
    {"stream", "entities", KEY_SPECIAL, IN(spec_stream, entities), 1, 4e9, "", .since = "0.1",
     .form = "a count, as 200k", .read = read_entities, .write = write_entities,
     .help = "Number of devices, users or series that write; needed unless keys names a file."},
    {"stream", "arrival", KEY_SPECIAL, IN(spec_stream, arrival), .since = "0.1",
     .form = "every 5s, 40k/s constant, or 40k/s poisson", .read = read_arrival, .write = write_arrival,
     .help = "When rows come: each entity every so often, or so many rows per second in all.",
     .more = "constant is at even distances, poisson at random ones; curve, bursts and growth move either rate."},
    {"stream", "curve", KEY_SPECIAL, IN(spec_stream, curve), .dflt = "flat", .since = "0.2",
     .form = "flat, or day 50% peak 14h", .read = read_curve, .write = write_curve,
     .help = "How the rate follows the day.",
     .more = "day 50% peak 14h swings as a cosine from half to one and a half times the rate, which is the mean; the "
             "peak is a time of day (UTC) of the event time. It needs a rate, not every."},
    {"stream", "bursts", KEY_SPECIAL, IN(spec_stream, curve), .dflt = "none", .repeats = true, .since = "0.2",
     .form = "none, or x5 for 2m every 1h", .read = read_bursts, .write = write_bursts,
     .help = "Bursts: five times the rate in the first two minutes of every hour but the first; repeatable.",
     .more = "They come on top of the rate. flow refuses bursts shorter than a sample window."},
    {"stream", "growth", KEY_SPECIAL, IN(spec_stream, curve), .dflt = "none", .since = "0.2",
     .form = "none, x2 in 1y, or +3% every 30d", .read = read_stream_growth, .write = write_stream_growth,
     .help = "How the rate grows from its beginning: evenly and on, or compounding."},
    {"stream", "active", KEY_SPECIAL, IN(spec_stream, from_ns), .dflt = "all", .since = "0.2",
     .form = "all, from 30d, or from 30d to 60d", .read = read_active, .write = write_active,
     .help = "The stretch of the run in which it writes.",
     .more = "A table that an [event] creates or drops must not be written outside its time."},
    {"stream", "late", KEY_SPECIAL, IN(spec_stream, late_share), .dflt = "none", .since = "0.2",
     .form = "none, or 5% up to 10m", .read = read_late, .write = write_late,
     .help = "Rows whose event time is earlier than their arrival: so many, by an even draw up to this."},
    {"stream", "popularity", KEY_SPECIAL, IN(spec_stream, popularity), .dflt = "uniform", .since = "0.1",
     .form = "uniform, zipf EXPONENT, or hot COUNT SHARE", .read = read_popularity, .write = write_popularity,
     .help = "Which entity a row is of.",
     .more = "hot 1 30% gives one entity 30 % of the rows; popularity draws the entity, the rate stays."},
    {"stream", "clients", KEY_SPECIAL, IN(spec_stream, clients), .dflt = "1 unbuffered", .since = "0.1",
     .form = "N, N unbuffered, N buffered, or N buffered 2MiB", .read = read_clients, .write = write_clients,
     .help = "Writers, and the size of each one's buffer of puts.",
     .more = "Unbuffered is one call a row; buffered without a size takes hbase.client.write.buffer."},
    {"stream", "start", KEY_SPECIAL, IN(spec_stream, start_ms), 0, WHOLE_MAX, "1700000000000ms", .since = "0.1",
     .form = "Unix time in milliseconds", .read = read_start, .write = write_start,
     .help = "Event time of the first row."},
    {"stream", "keys", KEY_SPECIAL, IN(spec_stream, keys_file), .dflt = "", .since = "0.1",
     .form = "FILE escaped, FILE hex, or FILE binary WIDTH", .read = read_keys, .write = write_keys,
     .help = "A file of natural keys that is replayed instead of entities, sought beside the scenario.",
     .more = "escaped is one key a line in HBase's notation, hex one a line in hexadecimal digits, binary 24 keys "
             "of 24 bytes without anything between. arrival is then a rate."},

    {"query", "table", KEY_TEXT, IN(spec_query, table), .since = "0.1", .form = "a table's name",
     .help = "The table that is read."},
    {"query", "kind", KEY_SPECIAL, IN(spec_query, kind), .since = "0.1",
     .form = "range 5m, newest 100, newest 100 FIELD, get, multiget 50, history FIELD 1d, prefix KEY, full, or "
             "count before one of range, history, prefix, full", .read = read_query_kind,
     .write = write_query_kind, .help = "What is asked.",
     .more = "range is the last five minutes of all entities, newest the last hundred rows (with a field: of one "
             "entity), get one row, multiget fifty of them, history one entity's last day, prefix all keys that begin "
             "so (HBase's notation), full the whole table. count sends back one number for each scan. What the key "
             "can't serve as a range is read whole and filtered, and the report says so."},
    {"query", "threads", KEY_SPECIAL, IN(spec_query, threads), .dflt = "all", .since = "0.1",
     .form = "all, serial, or a number", .read = read_query_threads, .write = write_query_threads,
     .help = "How many of a query's scans run at once."},
    {"query", "stop", KEY_SPECIAL, IN(spec_query, stop_merge), .dflt = "limit", .since = "0.1",
     .form = "limit or merge", .read = read_query_stop, .write = write_query_stop,
     .help = "How a newest query ends its scans.",
     .more = "limit gives each scan the number of rows (Scan.setLimit); merge gives none, stops when the merge has "
             "enough, and closes: a full reply from each bucket and a close of each."},
    {"query", "reader", KEY_SPECIAL, IN(spec_query, reader), .dflt = "correct", .since = "0.1",
     .form = "correct, one bucket, no salt, last missed, or other hash", .read = read_query_reader,
     .write = write_query_reader, .help = "What the reader gets wrong, to see what it loses.",
     .more = "one bucket forgets the others; no salt looks for the natural key; last missed leaves the last bucket "
             "out; other hash computes the bucket of a row with another hash than the writer's (and matters where "
             "the reader computes one: get, multiget, a history of one bucket)."},
    {"query", "rate", KEY_RATE, IN(spec_query, rate_per_s), 1e-9, 1e9, .since = "0.1",
     .help = "How often the query is asked."},

    {"event", "at", KEY_DURATION, IN(spec_event, at_ns), 0, 100 * YEAR, .since = "0.1",
     .help = "When it happens, from the beginning of the run; before its end."},
    {"event", "do", KEY_SPECIAL, IN(spec_event, kind), .since = "0.1",
     .form = "add server, add N servers, lose server RS, drain RS, restart RS, rolling restart, move TABLE,KEY RS, "
             "balance, balancer on, balancer off, split TABLE,KEY [AT], merge TABLE,KEY TABLE,KEY, flush TABLE[,KEY], "
             "compact TABLE[,KEY], major_compact TABLE[,KEY], create TABLE, or drop TABLE", .read = read_event_do, .write = write_event_do,
     .help = "What happens.",
     .more = "Servers are rs00, rs01, ...; those that are added take the next numbers. lose server kills it: its "
             "memstores come back from the write-ahead log once the master has noticed. drain moves its regions off; it "
             "takes no new ones. restart moves the regions off, restarts it and moves them back, the balancer being "
             "off meanwhile; rolling restart does so with one server after the other. move names the region by its "
             "table and a row in it, as telemetry,\\x03 (telemetry, is the first one); without a server any other "
             "takes it. split cuts the region at the key behind it, or at the midkey of its largest file; merge joins two "
             "neighbours on the server of the lower one; flush, compact and major_compact do what the shell's commands "
             "do, to a region or to all of a table. What HBase would refuse is refused, and the event says why. A table with a "
             "create event isn't there before; drop disables it and takes its files away."},

    {"expect", "scope", KEY_SPECIAL, IN(spec_expect, scope), .dflt = "all", .since = "0.1",
     .form = "all, server [RS], table [NAME], or region [TABLE,KEY]", .read = read_expect_scope,
     .write = write_expect_scope, .help = "What the figure is of.",
     .more = "Without a name each server, table or region is judged, and the worst one decides. A region is named by "
             "its table and a row in it; TABLE, is the first one."},
    {"expect", "metric", KEY_SPECIAL, IN(spec_expect, metric), .since = "0.1", .form = "a figure of result.json",
     .read = read_expect_metric, .write = write_expect_metric, .help = "The figure that is judged.",
     .more = "Of the whole, in any window: hot_server_ratio, hot_region_share, hot_region_ratio, servers (means); "
             "write_tails, effective_tails, tails_per_server_max (medians); offered, done, rejected, refusals, "
             "connection_losses, flushes, compactions, splits, moves, blocked_s (sums); queued, regions, p50_us, "
             "p99_us, p999_us, max_us (the worst sample window). For the whole run all of result.json's summary. With "
             "scope = server: writes, tails, and for the whole run the columns of servers.csv; so with table and "
             "region. Of a query for the whole run: NAME.scans, NAME.p99_us and the like."},
    {"expect", "bound", KEY_SPECIAL, IN(spec_expect, bound), .since = "0.1", .form = "<= NUMBER, or >= NUMBER",
     .read = read_expect_bound, .write = write_expect_bound,
     .help = "What it must keep, with the unit of the figure: 1.6, 30%, 50ms, 10GiB, 100k/s."},
    {"expect", "window", KEY_SPECIAL, IN(spec_expect, last_ns), .dflt = "all", .since = "0.1",
     .form = "all, last 1h, from 6h, or from 6h to 8h", .read = read_expect_window, .write = write_expect_window,
     .help = "The stretch of time that is judged."},
    {"expect", "issue", KEY_TEXT, IN(spec_expect, issue), .dflt = "", .since = "0.1", .form = "any text",
     .help = "A known failure: the expectation must then fail, and passing is the error."},

    {"plan", "candidates", KEY_SPECIAL, IN(spec_plan, candidates), .repeats = true, .since = "0.1",
     .form = "a list, as none,1,8,12 or none,1..64 or 1..64 x2", .read = read_candidates, .write = write_candidates,
     .help = "Bucket counts that the planner tries; repeatable."},
    {"plan", "targets", KEY_SPECIAL, IN(spec_plan, targets), .repeats = true, .since = "0.1",
     .form = "FIGURE <= BOUND, FIGURE >= BOUND, ...", .read = read_targets, .write = write_targets,
     .help = "Bounds that a bucket count must keep; repeatable.",
     .more = "Figures are those of result.json's summary, as hot_server_ratio <= 1.6 or "
             "max_write_rate_per_s >= 100k/s, and of a query QUERY.scans, rpcs, regions, rows_scanned, p50, p95, "
             "p99 and p999, as window.scans <= 24, latest.p99 <= 50ms. Times of a query come from one run of each "
             "candidate, at the scenario's seed and first size, so they have no interval; the picture latency shows them over N. plan --latency "
             "times queries without such a target."},
    {"plan", "headroom", KEY_RATIO, IN(spec_plan, headroom), 0, 100, "0", .since = "0.1",
     .help = "Room above the needed rate: 30% asks for 1.3 times the offered rate at every stage."},
    {"plan", "phoenix", KEY_SPECIAL, IN(spec_plan, phoenix_version), .dflt = "5.2.1", .since = "0.2",
     .form = "a version, as 5.2.1", .read = read_phoenix_version, .write = write_phoenix_version,
     .help = "Version of Phoenix that reads and writes the table, where its salt is phoenix.",
     .more = "The plan's gates know what a version does wrong: up to 5.2.1 ranges on salted tables that have split lose rows "
             "(PHOENIX-7580)."},
    {"plan", "growth", KEY_SPECIAL, IN(spec_plan, growth), .dflt = "", .repeats = true, .since = "0.1",
     .form = "A -> B servers in TIME, rate xFACTOR in TIME, or rate +SHARE every TIME",
     .read = read_growth, .write = write_growth,
     .help = "How the cluster and its load grow while N stays; repeatable.",
     .more = "12 -> 16 servers in 2y adds them one by one at equal spans; 12 -> 14 -> 20 servers in 2y passes 14 after "
             "one year. rate x2 in 2y grows evenly, rate +3% every 30d compounds. A bucket count must keep the targets "
             "all the way."},
    {.section = NULL},
};

const struct scenario_section_kind *scenario_section_kind(const char *kind)
{
    for (const struct scenario_section_kind *sec = scenario_sections; sec->kind; sec++) {
        if (strcmp(sec->kind, kind) == 0)
            return sec;
    }
    return NULL;
}

const struct scenario_key *scenario_key_find(const char *section, const char *name)
{
    for (const struct scenario_key *key = scenario_keys; key->section; key++) {
        if (strcmp(key->section, section) == 0 && strcmp(key->name, name) == 0)
            return key;
    }
    return NULL;
}
