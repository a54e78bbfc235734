// SPDX-License-Identifier: MIT
// A service for a night in small: each line "work N" on standard input is N requests, answered by
// "done"; it ends with its input. Every request leaves a session behind: the leak to be found.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void *_rjem_malloc(size_t size);
void _rjem_free(void *memory);

struct session {
    struct session *next;
    char text[4000];
};

static struct session *sessions;

__attribute__((noinline)) static void keep_session(unsigned number)
{
    struct session *session = _rjem_malloc(sizeof *session);
    memset(session->text, (int)number, sizeof session->text);
    session->next = sessions;
    sessions = session;
}

__attribute__((noinline)) static void answer(unsigned number)
{
    char *page = _rjem_malloc(20000);
    memset(page, (int)number, 20000);
    _rjem_free(page);
}

__attribute__((noinline)) static void serve(unsigned requests)
{
    for (unsigned i = 0; i < requests; i++) {
        keep_session(i);
        answer(i);
    }
}

int main(void)
{
    char line[64];
    while (fgets(line, sizeof line, stdin)) {
        if (strncmp(line, "work ", 5) == 0) {
            serve((unsigned)strtoul(line + 5, NULL, 10));
            puts("done");
            fflush(stdout);
        }
    }
    return 0;
}
