/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "hbase/rules/hfile_builder.h"

#include <string.h>

/* The file info block: a protobuf message of name and value pairs behind a magic of four bytes
   (HFileInfo.write, StoreFileWriter.appendMetadata). Only lengths matter here. */

enum { PB_MAGIC_BYTES = 4 };

static uint64_t varint_bytes(uint64_t v)
{
    uint64_t n = 1;

    for (; v >= 128; v >>= 7)
        n++;
    return n;
}

/* A length-delimited field: tag, length, content. */
static uint64_t field_bytes(uint64_t n)
{
    return 1 + varint_bytes(n) + n;
}

static uint64_t pair_bytes(const char *name, uint64_t value)
{
    return field_bytes(field_bytes(strlen(name)) + field_bytes(value));
}

static uint64_t event_bytes(const struct hfile_inputs *inputs)
{
    uint64_t n = PB_MAGIC_BYTES;

    for (size_t i = 0; inputs && i < inputs->count; i++)
        n += field_bytes(inputs->name_bytes[i]);
    return n;
}

static uint64_t encoding_name_bytes(enum hfile_encoding e)
{
    switch (e) {
    case HFILE_ENCODING_PREFIX:
        return strlen("PREFIX");
    case HFILE_ENCODING_DIFF:
        return strlen("DIFF");
    case HFILE_ENCODING_FAST_DIFF:
        return strlen("FAST_DIFF");
    case HFILE_ENCODING_ROW_INDEX_V1:
        return strlen("ROW_INDEX_V1");
    case HFILE_ENCODING_NONE:
        break;
    }
    return 0;
}

uint64_t hfile_info_bytes(const struct hfile_builder *b, const struct hfile_inputs *inputs)
{
    uint64_t n = 0, encoding = encoding_name_bytes(b->opt.encoding);

    n += pair_bytes("COMPACTION_EVENT_KEY", event_bytes(inputs));
    n += pair_bytes("DELETE_FAMILY_COUNT", 8);
    n += pair_bytes("EARLIEST_PUT_TS", 8);
    n += pair_bytes("HISTORICAL", 1);
    n += pair_bytes("KEY_VALUE_VERSION", 4);
    n += pair_bytes("MAJOR_COMPACTION_KEY", 1);
    n += pair_bytes("MAX_MEMSTORE_TS_KEY", 8);
    n += pair_bytes("MAX_SEQ_ID_KEY", 8);
    n += pair_bytes("TIMERANGE", 16);
    n += pair_bytes("hfile.AVG_KEY_LEN", 4);
    n += pair_bytes("hfile.AVG_VALUE_LEN", 4);
    n += pair_bytes("hfile.CREATE_TIME_TS", 8);
    if (b->out.cells > 0) {
        n += pair_bytes("hfile.KEY_OF_BIGGEST_CELL", b->biggest_key_bytes);
        n += pair_bytes("hfile.LASTKEY", b->last_key_bytes);
        n += pair_bytes("hfile.LEN_OF_BIGGEST_CELL", 8);
    }
    if (b->bloom.keys > 0) {
        n += pair_bytes("BLOOM_FILTER_TYPE", b->opt.bloom == HFILE_BLOOM_ROWCOL ? 6 : 3);
        n += pair_bytes("LAST_BLOOM_KEY", b->bloom.last_key_bytes);
    }
    if (encoding > 0)
        n += pair_bytes("DATA_BLOCK_ENCODING", encoding);
    return PB_MAGIC_BYTES + varint_bytes(n) + n;
}
