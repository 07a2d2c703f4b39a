from __future__ import annotations

from dataclasses import replace

import pytest

from batchdesk.cli.sending import sending_line
from batchdesk.session import Disclosure

TOLD = Disclosure("https://api.deepseek.com", "DeepSeek", "m", True, ("name", "text"), {}, True)  # noqa: FBT003 - the fields in their order


@pytest.mark.parametrize(
    ("told", "line"),
    [
        (TOLD, "Sent to https://api.deepseek.com (DeepSeek): name, text; and each row's id."),
        (
            replace(TOLD, hides_keys=True),
            "Sent to https://api.deepseek.com (DeepSeek): name, text.",
        ),
        (
            Disclosure(
                address="http://box:8000",
                service="vLLM",
                model="m",
                is_encrypted=False,
                columns=("text",),
                masked={"text": frozenset({"email"})},
                names_row=False,
            ),
            "Sent to http://box:8000 (vLLM): text; masked in text; not encrypted on the way.",
        ),
        (
            Disclosure("https://h", "s", "m", True, (), {}, False),  # noqa: FBT003 - as above
            "Sent to https://h (s): no column.",
        ),
    ],
)
def test_that_where_rows_go_is_one_line(told, line):
    assert sending_line(told) == line
