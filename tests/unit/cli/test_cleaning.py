"""What the command line says of a run's cleaning."""

from __future__ import annotations

from batchdesk.cli.cleaning import cleaning_lines


def step(name, **figures):
    return {
        "step": name,
        "rows": 1000,
        "changed": 0,
        "skipped": 0,
        "details": {},
        "near": 0,
        "compared": 0,
        **figures,
    }


def test_that_each_step_that_did_something_has_a_line_and_masks_are_counted_by_kind():
    steps = [
        step("normalise", changed=12),
        step("empty", skipped=3),
        step("duplicates"),
        step("mask", changed=40, details={"PHONE": 30, "EMAIL": 1234}),
        step("length", skipped=1),
    ]
    assert list(cleaning_lines({"steps": steps})) == [
        "texts normalised in 12 rows",
        "empty rows left out: 3 rows",
        "personal data masked in 40 rows (PHONE 30, EMAIL 1,234)",
        "too long for the model: 1 row",
    ]


def test_that_rows_that_were_not_compared_are_told_of():
    (found, limit) = cleaning_lines(
        {"steps": [step("near_duplicates", rows=300_000, near=7, compared=200_000)]}
    )
    assert found == "groups of nearly equal rows: 7 (all are sent)"
    assert limit == (
        "note: only the first 200,000 of 300,000 rows were compared for nearly equal ones"
    )
    assert list(cleaning_lines({"steps": [step("near_duplicates", compared=1000)]})) == []


def test_that_a_run_without_steps_has_no_line():
    assert list(cleaning_lines(None)) == []


def test_that_rows_larger_than_a_minute_of_tokens_are_told_of():
    assert list(cleaning_lines({"steps": [], "over_minute": 3})) == [
        "larger than all the tokens of a minute, so that each goes alone and waits: 3 rows"
    ]
