#!/bin/sh
# Each room's archive may need only what its tier allows (ARCHITECTURE.md): asked of nm, not of good intentions.
# TAP: one line a room, and one that shows that the check can fail.
set -u
cd "${BUILDDIR:-.}" || exit 1

curses='initscr|newterm|endwin|wget_wch|setcchar|stdscr|wadd.*|mvw.*|tigetstr|tigetnum|resizeterm'
libuv='uv_.*'
cjson='cJSON_.*'
zlib='gz.*|inflate.*|deflate.*'
utf8proc='utf8proc_.*'
files='f?open(64)?|fdopen|fopen64|freopen|read|write|printf|fprintf|vfprintf|puts|putchar|fputs|fputc|fwrite|fread|fgets|stdin|stdout|stderr|__printf_chk|__fprintf_chk|system|popen|mkstemp(64)?|rename|unlink|socket'
clock='time|clock|clock_gettime|gettimeofday|nanosleep|sleep|usleep'

violations() { # ARCHIVE PATTERN: the forbidden symbols that ARCHIVE needs
    nm -u "$1" 2>/dev/null | sed -n 's/^ *U \([^@]*\).*/\1/p' | grep -Ex "$2" | sort -u | tr '\n' ' '
}

number=0
check() { # ARCHIVE PATTERN
    number=$((number + 1))
    found=$(violations "$1" "$2")
    if [ ! -f "$1" ]; then
        echo "not ok $number - $1 exists"
    elif [ -n "$found" ]; then
        echo "not ok $number - $1 needs forbidden symbols: $found"
    else
        echo "ok $number - $1 keeps to its tier"
    fi
}

echo "1..4"
check libcore.a "$curses|$libuv|$cjson|$zlib|$utf8proc|$files|$clock"
check libio.a "$curses|$libuv|$utf8proc|$clock"
check libview.a "$curses|$libuv|$cjson|$zlib|$files|$clock"
# The check itself: the view draws with utf8proc, so a rule that forbade it must find something.
number=$((number + 1))
if [ -n "$(violations libview.a "$utf8proc")" ]; then
    echo "ok $number - a forbidden symbol would be found"
else
    echo "not ok $number - a forbidden symbol would be found"
fi
