/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One function a picture, each in the file of its name. They fill a layout that was initialised. */
#ifndef CHART_PICTURES_H
#define CHART_PICTURES_H

#include <stdbool.h>

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

/* Load by server: a panel each for no salt, N and 2N; bars sorted by load, the fair share as a grey
   line, one server's capacity as a black one, servers without writes said so.

       unsalted          16 buckets        32 buckets
       rs05 ########|    rs03 ####:   |    rs01 ###:    |
       rs00 0       |    rs07 ####:   |    rs02 ###:    |
       ...          |    rs01 ##  :   |    rs00 ##:     | */
void servers_layout(const struct result *res, struct layout *lay);
bool servers_applies(const struct result *res);

#endif
