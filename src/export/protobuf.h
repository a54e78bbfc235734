// SPDX-License-Identifier: MIT
// The wire format of protocol buffers, as far as a writer of pprof profiles needs it: varints and
// length-delimited fields. Source: the encoding guide of protocol buffers.
#pragma once

#include <glib.h>
#include <stdint.h>

// Appends a field of a whole number; negative ones take ten bytes, as int64 has it.
void hr_protobuf_add_int(GByteArray *message, unsigned field, int64_t value);
void hr_protobuf_add_uint(GByteArray *message, unsigned field, uint64_t value);

// Appends a field of bytes: a string or a message within the message.
void hr_protobuf_add_bytes(GByteArray *message, unsigned field, const void *bytes, size_t size);

// Appends a packed list of whole numbers.
void hr_protobuf_add_packed(GByteArray *message, unsigned field, const uint64_t *values,
                            size_t count);
