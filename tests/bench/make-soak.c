// SPDX-License-Identifier: MIT
// Writes a directory of heap_v2 dumps as a long soak would leave it: the same stacks from dump to
// dump with small changes, a planted growth in the first ten, one minute between two dumps. The
// same arguments make the same bytes. Addresses are return addresses of real calls in --binary, so
// that reading and symbolizing can be measured on one input.
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define START_S 1796158800
#define INTERVAL_BYTES 524288
#define LOAD_BASE UINT64_C(0x55d0c0000000)
#define LEAKS 10u

static char *option_binary;
static int option_dumps = 200;
static int option_stacks = 5000;
static int option_addresses = 20000;
static int option_depth = 22;
static int option_threads = 1;
static gboolean option_shuffle;
static gboolean option_renew;

static const GOptionEntry OPTIONS[] = {
    {"binary", 0, 0, G_OPTION_ARG_FILENAME, &option_binary,
     "take call sites from this x86-64 ELF file", "FILE"},
    {"dumps", 0, 0, G_OPTION_ARG_INT, &option_dumps, "number of dumps", "N"},
    {"stacks", 0, 0, G_OPTION_ARG_INT, &option_stacks, "unique stacks", "N"},
    {"addresses", 0, 0, G_OPTION_ARG_INT, &option_addresses, "unique addresses", "N"},
    {"depth", 0, 0, G_OPTION_ARG_INT, &option_depth, "mean depth of a stack", "N"},
    {"threads", 0, 0, G_OPTION_ARG_INT, &option_threads,
     "thread lines for each stack and the header", "N"},
    {"shuffle", 0, 0, G_OPTION_ARG_NONE, &option_shuffle, "another order of stacks in each dump",
     NULL},
    {"renew", 0, 0, G_OPTION_ARG_NONE, &option_renew, "other stacks in each dump", NULL},
    {NULL, 0, 0, 0, NULL, NULL, NULL}};

struct site_list {
    uint64_t *addresses;
    size_t count;
    GString *map;
};

static uint64_t next_random(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

#define PAGE_UP(address) (((address) + 0xfff) & ~(uint64_t)0xfff)

// As the kernel maps a segment: its file part, then anonymous memory for what the file lacks.
static void add_map_lines(GString *map, const Elf64_Phdr *segment, const char *path)
{
    const uint64_t start = (LOAD_BASE + segment->p_vaddr) & ~(uint64_t)0xfff;
    const uint64_t file_end = PAGE_UP(LOAD_BASE + segment->p_vaddr + segment->p_filesz);
    const uint64_t end = PAGE_UP(LOAD_BASE + segment->p_vaddr + segment->p_memsz);
    g_string_append_printf(map, "%lx-%lx r%c%cp %08lx fe:00 4711                       %s\n", start,
                           file_end, segment->p_flags & PF_W ? 'w' : '-',
                           segment->p_flags & PF_X ? 'x' : '-',
                           segment->p_offset & ~(uint64_t)0xfff, path);
    if (end > file_end) {
        g_string_append_printf(map, "%lx-%lx rw-p 00000000 00:00 0\n", file_end, end);
    }
}

struct elf_file {
    const unsigned char *bytes;
    uint64_t size;
    Elf64_Ehdr header;
    Elf64_Phdr pointers; // all zero: none
};

// Where functions begin by .symtab; a byte 0xe8 whose target is none of them is no call.
static GHashTable *find_functions(const struct elf_file *file)
{
    GHashTable *functions = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);
    for (unsigned i = 0; i < file->header.e_shnum; i++) {
        Elf64_Shdr section;
        const uint64_t at = file->header.e_shoff + i * sizeof section;
        if (at + sizeof section > file->size) {
            break;
        }
        memcpy(&section, file->bytes + at, sizeof section);
        if (section.sh_type != SHT_SYMTAB || section.sh_offset + section.sh_size > file->size) {
            continue;
        }
        for (uint64_t offset = 0; offset + sizeof(Elf64_Sym) <= section.sh_size;
             offset += sizeof(Elf64_Sym)) {
            Elf64_Sym symbol;
            memcpy(&symbol, file->bytes + section.sh_offset + offset, sizeof symbol);
            if (ELF64_ST_TYPE(symbol.st_info) == STT_FUNC && symbol.st_value) {
                g_hash_table_add(functions, g_memdup2(&symbol.st_value, sizeof symbol.st_value));
            }
        }
    }
    return functions;
}

// The length of the call that stands at `code`, 0 when there is none: `call rel32` to the start of
// a function, or `call *disp32(%rip)` through a pointer that lies in `pointers`.
static unsigned call_length(const unsigned char *code, uint64_t address, GHashTable *functions,
                            const Elf64_Phdr *pointers)
{
    int32_t distance;
    memcpy(&distance, code + (code[0] == 0xe8 ? 1 : 2), sizeof distance);
    const uint64_t length = code[0] == 0xe8 ? 5 : 6;
    const uint64_t target = address + length + (uint64_t)(int64_t)distance;
    if (code[0] == 0xe8) {
        return g_hash_table_contains(functions, &target) ? 5 : 0;
    }
    const bool through_pointer = code[0] == 0xff && code[1] == 0x15 && target % 8 == 0;
    return through_pointer && target - pointers->p_vaddr < pointers->p_filesz ? 6 : 0;
}

static void scan_calls(const struct elf_file *file, const Elf64_Phdr *segment,
                       GHashTable *functions, GArray *sites)
{
    const unsigned char *code = file->bytes + segment->p_offset;
    for (uint64_t at = 0; at + 6 <= segment->p_filesz;) {
        const unsigned length =
            call_length(code + at, segment->p_vaddr + at, functions, &file->pointers);
        at += length ? length : 1;
        if (length) {
            const uint64_t site = LOAD_BASE + segment->p_vaddr + at;
            g_array_append_val(sites, site);
        }
    }
}

// The segment that holds the global offset table: the one made read-only after relocation.
static void find_pointers(struct elf_file *file)
{
    for (unsigned i = 0; i < file->header.e_phnum; i++) {
        Elf64_Phdr segment;
        memcpy(&segment, file->bytes + file->header.e_phoff + i * sizeof segment, sizeof segment);
        if (segment.p_type == PT_GNU_RELRO) {
            file->pointers = segment;
        }
    }
}

static bool read_binary(GArray *sites, GString *map)
{
    g_autofree char *text = NULL;
    gsize size;
    if (!g_file_get_contents(option_binary, &text, &size, NULL) || size < sizeof(Elf64_Ehdr)) {
        return false;
    }
    struct elf_file file = {.bytes = (const unsigned char *)text, .size = size};
    memcpy(&file.header, text, sizeof file.header);
    if (memcmp(file.header.e_ident, ELFMAG, SELFMAG) != 0 || file.header.e_machine != EM_X86_64 ||
        file.header.e_phoff + file.header.e_phnum * sizeof(Elf64_Phdr) > size) {
        return false;
    }
    g_autofree char *path = g_canonicalize_filename(option_binary, NULL);
    g_autoptr(GHashTable) functions = find_functions(&file);
    find_pointers(&file);
    for (unsigned i = 0; i < file.header.e_phnum; i++) {
        Elf64_Phdr segment;
        memcpy(&segment, file.bytes + file.header.e_phoff + i * sizeof segment, sizeof segment);
        if (segment.p_type != PT_LOAD || segment.p_offset + segment.p_filesz > size) {
            continue;
        }
        add_map_lines(map, &segment, path);
        if (segment.p_flags & PF_X) {
            scan_calls(&file, &segment, functions, sites);
        }
    }
    return sites->len > 0;
}

static bool find_sites(struct site_list *list)
{
    g_autoptr(GArray) sites = g_array_new(FALSE, FALSE, sizeof(uint64_t));
    list->map = g_string_new(NULL);
    if (option_binary && !read_binary(sites, list->map)) {
        return false;
    }
    if (!option_binary) {
        for (uint64_t i = 0; i < 1000000; i++) {
            const uint64_t site = LOAD_BASE + 0x1000 + i * 13;
            g_array_append_val(sites, site);
        }
        g_string_append(list->map, "55d0c0000000-55d0d0000000 r-xp 00000000 fe:00 1   /srv/soak\n");
    }
    list->count = MIN((size_t)option_addresses, sites->len);
    list->addresses = g_new(uint64_t, list->count);
    for (size_t i = 0; i < list->count; i++) {
        list->addresses[i] = g_array_index(sites, uint64_t, i * sites->len / list->count);
    }
    return true;
}

// A stack: six frames of the allocator, some of its own, some shared ones up to main.
static void append_stack(GString *out, const struct site_list *sites, uint64_t number)
{
    uint64_t state = (number + 1) * 0x9e3779b97f4a7c15ULL;
    const unsigned depth =
        MAX(1u, (unsigned)option_depth * 3 / 4 +
                    (unsigned)(next_random(&state) % (uint64_t)MAX(1, option_depth / 2)));
    g_string_append_c(out, '@');
    for (unsigned i = 0; i < depth; i++) {
        const uint64_t own = next_random(&state) % sites->count;
        const uint64_t site = i < 6            ? i % sites->count
                              : i + 6 >= depth ? (depth - i + number % 7 * 11) % sites->count
                                               : own;
        g_string_append_printf(out, " 0x%lx", sites->addresses[site]);
    }
    g_string_append_c(out, '\n');
}

static void append_counts(GString *out, const char *who, uint64_t objects, uint64_t size)
{
    g_string_append_printf(out, "  %s: %lu: %lu [0: 0]\n", who, objects, objects * size);
}

static void append_threads(GString *out, uint64_t objects, uint64_t size)
{
    for (int i = 0; i < option_threads; i++) {
        char name[24];
        g_snprintf(name, sizeof name, "t%d", i);
        append_counts(out, name, objects / (uint64_t)option_threads, size);
    }
}

static void append_row(GString *out, uint64_t number, unsigned dump)
{
    uint64_t state = (number * 1000003 + dump + 1) * 0x9e3779b97f4a7c15ULL;
    const uint64_t size = 64ULL << number % 8;
    const uint64_t growth = number < LEAKS ? dump : 0;
    const uint64_t objects = 1 + number % 5 + growth + next_random(&state) % 3;
    append_counts(out, "t*", objects, size);
    append_threads(out, objects, size);
}

// Which stack stands at `place` of this dump; one in fourteen is not there.
static bool stack_at(unsigned place, unsigned dump, uint64_t *number)
{
    const uint64_t stacks = (uint64_t)option_stacks;
    *number = option_shuffle ? (place * 7919ULL + dump * 104729ULL) % stacks : place;
    if (option_renew) {
        *number += dump * stacks;
        return true;
    }
    uint64_t state = (*number * 31 + dump + 1) * 0x9e3779b97f4a7c15ULL;
    return *number < LEAKS || option_stacks == 1 || next_random(&state) % 14 != 0;
}

static void compose_dump(GString *out, const struct site_list *sites, GPtrArray *lines,
                         unsigned dump)
{
    g_string_printf(out, "heap_v2/%d\n", INTERVAL_BYTES);
    append_counts(out, "t*", (uint64_t)option_stacks * 4, 512);
    append_threads(out, (uint64_t)option_stacks * 4, 512);
    for (unsigned place = 0; place < (unsigned)option_stacks; place++) {
        uint64_t number;
        if (!stack_at(place, dump, &number)) {
            continue;
        }
        if (number < lines->len) {
            g_string_append(out, g_ptr_array_index(lines, number));
        } else {
            append_stack(out, sites, number);
        }
        append_row(out, number, dump);
    }
    g_string_append_printf(out, "\nMAPPED_LIBRARIES:\n%s", sites->map->str);
}

static bool write_dump(const char *directory, unsigned dump, const GString *content)
{
    g_autofree char *name = g_strdup_printf("%s/soak.4711.%u.i%u.heap", directory, dump, dump);
    const int fd = open(name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    if (fd < 0) {
        return false;
    }
    gsize written = 0;
    while (written < content->len) {
        const ssize_t put = write(fd, content->str + written, content->len - written);
        if (put < 0 && errno != EINTR) {
            break;
        }
        written += put > 0 ? (gsize)put : 0;
    }
    const struct timespec time = {START_S + 60 * (time_t)dump, 500000000};
    const struct timespec times[2] = {time, time};
    const bool complete = written == content->len && futimens(fd, times) == 0;
    close(fd);
    return complete;
}

// The lines of stacks that come again in every dump, made once.
static GPtrArray *make_lines(const struct site_list *sites)
{
    GPtrArray *lines = g_ptr_array_new_with_free_func(g_free);
    for (int i = 0; !option_renew && option_dumps > 1 && i < option_stacks; i++) {
        GString *line = g_string_new(NULL);
        append_stack(line, sites, (uint64_t)i);
        g_ptr_array_add(lines, g_string_free(line, FALSE));
    }
    return lines;
}

int main(int argc, char **argv)
{
    g_autoptr(GOptionContext) context = g_option_context_new("DIRECTORY");
    g_autoptr(GError) error = NULL;
    g_option_context_add_main_entries(context, OPTIONS, NULL);
    struct site_list sites = {0};
    if (!g_option_context_parse(context, &argc, &argv, &error) || argc != 2 || option_dumps < 1 ||
        option_stacks < 1 || option_addresses < 1 || option_depth < 1 || option_threads < 0) {
        g_printerr("make-soak: %s\n", error ? error->message : "one directory, numbers from 1");
        return 2;
    }
    if (!find_sites(&sites)) {
        g_printerr("make-soak: %s: no x86-64 program with calls\n", option_binary);
        return 3;
    }
    g_autoptr(GPtrArray) lines = make_lines(&sites);
    g_autoptr(GString) content = g_string_new(NULL);
    bool complete = g_mkdir_with_parents(argv[1], 0755) == 0;
    for (unsigned dump = 0; complete && dump < (unsigned)option_dumps; dump++) {
        compose_dump(content, &sites, lines, dump);
        complete = write_dump(argv[1], dump, content);
    }
    if (!complete) {
        g_printerr("make-soak: %s: %s\n", argv[1], g_strerror(errno));
    }
    g_string_free(sites.map, TRUE);
    g_free(sites.addresses);
    return complete ? 0 : 3;
}
