// SPDX-License-Identifier: MIT
// Guards for handles and tables: HR_AUTO(hr_arena) arena = hr_arena_new(); frees at the end of the
// scope.
#pragma once

// Defines the guard of a type whose free function accepts NULL.
#define HR_DEFINE_AUTO(type, free_function)                                                        \
    static inline void type##_auto_free(struct type **owner)                                       \
    {                                                                                              \
        free_function(*owner);                                                                     \
    }

#define HR_AUTO(type) __attribute__((cleanup(type##_auto_free), unused)) struct type *

// Hands the pointer on: the guard frees nothing any more.
#define HR_STEAL(pointer)                                                                          \
    __extension__({                                                                                \
        __typeof__(pointer) stolen_ = (pointer);                                                   \
        (pointer) = NULL;                                                                          \
        stolen_;                                                                                   \
    })
