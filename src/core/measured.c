#include "measured.h"

struct measured_sum measured_sum(const struct measured *measured, enum lane lane) {
    struct measured_sum sum = { 0 };
    for (uint32_t i = 0; i < measured->count[lane]; i++) {
        sum.busy_us += measured->slices[lane][i].duration_us;
        sum.bytes += measured->slices[lane][i].bytes;
    }
    return sum;
}
