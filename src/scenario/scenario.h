/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A scenario: INI text and command line in, a checked struct spec out, with the origin of every
   value. Use: zero a struct scenario_diags, call scenario_load, print the diagnostics, work with
   sc.spec, then scenario_free and diags_free. The room prints nothing. */
#ifndef SCENARIO_SCENARIO_H
#define SCENARIO_SCENARIO_H

#include <stddef.h>

#include "scenario/diag.h"
#include "spec/spec.h"

/* What the command line changes, in the order in which it was given. */
enum scenario_override_kind {
    SCENARIO_SET,                     /* --set '[table telemetry] buckets=24' */
    SCENARIO_PROPERTY,                /* -D hbase.hregion.max.filesize=1073741824 */
    SCENARIO_BUCKETS,                 /* --buckets N|none, every salted table */
    SCENARIO_SERVERS,
    SCENARIO_RATE,                    /* of the scenario's one stream */
    SCENARIO_DURATION,
    SCENARIO_SEED,
    SCENARIO_DETAIL,
    SCENARIO_EXPECT,                  /* METRIC <= BOUND [of SCOPE] [over WINDOW] */
    SCENARIO_ROW,                     /* --row 1kB: one column of that size in the one family */
    SCENARIO_PRESETS                  /* no change: the folder of the presets, for preset = NAME */
};

struct scenario_override {
    enum scenario_override_kind kind;
    const char *text;                 /* the option's argument */
};

struct scenario_key;

/* One resolved value in the words of the INI file. */
struct scenario_value {
    const struct scenario_key *key;   /* its row in the table of options */
    char *section;                    /* "cluster", "table telemetry" */
    char *text;                       /* canonical: reads back to the same value */
    bool is_number;                   /* then |number| is the value in the key's base unit */
    double number;
    struct scenario_place place;      /* file NULL: the default */
};

struct scenario {
    struct spec spec;
    struct scenario_value *values;    /* in the order of the sections, then of the key table */
    size_t values_len;
    char **places;                    /* file names and option texts that places point to */
    size_t places_len;
};

enum scenario_status {
    SCENARIO_OK = 0,
    SCENARIO_INVALID = -1,            /* the diagnostics say what is wrong */
    SCENARIO_UNREADABLE = -2,         /* the scenario, or a file that it names, can't be read; nothing else is wrong */
    SCENARIO_NO_MEMORY = -3
};

/* Reads the scenario at |path| ("-" = standard input), applies the overrides in their order and
   checks all of it. Files that it names are sought beside it. Warnings may come with SCENARIO_OK.
   |sc| needs no initialisation and is empty (scenario_free is harmless) unless SCENARIO_OK. */
enum scenario_status scenario_load(const char *path, const struct scenario_override *overrides,
                                   size_t overrides_len, struct scenario *sc, struct scenario_diags *dgs);

/* The same for a text in memory of |len| bytes, named |name| in messages. */
struct scenario_text {
    const char *name;                 /* file name for messages, origins and base_name */
    const char *bytes;
    size_t len;
};
enum scenario_status scenario_parse(const struct scenario_text *text, const struct scenario_override *overrides,
                                    size_t overrides_len, struct scenario *sc, struct scenario_diags *dgs);

void scenario_free(struct scenario *sc);

/* The resolved scenario as a list in base units (spec_setting); 0, or -1 without memory. */
int scenario_settings(const struct scenario *sc, struct spec_settings *set);

#endif
