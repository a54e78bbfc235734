// SPDX-License-Identifier: MIT
// A fuzz target: takes any bytes, and must neither crash nor hang nor leak.
#pragma once

#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);
