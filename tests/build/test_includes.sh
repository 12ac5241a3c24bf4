#!/bin/sh
# The sources of a room include headers of the rooms and libraries below it alone (ARCHITECTURE.md). A symbol check
# cannot see a type, a macro or an inline function that crosses a wall; this can.
set -u

pure='assert|complex|ctype|errno|float|inttypes|limits|math|setjmp|stdalign|stdarg|stdbool|stddef|stdint|stdio|stdlib|stdnoreturn|string|strings'
files='fcntl|unistd|dirent|sys/(stat|types)|cjson/cJSON|zlib'

# Lines "FILE: HEADER" for each include of the sources in FOLDER that neither NAMES (a regular expression for <…>) nor
# ROOMS (one for "room/…") allows. A header without a folder is the room's own, if it exists there; config.h is anyone's.
offences() { # FOLDER NAMES ROOMS
    find "$1" -name '*.[ch]' | sort | while read -r source; do
        sed -n 's/^[ \t]*#[ \t]*include[ \t]*\([<"][^>"]*\)[>"].*/\1/p' "$source" | while read -r header; do
            case $header in
                \<*) printf '%s\n' "${header#<}" | grep -qEx "($2)\.h" && continue ;;
                \"*/*) printf '%s\n' "${header#?}" | grep -qE "^($3)/" && continue ;;
                '"config.h') continue ;;
                *) [ -f "$1/${header#?}" ] && continue ;;
            esac
            printf '%s: %s\n' "${source##*/}" "${header#?}"
        done
    done
}

number=0
report() { # WHAT FOUND
    number=$((number + 1))
    if [ -z "$2" ]; then echo "ok $number - $1"; else echo "not ok $number - $1"; printf '%s\n' "$2" | sed 's/^/# /'; fi
}

echo "1..4"
report "core includes libc's pure headers" "$(offences "$SRCDIR/src/core" "$pure" core)"
report "io includes core, cJSON, zlib and files" "$(offences "$SRCDIR/src/io" "$pure|$files" 'core|io')"
report "view includes core and utf8proc" "$(offences "$SRCDIR/src/view" "$pure|utf8proc" 'core|view')"

room=$BUILDDIR/tests/includes.tmp
mkdir -p "$room" && trap 'rm -rf "$room"' EXIT
printf '%s\n' '#include <stdio.h>' '#  include <time.h>' '#include "core/base.h"' '#include "view/grid.h"' \
    '#include "own.h"' '#include "absent.h"' '#include <curses.h>' >"$room/own.h"
found=$(offences "$room" "$pure" core | tr '\n' ' ')
expected='own.h: time.h own.h: view/grid.h own.h: absent.h own.h: curses.h '
report "what breaks the rule is found" "$([ "$found" = "$expected" ] || echo "expected $expected, found $found")"
