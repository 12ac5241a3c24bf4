#!/bin/sh
# Each room's archive needs only what its tier allows (ARCHITECTURE.md): asked of nm, not of good intentions.
# A symbol may come from the archive itself, from libcore.a, or from the lists below; the core and the view hold no
# writable globals. The last checks show on an archive of offences (tests/build/offender.c) that each would be found.
set -u
cd "$BUILDDIR" || exit 1

# libc without input, output, clock or environment.
memory='malloc|calloc|realloc|free|aligned_alloc|mem(cpy|move|set|cmp|chr)|abort|__assert_fail|qsort|bsearch'
strings='str(len|nlen|cmp|ncmp|casecmp|ncasecmp|chr|rchr|str|spn|cspn|pbrk|cpy|ncpy|cat|ncat|dup|ndup|tod|tof|tol|toul|toll|toull|toimax|toumax)|stpcpy|v?snprintf|sscanf|(is|to)[a-z]+|__ctype_(b|tolower|toupper)_loc|__errno_location'
maths='(f(abs|max|min|mod|dim|ma)|(floor|ceil|round|lround|llround|lrint|llrint|rint|nearbyint|trunc|sqrt|cbrt|pow|exp|exp2|expm1|log|log2|log10|log1p|hypot|ldexp|frexp|scalbn|ilogb|logb|modf|nextafter|copysign|sin|cos|tan|atan|atan2))[fl]?'
compiler='_GLOBAL_OFFSET_TABLE_|__stack_chk_fail|__(asan|ubsan|tsan|sanitizer|gcov|llvm|sancov|start|stop)_.*|_+profile_.*'
pure="$memory|$strings|$maths|$compiler"

# Files: for the io room alone. What the program says to people is the app's business, so stderr is not among them.
files='f(open|dopen|reopen|close|read|write|gets|getc|puts|putc|printf|flush|error|eof|seek|seeko|tell|tello|ileno|sync|datasync|chmod|stat)|v?f?printf|(un)?getc|putc|clearerr|perror|getline|getdelim|setvbuf|stdin|stdout|open|dup|close|read|pread|write|lseek|rename|unlink|remove|mkstemp|mkdir|l?stat|access|readlink|realpath|opendir|readdir|closedir|umask|chmod|isatty|strerror|getpid|open_memstream'
cjson='cJSON_.*'
zlib='gz[a-z_]+|(in|de)flate.*|crc32(_z)?|adler32|zError|zlibVersion|uncompress2?|compress2?|compressBound'
utf8proc='utf8proc_.*'

# The plain names of symbols: versions, fortified and large-file spellings taken off.
plain() {
    sed 's/@.*//; s/^__\(.*\)_chk$/\1/; s/^__isoc[0-9]*_//; s/^\([a-z]*\)64$/\1/'
}

needed() { # ARCHIVE...: what the first needs and none of them defines
    nm -u "$1" 2>/dev/null | awk '$1 == "U" { print $2 }' | sort -u >needed.tmp
    nm --defined-only "$@" 2>/dev/null | awk 'NF == 3 { print $3 }' | sort -u >defined.tmp
    comm -23 needed.tmp defined.tmp
    rm -f needed.tmp defined.tmp
}

offences() { # PATTERN ARCHIVE...: what the first archive needs and may not
    pattern=$1
    shift
    needed "$@" | plain | grep -vEx "$pattern" | sort -u | tr '\n' ' '
}

# Data that can be written: the core and the view may not remember anything between two calls.
globals() { # ARCHIVE
    nm -f sysv "$1" 2>/dev/null |
        awk -F'|' '{ gsub(/ /, "") } $7 ~ /^(\.data|\.bss|\*COM\*|\.tdata|\.tbss)$/ ||
                   $7 ~ /^\.(bss|t?data)\.[^r]/ { print $1 }' | sort -u | tr '\n' ' '
}

number=0
report() { # WHAT FOUND: passes when nothing was found
    number=$((number + 1))
    if [ -z "$2" ]; then echo "ok $number - $1"; else echo "not ok $number - $1: $2"; fi
}

report_same() { # WHAT EXPECTED FOUND
    if [ "$2" = "$3" ]; then report "$1" ""; else report "$1" "expected $2, found $3"; fi
}

report_globals() { # WHAT EXPECTED ARCHIVE; sanitizers and gcov have data of their own in every object
    if [ -n "$INSTRUMENTED" ]; then
        number=$((number + 1))
        echo "ok $number # SKIP $1: an instrumented build"
    else
        report_same "$1" "$2" "$(globals "$3")"
    fi
}

echo "1..8"
report "core needs libc and libm, no I/O, no clock" "$(offences "$pure" libcore.a)"
report "io needs cJSON, zlib and files" "$(offences "$pure|$files|$cjson|$zlib" libio.a libcore.a)"
report "view needs utf8proc" "$(offences "$pure|$utf8proc" libview.a libcore.a)"
report_globals "core has no globals" "" libcore.a
report_globals "view has no globals" "" libview.a
report_same "core's rule finds what breaks it" "cJSON_Parse clock_gettime endwin fopen fprintf getenv inflate printf stderr utf8proc_reencode uv_run " \
    "$(offences "$pure" tests/build/liboffender.a)"
report_same "io's rule finds what breaks it" "clock_gettime endwin getenv stderr utf8proc_reencode uv_run " \
    "$(offences "$pure|$files|$cjson|$zlib" tests/build/liboffender.a)"
report_globals "a global would be found" "offences offended shared_offence " tests/build/liboffender.a
