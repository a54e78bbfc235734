// SPDX-License-Identifier: MIT
#include "ingest/ingest.h"
