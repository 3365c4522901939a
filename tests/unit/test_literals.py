"""No visible word stands outside the catalogue: neither in Python nor in a component's script."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PYTHON = [file for folder in ("pages", "components") for file in (ROOT / folder).rglob("*.py")]
SCRIPTS = list((ROOT / "components").rglob("*.js"))

TRANSLATORS = {"t", "tn", "msg"}
LOGGERS = {"logger", "logging"}
BRAND = {"Unmask"}
# Methods of Streamlit (and of its containers) whose arguments are read by a visitor.
SHOWN = set(
    """badge button caption checkbox download_button error expander feedback form_submit_button
    header info link_button markdown menu_button metric multiselect number_input page_link pills
    popover radio segmented_control select_slider selectbox slider spinner status subheader
    success tabs text text_area text_input title toast toggle warning write""".split()
)
# Keyword arguments and keys of data that hold words, whatever they are passed to.
WORDY = set(
    """alt aria_label caption hovertemplate help label message page_title placeholder text title
    tooltip words xaxis_title yaxis_title""".split()
)


def python_literals(source: str) -> Iterator[tuple[int, str]]:
    """Visible string literals in Python source, as (line, text), that no translator wraps."""
    tree = ast.parse(source)
    constants = {
        target.id: node.value
        for node in tree.body
        if isinstance(node, ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and _name(node.func) not in TRANSLATORS:
            shown = isinstance(node.func, ast.Attribute) and node.func.attr in SHOWN
            shown = shown and _name(node.func.value) not in LOGGERS
            for argument in node.args if shown else []:
                yield from _words(argument, constants)
            for keyword in node.keywords:
                if keyword.arg in WORDY:
                    yield from _words(keyword.value, constants)
        elif isinstance(node, ast.Dict):
            for key, value in zip(node.keys, node.values, strict=True):
                if isinstance(key, ast.Constant) and key.value in WORDY:
                    yield from _words(value, constants)


def _name(function: ast.expr) -> str:
    return function.id if isinstance(function, ast.Name) else getattr(function, "attr", "")


def _words(node: ast.expr, constants: dict[str, ast.expr]) -> Iterator[tuple[int, str]]:
    match node:
        case ast.Constant(value=str(text)):
            words = re.sub(r":[\w/-]+[:\[]", "", text)  # Markdown's :small[…] and :material/undo:
            words = re.sub(r"%\{.*?\}|</?\w+/?>|#[\dA-Fa-f]{6}", "", words)  # templates, colours
            if re.search(r"[^\W\d_]", words) and words.strip(" ·") not in BRAND:
                yield node.lineno, text
        case ast.Name(id=name) if name in constants:
            yield from _words(constants[name], {})
        case _:
            for part in _shown_parts(node):
                yield from _words(part, constants)


def _shown_parts(node: ast.expr) -> list[ast.expr]:
    """The parts of an expression whose text ends up in its value."""
    match node:
        case ast.Dict(values=values):
            return values
        case ast.IfExp(body=body, orelse=orelse):
            return [body, orelse]
        case ast.Call(func=ast.Attribute(value=ast.Constant() as literal), args=arguments):
            return [literal, *arguments]  # "…".join(…) builds on its literal
        case ast.Call() | ast.FormattedValue() | ast.Attribute() | ast.Subscript() | ast.Compare():
            return []  # a value from elsewhere, translated there
        case _:
            return [child for child in ast.iter_child_nodes(node) if isinstance(child, ast.expr)]


TOKEN = re.compile(
    r"""//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`""", re.DOTALL
)
# What a script writes where a visitor reads it.
SINK = re.compile(
    r"""(?:textContent|innerText|\.title|\.alt|placeholder|ariaLabel|ariaDescription)\s*=\s*$
    |["'](?:aria-label|aria-description|aria-roledescription|title|alt|placeholder)["'],\s*$""",
    re.VERBOSE,
)
# What a script writes for machines: selectors, classes, errors in the console.
MACHINE = re.compile(
    r"""(?:querySelector(?:All)?|find|closest|matches|classList\.\w+|Error|getPropertyValue)\(\s*$
    |(?:className|font|cssText|[Tt]ransform|style\.\w+)\s*=\s*$|\bclass(?:Name)?:\s*$""",
    re.VERBOSE,
)
KEYS = set(
    """Alt ArrowDown ArrowLeft ArrowRight ArrowUp Backspace Control Delete End Enter Escape Home
    Meta PageDown PageUp Shift Space Spacebar Tab Process Unidentified Shift+Tab""".split()
)


def script_literals(source: str) -> Iterator[tuple[int, str]]:
    """String literals in JavaScript, as (line, text), that look as if a visitor would read them."""
    for token in TOKEN.finditer(source):
        if token[0].startswith("/"):
            continue
        text = re.sub(r"\$\{[^}]*\}", "", token[0][1:-1])
        before = source[: token.start()]
        sink = SINK.search(before) and re.search(r"[^\W\d_]", text)
        sentence = re.search(r"[^\W\d_]{2,}[,.]? [^\W\d_]", text)
        capital = re.fullmatch(r"[A-Z][a-z]{2,}\W*", text) and text not in KEYS
        chinese = re.search(r"[\u4e00-\u9fff]", text)
        if sink or ((sentence or capital or chinese) and not MACHINE.search(before)):
            yield before.count("\n") + 1, text


@pytest.mark.parametrize("file", PYTHON, ids=lambda file: str(file.relative_to(ROOT)))
def test_python_speaks_through_the_catalogue(file: Path) -> None:
    assert list(python_literals(file.read_text(encoding="utf-8"))) == []


@pytest.mark.parametrize("file", SCRIPTS, ids=lambda file: str(file.relative_to(ROOT)))
def test_scripts_are_given_their_words(file: Path) -> None:
    assert list(script_literals(file.read_text(encoding="utf-8"))) == []


@pytest.mark.parametrize(
    "source",
    [
        'st.title("Hello")',
        'left.caption(f"{n} words")',
        'st.button(t("Go"), help="Press me")',
        'st.radio(t("Pick"), ["One", "Two"])',
        'NOTE = "Look here"\nst.info(NOTE)',
        'st.write("Yes" if ok else t("No"))',
        'chart(data, title="Loss")',
        '_MOUNT(data={"words": {"undo": "Undo"}})',
        'st.caption(", ".join(["first", t("second")]))',
        'st.metric(t("Loss"), value, label="更好")',
    ],
)
def test_finds_words_in_python(source: str) -> None:
    assert list(python_literals(source))


@pytest.mark.parametrize(
    "source",
    [
        'st.title(t("Hello"))',
        'st.button(t("Go"), key="go", type="primary", icon=":material/undo:")',
        'st.columns([1, 2], gap="small")',
        'st.set_page_config(page_title=f"{page.title} · Unmask")',
        'st.write("·".join(parts))',
        'logger.info("loaded")',
        '_MOUNT(data={"words": {"undo": t("Undo")}, "kind": "bar"})',
        'NOTE = msg("Look here")\nst.info(t(NOTE))',
    ],
)
def test_passes_what_no_visitor_reads_in_python(source: str) -> None:
    assert not list(python_literals(source))


@pytest.mark.parametrize(
    "source",
    [
        'button.textContent = "undo"',
        'node.setAttribute("aria-label", "hide")',
        "const hint = 'Click a word'",
        "label = `${n} words hidden`",
        'say("Undo")',
        "x = cond ? words.a : 'Type here'",
        'note = "隱藏"',
    ],
)
def test_finds_words_in_scripts(source: str) -> None:
    assert list(script_literals(source))


@pytest.mark.parametrize(
    "source",
    [
        'button.textContent = data.words.undo // "Undo" in the visitor\'s language',
        'node.setAttribute("aria-label", words.hide)',
        'root.querySelector("ul li.on")',
        'if (event.key === "Enter") go("chosen")',
        'node.className = "bar first"',
        "key = `${row}:${column}`",
    ],
)
def test_passes_what_no_visitor_reads_in_scripts(source: str) -> None:
    assert not list(script_literals(source))
