// SPDX-License-Identifier: MIT
#include "analysis/next_steps.h"

#include "model/sample.h"

#include <math.h>

// So many dumps over a run serve a trend well.
#define DUMPS_WANTED 45
#define DUMPS_ENOUGH 30
#define DUMPS_PLENTY 120
// jemalloc's own limits for lg_prof_sample that make sense.
#define LG_SAMPLE_MIN 10
// Stacks of one frame beyond this share mean a broken unwinder.
#define ONE_FRAME_RATIO 0.3

struct steps {
    struct hr_arena *arena;
    const struct hr_run *run;
    const struct hr_symbols *symbols;
    const struct hr_rules *rules;
    const struct hr_findings *findings;
    const struct hr_facts *facts;
    const struct hr_decision *decision;
    struct hr_verdict *verdict;
};

// Adds a step; NULL when there are three already.
static struct hr_next_step *add_step(struct steps *steps, const char *id, const char *command)
{
    struct hr_verdict *verdict = steps->verdict;
    if (verdict->next_steps_count == HR_NEXT_STEPS_MAX) {
        return NULL;
    }
    struct hr_next_step *step = &verdict->next_steps[verdict->next_steps_count++];
    *step = (struct hr_next_step){hr_phrase_new(id), hr_phrase_new(command)};
    return step;
}

// What to look at in the code, by the category of the largest suspect.
static void advise_suspect(struct steps *steps)
{
    const struct hr_findings *findings = steps->findings;
    if (steps->decision->class != HR_CLASS_HEAP_GROWTH || findings->suspects_count == 0 ||
        !findings->suspects[0].significant) {
        return;
    }
    const struct hr_suspect *suspect = &findings->suspects[0];
    const char *id = hr_arena_printf(steps->arena, "next-look-%s",
                                     suspect->category ? suspect->category : "other");
    struct hr_next_step *step = add_step(steps, id, NULL);
    if (step) {
        hr_phrase_add_text(&step->text, "function", suspect->function);
    }
}

static void advise_binary(struct steps *steps)
{
    if (steps->symbols && steps->symbols->binary_match == HR_BINARY_MISMATCH) {
        add_step(steps, "next-binary", NULL);
    }
}

static void advise_class(struct steps *steps)
{
    static const char *const IDS[HR_CLASSES_COUNT] = {
        [HR_CLASS_ALLOCATOR_RETENTION] = "next-retention",
        [HR_CLASS_BOUNDED_GROWTH] = "next-bounded",
        [HR_CLASS_FILE_BACKED] = "next-file_backed",
    };
    const enum hr_class class = steps->decision->class;
    if (class == HR_CLASS_OUTSIDE_HEAP) {
        const bool maps_known = hr_evidence_has(&steps->run->evidence, HR_EVIDENCE_THREAD_STACKS) ||
                                hr_evidence_has(&steps->run->evidence, HR_EVIDENCE_GLIBC_ARENAS);
        add_step(steps, maps_known ? "next-outside" : "next-outside-maps", NULL);
    } else if (IDS[class]) {
        const char *command =
            class == HR_CLASS_ALLOCATOR_RETENTION ? "next-retention-command" : NULL;
        add_step(steps, IDS[class], command);
    }
}

static void add_record(struct steps *steps, const char *id)
{
    struct hr_next_step *step = add_step(steps, id, "next-record-command");
    if (!step) {
        return;
    }
    const int64_t pid = steps->run->key.pid;
    const char *text = pid >= 0 ? hr_arena_printf(steps->arena, "%" G_GINT64_FORMAT, pid) : "PID";
    hr_phrase_add_text(&step->command, "pid", text);
    const char *directory = *steps->run->directory ? steps->run->directory : "DIR";
    hr_phrase_add_text(&step->command, "directory", directory);
}

static void advise_evidence(struct steps *steps)
{
    if (steps->facts->compared) {
        add_step(steps, "next-each-run", NULL);
        return;
    }
    if (!steps->facts->process_known) {
        add_record(steps, steps->facts->process_seen ? "next-record-often" : "next-record");
    } else if (!steps->facts->allocated_known) {
        add_step(steps, "next-stats", NULL);
    }
}

static void advise_profiling(struct steps *steps)
{
    if (steps->facts->dumps_count > 0) {
        return;
    }
    const enum hr_class class = steps->decision->class;
    const bool process_quiet = hr_part_is_quiet(steps->facts->parts[HR_PART_PROCESS].state);
    if (process_quiet && (class == HR_CLASS_NO_GROWTH || class == HR_CLASS_FILE_BACKED)) {
        add_step(steps, "next-profiling-not-needed", NULL);
    } else if (class == HR_CLASS_NO_GROWTH) {
        add_step(steps, "next-profiling-not-needed-heap", NULL);
    } else if (class == HR_CLASS_HEAP_GROWTH || class == HR_CLASS_INCONCLUSIVE ||
               steps->facts->parts[HR_PART_HEAP].state == HR_PART_UNKNOWN) {
        add_step(steps, "next-profiling", "next-profiling-command");
    }
}

// Whether dumps are of an allocator that knows nothing of jemalloc's options.
static bool is_other_allocator(const struct hr_run *run)
{
    for (size_t i = 0; i < run->dumps_count; i++) {
        if (run->dumps[i].used && run->dumps[i].other_allocator) {
            return true;
        }
    }
    return false;
}

// The detection limit falls with the root of the sampling interval. Not asked where something was
// found.
static void advise_sampling(struct steps *steps)
{
    const enum hr_class class = steps->decision->class;
    if ((class != HR_CLASS_INCONCLUSIVE && class != HR_CLASS_NO_GROWTH) ||
        is_other_allocator(steps->run)) {
        return;
    }
    if (steps->findings->sampling == HR_SAMPLING_OFF) {
        add_step(steps, "next-sampling-off", "next-sampling-off-command");
        return;
    }
    const struct hr_facts *facts = steps->facts;
    const double *limits = steps->rules->thresholds;
    const double wanted = fmax(limits[HR_THRESHOLD_no_growth_floor_bytes],
                               limits[HR_THRESHOLD_no_growth_of_heap_ratio] * facts->heap_bytes);
    const double found = facts->smallest_detectable_bytes;
    const double interval = steps->findings->sample_interval_bytes;
    if (!(found > wanted) || !(interval > 1)) {
        return;
    }
    const double lg = floor(log2(interval * (wanted / found) * (wanted / found)));
    struct hr_next_step *step = add_step(steps, "next-sampling", "next-sampling-command");
    if (step) {
        hr_phrase_add_number(&step->text, "smallest_detectable_bytes", found);
        hr_phrase_add_number(&step->text, "wanted_bytes", wanted);
        const char *text = hr_arena_printf(steps->arena, "%.0f", fmax(LG_SAMPLE_MIN, lg));
        hr_phrase_add_text(&step->command, "lg_prof_sample", text);
    }
}

// Bytes that the program allocated between base and final; NAN when the dumps do not say.
static double allocated_volume(const struct steps *steps)
{
    const struct hr_choice *choice = steps->findings->choice;
    if (!steps->run->accumulates || !choice || choice->final == HR_CHOICE_NONE) {
        return NAN;
    }
    double volume = 0;
    for (int end = 0; end < 2; end++) {
        const struct hr_dump *dump = &steps->run->dumps[end ? choice->final : choice->base];
        if (!dump->rows) {
            return NAN;
        }
        for (uint32_t i = 0; i < dump->rows_count; i++) {
            const struct hr_row *row = &dump->rows[i];
            const struct hr_scaled scaled =
                hr_sample_scale(row->accum_objects, row->accum_bytes, dump->sample_interval_bytes);
            volume += end ? scaled.bytes : -scaled.bytes;
        }
    }
    return volume;
}

// For 30 to 60 dumps in a window like this one: from what the program allocated, else by how many
// dumps there were.
static void advise_interval(struct steps *steps)
{
    const double count = (double)steps->facts->dumps_count;
    if (count == 0 || steps->facts->compared || is_other_allocator(steps->run) ||
        (count >= DUMPS_ENOUGH && count <= DUMPS_PLENTY)) {
        return;
    }
    const double volume = allocated_volume(steps);
    const char *id = count < DUMPS_ENOUGH ? "next-interval-more" : "next-interval-fewer";
    const bool absolute = volume > 0;
    struct hr_next_step *step = add_step(steps, id, absolute ? "next-interval-command" : NULL);
    if (!step) {
        return;
    }
    hr_phrase_add_number(&step->text, "dumps_count", count);
    const double change = absolute ? round(log2(volume / DUMPS_WANTED))
                                   : fmax(1, fabs(round(log2(count / DUMPS_WANTED))));
    const char *text = hr_arena_printf(steps->arena, "%.0f", change);
    if (absolute) {
        hr_phrase_add_text(&step->command, "lg_prof_interval", text);
        hr_phrase_add_text_id(&step->text, "how", "next-interval-absolute");
        hr_phrase_add_number(&step->text, "volume_bytes", volume);
    } else {
        hr_phrase_add_text_id(&step->text, "how",
                              count < DUMPS_ENOUGH ? "next-interval-lower" : "next-interval-raise");
        hr_phrase_add_text(&step->text, "steps", text);
    }
}

static void advise_stacks(struct steps *steps)
{
    const double short_ratio = steps->findings->symbol_quality.one_frame_bytes_ratio;
    if (short_ratio > ONE_FRAME_RATIO) {
        struct hr_next_step *step = add_step(steps, "next-stacks", NULL);
        if (step) {
            hr_phrase_add_number(&step->text, "one_frame_ratio", short_ratio);
        }
    }
}

static void advise_rest(struct steps *steps)
{
    if (steps->verdict->next_steps_count == 0 && steps->decision->class == HR_CLASS_NO_GROWTH) {
        add_step(steps, "next-nothing", NULL);
    }
}

void hr_next_steps_compute(struct hr_arena *arena, const struct hr_run *run,
                           const struct hr_symbols *symbols, const struct hr_rules *rules,
                           const struct hr_findings *findings, const struct hr_facts *facts,
                           const struct hr_decision *decision, struct hr_verdict *verdict)
{
    // The most useful first; what comes after the third is left out.
    static void (*const ADVICE[])(struct steps *) = {
        advise_binary,   advise_suspect, advise_class,    advise_profiling, advise_evidence,
        advise_sampling, advise_stacks,  advise_interval, advise_rest,
    };
    struct steps steps = {arena, run, symbols, rules, findings, facts, decision, verdict};
    for (size_t i = 0; i < G_N_ELEMENTS(ADVICE); i++) {
        ADVICE[i](&steps);
    }
}
