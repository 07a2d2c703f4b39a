"""Every finding that a check can make has words of its own."""

from __future__ import annotations

import re

import pytest

from batchdesk import paths
from batchdesk.gui.words import Words

SOURCES = paths.resources().parent / "app" / "batchdesk"
PARSING = re.compile(r'UnparsableError\("(\w+)"\)')
CHECKS = re.compile(r'"(\w+)", CheckOutcome\.\w+, "(\w+)"|"(filtered|complete|parsable)", "(\w+)"')
SCHEMA = ["required", "enum", "const", "type", "additionalProperties", "minimum", "maximum",
          "minLength", "maxLength", "pattern", "format", "minItems", "maxItems"]  # fmt: skip


def codes() -> list[str]:
    parsing = (SOURCES / "quality" / "parsing.py").read_text(encoding="utf-8")
    checks = (SOURCES / "quality" / "checks.py").read_text(encoding="utf-8")
    found = {f"parsable/{code}" for code in PARSING.findall(parsing)}
    found |= {f"{a or c}/{b or d}" for a, b, c, d in CHECKS.findall(checks)}
    found |= {"misaligned/other_row", "misaligned/row_key_missing", "other/other"}
    return sorted(found | {f"schema/{code}" for code in SCHEMA})


def test_that_the_codes_are_found_in_the_sources():
    assert {"parsable/too_deep", "required/missing", "complete/truncated"} <= set(codes())


@pytest.mark.parametrize("code", codes())
def test_that_a_finding_is_told_in_words(qapp, code):
    words = Words().finding(code)
    assert words[0].isupper()
    assert "_" not in words
    assert code.partition("/")[2] not in {words, words.lower()}
    assert "schema asks" not in words
