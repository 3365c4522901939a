"""What each model is asked to do while it learns: small functions from a batch to its readouts.

Every objective says which states answer which tokens; the softmax and the loss are the same for
all (`models.training.readouts`). `ids` are rows of equal length, framed by [CLS] and [SEP].
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import torch
from jaxtyping import Bool, Int
from torch import Tensor
from transformers import BertForMaskedLM, BertForPreTraining, BertLMHeadModel, MarianMTModel

from models.elmo import ElmoForPreTraining
from models.training.pairs import PairBatch
from models.training.readouts import Readout

SENTENCE = 48  # tokens; longer rows hold more than one
Ids = Int[Tensor, "row position"]


@dataclass(frozen=True)
class Special:
    """Ids that are never hidden and never drawn as random replacements.

    more: further tokens that are no text, such as the form that a poem is asked for.
    continuing: which pieces go on with a word (piece,); None where every piece is a word.
    rarely_twice: content words (piece,), hardly ever said twice in one sentence; None: no matter.
    avoidance: weight of the loss on saying them again; 0: no such loss.
    """

    pad: int
    unk: int
    cls: int
    sep: int
    mask: int
    more: tuple[int, ...] = ()
    continuing: Bool[Tensor, " piece"] | None = None
    rarely_twice: Bool[Tensor, " piece"] | None = None
    avoidance: float = 0.0

    def on(self, device: torch.device) -> Special:
        """The same, with its tables on a device."""
        tables: dict[str, Any] = {"continuing": self.continuing, "rarely_twice": self.rarely_twice}
        return replace(self, **{k: v.to(device) for k, v in tables.items() if v is not None})

    @property
    def every(self) -> tuple[int, ...]:
        """All of them."""
        return (self.pad, self.unk, self.cls, self.sep, self.mask, *self.more)

    def __contains__(self, token_id: int) -> bool:
        return token_id in self.every


def ordinary(ids: Ids, special: Special) -> Bool[Tensor, "row position"]:
    """Where text stands, and no special token."""
    return ~torch.isin(ids, torch.tensor(special.every, device=ids.device))


def choose(ids: Ids, special: Special, rate: float, generator: torch.Generator) -> Tensor:
    """Choose the positions to predict: ``rate`` of the ordinary tokens, at least one per row.

    Shapes: ids (batch, position) -> bool (batch, position).
    Why at least one: most training sentences are short, and 15 % of six tokens is often none.
    """
    able = ordinary(ids, special)
    noise = torch.rand(ids.shape, generator=generator, device=ids.device).masked_fill(~able, 2.0)
    rows = torch.arange(len(ids), device=ids.device)
    chosen = noise < rate
    chosen[rows, noise.argmin(dim=1)] = True
    return chosen & able


def corrupt(
    ids: Ids, chosen: Tensor, special: Special, vocabulary_size: int, generator: torch.Generator
) -> Tensor:
    """Hide the chosen tokens as BERT does (Devlin et al. 2018, §3.1).

    Of the chosen positions 80 % become [MASK], 10 % a random token, 10 % stay as they are, so
    that the model cannot trust what it reads there either.
    """
    fate = torch.rand(ids.shape, generator=generator, device=ids.device)
    random = torch.randint(5, vocabulary_size, ids.shape, generator=generator, device=ids.device)
    hidden = torch.where(chosen & (fate < 0.8), torch.full_like(ids, special.mask), ids)
    return torch.where(chosen & (fate >= 0.8) & (fate < 0.9), random, hidden)


def masked_lm(
    model: BertForMaskedLM, ids: Ids, special: Special, rate: float, generator: torch.Generator
) -> list[Readout]:
    """BERT: the chosen tokens, given the corrupted rest.

    Only the chosen positions go through the head: the vocabulary is the widest matrix of the
    model, and 85 % of its rows would be thrown away.
    """
    chosen = choose(ids, special, rate, generator)
    corrupted = corrupt(ids, chosen, special, model.config.vocab_size, generator)
    hidden = model.bert(input_ids=corrupted).last_hidden_state
    readout = bert_readout(model, hidden[chosen], ids[chosen])
    return [replace(readout, avoided=echoes(ids, chosen, special), avoidance=special.avoidance)]


def echoes(ids: Ids, chosen: Tensor, special: Special) -> Int[Tensor, "target position"] | None:
    """What would be an echo at each chosen position: the content words that stand beside it.

    Of single sentences only: in a longer text, words do come back.
    """
    if not special.avoidance or special.rarely_twice is None or ids.shape[1] > SENTENCE:
        return None
    beside = special.rarely_twice[ids] & ~chosen
    row, _ = chosen.nonzero(as_tuple=True)
    return torch.where(beside[row], ids[row], ids[chosen][:, None])


def causal_lm(
    model: BertLMHeadModel, ids: Ids, special: Special, rate: float, generator: torch.Generator
) -> list[Readout]:
    """GPT: every token, given those before it."""
    hidden = model.bert(input_ids=ids, use_cache=False).last_hidden_state
    return [bert_readout(model, hidden[:, :-1].flatten(0, 1), ids[:, 1:].flatten())]


def bert_readout(
    model: BertForMaskedLM | BertLMHeadModel | BertForPreTraining, hidden: Tensor, targets: Tensor
) -> Readout:
    """States through BERT's transform, towards its tied softmax layer."""
    head = model.cls.predictions
    return Readout(head.transform(hidden), head.decoder.weight, head.bias, targets)


def two_way_lm(
    model: ElmoForPreTraining, ids: Ids, special: Special, rate: float, generator: torch.Generator
) -> list[Readout]:
    """ELMo: every token given those before it, and every token given those after it.

    Each direction answers from its own top layer; only a probe ever mixes layers.
    """
    left, *right = model.elmo.directions(ids)
    weight, bias = model.get_input_embeddings().weight, model.bias
    return [
        Readout(left[-1][:, :-1].flatten(0, 1), weight, bias, ids[:, 1:].flatten()),
        *(
            Readout(layers[-1][:, 1:].flatten(0, 1), weight, bias, ids[:, :-1].flatten())
            for layers in right
        ),
    ]


def denoising(
    model: MarianMTModel, ids: Ids, special: Special, rate: float, generator: torch.Generator
) -> list[Readout]:
    """The Transformer: the whole sentence, given itself with hidden words.

    Each hidden *word* is a single mask in the source, so that source and target differ in length.
    All target tokens train; only those of hidden words count when it is scored.
    """
    hidden = hidden_words(ids, special, rate, generator)
    source = one_mask_per_word(ids, hidden, special)
    states = model.model(
        input_ids=source,
        attention_mask=(source != special.pad).long(),
        decoder_input_ids=ids[:, :-1],
        use_cache=False,
    ).last_hidden_state
    bias = model.final_logits_bias[0].to(states.dtype)
    return [Readout(states.flatten(0, 1), model.lm_head.weight, bias, ids[:, 1:].flatten(),
                    hidden[:, 1:].flatten())]  # fmt: skip


def translation(
    model: MarianMTModel,
    batch: PairBatch,
    special: Special,
    rate: float,
    generator: torch.Generator,
) -> list[Readout]:
    """The Transformer as it was made for: one text, given another.

    While it trains, ``rate`` of the source's tokens are hidden: it then leans on no single word,
    and a word that a visitor hides is nothing new to it (word dropout, Sennrich et al. 2016).
    """
    source, target = batch.source, batch.target
    if model.training and rate > 0:
        noise = torch.rand(source.shape, generator=generator, device=source.device)
        hidden = (noise < rate) & ordinary(source, special)
        source = source.masked_fill(hidden, special.mask)
    states = model.model(
        input_ids=source,
        attention_mask=(source != special.pad).long(),
        decoder_input_ids=target[:, :-1],
        use_cache=False,
    ).last_hidden_state
    text = target[:, 1:] != special.pad
    rows = text.nonzero()[:, 0]
    bias = model.final_logits_bias[0].to(states.dtype)
    return [Readout(states[text], model.lm_head.weight, bias, target[:, 1:][text], rows=rows)]


def hidden_words(
    ids: Ids, special: Special, rate: float, generator: torch.Generator
) -> Bool[Tensor, "row position"]:
    """Which positions belong to a hidden word: all pieces of a word are hidden, or none is."""
    chosen = choose(ids, special, rate, generator)
    if special.continuing is None:
        return chosen
    word = (~special.continuing[ids]).long().cumsum(dim=1)  # the number of each one's word
    of_chosen = word.new_zeros(len(ids), int(word.max()) + 1)  # chosen pieces of each word
    of_chosen.scatter_add_(1, word, chosen.long())
    return (of_chosen.gather(1, word) > 0) & ordinary(ids, special)


def one_mask_per_word(
    ids: Ids, hidden: Bool[Tensor, "row position"], special: Special
) -> Int[Tensor, "row shorter"]:
    """Rows in which each hidden word is one mask, padded on the right to the longest."""
    goes_on = torch.zeros_like(hidden) if special.continuing is None else special.continuing[ids]
    kept = ~(hidden & goes_on)
    masked = ids.masked_fill(hidden, special.mask)
    rows = [row[keep] for row, keep in zip(masked, kept, strict=True)]
    return torch.nn.utils.rnn.pad_sequence(rows, batch_first=True, padding_value=special.pad)
