// SPDX-License-Identifier: MIT
#include "symbolize/fit.h"

#include <math.h>
#include <string.h>

// A wrong file passes for one address with a chance of some 8 % (3 of 39, measured with a text
// shifted by 37 bytes), so this many that all pass are no chance.
#define CONFIRM_MIN_COUNT 8

// With a fifth of the addresses moved, 18 % fail; in the right file none does but for what a signal
// interrupted or a broken unwinder made up.
#define CONFIRM_MIN_RATIO 0.95
#define MISMATCH_BELOW_RATIO 0.90
#define MISMATCH_MIN_COUNT 5

// Sets the vaddr of an address by the bias of its map line.
static void place_address(struct hr_fit_address *address, const struct hr_object *object,
                          const struct hr_layout_place *place, uint64_t mapped)
{
    uint64_t bias;
    *address = (struct hr_fit_address){0};
    if (!hr_match_find_bias(object, place->line, &bias)) {
        return;
    }
    address->vaddr = mapped - bias;
    // address - 1: a call that never returns may be the last instruction of the text.
    address->placed = hr_match_is_code(object, address->vaddr - 1);
    address->behind_call = address->placed && (!hr_match_knows_machine(object) ||
                                               hr_match_is_behind_call(object, address->vaddr));
}

static gint compare_by_vaddr(gconstpointer a, gconstpointer b)
{
    const struct hr_fit_address *x = *(const struct hr_fit_address *const *)a;
    const struct hr_fit_address *y = *(const struct hr_fit_address *const *)b;
    return x->vaddr < y->vaddr ? -1 : x->vaddr > y->vaddr;
}

// Where part of a file was rebuilt, what moved lies side by side: an address next to one that is
// behind no call may itself be behind a call by chance only.
static void limit_trust(struct hr_fit *fit, bool assumed)
{
    // Without a map only the calls speak for the file.
    const bool doubtful =
        fit->match == HR_BINARY_UNKNOWN && (fit->behind_count < fit->count || assumed);
    g_autoptr(GPtrArray) sorted = g_ptr_array_new();
    for (uint32_t i = 0; i < fit->count; i++) {
        fit->addresses[i].limit = HR_TRUST_NONE;
        if (fit->addresses[i].placed) {
            g_ptr_array_add(sorted, &fit->addresses[i]);
        }
    }
    g_ptr_array_sort(sorted, compare_by_vaddr);
    for (guint i = 0; i < sorted->len; i++) {
        struct hr_fit_address *address = sorted->pdata[i];
        const struct hr_fit_address *before = sorted->pdata[i > 0 ? i - 1 : i];
        const struct hr_fit_address *behind = sorted->pdata[i + 1 < sorted->len ? i + 1 : i];
        const bool sure = before->behind_call && behind->behind_call &&
                          fit->match != HR_BINARY_MISMATCH && !doubtful;
        if (address->behind_call) {
            address->limit = sure ? HR_TRUST_EXACT : HR_TRUST_GUESSED;
        }
    }
}

static void set_reason(struct hr_fit *fit, enum hr_binary_match match, const char *id)
{
    fit->match = match;
    fit->reason = hr_phrase_new(id);
    hr_phrase_add_number(&fit->reason, "addresses_count", fit->count);
    hr_phrase_add_number(&fit->reason, "behind_call_count", fit->behind_count);
    hr_phrase_add_number(&fit->reason, "behind_call_ratio", fit->ratio);
}

static void judge(struct hr_fit *fit, const struct hr_object *object, bool assumed)
{
    if (!fit->lines_fit) {
        set_reason(fit, HR_BINARY_MISMATCH, "match-segments");
    } else if (!hr_match_knows_machine(object)) {
        set_reason(fit, HR_BINARY_UNKNOWN, assumed ? "match-no-maps" : "match-machine");
    } else if (fit->count == 0) {
        set_reason(fit, HR_BINARY_UNKNOWN, "match-no-addresses");
    } else if (fit->count >= MISMATCH_MIN_COUNT && fit->ratio < MISMATCH_BELOW_RATIO) {
        set_reason(fit, HR_BINARY_MISMATCH, "match-calls");
    } else if (fit->count < CONFIRM_MIN_COUNT) {
        set_reason(fit, HR_BINARY_UNKNOWN, "match-few");
    } else if (fit->ratio < CONFIRM_MIN_RATIO) {
        set_reason(fit, HR_BINARY_UNKNOWN, "match-doubtful");
    } else if (fit->shifted) {
        set_reason(fit, HR_BINARY_CONFIRMED, "match-return-addresses");
    } else {
        set_reason(fit, HR_BINARY_CONFIRMED, assumed ? "match-fixed" : "match-confirmed");
    }
}

// Where the dumps name the build that ran, that is the answer: another build is no match however
// well it fits, and of the same one only the addresses can be in doubt (a profile may tell of other
// ones than return addresses).
static void judge_build(struct hr_fit *fit, const struct hr_object *object, const char *wanted,
                        struct hr_strings *strings)
{
    if (!wanted || !object->build_id) {
        return;
    }
    if (strcmp(wanted, object->build_id) != 0) {
        set_reason(fit, HR_BINARY_MISMATCH, "match-build-id-other");
        hr_phrase_add_text(&fit->reason, "build_id", hr_strings_intern(strings, object->build_id));
        hr_phrase_add_text(&fit->reason, "wanted", wanted);
    } else if (isnan(fit->ratio) || fit->ratio >= CONFIRM_MIN_RATIO) {
        set_reason(fit, HR_BINARY_CONFIRMED, "match-build-id");
    } else {
        set_reason(fit, HR_BINARY_UNKNOWN, "match-doubtful");
    }
}

// Places the addresses of `module`, each `back` bytes before where it was read.
static void place_addresses(struct hr_fit *fit, const struct hr_object *object,
                            const struct hr_layout_module *module, const struct hr_layout *layout,
                            const struct hr_stacks *stacks, unsigned back)
{
    fit->placed_count = 0;
    fit->behind_count = 0;
    for (uint32_t i = 0; i < fit->count; i++) {
        const uint32_t location = g_array_index(module->locations, uint32_t, i);
        place_address(&fit->addresses[i], object, &layout->places[location],
                      hr_stacks_location_address(stacks, location) - back);
        fit->placed_count += fit->addresses[i].placed;
        fit->behind_count += fit->addresses[i].behind_call;
    }
    const bool tried = hr_match_knows_machine(object) && fit->count > 0;
    fit->ratio = tried ? (double)fit->behind_count / fit->count : NAN;
}

static bool is_of_profiles(const struct hr_run *run)
{
    for (size_t i = 0; i < run->dumps_count; i++) {
        if (run->dumps[i].used && !run->dumps[i].prescaled) {
            return false;
        }
    }
    return true;
}

// A profile's addresses are to lie inside the calls, and were read so. Some writers store return
// addresses: these were read as one byte too far, which shows where nearly none stands behind a
// call and, a byte before, nearly all do.
static void place(struct hr_fit *fit, const struct hr_object *object,
                  const struct hr_layout_module *module, const struct hr_layout *layout,
                  const struct hr_run *run)
{
    place_addresses(fit, object, module, layout, run->stacks, 0);
    if (!(fit->ratio < MISMATCH_BELOW_RATIO) || fit->count < CONFIRM_MIN_COUNT ||
        !is_of_profiles(run)) {
        return;
    }
    place_addresses(fit, object, module, layout, run->stacks, 1);
    fit->shifted = fit->ratio >= CONFIRM_MIN_RATIO;
    if (!fit->shifted) {
        place_addresses(fit, object, module, layout, run->stacks, 0);
    }
}

struct hr_fit *hr_fit_new(const struct hr_object *object, const struct hr_layout_module *module,
                          const struct hr_layout *layout, const struct hr_run *run)
{
    struct hr_fit *fit = g_new0(struct hr_fit, 1);
    fit->count = module->locations->len;
    fit->addresses = g_new0(struct hr_fit_address, fit->count + 1);
    fit->lines_fit =
        layout->assumed ||
        hr_match_fits_lines(object, (const struct hr_mapping *const *)(void *)module->lines->pdata,
                            module->lines->len, module->remapped);
    place(fit, object, module, layout, run);
    judge(fit, object, layout->assumed);
    judge_build(fit, object, module->build_id, run->strings);
    limit_trust(fit, layout->assumed);
    return fit;
}

void hr_fit_free(struct hr_fit *fit)
{
    if (fit) {
        g_free(fit->addresses);
        g_free(fit);
    }
}
