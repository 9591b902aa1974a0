"""Checks tests/golden/published_models.csv: weights of published configurations, counted by the transformers library.

    published_models.py GOLDEN      prints each file of GOLDEN/published with the weights that the library counts

A model is built on the meta device, where nothing is stored. Weights in products are matrices of linear layers and of
experts; a head counts even if it shares the weights of the embedding. Weights of convolutions are counted apart.
Embeddings, norms and biases are no products. For a model with a vision tower, the table has the language model alone.

Needs Python with torch and transformers 5.23.0.
"""

import json
import logging
import sys
import warnings
from pathlib import Path

warnings.filterwarnings("ignore")
logging.disable(logging.WARNING)

import torch  # noqa: E402
import transformers  # noqa: E402
from torch import nn  # noqa: E402
from transformers.pytorch_utils import Conv1D  # noqa: E402

# Classes of the library that keep matrices outside linear layers.
MATRICES = ("expert", "router", "gate", "glu", "gating", "multihead")
# Parts of a model for images and text that do not belong to its language model.
OTHER = ("visual", "vision", "audio", "embed_vision", "embed_audio", "multi_modal")


def build(config):
    keys = dict(config)
    family, names = keys.pop("model_type"), keys.pop("architectures", [None])
    for key in ("torch_dtype", "quantization_config"):
        keys.pop(key, None)
    if family == "kimi_k2":
        # The published configuration names the class of DeepSeek-V3.
        family, names = "deepseek_v3", ["DeepseekV3ForCausalLM"]
    with torch.device("meta"):
        return getattr(transformers, names[0])._from_config(transformers.CONFIG_MAPPING[family](**keys))


def weights(model, has_towers):
    """Returns the weights in products and in convolutions, each tensor once; a tied head counts as a product."""
    products = convolutions = 0
    seen = set()
    embeddings = {id(module.weight) for module in model.modules() if isinstance(module, nn.Embedding)}
    for path, module in model.named_modules():
        is_other = has_towers and any(part.startswith(OTHER) for part in path.split("."))
        if is_other or isinstance(module, nn.Embedding):
            continue
        for name, tensor in module.named_parameters(recurse=False):
            if tensor.dim() < 2 or name == "A_log" or name.endswith("bias") or id(tensor) in seen:
                continue
            if id(tensor) not in embeddings:
                seen.add(id(tensor))
            kind = type(module).__name__.lower()
            if isinstance(module, (nn.Conv1d, nn.Conv2d, nn.Conv3d)):
                convolutions += tensor.numel()
            elif isinstance(module, (nn.Linear, Conv1D)) or any(word in kind for word in MATRICES):
                products += tensor.numel()
    return products, convolutions


for path in sorted(Path(sys.argv[1], "published").glob("*.json")):
    config = json.loads(path.read_text())
    # CLIP and SigLIP are two towers.
    has_towers = config.get("model_type") not in ("clip", "siglip", "siglip_vision_model", "clip_vision_model")
    print(path.stem, *weights(build(config), has_towers))
