/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One function a picture, each in the file of its name. They fill a layout that was initialised. */
#ifndef CHART_PICTURES_H
#define CHART_PICTURES_H

#include <stdbool.h>
#include <stdio.h>

#include "chart/frame.h"
#include "chart/layout.h"
#include "result/result.h"

/* Key space over time. Left the unsalted run, right the scenario; one panel without comparison.

       unsalted                      16 buckets
       +------------------+ rs07     +------------------+ rs03   # 1
       |\                 |          |\00 -.__          | rs11   #
       |  \               |          |\01 -.__          | rs00   # 1/8
       |    \    x--------|          |...               |        #
       +------------------+          +------------------+        # 1/64
       0    30m    1h                0    30m    1h

   Colour: rows/s as a share of one server's capacity, log2 from 1/64 to 1. Cross and line: a region
   split and its border. Beside a band: the server that held it at the end, coloured by its load. */
void keyspace_layout(const struct result *res, struct layout *lay);
bool keyspace_applies(const struct result *res);

/* One of its panels; the colour scale's octaves (theme.h) must be the same in all of a page. */
void keyspace_panel(struct layout *lay, const struct frame_panel *pn, int octaves);

/* The first bytes of the buckets' keys left of a panel's plot, at most 16. */
void keyspace_bucket_labels(struct layout *lay, const struct frame_panel *pn);

/* Load by server: a panel each for no salt, N and 2N; bars sorted by load, the fair share as a grey
   line, one server's capacity as a black one, servers without writes said so.

       unsalted          16 buckets        32 buckets
       rs05 ########|    rs03 ####:   |    rs01 ###:    |
       rs00 0       |    rs07 ####:   |    rs02 ###:    |
       ...          |    rs01 ##  :   |    rs00 ##:     | */
void servers_layout(const struct result *res, struct layout *lay);
bool servers_applies(const struct result *res);

/* The scenario's servers alone, with names, axis and title, inside |area|; the title stands above it. */
void servers_panel(struct layout *lay, const struct result *res, struct box area);

/* Writes over time: rates above, latency below, events underneath.

       rows/s   ........................... offered
                --------------------------- done
       ms  100  ~~~~~~~~|~~~~~~~|~~~~~~~~~~ p99.9     |: a region was away
            10  ~~~~~~~~~~~~~~~~~~~~~~~~~~~ p99
       flush    v  v  v  v  v  v  v  v  v     48
       split             xxxx                  8 */
void writes_layout(const struct result *res, struct layout *lay);
bool writes_applies(const struct result *res);

/* Regions over time: each from birth to split or move, in key order, filled by its server, with its
   size at the end; crosses are splits, arrows moves.

       +--------x-------------+ 1.2 GiB
       | rs03   | rs03        |
       |        +---->--------+ 0.8 GiB
       |        | rs03 | rs07 |
       +--------+------+------+ */
void regions_layout(const struct result *res, struct layout *lay);
bool regions_applies(const struct result *res);

/* Write tails on each server (rows) over time: bright rows do more than others.

       rs00 ####::::####  2
       rs01 ............  0 */
void tails_layout(const struct result *res, struct layout *lay);
bool tails_applies(const struct result *res);
void tails_csv(const struct result *res, FILE *to);

/* The plan's candidates: hot server ratio with its target, capacity with the demand, scans of a
   query, each against N; what does not meet the targets is grey, the chosen N is ringed. */
void plan_layout(const struct result *res, struct layout *lay);
bool plan_applies(const struct result *res);

/* Choosing N: the write rate that the table sustains (upward) against what one query opens, a point for
   each N with its interval; hatched where a target is missed, the chosen N ringed, the next smaller and
   larger with why not. */
void choice_layout(const struct result *res, struct layout *lay);
bool choice_applies(const struct result *res);

/* Latency of queries against N: a panel for each query, p50 and p99 over the candidates, its target, the chosen N
   ringed. Where fewer rows come back than with other N (servers don't keep up) a cross, and no line.

       window: range 300s          latest: newest 100
       10 s  ---------- target     100 ms
             o                            o
        1 s    `-(o)-.__o p99      10 ms   `-(o)--o p99
             none 8  16 48                none 8 16 48 */
void latency_layout(const struct result *res, struct layout *lay);
bool latency_applies(const struct result *res);
void latency_csv(const struct result *res, FILE *to);

/* Layouts of the key against the table's queries: a cell for each, blue where the query is a range of that key,
   vermillion where the table is read whole; with scans, rows read for a row returned, p99. The first row, framed,
   is the table as it is.

                         window                    history
       own layout      | range of the key        | full scan with filter
       time first...   | 16 scans, 1.00, 12 ms   | 16 scans, 200 k, 3.1 s */
void layouts_layout(const struct result *res, struct layout *lay);
bool layouts_applies(const struct result *res);
void layouts_csv(const struct result *res, FILE *to);

/* What would change the answer: bars from the plan as it is to each case, the largest effect on top.

                          margin          room for load      recommended then
       rate x2          |    #####|      |   ########|       N = 24
       one server lost  |      ###|      |         ##|       N = 8 */
void tornado_layout(const struct result *res, struct layout *lay);
bool tornado_applies(const struct result *res);
void tornado_csv(const struct result *res, FILE *to);

/* Model against measurement (result/measured.h): all figures against the diagonal, and each one's factor, the
   furthest off first.

       simulated          .'              salt8 splits   ---o--|-- 0.97x
             |         o.'                first_split_s        |-x- 1.12x
             |     o .'
             +-----.'---- measured                     0.8     1     1.2 */
void calibration_layout(const struct result *res, struct layout *lay);
bool calibration_applies(const struct result *res);
void calibration_csv(const struct result *res, FILE *to);

/* One page for a document: the verdict; the key space before and after, the servers, and choosing N or writes
   over time; the numbers. */
void summary_layout(const struct result *res, struct layout *lay);
bool summary_applies(const struct result *res);

/* Its fourth panel around the plot |box|: what each N carries where there is a plan, else writes over time. */
void summary_panel(struct layout *lay, const struct result *res, struct box box);

#endif
