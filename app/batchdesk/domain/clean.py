"""The cleaning steps of a job file: one ``[[clean]]`` table each, told apart by ``step``.

Steps run in the order of ``ORDER`` whatever the order in the file, each at most once. What they
do is in ``prepare.cleaning``; the text of the file is never overwritten.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Any, Literal

from pydantic import Field, field_validator, model_validator

from batchdesk.domain.spec import Spec


class MaskKind(StrEnum):
    """Personal data that is recognised by itself."""

    EMAIL = "email"
    PHONE = "phone"
    CARD = "card"  # a bank card's number, by its check digit
    IBAN = "iban"  # a bank account, by its check digits
    RESIDENT_ID = "resident_id"  # of the People's Republic of China, by its check digit
    IP = "ip"
    URL = "url"


class NormaliseStep(Spec):
    """NFC, line feeds as line ends, no control characters, single spaces.

    Attributes:
        columns: Which columns; empty: those that the prompts use.
        repair: Whether text that was decoded wrongly is repaired where that is certain.
    """

    step: Literal["normalise"]
    columns: tuple[str, ...] = ()
    repair: bool = True


class EmptyStep(Spec):
    """Rows whose used columns are all blank are skipped."""

    step: Literal["empty"]


class DuplicatesStep(Spec):
    """Of rows with equal used columns, as cleaned so far, the first is sent for all."""

    step: Literal["duplicates"]


class NearDuplicatesStep(Spec):
    """Suggests rows that are nearly equal; it skips none.

    Attributes:
        threshold: Share of common pieces of text from which two rows count as nearly equal.
    """

    step: Literal["near_duplicates"]
    threshold: float = Field(default=0.85, ge=0.5, lt=1)


class MaskPattern(Spec):
    """A pattern of the user's own.

    Attributes:
        name: Stands in the token: ``ORDER`` gives ``[ORDER_1]``.
        pattern: A regular expression.
    """

    name: str = Field(pattern=r"^[A-Z][A-Z_]{0,29}$")
    pattern: str = Field(min_length=1, max_length=1000)


class MaskStep(Spec):
    """Personal data leaves this computer only as tokens such as ``[PHONE_1]``.

    Attributes:
        columns: Which columns; empty: those that the prompts use.
        kinds: What is looked for.
        regions: Countries (ISO 3166 codes) whose telephone numbers count without ``+`` and
            country code.
        patterns: The user's own.
    """

    step: Literal["mask"]
    columns: tuple[str, ...] = ()
    kinds: tuple[MaskKind, ...] = tuple(MaskKind)
    regions: tuple[Annotated[str, Field(pattern=r"^[A-Z]{2}$")], ...] = ("CN", "US", "GB")
    patterns: tuple[MaskPattern, ...] = ()

    @field_validator("patterns")
    @classmethod
    def _names_differ(cls, value: tuple[MaskPattern, ...]) -> tuple[MaskPattern, ...]:
        names = [one.name for one in value]
        taken = {kind.name for kind in MaskKind} | {"TEXT"}
        for name in names:
            if names.count(name) > 1 or name in taken:
                raise ValueError(f"the name {name} is taken; give the pattern another one")
        return value


class LengthStep(Spec):
    """Rows that do not fit in the model's window.

    Attributes:
        window: Tokens of the model's window; None: as known for the model, else no check.
        reserve: Tokens kept for the answer; None: the stage's ``max_tokens``, else 1,000, but half
            of the window at most.
        over: What happens to a longer row: it is skipped with the figure. ``chunk`` is refused
            with a sentence: long texts are cut as the table is read, see ``DataSpec``.
    """

    step: Literal["length"]
    window: int | None = Field(default=None, ge=16)
    reserve: int | None = Field(default=None, ge=0)
    over: Literal["skip", "chunk"] = "skip"

    @model_validator(mode="before")
    @classmethod
    def _without_overlap(cls, value: Any) -> Any:
        """Older programs kept an ``overlap`` that did nothing."""
        if isinstance(value, dict) and value.get("overlap") == 0:
            return {name: one for name, one in value.items() if name != "overlap"}
        return value


CleanStep = Annotated[
    NormaliseStep | EmptyStep | DuplicatesStep | NearDuplicatesStep | MaskStep | LengthStep,
    Field(discriminator="step"),
]

ORDER = ("normalise", "empty", "duplicates", "near_duplicates", "mask", "length")


def in_order(steps: tuple[CleanStep, ...]) -> tuple[CleanStep, ...]:
    """The steps as they run.

    Raises:
        ValueError: a step is named twice.
    """
    names = [one.step for one in steps]
    for name in names:
        if names.count(name) > 1:
            raise ValueError(f"the step {name!r} is named twice")
    return tuple(sorted(steps, key=lambda one: ORDER.index(one.step)))
