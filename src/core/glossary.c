#include "glossary.h"

#include <string.h>

#include "letters.h"

/* Planners stand here only where their names are words of the field; PLANNERS (planner.c) says what each does. */
const struct term GLOSSARY[] = {
    { "action", "actions",
      "What a plan does with one tensor: keep, offload or recompute.",
      "plan|keep|offload|recompute", "2" },
    { "activation", "activations|kept activations",
      "A result of the forward pass that the backward pass reads again. Until then it takes memory: whether it stays, "
      "moves away or is computed again is what a plan decides.",
      "managed tensor|memory hill|plan", "1" },
    { "attention", "selective",
      "The part of a transformer that mixes positions. Spelled out (eager) it saves matrices that grow with the "
      "square of the sequence; flash attention does not. The planner selective recomputes the inside of attention "
      "alone.",
      "planner|sequence", "7" },
    { "backward", "backward pass",
      "The second half of a step: op by op, in reverse order, gradients are computed from what the forward pass "
      "saved.",
      "forward|gradient|turnaround", "3" },
    { "bandwidth", "PCIe|rate|rates",
      "The bytes that a link moves in a second; 1 GB/s is 1e9 bytes a second. The knob PCIe is the rate from host to "
      "GPU (H2D); the other rates keep their ratio to it.",
      "both ways|latency|link|share", "4" },
    { "batch", "batch size",
      "How many samples go through the model in one step. Activations grow with it; weights do not.",
      "sequence|tokens a second", "7" },
    { "binding constraint", "bound by|binds|binding",
      "What makes the bound as long as it is: the ideal, a D2H window, an H2D window, recompute or room. It tells "
      "which knob could shorten the step.",
      "bound|D2H window|H2D window|room", "6" },
    { "bookmark", "bookmarks",
      "A place in the viewer under a letter: m and the letter sets it, ' and the letter goes there.",
      "cursor", "" },
    { "both ways", "duplex|full duplex|half duplex|full-duplex|half-duplex",
      "Data going out and coming back at once. With full duplex each direction keeps its rate meanwhile, with half "
      "duplex each has half of it; many links lie between.",
      "bandwidth|link", "4" },
    { "bound", "lower bound",
      "No plan can make the step shorter than this, whoever plans: it follows from the profile, the budget and the "
      "link alone.",
      "binding constraint|gap|ideal", "6" },
    { "budget", "memory budget",
      "The memory that activations may take: a share of the unlimited peak, or bytes. A plan that needs more at any "
      "compute step does not fit.",
      "feasible|least budget|unlimited peak", "3" },
    { "busy", "",
      "The share of the step during which a lane works.",
      "lane", "" },
    { "cause", "causes|blame|caused",
      "What let an event start: the end of another one. Every start has one cause, so that each wait can be "
      "explained.",
      "chain|critical path|stall", "4" },
    { "chain", "cause chain",
      "What led to an event, one cause after the other; [ and ] walk along it.",
      "cause|critical path", "4" },
    { "chain intermediate", "intermediate|intermediates",
      "A tensor that is made again only so that another can be rebuilt from it. Its memory is free after its last use "
      "there.",
      "closure|recompute|scratch", "3" },
    { "challenge", "puzzle|puzzles",
      "A small profile, made from a level and a seed, that you plan by hand: beat the planner slackswap, then come as "
      "close to the bound as you can.",
      "gap|stars", "" },
    { "checkpoint", "checkpoints|checkpointing|sqrt",
      "To keep a few tensors, usually those that cross from layer to layer, and recompute the rest. The planner "
      "checkpoint keeps all that crosses layers; sqrt about the square root of the layers.",
      "planner|recompute", "" },
    { "closure", "closures",
      "All that must run again to rebuild a tensor: the op that made it, and every op behind that one whose results "
      "are neither on the GPU nor on the host.",
      "chain intermediate|cost per byte|recompute", "5" },
    { "compute", "compute lane",
      "The lane on which the ops run, one at a time: forward, recompute and backward.",
      "compute step|lane|stall", "4" },
    { "compute step", "compute steps",
      "One forward, recompute or backward run of one op. All of them in order make the step; each needs its memory "
      "before it can start.",
      "op|schedule|step", "3" },
    { "cost per byte", "",
      "The time that rebuilding a tensor takes, over its size. What is cheap to make again, byte by byte, is "
      "recomputed first.",
      "closure|slack", "5" },
    { "critical path", "",
      "The causes from the end of the step back to its start. Only what shortens something on it can shorten the "
      "step.",
      "cause|stall", "4" },
    { "cursor", "",
      "The moment of the step that is looked at.",
      "ruler", "" },
    { "D2H", "device to host",
      "The lane that copies tensors from the GPU (device) to the host, in the order in which they are made.",
      "draining|H2D|lane|offload", "4" },
    { "D2H window", "",
      "What binds the bound where there is too little time to move out what must be away before some step can run.",
      "binding constraint|H2D window|slack", "6" },
    { "draining", "drain|on their way out|on its way out",
      "Of tensors: the forward pass needs them no more, but their copy to the host has not ended. They still take "
      "memory, so that a long queue raises the peak.",
      "D2H|offload|peak", "4" },
    { "dropout mask", "mask|masks",
      "Which elements a dropout kept: a byte each, without a gradient. It looks cheap to make again, but a GEMM may "
      "have to run for its input first.",
      "closure|recompute", "5" },
    { "event", "events",
      "Something with a beginning and an end on a lane: a compute step or a transfer.",
      "cause|lane", "4" },
    { "feasible", "infeasible|fits|fit",
      "A plan fits when no compute step needs more than the budget. A plan that fits never deadlocks.",
      "budget|required bytes", "3" },
    { "finding", "findings|problem|problems|warning|error",
      "Something that a check holds against a plan: an error, which keeps it from being carried out, or a warning "
      "about what it waits for or wastes.",
      "fix|rule", "" },
    { "fix", "fixes",
      "A change that mends a finding or shortens a stall. What it brings has been simulated.",
      "finding|stall", "" },
    { "fixed time", "fixed_us",
      "What a step takes beside its ops: the optimizer, communication that does not hide, data. It is added to the "
      "ideal and to the step alike.",
      "ideal|step", "1" },
    { "forward", "forward pass",
      "The first half of a step: the ops run in order, and what the backward pass will read is saved.",
      "backward|turnaround", "3" },
    { "free", "nowhere free",
      "Costing nothing: the step takes no longer than the ideal one.",
      "ideal|knee", "" },
    { "gap", "gap to bound",
      "How far a step is above the bound, in percent: at most this much is left to gain by planning better.",
      "bound|step", "6" },
    { "GPU", "device|GPUs",
      "The processor that runs the step, with a memory of its own. A built-in model is priced on it by what its data "
      "sheet says it computes and moves in a second.",
      "budget|host memory|link", "7" },
    { "gradient", "gradients|grad",
      "What flows back through the model. It takes as much memory as its tensor, from the backward run of the last op "
      "that used the tensor to that of the op that made it.",
      "backward|memory hill", "3" },
    { "H2D", "host to device",
      "The lane that brings offloaded tensors back from the host to the GPU (device), in the order in which they are "
      "needed.",
      "D2H|lane|offload|prefetch distance", "4" },
    { "H2D window", "",
      "What binds the bound where there is too little time to bring back what had to be away while some step ran.",
      "binding constraint|D2H window|slack", "6" },
    { "hand", "by hand|made by hand",
      "A plan made by hand is one that K, O or R have changed, or that a file has brought; no planner touches it. P "
      "goes back to the planner.",
      "plan|planner", "" },
    { "headroom", "",
      "GPU memory that is left free for what is not modelled, such as an allocator's rounding. It counts where the "
      "memory of the whole GPU is given.",
      "budget|static bytes", "3" },
    { "host memory", "host|host peak|peak on the host|host bytes",
      "Memory of the computer that the GPU sits in. A tensor takes it from the start of its D2H to the end of its "
      "H2D.",
      "D2H|H2D|pinned memory", "4" },
    { "ideal", "ideal step",
      "The step if memory were unlimited: all forward and backward times, and the fixed time. No memory plan is "
      "faster.",
      "bound|fixed time|throughput", "4" },
    { "keep", "kept|keeps",
      "To leave a tensor on the GPU until its last backward use. The planner keep does so with all of them, whatever "
      "the budget.",
      "action|offload|recompute", "2" },
    { "knee", "knees",
      "A point of a curve where something begins or ends to be true: where the step becomes free, or recompute "
      "starts.",
      "free|map of winners", "" },
    { "knob", "knobs",
      "Something about the work that can be turned: b takes the budget, p the bandwidth, o the others; - and + turn.",
      "bandwidth|budget", "" },
    { "lane", "lanes|engine|engines|copy engine|copy engines",
      "What works by itself and does one thing at a time: compute, D2H, H2D.",
      "compute|D2H|H2D", "4" },
    { "latency", "",
      "What a transfer takes before it moves its first byte. It is paid once a transfer.",
      "bandwidth|link", "4" },
    { "layer", "layers",
      "A part of the model under one name; its ops need not stand side by side.",
      "op|profile", "1" },
    { "least budget", "least budget of any plan",
      "The smallest budget that any plan can do with: what the plan that offloads all it may needs.",
      "budget|feasible", "5" },
    { "link", "links",
      "What joins GPU and host: a rate in each direction, alone and while both move, and a latency.",
      "bandwidth|both ways|latency|share", "4" },
    { "live set", "live",
      "The tensors that stand in the GPU's memory at one moment, and their bytes.",
      "memory|peak", "3" },
    { "logits", "",
      "What the model says last: a score for each word of its vocabulary. They are large, and stand in memory just "
      "when the step peaks.",
      "peak|turnaround", "7" },
    { "managed tensor", "managed|saved tensor|saved tensors|saved|not saved",
      "A tensor that an op of the step makes and that some op's backward reads (saves). About these a plan decides, "
      "and about no others.",
      "activation|plan|tensor", "1" },
    { "map of winners", "who wins|wins",
      "For each budget and link the planner whose plan is the fastest; of those that are equal, the simplest.",
      "knee|planner", "" },
    { "measured", "",
      "What a recording on a real GPU showed. It is shown beside what is simulated; nothing is computed from it.",
      "profile", "" },
    { "memory", "in use|memory curve",
      "On the GPU: kept activations, those draining or prefetched, gradients and scratch, stacked over time.",
      "budget|memory hill|peak", "3" },
    { "memory hill", "hill",
      "The shape of memory over a step: it climbs in the forward pass, as activations are saved, and falls in the "
      "backward pass, as they are used up.",
      "activation|peak|turnaround", "3" },
    { "minimap", "whole step",
      "The whole step in one row, above a part of it that is shown larger.",
      "ruler", "" },
    { "offload", "offloaded|offloads|offloading",
      "To copy a tensor to the host and bring it back before it is needed. Its memory is free once the copy has ended "
      "and the forward pass needs it no more, until the return starts. The planner offload moves what must go, the "
      "earliest first; offload-first-n the first layers.",
      "D2H|H2D|keep|recompute|slack", "2" },
    { "op", "ops",
      "One operation of the model, such as a matrix product. It runs forward once and backward once, and forward "
      "again where the plan has it so.",
      "compute step|layer|tensor", "1" },
    { "optimal", "",
      "The planner that tries all plans that could be best, for small profiles only. It says whether it proved its "
      "plan to be.",
      "bound|planner|refine", "" },
    { "peak", "memory peak|peak on the GPU",
      "The most memory that is in use at any moment of the step.",
      "budget|draining|memory hill|unlimited peak", "4" },
    { "pinned memory", "pinned|pinned host memory",
      "Host memory that the GPU can copy to and from by itself, because it never moves. The peak of host memory is "
      "what must be reserved.",
      "host memory", "4" },
    { "pinned plan", "pin|compare|B - A",
      "The plan that Compare calls A: c pins what is shown. A change there is always B less A.",
      "plan", "" },
    { "plan", "plans|the plan",
      "One action for each managed tensor (keep, offload or recompute), and perhaps prefetch distances. k7 o2 r3 "
      "reads: seven kept, two offloaded, three recomputed.",
      "action|managed tensor|planner", "2" },
    { "planner", "planners|capuchin|rotor|pofo|offload-first-n",
      "A rule or a search that makes a plan from profile, budget and link. Some are ours (slackswap, refine), some "
      "are from the literature; slackswap plan --help says what each does.",
      "optimal|plan|refine|slackswap|slackswap-rule", "5" },
    { "prefetch distance", "prefetch|prefetch_steps|dist.|distance",
      "How many compute steps before its first use a tensor's return may start. Without one it starts as early as "
      "there is room.",
      "compute step|H2D|prefetched", "2" },
    { "prefetched", "fetch",
      "Of tensors: returning or back on the GPU, and not yet used. They take memory from the start of their return.",
      "H2D|prefetch distance", "4" },
    { "price", "prices",
      "What a choice costs the step: ops that run again, and stalls that wait for transfers. The inspector tells what "
      "each other action would change.",
      "recompute|stall", "" },
    { "profile", "",
      "What one training step looks like: ops with their times, tensors with their sizes, and who reads what.",
      "op|step|tensor", "1" },
    { "recompute", "recomputed|recomputes|recomputing|recomp|rebuilt|forward run again",
      "To drop a tensor after the forward pass and make it again when the backward pass needs it: memory for time. "
      "The planner recompute does so with the cheapest closures, as far as memory demands.",
      "closure|cost per byte|keep|offload", "3" },
    { "refine", "refining|refined",
      "The planner that starts from slackswap's plan and others, then improves it with the simulator until the bound "
      "or its allowance is reached.",
      "bound|planner|slackswap", "5" },
    { "required bytes", "needs|needed|required",
      "The most memory that a plan needs in any one compute step. Where it is above the budget, the plan does not "
      "fit.",
      "budget|compute step|feasible", "3" },
    { "return", "returns|way back",
      "The H2D transfer of a tensor that was offloaded. Returns start when the forward pass is over.",
      "H2D|prefetch distance", "4" },
    { "room", "no room",
      "Memory that is left below the budget. A step waits for it until a D2H ends; a return starts only where it "
      "leaves room for all steps until its use. As what binds the bound: room at one step.",
      "binding constraint|budget|draining", "4" },
    { "rule", "rules",
      "One thing that plans are checked for, under a name; slackswap check --rules lists them.",
      "finding", "" },
    { "ruler", "",
      "The row of times above the lanes; what is marked on it lies on the critical path.",
      "critical path|cursor", "" },
    { "schedule", "",
      "The compute steps in order, and the memory that each of them needs. It follows from the plan alone.",
      "compute step|plan|simulation", "3" },
    { "scratch", "workspace|workspaces",
      "Memory that is used in passing: an op's workspace while it runs, and chain intermediates.",
      "chain intermediate|op", "3" },
    { "sequence", "seq|sequence length",
      "How many positions (tokens) each sample has. Activations grow with it, those of attention spelled out with its "
      "square.",
      "attention|batch", "7" },
    { "share", "shared switch",
      "How many GPUs are behind one switch of the link: each has its rates divided by that number.",
      "bandwidth|link", "4" },
    { "simulation", "simulated|simulate|simulator|simulating",
      "The schedule played in time on three lanes. All figures of a step come from it.",
      "lane|schedule", "4" },
    { "slack", "",
      "The transfer time that computing can hide: bytes that D2H can move during the forward pass and H2D during the "
      "backward pass. Early tensors have more of it than late ones.",
      "D2H|H2D|offload|slackswap", "5" },
    { "slackswap", "",
      "The planner that fills the slack with transfers, recomputes the cheapest closures for the rest, and settles "
      "both by simulating.",
      "closure|refine|slack|slackswap-rule", "5" },
    { "slackswap-rule", "published rule",
      "The rule as published: offload within the slack what is costliest to rebuild, recompute the cheapest of the "
      "rest. It reckons with sums where slackswap simulates.",
      "cost per byte|slack|slackswap", "5" },
    { "stall", "stalls|wait|waits|waiting",
      "Time in which the GPU computes nothing: it waits for a transfer that has not landed, or for room that a D2H "
      "frees.",
      "cause|fix|room", "4" },
    { "stars", "star",
      "How well a puzzle of the challenge is planned: one for a plan of yours that fits, two for one that beats "
      "slackswap, three for one that nothing known beats.",
      "challenge|gap", "" },
    { "static bytes", "static_bytes|static",
      "Weights, their gradients and the optimizer's state. They stay on the GPU beside the budget; no plan moves "
      "them.",
      "budget|headroom", "1" },
    { "step", "step time|steps",
      "One training step: the forward and the backward pass of one batch, and the time it takes with this plan.",
      "compute step|ideal|stall", "4" },
    { "tensor", "tensors",
      "A block of data of one size, made by one op or there before the step. Views of it are not tensors of their "
      "own.",
      "activation|managed tensor|op", "1" },
    { "throughput", "of ideal",
      "Ideal over step: 97 % of ideal means that the memory plan costs 3 % of the speed.",
      "ideal|step", "4" },
    { "tokens a second", "tokens/s",
      "Positions of all samples that go through the model in a second: batch times sequence over the step.",
      "batch|sequence", "" },
    { "transfer", "transfers",
      "A copy of one whole tensor over the link, out (D2H) or back (H2D): the latency first, then its bytes.",
      "D2H|H2D|latency|link", "4" },
    { "turnaround", "",
      "Where the forward pass ends and the backward pass begins. Memory is at its highest there, or close to it, and "
      "what was saved last is needed first.",
      "backward|logits|memory hill|peak", "3" },
    { "unit", "",
      "What gets an action of its own: each tensor, or each layer as a whole, which is what module-level "
      "checkpointing can do.",
      "action|layer", "" },
    { "unlimited peak", "peak if all is kept|all is kept",
      "The peak when everything is kept: what the step would take without a plan. A budget in percent is a share of "
      "it.",
      "budget|peak", "3" },
};
const uint32_t GLOSSARY_COUNT = sizeof GLOSSARY / sizeof *GLOSSARY;

/* ---- letters ---- */

static bool is_inside_word(char c) {
    return (letter_lower(c) >= 'a' && letter_lower(c) <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '-' ||
           (unsigned char)c >= 0x80;
}

/* ---- names ---- */

struct form { const char *at; size_t length; };

/* The N-th way to write TERM, its name being 0, by way of the one before it, of which FORM still tells; false after the last. */
static bool next_form(uint32_t term, uint32_t n, struct form *form) {
    if (n == 0)
        form->at = GLOSSARY[term].name;
    else if (n == 1)
        form->at = GLOSSARY[term].forms;
    else
        form->at += form->length + (form->at[form->length] == '|');
    for (form->length = 0; form->at[form->length] != '\0' && (n == 0 || form->at[form->length] != '|');)
        form->length++;
    return form->length > 0;
}

/* Of names and forms that are the same, names come first. */
uint32_t glossary_find(const char *text, size_t length) {
    for (int names = 1; names >= 0; names--)
        for (uint32_t term = 0; term < GLOSSARY_COUNT; term++) {
            struct form form;
            for (uint32_t n = names ? 0 : 1; (!names || n == 0) && next_form(term, n, &form); n++)
                if (form.length == length && letters_begin(text, form.at, length))
                    return term;
        }
    return TERM_NONE;
}

/* The longest of what TEXT begins with as a whole word. */
static uint32_t term_here(const char *text, size_t *length) {
    uint32_t found = TERM_NONE;
    *length = 0;
    for (uint32_t term = 0; term < GLOSSARY_COUNT; term++) {
        struct form form;
        for (uint32_t n = 0; next_form(term, n, &form); n++)
            if (form.length > *length && letters_begin(text, form.at, form.length) && !is_inside_word(text[form.length])) {
                found = term;
                *length = form.length;
            }
    }
    return found;
}

uint32_t glossary_next(const char *text, size_t *at, size_t *length) {
    for (size_t i = *at; text[i] != '\0'; i++) {
        if (i > 0 && is_inside_word(text[i - 1]))
            continue;
        uint32_t term = term_here(text + i, length);
        if (term != TERM_NONE) {
            *at = i;
            return term;
        }
    }
    return TERM_NONE;
}

uint32_t glossary_related(uint32_t term, uint32_t n) {
    const char *see = GLOSSARY[term].see;
    for (; *see != '\0'; n--) {
        size_t length = strcspn(see, "|");
        if (n == 0)
            return glossary_find(see, length);
        see += length;
        see += *see == '|';
    }
    return TERM_NONE;
}

/* ---- searching ---- */

enum { RANK_CALLED = 1, RANK_BEGINS, RANK_NAMED, RANK_SAID, RANK_COUNT };

/* Whether each word of QUERY stands in TERM's name or forms, or else in what is said of it. */
static int rank_of_words(const struct term *term, const char *query) {
    int rank = RANK_NAMED;
    for (const char *word = query; *word != '\0'; word += strspn(word, " ")) {
        size_t length = strcspn(word, " ");
        if (!letters_hold(term->name, word, length) && !letters_hold(term->forms, word, length)) {
            if (!letters_hold(term->words, word, length))
                return RANK_COUNT;
            rank = RANK_SAID;
        }
        word += length;
    }
    return rank;
}

static int rank_of(uint32_t term, const char *query, size_t length) {
    bool begun = false;
    struct form form;
    for (uint32_t n = 0; next_form(term, n, &form); n++) {
        if (form.length == length && letters_begin(query, form.at, length))
            return RANK_CALLED;
        begun |= form.length > length && letters_begin(form.at, query, length);
    }
    return begun ? RANK_BEGINS : rank_of_words(&GLOSSARY[term], query);
}

uint32_t glossary_search(const char *query, uint32_t *out, uint32_t most) {
    static const char ASKING[] = "what is ";
    query += strspn(query, " ");
    if (letters_begin(query, ASKING, sizeof ASKING - 1))
        query += sizeof ASKING - 1;
    query += strspn(query, " ");
    size_t length = strlen(query);
    while (length > 0 && (query[length - 1] == ' ' || query[length - 1] == '?'))
        length--;
    char words[64];
    if (length >= sizeof words)
        return 0;
    memcpy(words, query, length);
    words[length] = '\0';
    uint32_t count = 0;
    for (int rank = RANK_CALLED; rank < RANK_COUNT; rank++)
        for (uint32_t term = 0; term < GLOSSARY_COUNT; term++)
            if (count < most && rank_of(term, words, length) == rank)
                out[count++] = term;
    return count;
}
