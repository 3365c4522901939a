"""LSTM against Transformer: measured by a command, judged either way."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

from components.recurrence import exports
from components.recurrence.told import effect_of_depth, effect_of_speed
from models import catalog
from models.recurrence import Depths, Rival, Speeds, depths, growth, stored_speeds
from models.report import Estimate
from models.training import speeds as command


@pytest.fixture(scope="module")
def measured() -> dict:
    return command.run(lengths=(4, 8), rounds=2, size=64)


@pytest.fixture
def kept(measured, tmp_path, monkeypatch) -> Speeds:
    monkeypatch.setattr(catalog, "ZOO", tmp_path)
    assert stored_speeds() is None
    (tmp_path / "speed.json").write_text(json.dumps(measured))
    found = stored_speeds()
    assert found
    return found


def test_the_command_measures_every_cell(kept: Speeds) -> None:
    assert len(kept.timed) == 2 * 2 * 2 * 2
    assert kept.lengths == (4, 8)
    assert kept.rounds == 2
    assert all((each.milliseconds > 0).all() for each in kept.timed)
    sizes = kept.parameters
    assert sizes["lstm"] == pytest.approx(sizes["gpt"], rel=0.15)
    assert kept.sequential("lstm", 8) == 8 * kept.layers["lstm"]
    assert kept.sequential("gpt", 8) == kept.sequential("gpt", 4) == kept.layers["gpt"]
    with pytest.raises(KeyError):
        kept.at("gpt", "read", 3, 4)


def taking(speeds: Speeds, **milliseconds: float) -> Speeds:
    """All cells take so long, by model and threads, and a little more or less each round."""
    timed = tuple(
        replace(
            each,
            milliseconds=milliseconds[f"{each.kind}{each.threads}"]
            * np.array([0.99, 1.0, 1.01, 1.0, 1.0])
            * each.tokens,
        )
        for each in speeds.timed
    )
    return replace(speeds, timed=timed)


def test_opposite_times_get_opposite_verdicts(kept: Speeds) -> None:
    claimed = taking(kept, gpt1=1, gpt2=0.6, lstm1=3, lstm2=3)
    assert [one.outcome for one in claimed.verdicts("read")] == ["supported", "supported"]
    contrary = taking(kept, gpt1=3, gpt2=3, lstm1=1, lstm2=0.6)
    assert [one.outcome for one in contrary.verdicts("read")] == ["opposite", "opposite"]
    alike = taking(kept, gpt1=1, gpt2=1, lstm1=1, lstm2=1)
    assert {one.outcome for one in alike.verdicts("learn")} == {"within noise"}
    assert growth(claimed, "gpt", "read", 1) == pytest.approx(1)
    faster, _ = claimed.verdicts("read")
    assert "3.00 times" in effect_of_speed(faster)


def losses(gpt: tuple[float, ...], lstm: tuple[float, ...], error: float = 0.01) -> Depths:
    places: list[tuple[Rival, int]] = [
        ("gpt", 1),
        ("gpt", 2),
        ("gpt", 4),
        ("lstm", 1),
        ("lstm", 2),
        ("lstm", 4),
    ]
    found = {place: Estimate(mean, error) for place, mean in zip(places, gpt + lstm, strict=True)}
    return Depths(found, 100, (), (4.0, 4.02, 3.98), ())


def test_opposite_losses_get_opposite_verdicts() -> None:
    claimed = losses((5.0, 4.8, 4.4), (5.2, 5.0, 5.0))
    assert [one.outcome for one in claimed.verdicts()] == ["supported"] * 4
    contrary = losses((5.2, 5.0, 5.0), (5.0, 4.8, 4.4))
    assert [one.outcome for one in contrary.verdicts()] == ["opposite"] * 4
    assert {one.outcome for one in losses((5, 5, 5), (5, 5, 5)).verdicts()} == {"within noise"}
    noisy = losses((5.0, 4.8, 4.4), (5.2, 5.0, 5.0), error=1)
    assert {one.outcome for one in noisy.verdicts()} == {"within noise"}
    seeds = replace(claimed, seeds=(3.0, 4.0, 5.0))
    assert {one.outcome for one in seeds.verdicts()} == {"within noise"}, (
        "chance alone does as much"
    )
    assert "between seeds 0.020" in effect_of_depth(claimed.verdicts()[0])


def test_what_is_missing_is_not_judged() -> None:
    full = losses((5.0, 4.8, 4.4), (5.2, 5.0, 5.0))
    some = {place: loss for place, loss in full.losses.items() if place != ("lstm", 4)}
    claims = [one.claim for one in replace(full, losses=some).verdicts()]
    assert claims == ["better 1", "better 2"]
    assert replace(full, losses={}).verdicts() == ()


def test_losses_are_read_from_the_catalogue(tmp_path, monkeypatch) -> None:
    folder = tmp_path / "gpt-v"
    folder.mkdir()
    for name in catalog.REQUIRED:
        (folder / name).touch()
    figures = {"tests": [{"test": "forward", "targets": 7, "loss": [4.5, 0.1]}]}
    (folder / "figures.json").write_text(json.dumps(figures))
    facts = catalog.ModelFacts("gpt-v", "gpt", "causal", ("en",), True, folder)
    monkeypatch.setattr(catalog, "VARIANTS", ("gpt-v",))
    monkeypatch.setattr(catalog, "BUNDLED", (facts,))
    found = depths()
    assert found.losses == {("gpt", 4): Estimate(4.5, 0.1)}
    assert found.targets == 7
    assert len(found.missing) == 5
    assert found.spread == 0


def test_what_can_be_taken_away(kept: Speeds) -> None:
    assert len(exports.times(kept).rows) == 16 * 2
    assert "<svg" in exports.picture_of_times(kept, "read", "#000000").markup
    full = losses((5.0, 4.8, 4.4), (5.2, 5.0, 5.0))
    assert len(exports.losses(full).rows) == 6 + 3
    assert "4.400" in exports.picture_of_losses(full, "#000000").alt or exports.told_losses(full)
