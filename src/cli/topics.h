/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Words of reports and of result.json that are no keys of a scenario: figures, the gates of a plan, and the codes
   of diagnostics. One row a word; explain prints them, and a test holds the table complete. */
#ifndef CLI_TOPICS_H
#define CLI_TOPICS_H

struct cli_topic {
    const char *kind;                 /* "figure", "gate", "code", "word" */
    const char *word;
    const char *where;                /* where it is found; NULL = the kind says it */
    const char *text;                 /* meaning, how it is made, what to do; a newline begins a paragraph */
};

/* Ends with a NULL word. */
extern const struct cli_topic cli_topics[];

#endif
