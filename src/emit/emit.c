/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What every target needs first: names that HBase takes, the scheme, the split keys. */
#include "emit/emit.h"

#include <stdarg.h>
#include <string.h>

#include "emit/parts.h"
#include "emit/quote.h"
#include "spec/scheme.h"

const struct emit_target emit_targets[] = {
    {"shell", "create.rb", "create statement for the hbase shell", emit_shell},
    {"splits-file", "splits.txt", "SPLITS_FILE, a key a line", emit_splits_file},
    {"regionsplitter", "regionsplitter.sh", "RegionSplitter's command line", emit_region_splitter},
    {"java", "CreateTable.java", "Java: creates the table, builds the salt", emit_java},
    {"phoenix", "phoenix.sql", "Phoenix's CREATE TABLE", emit_phoenix},
    {"opentsdb", "opentsdb.conf", "OpenTSDB's salt settings", emit_opentsdb},
    {"balancer", "balancer.rb", "hbase shell: see the placement, run the balancer", emit_balancer},
    {"pe", "pe.sh", "load test with hbase pe", emit_pe},
    {"ltt", "ltt.sh", "load test with hbase ltt", emit_ltt},
    {"ycsb", "workload.properties", "YCSB workload file", emit_ycsb},
    {NULL, NULL, NULL, NULL},
};

const struct emit_target *emit_target_by_name(const char *name)
{
    for (const struct emit_target *t = emit_targets; t->name; t++) {
        if (strcmp(t->name, name) == 0)
            return t;
    }
    return NULL;
}

int emit_fail(struct emit *em, int status, const char *fmt, ...)
{
    va_list ap;

    va_start(ap, fmt);
    vsnprintf(em->reason, sizeof em->reason, fmt, ap);
    va_end(ap);
    return status;
}

static bool name_char(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/* TableName.valueOf of 2.6: namespace [a-zA-Z0-9_]+, a colon, then [a-zA-Z0-9_.-]+ that begins with
   neither . nor -. (HBase also takes letters beyond ASCII; its tools don't all, so they are refused.) */
static int check_table_name(struct emit *em, const char *name)
{
    const char *colon = strchr(name, ':');
    const char *q = colon ? colon + 1 : name;

    for (const char *p = name; colon && p < colon; p++) {
        if (!name_char(*p))
            return emit_fail(em, EMIT_INVALID, "a namespace has letters, digits and _ only");
    }
    if (colon == name || *q == '\0' || *q == '.' || *q == '-')
        return emit_fail(em, EMIT_INVALID, "a table's name is not empty and begins with a letter, digit or _");
    for (; *q; q++) {
        if (!name_char(*q) && *q != '.' && *q != '-')
            return emit_fail(em, EMIT_INVALID, "a table's name has letters, digits, _ . and - only");
    }
    return 0;
}

/* ColumnFamilyDescriptorBuilder.isLegalColumnFamilyName of 2.6. */
static int check_family_name(struct emit *em, const char *name)
{
    if (name[0] == '\0' || name[0] == '.')
        return emit_fail(em, EMIT_INVALID, "a family's name is not empty and doesn't begin with a dot");
    for (const char *p = name; *p; p++) {
        if ((unsigned char)*p < 0x20 || *p == 0x7f || *p == ':' || *p == '/' || *p == '\\')
            return emit_fail(em, EMIT_INVALID, "a family's name has no control character and none of : / \\");
    }
    return 0;
}

/* The split keys that the words of `splits =` stand for. */
static int fill_splits(struct emit *em, struct saltkey_error *err)
{
    const struct spec_table *t = em->table;
    const struct saltkey_salt *salt = &em->scheme.salt;
    const uint32_t regions = (uint32_t)(t->splits_regions > 0 ? t->splits_regions : 1);
    int rc = 0;

    switch (t->splits) {
    case SPEC_SPLITS_NONE:
        return 0;
    case SPEC_SPLITS_BUCKETS:
        if (spec_scheme_hashed_prefix(&em->scheme))
            return saltkey_split_hex_prefix(regions, salt->width - 1, &em->splits, err);
        return salt->hash == SALTKEY_HASH_NONE ? 0 : saltkey_split_buckets(salt, regions, &em->splits, err);
    case SPEC_SPLITS_HEX:
        return saltkey_split_hex_string(regions, &em->splits, err);
    case SPEC_SPLITS_DECIMAL:
        return saltkey_split_decimal_string(regions, &em->splits, err);
    case SPEC_SPLITS_UNIFORM:
        return saltkey_split_uniform(regions, &em->splits, err);
    case SPEC_SPLITS_FILE:
    case SPEC_SPLITS_KEYS:
        break;
    }
    for (size_t i = 0; i < t->split_keys_len && rc == 0; i++)
        rc = saltkey_keys_add(&em->splits, (struct saltkey_slice){t->split_keys[i].bytes, t->split_keys[i].len});
    return rc == 0 && em->splits.count > 0 ? saltkey_keys_finish(&em->splits, err) : rc;
}

int emit_open(struct emit *em, const struct spec *sp, const struct spec_table *table)
{
    struct saltkey_error err = {0};
    int rc;

    memset(em, 0, sizeof *em);
    em->spec = sp;
    em->table = table;
    saltkey_keys_init(&em->splits, NULL);
    rc = check_table_name(em, table->name);
    for (size_t i = 0; i < table->families_len && rc == 0; i++)
        rc = check_family_name(em, table->families[i].name);
    if (rc < 0)
        return rc;
    if (table->families_len == 0)
        return emit_fail(em, EMIT_INVALID, "the table has no family");
    rc = spec_table_scheme(table, &em->scheme, &err);
    if (rc == 0)
        rc = fill_splits(em, &err);
    if (rc == 0)
        return 0;
    saltkey_keys_free(&em->splits);
    if (rc == SALTKEY_ENOMEM)
        return emit_fail(em, EMIT_NO_MEMORY, "not enough memory");
    return emit_fail(em, EMIT_INVALID, "%s", err.reason[0] ? err.reason : saltkey_status_text(rc));
}

void emit_close(struct emit *em)
{
    saltkey_keys_free(&em->splits);
}

bool emit_salted(const struct emit *em)
{
    return em->scheme.salt.hash != SALTKEY_HASH_NONE;
}

size_t emit_regions(const struct emit *em)
{
    return em->splits.count + 1;
}

bool emit_phoenix_salt(const struct emit *em)
{
    const struct saltkey_scheme *s = &em->scheme;
    const uint32_t all = s->layout.n_fields >= 32 ? UINT32_MAX : (UINT32_C(1) << s->layout.n_fields) - 1;

    return s->salt.hash == SALTKEY_HASH_ARRAYS && s->salt.mod.remainder == SALTKEY_ABS &&
           s->salt.prefix == SALTKEY_PREFIX_BYTES && s->salt.width == 1 && (s->over & all) == all;
}

const char *emit_splits_name(struct emit *em, char *name, size_t cap)
{
    if (em->splits_file)
        return em->splits_file;
    if (em->splits.count <= EMIT_SPLITS_INLINE)
        return NULL;
    snprintf(name, cap, "%s-splits.txt", em->table->name);
    for (char *p = name; *p; p++) {
        if (*p == ':')
            *p = '_';
    }
    return name;
}

void emit_about(struct emit *em, const char *mark, FILE *out)
{
    fprintf(out, "%s Row key: ", mark);
    quote_comment(em->table->key, out);
    if (emit_salted(em)) {
        fputs("; salt: ", out);
        quote_comment(em->table->salt, out);
        if (em->table->buckets > 0)
            fprintf(out, ", %d buckets", em->table->buckets);
        fputs(", over ", out);
        quote_comment(em->table->salt_over ? em->table->salt_over : "key", out);
    } else {
        fputs("; no salt", out);
    }
    fprintf(out, "; %zu regions\n", emit_regions(em));
}
