/* GPUs that analytic profiles can be priced for: dense 16-bit peak with 32-bit accumulation where a data sheet tells them
 * apart, memory rate, and memory (a data sheet's "80 GB" is 80 GiB to its driver). */
#include "zoo.h"

#include <string.h>

#define GIB (UINT64_C(1) << 30)

const struct gpu GPUS[] = {
    /* name         Tflop/s  GB/s   memory     source */
    { "a100-80gb",   312,    2039,  80 * GIB, "NVIDIA A100 data sheet, SXM 80 GB" },
    { "a100-40gb",   312,    1555,  40 * GIB, "NVIDIA A100 data sheet, 40 GB" },
    { "a100-pcie",   312,    1935,  80 * GIB, "NVIDIA A100 data sheet, PCIe 80 GB" },
    { "h100-sxm",    989,    3350,  80 * GIB, "NVIDIA H100 data sheet, SXM" },
    { "h100-pcie",   756,    2000,  80 * GIB, "NVIDIA H100 data sheet, PCIe" },
    { "h200",        989,    4800, 141 * GIB, "NVIDIA H200 data sheet, SXM" },
    { "gh200",       989,    4000,  96 * GIB, "NVIDIA GH200 data sheet, 96 GB HBM3" },
    { "v100-16gb",   125,     900,  16 * GIB, "NVIDIA V100 data sheet, SXM2" },
    { "v100-32gb",   125,     900,  32 * GIB, "NVIDIA V100 data sheet, SXM2" },
    { "t4",           65,     320,  16 * GIB, "NVIDIA T4 data sheet" },
    { "a10",         125,     600,  24 * GIB, "NVIDIA A10 data sheet" },
    { "a30",         165,     933,  24 * GIB, "NVIDIA A30 data sheet" },
    { "a40",         149.7,   696,  48 * GIB, "NVIDIA A40 data sheet" },
    { "l4",          121,     300,  24 * GIB, "NVIDIA L4 data sheet (242 with sparsity, halved)" },
    { "l40s",        362.05,  864,  48 * GIB, "NVIDIA L40S data sheet" },
    { "rtx-3090",     71,     936,  24 * GIB, "NVIDIA Ampere GA102 white paper, FP32 accumulate" },
    { "rtx-4090",    165.2,  1008,  24 * GIB, "NVIDIA Ada white paper, FP32 accumulate" },
    { "rtx-5090",    209.5,  1792,  32 * GIB, "NVIDIA RTX Blackwell white paper, FP32 accumulate" },
    { "mi250x",      191.5,  1638,  64 * GIB, "AMD Instinct MI250X data sheet, one of its two dies" },
    { "mi300x",     1307.4,  5300, 192 * GIB, "AMD Instinct MI300X data sheet" },
};
const uint32_t GPU_COUNT = sizeof GPUS / sizeof *GPUS;

const struct gpu *gpu_find(const char *name) {
    for (uint32_t i = 0; i < GPU_COUNT; i++)
        if (strcmp(GPUS[i].name, name) == 0) return &GPUS[i];
    return NULL;
}
