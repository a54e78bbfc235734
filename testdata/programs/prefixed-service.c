// SPDX-License-Identifier: MIT
// A service whose jemalloc is linked in under a prefix, as Rust's usual crate does it: the C
// library's malloc is left alone, and no mallctl is exported. Leaks a little with every request it
// makes up; argv[1] is how many, argv[2] how many milliseconds it stays afterwards.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

void *_rjem_malloc(size_t size);
void _rjem_free(void *memory);

struct kept {
    struct kept *next;
    char text[4000];
};

static struct kept *all;

__attribute__((noinline)) static void keep_session(unsigned number)
{
    struct kept *session = _rjem_malloc(sizeof *session);
    memset(session->text, (int)number, sizeof session->text);
    session->next = all;
    all = session;
}

__attribute__((noinline)) static unsigned answer(unsigned number)
{
    char *page = _rjem_malloc(60000);
    memset(page, (int)number, 60000);
    const unsigned sum = (unsigned)page[number % 60000];
    _rjem_free(page);
    return sum;
}

__attribute__((noinline)) static unsigned serve(unsigned requests)
{
    unsigned sum = 0;
    for (unsigned i = 0; i < requests; i++) {
        keep_session(i);
        sum += answer(i);
    }
    return sum;
}

__attribute__((noinline)) static void rest(unsigned milliseconds)
{
    const struct timespec time = {milliseconds / 1000, (long)(milliseconds % 1000) * 1000000};
    nanosleep(&time, NULL);
}

__attribute__((noinline)) static unsigned argument(int argc, char **argv, int index)
{
    return argc > index ? (unsigned)strtoul(argv[index], NULL, 10) : 0;
}

int main(int argc, char **argv)
{
    const unsigned sum = serve(argument(argc, argv, 1));
    printf("%u\n", sum);
    fflush(stdout);
    rest(argument(argc, argv, 2));
    return 0;
}
