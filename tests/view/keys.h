/* keys: random keys and mice for tests. */
#ifndef SLACKSWAP_TESTS_KEYS_H
#define SLACKSWAP_TESTS_KEYS_H

#include "tests/random_profile.h"
#include "view/key.h"
#include "view/mouse.h"

/* Any key of the table, now and then a character for a value or one that means nothing. */
struct key random_key(struct random *random);
/* Any button, turn of the wheel or drag, mostly on the screen. */
struct mouse random_mouse(struct random *random);

#endif
