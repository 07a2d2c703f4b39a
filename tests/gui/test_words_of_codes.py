"""Every code that the window may have to show has words of its own, in both languages."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable

import pytest

from batchdesk.domain.snapshot import HoldReason, LimitChange, LimitKind, LimitReason
from batchdesk.domain.task import ErrorKind, RunState, SkipReason, TaskState
from batchdesk.domain.verdict import Decision
from batchdesk.gui.pages.data_problems import ProblemsModel
from batchdesk.gui.words import Words
from batchdesk.gui.words_run import RunWords
from batchdesk.tables.base import ProblemKind

# What a reader tells of each kind; no details where it tells none.
DETAILS: dict[ProblemKind, dict[str, object]] = {
    ProblemKind.RAGGED_SHORT: {"cells": 2, "expected": 4},
    ProblemKind.RAGGED_LONG: {"cells": 5, "expected": 4},
    ProblemKind.NUL_BYTES: {"count": 1},
    ProblemKind.UNDECODABLE: {"count": 1},
    ProblemKind.DUPLICATE_COLUMN: {"name": "a", "column": "a (2)"},
    ProblemKind.EMPTY_COLUMN_NAME: {"name": "", "column": "column 3", "position": 3},
    ProblemKind.DUPLICATE_KEY: {"value": "7", "key": "7 (2)"},
    ProblemKind.EMPTY_KEY: {"key": "row 5"},
    ProblemKind.NOT_AN_OBJECT: {},
    ProblemKind.INVALID_JSON: {"message": "Expecting value"},
    ProblemKind.NESTED_TOO_DEEPLY: {"limit": 200},
    ProblemKind.BLANK_LINE: {},
    ProblemKind.OPEN_QUOTE: {"lines": 12},
    ProblemKind.MOVED_COLUMN: {"name": "batchdesk.state", "column": "source.state"},
    ProblemKind.ABOVE_HEADER: {},
    ProblemKind.CELL_ERROR: {"cell": "C5", "value": "#N/A"},
    ProblemKind.NO_CACHED_VALUE: {"cell": "C5"},
    ProblemKind.BAD_CELL: {"cell": "C5"},
    ProblemKind.BINARY_CELL: {"bytes": 16},
    ProblemKind.HIDDEN_SHEET: {"name": "Old"},
    ProblemKind.OTHER_TABLE: {"name": "2025"},
    ProblemKind.UNREADABLE_FILE: {"name": "a.pdf", "reason": "damaged"},
    ProblemKind.NO_TEXT: {"name": "scan.pdf"},
}

TELLERS: dict[str, tuple[Iterable[object], Callable[..., str]]] = {
    "failures": (ErrorKind, lambda kind: Words().error(kind)),
    "decisions": (Decision, lambda kind: Words().decision(kind)),
    "reasons to skip": (SkipReason, lambda kind: Words().skipped(kind)),
    "states of runs": (RunState, lambda kind: Words().run_state(kind, None)),
    "holds": (HoldReason, lambda kind: RunWords(Words()).hold(kind)),
    "reasons of limits": (LimitReason, lambda kind: RunWords(Words()).reason(kind)),
    "limits": (
        [kind for kind in LimitKind if kind not in {LimitKind.BREAKER, LimitKind.ALARM}],
        lambda kind: (
            RunWords(Words())
            .detail(LimitChange(1.0, kind, 1, 2, LimitReason.TOLD))
            .partition(":")[0]
            .partition("：")[0]
        ),
    ),
    "faults of files": (ProblemKind, lambda kind: Words().file_problem(kind.value, 3)),
}


@pytest.fixture
def chinese(language):
    language("zh_CN")


@pytest.mark.parametrize("what", list(TELLERS))
def test_that_every_code_has_english_words_of_its_own(qapp, what):
    codes, tell = TELLERS[what]
    told = [tell(code) for code in codes]
    assert len(set(told)) == len(told)
    for words in told:
        assert words
        assert "_" not in words


@pytest.mark.parametrize("what", list(TELLERS))
def test_that_every_code_has_chinese_words(qapp, chinese, what):
    codes, tell = TELLERS[what]
    for code in codes:
        assert any("一" <= letter <= "鿿" for letter in tell(code)), code


def test_that_every_state_of_a_task_has_words(qapp):
    assert all(Words().task_state(state) for state in TaskState)


@pytest.mark.parametrize("kind", list(ProblemKind))
def test_that_a_fault_of_a_file_is_told_with_its_details(qapp, kind):
    model = ProblemsModel(Words())
    model.set_problems([(kind.value, 5, json.dumps(DETAILS[kind]))])
    told = model.index(0, 1).data()
    assert told == model.sentence(kind.value, DETAILS[kind])
    assert told != Words().file_problem(kind.value, 1)
    assert "{" not in told


@pytest.mark.parametrize("kind", list(ProblemKind))
def test_that_a_fault_of_a_file_is_told_in_chinese(qapp, chinese, kind):
    told = ProblemsModel(Words()).sentence(kind.value, DETAILS[kind])
    assert any("一" <= letter <= "鿿" for letter in told)


@pytest.mark.parametrize(
    ("format_name", "detail", "place"),
    [
        ("csv", {}, "line 1,205"),
        ("jsonl", {}, "line 1,205"),
        ("parquet", {}, "row 1,205"),
        ("xlsx", {"cell": "C1205", "value": "#N/A"}, "cell C1205"),
    ],
)
def test_that_a_fault_has_its_place(qapp, format_name, detail, place):
    model = ProblemsModel(Words())
    model.set_problems([("cell_error", 1205, json.dumps(detail))], format_name)
    assert model.index(0, 0).data() == place
