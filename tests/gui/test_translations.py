"""Nothing in the window is left in English, and the compiled translations are of these sources."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

SCRIPT = Path(__file__).resolve().parents[2] / "packaging" / "translations.py"
spec = importlib.util.spec_from_file_location("translations", SCRIPT)
assert spec is not None
assert spec.loader is not None
translations = importlib.util.module_from_spec(spec)
sys.modules["translations"] = translations  # its dataclass looks itself up
spec.loader.exec_module(translations)


def test_that_every_sentence_of_the_window_is_translated_and_compiled():
    assert translations.problems() == []


def test_that_missing_unfinished_unused_and_differing_sentences_are_told_apart():
    run = translations.Message("Page", "Run", plural=False)
    share = translations.Message("Page", "{0} of {1}", plural=False)
    rows = translations.Message("Page", "%n row(s)", plural=True)
    old = translations.Message("Page", "Old", plural=False)
    have = {share: ["共 {1}"], rows: [""], old: ["旧"]}
    assert translations.faults(have, {run, share, rows}) == [
        "“%n row(s)” is unfinished",
        "“Old” is no longer used",
        "“Run” is missing",
        "“{0} of {1}” has other fields than its translation",
    ]
    assert translations.faults({run: ["运行"]}, {run}) == []


def test_that_a_model_with_a_pages_name_has_a_file_of_its_own(tmp_path, monkeypatch):
    words = "from PySide6.QtCore import QObject\n\nclass {0}(QObject):\n    def f(self):\n        return self.tr('{0}')\n"
    for folder, name in (
        ("pages", "runs"),
        ("models", "runs"),
        ("models", "queue"),
        ("pages", "mute"),
    ):
        (tmp_path / folder).mkdir(exist_ok=True)
        text = "x = 1\n" if name == "mute" else words.format(name.title())
        (tmp_path / folder / f"{name}.py").write_text(text)
    monkeypatch.setattr(translations, "SOURCES", tmp_path)
    assert {name: path.parent.name for name, path in translations.speaking().items()} == {
        "runs": "pages",
        "models_runs": "models",
        "queue": "models",
    }


def test_that_english_needs_only_its_plurals():
    run = translations.Message("Page", "Run", plural=False)
    rows = translations.Message("Page", "%n row(s)", plural=True)
    assert translations.wanted("en", {run, rows}) == {rows}
    assert translations.wanted("zh_CN", {run, rows}) == {run, rows}
