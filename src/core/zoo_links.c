/* Host links with a name. The first group is nominal: what a link of that kind sustains with pinned memory when nothing
 * disturbs it. The names ending in -measured are figures that somebody published, with the page they stand on. Where a
 * page gives no both-way rate the single one stands in, and the source says so. No page gives a latency: 10 us is what a
 * copy costs to issue. Measurements that leave out a direction, or that were made with kernels and not with the copy
 * engines, are not listed. */
#include "zoo.h"

#include <string.h>

#define ONE_WAY_ONLY "; both-way rates not measured, taken as the single ones"

const struct link_preset LINKS[] = {
    /* name                              H2D     D2H     H2D both D2H both latency  source */
    { { "pcie4-x16",                      25,     25,     25,     25,     10 }, "nominal, full duplex" },
    { { "pcie3-x16",                      12.5,   12.5,   12.5,   12.5,   10 }, "nominal, full duplex: half of pcie4-x16" },
    { { "pcie5-x16",                      50,     50,     50,     50,     10 }, "nominal, full duplex: twice pcie4-x16" },
    { { "nvlink-c2c",                    450,    450,    450,    450,     10 },
      "nominal, full duplex: 900 GB/s in both directions together (NVIDIA GH200 data sheet)" },

    { { "pcie3-x16-p100-measured",        12.15,  12.89,  12.15,  12.89,  10 },
      "P100-PCIE-16GB, bandwidthTest pinned: github.com/mpicbg-scicomp/gearshifft/pull/82" ONE_WAY_ONLY },
    { { "pcie3-x16-p100-remote-measured",  3.78,   2.54,   3.78,   2.54,  10 },
      "P100-PCIE-16GB on the wrong socket, bandwidthTest pinned: github.com/mpicbg-scicomp/gearshifft/pull/82"
      ONE_WAY_ONLY },
    { { "pcie3-v100-cloud-measured",       9.6,   11.4,    9.6,   11.4,   10 },
      "V100-SXM2-16GB, bandwidthTest: github.com/router-gao/cuda-demo cuda-samples/02-cuda-bandwidth.md" ONE_WAY_ONLY },
    { { "pcie3-t4-cloud-measured",         9.7,   11.1,    9.7,   11.1,   10 },
      "T4, bandwidthTest: github.com/router-gao/cuda-demo cuda-samples/02-cuda-bandwidth.md" ONE_WAY_ONLY },
    { { "a100-cloud-vm-measured",         12.3,   13.2,   12.3,   13.2,   10 },
      "A100-SXM4-40GB in a VM, bandwidthTest: github.com/router-gao/cuda-demo cuda-samples/02-cuda-bandwidth.md"
      ONE_WAY_ONLY },
    { { "pcie4-x16-a100-measured",        25.5,   25.5,   12.5,   24,     10 },
      "A100, nvbandwidth copy engines: github.com/NVIDIA/nvbandwidth/issues/11" },
    { { "pcie4-x16-a100-della-measured",  25.8,   25.7,   25.8,   25.7,   10 },
      "A100, bandwidthTest pinned, 1 GB: github.com/jdh4/della-gpu-A100 README.md" ONE_WAY_ONLY },
    { { "pcie4-x16-2gpu-measured",        26.24,  25.85,  24.73,  24.73,  10 },
      "2-GPU node, superbench gpu_copy DMA: github.com/microsoft/superbenchmark "
      "tests/data/gpu_copy_bw_performance.log; of both ways only the sum was measured, halved here" },
    { { "pcie4-x16-rtx4090-measured",     25.6,   26.8,   11.2,   26.8,   10 },
      "RTX 4090, nvbandwidth copy engines: github.com/NVIDIA/nvbandwidth/issues/15; D2H both ways not measured, taken "
      "as the single one" },
    { { "pcie5-x16-rtx5090-measured",     56.3,   57.3,   50.9,   57.3,   10 },
      "RTX 5090, nvbandwidth copy engines: github.com/tinygrad/open-gpu-kernel-modules/issues/29; D2H both ways not "
      "measured, taken as the single one" },
    { { "pcie5-x16-8gpu-measured",        56.2,   57.1,   50.7,   50.7,   10 },
      "8-GPU node, one GPU at work, busGrind pinned: github.com/NVIDIA/cuda-samples/issues/357; of both ways only the "
      "sum was measured, halved here" },
    { { "pcie5-x16-h200-measured",        55.43,  55.06,  55.43,  55.06,  10 },
      "H200, nvbandwidth copy engines: github.com/stas00/ml-engineering network/README.md" ONE_WAY_ONLY },
    { { "nvlink-c2c-gh200-measured",     369.36, 295.15, 176.92, 187.26,  10 },
      "GH200 480GB, nvbandwidth copy engines: github.com/microsoft/superbenchmark tests/data/nvbandwidth_results.log" },
    { { "nvlink-c2c-gb300-measured",     359.05, 377.15, 175.38, 171.76,  10 },
      "GB300, nvbandwidth copy engines: github.com/stas00/ml-engineering network/README.md" },
};
const uint32_t LINK_COUNT = sizeof LINKS / sizeof *LINKS;

const struct link_preset *link_find(const char *name) {
    for (uint32_t i = 0; i < LINK_COUNT; i++)
        if (strcmp(LINKS[i].link.name, name) == 0) return &LINKS[i];
    return NULL;
}
