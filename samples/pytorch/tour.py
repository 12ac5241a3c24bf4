#!/usr/bin/env python3
"""From a training script to a plan and back, with a small transformer (needs PyTorch; runs on a GPU if there is one):

    tour.py record [FILE]         record one training step as a profile (default: transformer.json)
    tour.py apply PLAN [STEPS]    run training steps (default: 3) under a plan, and the same steps without

and between the two, to look at the step and to make the plan:

    slackswap view transformer.json
    slackswap plan transformer.json --budget 60% --bandwidth 0.02GB/s -o plan.json

A CPU has no link to measure, and computes so slowly that every copy would hide: hence the slow one. On a GPU leave
--bandwidth out: the profile then has the link as it was measured. "apply" says how many bytes were saved for the
backward pass, what the plan made of them, and whether the gradients are the same bit for bit; the exit status is 1
where they are not.
"""
import math
import sys

import torch
from torch import nn
from torch.nn import functional

import slackswap_torch

VOCABULARY, WIDTH, HEADS, LAYERS, SEQUENCE, BATCH = 500, 64, 4, 4, 64, 4
DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


class Attention(nn.Module):
    def __init__(self):
        super().__init__()
        self.qkv, self.out = nn.Linear(WIDTH, 3 * WIDTH), nn.Linear(WIDTH, WIDTH)
        self.dropout = nn.Dropout(0.1)

    def forward(self, x):
        batch, sequence, width = x.shape
        q, k, v = self.qkv(x).view(batch, sequence, 3, HEADS, width // HEADS).permute(2, 0, 3, 1, 4)
        weights = torch.softmax(q @ k.transpose(-1, -2) / math.sqrt(width // HEADS), -1)
        mixed = self.dropout(weights) @ v
        return self.out(mixed.transpose(1, 2).reshape(batch, sequence, width))


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm1, self.attention, self.norm2 = nn.LayerNorm(WIDTH), Attention(), nn.LayerNorm(WIDTH)
        self.feed = nn.Sequential(nn.Linear(WIDTH, 4 * WIDTH), nn.GELU(), nn.Linear(4 * WIDTH, WIDTH), nn.Dropout(0.1))

    def forward(self, x):
        x = x + self.attention(self.norm1(x))
        return x + self.feed(self.norm2(x))


class Transformer(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed, self.position = nn.Embedding(VOCABULARY, WIDTH), nn.Parameter(torch.zeros(SEQUENCE, WIDTH))
        self.blocks = nn.ModuleList(Block() for _ in range(LAYERS))
        self.norm, self.head = nn.LayerNorm(WIDTH), nn.Linear(WIDTH, VOCABULARY)

    def forward(self, tokens):
        x = self.embed(tokens) + self.position
        for block in self.blocks:
            x = block(x)
        return self.head(self.norm(x))


def setting():
    """A model, and a function that runs one step of it; the same each time."""
    torch.manual_seed(1)
    model = Transformer().to(DEVICE)
    tokens, following = torch.randint(VOCABULARY, (2, BATCH, SEQUENCE), device=DEVICE)

    def step():
        logits = model(tokens)
        functional.cross_entropy(logits.flatten(0, 1), following.flatten()).backward()
    return model, step


def size(count):
    return "%.2f MiB" % (count / 2 ** 20)


def record(path="transformer.json"):
    model, step = setting()
    profile = slackswap_torch.record(step, model, path, name="transformer")
    made = {name for op in profile["ops"] for name in op["outputs"]}
    saved = made & {name for op in profile["ops"] for name in op["saved"]}
    total = sum(tensor["bytes"] for tensor in profile["tensors"] if tensor["name"] in saved)
    print("%s: %d ops, %d tensors saved for the backward pass, %s; forward %.1f ms, backward %.1f ms" % (
        path, len(profile["ops"]), len(saved), size(total), sum(op["forward_us"] for op in profile["ops"]) / 1e3,
        sum(op["backward_us"] for op in profile["ops"]) / 1e3))


def gradients(model, step, steps, under=None):
    """Gradients of each of some steps of plain descent, and the most memory that the GPU had in use."""
    found = []
    torch.manual_seed(2)
    if DEVICE == "cuda":
        torch.cuda.reset_peak_memory_stats()
    for _ in range(int(steps)):
        model.zero_grad(set_to_none=True)
        if under:
            with under:
                step()
        else:
            step()
        found += [parameter.grad.clone() for parameter in model.parameters()]
        with torch.no_grad():
            for parameter in model.parameters():
                parameter -= 0.1 * parameter.grad
    return found, torch.cuda.max_memory_allocated() if DEVICE == "cuda" else None


def apply(plan, steps=3):
    model, step = setting()
    plain, plain_peak = gradients(model, step, steps)
    model, step = setting()
    run = slackswap_torch.apply(model, plan)
    planned, planned_peak = gradients(model, step, steps, run)
    report = run.report()
    kept, offloaded, recomputed = (report[what + "_bytes"] for what in ("kept", "offloaded", "recomputed"))
    print("saved for the backward pass   %s" % size(kept + offloaded + recomputed))
    print("of these: kept %s, offloaded %s, recomputed %s (%d ops run again)"
          % (size(kept), size(offloaded), size(recomputed), report["ops_run_again"]))
    print("saved tensors on the device   %s after the forward pass, %s at most"
          % (size(report["saved_after_forward_bytes"]), size(report["peak_saved_bytes"])))
    if plain_peak:
        print("memory allocated at most      %s, without the plan %s" % (size(planned_peak), size(plain_peak)))
    same = all(torch.equal(a, b) for a, b in zip(plain, planned))
    print("gradients of %d steps          %s" % (int(steps), "the same, bit for bit" if same else "NOT the same"))
    return 0 if same else 1


def main(arguments):
    if arguments[:1] == ["record"] and len(arguments) <= 2:
        return record(*arguments[1:])
    if arguments[:1] == ["apply"] and 2 <= len(arguments) <= 3:
        return apply(*arguments[1:])
    print(__doc__.strip(), file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
