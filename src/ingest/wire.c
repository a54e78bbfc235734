// SPDX-License-Identifier: MIT
//
//   message   field*
//   field     key (varint: number << 3 | type), then
//               0  varint     7 bits a byte, lowest first, the top bit says that more follow
//               1  8 bytes    2  length (varint) and so many bytes    5  4 bytes
//               3  fields up to a key of type 4 with the same number (a group)
//
#include "ingest/wire.h"

#define GROUP_BEGIN 3
#define GROUP_END 4

static bool fail(struct hr_wire *wire)
{
    wire->broken = true;
    wire->at = wire->end;
    return false;
}

uint64_t hr_wire_take_varint(struct hr_wire *wire)
{
    uint64_t value = 0;
    for (unsigned shift = 0; shift < 64 && wire->at < wire->end; shift += 7) {
        const uint8_t byte = *wire->at++;
        value |= (uint64_t)(byte & 0x7f) << shift;
        if (!(byte & 0x80)) {
            return value;
        }
    }
    fail(wire);
    return 0;
}

static bool take_fixed(struct hr_wire *wire, unsigned size, uint64_t *value)
{
    if ((size_t)(wire->end - wire->at) < size) {
        return fail(wire);
    }
    *value = 0;
    for (unsigned i = 0; i < size; i++) {
        *value |= (uint64_t)wire->at[i] << (8 * i);
    }
    wire->at += size;
    return true;
}

static bool take_bytes(struct hr_wire *wire, struct hr_wire *in)
{
    const uint64_t size = hr_wire_take_varint(wire);
    if (wire->broken || size > (uint64_t)(wire->end - wire->at)) {
        return fail(wire);
    }
    *in = (struct hr_wire){wire->at, wire->at + size, false};
    wire->at += size;
    return true;
}

static bool take_content(struct hr_wire *wire, struct hr_wire_field *field, unsigned type)
{
    field->type = (enum hr_wire_type)type;
    switch (type) {
    case HR_WIRE_VARINT:
        field->value = hr_wire_take_varint(wire);
        return !wire->broken;
    case HR_WIRE_FIXED64:
        return take_fixed(wire, 8, &field->value);
    case HR_WIRE_FIXED32:
        return take_fixed(wire, 4, &field->value);
    case HR_WIRE_BYTES:
        return take_bytes(wire, &field->in);
    default:
        return fail(wire);
    }
}

bool hr_wire_next(struct hr_wire *wire, struct hr_wire_field *field)
{
    uint64_t depth = 0; // of groups, all of which are unknown here
    while (wire->at < wire->end) {
        const uint64_t key = hr_wire_take_varint(wire);
        const unsigned type = key & 7;
        *field = (struct hr_wire_field){.number = (uint32_t)(key >> 3)};
        if (wire->broken || key >> 3 == 0 || key >> 3 > UINT32_MAX / 8) {
            return fail(wire);
        }
        if (type == GROUP_BEGIN) {
            depth++;
        } else if (type == GROUP_END) {
            if (depth-- == 0) {
                return fail(wire);
            }
        } else if (!take_content(wire, field, type)) {
            return false;
        } else if (depth == 0) {
            return true;
        }
    }
    return depth == 0 ? false : fail(wire);
}

bool hr_wire_take_number(struct hr_wire *wire, struct hr_wire_field *field, bool *first,
                         uint64_t *number)
{
    if (field->type == HR_WIRE_BYTES) {
        if (field->in.at == field->in.end) {
            return false;
        }
        *number = hr_wire_take_varint(&field->in);
        return field->in.broken ? fail(wire) : true;
    }
    const bool take = *first && field->type == HR_WIRE_VARINT;
    *number = field->value;
    *first = false;
    return take;
}
