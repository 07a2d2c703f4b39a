from __future__ import annotations

import pytest

from batchdesk.domain.task import ErrorKind, TaskState
from batchdesk.quality.evaluation import Share
from batchdesk.session.gates import Gate, GateState, confidence_test, judge
from batchdesk.session.pilot import Measured, compare
from batchdesk.store.previews import Tried


def tried(row_id, answer=None, **changes):
    values = {
        "row_id": row_id, "row_key": f"k{row_id}", "cells": {}, "state": TaskState.PASSED,
        "kind": None, "answer": answer, "confidence": None, "attempts": 1, "answered": 1,
        "misaligned": 0, "input_tokens": 100, "output_tokens": 10, "cached_tokens": None,
        "reasoning_tokens": None, "service_s": 0.5, **changes,
    }  # fmt: skip
    return Tried(**values)


def gates(first, second, field="label", *, echo_key=True):
    return judge(first, second, answer_field=field, echo_key=echo_key)


def labelled(label, **more):
    return {"label": label, **more}


def test_that_the_answer_field_decides_what_is_stable():
    first = [tried(1, labelled("a", why="x")), tried(2, labelled("b", why="x"))]
    second = [tried(1, labelled("A ", why="y")), tried(2, labelled("c", why="x"))]
    found = gates(first, second)
    assert found.stable == Gate(GateState.FAILED, 1, 2)
    assert found.unstable_keys == ("k2",)
    assert found.stable_fields == {"label": Share(1, 2), "why": Share(1, 2)}
    assert gates(first, second, None).stable == Gate(GateState.FAILED, 0, 2)


def test_that_bad_answers_fail_the_format_and_are_left_out_of_stable():
    bad = tried(1, "nonsense", state=TaskState.REVIEW, kind=ErrorKind.MALFORMED_OUTPUT)
    found = gates(
        [bad, tried(2, labelled("b"))], [tried(1, labelled("a")), tried(2, labelled("b"))]
    )
    assert found.format == Gate(GateState.FAILED, 3, 4)
    assert found.stable == Gate(GateState.PASSED, 1, 1)


def test_that_doubtful_answers_have_the_asked_form():
    doubtful = tried(1, labelled("a"), state=TaskState.REVIEW)
    assert gates([doubtful], [doubtful]).format == Gate(GateState.PASSED, 2, 2)


def test_that_rows_the_service_did_not_answer_are_counted_apart():
    dead = tried(1, state=TaskState.DEAD, kind=ErrorKind.OVERLOADED, answered=0)
    found = gates([dead], [tried(1, labelled("a"))])
    assert found.unanswered == 1
    assert found.format == Gate(GateState.PASSED, 1, 1)
    assert found.stable == Gate(GateState.OPEN)


def test_that_an_answer_that_named_another_row_fails_the_match_even_if_mended():
    mended = tried(1, labelled("a"), attempts=2, answered=2, misaligned=1)
    found = gates([mended], [tried(1, labelled("a"))])
    assert found.matched == Gate(GateState.FAILED, 2, 3)
    assert gates([mended], [], echo_key=False).matched == Gate(GateState.NOT_ASKED)


def answers(*pairs):
    return [
        tried(n, labelled("a"), confidence=confidence, cells={"truth": "A" if right else "b"})
        for n, (confidence, right) in enumerate(pairs)
    ]


def test_that_low_confidence_is_held_against_what_was_wrong():
    found = confidence_test(
        answers((0.9, True), (0.95, True), (0.8, True), (0.4, False), (0.5, True), (0.3, False)),
        label="truth",
        answer_field="label",
        at=0.6,
    )
    assert found is not None
    assert (found.low_wrong, found.high_wrong) == (Share(2, 3), Share(0, 3))
    assert found.order == 1.0
    assert not found.is_useless


def test_that_a_confidence_that_is_always_the_same_is_useless():
    found = confidence_test(
        answers(*[(0.9, n % 2 == 0) for n in range(6)]),
        label="truth",
        answer_field="label",
        at=None,
    )
    assert found is not None
    assert found.is_useless
    assert found.order == 0.5


def test_that_a_few_labels_tell_nothing():
    assert (
        confidence_test(answers((0.9, True)), label="truth", answer_field="label", at=0.5) is None
    )


def test_that_a_pilot_differs_only_where_the_intervals_do():
    preview = [tried(n, labelled("a"), input_tokens=100 + n % 3) for n in range(20)]
    pilot = [tried(n, labelled("a"), input_tokens=150 + n % 3) for n in range(100)]
    pilot[0] = tried(0, "x", state=TaskState.REVIEW, kind=ErrorKind.MALFORMED_OUTPUT)
    found = {one.name: one for one in compare(preview, pilot, (Share(18, 20), Share(80, 100)))}
    assert found["input_tokens"].differs
    assert found["output_tokens"].preview == Measured(10, 10, 10)
    assert not found["output_tokens"].differs
    pilot_format = found["format"].pilot
    assert pilot_format is not None
    assert pilot_format.value == pytest.approx(0.99)
    assert not found["format"].differs
    assert not found["accuracy"].differs
