// SPDX-License-Identifier: MIT
#include "sample_document.h"

#include "sample_charts.h"

#include <math.h>
#include <string.h>

#define MIB (1024.0 * 1024)

static const char *const functions[] = {
    "filedrive::session::SessionStore<S, H>::open",
    "<hyper::proto::h1::dispatch::Dispatcher<D, B, I, T> as core::future::future::Future>::poll",
    "core::ptr::drop_in_place<alloc::vec::Vec<(alloc::string::String, "
    "alloc::sync::Arc<tokio::sync::rwlock::RwLock<std::collections::hash::map::HashMap<"
    "filedrive::catalogue::identifier::ObjectIdentifier, filedrive::catalogue::entry::Entry<"
    "filedrive::storage::backend::LocalBackend>, ahash::random_state::RandomState>>>)>>::"
    "{{closure}}::{{vtable.shim}}",
    "キャッシュ::挿入<文字列>",
    "מטמון::הכנס",
    ("std::vector<std::pair<std::string, int>, std::allocator<std::pair<std::string, int>>>"
     "::_M_realloc_insert"),
    "queue::push\xe2\x80\xae evil",
};

struct composer {
    struct hr_arena *arena;
    struct hr_node *at;
};

static struct hr_node *add(struct composer *composer, enum hr_node_kind kind)
{
    return hr_node_append(composer->at, hr_node_new(composer->arena, kind));
}

static struct hr_node *enter(struct composer *composer, enum hr_node_kind kind, const char *role)
{
    composer->at = add(composer, kind);
    composer->at->role = role;
    return composer->at;
}

static void leave(struct composer *composer)
{
    composer->at = composer->at->parent;
}

static void text(struct composer *composer, const char *words)
{
    add(composer, HR_NODE_TEXT)->text = words;
}

static void strong(struct composer *composer, const char *words)
{
    enter(composer, HR_NODE_STRONG, NULL);
    text(composer, words);
    leave(composer);
}

static void symbol(struct composer *composer, const char *name)
{
    add(composer, HR_NODE_SYMBOL)->text = name;
}

static struct hr_value bytes(const char *key, double value, double error)
{
    return (struct hr_value){
        .kind = HR_VALUE_NUMBER,
        .key = key,
        .number = {value, error > 0 ? value - error : NAN, error > 0 ? value + error : NAN},
        .significant = true,
    };
}

static struct hr_value words(enum hr_value_kind kind, const char *key, const char *text)
{
    return (struct hr_value){.kind = kind, .key = key, .text = text, .significant = true};
}

static void paragraph(struct composer *composer, const char *role, const char *content)
{
    enter(composer, HR_NODE_PARAGRAPH, role);
    text(composer, content);
    leave(composer);
}

static void section(struct composer *composer, const char *id, const char *role, int level,
                    const char *heading)
{
    enter(composer, HR_NODE_SECTION, role)->id = id;
    enter(composer, HR_NODE_HEADING, NULL)->level = level;
    text(composer, heading);
    leave(composer);
}

static void fact(struct composer *composer, const char *label, struct hr_value value,
                 struct hr_value change)
{
    struct hr_node *node = add(composer, HR_NODE_FACT);
    node->text = label;
    node->value = value;
    node->change = change;
}

static void chart(struct composer *composer, const struct hr_chart *data, const char *caption)
{
    struct hr_chart *copy = hr_arena_copy(composer->arena, data, 1, sizeof *data);
    copy->caption = caption;
    add(composer, HR_NODE_CHART)->chart = copy;
}

static const char *name_of(struct composer *composer, unsigned i)
{
    return i == 0 ? functions[0]
                  : hr_arena_printf(composer->arena, "%s", functions[i % G_N_ELEMENTS(functions)]);
}

static void add_verdict(struct composer *composer)
{
    enter(composer, HR_NODE_CALLOUT, "verdict")->text = "heap_growth";
    enter(composer, HR_NODE_PARAGRAPH, "class");
    strong(composer, "Heap growth");
    text(composer, " · confidence high · the whole process was measured");
    leave(composer);
    enter(composer, HR_NODE_PARAGRAPH, "lead");
    text(composer, "Anonymous memory grew by 118 MiB in 13 h 40 min; 96 MiB (85 to 107) of it is "
                   "live heap that grows steadily from one place, ");
    symbol(composer, functions[0]);
    text(composer, ".");
    leave(composer);
    leave(composer);
}

static const struct hr_chart *coloured(struct composer *composer, const struct hr_chart *data,
                                       unsigned i)
{
    struct hr_chart *copy = hr_arena_copy(composer->arena, data, 1, sizeof *data);
    struct hr_chart_series *series =
        hr_arena_copy(composer->arena, data->series, data->series_count, sizeof *data->series);
    series[0].colour = HR_COLOUR_SUSPECT_FIRST + (int)i;
    copy->series = series;
    return copy;
}

static void add_suspect_line(struct composer *composer, unsigned i)
{
    enter(composer, HR_NODE_ITEM, NULL);
    enter(composer, HR_NODE_PARAGRAPH, NULL);
    struct hr_node *link = add(composer, HR_NODE_LINK);
    link->text = hr_arena_printf(composer->arena, "S%u", i + 1);
    link->target = hr_arena_printf(composer->arena, "suspect-S%u", i + 1);
    text(composer, " ");
    symbol(composer, name_of(composer, i));
    text(composer, " ");
    enter(composer, HR_NODE_STRONG, NULL);
    add(composer, HR_NODE_VALUE)->value = bytes("growth_bytes", 62 * MIB / (i + 1), 4 * MIB);
    leave(composer);
    text(composer, ", 65 % of all that grew, linear");
    leave(composer);
    chart(composer, coloured(composer, hr_sample_sparkline(composer->arena), i), NULL);
    leave(composer);
}

static void add_step(struct composer *composer, const char *words_of_step, const char *command)
{
    enter(composer, HR_NODE_ITEM, NULL);
    paragraph(composer, NULL, words_of_step);
    if (command) {
        add(composer, HR_NODE_CODE)->text = command;
    }
    leave(composer);
}

static void add_summary(struct composer *composer, unsigned suspects_count)
{
    const struct hr_value none = {.kind = HR_VALUE_NULL};
    section(composer, "summary", "summary", 1, "filedrive: memory over 13 h 40 min");
    add_verdict(composer);
    enter(composer, HR_NODE_FACTS, "key");
    fact(composer, "heap profile", bytes("final_bytes", 181 * MIB, 0),
         bytes("growth_bytes", 96 * MIB, 11 * MIB));
    fact(composer, "allocated", bytes("final_bytes", 185 * MIB, 0),
         bytes("growth_bytes", 97 * MIB, 0));
    fact(composer, "resident", bytes("final_bytes", 285 * MIB, 0),
         bytes("growth_bytes", 113 * MIB, 0));
    fact(composer, "anonymous", bytes("final_bytes", 298 * MIB, 0),
         bytes("growth_bytes", 118 * MIB, 0));
    leave(composer);
    chart(composer, hr_sample_timeline(composer->arena),
          "Memory over the run: measured counters are solid lines, the sampled heap has its 95 % "
          "band; ticks are dumps.");
    chart(composer, hr_sample_balance(composer->arena),
          "From the heap outwards, at base and at final; what grows only in an outer bar is not "
          "live heap.");
    if (suspects_count > 0) {
        section(composer, "who", NULL, 2, "Who grew");
        enter(composer, HR_NODE_LIST, "suspects");
        for (unsigned i = 0; i < MIN(suspects_count, 3); i++) {
            add_suspect_line(composer, i);
        }
        leave(composer);
        leave(composer);
    } else {
        paragraph(composer, NULL,
                  "No suspect was found: no place in the program holds more than before beyond "
                  "the error.");
    }
    section(composer, "next", NULL, 2, "What to do next");
    enter(composer, HR_NODE_LIST, "steps");
    add_step(composer, "Read who inserts into the session store and when an entry leaves it.",
             NULL);
    add_step(composer, "Compare two nights to see whether the growth goes on.",
             "heapreport trend --history nights.jsonl --fail-on new-suspect -o trend.pdf");
    leave(composer);
    leave(composer);
    section(composer, "grade", NULL, 2, "How good the evidence is");
    enter(composer, HR_NODE_FACTS, "evidence");
    fact(composer, "dumps used, of 412 found", bytes("dumps_count", 409, 0), none);
    fact(composer, "of live bytes have names", bytes("named_ratio", 0.98, 0), none);
    fact(composer, "binary", words(HR_VALUE_TEXT, "match", "confirmed"), none);
    fact(composer, "of allocated bytes seen", bytes("coverage_ratio", 0.97, 0), none);
    fact(composer, "smallest detectable growth", bytes("smallest_bytes", 4.4 * MIB, 0), none);
    leave(composer);
    leave(composer);
    paragraph(composer, "identity",
              "service filedrive · host node-07 · prefix heap · pid 4711 · build-id "
              "5f1c6d20a1b94be0c0ffee · 2026-12-01 07:26 UTC to 2026-12-01 21:06 UTC · 13 h 40 min "
              "· heapreport 0.1.0");
    leave(composer);
}

static void add_stack(struct composer *composer, unsigned i)
{
    static const struct hr_stack_line shared[] = {
        {"_rjem_je_prof_backtrace", "src/prof_sys.c:286", false, false, "allocator", "exact", NULL},
        {"hashbrown::raw::RawTable<T, A>::reserve_rehash",
         "/rustc/a28077b28a02b92985b3a3faecf92813155f1ea1/library/hashbrown/src/raw/mod.rs:1198",
         true, false, "runtime", "exact", "inlined"},
        {NULL, "src/session/store.rs:88", false, true, "app", "exact", "responsible"},
        {"filedrive::http::route::{{closure}}", "src/http/route.rs:214", false, false, "app",
         "exact", NULL},
        {"<tokio::runtime::scheduler::multi_thread::worker::Context as "
         "tokio::runtime::task::Schedule>::run_task",
         "worker.rs:441", true, false, "library", "exact", "inlined"},
        {"libc.so.6+0x89044", NULL, false, false, "unknown", "guessed", "name guessed"},
    };
    struct hr_stack_line *lines =
        hr_arena_copy(composer->arena, shared, G_N_ELEMENTS(shared), sizeof *shared);
    lines[2].function = name_of(composer, i);
    struct hr_stack_listing *stack = HR_ARENA_NEW(composer->arena, struct hr_stack_listing);
    stack->lines = lines;
    stack->lines_count = G_N_ELEMENTS(shared);
    add(composer, HR_NODE_STACK)->stack = stack;
}

static void add_card(struct composer *composer, unsigned i)
{
    const struct hr_value none = {.kind = HR_VALUE_NULL};
    enter(composer, HR_NODE_SECTION, "suspect")->id =
        hr_arena_printf(composer->arena, "suspect-S%u", i + 1);
    enter(composer, HR_NODE_HEADING, NULL)->level = 3;
    text(composer, hr_arena_printf(composer->arena, "S%u ", i + 1));
    symbol(composer, name_of(composer, i));
    leave(composer);
    enter(composer, HR_NODE_PARAGRAPH, NULL);
    symbol(composer, name_of(composer, i));
    text(composer, " holds ");
    enter(composer, HR_NODE_STRONG, NULL);
    add(composer, HR_NODE_VALUE)->value = bytes("growth_bytes", 62 * MIB / (i + 1), 4 * MIB);
    leave(composer);
    text(composer,
         " beside what it held at base, in +12 480 objects of 5.2 KiB on average; that is "
         "65 % of all that grew.");
    leave(composer);
    enter(composer, HR_NODE_FACTS, "suspect");
    fact(composer, "at base", bytes("base_bytes", 20 * MIB, 3 * MIB), none);
    fact(composer, "at final", bytes("final_bytes", 82 * MIB, 5 * MIB), none);
    fact(composer, "growth", bytes("growth_bytes", 62 * MIB, 6 * MIB), none);
    fact(composer, "rate", bytes("rate_bytes_per_hour", 4.5 * MIB, 0.4 * MIB), none);
    fact(composer, "sampled objects at final, 41 at base", bytes("sampled_count", 162, 0), none);
    leave(composer);
    chart(composer, coloured(composer, hr_sample_suspect(composer->arena), i),
          "Live bytes with their 95 % band, in thirds of the window.");
    enter(composer, HR_NODE_PARAGRAPH, NULL);
    strong(composer, "+48.1 MiB");
    text(composer, " through this stack, innermost frame first:");
    leave(composer);
    add_stack(composer, i);
    paragraph(composer, NULL,
              "Harmless if: the store is bounded by a limit that this run did not reach; look for "
              "an eviction in the code that inserts.");
    paragraph(composer, "keywords",
              "Fingerprint 5be1c02a77f3 · keywords session store hashbrown reserve_rehash");
    leave(composer);
}

static void add_growth_table(struct composer *composer, unsigned rows)
{
    static const struct hr_column columns[] = {
        {"Id", "id", false, 0},
        {"Function", "function", true, 5},
        {"Base", "base_bytes", false, 0},
        {"Final", "final_bytes", false, 0},
        {"Growth", "growth_bytes", false, 0},
        {"Shape", "shape", false, 0},
    };
    enum { COLUMNS = G_N_ELEMENTS(columns) };
    struct hr_value *cells =
        HR_ARENA_ARRAY(composer->arena, struct hr_value, (size_t)(rows + 1) * COLUMNS);
    for (unsigned row = 0; row <= rows; row++) {
        struct hr_value *cell = cells + (size_t)row * COLUMNS;
        const bool total = row == rows;
        cell[0] = words(HR_VALUE_TEXT, "id",
                        total ? "" : hr_arena_printf(composer->arena, "S%u", row + 1));
        cell[0].link = total ? NULL : hr_arena_printf(composer->arena, "suspect-S%u", row + 1);
        cell[1] = total ? words(HR_VALUE_TEXT, "function", "Live heap")
                        : words(HR_VALUE_SYMBOL, "function", name_of(composer, row));
        cell[2] = bytes("base_bytes", 85 * MIB / (row + 1), 0);
        cell[3] = bytes("final_bytes", 181 * MIB / (row + 1), 0);
        cell[4] = bytes("growth_bytes", 96 * MIB / (row + 1), 11 * MIB / (row + 1));
        cell[4].significant = row < 9;
        cell[5] = words(HR_VALUE_TEXT, "shape", total ? "" : "linear");
    }
    struct hr_table *table = HR_ARENA_NEW(composer->arena, struct hr_table);
    table->id = "grown";
    table->caption = "Growth from base to final by responsible function; the rows add up to the "
                     "growth of the live heap. ≈ means within the error.";
    table->columns = columns;
    table->columns_count = COLUMNS;
    table->cells = cells;
    table->rows_count = rows + 1;
    table->last_row_is_total = true;
    table->rest_note = "312 smaller rows, together ≈+1.2 MiB (−0.4 to 2.8)";
    add(composer, HR_NODE_TABLE)->table = table;
}

static void add_evidence(struct composer *composer)
{
    section(composer, "change", NULL, 2, "Where the heap changed");
    chart(composer, hr_sample_area(composer->arena),
          "The live heap, the suspects that hold most at the end from the bottom up.");
    chart(composer, hr_sample_flame(composer->arena),
          "Callers above, callees below. A frame is as wide as what it holds at the end; its "
          "colour says how much of that is new.");
    leave(composer);
    section(composer, "rules", NULL, 2, "How the verdict was reached");
    section(composer, "rule-heap", "rule", 3, "Heap growth: fired");
    paragraph(composer, NULL,
              "The heap grew in both halves, and in the last third as in the first.");
    enter(composer, HR_NODE_FACTS, "numbers");
    fact(composer, "growth of allocated", bytes("growth_bytes", 97 * MIB, 1.1 * MIB),
         (struct hr_value){.kind = HR_VALUE_NULL});
    fact(composer, "growth in the last third", bytes("last_growth_bytes", 31 * MIB, 2 * MIB),
         (struct hr_value){.kind = HR_VALUE_NULL});
    leave(composer);
    leave(composer);
    leave(composer);
    section(composer, "sizes", NULL, 2, "Allocator and process");
    chart(composer, hr_sample_histogram(composer->arena),
          "Live bytes by the size of the objects, base behind final.");
    enter(composer, HR_NODE_CALLOUT, "warning");
    paragraph(composer, NULL, "Two dump files end inside a stack; whole stacks were kept.");
    leave(composer);
    leave(composer);
}

struct hr_document *hr_sample_document(struct hr_arena *arena, unsigned suspects_count)
{
    static const char json[] = "{\"schema\":\"heapreport-result\"}\n";
    struct hr_attachment *attachment = HR_ARENA_NEW(arena, struct hr_attachment);
    *attachment = (struct hr_attachment){"result.json", "application/json", "The result", json,
                                         sizeof json - 1};
    struct composer composer = {arena, hr_node_new(arena, HR_NODE_DOCUMENT)};
    struct hr_node *root = composer.at;
    add_summary(&composer, suspects_count);
    if (suspects_count > 0) {
        section(&composer, "suspects", NULL, 2, "Suspects");
        for (unsigned i = 0; i < suspects_count; i++) {
            add_card(&composer, i);
        }
        leave(&composer);
    }
    add_evidence(&composer);
    section(&composer, "growth", "appendix", 2, "What grew, what shrank, what is there");
    add_growth_table(&composer, MAX(suspects_count, 1));
    leave(&composer);
    struct hr_document *document = HR_ARENA_NEW(arena, struct hr_document);
    document->arena = arena;
    document->root = root;
    document->title = "filedrive: memory over 13 h 40 min";
    document->language = "en";
    document->generated_time = "2026-12-01T21:06:05Z";
    document->paper = "a4";
    document->producer = "heapreport 0.1.0";
    document->attachments = attachment;
    document->attachments_count = 1;
    return document;
}
