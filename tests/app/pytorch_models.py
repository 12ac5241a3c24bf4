"""Three small models with dropout, and a step of each: what the PyTorch tests record and run under plans."""
import math

import torch
from torch import nn
from torch.nn import functional


class Block(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.heads = heads
        self.norm1, self.norm2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.qkv, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.wide, self.narrow = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)
        self.dropout = nn.Dropout(0.1)

    def forward(self, x):
        batch, sequence, width = x.shape
        q, k, v = self.qkv(self.norm1(x)).view(batch, sequence, 3, self.heads, -1).permute(2, 0, 3, 1, 4)
        weights = self.dropout(torch.softmax(q @ k.transpose(-1, -2) / math.sqrt(width // self.heads), -1))
        x = x + self.dropout(self.out((weights @ v).transpose(1, 2).reshape(batch, sequence, width)))
        return x + self.dropout(self.narrow(functional.gelu(self.wide(self.norm2(x)))))


class Transformer(nn.Module):
    def __init__(self, vocabulary=300, width=64, heads=4, blocks=3, sequence=48):
        super().__init__()
        self.embed, self.position = nn.Embedding(vocabulary, width), nn.Parameter(torch.randn(sequence, width))
        self.blocks = nn.ModuleList(Block(width, heads) for _ in range(blocks))
        self.norm, self.head = nn.LayerNorm(width), nn.Linear(width, vocabulary)

    def forward(self, tokens):
        x = self.embed(tokens) + self.position
        for block in self.blocks:
            x = block(x)
        return self.head(self.norm(x)).flatten(0, 1)


class Residual(nn.Module):
    """In place wherever it is usual: the activations and the sum."""

    def __init__(self, before, after, stride=1):
        super().__init__()
        self.conv1, self.norm1 = nn.Conv2d(before, after, 3, stride, 1, bias=False), nn.BatchNorm2d(after)
        self.conv2, self.norm2 = nn.Conv2d(after, after, 3, 1, 1, bias=False), nn.BatchNorm2d(after)
        self.relu = nn.ReLU(inplace=True)
        self.shorten = nn.Sequential(nn.Conv2d(before, after, 1, stride, bias=False), nn.BatchNorm2d(after))

    def forward(self, x):
        out = self.norm2(self.conv2(self.relu(self.norm1(self.conv1(x)))))
        out += self.shorten(x)
        return self.relu(out)


class ResNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.stem = nn.Sequential(nn.Conv2d(3, 16, 3, 2, 1, bias=False), nn.BatchNorm2d(16), nn.ReLU(inplace=True))
        self.layers = nn.Sequential(Residual(16, 16), Residual(16, 16), Residual(16, 32, 2), Residual(32, 32))
        self.head = nn.Linear(32, 10)

    def forward(self, image):
        x = functional.max_pool2d(self.layers(self.stem(image)), 2)
        return self.head(functional.dropout(x.mean((2, 3)), 0.2, self.training))


class ConvLSTM(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Sequential(nn.Conv1d(8, 32, 5, padding=2), nn.ReLU(), nn.Dropout(0.2), nn.Conv1d(32, 32, 5, padding=2),
                                  nn.ReLU())
        self.lstm = nn.LSTM(32, 64, num_layers=2, dropout=0.2, batch_first=True)
        self.head = nn.Linear(64, 10)

    def forward(self, signal):
        states, _ = self.lstm(self.conv(signal).transpose(1, 2))
        return self.head(states[:, -1])


def make(name):
    """The model, what goes in, and what should come out; the same whenever it is called."""
    torch.manual_seed(1)
    if name == "transformer":
        return Transformer(), torch.randint(300, (4, 48)), torch.randint(300, (4 * 48,))
    if name == "resnet":
        return ResNet(), torch.randn(8, 3, 48, 48), torch.randint(10, (8,))
    return ConvLSTM(), torch.randn(16, 8, 24), torch.randint(10, (16,))


NAMES = "transformer", "resnet", "conv_lstm"


# Small modules of many kinds: each a function that makes it, and one that makes what goes in.


class Runs(nn.Module):
    """A function, with modules that it may use."""

    def __init__(self, function, **modules):
        super().__init__()
        self.function = function
        for name, module in modules.items():
            setattr(self, name, module)

    def forward(self, x):
        return self.function(self, x)


def cells(self, x):
    """A loop that writes its results into one tensor."""
    state, states = x.new_zeros(x.shape[0], 8), x.new_empty(x.shape[0], x.shape[1], 8)
    for i in range(x.shape[1]):
        state = self.cell(x[:, i], state)
        states[:, i] = state
    return states


def scattered(self, x):
    y = self.a(x)
    order = y.argsort(1)
    z = torch.zeros_like(y).scatter(1, order, y.gather(1, order))
    z[:, 0] += y[:, 1]
    z[y > 0] *= 2
    return z.cumsum(1) * y.topk(3, 1)[0].sum()


def halves(self, x):
    y = self.a(x) * 1
    y[:, :4].mul_(2)
    y[:, 4:].add_(y[:, :4])
    return y.sigmoid()


def drawn(self, x):
    return (functional.gumbel_softmax(self.a(x), hard=True) * torch.multinomial(x.softmax(-1), 8).float() +
            torch.rand_like(x) * self.a(x) + torch.randperm(8))


def spectrum(self, x):
    return torch.fft.irfft(torch.fft.rfft(self.a(x)) * torch.fft.rfft(self.a(x)).conj()).relu_()


def half(self, x):
    with torch.autocast("cpu"):
        return self.b(functional.gelu(self.a(x))).float()


def line(size=8):
    return nn.Linear(size, size)


def batch():
    return torch.randn(4, 8)


def sequence():
    return torch.randn(2, 5, 8)


def images():
    return torch.randn(2, 3, 6, 6)


def words():
    return torch.randint(20, (4, 6))


KINDS = {
    "attention": (lambda: Runs(lambda self, x: self.a(x, x, x)[0], a=nn.MultiheadAttention(8, 2, 0.2, batch_first=True)), sequence),
    "encoder": (lambda: nn.TransformerEncoder(nn.TransformerEncoderLayer(8, 2, 16, 0.1, batch_first=True), 2), sequence),
    "gru": (lambda: Runs(lambda self, x: self.a(x)[0], a=nn.GRU(8, 8, 2, dropout=0.2, bidirectional=True)), sequence),
    "lstm": (lambda: Runs(lambda self, x: self.a(x)[0], a=nn.LSTM(8, 8, bidirectional=True, proj_size=4)), sequence),
    "cells": (lambda: Runs(cells, cell=nn.GRUCell(8, 8)), sequence),
    "group norm": (lambda: nn.Sequential(nn.ConvTranspose2d(3, 8, 3, 2), nn.GroupNorm(2, 8), nn.SiLU(inplace=True),
                                         nn.Upsample(scale_factor=2, mode="bilinear"), nn.PReLU()), images),
    "batch norm": (lambda: nn.Sequential(nn.Conv2d(3, 4, 1), nn.BatchNorm2d(4).eval(), nn.Hardswish(inplace=True),
                                         nn.BatchNorm2d(4, momentum=None)), images),
    "spectral norm": (lambda: nn.Sequential(nn.utils.spectral_norm(line()), nn.Tanh(), nn.utils.weight_norm(line())), batch),
    "tied weights": (lambda: Runs(lambda self, x: functional.linear(self.b(self.a(x)), self.a.weight), a=nn.Embedding(20, 8),
                                  b=nn.Dropout(0.3)), words),
    "bag": (lambda: Runs(lambda self, x: self.b(self.a(x)), a=nn.EmbeddingBag(20, 8), b=line()), words),
    "scatter": (lambda: Runs(scattered, a=line()), batch),
    "views in place": (lambda: Runs(halves, a=line()), batch),
    "random": (lambda: Runs(drawn, a=line()), batch),
    "random activation": (lambda: nn.Sequential(line(), nn.RReLU(), nn.FeatureAlphaDropout(0.2), line()), batch),
    "spectrum": (lambda: Runs(spectrum, a=line()), batch),
    "autocast": (lambda: Runs(half, a=line(), b=line()), batch),
    "inverse": (lambda: Runs(lambda self, x: torch.linalg.inv(self.a(x) @ self.a(x).mT + torch.eye(5)), a=line()), sequence),
    "unfold": (lambda: Runs(lambda self, x: functional.unfold(self.a(x), 2).transpose(1, 2).reshape(2, -1).flip(1).roll(1, 1),
                            a=nn.Conv2d(3, 4, 1)), images),
}
