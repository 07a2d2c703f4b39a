"""Two hundred hostile files: a sentence or rows, in time, and no row lost without a word."""

import time
from collections import Counter
from pathlib import Path

from tests.unit.tables.hostile import COUNT, make

from batchdesk.errors import TableError
from batchdesk.tables import open_reader
from batchdesk.tables.base import ProblemKind

SEED = 20_261_129
SECONDS_PER_FILE = 20.0  # a hang; the slowest takes two on an idle machine
# Problems that stand for a row that was not kept.
NOT_KEPT = {
    ProblemKind.NOT_AN_OBJECT, ProblemKind.INVALID_JSON, ProblemKind.NESTED_TOO_DEEPLY, ProblemKind.BLANK_LINE,
    ProblemKind.ABOVE_HEADER, ProblemKind.UNREADABLE_FILE,
}  # fmt: skip


def read(path: Path) -> tuple[int, int] | str:
    """How many rows came and how many were left out, or the sentence for the person."""
    try:
        reader = open_reader(path)
        try:
            count = sum(1 for _ in reader.rows())
        finally:
            reader.close()
    except TableError as error:
        return str(error)
    counts = reader.problem_counts.items()
    return count, sum(number for kind, number in counts if kind in NOT_KEPT)


def test_that_hostile_files_are_rows_or_a_sentence(tmp_path):
    outcomes: Counter[str] = Counter()
    seconds: Counter[str] = Counter()
    for hostile in make(tmp_path, SEED):
        began = time.perf_counter()
        outcome = read(hostile.path)
        took = time.perf_counter() - began
        seconds[hostile.kind] += took  # type: ignore[assignment] # a counter of floats
        assert took < SECONDS_PER_FILE, hostile
        if isinstance(outcome, str):
            assert outcome
            assert "Traceback" not in outcome
            outcomes["told"] += 1
        else:
            outcomes["read"] += 1
            if hostile.rows is not None:
                assert sum(outcome) == hostile.rows, hostile
    print(outcomes, [(kind, round(took, 1)) for kind, took in seconds.most_common(5)])
    assert outcomes.total() == COUNT == 200
    assert outcomes["read"] > 60
    assert outcomes["told"] > 40
