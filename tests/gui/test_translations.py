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


def test_that_english_needs_only_its_plurals():
    run = translations.Message("Page", "Run", plural=False)
    rows = translations.Message("Page", "%n row(s)", plural=True)
    assert translations.wanted("en", {run, rows}) == {rows}
    assert translations.wanted("zh_CN", {run, rows}) == {run, rows}
