// SPDX-License-Identifier: MIT
// Live heap grows at one place: sessions are opened and never closed, 4 MB a second.
#include "soak.h"

struct session {
    struct session *next;
    char token[2000];
};

SOAK_NOINLINE static void session_open(struct session **sessions)
{
    struct session *session = soak_touch(malloc(sizeof *session), sizeof *session);
    session->next = *sessions;
    *sessions = session;
}

int main(int argc, char **argv)
{
    struct soak *soak = soak_begin(argc, argv);
    struct session *sessions = NULL;
    do {
        for (int i = 0; i < 40; i++) {
            session_open(&sessions);
        }
    } while (soak_step(soak));
    return 0;
}
