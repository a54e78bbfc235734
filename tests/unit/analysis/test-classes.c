// SPDX-License-Identifier: MIT
#include "analysis/classes.h"

#include <glib.h>
#include <math.h>

#define MIB 1048576.0
#define STATES 6

static struct hr_rules default_rules(void)
{
    struct hr_rules rules = {0};
    hr_rules_init_thresholds(&rules);
    return rules;
}

static struct hr_part part_in(enum hr_part_state state, double bytes)
{
    const double value = state == HR_PART_UNKNOWN ? NAN
                         : state == HR_PART_FLAT  ? 0
                         : state == HR_PART_FALLS ? -bytes
                                                  : bytes;
    const struct hr_estimate growth = {value, value, value};
    return (struct hr_part){state, growth, growth, 10 * MIB, 0};
}

// Facts of a run in which all is well but for the states given.
static struct hr_facts facts_in(const enum hr_part_state states[HR_PARTS_COUNT],
                                const double bytes[HR_PARTS_COUNT])
{
    struct hr_facts facts = {.allocated_known = states[HR_PART_HEAP] != HR_PART_UNKNOWN,
                             .process_known = states[HR_PART_PROCESS] != HR_PART_UNKNOWN,
                             .slack_heap = states[HR_PART_HEAP],
                             .kept_after_peak_bytes = NAN,
                             .coverage_ratio = 1,
                             .smallest_detectable_bytes = MIB,
                             .heap_bytes = 20 * MIB,
                             .dumps_count = 50};
    for (int part = 0; part < HR_PARTS_COUNT; part++) {
        facts.parts[part] = part_in(states[part], bytes[part]);
    }
    return facts;
}

static bool next_states(enum hr_part_state states[HR_PARTS_COUNT])
{
    for (int part = 0; part < HR_PARTS_COUNT; part++) {
        if (states[part] < STATES - 1) {
            states[part]++;
            return true;
        }
        states[part] = 0;
    }
    return false;
}

static bool grows(enum hr_part_state state)
{
    return state == HR_PART_GROWS || state == HR_PART_UNDECIDED;
}

static bool quiet(enum hr_part_state state)
{
    return state == HR_PART_FLAT || state == HR_PART_FALLS;
}

// Method 5's table, said once more and without sharing code: which classes may be the answer for
// these states, whatever the bytes.
static unsigned possible_classes(const enum hr_part_state *s)
{
    const bool slack_moves = s[HR_PART_SLACK] == HR_PART_GREW || grows(s[HR_PART_SLACK]);
    const bool retention = (quiet(s[HR_PART_HEAP]) && slack_moves) ||
                           (s[HR_PART_HEAP] == HR_PART_GREW && grows(s[HR_PART_SLACK]));
    const bool outside = grows(s[HR_PART_OUTSIDE]) || grows(s[HR_PART_SHMEM]);
    const bool grew = s[HR_PART_HEAP] == HR_PART_GREW || s[HR_PART_OUTSIDE] == HR_PART_GREW ||
                      s[HR_PART_SHMEM] == HR_PART_GREW ||
                      (s[HR_PART_HEAP] == HR_PART_UNKNOWN && s[HR_PART_PROCESS] == HR_PART_GREW);
    unsigned classes = 0;
    classes |= grows(s[HR_PART_HEAP]) ? 1u << HR_CLASS_HEAP_GROWTH : 0;
    classes |= outside ? 1u << HR_CLASS_OUTSIDE_HEAP : 0;
    classes |= retention ? 1u << HR_CLASS_ALLOCATOR_RETENTION : 0;
    const bool slack_grows_on = retention && grows(s[HR_PART_SLACK]);
    if (grew && !grows(s[HR_PART_HEAP]) && !outside && !slack_grows_on &&
        s[HR_PART_PROCESS] != HR_PART_GROWS) {
        classes |= 1u << HR_CLASS_BOUNDED_GROWTH;
    }
    const bool file_moves = s[HR_PART_FILE] != HR_PART_UNKNOWN && s[HR_PART_FILE] != HR_PART_FLAT;
    if (file_moves && s[HR_PART_PROCESS] != HR_PART_UNKNOWN && !grows(s[HR_PART_PROCESS])) {
        classes |= 1u << HR_CLASS_FILE_BACKED;
    }
    if (classes == 0) {
        const bool unknown =
            s[HR_PART_HEAP] == HR_PART_UNKNOWN && s[HR_PART_PROCESS] == HR_PART_UNKNOWN;
        const bool doubt = unknown || s[HR_PART_PROCESS] == HR_PART_GROWS ||
                           (s[HR_PART_HEAP] == HR_PART_UNKNOWN && grows(s[HR_PART_PROCESS]));
        classes = 1u << (doubt ? HR_CLASS_INCONCLUSIVE : HR_CLASS_NO_GROWTH);
    }
    return classes;
}

static unsigned fired_classes(const struct hr_decision *decision)
{
    unsigned fired = 0;
    for (int class = 0; class < HR_CLASSES_COUNT; class ++) {
        fired |= decision->firings[class].outcome == HR_RULE_FIRED ? 1u << class : 0;
    }
    return fired;
}

// 6^6 combinations, with sizes that make each part the largest once.
static void test_every_combination_has_one_class(void)
{
    const struct hr_rules rules = default_rules();
    for (int largest = 0; largest < HR_PARTS_COUNT; largest++) {
        enum hr_part_state states[HR_PARTS_COUNT] = {0};
        double bytes[HR_PARTS_COUNT];
        for (int part = 0; part < HR_PARTS_COUNT; part++) {
            bytes[part] = (2 + part + (part == largest ? 100 : 0)) * MIB;
        }
        do {
            const struct hr_facts facts = facts_in(states, bytes);
            const struct hr_decision decision = hr_classes_decide(&facts, &rules);
            const unsigned possible = possible_classes(states);
            g_assert_cmpuint(fired_classes(&decision), ==, possible);
            g_assert_true(possible & (1u << decision.class));
            g_assert_true((decision.doubt != HR_DOUBT_NONE) ==
                          (decision.class == HR_CLASS_INCONCLUSIVE));
            for (int class = 0; class < HR_CLASSES_COUNT; class ++) {
                g_assert_cmpfloat(decision.firings[class].bytes, <=,
                                  decision.firings[decision.class].bytes);
            }
        } while (next_states(states));
    }
}

static const double EQUAL[HR_PARTS_COUNT] = {4 * MIB, 4 * MIB, 4 * MIB, 4 * MIB, 4 * MIB, 4 * MIB};

// Equal bytes: the order of the table decides.
static void test_ties_go_by_the_order_of_the_table(void)
{
    const struct hr_rules rules = default_rules();
    enum hr_part_state states[HR_PARTS_COUNT] = {HR_PART_GROWS, HR_PART_GROWS, HR_PART_GROWS,
                                                 HR_PART_FLAT,  HR_PART_FLAT,  HR_PART_GROWS};
    struct hr_facts facts = facts_in(states, EQUAL);
    g_assert_cmpint(hr_classes_decide(&facts, &rules).class, ==, HR_CLASS_HEAP_GROWTH);
    states[HR_PART_HEAP] = HR_PART_FLAT;
    facts = facts_in(states, EQUAL);
    g_assert_cmpint(hr_classes_decide(&facts, &rules).class, ==, HR_CLASS_OUTSIDE_HEAP);
    states[HR_PART_OUTSIDE] = HR_PART_FLAT;
    facts = facts_in(states, EQUAL);
    g_assert_cmpint(hr_classes_decide(&facts, &rules).class, ==, HR_CLASS_ALLOCATOR_RETENTION);
}

static struct hr_facts quiet_facts(void)
{
    const enum hr_part_state states[HR_PARTS_COUNT] = {HR_PART_FLAT, HR_PART_FLAT, HR_PART_FLAT,
                                                       HR_PART_FLAT, HR_PART_FLAT, HR_PART_FLAT};
    return facts_in(states, EQUAL);
}

static void test_quiet_but_doubtful(void)
{
    const struct hr_rules rules = default_rules();
    struct hr_facts facts = quiet_facts();
    g_assert_cmpint(hr_classes_decide(&facts, &rules).class, ==, HR_CLASS_NO_GROWTH);

    facts.coverage_ratio = 0.05;
    g_assert_cmpint(hr_classes_decide(&facts, &rules).doubt, ==, HR_DOUBT_COVERAGE);

    // The detection limit is asked only where the allocator's count is missing.
    facts = quiet_facts();
    facts.parts[HR_PART_HEAP].growth = (struct hr_estimate){0, -9 * MIB, 9 * MIB};
    facts.smallest_detectable_bytes = 500 * MIB;
    g_assert_cmpint(hr_classes_decide(&facts, &rules).class, ==, HR_CLASS_NO_GROWTH);
    facts.allocated_known = false;
    g_assert_cmpint(hr_classes_decide(&facts, &rules).doubt, ==, HR_DOUBT_TOO_COARSE);
    facts.smallest_detectable_bytes = NAN;
    g_assert_cmpint(hr_classes_decide(&facts, &rules).doubt, ==, HR_DOUBT_TOO_COARSE);
    // Unless the whole heap's growth is known to be small.
    facts.parts[HR_PART_HEAP].growth = (struct hr_estimate){0, -9 * MIB, 7 * MIB};
    g_assert_cmpint(hr_classes_decide(&facts, &rules).class, ==, HR_CLASS_NO_GROWTH);
    facts.parts[HR_PART_HEAP].growth.high = 9 * MIB;
    facts.smallest_detectable_bytes = 8 * MIB;
    g_assert_cmpint(hr_classes_decide(&facts, &rules).class, ==, HR_CLASS_NO_GROWTH);
    // A heap that seems to have grown by more than may hide is not said to be level.
    facts.parts[HR_PART_HEAP].growth = (struct hr_estimate){9 * MIB, -9 * MIB, 27 * MIB};
    g_assert_cmpint(hr_classes_decide(&facts, &rules).doubt, ==, HR_DOUBT_TOO_COARSE);
    facts.smallest_detectable_bytes = 30 * MIB;
    facts.heap_bytes = 400 * MIB;
    g_assert_cmpint(hr_classes_decide(&facts, &rules).class, ==, HR_CLASS_NO_GROWTH);
}

// A heap that grew by dumps which cannot tell whether it goes on: no class but "cannot tell",
// unless another part fires.
static void test_open_heap_is_no_class(void)
{
    const struct hr_rules rules = default_rules();
    enum hr_part_state states[HR_PARTS_COUNT] = {
        [HR_PART_HEAP] = HR_PART_UNDECIDED,  [HR_PART_SLACK] = HR_PART_UNKNOWN,
        [HR_PART_OUTSIDE] = HR_PART_UNKNOWN, [HR_PART_SHMEM] = HR_PART_UNKNOWN,
        [HR_PART_FILE] = HR_PART_UNKNOWN,    [HR_PART_PROCESS] = HR_PART_FLAT};
    struct hr_facts facts = facts_in(states, EQUAL);
    facts.allocated_known = false;
    g_assert_cmpint(hr_classes_decide(&facts, &rules).class, ==, HR_CLASS_HEAP_GROWTH);
    facts.heap_open = true;
    struct hr_decision decision = hr_classes_decide(&facts, &rules);
    g_assert_cmpint(decision.doubt, ==, HR_DOUBT_HEAP_OPEN);
    g_assert_cmpint(decision.class, ==, HR_CLASS_INCONCLUSIVE);
    g_assert_cmpint(decision.firings[HR_CLASS_HEAP_GROWTH].outcome, ==, HR_RULE_UNKNOWN);

    states[HR_PART_OUTSIDE] = HR_PART_GREW;
    facts = facts_in(states, EQUAL);
    facts.heap_open = true;
    g_assert_cmpint(hr_classes_decide(&facts, &rules).class, ==, HR_CLASS_INCONCLUSIVE);
    states[HR_PART_OUTSIDE] = HR_PART_GROWS;
    facts = facts_in(states, EQUAL);
    facts.heap_open = true;
    g_assert_cmpint(hr_classes_decide(&facts, &rules).class, ==, HR_CLASS_OUTSIDE_HEAP);
}

// While a heap fills, its free pages grow with it: only what they gain afterwards is retention.
static void test_slack_beside_a_heap_that_stopped(void)
{
    const struct hr_rules rules = default_rules();
    const enum hr_part_state states[HR_PARTS_COUNT] = {
        [HR_PART_HEAP] = HR_PART_GREW,    [HR_PART_SLACK] = HR_PART_UNDECIDED,
        [HR_PART_OUTSIDE] = HR_PART_FLAT, [HR_PART_SHMEM] = HR_PART_UNKNOWN,
        [HR_PART_FILE] = HR_PART_UNKNOWN, [HR_PART_PROCESS] = HR_PART_GREW};
    struct hr_facts facts = facts_in(states, EQUAL);
    facts.parts[HR_PART_SLACK].last_third = (struct hr_estimate){0.7 * MIB, 0.1 * MIB, 1.3 * MIB};
    g_assert_cmpint(hr_classes_decide(&facts, &rules).class, ==, HR_CLASS_BOUNDED_GROWTH);
    facts.parts[HR_PART_SLACK].last_third = (struct hr_estimate){4 * MIB, 3 * MIB, 5 * MIB};
    g_assert_cmpint(hr_classes_decide(&facts, &rules).class, ==, HR_CLASS_ALLOCATOR_RETENTION);
}

// Memory kept after a peak fires retention though both ends of the window are alike.
static void test_kept_after_peak(void)
{
    const struct hr_rules rules = default_rules();
    struct hr_facts facts = quiet_facts();
    facts.kept_after_peak_bytes = 90 * MIB;
    const struct hr_decision decision = hr_classes_decide(&facts, &rules);
    g_assert_cmpint(decision.class, ==, HR_CLASS_ALLOCATOR_RETENTION);
    g_assert_cmpfloat(decision.firings[decision.class].bytes, ==, 90 * MIB);
}

// Boundaries of a part's states. Method 5.
static void test_states_of_a_part(void)
{
    const struct hr_rules rules = default_rules();
    static const struct {
        double base, growth, error, third, third_error;
        enum hr_part_state state;
    } cases[] = {
        {0, 1 * MIB, 0, 0, 0, HR_PART_FLAT},                     // the floor itself
        {0, 1.01 * MIB, 0, 1 * MIB, 0, HR_PART_GROWS},           // just above it
        {100 * MIB, 1.9 * MIB, 0, 1 * MIB, 0, HR_PART_FLAT},     // 2 % of the base
        {0, 5 * MIB, 6 * MIB, 5 * MIB, 0, HR_PART_FLAT},         // its own error
        {0, -5 * MIB, 0, 0, 0, HR_PART_FALLS},                   // downward
        {0, 60 * MIB, 0, 5 * MIB, 4 * MIB, HR_PART_GREW},        // under a sixth, for certain
        {0, 60 * MIB, 0, 5 * MIB, 6 * MIB, HR_PART_UNDECIDED},   // perhaps, perhaps not
        {0, 60 * MIB, 0, 20 * MIB, 19 * MIB, HR_PART_GROWS},     // above 0 for certain
        {0, 60 * MIB, 0, 20 * MIB, 21 * MIB, HR_PART_UNDECIDED}, // not certain
        {0, 60 * MIB, 0, NAN, NAN, HR_PART_UNDECIDED},           // nothing known of it
        {0, NAN, NAN, NAN, NAN, HR_PART_UNKNOWN},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        const struct hr_part part = {
            HR_PART_UNKNOWN,
            {cases[i].growth, cases[i].growth - cases[i].error, cases[i].growth + cases[i].error},
            {cases[i].third, cases[i].third - cases[i].third_error,
             cases[i].third + cases[i].third_error},
            cases[i].base,
            0};
        g_assert_cmpint(hr_part_judge(&rules, &part), ==, cases[i].state);
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/classes/every-combination", test_every_combination_has_one_class);
    g_test_add_func("/classes/ties", test_ties_go_by_the_order_of_the_table);
    g_test_add_func("/classes/quiet-but-doubtful", test_quiet_but_doubtful);
    g_test_add_func("/classes/open-heap-is-no-class", test_open_heap_is_no_class);
    g_test_add_func("/classes/slack-beside-a-heap-that-stopped",
                    test_slack_beside_a_heap_that_stopped);
    g_test_add_func("/classes/kept-after-peak", test_kept_after_peak);
    g_test_add_func("/classes/states-of-a-part", test_states_of_a_part);
    return g_test_run();
}
