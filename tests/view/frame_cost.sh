#!/bin/sh
# Cost of a frame: 200x60 of gpt2-xl in at most 3 million instructions, of 20,000 ops in at most twice that, whether the
# whole step is in sight or a part.
. "${SRCDIR:-.}/tests/counted.sh"

check() { # NAME CASE KEYS MOST
    count view_draw "${BUILDDIR:-.}/tests/view/frame_cost_cases" "$2" "$3"
    echo "# $1: $count instructions; $figures"
    report "$1" "0 < $count && $count <= $4"
}

echo "1..20"
check "gpt2-xl, whole" model "" 3000000
check "gpt2-xl, zoomed in" model "wwwww" 3000000
check "20,000 ops in 200 layers, whole" deep "" 6000000
check "20,000 ops in 200 layers, zoomed in, a layer open" deep "wwwww Tab Enter" 6000000
check "20,000 ops in as many layers, whole" flat "" 6000000
check "20,000 ops in as many layers, zoomed in" flat "wwwwwww" 6000000
check "gpt2-xl, table of layers" model "2 SSS Enter" 3000000
check "20,000 ops in 200 layers, table of layers" deep "2 SSS g Enter jjj v jjj" 6000000
check "20,000 ops in as many layers, table of layers" flat "2 SSS G" 6000000
check "gpt2-xl, ghost" model "- Escape -" 3000000
check "20,000 ops in 200 layers, ghost" deep "-" 6000000
check "20,000 ops in as many layers, ghost" flat "-" 6000000
check "gpt2-xl, What-if" model "3" 3000000
check "20,000 ops, What-if" deep "3" 6000000
check "gpt2-xl, Compare" model "c p 1 2 Enter" 3000000
check "20,000 ops in 200 layers, Compare" deep "c p 1 2 Enter" 6000000
check "20,000 ops in as many layers, Compare, zoomed in" flat "c p 1 2 Enter wwww" 6000000
check "gpt2-xl, Problems" model "5" 3000000
check "gpt2-xl, help, which looks for its words in the view beneath" model "?" 6000000
check "gpt2-xl, palette" model ":" 3000000
exit $status
