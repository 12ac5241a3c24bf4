#include "kineto_kinds.h"

#include <string.h>

#define IN KINETO_INPUT
#define OUT KINETO_OUTPUT
#define ARGUMENT(i) (1u << (i))

/* What the backward reads is what PyTorch's derivatives.yaml keeps for it. What is not listed saves both inputs and
 * outputs, to be safe, and is counted. */
static const struct kineto_kind KINDS[] = {
    /* name               saves    parameters                      extra  view   same   unknown */
    { "conv*",               IN,  ARGUMENT(1) | ARGUMENT(2),           0, false, false, false },
    { "_convolution",        IN,  ARGUMENT(1) | ARGUMENT(2),           0, false, false, false },
    { "linear",              IN,  ARGUMENT(1) | ARGUMENT(2),           0, false, false, false },
    { "addmm",               IN,  ARGUMENT(0) | ARGUMENT(2),           0, false, false, false },
    { "baddbmm",             IN,  0,                                   0, false, false, false },
    { "mm",                  IN,  0,                                   0, false, false, false },
    { "bmm",                 IN,  0,                                   0, false, false, false },
    { "matmul",              IN,  0,                                   0, false, false, false },
    { "einsum",              IN,  0,                                   0, false, false, false },
    { "batch_norm",          IN,  0x1E,                                0, false, true,  false },
    { "instance_norm",       IN,  0x1E,                                0, false, true,  false },
    { "layer_norm",          IN,  ARGUMENT(2) | ARGUMENT(3),           0, false, true,  false },
    { "group_norm",          IN,  ARGUMENT(2) | ARGUMENT(3),           0, false, true,  false },
    { "rms_norm",            IN,  ARGUMENT(2),                         0, false, true,  false },
    { "embedding",           IN,  ARGUMENT(0),                         0, false, false, false },
    { "relu",                OUT, 0,                                   0, false, true,  false },
    { "sigmoid",             OUT, 0,                                   0, false, true,  false },
    { "tanh",                OUT, 0,                                   0, false, true,  false },
    { "exp",                 OUT, 0,                                   0, false, true,  false },
    { "sqrt",                OUT, 0,                                   0, false, true,  false },
    { "rsqrt",               OUT, 0,                                   0, false, true,  false },
    { "softmax",             OUT, 0,                                   0, false, true,  false },
    { "_softmax",            OUT, 0,                                   0, false, true,  false },
    { "log_softmax",         OUT, 0,                                   0, false, true,  false },
    { "_log_softmax",        OUT, 0,                                   0, false, true,  false },
    { "gelu",                IN,  0,                                   0, false, true,  false },
    { "silu",                IN,  0,                                   0, false, true,  false },
    { "leaky_relu",          IN,  0,                                   0, false, true,  false },
    { "hardtanh",            IN,  0,                                   0, false, true,  false },
    { "hardswish",           IN,  0,                                   0, false, true,  false },
    { "pow",                 IN,  0,                                   0, false, true,  false },
    { "mul",                 IN,  0,                                   0, false, false, false },
    { "div",                 IN,  0,                                   0, false, false, false },
    { "log",                 IN,  0,                                   0, false, true,  false },
    { "max_pool*",           IN,  0,                                   8, false, false, false },
    { "adaptive_max_pool*",  IN,  0,                                   8, false, false, false },
    { "avg_pool*",           IN,  0,                                   0, false, false, false },
    { "adaptive_avg_pool*",  IN,  0,                                   0, false, false, false },
    { "dropout",             0,   0,                                   1, false, true,  false },
    { "feature_dropout",     0,   0,                                   0, false, true,  false },
    { "scaled_dot_product_attention", IN | OUT, 0,                     0, false, false, false },
    { "cross_entropy_loss",  IN | OUT, 0,                              0, false, false, false },
    { "nll_loss*",           IN,  0,                                   0, false, false, false },
    { "mse_loss",            IN,  0,                                   0, false, false, false },
    { "add",                 0,   0,                                   0, false, false, false },
    { "sub",                 0,   0,                                   0, false, false, false },
    { "rsub",                0,   0,                                   0, false, false, false },
    { "neg",                 0,   0,                                   0, false, true,  false },
    { "sum",                 0,   0,                                   0, false, false, false },
    { "mean",                0,   0,                                   0, false, false, false },
    { "cat",                 0,   0,                                   0, false, false, false },
    { "stack",               0,   0,                                   0, false, false, false },
    { "pad",                 0,   0,                                   0, false, false, false },
    { "constant_pad_nd",     0,   0,                                   0, false, false, false },
    { "upsample*",           0,   0,                                   0, false, false, false },
    { "contiguous",          0,   0,                                   0, false, true,  false },
    { "clone",               0,   0,                                   0, false, true,  false },
    { "to",                  0,   0,                                   0, false, false, false },
    { "_to_copy",            0,   0,                                   0, false, false, false },
    { "view",                0,   0,                                   0, true,  false, false },
    { "_unsafe_view",        0,   0,                                   0, true,  false, false },
    { "reshape",             0,   0,                                   0, true,  false, false },
    { "flatten",             0,   0,                                   0, true,  false, false },
    { "transpose",           0,   0,                                   0, true,  false, false },
    { "t",                   0,   0,                                   0, true,  false, false },
    { "permute",             0,   0,                                   0, true,  false, false },
    { "squeeze",             0,   0,                                   0, true,  false, false },
    { "unsqueeze",           0,   0,                                   0, true,  false, false },
    { "expand",              0,   0,                                   0, true,  false, false },
    { "slice",               0,   0,                                   0, true,  false, false },
    { "select",              0,   0,                                   0, true,  false, false },
    { "split",               0,   0,                                   0, true,  false, false },
    { "chunk",               0,   0,                                   0, true,  false, false },
    { "unbind",              0,   0,                                   0, true,  false, false },
    { "narrow",              0,   0,                                   0, true,  false, false },
    { "alias",               0,   0,                                   0, true,  false, false },
    { "*",                   IN | OUT, 0,                              0, false, false, true },
};

static bool has_name(const char *pattern, const char *name, size_t length) {
    const size_t wanted = strlen(pattern);
    if (pattern[wanted - 1] == '*')
        return length >= wanted - 1 && memcmp(name, pattern, wanted - 1) == 0;
    return length == wanted && memcmp(name, pattern, wanted) == 0;
}

bool kineto_in_place(const char *op) {
    const size_t length = strlen(op);
    return length > 1 && op[length - 1] == '_' && op[length - 2] != '_' && strncmp(op, "aten::", 6) == 0;
}

const struct kineto_kind *kineto_kind_of(const char *op) {
    const struct kineto_kind *kind = KINDS;
    const size_t skip = strncmp(op, "aten::", 6) == 0 ? 6 : strlen(op); /* an op of somebody else is not known */
    const size_t length = strlen(op + skip) - kineto_in_place(op);
    while (!has_name(kind->name, op + skip, length)) kind++; /* the last row has every name */
    return kind;
}
