"""Where an option's value comes from: a flag wins over the environment, the environment over the configuration file."""
import os

from cli import TOY, check, check_in, good, main, run, settings, test, write


def budget(*more, env=None):
    """The share of the unlimited peak that a plan was made for, in percent."""
    result = good("plan", "gpt2", "--json", *more, env=env).json()
    return round(100 * result["budget_bytes"] / result["unlimited_peak_bytes"], 3)


@test
def without_settings_the_budget_is_half_of_the_unlimited_peak():
    check(budget(), 50)


@test
def a_flag_wins_over_the_environment_and_that_over_the_file():
    settings('{"budget": "60%"}')
    check(budget(), 60)
    check(budget(env={"SLACKSWAP_BUDGET": "70%"}), 70)
    check(budget("--budget", "80%", env={"SLACKSWAP_BUDGET": "70%"}), 80)


@test
def an_empty_variable_is_none():
    settings('{"budget": "60%"}')
    check(budget(env={"SLACKSWAP_BUDGET": ""}), 60)


@test
def of_two_that_exclude_each_other_the_one_closer_at_hand_counts():
    settings('{"gpu-memory": "8GiB"}')
    check(good("plan gpt2 --json").json()["budget_bytes"], 8 << 30)
    check(budget(env={"SLACKSWAP_BUDGET": "70%"}), 70)
    check(good("plan gpt2 --json --gpu-memory 9GiB", env={"SLACKSWAP_BUDGET": "70%"}).json()["budget_bytes"], 9 << 30)
    check(budget("--budget", "80%", env={"SLACKSWAP_GPU_MEMORY": "9GiB"}), 80)


@test
def a_headroom_in_the_settings_waits_for_a_gpu_memory():
    settings('{"headroom": "50%"}')
    check(budget(), 50)
    check(good("plan gpt2 --json --gpu-memory 8GiB").json()["budget_bytes"], 4 << 30)


@test
def settings_of_models_are_passed_over_beside_a_file():
    settings('{"batch": 2}')
    write("toy.json", TOY)
    good("plan toy.json --json", env={"SLACKSWAP_SEQ": "128"})
    two = good("model gpt2").json()
    settings('{"batch": 4}')
    check(good("model gpt2").json() == two, False)


@test
def settings_that_a_command_does_not_take_are_passed_over():
    settings('{"planner": "offload", "ascii": true, "budget": "60%", "batch": 1}')
    good("model --list")
    write("toy.json", TOY)
    good("plan toy.json -o plan.json --json")
    good("simulate toy.json --plan plan.json --json")


@test
def a_list_of_planners_is_for_compare_and_its_first_for_the_others():
    settings('{"planner": "offload,slackswap"}')
    check([result["planner"] for result in good("compare gpt2 --json").json()], ["offload", "slackswap"])
    check(good("plan gpt2 --json").json()["planner"], "offload")


@test
def numbers_and_booleans_are_values_too():
    settings('{"bandwidth": 12.5, "seed": 7, "ascii": true}')
    result = good("plan gpt2 --json").json()
    check((result["h2d_gb_per_s"], result["seed"]), (12.5, 7))
    check(good("screen gpt2").out.isascii(), True)
    check(good("screen gpt2", env={"SLACKSWAP_ASCII": "no"}).out.isascii(), False)


@test
def a_bad_variable_is_a_usage_error_that_names_it():
    done = run("plan gpt2", env={"SLACKSWAP_HOST_MEMORY": "much"})
    check(done.err, "slackswap: SLACKSWAP_HOST_MEMORY: expected a size such as 24GiB, 512MiB, 8GB or a number of bytes, "
                    "found 'much'\n")
    check(done.status, 2)


@test
def a_bad_file_is_bad_input_that_names_the_place():
    for content, message in [
            (" ", "expected a JSON document, found "),
            ('{\n "budget": }', "line 2, column 12: "),
            ("[]", "$: expected an object of settings, found a list"),
            ('{"budgt": "40%"}', "$.budgt: no setting is called so (did you mean 'budget'?)"),
            ('{"size": "80x24"}', "$.size: no setting is called so"),
            ('{"budget": null}', "$.budget: expected a text, a number or a boolean, found null"),
            ('{"budget": "much"}', "$.budget: expected a size such as"),
            ('{"ascii": 3}', "$.ascii: expected "),
            ('{"planner": "best"}', "$.planner: no planner is called 'best'"),
            ('{"budget": "40%", "gpu-memory": "8GiB"}', "$.gpu-memory: give this or budget, not both")]:
        settings(content)
        done = run("screen gpt2")
        check_in("/config/slackswap/config.json: " + message, done.err)
        check((done.status, done.out, done.err.count("\n")), (3, "", 1), done.err)


@test
def help_and_version_do_not_need_good_settings():
    settings("[")
    good("--help")
    good("plan --help")
    good("--version")
    check(run("plan gpt2").status, 3)


@test
def the_home_folder_is_where_settings_are_without_xdg_config_home():
    write(".config/slackswap/config.json", '{"budget": "60%"}')
    check(budget(env={"XDG_CONFIG_HOME": "", "HOME": os.getcwd()}), 60)


main()
