"""The cleaning steps as a job file writes them."""

import pytest
from pydantic import TypeAdapter, ValidationError

from batchdesk.domain.clean import (
    CleanStep,
    DuplicatesStep,
    EmptyStep,
    LengthStep,
    MaskKind,
    MaskStep,
    NormaliseStep,
    in_order,
)

STEPS: TypeAdapter[tuple[CleanStep, ...]] = TypeAdapter(tuple[CleanStep, ...])


def test_that_steps_are_told_apart_by_their_name():
    assert STEPS.validate_python(
        [
            {"step": "normalise", "repair": False},
            {"step": "mask", "kinds": ["email", "phone"], "regions": ["DE"]},
            {"step": "length", "window": 8000, "over": "chunk", "overlap": 0},
        ]
    ) == (
        NormaliseStep(step="normalise", repair=False),
        MaskStep(step="mask", kinds=(MaskKind.EMAIL, MaskKind.PHONE), regions=("DE",)),
        LengthStep(step="length", window=8000, over="chunk"),
    )


@pytest.mark.parametrize(
    "made",
    [
        {"step": "normalize"},
        {"step": "empty", "columns": ["a"]},
        {"step": "near_duplicates", "threshold": 0.3},
        {"step": "mask", "kinds": ["name"]},
        {"step": "mask", "regions": ["de"]},
        {"step": "mask", "patterns": [{"name": "order", "pattern": "x"}]},
        {"step": "mask", "patterns": [{"name": "A", "pattern": ""}]},
        {
            "step": "mask",
            "patterns": [{"name": "A", "pattern": "x"}, {"name": "A", "pattern": "y"}],
        },
        {"step": "length", "window": 3},
        {},
    ],
)
def test_that_what_is_no_step_is_refused(made):
    with pytest.raises(ValidationError):
        STEPS.validate_python([made])


def test_that_steps_run_in_one_order_and_each_but_once():
    empty, twins = EmptyStep(step="empty"), DuplicatesStep(step="duplicates")
    normal = NormaliseStep(step="normalise")
    assert in_order((twins, empty, normal)) == (normal, empty, twins)
    with pytest.raises(ValueError, match="'empty' is named twice"):
        in_order((empty, normal, empty))
