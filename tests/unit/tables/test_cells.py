"""Cells hold what they should and never run as a formula."""

import json
from decimal import Decimal

import pytest

from batchdesk.tables.cells import cell_text, harmless, json_text


@pytest.mark.parametrize(
    "text",
    [
        "=1+1", "=cmd|' /C calc'!A0", "+A1", "-A1", "@SUM(A1)", "\t=1", "\tx", "\rx", " =1",
        "\n=1", "\ufeff=1", "\u200b@x", "\u00a0=1", "\u3000=1", "＝1+1", "＋A1", "－A1", "＠x", "-",
        "- a point", "+1+cmd", "-3.5+A1", "--1", "=", "-١",
    ],
)  # fmt: skip
def test_that_text_that_would_run_gets_an_apostrophe(text):
    assert harmless(text) == "'" + text


@pytest.mark.parametrize(
    "text",
    [
        "-3.5", "+4", "-1e5", "-1,000.50", " -3", "-.5", "-5.", "-12%", "+1E-7", "", " ", "\n",
        "plain", "a=b", "1-2", "'=1", "e@x.org", "好=", "\nx", "  x",
    ],
)  # fmt: skip
def test_that_numbers_and_harmless_text_stay_as_they_are(text):
    assert harmless(text) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, ""),
        (True, "true"),
        (False, "false"),
        (-3, "-3"),
        (0.1, "0.1"),
        (Decimal("1.20"), "1.20"),
        ({"a": [1, None, "é"]}, '{"a":[1,null,"é"]}'),
        ([], "[]"),
        ("00123", "00123"),
        ("=1", "'=1"),
    ],
)
def test_that_every_kind_of_value_has_its_text(value, text):
    assert cell_text(value) == text


def test_that_json_never_holds_what_is_no_json():
    text = json_text({"a": [float("nan"), float("inf"), 1.5], "b": {"c": -float("inf")}})
    assert text == '{"a":[null,null,1.5],"b":{"c":null}}'
    assert json.loads(text) == {"a": [None, None, 1.5], "b": {"c": None}}
