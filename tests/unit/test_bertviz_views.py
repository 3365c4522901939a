"""BertViz's own views as a component: its scripts without a network, fed by our traces."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import models
from components import bertviz_views
from components.bertviz_views import most_tokens
from components.bertviz_views.scripts import SAID, VIEWS, package_file, view_script
from components.bertviz_views.scripts import scripts as all_scripts
from components.theme import BERT
from components.words import use_language
from models.loading import Model
from models.results import Sentence
from models.trace import Provenance, Unit, Vectors
from tests.unit.tracing_models import build

ABOUT = Provenance("bert-en", "0123456789ab", "float32", (("torch", "2.13.0"),))


def found(queries: int = 3, keys: int = 4, second: int | None = None) -> Vectors:
    def units(count: int) -> tuple[Unit, ...]:
        after = count if second is None else second
        return tuple(Unit(f"w{i}", (i,), False, int(i >= after)) for i in range(count))

    weights = np.random.default_rng(0).random((2, 2, queries, keys), np.float32)
    return Vectors("encoder", units(keys), units(queries), weights, None, None, ABOUT, "print(0)")


@pytest.mark.parametrize("name", VIEWS)
def test_a_view_fetches_nothing_and_has_our_colours(name: str) -> None:
    script = view_script(name)
    assert not re.search(r"https?://|PALETTE = \{", script)
    assert ("PALETTE" not in script) or "const PALETTE = THEME" in script
    assert "requirejs(['jquery', 'd3']" in script, "the rest is theirs"


def test_all_that_it_says_in_english_is_found_and_replaced() -> None:
    theirs = "\n".join(package_file("bertviz", f"{name}_view.js") for name in VIEWS)
    ours = "\n".join(view_script(name) for name in VIEWS)
    for said, words in SAID.items():
        assert said in theirs
        assert said not in ours
        assert words in ours


def test_d3_is_the_version_that_bertviz_wants() -> None:
    wanted = re.search(r"ajax/libs/d3/([\d.]+)/", package_file("bertviz", "head_view.js"))
    assert wanted
    assert f"Version {wanted[1]}" in package_file("mpld3", "js/d3.v5.min.js") or (
        f"v{wanted[1]} " in package_file("mpld3", "js/d3.v5.min.js")[:200]
    )


def test_reading_scripts_brings_neither_torch_nor_matplotlib() -> None:
    program = (
        "import sys; from components.bertviz_views.scripts import scripts; scripts();"
        "print(sorted({'torch', 'matplotlib', 'bertviz', 'mpld3'} & set(sys.modules)))"
    )
    root = Path(__file__).parents[2]
    ran = subprocess.run(
        [sys.executable, "-c", program], cwd=root, capture_output=True, text=True, check=True
    )
    assert ran.stdout.strip() == "[]"


def test_a_package_that_is_not_there_is_named() -> None:
    with pytest.raises(FileNotFoundError, match=r"bertviz/nothing\.js"):
        package_file("bertviz", "nothing.js")
    with pytest.raises(FileNotFoundError, match="no_such_package"):
        package_file("no_such_package", "x.js")


def test_the_message_holds_every_weight() -> None:
    data = bertviz_views.message(found(), "head", BERT, (1, 0))
    assert (data["weights"] == found().weights.ravel()).all()
    assert (data["layers"], data["heads"], data["layer"], data["second"]) == (2, 2, 1, None)
    assert (data["queries"], len(data["keys"])) == (["w0", "w1", "w2"], 4)
    assert bertviz_views.message(found(second=2), "head", BERT, (0, 0))["second"] == 2
    with use_language("zh_TW"):
        assert bertviz_views.message(found(), "model", BERT, (0, 0))["words"]["heads"] == "頭"


def test_no_view_draws_more_lines_than_a_browser_bears() -> None:
    for layers, heads in ((6, 12), (12, 12), (24, 16)):
        assert heads * most_tokens("head", layers, heads) ** 2 <= 60_000
        assert layers * heads * most_tokens("model", layers, heads) ** 2 <= 75_000
        assert layers * heads * (most_tokens("model", layers, heads) + 1) ** 2 > 75_000
    assert most_tokens("neuron", 12, 12) == 48


def test_encoder_and_decoder_of_unequal_depth() -> None:
    model: Model = build("bart")
    text = Sentence("the cat sat on the mat")
    for kind, layers in (("encoder", 2), ("decoder", 3), ("cross", 3)):
        look = models.all_heads(model, text, kind=kind)
        seen = models.vectors(model, look.reads, kind, with_vectors=True)
        data = bertviz_views.message(seen, "neuron", BERT, (0, 0))
        assert data["layers"] == layers
        size = layers * data["heads"] * len(data["queries"]) * len(data["keys"])
        assert data["weights"].size == size
        assert data["queryVectors"].size % (layers * data["heads"] * len(data["queries"])) == 0


def test_byte_level_tokens_are_readable(tiny_roberta: Model) -> None:
    look = models.all_heads(tiny_roberta, Sentence("a café in Paris"))
    seen = models.vectors(tiny_roberta, look.reads, look.kind)
    data = bertviz_views.message(seen, "head", BERT, (0, 0))
    assert not re.search("[ĠÃĊ©]", "".join(data["keys"]))
    assert "é" in "".join(data["keys"])


def test_scripts_come_with_d3_in_front() -> None:
    script = all_scripts()
    assert script.index("const D3 =") < script.index("const BERTVIZ =")
    assert script.count("PYTHON_PARAMS;") == 2, "once in head and in model, not in comments"
