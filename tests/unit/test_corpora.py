"""The registry, the files it writes, a user's own text, and pinned packages."""

from __future__ import annotations

import hashlib
import json
import zipfile
from pathlib import Path

import pytest

from models.training import corpora, fetch
from models.training.fetch import FetchError, Package
from models.training.sources.document import Document


def wheel(folder: Path, name: str = "tiny-1.0-py3-none-any.whl") -> str:
    """Puts a small package file where downloads go and returns its SHA-256."""
    folder.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(folder / name, "w") as archive:
        archive.writestr("tiny/data.txt", "A line of text.")
    return hashlib.sha256((folder / name).read_bytes()).hexdigest()


@pytest.fixture
def offline(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Records downloads instead of making them."""
    asked: list[str] = []
    fake = {kind: lambda package, _: asked.append(package.name) for kind in ("pypi", "npm", "apt")}
    monkeypatch.setattr(fetch, "_DOWNLOAD", fake)
    return asked


def test_a_checked_package_is_unpacked_once(tmp_path: Path, offline: list[str]) -> None:
    sha256 = wheel(tmp_path / "packages")
    package = Package("pypi", "tiny", "1.0", sha256)
    folder = fetch.fetch(package, tmp_path)
    assert (folder / "tiny/data.txt").read_text() == "A line of text."
    (tmp_path / "packages/tiny-1.0-py3-none-any.whl").unlink()
    assert fetch.fetch(package, tmp_path) == folder
    assert offline == []


def test_a_file_with_another_hash_is_refused(tmp_path: Path, offline: list[str]) -> None:
    found = wheel(tmp_path / "packages")
    with pytest.raises(FetchError, match=f"has SHA-256 {found}.*Delete"):
        fetch.fetch(Package("pypi", "tiny", "1.0", "0" * 64), tmp_path)
    assert not (tmp_path / "unpacked").exists()


def test_another_version_is_told_apart_from_a_broken_file(
    tmp_path: Path, offline: list[str]
) -> None:
    sha256 = wheel(tmp_path / "packages", "tiny_1%3a2.0-1_all.deb")
    with pytest.raises(FetchError, match=r"tiny_1:2\.0-1_all\.deb, but version 1:1\.0-1"):
        fetch.fetch(Package("apt", "tiny", "1:1.0-1", sha256), tmp_path)
    assert offline == ["tiny"]


def test_a_download_that_leaves_no_file_is_reported(tmp_path: Path, offline: list[str]) -> None:
    with pytest.raises(FetchError, match="no such file"):
        fetch.fetch(Package("npm", "tiny", "1.0", "0" * 64), tmp_path)


def test_a_failing_client_says_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(FetchError, match="is not installed here"):
        fetch._run(["no-such-client", "get"], tmp_path, "hint")
    with pytest.raises(FetchError, match="hint"):
        fetch._run(["false"], tmp_path, "hint")


def test_the_cache_folder_comes_from_the_environment(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("UNMASK_CACHE", str(tmp_path))
    assert fetch.default_cache() == tmp_path
    monkeypatch.delenv("UNMASK_CACHE")
    assert fetch.default_cache() == Path.home() / ".cache" / "unmask"


def test_documents_survive_writing_and_reading(tmp_path: Path) -> None:
    documents = [
        Document("austen", "austen:emma:1", ('"Ah," said Émile.', "He left.")),
        Document("bible", "bible:Gen.1", ("In the beginning.",)),
    ]
    corpora.write(documents, tmp_path / "some.jsonl")
    assert corpora.read(tmp_path / "some.jsonl") == documents
    assert [path.name for path in tmp_path.iterdir()] == ["some.jsonl"]


def test_every_source_is_pinned_and_has_its_terms() -> None:
    names = [source.name for source in corpora.SOURCES]
    assert len(set(names)) == len(names)
    for source in corpora.SOURCES:
        assert len(source.package.sha256) == 64 and source.package.version
        assert source.weight > 0 and len(source.licence) > 20
    assert not {"brown", "gcide", "fortunes", "foldoc", "nlp-corpus"} & set(names)


def test_build_writes_both_parts_and_the_manifest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def documents(folder: Path) -> list[Document]:
        return [
            Document("tiny", f"tiny:{n}", (f"This is sentence {n} of {folder.name}.",))
            for n in range(200)
        ]

    package = Package("pypi", "tiny", "1.0", "f" * 64)
    source = corpora.Source("tiny", package, "made for this test", 1.0, documents)
    monkeypatch.setattr(corpora, "SOURCES", (source,))
    monkeypatch.setattr(corpora, "fetch", lambda package, cache: cache / package.name)
    folder = corpora.build(tmp_path)
    train = corpora.read(folder / "train.jsonl")
    held_out = corpora.read(folder / "held_out.jsonl")
    assert held_out and len(train) + len(held_out) == 200
    facts = json.loads((folder / "manifest.json").read_text())["tiny"]
    assert facts["sha256"] == "f" * 64 and facts["licence"] == "made for this test"
    assert facts["train"] == {
        "documents": len(train),
        "sentences": len(train),
        "words": 6 * len(train),
    }
    assert facts["held_out"]["documents"] == len(held_out)


def test_a_users_own_text_becomes_documents(tmp_path: Path) -> None:
    path = tmp_path / "diary.txt"
    path.write_text("I woke up early. It\nwas raining.\n \nLater the sun came\n\n\n42\n")
    assert corpora.corpus_from_file(path) == [
        Document("diary", "diary:1", ("I woke up early.", "It was raining.")),
        Document("diary", "diary:2", ("Later the sun came",)),
    ]


def test_a_users_text_without_sentences_is_refused_in_words(tmp_path: Path) -> None:
    path = tmp_path / "numbers.txt"
    path.write_text("1 2 3\n\n4 5 6\n")
    with pytest.raises(ValueError, match="no sentence"):
        corpora.corpus_from_file(path)
