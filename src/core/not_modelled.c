#include "not_modelled.h"

const char *const NOT_MODELLED[NOT_MODELLED_COUNT] = {
    "one micro-batch on one GPU; whole tensors stay or go",
    "copies and compute do not slow each other",
    "host buffers are pinned already",
    "no rounding or fragmentation: leave headroom",
    "kernels take the time that the profile gives them",
    "optimizer and data loading are a fixed time",
};
