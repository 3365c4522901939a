"""Read a folder's parts by transformers, and refuse what would only seem to work.

transformers is generous: weights that are missing it draws at random, a tokenizer that is missing
it builds empty, code in a folder it offers to run. Here each of these is a refusal with a reason.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import torch
from transformers import (
    AutoConfig,
    AutoModelForCausalLM,
    AutoModelForMaskedLM,
    AutoModelForPreTraining,
    AutoModelForSeq2SeqLM,
    AutoTokenizer,
    PreTrainedConfig,
    PreTrainedModel,
    PreTrainedTokenizerFast,
)
from transformers.models.auto.modeling_auto import (
    MODEL_FOR_CAUSAL_LM_MAPPING_NAMES as CAUSAL_TYPES,
)
from transformers.models.auto.modeling_auto import (
    MODEL_FOR_MASKED_LM_MAPPING_NAMES as MASKED_TYPES,
)

from models.catalog import Objective
from models.checkpoints.headers import tensors
from models.checkpoints.sized import raw_config
from models.elmo import ElmoConfig  # importing it tells the Auto classes of ELMo
from models.errors import NoDevice, Unusable
from models.names import Name

CAUSAL = re.compile(r"(ForCausalLM|(?<!With)LMHeadModel)$")
"""How transformers names architectures that read from the left."""
HEADED = re.compile(r"(LM|LMHeadModel|ForPreTraining|ForConditionalGeneration)$")
"""How it names those that come with a head over the vocabulary."""
DENOISERS = ("bart", "mbart", "t5", "mt5", "umt5", "pegasus")
"""Families of encoder-decoders whose first task was to mend a text; others translate."""
UNPREDICTING = ("xlnet",)
"""Families that say a next word only by a permutation of the text: their states are shown."""
LAYER = re.compile(r"\.\d+\.")
NAMED = 5
"""Weights that a refusal names before it counts the rest."""


def objective_of(config: PreTrainedConfig) -> Objective:
    """What a model was trained to do, from the architecture its configuration names."""
    if isinstance(config, ElmoConfig):
        return "two-way" if config.bidirectional else "causal"
    if config.is_encoder_decoder:
        named_in_file: Objective | None = getattr(config, "objective", None)  # ours say it
        return named_in_file or ("denoising" if config.model_type in DENOISERS else "translation")
    if config.model_type in UNPREDICTING:
        return "states"
    named = (config.architectures or [""])[0]
    only_causal = config.model_type not in MASKED_TYPES and config.model_type in CAUSAL_TYPES
    return "causal" if CAUSAL.search(named) or only_causal else "masked"


def auto_class(config: PreTrainedConfig, objective: Objective) -> type:
    """The transformers class that loads such a model with its head."""
    if isinstance(config, ElmoConfig):
        return AutoModelForPreTraining
    heads: dict[Objective, type] = {
        "masked": AutoModelForMaskedLM,
        "causal": AutoModelForCausalLM,
        "denoising": AutoModelForSeq2SeqLM,
        "translation": AutoModelForSeq2SeqLM,
        "states": AutoModelForCausalLM,
    }
    return heads[objective]


def read_config(name: str, path: Path) -> PreTrainedConfig:
    """A folder's configuration.

    Raises:
        Unusable: It cannot be read, or is of no type that transformers knows.
    """
    raw = raw_config(name, path)
    try:
        return AutoConfig.from_pretrained(path, local_files_only=True, trust_remote_code=False)
    except ValueError as error:  # no such architecture
        why = "own code" if "auto_map" in raw else "unknown type"
        kind = str(raw.get("model_type") or "")
        raise Unusable(name, "architecture", why, (kind,) if kind else ()) from error
    except Exception as error:  # a field that no architecture can be made of
        raise Unusable(name, "weights", "config") from error


def read_network(
    asked: Name, path: Path, config: PreTrainedConfig, objective: Objective
) -> tuple[PreTrainedModel, Objective]:
    """The network with all its weights from the file, and what it can do.

    Raises:
        NoDevice: This machine has no such device.
        Unusable: Weights are missing, of another shape, too many, or no numbers.
    """
    name = str(asked)
    if asked.device == "cuda" and not torch.cuda.is_available():
        raise NoDevice(name, asked.device)
    if asked.dtype != "float32" and config.model_type in UNPREDICTING:
        raise NoDevice(name, asked.dtype)  # its own code mixes formats
    tensors(name, path)  # whole files, before anything is made of them
    try:
        network, report = auto_class(config, objective).from_pretrained(  # type: ignore[attr-defined]
            path,
            dtype=getattr(torch, asked.dtype),
            local_files_only=True,
            use_safetensors=True,
            trust_remote_code=False,
            attn_implementation="eager",
            ignore_mismatched_sizes=True,  # so that they are reported by name
            output_loading_info=True,
        )
    except ValueError as error:  # no such architecture with such a head
        raise Unusable(name, "architecture", "no text", (config.model_type,)) from error
    except Exception as error:  # a damaged file; each reader has exceptions of its own
        raise Unusable(name, "weights", "header") from error
    objective = _whole(name, network, report, config, objective)
    _finite(name, network)
    loaded: PreTrainedModel = network.eval().requires_grad_(False)
    return loaded, objective


def read_tokenizer(name: str, path: Path) -> PreTrainedTokenizerFast:
    """The tokenizer; from a folder without one, transformers quietly builds an empty one.

    Raises:
        Unusable: There is none, or it does not say where in a text its tokens stand.
    """
    try:
        tokenizer = AutoTokenizer.from_pretrained(
            path, local_files_only=True, trust_remote_code=False
        )
    except Exception as error:  # as above
        raise Unusable(name, "tokenizer", "no tokenizer") from error
    if len(tokenizer) <= len(tokenizer.all_special_ids):
        raise Unusable(name, "tokenizer", "no tokenizer")
    if not isinstance(tokenizer, PreTrainedTokenizerFast):
        raise Unusable(name, "tokenizer", "slow tokenizer", (type(tokenizer).__name__,))
    return tokenizer


def _whole(
    name: str,
    network: PreTrainedModel,
    report: dict[str, Any],
    config: PreTrainedConfig,
    objective: Objective,
) -> Objective:
    """Refuse weights that do not fit; a body that came without a head has states alone."""
    if wrong := report["mismatched_keys"]:
        raise _refusal(name, "shapes", (str(entry[0]) for entry in wrong))
    # A pooler or a second head is left aside; layers that are left out make another model.
    if spare := _of_layers(network, report["unexpected_keys"]):
        raise _refusal(name, "spare", spare)
    body = network.base_model_prefix
    missing = list(report["missing_keys"])
    if not missing:
        return objective
    headless = all(not key.startswith(f"{body}.") for key in missing)
    named = (config.architectures or [""])[0]
    promised = HEADED.search(named) and config.model_type != "electra"
    if headless and not promised and objective in ("masked", "causal"):
        return "states"
    raise _refusal(name, "fresh", missing)


def _of_layers(network: PreTrainedModel, spare: Iterable[str]) -> list[str]:
    """Weights left over that are of layers like those that there are, only further up."""
    known = {LAYER.sub(".#.", key) for key in network.state_dict()}
    body = f"{network.base_model_prefix}."
    shapes = {key: LAYER.sub(".#.", key) for key in spare if LAYER.search(key)}
    return [key for key, shape in shapes.items() if shape in known or body + shape in known]


def _finite(name: str, network: PreTrainedModel) -> None:
    """Refuse weights that are no numbers: every answer would be none either."""
    wrong = [
        key
        for key, weights in network.named_parameters()
        if not torch.isfinite(weights.sum(dtype=torch.float32)) and not weights.isfinite().all()
    ]
    if wrong:
        raise _refusal(name, "nan", wrong)


def _refusal(name: str, why: str, keys: Iterable[str]) -> Unusable:
    named = sorted(keys)
    return Unusable(name, "weights", why, tuple(named[:NAMED]), len(named))
