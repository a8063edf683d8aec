/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Cores in crash reports of apport (Ubuntu): a text of "Key: value" lines. The value of CoreDump is
 * the compressed core in base64, in lines that begin with a space and are encoded separately. */
#include <host/core/core.h>

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define REPORT_START "ProblemType: "
#define CORE_KEY "CoreDump: base64\n"

/* The state of decoding. */
struct report {
    const ompd_host_target_t *target;
    int output;
    uint64_t written;
    size_t matched; /* characters of CORE_KEY at the start of this line */
    bool is_at_start;
    bool is_begun; /* CORE_KEY was found */
    bool is_ended; /* another key follows */
    uint32_t bits; /* of the last characters, */
    unsigned count;
    size_t filled;
    uint8_t block[65536];
};

/* The six bits of a base64 DIGIT; -1: it is none. */
static int digit_bits(char digit)
{
    if (digit >= 'A' && digit <= 'Z')
        return digit - 'A';
    if (digit >= 'a' && digit <= 'z')
        return digit - 'a' + 26;
    if (digit >= '0' && digit <= '9')
        return digit - '0' + 52;
    return digit == '+' ? 62 : digit == '/' ? 63 : -1;
}

/* Write the decoded bytes. Returns 0 or an errno. */
static int report_flush(struct report *report)
{
    for (size_t done = 0; done < report->filled;) {
        ssize_t count = pwrite(report->output, report->block + done, report->filled - done,
                               (off_t)(report->written + done));

        if (count < 0 && errno != EINTR)
            return errno;
        done += count > 0 ? (size_t)count : 0;
    }
    report->written += report->filled;
    report->filled = 0;
    return 0;
}

/* Decode a character of the core. Returns 0 or an errno. */
static int report_decode(struct report *report, char digit)
{
    int bits = digit_bits(digit);

    /* The end of a line, or padding, ends what is encoded together. */
    if (bits < 0) {
        report->count = 0;
        return 0;
    }
    report->bits = report->bits << 6 | (uint32_t)bits;
    report->count += 6;
    if (report->count == 6)
        return 0;
    report->count -= 8;
    report->block[report->filled++] = (uint8_t)(report->bits >> report->count);
    return report->filled == sizeof(report->block) ? report_flush(report) : 0;
}

/* Take a character of the report. Returns 0 or an errno. */
static int report_take(struct report *report, char character)
{
    bool was_at_start = report->is_at_start;

    report->is_at_start = character == '\n';
    if (report->is_begun) {
        report->is_ended = was_at_start && character != ' ';
        return report->is_ended ? 0 : report_decode(report, character);
    }
    if (was_at_start)
        report->matched = 0;
    if (report->matched < sizeof(CORE_KEY) && character == CORE_KEY[report->matched])
        report->matched++;
    else
        report->matched = sizeof(CORE_KEY); /* another line */
    report->is_begun = report->matched == sizeof(CORE_KEY) - 1;
    return 0;
}

/* Decode all of the report. Returns 0 or an errno. */
static int report_decode_all(struct report *report)
{
    char text[16384];
    off_t at = 0;
    int error = 0;

    while (error == 0 && !report->is_ended) {
        ssize_t count = pread(report->target->core.descriptor, text, sizeof(text), at);

        if (count < 0 && errno != EINTR)
            return errno;
        if (count == 0)
            break;
        at += count > 0 ? count : 0;
        for (ssize_t i = 0; i < count && error == 0 && !report->is_ended; i++)
            error = report_take(report, text[i]);
    }
    return error == 0 ? report_flush(report) : error;
}

ompd_host_rc_t core_report_unpack(ompd_host_target_t *target)
{
    char start[sizeof(REPORT_START) - 1];
    struct report report = {.target = target, .is_at_start = true};
    int error;

    if (pread(target->core.descriptor, start, sizeof(start), 0) != (ssize_t)sizeof(start) ||
        memcmp(start, REPORT_START, sizeof(start)) != 0)
        return ompd_host_rc_ok;
    report.output = core_unnamed_file_make();
    if (report.output < 0)
        return target_message_set(target, ompd_host_rc_error,
                                  "cannot create a temporary file to unpack '%s': %s", target->path,
                                  strerror(errno));
    error = report_decode_all(&report);
    close(target->core.descriptor);
    target->core.descriptor = report.output;
    if (error != 0)
        return target_message_set(target, ompd_host_rc_error, "cannot unpack '%s': %s",
                                  target->path, strerror(error));
    if (report.written == 0)
        return target_message_set(target, ompd_host_rc_not_readable,
                                  "'%s' is a crash report without a core", target->path);
    return ompd_host_rc_ok;
}
