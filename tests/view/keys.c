#include "keys.h"

#include "view/action.h"

struct key random_key(struct random *random) {
    static const char CHARACTERS[] = "0123456789.%GiBfhanx";
    struct key key = { 0, 0 };
    if (random_chance(random, 20))
        return (struct key){ (unsigned char)CHARACTERS[random_below(random, sizeof CHARACTERS - 1)], 0 };
    if (random_chance(random, 3))
        return (struct key){ random_below(random, 0x110020), (uint8_t)random_below(random, 8) };
    enum ui_action action = (enum ui_action)(1 + random_below(random, DO_COUNT - 1));
    action_key(action, 0, &key);
    return key;
}

struct mouse random_mouse(struct random *random) {
    return (struct mouse){
        .kind = (uint8_t)random_below(random, 5),
        .button = (uint8_t)(random_chance(random, 80) ? BUTTON_LEFT : random_below(random, 3)),
        .modifiers = random_chance(random, 30) ? MODIFIER_CONTROL : 0,
        .again = random_chance(random, 10),
        .x = (int)random_below(random, 240) - 5,
        .y = (int)random_below(random, 90) - 5,
    };
}
