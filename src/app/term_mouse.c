#include "term_mouse.h"

#include "view/key.h"

#define NUMBER_MOST 99999 /* no screen has more columns */

/* Bits of the button's number, beside 0 to 2 for the buttons and 3 for none of them. */
enum { BIT_SHIFT = 4, BIT_ALT = 8, BIT_CONTROL = 16, BIT_MOTION = 32, BIT_WHEEL = 64, BIT_MORE = 128 };

void mouse_begin(struct mouse_reader *reader, enum mouse_form form) {
    *reader = (struct mouse_reader){ .form = form };
}

/* False for what nobody asked for: motion without a button, a wheel to the side, buttons beyond the third. */
static bool report(long bits, long column, long row, bool released, struct mouse *out) {
    int button = (int)(bits & 3);
    *out = (struct mouse){ .x = (int)column - 1, .y = (int)row - 1 };
    out->modifiers = (uint8_t)((bits & BIT_SHIFT ? MODIFIER_SHIFT : 0) | (bits & BIT_ALT ? MODIFIER_ALT : 0) |
                               (bits & BIT_CONTROL ? MODIFIER_CONTROL : 0));
    if (bits & BIT_MORE)
        return false;
    if (bits & BIT_WHEEL) {
        out->kind = button == 0 ? MOUSE_WHEEL_UP : MOUSE_WHEEL_DOWN;
        return button <= 1 && !released;
    }
    out->button = (uint8_t)button;
    out->kind = released ? MOUSE_RELEASE : bits & BIT_MOTION ? MOUSE_DRAG : MOUSE_PRESS;
    return button <= BUTTON_RIGHT;
}

static bool take_decimal(struct mouse_reader *reader, unsigned long character, struct mouse *out) {
    long *number = &reader->number[reader->count];
    if (character >= '0' && character <= '9') {
        *number = *number * 10 + (long)(character - '0');
        *number = *number > NUMBER_MOST ? NUMBER_MOST : *number;
        return false;
    }
    if (character == ';' && reader->count < 2) {
        reader->count++;
        return false;
    }
    reader->form = MOUSE_NO_REPORT;
    return (character == 'M' || character == 'm') && reader->count == 2 &&
           report(reader->number[0], reader->number[1], reader->number[2], character == 'm', out);
}

/* In bytes, 32 is added to each number, and a release does not say of which button. */
static bool take_byte(struct mouse_reader *reader, unsigned long character, struct mouse *out) {
    reader->number[reader->count++] = character >= ' ' && character <= 0xFF ? (long)(character - ' ') : 0;
    if (reader->count < 3)
        return false;
    reader->form = MOUSE_NO_REPORT;
    bool released = (reader->number[0] & 3) == 3 && !(reader->number[0] & BIT_WHEEL);
    long bits = released ? reader->number[0] & ~3L : reader->number[0];
    return report(bits, reader->number[1], reader->number[2], released, out);
}

bool mouse_take(struct mouse_reader *reader, unsigned long character, struct mouse *out) {
    return reader->form == MOUSE_DECIMAL ? take_decimal(reader, character, out)
           : reader->form == MOUSE_BYTES && take_byte(reader, character, out);
}
