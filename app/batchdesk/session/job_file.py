"""Reads a job file: TOML in, a Job out, and every mistake in one sentence that says where."""

from __future__ import annotations

import difflib
import re
import tomllib
import typing
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pydantic
from pydantic_core import ErrorDetails

from batchdesk.domain.job import Job, Spec
from batchdesk.errors import JobFileError


def read_job_file(path: Path) -> Job:
    """The job; its data path is made relative to the job file's folder.

    Raises:
        JobFileError: not readable, not TOML, or not a job; the sentence names the first mistake.
    """
    try:
        text = path.read_text("utf-8-sig")
    except FileNotFoundError:
        raise JobFileError("There is no job file {path}.", path=path) from None
    except (OSError, UnicodeDecodeError) as error:
        raise JobFileError(
            "The job file {path} cannot be read: {reason}.", path=path, reason=_reason(error)
        ) from error
    return parse_job(text, path.name, path.parent)


def parse_job(text: str, name: str, folder: Path) -> Job:
    """The job in a text; ``folder`` is what its data path is relative to.

    Raises:
        JobFileError: the text is not TOML or not a job.
    """
    try:
        values = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise JobFileError(
            "{name} is not valid TOML: {reason}.", name=name, reason=error
        ) from error
    try:
        job = Job.model_validate(values)
    except pydantic.ValidationError as error:
        raise _mistake(error.errors()[0], text, name) from error
    if len(job.stages) > 1:
        raise JobFileError(
            "{name} has {count} stages; this version of Batchdesk runs jobs of one stage. Put each "
            "stage into a job of its own.",
            name=name,
            count=len(job.stages),
        )
    if job.data.path is None:
        return job
    data = job.data.model_copy(update={"path": folder / job.data.path})
    return job.model_copy(update={"data": data})


def _mistake(error: ErrorDetails, text: str, name: str) -> JobFileError:
    location = error["loc"]
    key = str(location[-1]) if location else ""
    place = _place(location[:-1])
    line = _line_of(text, key, error["type"])
    where = f"{name}{f', line {line}' if line else ''}"
    if error["type"] == "extra_forbidden":
        known = _known_keys(location[:-1])
        near = difflib.get_close_matches(key, known, 1, 0.5)
        hint = f"Did you mean {near[0]!r}?" if near else f"Known there: {', '.join(known)}."
        return JobFileError(
            "{where}: {key!r} is not a key of {place}. {hint}",
            where=where,
            key=key,
            place=place,
            hint=hint,
        )
    if error["type"] == "missing":
        return JobFileError("{name}: {place} needs a key {key!r}.", name=name, place=place, key=key)
    return JobFileError(
        "{where}: {key!r} in {place}: {reason}.",
        where=where,
        key=key,
        place=place,
        reason=error["msg"].removeprefix("Value error, "),
    )


def _place(location: Sequence[int | str]) -> str:
    """A table of the file as it is written: ``[limits]``, ``[[stages]] 1``, the top level."""
    parts: list[str] = []
    for part in location:
        if isinstance(part, int):
            parts[-1] = f"{parts[-1]} {part + 1}"
        else:
            parts.append(part)
    return f"[{'.'.join(parts)}]" if parts else "the top level"


def _line_of(text: str, key: str, kind: str) -> int | None:
    """The first line that sets the key; None if it is not there or the fault is its absence."""
    if not key or kind == "missing":
        return None
    setting = re.compile(
        rf"(^|[\s{{,]){re.escape(key)}\s*=|^\s*\[+\s*(\w+\.)*{re.escape(key)}\s*\]"
    )
    for number, line in enumerate(text.splitlines(), 1):
        if setting.search(line):
            return number
    return None


def _known_keys(location: Sequence[int | str]) -> list[str]:
    """The keys that are allowed where the location leads."""
    known: list[type[Spec]] = [Job]
    for part in location:
        if isinstance(part, int):
            continue
        tagged = [spec for spec in known if _tag(spec) == part]
        known = tagged or _below(known, part)
    return sorted({name for spec in known for name in spec.model_fields})


def _below(specs: Sequence[type[Spec]], name: str) -> list[type[Spec]]:
    return [
        found
        for spec in specs
        if name in spec.model_fields
        for found in _specs_in(spec.model_fields[name].annotation)
    ]


def _specs_in(annotation: Any) -> list[type[Spec]]:
    if isinstance(annotation, type) and issubclass(annotation, Spec):
        return [annotation]
    return [found for part in typing.get_args(annotation) for found in _specs_in(part)]


def _tag(spec: type[Spec]) -> str | None:
    """The ``kind`` that chooses this part among several."""
    field = spec.model_fields.get("kind")
    return str(typing.get_args(field.annotation)[0]) if field else None


def _reason(error: Exception) -> str:
    if isinstance(error, UnicodeDecodeError):
        return "it is not UTF-8 text"
    return str(getattr(error, "strerror", None) or error)
