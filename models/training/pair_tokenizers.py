"""The tokenizers of the translators: each spells both sides, so that one folder serves both.

A date is read and written letter by letter. English help is read in words, the rare ones in pieces
(##), and Chinese written in characters: what attention joins then are words and characters.
"""

from __future__ import annotations

import re
import string
from collections import Counter
from collections.abc import Iterable, Sequence

from tokenizers import AddedToken, Regex, Tokenizer, decoders, normalizers, pre_tokenizers
from tokenizers.models import WordLevel, WordPiece
from tokenizers.trainers import WordPieceTrainer
from transformers import PreTrainedTokenizerFast

from models.training.characters import SPECIAL, framed
from models.training.sources.pair import Pair

LETTERS = string.digits + string.ascii_lowercase + " -/.,:;'\"!?()&+$%#"

LEAST_WORD, LEAST_CHARACTER, LEAST_NAME = 3, 2, 10
"""A word seen less often is spelled in pieces, a character becomes [UNK], a name a common word."""
PIECES = 800  # for the spelling of rare words
MOSTLY = 0.9  # a name is so often written with its capital; "Draw" and "Page" are not

# figures with their points and colons | letters of a word that are no Chinese | anything else
_TOKENS = r"\d+(?:[.,:]\d+)+|[\p{L}\p{M}\d&&[^\p{Han}]]+(?:'[a-z]+)?|."
_CHARACTER = re.compile(r"[^\sA-Za-z0-9]")
_CASED = re.compile(r"\b[A-Za-z0-9]*[A-Z][A-Za-z0-9]*\b")
_WIDE = "\u3001-\u303f\u3400-\u9fff\uff01-\uff5e"
_CLOSE = "、。「」『』，；：？！（）"
_NO_SPACE = (
    rf"(?<=[{_WIDE}]) (?=[{_WIDE}])|(?<=[{_CLOSE}]) | (?=[{_CLOSE}])| (?=[.,:;?!%)\]…])|(?<=[(\[]) "
)


def letters() -> PreTrainedTokenizerFast:
    """One token for each letter, figure, mark and space; capitals are read as small letters."""
    ids = {piece: number for number, piece in enumerate([*SPECIAL, *LETTERS])}
    backend = Tokenizer(WordLevel(ids, unk_token="[UNK]"))
    backend.normalizer = normalizers.Sequence(
        [
            normalizers.NFKC(),
            normalizers.Lowercase(),
            normalizers.Replace("’", "'"),
            normalizers.Replace(Regex(r"\s+"), " "),
        ]
    )
    backend.pre_tokenizer = pre_tokenizers.Split(Regex("."), "isolated")
    backend.decoder = decoders.Fuse()
    return framed(backend)


def words_and_characters(pairs: Sequence[Pair]) -> PreTrainedTokenizerFast:
    """English words in small letters, names as they are written, Chinese characters."""
    names = names_in(pairs)
    words = Counter(word for pair in pairs for word in words_in(pair.source))
    characters = Counter(c for pair in pairs for c in _CHARACTER.findall(pair.target))
    common = [word for word, count in words.most_common() if count >= LEAST_WORD]
    signs = [c for c, count in characters.most_common() if count >= LEAST_CHARACTER]
    pieces = dict.fromkeys([*SPECIAL, *names, *signs, *common, *spelling(words)])
    ids = {piece: number for number, piece in enumerate(pieces)}
    backend = Tokenizer(WordPiece(ids, unk_token="[UNK]", max_input_chars_per_word=40))
    backend.normalizer = normalizers.Sequence(
        [normalizers.NFC(), normalizers.Lowercase(), normalizers.Replace("’", "'")]
    )
    backend.pre_tokenizer = pre_tokenizers.Sequence(
        [pre_tokenizers.WhitespaceSplit(), pre_tokenizers.Split(Regex(_TOKENS), "isolated")]
    )
    backend.decoder = decoders.Sequence(
        [
            decoders.WordPiece("##", cleanup=False),
            decoders.Fuse(),
            decoders.Replace(Regex(_NO_SPACE), ""),
        ]
    )
    # matched before small letters are made of capitals, so that a name keeps them
    backend.add_tokens([AddedToken(name, single_word=True, normalized=False) for name in names])
    return framed(backend)


def words_in(english: str) -> list[str]:
    """The words of a text and its marks, in small letters."""
    return re.findall(r"[a-z]+(?:'[a-z]+)?|[^\sa-z0-9]", english.lower().replace("’", "'"))


def names_in(pairs: Sequence[Pair]) -> list[str]:
    """Latin words with capitals that stay in Chinese: LibreOffice, Ctrl, PDF, F5.

    A word whose only capital is its first letter may be common English at the start of a sentence,
    so it must hardly ever be written small.
    """
    kept = Counter(name for pair in pairs for name in _CASED.findall(pair.target))
    uses = Counter(word for pair in pairs for word in re.findall(r"\w+", pair.source))
    return [
        name
        for name, count in kept.most_common()
        if count >= LEAST_NAME
        and len(name) > 1
        and (not name.istitle() or uses[name] >= MOSTLY * (uses[name] + uses[name.lower()]))
    ]


def spelling(words: Counter[str]) -> Iterable[str]:
    """Pieces that spell any word: all letters and figures, alone or going on, and common parts."""
    single = list(string.ascii_lowercase + string.digits)
    backend = Tokenizer(WordPiece(unk_token="[UNK]"))
    backend.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    trainer = WordPieceTrainer(
        vocab_size=PIECES, initial_alphabet=single, special_tokens=["[UNK]"], show_progress=False
    )
    backend.train_from_iterator(
        sorted(word for word in words.elements() if word.isalpha()), trainer
    )
    parts = sorted(part for part in backend.get_vocab() if part != "[UNK]")
    return [*single, *(f"##{c}" for c in [*single, ".", ",", ":", "'"]), *parts]
