"""The command line: what is refused with status 2, in which words; help; versions; where words go."""
import re

from cli import TOY, check, check_in, good, main, run, test, write

COMMANDS = "view model import plan simulate compare diff explain sweep export screen lesson bench".split()

REFUSED = [
    ("pln", "'pln' is no command, built-in model or file (did you mean 'plan'?)"),
    ("gpt2-x", "'gpt2-x' is no command, built-in model or file (did you mean 'gpt2-xl'?)"),
    ("plan gpt3", "'gpt3' is no built-in model or file (did you mean 'gpt2'?)"),
    ("screen zebra", "'zebra' is no built-in model or file"),
    ("lessen", "'lessen' is no command, built-in model or file (did you mean 'lesson'?)"),
    ("lesson hill", "there is no lesson 'hill': 'slackswap lesson' lists them, and a file needs a '.' or '/'"),
    ("lesson ofload", "there is no lesson 'ofload' (did you mean 'offload'?): 'slackswap lesson' lists them, and a file needs "
     "a '.' or '/'"),
    ("lesson 99", "there is no lesson '99': 'slackswap lesson' lists them, and a file needs a '.' or '/'"),
    ("lesson 1 2", "lesson takes one argument: what is '2'?"),
    ("lesson 1 --json", "--json is for the list and for check: a lesson is told in words"),
    ("lesson 1 --budget 40%", "lesson has no option '--budget'"),
    ("view toy.json --lesson 3", "--lesson: is for the viewer on a terminal, not for its report; 'slackswap screen' draws it"),
    ("view --replay x --plain", "--replay: is for the viewer on a terminal, not for its report; 'slackswap screen' draws it"),
    ("view --challenge 3", "--challenge: is for the viewer on a terminal, not for its report; 'slackswap screen' draws it"),
    ("plan", "plan needs PROFILE|MODEL"),
    ("plan toy.json other.json", "plan takes one argument: what is 'other.json'?"),
    ("bench toy.json", "bench takes no argument without --quality: what is 'toy.json'?"),
    ("bench --budget 40%", "--budget: needs --quality"),
    ("bench --jobs 2", "--jobs: needs --quality"),
    ("bench --quality --paper", "--paper: give this or quality, not both"),
    ("plan toy.json --budgt 3", "unknown option '--budgt' (did you mean '--budget'?)"),
    ("plan toy.json --theme light", "plan has no option '--theme'"),
    ("screen toy.json --theme lihgt",
     "--theme: there is no theme 'lihgt' (did you mean 'light'?): neither built in nor in slackswap/themes of the configuration folder"),
    ("plan toy.json --bud 40%", "unknown option '--bud' (did you mean '--budget'?)"),
    ("plan toy.json -x", "unknown option '-x'"),
    ("plan toy.json --budget", "option '--budget' needs a value: N%|SIZE"),
    ("plan toy.json -o", "option '-o' needs a value: FILE"),
    ("plan toy.json --json=yes", "option '--json' takes no value"),
    ("plan toy.json --size 80x24", "plan has no option '--size'"),
    ("simulate toy.json --unit layer", "simulate has no option '--unit'"),
    ("plan toy.json --budget much",
     "--budget: expected a size such as 24GiB, 512MiB, 8GB or a number of bytes, found 'much'"),
    ("plan toy.json --budget 0%", "--budget: expected a budget above 0%, found '0%'"),
    ("plan toy.json --budget 40% --gpu-memory 8GiB", "--gpu-memory: give this or budget, not both"),
    ("plan toy.json --headroom 5%", "--headroom: headroom needs the GPU's memory to be given (--gpu-memory)"),
    ("plan toy.json --gpu-memory 500",
     "the GPU has 500 bytes, but static memory (1000) and headroom (0) alone need more"),
    ("plan toy.json --bandwidth 0", "--bandwidth: expected a rate above 0, found '0'"),
    ("plan toy.json --bandwidth 22m", "--bandwidth: expected a rate such as 25GB/s or 25, found '22m'"),
    ("plan toy.json --h2d-both 1", "--h2d-both: expected at most the H2D rate, 0.01 GB/s, found 1"),
    ("plan toy.json --duplex both", "--duplex: expected full, half or as-is, found 'both'"),
    ("plan toy.json --latency 1min", "--latency: expected a time such as 10us, 2.5ms or 1s, found '1min'"),
    ("plan toy.json --share 0", "--share: expected a whole number from 1 to 1024, found '0'"),
    ("plan toy.json --link isa", "--link: no link is called 'isa'; 'slackswap model --list' names them"),
    ("plan toy.json --unit op", "--unit: expected tensor or layer, found 'op'"),
    ("plan toy.json --planner keep,offload", "--planner: expected one planner, found 'keep,offload'; compare and sweep take a list"),
    ("plan toy.json --evals 0", "--evals: expected a whole number from 1 to 1000000000, found '0'"),
    ("plan toy.json --plan-time 2",
     "--plan-time: expected a time with its unit, such as 2s or 500ms, found '2'"),
    ("plan toy.json --plan-time 0s", "--plan-time: expected a time above 0, found '0s'"),
    ("plan toy.json --plan-time 2s --evals 9", "--evals: give this or plan-time, not both"),
    ("plan toy.json --actions", "--actions: needs --json"),
    ("plan toy.json --batch 2", "--batch: applies to built-in models only, and 'toy.json' is none"),
    ("plan toy.json -o -", "the plan can't go where the report goes: -o needs a file"),
    ("plan gpt2-xl --gpu h100", "--gpu: no device is called 'h100' (did you mean 'h100-sxm'?); "
     "'slackswap model --list' names them"),
    ("plan gpt2-xl --attention fast", "--attention: expected flash or eager, found 'fast'"),
    ("simulate toy.json", "simulate needs --plan FILE"),
    ("simulate - --plan -", "profile and plan can't both be standard input"),
    ("model", "model needs NAME; 'slackswap model --list' names them"),
    ("model gpt3", "no built-in model is called 'gpt3' (did you mean 'gpt2'?); 'slackswap model --list' names them"),
    ("model gpt2 --list", "model --list takes no argument: what is 'gpt2'?"),
    ("import toy.json --device x", "--device: expected a whole number from 0 to 1000000, found 'x'"),
    ("export toy.json", "export needs --to FORMAT: chrome, svg, curves, csv, memory-csv, markdown, plan"),
    ("export toy.json --to png", "--to: expected chrome, svg, curves, csv, memory-csv, markdown or plan, found 'png'"),
    ("export toy.json --to csv --theme light", "--theme is for pictures, and csv is none"),
    ("export toy.json --to csv --plan plan.json --planner keep", "--planner: give this or plan, not both"),
    ("export toy.json --to csv --plan plan.json --evals 9", "--evals: give this or plan, not both"),
    ("export toy.json --to svg --budget 40%,50%",
     "--budget: expected one value, found a list, which curves takes and svg does not"),
    ("export toy.json --to csv --bandwidth 8:16:4",
     "--bandwidth: expected one value, found a list, which curves takes and csv does not"),
    ("export toy.json --to plan --planner keep,offload",
     "--planner: expected one value, found a list, which curves takes and plan does not"),
    ("export toy.json --to curves --plan plan.json",
     "curves are planned anew at each point: --plan is for one result"),
    ("export - --to csv --plan -", "profile and plan can't both be standard input"),
    ("screen --size 12", "--size: expected columns and rows of 1 to 2000 each, such as 120x40, found '12'"),
    ("screen --size 0x5", "--size: expected columns and rows of 1 to 2000 each, such as 120x40, found '0x5'"),
    ("screen --format png", "--format: expected text, ansi, svg or json, found 'png'"),
    ("screen --plan-time 2s", "screen has no option '--plan-time'"),
]


@test
def what_can_not_be_meant_is_refused_with_status_2_and_one_line():
    write("toy.json", TOY)
    for line, message in REFUSED:
        done = run(line)
        check(done.err, "slackswap: %s\n" % message, line)
        check(done.out, "", line)
        check(done.status, 2, line)


@test
def an_unknown_planner_is_refused_with_the_list_of_them():
    done = run("plan gpt2-xl --planner slackswp")
    check_in("no planner is called 'slackswp' (did you mean 'slackswap'?); there are keep, offload, recompute", done.err)
    check(done.status, 2)


@test
def an_unknown_format_is_refused_with_the_list_of_them():
    done = run("import --from tape x.txt")
    check(bool(re.match("slackswap: --from: expected auto, .*pipedream.*, found 'tape'\n$", done.err)), True, done.err)
    check(done.status, 2)


@test
def an_unknown_key_is_refused():
    done = run("screen", "--keys", "b 5 0 % Enter Nowhere")
    check_in('slackswap: --keys: unknown key "Nowhere"', done.err)
    check(done.status, 2)


@test
def help_names_every_command_and_goes_to_standard_output():
    text = good("--help").out
    check(good("-h").out, text)
    for command in COMMANDS:
        check_in("\n  %s " % command, text)


@test
def each_command_has_help_of_its_own():
    for command in COMMANDS:
        text = good(command, "--help").out
        check_in("usage: slackswap %s" % command, text)
        check_in("\nExample: slackswap %s" % command, text)
        check_in("--quiet", text)


@test
def help_asks_for_nothing_else():
    check(good("plan --help --budget much other.json third.json").out, good("plan -h").out)


@test
def each_command_takes_the_options_that_its_help_names_and_no_others():
    listed = {command: set(re.findall(r"^  (?:-\w, )?(--[a-z0-9-]+)", good(command, "--help").out, re.M))
              for command in COMMANDS}
    every = set().union(*listed.values()) - {"--help", "--version"}
    for command in COMMANDS:
        for option in sorted(every):
            done = run(command, "file", option, "x")
            check("has no option '%s'" % option in done.err, option not in listed[command], command)


@test
def the_version_is_told():
    check(bool(re.match(r"slackswap \d+\.\d+\.\d+\n$", good("--version").out)), True)
    check(good("-V").out, good("--version").out)


@test
def an_options_value_may_stand_behind_an_equals_sign_or_a_letter():
    write("toy.json", TOY)
    plain = good("plan toy.json --budget 70% --json").out
    check(good("plan toy.json --budget=70% --json").out, plain)
    check(good("--budget=70% --json plan toy.json").out, plain)
    check(good("plan toy.json --budget=70% --json -oplan.json").out, plain)
    check(good("plan toy.json --budget=70% --json -q -o plan.json").out, plain)


@test
def two_dashes_end_the_options():
    write("--odd", TOY)
    good("plan", "--json", "--", "--odd")


@test
def the_last_of_an_option_given_twice_counts():
    check(good("plan gpt2 --budget 40% --budget 60% --json").out, good("plan gpt2 --budget 60% --json").out)


@test
def a_models_name_is_that_model_and_a_file_of_that_name_is_reached_by_its_path():
    write("gpt2", TOY)
    check(good("plan gpt2 --json").json()["profile"], "gpt2")
    check(good("plan ./gpt2 --json").json()["profile"], "toy")


main()
