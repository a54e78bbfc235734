// SPDX-License-Identifier: MIT
#include "symbolize/match.h"

#include <string.h>

#define SMALLEST_PAGE 4096u

static const uint64_t page_sizes[] = {4096, 16384, 65536};

static uint64_t round_down(uint64_t value, uint64_t step)
{
    return value & ~(step - 1);
}

static uint64_t round_up(uint64_t value, uint64_t step)
{
    return round_down(value + step - 1, step);
}

// Segments are mapped in pages of the kernel, which p_align bounds from above.
static uint64_t get_page(const struct hr_segment *segment)
{
    return MAX(segment->align, SMALLEST_PAGE);
}

// Bytes of the line that are the segment's own.
static uint64_t measure_overlap(const struct hr_segment *segment, uint64_t from, uint64_t to)
{
    const uint64_t start = MAX(from, segment->offset);
    const uint64_t end = MIN(to, segment->offset + segment->file_size);
    return end > start ? end - start : 0;
}

static bool holds_line(const struct hr_segment *segment, const struct hr_mapping *line)
{
    const uint64_t page = get_page(segment);
    const uint64_t end = line->offset + (line->end - line->start);
    return line->offset >= round_down(segment->offset, page) &&
           end <= round_up(segment->offset + segment->file_size, page);
}

// The segment that `line` maps: one whose pages hold the line, of the same kind if there is one
// (neighbours share a page of the file), then the one with most bytes in it.
static const struct hr_segment *find_segment(const struct hr_object *object,
                                             const struct hr_mapping *line)
{
    const struct hr_segment *best = NULL;
    uint64_t best_score = 0;
    const uint64_t end = line->offset + (line->end - line->start);
    for (size_t i = 0; i < object->segments_count; i++) {
        const struct hr_segment *segment = &object->segments[i];
        const uint64_t overlap = measure_overlap(segment, line->offset, end);
        if (!holds_line(segment, line) || overlap == 0) {
            continue;
        }
        const bool same_kind = segment->executable == line->executable;
        const uint64_t score = (overlap >> 2) + 1 + (same_kind ? UINT64_C(1) << 62 : 0);
        if (score > best_score) {
            best = segment;
            best_score = score;
        }
    }
    return best;
}

bool hr_match_find_bias(const struct hr_object *object, const struct hr_mapping *line,
                        uint64_t *bias)
{
    const struct hr_segment *segment = find_segment(object, line);
    if (!segment) {
        return false;
    }
    *bias = line->start - (line->offset - segment->offset + segment->vaddr);
    return true;
}

// True when the lines [from, to) of the file are all pages of the segment, for one page size.
static bool covers_segment(const struct hr_segment *segment, uint64_t from, uint64_t to)
{
    for (size_t i = 0; i < G_N_ELEMENTS(page_sizes); i++) {
        if (from == round_down(segment->offset, page_sizes[i]) &&
            to == round_up(segment->offset + segment->file_size, page_sizes[i])) {
            return true;
        }
    }
    return false;
}

// All lines of one executable segment together must be the whole segment.
static bool fits_segment(const struct hr_object *object, const struct hr_segment *segment,
                         const struct hr_mapping *const *lines, size_t lines_count)
{
    uint64_t from = UINT64_MAX;
    uint64_t to = 0;
    for (size_t i = 0; i < lines_count; i++) {
        if (find_segment(object, lines[i]) == segment) {
            from = MIN(from, lines[i]->offset);
            to = MAX(to, lines[i]->offset + (lines[i]->end - lines[i]->start));
        }
    }
    return to == 0 || covers_segment(segment, from, to);
}

bool hr_match_fits_lines(const struct hr_object *object, const struct hr_mapping *const *lines,
                         size_t lines_count, bool remapped)
{
    for (size_t i = 0; i < lines_count; i++) {
        const struct hr_segment *segment = find_segment(object, lines[i]);
        if (!segment || (lines[i]->executable && !segment->executable)) {
            return false;
        }
    }
    for (size_t i = 0; i < object->segments_count && !remapped; i++) {
        const struct hr_segment *segment = &object->segments[i];
        if (segment->executable && !fits_segment(object, segment, lines, lines_count)) {
            return false;
        }
    }
    return true;
}

bool hr_match_is_code(const struct hr_object *object, uint64_t vaddr)
{
    for (size_t i = 0; i < object->segments_count; i++) {
        const struct hr_segment *segment = &object->segments[i];
        if (segment->executable && vaddr - segment->vaddr < segment->memory_size) {
            return true;
        }
    }
    return false;
}

bool hr_match_knows_machine(const struct hr_object *object)
{
    return object->machine == EM_X86_64 || object->machine == EM_AARCH64;
}

// Length of `ff /2` (call through register or memory) with this ModRM and SIB byte.
// Intel SDM vol. 2, tables 2-2 and 2-3.
static size_t measure_indirect_call(unsigned char modrm, unsigned char sib)
{
    const unsigned mode = modrm >> 6;
    const unsigned base = modrm & 7;
    if (mode == 3) {
        return 2;
    }
    size_t length = base == 4 ? 3 : 2;
    if (mode == 1) {
        length += 1;
    } else if (mode == 2 || base == 5 || (base == 4 && (sib & 7) == 5)) {
        length += 4;
    }
    return length;
}

static bool is_x86_call(const unsigned char *code, size_t before)
{
    if (before >= 5 && code[-5] == 0xe8) {
        return true;
    }
    for (size_t length = 2; length <= MIN(before, 7u); length++) {
        const unsigned char *at = code - length;
        if (at[0] == 0xff && ((at[1] >> 3) & 7) == 2 &&
            measure_indirect_call(at[1], length > 2 ? at[2] : 0) == length) {
            return true;
        }
    }
    return false;
}

// BL, BLR, and BLR with pointer authentication. Arm ARM, C6.2.
static bool is_aarch64_call(const unsigned char *code, size_t before)
{
    if (before < 4) {
        return false;
    }
    const uint32_t word = (uint32_t)code[-4] | (uint32_t)code[-3] << 8 | (uint32_t)code[-2] << 16 |
                          (uint32_t)code[-1] << 24;
    return (word & 0xfc000000u) == 0x94000000u || (word & 0xfffffc1fu) == 0xd63f0000u ||
           (word & 0xfefff800u) == 0xd63f0800u;
}

bool hr_match_is_behind_call(const struct hr_object *object, uint64_t vaddr)
{
    const unsigned char *code = NULL;
    const size_t before = hr_object_find_code_before(object, vaddr, 7, &code);
    switch (object->machine) {
    case EM_X86_64:
        return before > 0 && is_x86_call(code, before);
    case EM_AARCH64:
        return before > 0 && is_aarch64_call(code, before);
    default:
        return false;
    }
}
