/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The reader between the text and inih: looks at each physical line before inih does. */
#include <ini.h>
#include <stdint.h>
#include <string.h>

#include "scenario/ini.h"
#include "scenario/text.h"

struct lines {
    const char *file;
    const char *next, *end;           /* the text that is still to come */
    struct ini_file *ini;
    struct scenario_diags *dgs;
    struct ini_section *section;      /* NULL: none, or one whose header could not be read */
    bool before_sections;
    int line;
    struct scenario_place key_at, value_at;
};

static struct scenario_place place(const struct lines *lns, size_t column)
{
    struct scenario_place at = {lns->file, lns->line, (int)column + 1};

    return at;
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

/* Offset of an inline comment's ';' (one after a blank), or |len|. */
static size_t comment_at(const char *line, size_t len)
{
    for (size_t i = 1; i < len; i++) {
        if (line[i] == ';' && is_blank(line[i - 1]))
            return i;
    }
    return len;
}

/* Length of the valid UTF-8 sequence at |s|, of at most |len| bytes; 0 if there is none. */
static size_t utf8_length(const char *text, size_t len)
{
    const uint8_t *s = (const uint8_t *)text;
    size_t n = s[0] < 0x80 ? 1 : s[0] < 0xc2 ? 0 : s[0] < 0xe0 ? 2 : s[0] < 0xf0 ? 3 : s[0] < 0xf5 ? 4 : 0;

    if (n == 0 || n > len)
        return 0;
    for (size_t i = 1; i < n; i++) {
        if ((s[i] & 0xc0) != 0x80)
            return 0;
    }
    if ((s[0] == 0xe0 && s[1] < 0xa0) || (s[0] == 0xed && s[1] > 0x9f) || (s[0] == 0xf0 && s[1] < 0x90) ||
        (s[0] == 0xf4 && s[1] > 0x8f))
        return 0;
    return n;
}

static bool bytes_are_text(struct lines *lns, const char *line, size_t len)
{
    for (size_t i = 0; i < len;) {
        size_t n = utf8_length(line + i, len - i);
        unsigned char c = (unsigned char)line[i];

        if (n == 0) {
            diags_error(lns->dgs, place(lns, i), "byte 0x%02x is not UTF-8 text", c);
            return false;
        }
        if ((c < 0x20 && c != '\t') || c == 0x7f) {
            diags_error(lns->dgs, place(lns, i), "control character 0x%02x", c);
            if (c == 0)
                diags_hint(lns->dgs, "a byte of a row key is written \\x00");
            return false;
        }
        i += n;
    }
    return true;
}

static bool open_section(struct lines *lns, const char *line, size_t from, size_t len)
{
    const char *close = memchr(line + from, ']', len - from);
    char kind[INI_SECTION_MAX + 1], name[INI_SECTION_MAX + 1];
    size_t to = close ? (size_t)(close - line) : len, after;

    if (!close) {
        diags_error(lns->dgs, place(lns, from), "the section's ']' is missing");
        return false;
    }
    after = to + 1;
    while (after < len && is_blank(line[after]))
        after++;
    if (after < len && !(line[after] == ';' && is_blank(line[after - 1]))) {
        diags_error(lns->dgs, place(lns, after), "text after ']'");
        diags_hint(lns->dgs, "a comment begins with ' ;', a key stands on a line of its own");
        return false;
    }
    if (to - from - 1 > INI_SECTION_MAX) {
        diags_error(lns->dgs, place(lns, from + 1), "section name of %zu bytes; at most %d are read", to - from - 1,
                    INI_SECTION_MAX);
        return false;
    }
    if (comment_at(line + from, to - from) < to - from) {
        diags_error(lns->dgs, place(lns, from), "a section name holds no ';'");
        return false;
    }
    if (!ini_split_header(line + from + 1, to - from - 1, kind, name)) {
        diags_error(lns->dgs, place(lns, from), "'%.*s' is not a section: one word, or a word and a name",
                    (int)(to - from + 1), line + from);
        return false;
    }
    lns->section = ini_add_section(lns->ini, kind, name, place(lns, from));
    return lns->section != NULL;
}

/* Whether the line is `key = value` for inih and for us. */
static bool check_entry(struct lines *lns, const char *line, size_t from, size_t len)
{
    size_t comment = from + comment_at(line + from, len - from);
    const char *equal = memchr(line + from, '=', comment - from);
    const char *colon = memchr(line + from, ':', comment - from);
    size_t eq, key_end, value;

    if (!equal || (colon && colon < equal)) {
        size_t at = colon && (!equal || colon < equal) ? (size_t)(colon - line) : comment;

        while (at == comment && at > from && is_blank(line[at - 1]))
            at = --comment;
        diags_error(lns->dgs, place(lns, at), "expected '=' after the key%s", colon ? ", not ':'" : "");
        return false;
    }
    eq = key_end = (size_t)(equal - line);
    while (key_end > from && is_blank(line[key_end - 1]))
        key_end--;
    if (key_end == from) {
        diags_error(lns->dgs, place(lns, from), "no key before '='");
        return false;
    }
    if (strchr("<>!", line[key_end - 1])) {
        char sign = line[key_end - 1];
        size_t key_len = key_end - 1 - from;

        while (key_len > 0 && is_blank(line[from + key_len - 1]))
            key_len--;
        diags_error(lns->dgs, place(lns, key_end - 1), "'%c=' can't stand for the '=' after the key", sign);
        diags_hint(lns->dgs, "write '%.*s = %c= ...'", (int)key_len, line + from, sign);
        return false;
    }
    value = eq + 1;
    while (value < comment && is_blank(line[value]))
        value++;
    if (value < comment && line[value] == ';') {
        /* inih takes it when no blank stands before it; printed again it would be a comment. */
        diags_error(lns->dgs, place(lns, value), "a value can't begin with ';'");
        diags_hint(lns->dgs, "a comment begins with ' ;'; in a row key write \\x3B");
        return false;
    }
    lns->key_at = place(lns, from);
    lns->value_at = place(lns, value);
    return true;
}

/* Whether inih may see the line; what is wrong is reported. */
static bool inspect(struct lines *lns, const char *line, size_t from, size_t len)
{
    bool header = line[from] == '[', good;

    if (header) {
        lns->section = NULL;
        lns->before_sections = false;
    } else if (lns->before_sections) {
        diags_error(lns->dgs, place(lns, from), "a key before the first [section]");
        diags_hint(lns->dgs, "preset and include belong to [scenario]");
        return false;
    }
    if (len - from > INI_LINE_MAX) {
        diags_error(lns->dgs, place(lns, from), "line of %zu bytes; at most %d are read", len - from, INI_LINE_MAX);
        diags_hint(lns->dgs, "a list may repeat its key on further lines; a comment may have its own");
        good = false;
    } else {
        good = bytes_are_text(lns, line, len) &&
               (header ? open_section(lns, line, from, len) : check_entry(lns, line, from, len));
    }
    if (!good && header)
        lns->ini->bad_heads++;
    else if (!good && lns->section)
        lns->section->bad_lines = true;
    return good;
}

/* inih's reader: the next line, or an empty one where it shall see nothing. */
static char *next_line(char *str, int num, void *stream)
{
    struct lines *lns = stream;
    const char *line = lns->next, *stop;
    size_t len, from = 0;

    if (line == lns->end)
        return NULL;
    stop = memchr(line, '\n', (size_t)(lns->end - line));
    lns->next = stop ? stop + 1 : lns->end;
    len = (size_t)((stop ? stop : lns->end) - line);
    lns->line++;
    if (len > 0 && line[len - 1] == '\r')
        len--;
    while (from < len && is_blank(line[from]))
        from++;
    if (num < INI_LINE_MAX + 2 || from == len || line[from] == ';' || line[from] == '#' ||
        !inspect(lns, line, from, len)) {
        strcpy(str, "\n");
        return str;
    }
    memcpy(str, line + from, len - from);
    strcpy(str + len - from, "\n");
    return str;
}

static int take_entry(void *user, const char *section, const char *key, const char *value)
{
    struct lines *lns = user;
    struct ini_entry *entry;

    (void)section; /* the reader knows it better */
    if (!lns->section)
        return 1;
    entry = ini_add_entry(lns->ini, lns->section, key, value);
    if (entry) {
        entry->key_at = lns->key_at;
        entry->value_at = lns->value_at;
    }
    return 1;
}

/* Sections that come twice; inih merges them and keeps quiet. */
static void check_sections(struct ini_file *ini, struct scenario_diags *dgs)
{
    char header[INI_SECTION_MAX + 4];

    for (size_t i = 0; i < ini->sections_len; i++) {
        struct ini_section *sec = &ini->sections[i];
        const struct ini_section *first = ini_find(ini, sec->kind, sec->name);

        if (first != sec) {
            sec->double_section = true;
            diags_error(dgs, sec->at, "section %s stands already at %s:%d", ini_header(sec, header), first->at.file,
                        first->at.line);
            diags_hint(dgs, "put its keys together");
        }
    }
}

int ini_read(const char *file, const char *bytes, size_t len, struct ini_file *ini, struct scenario_diags *dgs)
{
    struct lines lns = {.file = file, .next = bytes, .end = bytes + len, .ini = ini, .dgs = dgs,
                        .before_sections = true};
    int status;

    memset(ini, 0, sizeof *ini);
    if (len >= 3 && memcmp(bytes, "\xef\xbb\xbf", 3) == 0)
        lns.next += 3;
    status = ini_parse_stream(next_line, &lns, take_entry, &lns);
    if (status == -2)
        ini->no_memory = true;
    else if (status != 0)
        diags_error(dgs, place(&lns, 0), "line %d can't be read", status);
    check_sections(ini, dgs);
    return ini->no_memory ? -1 : 0;
}
