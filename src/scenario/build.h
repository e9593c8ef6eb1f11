/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The steps from the INI text to the spec, inside the room: overrides into the text's lists,
   every key into the spec, then the checks of what belongs together. */
#ifndef SCENARIO_BUILD_H
#define SCENARIO_BUILD_H

#include <stdint.h>

#include "scenario/ini.h"
#include "scenario/key.h"
#include "scenario/scenario.h"

/* ini_section.index of a section that no element of the spec belongs to. */
#define BUILD_NOWHERE SIZE_MAX

struct build {
    struct ini_file ini;
    struct scenario *sc;
    struct scenario_diags *dgs;
    const char *file;                 /* for messages about the scenario as a whole */
    const char *folder;               /* where files are that it names */
    const char *presets;              /* the folder of `preset = NAME`; NULL = unknown */
    size_t odd_heads;                 /* sections whose head could not be read or is unknown */
    bool no_memory;
};

/* Keeps a text for places; NULL without memory. */
const char *build_keep(struct build *bld, const char *text);

/* Puts what [scenario] preset and include name under the lists. False when one of them can't be read whole:
   what else would be said of the scenario were consequences. */
bool build_include(struct build *bld);

/* The folder of the file that a place is in ("dir/" or ""), for files that it names; the caller frees it.
   NULL without memory. */
char *build_folder_of(const struct build *bld, struct scenario_place at);

/* Larger than any scenario. */
#define SCENARIO_FILE_MAX (4u << 20)

/* Writes the command line's changes into the lists. */
void build_override(struct build *bld, const struct scenario_override *overrides, size_t len);

/* Reads every section and key into the spec; says what is unknown, missing or unreadable. */
void build_resolve(struct build *bld);

/* What belongs together: names, sizes, key layouts, files. */
void build_check(struct build *bld);
void build_check_keys(struct build *bld, const struct ini_section *table_section, struct spec_table *tab);
void build_check_key_file(struct build *bld, const struct ini_section *section, const struct spec_stream *str);

/* How tables split and are merged later; what HBase runs badly, with the formula's numbers. */
void build_check_splitting(struct build *bld);
/* Tables that come and go. */
void build_check_lifetimes(struct build *bld);
/* What moves a stream's rate. */
void build_check_curves(struct build *bld);
void build_warn_sizes(struct build *bld);

/* Servers that come and go, in the order of time: value_event.c's words against the cluster. */
void build_check_events(struct build *bld);

/* What expectations name, and their windows. */
void build_check_expects(struct build *bld);

/* Lists the resolved values with their origins. */
void build_values(struct build *bld);

/* The element of the spec that a section fills; NULL if none. */
void *build_target(struct spec *sp, const struct ini_section *section);

/* Where the key's value stands, else the section's head; and whether it was given, and readable. */
struct scenario_place build_place(const struct ini_section *section, const char *key);
bool build_given(const struct ini_section *section, const char *key);
bool build_good(const struct ini_section *section, const char *key);

/* "scenario.ini:12" or the option, for messages that name a second place. */
const char *build_place_text(struct scenario_place at, char *text, size_t cap);

/* Whether a section that could not be understood may be that table: then its absence is no mistake
   of its own. */
bool build_lost_table(const struct build *bld, const char *name);

/* The section of that kind and name that fills the spec; NULL if none. */
const struct ini_section *build_section(const struct build *bld, const char *kind, const char *name);


#endif
