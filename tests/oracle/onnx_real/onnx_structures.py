"""Single structures for onnx_files.py: modules of our own in both exporters, and graphs in the text form of ONNX."""

import json
import re
from pathlib import Path

import numpy as np
import onnx
import torch
import torchvision
from onnx import numpy_helper
from torch import nn

from onnx_files import export, whole


class Recurrent(nn.Module):
    def __init__(self):
        super().__init__()
        self.lstm = nn.LSTM(24, 40, num_layers=2, bidirectional=True, batch_first=True)
        self.gru, self.rnn, self.head = nn.GRU(80, 32, batch_first=True), nn.RNN(32, 16), nn.Linear(16, 5)

    def forward(self, x):
        return self.head(self.rnn(self.gru(self.lstm(x)[0])[0])[0])


class Looped(nn.Module):
    """A cell in a loop over the sequence, and a branch on a size."""

    def __init__(self):
        super().__init__()
        self.a, self.b, self.wide, self.deep = nn.Linear(24, 32), nn.Linear(32, 32), nn.Linear(32, 8), nn.Linear(32, 16)

    def forward(self, x):
        state = torch.zeros(x.size(0), 32)
        for step in range(x.size(1)):
            state = torch.tanh(self.a(x[:, step]) + self.b(state))
        if x.size(1) > 100:
            out = self.wide(state)
        else:
            out = self.deep(state)[:, :8]
        return out


class Pyramid(nn.Module):
    """Convolutions around each way to change the size of an image."""

    def __init__(self, ceil=True):
        super().__init__()
        self.ceil = ceil
        conv = lambda i, o, **k: nn.Conv2d(i, o, 3, padding=1, **k)
        self.a, self.b, self.c, self.d = (
            conv(3, 8, stride=2),
            conv(8, 16, groups=4, dilation=2),
            conv(16, 8),
            conv(8, 4),
        )
        self.up = nn.ConvTranspose2d(8, 8, 3, stride=2, padding=1, output_padding=1, groups=2)

    def forward(self, x):
        f = nn.functional
        first = self.a(x)
        y = self.b(f.max_pool2d(first, 3, 2, ceil_mode=self.ceil))
        y = self.c(f.interpolate(y, scale_factor=2.0, mode="nearest"))
        y = self.up(f.interpolate(y, size=[first.shape[2], first.shape[3]], mode="nearest"))
        return self.d(f.interpolate(y, scale_factor=0.5, mode="nearest") if self.ceil else y)


class Gathered(nn.Module):
    """Products behind sizes of data: nonzero, top-k, scatter, grid samples, depth to space."""

    def __init__(self):
        super().__init__()
        self.conv, self.line, self.head = nn.Conv2d(16, 8, 3), nn.Linear(8, 6), nn.Linear(6, 4)

    def forward(self, x):
        y = torch.nn.functional.pixel_shuffle(x, 2)
        grid = torch.nn.functional.affine_grid(
            torch.eye(2, 3)[None].expand(x.size(0), 2, 3), [x.size(0), 4, 20, 24], False
        )
        y = torch.cat([torch.nn.functional.grid_sample(y, grid, align_corners=False)] * 4, 1)
        y = self.conv(y).flatten(2).transpose(1, 2)
        best = torch.topk(y.sum(-1), min(y.size(1), 30), 1)[1]
        y = self.line(torch.gather(y, 1, best[..., None].expand(-1, -1, 8)))
        board = torch.zeros(y.size(0), 40, 6)
        board[:, 3:33] = y
        keep = torchvision.ops.nms(torch.rand(50, 4).cumsum(1), board[0, :, 0].repeat(2)[:50], 0.5)
        return self.head(board[:, keep.clamp(max=39)]), self.head(board[board.sum(-1) > 0])


class Ranged(nn.Module):
    """Shape arithmetic: arange, where, relative positions, windows with padding, einsum, split, sizes from a division."""

    def __init__(self):
        super().__init__()
        self.qkv, self.out, self.mix = nn.Linear(32, 96), nn.Linear(32, 32), nn.Linear(32, 16)
        self.table = nn.Parameter(torch.randn(200, 4))

    def forward(self, x):
        batch, length, _ = x.shape
        full = torch.nn.functional.pad(x, (0, 0, 0, (8 - length % 8) % 8)).reshape(batch, -1, 8, 32)
        q, k, v = self.qkv(full).reshape(batch, -1, 8, 3, 4, 8).unbind(3)
        place = torch.arange(8)
        bias = self.table[(place[:, None] - place[None]).clamp(-50, 50) + 50].permute(2, 0, 1)
        scores = torch.einsum("bwihd,bwjhd->bwhij", q, k) + bias
        y = torch.einsum("bwhij,bwjhd->bwihd", scores.softmax(-1), v).reshape(batch, -1, 32)[:, :length]
        mask = torch.where(torch.arange(length)[None] < length - 1, 1.0, 0.0)
        half = y.size(1) // 2
        return self.mix(self.out(y * mask[..., None])[:, :half]), torch.matmul(y[:, half:], y.transpose(1, 2))


class Spectral(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv, self.line = nn.Conv1d(33, 16, 5, stride=2, padding="valid"), nn.Linear(16, 4)

    def forward(self, x):
        y = torch.stft(x, 64, 32, window=torch.hann_window(64), return_complex=False, center=False)
        return self.line(self.conv(y.pow(2).sum(-1)).transpose(1, 2))


def structures(files):
    series = {"x": whole("batch", "sequence", 24, kind=torch.float32)}
    wide = {"x": whole("batch", "sequence", 32, kind=torch.float32)}
    image = {"x": whole("batch", 3, "height", "width", kind=torch.float32)}
    sizes, area = {"batch": 2, "sequence": 13}, {"batch": 2, "height": 64, "width": 96}
    script = lambda build: lambda: torch.jit.script(build())
    mine = "tests/oracle/onnx_files.py"
    for opset in (9, 14):
        export(files, f"one-recurrent-old-{opset}", mine, opset, False, Recurrent, series, sizes)
    export(
        files,
        "one-recurrent-fixed-new-18",
        mine,
        18,
        True,
        Recurrent,
        {"x": (lambda **_: torch.ones(2, 13, 24), {})},
        sizes,
    )
    for opset in (11, 17):
        export(files, f"one-loop-if-script-old-{opset}", mine, opset, False, script(Looped), series, sizes)
    for opset in (9, 10, 11, 13, 18, 19):
        export(files, f"one-pyramid-old-{opset}", mine, opset, False, lambda: Pyramid(opset > 9), image, area)
    for opset in (18, 19):
        export(files, f"one-pyramid-new-{opset}", mine, opset, True, Pyramid, image, area)
    export(files, "one-pyramid-script-13", mine, 13, False, script(Pyramid), image, area)
    deep = {"x": whole("batch", 16, "height", "width", kind=torch.float32)}
    export(files, "one-gathered-old-20", mine, 20, False, Gathered, deep, {"batch": 2, "height": 10, "width": 12})
    export(files, "one-ranged-old-16", mine, 16, False, Ranged, wide, sizes)
    export(files, "one-ranged-script-16", mine, 16, False, script(Ranged), wide, sizes)
    export(files, "one-ranged-new-18", mine, 18, True, Ranged, wide, sizes)
    wave = {"x": whole("batch", "samples", kind=torch.float32)}
    for new in (False, True):
        export(
            files,
            f"one-spectral-{'new' if new else 'old'}-18",
            mine,
            18,
            new,
            Spectral,
            wave,
            {"batch": 2, "samples": 1000},
        )


TEXTS = Path(__file__).with_name(
    "onnx_texts.txt"
)  # Graphs by hand: "# name; sizes; weight=size,size ...", then the text.


def texts(files):
    for part in re.split(r"^# ", TEXTS.read_text(), flags=re.MULTILINE)[1:]:
        head, text = part.split("\n", 1)
        name, sizes, weights = (one.strip() for one in head.split(";", 2))
        if not files.wants(f"hand-{name}"):
            continue
        with files.entry(f"hand-{name}", "tests/oracle/onnx_texts.txt", sizes.replace(" ", ";")) as (path, row):
            model, rng = onnx.parser.parse_model(text), np.random.default_rng(0)
            row["values"] = {key: json.loads(value) for key, value in re.findall(r"(\w+):=(\S+)", weights)}
            for key, kind, size in re.findall(r"(\w+)(?::(\w+))?=([\d,]+)", weights):
                array = rng.normal(0, 0.1, [int(one) for one in size.split(",")])
                kind = kind or "float32"
                array = (array * 100 if "int" in kind else array).astype(kind)
                model.graph.initializer.append(numpy_helper.from_array(array, key))
            onnx.save(model, path)
