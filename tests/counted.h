/* counted.h: what the scripts that count instructions (tests/counted.sh) need to see. Elsewhere callgrind lets the program
 * run several times faster; without valgrind's header it looks at all of it, which finds the same. */
#ifndef COUNTED_H
#define COUNTED_H

#include "config.h"

#ifdef HAVE_VALGRIND_CALLGRIND_H
#include <valgrind/callgrind.h>
#define COUNT_FROM_HERE() CALLGRIND_START_INSTRUMENTATION
#define COUNT_TO_HERE() CALLGRIND_STOP_INSTRUMENTATION
#else
#define COUNT_FROM_HERE() ((void)0)
#define COUNT_TO_HERE() ((void)0)
#endif

#endif
