"""Keeps the window's translations whole: updates, checks and compiles the ``.ts`` files.

Every module of the window that speaks has a file of its name in ``resources/i18n/zh_CN``; one with
plural forms also has one in ``resources/i18n/en``. The compiled ``.qm`` lies beside each and is
kept with the sources. Call it with ``update [module …]``, ``release`` or ``check``.

``errors`` is not a module but the sentences of all errors that a person may see: the templates of
every UserError and Phrase that the program makes.
"""

from __future__ import annotations

import ast
import importlib.util
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ET
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parent.parent
PROGRAM = CHECKOUT / "app" / "batchdesk"
SOURCES = PROGRAM / "gui"
TRANSLATIONS = CHECKOUT / "resources" / "i18n"
LANGUAGES = ("zh_CN", "en")
ERRORS = "errors"  # the file and the context of the errors' sentences
_FIELD = re.compile(r"\{(\w+)")


@dataclass(frozen=True, slots=True)
class Message:
    """One sentence of the window, as the sources have it."""

    context: str
    source: str
    plural: bool


def tool(name: str) -> Path:
    """Qt's own tool of that name, from the installed PySide6.

    Raises:
        FileNotFoundError: It is not installed.
    """
    spec = importlib.util.find_spec("PySide6")
    folders = list(spec.submodule_search_locations or ()) if spec is not None else []
    for folder in folders:
        for candidate in (Path(folder) / name, Path(folder) / f"{name}.exe"):
            if candidate.is_file():
                return candidate
    raise FileNotFoundError(f"PySide6 with its tool {name} is not installed")


def speaking() -> dict[str, Path]:
    """Modules that call ``tr`` or ``translate``, by the name of their translation files.

    That is the module's own name; where a page has it already, another module's folder stands
    before it (``models_results``).
    """
    files = sorted(SOURCES.rglob("*.py"))
    texts = ((path, path.read_text(encoding="utf-8")) for path in files)
    talking = [path for path, text in texts if "tr(" in text or "translate(" in text]
    pages = {path.stem for path in talking if path.parent.name == "pages"}
    found: dict[str, Path] = {}
    for path in talking:
        taken = path.stem in pages and path.parent.name != "pages"
        name = f"{path.parent.name}_{path.stem}" if taken else path.stem
        if messages_of(path):
            found[name] = path
    return found


def messages_of(source: Path) -> set[Message]:
    """The sentences of one module."""
    with tempfile.TemporaryDirectory() as folder:
        fresh = Path(folder) / "fresh.ts"
        _run("lupdate", str(source), "-silent", "-ts", str(fresh))
        return set(read(fresh)) if fresh.is_file() else set()


def error_templates(program: Path = PROGRAM) -> tuple[set[Message], list[str]]:
    """The templates of all errors, and the places outside the window where one is no literal.

    The window's own errors may hold words that are translated already.
    """
    trees = {path: ast.parse(path.read_text("utf-8")) for path in sorted(program.rglob("*.py"))}
    makers = _makers(trees.values())
    found: set[Message] = set()
    hidden: list[str] = []
    for path, tree in trees.items():
        for call in _calls(tree, makers):
            match call.args:
                case [ast.Constant(value=str(template)), *_]:
                    found.add(Message(ERRORS, template, plural=False))
                case _ if "gui" not in path.relative_to(program).parts:
                    hidden.append(f"{path.name}, line {call.lineno}: the template is no literal")
    return found, hidden


def _makers(trees: Iterable[ast.Module]) -> set[str]:
    """The names of UserError, its subclasses and Phrase."""
    classes = [one for tree in trees for one in ast.walk(tree) if isinstance(one, ast.ClassDef)]
    makers = {"UserError", "Phrase"}
    while (
        more := {one.name for one in classes if makers & {_last_name(base) for base in one.bases}}
        - makers
    ):
        makers |= more
    return makers


def _calls(tree: ast.Module, names: set[str]) -> Iterator[ast.Call]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and _last_name(node.func) in names:
            yield node


def _last_name(expression: ast.expr) -> str:
    """``UserError`` of ``errors.UserError``."""
    return ast.unparse(expression).rpartition(".")[2]


def write_errors(path: Path, templates: set[Message]) -> None:
    """Writes the errors' ``.ts`` file; translations that it has are kept, new ones unfinished."""
    have = read(path) if path.is_file() else {}
    root = ET.Element("TS", version="2.1", language=path.parent.name)
    context = ET.SubElement(root, "context")
    ET.SubElement(context, "name").text = ERRORS
    for template in sorted(templates, key=lambda one: one.source):
        message = ET.SubElement(context, "message")
        ET.SubElement(message, "source").text = template.source
        target = ET.SubElement(message, "translation")
        if forms := have.get(template):
            target.text = forms[0]
        else:
            target.set("type", "unfinished")
    ET.indent(root, " " * 4)
    head = '<?xml version="1.0" encoding="utf-8"?>\n<!DOCTYPE TS>\n'
    path.write_text(f"{head}{ET.tostring(root, encoding='unicode')}\n", "utf-8", newline="\n")


def read(path: Path) -> dict[Message, list[str]]:
    """The messages of a ``.ts`` file with their forms; unfinished ones have none."""
    found: dict[Message, list[str]] = {}
    for context in ET.parse(path).getroot().iter("context"):  # noqa: S314 - our own files
        name = context.findtext("name") or ""
        for one in context.iter("message"):
            target = one.find("translation")
            plural = one.get("numerus") == "yes"
            key = Message(name, one.findtext("source") or "", plural)
            forms: list[str] = []
            if target is not None and target.get("type") is None:
                parts = target.findall("numerusform") if plural else [target]
                forms = [part.text or "" for part in parts]
            found[key] = forms
    return found


def wanted(language: str, messages: set[Message]) -> set[Message]:
    """What a language must have: English only where there is a plural."""
    return messages if language != "en" else {one for one in messages if one.plural}


def problems() -> list[str]:
    """What is missing, unfinished, left over or stale; empty when all is well."""
    modules = {name: messages_of(path) for name, path in speaking().items()}
    modules[ERRORS], found = error_templates()
    for language in LANGUAGES:
        for name, messages in modules.items():
            needed = wanted(language, messages)
            path = TRANSLATIONS / language / f"{name}.ts"
            if not path.is_file():
                if needed:
                    found.append(f"{language}/{name}.ts is missing ({len(needed)} sentences)")
                continue
            found += [f"{language}/{name}.ts: {fault}" for fault in faults(read(path), needed)]
        folder = TRANSLATIONS / language
        for path in sorted(folder.glob("*.ts")):
            if path.stem not in modules:
                found.append(f"{language}/{path.name} belongs to no module")
            elif is_stale(path):
                found.append(f"{language}/{path.stem}.qm is not of its .ts: run release")
    return found


def faults(have: dict[Message, list[str]], needed: set[Message]) -> list[str]:
    """What is wrong with one file's messages."""
    missing = [f"“{one.source}” is missing" for one in needed - set(have)]
    over = [f"“{one.source}” is no longer used" for one in set(have) - needed]
    unfinished = [
        f"“{one.source}” is unfinished"
        for one, forms in have.items()
        if one in needed and (not forms or not all(forms))
    ]
    fields = [
        f"“{one.source}” has other fields than its translation"
        for one, forms in have.items()
        for form in forms
        if set(_FIELD.findall(one.source)) != set(_FIELD.findall(form))
    ]
    return sorted([*missing, *over, *unfinished, *fields])


def is_stale(ts: Path) -> bool:
    """Whether the ``.qm`` beside is not what its ``.ts`` compiles to."""
    compiled = ts.with_suffix(".qm")
    if not compiled.is_file():
        return True
    with tempfile.TemporaryDirectory() as folder:
        fresh = Path(folder) / "fresh.qm"
        _run("lrelease", str(ts), "-qm", str(fresh), "-silent")
        return fresh.read_bytes() != compiled.read_bytes()


def update(names: Sequence[str]) -> None:
    """Brings the sources' sentences into the files; new ones are unfinished."""
    if not names or ERRORS in names:
        write_errors(TRANSLATIONS / "zh_CN" / f"{ERRORS}.ts", error_templates()[0])
    for name, path in speaking().items():
        if names and name not in names:
            continue
        messages = messages_of(path)
        for language in LANGUAGES:
            ts = TRANSLATIONS / language / f"{name}.ts"
            if not wanted(language, messages):
                ts.unlink(missing_ok=True)
                ts.with_suffix(".qm").unlink(missing_ok=True)
                continue
            ts.parent.mkdir(parents=True, exist_ok=True)
            only = ["-pluralonly"] if language == "en" else []
            options = ["-no-obsolete", "-silent", "-locations", "none", *only]
            _run("lupdate", str(path), *options, "-target-language", language, "-ts", str(ts))


def release() -> int:
    """Compiles every file; returns how many."""
    files = sorted(TRANSLATIONS.glob("*/*.ts"))
    for ts in files:
        _run("lrelease", str(ts), "-qm", str(ts.with_suffix(".qm")), "-silent")
    return len(files)


def _run(name: str, *arguments: str) -> None:
    done = subprocess.run(  # noqa: S603 - Qt's own tool with our own paths
        [str(tool(name)), *arguments], capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise RuntimeError(f"{name} failed: {done.stderr or done.stdout}")


def main(arguments: Sequence[str]) -> int:
    """Does what the command line says; 0 when all is well."""
    what = arguments[0] if arguments else ""
    if what == "update":
        update(arguments[1:])
    elif what == "release":
        print(f"{release()} files compiled")
    elif what == "check":
        found = problems()
        print("\n".join(found) or "translations are whole")
        return int(bool(found))
    else:
        print("usage: translations.py update [module ...] | release | check")
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
