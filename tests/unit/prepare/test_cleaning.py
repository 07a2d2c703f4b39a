"""The cleaning steps over rows: order, counts, samples, and that the file's text stays."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from batchdesk.domain.clean import (
    DuplicatesStep,
    EmptyStep,
    LengthStep,
    MaskStep,
    NearDuplicatesStep,
    NormaliseStep,
)
from batchdesk.errors import JobFileError
from batchdesk.prepare import near
from batchdesk.prepare.cleaning import SAMPLES_KEPT, Cleaner, Sample, Skip, SkipReason, room
from batchdesk.prepare.near import NearDuplicates, NearGroup, pieces

NORMALISE, EMPTY = NormaliseStep(step="normalise"), EmptyStep(step="empty")
DUPLICATES, MASK = DuplicatesStep(step="duplicates"), MaskStep(step="mask")
LENGTH = LengthStep(step="length")
COLUMNS = ["id", "text", "note"]


def rows(*texts: str | None) -> list[tuple[int, dict[str, str | None]]]:
    return [
        (n, {"id": f"r{n}", "text": text, "note": "  kept  "}) for n, text in enumerate(texts, 1)
    ]


def characters(batch):
    return [len(cells["text"] or "") for cells in batch]


def cleaner(*steps, **parts) -> Cleaner:
    return Cleaner(steps, ["text"], COLUMNS, **parts)


def test_that_all_steps_run_in_their_order_whatever_the_job_file_says():
    made = cleaner(LENGTH, MASK, DUPLICATES, EMPTY, NORMALISE, measure=characters, budget=20)
    assert [report.step for report in made.reports] == [
        "normalise",
        "empty",
        "duplicates",
        "mask",
        "length",
    ]
    out = list(
        made.clean(
            rows("fine\r\n", " \x00 ", "fine", "me  a@x.com", "me a@x.com", "x" * 21, None, "other")
        )
    )
    assert [row.skip for row in out] == [
        None,
        Skip(SkipReason.EMPTY),
        Skip(SkipReason.DUPLICATE, of=1),
        None,
        Skip(SkipReason.DUPLICATE, of=4),
        Skip(SkipReason.TOO_LONG, tokens=21, budget=20),
        Skip(SkipReason.EMPTY),
        None,
    ]
    assert [row.changed for row in out] == [
        {"text": "fine"},
        {"text": ""},
        {},
        {"text": "me [EMAIL_1]"},
        {},
        {},
        {},
        {},
    ]
    assert [(r.rows, r.changed, r.skipped) for r in made.reports] == [
        (8, 3, 0),
        (8, 0, 2),
        (6, 0, 2),
        (4, 1, 0),
        (4, 0, 1),
    ]


def test_that_the_file_s_cells_are_never_touched_and_other_columns_stay():
    given_rows = rows("a  b")
    row = next(iter(cleaner(NORMALISE).clean(given_rows)))
    assert given_rows == rows("a  b")
    assert row.cells == {"id": "r1", "text": "a b", "note": "  kept  "}
    assert row.changed == {"text": "a b"}


def test_that_named_columns_are_cleaned_instead_of_the_used_ones():
    made = cleaner(NormaliseStep(step="normalise", columns=("note",)))
    assert [row.changed for row in made.clean(rows("a  b"))] == [{"note": "kept"}]


def test_that_a_report_says_what_was_done_with_samples_before_and_after():
    made = cleaner(NORMALISE, MASK)
    list(made.clean(rows("a  b", "c\r\nd  e", "fine", "x@y.com")))
    normal, mask = made.reports
    assert normal.details == {"spaces": 2, "line_ends": 1}
    assert normal.samples == [
        Sample(1, "text", "a  b", "a b"),
        Sample(2, "text", "c\r\nd  e", "c\nd e"),
    ]
    assert mask.details == {"EMAIL": 1}
    assert mask.samples == [Sample(4, "text", "x@y.com", "[EMAIL_1]")]
    assert made.masker is not None
    assert made.masker.new() == {"[EMAIL_1]": "x@y.com"}


def test_that_samples_are_few_and_counts_are_whole():
    made = cleaner(NORMALISE)
    list(made.clean(rows(*["a  b"] * 2500)))
    assert (made.reports[0].changed, len(made.reports[0].samples)) == (2500, SAMPLES_KEPT)


def test_that_duplicates_are_found_across_parts_of_the_rows():
    made = cleaner(DUPLICATES)
    first = list(made.clean([(7, {"text": "same"})]))
    second = list(made.clean([(9, {"text": "same"}), (7, {"text": "same"})]))
    assert [row.skip for row in first + second] == [None, Skip(SkipReason.DUPLICATE, of=7), None]


def test_that_half_a_character_is_compared_as_it_is():
    out = list(cleaner(DUPLICATES).clean(rows("\ud800", "\ud801", "\ud800")))
    assert [row.skip for row in out] == [None, None, Skip(SkipReason.DUPLICATE, of=1)]


def test_that_columns_are_compared_one_by_one_and_not_as_one_text():
    made = Cleaner([DUPLICATES], ["a", "b"], ["a", "b"])
    out = list(made.clean([(1, {"a": "xy", "b": "z"}), (2, {"a": "x", "b": "yz"})]))
    assert [row.skip for row in out] == [None, None]


def test_that_without_a_known_window_no_row_is_too_long():
    made = cleaner(LENGTH, measure=characters)
    assert [row.skip for row in made.clean(rows("x" * 10**6))] == [None]


def test_that_a_step_named_twice_or_a_column_that_is_not_there_is_refused():
    with pytest.raises(JobFileError, match="stands in the job twice"):
        cleaner(EMPTY, EMPTY)
    with pytest.raises(JobFileError, match="names a column 'texd'"):
        cleaner(MaskStep(step="mask", columns=("texd",)))


def test_that_the_room_for_a_row_is_what_the_rest_leaves():
    assert room(8000, system=500, template=300, reserved=1000) == 6200
    assert room(1000, system=900, template=300, reserved=0) == 0


@settings(deadline=None)  # the first text loads what is loaded late
@given(st.lists(st.one_of(st.none(), st.text(max_size=5)), max_size=40))
def test_that_every_row_comes_out_once_and_in_order(texts):
    made = cleaner(NORMALISE, EMPTY, DUPLICATES, MASK)
    out = list(made.clean(rows(*texts)))
    assert [row.id for row in out] == list(range(1, len(texts) + 1))
    sent = [row for row in out if row.skip is None]
    assert len({row.cells["text"] for row in sent}) == len(sent)
    for row in out:
        if row.skip is not None and row.skip.reason is SkipReason.DUPLICATE:
            assert row.skip.of in {one.id for one in sent}


def test_that_nearly_equal_rows_are_suggested_and_none_is_skipped():
    base = "The room was clean and quiet, the staff were friendly and breakfast was good."
    made = cleaner(NearDuplicatesStep(step="near_duplicates", threshold=0.7))
    out = list(made.clean(rows(base, "Something else altogether happened.", base.upper() + "!")))
    assert [row.skip for row in out] == [None, None, None]
    assert made.reports[0].near == ()  # looked for once, after the last row
    (report,) = made.conclude()
    assert report.compared == 3
    assert [(group.first, [row for row, _ in group.others]) for group in report.near] == [(1, [3])]


def made_pair(rng: random.Random, share: float) -> tuple[str, str]:
    """Two texts of 300 different signs whose pieces overlap by about this Jaccard share."""
    signs = [chr(0x4E00 + n) for n in rng.sample(range(20_000), 500)]
    common = round(300 * 2 * share / (1 + share))
    return "".join(signs[:300]), "".join(signs[:common] + signs[300 : 600 - common])


def near_duplicates(rows, threshold):
    made = NearDuplicates(threshold)
    for row, text in rows:
        made.add(row, text)
    return made.groups()


def test_that_pairs_above_the_threshold_are_found_and_pairs_below_are_not():
    rng = random.Random(4)
    found = {}
    for share in (0.6, 0.95):
        pairs = [made_pair(rng, share) for _ in range(100)]
        found[share] = sum(len(near_duplicates([(1, one), (2, two)], 0.85)) for one, two in pairs)
    assert found[0.95] >= 97
    assert found[0.6] == 0


def test_that_a_group_holds_what_is_like_its_first_row_with_the_likeness():
    text = "".join(map(chr, range(0x4E00, 0x4E00 + 200)))
    groups = near_duplicates([(5, text), (6, "quite different"), (8, text), (9, text)], 0.9)
    assert groups == (NearGroup(5, ((8, 1.0), (9, 1.0))),)


def test_that_only_so_many_rows_are_compared(monkeypatch):
    monkeypatch.setattr(near, "COMPARED_MAX", 2)
    made = NearDuplicates(0.8)
    for row in range(4):
        made.add(row, "the very same text")
    assert made.compared == 2
    assert made.groups() == (NearGroup(0, ((1, 1.0),)),)


def test_that_pieces_leave_out_spaces_and_upper_case_and_short_texts_are_one_piece():
    assert pieces("Ab cD E") == ["abcd", "bcde"]
    assert pieces("好") == ["好"]
    assert pieces("") == [""]


@pytest.mark.benchmark
def test_that_100_000_rows_are_cleaned_within_a_minute():
    import time

    rng = random.Random(1)
    words = ["room", "clean", "酒店", "不错", "  ", "a@x.com", "13812345678", "good", "\r\n"]
    made = cleaner(NORMALISE, EMPTY, DUPLICATES, NearDuplicatesStep(step="near_duplicates"), MASK)
    often = [9, 9, 9, 9, 3, 0.1, 0.2, 9, 1]
    texts = [" ".join(rng.choices(words, often, k=20)) for _ in range(100_000)]
    begun = time.perf_counter()
    assert sum(1 for _ in made.clean(rows(*texts))) == 100_000
    took = time.perf_counter() - begun
    print(f"\n100,000 rows through five steps: {took:.1f} s")
    assert took < 60
