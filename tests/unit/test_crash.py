from __future__ import annotations

from batchdesk.crash import save_crash_report


def raised(error, cause):
    try:
        raise error from cause
    except ValueError as caught:
        return caught


def test_that_a_report_names_each_error_and_place_and_no_value():
    path = save_crash_report(raised(ValueError("a secret"), KeyError("another")))
    lines = path.read_text("utf-8").splitlines()
    path.unlink()
    assert lines[2] == "ValueError"
    assert lines[3].startswith("  test_crash.py:")
    assert lines[3].endswith(" raised")
    assert lines[4:] == ["KeyError"]


def test_that_errors_that_cause_each_other_are_each_reported_once():
    first, second = ValueError("a"), KeyError("b")
    second.__cause__ = first
    path = save_crash_report(raised(first, second))
    lines = path.read_text("utf-8").splitlines()
    path.unlink()
    assert [line for line in lines[2:] if not line.startswith(" ")] == ["ValueError", "KeyError"]
