// SPDX-License-Identifier: MIT
// A message each way: | kind, or 1: good, 4 bytes | text, up to its end |, with the descriptor
// beside it.
#include "sandbox/helper.h"

#include "sandbox/calls.h"

#include <errno.h>
#include <glib.h>
#include <stdint.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#define TEXT_BYTES_MAX 65536u

struct hr_helper {
    int socket;
    pid_t pid;
};

struct message {
    uint32_t kind;
    char text[TEXT_BYTES_MAX + 1];
};

union control {
    struct cmsghdr header;
    char bytes[CMSG_SPACE(sizeof(int))];
};

// A text that is too long is cut.
static bool send_message(int socket, uint32_t kind, const char *text, int fd)
{
    struct iovec parts[] = {{&kind, sizeof kind},
                            {(char *)(uintptr_t)text, MIN(strlen(text), TEXT_BYTES_MAX)}};
    union control control = {0};
    struct msghdr message = {.msg_iov = parts, .msg_iovlen = G_N_ELEMENTS(parts)};
    if (fd >= 0) {
        message.msg_control = control.bytes;
        message.msg_controllen = sizeof control.bytes;
        struct cmsghdr *header = CMSG_FIRSTHDR(&message);
        *header = (struct cmsghdr){
            .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS, .cmsg_len = CMSG_LEN(sizeof fd)};
        memcpy(CMSG_DATA(header), &fd, sizeof fd);
    }
    ssize_t sent;
    do {
        sent = sendmsg(socket, &message, MSG_NOSIGNAL);
    } while (sent < 0 && errno == EINTR);
    return sent >= 0;
}

static bool receive_message(int socket, struct message *got, int *fd)
{
    struct iovec part = {got, sizeof got->kind + TEXT_BYTES_MAX};
    union control control = {0};
    struct msghdr message = {.msg_iov = &part,
                             .msg_iovlen = 1,
                             .msg_control = control.bytes,
                             .msg_controllen = sizeof control.bytes};
    ssize_t size;
    do {
        size = recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
    } while (size < 0 && errno == EINTR);
    *fd = -1;
    const struct cmsghdr *header = size > 0 ? CMSG_FIRSTHDR(&message) : NULL;
    if (header && header->cmsg_level == SOL_SOCKET && header->cmsg_type == SCM_RIGHTS) {
        memcpy(fd, CMSG_DATA(header), sizeof *fd);
    }
    if (size < (ssize_t)sizeof got->kind) {
        return false;
    }
    got->text[(size_t)size - sizeof got->kind] = '\0';
    return true;
}

// Until nobody is there to ask.
static void serve(int socket, hr_helper_answer_function *answer_one, void *context)
{
    g_autofree struct message *question = g_new(struct message, 1);
    int fd;
    while (receive_message(socket, question, &fd)) {
        struct hr_helper_answer answer = {.fd = -1};
        if (fd >= 0) {
            close(fd);
        }
        answer_one(question->kind, question->text, context, &answer);
        const bool sent =
            send_message(socket, answer.good, answer.text ? answer.text : "", answer.fd);
        g_free(answer.text);
        if (answer.fd >= 0) {
            close(answer.fd);
        }
        if (!sent) {
            return;
        }
    }
}

struct hr_helper *hr_helper_new(hr_helper_answer_function *answer, void *context, bool restricted)
{
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) {
        return NULL;
    }
    const pid_t pid = fork();
    if (pid == 0) {
        close(ends[0]);
        if (restricted) {
            (void)hr_calls_restrict();
        }
        serve(ends[1], answer, context);
        _exit(0);
    }
    close(ends[1]);
    if (pid < 0) {
        close(ends[0]);
        return NULL;
    }
    struct hr_helper *helper = g_new(struct hr_helper, 1);
    *helper = (struct hr_helper){.socket = ends[0], .pid = pid};
    return helper;
}

void hr_helper_free(struct hr_helper *helper)
{
    if (!helper) {
        return;
    }
    close(helper->socket);
    while (waitpid(helper->pid, NULL, 0) < 0 && errno == EINTR) {
    }
    g_free(helper);
}

bool hr_helper_ask(struct hr_helper *helper, unsigned kind, const char *text,
                   struct hr_helper_answer *answer)
{
    *answer = (struct hr_helper_answer){.fd = -1};
    if (strlen(text) > TEXT_BYTES_MAX || !send_message(helper->socket, kind, text, -1)) {
        return false;
    }
    g_autofree struct message *got = g_new(struct message, 1);
    if (!receive_message(helper->socket, got, &answer->fd)) {
        return false;
    }
    answer->good = got->kind == 1;
    answer->text = g_strdup(got->text);
    return true;
}
