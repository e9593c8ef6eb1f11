/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The page's sections behind its pictures; each prints nothing where the result has nothing for it. */
#ifndef PAGE_SECTIONS_H
#define PAGE_SECTIONS_H

#include <stdio.h>

#include "result/result.h"

void section_numbers(const struct result *res, FILE *to);     /* the runs side by side */
void section_patterns(const struct result *res, FILE *to);    /* the key space's pattern and cure */
void section_candidates(const struct result *res, FILE *to);
void section_queries(const struct result *res, FILE *to);
void section_servers(const struct result *res, FILE *to);
void section_events(const struct result *res, FILE *to);
void section_notes(const struct result *res, FILE *to);       /* diagnostics, and what the figures rest on */
void section_scenario(const struct result *res, FILE *to);    /* as it was resolved */

#endif
