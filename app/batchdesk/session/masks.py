"""What a person may choose of the mask step, and what is wrong with a choice.

A pattern or the code of a country comes in; a sentence, or nothing, goes out. Pure.
"""

from __future__ import annotations

from batchdesk.domain.clean import MaskPattern, MaskStep
from batchdesk.errors import UserError
from batchdesk.prepare.masking import Masker


def pattern_fault(pattern: MaskPattern) -> UserError | None:
    """Why a pattern of the user's own cannot be used; None if it can."""
    try:
        Masker(MaskStep(step="mask", kinds=(), patterns=(pattern,)))
    except UserError as error:
        return error
    return None


def phone_regions() -> frozenset[str]:
    """The countries (ISO 3166 codes) whose telephone numbers are known. Blocks a moment."""
    from phonenumbers import SUPPORTED_REGIONS  # noqa: PLC0415 - heavy, seldom needed

    return frozenset(SUPPORTED_REGIONS)
