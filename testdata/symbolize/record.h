// A program that knows the truth about its own call sites: each PLANT keeps the return address of a
// call together with the functions it stands in, innermost first.
#pragma once

#ifdef __cplusplus
extern "C" {
#endif
__attribute__((noinline)) void record(const char *chain, unsigned line);
int write_record(int argc, char **argv);
#ifdef __cplusplus
}
#endif

#define PLANT(chain)                                                                               \
    do {                                                                                           \
        record(chain, __LINE__);                                                                   \
        __asm__ volatile("");                                                                      \
    } while (0)

#if defined(__clang__)
#define OUT_OF_LINE __attribute__((noinline))
#else
#define OUT_OF_LINE __attribute__((noipa))
#endif
#define IN_LINE inline __attribute__((always_inline))

// Away from what the linker drops, where functions have no sections of their own.
#ifdef WITH_DROPPED
#define APART __attribute__((section(".text.apart")))
#else
#define APART
#endif
