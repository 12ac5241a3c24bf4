#include "crash.h"

#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <unistd.h>

static const int FATAL[] = { SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL };
#define FATAL_COUNT (sizeof FATAL / sizeof FATAL[0])
#define HANDLER_STACK 65536 /* a stack that overflowed has no room for a handler */

static struct crash_restore saved;
static struct sigaction previous[FATAL_COUNT];
static char handler_stack[HANDLER_STACK];
static atomic_bool armed;

/* Only calls that POSIX allows in a handler: no malloc, no stdio, no curses. */
static void restore_terminal(void) {
    for (size_t at = 0; at < saved.length;) {
        ssize_t written = write(saved.fd, saved.reset + at, saved.length - at);
        if (written <= 0)
            break;
        at += (size_t)written;
    }
    tcsetattr(saved.fd, TCSANOW, &saved.modes);
}

static void chain(const struct sigaction *before, int number, siginfo_t *info, void *context) {
    sigaction(number, before, NULL);
    if (before->sa_flags & SA_SIGINFO)
        before->sa_sigaction(number, info, context);
    else if (before->sa_handler == SIG_DFL)
        raise(number); /* arrives as soon as this handler has returned */
    else
        before->sa_handler(number);
}

static void on_fatal(int number, siginfo_t *info, void *context) {
    int error = errno;
    if (atomic_exchange(&armed, false))
        restore_terminal();
    for (size_t i = 0; i < FATAL_COUNT; i++)
        if (FATAL[i] == number)
            chain(&previous[i], number, info, context);
    errno = error;
}

static void provide_stack(void) {
    stack_t present, own = { .ss_sp = handler_stack, .ss_size = sizeof handler_stack };
    if (sigaltstack(NULL, &present) == 0 && (present.ss_flags & SS_DISABLE))
        sigaltstack(&own, NULL);
}

static void install_handlers(void) {
    struct sigaction action = { .sa_sigaction = on_fatal, .sa_flags = SA_SIGINFO | SA_ONSTACK };
    sigemptyset(&action.sa_mask);
    provide_stack();
    for (size_t i = 0; i < FATAL_COUNT; i++)
        if (sigaction(FATAL[i], NULL, &previous[i]) == 0 && previous[i].sa_handler != SIG_IGN)
            sigaction(FATAL[i], &action, NULL);
}

void crash_arm(const struct crash_restore *restore) {
    static bool installed;
    crash_disarm();
    saved = *restore;
    if (!installed)
        install_handlers();
    installed = true;
    atomic_store(&armed, true);
}

void crash_disarm(void) {
    atomic_store(&armed, false);
}
