"""`python -m models.checkpoints.gguf_writing FILE FOLDER`: a GGUF file as an ordinary folder.

A module of its own, and a process of its own: the server itself needs nothing of this.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import torch
from transformers import AutoModelForCausalLM, AutoTokenizer


def write(file: Path, to: Path) -> None:
    """The file's model and tokenizer as an ordinary folder."""
    given: dict[str, Any] = {"gguf_file": file.name, "local_files_only": True}
    given["trust_remote_code"] = False
    AutoTokenizer.from_pretrained(file.parent, **given).save_pretrained(to)
    network: Any = AutoModelForCausalLM.from_pretrained(file.parent, dtype=torch.float32, **given)
    network.hf_quantizer = None  # transformers takes what it has undone for something unfinished
    del network.config.quantization_config
    network.save_pretrained(to)


if __name__ == "__main__":
    write(Path(sys.argv[1]), Path(sys.argv[2]))
