"""Load a model once, check that it is whole, and share it between all visitors."""

from __future__ import annotations

import re
import threading
from collections import OrderedDict
from dataclasses import dataclass
from functools import lru_cache
from importlib.metadata import version
from pathlib import Path

import torch
import transformers
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

from models.catalog import Objective, folder
from models.elmo import ElmoConfig  # importing it tells the Auto classes of ELMo
from models.errors import Unusable
from models.reading import FORM_TOKENS, Reader
from models.results import Provenance
from models.revisions import revision
from models.settings import settings
from models.vocabulary import Vocabulary

# Every Streamlit rerun is a new thread, and torch would start a pool of workers in each: one thread
# per request is faster, and `models.slots` lets as many requests run as there are cores.
torch.set_num_threads(1)
transformers.logging.set_verbosity_error()
transformers.logging.disable_progress_bar()


CAUSAL = re.compile(r"(ForCausalLM|(?<!With)LMHeadModel)$")
"""How transformers names architectures that read from the left."""


DENOISERS = ("bart", "mbart", "t5", "mt5", "umt5", "pegasus")
"""Families of encoder-decoders whose first task was to mend a text; others translate."""


@dataclass(frozen=True, eq=False)
class Model:
    """A language model with its tokenizer, in evaluation mode, float32. Never change it."""

    name: str
    network: PreTrainedModel
    tokenizer: PreTrainedTokenizerFast
    reader: Reader
    """The tokenizer for text that visitors type."""
    vocabulary: Vocabulary
    max_tokens: int
    """The longest input, special tokens included: its own limit or the operator's."""
    provenance: Provenance
    objective: Objective
    folder: Path | None = None
    """Where it was loaded from; None for one that was built in place."""

    @property
    def has_decoder(self) -> bool:
        """Whether it reads one text and writes another: an encoder and a decoder."""
        return self.objective in ("denoising", "translation")

    @property
    def mask_id(self) -> int:
        """The token that stands for a hidden word in a masked model.

        Raises:
            Unusable: It is no masked model.
        """
        if self.objective != "masked" or self.reader.mask_id is None:
            raise Unusable(self.name, "mask")
        return self.reader.mask_id


class Shelf:
    """The loaded models, at most `room` of them; the one unused for longest leaves first."""

    def __init__(self, room: int) -> None:
        self._room = room
        self._models: OrderedDict[str, Model] = OrderedDict()
        self._shelf = threading.Lock()
        self._loading = threading.Lock()  # transformers sets global defaults while it loads

    def get(self, name: str) -> Model:
        """The model, loaded by whichever thread asks first.

        Raises:
            Refusal: It cannot be had. Nothing is kept of a refused model.
        """
        if model := self._find(name):
            return model
        with self._loading:
            if model := self._find(name):  # another thread loaded it while we waited
                return model
            model = open_model(name, folder(name))
            with self._shelf:
                self._models[name] = model
                if len(self._models) > self._room:
                    self._models.popitem(last=False)
            return model

    def _find(self, name: str) -> Model | None:
        with self._shelf:
            if name in self._models:
                self._models.move_to_end(name)
            return self._models.get(name)


@lru_cache(maxsize=1)
def shelf() -> Shelf:
    """The shelf of this process."""
    return Shelf(settings().max_models)


def load(name: str) -> Model:
    """The named model from this process's shelf; see `models.load`."""
    return shelf().get(name)


def open_model(name: str, path: Path) -> Model:
    """Read a model from a folder and refuse what would only seem to work.

    Raises:
        Unusable: The weights are incomplete or no safetensors, the tokenizer is missing or does not
            fit, or the architecture is no language model.
    """
    config = _config(name, path)
    objective = objective_of(config)
    network = _network(name, path, auto_class(config, objective))
    tokenizer = _tokenizer(name, path)
    if objective == "masked" and tokenizer.mask_token_id is None:
        raise Unusable(name, "mask")
    rows = int(network.config.vocab_size)
    if len(tokenizer) > rows:
        raise Unusable(name, "tokenizer")
    return Model(
        name=name,
        network=network,
        tokenizer=tokenizer,
        reader=reader_of(tokenizer),
        vocabulary=Vocabulary(tokenizer, rows),
        max_tokens=min(settings().max_tokens, tokenizer.model_max_length, _positions(network)),
        provenance=Provenance(name, revision(path), "float32", _versions()),
        objective=objective,
        folder=path,
    )


def reader_of(tokenizer: PreTrainedTokenizerFast) -> Reader:
    """The tokenizer for what visitors type.

    One that knows the forms of verse knows characters as Taiwan writes them, and only those.
    """
    if FORM_TOKENS.isdisjoint(tokenizer.get_vocab()):
        return Reader(tokenizer)
    from models.chinese import to_taiwan  # its dictionaries load only where they are needed

    return Reader(tokenizer, to_taiwan)


def objective_of(config: PreTrainedConfig) -> Objective:
    """What a model was trained to do, from the architecture its configuration names."""
    if isinstance(config, ElmoConfig):
        return "two-way" if config.bidirectional else "causal"
    if config.is_encoder_decoder:
        named_in_file: Objective | None = getattr(config, "objective", None)  # ours say it
        return named_in_file or ("denoising" if config.model_type in DENOISERS else "translation")
    named = (config.architectures or [""])[0]
    return "causal" if CAUSAL.search(named) else "masked"


def auto_class(config: PreTrainedConfig, objective: Objective) -> type:
    """The transformers class that loads such a model with its head."""
    if isinstance(config, ElmoConfig):
        return AutoModelForPreTraining
    heads: dict[Objective, type] = {
        "masked": AutoModelForMaskedLM,
        "causal": AutoModelForCausalLM,
        "denoising": AutoModelForSeq2SeqLM,
        "translation": AutoModelForSeq2SeqLM,
    }
    return heads[objective]


def _config(name: str, path: Path) -> PreTrainedConfig:
    try:
        return AutoConfig.from_pretrained(path, local_files_only=True, trust_remote_code=False)
    except ValueError as error:  # no such architecture
        raise Unusable(name, "architecture") from error
    except Exception as error:  # a damaged or absent file
        raise Unusable(name, "weights") from error


def _network(name: str, path: Path, auto: type) -> PreTrainedModel:
    """The network with all its weights from the file: transformers draws missing ones at random."""
    try:
        network, report = auto.from_pretrained(  # type: ignore[attr-defined]
            path,
            dtype=torch.float32,
            local_files_only=True,
            use_safetensors=True,
            trust_remote_code=False,
            attn_implementation="eager",
            output_loading_info=True,
        )
    except ValueError as error:  # no such architecture with such a head
        raise Unusable(name, "architecture") from error
    except Exception as error:  # a damaged or absent file; each reader has exceptions of its own
        raise Unusable(name, "weights") from error
    if report["missing_keys"] or report["mismatched_keys"]:
        raise Unusable(name, "weights")
    loaded: PreTrainedModel = network.eval().requires_grad_(False)
    return loaded


def _tokenizer(name: str, path: Path) -> PreTrainedTokenizerFast:
    """The tokenizer; from a folder without one, transformers quietly builds an empty one."""
    try:
        tokenizer = AutoTokenizer.from_pretrained(
            path, local_files_only=True, trust_remote_code=False
        )
    except Exception as error:  # as above
        raise Unusable(name, "tokenizer") from error
    if not isinstance(tokenizer, PreTrainedTokenizerFast):
        raise Unusable(name, "tokenizer")
    if len(tokenizer) <= len(tokenizer.all_special_ids):
        raise Unusable(name, "tokenizer")
    return tokenizer


def _positions(network: PreTrainedModel) -> int:
    """How many positions the network has learned; RoBERTa's first ones are taken by its padding."""
    table = getattr(getattr(network.base_model, "embeddings", None), "position_embeddings", None)
    if isinstance(table, torch.nn.Embedding):
        taken = 0 if table.padding_idx is None else table.padding_idx + 1
        return table.num_embeddings - taken
    return int(getattr(network.config, "max_position_embeddings", settings().max_tokens))


def _versions() -> tuple[tuple[str, str], ...]:
    return tuple((name, version(name)) for name in ("torch", "transformers", "tokenizers"))
