"""A grid of budgets and links: the same lines however the work is shared out, and curves that never rise."""
import json

from cli import TOY, check, check_in, good, main, read, run, test, write


def lines(arguments, **more):
    return [json.loads(line) for line in good("sweep " + arguments + " --json", **more).out.splitlines()]


@test
def a_point_is_a_result_of_one_line():
    points = lines("gpt2 --budget 40%,60% --bandwidth 8,16")
    check([(p["h2d_gb_per_s"], p["budget_bytes"] / p["unlimited_peak_bytes"] > 0.5) for p in points],
          [(8, False), (8, True), (16, False), (16, True)])
    plan = good("plan gpt2 --budget 40% --bandwidth 8 --json").json()
    check(points[0], plan)


@test
def no_curve_rises_with_the_budget():
    for planner in ("offload", "slackswap-rule", "selective", "refine"):
        points = lines("gpt2 --bandwidth 4,25 --budget 20%:100%:4% --planner " + planner)
        for below, above in zip(points, points[1:]):
            if below["h2d_gb_per_s"] == above["h2d_gb_per_s"] and below["feasible"]:
                check(above["feasible"] and above["step_us"] <= below["step_us"], True, (planner, above["budget_bytes"]))


@test
def shards_in_turn_are_the_whole_grid_byte_for_byte():
    grid = "sweep gpt2 --planner slackswap,refine --budget 30%:90%:20%,2GiB --bandwidth 8,16,25 --json --actions --evals 60"
    whole = good(grid).out
    check(len(whole.splitlines()), 30)
    for count in (2, 3, 4, 9):
        parts = [run("%s --shard %d/%d" % (grid, index, count)) for index in range(1, count + 1)]
        check([part.status for part in parts], [0] * count)
        check("".join(part.out for part in parts), whole)
    empty = run(grid + " --shard 1/9")
    check((empty.out, empty.err), ("", "slackswap: shard 1/9 is empty: the grid has 6 curves\n"))


@test
def the_number_of_jobs_changes_nothing():
    grid = "sweep gpt2 --budget 30%:90%:10% --bandwidth 8,16 --evals 60 --json"
    check(good(grid + " --jobs 1").out, good(grid + " --jobs 5").out)
    grid = "sweep gpt2 --budget 30%:90%:10% --evals 60"
    check(good(grid + " --jobs 1").out, good(grid + " --jobs 16").out)


@test
def people_get_a_table_with_curves_set_apart():
    table = good("sweep gpt2 --budget 5%,50% --bandwidth 8,16GB/s --jobs 2").out.split("\n\n")
    check_in("unlimited peak", table[0])
    check(table[1].split()[:4], ["planner", "link", "budget", "bytes"])
    check([len(block.strip().splitlines()) for block in table[2:]], [2, 2])
    check_in("does not fit: needs", table[2])
    check_in("planning", good("sweep gpt2 --budget 50% --timing").out)


@test
def the_status_is_1_only_when_no_point_fits():
    check(run("sweep gpt2 --budget 1%,2%").status, 1)
    check(run("sweep gpt2 --budget 1%,90%").status, 0)


@test
def the_whole_gpu_may_be_swept_too():
    write("toy.json", TOY)
    points = lines("toy.json --gpu-memory 6kB:9kB:1kB,20kB --headroom 500")
    check([p["budget_bytes"] for p in points], [4500, 5500, 6500, 7500, 18500])


@test
def without_lists_it_is_the_usual_range_on_the_link_as_it_is():
    points = lines("gpt2 --planner slackswap")
    check(len(points), 14)
    check({p["h2d_gb_per_s"] for p in points}, {25})
    check(lines("gpt2 --planner slackswap", env={"SLACKSWAP_BUDGET": "40%"})[0]["budget_bytes"],
          good("plan gpt2 --planner slackswap --json --budget 40%").json()["budget_bytes"])


@test
def what_is_no_grid_is_refused():
    for arguments, message in (
            ("--budget 30%:95%", "--budget: expected a value or a range FROM:TO:STEP, found '30%:95%'"),
            ("--budget 95%:30%:5%", "--budget: expected a range that goes up, found '95%:30%:5%'"),
            ("--budget 30%:95%:0%", "--budget: expected a step above 0, found '30%:95%:0%'"),
            ("--bandwidth 8,x", "--bandwidth: expected a rate such as 25GB/s"),
            ("--gpu-memory 50%", "--gpu-memory: expected a size of the whole GPU, found '50%'"),
            ("--shard 0/3", "--shard: expected a part and the number of parts, such as 1/4, found '0/3'"),
            ("--shard 4/3", "--shard: expected a part and the number of parts, such as 1/4, found '4/3'"),
            ("--shard 2", "--shard: expected a part and the number of parts, such as 1/4, found '2'"),
            ("--jobs 0", "--jobs: expected a whole number from 1 to 256, found '0'"),
            ("--h2d-both 10 --bandwidth 8,25", "--h2d-both: expected at most the H2D rate, 8 GB/s, found 10"),
            ("--budget 50% --gpu-memory 8GiB", "give this or budget, not both")):
        done = run("sweep gpt2 " + arguments)
        check((done.status, done.out), (2, ""), arguments)
        check_in(message, done.err)
    check_in("compare and sweep take a list", run("plan gpt2 --planner keep,offload").err)


main()
