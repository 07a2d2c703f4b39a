"""The base of everything that a job file may say.

It stands apart from ``job`` so that parts of a job may live in modules of their own.
"""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict


class Spec(BaseModel):
    """Base of all parts of a job: frozen, strict about unknown keys, and finite in its numbers."""

    model_config = ConfigDict(
        extra="forbid", frozen=True, str_strip_whitespace=False, allow_inf_nan=False
    )
