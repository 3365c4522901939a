"""How a checkpoint's tokenizer cuts a text, and whether it fits the weights."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING

from models.inputs import describe_pieces, spelled
from models.probing import snippets
from models.probing.records import Cutting, Mismatch, Special
from models.settings import settings

if TYPE_CHECKING:
    from models.loading import Model

ROLES = ("bos", "eos", "unk", "sep", "pad", "cls", "mask")
UNLIMITED = 10**9
"""What transformers says where a tokenizer names no longest text."""


def cutting(model: Model, text: str) -> Cutting:
    """See `models.probing.cutting`."""
    reading = model.reader.read(text, settings().max_characters, model.max_tokens)
    tokens = describe_pieces(model, (text,), spelled(model, reading))
    state = json.loads(model.tokenizer.backend_tokenizer.to_str())
    body = [token.id for token in tokens if token.sequence is not None]
    normalizer = model.tokenizer.backend_tokenizer.normalizer
    return Cutting(
        text=text,
        tokens=tokens,
        cut=reading.cut,
        algorithm=str(state["model"].get("type") or type(model.tokenizer).__name__),
        entries=len(model.tokenizer),
        rows=_rows(model),
        spells_bytes=_spells_bytes(state),
        lower_case=normalizer is not None and normalizer.normalize_str("A") == "a",
        specials=tuple(_specials(model)),
        mismatches=tuple(_mismatches(model)),
        again=str(model.tokenizer.decode(body)),
        provenance=model.provenance,
        snippet=snippets.cutting(model, text),
    )


def _rows(model: Model) -> int:
    return int(model.network.config.vocab_size)


def _spells_bytes(state: dict[str, object]) -> bool:
    """It keeps an entry for each byte: as letters (GPT-2), or by number (SentencePiece)."""
    model = state["model"]
    if isinstance(model, dict) and model.get("byte_fallback"):
        return True
    return '"ByteLevel"' in json.dumps(state["pre_tokenizer"])


def _specials(model: Model) -> Iterator[Special]:
    named = set()
    for role in ROLES:
        token, id_ = (getattr(model.tokenizer, f"{role}_token{end}") for end in ("", "_id"))
        if token is not None and id_ is not None:
            named.add(id_)
            yield Special(role, str(token), int(id_))
    for token, id_ in zip(
        model.tokenizer.all_special_tokens, model.tokenizer.all_special_ids, strict=True
    ):
        if id_ not in named:
            yield Special("", str(token), int(id_))


def _mismatches(model: Model) -> Iterator[Mismatch]:
    tokenizer, rows = model.tokenizer, _rows(model)
    entries = len(tokenizer)
    if rows > entries:
        yield Mismatch("rows beyond", str(entries), str(rows))
    if rows < entries:
        yield Mismatch("no rows", str(entries), str(rows))
    ids = set(tokenizer.get_vocab().values())
    holes = sum(i not in ids for i in range(min(entries, rows)))
    if holes:
        yield Mismatch("holes", str(holes), str(rows))
    for role in ROLES:
        ours = getattr(tokenizer, f"{role}_token_id")
        theirs = getattr(model.network.config, f"{role}_token_id", None)
        several = theirs if isinstance(theirs, list) else [theirs]
        if ours is not None and theirs is not None and ours not in several:
            yield Mismatch("role", str(ours), str(theirs), role)
    longest = int(getattr(model.network.config, "max_position_embeddings", 0) or 0)
    if longest and longest < tokenizer.model_max_length < UNLIMITED:
        yield Mismatch("length", str(tokenizer.model_max_length), str(longest))
