// SPDX-License-Identifier: MIT
#include "symbolize/libdw_walk.h"

// Where the bytes of the unit end in memory; NULL when its header cannot be read again.
static unsigned char *find_end(Dwarf *dwarf, Dwarf_Die *root)
{
    const Dwarf_Off offset = dwarf_dieoffset(root);
    Dwarf_Off next;
    size_t header_bytes;
    if (dwarf_nextcu(dwarf, offset - dwarf_cuoffset(root), &next, &header_bytes, NULL, NULL,
                     NULL) != 0) {
        return NULL;
    }
    return (unsigned char *)root->addr + (next - offset);
}

void hr_libdw_walk_begin(struct hr_libdw_walk *walk, Dwarf *dwarf, Dwarf_Die *root)
{
    walk->dies[0] = *root;
    walk->depth = 0;
    walk->started = false;
    walk->closing = NULL;
    walk->end = find_end(dwarf, root);
}

// Goes to the next DIE of the same list, or says 1 at its end. dwarf_siblingof() walks all DIEs
// below once more where the compiler gave no DW_AT_sibling (clang and rustc never do); but where
// their list was closed is known: what follows there is the next DIE, or closes this list too.
static int next_sibling(struct hr_libdw_walk *walk)
{
    Dwarf_Die *die = &walk->dies[walk->depth];
    unsigned char *closing = walk->closing;
    walk->closing = NULL;
    if (closing && walk->end && closing + 1 < walk->end && *closing == 0) {
        if (closing[1] == 0) {
            walk->closing = closing + 1;
            return 1;
        }
        *die = (Dwarf_Die){.addr = closing + 1, .cu = die->cu};
        return 0;
    }
    Dwarf_Die next = {0};
    const int status = dwarf_siblingof(die, &next);
    if (status == 0) {
        *die = next;
    } else if (status > 0) {
        walk->closing = next.addr;
    }
    return status;
}

int hr_libdw_walk_next(struct hr_libdw_walk *walk)
{
    Dwarf_Die *die = &walk->dies[walk->depth];
    int status = 1;
    walk->closing = NULL;
    if (!walk->started) {
        walk->started = true;
        return dwarf_child(die, &walk->dies[0]);
    }
    if (walk->depth + 1 < HR_LIBDW_DEPTH_MAX && dwarf_haschildren(die)) {
        status = dwarf_child(die, &walk->dies[++walk->depth]);
    } else {
        status = next_sibling(walk);
    }
    while (status > 0 && walk->depth > 0) {
        walk->depth--;
        status = next_sibling(walk);
    }
    return status;
}
