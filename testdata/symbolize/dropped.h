// Large functions that nobody calls. With --gc-sections the linker drops them, but not their debug
// data, which then speak of addresses that are other functions'. `late_` ones do not stand first in
// their section where functions have no sections of their own.
#pragma once

#include "record.h"

static IN_LINE void never_inner(void)
{
    PLANT("never");
}

#define DROPPED_4(what) what what what what
#define DROPPED_64(what) DROPPED_4(DROPPED_4(DROPPED_4(what)))

#define DROPPED(unit)                                                                              \
    OUT_OF_LINE void early_never_##unit(void)                                                      \
    {                                                                                              \
        DROPPED_64(DROPPED_64(never_inner();))                                                     \
    }                                                                                              \
    OUT_OF_LINE void late_never_##unit(void)                                                       \
    {                                                                                              \
        DROPPED_64(DROPPED_64(never_inner();))                                                     \
    }                                                                                              \
    extern int dropped_##unit
