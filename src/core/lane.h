/* lane: what works at once on one GPU (MODEL.md §4). */
#ifndef SLACKSWAP_CORE_LANE_H
#define SLACKSWAP_CORE_LANE_H

enum lane { LANE_COMPUTE, LANE_D2H, LANE_H2D, LANE_COUNT };

#endif
