"""Column names are made usable, visibly."""

from batchdesk.tables.base import Problem, ProblemKind, ProblemLog
from batchdesk.tables.columns import free_name, name_columns, name_late_column


def named(*header: str) -> list[str]:
    return name_columns(header, ProblemLog())


def test_that_good_names_stay_as_they_are():
    log = ProblemLog()
    assert name_columns(["id", " text ", "标签", "ID"], log) == ["id", " text ", "标签", "ID"]
    assert log.counts == {}


def test_that_second_columns_of_one_name_are_numbered():
    assert named("name", "name", "x", "name") == ["name", "name (2)", "x", "name (3)"]


def test_that_a_real_name_is_not_taken_by_a_renamed_one():
    assert named("a", "a", "a (2)") == ["a", "a (3)", "a (2)"]
    assert named("a (2)", "a", "a", "a (2)") == ["a (2)", "a", "a (3)", "a (2) (2)"]


def test_that_columns_without_a_name_are_named_by_position():
    assert named("id", "", " ") == ["id", "column 2", "column 3"]
    assert named("", "column 1") == ["column 1 (2)", "column 1"]


def test_that_columns_of_the_names_that_the_export_uses_are_moved():
    assert named("Answer.x", "batchdesk.state", "answer", "my answer.x") == [
        "source.Answer.x",
        "source.batchdesk.state",
        "answer",
        "my answer.x",
    ]
    assert named("source.answer.x", "answer.x") == ["source.answer.x", "source.answer.x (2)"]
    assert named("answer.x", "answer.x") == ["source.answer.x", "source.answer.x (2)"]


def test_that_every_change_is_reported_with_old_and_new_name():
    log = ProblemLog()
    name_columns(["a", "a", "", "answer.b"], log, line=3)
    assert log.problems == [
        Problem(ProblemKind.DUPLICATE_COLUMN, 3, {"name": "a", "column": "a (2)", "position": 2}),
        Problem(
            ProblemKind.EMPTY_COLUMN_NAME, 3, {"name": "", "column": "column 3", "position": 3}
        ),
        Problem(
            ProblemKind.MOVED_COLUMN,
            3,
            {"name": "answer.b", "column": "source.answer.b", "position": 4},
        ),
    ]


def test_that_a_late_column_gets_a_free_name():
    assert name_late_column("b", ["a"], ProblemLog()) == "b"
    assert name_late_column("a", ["a"], ProblemLog()) == "a (2)"
    assert name_late_column("", ["a"], ProblemLog()) == "column 2"


def test_that_a_free_name_counts_up_from_two():
    assert free_name("x", set()) == "x"
    assert free_name("x", {"x", "x (2)"}) == "x (3)"


def test_that_the_log_counts_all_problems_and_keeps_ten_thousand():
    log = ProblemLog()
    for line in range(1, 10_003):
        log.add(ProblemKind.BLANK_LINE, line)
    assert log.counts == {ProblemKind.BLANK_LINE: 10_002}
    assert len(log.problems) == 10_000
    assert log.problems[-1] == Problem(ProblemKind.BLANK_LINE, 10_000)
