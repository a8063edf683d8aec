/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <config.h>

#include <host/files/files.h>

#include <errno.h>
#include <stddef.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* Ancillary data of a message: one descriptor. */
union control {
    struct cmsghdr header;
    char bytes[CMSG_SPACE(sizeof(int))];
};

bool file_message_set(struct file_message *message, const char *text)
{
    size_t length = strlen(text);

    if (length >= sizeof(message->text))
        return false;
    memcpy(message->text, text, length + 1);
    return true;
}

bool file_message_send(int connection, const struct file_message *message, int descriptor)
{
    size_t size = offsetof(struct file_message, text) + strlen(message->text) + 1;
    struct iovec bytes = {(void *)(uintptr_t)message, size};
    struct msghdr packet = {.msg_iov = &bytes, .msg_iovlen = 1};
    union control control = {.bytes = {0}};
    ssize_t sent;

    if (descriptor >= 0) {
        control.header = (struct cmsghdr){
            .cmsg_len = CMSG_LEN(sizeof(int)), .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS};
        memcpy(CMSG_DATA(&control.header), &descriptor, sizeof(descriptor));
        packet.msg_control = &control;
        packet.msg_controllen = sizeof(control);
    }
    do
        sent = sendmsg(connection, &packet, MSG_NOSIGNAL);
    while (sent < 0 && errno == EINTR);
    return sent == (ssize_t)size;
}

/* The descriptor that came with PACKET; -1: none. */
static int descriptor_of(struct msghdr *packet)
{
    const struct cmsghdr *header = CMSG_FIRSTHDR(packet);
    int descriptor = -1;

    if (header != NULL && header->cmsg_level == SOL_SOCKET && header->cmsg_type == SCM_RIGHTS &&
        header->cmsg_len == CMSG_LEN(sizeof(int)))
        memcpy(&descriptor, CMSG_DATA(header), sizeof(descriptor));
    return descriptor;
}

bool file_message_receive(int connection, struct file_message *message, int *descriptor)
{
    struct iovec bytes = {message, sizeof(*message)};
    struct msghdr packet = {.msg_iov = &bytes, .msg_iovlen = 1};
    union control control;
    ssize_t size;
    int received;

    /* Without room for a descriptor, the kernel drops it. */
    if (descriptor != NULL) {
        packet.msg_control = &control;
        packet.msg_controllen = sizeof(control);
    }
    do
        size = recvmsg(connection, &packet, MSG_CMSG_CLOEXEC);
    while (size < 0 && errno == EINTR);
    if (size <= 0)
        return false;
    received = descriptor != NULL ? descriptor_of(&packet) : -1;
    if ((size_t)size <= offsetof(struct file_message, text) ||
        (packet.msg_flags & MSG_TRUNC) != 0 || ((char *)message)[size - 1] != '\0') {
        if (received >= 0)
            close(received);
        return false;
    }
    if (descriptor != NULL)
        *descriptor = received;
    return true;
}
