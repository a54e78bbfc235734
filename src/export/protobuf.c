// SPDX-License-Identifier: MIT
#include "export/protobuf.h"

#define WIRE_VARINT 0
#define WIRE_LENGTH 2

static void append_varint(GByteArray *out, uint64_t value)
{
    guint8 bytes[10];
    guint count = 0;
    do {
        bytes[count] = (guint8)(value & 0x7f);
        value >>= 7;
        bytes[count++] |= value ? 0x80 : 0;
    } while (value);
    g_byte_array_append(out, bytes, count);
}

static void append_tag(GByteArray *out, unsigned field, unsigned wire)
{
    append_varint(out, ((uint64_t)field << 3) | wire);
}

void hr_protobuf_add_uint(GByteArray *message, unsigned field, uint64_t value)
{
    append_tag(message, field, WIRE_VARINT);
    append_varint(message, value);
}

void hr_protobuf_add_int(GByteArray *message, unsigned field, int64_t value)
{
    hr_protobuf_add_uint(message, field, (uint64_t)value);
}

void hr_protobuf_add_bytes(GByteArray *message, unsigned field, const void *bytes, size_t size)
{
    append_tag(message, field, WIRE_LENGTH);
    append_varint(message, size);
    g_byte_array_append(message, bytes, (guint)size);
}

void hr_protobuf_add_packed(GByteArray *message, unsigned field, const uint64_t *values,
                            size_t count)
{
    g_autoptr(GByteArray) packed = g_byte_array_new();
    for (size_t i = 0; i < count; i++) {
        append_varint(packed, values[i]);
    }
    hr_protobuf_add_bytes(message, field, packed->data, packed->len);
}
