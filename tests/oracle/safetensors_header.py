"""Writes tests/golden/llama.safetensors.head: the first bytes of the small LLaMA of torch_flops.py, saved by its library.

Only the header is kept; the weights behind it are cut off. Needs Python with torch, transformers and safetensors; the
golden file is committed, so only a change of the model needs this.
"""

import json
import sys
from pathlib import Path

import torch
from safetensors.torch import save
from transformers import CONFIG_MAPPING, AutoModelForCausalLM

golden = Path(sys.argv[1])
keys = json.loads((golden / "configs" / "llama.json").read_text())
model = AutoModelForCausalLM.from_config(CONFIG_MAPPING[keys.pop("model_type")](**keys)).to(torch.bfloat16)
whole = save({name: weight.contiguous() for name, weight in model.state_dict().items()}, metadata={"format": "pt"})
(golden / "llama.safetensors.head").write_bytes(whole[: 8 + int.from_bytes(whole[:8], "little")])
