/* rules: what a plan can be found wanting in, in one table. `check --rules`, SARIF and the manual are made from it.
 *
 * A rule's id is a contract: scripts name it. An error means that the plan can't be carried out as it stands; a warning,
 * that it waits or wastes something. To add a rule: a line here, and the code that finds it in checks_*.c. */
#ifndef SLACKSWAP_CORE_RULES_H
#define SLACKSWAP_CORE_RULES_H

enum severity { SEVERITY_WARNING, SEVERITY_ERROR, SEVERITY_COUNT };
extern const char *const SEVERITY_NAME[SEVERITY_COUNT]; /* "warning", "error" */

/*    RULE                id                     severity
 *    title: what the plan does
 *    explanation: why that matters, and what helps
 *    example: what a finding says                                                                                     */
#define RULES(X)                                                                                                       \
    X(UNKNOWN_TENSOR,     "unknown-tensor",      ERROR,                                                                \
      "names a tensor that the profile does not have",                                                                 \
      "The plan was made for another model, or for another version of this one. The entry decides about nothing.",     \
      "names 'L3.geluu', which profile 'gpt2' does not have")                                                          \
    X(UNMANAGED_TENSOR,   "unmanaged-tensor",    ERROR,                                                                \
      "decides about a tensor that is not managed",                                                                    \
      "Only a tensor that an op produces and some backward saves can be kept, moved or recomputed.",                   \
      "offloads 'tokens', which no op produces, so no plan decides about it")                                          \
    X(MUST_STAY,          "must-stay",           ERROR,                                                                \
      "moves or drops a tensor that must stay",                                                                        \
      "The profile marks it with \"keep\": true, because something outside the profile reads it on the GPU.",          \
      "offloads 'logits', which must stay on the GPU (\"keep\": true)")                                                \
    X(FORBIDDEN,          "forbidden-recompute", ERROR,                                                                \
      "recomputes what would run an op again that must not",                                                           \
      "A collective, or an op whose random state is lost, gives another result the second time (\"recomputable\": "    \
      "false). Every op between it and the tensor that is not managed runs again too.",                                \
      "recomputes 'L3.mask': op 'L3.dropout' would run again, which it must not")                                      \
    X(OVER_BUDGET,        "over-budget",         ERROR,                                                                \
      "needs more memory at a step than there is",                                                                     \
      "Some step can never start. The live set says what stands in memory there; what is not used by that step can "   \
      "leave or be recomputed.",                                                                                       \
      "needs 5.90 GiB at B head.linear, 532 MiB more than the budget of 5.38 GiB; ...")                                \
    X(HOST_MEMORY,        "host-memory",         ERROR,                                                                \
      "needs more pinned host memory than the limit",                                                                  \
      "Every offloaded tensor holds host memory from the start of its D2H to the end of its H2D.",                     \
      "holds 5.10 GiB of pinned host memory, 1.10 GiB more than the limit of 4.00 GiB")                                \
    X(OTHER_PROFILE,      "other-profile",       WARNING,                                                              \
      "was made for another profile",                                                                                  \
      "Names that happen to agree may stand for other sizes and times.",                                               \
      "was made for profile 'gpt2', not for 'gpt2-xl'")                                                                \
    X(OTHER_BUDGET,       "other-budget",        WARNING,                                                              \
      "was made for another budget",                                                                                   \
      "A plan for more memory may not fit; one for less gives away what there is, and is held to its own budget.",     \
      "was made for 4.00 GiB and is held to it, though there are 5.38 GiB")                                            \
    X(OTHER_LINK,         "other-link",          WARNING,                                                              \
      "was made for another link",                                                                                     \
      "What hid behind computing on the link that the plan was made for need not hide here.",                          \
      "was made for H2D 25.0 GB/s, D2H 25.0 GB/s; here they are 12.0 GB/s, 12.0 GB/s")                                 \
    X(LATE_PREFETCH,      "late-prefetch",       WARNING,                                                              \
      "lets the backward pass wait for a tensor's return",                                                             \
      "The return started too late: behind others on its lane, held by its prefetch distance, for lack of room, or "   \
      "because it was still on its way out.",                                                                          \
      "B L47.fc1 waits 534.3 us for H2D(L47.out), held by its lane behind H2D(L47.gelu)")                              \
    X(EARLY_RETURN,       "early-return",        WARNING,                                                              \
      "brings a tensor back so early that what must leave goes slower",                                                 \
      "Where both directions at once are slower, a return that nobody needs yet takes from the D2H whose room, or "     \
      "whose own way back, a later return waits for. With a shorter prefetch distance it leaves the link to that.",     \
      "B L40.fc1 waits 300.0 us for H2D(L40.gelu), which waits for D2H(L39.gelu), which H2D(L38.gelu) slows down "      \
      "12.30 ms before B L38.fc2 needs it")                                                                            \
    X(DRAINING_BACKLOG,   "draining-backlog",    WARNING,                                                              \
      "lets compute wait for offloads that have not left",                                                             \
      "What is queued behind D2H still holds its memory. Offloading more makes the queue longer and can raise the "    \
      "peak; keeping or recomputing some of it makes room at once.",                                                   \
      "F L46.fc1 waits 1.20 ms for room: 612 MiB in 14 tensors wait to leave behind D2H(L40.gelu) ...")                \
    X(MOVED_FOR_NOTHING,  "moved-for-nothing",   WARNING,                                                              \
      "moves a tensor that is back before anybody used its room",                                                      \
      "The copy goes out and returns while nothing else starts: it costs the link and frees nothing.",                 \
      "moves 'head.norm' (12.5 MiB) out and back, and nothing starts while it is away")                                \
    X(ROOM_TO_KEEP,       "room-to-keep",        WARNING,                                                              \
      "pays for a tensor that there is room to keep",                                                                  \
      "Kept, it fits as well, and the step is shorter.",                                                               \
      "recomputes 'L10.gelu' (50.0 MiB), which there is room to keep")                                                 \
    X(RECOMPUTE_IN_SLACK, "recompute-in-slack",  WARNING,                                                              \
      "recomputes what would be cheaper to offload",                                                                   \
      "There is slack on the link: the transfer would hide, or cost less than the re-run of the closure.",             \
      "recomputes 'L10.fc1' (50.0 MiB) for 1.20 ms, which would be cheaper to offload")                                \
    X(BEYOND_SLACK,       "offload-beyond-slack", WARNING,                                                             \
      "offloads what would be cheaper to recompute",                                                                   \
      "The link is busy: the transfer makes compute wait for longer than the re-run would take.",                      \
      "offloads 'L47.gelu' (50.0 MiB), which would be cheaper to recompute (24.10 us)")                                \
    X(FREE_TO_LEAVE,      "free-to-leave",       WARNING,                                                              \
      "keeps what could leave for free while something else pays",                                                     \
      "Offloaded in the slack it makes room, so that something need not be recomputed, or waits less.",                \
      "keeps 'L02.qkv' (37.5 MiB), which could leave for free; then 'L10.gelu' need not be recomputed")

enum rule_id {
#define X(rule, id, severity, title, explanation, example) RULE_##rule,
    RULES(X)
#undef X
    RULE_COUNT
};

struct rule {
    const char *id;
    enum severity severity;
    const char *title, *explanation, *example; /* the title goes on from "the plan …" */
};
extern const struct rule RULE_TABLE[RULE_COUNT];

#endif
