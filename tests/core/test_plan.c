/* A plan goes over to another profile by the names of the tensors. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "hand_made.h"

/* a, b, c in a chain; y stands where x does in the first, and is new in the second. */
static void build(struct hand *hand, bool second) {
    hand_begin(hand);
    if (second)
        hand_tensor(hand, "new", 64);
    hand_tensor(hand, "x", 64);
    hand_tensor_with(hand, (struct tensor_spec){ .name = "y", .bytes = 64, .keep = second });
    hand_tensor(hand, second ? "renamed" : "z", 64);
    hand_op(hand, "a", 1, 1, "", second ? "new x" : "x", second ? "new" : "");
    hand_op(hand, "b", 1, 1, "x", "y", "x");
    hand_op(hand, "c", 1, 1, "y", second ? "renamed" : "z", second ? "y renamed" : "y z");
    hand_finish(hand);
}

static void actions_and_distances_go_over_by_name(void **state) {
    struct hand first, second;
    struct plan carried;
    uint32_t lost = 99;
    (void)state;
    build(&first, false);
    build(&second, true);
    hand_plan(&first, "x", ACTION_OFFLOAD);
    hand_prefetch(&first, "x", 3);
    hand_plan(&first, "y", ACTION_RECOMPUTE); /* must stay in the second */
    hand_plan(&first, "z", ACTION_OFFLOAD);   /* is gone there */
    assert_int_equal(plan_carry(&carried, &second.arena, &first.profile, &first.plan, &second.profile, &lost, NULL), SS_OK);
    assert_int_equal(lost, 2);
    assert_int_equal(carried.action[hand_find(&second, "x")], ACTION_OFFLOAD);
    assert_int_equal(plan_prefetch(&carried, hand_find(&second, "x")), 3);
    assert_int_equal(carried.action[hand_find(&second, "y")], ACTION_KEEP);
    assert_int_equal(carried.action[hand_find(&second, "new")], ACTION_KEEP);
    assert_int_equal(plan_prefetch(&carried, hand_find(&second, "new")), PREFETCH_ANY);
    hand_end(&first);
    hand_end(&second);
}

static void to_the_same_profile_all_of_it_goes_over(void **state) {
    struct hand hand;
    struct plan carried;
    uint32_t lost = 99;
    (void)state;
    hand_chain(&hand);
    hand_plan(&hand, "x", ACTION_RECOMPUTE);
    hand_plan(&hand, "z", ACTION_OFFLOAD);
    assert_int_equal(plan_carry(&carried, &hand.arena, &hand.profile, &hand.plan, &hand.profile, &lost, NULL), SS_OK);
    assert_int_equal(lost, 0);
    assert_memory_equal(carried.action, hand.plan.action, hand.profile.tensor_count);
    assert_null(carried.prefetch);
    hand_end(&hand);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(actions_and_distances_go_over_by_name),
        cmocka_unit_test(to_the_same_profile_all_of_it_goes_over),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
