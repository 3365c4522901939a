"""`python -m components.words`: bring the catalogues up to date with the sources.

New messages arrive untranslated, for a person to fill in; messages that no source has any more
leave. Translations are never guessed.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po, write_po

from components.words.catalogue import DOMAIN, LANGUAGES, SOURCE, path

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = ("components", "pages")
KEYWORDS = {"t": None, "tn": (1, 2), "msg": None}
# Only what readers of the file need: dates and names would change it at every run.
HEADER = r"""msgid ""
msgstr ""
"Language: {catalog.locale_identifier}\n"
"Plural-Forms: {catalog.plural_forms}\n"
"MIME-Version: 1.0\n"
"Content-Type: text/plain; charset=utf-8\n"
"Content-Transfer-Encoding: 8bit\n"

"""


def extract() -> Catalog:
    """Every message in the sources, sorted, with the files it stands in."""
    found = Catalog(domain=DOMAIN)
    for file, message, comments in sorted(_messages(), key=lambda entry: (str(entry[1]), entry[0])):
        # No line numbers: they would change the catalogue with every edit of a source.
        found.add(message, locations=[(file, 0)], auto_comments=comments)
    return found


def _messages() -> Iterator[tuple[str, str | tuple[str, ...], list[str]]]:
    for folder in FOLDERS:
        found = extract_from_dir(
            ROOT / folder,
            [("**.py", "python")],
            keywords=KEYWORDS,
            comment_tags=["Translators:"],
            strip_comment_tags=True,
        )
        for file, _, message, comments, _ in found:
            yield f"{folder}/{file}", message, comments


def update(code: str, found: Catalog) -> list[str]:
    """Rewrite the catalogue of `code` to hold exactly `found`; return what lacks a translation."""
    file = path(code)
    catalog = Catalog(locale=code, domain=DOMAIN)
    if file.exists():
        with file.open("rb") as old:
            catalog = read_po(old, locale=code, domain=DOMAIN)
    catalog.update(found, no_fuzzy_matching=True)
    catalog.obsolete.clear()
    file.parent.mkdir(parents=True, exist_ok=True)
    with file.open("wb") as new:
        new.write(HEADER.format(catalog=catalog).encode())
        write_po(new, catalog, width=100, omit_header=True, include_lineno=False, sort_output=True)
    return [str(m.id) for m in catalog if m.id and not _translated(m.string)]


def _translated(string: object) -> bool:
    return all(string) if isinstance(string, tuple | list) else bool(string)


def main() -> None:
    """Update every catalogue and say what is left to translate."""
    found = extract()
    for code in LANGUAGES:
        if code != SOURCE:
            missing = update(code, found)
            print(f"{code}: {len(found)} messages, {len(missing)} to translate")
            print("".join(f"  {message}\n" for message in missing), end="")


if __name__ == "__main__":
    main()
