#include "pipedream_kinds.h"

#include <string.h>

const char *const SAVES_WORDS[4] = { "nothing", "input", "output", "input and output" };

/* What the backward reads is what PyTorch's derivatives.yaml keeps for it. Elements are 32-bit floats: a mask has one byte
 * for four, an index eight. Kinds that are not listed save both input and output, to be safe. */
const struct kind KINDS[] = {
    /* name              role      saves           extra      ratio leads  unknown */
    { "Conv*",             COMPUTES, INPUT,          NULL,      0,    true,  false },
    { "Linear",            COMPUTES, INPUT,          NULL,      0,    true,  false },
    { "Classifier",        COMPUTES, INPUT,          NULL,      0,    true,  false }, /* a Linear in a module of its own */
    { "Embedding*",        COMPUTES, INPUT,          NULL,      0,    true,  false },
    { "LSTM*",             COMPUTES, INPUT | OUTPUT, NULL,      0,    true,  false },
    { "EmuBidirLSTM",      COMPUTES, INPUT | OUTPUT, NULL,      0,    true,  false },
    { "GRU*",              COMPUTES, INPUT | OUTPUT, NULL,      0,    true,  false },
    { "RNN*",              COMPUTES, INPUT | OUTPUT, NULL,      0,    true,  false },
    { "BatchNorm*",        COMPUTES, INPUT,          NULL,      0,    false, false },
    { "InstanceNorm*",     COMPUTES, INPUT,          NULL,      0,    false, false },
    { "GroupNorm",         COMPUTES, INPUT,          NULL,      0,    false, false },
    { "LayerNorm",         COMPUTES, INPUT,          NULL,      0,    false, false },
    { "ReLU*",             COMPUTES, OUTPUT,         NULL,      0,    false, false },
    { "Sigmoid",           COMPUTES, OUTPUT,         NULL,      0,    false, false },
    { "Tanh",              COMPUTES, OUTPUT,         NULL,      0,    false, false },
    { "Softmax*",          COMPUTES, OUTPUT,         NULL,      0,    false, false },
    { "LogSoftmax",        COMPUTES, OUTPUT,         NULL,      0,    false, false },
    { "GELU",              COMPUTES, INPUT,          NULL,      0,    false, false },
    { "SiLU",              COMPUTES, INPUT,          NULL,      0,    false, false },
    { "LeakyReLU",         COMPUTES, INPUT,          NULL,      0,    false, false },
    { "MaxPool*",          COMPUTES, INPUT,          "indices", 2,    false, false },
    { "AdaptiveMaxPool*",  COMPUTES, INPUT,          "indices", 2,    false, false },
    { "AvgPool*",          COMPUTES, INPUT,          NULL,      0,    false, false },
    { "AdaptiveAvgPool*",  COMPUTES, INPUT,          NULL,      0,    false, false },
    { "Dropout*",          COMPUTES, NOTHING,        "mask",    0.25, false, false },
    { "Mul",               COMPUTES, INPUT,          NULL,      0,    false, false },
    { "Add",               COMPUTES, NOTHING,        NULL,      0,    false, false },
    { "Sub",               COMPUTES, NOTHING,        NULL,      0,    false, false },
    { "Concat",            COMPUTES, NOTHING,        NULL,      0,    false, false },
    { "ZeroPad*",          COMPUTES, NOTHING,        NULL,      0,    false, false },
    { "ConstantPad*",      COMPUTES, NOTHING,        NULL,      0,    false, false },
    { "Upsample*",         COMPUTES, NOTHING,        NULL,      0,    false, false },
    { "View",              VIEW,     NOTHING,        NULL,      0,    false, false },
    { "Flatten",           VIEW,     NOTHING,        NULL,      0,    false, false },
    { "Identity",          VIEW,     NOTHING,        NULL,      0,    false, false },
    { "__getitem__",       VIEW,     NOTHING,        NULL,      0,    false, false },
    { "Size",              HOST,     NOTHING,        NULL,      0,    false, false },
    { "*",                 COMPUTES, INPUT | OUTPUT, NULL,      0,    true,  true },
};
const uint32_t KIND_COUNT = sizeof KINDS / sizeof *KINDS;

static bool has_name(const char *pattern, struct piece name) {
    const size_t length = strlen(pattern);
    if (pattern[length - 1] != '*') return piece_equal(name, pattern);
    return name.length >= length - 1 && memcmp(name.at, pattern, length - 1) == 0;
}

const struct kind *kind_of(struct piece name) {
    const struct kind *kind = KINDS;
    while (!has_name(kind->name, name)) kind++; /* the last row has every name */
    return kind;
}
