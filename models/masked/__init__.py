"""What only a masked language model can be asked: words at blanks, whole sentences, its own loss.

The definitions are in `models.measures`; here they meet a model. Every function may be called by
any number of threads at once. ``check`` is called before each batch of at most
`models.masked.asking.BATCH_TOKENS` tokens: raise from it to give up.
"""

from __future__ import annotations

from models.masked.corruption import corrupt
from models.masked.head import head_steps
from models.masked.joint import fill_jointly
from models.masked.lens import lens
from models.masked.longer import longer_answers
from models.masked.named import score_words
from models.masked.sentences import compare_sentences, pseudo_perplexity

__all__ = [
    "compare_sentences",
    "corrupt",
    "fill_jointly",
    "head_steps",
    "lens",
    "longer_answers",
    "pseudo_perplexity",
    "score_words",
]
