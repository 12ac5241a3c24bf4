#!/bin/sh
# Cost of the first plan (planner slackswap): an op at 100,000 ops costs no more than log n says (log 100,000 / log 1,000
# = 1.67 times that at 1,000) when as many plans are tried; the models and the chains that are promised something cost
# less than that; and a planner that is told to stop at once does not take longer than laying out and simulating one plan.
. "${SRCDIR:-.}/tests/counted.sh"
program=${BUILDDIR:-.}/tests/core/planning_cases

# shape:ops:more ops; shape:size:evaluations or stop:most million instructions
growing="uneven:1000:100000 transformer:1000:100000 chain:1000:10000"
promised="gpt2-xl:0::50 mid:1::60 mid:2::60 mid:4::60 bertlike:24::60 bertlike:48::60 bertlike:96::60"
stopped="chain:100000:stop:300"

set -- $growing $promised $stopped
echo "1..$#"
for case in $growing; do
    IFS=: read -r shape few many <<END
$case
END
    count planner_slackswap "$program" "$shape" "$few" 2
    small=$count
    count planner_slackswap "$program" "$shape" "$many" 2
    echo "# $shape: $((small / few)) instructions an op at $few ops, $((count / many)) at $many; $figures"
    report "$case" "0 < $small && 0 < $count && $count / $many <= $small / $few * log($many) / log($few)"
done
for case in $promised $stopped; do
    IFS=: read -r shape size how most <<END
$case
END
    count planner_slackswap "$program" "$shape" "$size" $how
    echo "# $shape $size $how: $((count / 1000)) thousand instructions; $figures"
    report "$case" "0 < $count && $count <= $most * 1e6"
done
exit $status
