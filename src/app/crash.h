/* crash: gives the terminal back when the program dies of its own fault (SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL), then
 * lets the handler that was there before have its turn: a core, or a sanitizer's report. */
#ifndef SLACKSWAP_APP_CRASH_H
#define SLACKSWAP_APP_CRASH_H

#include <stddef.h>
#include <termios.h>

/* How the terminal on FD was, and the bytes that bring it back there. */
struct crash_restore {
    int fd;
    struct termios modes;
    char reset[256];
    size_t length; /* bytes of reset in use */
};

/* From now on a crash restores what RESTORE says, which is copied. */
void crash_arm(const struct crash_restore *restore);
/* The terminal is no longer ours: a crash leaves it alone. */
void crash_disarm(void);

#endif
