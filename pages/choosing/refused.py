"""Why a model cannot be had, in the visitor's language: one sentence for each refusal."""

from __future__ import annotations

from components.words import msg, number, sentences, t
from models.errors import (
    CannotTrace,
    ExtraMissing,
    FilesMissing,
    FolderRefused,
    HubRefused,
    HubUnreachable,
    NoDevice,
    NoRoom,
    NotFetched,
    Refusal,
    TooLarge,
    UnknownModel,
    Unusable,
)

LONGEST = 80
"""Characters of a stranger's word that are shown."""

UNUSABLE = {
    "empty": msg("The folder is empty."),
    "config": msg("Its config.json is missing or cannot be read."),
    "unknown type": msg(
        "Its config.json names a type of model that the installed transformers does not know: "
        "{named}."
    ),
    "own code": msg(
        "This model exists only as code in its own folder ({named}). Code of a folder is never "
        "run here."
    ),
    "no text": msg(
        "This is no language model that reads text: its type is {named}. Models of sound and of "
        "pictures cannot be shown here."
    ),
    "no weights": msg("There are no weights in safetensors."),
    "pickle": msg(
        "Its weights come only in a format that can hide a program ({named}). Pickles are never "
        "opened here: save the model as safetensors."
    ),
    "header": msg("A file of its weights is damaged, or is no such file: {named}."),
    "truncated": msg("A file of its weights ends before all that it claims to hold: {named}."),
    "shard": msg("Parts of its weights are missing: {named}."),
    "shapes": msg(
        "Its weights have other shapes than config.json says; {count} do not fit, among them "
        "{named}."
    ),
    "fresh": msg(
        "{count} of its weights are missing and would be drawn at random, so that its answers "
        "would mean nothing. Among them: {named}."
    ),
    "spare": msg(
        "It has weights of more layers than config.json says; {count} have no place, among them "
        "{named}."
    ),
    "nan": msg("Some of its weights are not numbers (NaN or infinite): {named}."),
    "no tokenizer": msg("It comes without a tokenizer, so it cannot read any text."),
    "slow tokenizer": msg(
        "Its tokenizer ({named}) does not say where in a text its tokens stand, and nothing here "
        "can be shown without that."
    ),
    "larger tokenizer": msg(
        "Its tokenizer does not belong to it: it knows {count} more tokens than the model has "
        "vectors for."
    ),
}
REASONS = {
    "architecture": msg("This is no language model that could be shown here."),
    "weights": msg("Its weights are incomplete or cannot be read."),
    "tokenizer": msg("It has no tokenizer that fits it."),
    "mask": msg("It fills no masks: it was not trained to."),
}

PLAIN: dict[type[Refusal], str] = {
    HubRefused: msg("Of the hub, this server loads only the models of a short list."),
    HubUnreachable: msg(
        "The hub does not answer, and the model is not on this server. All that is here works "
        "without it."
    ),
    NotFetched: msg("It may be used here, but nobody has fetched it from the hub yet."),
    FolderRefused: msg("There is no such folder among those that are open to models here."),
    NoRoom: msg(
        "The memory for models is full of models that others are using just now. Try again in a "
        "moment."
    ),
    CannotTrace: msg("What this page shows cannot be computed exactly in this model."),
    UnknownModel: msg("There is no such model on this server."),
}
OTHERWISE = msg("It cannot be had on this server.")


def why(refusal: Refusal) -> str:
    """The reason as a sentence or two. Parts of it may be a stranger's words: show it verbatim."""
    match refusal:
        case Unusable():
            return _unusable(refusal)
        case TooLarge():
            return _too_large(refusal)
        case HubRefused(policy="off"):
            return t("Whoever runs this server has switched the hub off.")
        case FilesMissing():
            return t("Files are missing: {files}.", files=_listed(refusal.missing))
        case ExtraMissing():
            return t(
                "GGUF files need packages that this server lacks: {packages}.",
                packages=_listed(refusal.packages),
            )
        case NoDevice():
            return t("It cannot run in {how} here.", how=refusal.device)
    return t(PLAIN.get(type(refusal), OTHERWISE))


def megabytes(count: float) -> str:
    """Bytes for a reader."""
    if count < 1e6:
        return t("{count} kB", count=number(count / 1e3))
    return t("{count} MB", count=number(count / 1e6, 0 if count >= 1e7 else 1))


def _unusable(refusal: Unusable) -> str:
    text = UNUSABLE.get(refusal.why) or REASONS.get(refusal.reason, REASONS["architecture"])
    return t(text, named=_listed(refusal.named) or "–", count=number(refusal.count))


def _too_large(refusal: TooLarge) -> str:
    if refusal.what == "parameters":
        return t(
            "It has {needed} parameters; this server loads models of up to {limit}.",
            needed=number(refusal.needed),
            limit=number(refusal.limit),
        )
    told = t(
        "It needs {needed} of memory; this server has {limit} for all models together.",
        needed=megabytes(refusal.needed),
        limit=megabytes(refusal.limit),
    )
    half = "bfloat16" not in refusal.name and "float16" not in refusal.name
    fits = half and refusal.needed / 2 <= refusal.limit
    return sentences(told, t("In half precision it would fit.") if fits else "")


def _listed(words: tuple[str, ...]) -> str:
    return t(", ").join(each[:LONGEST] for each in words)
