"""What other tools make, for onnx_files.py: quantized and fused files, onnxruntime-genai, and TensorFlow."""

import importlib.metadata
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import onnx
import onnxruntime as ort
import tokenizers
import transformers
from onnxruntime import quantization as q
from onnxruntime.quantization.matmul_nbits_quantizer import MatMulNBitsQuantizer
from onnxruntime.transformers import float16, optimizer

from onnx_exports import LLM
from onnx_real import feeds_of, fill


def tools(files):
    def made(name, base, tool, work):
        run = files.runs.get(f"{base}.onnx")
        if files.wants(name) and run:
            with files.entry(name, f"{tool} of onnxruntime {ort.__version__}, from {run['source']}") as (path, row):
                row |= {
                    "inputs": run["inputs"],
                    "values": run["values"],
                    "symbols": run["symbols"],
                    "flops": run["flops"],
                }
                with tempfile.TemporaryDirectory() as folder:
                    model = onnx.load(files.folder / f"{base}.onnx", load_external_data=False)
                    fill(model)
                    onnx.save(model, f"{folder}/{base}.onnx")
                    work(f"{folder}/{base}.onnx", str(path))

    class Samples(q.CalibrationDataReader):
        def __init__(self, base):
            name = f"{Path(base).name}"
            self.feeds = iter([feeds_of(onnx.load(base), files.runs[name])[0]])

        def get_next(self):
            return next(self.feeds, None)

    def optimized(level):
        def work(base, path):
            options = ort.SessionOptions()
            options.graph_optimization_level, options.optimized_model_filepath = level, path
            ort.InferenceSession(base, options, providers=["CPUExecutionProvider"])

        return work

    def fused(kind):
        return lambda base, path: optimizer.optimize_model(
            base, model_type=kind, num_heads=4, hidden_size=64, opt_level=0
        ).save_model_to_file(path)

    def int4(base, path):
        quantizer = MatMulNBitsQuantizer(onnx.load(base), block_size=32, is_symmetric=True)
        quantizer.process()
        quantizer.model.save_model_to_file(path)

    dynamic = lambda base, path: q.quantize_dynamic(base, path)
    static = lambda form: lambda base, path: q.quantize_static(
        base, path, Samples(base), quant_format=form, per_channel=form == q.QuantFormat.QDQ
    )
    half = lambda base, path: onnx.save(float16.convert_float_to_float16(onnx.load(base), keep_io_types=True), path)
    for base in (
        "hf-bert-old-14",
        "hf-gpt2-past-old-14",
        "hf-t5-decoder-old-17",
        "one-recurrent-old-14",
        "tv-squeezenet1-1-old-10",
    ):
        made(f"ort-dynamic-{base}", base, "quantize_dynamic", dynamic)
    for base in ("tv-squeezenet1-1-new-21", "tv-mobilenet-v3-small-new-18", "hf-vit-old-13", "hf-bert-old-14"):
        made(f"ort-qdq-{base}", base, "quantize_static QDQ", static(q.QuantFormat.QDQ))
    for base in ("tv-squeezenet1-1-new-21", "hf-bert-old-14", "one-pyramid-old-13"):
        made(f"ort-qoperator-{base}", base, "quantize_static QOperator", static(q.QuantFormat.QOperator))
    for base in ("hf-llama-past-old-17", "hf-bert-new-18", "hf-llama-past-new-20"):
        made(f"ort-int4-{base}", base, "MatMulNBitsQuantizer", int4)
    for base in ("hf-bert-old-14", "tv-resnet18-new-18", "hf-llama-past-old-17"):
        made(f"ort-half-{base}", base, "float16", half)
    for kind, base in (
        ("bert", "hf-bert-old-14"),
        ("bert", "hf-bert-old-11"),
        ("bert", "hf-distilbert-old-14"),
        ("bert", "hf-bert-new-18"),
        ("gpt2", "hf-gpt2-past-old-14"),
        ("gpt2", "hf-llama-past-old-17"),
        ("vit", "hf-vit-old-13"),
        ("vit", "timm-vit-tiny-patch16-224-old-17"),
        ("bart", "hf-whisper-encoder-old-17"),
        ("t5", "hf-t5-encoder-old-13"),
        ("clip", "hf-clip-old-17"),
        ("bert", "hf-roberta-new-18"),
    ):
        made(f"ort-fused-{base}", base, f"transformers.optimizer {kind}", fused(kind))
    levels = ort.GraphOptimizationLevel
    for base in (
        "tv-resnet18-old-11",
        "tv-mobilenet-v3-small-old-14",
        "hf-bert-old-14",
        "hf-llama-past-old-17",
        "one-loop-if-script-old-17",
        "hf-vit-old-13",
        "hf-segformer-old-13",
    ):
        made(f"ort-extended-{base}", base, "ORT_ENABLE_EXTENDED", optimized(levels.ORT_ENABLE_EXTENDED))
    for base in ("tv-squeezenet1-1-old-10", "hf-gpt2-past-old-14"):
        made(f"ort-all-{base}", base, "ORT_ENABLE_ALL", optimized(levels.ORT_ENABLE_ALL))


GENAI = [  # Model, configuration, number format, provider: graphs with GroupQueryAttention and RotaryEmbedding.
    ("LlamaForCausalLM", LLM, "fp32", "cpu"),
    ("LlamaForCausalLM", LLM, "int4", "cpu"),
    ("Qwen2ForCausalLM", LLM, "int4", "cpu"),
    ("Qwen3ForCausalLM", dict(LLM, head_dim=32), "fp32", "cpu"),
    ("MistralForCausalLM", LLM, "fp16", "cuda"),
    ("Gemma2ForCausalLM", dict(LLM, head_dim=32, sliding_window=4), "fp32", "cpu"),
]


def genai(files):
    version = importlib.metadata.version("onnxruntime-genai")
    for kind, config, precision, provider in GENAI:
        name = f"genai-{kind.split('For')[0].lower()}-{precision}"
        if not files.wants(name):
            continue
        with (
            files.entry(
                name,
                f"onnxruntime-genai {version}",
                "batch_size=1;sequence_length=7;past_sequence_length=5;"
                f"total_sequence_length=12;kv_cache_dim={config.get('head_dim', 16)}",
            ) as (path, row),
            tempfile.TemporaryDirectory() as folder,
        ):
            build = getattr(transformers, kind)
            build(build.config_class(**config)).save_pretrained(f"{folder}/in")
            words = tokenizers.Tokenizer(tokenizers.models.WordLevel({"a": 0}, "a"))
            transformers.PreTrainedTokenizerFast(tokenizer_object=words).save_pretrained(f"{folder}/in")
            log = subprocess.run(
                [
                    sys.executable,
                    "-m",
                    "onnxruntime_genai.models.builder",
                    "-i",
                    f"{folder}/in",
                    "-o",
                    f"{folder}/out",
                    "-p",
                    precision,
                    "-e",
                    provider,
                    "-c",
                    f"{folder}/cache",
                ],
                capture_output=True,
                text=True,
                check=False,
            )
            if not Path(f"{folder}/out/model.onnx").exists():
                raise RuntimeError(log.stderr[-600:])
            onnx.save(onnx.load(f"{folder}/out/model.onnx"), path)


def keras(files):
    """Files of TensorFlow, if TF_PYTHON names a Python with tensorflow and tf2onnx, which need their own environment."""
    if "TF_PYTHON" in os.environ and files.wants("tf-"):
        subprocess.run([os.environ["TF_PYTHON"], Path(__file__).with_name("onnx_keras.py"), files.folder], check=True)
        files.runs |= json.loads((files.folder / "keras.json").read_text())
        files.table.write_text(json.dumps(files.runs, indent=1))
