// SPDX-License-Identifier: MIT
#include "symbolize/libdw.h"

#include "symbolize/claims.h"
#include "symbolize/libdw_lines.h"
#include "symbolize/libdw_names.h"
#include "symbolize/libdw_walk.h"

#include <dwarf.h>

#define NO_FUNCTION UINT32_MAX

// What is said of a function, whatever the address in it.
struct description {
    struct hr_lookup_frame names;
    const char *call_file; // where it was inlined
    unsigned call_line;
};

struct function {
    Dwarf_Die die;
    const struct description *description; // in the lookup's arena, NULL until asked for
    uint32_t caller;    // the function this one was inlined into, NO_FUNCTION when it was not
    uint32_t outermost; // the one around it that is not inlined, NO_FUNCTION when there is none
};

struct walk {
    Dwarf *dwarf;
    struct hr_lookup *lookup;
    GArray *units;           // of Dwarf_Die; of split ones the skeleton: libdw opens no files
    struct hr_claim *claims; // per vaddr; `unit`: index in units
    GArray *functions;       // of struct function, of the unit being read
    uint32_t *innermost;     // per vaddr: index in functions
    uint32_t *outermost;     // per vaddr: the same of the function that is not inlined
    struct hr_libdw_walk *dies;
    uint32_t *around; // by depth: the function that DIEs there lie in
    uint32_t unit;    // the one being read
    struct hr_libdw_names *names;
    struct hr_libdw_lines *lines;
};

static void collect_units(struct walk *walk, Dwarf *dwarf)
{
    Dwarf_CU *cu = NULL;
    uint8_t type = 0;
    Dwarf_Die die;
    int status;
    while ((status = dwarf_get_units(dwarf, cu, &cu, NULL, &type, &die, NULL)) == 0) {
        if (type != DW_UT_compile && type != DW_UT_skeleton) {
            continue; // partial and type units hold no code
        }
        g_array_append_val(walk->units, die);
    }
    walk->lookup->broken_units += status < 0;
}

// Gives each vaddr in the unit's ranges to the unit.
static void claim_vaddrs(struct walk *walk, uint32_t index)
{
    struct hr_lookup *lookup = walk->lookup;
    Dwarf_Die *unit = &g_array_index(walk->units, Dwarf_Die, index);
    Dwarf_Addr base = 0;
    Dwarf_Addr start;
    Dwarf_Addr end;
    ptrdiff_t offset = 0;
    while ((offset = dwarf_ranges(unit, offset, &base, &start, &end)) > 0) {
        if (base < UINT64_MAX - 1) { // else that of dropped code
            hr_claims_take(walk->claims, lookup, index, start, end);
        }
    }
    lookup->broken_units += offset < 0;
}

// The last step first, so that the first of several units that claim a vaddr wins.
static void assign_units(struct walk *walk)
{
    for (uint32_t i = walk->units->len; i-- > 0;) {
        claim_vaddrs(walk, i);
    }
}

// As in dwarf_functions.c: what the linker dropped does not count.
static bool counts_for(const struct walk *walk, uint32_t index, uint32_t i, uint64_t start,
                       uint64_t end)
{
    const uint32_t outermost = g_array_index(walk->functions, struct function, index).outermost;
    if (outermost == index) {
        return hr_claim_holds(&walk->claims[i], start, end);
    }
    return outermost != NO_FUNCTION && walk->outermost[i] == outermost;
}

// Makes the function at `die` the innermost one for each vaddr in its ranges. Pre-order: deeper
// ones come later and override.
static void cover(struct walk *walk, Dwarf_Die *die, uint32_t index)
{
    struct hr_lookup *lookup = walk->lookup;
    const struct function *function = &g_array_index(walk->functions, struct function, index);
    Dwarf_Addr base = 0;
    Dwarf_Addr start;
    Dwarf_Addr end;
    ptrdiff_t offset = 0;
    while ((offset = dwarf_ranges(die, offset, &base, &start, &end)) > 0) {
        for (uint32_t i = hr_lookup_find_first(lookup, start);
             i < lookup->count && lookup->vaddrs[i] < end; i++) {
            if (walk->claims[i].unit == walk->unit && counts_for(walk, index, i, start, end)) {
                walk->innermost[i] = index;
                walk->outermost[i] = function->outermost;
            }
        }
    }
}

// Returns the function that DIEs below `die` lie in.
static uint32_t visit(struct walk *walk, Dwarf_Die *die, uint32_t around)
{
    const int tag = dwarf_tag(die);
    if (tag != DW_TAG_subprogram && tag != DW_TAG_inlined_subroutine) {
        return around;
    }
    struct function function = {
        .die = *die, .caller = NO_FUNCTION, .outermost = walk->functions->len};
    if (tag == DW_TAG_subprogram) {
        hr_libdw_names_place(walk->names, walk->dies);
    } else {
        function.caller = around;
        function.outermost =
            around == NO_FUNCTION
                ? NO_FUNCTION
                : g_array_index(walk->functions, struct function, around).outermost;
    }
    g_array_append_val(walk->functions, function);
    cover(walk, die, walk->functions->len - 1);
    return walk->functions->len - 1;
}

// Walks all DIEs of the unit. Nothing is left out by range: a method of a local class lies outside
// the range of the function that its DIE stands in.
static bool walk_functions(struct walk *walk, Dwarf_Die *root)
{
    struct hr_libdw_walk *at = walk->dies;
    uint32_t *around = walk->around;
    int status;
    hr_libdw_walk_begin(at, walk->dwarf, root);
    around[0] = NO_FUNCTION;
    while ((status = hr_libdw_walk_next(at)) == 0) {
        around[at->depth + 1] = visit(walk, &at->dies[at->depth], around[at->depth]);
    }
    return status > 0;
}

static unsigned find_number(Dwarf_Die *die, unsigned attribute)
{
    Dwarf_Attribute found;
    Dwarf_Word value = 0;
    if (!dwarf_attr(die, attribute, &found) || dwarf_formudata(&found, &value) != 0) {
        return 0;
    }
    return value <= UINT_MAX ? (unsigned)value : 0;
}

static const struct description *describe(struct walk *walk, struct function *function)
{
    if (!function->description) {
        struct description *made = HR_ARENA_NEW(walk->lookup->arena, struct description);
        *made = (struct description){
            .call_file = hr_libdw_lines_get_call_file(walk->lines, &function->die),
            .call_line = find_number(&function->die, DW_AT_call_line),
        };
        hr_libdw_names_get(walk->names, &function->die, &made->names);
        made->names.inlined = function->caller != NO_FUNCTION;
        function->description = made;
    }
    return function->description;
}

// Appends the chain of functions from the innermost out; each outer frame stands where the inner
// one was called.
static void answer(struct walk *walk, uint32_t query)
{
    struct hr_lookup *lookup = walk->lookup;
    struct hr_lookup_answer *answer = &lookup->answers[query];
    struct hr_lookup_frame frame = {0};
    hr_libdw_lines_get(walk->lines, query, &frame);
    answer->first_frame = lookup->frames->len;
    if (walk->innermost[query] == NO_FUNCTION && frame.file) {
        g_array_append_val(lookup->frames, frame); // lines, but no functions
    }
    for (uint32_t at = walk->innermost[query]; at != NO_FUNCTION;) {
        struct function *function = &g_array_index(walk->functions, struct function, at);
        const struct description *known = describe(walk, function);
        const struct hr_lookup_frame place = frame;
        frame = known->names;
        frame.file = place.file;
        frame.line = place.line;
        g_array_append_val(lookup->frames, frame);
        frame.file = known->call_file;
        frame.line = known->call_line;
        at = function->caller;
    }
    answer->frame_count = lookup->frames->len - answer->first_frame;
}

static void read_unit(struct walk *walk, uint32_t index)
{
    struct hr_lookup *lookup = walk->lookup;
    Dwarf_Die *unit = &g_array_index(walk->units, Dwarf_Die, index);
    walk->unit = index;
    hr_libdw_names_begin(walk->names, unit);
    g_array_set_size(walk->functions, 0);
    lookup->broken_units += !walk_functions(walk, unit);
    hr_libdw_lines_begin(walk->lines, unit);
    for (uint32_t i = 0; i < lookup->count; i++) {
        if (walk->claims[i].unit == index) {
            answer(walk, i);
        }
    }
}

void hr_libdw_read(Dwarf *dwarf, const struct hr_object *holder, struct hr_lookup *lookup)
{
    struct walk walk = {
        .dwarf = dwarf,
        .lookup = lookup,
        .units = g_array_new(FALSE, FALSE, sizeof(Dwarf_Die)),
        .claims = hr_claims_new(lookup),
        .functions = g_array_new(FALSE, FALSE, sizeof(struct function)),
        .innermost = g_new(uint32_t, lookup->count + 1),
        .outermost = g_new(uint32_t, lookup->count + 1),
        .dies = g_new(struct hr_libdw_walk, 1),
        .around = g_new(uint32_t, HR_LIBDW_DEPTH_MAX + 1),
        .names = hr_libdw_names_new(lookup->arena),
        .lines = hr_libdw_lines_new(holder, lookup),
    };
    for (uint32_t i = 0; i < lookup->count; i++) {
        walk.innermost[i] = walk.outermost[i] = NO_FUNCTION;
    }
    collect_units(&walk, dwarf);
    assign_units(&walk);
    g_autofree bool *wanted = g_new0(bool, walk.units->len + 1);
    for (uint32_t i = 0; i < lookup->count; i++) {
        if (walk.claims[i].unit != HR_NO_UNIT) {
            wanted[walk.claims[i].unit] = true;
        }
    }
    for (uint32_t i = 0; i < walk.units->len; i++) {
        if (wanted[i]) {
            read_unit(&walk, i);
        }
    }
    g_array_free(walk.units, TRUE);
    g_array_free(walk.functions, TRUE);
    hr_libdw_names_free(walk.names);
    hr_libdw_lines_free(walk.lines);
    g_free(walk.dies);
    g_free(walk.around);
    g_free(walk.claims);
    g_free(walk.innermost);
    g_free(walk.outermost);
}
