// SPDX-License-Identifier: MIT
// Reads the wire format of protocol buffers, a field at a time, over bytes in memory: never past
// their end, without recursion, and without allocating. Source: the encoding guide of protocol
// buffers. Takes any legal encoding: packed and unpacked lists, unknown fields, groups (skipped).
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum hr_wire_type {
    HR_WIRE_VARINT = 0,
    HR_WIRE_FIXED64 = 1,
    HR_WIRE_BYTES = 2,
    HR_WIRE_FIXED32 = 5
};

struct hr_wire {
    const uint8_t *at;
    const uint8_t *end;
    bool broken; // sticky
};

struct hr_wire_field {
    uint32_t number;
    enum hr_wire_type type;
    uint64_t value;    // of all but BYTES
    struct hr_wire in; // of BYTES: a string, a message, or a packed list
};

// Takes the next field. False at the end, and when the bytes make no sense (wire->broken).
bool hr_wire_next(struct hr_wire *wire, struct hr_wire_field *field);

// Takes a bare varint of a packed list; 0 at the end or when broken.
uint64_t hr_wire_take_varint(struct hr_wire *wire);

// Takes the next number of a list field, whether packed or single: start with *first true. False
// when there are no more; a broken list marks `wire`.
bool hr_wire_take_number(struct hr_wire *wire, struct hr_wire_field *field, bool *first,
                         uint64_t *number);
