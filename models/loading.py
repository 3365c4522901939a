"""Load a model once, check that it is whole, and share it between all visitors."""

from __future__ import annotations

import gc
import threading
import weakref
from collections import OrderedDict
from dataclasses import dataclass
from functools import cached_property, lru_cache
from importlib.metadata import version
from pathlib import Path
from time import monotonic, sleep

import torch
import transformers
from transformers import PreTrainedModel, PreTrainedTokenizerFast

from models.catalog import Objective, folder
from models.checkpoints.sized import sized, within_limits
from models.errors import NoRoom, Unusable
from models.names import parse
from models.opening import (
    auto_class,
    objective_of,
    read_config,
    read_network,
    read_tokenizer,
)
from models.placing import place_on
from models.reading import FORM_TOKENS, Reader
from models.results import Provenance
from models.revisions import revision
from models.settings import settings
from models.vocabulary import Vocabulary

__all__ = ["Model", "Shelf", "auto_class", "load", "objective_of", "open_model", "shelf"]

# Every Streamlit rerun is a new thread, and torch would start a pool of workers in each: one thread
# per request is faster, and `models.slots` lets as many requests run as there are cores.
torch.set_num_threads(1)
transformers.logging.set_verbosity_error()
transformers.logging.disable_progress_bar()


@dataclass(frozen=True, eq=False)
class Model:
    """A language model with its tokenizer, in evaluation mode. Never change it."""

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

    @cached_property
    def size(self) -> int:
        """Bytes of its weights; those that are used twice count once."""
        parts = [*self.network.parameters(), *self.network.buffers()]
        return sum({part.data_ptr(): part.nbytes for part in parts}.values())

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
    """The loaded models, in so many bytes; the one unused for longest leaves first.

    A model that somebody is computing with never leaves: they hold it, and it is found again.

    Args:
        room: Bytes for weights.
        patience: Seconds to wait for models in use, where only they could make room.
    """

    def __init__(self, room: int, patience: float = 10.0) -> None:
        self._room, self._patience = room, patience
        self._models: OrderedDict[str, Model] = OrderedDict()
        self._shelf = threading.Lock()
        self._loading = threading.Lock()  # transformers sets global defaults while it loads

    @property
    def taken(self) -> int:
        """Bytes of the weights that are loaded."""
        with self._shelf:
            return sum(model.size for model in self._models.values())

    def get(self, name: str) -> Model:
        """The model, loaded by whichever thread asks first.

        Raises:
            Refusal: It cannot be had. Nothing is kept of a refused model.
        """
        if model := self._find(name):
            return model
        path = folder(name)  # a GGUF file is turned into a folder here, for minutes
        with self._loading:
            if model := self._find(name):  # another thread loaded it while we waited
                return model
            found = sized(name, path)
            within_limits(found)
            self._make_room(name, found.memory[parse(name).dtype])
            model = open_model(name, path)
            with self._shelf:
                self._models[name] = model
            return model

    def _find(self, name: str) -> Model | None:
        with self._shelf:
            if name in self._models:
                self._models.move_to_end(name)
            return self._models.get(name)

    def _make_room(self, name: str, needed: int) -> None:
        """Let models go until `needed` bytes are free.

        Raises:
            NoRoom: All that could go are in use, and stay so.
        """
        until = monotonic() + self._patience
        while self.taken + needed > self._room:
            if self._drop_one():
                gc.collect()  # a network refers to itself here and there
            elif monotonic() > until:
                raise NoRoom(name)
            else:
                sleep(0.05)

    def _drop_one(self) -> bool:
        """Let the model go that was unused for longest, and is not in use."""
        with self._shelf:
            for name in list(self._models):
                model = weakref.ref(self._models.pop(name))
                if (used := model()) is None:  # nobody but the shelf had it
                    return True
                self._models[name] = used
                self._models.move_to_end(name, last=False)
        return False


@lru_cache(maxsize=1)
def shelf() -> Shelf:
    """The shelf of this process."""
    return Shelf(settings().model_memory * 1_000_000)


def load(name: str) -> Model:
    """The named model from this process's shelf; see `models.load`."""
    return shelf().get(name)


def open_model(name: str, path: Path) -> Model:
    """Read a model from a folder and refuse what would only seem to work.

    Raises:
        NoDevice: This machine has no such device.
        Unusable: The weights are incomplete or no safetensors, the tokenizer is missing or does not
            fit, or the architecture is no language model.
    """
    asked = parse(name)
    config = read_config(name, path)
    network, objective = read_network(asked, path, config, objective_of(config))
    tokenizer = read_tokenizer(name, path)
    if objective == "masked" and tokenizer.mask_token_id is None:
        raise Unusable(name, "mask")
    rows = int(network.config.vocab_size)
    if len(tokenizer) > rows:
        raise Unusable(name, "tokenizer", "larger tokenizer", (), len(tokenizer) - rows)
    return Model(
        name=name,
        network=place_on(network, asked.device),
        tokenizer=tokenizer,
        reader=reader_of(tokenizer),
        vocabulary=Vocabulary(tokenizer, rows),
        max_tokens=min(settings().max_tokens, tokenizer.model_max_length, _positions(network)),
        provenance=Provenance(name, revision(path), asked.dtype, _versions()),
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


def _positions(network: PreTrainedModel) -> int:
    """How many positions the network has learned; RoBERTa's first ones are taken by its padding."""
    table = getattr(getattr(network.base_model, "embeddings", None), "position_embeddings", None)
    if isinstance(table, torch.nn.Embedding):
        taken = 0 if table.padding_idx is None else table.padding_idx + 1
        return table.num_embeddings - taken
    return int(getattr(network.config, "max_position_embeddings", settings().max_tokens))


def _versions() -> tuple[tuple[str, str], ...]:
    return tuple((name, version(name)) for name in ("torch", "transformers", "tokenizers"))
