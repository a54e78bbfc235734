// SPDX-License-Identifier: MIT
// Small files of evidence, and a dump beside which they may lie.
#pragma once

#define BODY "heap_v2/1\n  t*: 1: 1 [0: 0]\n@ 0x1\n  t*: 1: 1 [0: 0]\n\nMAPPED_LIBRARIES:\n"
#define ROLLUP(rss, anonymous)                                                                     \
    "565030b52000-7ffc664ef000 ---p 00000000 00:00 0                          [rollup]\n"          \
    "Rss:                " rss " kB\nPss:                3004 kB\nAnonymous:           " anonymous \
    " kB\n"
#define COUNTERS(allocated) "{\"allocated\":" allocated ",\"active\":2,\"resident\":3}"

// A mapped file, shared memory, an arena of the C library and a guarded stack of a thread.
#define BLOCK(line, rss, pss, anonymous)                                                           \
    line "\nSize:                 64 kB\nRss: " rss " kB\nPss: " pss " kB\nAnonymous: " anonymous  \
         " kB\nSwap: 0 kB\nVmFlags: rd wr\n"
#define SMAPS                                                                                      \
    BLOCK("560000000000-560000100000 r-xp 00000000 fe:00 7    /srv/app", "12", "10", "2")          \
    BLOCK("7f0000000000-7f0000010000 rw-s 00000000 00:01 9    /memfd:x (deleted)", "16", "16",     \
          "0")                                                                                     \
    BLOCK("7f0004000000-7f0006400000 rw-p 00000000 00:00 0 ", "102395", "102395", "102395")        \
    BLOCK("7f0006400000-7f0008000000 ---p 00000000 00:00 0 ", "0", "0", "0")                       \
    BLOCK("7f0010000000-7f0010001000 ---p 00000000 00:00 0 ", "0", "0", "0")                       \
    BLOCK("7f0010001000-7f0010801000 rw-p 00000000 00:00 0 ", "3", "3", "3")
