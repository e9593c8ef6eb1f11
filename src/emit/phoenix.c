/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Phoenix's CREATE TABLE, and OpenTSDB's settings. */
#include <inttypes.h>
#include <string.h>

#include "emit/parts.h"
#include "emit/quote.h"
#include "spec/scheme.h"

#define TYPE_CAP 32

/* The Phoenix type whose bytes in a row key are the field's; false where there is none. CHAR pads
   with blanks, so that a padded text is a BINARY. */
static bool type_of(const struct saltkey_field *f, char type[TYPE_CAP])
{
    const char *fixed = NULL;

    switch (f->kind) {
    case SALTKEY_BE8: fixed = "UNSIGNED_TINYINT"; break;
    case SALTKEY_BE16: fixed = "UNSIGNED_SMALLINT"; break;
    case SALTKEY_BE32: fixed = "UNSIGNED_INT"; break;
    case SALTKEY_BE64: case SALTKEY_RTS: fixed = "UNSIGNED_LONG"; break;
    case SALTKEY_I8: fixed = "TINYINT"; break;
    case SALTKEY_I16: fixed = "SMALLINT"; break;
    case SALTKEY_I32: fixed = "INTEGER"; break;
    case SALTKEY_I64: fixed = "BIGINT"; break;
    case SALTKEY_TEXT: case SALTKEY_REVTEXT: case SALTKEY_REVLABELS:
        if (f->escaped || (f->marked && f->mark != (f->desc ? 0xff : 0)) || (f->desc && !f->marked))
            return false;
        fixed = "VARCHAR";
        break;
    case SALTKEY_DEC: case SALTKEY_REVDEC: case SALTKEY_HEX: case SALTKEY_RTS19:
        snprintf(type, TYPE_CAP, "CHAR(%" PRIu32 ")", f->width);
        return !f->marked;
    case SALTKEY_BE24: case SALTKEY_FIXED: case SALTKEY_BYTES: case SALTKEY_UUID:
        snprintf(type, TYPE_CAP, "BINARY(%" PRIu32 ")", f->width);
        return !f->marked;
    default:
        return false;
    }
    snprintf(type, TYPE_CAP, "%s", fixed);
    return !f->marked || fixed[0] == 'V';
}

static int write_key_columns(struct emit *em, FILE *out)
{
    const struct saltkey_layout *l = &em->scheme.layout;

    for (uint32_t i = 0; i < l->n_fields; i++) {
        const struct saltkey_field *f = &l->fields[i];
        char type[TYPE_CAP];

        fputs("  ", out);
        if (quote_sql_name(f->name, out) < 0)
            return emit_fail(em, EMIT_UNFIT, "Phoenix can't quote the name of field %" PRIu32, i + 1);
        type_of(f, type);
        fprintf(out, " %s%s,%s\n", type, f->width > 0 ? " NOT NULL" : "",
                f->kind == SALTKEY_RTS || f->kind == SALTKEY_RTS19 ? " -- 9223372036854775807 - time in ms" : "");
    }
    return 0;
}

static int write_value_columns(struct emit *em, FILE *out)
{
    for (size_t i = 0; i < em->table->families_len; i++) {
        const struct spec_family *f = &em->table->families[i];

        for (size_t k = 0; k < f->columns_len; k++) {
            fputs("  ", out);
            if (strchr(f->name, '"') || strchr(f->columns[k].qualifier, '"'))
                return emit_fail(em, EMIT_UNFIT, "Phoenix has no way to quote a name that holds a double quote");
            quote_sql_name(f->name, out);
            fputc('.', out);
            quote_sql_name(f->columns[k].qualifier[0] ? f->columns[k].qualifier : "0", out);
            fputs(" VARBINARY,\n", out);
        }
    }
    return 0;
}

/* A hashed prefix (md5hex) is no salt with buckets: Phoenix would have it as a column of the key. */
static bool has_buckets(const struct emit *em)
{
    return emit_salted(em) && !spec_scheme_hashed_prefix(&em->scheme);
}

/* The first field of the key that Phoenix has no type for; NULL. */
static const struct saltkey_field *untyped(const struct emit *em)
{
    char type[TYPE_CAP];

    for (uint32_t i = 0; i < em->scheme.layout.n_fields; i++)
        if (!type_of(&em->scheme.layout.fields[i], type))
            return &em->scheme.layout.fields[i];
    return NULL;
}

bool emit_phoenix_fits(const struct emit *em)
{
    return untyped(em) == NULL;
}

/* Checked before a byte is written. */
static int check_fit(struct emit *em)
{
    const struct saltkey_field *without = untyped(em);

    if (strchr(em->table->name, '"'))
        return emit_fail(em, EMIT_UNFIT, "Phoenix can't quote the name of the table");
    if (without)
        return emit_fail(em, EMIT_UNFIT, "Phoenix has no type with the bytes of field '%s' (%s)", without->name,
                         saltkey_kind_name(without->kind));
    if (emit_salted(em) && !has_buckets(em))
        return emit_fail(em, EMIT_UNFIT, "Phoenix builds no hashed prefix");
    if (has_buckets(em) && em->scheme.salt.buckets > 256)
        return emit_fail(em, EMIT_UNFIT, "Phoenix takes SALT_BUCKETS of 1 to 256");
    return 0;
}

/* Phoenix takes one time to live for all families. */
static bool one_ttl(const struct spec_table *t)
{
    for (size_t i = 1; i < t->families_len; i++)
        if (t->families[i].ttl_ns != t->families[0].ttl_ns)
            return false;
    return true;
}

/* What only the hbase shell can say of the table, after its creation. */
static void write_alters(struct emit *em, FILE *out)
{
    const struct spec_table *t = em->table;

    if (!one_ttl(t))
        for (size_t i = 0; i < t->families_len; i++)
            if (t->families[i].ttl_ns > 0) {
                fputs("-- Phoenix takes one TTL for all families; in the hbase shell: alter ", out);
                quote_ruby(t->name, out);
                fputs(", {NAME => ", out);
                quote_ruby(t->families[i].name, out);
                fprintf(out, ", TTL => '%" PRId64 "'}\n", t->families[i].ttl_ns / SPEC_NS_PER_S);
            }
    if (spec_table_split_policy(em->spec, t) != SPEC_SPLIT_STEPPING) {
        fputs("-- in the hbase shell, after creation: alter ", out);
        quote_ruby(t->name, out);
        fputs(", ", out);
        emit_split_policy(em, out);
        fputc('\n', out);
    }
}

/* What the DDL can't say: another salt, regions beyond one a bucket. */
static void write_notes(struct emit *em, FILE *out)
{
    const bool buckets = has_buckets(em);

    emit_about(em, "--", out);
    if (buckets && !emit_phoenix_salt(em))
        fputs("-- WARNING: Phoenix computes a salt of its own, abs(hash % N) over the whole row. Rows that others\n"
              "-- write with the salt above are not found through Phoenix, and the other way round.\n",
              out);
    if (buckets)
        fputs("-- PHOENIX-7580 (5.2.1 has it): once a bucket has split, a range bounded on both sides can lose the\n"
              "-- whole last bucket, silently.\n",
              out);
    if (em->splits.count > 0 && (!buckets || em->splits.count + 1 != em->scheme.salt.buckets)) {
        fputs("-- SPLIT ON replaces the buckets' points and takes no bytes, so split after creation, in the\n"
              "-- hbase shell:\n",
              out);
        for (size_t i = 0; i < em->splits.count; i++) {
            fputs("--   split ", out);
            quote_ruby(em->table->name, out);
            fputs(", '", out);
            quote_key(em->splits.at[i], false, out);
            fputs("'\n", out);
        }
    }
    write_alters(em, out);
}

/* A property of the statement, behind a comma where it isn't the first. */
struct properties {
    FILE *out;
    size_t n;
};

static void property(struct properties *p, const char *family)
{
    fputs(p->n++ ? ",\n  " : "\n  ", p->out);
    if (family) {
        quote_sql_name(family, p->out);
        fputc('.', p->out);
    }
}

/* What HBase's `create` says of a family. Phoenix has defaults of its own (FAST_DIFF), so all is said. */
static void write_family_properties(const struct spec_family *f, struct properties *p)
{
    property(p, f->name);
    fprintf(p->out, "DATA_BLOCK_ENCODING = '%s'", spec_encoding_name(f->encoding));
    property(p, f->name);
    fprintf(p->out, "BLOOMFILTER = '%s'", spec_bloom_name(f));
    if (f->blocksize_bytes > 0) {
        property(p, f->name);
        fprintf(p->out, "BLOCKSIZE = %" PRId64, f->blocksize_bytes);
    }
    if (f->versions > 1) {
        property(p, f->name);
        fprintf(p->out, "VERSIONS = %d", f->versions);
    }
    if (f->compression != SPEC_COMPRESSION_NONE) {
        property(p, f->name);
        fprintf(p->out, "COMPRESSION = '%s'", spec_compression_name(f->compression));
    }
}

static void write_properties(struct emit *em, FILE *out)
{
    const struct spec_table *t = em->table;
    struct properties p = {out, 0};

    if (has_buckets(em)) {
        property(&p, NULL);
        fprintf(out, "SALT_BUCKETS = %" PRIu64, em->scheme.salt.buckets);
    }
    for (size_t i = 0; i < t->families_len; i++)
        if (t->families[i].columns_len > 0) /* else the statement has no such family */
            write_family_properties(&t->families[i], &p);
    if (t->families_len > 0 && t->families[0].ttl_ns > 0 && one_ttl(t)) {
        property(&p, NULL);
        fprintf(out, "TTL = %" PRId64, t->families[0].ttl_ns / SPEC_NS_PER_S);
    }
    if (t->max_filesize_bytes > 0) {
        property(&p, NULL);
        fprintf(out, "MAX_FILESIZE = %" PRId64, t->max_filesize_bytes);
    }
    if (t->memstore_flush_size_bytes > 0) {
        property(&p, NULL);
        fprintf(out, "MEMSTORE_FLUSHSIZE = %" PRId64, t->memstore_flush_size_bytes);
    }
    if (emit_salted(em) || t->normalizer) {
        property(&p, NULL);
        fprintf(out, "NORMALIZATION_ENABLED = %s", t->normalizer ? "true" : "false");
    }
}

int emit_phoenix(struct emit *em, FILE *out)
{
    const struct saltkey_layout *l = &em->scheme.layout;
    int rc = check_fit(em);

    if (rc < 0)
        return rc;
    write_notes(em, out);
    fputs("CREATE TABLE ", out);
    emit_sql_table(em->table->name, out);
    fputs(" (\n", out);
    rc = write_key_columns(em, out);
    if (rc == 0)
        rc = write_value_columns(em, out);
    if (rc < 0)
        return rc;
    fputs("  CONSTRAINT \"pk\" PRIMARY KEY (", out);
    for (uint32_t i = 0; i < l->n_fields; i++) {
        fputs(i ? ", " : "", out);
        quote_sql_name(l->fields[i].name, out);
        fputs(l->fields[i].desc ? " DESC" : "", out);
    }
    fputs("))", out);
    write_properties(em, out);
    fputs(";\n", out);
    return 0;
}

int emit_opentsdb(struct emit *em, FILE *out)
{
    const struct saltkey_salt *s = &em->scheme.salt;

    if (!em->table->salt || strncmp(em->table->salt, "opentsdb", 8) != 0 || !emit_salted(em))
        return emit_fail(em, EMIT_UNFIT, "the salt isn't OpenTSDB's (salt = opentsdb)");
    fputs("# opentsdb.conf; both must be set before the first write and never change\n", out);
    fprintf(out, "tsd.storage.salt.width = %" PRIu32 "\ntsd.storage.salt.buckets = %" PRIu64 "\n", s->width, s->buckets);
    fputs("tsd.storage.hbase.data_table = ", out);
    if (quote_property(em->table->name, out) < 0)
        return emit_fail(em, EMIT_INVALID, "the table's name isn't UTF-8");
    fputc('\n', out);
    return 0;
}
